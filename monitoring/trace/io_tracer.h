// Records what is asked of files, as long as somebody traces it.
//
// Cost       Nobody does: one relaxed load for an operation on a file.
// Threads    Any. Records are written one at a time, under a lock of its own,
//            so an application's TraceWriter must not use the database.
// Errors     The first one of the writer ends the trace, and nobody else hears
//            of it: operations go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "monitoring/trace/io_trace_format.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;
class TraceWriter;

class IoTracer {
 public:
  // `clock` outlives it.
  explicit IoTracer(SystemClock* clock);
  // Ends a trace that runs.
  ~IoTracer();
  IoTracer(const IoTracer&) = delete;
  IoTracer& operator=(const IoTracer&) = delete;

  // Busy: a trace runs. `options.filter` speaks of other traces: it is not
  // looked at.
  Status Start(const TraceOptions& options,
               std::unique_ptr<TraceWriter>&& writer) EXCLUDES(mutex_);
  // Nothing happens where none runs.
  void End() EXCLUDES(mutex_);

  // relaxed: what runs beside Start() or End() may be in the trace or not.
  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }

  uint64_t NowNanos() const;
  // An operation that began at `start_nanos` and is done: its times are filled
  // in here.
  void Write(IoTraceRecord record, uint64_t start_nanos) EXCLUDES(mutex_);

 private:
  SystemClock* const clock_;
  std::atomic<bool> is_on_{false};
  Mutex mutex_;
  TraceOptions options_ GUARDED_BY(mutex_);
  // null: no trace runs. One that has failed stays until End().
  std::unique_ptr<TraceWriter> writer_ GUARDED_BY(mutex_);
  uint64_t operations_ GUARDED_BY(mutex_) = 0;  // since the trace began
};

}  // namespace ROCKSDB_NAMESPACE
