#include "db/read/read_timestamp.h"

#include <cassert>
#include <string>

#include "db/family/column_family.h"
#include "db/family/super_version.h"
#include "memtable/memtable.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

Status CheckTimestampSize(const std::string& family, size_t size,
                          const Slice* timestamp) {
  if ((timestamp != nullptr) != (size > 0)) {
    return Status::InvalidArgument(
        "cannot call this method on column family " + family + " that " +
        (size > 0 ? "enables timestamp" : "does not enable timestamp"));
  }
  if (timestamp == nullptr || timestamp->size() == size) return Status::OK();
  return Status::InvalidArgument(
      "Timestamp sizes mismatch: expect " + std::to_string(size) + ", " +
          std::to_string(timestamp->size()) + " given",
      "column family " + family);
}

Status CheckReadTimestamp(const ReadOptions& options,
                          const ColumnFamilyData& family) {
  const size_t size = family.order().timestamp_size();
  const bool is_given =
      options.timestamp != nullptr || options.iter_start_ts != nullptr;
  if (size == 0 && !is_given) return Status::OK();
  Status s = CheckTimestampSize(family.name(), size,
                                size > 0 || options.timestamp != nullptr
                                    ? options.timestamp
                                    : options.iter_start_ts);
  if (s.ok() && options.iter_start_ts != nullptr) {
    s = CheckTimestampSize(family.name(), size, options.iter_start_ts);
  }
  return s;
}

Status CheckHistory(const ReadOptions& options, const SuperVersion& state) {
  if (options.iter_start_ts != nullptr && options.tailing) {
    return Status::NotSupported("tailing with iter_start_ts");
  }
  if (options.timestamp == nullptr) return Status::OK();
  const std::string& low = state.full_history_ts_low;
  const Comparator& order = *state.cfd->user_comparator();
  assert(low.empty() || low.size() == order.timestamp_size());
  if (low.empty() || order.CompareTimestamp(*options.timestamp, low) >= 0) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "Read timestamp: " + order.TimestampToString(*options.timestamp) +
      " is smaller than full_history_ts_low: " + order.TimestampToString(low));
}

Status NewestTimestampInMemory(const SuperVersion& state, std::string* newest) {
  const InternalKeyComparator& order = state.cfd->order();
  const Comparator& user_order = *order.user_comparator();
  assert(order.timestamp_size() > 0);
  newest->clear();
  const auto note = [&](const Slice& timestamp) {
    if (newest->empty() ||
        user_order.CompareTimestamp(timestamp, *newest) > 0) {
      newest->assign(timestamp.data(), timestamp.size());
    }
  };
  const auto look_into = [&](const MemTable& memtable) {
    const std::unique_ptr<InternalIterator> entries = memtable.NewIterator();
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      note(TimestampOf(ExtractUserKey(entries->key()), order.timestamp_size()));
    }
    if (!entries->status().ok()) return entries->status();
    const auto tombstones = memtable.tombstones().All();
    for (size_t i = 0; i < tombstones->size(); ++i) {
      const FragmentedTombstones::Fragment fragment = tombstones->at(i);
      for (size_t j = 0; j < fragment.sequences.size(); ++j) {
        note(fragment.timestamp(j));
      }
    }
    return Status::OK();
  };
  Status s = look_into(*state.mem);
  for (size_t i = 0; i < state.imm->size() && s.ok(); ++i) {
    s = look_into(*(*state.imm)[i]);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
