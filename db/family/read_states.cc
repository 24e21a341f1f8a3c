#include "db/family/read_states.h"

#include "db/family/column_family.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"
#include "util/thread_local.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Values of a thread's slot besides a SuperVersion: taken by a read that is
// under way, and stale since a newer state was published.
int in_use_marker;
void* const kInUse = &in_use_marker;
void* const kStale = nullptr;

bool IsSuperVersion(void* value) { return value != kInUse && value != kStale; }

// A thread ends, or the slot goes: gives back what it cached.
void ReleaseCached(void* value) {
  if (IsSuperVersion(value)) {
    ReadStates::Release(static_cast<SuperVersion*>(value));
  }
}

}  // namespace

ReadStates::ReadStates(Statistics* statistics, Mutex* mutex)
    : local_(std::make_unique<ThreadLocalPtr>(&ReleaseCached)),
      statistics_(statistics),
      mutex_(mutex) {
  INVARIANT(mutex_ != nullptr);
}

ReadStates::~ReadStates() {
  // Else a thread may still be about to read it.
  INVARIANT(last_ == nullptr);
}

void ReadStates::Publish(std::unique_ptr<SuperVersion> next,
                         std::vector<SuperVersion*>* garbage) {
  INVARIANT(garbage != nullptr);
  mutex_->AssertHeld();
  next->number = number() + 1;
  SuperVersion* old = last_;
  last_ = next.release();
  number_.store(last_->number, std::memory_order_relaxed);
  DropThreadCopies(garbage);
  if (old != nullptr && old->Unref()) garbage->push_back(old);
}

void ReadStates::DropAll(std::vector<SuperVersion*>* garbage) {
  INVARIANT(garbage != nullptr);
  mutex_->AssertHeld();
  DropThreadCopies(garbage);
  if (last_ != nullptr && last_->Unref()) garbage->push_back(last_);
  last_ = nullptr;
}

void ReadStates::DropThreadCopies(std::vector<SuperVersion*>* garbage) {
  std::vector<void*> cached;
  local_->Scrape(&cached, kStale);
  for (void* value : cached) {
    if (!IsSuperVersion(value)) continue;
    auto* state = static_cast<SuperVersion*>(value);
    if (state->Unref()) garbage->push_back(state);
  }
}

SuperVersion* ReadStates::Acquire() {
  void* cached = local_->Swap(kInUse);
  // Already in use: a read inside a read, from a user's callback. It gets a
  // reference of its own; of the two, the slot keeps what comes back first.
  if (IsSuperVersion(cached)) return static_cast<SuperVersion*>(cached);
  SuperVersion* const state = RefLast();
  INVARIANT(state != nullptr);
  return state;
}

SuperVersion* ReadStates::TryAcquire() {
  void* cached = local_->Swap(kInUse);
  if (IsSuperVersion(cached)) return static_cast<SuperVersion*>(cached);
  SuperVersion* const state = RefLast();
  // No Return() follows. A read around this one must not find the mark and
  // leave its state here, which would hold the family, and so itself, for ever.
  if (state == nullptr) local_->Swap(kStale);
  return state;
}

SuperVersion* ReadStates::RefLast() {
  SuperVersion* state = nullptr;
  {
    MutexLock lock(mutex_);
    if (last_ != nullptr) state = last_->Ref();
  }
  if (state != nullptr) RecordTick(statistics_, NUMBER_SUPERVERSION_ACQUIRES);
  return state;
}

bool ReadStates::Return(SuperVersion* state) {
  assert(state != nullptr);
  void* expected = kInUse;
  if (local_->CompareAndSwap(state, expected)) return false;
  // A newer state was published meanwhile.
  return Release(state);
}

SuperVersion* ReadStates::AcquireReferenced() { return Reference(Acquire()); }

SuperVersion* ReadStates::TryAcquireReferenced() {
  SuperVersion* const state = TryAcquire();
  return state != nullptr ? Reference(state) : nullptr;
}

SuperVersion* ReadStates::Reference(SuperVersion* state) {
  state->Ref();
  const bool was_last = Return(state);
  INVARIANT(!was_last);
  return state;
}

bool ReadStates::Release(SuperVersion* state) {
  assert(state != nullptr);
  Statistics* const statistics = state->cfd->statistics();
  RecordTick(statistics, NUMBER_SUPERVERSION_RELEASES);
  if (!state->Unref()) return false;
  RecordTick(statistics, NUMBER_SUPERVERSION_CLEANUPS);
  const std::unique_ptr<SuperVersion> last(state);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
