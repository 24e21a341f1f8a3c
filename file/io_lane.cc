#include "file/io_lane.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "env/async_writable_file.h"
#include "env/write_back_file.h"
#include "file/io_helpers.h"
#include "file/io_pace.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using AsyncWrite = AsyncWritableFile::Write;

// The time of day may be set while a request is under way.
uint64_t NowMicros() { return MonotonicMicros(SystemClock::Default().get()); }

// A mapped file, or one that keeps its bytes, answers with memory of its own.
void TakeResult(const Slice& result, IoRequest* request) {
  INVARIANT(result.size() <= request->length);
  if (!result.empty() && result.data() != request->buffer) {
    memcpy(request->buffer, result.data(), result.size());
  }
  request->done = result.size();
}

IOOptions OptionsOfRead(const IoRequest& request) {
  IOOptions options = request.source->options;
  if (request.timeout.count() != 0) options.timeout = request.timeout;
  return options;
}

}  // namespace

IoBackend BestReadBackend(FileSystem* fs) {
  INVARIANT(fs != nullptr);
  int64_t supported = 0;
  fs->SupportedOps(supported);
  const bool is_async =
      (supported >> FSSupportedOps::kAsyncIO & int64_t{1}) != 0;
  return is_async ? IoBackend::kFileSystem : IoBackend::kHelpers;
}

IoBackend BestWriteBackend(FSWritableFile* file) {
  INVARIANT(file != nullptr);
  return dynamic_cast<AsyncWritableFile*>(file) != nullptr
             ? IoBackend::kFileSystem
             : IoBackend::kHelpers;
}

IoBackend BestWriteBackBackend(FSWritableFile* file) {
  const auto* tells = dynamic_cast<WriteBackFile*>(file);
  if (tells == nullptr) return IoBackend::kInline;
  return tells->TellsWriteBack() ? IoBackend::kFileSystem : IoBackend::kHelpers;
}

IoLane::IoLane() = default;

IoLane::~IoLane() { INVARIANT(in_flight_.empty()); }

IoLane* IoLane::OfThisThread() {
  thread_local IoLane lane;
  return &lane;
}

// ---- Admission ----

bool IoLane::IsEarly(const IoSource& source) {
  INVARIANT(source.governor != nullptr);
  return source.pace != nullptr && source.governor->users_read() &&
         !source.pace->HasCredit();
}

size_t IoLane::TryAdmit(const IoSource& source, size_t wanted,
                        size_t alignment) {
  INVARIANT(wanted > 0);
  if (source.governor == nullptr) return wanted;
  if (IsEarly(source)) {
    TakeInDone();
    return 0;
  }
  size_t granted =
      source.governor->TryAdmit(source.io_class, wanted, alignment);
  if (granted == 0 && TakeInDone()) {
    granted = source.governor->TryAdmit(source.io_class, wanted, alignment);
  }
  if (granted > 0 && source.pace != nullptr) source.pace->Charge(granted);
  return granted;
}

size_t IoLane::Admit(const IoSource& source, size_t wanted, size_t alignment) {
  while (true) {
    size_t granted = TryAdmit(source, wanted, alignment);
    if (granted > 0) return granted;
    // A thread that waits for others must hold nothing that others wait for.
    if (!in_flight_.empty()) {
      TakeIn(in_flight_.front(), Patience::kWait);
      continue;
    }
    if (IsEarly(source)) {
      source.pace->WaitForCredit();
      continue;
    }
    granted = source.governor->Admit(source.io_class, wanted, alignment);
    if (source.pace != nullptr) source.pace->Charge(granted);
    return granted;
  }
}

// ---- Starting ----

