// A compaction that a user waits for.
//
// Threads  Guarded by the DB mutex, but for `canceled`, which is the user's.
#pragma once

#include <atomic>

#include "db/compaction/compaction_picker.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class StopSignals;

struct ManualCompaction {
  ColumnFamilyData* cfd = nullptr;
  CompactionPicker::Range range;
  const std::atomic<bool>* canceled = nullptr;
  BlobGarbageCollectionPolicy blob_policy =
      BlobGarbageCollectionPolicy::kUseDefault;
  double blob_age_cutoff = -1;
  std::string trim_ts;  // see Compaction
  Status status;
  bool done = false;
  bool running = false;
  // It waits for running compactions to end. One that takes all sorted runs
  // lets none of its family begin meanwhile: one would always be in the way.
  bool is_blocked = false;
};

// Why no compaction of the family that users ask for may begin, if anything.
Status CheckManualOf(const StopSignals& stop, const ColumnFamilyData& cfd);
// Why this one must not begin, or begin its next part, if anything.
Status CheckManual(const StopSignals& stop, const ManualCompaction& manual);

}  // namespace ROCKSDB_NAMESPACE
