#include "file/writable_file_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "env/job_threads.h"
#include "file/early_write_back.h"
#include "file/fresh_image.h"
#include "file/output_stream.h"
#include "file/write_timer.h"
#include "monitoring/iostats_context_imp.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The buffer starts small, since most files (logs that are flushed at each
// write) never need more, and stays within the second-level cache.
constexpr size_t kFirstBufferBytes = 64 << 10;
constexpr size_t kBufferLimitBytes = 256 << 10;
static_assert(kFirstBufferBytes <= kBufferLimitBytes);

size_t BufferLimit(const FileOptions& options, size_t alignment) {
  const size_t limit =
      std::min(options.writable_file_max_buffer_size, kBufferLimitBytes);
  return AlignUp(std::max(limit, alignment), alignment);
}

}  // namespace

WritableFileWriter::WritableFileWriter(std::unique_ptr<FSWritableFile> file,
                                       std::string file_name,
                                       const FileOptions& options,
                                       FileIoContext context)
    : file_(std::move(file)),
      file_name_(std::move(file_name)),
      context_(std::move(context)),
      is_direct_(file_->use_direct_io()),
      max_buffer_size_(BufferLimit(options, Alignment())),
      extends_size_(is_direct_ && options.allow_fallocate &&
                    !options.fallocate_with_keep_size),
      write_back_(
          EarlyWriteBack::Make(file_.get(), file_name_, options, context_)) {
  INVARIANT(max_buffer_size_ % Alignment() == 0);
  // A stream has calls of its own, to which no checksum can be handed.
  if (is_direct_ && context_.overlaps_writes && !context_.hands_checksums) {
    stream_ = std::make_unique<OutputStream>(file_.get(), file_name_, context_);
  }
  if (context_.checksum_factory != nullptr) {
    FileChecksumGenContext wanted;
    wanted.file_name = file_name_;
    checksum_ = context_.checksum_factory->CreateFileChecksumGenerator(wanted);
  }
  is_tapped_ = checksum_ != nullptr || context_.image != nullptr;
}

WritableFileWriter::~WritableFileWriter() {
  IgnoreError(Close(), "whoever wants to know closes first");
}

IOStatus WritableFileWriter::Create(FileSystem* fs,
                                    const std::string& file_name,
                                    const FileOptions& options,
                                    std::unique_ptr<WritableFileWriter>* result,
                                    FileIoContext context) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus s = fs->NewWritableFile(file_name, options, &file, nullptr);
  if (!s.ok()) return s;
  // To file systems that are only told this way.
  if (options.write_hint != Env::WLTH_NOT_SET) {
    file->SetWriteLifeTimeHint(options.write_hint);
  }
  *result = std::make_unique<WritableFileWriter>(std::move(file), file_name,
                                                 options, std::move(context));
  return s;
}

size_t WritableFileWriter::Alignment() const {
  return is_direct_ ? file_->GetRequiredBufferAlignment() : kDefaultPageSize;
}

IOStatus WritableFileWriter::Fail(IOStatus status) {
  assert(!status.ok());
  // A sync may fail beside the writer.
  MutexLock lock(&error_mutex_);
  if (first_error_.empty()) first_error_ = status.ToString();
  // release: pairs with the acquire in seen_error().
  seen_error_.store(true, std::memory_order_release);
  return status;
}

IOStatus WritableFileWriter::PriorError() const {
  assert(seen_error());
  MutexLock lock(&error_mutex_);
  return IOStatus::IOError(
      file_name_,
      "an earlier write or sync of this file failed: " + first_error_);
}

Env::IOPriority WritableFileWriter::Priority() const {
  const Env::IOPriority priority = context_.io_options.rate_limiter_priority;
  return priority != Env::IO_TOTAL ? priority : file_->GetIOPriority();
}

// ---- Appending ----

void WritableFileWriter::Tap(const Slice& data) {
  INVARIANT(is_tapped_);
  if (checksum_ != nullptr) checksum_->Update(data.data(), data.size());
  if (context_.image != nullptr) context_.image->Append(data);
}

IOStatus WritableFileWriter::AppendSlow(const Slice& data) {
  if (seen_error()) return PriorError();
  if (data.empty()) return IOStatus::OK();
  INVARIANT(file_ != nullptr);
  if (is_tapped_) Tap(data);
  GrowBuffer(data.size());
  IOStatus s = is_direct_ ? AppendDirect(data) : AppendBuffered(data);
  if (!s.ok()) return s;
  file_size_.store(GetFileSize() + data.size(), std::memory_order_relaxed);
  if (write_back_ != nullptr) s = write_back_->Advance(GetFlushedSize());
  return s.ok() ? s : Fail(s);
}

