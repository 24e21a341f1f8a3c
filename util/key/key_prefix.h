// The first bytes of a key as a number: most comparisons of keys in bytewise
// order are decided by it, without a call and without touching the key.
//
// Threads  Pure function.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kKeyPrefixBytes = sizeof(uint64_t);

// The first eight bytes as a big-endian number; a shorter key counts as if
// zeros followed. If the numbers of two keys differ, they order as the keys
// do; if they are equal, that says nothing.
inline uint64_t KeyPrefix(const char* data, size_t size) {
  uint64_t word = 0;
  if (size >= kKeyPrefixBytes) {
    std::memcpy(&word, data, kKeyPrefixBytes);
  } else {
    for (size_t i = 0; i < size; ++i) {
      reinterpret_cast<unsigned char*>(&word)[i] =
          static_cast<unsigned char>(data[i]);
    }
  }
  if constexpr (std::endian::native == std::endian::little) {
    word = __builtin_bswap64(word);
  }
  return word;
}

}  // namespace ROCKSDB_NAMESPACE
