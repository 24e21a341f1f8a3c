// The keys of filter_bench: different for each filter and number, and made
// anew whenever one is needed.
//
// Threads  Confined to one thread.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "rocksdb/slice.h"
#include "tools/db_bench/random.h"
#include "tools/filter_bench/settings.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

// No filter has a key with such a number.
inline constexpr uint64_t kFirstAbsentKey = uint64_t{1} << 31;

class Key {
 public:
  // `number` is below 2^32.
  Slice Make(const Settings& settings, uint64_t filter, uint64_t number) {
    constexpr uint32_t kSizes = 5;
    // A draw is its seed, mixed: no two seeds have the same.
    const uint64_t id = bench::Random(filter << 32 | number).Next();
    size_t size = settings.key_size;
    if (settings.vary_key_size_log2_interval < 30) {
      size += (number >> settings.vary_key_size_log2_interval) % kSizes;
    }
    const size_t at = settings.vary_key_alignment ? number % sizeof id : 0;
    char* const begin = bytes_.data() + at;
    for (size_t i = 0; i < size; i += sizeof id) {
      std::memcpy(begin + i, &id, std::min(sizeof id, size - i));
    }
    return Slice(begin, size);
  }

 private:
  std::array<char, 1040> bytes_;
};

}  // namespace ROCKSDB_NAMESPACE::filter_bench
