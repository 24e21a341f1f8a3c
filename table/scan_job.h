// What a scan of several ranges tells the dispatcher of one table: the blocks
// that it will come to, and what it reads them through.
//
// Threads    That of the scan.
// Ownership  Borrows the open table and the plan; lets the ReadSet, which
//            others may keep, know when it is over.
// Errors     None: what a dispatcher refuses is read block by block.
#pragma once

#include <cstdint>
#include <memory>

#include "file/planned_reads.h"
#include "rocksdb/io_dispatcher.h"
#include "table/block.h"
#include "table/block_ref.h"
#include "table/scan_blocks.h"
#include "table/table_parts.h"
#include "util/key/scan_plan.h"

namespace ROCKSDB_NAMESPACE {

// A block that a ReadSet gave out.
template <class T>
class CachableEntry : public BlockRef<T> {};

// The table of a job, and the limits of its scan, as the engine's dispatcher
// finds them.
class BlockBasedTable {
 public:
  const TableParts* parts = nullptr;
  ScanPlan* plan = nullptr;
  uint64_t cached_count = 0;  // blocks that the scan need not read
};

// The engine's way into a ReadSet.
class ReadSetInternal {
 public:
  // Begins to read; `room` may be null.
  static std::shared_ptr<ReadSet> Begin(const IOJob& job,
                                        Statistics* statistics,
                                        std::shared_ptr<PrefetchRoom> room);
  // The scan is over.
  static void End(ReadSet* read_set);
  static std::shared_ptr<PlannedReads> Planned(const ReadSet& read_set);
};

class ScanJob {
 public:
  static std::unique_ptr<ScanJob> Submit(const TableParts& parts,
                                         const ReadOptions& read,
                                         ScanPlan& plan, ScanBlocks blocks);
  ScanJob(const TableParts& parts, ScanPlan& plan, uint64_t cached_count);
  ~ScanJob();
  ScanJob(const ScanJob&) = delete;
  ScanJob& operator=(const ScanJob&) = delete;

  // What is fetched; null: nothing.
  std::shared_ptr<PlannedReads> planned() const;

 private:
  BlockBasedTable table_;
  std::shared_ptr<ReadSet> reads_;  // null: the job was refused
};

}  // namespace ROCKSDB_NAMESPACE
