#include "db/jobs/clean_up.h"

#include "db/background/background_scheduler.h"
#include "db/background/stop_signals.h"
#include "db/files/obsolete_files.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "env/job_threads.h"
#include "rocksdb/env.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CleanUp::CleanUp(const Context& context) : context_(context) {
  INVARIANT(context_.publisher != nullptr);
  INVARIANT(context_.obsolete != nullptr);
  INVARIANT(context_.threads != nullptr);
}

void CleanUp::Purge() {
  const ObsoleteFiles::PurgeAtEnd purge(context_.obsolete);
  context_.publisher->FreeAndTell();
  if (context_.obsolete->HasWork()) context_.obsolete->Purge();
}

// Whoever closes the database leaves nothing.
void CleanUp::Schedule() {
  if (context_.stop->IsShuttingDown() || is_scheduled_.exchange(true)) return;
  context_.env->Schedule(&CleanUp::Entry, this, Env::Priority::HIGH);
}

void CleanUp::Entry(void* self) {
  INVARIANT(self != nullptr);
  static_cast<CleanUp*>(self)->Run();
}

void CleanUp::Run() {
  {
    MutexLock lock(context_.mutex);
    context_.scheduler->Enter();
    // What is left behind from here on needs another one.
    is_scheduled_.store(false);
  }
  {
    const JobThreads::Membership membership(context_.threads);
    if (context_.wal != nullptr) context_.wal->CloseInactive();
    Purge();
  }
  MutexLock lock(context_.mutex);
  context_.scheduler->Leave();
}

void CleanUp::CloseInactiveLogs() {
  INVARIANT(context_.wal != nullptr);
  if (context_.wal->HasInactive()) Schedule();
}

}  // namespace ROCKSDB_NAMESPACE
