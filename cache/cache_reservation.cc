#include "cache/cache_reservation.h"

#include <string>
#include <utility>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CacheReservation::CacheReservation(std::shared_ptr<Cache> cache,
                                   CacheEntryRole role)
    : cache_(std::move(cache)), helper_(role) {
  INVARIANT(cache_ != nullptr);
}

CacheReservation::~CacheReservation() { Update(0); }

void CacheReservation::Update(size_t needed_bytes) {
  // Mostly nothing changes, and no lock is taken.
  const size_t reserved = reserved_bytes();
  if (needed_bytes > 0 && needed_bytes <= reserved &&
      needed_bytes >= reserved / 4 * 3) {
    return;
  }
  const size_t needed = (needed_bytes + kEntryBytes - 1) / kEntryBytes;
  MutexLock lock(&mutex_);
  if (needed == 0 || needed < entries_.size() / 4 * 3) {
    while (entries_.size() > needed) {
      cache_->Release(entries_.back(), /*erase_if_last_ref=*/true);
      entries_.pop_back();
    }
  }
  while (entries_.size() < needed) {
    // As long as the keys of blocks are.
    std::string key;
    PutFixed64(&key, cache_->NewId());
    PutFixed64(&key, reinterpret_cast<uintptr_t>(this));
    Cache::Handle* entry = nullptr;
    const Status s =
        cache_->Insert(key, nullptr, &helper_, kEntryBytes, &entry);
    if (!s.ok() || entry == nullptr) break;
    entries_.push_back(entry);
  }
  reserved_bytes_.store(entries_.size() * kEntryBytes,
                        std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE
