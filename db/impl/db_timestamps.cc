// DBImpl: user-defined timestamps, beyond what writes and reads do with them.
#include <algorithm>

#include "db/family/family_handle.h"
#include "db/impl/db_impl.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/version/column_family.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::Merge(const WriteOptions& options, ColumnFamilyHandle* family,
                     const Slice& key, const Slice& ts, const Slice& value) {
  if (Status s = CheckWriteHandle(family, &ts); !s.ok()) return s;
  if (family == nullptr) family = DefaultColumnFamily();
  if (FamilyOf(family)->ioptions().merge_operator == nullptr) {
    return Status::NotSupported("Provide a merge_operator when opening DB");
  }
  WriteBatch batch;
  Status s = batch.Merge(family, key, ts, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::IncreaseFullHistoryTsLow(ColumnFamilyHandle* family,
                                        std::string ts_low) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckWritable(); !s.ok()) return s;
  return on_demand_->families()->RaiseHistory(FamilyOf(family), ts_low);
}

Status DBImpl::GetFullHistoryTsLow(ColumnFamilyHandle* family,
                                   std::string* ts_low) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (ts_low == nullptr) return Status::InvalidArgument("ts_low is nullptr");
  if (Status s = CheckOpen(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  if (cfd->order().timestamp_size() == 0) {
    return Status::InvalidArgument(
        "Timestamp is not enabled in this column family", cfd->name());
  }
  MutexLock lock(&base_.mutex);
  *ts_low = cfd->full_history_ts_low();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
