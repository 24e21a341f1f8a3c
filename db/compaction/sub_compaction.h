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

#include "db/blob/blob_flow.h"
#include "db/compaction/compaction_outputs.h"
#include "db/outputs/job_context.h"
#include "db/semantics/compaction_iterator_stats.h"
#include "monitoring/io_times.h"

namespace ROCKSDB_NAMESPACE {

class CompactionIterator;
class CompactionProgress;
class CompactionProgressFile;
class DeeperLevels;
class JobBlobs;
class ResumePoints;
class ValueSeparator;
struct CompactionProgressRecord;

// What all sub-compactions of a job share.
struct SubCompactionPlan {
  const JobContext* job = nullptr;
  const Compaction* compaction = nullptr;
  std::vector<CompactionInputLevel> inputs;  // those that are read
  const SnapshotStripes* stripes = nullptr;
  // The range tombstones of all inputs; null: none.
  std::shared_ptr<const FragmentedTombstones> tombstones;
  ReadOptions read_options;
  BulkReadPolicy bulk;
  TableOutputRequest file;                 // how output files are made
  TableOutputRequest young_file;           // and those of Compaction::young
  CompactionProgress* progress = nullptr;  // null: nobody asks
  // Where outputs are put on record, of the job's only part; null: nowhere.
  CompactionProgressFile* progress_file = nullptr;
  const CompactionProgressRecord* done = nullptr;  // by an earlier run
};

class SubCompaction {
 public:
  // User keys in [begin, end); the `index`-th of the job's.
  SubCompaction(const SubCompactionPlan* plan, int index,
                std::optional<std::string> begin,
                std::optional<std::string> end);
  ~SubCompaction();

  void Run();

  const Status& status() const { return status_; }
  const CompactionIteratorStats& stats() const { return stats_; }
  // Finished files, also those of a failed run.
  std::vector<CompactionOutputs::File> files() const;
  uint64_t dropped_tombstones() const;
  uint64_t cpu_micros() const { return cpu_micros_; }
  // Nothing without report_bg_io_stats.
  const IoTimes& io_times() const { return io_times_; }

  // --- blobs
  // Finished files, also those of a failed run.
  std::vector<BlobFileAddition> blob_files() const;
  const BlobFlow& blob_flow() const { return blob_flow_; }
  struct BlobWork {
    uint64_t read_count = 0, read_bytes = 0;
    uint64_t relocated_count = 0, relocated_bytes = 0;
  };
  const BlobWork& blob_work() const { return blob_work_; }

 private:
  Status Execute();
  void PrepareValues();
  void PrepareOutputs();
  Status CopyEntries(CompactionIterator* entries);
  void RecordEnd(const Status& status, const CompactionIterator& entries);
  SubcompactionJobInfo Describe() const;
  Status MakeFilter();
  Status AddInputProperties(TablePropertiesCollection* properties) const;
  Status Copy(InternalIterator* input);
  std::shared_ptr<const FragmentedTombstones> OwnTombstones() const;

  const SubCompactionPlan* const plan_;
  const int index_;
  const std::optional<std::string> begin_;
  const std::optional<std::string> end_;
  std::unique_ptr<CompactionFilter> made_filter_;
  const CompactionFilter* filter_ = nullptr;

  Status status_;
  CompactionIteratorStats stats_;
  const std::unique_ptr<DeeperLevels> older_;
  std::unique_ptr<CompactionOutputs> outputs_;
  std::unique_ptr<CompactionOutputs> young_;  // null: nothing is too young
  std::unique_ptr<ResumePoints> points_;      // null: nothing is recorded
  std::unique_ptr<JobBlobs> blobs_;
  std::unique_ptr<ValueSeparator> values_;
  BlobFlow blob_flow_;
  BlobWork blob_work_;
  uint64_t cpu_micros_ = 0;
  IoTimes io_times_;
};

}  // namespace ROCKSDB_NAMESPACE
