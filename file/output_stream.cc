#include "file/output_stream.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "file/write_timer.h"
#include "monitoring/iostats_context_imp.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IoSource OutputSource(FSWritableFile* file, const FileIoContext& context) {
  IoSource source;
  source.backend = BestWriteBackend(file);
  source.io_class = context.io_class;
  source.governor = context.governor;
  source.pace = context.pace;
  source.options = context.io_options;
  return source;
}

}  // namespace

OutputStream::OutputStream(FSWritableFile* file, std::string file_name,
                           const FileIoContext& context)
    : file_(file),
      file_name_(std::move(file_name)),
      context_(context),
      alignment_(file->GetRequiredBufferAlignment()),
      source_(OutputSource(file, context)) {
  INVARIANT(file_->use_direct_io());
  INVARIANT(IsPowerOfTwo(alignment_));
}

OutputStream::~OutputStream() { TakeInAll(); }

IOStatus OutputStream::Write(AlignedBuffer* buffer, size_t bytes,
                             uint64_t offset) {
  INVARIANT(bytes % alignment_ == 0 && offset % alignment_ == 0);
  INVARIANT(bytes > 0 && bytes <= buffer->capacity());
  Flight& flight = flights_[next_];
  TakeIn(&flight);
  if (!status_.ok()) return status_;
  next_ = 1 - next_;
  const size_t capacity = buffer->capacity();
  std::swap(flight.buffer, *buffer);
  buffer->ReserveBulk(alignment_, capacity);
  IOSTATS_TIMER_GUARD(write_nanos);
  IOSTATS_CPU_TIMER_GUARD(cpu_write_nanos);
  const WriteTimer timer(context_);
  // No call of an ordinary file may run beside a helper's.
  if (source_.backend == IoBackend::kHelpers) TakeInAll();
  if (!status_.ok()) return status_;
  file_->PrepareWrite(offset, bytes, context_.io_options, nullptr);
  IoLane* lane = IoLane::OfThisThread();
  for (size_t done = 0; done < bytes;) {
    // Files without calls of their own take one write at a time.
    if (source_.backend == IoBackend::kHelpers) TakeInAll();
    if (!status_.ok()) return status_;
    IoRequest& request = flight.requests.emplace_back();
    request.source = &source_;
    request.writes = file_;
    request.offset = offset + done;
    request.buffer = flight.buffer.data() + done;
    request.length = lane->Admit(source_, bytes - done, alignment_);
    done += request.length;
    IOSTATS_ADD(bytes_written, request.length);
    lane->Start(&request);
  }
  return status_;
}

void OutputStream::TakeInRequest(IoRequest* request) {
  const FileOperation operation(context_, FileOperationType::kWrite);
  IoLane::OfThisThread()->Wait(request);
  operation.Finish(file_name_, request->offset, request->length,
                   request->status);
  if (!request->status.ok() && status_.ok()) {
    status_ = NameFile(request->status, file_name_, "write", request->offset,
                       request->length);
  }
  assert(!request->status.ok() || request->done == request->length);
}

void OutputStream::TakeIn(Flight* flight) {
  while (!flight->requests.empty()) {
    TakeInRequest(&flight->requests.front());
    flight->requests.pop_front();
  }
}

void OutputStream::TakeInAll() {
  // The older first, so that the first error is the one that stays.
  TakeIn(&flights_[next_]);
  TakeIn(&flights_[1 - next_]);
}

IOStatus OutputStream::Drain() {
  TakeInAll();
  return status_;
}

}  // namespace ROCKSDB_NAMESPACE
