// Tells all who wait under the DB mutex that something they may wait for has
// changed: a job that has ended, a stall, a lock of the log. There is one for
// a database, so whoever wakes looks again at what it waits for.
//
// Threads    Note() from any, better under the mutex. The others wait, and
//            hold the mutex before and after.
#pragma once

#include <atomic>
#include <cstdint>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ChangeSignal {
 public:
  explicit ChangeSignal(Mutex* mutex) : changed_(mutex) {}

  void Note() { changed_.SignalAll(); }
  // May return without a change: wait in a loop.
  void Await() { changed_.Wait(); }
  // The same, for users' calls: counted in PerfContext.
  void AwaitForUser();
  // The same for a call that its user may cancel (null: it cannot be). Nothing
  // signals that, so it returns in a while in any case.
  void AwaitForUser(const std::atomic<bool>* canceled);
  // At most so long.
  void AwaitFor(uint64_t micros) { changed_.WaitFor(micros); }

 private:
  CondVar changed_;
};

}  // namespace ROCKSDB_NAMESPACE
