#include "monitoring/trace/io_tracer.h"

#include <cassert>
#include <utility>

#include "monitoring/trace/trace_format.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

IoTracer::IoTracer(SystemClock* clock) : clock_(clock) {
  assert(clock_ != nullptr);
}

IoTracer::~IoTracer() { End(); }

Status IoTracer::Start(const TraceOptions& options,
                       std::unique_ptr<TraceWriter>&& writer) {
  if (writer == nullptr) return Status::InvalidArgument("no trace writer");
  MutexLock lock(&mutex_);
  if (writer_ != nullptr) return Status::Busy("an I/O trace runs");
  Status s = writer->Write(
      EncodeTraceRecord(clock_->NowMicros(), kTraceBegin, AccessTraceHeader()));
  if (!s.ok()) return s;
  writer_ = std::move(writer);
  options_ = options;
  operations_ = 0;
  is_on_.store(true, std::memory_order_relaxed);
  return s;
}

void IoTracer::End() {
  MutexLock lock(&mutex_);
  is_on_.store(false, std::memory_order_relaxed);
  if (writer_ == nullptr) return;
  IgnoreError(writer_->Close(), "the records before it are there");
  writer_.reset();
}

uint64_t IoTracer::NowNanos() const { return clock_->NowNanos(); }

void IoTracer::Write(IoTraceRecord record, uint64_t start_nanos) {
  const uint64_t now = NowNanos();
  record.access_nanos = now;
  record.latency_nanos = now - start_nanos;
  MutexLock lock(&mutex_);
  if (writer_ == nullptr || !is_on()) return;
  ++operations_;
  if (options_.sampling_frequency > 1 &&
      operations_ % options_.sampling_frequency != 0) {
    return;
  }
  if (writer_->GetFileSize() > options_.max_trace_file_size) return;
  const Status s = writer_->Write(EncodeTraceRecord(
      record.access_nanos, kIOTracer, EncodeIoTraceRecord(record)));
  if (!s.ok()) is_on_.store(false, std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE
