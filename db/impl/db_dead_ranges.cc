// DBImpl: what scans have found dead, as range tombstones in memory.
#include "db/impl/db_impl.h"
#include "db/version/version_set.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/table.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// The tombstone is in no log: it is an optimisation, which a crash may undo.
// What deletion_run.h asks for holds because of three things, all of them under
// the DB mutex, under which the tombstone is added beside writers:
//  - `state` is the newest one, so that no file has come, no memtable has gone,
//    and the memtable that the scan saw as the active one can be added to. Its
//    sequence is not below that memtable's, or the scan had not asked.
//  - Nobody has the writes stopped. An ingestion has chosen its files' places
//    by what memtables hold, and a batch that comes as a memtable has sealed
//    what was before, and both give the mutex back in between.
//  - No error stops writes, and the family still takes some.
// A reader does not wait for the mutex: the next scan comes by again.
void DBImpl::HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                       const RangeTombstone& dead) {
  INVARIANT(mode_ == Mode::kReadWrite);
  assert(dead.sequence >= state.mem->earliest_sequence());
  assert(dead.sequence <= versions_->LastSequence());
  const auto is_newest = [&] {
    return state.number == cfd->super_version_number();
  };
  bool is_added = false;
  if (is_newest() && state.mem->HasRoomForTombstone() && mutex_.TryLock()) {
    const bool may_add =
        is_newest() && !write_thread_.HasExclusive() &&
        !errors_.BlocksWrites() && !closed_ && !stop_.IsShuttingDown() &&
        !cfd->is_dropped() &&
        cfd->options()->table_factory->IsDeleteRangeSupported();
    if (may_add) {
      INVARIANT(cfd->mem() == state.mem);
      is_added =
          state.mem
              ->Add(dead.sequence, kTypeRangeDeletion, dead.begin, dead.end)
              .ok();
    }
    mutex_.Unlock();
  }
  RecordTick(options_.stats, is_added ? READ_PATH_RANGE_TOMBSTONES_INSERTED
                                      : READ_PATH_RANGE_TOMBSTONES_DISCARDED);
}

}  // namespace ROCKSDB_NAMESPACE
