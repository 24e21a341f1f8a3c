#include "cache/memory_charge.h"

#include "cache/cache_reservation.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ChargedMemory::ChargedMemory(std::shared_ptr<Cache> cache, CacheEntryRole role)
    : reservation_(std::make_unique<CacheReservation>(std::move(cache), role)) {
}

ChargedMemory::~ChargedMemory() = default;

bool ChargedMemory::Grow(size_t bytes) {
  MutexLock lock(&mutex_);
  reservation_->Update(bytes_ + bytes);
  if (reservation_->reserved_bytes() < bytes_ + bytes) {
    reservation_->Update(bytes_);
    return false;
  }
  bytes_ += bytes;
  return true;
}

void ChargedMemory::Shrink(size_t bytes) {
  MutexLock lock(&mutex_);
  INVARIANT(bytes <= bytes_);
  bytes_ -= bytes;
  reservation_->Update(bytes_);
}

bool MemoryCharge::Update(size_t bytes) {
  if (memory_ == nullptr || bytes == bytes_) return true;
  if (bytes > bytes_) {
    if (!memory_->Grow(bytes - bytes_)) return false;
  } else {
    memory_->Shrink(bytes_ - bytes);
  }
  bytes_ = bytes;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
