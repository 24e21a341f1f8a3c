// One sorted stream over the files of a level >= 1: opens a file when the
// cursor enters it, and keeps at most one open at a time. With Prepare() the
// files of the ranges are opened ahead, as many as the plan has room for.
//
// Errors   A file that cannot be opened or read makes the iterator invalid
//          with that status; it is never skipped.
// Threads  One thread.
#pragma once

#include <cstddef>
#include <memory>

#include "db/tables/level_files.h"
#include "db/tables/table_cache.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

// The files, the table cache, the order, and what `table` points to but for
// its bulk policy (which is copied) must outlive the iterator.
struct LevelIteratorRequest {
  const LevelFiles* files = nullptr;
  TableCache* tables = nullptr;
  TableCache::IteratorRequest table;  // `file` is filled in for each file
  const InternalKeyComparator* order = nullptr;
  // Only the files [begin_index, end_index) of the level.
  size_t begin_index = 0;
  size_t end_index = SIZE_MAX;
};

std::unique_ptr<InternalIterator> NewLevelIterator(
    const LevelIteratorRequest& request);

}  // namespace ROCKSDB_NAMESPACE
