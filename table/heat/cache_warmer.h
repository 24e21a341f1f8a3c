#pragma once

// Puts the blocks of a new table file into the block cache while they are
// written (prepopulate_block_cache), so that the first reads find them.
//
// What the file's first opening brings into the cache anyway (an index or a
// filter in one piece, the top level over partitions) is left to it.
//
// A file that does not come to be leaves blocks that nobody asks for: its
// number is never used again.
//
// Threads    One thread.
// Ownership  Shares the cache. Borrows the filter policy, which the table
//            options share.
// Errors     None: without room in the cache a block is read from the file.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"
#include "table/block_cache_view.h"
#include "table/filter/filter_block.h"
#include "table/index_block.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class FilterPolicy;
struct BlockBasedTableOptions;
struct TableBuilderOptions;

class CacheWarmer {
 public:
  // Does nothing, unless the table options want files of this kind warm.
  CacheWarmer(const BlockBasedTableOptions& table,
              const TableBuilderOptions& options);
  CacheWarmer(const CacheWarmer&) = delete;
  CacheWarmer& operator=(const CacheWarmer&) = delete;

  bool is_enabled() const { return view_.is_enabled(); }
  // Would readers look for partitions in the cache?
  bool wants_partitions() const { return wants_partitions_; }

  // A data block, as it is before compression.
  void AddData(uint64_t offset, const Slice& raw);
  // Partitions, then what is over them; the latter is left out.
  void AddIndexPart(uint64_t offset, const Slice& raw,
                    const IndexEncoding& encoding);
  void AddFilterPart(uint64_t offset, const Slice& raw);
  void EndIndex(const InternalKeyComparator& order);
  void EndFilter();

 private:
  const InternalKeyComparator order_;
  BlockCacheView view_;
  bool wants_partitions_ = false;
  Cache::Priority data_priority_ = Cache::Priority::LOW;
  Cache::Priority metadata_priority_ = Cache::Priority::LOW;
  const FilterPolicy* policy_ = nullptr;  // may stay null
  std::vector<std::pair<uint64_t, std::unique_ptr<IndexBlock>>> index_parts_;
  std::vector<std::pair<uint64_t, BlockBytes>> filter_parts_;
};

}  // namespace ROCKSDB_NAMESPACE
