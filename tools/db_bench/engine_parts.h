// Parts of newer engines that flags choose.
//
// Like engine.h: what the linked engine lacks is looked for when this is
// compiled, and answered with NotSupported.
//
// Threads    Call from the main thread.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/options.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/status.h"
#include "tools/db_bench/openings.h"

namespace ROCKSDB_NAMESPACE::bench {

// A block cache over a compressed one, which share a budget.
struct TieredParts {
  bool is_hyper_clock = true;
  // HyperClockCacheOptions if is_hyper_clock, otherwise LRUCacheOptions.
  ShardedCacheOptions* upper = nullptr;
  const CompressedSecondaryCacheOptions* compressed = nullptr;
  std::string policy;                     // the value of --tiered_adm_policy
  std::shared_ptr<SecondaryCache> below;  // may be null
};
Status NewCacheOfTiers(const TieredParts& parts,
                       std::shared_ptr<Cache>* result);

// Sets the manager that --compression_manager calls `name`.
Status SetCompressionManager(const std::string& name, ColumnFamilyOptions* cf);

struct LimiterSettings {
  int64_t bytes_per_second = 0;
  int64_t refill_micros = 0;
  RateLimiter::Mode mode = RateLimiter::Mode::kWritesOnly;
  bool is_auto_tuned = false;
  int64_t burst_bytes = 0;  // 0: the engine's default
};
Status NewLimiter(const LimiterSettings& settings,
                  std::shared_ptr<RateLimiter>* result);

// The last level is warm: slower than what is above.
Status MakeLastLevelWarm(ColumnFamilyOptions* cf);

// Opens request.path as a follower of the database at `leader`.
Status OpenFollower(const OpenRequest& request, const std::string& leader,
                    OpenAnswer<DB>* answer);

// Has `cache` write what is odd about it to its log.
Status ReportCacheProblems(Cache* cache, Env* env);

}  // namespace ROCKSDB_NAMESPACE::bench
