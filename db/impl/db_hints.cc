// ManagedDB: what users know about files, and tell the pickers.
#include "db/background/background_scheduler.h"
#include "db/impl/job_parts.h"
#include "db/impl/managed_db.h"
#include "db/impl/stored_range.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/manual_compactions.h"
#include "db/registry/family_handle.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status ManagedDB::SuggestCompactRange(ColumnFamilyHandle* family,
                                      const Slice* begin, const Slice* end) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  MutexLock lock(&base_.mutex);
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  VersionStorage* storage = cfd->current()->mutable_storage();
  const int last = storage->LastNonEmptyLevel();
  INVARIANT(last < storage->level_count());
  const StoredRange range({begin, end}, cfd->order().timestamp_size());
  for (int level = 0; level < last; ++level) {
    for (const FileRef& file :
         storage->Overlapping(level, {range.begin(), range.end()},
                              VersionStorage::Level0Growth::kNone)) {
      file->is_suggested = true;
    }
  }
  jobs_->queue()->Score(cfd);
  jobs_->queue()->Add(cfd);
  background_->scheduler()->MaybeSchedule();
  return Status::OK();
}

Status ManagedDB::PromoteL0(ColumnFamilyHandle* family, int target_level) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  const int level_count = cfd->ioptions().num_levels;
  if (target_level < 1 || target_level >= level_count) {
    return Status::InvalidArgument(
        "target_level", std::to_string(target_level) + " is not one of 1 to " +
                            std::to_string(level_count - 1));
  }
  if (TraitsOf(cfd->ioptions().compaction_style).has_only_level0) {
    return Status::InvalidArgument("FIFO compaction keeps files in level 0");
  }
  if (cfd->ioptions().cf_allow_ingest_behind &&
      target_level == level_count - 1) {
    return Status::InvalidArgument(
        "the last level is kept for files that are ingested behind");
  }
  MutexLock lock(&base_.mutex);
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  const VersionRef version = cfd->current();
  for (int level = 1; level <= target_level; ++level) {
    if (version->storage().files(level).empty()) continue;
    return Status::InvalidArgument("PromoteL0: there are files in level " +
                                   std::to_string(level));
  }
  return jobs_->on_request()->MoveToLevel(cfd, 0, target_level);
}

}  // namespace ROCKSDB_NAMESPACE
