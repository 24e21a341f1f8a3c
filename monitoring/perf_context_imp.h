#pragma once

// How the engine writes to the PerfContext of the calling thread: one branch
// that is predicted when measuring is off.

#include <cstdint>
#include <ctime>

#include "rocksdb/perf_context.h"

namespace ROCKSDB_NAMESPACE {

namespace perf_internal {

// Both are constant-initialised, so that reading them needs no guard.
extern thread_local constinit PerfLevel level
    __attribute__((tls_model("initial-exec")));
// nullptr until the thread first asks.
extern thread_local constinit PerfContext* context
    __attribute__((tls_model("initial-exec")));

PerfContext* MakeContext();

inline PerfContext& Context() {
  if (context != nullptr) [[likely]]
    return *context;
  return *MakeContext();
}

}  // namespace perf_internal

inline uint64_t PerfNowNanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(now.tv_nsec);
}
inline uint64_t PerfThreadCpuNanos() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(now.tv_nsec);
}

// Adds the time from Start() to Stop(), or to the end of the scope, to a field
// if the thread's level is at least `enable_level`.
class PerfTimer {
 public:
  enum class Clock { kWall, kThreadCpu };

  explicit PerfTimer(uint64_t* metric,
                     PerfLevel enable_level = kEnableTimeExceptForMutex,
                     Clock clock = Clock::kWall)
      : enabled_(perf_internal::level >= enable_level),
        clock_(clock),
        metric_(metric) {}
  PerfTimer(const PerfTimer&) = delete;
  PerfTimer& operator=(const PerfTimer&) = delete;
  ~PerfTimer() { Stop(); }

  void Start() {
    if (enabled_) start_ = Now();
  }
  // Adds what has passed and goes on.
  void Measure() {
    if (start_ == 0) return;
    const uint64_t now = Now();
    *metric_ += now - start_;
    start_ = now;
  }
  void Stop() {
    if (start_ == 0) return;
    *metric_ += Now() - start_;
    start_ = 0;
  }

 private:
  uint64_t Now() const {
    return clock_ == Clock::kWall ? PerfNowNanos() : PerfThreadCpuNanos();
  }

  const bool enabled_;
  const Clock clock_;
  uint64_t* const metric_;
  uint64_t start_ = 0;
};

// `level` of the tree may be any number; nothing happens unless counting by
// level is on.
inline void PerfAddByLevel(uint64_t PerfContextByLevel::*field, uint64_t value,
                           uint32_t level) {
  PerfContext& context = perf_internal::Context();
  if (!context.per_level_perf_context_enabled) [[likely]]
    return;
  (*context.level_to_perf_context)[level].*field += value;
}

}  // namespace ROCKSDB_NAMESPACE

#define PERF_COUNTER_ADD(field, value)                                \
  do {                                                                \
    if (::ROCKSDB_NAMESPACE::perf_internal::level >=                  \
        ::ROCKSDB_NAMESPACE::kEnableCount) {                          \
      ::ROCKSDB_NAMESPACE::perf_internal::Context().field += (value); \
    }                                                                 \
  } while (false)

#define PERF_COUNTER_BY_LEVEL_ADD(field, value, tree_level)         \
  do {                                                              \
    if (::ROCKSDB_NAMESPACE::perf_internal::level >=                \
        ::ROCKSDB_NAMESPACE::kEnableCount) {                        \
      ::ROCKSDB_NAMESPACE::PerfAddByLevel(                          \
          &::ROCKSDB_NAMESPACE::PerfContextByLevel::field, (value), \
          static_cast<uint32_t>(tree_level));                       \
    }                                                               \
  } while (false)

// Declares `perf_timer_<field>`, not yet started.
#define PERF_TIMER_INIT(field)                       \
  ::ROCKSDB_NAMESPACE::PerfTimer perf_timer_##field( \
      &::ROCKSDB_NAMESPACE::perf_internal::Context().field)

// Times the rest of the scope, or until PERF_TIMER_STOP.
#define PERF_TIMER_GUARD(field) \
  PERF_TIMER_INIT(field);       \
  perf_timer_##field.Start()

#define PERF_CPU_TIMER_GUARD(field)                             \
  ::ROCKSDB_NAMESPACE::PerfTimer perf_timer_##field(            \
      &::ROCKSDB_NAMESPACE::perf_internal::Context().field,     \
      ::ROCKSDB_NAMESPACE::kEnableTimeAndCPUTimeExceptForMutex, \
      ::ROCKSDB_NAMESPACE::PerfTimer::Clock::kThreadCpu);       \
  perf_timer_##field.Start()

// For times spent waiting: one level earlier than other times.
#define PERF_TIMER_WAIT_GUARD(field)                        \
  ::ROCKSDB_NAMESPACE::PerfTimer perf_timer_##field(        \
      &::ROCKSDB_NAMESPACE::perf_internal::Context().field, \
      ::ROCKSDB_NAMESPACE::kEnableWait);                    \
  perf_timer_##field.Start()

#define PERF_TIMER_START(field) perf_timer_##field.Start()
#define PERF_TIMER_MEASURE(field) perf_timer_##field.Measure()
#define PERF_TIMER_STOP(field) perf_timer_##field.Stop()
