// The reads of one job (rocksdb/io_dispatcher.h).
#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "file/async_file_read.h"
#include "file/prefetch_buffer.h"
#include "table/block_source.h"
#include "table/scan_job.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

struct ReadSet::Rep {
  const TableParts* parts = nullptr;  // null: the scan is over
  ReadOptions options;
  std::vector<BlockHandle> handles;
  std::vector<bool> is_released;
  std::shared_ptr<PrefetchRoom> room;  // outlives the reads
  std::shared_ptr<PlannedReads> planned;
  std::unique_ptr<PrefetchBuffer> buffer;  // made by the first Read()
  const std::shared_ptr<PlannedCounts> counts =
      std::make_shared<PlannedCounts>();
  std::atomic<uint64_t> cache_hits{0};

  Status Read(size_t index, BlockRef<Block>* result);
};

Status ReadSet::Rep::Read(size_t index, BlockRef<Block>* result) {
  const BlockHandle& handle = handles[index];
  ReadScopedBlockBufferProvider* const lender =
      BlockLenderOf(options, parts->file);
  const bool is_cached =
      lender == nullptr && parts->cache.Contains(handle.offset);
  if (is_cached) {
    ++cache_hits;
  } else if (!planned->IsFetched(handle.offset)) {
    ++counts->sync_reads;
  }
  if (buffer == nullptr) {
    buffer = std::make_unique<PrefetchBuffer>(parts->file.reader.get(),
                                              PrefetchOptions());
    buffer->Plan(planned);
  }
  return FindDataBlock(*parts,
                       {.read = &options,
                        .handle = handle,
                        .prefetch = buffer.get(),
                        .lender = lender},
                       result);
}

std::shared_ptr<ReadSet> ReadSetInternal::Begin(
    const IOJob& job, Statistics* statistics,
    std::shared_ptr<PrefetchRoom> room) {
  INVARIANT(job.table != nullptr && job.table->parts != nullptr);
  const BlockBasedTable& table = *job.table;
  auto rep = std::make_shared<ReadSet::Rep>();
  rep->parts = table.parts;
  rep->options = job.job_options.read_options;
  rep->handles = job.block_handles;
  rep->is_released.resize(rep->handles.size());
  rep->room = std::move(room);
  rep->cache_hits = table.cached_count;
  PlannedReadsOptions options;
  const TableFile& file = table.parts->file;
  const bool is_late =
      file.fs != nullptr && AsyncFileRead::IsLate(*file.reader, file.fs);
  if (job.job_options.read_options.async_io && is_late) options.fs = file.fs;
  options.statistics = statistics;
  options.coalesce_bytes = job.job_options.io_coalesce_threshold;
  options.max_bytes = table.plan->max_file_bytes;
  options.bytes_left = &table.plan->bytes_left;
  options.room = rep->room.get();
  options.counts = rep->counts;
  std::vector<PlannedBlock> blocks;
  for (const BlockHandle& handle : rep->handles) {
    blocks.push_back(
        {.offset = handle.offset, .size = handle.size + kBlockTrailerBytes});
  }
  rep->planned =
      std::make_shared<PlannedReads>(file.reader.get(), options, blocks);
  IOOptions io;
  Status s = IoOptionsOf(rep->options, file.clock, &io);
  if (s.ok()) {
    rep->planned->Start(io);
  } else {
    IgnoreError(s, "the first read after it is told");
  }
  auto reads = std::make_shared<ReadSet>();
  reads->rep_ = std::move(rep);
  return reads;
}

void ReadSetInternal::End(ReadSet* read_set) {
  INVARIANT(read_set != nullptr);
  if (read_set->rep_ == nullptr) return;
  ReadSet::Rep& rep = *read_set->rep_;
  rep.buffer.reset();
  rep.planned.reset();
  rep.room.reset();
  rep.parts = nullptr;
}

std::shared_ptr<PlannedReads> ReadSetInternal::Planned(
    const ReadSet& read_set) {
  return read_set.rep_ != nullptr ? read_set.rep_->planned : nullptr;
}

Status ReadSet::ReadIndex(size_t block_index, CachableEntry<Block>* out) {
  if (out == nullptr || rep_ == nullptr ||
      block_index >= rep_->handles.size()) {
    return Status::InvalidArgument("the job has no block",
                                   std::to_string(block_index));
  }
  if (rep_->is_released[block_index]) {
    return Status::InvalidArgument("the block was released",
                                   std::to_string(block_index));
  }
  if (rep_->parts == nullptr) return Status::Aborted("the scan is over");
  return rep_->Read(block_index, out);
}

Status ReadSet::ReadOffset(size_t offset, CachableEntry<Block>* out) {
  size_t index = SIZE_MAX;
  if (rep_ != nullptr) {
    const auto found = std::find_if(
        rep_->handles.begin(), rep_->handles.end(),
        [offset](const BlockHandle& one) { return one.offset == offset; });
    if (found != rep_->handles.end()) {
      index = static_cast<size_t>(found - rep_->handles.begin());
    }
  }
  if (index != SIZE_MAX) return ReadIndex(index, out);
  return Status::InvalidArgument("no block of the job begins at",
                                 std::to_string(offset));
}

void ReadSet::ReleaseBlock(size_t block_index) {
  if (rep_ == nullptr || block_index >= rep_->handles.size()) return;
  rep_->is_released[block_index] = true;
  if (rep_->planned == nullptr) return;
  rep_->planned->Release(rep_->handles[block_index].offset);
}

bool ReadSet::IsBlockAvailable(size_t block_index) const {
  if (rep_ == nullptr || rep_->parts == nullptr ||
      block_index >= rep_->handles.size() || rep_->is_released[block_index]) {
    return false;
  }
  const uint64_t offset = rep_->handles[block_index].offset;
  const bool is_lent =
      BlockLenderOf(rep_->options, rep_->parts->file) != nullptr;
  return rep_->planned->IsFetched(offset) ||
         (!is_lent && rep_->parts->cache.Contains(offset));
}

uint64_t ReadSet::GetNumSyncReads() const {
  return rep_ != nullptr ? rep_->counts->sync_reads.load() : 0;
}
uint64_t ReadSet::GetNumAsyncReads() const {
  return rep_ != nullptr ? rep_->counts->async_reads.load() : 0;
}
uint64_t ReadSet::GetNumCacheHits() const {
  return rep_ != nullptr ? rep_->cache_hits.load() : 0;
}
uint64_t ReadSet::GetNumBlocksPrefetched() const {
  return rep_ != nullptr ? rep_->counts->blocks.load() : 0;
}
uint64_t ReadSet::GetNumIORequests() const {
  return GetNumSyncReads() + GetNumAsyncReads();
}
uint64_t ReadSet::GetPrefetchBytes() const {
  return rep_ != nullptr ? rep_->counts->bytes.load() : 0;
}
uint64_t ReadSet::GetNumCoalescedNonadjacent() const {
  return rep_ != nullptr ? rep_->counts->joined_over_gaps.load() : 0;
}

}  // namespace ROCKSDB_NAMESPACE
