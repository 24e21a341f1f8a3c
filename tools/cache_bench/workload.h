// The threads of cache_bench: each draws a key and an operation, again and
// again, and keeps its share of what it got pinned.
//
// Threads  Run() from one thread, once.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "rocksdb/cache.h"
#include "rocksdb/statistics.h"
#include "tools/cache_bench/settings.h"
#include "tools/cache_bench/value.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

struct Counts {
  uint64_t lookups = 0;
  uint64_t hits = 0;
  uint64_t wrong_values = 0;
  uint64_t failed_inserts = 0;
  uint64_t pinned = 0;
  double seconds = 0.0;

  void Add(const Counts& other);
};

class Workload {
 public:
  Workload(const Settings& settings, std::shared_ptr<Cache> cache);

  // Inserts until the cache is full, and prints what it took.
  void Populate();
  // Prints what it found. False: the cache answered wrongly.
  bool Run();

 private:
  class Thread;

  ValueForm FormOfValues() const;
  Counts RunThreads();
  void GatherStats(const std::atomic<bool>& is_done);
  void PrintResults(const Counts& all, double elapsed_seconds) const;

  const Settings settings_;
  const std::shared_ptr<Cache> cache_;
  const ValueForm form_;
  const KeySet keys_;
  // Latencies, in its histogram DB_GET; null: not asked for.
  std::shared_ptr<Statistics> latencies_;
  uint64_t gatherings_ = 0;
  uint64_t gathered_entries_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::cache_bench
