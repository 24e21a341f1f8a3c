#include "db/intake/wal_lock.h"

#include <optional>

#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/write/exclusive.h"
#include "db/write/leader_attention.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status WalLock::WithLogAtRest(const std::function<Status()>& work) {
  bool is_locked = false;
  {
    MutexLock lock(context_.mutex);
    is_locked = KeepsWritersOut();
    if (is_locked) ++works_;
  }
  if (!is_locked) {
    const Exclusive exclusive(context_.writes);
    const Exclusive log_only(context_.log_only);
    MutexLock alone(&at_rest_mutex_);
    return work();
  }
  Status s;
  {
    MutexLock alone(&at_rest_mutex_);
    s = work();
  }
  MutexLock lock(context_.mutex);
  INVARIANT(works_ > 0);
  --works_;
  context_.changes->Note();
  return s;
}

// Whoever leads waits in Await() as long as a lock is held.
Status WalLock::Take(const std::function<Status()>& settle) {
  {
    // Whoever leads may wait for the lock that there is.
    MutexLock lock(context_.mutex);
    if (locks_ > 0) {
      ++locks_;
      return Status::OK();
    }
  }
  const Exclusive exclusive(context_.writes);
  const Exclusive log_only(context_.log_only);
  if (Status s = settle(); !s.ok()) return s;
  MutexLock lock(context_.mutex);
  INVARIANT(locks_ >= 0);
  ++locks_;
  context_.attention->Ask();
  return Status::OK();
}

Status WalLock::GiveBack() {
  MutexLock lock(context_.mutex);
  if (locks_ == 0) {
    return Status::Aborted("UnlockWAL() without LockWAL()");
  }
  --locks_;
  context_.changes->Note();
  return Status::OK();
}

void WalLock::Break() {
  MutexLock lock(context_.mutex);
  locks_ = 0;
  context_.changes->Note();
}

bool WalLock::IsTaken() const {
  context_.mutex->AssertHeld();
  return locks_ > 0;
}

bool WalLock::WouldWait() const {
  context_.mutex->AssertHeld();
  return !KeepsWritersOut() && context_.writes->IsStalled();
}

Status WalLock::Await(WriteThread* thread, bool may_wait) {
  context_.mutex->AssertHeld();
  INVARIANT(locks_ >= 0);
  std::optional<WriteThread::Stall> stall;
  while (KeepsWritersOut()) {
    context_.attention->Ask();
    if (!may_wait) return Status::Incomplete("Write stall");
    if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
    if (!stall) stall.emplace(thread);
    context_.changes->Await();
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
