// The timestamps of --user_timestamp_size: each write takes the next one.
//
// They begin at the time of day, in microseconds, so that a database that is
// written again and again never meets an older one.
//
// Threads    Any.

#pragma once

#include <array>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::bench {

bool HasTimestamps();

// A number in little-endian order, as the engine's comparator reads it.
struct Timestamp {
  static constexpr size_t kBytes = 8;

  Timestamp() = default;
  explicit Timestamp(uint64_t number) {
    for (char& byte : bytes) {
      byte = static_cast<char>(number & 0xff);
      number >>= 8;
    }
  }
  Slice AsSlice() const { return Slice(bytes.data(), bytes.size()); }

  std::array<char, kBytes> bytes{};
};

Timestamp NextStamp();

// The latest one, or with --noread_with_latest_user_timestamp one of those
// since the program began.
Timestamp StampToRead(Random* random);

}  // namespace ROCKSDB_NAMESPACE::bench
