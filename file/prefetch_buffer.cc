#include "file/prefetch_buffer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "file/planned_reads.h"
#include "file/prefetch_memory.h"
#include "monitoring/statistics_impl.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMaxReadaheadBytes = size_t{64} << 20;

// Short strings lie in the object.
size_t HeapBytesOf(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() : 0;
}

}  // namespace

PrefetchBuffer::PrefetchBuffer(const RandomAccessFileReader* file,
                               PrefetchOptions options)
    : file_(file),
      options_(options),
      scan_statistics_(options.reader == PrefetchReader::kScan
                           ? options.statistics
                           : nullptr),
      unit_(file->use_direct_io() ? file->alignment() : 1),
      next_readahead_(std::min(options.initial_auto_readahead_bytes,
                               options.max_auto_readahead_bytes)),
      memory_(std::make_unique<PrefetchMemory>(options.statistics)) {
  INVARIANT(IsPowerOfTwo(unit_));
  if (options_.fs != nullptr && !AsyncFileRead::IsLate(*file, options_.fs)) {
    options_.fs = nullptr;
  }
}

PrefetchBuffer::~PrefetchBuffer() {
  DropBack();
  Empty(&front());
}

void PrefetchBuffer::Plan(std::shared_ptr<PlannedReads> planned) {
  planned_ = std::move(planned);
}

// ---- The sequence ----

void PrefetchBuffer::StartSequence() {
  sequential_reads_ = 1;
  next_readahead_ = std::min(options_.initial_auto_readahead_bytes,
                             options_.max_auto_readahead_bytes);
}

void PrefetchBuffer::Resume(const ReadaheadProgress& progress) {
  assert(last_begin_ == UINT64_MAX);
  next_readahead_ =
      std::min(progress.next_bytes, options_.max_auto_readahead_bytes);
  sequential_reads_ = progress.sequential_reads;
  goes_down_ = progress.goes_down;
  is_resumed_ = true;
}

void PrefetchBuffer::NoteRead(uint64_t offset, size_t n) {
  assert(offset + n >= offset);
  const bool is_first = last_begin_ == UINT64_MAX;
  const bool is_up = !is_first && offset == last_end_;
  const bool is_down = !is_first && offset + n == last_begin_;
  if (is_resumed_ && is_first) {
    ++sequential_reads_;
  } else if (is_up || is_down) {
    // Turning about is a new sequence, of which this is the second read.
    if (is_down != goes_down_) StartSequence();
    goes_down_ = is_down;
    ++sequential_reads_;
  } else if (is_first || !front().Holds(offset, n)) {
    // A jump, unless it stays inside what has been read ahead.
    StartSequence();
    goes_down_ = false;
  }
  last_begin_ = offset;
  last_end_ = offset + n;
}

void PrefetchBuffer::NoteReadElsewhere(uint64_t offset, size_t n) {
  NoteRead(offset, n);
}

size_t PrefetchBuffer::ReadaheadFor(uint64_t offset, size_t n) const {
  size_t bytes = 0;
  if (options_.readahead_bytes > 0) {
    bytes = options_.readahead_bytes;
  } else if (sequential_reads_ > options_.reads_before_auto) {
    bytes = next_readahead_;
  }
  bytes = std::min(bytes, kMaxReadaheadBytes);
  const uint64_t end = offset + n;
  const uint64_t limit = std::min(options_.limit_offset, end_of_file_);
  const uint64_t room = goes_down_
                            ? offset - std::min(offset, options_.begin_offset)
                            : limit - std::min(end, limit);
  if (room < bytes) RecordTick(scan_statistics_, READAHEAD_TRIMMED);
  return static_cast<size_t>(std::min<uint64_t>(bytes, room));
}

void PrefetchBuffer::Grow() {
  next_readahead_ =
      std::min(next_readahead_ * 2, options_.max_auto_readahead_bytes);
}

// ---- Chunks ----

void PrefetchBuffer::Reserve(Chunk* chunk, size_t n) {
  chunk->memory.ReserveShortly(std::max(file_->alignment(), kDefaultPageSize),
                               n);
  assert(chunk->memory.capacity() >= n);
  CountMemory();
}

