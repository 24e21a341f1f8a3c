// Runs the operations of a trace again.
//
// Threads  One at a time; Replay() has threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"

namespace ROCKSDB_NAMESPACE {

struct ReplayOptions {
  // 0 is as 1.
  uint32_t num_threads = 1;
  // Twice as fast as it was: 2. Must be positive.
  double fast_forward = 1.0;

  ReplayOptions() = default;
  ReplayOptions(uint32_t num_of_threads, double fast_forward_ratio)
      : num_threads(num_of_threads), fast_forward(fast_forward_ratio) {}
};

class Replayer {
 public:
  virtual ~Replayer() = default;

  // Goes to the first operation. Before all other calls; may be called again.
  virtual Status Prepare() = 0;
  // When the trace was started, in microseconds since 1970.
  virtual uint64_t GetHeaderTimestamp() const = 0;
  // Incomplete at the end; NotSupported for a record that is no operation.
  virtual Status Next(std::unique_ptr<TraceRecord>* record) = 0;
  virtual Status Execute(const std::unique_ptr<TraceRecord>& record,
                         std::unique_ptr<TraceRecordResult>* result) = 0;
  // Runs all that are left, each when it is due, until one fails. The callback
  // gets each one's status and result, null for a failure, from any thread.
  virtual Status Replay(
      const ReplayOptions& options,
      const std::function<void(Status, std::unique_ptr<TraceRecordResult>&&)>&
          result_callback) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
