// Which active memtables are to be sealed, and how: the log is changed along
// with them, so that a flush frees a whole log.
//
// A memtable is sealed when it is full, when it holds an old log while logs
// have grown too long, when all memtables hold too much, and when somebody asks
// for a flush.
//
// Threads    NoteFull() any. The rest (mutex): by the leader of all writes, or
//            under a lock of the log, under the DB mutex, which is given back
//            while a log is begun and listeners are told.
// Ownership  Borrows what it is given.
// Errors     What could not be sealed is whole as it was, and tried again.
#pragma once

#include <cstdint>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ColumnFamilyData;
class CurrentOptions;
class FamilyPublisher;
class FamilyRegistry;
class FlushDesk;
class JobErrors;
class LeaderAttention;
class LogKeeper;
class MemTable;
class StallControl;
class VersionSet;
class WriteMemory;
struct ImmutableDBOptions;

class MemtableSwitch {
 public:
  using Families = std::vector<ColumnFamilyData*>;

  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const CurrentOptions* options = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    StallControl* stalls PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FamilyPublisher* publisher = nullptr;
    FlushDesk* flushes = nullptr;
    LogKeeper* logs = nullptr;
    WriteMemory* memory = nullptr;
    LeaderAttention* attention = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit MemtableSwitch(const Context& context) : context_(context) {}
  MemtableSwitch(const MemtableSwitch&) = delete;
  MemtableSwitch& operator=(const MemtableSwitch&) = delete;

  // The family's active memtable says so, once.
  void NoteFull(uint32_t family, MemTable* memtable);

  // --- what the next leader sees to (mutex)
  void MarkForLogSize();
  void MarkForMemory();
  Status SealMarked();
  // Logs are too long, and prepared sections alone hold the oldest.
  bool AreLogsHeldBySections() const;

  // --- what was asked for (mutex)
  // Seals what these families, or all where flushes go together, hold, and
  // queues the flush of all that is sealed.
  Status SealAndQueue(const Families& wanted, FlushReason reason);
  // A batch that is to become memtables of its own: what is older, and then
  // the batch, which no longer is marked as full.
  Status SealOlder(const Families& families);
  void SealNew(const Families& families);

 private:
  struct Full {
    uint32_t id = 0;
    FlushReason reason = FlushReason::kOthers;
  };
  Status Seal(const Families& families) REQUIRES(context_.mutex);
  MemTableInfo SealOne(ColumnFamilyData* cfd, uint64_t log_number)
      REQUIRES(context_.mutex);
  void CountJointFlush(FlushReason reason) const;
  uint64_t MaxTotalLogBytes() const REQUIRES(context_.mutex);

  const Context context_;
  Mutex full_mutex_;
  std::vector<Full> full_ GUARDED_BY(full_mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
