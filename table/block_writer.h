#pragma once

// Appends blocks with their trailers to a table file, and the footer.
//
// Threads    One thread.
// Errors     The first failed append sticks.

#include <cstdint>
#include <string>

#include "rocksdb/compression_type.h"
#include "rocksdb/status.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

class WritableFileWriter;

class BlockWriter {
 public:
  // `footer` has version, checksum type and base context checksum. Blocks
  // begin at offset 0 of what this writer has written.
  BlockWriter(WritableFileWriter* file, const Footer& footer)
      : file_(file), footer_(footer) {}

  Status WriteBlock(const Slice& payload, CompressionType type,
                    BlockHandle* handle);
  // Zeros, which no handle covers.
  Status Pad(size_t bytes);
  // `index` is stored in versions before 6 only.
  Status WriteFooter(const BlockHandle& metaindex, const BlockHandle& index);

  uint64_t offset() const { return offset_; }
  const Footer& footer() const { return footer_; }

 private:
  Status Append(const Slice& bytes);

  WritableFileWriter* const file_;
  Footer footer_;
  uint64_t offset_ = 0;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
