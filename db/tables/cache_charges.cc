#include "db/tables/cache_charges.h"

#include <map>
#include <utility>

#include "cache/cache_reservation.h"
#include "db/tables/file_meta.h"
#include "options/cf_options.h"
#include "table/table_charges.h"
#include "util/invariant.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The block cache that `role` is charged to; null: none.
std::shared_ptr<Cache> CacheFor(const MutableCFOptions& options,
                                CacheEntryRole role) {
  const auto* table =
      options.table_factory == nullptr
          ? nullptr
          : options.table_factory->GetOptions<BlockBasedTableOptions>();
  if (table == nullptr || !IsCharged(table->cache_usage_options, role)) {
    return nullptr;
  }
  return table->block_cache;
}

}  // namespace

std::shared_ptr<ChargedMemory> FileMetadataCharge(
    const MutableCFOptions& options) {
  std::shared_ptr<Cache> cache =
      CacheFor(options, CacheEntryRole::kFileMetadata);
  if (cache == nullptr) return nullptr;
  return std::make_shared<ChargedMemory>(std::move(cache),
                                         CacheEntryRole::kFileMetadata);
}

void ChargeFile(const std::shared_ptr<ChargedMemory>& memory, FileMeta* file) {
  INVARIANT(file != nullptr && file->charge == nullptr);
  if (memory == nullptr) return;
  auto charge = std::make_shared<MemoryCharge>(memory);
  if (charge->Update(file->MemoryBytes())) file->charge = std::move(charge);
}

std::shared_ptr<CacheReservation> BlobCacheCharge(
    const MutableCFOptions& options, const Cache* blobs) {
  std::shared_ptr<Cache> cache = CacheFor(options, CacheEntryRole::kBlobCache);
  if (cache == nullptr || blobs == nullptr || blobs == cache.get()) {
    return nullptr;
  }
  struct Shared {
    Mutex mutex;
    std::map<std::pair<const Cache*, const Cache*>,
             std::weak_ptr<CacheReservation>>
        charges GUARDED_BY(mutex);
  };
  // Never destroyed: a database may be held by a static.
  static Shared& shared = *std::make_unique<Shared>().release();
  MutexLock lock(&shared.mutex);
  std::erase_if(shared.charges,
                [](const auto& c) { return c.second.expired(); });
  std::weak_ptr<CacheReservation>& known = shared.charges[{blobs, cache.get()}];
  std::shared_ptr<CacheReservation> charge = known.lock();
  if (charge == nullptr) {
    charge = std::make_shared<CacheReservation>(std::move(cache),
                                                CacheEntryRole::kBlobCache);
    known = charge;
  }
  return charge;
}

}  // namespace ROCKSDB_NAMESPACE
