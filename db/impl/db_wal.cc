// WritingDB: what users ask of the log, and of the memtables behind it.
#include "db/files/log_keeper.h"
#include "db/impl/writing_db.h"
#include "db/impl/written_files.h"
#include "db/intake/changes.h"
#include "db/intake/flush_requests.h"
#include "db/intake/intake.h"
#include "db/intake/log_requests.h"
#include "db/registry/family_handle.h"

namespace ROCKSDB_NAMESPACE {

Status WritingDB::FlushWAL(bool sync) {
  FlushWALOptions options;
  options.sync = sync;
  return FlushWAL(options);
}

Status WritingDB::FlushWAL(const FlushWALOptions& options) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->logs()->Flush(options);
}

Status WritingDB::SyncWAL() { return FlushWAL(/*sync=*/true); }

Status WritingDB::LockWAL() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->logs()->Lock();
}

Status WritingDB::UnlockWAL() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->logs()->Unlock();
}

Status WritingDB::ListWals(VectorWalPtr* files) const {
  return written_->logs()->List(files);
}

Status WritingDB::GetCurrentWalFile(std::unique_ptr<WalFile>* current) {
  if (current == nullptr) return Status::InvalidArgument("current is null");
  if (Status s = CheckOpen(); !s.ok()) return s;
  return written_->logs()->DescribeCurrent(current);
}

Status WritingDB::Flush(const FlushOptions& options,
                        ColumnFamilyHandle* family) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  return intake_->flush_requests()->Flush(options, {FamilyOf(family)},
                                          FlushReason::kManualFlush);
}

Status WritingDB::Flush(const FlushOptions& options,
                        const std::vector<ColumnFamilyHandle*>& families) {
  std::vector<ColumnFamilyData*> cfds;
  for (ColumnFamilyHandle* family : families) {
    if (Status s = CheckHandle(family); !s.ok()) return s;
    cfds.push_back(FamilyOf(family));
  }
  if (Status s = CheckOpen(); !s.ok()) return s;
  return intake_->flush_requests()->Flush(options, cfds,
                                          FlushReason::kManualFlush);
}

Status WritingDB::BeginFlushAll(const WaitLimit& limit) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return intake_->flush_requests()->BeginFlushAll(limit);
}

}  // namespace ROCKSDB_NAMESPACE
