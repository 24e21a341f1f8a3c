// Lines up concurrent writers: one of them, the leader, writes for a group of
// those behind it.
//
//   writer --Join()--> leader    --FormGroup()--> ... --Leave()--> done
//                  \-> follower  (waits; may insert its own part)  --> done
//
// The queue is a lock-free stack of waiting writers linked to the next older
// one; the leader links it the other way when it forms its group. A writer
// that comes alone pays one compare-and-swap to enter and one to leave.
//
// Threads  Join(), HasExclusive() and IsStalled() from any thread. The rest by
//          the leader, but for FinishFollower(), which each follower of a
//          parallel group calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "db/write/insert_queue.h"
#include "db/write/yielding_wait.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

struct WriteHooks;

class WriteThread {
 public:
  enum class State : int32_t {
    kWaiting,
    kLeader,  // write for yourself and those behind you
    kInsert,  // insert your own batch, then FinishFollower()
    kDone,    // status is set
  };

  struct Group;

  struct Writer {
    // Null: an exclusive writer, which no group joins (switches memtables...).
    WriteBatch* batch = nullptr;
    // What the log and the memtables get in place of the batch, as many
    // entries; null: the batch.
    WriteBatch* stored = nullptr;
    WriteBatch* to_store() const { return stored != nullptr ? stored : batch; }
    const WriteOptions* options = nullptr;
    const WriteHooks* hooks = nullptr;  // null: none
    bool is_refused = false;            // by its condition; status says why

    SequenceNumber sequence = 0;  // the batch's first
    Status status;

    std::atomic<State> state{State::kWaiting};
    Writer* older = nullptr;
    Writer* newer = nullptr;
    Group* group = nullptr;
    bool is_inserting = false;  // its own batch, as a follower
  };

  struct Group : InsertTurn {
    Writer* leader = nullptr;
    Writer* last = nullptr;
    size_t size = 0;
    bool needs_sync = false;
    bool has_hooks = false;
    // By the leader of the group before, while `leader` waits.
    bool is_led_for_it = false;
    SequenceNumber last_sequence = 0;
    size_t logged_bytes = 0;  // its record in the log; 0: none
    std::atomic<size_t> inserting{0};

    // From the leader on, oldest first.
    template <class Visit>
    void ForEach(const Visit& visit) const {
      for (Writer* w = leader;; w = w->newer) {
        visit(w);
        if (w == last) break;
      }
    }
  };

  // While one lives, the leader waits for room: writers with `no_slowdown` are
  // refused, those that stand in line and those that come.
  class Stall {
   public:
    explicit Stall(WriteThread* thread) : thread_(thread) {
      thread_->BeginStall();
    }
    ~Stall() { thread_->EndStall(); }
    Stall(const Stall&) = delete;
    Stall& operator=(const Stall&) = delete;

   private:
    WriteThread* const thread_;
  };

  WriteThread(size_t max_group_bytes, const YieldingWait::Limits& yields)
      : max_group_bytes_(max_group_bytes),
        for_group_(yields),
        for_leader_(yields),
        for_followers_(yields),
        inserts_(yields) {}

  // Lines up; returns when the writer is leader, is to insert, or is done.
  State Join(Writer* writer);

  // The leader's group: itself and the writers behind that fit with it.
  void FormGroup(Writer* leader, Group* group);
  // The same where Keep() told of `next`: the caller goes on leading.
  void FormGroupFor(Writer* next, Group* group);

  // Lets those followers for whom it pays insert their own batch, while the
  // leader inserts the others'.
  void LaunchInsert(Group* group);
  // A follower's part is done; waits for Leave().
  void FinishFollower(Writer* writer);
  // The leader waits until every follower has inserted.
  void WaitForFollowers(Group* group);

  // The group is written: hands leadership to the next writer, and wakes the
  // followers with the status that each has.
  void Leave(Group* group) {
    HandOver(group);
    WakeFollowers(group);
  }
  // Like Leave(), but does not wake a next writer that is small and waits
  // already: returns it, and the caller is to write for it. Else null.
  Writer* LeaveOrKeep(Group* group);
  // The two halves of Leave(), for groups that insert while others log. The
  // leader's own Writer is not woken.
  void HandOver(Group* group);
  static void WakeFollowers(Group* group);

  // Whether to insert it takes less time than to wake its leader.
  static bool IsSmall(const Group& group);

  // An Exclusive leads. The DB mutex orders it with who asks under it: once
  // the Exclusive has had the mutex, this is seen.
  void SetExclusive(bool is_exclusive) { is_exclusive_.store(is_exclusive); }
  bool HasExclusive() const { return is_exclusive_.load(); }

  // Somebody leads and waits for room.
  bool IsStalled();

  // Groups between these halves.
  InsertQueue* inserts() { return &inserts_; }

 private:
  static void Wake(Writer* writer, State state);
  static State Await(Writer* writer, State not_this, YieldingWait* wait);
  // Puts it in line; the writer before it, or null.
  Writer* Push(Writer* writer);
  void Gather(Writer* leader, Group* group);
  // Takes the group out of the line; the writer behind it, or null.
  Writer* TakeOut(Group* group);
  void BeginStall();
  void EndStall();

  const size_t max_group_bytes_;
  std::atomic<Writer*> newest_{nullptr};
  std::atomic<bool> is_exclusive_{false};
  // A writer that must not wait joins under this mutex, so that none joins once
  // a stall has begun.
  std::mutex stall_mutex_;
  int stalls_ = 0;
  YieldingWait for_group_;      // a writer, until it leads, inserts or is done
  YieldingWait for_leader_;     // a follower that inserted, until all is done
  YieldingWait for_followers_;  // the leader, until they have inserted
  InsertQueue inserts_;
};

}  // namespace ROCKSDB_NAMESPACE
