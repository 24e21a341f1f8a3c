// Where a compaction whose outputs are put on record could be gone on with: in
// front of the first key of an output, once all outputs before are durable.
//
// Threads    One thread: the sub-compaction's.
// Ownership  Borrows the file, which outlives it.
// Errors     None: what cannot be recorded is logged by the file.
#pragma once

#include <cstdint>
#include <vector>

#include "db/compaction/compaction_outputs.h"
#include "db/compaction/progress_file.h"

namespace ROCKSDB_NAMESPACE {

class CompactionIterator;

class ResumePoints {
 public:
  // The thread's processor time is counted from here on. `before`: the last
  // record of what an earlier run has done; null: nothing.
  ResumePoints(CompactionProgressFile* file,
               const CompactionProgressRecord* before, size_t timestamp_size,
               SystemClock* clock);
  ResumePoints(const ResumePoints&) = delete;
  ResumePoints& operator=(const ResumePoints&) = delete;

  // The current entry of `entries` was added to `outputs`.
  void Added(const CompactionIterator& entries,
             const CompactionOutputs& outputs) {
    if (outputs.ended_count() != ends_.size()) [[unlikely]] {
      NoteEnd(entries, outputs);
    }
  }
  // Records what is durable of `outputs`, which take no more entries.
  void RecordFinished(const CompactionOutputs& outputs);
  // All of them are: nothing is left. `records`: what this run has read.
  void RecordEnd(const CompactionIteratorStats& records,
                 const CompactionOutputs& outputs);

 private:
  struct End {
    InternalKey next;
    CompactionCounts counts;  // by this run, up to here
  };
  CompactionCounts CountsOf(const CompactionIteratorStats& records,
                            const CompactionOutputs& outputs) const;
  void NoteEnd(const CompactionIterator& entries,
               const CompactionOutputs& outputs);
  void Record(const CompactionOutputFile* output, const InternalKey* next,
              const CompactionCounts& own);

  CompactionProgressFile* const file_;
  const size_t timestamp_size_;
  SystemClock* const clock_;
  const uint64_t start_cpu_micros_;
  CompactionCounts before_;
  uint64_t output_records_ = 0;
  std::vector<End> ends_;  // one per file that has ended, but for the last
  size_t recorded_ = 0;    // files that are on record
};

}  // namespace ROCKSDB_NAMESPACE
