#pragma once

// How many bytes two byte strings have in common at their beginning.

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The length of the longest common prefix of a[0, n) and b[0, n).
inline size_t CommonPrefix(const char* a, const char* b, size_t n) {
  size_t i = 0;
  static_assert(sizeof(uint64_t) == 8);
  if constexpr (std::endian::native == std::endian::little) {
    for (; i + 8 <= n; i += 8) {
      uint64_t x;
      uint64_t y;
      memcpy(&x, a + i, 8);
      memcpy(&y, b + i, 8);
      if (x != y) {
        return i + static_cast<size_t>(std::countr_zero(x ^ y)) / 8;
      }
    }
  }
  while (i < n && a[i] == b[i]) ++i;
  assert(i <= n);
  return i;
}

}  // namespace ROCKSDB_NAMESPACE
