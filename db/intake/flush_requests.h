// Flushes that users, and the database itself, ask for: what is sealed for
// them, who does them, and the wait for their end.
//
// Threads    Marked (mutex): under the DB mutex, by the leader of all writes.
//            The others without it.
// Ownership  Borrows what it is given.
// Errors     Aborted or TryAgain where the log is locked and a new one would
//            have to begin; ColumnFamilyDropped; what stops writes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class ColumnFamilyData;
class ErrorHandler;
class FamilyPublisher;
class FamilyRegistry;
class FlushDesk;
class FlushRunner;
class MemtableSwitch;
class ObsoleteFiles;
class StopSignals;
class WaitLimit;
class WalLock;
struct ImmutableDBOptions;

class FlushRequests {
 public:
  using Families = std::vector<ColumnFamilyData*>;

  struct Context {
    DB* handed_out = nullptr;  // what listeners are handed
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    const ErrorHandler* errors PT_GUARDED_BY(mutex) = nullptr;
    WalLock* wal_lock = nullptr;
    MemtableSwitch* memtables = nullptr;
    FlushDesk* desk = nullptr;
    FlushRunner* runner = nullptr;
    FamilyPublisher* publisher = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
  };
  explicit FlushRequests(const Context& context);
  FlushRequests(const FlushRequests&) = delete;
  FlushRequests& operator=(const FlushRequests&) = delete;

  Status Flush(const FlushOptions& options, const Families& families,
               FlushReason reason) EXCLUDES(context_.mutex);
  // A family that is dropped meanwhile is none of them.
  Status FlushAll(const FlushOptions& options, FlushReason reason)
      EXCLUDES(context_.mutex);
  // The same for a user, as soon as it stalls nobody; does not wait for its
  // end. The limit counts until it begins, which only a leader of writes can
  // hold up that has come to wait at just that moment.
  Status BeginFlushAll(const WaitLimit& limit) EXCLUDES(context_.mutex);
  // Flushes the families that hold data no log has, even during LockWAL(): a
  // new, empty log may begin then, but no log gets a record. The calling thread
  // runs the flush, since it may hold up all others.
  Status FlushOnlyUnlogged(FlushReason reason) EXCLUDES(context_.mutex);
  // No write comes between the flush and what the caller does then. (mutex)
  Status FlushInTurn(const Families& families, FlushReason reason);

 private:
  Status AwaitRoom(const Families& families, const WaitLimit& limit)
      EXCLUDES(context_.mutex);
  Status AwaitLeader(const WaitLimit& limit) EXCLUDES(context_.mutex);
  std::vector<std::shared_ptr<ColumnFamilyData>> HoldAll() const
      EXCLUDES(context_.mutex);
  // LockWAL(): what is logged stays where it is. Not asked for what no log has.
  Status CheckUnlocked(const Families& families, bool waits) const
      REQUIRES(context_.mutex);
  void TellManualFlush(const Families& families) EXCLUDES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
