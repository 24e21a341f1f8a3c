// What one thread of a benchmark did: operations, bytes, times.
//
// Finished() is on the path of every operation. It looks at the clock only if
// a histogram or an interval asks for it.
//
// Threads    Confined to its thread while that runs; then the main thread
//            merges those of all threads into one and prints it.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/csv_reporter.h"
#include "tools/db_bench/histogram.h"

namespace ROCKSDB_NAMESPACE::bench {

enum class Operation {
  kRead,
  kWrite,
  kDelete,
  kSeek,
  kMultiScan,
  kMerge,
  kUpdate,
  kCompress,
  kUncompress,
  kCrc,
  kHash,
  kOther,
};

// The name in the heading "Microseconds per <name>:".
const char* NameOf(Operation operation);

// Two counts and the words around them: "(" 5 " of " 7 " found)".
struct Tally {
  const char* before = "";
  uint64_t first = 0;
  const char* between = "";
  uint64_t second = 0;
  const char* after = "";
};

inline Tally FoundTally(uint64_t found, uint64_t total) {
  return {"(", found, " of ", total, " found)"};
}
// RocksDB's has an empty line behind some benchmarks that look for keys.
inline Tally FoundTallyAndGap(uint64_t found, uint64_t total) {
  return {"(", found, " of ", total, " found)\n"};
}

class Stats {
 public:
  struct Context {
    int thread_index = 0;
    CsvReporter* reporter = nullptr;  // May be null.
    // For --stats_per_interval and its kin; may be null.
    DB* db = nullptr;
  };

  explicit Stats(const Context& context);

  void Start();
  void Stop();

  // `count` operations of one kind ended just now; their time is that since
  // the last call.
  void Finished(uint64_t count, Operation operation) {
    if (times_operations_) RecordTime(operation);
    if (context_.reporter != nullptr) context_.reporter->Count(count);
    operations_ += count;
    if (operations_ >= next_report_) ReportProgress();
  }

  // What passed since the last operation ended belongs to none: a wait for a
  // turn.
  void SkipWait() {
    if (times_operations_) last_operation_ = Clock::now();
  }

  void AddToleratedError() { ++tolerated_errors_; }
  void AddBytes(uint64_t bytes) { bytes_ += bytes; }
  void SetTally(const Tally& tally) { tally_ = tally; }
  void SetMessage(const std::string& message) { message_ = message; }

  // Adds the figures of another thread of the same run.
  void Merge(const Stats& other);

  // The result line and, if asked for, the histograms.
  void Print(const std::string& name) const;

  double OperationsPerSecond() const;
  double MegabytesPerSecond() const;
  bool has_bytes() const { return bytes_ != 0; }
  double SecondsPerOperation() const;

 private:
  using Clock = std::chrono::steady_clock;

  double ElapsedSeconds() const;
  std::string Details() const;
  void RecordTime(Operation operation);
  void HandOverTimes(Clock::time_point now);
  void ReportProgress();
  void ReportInterval();

  Context context_;
  bool has_histogram_;
  bool reports_latencies_;
  bool times_operations_;  // For either of them.
  uint64_t operations_ = 0;
  uint64_t bytes_ = 0;
  uint64_t tolerated_errors_ = 0;
  uint64_t next_report_ = UINT64_MAX;
  uint64_t reported_ = 0;
  double thread_seconds_ = 0.0;  // Added up over all merged threads.
  Clock::time_point start_;
  Clock::time_point finish_;
  Clock::time_point last_operation_;
  Clock::time_point last_report_;
  Tally tally_;
  std::string message_;
  std::map<Operation, Histogram> histograms_;

  // Times that the reporter does not have yet.
  Histogram new_times_;
  Clock::time_point last_hand_over_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
