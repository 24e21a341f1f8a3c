// One key range of a compaction: reads, applies the semantics, writes.
//
// Threads    Run() on any one thread; the rest after it has ended.
// Ownership  Borrows the plan; its output files belong to the job.
// Errors     No exception leaves Run().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/compaction/compaction_outputs.h"
#include "db/compaction/deeper_levels.h"
#include "db/read/compaction_iterator.h"
#include "db/version/job_context.h"

namespace ROCKSDB_NAMESPACE {

// What all sub-compactions of a job share.
struct SubCompactionPlan {
  const JobContext* job = nullptr;
  const Compaction* compaction = nullptr;
  const SnapshotStripes* stripes = nullptr;
  // Of all inputs; null: none.
  std::shared_ptr<const FragmentedTombstones> tombstones;
  ReadOptions read_options;
  BulkReadPolicy bulk;
  TableOutputRequest file;  // how output files are made
};

class SubCompaction {
 public:
  // User keys in [begin, end).
  SubCompaction(const SubCompactionPlan* plan, std::optional<std::string> begin,
                std::optional<std::string> end);

  void Run();

  const Status& status() const { return status_; }
  const CompactionIteratorStats& stats() const { return stats_; }
  // Finished files, also those of a failed run.
  std::vector<CompactionOutputs::File> files() const;
  uint64_t dropped_tombstones() const;
  uint64_t cpu_micros() const { return cpu_micros_; }

 private:
  Status Execute();
  Status MakeFilter();
  Status Copy(InternalIterator* input);
  std::shared_ptr<const FragmentedTombstones> OwnTombstones() const;

  const SubCompactionPlan* const plan_;
  const std::optional<std::string> begin_;
  const std::optional<std::string> end_;
  std::unique_ptr<CompactionFilter> made_filter_;
  const CompactionFilter* filter_ = nullptr;

  Status status_;
  CompactionIteratorStats stats_;
  DeeperLevels older_;
  std::unique_ptr<CompactionOutputs> outputs_;
  uint64_t cpu_micros_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
