// How much memory databases and caches take, by what it is for.
//
// Threads  From any thread; the figures of one call are not of one moment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class MemoryUtil {
 public:
  enum UsageType : int {
    // Memtables: all, and those that are not yet flushed.
    kMemTableTotal = 0,
    kMemTableUnFlushed = 1,
    // Readers of open tables, as far as a block cache does not hold their
    // indexes and filters.
    kTableReadersTotal = 2,
    // The caches of the set.
    kCacheTotal = 3,
    kNumUsageTypes = 4
  };

  // Replaces *usage_by_type by the sums, in bytes. A type to which nothing
  // contributes has no entry: `dbs` or `cache_set` may be empty.
  //
  // Caches are not looked for in the databases: those of the set are counted,
  // once each. Null pointers are passed over. DBPtr is any kind of pointer to a
  // class that derives from DB.
  template <typename DBPtr>
  static Status GetApproximateMemoryUsageByType(
      const std::vector<DBPtr>& dbs,
      const std::unordered_set<const Cache*> cache_set,
      std::map<UsageType, uint64_t>* usage_by_type) {
    if (usage_by_type == nullptr) {
      return Status::InvalidArgument("usage_by_type is null");
    }
    std::map<UsageType, uint64_t> sums;
    for (const auto& db : dbs) {
      if (db == nullptr) continue;
      Add(*db, DB::Properties::kSizeAllMemTables, kMemTableTotal, &sums);
      Add(*db, DB::Properties::kCurSizeAllMemTables, kMemTableUnFlushed, &sums);
      Add(*db, DB::Properties::kEstimateTableReadersMem, kTableReadersTotal,
          &sums);
    }
    for (const Cache* cache : cache_set) {
      if (cache != nullptr) sums[kCacheTotal] += cache->GetUsage();
    }
    usage_by_type->swap(sums);
    return Status::OK();
  }

 private:
  static void Add(DB& db, const std::string& property, UsageType type,
                  std::map<UsageType, uint64_t>* sums) {
    uint64_t value = 0;
    if (db.GetAggregatedIntProperty(property, &value)) (*sums)[type] += value;
  }
};

}  // namespace ROCKSDB_NAMESPACE
