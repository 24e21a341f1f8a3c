// What a flush reads: sealed memtables as one stream, and the rules by which
// their entries survive.
//
// Threads    Takes no lock; the memtables must be sealed.
// Ownership  Borrows the memtables.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "db/flush/minimal_timestamps.h"
#include "db/outputs/job_context.h"
#include "db/semantics/compaction_state.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "util/caught_exceptions.h"

namespace ROCKSDB_NAMESPACE {

class MemTable;

struct SealedInput {
  std::unique_ptr<InternalIterator> entries;
  // Where files leave out timestamps: the same as `entries`. Else null.
  const MinimalTimestamps* minimal = nullptr;
  std::shared_ptr<const FragmentedTombstones> tombstones;  // null: none
  uint64_t point_count = 0;
  uint64_t bytes = 0;
};
using SealedMemTables = std::vector<const MemTable*>;  // oldest first
SealedInput GatherSealed(const ColumnFamilyData& cfd,
                         const SealedMemTables& memtables);

// Points are verified as they are read.
Status VerifyTombstones(const SealedMemTables& memtables);

// A filter that the application wants for flushes; most want none.
Status MakeFlushFilter(const ColumnFamilyData& cfd,
                       TableFileCreationReason reason,
                       std::unique_ptr<CompactionFilter>* filter);

// What is left of the input, as of the job's snapshots; borrows all.
CompactionIteratorRequest SurvivorsOf(const JobContext& job,
                                      const SealedInput& input,
                                      const SnapshotStripes& stripes,
                                      const CompactionFilter* filter);
// The range tombstones among it.
std::vector<RangeTombstone> SurvivingTombstones(const JobContext& job,
                                                const SealedInput& input,
                                                const SnapshotStripes& stripes);
// Corruption where not every entry was read (flush_verify_memtable_count).
Status CheckReadCount(const JobContext& job, const SealedInput& input,
                      const CompactionIteratorStats& stats);

// What the application's parts throw, filters and merge operators apart, which
// are asked elsewhere.
template <class Work>
Status WithoutExceptions(const Work& work) {
  try {
    const CaughtExceptionsScope caught;
    return work();
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit("flush");
  } catch (const std::exception& e) {
    return Status::Aborted("flush threw", e.what());
  } catch (...) {
    return Status::Aborted("flush threw");
  }
}

}  // namespace ROCKSDB_NAMESPACE
