// Groups of writes that are in the log and on their way into the memtables,
// while the next group is being logged already.
//
// Contract   In line, groups insert in the order of Enter(): the one whose turn
//            it is inserts its own entries, and those of small groups behind
//            it, which would take longer to wake than to insert. Groups that
//            do not line up insert side by side.
// Threads    Enter*() and Drain() by the holder of the write thread's
//            leadership; the rest by the leader of a group that has entered.
#pragma once

#include <atomic>
#include <cstdint>

#include "db/write/yielding_wait.h"
#include "util/invariant.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

// A group's place in line.
struct InsertTurn {
  enum class State : int32_t { kWaiting, kTurn, kDone };

  std::atomic<State> state{State::kWaiting};
  bool is_small = false;
  InsertTurn* next = nullptr;  // guarded by the queue until its turn has ended
};

class InsertQueue {
 public:
  explicit InsertQueue(const YieldingWait::Limits& yields)
      : for_turn_(yields), for_all_(yields) {}

  void EnterUnordered() { ++entered_; }

  void EnterLine(InsertTurn* turn) {
    ++entered_;
    const SpinMutexLock lock(&line_mutex_);
    if (newest_ == nullptr) {
      // relaxed: its own thread reads it.
      turn->state.store(InsertTurn::State::kTurn, std::memory_order_relaxed);
    } else {
      newest_->next = turn;
    }
    newest_ = turn;
  }

  // True: it is its turn; false: its entries were inserted by another.
  bool AwaitTurn(InsertTurn* turn) {
    InsertTurn::State state = InsertTurn::State::kWaiting;
    // acquire: pairs with Wake(); what the groups before inserted is there.
    const auto is_over = [&] {
      state = turn->state.load(std::memory_order_acquire);
      return state != InsertTurn::State::kWaiting;
    };
    if (!for_turn_.Try(is_over)) {
      while (!is_over()) {
        turn->state.wait(InsertTurn::State::kWaiting,
                         std::memory_order_acquire);
      }
    }
    return state == InsertTurn::State::kTurn;
  }

  // The last that `first`, whose turn it is, inserts in one go: those from it
  // on by `next`.
  InsertTurn* LastOfTurn(InsertTurn* first) {
    const SpinMutexLock lock(&line_mutex_);
    InsertTurn* last = first;
    while (last->next != nullptr && last->next->is_small) last = last->next;
    return last;
  }

  // Those from the turn's holder to `last` are inserted, `count` of them.
  void EndTurn(const InsertTurn& last, uint64_t count) {
    InsertTurn* next = nullptr;
    {
      const SpinMutexLock lock(&line_mutex_);
      next = last.next;
      if (next == nullptr) {
        INVARIANT(newest_ == &last);
        newest_ = nullptr;
      }
    }
    if (next != nullptr) Wake(next, InsertTurn::State::kTurn);
    Leave(count);
  }

  // Its entries were inserted by another. It may be gone when this returns.
  static void Finish(InsertTurn* turn) { Wake(turn, InsertTurn::State::kDone); }

  void Leave(uint64_t count) {
    left_.fetch_add(count, std::memory_order_acq_rel);
    left_.notify_all();
  }

  // Until no group is on its way.
  void Drain() {
    uint64_t left = 0;
    // acquire: pairs with Leave(); what the groups inserted is there.
    const auto is_over = [&] {
      left = left_.load(std::memory_order_acquire);
      INVARIANT(left <= entered_);
      return left == entered_;
    };
    if (is_over() || for_all_.Try(is_over)) return;
    while (!is_over()) left_.wait(left, std::memory_order_acquire);
  }

 private:
  static void Wake(InsertTurn* turn, InsertTurn::State state) {
    INVARIANT(turn->state.load(std::memory_order_relaxed) ==
              InsertTurn::State::kWaiting);
    // release: pairs with AwaitTurn().
    turn->state.store(state, std::memory_order_release);
    turn->state.notify_one();
  }

  uint64_t entered_ = 0;
  std::atomic<uint64_t> left_{0};
  SpinMutex line_mutex_;
  InsertTurn* newest_ GUARDED_BY(line_mutex_) = nullptr;
  YieldingWait for_turn_;
  YieldingWait for_all_;
};

}  // namespace ROCKSDB_NAMESPACE
