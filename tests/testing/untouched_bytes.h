// Addresses without memory: keys and values of any size, for calls that must
// refuse them before they look at a byte.
//
// Threads    Immutable.
// Ownership  Keeps the addresses until its end.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class UntouchedBytes {
 public:
  static constexpr size_t kFourGigabytes = size_t{1} << 32;

  UntouchedBytes() {
    void* const begin =
        mmap(nullptr, kBytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(begin, MAP_FAILED);
    if (begin != MAP_FAILED) begin_ = static_cast<const char*>(begin);
  }
  ~UntouchedBytes() {
    if (begin_ != nullptr) munmap(const_cast<char*>(begin_), kBytes);
  }
  UntouchedBytes(const UntouchedBytes&) = delete;
  UntouchedBytes& operator=(const UntouchedBytes&) = delete;

  // A read of it ends the process.
  Slice OfSize(size_t size) const {
    EXPECT_LE(size, kBytes);
    return Slice(begin_, size);
  }

 private:
  static constexpr size_t kBytes = kFourGigabytes + 4096;

  const char* begin_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
