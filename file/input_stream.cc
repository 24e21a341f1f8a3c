#include "file/input_stream.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "monitoring/iostats_context_imp.h"
#include "monitoring/statistics_impl.h"
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
      range_end_(file_size_),
      max_window_bytes_(MaxWindow(options_, alignment_)),
      max_request_bytes_(
          AlignUp(std::max<size_t>(options_.max_request_bytes, 1), alignment_)),
      window_bytes_(std::min(kFirstWindowBytes, max_window_bytes_)) {
  INVARIANT(max_request_bytes_ > 0 && max_request_bytes_ % alignment_ == 0);
}

InputStream::~InputStream() = default;

Status InputStream::SetRange(uint64_t begin, uint64_t end) {
  if (begin > end || end > file_size_) {
    return Status::InvalidArgument(
        file_name_, "no such range: " + std::to_string(begin) + " to " +
                        std::to_string(end) + " of a file of " +
                        std::to_string(file_size_) + " bytes");
  }
  range_begin_ = begin;
  range_end_ = end;
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

Status InputStream::Read(uint64_t offset, size_t n, Slice* result) {
  assert(result != nullptr);
  if (n == 0) {
    *result = Slice();
    return Status::OK();
  }
  if (!IsInRange(offset, n)) return OutOfRange(offset, n);
  if (!Holds(offset, n)) {
    Status s = Fetch(offset, n);
    if (!s.ok()) return s;
  }
  assert(Holds(offset, n));
  expected_offset_ = offset + n;
  *result = Slice(buffer_ + (offset - buffer_offset_), n);
  return Status::OK();
}

void InputStream::AdaptWindow(uint64_t offset) {
  if (expected_offset_ == UINT64_MAX || offset < expected_offset_ ||
      offset - expected_offset_ >= window_bytes_) {
    window_bytes_ = std::min(kFirstWindowBytes, max_window_bytes_);
  } else {
    window_bytes_ = std::min(window_bytes_ * 2, max_window_bytes_);
  }
  assert(window_bytes_ % alignment_ == 0);
}

Status InputStream::Fetch(uint64_t offset, size_t n) {
  AdaptWindow(offset);
  const uint64_t begin = AlignDown(offset, alignment_);
  const uint64_t last = AlignUp(range_end_, alignment_);
  INVARIANT(begin <= last);
  const size_t needed =
      static_cast<size_t>(AlignUp(offset + n, alignment_) - begin);
  const size_t wanted = static_cast<size_t>(
      std::min<uint64_t>(std::max(needed, window_bytes_), last - begin));
  Restart(begin);
  ReserveBuffer(wanted, needed);
  INVARIANT(buffer_capacity_ >= std::min(needed, wanted));
  const size_t room = AlignDown(buffer_capacity_, alignment_);
  Status s = Fill(std::min(wanted, room));
  if (!s.ok() || Holds(offset, n)) return s;
  return Status::Corruption(file_name_,
                            "expected a block of " + std::to_string(n) +
                                " bytes at offset " + std::to_string(offset) +
                                ", but the file ends at " +
                                std::to_string(buffer_offset_ + buffer_size_));
}

void InputStream::Restart(uint64_t begin) {
  const uint64_t end = buffer_offset_ + buffer_size_;
  if (begin < buffer_offset_ || begin >= end) {
    buffer_size_ = 0;
  } else {
    const size_t passed = static_cast<size_t>(begin - buffer_offset_);
    buffer_size_ -= passed;
    memmove(buffer_, buffer_ + passed, buffer_size_);
  }
  buffer_offset_ = begin;
  assert(buffer_offset_ % alignment_ == 0);
}

void InputStream::MoveTo(char* buffer, size_t capacity) {
  INVARIANT(capacity >= buffer_size_);
  if (buffer_size_ > 0) memcpy(buffer, buffer_, buffer_size_);
  buffer_ = buffer;
  buffer_capacity_ = capacity;
}

void InputStream::ReserveBuffer(size_t wanted, size_t needed) {
  if (buffer_capacity_ >= wanted) return;
  if (needed <= BufferPool::kSlabBytes && alignment_ <= kMaxAlignment) {
    BufferLease larger = pool_->Acquire(wanted, this);
    const bool is_enough =
        larger.size() >= needed && larger.size() > buffer_capacity_;
    if (is_enough) {
      MoveTo(larger.data(), larger.size());
      lease_ = std::move(larger);
      dedicated_.Free();
      return;
    }
  }
  // The pool has no more, but what is there may do.
  if (buffer_capacity_ >= needed) return;
  AlignedBuffer own;
  own.Reserve(std::max(alignment_, kDefaultPageSize), needed);
  MoveTo(own.data(), own.capacity());
  dedicated_ = std::move(own);
  lease_.Reset();
}

Status InputStream::Fill(size_t target) {
  assert(target <= buffer_capacity_);
  while (buffer_size_ < target) {
    if (buffer_offset_ + buffer_size_ >= file_size_) break;
    // After a short direct read the last unit is read again.
    const size_t at = AlignDown(buffer_size_, alignment_);
    const size_t n = WaitForTokens(
        options_, std::min(target - at, max_request_bytes_), alignment_,
        options_.rate_limiter_priority, RateLimiter::OpType::kRead);
    size_t bytes = 0;
    IOStatus s = ReadChunk(buffer_offset_ + at, n, buffer_ + at, &bytes);
    if (!s.ok()) return s;
    INVARIANT(bytes <= n);
    if (at + bytes <= buffer_size_) break;
    buffer_size_ = at + bytes;
  }
  return Status::OK();
}

IOStatus InputStream::ReadChunk(uint64_t offset, size_t n, char* destination,
                                size_t* bytes) {
  assert(offset % alignment_ == 0 && n % alignment_ == 0);
  assert(reinterpret_cast<uintptr_t>(destination) % alignment_ == 0);
  const ReadTimer timer(options_, options_.io_options);
  IOSTATS_TIMER_GUARD(read_nanos);
  const FileOperation operation(options_, FileOperationType::kRead);
  Slice result;
  IOStatus s;
  for (int attempt = 0; attempt < kMaxRetries; ++attempt) {
    ++read_count_;
    s = file_->Read(offset, n, options_.io_options, &result, destination,
                    nullptr);
    if (!s.IsTryAgain() && !s.IsBusy()) break;
  }
  operation.Finish(file_name_, offset, s.ok() ? result.size() : n, s);
  if (!s.ok()) {
    return NameFile(s, file_name_, is_direct_ ? "direct read" : "read", offset,
                    n);
  }
  // A mapped file answers with memory of its own.
  if (!result.empty() && result.data() != destination) {
    memcpy(destination, result.data(), result.size());
  }
  *bytes = result.size();
  CountBytes(result.size());
  return s;
}

void InputStream::CountBytes(size_t bytes) {
  bytes_read_ += bytes;
  CountRead(options_, bytes);
  if (is_direct_) {
    RecordTick(options_.statistics, COMPACTION_DIRECT_READ_BYTES, bytes);
  }
}

}  // namespace ROCKSDB_NAMESPACE
