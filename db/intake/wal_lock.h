// The lock of the log that users may take: while somebody has it nothing is
// written, and the log stays the file that it is.
//
// Work that needs writes to rest, as a change of options does, goes on under
// the lock if there is one: whoever has it must not wait for the writers that
// wait for its end. Those do not go on before the work is done, even if the
// log is unlocked meanwhile.
//
// Threads    Marked (mutex): under the DB mutex. The others without it.
// Ownership  Borrows what it is given.
#pragma once

#include <functional>

#include "db/write/write_thread.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ChangeSignal;
class LeaderAttention;
class StopSignals;

class WalLock {
 public:
  struct Context {
    Mutex* mutex = nullptr;
    WriteThread* writes = nullptr;
    WriteThread* log_only = nullptr;  // queue of batches that need no memtable
    ChangeSignal* changes = nullptr;
    LeaderAttention* attention = nullptr;
    const StopSignals* stop = nullptr;
  };
  explicit WalLock(const Context& context) : context_(context) {}
  WalLock(const WalLock&) = delete;
  WalLock& operator=(const WalLock&) = delete;

  // Calls `work`, one at a time, while nothing is written: under the lock, if
  // there is one, else as the leader of all writes.
  Status WithLogAtRest(const std::function<Status()>& work)
      EXCLUDES(context_.mutex);

  // --- users' calls, which may be nested
  // `settle` sees to what is still to reach the log's file, before the first
  // one has it; with an error nobody has.
  Status Take(const std::function<Status()>& settle) EXCLUDES(context_.mutex);
  Status GiveBack() EXCLUDES(context_.mutex);
  // Nobody is left who could.
  void Break() EXCLUDES(context_.mutex);

  // --- (mutex)
  // By a user.
  bool IsTaken() const;
  // Work would wait for a leader of writes that itself waits.
  bool WouldWait() const;
  // Until it is neither taken nor worked under; by the leader of `thread`.
  Status Await(WriteThread* thread, bool may_wait);

 private:
  bool KeepsWritersOut() const REQUIRES(context_.mutex) {
    return locks_ + works_ > 0;
  }

  const Context context_;
  Mutex at_rest_mutex_;  // held by the work of WithLogAtRest()
  int locks_ GUARDED_BY(context_.mutex) = 0;
  int works_ GUARDED_BY(context_.mutex) = 0;  // under a lock
};

}  // namespace ROCKSDB_NAMESPACE
