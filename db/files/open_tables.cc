#include "db/files/open_tables.h"

#include <algorithm>

#include "options/db_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr int kUnlimited = -1;

// How many table files stay open for users, unless all do.
size_t OpenFileLimit(int max_open_files) {
  constexpr int kReserve = 10;  // WAL, manifest, LOG and others
  return static_cast<size_t>(std::max(kReserve, max_open_files - kReserve));
}

// Files are counted, not weighed: with what the cache takes for an entry itself
// charged, none would ever find room.
std::shared_ptr<Cache> NewTableCache(const ImmutableDBOptions& options,
                                     int max_open_files) {
  LRUCacheOptions cache;
  cache.capacity = OpenFileLimit(max_open_files);
  cache.num_shard_bits = options.table_cache_numshardbits;
  cache.metadata_charge_policy = kDontChargeCacheMetadata;
  return cache.MakeSharedCache();
}

}  // namespace

OpenTables::OpenTables(const ImmutableDBOptions& options,
                       const MutableDBOptions& now)
    : pins_readers_(now.max_open_files == kUnlimited),
      uses_metadata_(now.fast_sst_open),
      cache_(NewTableCache(options, now.max_open_files)) {
  INVARIANT(cache_ != nullptr);
}

void OpenTables::Apply(const MutableDBOptions& now) {
  const bool pins = now.max_open_files == kUnlimited;
  pins_readers_.store(pins, std::memory_order_relaxed);
  uses_metadata_.store(now.fast_sst_open, std::memory_order_relaxed);
  if (!pins) cache_->SetCapacity(OpenFileLimit(now.max_open_files));
}

}  // namespace ROCKSDB_NAMESPACE
