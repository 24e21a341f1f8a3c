#include "file/random_access_file_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>
#include <vector>

#include "file/read_watch.h"
#include "monitoring/iostats_context_imp.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The aligned units that cover one or more requests.
struct DirectSpan {
  uint64_t begin = 0;
  uint64_t end = 0;
  size_t buffer_offset = 0;
};

// What of `span`, read from `begin` on, lies in [offset, offset + n).
Slice Clip(const Slice& span, uint64_t begin, uint64_t offset, size_t n) {
  assert(begin <= offset);
  const size_t skip = static_cast<size_t>(offset - begin);
  assert(span.empty() || span.data() != nullptr);
  if (span.size() <= skip) return Slice();
  return Slice(span.data() + skip, std::min(n, span.size() - skip));
}

// A file system that keeps what it reads in memory of its own
// (FSSupportedOps::kFSBuffer) may do so though it was given a buffer. Callers
// let go of the requests, and that memory with them, before the bytes.
void MoveToScratch(FSReadRequest* requests, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    FSReadRequest& request = requests[i];
    if (request.fs_scratch == nullptr || request.scratch == nullptr) continue;
    if (!request.status.ok()) continue;
    const size_t n = std::min(request.result.size(), request.len);
    if (n > 0) memmove(request.scratch, request.result.data(), n);
    request.result = Slice(request.scratch, n);
    request.fs_scratch.reset();
  }
}

// The spans that cover `requests`, which are in ascending order.
std::vector<DirectSpan> CoverAll(const FSReadRequest* requests, size_t count,
                                 size_t alignment) {
  std::vector<DirectSpan> spans;
  for (size_t i = 0; i < count; ++i) {
    const FSReadRequest& request = requests[i];
    assert(i == 0 || request.offset >= requests[i - 1].offset);
    const uint64_t begin = AlignDown(request.offset, alignment);
    const uint64_t end = AlignUp(request.offset + request.len, alignment);
    if (!spans.empty() && begin <= spans.back().end) {
      spans.back().end = std::max(spans.back().end, end);
    } else {
      spans.push_back({.begin = begin, .end = end, .buffer_offset = 0});
    }
  }
  return spans;
}

}  // namespace

RandomAccessFileReader::RandomAccessFileReader(
    std::unique_ptr<FSRandomAccessFile> file, std::string file_name,
    FileIoContext context)
    : file_(std::move(file)),
      file_name_(std::move(file_name)),
      context_(std::move(context)),
      is_direct_(file_->use_direct_io()),
      alignment_(file_->GetRequiredBufferAlignment()) {
  INVARIANT(!is_direct_ || IsPowerOfTwo(alignment_));
}

IOStatus RandomAccessFileReader::Create(
    FileSystem* fs, const std::string& file_name, const FileOptions& options,
    std::unique_ptr<RandomAccessFileReader>* result, FileIoContext context) {
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus s = fs->NewRandomAccessFile(file_name, options, &file, nullptr);
  if (!s.ok()) return s;
  *result = std::make_unique<RandomAccessFileReader>(std::move(file), file_name,
                                                     std::move(context));
  return s;
}

bool RandomAccessFileReader::IsLimited(const IOOptions& options) const {
  return context_.rate_limiter != nullptr &&
         options.rate_limiter_priority != Env::IO_TOTAL &&
         context_.rate_limiter->IsRateLimited(RateLimiter::OpType::kRead);
}

IOStatus RandomAccessFileReader::ReadLimited(const IOOptions& options,
                                             uint64_t offset, size_t n,
                                             Slice* result,
                                             char* scratch) const {
  if (!IsLimited(options)) [[likely]] {
    return file_->Read(offset, n, options, result, scratch, nullptr);
  }
  size_t done = 0;
  assert(!is_direct_ || offset % alignment_ == 0);
  while (done < n) {
    const size_t granted = WaitForTokens(
        context_, n - done, is_direct_ ? alignment_ : 0,
        options.rate_limiter_priority, RateLimiter::OpType::kRead);
    Slice part;
    IOStatus s = file_->Read(offset + done, granted, options, &part,
                             scratch + done, nullptr);
    if (!s.ok()) return s;
    // A file may point into memory of its own, as a mapped one does.
    if (part.data() != scratch + done) {
      memcpy(scratch + done, part.data(), part.size());
    }
    done += part.size();
    if (part.size() < granted) break;
  }
  assert(done <= n);
  *result = Slice(scratch, done);
  return IOStatus::OK();
}

