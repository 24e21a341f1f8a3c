// What a database keeps for each of its families beside ColumnFamilyData.
//
// Threads    Under the DB mutex.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/registry/family_stats.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

class Cache;
class CacheEntryStats;
class CompactionPicker;

using RetryTime = std::chrono::steady_clock::time_point;

// A table of some family, held by a version of it.
struct LiveTable {
  ColumnFamilyRef cfd;
  std::shared_ptr<const MutableCFOptions> options;
  int level = 0;
  FileRef file;
};

struct FamilyEntry {
  explicit FamilyEntry(ColumnFamilyRef family);
  ~FamilyEntry();
  FamilyEntry(const FamilyEntry&) = delete;
  FamilyEntry& operator=(const FamilyEntry&) = delete;

  ColumnFamilyRef cfd;
  std::unique_ptr<CompactionPicker> picker;
  FamilyStats stats;
  // Files are to go, or going, from level to level outside of any
  // compaction: none may begin, since it counts on where older data are.
  int level_changes = 0;
  bool is_changing_level = false;
  // A compaction failed: until then none begins by itself.
  std::optional<RetryTime> retry_at;
  // Its compaction_thread_limiter had no room for a compaction.
  bool awaits_limiter = false;
  WriteStallCondition stall = WriteStallCondition::kNormal;
  double stall_debt = 0;
  FlushReason flush_reason = FlushReason::kOthers;
  std::vector<std::unique_ptr<FSDirectory>> directories;  // by path id
  // Kept in the block cache that it was given; null: in none. One that is its
  // own takes no memory before it is used, of which there may be thousands.
  std::shared_ptr<CacheEntryStats> cache_stats;
};

using FamilyRef = std::shared_ptr<FamilyEntry>;

// Null: its tables use none.
std::shared_ptr<Cache> BlockCacheOf(const MutableCFOptions& options);
// Null, too, for one that nobody gave it.
std::shared_ptr<Cache> GivenBlockCacheOf(const MutableCFOptions& options);

}  // namespace ROCKSDB_NAMESPACE
