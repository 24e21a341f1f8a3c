// DBImpl: what nobody needs any more is freed, closed and deleted.

#include "db/background/background_scheduler.h"
#include "db/family/stall_change.h"
#include "db/family/state_publisher.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/wal/wal_manager.h"
#include "db/write/stall_control.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// What nobody reads any more, and what listeners are to be told of.
void DBImpl::FreeGarbage() {
  states_->Free();
  std::vector<StallChange> changes;
  {
    MutexLock lock(&mutex_);
    changes = stalls_->TakeChanges();
  }
  for (const StallChange& change : changes) {
    INVARIANT(change.conditions.first != change.conditions.second);
    WriteStallInfo info;
    info.cf_name = change.family;
    info.condition.cur = change.conditions.first;
    info.condition.prev = change.conditions.second;
    NotifyListeners(
        [&](EventListener* l) { l->OnStallConditionsChanged(info); });
  }
}

void DBImpl::MaybePurge() {
  const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
  FreeGarbage();
  if (obsolete_->HasWork()) obsolete_->Purge();
}

// By whoever lets go of something, under whatever lock.
void DBImpl::ScheduleCleanUp() {
  // Close() leaves nothing.
  if (stop_.IsShuttingDown() || is_clean_up_scheduled_.exchange(true)) return;
  options_.env->Schedule(&DBImpl::CleanUpEntry, this, Env::Priority::HIGH);
}

void DBImpl::CleanUpEntry(void* db) {
  INVARIANT(db != nullptr);
  DBImpl& self = *static_cast<DBImpl*>(db);
  {
    MutexLock lock(&self.mutex_);
    self.background_->Enter();
    // What is left behind from here on needs another one.
    self.is_clean_up_scheduled_.store(false);
  }
  if (self.wal_ != nullptr) self.wal_->CloseInactive();
  self.MaybePurge();
  MutexLock lock(&self.mutex_);
  self.background_->Leave();
}

// A sync by a writer may have been the last use of an older log.
void DBImpl::CloseInactiveLogs() {
  if (wal_->HasInactive()) ScheduleCleanUp();
}

}  // namespace ROCKSDB_NAMESPACE
