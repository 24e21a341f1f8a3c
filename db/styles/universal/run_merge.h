// The compaction that makes one run of neighbouring sorted runs.
//
// Threads  Under the DB mutex.
#pragma once

#include <memory>
#include <vector>

#include "db/compaction/compaction_picker.h"
#include "db/styles/universal/sorted_runs.h"

namespace ROCKSDB_NAMESPACE {

struct RunMerge {
  const std::vector<SortedRun>* runs = nullptr;  // all of the version
  RunSpan span;                                  // not empty
  CompactionReason reason = CompactionReason::kUnknown;
};

// The result takes the place of its inputs in the order of ages.
std::unique_ptr<Compaction> MergeOfRuns(const CompactionPicker::Input& input,
                                        const RunMerge& merge);

// Where a run of `bytes` goes when runs of `newer_bytes` are newer: the first
// paths are for the newest data.
uint32_t PathForRun(const std::vector<DbPath>& paths, uint64_t bytes,
                    uint64_t newer_bytes);

}  // namespace ROCKSDB_NAMESPACE
