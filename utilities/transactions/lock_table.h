// One part of a family's locks: which keys are locked, by whom, and who waits
// for them.
//
// Memory is in proportion to the keys that are locked, but for some spare
// entries, which spare an allocation for each lock.
//
// Threads  Guarded by the mutex of the part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/invariant.h"
#include "utilities/transactions/lock_owner.h"
#include "utilities/transactions/stripe_mutex.h"

namespace ROCKSDB_NAMESPACE {

// Someone who waits for a key. Lives on the stack of the waiting thread.
struct LockWaiter {
  LockWaiter(LockOwner* waiting_owner, bool wants_exclusive, bool is_upgrade,
             TransactionDBMutexFactory* factory)
      : owner(waiting_owner),
        is_exclusive(wants_exclusive),
        upgrades(is_upgrade),
        condition(factory) {}

  LockOwner* const owner;
  const bool is_exclusive;
  const bool upgrades;  // it is one of those that share the lock
  bool is_granted = false;
  bool is_dropped = false;  // the family is gone
  bool is_in_graph = false;
  StripeCondition condition;
};

struct LockEntry {
  size_t hash = 0;
  std::string key;
  bool is_exclusive = false;
  // Most keys have one holder: no allocation for it after the first use.
  std::vector<LockOwner*> holders;
  std::deque<LockWaiter*>* waiters = nullptr;  // first come first; null: none

  bool HasWaiters() const { return waiters != nullptr && !waiters->empty(); }
  bool IsHeldBy(const LockOwner* owner) const {
    for (const LockOwner* holder : holders) {
      if (holder == owner) return true;
    }
    return false;
  }
};

class LockTable {
 public:
  LockTable() = default;
  // Whoever has a lock still will not ask for it any more.
  ~LockTable() {
    ForEach([](LockEntry* entry) {
      INVARIANT(!entry->HasWaiters());
      delete entry->waiters;
      delete entry;
    });
  }
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;

  // Null: the key is free.
  LockEntry* Find(size_t hash, const Slice& key) {
    if (buckets_.empty()) return nullptr;
    for (LockEntry* e : buckets_[hash & (buckets_.size() - 1)]) {
      if (e->hash == hash && e->key == key.ToStringView()) return e;
    }
    return nullptr;
  }

  LockEntry* Add(size_t hash, const Slice& key) {
    if (count_ >= buckets_.size()) Resize(buckets_.empty() ? 16 : count_ * 2);
    std::unique_ptr<LockEntry> entry;
    if (!spare_.empty()) {
      entry = std::move(spare_.back());
      spare_.pop_back();
    } else {
      entry = std::make_unique<LockEntry>();
    }
    entry->hash = hash;
    entry->key.assign(key.data(), key.size());
    entry->is_exclusive = false;
    INVARIANT(entry->holders.empty() && entry->waiters == nullptr);
    LockEntry* const added = entry.release();
    buckets_[hash & (buckets_.size() - 1)].push_back(added);
    ++count_;
    return added;
  }

  void Remove(LockEntry* entry) {
    INVARIANT(entry->holders.empty() && !entry->HasWaiters());
    delete entry->waiters;
    entry->waiters = nullptr;
    Bucket& bucket = buckets_[entry->hash & (buckets_.size() - 1)];
    for (LockEntry*& e : bucket) {
      if (e != entry) continue;
      e = bucket.back();
      bucket.pop_back();
      break;
    }
    --count_;
    std::unique_ptr<LockEntry> owned(entry);
    constexpr size_t kLongKey = 256;
    if (spare_.size() < kMostSpare && owned->key.capacity() <= kLongKey) {
      spare_.push_back(std::move(owned));
    }
    if (count_ == 0 && buckets_.size() > kMostIdleBuckets) Resize(16);
  }

  template <class Visit>
  void ForEach(const Visit& visit) {
    for (Bucket& bucket : buckets_) {
      for (size_t i = 0; i < bucket.size(); ++i) visit(bucket[i]);
    }
  }
  size_t count() const { return count_; }

 private:
  using Bucket = std::vector<LockEntry*>;
  static constexpr size_t kMostSpare = 8;
  static constexpr size_t kMostIdleBuckets = 1024;

  void Resize(size_t at_least) {
    size_t size = 16;
    while (size < at_least) size *= 2;
    std::vector<Bucket> larger(size);
    for (const Bucket& bucket : buckets_) {
      for (LockEntry* e : bucket) larger[e->hash & (size - 1)].push_back(e);
    }
    buckets_.swap(larger);
  }

  std::vector<Bucket> buckets_;  // a power of two
  size_t count_ = 0;
  std::vector<std::unique_ptr<LockEntry>> spare_;
};

}  // namespace ROCKSDB_NAMESPACE
