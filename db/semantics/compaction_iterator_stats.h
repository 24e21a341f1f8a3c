// What a flush or compaction read, and what became of it: records that it did
// not write again, by the reason.
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
  uint64_t dropped_by_filter = 0;  // the user, or trim_ts
  uint64_t single_delete_fallthrough = 0;
  uint64_t single_delete_mismatch = 0;
  uint64_t corrupt_keys = 0;
  // The filter jumped ahead: not all of the input was read.
  bool has_skipped = false;

  void Add(const CompactionIteratorStats& other) {
    records_in += other.records_in;
    deletions_in += other.deletions_in;
    dropped_hidden += other.dropped_hidden;
    dropped_obsolete += other.dropped_obsolete;
    dropped_by_range += other.dropped_by_range;
    dropped_by_filter += other.dropped_by_filter;
    single_delete_fallthrough += other.single_delete_fallthrough;
    single_delete_mismatch += other.single_delete_mismatch;
    corrupt_keys += other.corrupt_keys;
    has_skipped = has_skipped || other.has_skipped;
  }
};

}  // namespace ROCKSDB_NAMESPACE
