#pragma once

// Where the blocks of a table file go: one behind the other, data blocks
// aligned as the table's options say, with the metaindex that names the others,
// and the footer, at the end.
//
// Threads  One thread.
// Errors   The first one sticks.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/status.h"
#include "table/block_compressor.h"
#include "table/block_writer.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;
class SystemClock;
class WritableFileWriter;
struct BlockBasedTableOptions;

class BlockPlacer {
 public:
  // What is borrowed must outlive this.
  struct Context {
    const BlockBasedTableOptions* table = nullptr;
    WritableFileWriter* file = nullptr;
    Statistics* statistics = nullptr;  // may be null
    SystemClock* clock = nullptr;      // likewise
  };
  // `footer` has version, checksum type and base context checksum.
  BlockPlacer(const Context& context, const Footer& footer);

  Status WriteData(const BlockCompressor::Stored& stored, BlockHandle* handle);
  // Any other block.
  Status Write(const BlockCompressor::Stored& stored, BlockHandle* handle);
  // A value that blocks refer to.
  Status WriteBlob(const Slice& value, BlockHandle* handle);
  // A block as it is, named so.
  Status WriteNamed(const std::string& name, const Slice& payload);
  // Names a block that was written. No name comes twice.
  void Name(const std::string& name, const BlockHandle& handle);
  // Metaindex and footer. `index` is stored in versions before 6 only.
  Status Finish(const BlockHandle& index);

  // The size of the file as it is now.
  uint64_t offset() const { return writer_.offset(); }

 private:
  // Zeros in front of or behind a data block that is to be aligned.
  size_t PaddingBefore(size_t payload_bytes) const;
  size_t PaddingAfter() const;

  const Context context_;
  BlockWriter writer_;
  std::map<std::string, BlockHandle> metaindex_;
};

}  // namespace ROCKSDB_NAMESPACE
