#include "file/async_file_read.h"

#include <cassert>
#include <utility>
#include <vector>

#include "file/handed_read.h"
#include "file/io_helpers.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Adds the time of its scope to the ticker of submitting reads.
class SubmitTimer {
 public:
  SubmitTimer(SystemClock* clock, Statistics* statistics)
      : clock_(ShouldMeasureTime(statistics) ? clock : nullptr),
        statistics_(statistics),
        start_(clock_ != nullptr ? clock_->NowMicros() : 0) {}
  ~SubmitTimer() {
    if (clock_ == nullptr) return;
    RecordTick(statistics_, READ_ASYNC_MICROS, MicrosSince(clock_, start_));
  }
  SubmitTimer(const SubmitTimer&) = delete;
  SubmitTimer& operator=(const SubmitTimer&) = delete;

 private:
  SystemClock* const clock_;  // null: not measured
  Statistics* const statistics_;
  const uint64_t start_;
};

bool HasAsyncReads(FileSystem* fs) {
  int64_t supported = 0;
  fs->SupportedOps(supported);
  return (supported >> FSSupportedOps::kAsyncIO & int64_t{1}) != 0;
}

}  // namespace

bool AsyncFileRead::IsLate(const RandomAccessFileReader& file, FileSystem* fs) {
  return file.context().helpers != nullptr || HasAsyncReads(fs);
}

// By helpers only what the file system does not do itself.
IOStatus AsyncFileRead::Ask(const IOOptions& options) {
  IoHelpers* const helpers = source_.file->context().helpers.get();
  if (helpers == nullptr || HasAsyncReads(source_.fs)) {
    return source_.file->file()->ReadAsync(request_, options,
                                           &AsyncFileRead::OnDone, this,
                                           &handle_, &deleter_, nullptr);
  }
  handed_ =
      HandedRead::Start(helpers, {source_.file->file(), request_.offset,
                                  request_.len, request_.scratch, options});
  return IOStatus::OK();
}

bool AsyncFileRead::Start(const Source& source, const IOOptions& options,
                          uint64_t offset, size_t n, char* buffer) {
  INVARIANT(!is_in_flight_);
  INVARIANT(source.file != nullptr && source.fs != nullptr);
  assert(n > 0 && buffer != nullptr);
  // A limiter makes reads small and waits between them.
  const FileIoContext& context = source.file->context();
  if (IsLimited(context, options.rate_limiter_priority,
                RateLimiter::OpType::kRead)) {
    return false;
  }
  source_ = source;
  request_ = FSReadRequest();
  request_.offset = offset;
  request_.len = n;
  request_.scratch = buffer;
  has_answer_ = false;
  is_in_flight_ = true;
  watch_.emplace(context, options);
  IOStatus s;
  {
    const SubmitTimer timer(context.clock, source.statistics);
    s = Ask(options);
  }
  if (s.ok()) {
    using Answer = ReadWatch::Answer;
    watch_->NoteStarted(has_answer_ ? Answer::kThere : Answer::kLater);
    return true;
  }
  RecordTick(source.statistics, ASYNC_READ_ERROR_COUNT);
  RecordTick(source.statistics, FILE_SUBMIT_ASYNC_READ_FALLBACK);
  IgnoreError(s, "the reader asks again, and meets it there");
  Free();
  return false;
}

void AsyncFileRead::OnDone(FSReadRequest& answer, void* self) {
  auto* read = static_cast<AsyncFileRead*>(self);
  assert(read->is_in_flight_);
  read->request_.status = answer.status;
  read->request_.result = answer.result;
  read->request_.fs_scratch = std::move(answer.fs_scratch);
  read->has_answer_ = true;
}

IOStatus AsyncFileRead::AwaitAnswer() {
  assert(is_in_flight_);
  if (has_answer_) return IOStatus::OK();
  const StopWatch watch(source_.file->context().clock, source_.statistics,
                        POLL_WAIT_MICROS);
  if (handed_ != nullptr) {
    request_.status = handed_->Wait(&request_.result);
    has_answer_ = true;
    return IOStatus::OK();
  }
  std::vector<void*> handles{handle_};
  IOStatus s = source_.fs->Poll(handles, 1);
  if (s.ok() && !has_answer_) {
    s = IOStatus::IOError("a poll came back without the read");
  }
  // The buffer must be let go of before anybody uses it again.
  if (!has_answer_) {
    IgnoreError(source_.fs->AbortIO(handles), "the poll's error counts");
  }
  return s;
}

IOStatus AsyncFileRead::Wait(Slice* result) {
  INVARIANT(is_in_flight_);
  INVARIANT(watch_.has_value());
  watch_->NoteWait();
  IOStatus s = AwaitAnswer();
  if (s.ok()) s = request_.status;
  const RandomAccessFileReader& file = *source_.file;
  watch_->Finish(file.file_name(), request_.offset,
                 s.ok() ? request_.result.size() : request_.len, s);
  watch_.reset();
  if (s.ok()) {
    assert(request_.result.size() <= request_.len);
    *result = request_.result;
    CountRead(file.context(), result->size());
    RecordInHistogram(source_.statistics, ASYNC_READ_BYTES, result->size());
  } else {
    RecordTick(source_.statistics, ASYNC_READ_ERROR_COUNT);
    s = NameFile(s, file.file_name(), "asynchronous read", request_.offset,
                 request_.len);
  }
  Free();
  return s;
}

void AsyncFileRead::Abort() {
  if (!is_in_flight_) return;
  if (!has_answer_ && handed_ != nullptr) {
    const StopWatch watch(source_.file->context().clock, source_.statistics,
                          ASYNC_PREFETCH_ABORT_MICROS);
    handed_->Abort();
  }
  if (!has_answer_ && handle_ != nullptr) {
    const StopWatch watch(source_.file->context().clock, source_.statistics,
                          ASYNC_PREFETCH_ABORT_MICROS);
    std::vector<void*> handles{handle_};
    IgnoreError(source_.fs->AbortIO(handles), "nobody wants the bytes");
  }
  Free();
}

void AsyncFileRead::Free() {
  if (handle_ != nullptr && deleter_ != nullptr) deleter_(handle_);
  handle_ = nullptr;
  deleter_ = nullptr;
  handed_.reset();
  request_.status.PermitUncheckedError();
  if (watch_.has_value()) watch_->Cancel();
  watch_.reset();
  is_in_flight_ = false;
}

}  // namespace ROCKSDB_NAMESPACE
