#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

PinnableSlice Owned(const std::string& bytes) {
  PinnableSlice slice;
  slice.PinSelf(bytes);
  return slice;
}

template <class Record>
Status Visit(const Record& record, TraceRecord::Handler* handler,
             std::unique_ptr<TraceRecordResult>* result) {
  if (handler == nullptr) return Status::InvalidArgument("Handler is null.");
  return handler->Handle(record, result);
}

template <class Result>
Status Visit(const Result& result, TraceRecordResult::Handler* handler) {
  if (handler == nullptr) return Status::InvalidArgument("Handler is null.");
  return handler->Handle(result);
}

}  // namespace

// --- Records -----------------------------------------------------------------

WriteQueryTraceRecord::WriteQueryTraceRecord(PinnableSlice&& write_batch_rep,
                                             uint64_t timestamp)
    : QueryTraceRecord(timestamp), rep_(std::move(write_batch_rep)) {}
WriteQueryTraceRecord::WriteQueryTraceRecord(const std::string& write_batch_rep,
                                             uint64_t timestamp)
    : WriteQueryTraceRecord(Owned(write_batch_rep), timestamp) {}
WriteQueryTraceRecord::~WriteQueryTraceRecord() = default;

Status WriteQueryTraceRecord::Accept(
    Handler* handler, std::unique_ptr<TraceRecordResult>* result) {
  return Visit(*this, handler, result);
}

GetQueryTraceRecord::GetQueryTraceRecord(uint32_t column_family_id,
                                         PinnableSlice&& key,
                                         uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      column_family_id_(column_family_id),
      key_(std::move(key)) {}
GetQueryTraceRecord::GetQueryTraceRecord(uint32_t column_family_id,
                                         const std::string& key,
                                         uint64_t timestamp)
    : GetQueryTraceRecord(column_family_id, Owned(key), timestamp) {}
GetQueryTraceRecord::~GetQueryTraceRecord() = default;

Status GetQueryTraceRecord::Accept(Handler* handler,
                                   std::unique_ptr<TraceRecordResult>* result) {
  return Visit(*this, handler, result);
}

IteratorQueryTraceRecord::IteratorQueryTraceRecord(uint64_t timestamp)
    : QueryTraceRecord(timestamp) {}
IteratorQueryTraceRecord::IteratorQueryTraceRecord(PinnableSlice&& lower_bound,
                                                   PinnableSlice&& upper_bound,
                                                   uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      lower_(std::move(lower_bound)),
      upper_(std::move(upper_bound)) {}
IteratorQueryTraceRecord::IteratorQueryTraceRecord(
    const std::string& lower_bound, const std::string& upper_bound,
    uint64_t timestamp)
    : IteratorQueryTraceRecord(Owned(lower_bound), Owned(upper_bound),
                               timestamp) {}
IteratorQueryTraceRecord::~IteratorQueryTraceRecord() = default;

IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seekType, uint32_t column_family_id, PinnableSlice&& key,
    uint64_t timestamp)
    : IteratorQueryTraceRecord(timestamp),
      type_(seekType),
      column_family_id_(column_family_id),
      key_(std::move(key)) {}
IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seekType, uint32_t column_family_id, const std::string& key,
    uint64_t timestamp)
    : IteratorSeekQueryTraceRecord(seekType, column_family_id, Owned(key),
                                   timestamp) {}
IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seekType, uint32_t column_family_id, PinnableSlice&& key,
    PinnableSlice&& lower_bound, PinnableSlice&& upper_bound,
    uint64_t timestamp)
    : IteratorQueryTraceRecord(std::move(lower_bound), std::move(upper_bound),
                               timestamp),
      type_(seekType),
      column_family_id_(column_family_id),
      key_(std::move(key)) {}
IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seekType, uint32_t column_family_id, const std::string& key,
    const std::string& lower_bound, const std::string& upper_bound,
    uint64_t timestamp)
    : IteratorSeekQueryTraceRecord(seekType, column_family_id, Owned(key),
                                   Owned(lower_bound), Owned(upper_bound),
                                   timestamp) {}
IteratorSeekQueryTraceRecord::~IteratorSeekQueryTraceRecord() = default;

Status IteratorSeekQueryTraceRecord::Accept(
    Handler* handler, std::unique_ptr<TraceRecordResult>* result) {
  return Visit(*this, handler, result);
}

MultiGetQueryTraceRecord::MultiGetQueryTraceRecord(
    std::vector<uint32_t> column_family_ids, std::vector<PinnableSlice>&& keys,
    uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      column_family_ids_(std::move(column_family_ids)),
      keys_(std::move(keys)) {}
MultiGetQueryTraceRecord::MultiGetQueryTraceRecord(
    std::vector<uint32_t> column_family_ids,
    const std::vector<std::string>& keys, uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      column_family_ids_(std::move(column_family_ids)) {
  keys_.reserve(keys.size());
  for (const std::string& key : keys) keys_.push_back(Owned(key));
}
MultiGetQueryTraceRecord::~MultiGetQueryTraceRecord() = default;

Status MultiGetQueryTraceRecord::Accept(
    Handler* handler, std::unique_ptr<TraceRecordResult>* result) {
  return Visit(*this, handler, result);
}

// --- Results -----------------------------------------------------------------

Status StatusOnlyTraceExecutionResult::Accept(Handler* handler) {
  return Visit(*this, handler);
}

SingleValueTraceExecutionResult::~SingleValueTraceExecutionResult() = default;

Status SingleValueTraceExecutionResult::Accept(Handler* handler) {
  return Visit(*this, handler);
}

MultiValuesTraceExecutionResult::~MultiValuesTraceExecutionResult() = default;

Status MultiValuesTraceExecutionResult::Accept(Handler* handler) {
  return Visit(*this, handler);
}

IteratorTraceExecutionResult::IteratorTraceExecutionResult(
    bool valid, Status status, PinnableSlice&& key, PinnableSlice&& value,
    uint64_t start_timestamp, uint64_t end_timestamp, TraceType trace_type)
    : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
      valid_(valid),
      status_(std::move(status)),
      key_(std::move(key)),
      value_(std::move(value)) {
  status_.PermitUncheckedError();
}
IteratorTraceExecutionResult::IteratorTraceExecutionResult(
    bool valid, Status status, const std::string& key, const std::string& value,
    uint64_t start_timestamp, uint64_t end_timestamp, TraceType trace_type)
    : IteratorTraceExecutionResult(valid, std::move(status), Owned(key),
                                   Owned(value), start_timestamp, end_timestamp,
                                   trace_type) {}
IteratorTraceExecutionResult::~IteratorTraceExecutionResult() = default;

Status IteratorTraceExecutionResult::Accept(Handler* handler) {
  return Visit(*this, handler);
}

}  // namespace ROCKSDB_NAMESPACE