void WritableFileWriter::GrowBuffer(size_t n) {
  const size_t capacity = buffer_.capacity();
  if (n <= capacity - used_ || capacity == max_buffer_size_) return;
  size_t wanted = std::max(capacity * 2, kFirstBufferBytes);
  while (wanted < max_buffer_size_ && wanted - used_ < n) wanted *= 2;
  wanted = std::min(wanted, max_buffer_size_);
  const bool is_bulk = stream_ != nullptr;
  if (capacity == 0 && is_bulk) {
    buffer_.ReserveBulk(Alignment(), wanted);
  } else if (capacity == 0) {
    buffer_.Reserve(Alignment(), wanted);
  } else if (is_bulk) {
    buffer_.GrowBulk(wanted, used_);
  } else {
    buffer_.Grow(wanted, used_);
  }
  assert(buffer_.capacity() >= capacity && used_ <= buffer_.capacity());
}

void WritableFileWriter::CopyToBuffer(const char* data, size_t n) {
  assert(n <= buffer_.capacity() - used_);
  memcpy(buffer_.data() + used_, data, n);
  used_ += n;
}

IOStatus WritableFileWriter::AppendBuffered(const Slice& data) {
  assert(!is_direct_ && buffer_.capacity() > 0);
  if (data.size() > buffer_.capacity() - used_) {
    IOStatus s = WriteOut(false);
    if (!s.ok()) return s;
    assert(used_ == 0);
    // What would fill the buffer at once need not go through it.
    if (data.size() >= buffer_.capacity()) return WriteBuffered(data);
  }
  CopyToBuffer(data.data(), data.size());
  return IOStatus::OK();
}

IOStatus WritableFileWriter::AppendDirect(Slice data) {
  assert(is_direct_ && buffer_.capacity() % Alignment() == 0);
  while (!data.empty()) {
    const size_t n = std::min(data.size(), buffer_.capacity() - used_);
    CopyToBuffer(data.data(), n);
    data.remove_prefix(n);
    if (used_ < buffer_.capacity()) continue;
    IOStatus s = WriteOut(false);
    if (!s.ok()) return s;
    assert(used_ < buffer_.capacity());
  }
  return IOStatus::OK();
}

IOStatus WritableFileWriter::Pad(size_t pad_bytes) {
  static constexpr char kZeros[4096] = {};
  while (pad_bytes > 0) {
    const size_t n = std::min(pad_bytes, sizeof(kZeros));
    IOStatus s = Append(Slice(kZeros, n));
    if (!s.ok()) return s;
    pad_bytes -= n;
  }
  return IOStatus::OK();
}

// ---- Writing ----

IOStatus WritableFileWriter::WriteOut(bool with_tail) {
  // Others than bulk outputs may be written with a lock held.
  if (context_.governor != nullptr) JobThreads::GiveWay();
  if (is_direct_) return WriteDirect(with_tail);
  IOStatus s = WriteBuffered(Slice(buffer_.data(), used_));
  if (s.ok()) used_ = 0;
  return s;
}

IOStatus WritableFileWriter::HandOverChecked(const Slice& data,
                                             uint64_t offset) {
  const IOOptions& options = context_.io_options;
  char checksum[sizeof(uint32_t)];
  EncodeFixed32(checksum, crc32c::Value(data.data(), data.size()));
  const DataVerificationInfo info{.checksum =
                                      Slice(checksum, sizeof(checksum))};
  return is_direct_
             ? file_->PositionedAppend(data, offset, options, info, nullptr)
             : file_->Append(data, options, info, nullptr);
}

[[gnu::always_inline]] inline IOStatus WritableFileWriter::HandOver(
    const Slice& data, uint64_t offset) {
  if (context_.hands_checksums) return HandOverChecked(data, offset);
  const IOOptions& options = context_.io_options;
  return is_direct_ ? file_->PositionedAppend(data, offset, options, nullptr)
                    : file_->Append(data, options, nullptr);
}

IOStatus WritableFileWriter::WriteOnce(const Slice& data, uint64_t offset) {
  assert(!data.empty());
  {
    IOSTATS_TIMER_GUARD(prepare_write_nanos);
    file_->PrepareWrite(offset, data.size(), context_.io_options, nullptr);
  }
  IOSTATS_TIMER_GUARD(write_nanos);
  IOSTATS_CPU_TIMER_GUARD(cpu_write_nanos);
  const WriteTimer timer(context_);
  const FileOperation operation(context_, FileOperationType::kWrite);
  IOStatus s = HandOver(data, offset);
  operation.Finish(file_name_, offset, data.size(), s);
  is_sync_pending_ = true;
  if (!s.ok()) {
    return Fail(NameFile(s, file_name_, "write", offset, data.size()));
  }
  IOSTATS_ADD(bytes_written, data.size());
  return s;
}

