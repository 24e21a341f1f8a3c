// Operations per second over time, written to a file while benchmarks run.
//
// The file has the header "secs_elapsed,interval_qps" and a line for each
// interval, counted from the start of the first benchmark.
//
// Threads    Count() may be called from any thread; a thread of its own
//            writes the lines.
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

namespace ROCKSDB_NAMESPACE::bench {

class CsvReporter {
 public:
  struct CloseFile {
    void operator()(FILE* file) const { fclose(file); }
  };
  using File = std::unique_ptr<FILE, CloseFile>;

  static Status Open(const std::string& path, int64_t interval_seconds,
                     std::unique_ptr<CsvReporter>* result);

  // Takes a file that holds the header; most callers want Open().
  CsvReporter(File file, int64_t interval_seconds);

  // Writes the line of the interval that has begun.
  ~CsvReporter();

  void Count(uint64_t operations) {
    // relaxed: a mere tally, read by the writing thread alone.
    operations_.fetch_add(operations, std::memory_order_relaxed);
  }

 private:
  void Run();
  bool WriteLine(int64_t elapsed_seconds);

  const File file_;
  const int64_t interval_seconds_;
  std::atomic<uint64_t> operations_{0};
  uint64_t reported_ = 0;

  std::mutex mutex_;  // Guards is_stopping_.
  std::condition_variable stopping_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
