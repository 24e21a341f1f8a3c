#pragma once

// All that an open block-based table file holds in memory, and how its index
// and filter come there.
//
// Threads    Immutable once OpenTable() has answered; any thread may read.
// Ownership  Owns everything; the block cache belongs to the table options.
// Errors     Corruption names file, offset and what was expected.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "table/block_cache_view.h"
#include "table/block_fetcher.h"
#include "table/block_ref.h"
#include "table/block_trace.h"
#include "table/filter/filter_block.h"
#include "table/heat/heat_map.h"
#include "table/index_block.h"
#include "table/metaindex.h"
#include "table/prefix_index.h"
#include "table/table_reader_options.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class PersistentBlocks;
class SliceTransform;
struct OwnIndex;

// Filters of a file: what they hold and where they are.
struct FilterFacts {
  enum class Kind : uint8_t { kNone, kFull, kPartitioned };
  Kind kind = Kind::kNone;
  BlockHandle handle;
  bool has_whole_keys = true;
  bool has_prefixes = false;
  std::string prefix_extractor;  // the one whose prefixes it holds
  // The same as an object, if the file was opened with it: spares comparing
  // names.
  std::shared_ptr<const SliceTransform> opened_with;
};

struct TableParts {
  TableFile file;
  std::shared_ptr<const BlockBasedTableOptions> options;
  InternalKeyComparator order;
  size_t timestamp_bytes = 0;
  // No entry or tombstone has an older timestamp; empty: not known.
  std::string oldest_timestamp;
  int level = -1;
  KeyText key_text = KeyText::kRedacted;

  Metaindex metaindex;
  std::shared_ptr<const TableProperties> properties;
  std::shared_ptr<const FragmentedTombstones> tombstones;
  std::shared_ptr<Decompressor> data_decompressor;
  std::shared_ptr<Decompressor> index_decompressor;  // without dictionary
  KeyRewrite rewrite;

  BlockHandle index_handle;
  IndexEncoding index_encoding;
  bool is_index_partitioned = false;
  FilterFacts filter_facts;
  Logger* logger = nullptr;  // may be null
  // Were users told that its filter is of no use?
  mutable std::atomic<bool> has_told_of_filter{false};
  // The application's own index of the file; null: it has none.
  std::shared_ptr<const OwnIndex> own_index;
  // The prefixes of the hash index, if it was made with the family's extractor;
  // else null.
  std::unique_ptr<const PrefixIndex> prefixes;

  BlockCacheView cache;
  std::shared_ptr<const PersistentBlocks> persistent;  // null: there is none
  BlockTrace trace;
  // True: index and filter are looked up in the block cache each time.
  bool caches_metadata = false;
  Cache::Priority metadata_priority = Cache::Priority::LOW;
  // What is held for as long as the file is open; empty references if it is
  // not. A file of level 0 may pin what the cache has.
  BlockRef<IndexBlock> index;
  BlockRef<FilterBlock> filter;
  // Partitions that are pinned, by number; else empty.
  std::vector<BlockRef<IndexBlock>> index_partitions;
  std::vector<BlockRef<FilterBlock>> filter_partitions;

  // Null: not counted.
  std::unique_ptr<HeatMap> heat;
  // A user reads the data block at `offset`.
  void NoteRead(uint64_t offset) const {
    if (heat != nullptr && offset < file.size) heat->Note(offset);
  }

  // Partitions that live in the block cache come and go one by one; else they
  // are put together when the file is opened.
  bool is_index_split() const {
    return is_index_partitioned && caches_metadata;
  }
  bool is_filter_split() const {
    return filter_facts.kind == FilterFacts::Kind::kPartitioned &&
           caches_metadata;
  }

  // The index, or what is over its partitions if it is split: held, cached, or
  // read. Incomplete if that needs a read that `read` forbids.
  Status FindIndex(const ReadOptions& read, BlockRef<IndexBlock>* result) const;
  Status FindIndexPartition(const ReadOptions& read, const IndexBlock& top,
                            size_t number, BlockRef<IndexBlock>* result) const;
  // The index in one piece, not through the cache if it is split.
  Status FindWholeIndex(const ReadOptions& read,
                        BlockRef<IndexBlock>* result) const;
  // The filter, or what is over its partitions if it is split; an empty
  // reference if the file has none, if it may not be read, or is damaged.
  Status FindFilter(const ReadOptions& read,
                    BlockRef<FilterBlock>* result) const;
  Status FindFilterPartition(const ReadOptions& read, const FilterBlock& top,
                             size_t number,
                             BlockRef<FilterBlock>* result) const;
  // OK if the table does without its filter, which costs time and no data: it
  // may not be read, or it is damaged, which the log tells once.
  Status PassOverFilter(const Status& why) const;

 private:
  // Finds it in the cache, or else loads it from the file with `load`.
  template <class T, class Load>
  Status FindCached(const ReadOptions& read, uint64_t offset, const Load& load,
                    BlockRef<T>* result) const;
  // Loads it from the file, and puts it in the cache if `read` allows that.
  template <class T, class Load>
  Status LoadMissing(const ReadOptions& read, uint64_t offset, const Load& load,
                     BlockRef<T>* result) const;
};

// Opens the file: footer, metaindex, properties, tombstones, dictionary, index,
// filter.
Status OpenTable(const TableReaderOptions& options,
                 std::shared_ptr<const BlockBasedTableOptions> table_options,
                 std::unique_ptr<RandomAccessFileReader> file,
                 uint64_t file_size, std::unique_ptr<TableParts>* result);

// Reads index or filter from the file: whole, with all partitions. A filter
// that is damaged is Corruption here.
Status LoadIndex(const TableParts& parts, const FetchOptions& fetch,
                 std::unique_ptr<IndexBlock>* result);
Status LoadFilter(const TableParts& parts, const FetchOptions& fetch,
                  std::unique_ptr<FilterBlock>* result);

}  // namespace ROCKSDB_NAMESPACE
