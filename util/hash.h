#pragma once

// The hash functions of the file formats. Their results are on disk, so they
// never change.
//
// Threads  Any.

#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// 32 bits; legacy Bloom filters (seed kLegacyBloomSeed) and the hash index of
// data blocks (seed kDataBlockHashSeed).
uint32_t Hash32(const char* data, size_t n, uint32_t seed);

inline constexpr uint32_t kLegacyBloomSeed = 0xbc9f1d34U;
inline constexpr uint32_t kDataBlockHashSeed = 397;

// 64 bits; Bloom (format_version 5 on) and Ribbon filters. It is the XXH3 of
// xxHash 0.7.2, which no later library computes.
uint64_t FilterHash64(const Slice& key);

// 64 bits, the final XXH3: checksums, and hashing inside the process.
uint64_t Hash64(const char* data, size_t n);
uint64_t Hash64(const char* data, size_t n, uint64_t seed);
inline uint64_t Hash64(const Slice& s) { return Hash64(s.data(), s.size()); }

// Maps a hash to [0, range) with a multiplication.
inline uint32_t FastRange32(uint32_t hash, uint32_t range) {
  return static_cast<uint32_t>((uint64_t{hash} * range) >> 32);
}
inline uint64_t FastRange64(uint64_t hash, uint64_t range) {
  using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide{hash} * range) >> 64);
}

}  // namespace ROCKSDB_NAMESPACE
