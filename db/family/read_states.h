// The state of a column family that reads see, with a copy of the reference in
// each thread, so that a read takes no lock.
//
// Threads    Marked (mutex): under the DB mutex. The rest: any thread.
// Ownership  Holds a reference to the last state, and one in each thread's
// slot;
//            DropAll() before it goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "db/family/super_version.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;
class ThreadLocalPtr;

class ReadStates {
 public:
  ReadStates(Statistics* statistics, Mutex* mutex);
  ~ReadStates();

  // (mutex) From now on reads see this one, which gets the next number;
  // thread-local copies of the one before become stale. States to be deleted
  // without the mutex are appended to *garbage.
  void Publish(std::unique_ptr<SuperVersion> next,
               std::vector<SuperVersion*>* garbage);
  // (mutex) Lets go of every reference.
  void DropAll(std::vector<SuperVersion*>* garbage);

  // A reference for a read: the thread's copy where it is current. Takes the
  // DB mutex only when it is stale. Pair with Return(). There must be a state:
  // the caller has a handle of the family, or knows that nobody drops it.
  SuperVersion* Acquire();
  // Null after DropAll(): for a caller who only holds the family, whose state
  // goes with its last handle once it is dropped. Pair a state with Return().
  SuperVersion* TryAcquire();
  // True: it was the last reference, and the state is gone.
  bool Return(SuperVersion* state);
  // Like Acquire(), but iterators may keep the state: pair with Release().
  SuperVersion* AcquireReferenced();
  SuperVersion* TryAcquireReferenced();
  // Like Return(), but for AcquireReferenced().
  static bool Release(SuperVersion* state);

  // The number of the last published state; 0 before the first.
  uint64_t number() const { return number_.load(std::memory_order_relaxed); }

 private:
  // What follows when the thread has no current copy. Null after DropAll().
  SuperVersion* RefLast();
  SuperVersion* Reference(SuperVersion* state);
  void DropThreadCopies(std::vector<SuperVersion*>* garbage);

  const std::unique_ptr<ThreadLocalPtr> local_;
  Statistics* const statistics_;  // may be null
  Mutex* const mutex_;
  SuperVersion* last_ = nullptr;
  std::atomic<uint64_t> number_{0};
};

}  // namespace ROCKSDB_NAMESPACE
