// The bytes of a file, in memory.
//
// Threads  Built by one thread; then read by any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class FreshImage {
 public:
  static constexpr size_t kChunkBytes = 256 << 10;

  void Append(const Slice& data);
  uint64_t size() const { return size_; }
  // Like a read of the file: the result is shorter than `n` at its end.
  Slice Read(uint64_t offset, size_t n, char* scratch) const;

 private:
  std::vector<std::unique_ptr<char[]>> chunks_;
  uint64_t size_ = 0;
};

// A file that reads from an image.
std::unique_ptr<FSRandomAccessFile> NewFreshFile(
    std::shared_ptr<const FreshImage> image);

}  // namespace ROCKSDB_NAMESPACE