IOStatus WritableFileWriter::WriteBuffered(Slice data) {
  assert(!is_direct_);
  uint64_t offset = GetFlushedSize();
  SettleIfLimited();
  while (!data.empty()) {
    const size_t n = WaitForTokens(context_, data.size(), 0, Priority(),
                                   RateLimiter::OpType::kWrite);
    IOStatus s = WriteOnce(Slice(data.data(), n), offset);
    if (!s.ok()) return s;
    data.remove_prefix(n);
    offset += n;
    // release: pairs with the acquire in GetFlushedSize().
    flushed_size_.store(offset, std::memory_order_release);
  }
  return IOStatus::OK();
}

IOStatus WritableFileWriter::WriteDirect(bool with_tail) {
  assert(tail_written_ <= used_);
  const size_t alignment = Alignment();
  const size_t whole = AlignDown(used_, alignment);
  const size_t bytes = with_tail ? AlignUp(used_, alignment) : whole;
  IOStatus s;
  if (bytes > 0 && used_ > tail_written_) {
    INVARIANT(bytes <= buffer_.capacity());
    INVARIANT(write_offset_ % alignment == 0);
    if (bytes > used_) memset(buffer_.data() + used_, 0, bytes - used_);
    s = stream_ != nullptr ? StreamUnits(bytes) : WriteUnits(bytes);
    if (!s.ok()) return s;
    physical_size_ = std::max(physical_size_, write_offset_ + bytes);
    used_ -= whole;
    write_offset_ += whole;
    tail_written_ = with_tail ? used_ : 0;
  }
  if (with_tail && stream_ != nullptr) s = DrainStream();
  if (!s.ok()) return s;
  if (stream_ == nullptr || with_tail) {
    // release: pairs with the acquire in GetFlushedSize().
    flushed_size_.store(write_offset_ + (with_tail ? used_ : 0),
                        std::memory_order_release);
  }
  return s;
}

// The first `bytes` of the buffer; what is behind the last whole unit becomes
// the buffer's beginning, since it is written again once it has grown.
IOStatus WritableFileWriter::WriteUnits(size_t bytes) {
  const size_t alignment = Alignment();
  for (size_t done = 0; done < bytes;) {
    const size_t n = WaitForTokens(context_, bytes - done, alignment,
                                   Priority(), RateLimiter::OpType::kWrite);
    INVARIANT(n % alignment == 0);
    IOStatus s =
        WriteOnce(Slice(buffer_.data() + done, n), write_offset_ + done);
    if (!s.ok()) return s;
    done += n;
  }
  const size_t whole = AlignDown(used_, alignment);
  memmove(buffer_.data(), buffer_.data() + whole, used_ - whole);
  return IOStatus::OK();
}

// The same, but the bytes are on their way in a buffer of their own.
IOStatus WritableFileWriter::StreamUnits(size_t bytes) {
  const size_t alignment = Alignment();
  SettleIfLimited();
  for (size_t done = 0; done < bytes;) {
    done += WaitForTokens(context_, bytes - done, alignment, Priority(),
                          RateLimiter::OpType::kWrite);
  }
  const size_t whole = AlignDown(used_, alignment);
  AlignedBuffer tail;
  if (used_ > whole) {
    tail.Reserve(alignment, used_ - whole);
    memcpy(tail.data(), buffer_.data() + whole, used_ - whole);
  }
  is_sync_pending_ = true;
  IOStatus s = stream_->Write(&buffer_, bytes, write_offset_);
  if (!s.ok()) return Fail(s);
  if (used_ > whole) memcpy(buffer_.data(), tail.data(), used_ - whole);
  return s;
}

void WritableFileWriter::SettleIfLimited() const {
  if (context_.governor != nullptr &&
      IsLimited(context_, Priority(), RateLimiter::OpType::kWrite)) {
    IoLane::OfThisThread()->Settle();
  }
}

IOStatus WritableFileWriter::DrainStream() {
  const IOStatus s = stream_->Drain();
  return s.ok() ? s : Fail(s);
}

IOStatus WritableFileWriter::Flush() {
  if (seen_error()) return PriorError();
  INVARIANT(file_ != nullptr);
  IOStatus s = WriteOut(true);
  if (!s.ok()) return s;
  INVARIANT(GetFlushedSize() == GetFileSize());
  const FileOperation operation(context_, FileOperationType::kFlush);
  s = file_->Flush(context_.io_options, nullptr);
  operation.Finish(file_name_, 0, 0, s);
  if (!s.ok()) return Fail(NameFile(s, file_name_, "flush", 0, 0));
  if (write_back_ != nullptr) s = write_back_->Finish(GetFlushedSize());
  return s.ok() ? s : Fail(s);
}