void IoLane::Start(IoRequest* request) {
  INVARIANT(request->source != nullptr);
  INVARIANT(request->length > 0);
  INVARIANT((request->buffer == nullptr) == request->is_write_back);
  INVARIANT((request->reads != nullptr) != (request->writes != nullptr));
  request->status = IOStatus::OK();
  request->done = 0;
  request->is_finished = false;
  request->handle = nullptr;
  request->has_answer.store(false, std::memory_order_relaxed);
  request->start_micros = NowMicros();
  switch (request->source->backend) {
    case IoBackend::kFileSystem:
      return StartOnFileSystem(request);
    case IoBackend::kHelpers:
      return StartOnHelpers(request);
    case IoBackend::kInline:
      RunInline(request);
      return Finish(request, NowMicros() - request->start_micros);
  }
}

void IoLane::RunInline(IoRequest* request) {
  if (request->is_write_back) return RunWriteBack(request);
  if (request->reads != nullptr) {
    Slice result;
    request->status = request->reads->Read(request->offset, request->length,
                                           OptionsOfRead(*request), &result,
                                           request->buffer, nullptr);
    if (request->status.ok()) TakeResult(result, request);
    return;
  }
  request->status = request->writes->PositionedAppend(
      Slice(request->buffer, request->length), request->offset,
      request->source->options, nullptr);
  if (request->status.ok()) request->done = request->length;
}

void IoLane::RunWriteBack(IoRequest* request) {
  const uint64_t offset = request->offset;
  const size_t length = request->length;
  auto* file = dynamic_cast<WriteBackFile*>(request->writes);
  if (file == nullptr) {
    request->status = request->writes->RangeSync(
        offset, length, request->source->options, nullptr);
  } else {
    request->status = file->StartWriteBack(offset, length);
    if (request->status.ok()) {
      request->status = file->FinishWriteBack(offset, length);
    }
  }
  if (request->status.ok()) request->done = length;
}

void IoLane::StartOnHelpers(IoRequest* request) {
  if (helpers_ == nullptr) helpers_ = IoHelpers::Get();
  in_flight_.push_back(request);
  helpers_->Run([request] {
    RunInline(request);
    // release: pairs with the acquire in TakeIn().
    request->has_answer.store(true, std::memory_order_release);
  });
}

void IoLane::StartOnFileSystem(IoRequest* request) {
  if (request->is_write_back) {
    auto* file = dynamic_cast<WriteBackFile*>(request->writes);
    INVARIANT(file != nullptr);
    request->status = file->StartWriteBack(request->offset, request->length);
    if (!request->status.ok()) return Finish(request, 0);
    in_flight_.push_back(request);
    return;
  }
  if (request->writes != nullptr) {
    auto* file = dynamic_cast<AsyncWritableFile*>(request->writes);
    INVARIANT(file != nullptr);
    auto write = std::make_unique<AsyncWrite>();
    write->data = Slice(request->buffer, request->length);
    write->offset = request->offset;
    if (!file->Start(write.get())) {
      RunInline(request);
      return Finish(request, NowMicros() - request->start_micros);
    }
    request->handle = write.release();
    in_flight_.push_back(request);
    return;
  }
  FSReadRequest read;
  read.offset = request->offset;
  read.len = request->length;
  read.scratch = request->buffer;
  const auto on_done = [](FSReadRequest& answer, void* arg) {
    auto* own = static_cast<IoRequest*>(arg);
    own->status = answer.status;
    if (own->status.ok()) TakeResult(answer.result, own);
    own->has_answer.store(true, std::memory_order_relaxed);
  };
  const IOStatus s =
      request->reads->ReadAsync(read, OptionsOfRead(*request), on_done, request,
                                &request->handle, &request->deleter, nullptr);
  if (!s.ok()) request->status = s;
  if (!s.ok() || request->has_answer.load(std::memory_order_relaxed)) {
    // An answer at once was an ordinary call's.
    const uint64_t micros = NowMicros() - request->start_micros;
    return Finish(request, s.ok() ? micros : 0);
  }
  in_flight_.push_back(request);
}

// ---- Finishing ----

