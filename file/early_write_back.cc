#include "file/early_write_back.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "file/aligned_buffer.h"
#include "monitoring/iostats_context_imp.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Not before the file is finished.
constexpr uint64_t kKeptEndBytes = 1 << 20;
constexpr uint64_t kAlignment = 4096;

// Where nobody waits: what is further behind the end has been written by then,
// or gets a second chance so much later.
constexpr uint64_t kDropStepBytes = 1 << 20;
constexpr uint64_t kDropDistanceBytes = 8 << 20;
static_assert(kDropDistanceBytes > kKeptEndBytes);

bool IsGoverned(const FileIoContext& context) {
  return context.governor != nullptr && context.overlaps_writes;
}

EarlyWriteBack::Steps StepsFor(FSWritableFile* file, const FileOptions& options,
                               const FileIoContext& context) {
  if (file->use_direct_io()) return {};
  if (options.bytes_per_sync > 0) {
    return {options.bytes_per_sync, options.strict_bytes_per_sync};
  }
  const bool tells_end = BestWriteBackBackend(file) != IoBackend::kInline;
  if (IsGoverned(context) && tells_end) return {IoGovernor::kMaxRequestBytes};
  if (context.drops_written) return {kDropStepBytes};
  return {};
}

IoSource WriteBackSource(FSWritableFile* file, const FileIoContext& context) {
  IoSource source;
  source.backend = BestWriteBackBackend(file);
  source.options = context.io_options;
  if (!IsGoverned(context)) return source;
  source.io_class = context.io_class;
  source.governor = context.governor;
  source.pace = context.pace;
  return source;
}

}  // namespace

std::unique_ptr<EarlyWriteBack> EarlyWriteBack::Make(
    FSWritableFile* file, const std::string& file_name,
    const FileOptions& options, const FileIoContext& context) {
  INVARIANT(file != nullptr);
  const Steps steps = StepsFor(file, options, context);
  if (steps.bytes == 0) return nullptr;
  return std::make_unique<EarlyWriteBack>(file, file_name, steps, context);
}

EarlyWriteBack::EarlyWriteBack(FSWritableFile* file, std::string file_name,
                               const Steps& steps, const FileIoContext& context)
    : file_(file),
      file_name_(std::move(file_name)),
      steps_(steps),
      context_(context),
      source_(WriteBackSource(file, context)) {
  INVARIANT(steps_.bytes > 0 && !file_->use_direct_io());
}

EarlyWriteBack::~EarlyWriteBack() { TakeInAll(); }

IOStatus EarlyWriteBack::Advance(uint64_t size) {
  if (size <= kKeptEndBytes) return status_;
  const uint64_t end = AlignDown(size - kKeptEndBytes, kAlignment);
  // It may be behind what Finish() has brought out.
  if (end < started_ || end - started_ < steps_.bytes) return status_;
  return Start(end);
}

IOStatus EarlyWriteBack::Finish(uint64_t size) {
  if (!is_governed()) return Advance(size);
  if (size == finished_) return Drain();
  assert(size >= started_);
  IgnoreError(Start(size), "Drain() tells");
  finished_ = size;
  // A page that is not full may be written again.
  started_ = AlignDown(started_, kAlignment);
  return Drain();
}

IOStatus EarlyWriteBack::Drain() {
  TakeInAll();
  return status_;
}

IOStatus EarlyWriteBack::Start(uint64_t end) {
  assert(end > started_);
  IOSTATS_TIMER_GUARD(range_sync_nanos);
  if (steps_.is_strict) {
    TakeInAll();
  } else {
    TakeInDone();
  }
  if (!is_governed()) StartUngoverned(end);
  while (is_governed() && status_.ok() && started_ < end) StartRequest(end);
  return status_;
}

void EarlyWriteBack::StartUngoverned(uint64_t end) {
  if (!status_.ok()) return;
  const uint64_t bytes = end - started_;
  const FileOperation operation(context_, FileOperationType::kRangeSync);
  const IOStatus s =
      file_->RangeSync(started_, bytes, source_.options, nullptr);
  operation.Finish(file_name_, started_, bytes, s);
  if (!s.ok()) {
    status_ = NameFile(s, file_name_, "range sync", started_, bytes);
    return;
  }
  assert(bytes > 0);
  started_ = end;
  if (end > kDropDistanceBytes) DropBefore(end - kDropDistanceBytes);
}

void EarlyWriteBack::StartRequest(uint64_t end) {
  IoLane* const lane = IoLane::OfThisThread();
  IoRequest& request = requests_.emplace_back();
  request.source = &source_;
  request.writes = file_;
  request.is_write_back = true;
  request.offset = started_;
  request.length = lane->Admit(source_, end - started_, kAlignment);
  INVARIANT(request.length > 0 && request.length <= end - started_);
  started_ += request.length;
  lane->Start(&request);
}

void EarlyWriteBack::TakeInDone() {
  IoLane* const lane = IoLane::OfThisThread();
  while (!requests_.empty() && lane->IsFinished(&requests_.front())) {
    TakeIn(&requests_.front());
    requests_.pop_front();
  }
}

void EarlyWriteBack::TakeInAll() {
  while (!requests_.empty()) {
    TakeIn(&requests_.front());
    requests_.pop_front();
  }
}

void EarlyWriteBack::TakeIn(IoRequest* request) {
  const FileOperation operation(context_, FileOperationType::kRangeSync);
  IoLane::OfThisThread()->Wait(request);
  assert(request->is_finished);
  operation.Finish(file_name_, request->offset, request->length,
                   request->status);
  if (!request->status.ok() && status_.ok()) {
    status_ = NameFile(request->status, file_name_, "range sync",
                       request->offset, request->length);
  }
  if (status_.ok()) DropBefore(request->offset + request->length);
}

// Only clean pages go. Where nobody has waited for the device, those that it
// did not have yet are tried once more.
void EarlyWriteBack::DropBefore(uint64_t end) {
  if (!context_.drops_written) return;
  const uint64_t again = is_governed() ? 0 : kDropDistanceBytes;
  const uint64_t begin = dropped_ - std::min(dropped_, again);
  dropped_ = AlignDown(end, kAlignment);
  if (dropped_ <= begin) return;
  IgnoreError(file_->InvalidateCache(begin, dropped_ - begin),
              "what stays in the page cache does no harm");
}

}  // namespace ROCKSDB_NAMESPACE
