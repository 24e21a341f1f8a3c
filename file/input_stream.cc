#include "file/input_stream.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "monitoring/iostats_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kFirstWindowBytes = BufferPool::kChunkBytes;
constexpr size_t kMinWindowBytes = 64 << 10;
constexpr size_t kMaxAlignment = 64 << 10;
constexpr int kMaxRetries = 16;
static_assert(kMinWindowBytes <= kFirstWindowBytes);
static_assert(kMinWindowBytes % kMaxAlignment == 0);

size_t RequestAlignment(const FSRandomAccessFile& file) {
  if (!file.use_direct_io()) return 1;
  const size_t alignment = file.GetRequiredBufferAlignment();
  INVARIANT(IsPowerOfTwo(alignment));
  return alignment;
}

uint64_t SizeOf(FSRandomAccessFile* file, uint64_t known_size) {
  if (known_size > 0) return known_size;
  uint64_t size = 0;
  return file->GetFileSize(&size).ok() ? size : UINT64_MAX;
}

size_t MaxWindow(const InputStreamOptions& options, size_t alignment) {
  const size_t budget =
      options.readahead_bytes > 0 ? options.readahead_bytes : kFirstWindowBytes;
  return AlignUp(std::max(budget, kMinWindowBytes), alignment);
}

// It came from the page cache, and was finished from the beginning.
bool IsResident(const IoRequest& request) { return request.reads == nullptr; }

// It may be otherwise the next time.
bool IsPassing(const IOStatus& status) {
  return status.IsTryAgain() || status.IsBusy();
}

IoSource SourceOf(const InputStreamOptions& options) {
  IoSource source;
  source.backend = options.backend;
  source.io_class = options.io_class;
  source.fs = options.fs;
  source.governor = options.governor;
  source.pace = options.pace;
  source.options = options.io_options;
  return source;
}

}  // namespace

InputStream::InputStream(std::unique_ptr<FSRandomAccessFile> file,
                         std::string file_name, InputStreamOptions options)
    : file_(std::move(file)),
      file_name_(std::move(file_name)),
      options_(std::move(options)),
      is_direct_(file_->use_direct_io()),
      alignment_(RequestAlignment(*file_)),
      pool_(options_.pool != nullptr ? options_.pool : BufferPool::Default()),
      file_size_(SizeOf(file_.get(), options_.file_size)),
      source_(SourceOf(options_)),
      range_end_(file_size_),
      max_window_bytes_(MaxWindow(options_, alignment_)),
      max_request_bytes_(
          AlignUp(std::max<size_t>(options_.max_request_bytes, 1), alignment_)),
      window_bytes_(std::min(kFirstWindowBytes, max_window_bytes_)) {
  INVARIANT(max_request_bytes_ > 0 && max_request_bytes_ % alignment_ == 0);
  INVARIANT(source_.backend != IoBackend::kFileSystem || source_.fs != nullptr);
}

InputStream::~InputStream() { Drain(); }

uint64_t InputStream::LastAsked() const {
  return AlignUp(std::min(range_end_, end_of_file_), alignment_);
}

Status InputStream::SetRange(uint64_t begin, uint64_t end) {
  if (begin > end || end > file_size_) {
    return Status::InvalidArgument(
        file_name_, "no such range: " + std::to_string(begin) + " to " +
                        std::to_string(end) + " of a file of " +
                        std::to_string(file_size_) + " bytes");
  }
  range_begin_ = begin;
  range_end_ = end;
  // What is there was cut to the range before.
  Drain();
  begin_ = UINT64_MAX;
  ready_ = asked_ = 0;
  return Status::OK();
}

Status InputStream::OutOfRange(uint64_t offset, size_t n) const {
  assert(!IsInRange(offset, n));
  return Status::Corruption(
      file_name_, "block of " + std::to_string(n) + " bytes at offset " +
                      std::to_string(offset) + " is outside " +
                      std::to_string(range_begin_) + " to " +
                      std::to_string(range_end_));
}

Status InputStream::EndsEarly(uint64_t offset, size_t n) const {
  return Status::Corruption(
      file_name_, "expected a block of " + std::to_string(n) +
                      " bytes at offset " + std::to_string(offset) +
                      ", but the file ends at " + std::to_string(end_of_file_));
}

// ---- Reading ----

