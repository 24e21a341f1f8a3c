// The sorted runs of a tree, newest first: each file of level 0, then each
// deeper level that has files.
//
// Threads    Built under the DB mutex.
// Ownership  Borrows the version's files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

struct SortedRun {
  int level = 0;
  const FileRef* file = nullptr;  // level 0 alone
  uint64_t bytes = 0;
  bool is_busy = false;  // some of it is being compacted
};

// Without the last level where that is kept for ingestion behind.
std::vector<SortedRun> CollectRuns(const VersionStorage& storage,
                                   const ImmutableCFOptions& cf);
// The deepest that compactions use.
int LastUsedLevel(const VersionStorage& storage, const ImmutableCFOptions& cf);

// Neighbouring runs [first, end).
struct RunSpan {
  size_t first = 0;
  size_t end = 0;
  bool empty() const { return first >= end; }
  size_t size() const { return empty() ? 0 : end - first; }
  bool operator==(const RunSpan& other) const = default;
};

uint64_t BytesOf(const std::vector<SortedRun>& runs, const RunSpan& span);

}  // namespace ROCKSDB_NAMESPACE