void IoLane::Finish(IoRequest* request, uint64_t device_micros) {
  if (request->handle != nullptr) {
    if (request->reads != nullptr) {
      if (request->deleter != nullptr) request->deleter(request->handle);
    } else {
      std::unique_ptr<AsyncWrite>(static_cast<AsyncWrite*>(request->handle))
          .reset();
    }
    request->handle = nullptr;
  }
  request->is_finished = true;
  if (request->source->governor != nullptr) {
    request->source->governor->Finish(request->source->io_class,
                                      request->length, device_micros);
  }
}

bool IoLane::PollWrite(IoRequest* request, Patience patience) {
  auto* write = static_cast<AsyncWrite*>(request->handle);
  auto* file = dynamic_cast<AsyncWritableFile*>(request->writes);
  const bool is_done = file->Finish(
      write, patience == Patience::kWait ? AsyncWritableFile::Patience::kWait
                                         : AsyncWritableFile::Patience::kNone);
  if (!is_done) return false;
  request->status = write->status;
  if (request->status.ok()) request->done = request->length;
  return true;
}

bool IoLane::PollWriteBack(IoRequest* request, Patience patience) {
  auto* file = dynamic_cast<WriteBackFile*>(request->writes);
  if (patience == Patience::kNone &&
      !file->IsWrittenBack(request->offset, request->length)) {
    return false;
  }
  request->status = file->FinishWriteBack(request->offset, request->length);
  if (request->status.ok()) request->done = request->length;
  return true;
}

bool IoLane::PollFileSystem(IoRequest* request, Patience patience) {
  if (request->is_write_back) return PollWriteBack(request, patience);
  if (request->writes != nullptr) return PollWrite(request, patience);
  // The answer may have come with that of another.
  if (request->has_answer.load(std::memory_order_relaxed)) return true;
  FileSystem* fs = request->source->fs;
  poll_.assign(1, request->handle);
  IOStatus s = fs->Poll(poll_, patience == Patience::kWait ? 1 : 0);
  if (request->has_answer.load(std::memory_order_relaxed)) return true;
  if (s.ok() && patience == Patience::kNone) return false;
  if (s.ok()) s = IOStatus::IOError("a poll came back without the read");
  // The buffer must be let go of before anybody reads the status.
  IgnoreError(fs->AbortIO(poll_), "the poll's error counts");
  request->status = s;
  request->done = 0;
  return true;
}

bool IoLane::TakeIn(IoRequest* request, Patience patience) {
  if (request->is_finished) return true;
  const auto place = std::find(in_flight_.begin(), in_flight_.end(), request);
  INVARIANT(place != in_flight_.end());
  bool had_to_wait = false;
  if (request->source->backend == IoBackend::kHelpers) {
    // acquire: pairs with the release of the helper.
    if (!request->has_answer.load(std::memory_order_acquire)) {
      if (patience == Patience::kNone) return false;
      had_to_wait = true;
      helpers_->WaitFor(request->has_answer);
    }
  } else if (!PollFileSystem(request, Patience::kNone)) {
    if (patience == Patience::kNone) return false;
    had_to_wait = true;
    const bool is_done = PollFileSystem(request, Patience::kWait);
    INVARIANT(is_done);
  }
  in_flight_.erase(place);
  // Only a thread that had to wait knows when the device was done.
  Finish(request, had_to_wait ? NowMicros() - request->start_micros : 0);
  return true;
}

bool IoLane::IsFinished(IoRequest* request) {
  return TakeIn(request, Patience::kNone);
}

void IoLane::Wait(IoRequest* request) { TakeIn(request, Patience::kWait); }

bool IoLane::TakeInDone() {
  bool took_any = false;
  for (size_t i = 0; i < in_flight_.size();) {
    // What is taken in leaves its place to the next.
    if (TakeIn(in_flight_[i], Patience::kNone)) {
      took_any = true;
    } else {
      ++i;
    }
  }
  return took_any;
}

void IoLane::Settle() {
  while (!in_flight_.empty()) TakeIn(in_flight_.front(), Patience::kWait);
}

}  // namespace ROCKSDB_NAMESPACE