void PrefetchBuffer::CountMemory() {
  memory_->Set(front().memory.capacity() + back().memory.capacity() +
               HeapBytesOf(joined_) + HeapBytesOf(kept_));
}

void PrefetchBuffer::Empty(Chunk* chunk) {
  assert(!chunk->read.is_in_flight());
  assert(chunk->used_bytes <= chunk->bytes.size());
  const uint64_t discarded = chunk->bytes.size() - chunk->used_bytes;
  if (discarded > 0) {
    RecordInHistogram(options_.statistics, PREFETCHED_BYTES_DISCARDED,
                      discarded);
  }
  chunk->bytes = Slice();
  chunk->used_bytes = 0;
}

void PrefetchBuffer::Use(Chunk* chunk, size_t n) {
  // A block that is read again was counted before.
  const uint64_t left = chunk->bytes.size() - chunk->used_bytes;
  const uint64_t used = std::min<uint64_t>(n, left);
  chunk->used_bytes += used;
  RecordTick(scan_statistics_, PREFETCH_BYTES_USEFUL, used);
}

void PrefetchBuffer::TakeBack() {
  Chunk& chunk = back();
  if (!chunk.read.is_in_flight()) return;
  assert(chunk.bytes.empty());
  Slice bytes;
  const IOStatus s = chunk.read.Wait(&bytes);
  if (!s.ok()) {
    IgnoreError(s, "the block is read again, and its reader told");
    return;
  }
  Fill(&chunk, bytes, chunk_asked_);
}

void PrefetchBuffer::Fill(Chunk* chunk, const Slice& bytes, size_t asked) {
  INVARIANT(bytes.size() <= asked);
  chunk->bytes = bytes;
  if (bytes.size() < asked) end_of_file_ = chunk->end();
  RecordTick(scan_statistics_, PREFETCH_BYTES, bytes.size());
}

void PrefetchBuffer::DropBack() {
  back().read.Abort();
  Empty(&back());
}

bool PrefetchBuffer::Join(uint64_t offset, size_t n, Slice* result) {
  const bool is_front_low = front().begin <= offset;
  Chunk& low = is_front_low ? front() : back();
  Chunk& high = is_front_low ? back() : front();
  if (low.bytes.empty() || high.bytes.empty() || low.end() != high.begin) {
    return false;
  }
  if (offset < low.begin || offset >= low.end() || offset + n > high.end()) {
    return false;
  }
  const size_t head = static_cast<size_t>(low.end() - offset);
  assert(head < n);
  joined_.assign(low.bytes.data() + (offset - low.begin), head);
  joined_.append(high.bytes.data(), n - head);
  CountMemory();
  Use(&low, head);
  Use(&high, n - head);
  *result = joined_;
  return true;
}

bool PrefetchBuffer::Serve(uint64_t offset, size_t n, Slice* result) {
  if (front().Holds(offset, n)) [[likely]] {
    *result = Slice(front().bytes.data() + (offset - front().begin), n);
    Use(&front(), n);
    return true;
  }
  TakeBack();
  const bool is_whole = back().Holds(offset, n);
  if (!is_whole && !Join(offset, n, result)) return false;
  // The reader has left the front: the neighbour takes its place.
  Empty(&front());
  front_ = 1 - front_;
  assert(!front().bytes.empty());
  if (is_whole) {
    *result = Slice(front().bytes.data() + (offset - front().begin), n);
    Use(&front(), n);
  }
  return true;
}

PrefetchBuffer::Span PrefetchBuffer::Missing(uint64_t offset, size_t n,
                                             size_t ahead) const {
  const Chunk& held = chunks_[front_];
  Span span{.begin = offset, .end = offset + n};
  if (goes_down_) {
    span.begin -= ahead;
  } else {
    span.end += ahead;
  }
  span.begin = AlignDown(span.begin, unit_);
  span.end = AlignUp(span.end, unit_);
  // What the front has is not read again.
  if (!held.bytes.empty()) {
    const uint64_t last = offset + n;
    if (held.begin <= offset && offset < held.end()) {
      span.begin = held.end();
    } else if (goes_down_ && held.begin < last && last <= held.end()) {
      span.end = held.begin;
    }
  }
  assert(span.begin < span.end);
  return span;
}