void InputStream::Start() {
  if (capacity_ > 0 || range_begin_ >= range_end_) return;
  Restart(range_begin_);
  Reserve(alignment_);
  AskNext(window_bytes_, Leave::kTry);
}

Status InputStream::ReadSlow(uint64_t offset, size_t n, Slice* result) {
  assert(result != nullptr);
  *result = Slice();
  if (n == 0) return Status::OK();
  if (!IsInRange(offset, n)) return OutOfRange(offset, n);
  Status s = PassTo(offset, n);
  if (s.ok()) s = AskAhead();
  while (s.ok() && !Holds(offset, n)) {
    if (requests_.empty()) {
      if (asked_ >= LastAsked()) return EndsEarly(offset, n);
      const uint64_t end = AlignUp(offset + n, alignment_);
      AskNext(std::max<size_t>(end - asked_, window_bytes_), Leave::kWait);
    }
    s = TakeOldest();
  }
  if (!s.ok()) return s;
  const size_t at = IndexOf(offset);
  const size_t front = std::min(n, capacity_ - at);
  *result = Slice(ring_ + at, n);
  if (front < n) {
    joined_.assign(ring_ + at, front);
    joined_.append(ring_, n - front);
    *result = joined_;
  }
  return Status::OK();
}

Status InputStream::PassTo(uint64_t offset, size_t n) {
  const bool follows = offset >= begin_ && offset <= asked_ && capacity_ > 0;
  if (!follows) {
    if (file_ == nullptr) {
      return Status::NotSupported(file_name_,
                                  "is read and closed, and offset " +
                                      std::to_string(offset) + " was passed");
    }
    Restart(offset);
  }
  const uint64_t begin = AlignDown(offset, alignment_);
  // What is passed before it has come stays the request's until then.
  while (begin > ready_ && !requests_.empty()) {
    if (Status s = TakeOldest(); !s.ok()) return s;
  }
  begin_ = begin;
  ready_ = std::max(ready_, begin_);
  asked_ = std::max(asked_, begin_);
  if (begin_ >= grow_at_ && window_bytes_ < max_window_bytes_) {
    window_bytes_ = std::min(window_bytes_ * 2, max_window_bytes_);
    grow_at_ = begin_ + window_bytes_ / 2;
  }
  Reserve(static_cast<size_t>(AlignUp(offset + n, alignment_) - begin_));
  pump_at_ = begin_ + RequestBytes();
  return Status::OK();
}

void InputStream::Restart(uint64_t offset) {
  Drain();
  begin_ = ready_ = asked_ = base_ = AlignDown(offset, alignment_);
  window_bytes_ = std::min(kFirstWindowBytes, max_window_bytes_);
  grow_at_ = begin_ + window_bytes_ / 2;
  pump_at_ = begin_;
}

void InputStream::Reserve(size_t needed) {
  const size_t last = static_cast<size_t>(std::min<uint64_t>(
      AlignUp(range_end_, alignment_) - begin_, SIZE_MAX / 2));
  // Twice is the most that the ring moves: to the first window, and to all.
  const size_t window =
      window_bytes_ > kFirstWindowBytes ? max_window_bytes_ : window_bytes_;
  const size_t wanted =
      std::min(std::max(needed, window), std::max(last, needed));
  if (capacity_ >= wanted) return;
  if (needed <= BufferPool::kSlabBytes && alignment_ <= kMaxAlignment) {
    BufferLease larger = pool_->Acquire(wanted, this);
    const size_t room = AlignDown(larger.size(), alignment_);
    if (room >= needed && room > capacity_) {
      MoveRing(larger.data(), room);
      lease_ = std::move(larger);
      dedicated_.Free();
      return;
    }
  }
  // The pool has no more, but what is there may do.
  if (capacity_ >= needed) return;
  AlignedBuffer own;
  own.Reserve(std::max(alignment_, kDefaultPageSize), needed);
  MoveRing(own.data(), AlignDown(own.capacity(), alignment_));
  dedicated_ = std::move(own);
  lease_.Reset();
}

