// Tables with commas, the first row their header, as the results are written.
//
// Errors  IOError names the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/status.h"
#include "tools/block_cache_trace_analyzer/settings.h"

namespace tools {

ROCKSDB_NAMESPACE::Status WriteTable(
    const std::string& path, const std::function<void(std::ofstream&)>& fill);

// The columns of a table, each a name and a count for each row.
using Columns = std::map<std::string, std::map<uint64_t, uint64_t>>;

// Ascending; the last one has no bound.
struct Buckets {
  std::vector<uint64_t> bounds;

  explicit Buckets(const std::string& text) { ParseBuckets(text, &bounds); }
  uint64_t Of(uint64_t value) const {
    const auto found = std::lower_bound(bounds.begin(), bounds.end(), value);
    return found == bounds.end() ? UINT64_MAX : *found;
  }
  void AddNames(std::vector<uint64_t>* rows) const {
    *rows = bounds;
    rows->push_back(UINT64_MAX);
  }
};

// What part of each column is in each row.
ROCKSDB_NAMESPACE::Status WriteShares(const std::string& path,
                                      const Buckets& buckets,
                                      const Columns& columns);

}  // namespace tools
