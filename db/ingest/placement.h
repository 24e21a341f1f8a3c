// Where files that are ingested go: a level each, and a sequence number.
//
// A file goes as deep as it can without hiding newer data or being hidden by
// older ones: above every level that holds keys between its own, into one whose
// files it does not overlap, and not where a running compaction is about to
// write. Data of the file are newer than all
// that is there; only with `is_behind` they are older than all of it.
//
// Threads  Pure: reads the version and asks `is_busy`. Under the DB mutex.
// Errors   InvalidArgument names what the options forbid; TryAgain where
//          fail_if_not_bottommost_level is not met.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "db/version/version_storage.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// User keys, both ends inclusive.
struct KeySpan {
  Slice begin;
  Slice end;
};

struct PlacementRequest {
  const VersionStorage* storage = nullptr;
  // In the order in which they were given: where they overlap, later ones win.
  std::vector<KeySpan> files;
  const IngestExternalFileOptions* options = nullptr;
  // Does `level` hold keys within files[index]? Asked only where the ranges of
  // its files say that it may.
  std::function<bool(int level, size_t index)> holds_keys;
  // Will a running compaction write into `level` within the span?
  std::function<bool(int level, const KeySpan& span)> is_busy;
  // Files are kept apart for ingestion behind: the last level is theirs.
  bool reserves_last_level = false;
  // FIFO: all files are in level 0.
  bool only_level0 = false;
  bool has_snapshots = false;
  SequenceNumber last_sequence = 0;
};

struct Placement {
  int level = 0;
  // The sequence that all entries of the file get; 0: they need none.
  SequenceNumber sequence = 0;
};

// (*result)[i] is where files[i] goes.
Status PlaceFiles(const PlacementRequest& request,
                  std::vector<Placement>* result);

// May a file be given a number of its own?
Status CheckNumberAllowed(const IngestExternalFileOptions& options);

// Do any two of them share a key?
bool AnyOverlap(const std::vector<KeySpan>& files,
                const InternalKeyComparator& order);

}  // namespace ROCKSDB_NAMESPACE
