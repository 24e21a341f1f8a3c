// Operations per second over time, written to a file while benchmarks run.
//
// The file has the header "secs_elapsed,interval_qps" and a line for each
// interval, counted from the start of the first benchmark. With latencies, a
// line goes on with P50, P99, P99.9 and the longest time of the operations that
// ended in its interval.
//
// Threads    Count() and AddTimes() may be called from any thread; a thread of
//            its own writes the lines.
// Errors     Open() fails if the file cannot be created; a line that cannot
//            be written ends the reports, with a message on stderr.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/histogram.h"

namespace ROCKSDB_NAMESPACE::bench {

class CsvReporter {
 public:
  struct CloseFile {
    void operator()(FILE* file) const { fclose(file); }
  };
  using File = std::unique_ptr<FILE, CloseFile>;

  struct Settings {
    std::string path;
    int64_t interval_seconds = 1;
    bool has_latencies = false;
  };

  static Status Open(const Settings& settings,
                     std::unique_ptr<CsvReporter>* result);

  // Takes a file that holds the header; most callers want Open().
  CsvReporter(File file, const Settings& settings);

  // Writes the line of the interval that has begun.
  ~CsvReporter();

  void Count(uint64_t operations) {
    // relaxed: a mere tally, read by the writing thread alone.
    operations_.fetch_add(operations, std::memory_order_relaxed);
  }

  bool has_latencies() const { return settings_.has_latencies; }

  // Adds times of operations that ended in the current interval.
  void AddTimes(const Histogram& micros);

 private:
  void Run();
  bool WriteLine(int64_t elapsed_seconds);
  std::string TakeLatencies();

  const File file_;
  const Settings settings_;
  std::atomic<uint64_t> operations_{0};
  uint64_t reported_ = 0;

  std::mutex times_mutex_;  // Guards times_.
  Histogram times_;

  std::mutex mutex_;  // Guards is_stopping_.
  std::condition_variable stopping_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
