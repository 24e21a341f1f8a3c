#include "db/write/write_thread.h"

#include <cassert>

#include "db/wal/write_batch_internal.h"
#include "db/write/write_hooks.h"
#include "monitoring/perf_context_imp.h"
#include "rocksdb/user_write_callback.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A group that a small write leads stays small, so that the small write does
// not wait for a megabyte of others: a write is small that takes no more than
// this part of the largest group.
constexpr size_t kSmallPart = 8;

// A writer waits on its state: a lock inside the atomic would be one more.
static_assert(std::atomic<WriteThread::State>::is_always_lock_free);
static_assert(std::atomic<WriteThread::Writer*>::is_always_lock_free);

bool NeedsGroupOfItsOwn(const WriteThread::Writer& writer) {
  if (writer.hooks == nullptr) return false;
  return writer.hooks->section != nullptr ||
         (writer.hooks->condition != nullptr &&
          !writer.hooks->condition->MayShareGroup());
}

// Whether a writer may be written in one record with the leader.
bool FitsTogether(const WriteThread::Writer& leader,
                  const WriteThread::Writer& other) {
  if (other.batch == nullptr) return false;
  if (NeedsGroupOfItsOwn(leader) || NeedsGroupOfItsOwn(other)) return false;
  // What is not all logged would give those behind it other sequences in a
  // replay.
  if (WriteBatchInternal::HasWalTermination(*leader.batch) ||
      WriteBatchInternal::HasWalTermination(*other.batch)) {
    return false;
  }
  assert(leader.options != nullptr);
  assert(other.options != nullptr);
  const WriteOptions& a = *leader.options;
  const WriteOptions& b = *other.options;
  if (b.sync && !a.sync) return false;
  return a.disableWAL == b.disableWAL && a.no_slowdown == b.no_slowdown &&
         a.low_pri == b.low_pri &&
         a.rate_limiter_priority == b.rate_limiter_priority;
}

// To wake another writer, and to wait for it, takes as long as some tens of
// entries.
bool IsWorthHandingOver(const WriteBatch& batch) {
  constexpr size_t kLeastEntries = 32;
  constexpr size_t kLeastBytes = 32 << 10;
  return WriteBatchInternal::Count(batch) >= kLeastEntries ||
         batch.GetDataSize() >= kLeastBytes;
}

bool MustNotWait(const WriteThread::Writer& writer) {
  return writer.batch != nullptr && writer.options->no_slowdown;
}

}  // namespace

void WriteThread::Wake(Writer* writer, State state) {
  INVARIANT(writer != nullptr);
  INVARIANT(state != State::kWaiting);
  INVARIANT(writer->state.load(std::memory_order_relaxed) != State::kDone);
  // release: pairs with the acquire in Await(); the writer sees its status.
  writer->state.store(state, std::memory_order_release);
  writer->state.notify_one();
}

WriteThread::State WriteThread::Await(Writer* writer, State not_this,
                                      YieldingWait* wait) {
  INVARIANT(writer != nullptr);
  INVARIANT(wait != nullptr);
  State state = not_this;
  // acquire: pairs with Wake().
  const auto is_over = [&] {
    state = writer->state.load(std::memory_order_acquire);
    return state != not_this;
  };
  if (wait->Try(is_over)) return state;
  while (!is_over()) writer->state.wait(not_this, std::memory_order_acquire);
  return state;
}

WriteThread::Writer* WriteThread::Push(Writer* writer) {
  INVARIANT(writer != nullptr);
  Writer* newest = newest_.load(std::memory_order_relaxed);
  do {
    writer->older = newest;
    // acq_rel: publishes the writer's fields to the leader that links it.
  } while (!newest_.compare_exchange_weak(
      newest, writer, std::memory_order_acq_rel, std::memory_order_relaxed));
  return newest;
}