void WritableFileWriter::SetWriteBack(const FileOptions& options) {
  INVARIANT(file_ != nullptr);
  // It begins at the front once more: pages that are clean cost nothing.
  write_back_.reset();
  write_back_ =
      EarlyWriteBack::Make(file_.get(), file_name_, options, context_);
}

// ---- Syncing ----

// The writer may fail beside it.
IOStatus WritableFileWriter::SyncFile(bool use_fsync) {
  IOSTATS_TIMER_GUARD(fsync_nanos);
  const FileOperation operation(context_, use_fsync ? FileOperationType::kFsync
                                                    : FileOperationType::kSync);
  IOStatus s = use_fsync ? file_->Fsync(context_.io_options, nullptr)
                         : file_->Sync(context_.io_options, nullptr);
  operation.Finish(file_name_, 0, GetFlushedSize(), s);
  if (!s.ok()) {
    return Fail(NameFile(s, file_name_, "sync", 0, GetFlushedSize()));
  }
  return s;
}

IOStatus WritableFileWriter::TrimPadding() {
  const uint64_t size = GetFileSize();
  const bool has_more = physical_size_ > size || (extends_size_ && size > 0);
  if (!is_direct_ || !has_more || size == trimmed_size_) return IOStatus::OK();
  const FileOperation operation(context_, FileOperationType::kTruncate);
  IOStatus s = file_->Truncate(size, context_.io_options, nullptr);
  operation.Finish(file_name_, size, 0, s);
  if (!s.ok()) return Fail(NameFile(s, file_name_, "truncate", size, 0));
  physical_size_ = size;
  trimmed_size_ = size;
  is_sync_pending_ = true;
  return s;
}

// The padding goes before the sync, so that a durable file has its exact
// length: a table that is longer than the MANIFEST says would be corrupt.
IOStatus WritableFileWriter::Sync(bool use_fsync) {
  IOStatus s = Flush();
  if (s.ok()) s = TrimPadding();
  if (!s.ok() || !is_sync_pending_) return s;
  s = SyncFile(use_fsync);
  if (s.ok()) is_sync_pending_ = false;
  return s;
}

IOStatus WritableFileWriter::SyncWithoutFlush(bool use_fsync) {
  INVARIANT(file_ != nullptr);
  if (seen_error()) return PriorError();
  if (!file_->IsSyncThreadSafe()) {
    return IOStatus::NotSupported(file_name_,
                                  "cannot be synced beside its writer");
  }
  return SyncFile(use_fsync);
}

// ---- Closing ----

IOStatus WritableFileWriter::FinishFile() {
  if (seen_error()) return PriorError();
  IOStatus s = Flush();
  return s.ok() ? TrimPadding() : s;
}

IOStatus WritableFileWriter::CloseFile() {
  const FileOperation operation(context_, FileOperationType::kClose);
  IOStatus s = file_->Close(context_.io_options, nullptr);
  operation.Finish(file_name_, 0, 0, s);
  if (!s.ok()) return Fail(NameFile(s, file_name_, "close", 0, 0));
  return s;
}

IOStatus WritableFileWriter::Close() {
  if (file_ == nullptr) return IOStatus::OK();
  const IOStatus finished = FinishFile();
  // What is not synced is not with the device, and may not hold up the caller.
  if (context_.drops_written && !is_direct_ && !is_sync_pending_) {
    IgnoreError(file_->InvalidateCache(0, GetFileSize()),
                "what stays in the page cache does no harm");
  }
  // Nothing may be on its way into a file that is closed.
  stream_.reset();
  write_back_.reset();
  const IOStatus closed = CloseFile();
  assert(finished.ok() || seen_error());
  file_.reset();
  buffer_.Free();
  used_ = 0;
  if (checksum_ != nullptr && checksum_value_.empty()) {
    checksum_->Finalize();
    checksum_value_ = checksum_->GetChecksum();
  }
  return finished.ok() ? closed : finished;
}

std::string WritableFileWriter::GetFileChecksum() const {
  if (checksum_ == nullptr) return kUnknownFileChecksum;
  INVARIANT(file_ == nullptr);
  return checksum_value_;
}

const char* WritableFileWriter::GetFileChecksumFuncName() const {
  return checksum_ == nullptr ? kUnknownFileChecksumFuncName
                              : checksum_->Name();
}

}  // namespace ROCKSDB_NAMESPACE
