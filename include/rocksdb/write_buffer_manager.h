#pragma once

// Counts the memory of memtables, over as many databases as share it, and says
// when they should flush or stop writing.
//
// Threads    Every call from any thread.
// Ownership  Shared by the options of the databases.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "rocksdb/cache.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// How a database is told to wait, and to go on.
class StallInterface {
 public:
  virtual ~StallInterface() = default;

  // Waits until Signal(), which may have come already.
  virtual void Block() = 0;
  virtual void Signal() = 0;
};

class WriteBufferManager final {
 public:
  // buffer_size  bytes that all memtables together should not pass; 0 = no
  //              limit.
  // cache        charges the memory to this cache as well.
  // allow_stall  writers wait while memory is above the limit.
  explicit WriteBufferManager(size_t buffer_size,
                              std::shared_ptr<Cache> cache = nullptr,
                              bool allow_stall = false);
  ~WriteBufferManager();
  WriteBufferManager(const WriteBufferManager&) = delete;
  WriteBufferManager& operator=(const WriteBufferManager&) = delete;

  bool enabled() const { return buffer_size() > 0; }
  bool cost_to_cache() const { return reservation_ != nullptr; }

  // Bytes of all memtables, and of those that still take writes.
  size_t memory_usage() const {
    return memory_used_.load(std::memory_order_relaxed);
  }
  size_t mutable_memtable_memory_usage() const {
    return memory_active_.load(std::memory_order_relaxed);
  }
  // Bytes that are charged to the cache.
  size_t dummy_entries_in_cache_usage() const;

  size_t buffer_size() const {
    return buffer_size_.load(std::memory_order_relaxed);
  }
  // `new_size` must not be 0.
  void SetBufferSize(size_t new_size);
  void SetAllowStall(bool new_allow_stall);

  // True when a database should seal a memtable: the active ones hold seven
  // eighths of the limit, or everything reaches the limit and at least half
  // of it is active, so that a flush would help.
  bool ShouldFlush() const {
    const size_t limit = buffer_size();
    if (limit == 0) return false;
    const size_t active = mutable_memtable_memory_usage();
    return active > limit / 8 * 7 ||
           (memory_usage() >= limit && active >= limit / 2);
  }
  bool ShouldStall() const {
    return allow_stall_.load(std::memory_order_relaxed) && enabled() &&
           (IsStallActive() || IsStallThresholdExceeded());
  }
  bool IsStallActive() const {
    return stall_active_.load(std::memory_order_relaxed);
  }
  bool IsStallThresholdExceeded() const {
    return memory_usage() >= buffer_size();
  }

  // The engine's side. A memtable reserves what it allocates, schedules it
  // for freeing when it is sealed, frees it when it is gone.
  void ReserveMem(size_t mem);
  void ScheduleFreeMem(size_t mem);
  void FreeMem(size_t mem);

  // Starts a stall of `wbm_stall`, or signals it at once if there is no need.
  void BeginWriteStall(StallInterface* wbm_stall);
  // Ends all stalls if memory allows.
  void MaybeEndWriteStall();
  // Forgets `wbm_stall` and signals it.
  void RemoveDBFromQueue(StallInterface* wbm_stall);

 private:
  struct Reservation;

  std::atomic<size_t> buffer_size_;
  std::atomic<size_t> memory_used_{0};
  std::atomic<size_t> memory_active_{0};
  std::atomic<bool> allow_stall_;
  std::atomic<bool> stall_active_{false};
  const std::unique_ptr<Reservation> reservation_;  // may be null

  std::mutex mutex_;  // Guards queue_ and changes of stall_active_.
  std::list<StallInterface*> queue_;
};

}  // namespace ROCKSDB_NAMESPACE
