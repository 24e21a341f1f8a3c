#pragma once

// Reads a block of a table file: from the file or a read-ahead buffer, checks
// its trailer, expands it.
//
// Threads    Any number.
// Errors     Corruption names file, offset, and what was expected and found.
//            Nothing is allocated for a handle that reaches out of the file.

#include <cstdint>
#include <memory>
#include <string>

#include "file/random_access_file_reader.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "table/block.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

class FileSystem;
class PrefetchBuffer;
class ReadScopedBlockBufferProvider;
class Statistics;
class SystemClock;

// An open table file, as far as reading blocks goes.
struct TableFile {
  std::unique_ptr<RandomAccessFileReader> reader;
  uint64_t size = 0;
  Footer footer;
  Statistics* statistics = nullptr;
  SystemClock* clock = nullptr;
  FileSystem* fs = nullptr;
  bool is_mapped = false;  // reads may answer with memory of the file

  const std::string& name() const { return reader->file_name(); }
  Status Corrupt(uint64_t offset, const std::string& what) const {
    return CorruptTable(name(), offset, what);
  }
};

// How a block is fetched.
struct FetchOptions {
  const ReadOptions* read = nullptr;
  Decompressor* decompressor = nullptr;  // null: stored as it is
  PrefetchBuffer* prefetch = nullptr;
  // Gets the form of a compressed block, good until the next fetch through
  // `prefetch`. Null: nobody wants it.
  StoredForm* stored = nullptr;
};

// The block at `handle`, expanded.
Status FetchBlock(const TableFile& file, const BlockHandle& handle,
                  const FetchOptions& options, BlockBytes* result);

// The same, by way of `blocks`, a cache between the block cache and the file.
class PersistentBlocks;
Status FetchThrough(const PersistentBlocks& blocks, const TableFile& file,
                    const BlockHandle& handle, const FetchOptions& options,
                    BlockBytes* result);

// The provider that iterators under `read` take the memory for blocks of `file`
// from; null: there is none, or the file is mapped, and its blocks stay where
// they are.
ReadScopedBlockBufferProvider* BlockLenderOf(const ReadOptions& read,
                                             const TableFile& file);

// A data block, expanded.
struct FetchedBlock {
  const BlockHandle& handle;
  const BlockBytes& bytes;
};
// The same in memory that `lender` lends.
Status LendBlock(const TableFile& file, const FetchedBlock& block,
                 ReadScopedBlockBufferProvider* lender,
                 std::unique_ptr<Block>* result);

// Payload and trailer as they are in the file, not checked.
Status FetchStored(const TableFile& file, const BlockHandle& handle,
                   const FetchOptions& options, BlockBytes* result);

// Corruption unless payload and trailer fit before the footer.
Status CheckHandle(const TableFile& file, const BlockHandle& handle);

// Compares the checksum in the trailer behind the payload at `bytes`.
Status CheckTrailer(const TableFile& file, const BlockHandle& handle,
                    const char* bytes);

// A block as it lies in the file, in memory.
struct StoredBlock {
  const TableFile& file;
  const BlockHandle& handle;
  const char* bytes;  // payload and trailer

  CompressionType type() const {
    return static_cast<CompressionType>(
        static_cast<uint8_t>(bytes[handle.size]));
  }
};

// The block at `block.bytes`, checked and expanded or copied.
Status TakeStored(const StoredBlock& block, const FetchOptions& options,
                  BlockBytes* result);

// The block in `stored`, payload and trailer alone, checked and expanded or
// kept.
Status AdoptStored(const TableFile& file, const BlockHandle& handle,
                   const FetchOptions& options, BlockBytes stored,
                   BlockBytes* result);

// Expands `block` into `buffer`, which grows at need and is reused;
// uncompressed blocks are not copied. The result is in one of both.
Status ExpandBlock(const StoredBlock& block, Decompressor* decompressor,
                   BlockMemory* buffer, Slice* result);

// What the file system is told about reads under `options`. TimedOut if their
// deadline has passed.
Status IoOptionsOf(const ReadOptions& options, SystemClock* clock,
                   IOOptions* result);

}  // namespace ROCKSDB_NAMESPACE
