#include "table/block_source.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "table/read_bits.h"
#include "table/scan_blocks.h"
#include "table/scan_job.h"
#include "util/ignore_error.h"
#include "util/key/whole_block.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// `block` is empty if it could not be had.
void TraceDataBlock(const TableParts& parts, const DataBlockRequest& request,
                    const BlockRef<Block>& block, bool is_hit) {
  const BlockAccess access{.kind = BlockKind::kData,
                           .offset = request.handle.offset,
                           .bytes = block ? block->memory_bytes() : 0,
                           .is_hit = is_hit};
  const BlockRequester* const requester = BlockRequesterScope::Current();
  if (requester != nullptr && !requester->sought_key.empty()) {
    TraceDataAccess(parts, *request.read, access, block.get(),
                    {.keys = &requester->sought_key, .count = 1});
  } else {
    TraceAccess(parts, *request.read, access);
  }
}

Status ReadDataBlock(const TableParts& parts, const DataBlockRequest& request,
                     BlockRef<Block>* result) {
  const ReadOptions& read = *request.read;
  if (read.read_tier == kBlockCacheTier) {
    return Status::Incomplete("a data block is not in the cache",
                              parts.file.name());
  }
  FetchOptions fetch{.read = &read,
                     .decompressor = parts.data_decompressor.get(),
                     .prefetch = request.prefetch};
  StoredForm stored;
  DataBlockRequest keeping = request;
  if (parts.cache.keeps_stored_forms() && request.lender == nullptr)
      [[unlikely]] {
    fetch.stored = &stored;
    keeping.stored = &stored;
  }
  BlockBytes bytes;
  Status s = parts.persistent != nullptr
                 ? FetchThrough(*parts.persistent, parts.file, request.handle,
                                fetch, &bytes)
                 : FetchBlock(parts.file, request.handle, fetch, &bytes);
  if (!s.ok()) return s;
  return KeepDataBlock(parts, keeping, std::move(bytes), result);
}

// Before others see the block.
void BeginTracking(const TableParts& parts, Block* block) {
  const uint32_t bytes_per_bit = parts.options->read_amp_bytes_per_bit;
  if (bytes_per_bit == 0 || parts.file.statistics == nullptr) return;
  block->TrackReads(bytes_per_bit);
  RecordTick(parts.file.statistics, READ_AMP_TOTAL_READ_BYTES, block->size());
}

}  // namespace

Status FindDataBlock(const TableParts& parts, const DataBlockRequest& request,
                     BlockRef<Block>* result) {
  assert(request.read != nullptr);
  const BlockHandle& handle = request.handle;
  if (parts.cache.is_enabled() && request.lender == nullptr) {
    BlockRef<Block> found = parts.cache.Lookup<Block>(handle.offset);
    if (found) {
      if (request.prefetch != nullptr) {
        request.prefetch->NoteReadElsewhere(handle.offset,
                                            handle.size + kBlockTrailerBytes);
      }
      if (parts.trace.is_on()) [[unlikely]]
        TraceDataBlock(parts, request, found, /*is_hit=*/true);
      // A damaged index may point two handles to one place.
      *result = std::move(found);
      return Status::OK();
    }
  }
  BlockRef<Block> loaded;
  Status s = ReadDataBlock(parts, request, &loaded);
  if (parts.trace.is_on() && request.lender == nullptr) [[unlikely]]
    TraceDataBlock(parts, request, loaded, /*is_hit=*/false);
  if (s.ok()) *result = std::move(loaded);
  return s;
}

