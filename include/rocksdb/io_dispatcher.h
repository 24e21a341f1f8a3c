// Where scans of several ranges hand in what they will read
// (MultiScanArgs::io_dispatcher).
//
// A scan makes an IOJob of the blocks of one table file that it will come to,
// and reads through the ReadSet that the dispatcher answers with: blocks near
// each other by one read, as many ahead as there is room for. A dispatcher that
// is given to several scans is one limit for all.
//
// What a job consists of is the engine's own: an application makes dispatchers,
// counts what they do (TrackingIODispatcher), or derives one that hands the
// jobs, or some of them, on to another. A job that is refused, or gets no
// ReadSet, has the scan read block by block.
//
// Threads    A dispatcher: any, at once. A ReadSet: that of its scan; the
//            counts of both from any.
// Ownership  Shared. A ReadSet may outlive its scan; only its counts are then
//            still to be had.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Block;
class BlockBasedTable;
class Statistics;
struct BlockHandle;
template <class T>
class CachableEntry;

struct IODispatcherOptions {
  // Bytes that all scans together may hold, fetched ahead. What a scan needs at
  // once it has beside. Default: 0, no limit but each scan's own.
  size_t max_prefetch_memory_bytes = 0;
  // Counts what is fetched; must outlive the dispatcher. Null: that of each
  // scan's database does.
  Statistics* statistics = nullptr;
};

struct JobOptions {
  // Bytes between two blocks of one read that nobody asks for.
  uint64_t io_coalesce_threshold = 16 * 1024;
  ReadOptions read_options;
  // The blocks come in the order in which they lie in the file.
  bool block_handles_are_sorted = false;
};

class IOJob {
 public:
  IOJob();
  ~IOJob();

  // In the order in which they will be asked for.
  std::vector<BlockHandle> block_handles;
  BlockBasedTable* table = nullptr;
  JobOptions job_options;
};

class ReadSet {
 public:
  ReadSet() = default;
  ~ReadSet() = default;
  ReadSet(const ReadSet&) = delete;
  ReadSet& operator=(const ReadSet&) = delete;
  ReadSet(ReadSet&&) = delete;
  ReadSet& operator=(ReadSet&&) = delete;

  // The block with that place in the job's list: from the block cache, from
  // what is fetched, or read now. InvalidArgument: there is none, or it was
  // released. Aborted: the scan is over. Else the errors of reads.
  Status ReadIndex(size_t block_index, CachableEntry<Block>* out);
  // The block that begins at that offset of the file.
  Status ReadOffset(size_t offset, CachableEntry<Block>* out);
  // The block will not be asked for any more.
  void ReleaseBlock(size_t block_index);
  // Can it be had without a read?
  bool IsBlockAvailable(size_t block_index) const;

  // Reads that were waited for from their beginning, and those that went on
  // beside the scan.
  uint64_t GetNumSyncReads() const;
  uint64_t GetNumAsyncReads() const;
  // Blocks that the block cache had.
  uint64_t GetNumCacheHits() const;
  // Blocks, reads and bytes that were fetched ahead.
  uint64_t GetNumBlocksPrefetched() const;
  uint64_t GetNumIORequests() const;
  uint64_t GetPrefetchBytes() const;
  // Blocks that were read together with one before them, across a gap.
  uint64_t GetNumCoalescedNonadjacent() const;

 private:
  friend class ReadSetInternal;
  struct Rep;

  std::shared_ptr<Rep> rep_;  // null: of no job
};

class IODispatcher {
 public:
  virtual ~IODispatcher() = default;
  IODispatcher(const IODispatcher&) = delete;
  IODispatcher& operator=(const IODispatcher&) = delete;
  IODispatcher(IODispatcher&&) = delete;
  IODispatcher& operator=(IODispatcher&&) = delete;

  // Begins to fetch. InvalidArgument: a job that no scan made.
  virtual Status SubmitJob(const std::shared_ptr<IOJob>& job,
                           std::shared_ptr<ReadSet>* read_set) = 0;

 protected:
  IODispatcher() = default;
};

// The caller owns it.
IODispatcher* NewIODispatcher();
IODispatcher* NewIODispatcher(const IODispatcherOptions& options);

// Keeps every ReadSet that another dispatcher answers with, to be counted.
class TrackingIODispatcher : public IODispatcher {
 public:
  // Over one of its own.
  TrackingIODispatcher();
  // Over that one, which it owns.
  explicit TrackingIODispatcher(IODispatcher* impl);
  ~TrackingIODispatcher() override;

  Status SubmitJob(const std::shared_ptr<IOJob>& job,
                   std::shared_ptr<ReadSet>* read_set) override;

  // Not while jobs are handed in.
  const std::vector<std::shared_ptr<ReadSet>>& GetReadSets() const;
  uint64_t GetTotalSyncReads() const;
  uint64_t GetTotalAsyncReads() const;
  uint64_t GetTotalCacheHits() const;
  // Both kinds of reads.
  uint64_t GetTotalIOOperations() const;
  void ClearReadSets();

 private:
  struct Rep;

  const std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE
