#include "file/planned_reads.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMaxSpanBytes = uint64_t{1} << 20;

}  // namespace

PlannedReads::PlannedReads(const RandomAccessFileReader* file,
                           const PlannedReadsOptions& options,
                           const std::vector<PlannedBlock>& blocks)
    : file_(file),
      options_(options),
      unit_(file->use_direct_io() ? file->alignment() : 1),
      // Two of them, the one in use and the next, should find room.
      max_span_bytes_(
          static_cast<size_t>(std::min(kMaxSpanBytes, options.max_bytes / 2))) {
  INVARIANT(IsPowerOfTwo(unit_));
  INVARIANT(options_.bytes_left != nullptr);
  for (const PlannedBlock& block : blocks) AddToSpans(block);
}

PlannedReads::~PlannedReads() {
  for (Span& span : spans_) LetGo(&span);
  assert(held_bytes_ == 0);
}

void PlannedReads::AddToSpans(const PlannedBlock& block) {
  assert(block.size > 0);
  const uint64_t begin = AlignDown(block.offset, unit_);
  const uint64_t end = AlignUp(block.offset + block.size, unit_);
  uint64_t gap = 0;
  bool joins = false;
  if (!spans_.empty()) {
    const Span& last = spans_.back();
    if (begin > last.end) gap = begin - last.end;
    if (end < last.begin) gap = last.begin - end;
    const uint64_t size = std::max(end, last.end) - std::min(begin, last.begin);
    joins = gap <= options_.coalesce_bytes && size <= max_span_bytes_;
  }
  if (!joins) {
    spans_.emplace_back();
    spans_.back().begin = begin;
    spans_.back().end = end;
  }
  const bool is_new =
      blocks_.try_emplace(block.offset, Block{block.size, spans_.size() - 1})
          .second;
  // A damaged index may name a block twice.
  if (!is_new) {
    if (!joins) spans_.pop_back();
    return;
  }
  if (joins && gap > 0) {
    RecordTick(options_.statistics, MULTISCAN_IO_COALESCED_NONADJACENT);
    PERF_COUNTER_ADD(multiscan_io_coalesced_nonadjacent, 1);
    if (options_.counts != nullptr) ++options_.counts->joined_over_gaps;
  }
  Span& span = spans_.back();
  span.begin = std::min(span.begin, begin);
  span.end = std::max(span.end, end);
  span.blocks.push_back(block.offset);
  assert(span.begin < span.end);
}

// ---- Fetching ----

// Room for what is needed now there is always.
bool PlannedReads::TakeRoom(const Span& span, Need need) {
  PrefetchRoom* const room = options_.room;
  if (need == Need::kNow) {
    if (room != nullptr) room->Acquire(span.size());
  } else {
    if (held_bytes_ + span.size() > options_.max_bytes ||
        static_cast<int64_t>(span.size()) > *options_.bytes_left) {
      return false;
    }
    if (room != nullptr && !room->TryAcquire(span.size())) {
      RecordTick(options_.statistics, PREFETCH_MEMORY_REQUESTS_BLOCKED);
      return false;
    }
  }
  held_bytes_ += span.size();
  *options_.bytes_left -= static_cast<int64_t>(span.size());
  return true;
}

void PlannedReads::Fetch(const IOOptions& options, Need need) {
  std::vector<Span*> together;
  while (next_ < spans_.size()) {
    Span& span = spans_[next_];
    if (!span.is_released && !TakeRoom(span, need)) break;
    ++next_;
    if (span.is_released) continue;
    need = Need::kLater;
    assert(!span.is_held);
    span.is_held = true;
    RecordTick(options_.statistics, MULTISCAN_IO_REQUESTS);
    PERF_COUNTER_ADD(multiscan_io_requests, 1);
    const bool is_started = StartRead(options, &span);
    if (!is_started) together.push_back(&span);
    if (options_.counts == nullptr) continue;
    ++(is_started ? options_.counts->async_reads : options_.counts->sync_reads);
  }
  if (!together.empty()) ReadTogether(options, std::move(together));
}

void PlannedReads::Reserve(Span* span) {
  span->memory = std::make_shared<Memory>(options_.statistics);
  AlignedBuffer* const buffer = &span->memory->buffer;
  buffer->Reserve(std::max(file_->alignment(), kDefaultPageSize), span->size());
  span->memory->count.Set(buffer->capacity());
}

bool PlannedReads::StartRead(const IOOptions& options, Span* span) {
  if (options_.fs == nullptr) return false;
  Reserve(span);
  return span->read.Start({file_, options_.fs, options_.statistics}, options,
                          span->begin, span->size(),
                          span->memory->buffer.data());
}

