#include "db/read/read_timestamp.h"

#include <cassert>
#include <string>

#include "db/version/column_family.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckSize(const char* name, const Slice& timestamp, size_t expected) {
  if (timestamp.size() == expected) return Status::OK();
  return Status::InvalidArgument(
      name, "has " + std::to_string(timestamp.size()) +
                " bytes, the timestamps of the column family have " +
                std::to_string(expected));
}

}  // namespace

Status CheckReadTimestamp(const ReadOptions& options, const Comparator& order) {
  const size_t size = order.timestamp_size();
  if (size == 0) {
    if (options.timestamp == nullptr && options.iter_start_ts == nullptr) {
      return Status::OK();
    }
    return Status::InvalidArgument(
        "ReadOptions::timestamp",
        "is given, but the column family has no timestamps");
  }
  if (options.timestamp == nullptr) {
    return Status::InvalidArgument(
        "ReadOptions::timestamp",
        "is not given, but the column family has timestamps");
  }
  Status s = CheckSize("ReadOptions::timestamp", *options.timestamp, size);
  if (s.ok() && options.iter_start_ts != nullptr) {
    s = CheckSize("ReadOptions::iter_start_ts", *options.iter_start_ts, size);
  }
  return s;
}

Status CheckHistory(const ReadOptions& options, const SuperVersion& state) {
  if (options.timestamp == nullptr) return Status::OK();
  const std::string& low = state.full_history_ts_low;
  const Comparator& order = *state.cfd->user_comparator();
  assert(low.empty() || low.size() == order.timestamp_size());
  if (low.empty() || order.CompareTimestamp(*options.timestamp, low) >= 0) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "ReadOptions::timestamp " + order.TimestampToString(*options.timestamp),
      "is older than full_history_ts_low, " + order.TimestampToString(low));
}

}  // namespace ROCKSDB_NAMESPACE
