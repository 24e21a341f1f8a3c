// What was let go of where nothing may be freed, closed or deleted goes here:
// in the caller's thread, or in one of the background.
//
// Threads    Any, without the DB mutex; Schedule() under any locks.
// Ownership  Borrows what it is given. None is scheduled before its end.
#pragma once

#include <atomic>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class Env;
class FamilyPublisher;
class JobThreads;
class ObsoleteFiles;
class StopSignals;
class WalManager;

class CleanUp {
 public:
  struct Context {
    Env* env = nullptr;
    Mutex* mutex = nullptr;
    const StopSignals* stop = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    FamilyPublisher* publisher = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    WalManager* wal = nullptr;  // null: nothing is written
    JobThreads* threads = nullptr;
  };
  explicit CleanUp(const Context& context);
  CleanUp(const CleanUp&) = delete;
  CleanUp& operator=(const CleanUp&) = delete;

  // Here and now, but for logs.
  void Purge() EXCLUDES(context_.mutex);
  // In the background; not once the database is being closed.
  void Schedule();
  // The same for logs, if there are any to be closed: a sync by a writer may
  // have been the last use of an older one.
  void CloseInactiveLogs();
  // And not begun yet.
  bool IsScheduled() const { return is_scheduled_.load(); }

 private:
  static void Entry(void* self);
  void Run() EXCLUDES(context_.mutex);

  const Context context_;
  std::atomic<bool> is_scheduled_{false};
};

}  // namespace ROCKSDB_NAMESPACE
