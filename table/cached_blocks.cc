// BlockBasedTableReader: the blocks of a table file that nobody reads any more
// leave the block cache, where they would push out blocks of files that are
// read.
//
// Rule       Data blocks are sought in the order of the index, until as many in
//            a row as the caller says are not there; then partitions of the
//            index, and those of the filter, each by the same rule from its
//            beginning; last what is over them.
// Reads      None: what the index, or a partition of it, would tell is left
//            where it is, unless that is in memory.
// Secondary  What lies in a secondary cache alone stays there.
// Counters   None moves.
#include <cassert>

#include "table/block_based_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Lasts as long as the search finds something.
class MissBudget {
 public:
  explicit MissBudget(uint32_t most) : most_(most), left_(most) {
    INVARIANT(most > 0);
  }

  // False: the search ends.
  bool Note(bool was_there) {
    assert(left_ > 0);
    left_ = was_there ? most_ : left_ - 1;
    return left_ > 0;
  }

 private:
  const uint32_t most_;
  uint32_t left_;
};

// False: the search has ended.
bool EraseDataBlocks(const TableParts& parts, const IndexBlock& index,
                     MissBudget* budget) {
  assert(budget != nullptr);
  for (size_t i = 0; i < index.size(); ++i) {
    const uint64_t offset = index.handle(i).offset;
    if (!budget->Note(parts.cache.EraseFound(BlockKind::kData, offset))) {
      return false;
    }
  }
  return true;
}

// Those of every partition that is in memory.
void EraseSplitDataBlocks(const TableParts& parts, const IndexBlock& top,
                          uint32_t max_misses) {
  assert(parts.is_index_split());
  MissBudget budget(max_misses);
  bool goes_on = true;
  for (size_t i = 0; i < top.size() && goes_on; ++i) {
    const BlockRef<IndexBlock> partition =
        i < parts.index_partitions.size()
            ? BlockRef<IndexBlock>::Borrowed(parts.index_partitions[i].get())
            : parts.cache.Peek<IndexBlock>(top.handle(i).offset);
    goes_on = partition ? EraseDataBlocks(parts, *partition, &budget)
                        : budget.Note(false);
  }
}

void EraseIndexAndData(const TableParts& parts, uint32_t max_misses) {
  const uint64_t offset = parts.index_handle.offset;
  const BlockRef<IndexBlock> index =
      parts.index ? BlockRef<IndexBlock>::Borrowed(parts.index.get())
                  : parts.cache.Peek<IndexBlock>(offset);
  if (!index) return;
  if (!parts.is_index_split()) {
    MissBudget budget(max_misses);
    EraseDataBlocks(parts, *index, &budget);
  } else {
    EraseSplitDataBlocks(parts, *index, max_misses);
    MissBudget budget(max_misses);
    for (size_t i = 0; i < index->size(); ++i) {
      const uint64_t part = index->handle(i).offset;
      if (!budget.Note(parts.cache.EraseFound(BlockKind::kIndex, part))) break;
    }
  }
  if (parts.caches_metadata) {
    parts.cache.EraseFound(BlockKind::kIndex, offset);
  }
}

void EraseFilter(const TableParts& parts, uint32_t max_misses) {
  if (!parts.caches_metadata ||
      parts.filter_facts.kind == FilterFacts::Kind::kNone) {
    return;
  }
  const uint64_t offset = parts.filter_facts.handle.offset;
  if (parts.is_filter_split()) {
    const BlockRef<FilterBlock> top =
        parts.filter ? BlockRef<FilterBlock>::Borrowed(parts.filter.get())
                     : parts.cache.Peek<FilterBlock>(offset);
    const size_t count = top && top->is_split() ? top->partition_count() : 0;
    MissBudget budget(max_misses);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t part = top->PartitionAt(i).offset;
      assert(part < offset);  // Checked when the filter was read.
      if (!budget.Note(parts.cache.EraseFound(BlockKind::kFilter, part))) break;
    }
  }
  parts.cache.EraseFound(BlockKind::kFilter, offset);
}

}  // namespace

// A block in use goes when its last user lets go of it.
void BlockBasedTableReader::EraseCachedBlocks(uint32_t aggressiveness) const {
  INVARIANT(aggressiveness > 0);
  if (!parts_->cache.is_enabled()) return;
  EraseIndexAndData(*parts_, aggressiveness);
  EraseFilter(*parts_, aggressiveness);
}

}  // namespace ROCKSDB_NAMESPACE
