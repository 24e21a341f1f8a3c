#pragma once

// A position in the index of a table file: in the one flat index, or in one
// partition after another, each of which is in memory only while it is used
// (or as long as the block cache keeps it).
//
// Threads    One thread.
// Ownership  Borrows the open table and the read options. Holds the index, and
//            the partition that it is in.
// Errors     A call that fails leaves the cursor not valid.

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "table/block_ref.h"
#include "table/index_block.h"
#include "table/table_parts.h"

namespace ROCKSDB_NAMESPACE {

struct ScanPart;

class IndexCursor {
 public:
  // Where an entry is; later entries compare greater.
  struct Position {
    size_t partition = 0;
    size_t entry = 0;
    auto operator<=>(const Position&) const = default;
  };

  IndexCursor(const TableParts& parts, const ReadOptions& read)
      : parts_(parts), read_(read) {}
  // Over the whole index, which the caller has in one piece.
  IndexCursor(const TableParts& parts, const ReadOptions& read,
              BlockRef<IndexBlock> whole)
      : parts_(parts), read_(read), top_(std::move(whole)) {
    block_ = top_.get();
    position_.entry = block_->size();
  }

  // Finds the index; before anything else, and once.
  Status Open();

  bool Valid() const {
    return block_ != nullptr && position_.entry < block_->size();
  }
  const BlockHandle& handle() const {
    assert(Valid());
    return block_->handle(position_.entry);
  }
  Slice user_key() const {
    assert(Valid());
    return block_->user_key(position_.entry);
  }
  // Empty if the index does not tell.
  Slice first_key() const {
    assert(Valid());
    return block_->first_key(position_.entry);
  }
  // Are all keys from this block on behind the stored key `user_key`? Only
  // indexes with first keys can tell.
  bool BeginsBehind(const Slice& user_key) const {
    const Slice first = first_key();
    return !first.empty() &&
           parts_.order.CompareUserKeys(ExtractUserKey(first), user_key) > 0;
  }
  Position position() const { return position_; }

  // To the first entry whose block may hold keys at or after `target`.
  Status Seek(const Slice& target) {
    if (!is_split_) [[likely]] {
      position_.entry = block_->Seek(parts_.order, target);
      return Status::OK();
    }
    return SeekInPartitions(target);
  }
  // IndexBlock::Fetch(), before a Seek() to each of them.
  void Fetch(const Slice* targets, size_t count) const {
    if (!is_split_) block_->Fetch(targets, count);
  }
  Status SeekToFirst();
  Status SeekToLast();
  Status Next() {
    assert(Valid());
    if (++position_.entry < block_->size() || !is_split_) [[likely]]
      return Status::OK();
    return ToNextPartition();
  }
  Status Prev() {
    assert(Valid());
    if (position_.entry > 0) [[likely]] {
      --position_.entry;
      return Status::OK();
    }
    return ToPartitionBefore();
  }
  // Back to where the cursor was.
  Status MoveTo(const Position& position);

  // The bytes of data blocks with keys in [lower, upper), as users give them;
  // null = no bound. More than needed where a partition cannot be read.
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  Range DataRange(const Slice* lower, const Slice* upper) const;
  // What finds the blocks of such a part: this.
  IndexCursor* ForScan(const ScanPart& /*part*/) { return this; }

 private:
  void Leave() {
    part_.Reset();
    block_ = nullptr;
  }
  Status Load(size_t partition);
  Status SeekInPartitions(const Slice& target);
  Status ToNextPartition();
  Status ToPartitionBefore();

  const TableParts& parts_;
  const ReadOptions& read_;
  BlockRef<IndexBlock> top_;   // the whole index, or the one over partitions
  BlockRef<IndexBlock> part_;  // only if split
  const IndexBlock* block_ = nullptr;  // the one of data blocks
  bool is_split_ = false;
  Position position_;
};

}  // namespace ROCKSDB_NAMESPACE
