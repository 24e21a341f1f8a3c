#pragma once

// How the engine writes to the IOStatsContext of the calling thread.

#include "monitoring/perf_context_imp.h"
#include "rocksdb/iostats_context.h"

namespace ROCKSDB_NAMESPACE {

extern thread_local constinit IOStatsContext iostats_context;

}  // namespace ROCKSDB_NAMESPACE

#define IOSTATS_ADD(metric, value)                               \
  do {                                                           \
    if (!::ROCKSDB_NAMESPACE::iostats_context.disable_iostats) { \
      ::ROCKSDB_NAMESPACE::iostats_context.metric += (value);    \
    }                                                            \
  } while (false)

#define IOSTATS_RESET(metric) (::ROCKSDB_NAMESPACE::iostats_context.metric = 0)

#define IOSTATS(metric) (::ROCKSDB_NAMESPACE::iostats_context.metric)

// Times the rest of the scope.
#define IOSTATS_TIMER_GUARD(metric)                      \
  ::ROCKSDB_NAMESPACE::PerfTimer iostats_timer_##metric( \
      &::ROCKSDB_NAMESPACE::iostats_context.metric);     \
  iostats_timer_##metric.Start()

// The same in processor time, at a higher level.
#define IOSTATS_CPU_TIMER_GUARD(metric)                         \
  ::ROCKSDB_NAMESPACE::PerfTimer iostats_timer_##metric(        \
      &::ROCKSDB_NAMESPACE::iostats_context.metric,             \
      ::ROCKSDB_NAMESPACE::kEnableTimeAndCPUTimeExceptForMutex, \
      ::ROCKSDB_NAMESPACE::PerfTimer::Clock::kThreadCpu);       \
  iostats_timer_##metric.Start()

#define IOSTATS_SET_DISABLE(disable) \
  (::ROCKSDB_NAMESPACE::iostats_context.disable_iostats = (disable))
