// The steps by which a database works again after an error whose cause is gone.
//
// A compaction that failed takes nothing away, and its inputs are still there:
// its error is only cleared. A log that failed may hold half a record, or one
// that was never acknowledged, and cannot be synced any more. So nothing is
// written until all that it holds is in tables and the manifest says that no
// log before the new one counts: for all families in one step, since replay
// does not go past the log that failed.
//
// Threads    As ResumeWork says; one ResumeOnce() at a time.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <vector>

#include "db/background/resume_work.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class CompactionQueue;
class ErrorHandler;
class FSDirectory;
class FamilyPublisher;
class FamilyRegistry;
class FileRoom;
class FlushDesk;
class GroupLog;
class JobErrors;
class LogKeeper;
class MemtableSwitch;
class SectionKeeper;
class StopSignals;
class VersionSet;
class WalLock;
struct FamilyEntry;
struct ImmutableDBOptions;

class Resumption final : public ResumeWork {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FSDirectory* directory = nullptr;  // the manifest's
    WalLock* wal_lock = nullptr;
    LogKeeper* logs = nullptr;
    GroupLog* group_log = nullptr;
    SectionKeeper* sections = nullptr;
    MemtableSwitch* memtables = nullptr;
    FlushDesk* flushes = nullptr;
    CompactionQueue* compactions = nullptr;
    FileRoom* files = nullptr;
    FamilyPublisher* publisher = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit Resumption(const Context& context);
  ~Resumption() override;

  void RetryFlushes() override;
  void RetryCompactions() override;
  Status ResumeOnce() override EXCLUDES(context_.mutex);

 private:
  struct Sealed;

  // False: more is to be done than that.
  bool ClearSoftError() REQUIRES(context_.mutex);
  Status StartLog(uint64_t* number) REQUIRES(context_.mutex);
  Status SealAll(std::vector<Sealed>* sealed) REQUIRES(context_.mutex);
  Status WaitForFlushes(const std::vector<Sealed>& sealed,
                        uint64_t errors_before) EXCLUDES(context_.mutex);
  Status Finish(uint64_t log_number) EXCLUDES(context_.mutex);
  Status CarryPrepared() EXCLUDES(context_.mutex);
  Status ForgetLogsBefore(uint64_t log_number, bool is_forced)
      REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
