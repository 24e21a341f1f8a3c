// Which families have a compaction due, and what makes one due: a state that
// has changed, files that have grown old, a snapshot that has gone, room in a
// compaction_thread_limiter, and the time after which a failed one is tried
// again. Whether and when it runs is the scheduler's.
//
// Threads    Marked (mutex): under the DB mutex. The others take it.
// Ownership  Borrows what it is given. The three calls that stop it come before
//            that goes; its own threads end with them.
#pragma once

#include <chrono>
#include <memory>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class ColumnFamilyData;
class CurrentOptions;
class DelayedTask;
class FamilyRegistry;
class LimiterWaiter;
class PeriodicTask;
class SnapshotList;
class StopSignals;
class TaskLimiter;
class VersionSet;
struct FamilyEntry;
struct ImmutableDBOptions;

class CompactionQueue {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const CurrentOptions* options = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    const SnapshotList* snapshots PT_GUARDED_BY(mutex) = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
    const VersionSet* versions = nullptr;
  };
  explicit CompactionQueue(const Context& context);
  ~CompactionQueue();
  CompactionQueue(const CompactionQueue&) = delete;
  CompactionQueue& operator=(const CompactionQueue&) = delete;

  // --- (mutex)
  // If its picker may find something. A family that is gone has nothing due.
  void Add(ColumnFamilyData* cfd);
  void AddAll();
  // Scores change with the version, with time, and with inputs that are taken
  // or free again.
  void Score(ColumnFamilyData* cfd) const;
  // It has gone, or there is another: what it alone kept may go.
  void NoteOldestSnapshot();

  // --- time
  // By max_compaction_trigger_wakeup_seconds, anew.
  void StartAgeChecks() EXCLUDES(context_.mutex);
  void CheckAges() EXCLUDES(context_.mutex);

  // --- compactions that failed (mutex). What failed, as in another process,
  // would be begun again at once, over and over; no thread waits for its time.
  void RetryLater(FamilyEntry* family);
  // They need not wait any longer.
  void RetryNow();

  // --- compaction_thread_limiter
  // Null: there is none.
  static std::shared_ptr<TaskLimiter> LimiterOf(const ColumnFamilyData& cfd);
  // False: there is no room, and the family is added when there is. (mutex)
  [[nodiscard]] bool TakeLimit(TaskLimiter* limiter, FamilyEntry* family);

  // Does a family wait for its time, or for a limiter? (mutex)
  bool HasWaiting() const;

  // --- the end, in this order; the last two without the mutex
  void StopAgeChecks();
  // No limiter calls any more.
  void LeaveLimiters();
  // Once no job runs any more.
  void StopRetries();

 private:
  using Time = std::chrono::steady_clock::time_point;
  void RetryDue(Time due_by) REQUIRES(context_.mutex);
  void AddThoseWithRoom() EXCLUDES(context_.mutex);

  const Context context_;
  const std::shared_ptr<LimiterWaiter> limiter_waiter_;
  std::unique_ptr<DelayedTask> retries_;  // null: none has failed
  // Files grow old without anything else that would have them looked at.
  const std::unique_ptr<PeriodicTask> age_checks_;
};

}  // namespace ROCKSDB_NAMESPACE
