#include "db/wal/timestamp_fit.h"

#include <cassert>
#include <string>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

size_t SizeOf(const TimestampSizes& sizes, uint32_t id) {
  const auto found = sizes.find(id);
  return found == sizes.end() ? 0 : found->second;
}

// The one of two sizes that is not 0, if they differ.
Status CheckChange(uint32_t id, size_t then, size_t now) {
  if (then == now || then == 0 || now == 0) return Status::OK();
  return Status::InvalidArgument(
      "the log has timestamps of " + std::to_string(then) +
          " bytes for column family " + std::to_string(id),
      "whose comparator has timestamps of " + std::to_string(now));
}

Status Fit(size_t then, size_t now, Slice* key, std::string* buffer) {
  assert(then == 0 || now == 0);
  if (then > key->size()) {
    return Status::Corruption("write batch", "a key without its timestamp");
  }
  if (then > 0) {
    *key = WithoutTimestamp(*key, then);
  } else {
    *buffer = WithMinTimestamp(*key, now);
    *key = *buffer;
  }
  return Status::OK();
}

Status AddFitted(const BatchEntry& entry, size_t then, size_t now,
                 WriteBatch* fitted) {
  std::string key_bytes, end_bytes;
  BatchEntry changed = entry;
  Status s;
  if (then != now) {
    s = Fit(then, now, &changed.key, &key_bytes);
    if (s.ok() && entry.type == kTypeRangeDeletion) {
      s = Fit(then, now, &changed.value, &end_bytes);
    }
  }
  if (!s.ok()) return s;
  return WriteBatchInternal::AddEntry(fitted, changed);
}

}  // namespace

Status FitTimestamps(const TimestampSizes& then, const TimestampSizes& now,
                     WriteBatch* batch) {
  assert(batch != nullptr);
  assert(batch->GetDataSize() >= kBatchHeaderBytes);
  bool fits = true;
  bool has_markers = false;
  BatchEntry entry;
  for (BatchReader reader(batch->Data()); !reader.AtEnd();) {
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) {
      has_markers = has_markers || entry.type != kTypeLogData;
      continue;
    }
    const uint32_t id = entry.column_family_id;
    Status s = CheckChange(id, SizeOf(then, id), SizeOf(now, id));
    if (!s.ok()) return s;
    fits = fits && SizeOf(then, id) == SizeOf(now, id);
  }
  if (fits) return Status::OK();
  if (has_markers) {
    return Status::NotSupported(
        "a prepared transaction of a time with other timestamps");
  }
  // Log data mean nothing to a memtable.
  WriteBatch fitted(batch->GetDataSize());
  for (BatchReader reader(batch->Data()); !reader.AtEnd();) {
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    const uint32_t id = entry.column_family_id;
    Status s = AddFitted(entry, SizeOf(then, id), SizeOf(now, id), &fitted);
    if (!s.ok()) return s;
  }
  if (fitted.Count() != batch->Count()) {
    return Status::Corruption("WriteBatch has wrong count");
  }
  WriteBatchInternal::SetSequence(&fitted,
                                  WriteBatchInternal::Sequence(*batch));
  *batch = std::move(fitted);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
