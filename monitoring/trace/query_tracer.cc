#include "monitoring/trace/query_tracer.h"

#include <cassert>
#include <utility>

#include "monitoring/trace/trace_format.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"
#include "util/coding.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void PutFieldMap(std::string* payload,
                 std::initializer_list<TraceField> fields) {
  uint64_t map = 0;
  for (const TraceField field : fields) map |= TraceFieldBit(field);
  PutFixed64(payload, map);
}

bool IsSetBound(const Slice* bound) {
  return bound != nullptr && !bound->empty();
}

}  // namespace

QueryTracer::QueryTracer(SystemClock* clock) : clock_(clock) {
  assert(clock_ != nullptr);
}

QueryTracer::~QueryTracer() {
  MutexLock lock(&mutex_);
  if (writer_ == nullptr) return;
  IgnoreError(EndLocked(), "the trace ends with its database");
}

Status QueryTracer::Start(const TraceOptions& options,
                          std::unique_ptr<TraceWriter>&& writer) {
  if (writer == nullptr) return Status::InvalidArgument("no trace writer");
  MutexLock lock(&mutex_);
  if (writer_ != nullptr) {
    IgnoreError(EndLocked(), "another trace takes the place of this one");
  }
  options_ = options;
  writer_ = std::move(writer);
  operations_ = 0;
  error_ = Status::OK();
  mode_.store(options.preserve_write_order ? Mode::kInWriteOrder : Mode::kOn,
              std::memory_order_relaxed);
  Append(clock_->NowMicros(), kTraceBegin, QueryTraceHeader());
  return Status::OK();
}

Status QueryTracer::End() {
  MutexLock lock(&mutex_);
  if (writer_ == nullptr) return Status::IOError("No trace file to close");
  return EndLocked();
}

Status QueryTracer::EndLocked() {
  mode_.store(Mode::kOff, std::memory_order_relaxed);
  if (error_.ok()) Append(clock_->NowMicros(), kTraceEnd, Slice());
  const Status closed = writer_->Close();
  writer_.reset();
  if (error_.ok()) return closed;
  closed.PermitUncheckedError();
  return Status::Incomplete("Tracing has seen an error", error_.ToString());
}

void QueryTracer::Append(uint64_t time, TraceType type, const Slice& payload) {
  error_ = writer_->Write(EncodeTraceRecord(time, type, payload));
  if (!error_.ok()) mode_.store(Mode::kOff, std::memory_order_relaxed);
}

bool QueryTracer::IsWanted(TraceFilterType kind) {
  if (writer_ == nullptr || !error_.ok()) return false;
  if ((options_.filter & kind) != 0) return false;
  ++operations_;
  if (options_.sampling_frequency > 1 &&
      operations_ % options_.sampling_frequency != 0) {
    return false;
  }
  return writer_->GetFileSize() <= options_.max_trace_file_size;
}

template <class Encode>
void QueryTracer::Record(TraceType type, TraceFilterType kind,
                         const Encode& encode) {
  const uint64_t now = clock_->NowMicros();
  MutexLock lock(&mutex_);
  if (!IsWanted(kind)) return;
  std::string payload;
  encode(&payload);
  Append(now, type, payload);
}

void QueryTracer::Write(const Slice& batch) {
  Record(kTraceWrite, kTraceFilterWrite, [&](std::string* payload) {
    PutFieldMap(payload, {TraceField::kBatch});
    PutVarint32(payload, static_cast<uint32_t>(batch.size()));
    // A sequence in the batch is from an earlier write or from this database's
    // log: a replay cannot use it, so the trace gets 0.
    payload->append(sizeof(uint64_t), '\0');
    payload->append(batch.data() + sizeof(uint64_t),
                    batch.size() - sizeof(uint64_t));
  });
}

void QueryTracer::Get(uint32_t family, const Slice& key) {
  Record(kTraceGet, kTraceFilterGet, [&](std::string* payload) {
    PutFieldMap(payload, {TraceField::kGetFamily, TraceField::kGetKey});
    PutFixed32(payload, family);
    PutLengthPrefixedSlice(payload, key);
  });
}

void QueryTracer::AppendLookup(uint32_t family, const Slice& key,
                               std::string* families, std::string* keys) {
  PutFixed32(families, family);
  PutLengthPrefixedSlice(keys, key);
}

void QueryTracer::RecordLookups(uint32_t count, const Slice& families,
                                const Slice& keys) {
  Record(kTraceMultiGet, kTraceFilterMultiGet, [&](std::string* payload) {
    PutFieldMap(payload, {TraceField::kKeyCount, TraceField::kKeyFamilies,
                          TraceField::kLookedUpKeys});
    PutFixed32(payload, count);
    PutLengthPrefixedSlice(payload, families);
    PutLengthPrefixedSlice(payload, keys);
  });
}

void QueryTracer::Seek(TraceType type, uint32_t family, const Slice& target,
                       const ReadOptions& options) {
  assert(type == kTraceIteratorSeek || type == kTraceIteratorSeekForPrev);
  const TraceFilterType kind = type == kTraceIteratorSeek
                                   ? kTraceFilterIteratorSeek
                                   : kTraceFilterIteratorSeekForPrev;
  const Slice* const lower = options.iterate_lower_bound;
  const Slice* const upper = options.iterate_upper_bound;
  Record(type, kind, [&](std::string* payload) {
    uint64_t map = TraceFieldBit(TraceField::kSeekFamily) |
                   TraceFieldBit(TraceField::kSeekKey);
    if (IsSetBound(lower)) map |= TraceFieldBit(TraceField::kLowerBound);
    if (IsSetBound(upper)) map |= TraceFieldBit(TraceField::kUpperBound);
    PutFixed64(payload, map);
    PutFixed32(payload, family);
    PutLengthPrefixedSlice(payload, target);
    if (IsSetBound(lower)) PutLengthPrefixedSlice(payload, *lower);
    if (IsSetBound(upper)) PutLengthPrefixedSlice(payload, *upper);
  });
}

}  // namespace ROCKSDB_NAMESPACE
