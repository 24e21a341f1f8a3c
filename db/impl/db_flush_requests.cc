// DBImpl: flushes that users ask for, and what waits for flushes.
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/files/obsolete_files.h"
#include "db/flush/flush_job.h"
#include "db/impl/db_impl.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/flush_runner.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The id of the newest memtable that waits for a flush; 0: none does.
uint64_t NewestSealed(ColumnFamilyData* cfd) {
  return cfd->imm()->empty() ? 0 : cfd->imm()->current()->front()->id();
}

bool HoldsUnlogged(ColumnFamilyData* cfd) {
  const auto sealed = cfd->imm()->current();
  return cfd->mem()->has_unlogged() ||
         std::any_of(sealed->begin(), sealed->end(),
                     [](const MemTableRef& m) { return m->has_unlogged(); });
}

}  // namespace

Status DBImpl::Flush(const FlushOptions& options, ColumnFamilyHandle* family) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  return FlushFamilies(options, {FamilyOf(family)}, FlushReason::kManualFlush);
}

Status DBImpl::Flush(const FlushOptions& options,
                     const std::vector<ColumnFamilyHandle*>& families) {
  std::vector<ColumnFamilyData*> cfds;
  for (ColumnFamilyHandle* family : families) {
    if (Status s = CheckHandle(family); !s.ok()) return s;
    cfds.push_back(FamilyOf(family));
  }
  return FlushFamilies(options, cfds, FlushReason::kManualFlush);
}

// Until a flush stalls nobody, or what is active now is sealed by others, or
// nothing is under way that could make room. Writers go on meanwhile.
void DBImpl::AwaitRoomForFlush(const std::vector<ColumnFamilyData*>& families) {
  MutexLock lock(&mutex_);
  for (ColumnFamilyData* cfd : families) {
    const uint64_t active = cfd->mem()->id();
    while (StallControl::WouldStall(cfd) && cfd->mem()->id() == active &&
           background_->HasThreads() && errors_.error().ok() &&
           !stop_.IsShuttingDown()) {
      changes_.AwaitForUser();
    }
  }
}

Status DBImpl::FlushFamilies(const FlushOptions& options,
                             const std::vector<ColumnFamilyData*>& families,
                             FlushReason reason) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  if (!options.allow_write_stall) AwaitRoomForFlush(families);
  const bool is_joint = options.force_atomic_flush && families.size() > 1;
  std::vector<uint64_t> newest_ids;
  Status s = wal_lock_->WithLogAtRest([&] {
    MutexLock lock(&mutex_);
    for (const ColumnFamilyData* cfd : families) {
      if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
    }
    const Status unlocked = CheckLogUnlocked(
        is_joint || flushes_->FlushesTogether() ? families_->All() : families,
        options.wait);
    if (!unlocked.ok()) return unlocked;
    if (is_joint) flushes_->WantJoint();
    const Status queued = SealAndQueue(families, reason);
    for (ColumnFamilyData* cfd : families) {
      newest_ids.push_back(NewestSealed(cfd));
    }
    return queued;
  });
  publisher_->FreeAndTell();
  if (s.ok() && reason == FlushReason::kManualFlush) {
    TellManualFlush(families);
  }
  if (!s.ok() || !options.wait) return s;
  INVARIANT(newest_ids.size() == families.size());
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < families.size() && s.ok(); ++i) {
    s = flushes_->Wait(families[i], newest_ids[i]);
  }
  return s;
}

Status DBImpl::CheckLogUnlocked(const std::vector<ColumnFamilyData*>& families,
                                bool waits) const {
  const bool must_seal =
      std::any_of(families.begin(), families.end(), [](ColumnFamilyData* cfd) {
        return !cfd->mem()->empty() && !cfd->is_dropped();
      });
  if (!wal_lock_->IsTaken() || !must_seal) return Status::OK();
  return waits ? Status::Aborted(
                     "a flush begins a new log, which LockWAL() forbids: "
                     "UnlockWAL() first")
               : Status::TryAgain(
                     "Writes have been stopped, thus unable to perform manual "
                     "flush. Please try again later after writes are resumed");
}

// By the caller itself, who holds everybody else up.
Status DBImpl::FlushOnlyUnlogged(FlushReason reason) {
  const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
  std::vector<std::pair<ColumnFamilyRef, uint64_t>> sealed;
  const std::vector<ColumnFamilyRef> families = HoldFamilies();
  Status s = wal_lock_->WithLogAtRest([&] {
    MutexLock lock(&mutex_);
    std::vector<ColumnFamilyData*> cfds;
    for (const ColumnFamilyRef& cfd : families) {
      if (!cfd->is_dropped() && HoldsUnlogged(cfd.get())) {
        cfds.push_back(cfd.get());
      }
    }
    if (cfds.empty()) return Status::OK();
    background_->JoinFlushes();
    const Status queued = SealAndQueue(cfds, reason);
    for (ColumnFamilyData* cfd : cfds) {
      sealed.emplace_back(cfd->shared_from_this(), NewestSealed(cfd));
    }
    return queued;
  });
  publisher_->FreeAndTell();
  if (sealed.empty()) return s;
  MutexLock lock(&mutex_);
  if (s.ok()) flush_runner_->RunQueued();
  background_->LeaveJoinedFlushes();
  for (const auto& [cfd, newest_id] : sealed) {
    if (!s.ok()) break;
    s = flushes_->Wait(cfd.get(), newest_id);
    if (s.IsColumnFamilyDropped()) s = Status::OK();
  }
  return s;
}

Status DBImpl::FlushAllFamilies(const FlushOptions& options,
                                FlushReason reason) {
  Status s;
  do {
    // Held while they are waited for: any may be dropped meanwhile, and then
    // has nothing to flush. The others are asked again.
    const std::vector<ColumnFamilyRef> families = HoldFamilies();
    std::vector<ColumnFamilyData*> cfds;
    for (const ColumnFamilyRef& cfd : families) cfds.push_back(cfd.get());
    INVARIANT(!cfds.empty());
    s = FlushFamilies(options, cfds, reason);
  } while (s.IsColumnFamilyDropped());
  return s;
}

void DBImpl::TellManualFlush(const std::vector<ColumnFamilyData*>& families) {
  if (options_.listeners.empty()) return;
  std::vector<ManualFlushInfo> infos;
  for (const ColumnFamilyData* cfd : families) {
    INVARIANT(cfd != nullptr);
    infos.emplace_back();
    infos.back().cf_id = cfd->id();
    infos.back().cf_name = cfd->name();
    infos.back().flush_reason = FlushReason::kManualFlush;
  }
  NotifyListeners(
      [&](EventListener* l) { l->OnManualFlushScheduled(this, infos); });
}

}  // namespace ROCKSDB_NAMESPACE
