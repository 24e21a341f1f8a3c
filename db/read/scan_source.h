// What a scan walks over: all sources of a super version as one sorted stream.
//
// Where a range tombstone covers the entries of an older run (a deeper level,
// an older file of level 0, a memtable sealed before), the stream steps over
// them a few times, and then goes to the tombstone's end at once. Entries that
// a tombstone of their own run covers are in the stream.
//
// Threads   One thread.
// Lifetime  Options and super version must outlive the stream.
// Errors    Of any source and of any tombstones: the stream ends with it.
#pragma once

#include <cstddef>
#include <memory>

#include "db/family/super_version.h"
#include "rocksdb/options.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

struct ScanSourceRequest {
  const ReadOptions* options = nullptr;
  const SuperVersion* state = nullptr;
  // Tombstones newer than that cover nothing.
  SequenceNumber snapshot = kMaxSequenceNumber;
  // False: there are none to look for.
  bool has_tombstones = true;
};
struct ScanSource {
  std::unique_ptr<InternalIterator> entries;
  // So many runs are sought in by each seek, and merged; 0: there is one run,
  // and no tombstones.
  size_t merged_runs = 0;
};
Status NewScanSource(const ScanSourceRequest& request, ScanSource* result);

}  // namespace ROCKSDB_NAMESPACE
