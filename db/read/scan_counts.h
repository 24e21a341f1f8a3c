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

  // An entry of that size was come to; `count` is of its kind.
  void Found(size_t entry_bytes, uint64_t* count) {
    ++*count;
    bytes += entry_bytes;
    PERF_COUNTER_ADD(iter_read_bytes, entry_bytes);
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
};

}  // namespace ROCKSDB_NAMESPACE
