// How many table files each level holds, as events of LOG tell it.
//
// Threads  Pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

inline std::vector<uint64_t> LsmState(const VersionStorage& storage) {
  std::vector<uint64_t> counts;
  for (int level = 0; level < storage.level_count(); ++level) {
    counts.push_back(storage.FileCount(level));
  }
  return counts;
}

}  // namespace ROCKSDB_NAMESPACE
