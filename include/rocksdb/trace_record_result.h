// What came of a record of a trace that was run.
//
// Ownership  A result owns its bytes.
// Threads    A result may be read from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE {

class IteratorTraceExecutionResult;
class MultiValuesTraceExecutionResult;
class SingleValueTraceExecutionResult;
class StatusOnlyTraceExecutionResult;

class TraceRecordResult {
 public:
  explicit TraceRecordResult(TraceType trace_type) : trace_type_(trace_type) {}
  virtual ~TraceRecordResult() = default;

  // The type of the record that was run.
  virtual TraceType GetTraceType() const { return trace_type_; }

  class Handler {
   public:
    virtual ~Handler() = default;

    virtual Status Handle(const StatusOnlyTraceExecutionResult& result) = 0;
    virtual Status Handle(const SingleValueTraceExecutionResult& result) = 0;
    virtual Status Handle(const MultiValuesTraceExecutionResult& result) = 0;
    virtual Status Handle(const IteratorTraceExecutionResult& result) = 0;
  };
  // Calls the handler's call for this class.
  virtual Status Accept(Handler* handler) = 0;

 private:
  TraceType trace_type_;
};

// Times are in microseconds since 1970.
class TraceExecutionResult : public TraceRecordResult {
 public:
  TraceExecutionResult(uint64_t start_timestamp, uint64_t end_timestamp,
                       TraceType trace_type)
      : TraceRecordResult(trace_type),
        start_timestamp_(start_timestamp),
        end_timestamp_(end_timestamp) {}

  virtual uint64_t GetStartTimestamp() const { return start_timestamp_; }
  virtual uint64_t GetEndTimestamp() const { return end_timestamp_; }
  uint64_t GetLatency() const {
    return GetEndTimestamp() - GetStartTimestamp();
  }

 private:
  uint64_t start_timestamp_;
  uint64_t end_timestamp_;
};

// The result of a write.
class StatusOnlyTraceExecutionResult : public TraceExecutionResult {
 public:
  StatusOnlyTraceExecutionResult(Status status, uint64_t start_timestamp,
                                 uint64_t end_timestamp, TraceType trace_type)
      : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
        status_(std::move(status)) {
    status_.PermitUncheckedError();
  }
  ~StatusOnlyTraceExecutionResult() override = default;

  virtual const Status& GetStatus() const { return status_; }
  Status Accept(Handler* handler) override;

 private:
  Status status_;
};

// The result of a Get().
class SingleValueTraceExecutionResult : public TraceExecutionResult {
 public:
  SingleValueTraceExecutionResult(Status status, const std::string& value,
                                  uint64_t start_timestamp,
                                  uint64_t end_timestamp, TraceType trace_type)
      : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
        status_(std::move(status)),
        value_(value) {
    status_.PermitUncheckedError();
  }
  SingleValueTraceExecutionResult(Status status, std::string&& value,
                                  uint64_t start_timestamp,
                                  uint64_t end_timestamp, TraceType trace_type)
      : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
        status_(std::move(status)),
        value_(std::move(value)) {
    status_.PermitUncheckedError();
  }
  ~SingleValueTraceExecutionResult() override;

  virtual const Status& GetStatus() const { return status_; }
  virtual const std::string& GetValue() const { return value_; }
  Status Accept(Handler* handler) override;

 private:
  Status status_;
  std::string value_;
};

// The results of a MultiGet(), in the order of its keys.
class MultiValuesTraceExecutionResult : public TraceExecutionResult {
 public:
  MultiValuesTraceExecutionResult(std::vector<Status> multi_status,
                                  std::vector<std::string> values,
                                  uint64_t start_timestamp,
                                  uint64_t end_timestamp, TraceType trace_type)
      : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
        multi_status_(std::move(multi_status)),
        values_(std::move(values)) {
    for (const Status& s : multi_status_) s.PermitUncheckedError();
  }
  ~MultiValuesTraceExecutionResult() override;

  virtual const std::vector<Status>& GetMultiStatus() const {
    return multi_status_;
  }
  virtual const std::vector<std::string>& GetValues() const { return values_; }
  Status Accept(Handler* handler) override;

 private:
  std::vector<Status> multi_status_;
  std::vector<std::string> values_;
};

// The result of a Seek() or SeekForPrev(): where the iterator stands.
class IteratorTraceExecutionResult : public TraceExecutionResult {
 public:
  IteratorTraceExecutionResult(bool valid, Status status, PinnableSlice&& key,
                               PinnableSlice&& value, uint64_t start_timestamp,
                               uint64_t end_timestamp, TraceType trace_type);
  IteratorTraceExecutionResult(bool valid, Status status,
                               const std::string& key, const std::string& value,
                               uint64_t start_timestamp, uint64_t end_timestamp,
                               TraceType trace_type);
  ~IteratorTraceExecutionResult() override;

  virtual bool GetValid() const { return valid_; }
  virtual const Status& GetStatus() const { return status_; }
  virtual Slice GetKey() const { return key_; }
  virtual Slice GetValue() const { return value_; }
  Status Accept(Handler* handler) override;

 private:
  bool valid_;
  Status status_;
  PinnableSlice key_;
  PinnableSlice value_;
};

}  // namespace ROCKSDB_NAMESPACE
