// A compaction to the last level that waits for a thread of the environment's
// BOTTOM pool, where it has threads: it takes long, and would keep those of
// newer data waiting.
//
// Meanwhile nobody else compacts its inputs, or with kOldestRun the oldest of
// its sorted runs alone: the newer ones are merged as they come, and the
// compaction is picked anew when its turn has come.
//
// Threads    Under the DB mutex.
// Ownership  Owns the compaction. The picker must outlive it. Take() comes
//            before its end.
#pragma once

#include <memory>

#include "db/compaction/compaction.h"

namespace ROCKSDB_NAMESPACE {

class CompactionPicker;

class DeferredCompaction {
 public:
  enum class Hold { kAllInputs, kOldestRun };

  DeferredCompaction(CompactionPicker* picker,
                     std::unique_ptr<Compaction> compaction, Hold hold);
  ~DeferredCompaction();
  DeferredCompaction(DeferredCompaction&&) = default;
  DeferredCompaction& operator=(DeferredCompaction&&) = default;

  // The inputs are free again. Null: it is to be picked anew.
  std::unique_ptr<Compaction> Take();

 private:
  void HoldInputs(bool is_held) const;

  CompactionPicker* picker_;
  std::unique_ptr<Compaction> compaction_;  // null: taken
  Hold hold_;
};

}  // namespace ROCKSDB_NAMESPACE
