// What is to be flushed, and together with what: memtables that are sealed and
// not yet in tables, those that may wait, and who waits for them.
//
// Flushes of several families go together, as one step of the manifest, where
// the options say so, where a user asked for it once, and as long as a log that
// failed is still needed: it may hold half a record, behind which replay does
// not go.
//
// Threads    Marked (mutex): under the DB mutex. The others any.
// Ownership  Borrows what it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class ColumnFamilyData;
class ErrorHandler;
class FamilyRegistry;
class StopSignals;
struct ImmutableDBOptions;

class FlushDesk {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    const ErrorHandler* errors PT_GUARDED_BY(mutex) = nullptr;
    const StopSignals* stop = nullptr;
    ChangeSignal* changes = nullptr;
  };
  explicit FlushDesk(const Context& context) : context_(context) {}
  FlushDesk(const FlushDesk&) = delete;
  FlushDesk& operator=(const FlushDesk&) = delete;

  // --- what is due (mutex)
  // What the family has sealed, unless it may wait; the scheduler is asked by
  // the caller.
  void Queue(ColumnFamilyData* cfd, FlushReason reason);
  // What has been waiting, as far as it still may not, or `reason` says so.
  void QueueRetained(ColumnFamilyData* cfd, FlushReason reason);
  void QueueAllRetained(FlushReason reason);

  // --- together (mutex)
  bool FlushesTogether() const;
  // The next one does, of what is sealed by now.
  void WantJoint() { ++joint_wants_; }
  // Between these two, what is to go together is being sealed. The second one
  // wants it.
  void BeginJointSeal() { ++joint_seals_; }
  void EndJointSeal();
  uint64_t joint_wants() const { return joint_wants_; }
  // A joint flush is done that began when there were so many: those that have
  // come since are for the next one.
  void NoteJointDone(uint64_t wants) { joint_wants_done_ = wants; }
  // Logs below this failed.
  void NoteAbandoned(uint64_t below) { abandoned_below_ = below; }

  // --- who is told, and who waits (mutex)
  // Listeners are being told of a flush by this thread. Whoever waited for it
  // goes on when they have been, unless it is they who wait.
  void BeginNotice(const ColumnFamilyData* cfd, uint64_t newest_memtable_id);
  void EndNotice(const ColumnFamilyData* cfd);
  // Until no memtable up to `memtable_id` waits for a flush, and listeners have
  // been told of those.
  Status Wait(ColumnFamilyData* cfd, uint64_t memtable_id);

  // --- does memory hold what no log has?
  void NoteUnlogged() { has_unlogged_.store(true, std::memory_order_relaxed); }
  bool HasUnlogged() const {
    return has_unlogged_.load(std::memory_order_relaxed);
  }
  const std::atomic<bool>* has_unlogged() const { return &has_unlogged_; }

 private:
  struct Notice {
    const ColumnFamilyData* cfd;
    uint64_t memtable_id;  // the newest that was flushed
    std::thread::id teller;
  };
  bool RetainsTimestamps(ColumnFamilyData* cfd) const;
  bool AwaitsMore(ColumnFamilyData* cfd) const;
  bool IsBeingTold(const ColumnFamilyData* cfd, uint64_t memtable_id) const;

  const Context context_;
  std::vector<Notice> notices_;  // (mutex), as the next four
  uint64_t joint_wants_ = 0;
  uint64_t joint_wants_done_ = 0;
  int joint_seals_ = 0;
  uint64_t abandoned_below_ = 0;
  std::atomic<bool> has_unlogged_{false};
};

}  // namespace ROCKSDB_NAMESPACE
