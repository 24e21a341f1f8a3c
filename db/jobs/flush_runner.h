// Runs the flushes that are due: of one family, or of all of them as one step
// of the manifest.
//
// Threads    Run() in the scheduler's threads, without the DB mutex.
//            RunQueued() under it, which is given back meanwhile.
// Ownership  Borrows what it is given.
// Errors     Of a flush that fails nothing is lost: its memtables wait again.
#pragma once

#include <vector>

#include "db/family/memtable_list.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class CompactionQueue;
class FamilyPublisher;
class FamilyRegistry;
class FileRoom;
class FlushDesk;
class FlushJob;
class JobContexts;
class JobErrors;
class LogKeeper;
class WriteMemory;
struct FamilyEntry;
struct ImmutableDBOptions;

class FlushRunner {
 public:
  struct Context {
    DB* handed_out = nullptr;  // what listeners are told
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    FlushDesk* desk = nullptr;
    LogKeeper* logs = nullptr;
    JobContexts* jobs = nullptr;
    FamilyPublisher* publisher = nullptr;
    WriteMemory* memory = nullptr;
    CompactionQueue* compactions = nullptr;
    FileRoom* files = nullptr;
    ChangeSignal* changes = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit FlushRunner(const Context& context);
  FlushRunner(const FlushRunner&) = delete;
  FlushRunner& operator=(const FlushRunner&) = delete;

  // The scheduler's job.
  void Run() EXCLUDES(context_.mutex);
  // In this thread, which counts as one of those that are scheduled and is of
  // `pool`; USER: the caller's own. (mutex)
  void RunQueued(Env::Priority pool);

 private:
  struct Joint;

  Status RunNext(Env::Priority pool) REQUIRES(context_.mutex);
  Status RunOne(FamilyEntry* family, Env::Priority pool)
      REQUIRES(context_.mutex);
  // Instead of a file of those that a flush has taken, a memtable
  // (db/flush/mempurge.h). False: nothing has changed, and a file it is.
  bool MayPurge(const FamilyEntry& family, const MemTableVector& taken) const
      REQUIRES(context_.mutex);
  bool Purge(FamilyEntry* family, const MemTableVector& taken)
      REQUIRES(context_.mutex);
  Status RunJoint(Env::Priority pool) REQUIRES(context_.mutex);
  void BeginJoint(Joint* flush) REQUIRES(context_.mutex);
  Status EndJoint(const Status& run_status, Joint* flush)
      REQUIRES(context_.mutex);
  void AfterFlush(FamilyEntry* family, const FlushJob& job, Env::Priority pool)
      REQUIRES(context_.mutex);
  // After those of all families of a flush.
  void AfterFlushes() REQUIRES(context_.mutex);
  BackgroundErrorReason FailureReason() const;
  bool SyncsLogs() const REQUIRES(context_.mutex);
  void TellBegun(const FlushJobInfo& info) const;
  void TellCompleted(const FlushJobInfo& info) const;

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
