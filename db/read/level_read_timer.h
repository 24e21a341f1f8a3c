// Adds the time of its scope, in which tables of a level are looked into, to
// that level's get_from_table_nanos.
//
// Threads  One.
#pragma once

#include <cstdint>

#include "monitoring/perf_context_imp.h"

namespace ROCKSDB_NAMESPACE {

class LevelReadTimer {
 public:
  explicit LevelReadTimer(int level) : level_(level), timer_(&nanos_) {
    timer_.Start();
  }
  ~LevelReadTimer() {
    timer_.Stop();
    if (nanos_ > 0) {
      PERF_COUNTER_BY_LEVEL_ADD(get_from_table_nanos, nanos_, level_);
    }
  }
  LevelReadTimer(const LevelReadTimer&) = delete;
  LevelReadTimer& operator=(const LevelReadTimer&) = delete;

 private:
  const int level_;
  uint64_t nanos_ = 0;
  PerfTimer timer_;
};

}  // namespace ROCKSDB_NAMESPACE
