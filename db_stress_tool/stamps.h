// User-defined timestamps as the engine takes them.
//
// Threads    Immutable; any thread.

#pragma once

#include <string>

#include "db_stress_tool/flags.h"
#include "db_stress_tool/write_trace.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

// The form that BytewiseComparatorWithU64Ts() compares: eight bytes, the lowest
// first.
inline std::string StampBytes(Stamp stamp) {
  std::string bytes(sizeof(stamp), '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(stamp >> (8 * i));
  }
  return bytes;
}

inline Stamp StampOf(const Slice& bytes) {
  Stamp stamp = 0;
  for (size_t i = bytes.size(); i > 0; --i) {
    stamp = stamp << 8 | static_cast<uint8_t>(bytes[i - 1]);
  }
  return stamp;
}

// The stamp that reads are as of; they must not outlive it. Without timestamps
// it changes nothing.
class AsOf {
 public:
  explicit AsOf(const Flags& flags, Stamp stamp = kNewestStamp)
      : stamp_(flags.user_timestamp_size > 0 ? stamp : kNewestStamp),
        is_used_(flags.user_timestamp_size > 0),
        bytes_(StampBytes(stamp)),
        slice_(bytes_) {}
  AsOf(const AsOf&) = delete;
  AsOf& operator=(const AsOf&) = delete;

  Stamp stamp() const { return stamp_; }
  void Limit(ReadOptions* options) const {
    if (is_used_) options->timestamp = &slice_;
  }

 private:
  const Stamp stamp_;
  const bool is_used_;
  const std::string bytes_;
  const Slice slice_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