Status KeepDataBlock(const TableParts& parts, const DataBlockRequest& request,
                     BlockBytes bytes, BlockRef<Block>* result) {
  const ReadOptions& read = *request.read;
  const BlockHandle& handle = request.handle;
  PERF_COUNTER_ADD(data_block_read_byte, handle.size);
  if (request.lender != nullptr) [[unlikely]] {
    std::unique_ptr<Block> block;
    Status s = LendBlock(parts.file, {handle, bytes}, request.lender, &block);
    if (!s.ok()) return s;
    BeginTracking(parts, block.get());
    *result = BlockRef<Block>::Owned(std::move(block));
    return s;
  }
  // What a mapped file holds needs no second copy, and dies with the mapping.
  const bool is_kept =
      parts.cache.is_enabled() && read.fill_cache && bytes.is_owned();
  const char* problem = nullptr;
  std::unique_ptr<Block> block =
      is_kept ? parts.cache.MakeDataBlock(std::move(bytes), &problem)
              : Block::Parse(std::move(bytes), &problem);
  if (block == nullptr) return parts.file.Corrupt(handle.offset, problem);
  assert(block->layout().restart_count > 0);
  BeginTracking(parts, block.get());
  *result = is_kept ? parts.cache.Insert(handle.offset, std::move(block),
                                         Cache::Priority::LOW, request.stored)
                    : BlockRef<Block>::Owned(std::move(block));
  assert(*result);
  return Status::OK();
}

void CountUse(const TableParts& parts, const Block& block,
              const BlockCursor& cursor) {
  ReadBits* const bits = block.read_bits();
  if (bits == nullptr) return;
  const BlockLayout& layout = block.layout();
  size_t fresh = bits->Mark(cursor.entry_begin(), cursor.entry_end());
  const Slice value = cursor.value();
  if (layout.is_separated && !value.empty()) {
    const size_t begin = static_cast<size_t>(value.data() - layout.data);
    fresh += bits->Mark(begin, begin + value.size());
  }
  if (fresh > 0) {
    RecordTick(parts.file.statistics, READ_AMP_ESTIMATE_USEFUL_BYTES, fresh);
  }
}

CachedBlocks::CachedBlocks(const TableParts& parts, const ReadOptions& read,
                           Cleanable* pins)
    : parts_(parts),
      read_(read),
      pins_(pins),
      pins_blocks_(read.pin_data),
      tracks_reads_(parts.options->read_amp_bytes_per_bit != 0),
      lender_(BlockLenderOf(read, parts.file)) {
  assert(pins != nullptr);
}

CachedBlocks::~CachedBlocks() = default;

void CachedBlocks::LetGo() {
  if (pins_blocks_ && block_) block_.MoveHoldTo(pins_);
  block_.Reset();
  assert(!block_);
}

PrefetchOptions CachedBlocks::ReadaheadOptions() const {
  const BlockBasedTableOptions& table = *parts_.options;
  PrefetchOptions options;
  options.readahead_bytes = read_.readahead_size;
  options.initial_auto_readahead_bytes = table.initial_auto_readahead_size;
  options.max_auto_readahead_bytes = table.max_auto_readahead_size;
  options.reads_before_auto = table.num_file_reads_for_auto_readahead;
  options.begin_offset = readahead_begin_;
  options.limit_offset = readahead_limit_;
  if (read_.async_io) options.fs = parts_.file.fs;
  options.statistics = parts_.file.statistics;
  return options;
}

PrefetchBuffer* CachedBlocks::Prefetch() {
  if (prefetch_ == nullptr) {
    prefetch_ = std::make_unique<PrefetchBuffer>(parts_.file.reader.get(),
                                                 ReadaheadOptions());
    if (first_.size > 0) {
      prefetch_->NoteReadElsewhere(first_.offset,
                                   first_.size + kBlockTrailerBytes);
    }
  }
  return prefetch_.get();
}

PrefetchBuffer* CachedBlocks::PrefetchForNext() {
  const bool is_read_alone =
      prefetch_ == nullptr && first_.size == 0 && read_.readahead_size == 0 &&
      parts_.options->num_file_reads_for_auto_readahead > 0;
  return is_read_alone ? nullptr : Prefetch();
}