void PlannedReads::ReadTogether(const IOOptions& options,
                                std::vector<Span*> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span* a, const Span* b) { return a->begin < b->begin; });
  std::vector<FSReadRequest> requests(spans.size());
  // Direct reads share one buffer.
  auto shared = std::make_shared<Memory>(options_.statistics);
  for (size_t i = 0; i < spans.size(); ++i) {
    Span& span = *spans[i];
    requests[i].offset = span.begin;
    requests[i].len = span.size();
    if (file_->use_direct_io()) {
      span.memory = shared;
      continue;
    }
    Reserve(&span);
    requests[i].scratch = span.memory->buffer.data();
  }
  const IOStatus s = file_->MultiRead(options, requests.data(), requests.size(),
                                      &shared->buffer);
  shared->count.Set(shared->buffer.capacity());
  IgnoreError(s, "blocks are read again one by one, and their readers told");
  for (size_t i = 0; i < spans.size(); ++i) {
    if (s.ok() && requests[i].status.ok()) {
      Fill(spans[i], requests[i].result);
    } else {
      IgnoreError(requests[i].status, "as above");
    }
  }
}

void PlannedReads::Fill(Span* span, const Slice& bytes) {
  assert(span->is_held);
  assert(bytes.size() <= span->size());
  span->bytes = bytes;
  RecordTick(options_.statistics, MULTISCAN_PREFETCH_BYTES, bytes.size());
  RecordTick(options_.statistics, MULTISCAN_BLOCKS_PREFETCHED,
             span->blocks.size());
  PERF_COUNTER_ADD(multiscan_prefetch_bytes, bytes.size());
  PERF_COUNTER_ADD(multiscan_blocks_prefetched, span->blocks.size());
  if (options_.counts == nullptr) return;
  options_.counts->bytes += bytes.size();
  options_.counts->blocks += span->blocks.size();
}

// Waits for the span if it is under way.
void PlannedReads::Take(Span* span) {
  if (!span->read.is_in_flight()) return;
  Slice bytes;
  const IOStatus s = span->read.Wait(&bytes);
  if (!s.ok()) {
    IgnoreError(s, "blocks are read again one by one, and their readers told");
    return;
  }
  Fill(span, bytes);
}

void PlannedReads::LetGo(Span* span) {
  if (!span->is_held) return;
  const bool was_under_way = span->read.is_in_flight();
  span->read.Abort();
  if (was_under_way || !span->bytes.empty()) {
    const auto wasted = std::count_if(
        span->blocks.begin(), span->blocks.end(),
        [this](uint64_t offset) { return !blocks_.at(offset).was_used; });
    RecordTick(options_.statistics, MULTISCAN_PREFETCH_BLOCKS_WASTED,
               static_cast<uint64_t>(wasted));
  }
  const uint64_t read = span->bytes.size();
  const uint64_t discarded = read - std::min(read, span->used_bytes);
  if (discarded > 0) {
    RecordInHistogram(options_.statistics, PREFETCHED_BYTES_DISCARDED,
                      discarded);
  }
  span->is_held = false;
  span->bytes = Slice();
  span->memory.reset();
  held_bytes_ -= span->size();
  *options_.bytes_left += static_cast<int64_t>(span->size());
  if (options_.room != nullptr) options_.room->Release(span->size());
}

// ---- Calls ----

void PlannedReads::Start(const IOOptions& options) {
  Fetch(options, Need::kLater);
}

bool PlannedReads::TryRead(const IOOptions& options, uint64_t offset, size_t n,
                           Slice* result) {
  assert(result != nullptr);
  const auto found = blocks_.find(offset);
  if (found == blocks_.end() || found->second.size != n) return false;
  if (found->second.is_released) return false;
  const size_t index = found->second.span;
  if (index < first_) return false;
  for (; first_ < index; ++first_) LetGo(&spans_[first_]);
  if (next_ <= index) {
    next_ = index;
    Fetch(options, Need::kNow);
  } else if (options_.fs != nullptr) {
    Fetch(options, Need::kLater);
  }
  Span& span = spans_[index];
  assert(span.is_held);
  Take(&span);
  assert(offset >= span.begin);
  const size_t skip = static_cast<size_t>(offset - span.begin);
  if (span.bytes.size() < skip + n) return false;
  *result = Slice(span.bytes.data() + skip, n);
  if (!found->second.was_used) span.used_bytes += n;
  found->second.was_used = true;
  return true;
}

bool PlannedReads::IsFetched(uint64_t offset) const {
  const auto found = blocks_.find(offset);
  return found != blocks_.end() && !found->second.is_released &&
         spans_[found->second.span].is_held;
}

void PlannedReads::Release(uint64_t offset) {
  const auto found = blocks_.find(offset);
  if (found == blocks_.end()) return;
  found->second.is_released = true;
  Span& span = spans_[found->second.span];
  const bool is_done =
      std::all_of(span.blocks.begin(), span.blocks.end(),
                  [this](uint64_t one) { return blocks_.at(one).is_released; });
  if (!is_done) return;
  span.is_released = true;
  LetGo(&span);
}

}  // namespace ROCKSDB_NAMESPACE
