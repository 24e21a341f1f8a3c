// Memory outside a cache that is charged to it, by role: many holders, one sum
// for which room is reserved (cache/cache_reservation.h).
//
// Threads    ChargedMemory: any. A MemoryCharge serves one thread.
// Ownership  A charge shares what it is charged to, and gives back what it has
//            when it goes.
// Errors     Grow() answers false where a cache with a strict limit has no
//            room: then nothing changes.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "rocksdb/cache_interface.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CacheReservation;

class ChargedMemory {
 public:
  ChargedMemory(std::shared_ptr<Cache> cache, CacheEntryRole role);
  ~ChargedMemory();

  bool Grow(size_t bytes);
  void Shrink(size_t bytes);
  size_t bytes() const {
    MutexLock lock(&mutex_);
    return bytes_;
  }

 private:
  mutable Mutex mutex_;
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  const std::unique_ptr<CacheReservation> reservation_;
};

class MemoryCharge {
 public:
  // Null: nothing is charged, and everything granted.
  explicit MemoryCharge(std::shared_ptr<ChargedMemory> memory = nullptr)
      : memory_(std::move(memory)) {}
  MemoryCharge(MemoryCharge&& other) noexcept
      : memory_(std::move(other.memory_)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryCharge& operator=(MemoryCharge&&) = delete;
  ~MemoryCharge() { static_cast<void>(Update(0)); }

  // From now on it is so much. False: there is no room, and it is as before.
  bool Update(size_t bytes);
  size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<ChargedMemory> memory_;
  size_t bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