// Called by the leader, the one writer without an older one. Others only come,
// at the newest end.
void WriteThread::BeginStall() {
  const std::lock_guard<std::mutex> lock(stall_mutex_);
  if (++stalls_ > 1) return;
  const auto refuse = [](Writer* writer) {
    INVARIANT(writer->group == nullptr);
    writer->status = Status::Incomplete("Write stall");
    Wake(writer, State::kDone);
  };
  // acquire: pairs with Push(); the writers' fields are complete.
  Writer* w = newest_.load(std::memory_order_acquire);
  INVARIANT(w != nullptr);
  while (w->older != nullptr && MustNotWait(*w)) {
    Writer* const newest = w;
    w = newest->older;
    Writer* expected = newest;
    if (newest_.compare_exchange_strong(expected, w, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
      refuse(newest);
    } else {
      // Whoever came meanwhile may wait, and it is taken out behind them.
      w = expected;
      INVARIANT(!MustNotWait(*w));
    }
  }
  while (w->older != nullptr) {
    Writer* const older = w->older;
    if (older->older != nullptr && MustNotWait(*older)) {
      w->older = older->older;
      refuse(older);
    } else {
      w = older;
    }
  }
}

void WriteThread::EndStall() {
  const std::lock_guard<std::mutex> lock(stall_mutex_);
  INVARIANT(stalls_ > 0);
  --stalls_;
}

bool WriteThread::IsStalled() {
  const std::lock_guard<std::mutex> lock(stall_mutex_);
  return stalls_ > 0;
}

WriteThread::State WriteThread::Join(Writer* writer) {
  INVARIANT(writer != nullptr);
  INVARIANT(writer->batch == nullptr || writer->options != nullptr);
  INVARIANT(writer->group == nullptr);
  INVARIANT(writer->state.load(std::memory_order_relaxed) == State::kWaiting);
  Writer* before = nullptr;
  if (MustNotWait(*writer)) {
    const std::lock_guard<std::mutex> lock(stall_mutex_);
    if (stalls_ > 0) {
      writer->status = Status::Incomplete("Write stall");
      writer->state.store(State::kDone, std::memory_order_relaxed);
      return State::kDone;
    }
    before = Push(writer);
  } else {
    before = Push(writer);
  }
  if (writer->hooks != nullptr && writer->hooks->progress != nullptr) {
    writer->hooks->progress->OnWriteEnqueued();
  }
  if (before == nullptr) {
    writer->state.store(State::kLeader, std::memory_order_relaxed);
    return State::kLeader;
  }
  PERF_TIMER_GUARD(write_thread_wait_nanos);
  return Await(writer, State::kWaiting, &for_group_);
}

void WriteThread::FormGroup(Writer* leader, Group* group) {
  INVARIANT(leader != nullptr);
  INVARIANT(group != nullptr);
  INVARIANT(leader->state.load() == State::kLeader);
  Gather(leader, group);
}

void WriteThread::FormGroupFor(Writer* next, Group* group) {
  INVARIANT(next != nullptr);
  INVARIANT(group != nullptr);
  INVARIANT(next->state.load() == State::kWaiting);
  INVARIANT(next->older == nullptr);
  Gather(next, group);
  group->is_led_for_it = true;
}

void WriteThread::Gather(Writer* leader, Group* group) {
  INVARIANT(leader->group == nullptr);
  INVARIANT(group->leader == nullptr);
  group->leader = leader;
  group->last = leader;
  group->size = 1;
  leader->group = group;
  if (leader->batch == nullptr) return;
  group->needs_sync = leader->options->sync;
  group->has_hooks = leader->hooks != nullptr;

  // acquire: pairs with Join(); the writers' fields are complete.
  Writer* newest = newest_.load(std::memory_order_acquire);
  INVARIANT(newest != nullptr);
  for (Writer* w = newest; w != leader; w = w->older) {
    assert(w->older != nullptr);
    w->older->newer = w;
  }

  size_t bytes = leader->batch->GetDataSize();
  const size_t small = max_group_bytes_ / kSmallPart;
  const size_t limit = bytes <= small ? bytes + small : max_group_bytes_;
  for (Writer* w = leader; w != newest;) {
    w = w->newer;
    assert(w != nullptr);
    assert(w->group == nullptr);
    if (!FitsTogether(*leader, *w)) break;
    bytes += w->batch->GetDataSize();
    if (bytes > limit) break;
    if (w->hooks != nullptr) group->has_hooks = true;
    w->group = group;
    group->last = w;
    ++group->size;
  }
}

void WriteThread::LaunchInsert(Group* group) {
  INVARIANT(group != nullptr);
  INVARIANT(group->size > 1);
  INVARIANT(group->inserting.load(std::memory_order_relaxed) == 0);
  size_t inserting = 0;
  group->ForEach([&](Writer* w) {
    w->is_inserting = w != group->leader && IsWorthHandingOver(*w->batch);
    if (w->is_inserting) ++inserting;
  });
  if (inserting == 0) return;
  group->inserting.store(inserting, std::memory_order_relaxed);
  group->ForEach([](Writer* w) {
    if (w->is_inserting) Wake(w, State::kInsert);
  });
}

void WriteThread::FinishFollower(Writer* writer) {
  INVARIANT(writer != nullptr);
  Group* group = writer->group;
  INVARIANT(group != nullptr);
  // acq_rel: the leader sees the entries and the status of every follower.
  const size_t before =
      group->inserting.fetch_sub(1, std::memory_order_acq_rel);
  INVARIANT(before > 0);
  if (before == 1) group->inserting.notify_one();
  const State state = Await(writer, State::kInsert, &for_leader_);
  INVARIANT(state == State::kDone);
}

void WriteThread::WaitForFollowers(Group* group) {
  INVARIANT(group != nullptr);
  size_t left = 0;
  const auto is_over = [&] {
    left = group->inserting.load(std::memory_order_acquire);
    return left == 0;
  };
  if (for_followers_.Try(is_over)) return;
  while (!is_over()) {
    group->inserting.wait(left, std::memory_order_acquire);
  }
}

WriteThread::Writer* WriteThread::TakeOut(Group* group) {
  INVARIANT(group != nullptr);
  Writer* const last = group->last;
  INVARIANT(last != nullptr);
  Writer* next = last;
  if (newest_.compare_exchange_strong(next, nullptr, std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
    return nullptr;
  }
  // Writers came after the group: the oldest of them is next.
  while (next->older != last) {
    assert(next->older != nullptr);
    next = next->older;
  }
  next->older = nullptr;
  return next;
}

void WriteThread::HandOver(Group* group) {
  Writer* const next = TakeOut(group);
  if (next != nullptr) Wake(next, State::kLeader);
}

WriteThread::Writer* WriteThread::LeaveOrKeep(Group* group) {
  Writer* next = TakeOut(group);
  if (next != nullptr &&
      (next->batch == nullptr || next->hooks != nullptr ||
       next->options->sync || IsWorthHandingOver(*next->batch))) {
    Wake(next, State::kLeader);
    next = nullptr;
  }
  WakeFollowers(group);
  return next;
}

void WriteThread::WakeFollowers(Group* group) {
  INVARIANT(group != nullptr);
  INVARIANT(group->inserting.load(std::memory_order_relaxed) == 0);
  // A follower may return, and its Writer go, as soon as it is woken.
  Writer* const leader = group->leader;
  const bool is_led_for_it = group->is_led_for_it;
  for (Writer* w = group->last; w != leader;) {
    Writer* older = w->older;
    Wake(w, State::kDone);
    w = older;
  }
  if (is_led_for_it) Wake(leader, State::kDone);
}

bool WriteThread::IsSmall(const Group& group) {
  return group.size == 1 && !IsWorthHandingOver(*group.leader->batch);
}

}  // namespace ROCKSDB_NAMESPACE
