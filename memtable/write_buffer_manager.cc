#include "rocksdb/write_buffer_manager.h"

#include <cassert>

#include "cache/cache_reservation.h"

namespace ROCKSDB_NAMESPACE {

// What memtables hold, charged to a cache.
struct WriteBufferManager::Reservation : CacheReservation {
  using CacheReservation::CacheReservation;
};

WriteBufferManager::WriteBufferManager(size_t buffer_size,
                                       std::shared_ptr<Cache> cache,
                                       bool allow_stall)
    : buffer_size_(buffer_size),
      allow_stall_(allow_stall),
      reservation_(cache == nullptr
                       ? nullptr
                       : std::make_unique<Reservation>(
                             std::move(cache), CacheEntryRole::kWriteBuffer)) {}

WriteBufferManager::~WriteBufferManager() {
#ifndef NDEBUG
  std::lock_guard<std::mutex> lock(mutex_);
  assert(queue_.empty());
#endif
}

size_t WriteBufferManager::dummy_entries_in_cache_usage() const {
  return reservation_ != nullptr ? reservation_->reserved_bytes() : 0;
}

void WriteBufferManager::SetBufferSize(size_t new_size) {
  assert(new_size > 0);
  buffer_size_.store(new_size, std::memory_order_relaxed);
  MaybeEndWriteStall();
}

void WriteBufferManager::SetAllowStall(bool new_allow_stall) {
  allow_stall_.store(new_allow_stall, std::memory_order_relaxed);
  MaybeEndWriteStall();
}

// Memory is counted whether there is a limit or not, so that setting one later
// finds the right figures.
void WriteBufferManager::ReserveMem(size_t mem) {
  const size_t used =
      memory_used_.fetch_add(mem, std::memory_order_relaxed) + mem;
  if (reservation_ != nullptr) reservation_->Update(used);
  memory_active_.fetch_add(mem, std::memory_order_relaxed);
}

void WriteBufferManager::ScheduleFreeMem(size_t mem) {
  assert(memory_active_.load(std::memory_order_relaxed) >= mem);
  memory_active_.fetch_sub(mem, std::memory_order_relaxed);
}

void WriteBufferManager::FreeMem(size_t mem) {
  assert(memory_used_.load(std::memory_order_relaxed) >= mem);
  const size_t used =
      memory_used_.fetch_sub(mem, std::memory_order_relaxed) - mem;
  if (reservation_ != nullptr) reservation_->Update(used);
  MaybeEndWriteStall();
}

void WriteBufferManager::BeginWriteStall(StallInterface* wbm_stall) {
  assert(wbm_stall != nullptr);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (ShouldStall()) {
      stall_active_.store(true, std::memory_order_relaxed);
      queue_.push_back(wbm_stall);
      return;
    }
  }
  wbm_stall->Signal();
}

void WriteBufferManager::MaybeEndWriteStall() {
  const bool wanted = enabled() && allow_stall_.load(std::memory_order_relaxed);
  if (wanted && IsStallThresholdExceeded()) return;
  std::list<StallInterface*> ended;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    // Looked at under the lock: who is about to wait has either seen what is
    // freed by now, or is in the queue.
    if (!IsStallActive()) return;
    stall_active_.store(false, std::memory_order_relaxed);
    ended.swap(queue_);
    // Signalled under the lock: whoever is in the queue may go away as soon as
    // RemoveDBFromQueue() has returned.
    for (StallInterface* stall : ended) stall->Signal();
  }
}

void WriteBufferManager::RemoveDBFromQueue(StallInterface* wbm_stall) {
  assert(wbm_stall != nullptr);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.remove(wbm_stall);
  }
  wbm_stall->Signal();
}

}  // namespace ROCKSDB_NAMESPACE
