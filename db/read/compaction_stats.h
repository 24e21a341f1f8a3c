// What a merge of a compaction's inputs has seen and dropped.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct CompactionIteratorStats {
  uint64_t records_in = 0;
  uint64_t deletions_in = 0;
  uint64_t dropped_hidden = 0;     // a newer version of the stripe
  uint64_t dropped_obsolete = 0;   // a tombstone with nothing below
  uint64_t dropped_by_range = 0;   // a range tombstone
  uint64_t dropped_by_filter = 0;  // the user
  uint64_t single_delete_fallthrough = 0;
  uint64_t single_delete_mismatch = 0;
  uint64_t corrupt_keys = 0;
  // The filter jumped ahead: not all of the input was read.
  bool has_skipped = false;

  void Add(const CompactionIteratorStats& other);
};

}  // namespace ROCKSDB_NAMESPACE
