// Universal compaction: neighbouring sorted runs become one.
//
// Only runs that follow each other in age are merged, and the result takes
// their place: in level 0 while an older file is there, else as deep as the
// next older run allows, the last level at best. So several merges may run at
// a time as long as they share no run.
//
// Threads  Every call under the DB mutex.
#pragma once

#include <memory>
#include <vector>

#include "db/compaction/compaction_picker.h"
#include "db/styles/universal/sorted_runs.h"

namespace ROCKSDB_NAMESPACE {

class UniversalPicker final : public CompactionPicker {
 public:
  std::unique_ptr<Compaction> Pick(const Input& input) override;
  // All runs, whatever the range: the whole is the smallest thing that can go
  // to the last level.
  std::unique_ptr<Compaction> PickRange(
      const Input& input, const Range& range, bool* conflict,
      std::optional<InternalKey>* rest) override;

 private:
  using Runs = std::vector<SortedRun>;

  std::unique_ptr<Compaction> PickByAge(const Input& input,
                                        const Runs& runs) const;
  std::unique_ptr<Compaction> PickForSpace(const Input& input,
                                           const Runs& runs) const;
  std::unique_ptr<Compaction> PickForSpaceInPart(const Input& input,
                                                 const Runs& runs) const;
  std::unique_ptr<Compaction> PickScheduled(const Input& input,
                                            const Runs& runs) const;
  std::unique_ptr<Compaction> PickBySizeRatio(const Input& input,
                                              const Runs& runs) const;
  std::unique_ptr<Compaction> PickExcess(const Input& input,
                                         const Runs& runs) const;
  std::unique_ptr<Compaction> PickForBlobs(const Input& input,
                                           const Runs& runs) const;
  std::unique_ptr<Compaction> PickMarked(const Input& input,
                                         const Runs& runs) const;
  std::unique_ptr<Compaction> MergeRuns(const Input& input, const Runs& runs,
                                        const RunSpan& span,
                                        CompactionReason reason) const;
};

// The most runs that may stay unmerged: what max_read_amp says, but always
// fewer than make writers wait.
size_t RunLimit(const MutableCFOptions& options,
                const std::vector<SortedRun>& runs);
bool ChoosesRunLimit(const MutableCFOptions& options);

// The first neighbours, newest first, whose sizes call for a merge.
RunSpan SpanBySizeRatio(const std::vector<SortedRun>& runs,
                        const MutableCFOptions& options);

}  // namespace ROCKSDB_NAMESPACE