void InputStream::MoveRing(char* ring, size_t capacity) {
  INVARIANT(capacity % alignment_ == 0);
  // Requests write where they were told to; their bytes come along. What
  // failed is asked for again, and fails then if it has to.
  while (!requests_.empty()) {
    if (!TakeOldest().ok()) break;
  }
  INVARIANT(requests_.empty());
  const size_t bytes = static_cast<size_t>(ready_ - begin_);
  INVARIANT(bytes <= capacity);
  if (bytes > 0) {
    const size_t at = IndexOf(begin_);
    const size_t front = std::min(bytes, capacity_ - at);
    memcpy(ring, ring_ + at, front);
    memcpy(ring + front, ring_, bytes - front);
  }
  ring_ = ring;
  capacity_ = capacity;
  base_ = begin_;
  INVARIANT(asked_ - begin_ <= capacity_);
}

// ---- Asking ----

Status InputStream::AskAhead() {
  const uint64_t last = LastAsked();
  while (file_ != nullptr && asked_ < last) {
    const uint64_t limit =
        std::min(last, begin_ + std::min(window_bytes_, capacity_));
    if (asked_ >= limit) break;
    const auto room = static_cast<size_t>(limit - asked_);
    // Many small requests cost more than they bring.
    if (room < RequestBytes() && limit < last) break;
    if (!AskNext(room, Leave::kTry)) break;
  }
  // What has come makes leave for others. A failure waits until the reader
  // gets there.
  IoLane::OfThisThread()->TakeInDone();
  while (!requests_.empty() && requests_.front().is_finished &&
         requests_.front().status.ok()) {
    if (Status s = TakeOldest(); !s.ok()) return s;
  }
  return Status::OK();
}

bool InputStream::AskNext(size_t wanted, Leave leave) {
  INVARIANT(file_ != nullptr && capacity_ > 0);
  const size_t at = IndexOf(asked_);
  const auto in_use = static_cast<size_t>(asked_ - begin_);
  const uint64_t last = LastAsked();
  INVARIANT(in_use < capacity_ && asked_ < last);
  wanted = std::min({wanted, max_request_bytes_, capacity_ - at,
                     capacity_ - in_use, static_cast<size_t>(last - asked_)});
  INVARIANT(wanted > 0);
  GetTokens(wanted);
  wanted = std::min(wanted, AlignDown(tokens_, alignment_));
  INVARIANT(wanted > 0);
  if (TakeResident(wanted)) return true;
  IoLane* lane = IoLane::OfThisThread();
  const size_t granted = leave == Leave::kWait
                             ? lane->Admit(source_, wanted, alignment_)
                             : lane->TryAdmit(source_, wanted, alignment_);
  if (granted == 0) return false;
  tokens_ -= std::min(tokens_, granted);
  IoRequest& request = requests_.emplace_back();
  request.source = &source_;
  request.reads = file_.get();
  request.offset = asked_;
  request.length = granted;
  request.buffer = ring_ + at;
  asked_ += granted;
  StartRequest(&request);
  return true;
}

bool InputStream::TakeResident(size_t wanted) {
  if (options_.resident == nullptr) return false;
  char* const out = ring_ + IndexOf(asked_);
  // The last unit may reach beyond the file.
  const auto there =
      static_cast<size_t>(std::min<uint64_t>(wanted, file_size_ - asked_));
  if (!options_.resident->ReadResident(asked_, there, out)) return false;
  tokens_ -= std::min(tokens_, wanted);
  // In its place behind those that are on their way.
  IoRequest& request = requests_.emplace_back();
  request.source = &source_;
  request.offset = asked_;
  request.length = wanted;
  request.done = there;
  request.is_finished = true;
  asked_ += wanted;
  return true;
}

void InputStream::GetTokens(size_t wanted) {
  if (tokens_ >= wanted) return;
  constexpr auto kRead = RateLimiter::OpType::kRead;
  const Env::IOPriority priority = options_.rate_limiter_priority;
  if (source_.governor != nullptr && IsLimited(options_, priority, kRead)) {
    IoLane::OfThisThread()->Settle();
  }
  tokens_ +=
      WaitForTokens(options_, wanted - tokens_, alignment_, priority, kRead);
}

void InputStream::StartRequest(IoRequest* request) {
  assert(request->offset % alignment_ == 0);
  assert(request->length % alignment_ == 0);
  assert(reinterpret_cast<uintptr_t>(request->buffer) % alignment_ == 0);
  ++read_count_;
  request->timeout = TimeoutNow();
  IoLane::OfThisThread()->Start(request);
}

