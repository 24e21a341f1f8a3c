#include "table/block_batch.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "table/block_source.h"
#include "table/persistent_blocks.h"
#include "table/point_feed.h"
#include "table/point_lookup.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

BlockBatch::BlockBatch(const TableParts& parts,
                       const TableBatchOptions& options, TableLookup* lookups,
                       size_t count)
    : parts_(parts),
      read_(*options.read_options),
      filter_{.prefix_extractor = options.prefix_extractor},
      index_(parts, *options.read_options) {
  INVARIANT(count == 0 || lookups != nullptr);
  if (count == 0) return;
  lookup_ = lookups[0].lookup;
  Tell([&] {
    ProbeFilter(lookups, count);
    if (!left_.empty()) FindBlocks();
  });
}

template <class Step>
void BlockBatch::Tell(const Step& step) {
  if (!parts_.trace.is_on()) [[likely]]
    return step();
  const BlockRequester requester{
      .caller = kUserMultiGet,
      .lookup_id = lookup_->TraceId(parts_.trace.tracer()),
      .has_user_snapshot = read_.snapshot != nullptr};
  const BlockRequesterScope scope(requester);
  step();
}

void BlockBatch::ProbeFilter(TableLookup* lookups, size_t count) {
  left_.reserve(count);
  if (count > 1) {
    for (size_t i = 0; i < count; ++i) {
      filter_.PrefetchKey(parts_, lookups[i].internal_key);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    TableLookup& one = lookups[i];
    assert(one.lookup != nullptr);
    assert(i == 0 || parts_.order.Compare(lookups[i - 1].internal_key,
                                          one.internal_key) <= 0);
    if (one.is_fed) [[unlikely]]
      continue;
    bool may_match = true;
    one.status =
        filter_.MayMatchKey(parts_, read_, one.internal_key, &may_match);
    if (one.status.ok() && may_match) left_.push_back(&one);
  }
}

// For some lookups from there on.
void BlockBatch::FetchIndex(size_t begin) {
  const size_t count =
      std::min(left_.size() - begin, IndexBlock::kMostTogether);
  if (count < 2) return;
  std::array<Slice, IndexBlock::kMostTogether> targets;
  for (size_t i = 0; i < count; ++i) {
    targets[i] = left_[begin + i]->internal_key;
  }
  index_.Fetch(targets.data(), count);
}

void BlockBatch::FindBlocks() {
  const Status s = index_.Open();
  if (!s.ok()) {
    for (TableLookup* lookup : left_) lookup->status = s;
    return;
  }
  keys_.reserve(left_.size());
  blocks_.reserve(left_.size());
  for (size_t i = 0; i < left_.size(); ++i) {
    if (i % IndexBlock::kMostTogether == 0) FetchIndex(i);
    TableLookup* const lookup = left_[i];
    lookup->status = index_.Seek(lookup->internal_key);
    if (lookup->status.ok() && index_.Valid() &&
        !index_.BeginsBehind(ExtractUserKey(lookup->internal_key))) {
      WantBlock(lookup);
    }
  }
  assert(blocks_.size() <= keys_.size());
}

void BlockBatch::WantBlock(TableLookup* lookup) {
  const IndexCursor::Position position = index_.position();
  assert(keys_.empty() || keys_.back().position <= position);
  if (keys_.empty() || keys_.back().position != position) {
    WantedBlock wanted;
    wanted.handle = index_.handle();
    parts_.NoteRead(wanted.handle.offset);
    wanted.block = parts_.cache.Lookup<Block>(wanted.handle.offset);
    wanted.was_cached = static_cast<bool>(wanted.block);
    if (!wanted.block) {
      wanted.status = read_.read_tier == kBlockCacheTier
                          ? Status::Incomplete(
                                "a data block is not in the "
                                "cache",
                                parts_.file.name())
                          : CheckHandle(parts_.file, wanted.handle);
      if (wanted.status.ok() && !FindPersistent(&wanted)) ++missing_count_;
    }
    blocks_.push_back(std::move(wanted));
  }
  ++blocks_.back().key_count;
  keys_.push_back({lookup, position, blocks_.size() - 1});
}

bool BlockBatch::FindPersistent(WantedBlock* wanted) {
  if (parts_.persistent == nullptr) return false;
  const FetchOptions fetch{.read = &read_,
                           .decompressor = parts_.data_decompressor.get()};
  BlockBytes bytes;
  if (!parts_.persistent->Find(parts_.file, wanted->handle, fetch, &bytes)) {
    return false;
  }
  wanted->status =
      KeepDataBlock(parts_, {.read = &read_, .handle = wanted->handle},
                    std::move(bytes), &wanted->block);
  return true;
}

// ---- Reading ----

void BlockBatch::MakeSpans() {
  const RandomAccessFileReader& file = *parts_.file.reader;
  const size_t unit = file.use_direct_io() ? file.alignment() : 1;
  for (WantedBlock& wanted : blocks_) {
    if (wanted.block || !wanted.status.ok()) continue;
    const uint64_t begin = AlignDown(wanted.handle.offset, unit);
    const uint64_t end = AlignUp(wanted.handle.end_with_trailer(), unit);
    const bool extends = !spans_.empty() && begin >= spans_.back().begin &&
                         begin <= spans_.back().end;
    if (extends) {
      spans_.back().end = std::max(spans_.back().end, end);
    } else {
      Span span;
      span.begin = begin;
      span.end = end;
      spans_.push_back(std::move(span));
    }
    ++spans_.back().block_count;
    wanted.span = spans_.size() - 1;
  }
  assert(!spans_.empty());
  GiveBuffers(unit);
}

void BlockBatch::GiveBuffers(size_t unit) {
  const auto is_own = [unit](const Span& span) {
    return unit == 1 && span.block_count == 1;
  };
  size_t total = 0;
  for (const Span& span : spans_) {
    if (!is_own(span)) total += static_cast<size_t>(AlignUp(span.size(), unit));
  }
  if (total > 0) memory_.Reserve(std::max(unit, kDefaultPageSize), total);
  size_t used = 0;
  for (Span& span : spans_) {
    if (is_own(span)) {
      span.own = BlockMemory(span.size());
      span.buffer = span.own.get();
    } else {
      span.buffer = memory_.data() + used;
      used += static_cast<size_t>(AlignUp(span.size(), unit));
    }
  }
  assert(used == total);
}

void BlockBatch::Start() {
  if (missing_count_ == 0) return;
  MakeSpans();
  RecordInHistogram(parts_.file.statistics, MULTIGET_IO_BATCH_SIZE,
                    spans_.size());
  IOOptions io;
  io_status_ = IoOptionsOf(read_, parts_.file.clock, &io);
  if (io_status_.ok() && read_.async_io && parts_.file.fs != nullptr) {
    StartAsync(io);
  }
}

void BlockBatch::StartAsync(const IOOptions& io) {
  in_flight_ = std::make_unique<AsyncFileRead[]>(spans_.size());
  const AsyncFileRead::Source source{parts_.file.reader.get(), parts_.file.fs,
                                     parts_.file.statistics};
  for (size_t i = 0; i < spans_.size(); ++i) {
    const Span& span = spans_[i];
    if (in_flight_[i].Start(source, io, span.begin, span.size(), span.buffer)) {
      continue;
    }
    // Such reads are not to be had: all are made in Finish().
    in_flight_.reset();
    return;
  }
}

void BlockBatch::TakeAsync() {
  for (size_t i = 0; i < spans_.size(); ++i) {
    spans_[i].status = in_flight_[i].Wait(&spans_[i].bytes);
  }
}

void BlockBatch::ReadSpans(const IOOptions& io) {
  std::vector<FSReadRequest> requests(spans_.size());
  for (size_t i = 0; i < spans_.size(); ++i) {
    requests[i].offset = spans_[i].begin;
    requests[i].len = spans_[i].size();
    requests[i].scratch = spans_[i].buffer;
  }
  PERF_TIMER_GUARD(block_read_time);
  io_status_ = parts_.file.reader->MultiRead(io, requests.data(),
                                             requests.size(), &direct_memory_);
  if (!io_status_.ok()) return;
  for (size_t i = 0; i < spans_.size(); ++i) {
    spans_[i].status = requests[i].status;
    spans_[i].bytes = requests[i].result;
  }
}

Status BlockBatch::TakeBlock(WantedBlock* wanted) {
  Span& span = spans_[wanted->span];
  if (!io_status_.ok()) return io_status_;
  if (!span.status.ok()) return span.status;
  const BlockHandle& handle = wanted->handle;
  const size_t skip = static_cast<size_t>(handle.offset - span.begin);
  const size_t n = handle.size + kBlockTrailerBytes;
  if (span.bytes.size() < skip + n) {
    return parts_.file.Corrupt(
        handle.offset, "block is cut off: expected " + std::to_string(n) +
                           " bytes, the read has " +
                           std::to_string(span.bytes.size()) + " from " +
                           std::to_string(span.begin) + " on");
  }
  PERF_COUNTER_ADD(block_read_count, 1);
  PERF_COUNTER_ADD(block_read_byte, n);
  FetchOptions fetch{.read = &read_,
                     .decompressor = parts_.data_decompressor.get()};
  StoredForm form;
  if (parts_.cache.keeps_stored_forms()) [[unlikely]]
    fetch.stored = &form;
  const char* const stored = span.bytes.data() + skip;
  const bool fills = parts_.persistent != nullptr && read_.fill_cache;
  if (fills) parts_.persistent->KeepStored(parts_.file, handle, stored);
  BlockBytes bytes;
  Status s;
  if (span.own.get() != nullptr && span.bytes.data() == span.own.get()) {
    assert(skip == 0);
    s = AdoptStored(parts_.file, handle, fetch,
                    BlockBytes(std::move(span.own), span.bytes), &bytes);
  } else {
    s = TakeStored({parts_.file, handle, stored}, fetch, &bytes);
  }
  if (!s.ok()) return s;
  if (fills) parts_.persistent->KeepExpanded(handle, bytes.data());
  return KeepDataBlock(
      parts_, {.read = &read_, .handle = handle, .stored = fetch.stored},
      std::move(bytes), &wanted->block);
}

void BlockBatch::TakeBlocks() {
  for (WantedBlock& wanted : blocks_) {
    if (wanted.block || !wanted.status.ok()) continue;
    wanted.status = TakeBlock(&wanted);
    assert(wanted.status.ok() == static_cast<bool>(wanted.block));
  }
}

// ---- Feeding ----

void BlockBatch::Finish() {
  if (missing_count_ > 0) {
    if (in_flight_ != nullptr) {
      TakeAsync();
    } else if (io_status_.ok()) {
      IOOptions io;
      io_status_ = IoOptionsOf(read_, parts_.file.clock, &io);
      if (io_status_.ok()) ReadSpans(io);
    }
    TakeBlocks();
  }
  if (lookup_ == nullptr) return;
  Tell([this] {
    if (parts_.trace.is_on()) [[unlikely]]
      TraceBlocks();
    FeedKeys();
  });
}

// Keys are in order, and so are their blocks.
void BlockBatch::TraceBlocks() const {
  std::vector<Slice> sought;
  for (size_t key = 0; key < keys_.size();) {
    const size_t block = keys_[key].block;
    sought.clear();
    for (; key < keys_.size() && keys_[key].block == block; ++key) {
      sought.push_back(keys_[key].lookup->internal_key);
    }
    const WantedBlock& wanted = blocks_[block];
    TraceDataAccess(parts_, read_,
                    {.kind = BlockKind::kData,
                     .offset = wanted.handle.offset,
                     .bytes = wanted.block ? wanted.block->memory_bytes() : 0,
                     .is_hit = wanted.was_cached},
                    wanted.block.get(),
                    {.keys = sought.data(), .count = sought.size()});
  }
}

void BlockBatch::FeedKeys() {
  for (WantedKey& key : keys_) {
    WantedBlock& wanted = blocks_[key.block];
    TableLookup& one = *key.lookup;
    assert(wanted.key_count > 0);
    --wanted.key_count;
    if (one.is_fed) continue;
    if (!wanted.status.ok()) {
      one.status = wanted.status;
      continue;
    }
    // The last key takes the block; what the others find in it is copied.
    BlockRef<Block> first = wanted.key_count > 0
                                ? BlockRef<Block>::Borrowed(wanted.block.get())
                                : std::move(wanted.block);
    one.status = index_.MoveTo(key.position);
    if (!one.status.ok()) continue;
    one.status = FeedFromBlocks(
        parts_, {.read = &read_, .index = &index_, .filter = &filter_},
        std::move(first), one.internal_key, one.lookup);
  }
}

}  // namespace ROCKSDB_NAMESPACE
