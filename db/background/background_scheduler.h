// What the environment's threads are to do for a database, and how much of it
// they do: queues of families, threads asked for, jobs that run, pauses.
//
// It asks for as many threads as there is work and as the limits allow. A
// thread that comes finds out what to do by itself: between the request and
// the thread the work may have gone, or more may have come. So nothing is
// promised to a thread, and whoever ends, or brings work, asks anew.
//
// A thread counts as scheduled until its work is over, and then as finishing
// until it has left the database for good.
//
// Threads    All under the DB mutex: whoever has one guards it. Its own threads
//            call Work without the mutex.
// Ownership  Borrows what it is given. It is idle before its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "db/background/background_work.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ChangeSignal;
class ColumnFamilyData;
class DeferredCompaction;
class Env;
class ErrorHandler;
class JobThreads;
class ManualQueue;
class StopSignals;
class WriteController;
struct FamilyEntry;
struct MutableDBOptions;
using FamilyRef = std::shared_ptr<FamilyEntry>;

class BackgroundScheduler {
 public:
  struct Context {
    Env* env = nullptr;
    Mutex* mutex = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
    const ErrorHandler* errors = nullptr;  // (mutex)
    const ManualQueue* manual = nullptr;   // (mutex)
    // While they are held back more compactions may run.
    const WriteController* writes = nullptr;
    BackgroundWork* work = nullptr;
    // Those that come become members of it; null: they stay as they are.
    JobThreads* threads = nullptr;
  };
  explicit BackgroundScheduler(const Context& context) : context_(context) {}
  BackgroundScheduler(const BackgroundScheduler&) = delete;
  BackgroundScheduler& operator=(const BackgroundScheduler&) = delete;

  // From here on threads come.
  void Open() { is_open_ = true; }
  bool is_open() const { return is_open_; }
  // By these options, anew: how many threads there may be at once.
  void SetLimits(const MutableDBOptions& now);
  // Asks for threads; whoever has brought work, or ended some, does so.
  void MaybeSchedule();

  // --- pauses: what runs goes on, and nothing begins
  void Pause() { ++pauses_; }
  // False: it is not paused.
  [[nodiscard]] bool Continue();
  bool IsPaused() const { return pauses_ > 0; }
  // From here on flushes go on in a pause, too: whoever closes the database
  // waits for some, and nobody is left to end the pause.
  void FlushInPauses() { flushes_in_pauses_ = true; }
  bool MayFlush() const;
  bool MayCompact() const;

  // --- flushes
  void QueueFlush(ColumnFamilyData* cfd);
  bool HasFlushes() const { return !flushes_.empty(); }
  uint32_t TakeFlush();
  void ForgetFlushes() { flushes_.clear(); }  // One takes them all.
  // The caller's thread does what a scheduled one would.
  void JoinFlushes() { ++scheduled_flushes_; }
  void LeaveJoinedFlushes();
  void LeaveFlushes();
  void BeginFlush() { ++running_flushes_; }
  void EndFlush();
  int running_flushes() const { return running_flushes_; }

  // --- compactions
  void QueueCompaction(ColumnFamilyData* cfd);
  size_t queued_compactions() const { return compactions_.size(); }
  // None while a manual one is exclusive.
  std::optional<uint32_t> TakeCompaction();
  void BeginCompaction() { ++running_compactions_; }
  void LeaveCompactions();
  // The caller's thread compacts: it takes no other's place.
  void JoinCompactions();
  void LeaveJoinedCompactions();
  int running_compactions() const { return running_compactions_; }
  void AddSortedRuns(int count) { running_sorted_runs_ += count; }
  int running_sorted_runs() const { return running_sorted_runs_; }

  // --- compactions to the last level, on the BOTTOM pool
  bool HasBottomPool() const;
  // Will a compaction wait there, as far as can be seen?
  bool IsBottomBusy() const;
  using Deferred = std::pair<FamilyRef, std::shared_ptr<DeferredCompaction>>;
  void Defer(Deferred deferred);
  // By the job: the next of them, which counts as running.
  Deferred BeginBottom();
  void LeaveBottom();
  // Those that have not begun will not. Gives the mutex back meanwhile.
  void CancelBottom();

  // Those asked of the environment and not over yet, which have begun or wait
  // for a thread, and those that have begun. A compaction in a user's thread
  // counts as one of the LOW pool, a flush there as any.
  struct Counts {
    int flushes_scheduled = 0;
    int flushes_running = 0;
    int low_scheduled = 0;
    int low_running = 0;
    int bottom_scheduled = 0;
    int bottom_running = 0;
  };
  Counts counts() const;

  // --- ends
  // A thread that others have asked for is inside the database.
  void Enter() { ++finishing_; }
  void Leave();
  bool IsFinishing() const { return finishing_ > 0; }
  // Are jobs under way or scheduled, but for those of the BOTTOM pool? Callers'
  // threads count.
  bool HasThreads() const {
    return scheduled_flushes_ + scheduled_compactions_ + joined_compactions_ >
           0;
  }
  // Is anything to be done, or done, that can be?
  bool IsBusy() const;
  // No thread is inside the database, or will be.
  bool IsIdle() const;
  int NewJobId() { return next_job_id_++; }

 private:
  static void FlushEntry(void* self);
  static void CompactionEntry(void* self);
  static void BottomEntry(void* self);
  static void TakeBackEntry(void* self);
  void Run(void (BackgroundWork::*job)()) EXCLUDES(context_.mutex);
  void EndCompaction();
  // Those that run in threads of the LOW pool.
  int RunningLow() const {
    return running_compactions_ - running_bottom_ - joined_compactions_;
  }
  // The work of a thread is over.
  void LeaveThread();

  const Context context_;
  bool is_open_ = false;
  // Threads at once.
  int most_flushes_ = 1;
  int calm_compactions_ = 1;  // while writers go on freely
  int most_compactions_ = 1;  // while they do not
  int pauses_ = 0;
  bool flushes_in_pauses_ = false;
  std::deque<uint32_t> flushes_;
  std::deque<uint32_t> compactions_;
  std::deque<Deferred> bottom_;
  int scheduled_flushes_ = 0;
  int scheduled_compactions_ = 0;
  int running_flushes_ = 0;
  int joined_compactions_ = 0;   // in callers' threads
  int running_compactions_ = 0;  // joined ones and those to the last level, too
  int running_bottom_ = 0;
  int running_sorted_runs_ = 0;  // each file of level 0 is one
  int finishing_ = 0;
  int next_job_id_ = 1;
};

}  // namespace ROCKSDB_NAMESPACE
