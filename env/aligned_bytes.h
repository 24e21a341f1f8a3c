// Memory that direct I/O can use.
//
// Threads  One at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// `size` bytes at a multiple of `alignment`, a power of two.
class AlignedBytes {
 public:
  AlignedBytes(size_t size, size_t alignment)
      : bytes_(static_cast<char*>(
            std::aligned_alloc(alignment, RoundUp(size, alignment)))) {
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  char* data() { return bytes_.get(); }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  static size_t RoundUp(size_t size, size_t unit) {
    return (std::max<size_t>(size, 1) + unit - 1) / unit * unit;
  }

  const std::unique_ptr<char, Free> bytes_;
};

}  // namespace ROCKSDB_NAMESPACE
