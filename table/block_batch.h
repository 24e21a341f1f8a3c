#pragma once

// A lookup of several keys in one block-based table file: filters first, then
// the index, then all missing blocks in one go, then the keys.
//
// Memory     Holds the blocks of all its keys at once: callers keep batches
//            small.
// Threads    One thread.
// Ownership  Borrows the open table and the lookups.
// Errors     In each lookup: what spoils one block spoils its keys alone.

#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "file/async_file_read.h"
#include "table/index_cursor.h"
#include "table/table_filter.h"
#include "table/table_parts.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

class BlockBatch final : public TableBatch {
 public:
  // Probes the filter and the block cache.
  BlockBatch(const TableParts& parts, const TableBatchOptions& options,
             TableLookup* lookups, size_t count);

  void Start() override;
  bool ReadsFile() const override {
    assert(missing_count_ <= blocks_.size());
    return missing_count_ > 0;
  }
  void Finish() override;

 private:
  struct WantedBlock {
    BlockHandle handle;
    BlockRef<Block> block;  // empty: not in memory
    Status status;
    size_t span = 0;
    // How many keys begin their search in it.
    size_t key_count = 0;
    bool was_cached = false;
  };
  struct WantedKey {
    TableLookup* lookup = nullptr;
    IndexCursor::Position position;
    size_t block = 0;
  };
  // Bytes to read at once: missing blocks that follow each other.
  struct Span {
    uint64_t begin = 0;
    uint64_t end = 0;
    size_t block_count = 0;
    // Memory that the block keeps, if it is alone in the span and reads need no
    // alignment; else empty, and `buffer` is a part of memory_.
    BlockMemory own;
    char* buffer = nullptr;
    Slice bytes;
    Status status;
    size_t size() const { return static_cast<size_t>(end - begin); }
  };

  void ProbeFilter(TableLookup* lookups, size_t count);
  void FindBlocks();
  void FetchIndex(size_t begin);
  void WantBlock(TableLookup* lookup);
  // In a cache between the block cache and the file.
  bool FindPersistent(WantedBlock* wanted);
  void MakeSpans();
  void GiveBuffers(size_t unit);
  void StartAsync(const IOOptions& io);
  void ReadSpans(const IOOptions& io);
  void TakeAsync();
  void TakeBlocks();
  Status TakeBlock(WantedBlock* wanted);
  // Runs `step` on behalf of this lookup, for a trace.
  template <class Step>
  void Tell(const Step& step);
  void TraceBlocks() const;
  void FeedKeys();

  const TableParts& parts_;
  const ReadOptions& read_;
  const FilterCheck filter_;
  IndexCursor index_;
  const PointLookup* lookup_ = nullptr;  // one of them; null: there is none
  std::vector<TableLookup*> left_;       // what the filter lets pass
  std::vector<WantedKey> keys_;
  std::vector<WantedBlock> blocks_;  // ascending
  size_t missing_count_ = 0;
  std::vector<Span> spans_;
  AlignedBuffer memory_;
  AlignedBuffer direct_memory_;
  std::unique_ptr<AsyncFileRead[]> in_flight_;  // one for each span
  Status io_status_;
};

}  // namespace ROCKSDB_NAMESPACE