IOStatus RandomAccessFileReader::Read(const IOOptions& options, uint64_t offset,
                                      size_t n, Slice* result, char* scratch,
                                      AlignedBuf* aligned) const {
  assert(result != nullptr);
  if (n == 0) {
    *result = Slice();
    return IOStatus::OK();
  }
  const ReadWatch watch(context_, options);
  IOSTATS_TIMER_GUARD(read_nanos);
  IOSTATS_CPU_TIMER_GUARD(cpu_read_nanos);
  AlignedBuf own;
  IOStatus s = is_direct_ ? ReadDirect(options, offset, n, result,
                                       aligned != nullptr ? aligned : &own)
                          : ReadLimited(options, offset, n, result, scratch);
  watch.Finish(file_name_, offset, s.ok() ? result->size() : n, s);
  if (!s.ok()) {
    *result = Slice();
    return NameFile(s, file_name_, is_direct_ ? "direct read" : "read", offset,
                    n);
  }
  if (is_direct_ && aligned == nullptr && !result->empty()) {
    INVARIANT(scratch != nullptr);
    memcpy(scratch, result->data(), result->size());
    *result = Slice(scratch, result->size());
  }
  assert(result->size() <= n);
  CountRead(context_, result->size());
  return s;
}

IOStatus RandomAccessFileReader::ReadDirect(const IOOptions& options,
                                            uint64_t offset, size_t n,
                                            Slice* result,
                                            AlignedBuf* aligned) const {
  const uint64_t begin = AlignDown(offset, alignment_);
  const uint64_t end = AlignUp(offset + n, alignment_);
  INVARIANT(begin <= offset && offset + n <= end);
  const size_t length = static_cast<size_t>(end - begin);
  aligned->Reserve(alignment_, length);
  Slice span;
  IOStatus s = ReadLimited(options, begin, length, &span, aligned->data());
  if (s.ok()) *result = Clip(span, begin, offset, n);
  return s;
}

IOStatus RandomAccessFileReader::SubmitAll(const IOOptions& options,
                                           FSReadRequest* requests,
                                           size_t count) const {
  if (!IsLimited(options)) [[likely]] {
    IOStatus s = file_->MultiRead(requests, count, options, nullptr);
    if (s.ok()) MoveToScratch(requests, count);
    return s;
  }
  for (size_t i = 0; i < count; ++i) {
    requests[i].status =
        ReadLimited(options, requests[i].offset, requests[i].len,
                    &requests[i].result, requests[i].scratch);
  }
  return IOStatus::OK();
}

IOStatus RandomAccessFileReader::MultiReadDirect(const IOOptions& options,
                                                 FSReadRequest* requests,
                                                 size_t count,
                                                 AlignedBuf* aligned) const {
  INVARIANT(aligned != nullptr);
  std::vector<DirectSpan> spans = CoverAll(requests, count, alignment_);
  size_t total = 0;
  for (DirectSpan& span : spans) {
    span.buffer_offset = total;
    total += static_cast<size_t>(span.end - span.begin);
  }
  aligned->Reserve(alignment_, total);
  std::vector<FSReadRequest> reads(spans.size());
  for (size_t i = 0; i < spans.size(); ++i) {
    reads[i].offset = spans[i].begin;
    reads[i].len = static_cast<size_t>(spans[i].end - spans[i].begin);
    reads[i].scratch = aligned->data() + spans[i].buffer_offset;
  }
  IOStatus s = SubmitAll(options, reads.data(), reads.size());
  if (!s.ok()) return s;
  INVARIANT(reads.size() == spans.size() && !reads.empty());
  size_t span = 0;
  for (size_t i = 0; i < count; ++i) {
    FSReadRequest& request = requests[i];
    while (request.offset >= spans[span].end && span + 1 < spans.size()) {
      ++span;
    }
    request.status = reads[span].status;
    request.result = request.status.ok()
                         ? Clip(reads[span].result, spans[span].begin,
                                request.offset, request.len)
                         : Slice();
  }
  return s;
}

IOStatus RandomAccessFileReader::MultiRead(const IOOptions& options,
                                           FSReadRequest* requests,
                                           size_t count,
                                           AlignedBuf* aligned) const {
  if (count == 0) return IOStatus::OK();
  assert(requests != nullptr);
  const ReadWatch watch(context_, options);
  IOSTATS_TIMER_GUARD(read_nanos);
  IOSTATS_CPU_TIMER_GUARD(cpu_read_nanos);
  IOStatus s = is_direct_ ? MultiReadDirect(options, requests, count, aligned)
                          : SubmitAll(options, requests, count);
  if (!s.ok()) {
    watch.Finish(file_name_, requests[0].offset, requests[0].len, s);
    return NameFile(s, file_name_, "read", requests[0].offset, requests[0].len);
  }
  for (size_t i = 0; i < count; ++i) {
    FSReadRequest& request = requests[i];
    watch.Finish(file_name_, request.offset, request.result.size(),
                 request.status);
    if (request.status.ok()) {
      assert(request.result.size() <= request.len);
      CountRead(context_, request.result.size());
    } else {
      request.status = NameFile(request.status, file_name_, "read",
                                request.offset, request.len);
    }
  }
  return s;
}

IOStatus RandomAccessFileReader::Prefetch(const IOOptions& options,
                                          uint64_t offset, size_t n) const {
  return file_->Prefetch(offset, n, options, nullptr);
}

}  // namespace ROCKSDB_NAMESPACE
