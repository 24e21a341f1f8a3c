#include "db/read/read_timestamp.h"

#include <cassert>
#include <string>

#include "db/version/column_family.h"

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

}  // namespace ROCKSDB_NAMESPACE
