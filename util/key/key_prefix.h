// The first bytes of a key as a number: most comparisons of keys in bytewise
// order are decided by it, without a call and without touching the key.
//
// Threads  Pure function.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kKeyPrefixBytes = sizeof(uint64_t);

// The first bytes as a big-endian number of that size; a shorter key counts as
// if zeros followed. If the numbers of two keys differ, they order as the keys
// do; if they are equal, that says nothing.
template <std::unsigned_integral Word>
Word KeyPrefixAs(const char* data, size_t size) {
  Word word = 0;
  if (size >= sizeof(word)) {
    std::memcpy(&word, data, sizeof(word));
  } else {
    for (size_t i = 0; i < size; ++i) {
      reinterpret_cast<unsigned char*>(&word)[i] =
          static_cast<unsigned char>(data[i]);
    }
  }
  if constexpr (std::endian::native == std::endian::big) {
    return word;
  } else if constexpr (sizeof(word) == sizeof(uint32_t)) {
    return __builtin_bswap32(word);
  } else {
    static_assert(sizeof(word) == sizeof(uint64_t));
    return __builtin_bswap64(word);
  }
}

inline uint64_t KeyPrefix(const char* data, size_t size) {
  return KeyPrefixAs<uint64_t>(data, size);
}

}  // namespace ROCKSDB_NAMESPACE
