// What an iterator does, counted where it is done, so that the statistics are
// told of many steps at once.
//
// Threads  One, that of the iterator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"

namespace ROCKSDB_NAMESPACE {

struct ScanCounts {
  uint64_t next = 0, next_found = 0, prev = 0, prev_found = 0;
  uint64_t bytes = 0, skipped = 0;

  // A step begins; the timer, to be started, is of it.
  PerfTimer BeginNext() {
    ++next;
    return StepTimer(&PerfContext::iter_next_cpu_nanos);
  }
  PerfTimer BeginPrev() {
    ++prev;
    return StepTimer(&PerfContext::iter_prev_cpu_nanos);
  }
  // The step has ended, on an entry of `entry_bytes` if it found one; `passed`
  // counts the entry that it went from, if the source was on it. One look at
  // the context is enough for all of it.
  void EndNext(bool has_found, size_t entry_bytes, uint64_t passed) {
    if (has_found) ++next_found, bytes += entry_bytes;
    if (perf_internal::level < kEnableCount) return;
    PerfContext& perf = perf_internal::Context();
    ++perf.iter_next_count;
    perf.internal_key_skipped_count += passed;
    perf.iter_read_bytes += has_found ? entry_bytes : 0;
  }
  void EndPrev(bool has_found, size_t entry_bytes) {
    if (has_found) ++prev_found, bytes += entry_bytes;
    if (perf_internal::level < kEnableCount) return;
    PerfContext& perf = perf_internal::Context();
    ++perf.iter_prev_count;
    perf.iter_read_bytes += has_found ? entry_bytes : 0;
  }

  // A seek has ended, on an entry of that size if it found one.
  void EndSeek(bool has_found, size_t entry_bytes, Statistics* statistics) {
    PERF_COUNTER_ADD(iter_seek_count, 1);
    RecordTick(statistics, NUMBER_DB_SEEK);
    if (has_found) {
      bytes += entry_bytes;
      PERF_COUNTER_ADD(iter_read_bytes, entry_bytes);
      RecordTick(statistics, NUMBER_DB_SEEK_FOUND);
    }
    TellAll(statistics);
  }
  // Null: there are none to tell.
  void TellAll(Statistics* statistics) {
    RecordAll(statistics,
              std::to_array<TickerCount>({{NUMBER_DB_NEXT, next},
                                          {NUMBER_DB_NEXT_FOUND, next_found},
                                          {NUMBER_DB_PREV, prev},
                                          {NUMBER_DB_PREV_FOUND, prev_found},
                                          {ITER_BYTES_READ, bytes},
                                          {NUMBER_ITER_SKIP, skipped}}),
              std::array<HistogramValue, 0>());
    *this = ScanCounts();
  }

 private:
  // A step is too cheap for looking the context up unless that is wanted.
  static PerfTimer StepTimer(uint64_t PerfContext::*field) {
    constexpr PerfLevel kLevel = kEnableTimeAndCPUTimeExceptForMutex;
    const bool is_on = perf_internal::level >= kLevel;
    return PerfTimer(is_on ? &(perf_internal::Context().*field) : nullptr,
                     kLevel, PerfTimer::Clock::kThreadCpu);
  }
};

}  // namespace ROCKSDB_NAMESPACE
