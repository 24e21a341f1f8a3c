#pragma once

// Where a table iterator's data blocks come from: the block cache and the
// shared file (CachedBlocks), or a stream of the iterator's own
// (StreamedBlocks). TableIterator is compiled for each, so that no call on the
// way of a key is virtual.
//
// Threads    One thread.
// Ownership  Each holds the block that it loaded last, until the next.

#include <memory>

#include "file/input_stream.h"
#include "file/prefetch_buffer.h"
#include "rocksdb/cleanable.h"
#include "rocksdb/options.h"
#include "table/block.h"
#include "table/block_cursor.h"
#include "table/block_ref.h"
#include "table/table_parts.h"

namespace ROCKSDB_NAMESPACE {

class IndexCursor;
class ReadScopedBlockBufferProvider;
class ScanJob;
struct ScanPart;
struct WholeBlock;

// The data block at `handle`: cached, else read. Incomplete if `read` allows
// the cache alone.
struct DataBlockRequest {
  const ReadOptions* read = nullptr;
  BlockHandle handle;
  PrefetchBuffer* prefetch = nullptr;
  // The form that a block read from the file has there; null: it was not read
  // from there, or no cache wants the form.
  const StoredForm* stored = nullptr;
  // Gives the memory of the block, which is then sought and kept in no block
  // cache; null: the engine does.
  ReadScopedBlockBufferProvider* lender = nullptr;
};
Status FindDataBlock(const TableParts& parts, const DataBlockRequest& request,
                     BlockRef<Block>* result);

// Makes a block of bytes that were read: into the cache, where `request` wants
// it there.
Status KeepDataBlock(const TableParts& parts, const DataBlockRequest& request,
                     BlockBytes bytes, BlockRef<Block>* result);

// The entry that `cursor` is on, in `block`, is used.
void CountUse(const TableParts& parts, const Block& block,
              const BlockCursor& cursor);

class CachedBlocks {
 public:
  CachedBlocks(const TableParts& parts, const ReadOptions& read,
               Cleanable* pins);
  ~CachedBlocks();

  Status Load(const BlockHandle& handle, const BlockLayout** layout);
  void Clear() { LetGo(); }
  // Other blocks are not wanted.
  void SetReadaheadRange(uint64_t begin, uint64_t end) {
    readahead_begin_ = begin;
    readahead_limit_ = end;
    if (prefetch_ != nullptr) prefetch_->SetRange(begin, end);
  }
  ReadaheadProgress readahead_progress() const;
  void ResumeReadahead(const ReadaheadProgress& progress) {
    if (progress.sequential_reads > 0) Prefetch()->Resume(progress);
  }
  // Fetches the blocks of those ranges ahead. `index` is used to find them.
  void Prepare(const ScanPart& part, IndexCursor* index);
  // Keys and values in a block stay good as long as the iterator.
  bool PinsBlocks() const { return pins_blocks_; }
  bool GetWholeBlock(const BlockCursor&, WholeBlock*) const { return false; }
  // The entry of the loaded block that `cursor` is on is used.
  void NoteUse(const BlockCursor& cursor) const {
    if (tracks_reads_) [[unlikely]]
      CountUse(parts_, *block_, cursor);
  }

 private:
  void LetGo();
  // Once for each 64 KiB that a scan comes through.
  void NoteRead(const BlockHandle& handle) {
    if (parts_.heat == nullptr) return;
    // What a seek loads first is new, wherever cells begin: most often nothing
    // of the map is touched then.
    if (noted_ != UINT64_MAX &&
        noted_ / HeatMap::kCellBytes == handle.offset / HeatMap::kCellBytes) {
      return;
    }
    noted_ = handle.offset;
    parts_.NoteRead(handle.offset);
  }
  PrefetchBuffer* Prefetch();
  // For the block that is loaded next; null: it is read by itself.
  PrefetchBuffer* PrefetchForNext();
  PrefetchOptions ReadaheadOptions() const;

  const TableParts& parts_;
  const ReadOptions& read_;
  Cleanable* const pins_;  // the iterator
  const bool pins_blocks_;
  const bool tracks_reads_;
  ReadScopedBlockBufferProvider* const lender_;  // null: none
  uint64_t readahead_begin_ = 0;
  uint64_t readahead_limit_ = UINT64_MAX;
  // Where the last block is that was counted; UINT64_MAX: none yet.
  uint64_t noted_ = UINT64_MAX;
  BlockRef<Block> block_;
  // Many iterators load one block of a file: the buffer comes with the second,
  // unless the first one is to be read ahead of, too.
  BlockHandle first_;  // without it; of size 0 before
  // What was told to the dispatcher of a scan; null: nothing.
  std::unique_ptr<ScanJob> job_;
  std::unique_ptr<PrefetchBuffer> prefetch_;
};

class StreamedBlocks {
 public:
  StreamedBlocks(const TableParts& parts, const ReadOptions& read,
                 std::unique_ptr<InputStream> data)
      : parts_(parts),
        verifies_(read.verify_checksums),
        data_(std::move(data)) {}

  Status Load(const BlockHandle& handle, const BlockLayout** layout);
  void Clear() {}
  void SetReadaheadRange(uint64_t, uint64_t) {}  // SetRange() has said it.
  ReadaheadProgress readahead_progress() const { return {}; }
  void ResumeReadahead(const ReadaheadProgress&) {}
  void Prepare(const ScanPart&, IndexCursor*) {}  // A stream is ahead.
  bool PinsBlocks() const { return false; }
  bool GetWholeBlock(const BlockCursor& cursor, WholeBlock* block) const;
  void NoteUse(const BlockCursor&) const {}  // Not what users read.

 private:
  const TableParts& parts_;
  const bool verifies_;
  const std::unique_ptr<InputStream> data_;
  // The block that was loaded last.
  Slice stored_;  // without its trailer
  CompressionType type_ = kNoCompression;
  Slice raw_;
  BlockMemory expanded_;
  BlockLayout layout_;
};

}  // namespace ROCKSDB_NAMESPACE
