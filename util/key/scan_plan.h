// What a scan of several ranges will read, for those who can fetch it ahead.
//
// Threads    One, that of the scan.
// Ownership  Outlives the iterators that were given a part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class IODispatcher;

struct ScanPlan {
  // User keys without timestamps: [start, limit).
  struct Range {
    std::string start;
    std::string limit;
  };
  // The ranges in the order of the reads; none overlaps another.
  std::vector<Range> ranges;
  // Each is read from its limit down.
  bool goes_down = false;
  bool is_async = false;
  // Blocks of a file with no more than so many bytes between them are read at
  // once.
  uint64_t coalesce_bytes = 0;
  // The most bytes of one file that may be fetched ahead and still in memory.
  uint64_t max_file_bytes = 0;
  // The bytes that all files together may still fetch. Negative: a file's only
  // span in memory, which is always allowed, was larger than what was left.
  int64_t bytes_left = 0;
  // Limits the same memory for all scans that share it; null: no such limit.
  std::shared_ptr<IODispatcher> dispatcher;
};

// The ranges [begin, end) of a plan. Null: no plan, and none any more.
struct ScanPart {
  ScanPlan* plan = nullptr;
  size_t begin = 0;
  size_t end = 0;
};

}  // namespace ROCKSDB_NAMESPACE
