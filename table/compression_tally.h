#pragma once

// What statistics hear of the compression of a table file's blocks.
//
// Threads  Any.

#include <cstddef>
#include <cstdint>

#include "table/block_compressor.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;

// Counts a block of `raw_size` bytes that is stored so. `statistics` may be
// null, here and below.
void CountCompression(Statistics* statistics, size_t raw_size,
                      const BlockCompressor::Stored& stored);

// Tells the nanoseconds of its scope, in which a block is compressed.
class CompressionWatch {
 public:
  CompressionWatch(const BlockCompressor& compressor, Statistics* statistics);
  ~CompressionWatch();
  CompressionWatch(const CompressionWatch&) = delete;
  CompressionWatch& operator=(const CompressionWatch&) = delete;

 private:
  Statistics* const statistics_;
  uint64_t start_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
