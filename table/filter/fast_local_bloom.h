#pragma once

// The Bloom filter of format_version 5 and later.
//
// All probes of a key fall into one line of 64 bytes, so that a lookup costs
// one cache miss.
//
//   data       64-byte lines
//   metadata   ff 00 <probes> 00 00
//
// Threads  A builder is used by one thread, a reader by any number.

#include <cstdint>
#include <memory>
#include <vector>

#include "table/filter/filter_bits.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kBloomLineBytes = 64;
static_assert(kBloomLineBytes * 8 == 1 << 9);  // a probe is nine bits

// The number of probes for so many thousandths of a bit for each key.
int BloomProbes(uint64_t millibits_per_key);
// The bytes of lines for `count` keys, a multiple of the line size.
size_t BloomBytes(size_t count, uint64_t millibits_per_key);
// The keys that lines, of which a payload of `bytes` has room for, are made
// for; at least one line.
size_t BloomCapacity(size_t bytes, uint64_t millibits_per_key);

inline uint32_t BloomLine(uint64_t hash, size_t bytes) {
  return FastRange32(static_cast<uint32_t>(hash),
                     static_cast<uint32_t>(bytes / kBloomLineBytes));
}

inline void BloomSet(uint32_t hash, int probes, char* line) {
  for (int i = 0; i < probes; ++i, hash *= 0x9e3779b9u) {
    const uint32_t bit = hash >> 23;
    line[bit >> 3] |= static_cast<char>(1 << (bit & 7));
  }
}

inline bool BloomTest(uint32_t hash, int probes, const char* line) {
  for (int i = 0; i < probes; ++i, hash *= 0x9e3779b9u) {
    const uint32_t bit = hash >> 23;
    if ((line[bit >> 3] & (1 << (bit & 7))) == 0) return false;
  }
  return true;
}

// With `fits_allocation`, lines are added as far as the memory that the
// allocator hands out has room for them anyway.
struct BloomShape {
  uint64_t millibits_per_key = 0;
  bool fits_allocation = false;
};
std::unique_ptr<FilterBitsBuilder> NewFastLocalBloomBuilder(
    const BloomShape& shape);

// The payload of a filter over these hashes; `*buffer` owns it.
Slice MakeBloom(const std::vector<uint64_t>& hashes, const BloomShape& shape,
                std::unique_ptr<char[]>* buffer);
// Does such a payload match every hash?
bool BloomMatchesAll(const Slice& payload, const std::vector<uint64_t>& hashes);

// nullptr if the metadata is not that of such a filter.
std::unique_ptr<FilterBitsReader> NewFastLocalBloomReader(const Slice& payload);

}  // namespace ROCKSDB_NAMESPACE
