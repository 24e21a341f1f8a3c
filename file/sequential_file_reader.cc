#include "file/sequential_file_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "monitoring/iostats_context_imp.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

SequentialFileReader::SequentialFileReader(
    std::unique_ptr<FSSequentialFile> file, std::string file_name,
    size_t readahead_bytes, FileIoContext context)
    : file_(std::move(file)),
      file_name_(std::move(file_name)),
      context_(std::move(context)),
      is_direct_(file_->use_direct_io()),
      alignment_(is_direct_ ? file_->GetRequiredBufferAlignment()
                            : kDefaultPageSize),
      readahead_bytes_(AlignUp(readahead_bytes, alignment_)) {
  INVARIANT(IsPowerOfTwo(alignment_));
}

IOStatus SequentialFileReader::Create(
    FileSystem* fs, const std::string& file_name, const FileOptions& options,
    std::unique_ptr<SequentialFileReader>* result, size_t readahead_bytes) {
  std::unique_ptr<FSSequentialFile> file;
  IOStatus s = fs->NewSequentialFile(file_name, options, &file, nullptr);
  if (!s.ok()) return s;
  FileIoContext context;
  context.rate_limiter = options.rate_limiter;
  *result = std::make_unique<SequentialFileReader>(
      std::move(file), file_name, readahead_bytes, std::move(context));
  return s;
}

size_t SequentialFileReader::TakeBuffered(size_t n, char* destination) {
  const uint64_t end = buffer_offset_ + buffer_size_;
  if (position_ < buffer_offset_ || position_ >= end) return 0;
  const size_t begin = static_cast<size_t>(position_ - buffer_offset_);
  const size_t taken = std::min(n, buffer_size_ - begin);
  memcpy(destination, buffer_.data() + begin, taken);
  position_ += taken;
  assert(position_ <= end);
  return taken;
}

IOStatus SequentialFileReader::ReadOnce(uint64_t offset, size_t n,
                                        Slice* result, char* destination) {
  IOSTATS_TIMER_GUARD(read_nanos);
  const FileOperation operation(context_, FileOperationType::kRead);
  IOStatus s =
      is_direct_
          ? file_->PositionedRead(offset, n, context_.io_options, result,
                                  destination, nullptr)
          : file_->Read(n, context_.io_options, result, destination, nullptr);
  operation.Finish(file_name_, offset, s.ok() ? result->size() : n, s);
  if (!s.ok()) return NameFile(s, file_name_, "read", offset, n);
  assert(result->size() <= n);
  IOSTATS_ADD(bytes_read, result->size());
  if (!result->empty() && result->data() != destination) {
    memcpy(destination, result->data(), result->size());
    *result = Slice(destination, result->size());
  }
  return s;
}

// `n` bytes from the file's own position, which for a direct file is given by
// the buffer. Stops early only where the file ends.
IOStatus SequentialFileReader::ReadFile(size_t n, Env::IOPriority priority,
                                        Slice* result, char* destination) {
  const uint64_t offset = is_direct_ ? buffer_offset_ : position_;
  size_t done = 0;
  while (done < n) {
    const size_t granted =
        WaitForTokens(context_, n - done, is_direct_ ? alignment_ : 0, priority,
                      RateLimiter::OpType::kRead);
    Slice part;
    IOStatus s = ReadOnce(offset + done, granted, &part, destination + done);
    if (!s.ok()) return s;
    done += part.size();
    // A direct read that ends within a unit has met the end of the file.
    if (part.empty() || (is_direct_ && part.size() % alignment_ != 0)) break;
  }
  INVARIANT(done <= n);
  *result = Slice(destination, done);
  return IOStatus::OK();
}

IOStatus SequentialFileReader::FillBuffer(size_t at_least,
                                          Env::IOPriority priority) {
  buffer_offset_ = is_direct_ ? AlignDown(position_, alignment_) : position_;
  INVARIANT(position_ - buffer_offset_ < alignment_);
  buffer_size_ = 0;
  const uint64_t head = position_ - buffer_offset_;
  const size_t wanted = AlignUp(
      std::max(head + at_least, uint64_t{readahead_bytes_}), alignment_);
  buffer_.Reserve(alignment_, wanted);
  Slice bytes;
  IOStatus s = ReadFile(wanted, priority, &bytes, buffer_.data());
  if (s.ok()) buffer_size_ = bytes.size();
  return s;
}

IOStatus SequentialFileReader::Read(size_t n, Slice* result, char* scratch,
                                    Env::IOPriority priority) {
  assert(result != nullptr && (n == 0 || scratch != nullptr));
  size_t done = TakeBuffered(n, scratch);
  IOStatus s;
  if (done < n) {
    const size_t missing = n - done;
    if (!is_direct_ && missing >= readahead_bytes_) {
      // Nothing to gain from a buffer in between.
      Slice rest;
      s = ReadFile(missing, priority, &rest, scratch + done);
      if (s.ok()) {
        done += rest.size();
        position_ += rest.size();
      }
    } else {
      s = FillBuffer(missing, priority);
      if (s.ok()) done += TakeBuffered(missing, scratch + done);
    }
  }
  assert(done <= n);
  *result = s.ok() ? Slice(scratch, done) : Slice();
  return s;
}

IOStatus SequentialFileReader::Skip(uint64_t n) {
  const uint64_t end = buffer_offset_ + buffer_size_;
  const bool is_in_buffer = position_ >= buffer_offset_ && position_ < end;
  const uint64_t buffered = is_in_buffer ? end - position_ : 0;
  const uint64_t passed = is_direct_ ? n : std::min(n, buffered);
  position_ += passed;
  if (passed == n) return IOStatus::OK();
  // The file itself stands where the buffer ends.
  assert(!is_direct_ && position_ >= end);
  IOStatus s = file_->Skip(n - passed);
  if (!s.ok()) return NameFile(s, file_name_, "skip", position_, n - passed);
  position_ += n - passed;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