std::chrono::microseconds InputStream::TimeoutNow() const {
  using std::chrono::microseconds;
  const microseconds timeout = source_.options.timeout;
  if (options_.deadline.count() == 0) return timeout;
  SystemClock* clock =
      options_.clock != nullptr ? options_.clock : SystemClock::Default().get();
  // 0 would be none.
  const microseconds left = std::max(
      options_.deadline - microseconds(clock->NowMicros()), microseconds(1));
  return timeout.count() == 0 ? left : std::min(timeout, left);
}

// ---- Taking in ----

Status InputStream::TakeOldest() {
  IoRequest& request = requests_.front();
  Status s = WaitFor(&request);
  if (s.ok()) s = FillHole(&request);
  if (!s.ok()) {
    // What was asked for behind it is asked for again, if at all.
    Drain();
    asked_ = ready_ = AlignDown(ready_, alignment_);
    INVARIANT(asked_ >= begin_);
    return s;
  }
  ready_ =
      std::min({request.offset + request.length, range_end_, end_of_file_});
  requests_.pop_front();
  NoteAllRead();
  return s;
}

Status InputStream::WaitFor(IoRequest* request) {
  if (IsResident(*request)) {
    RecordTick(options_.statistics, COMPACTION_RESIDENT_READ_BYTES,
               request->done);
    return Status::OK();
  }
  // What is measured is the wait: the rest costs the reader nothing.
  const ReadTimer timer(options_, options_.io_options);
  IOSTATS_TIMER_GUARD(read_nanos);
  const FileOperation operation(options_, FileOperationType::kRead);
  IoLane::OfThisThread()->Wait(request);
  if (request->status.ok()) CountBytes(request->done);
  if (IsPassing(request->status)) Reread(request, 0);
  const IOStatus& s = request->status;
  operation.Finish(file_name_, request->offset,
                   s.ok() ? request->done : request->length, s);
  return s.ok() ? Status::OK() : NameError(s, *request);
}

Status InputStream::NameError(const IOStatus& status,
                              const IoRequest& request) const {
  return NameFile(status, file_name_, is_direct_ ? "direct read" : "read",
                  request.offset, request.length);
}

// What a short read has left out, unless the file ends there.
Status InputStream::FillHole(IoRequest* request) {
  while (request->done < request->length) {
    const uint64_t end = request->offset + request->done;
    if (end >= std::min(file_size_, end_of_file_)) break;
    const size_t before = request->done;
    // A direct read goes on at the beginning of the last unit.
    Reread(request, AlignDown(before, alignment_));
    if (!request->status.ok()) return NameError(request->status, *request);
    if (request->done <= before) {
      request->done = before;
      end_of_file_ = end;
    }
  }
  return Status::OK();
}

// Reads from byte `from` of the request on, at once.
void InputStream::Reread(IoRequest* request, size_t from) {
  assert(from < request->length && from % alignment_ == 0);
  IoLane* lane = IoLane::OfThisThread();
  for (int i = 0; i < kMaxRetries; ++i) {
    IoRequest part;
    part.source = &source_;
    part.reads = file_.get();
    part.offset = request->offset + from;
    part.length = lane->Admit(source_, request->length - from, alignment_);
    part.buffer = request->buffer + from;
    StartRequest(&part);
    lane->Wait(&part);
    request->status = part.status;
    if (IsPassing(part.status)) continue;
    if (!part.status.ok()) return;
    CountBytes(part.done);
    request->done = from + part.done;
    return;
  }
}

void InputStream::NoteAllRead() {
  const bool is_all =
      requests_.empty() && asked_ >= LastAsked() && file_ != nullptr;
  if (!is_all || options_.on_all_read == nullptr) return;
  file_.reset();
  options_.on_all_read();
}

void InputStream::CountBytes(size_t bytes) {
  bytes_read_ += bytes;
  CountRead(options_, bytes);
  RecordInHistogram(options_.statistics, COMPACTION_PREFETCH_BYTES, bytes);
  if (is_direct_) {
    RecordTick(options_.statistics, COMPACTION_DIRECT_READ_BYTES, bytes);
  }
}

void InputStream::Drain() {
  while (!requests_.empty()) {
    IoLane::OfThisThread()->Wait(&requests_.front());
    requests_.pop_front();
  }
}

}  // namespace ROCKSDB_NAMESPACE
