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
#include "db/jobs/edit_context.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FileRoom;
class FlushDesk;
class GroupLog;
class LogKeeper;
class MemtableSwitch;
class SectionKeeper;
class WalLock;
struct FamilyEntry;
struct ImmutableDBOptions;

class Resumption final : public ResumeWork {
 public:
  struct Context : EditContext {
    const ImmutableDBOptions* db = nullptr;
    WalLock* wal_lock = nullptr;
    LogKeeper* logs = nullptr;
    GroupLog* group_log = nullptr;
    SectionKeeper* sections = nullptr;
    MemtableSwitch* memtables = nullptr;
    FlushDesk* flushes = nullptr;
    FileRoom* files = nullptr;
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
  Status CarryPrepared(uint64_t log_number) REQUIRES(context_.mutex);
  Status ForgetLogsBefore(uint64_t log_number, bool is_forced)
      REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
