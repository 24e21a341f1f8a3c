#include "cache/cache_reservation.h"

#include <map>
#include <string>
#include <utility>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The bytes that are reserved in each cache.
class ReservedBytes {
 public:
  static ReservedBytes* OfThisProcess() {
    // Never destroyed: caches held by statics may outlive any static of ours.
    static ReservedBytes* const all =
        std::make_unique<ReservedBytes>().release();
    return all;
  }

  void Change(const Cache* cache, size_t before, size_t now) {
    MutexLock lock(&mutex_);
    size_t& bytes = bytes_[cache];
    INVARIANT(bytes >= before);
    bytes = bytes - before + now;
    if (bytes == 0) bytes_.erase(cache);
  }
  size_t Of(const Cache* cache) const {
    MutexLock lock(&mutex_);
    const auto found = bytes_.find(cache);
    return found == bytes_.end() ? 0 : found->second;
  }

 private:
  mutable Mutex mutex_;
  std::map<const Cache*, size_t> bytes_ GUARDED_BY(mutex_);
};

}  // namespace

size_t CacheReservation::ReservedIn(const Cache* cache) {
  return ReservedBytes::OfThisProcess()->Of(cache);
}

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
  if (needed == 0 || needed * 4 < entries_.size() * 3) {
    while (entries_.size() > needed) {
      cache_->Release(entries_.back(), /*erase_if_last_ref=*/true);
      entries_.pop_back();
    }
  }
  while (entries_.size() < needed) {
    // The key has 16 bytes, like those of blocks.
    std::string key;
    PutFixed64(&key, cache_->NewId());
    PutFixed64(&key, reinterpret_cast<uintptr_t>(this));
    Cache::Handle* entry = nullptr;
    const Status s =
        cache_->Insert(key, nullptr, &helper_, kEntryBytes, &entry);
    if (!s.ok() || entry == nullptr) break;
    entries_.push_back(entry);
  }
  const size_t before = reserved_bytes();
  const size_t now = entries_.size() * kEntryBytes;
  if (now == before) return;
  reserved_bytes_.store(now, std::memory_order_relaxed);
  ReservedBytes::OfThisProcess()->Change(cache_.get(), before, now);
}

}  // namespace ROCKSDB_NAMESPACE
