// Snapshots of the tickers, as many as a memory budget holds: each keeps what
// was counted since the one before. Names are stored once.
//
// Threads  Safe for concurrent use.
// Errors   None; without memory (a budget of 0) nothing is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/stats_history.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class StatsHistory {
 public:
  using Counts = std::map<std::string, uint64_t>;

  // What the tickers show now. The first call is where counting begins.
  void Add(uint64_t now_seconds, const Counts& totals, size_t budget_bytes)
      EXCLUDES(mutex_);

  // The oldest snapshot of [from, to) seconds that is kept; false: none.
  bool Find(uint64_t from, uint64_t to, uint64_t* seconds, Counts* counts) const
      EXCLUDES(mutex_);

  size_t MemoryBytes() const EXCLUDES(mutex_);

 private:
  using Names = std::vector<std::string>;
  struct Snapshot {
    uint64_t seconds;
    std::shared_ptr<const Names> names;
    std::vector<uint64_t> counts;  // one for each name

    size_t Bytes() const;
  };

  std::shared_ptr<const Names> NamesOf(const Counts& totals) REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::deque<Snapshot> snapshots_ GUARDED_BY(mutex_);  // by time
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const Names> names_ GUARDED_BY(mutex_);
  Counts last_totals_ GUARDED_BY(mutex_);
  bool has_begun_ GUARDED_BY(mutex_) = false;
};

// Over [from, to) seconds. Keeps `history` alive.
std::unique_ptr<StatsHistoryIterator> NewStatsHistoryIterator(
    std::shared_ptr<const StatsHistory> history, uint64_t from, uint64_t to);

}  // namespace ROCKSDB_NAMESPACE
