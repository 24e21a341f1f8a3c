// One writer at a time for each key, by stripes.
//
// Threads    Any. A thread holds one Hold at a time.

#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "db_stress_tool/keys.h"

namespace ROCKSDB_NAMESPACE::stress {

class KeyLocks {
 public:
  explicit KeyLocks(int log2_keys_per_lock)
      : shift_(log2_keys_per_lock), locks_(kCount) {}

  // Keys [from, to) of a family, locked in one order by all.
  class Hold {
   public:
    Hold(KeyLocks* locks, const KeyRef& key)
        : Hold(locks, key, key.number + 1) {}
    Hold(KeyLocks* locks, const KeyRef& from, uint64_t to) : locks_(locks) {
      for (uint64_t number = from.number; number < to; ++number) {
        const size_t index = locks->IndexOf({from.family, number});
        if (held_.empty() || held_.back() != index) held_.push_back(index);
      }
      std::sort(held_.begin(), held_.end());
      held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
      for (size_t index : held_) locks_->locks_[index].lock();
    }
    ~Hold() {
      for (size_t index : held_) locks_->locks_[index].unlock();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    KeyLocks* const locks_;
    std::vector<size_t> held_;
  };

 private:
  static constexpr size_t kCount = 4096;

  size_t IndexOf(const KeyRef& key) const {
    return ((key.number >> shift_) + key.family * 1021) % kCount;
  }

  const int shift_;
  std::vector<std::mutex> locks_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
