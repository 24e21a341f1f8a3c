#pragma once

// The filter of a table file in memory: in one piece, or in partitions with an
// index over them.
//
// Threads    Immutable once loaded.
// Ownership  Owns the bytes that its readers look at.

#include <cassert>
#include <memory>
#include <optional>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block.h"
#include "table/filter/filter_bits.h"
#include "table/index_block.h"

namespace ROCKSDB_NAMESPACE {

class FilterBlock {
 public:
  // In one piece.
  FilterBlock(BlockBytes bytes, std::unique_ptr<FilterBitsReader> reader);
  // In partitions, one for each entry of `index`: held by this, see
  // AddPartition(), or apart from it, each a filter in one piece.
  enum class Partitions { kHeld, kApart };
  FilterBlock(IndexBlock index, Partitions partitions)
      : index_(std::move(index)), is_split_(partitions == Partitions::kApart) {}
  FilterBlock(const FilterBlock&) = delete;
  FilterBlock& operator=(const FilterBlock&) = delete;

  void AddPartition(BlockBytes bytes, std::unique_ptr<FilterBitsReader> reader);

  // False: nothing was added as `entry` (a user key without timestamp, or its
  // prefix) around `internal_key`, which says where to look.
  bool MayMatch(const InternalKeyComparator& order, const Slice& entry,
                const Slice& internal_key) const;

  // Ahead of MayMatch(): brings nearer what it reads, of a filter in one piece.
  void Prefetch(const Slice& entry) const {
    if (is_one_piece()) parts_[0].reader->Prefetch(entry);
  }

  // The partitions are apart: PartitionFor() says which to ask.
  bool is_split() const { return is_split_; }
  // False: nothing was added at all.
  bool PartitionFor(const InternalKeyComparator& order,
                    const Slice& internal_key, size_t* number) const;
  size_t partition_count() const { return index_->size(); }
  const BlockHandle& PartitionAt(size_t number) const {
    return index_->handle(number);
  }

  // Not in partitions; piece() is then the filter's bytes.
  bool is_one_piece() const {
    return !index_.has_value() && parts_.size() == 1;
  }
  const Slice& piece() const {
    assert(is_one_piece());
    return parts_[0].bytes.data();
  }

  size_t memory_bytes() const;

 private:
  struct Part {
    BlockBytes bytes;
    std::unique_ptr<FilterBitsReader> reader;
  };

  std::optional<IndexBlock> index_;
  bool is_split_ = false;
  std::vector<Part> parts_;
};

}  // namespace ROCKSDB_NAMESPACE