// Copies to kept_ the part of the front that the current read begins or ends
// with; the rest of the front is lost.
void PrefetchBuffer::LendMemory(const Span& next) {
  Chunk& chunk = front();
  uint64_t begin = chunk.begin;
  uint64_t end = chunk.begin;
  if (next.begin == chunk.end()) {
    begin = std::clamp(last_begin_, chunk.begin, chunk.end());
    end = chunk.end();
  } else if (next.end == chunk.begin) {
    end = std::clamp(last_end_, chunk.begin, chunk.end());
  }
  const size_t n = static_cast<size_t>(end - begin);
  kept_.assign(chunk.bytes.data() + (begin - chunk.begin), n);
  CountMemory();
  const uint64_t unused = chunk.bytes.size() - chunk.used_bytes;
  const uint64_t kept_unused = std::min<uint64_t>(unused, n);
  chunk.used_bytes += kept_unused;
  Empty(&chunk);
  chunk.begin = begin;
  chunk.bytes = kept_;
  chunk.used_bytes = n - kept_unused;
  std::swap(chunk.memory, back().memory);
}

IOStatus PrefetchBuffer::ReadBack(const IOOptions& options, const Span& span) {
  DropBack();
  // Nothing is read while the front is in use: one memory does for both.
  if (options_.fs == nullptr) LendMemory(span);
  Chunk& chunk = back();
  Reserve(&chunk, span.size());
  Slice bytes;
  IOStatus s = file_->Read(options, span.begin, span.size(), &bytes,
                           chunk.memory.data(), &chunk.memory);
  if (!s.ok()) return s;
  chunk.begin = span.begin;
  Fill(&chunk, bytes, span.size());
  return s;
}

// Asks for the chunk that follows the front.
void PrefetchBuffer::ReadAhead(const IOOptions& options) {
  if (options_.fs == nullptr || goes_down_ || front().bytes.empty()) return;
  if (back().read.is_in_flight() || !back().bytes.empty()) return;
  const uint64_t begin = front().end();
  const size_t ahead = ReadaheadFor(begin, 0);
  if (ahead == 0) return;
  assert(begin % unit_ == 0);
  // Two chunks share what one read-ahead may hold.
  const size_t n =
      static_cast<size_t>(AlignUp(std::max<size_t>(ahead / 2, 1), unit_));
  Chunk& chunk = back();
  Reserve(&chunk, n);
  chunk.begin = begin;
  chunk_asked_ = n;
  if (chunk.read.Start({file_, options_.fs, options_.statistics}, options,
                       begin, n, chunk.memory.data())) {
    Grow();
  }
}

// ---- Calls ----

IOStatus PrefetchBuffer::Prefetch(const IOOptions& options, uint64_t offset,
                                  size_t n) {
  Empty(&front());
  IOStatus s = ReadBack(options, {.begin = AlignDown(offset, unit_),
                                  .end = AlignUp(offset + n, unit_)});
  if (s.ok()) front_ = 1 - front_;
  return s;
}

bool PrefetchBuffer::TryRead(const IOOptions& options, uint64_t offset,
                             size_t n, Slice* result) {
  assert(result != nullptr);
  assert(n > 0);
  if (planned_ != nullptr && planned_->TryRead(options, offset, n, result)) {
    return true;
  }
  NoteRead(offset, n);
  bool is_there = Serve(offset, n, result);
  if (is_there) {
    RecordTick(scan_statistics_, PREFETCH_HITS);
  } else {
    size_t ahead = ReadaheadFor(offset, n);
    if (ahead == 0) return false;
    if (options_.fs != nullptr) ahead = std::max<size_t>(ahead / 2, 1);
    const IOStatus s = ReadBack(options, Missing(offset, n, ahead));
    if (!s.ok()) {
      IgnoreError(s, "the caller reads by itself, and is told");
      return false;
    }
    Grow();
    is_there = Serve(offset, n, result);
  }
  if (is_there) ReadAhead(options);
  return is_there;
}

}  // namespace ROCKSDB_NAMESPACE
