#include "file/prefetch_buffer.h"

#include <algorithm>
#include <cassert>

#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMaxReadaheadBytes = size_t{1} << 30;

}  // namespace

PrefetchBuffer::PrefetchBuffer(const RandomAccessFileReader* file,
                               PrefetchOptions options)
    : file_(file),
      options_(options),
      next_readahead_(std::min(options.initial_auto_readahead_bytes,
                               options.max_auto_readahead_bytes)) {
  INVARIANT(file_ != nullptr);
}

PrefetchBuffer::~PrefetchBuffer() { CountDiscarded(); }

void PrefetchBuffer::CountDiscarded() {
  assert(used_bytes_ <= contents_.size());
  const uint64_t discarded = contents_.size() - used_bytes_;
  if (discarded > 0) {
    RecordInHistogram(options_.statistics, PREFETCHED_BYTES_DISCARDED,
                      discarded);
  }
}

void PrefetchBuffer::NoteRead(uint64_t offset, size_t n) {
  if (offset == expected_offset_) {
    ++sequential_reads_;
  } else if (offset < expected_offset_ || expected_offset_ == UINT64_MAX ||
             !Holds(offset, n)) {
    // A jump, unless it stays inside what has been read ahead.
    sequential_reads_ = 1;
    next_readahead_ = std::min(options_.initial_auto_readahead_bytes,
                               options_.max_auto_readahead_bytes);
  }
  expected_offset_ = offset + n;
}

void PrefetchBuffer::NoteReadElsewhere(uint64_t offset, size_t n) {
  NoteRead(offset, n);
}

size_t PrefetchBuffer::ReadaheadFor(uint64_t offset, size_t n) const {
  size_t bytes = 0;
  if (options_.readahead_bytes > 0) {
    bytes = std::min(options_.readahead_bytes, kMaxReadaheadBytes);
  } else if (sequential_reads_ > options_.reads_before_auto) {
    bytes = std::min(next_readahead_, kMaxReadaheadBytes);
  }
  const uint64_t end = offset + n;
  assert(end >= offset);
  if (end >= options_.limit_offset) return 0;
  return static_cast<size_t>(
      std::min<uint64_t>(bytes, options_.limit_offset - end));
}

IOStatus PrefetchBuffer::Prefetch(const IOOptions& options, uint64_t offset,
                                  size_t n) {
  CountDiscarded();
  contents_ = Slice();
  used_bytes_ = 0;
  buffer_offset_ = offset;
  assert(!Holds(offset, 1));
  buffer_.Reserve(std::max(file_->alignment(), kDefaultPageSize), n);
  Slice bytes;
  IOStatus s =
      file_->Read(options, offset, n, &bytes, buffer_.data(), &buffer_);
  if (!s.ok()) return s;
  INVARIANT(bytes.size() <= n);
  contents_ = bytes;
  RecordTick(options_.statistics, PREFETCH_BYTES, bytes.size());
  return s;
}

bool PrefetchBuffer::TryRead(const IOOptions& options, uint64_t offset,
                             size_t n, Slice* result) {
  assert(result != nullptr);
  NoteRead(offset, n);
  if (Holds(offset, n)) {
    RecordTick(options_.statistics, PREFETCH_HITS);
    RecordTick(options_.statistics, PREFETCH_BYTES_USEFUL, n);
  } else {
    const size_t ahead = ReadaheadFor(offset, n);
    if (ahead == 0) return false;
    if (!Prefetch(options, offset, n + ahead).ok() || !Holds(offset, n)) {
      return false;
    }
    next_readahead_ =
        std::min(next_readahead_ * 2, options_.max_auto_readahead_bytes);
  }
  assert(Holds(offset, n) && expected_offset_ == offset + n);
  *result = Slice(contents_.data() + (offset - buffer_offset_), n);
  used_bytes_ = std::min<uint64_t>(used_bytes_ + n, contents_.size());
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
