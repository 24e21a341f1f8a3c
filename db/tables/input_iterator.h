// One sorted stream over the inputs of a compaction: an iterator for each
// level-0 file, a LevelIterator for each deeper level, under a merge.
//
// Direct reads  `bulk.open_ephemeral_reader` sends every input through a
//               private handle (architecture.md, "Direct compaction reads").
// Errors        If any input cannot be opened, nothing stays open.
// Ownership     The request itself may go; what its pointers name, and the
//               files, must outlive the result.
// Threads       One thread for the result.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "db/tables/level_files.h"
#include "db/tables/table_cache.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

struct CompactionInputLevel {
  int level = 0;
  std::vector<FileRef> files;  // level 0: newest first; else sorted
  LevelFiles sorted;           // level >= 1: the same files
};

struct InputIteratorRequest {
  const std::vector<CompactionInputLevel>* inputs = nullptr;
  TableCache* tables = nullptr;
  const MutableCFOptions* mutable_cf = nullptr;
  const InternalKeyComparator* order = nullptr;
  const ReadOptions* read_options = nullptr;
  BulkReadPolicy bulk;
  // Files wholly outside [begin, end) in user keys are not opened.
  std::optional<Slice> begin;
  std::optional<Slice> end;
};

Status MakeInputIterator(const InputIteratorRequest& request,
                         std::unique_ptr<InternalIterator>* result);

// The policy that the options and the file system's answer call for: the
// bypass is on exactly when compaction is to read directly or uncached,
// use_direct_reads is off, and the file system's options for compaction reads
// really say the one or the other.
BulkReadPolicy CompactionReadPolicy(const ImmutableDBOptions& db,
                                    const MutableDBOptions& mutable_db,
                                    const FileOptions& user_options);

}  // namespace ROCKSDB_NAMESPACE
