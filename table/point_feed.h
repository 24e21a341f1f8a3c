#pragma once

// Feeds the versions of one key, as they lie in the data blocks of a table
// file, to its lookup.
//
// Threads    Any number.
// Errors     Corruption names file and offset.

#include "rocksdb/options.h"
#include "table/block_source.h"
#include "table/index_cursor.h"
#include "table/own_index.h"
#include "table/table_parts.h"

namespace ROCKSDB_NAMESPACE {

struct FilterCheck;
class PointLookup;

// Where the versions begin: at the block that `index` is at, and on from there.
struct FeedStart {
  const ReadOptions* read = nullptr;
  IndexCursor* index = nullptr;
  const FilterCheck* filter = nullptr;  // that let the key pass
};

// The same by an application's index.
struct OwnFeedStart {
  const ReadOptions* read = nullptr;
  OwnIndexCursor* index = nullptr;
  const FilterCheck* filter = nullptr;
};

// `first` is the block there, or empty: it is found then. What the lookup
// takes from a block that `first` only borrows is copied.
Status FeedFromBlocks(const TableParts& parts, const FeedStart& start,
                      BlockRef<Block> first, const Slice& internal_key,
                      PointLookup* lookup);
Status FeedByOwnIndex(const TableParts& parts, const OwnFeedStart& start,
                      const Slice& internal_key, PointLookup* lookup);

}  // namespace ROCKSDB_NAMESPACE