ReadaheadProgress CachedBlocks::readahead_progress() const {
  if (prefetch_ != nullptr) return prefetch_->progress();
  if (first_.size == 0) return {};
  const PrefetchOptions options = ReadaheadOptions();
  return {.next_bytes = std::min(options.initial_auto_readahead_bytes,
                                 options.max_auto_readahead_bytes),
          .sequential_reads = 1,
          .goes_down = false};
}

void CachedBlocks::Prepare(const ScanPart& part, IndexCursor* index) {
  assert(index != nullptr);
  assert(!block_);
  if (prefetch_ != nullptr) prefetch_->Plan(nullptr);
  job_.reset();
  if (part.plan == nullptr || read_.read_tier == kBlockCacheTier) return;
  Statistics* const statistics = parts_.file.statistics;
  const StopWatch watch(parts_.file.clock, statistics,
                        MULTISCAN_PREPARE_MICROS);
  ScanBlocks blocks = FindScanBlocks(
      parts_, part, lender_ != nullptr ? BlockCacheView() : parts_.cache,
      index);
  RecordInHistogram(statistics, MULTISCAN_BLOCKS_PER_PREPARE,
                    blocks.missing.size());
  IOOptions io;
  Status s = IoOptionsOf(read_, parts_.file.clock, &io);
  if (!s.ok()) {
    IgnoreError(s, "the first read after it is told");
    return;
  }
  if (blocks.missing.empty()) return;
  job_ = ScanJob::Submit(parts_, read_, *part.plan, std::move(blocks));
  Prefetch()->Plan(job_->planned());
}

Status CachedBlocks::Load(const BlockHandle& handle,
                          const BlockLayout** layout) {
  PERF_TIMER_GUARD(new_table_block_iter_nanos);
  LetGo();
  NoteRead(handle);
  Status s = FindDataBlock(parts_,
                           {.read = &read_,
                            .handle = handle,
                            .prefetch = PrefetchForNext(),
                            .lender = lender_},
                           &block_);
  assert(s.ok() == static_cast<bool>(block_));
  if (!s.ok()) return s;
  if (prefetch_ == nullptr) first_ = handle;
  *layout = &block_->layout();
  return s;
}

Status StreamedBlocks::Load(const BlockHandle& handle,
                            const BlockLayout** layout) {
  Status s = CheckHandle(parts_.file, handle);
  if (!s.ok()) return s;
  Slice bytes;
  {
    const StopWatch watch(parts_.file.clock, parts_.file.statistics,
                          READ_BLOCK_COMPACTION_MICROS);
    s = data_->Read(handle.offset, handle.size + kBlockTrailerBytes, &bytes);
  }
  if (!s.ok()) return s;
  assert(bytes.size() == handle.size + kBlockTrailerBytes);
  PERF_COUNTER_ADD(block_read_count, 1);
  PERF_COUNTER_ADD(block_read_byte, bytes.size());
  if (verifies_) {
    s = CheckTrailer(parts_.file, handle, bytes.data());
    if (!s.ok()) return s;
  }
  const StoredBlock block{parts_.file, handle, bytes.data()};
  s = ExpandBlock(block, parts_.data_decompressor.get(), &expanded_, &raw_);
  if (!s.ok()) return s;
  if (const char* problem = layout_.Parse(raw_)) {
    return parts_.file.Corrupt(handle.offset, problem);
  }
  assert(layout_.data == raw_.data());
  stored_ = Slice(bytes.data(), handle.size);
  type_ = block.type();
  *layout = &layout_;
  return s;
}

bool StreamedBlocks::GetWholeBlock(const BlockCursor& cursor,
                                   WholeBlock* block) const {
  assert(cursor.Valid() && !stored_.empty());
  // Version 1 stored sizes otherwise.
  if (type_ == kNoCompression || parts_.file.footer.format_version < 2) {
    return false;
  }
  if (cursor.entry_begin() != 0 || cursor.entry_end() < layout_.entries_end) {
    return false;
  }
  *block = {.raw = raw_,
            .stored = stored_,
            .type = type_,
            .made_with = parts_.properties->compression_options};
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
