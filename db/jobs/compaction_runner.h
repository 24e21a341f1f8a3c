// Runs one compaction that was picked: marks its inputs as taken, moves, drops
// or rewrites them, here or in another process, installs what has become of
// them, and tells listeners.
//
// Threads    Under the DB mutex, which is given back around I/O and around
//            listeners. Any number run side by side.
// Ownership  Borrows what it is given, and the family as long as a run.
// Errors     The inputs are as they were.
#pragma once

#include <memory>

#include "db/background/compaction_turn.h"
#include "db/outputs/level_work.h"
#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class CompactionQueue;
class EventListener;
class FamilyPublisher;
class JobContexts;
class RemoteRuns;
class StopSignals;
struct FamilyEntry;
struct ImmutableDBOptions;

class CompactionRunner {
 public:
  struct Context {
    DB* handed_out = nullptr;  // what listeners are handed
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    FamilyPublisher* publisher = nullptr;
    CompactionQueue* queue = nullptr;
    const JobContexts* jobs = nullptr;
    const RemoteRuns* remote = nullptr;
    const StopSignals* stop = nullptr;
    ChangeSignal* changes = nullptr;
  };
  explicit CompactionRunner(const Context& context) : context_(context) {}
  CompactionRunner(const CompactionRunner&) = delete;
  CompactionRunner& operator=(const CompactionRunner&) = delete;

  Status Run(FamilyEntry* family, std::unique_ptr<Compaction> compaction,
             const CompactionWatch& watch);

 private:
  Status RunPlan(FamilyEntry* family, std::unique_ptr<Compaction> compaction,
                 const CompactionWatch& watch, LevelWork* work)
      REQUIRES(context_.mutex);
  Status RunWithoutRewriting(FamilyEntry* family, const Compaction& plan,
                             const CompactionWatch& watch, LevelWork* work)
      REQUIRES(context_.mutex);
  Status RunRewriting(FamilyEntry* family,
                      std::unique_ptr<Compaction> compaction,
                      const CompactionWatch& watch, LevelWork* work)
      REQUIRES(context_.mutex);
  void CountFifo(CompactionReason reason) const;
  // These two give the mutex back meanwhile.
  void TellBegun(const CompactionJobInfo& info) REQUIRES(context_.mutex);
  template <class Call>
  void TellListeners(const Call& call) REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
