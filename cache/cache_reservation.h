// Room in a cache for memory that is used outside of it: entries without an
// object, which push out what the cache would otherwise hold.
//
// Contract   The room covers what was asked for last, in whole entries. It
//            shrinks only when less than three quarters of it are needed, so
//            that a figure that goes up and down costs nothing.
// Threads    Safe for concurrent use.
// Ownership  Shares the cache; gives the room back when it goes.
// Errors     A cache at its strict limit grants less: reserved_bytes() says how
//            much.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CacheReservation {
 public:
  static constexpr size_t kEntryBytes = 256 << 10;

  CacheReservation(std::shared_ptr<Cache> cache, CacheEntryRole role);
  ~CacheReservation();
  CacheReservation(const CacheReservation&) = delete;
  CacheReservation& operator=(const CacheReservation&) = delete;

  void Update(size_t needed_bytes) EXCLUDES(mutex_);
  size_t reserved_bytes() const {
    return reserved_bytes_.load(std::memory_order_relaxed);
  }

  // By all reservations in `cache`: of what it is said to hold, what is not
  // there.
  static size_t ReservedIn(const Cache* cache);

 private:
  const std::shared_ptr<Cache> cache_;
  const Cache::CacheItemHelper helper_;
  Mutex mutex_;
  std::vector<Cache::Handle*> entries_ GUARDED_BY(mutex_);
  std::atomic<size_t> reserved_bytes_{0};
};

}  // namespace ROCKSDB_NAMESPACE
