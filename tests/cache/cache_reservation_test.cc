// Room that is reserved in a cache follows what is needed without jitter, is
// visible in the cache's usage, and is refused by a strict cache that is full.
#include "cache/cache_reservation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kEntry = CacheReservation::kEntryBytes;

TEST(CacheReservationTest, FollowsWhatIsNeeded) {
  const std::shared_ptr<Cache> cache = NewLRUCache(64 * kEntry, 0);
  {
    CacheReservation reservation(cache, CacheEntryRole::kWriteBuffer);
    EXPECT_EQ(reservation.reserved_bytes(), 0u);
    reservation.Update(1);
    EXPECT_EQ(reservation.reserved_bytes(), kEntry);
    reservation.Update(12 * kEntry);
    EXPECT_EQ(reservation.reserved_bytes(), 12 * kEntry);
    EXPECT_GE(cache->GetPinnedUsage(), 12 * kEntry);
    // A little less changes nothing; much less does.
    reservation.Update(10 * kEntry);
    EXPECT_EQ(reservation.reserved_bytes(), 12 * kEntry);
    reservation.Update(3 * kEntry);
    EXPECT_EQ(reservation.reserved_bytes(), 3 * kEntry);
    EXPECT_LT(cache->GetUsage(), 4 * kEntry);
  }
  EXPECT_EQ(cache->GetUsage(), 0u);
}

TEST(CacheReservationTest, ACacheTellsWhatIsReservedInIt) {
  const std::shared_ptr<Cache> cache = NewLRUCache(64 * kEntry, 0);
  const std::shared_ptr<Cache> other = NewLRUCache(64 * kEntry, 0);
  EXPECT_EQ(CacheReservation::ReservedIn(cache.get()), 0u);
  {
    CacheReservation first(cache, CacheEntryRole::kWriteBuffer);
    CacheReservation second(cache, CacheEntryRole::kMisc);
    CacheReservation elsewhere(other, CacheEntryRole::kMisc);
    first.Update(3 * kEntry);
    second.Update(4 * kEntry);
    elsewhere.Update(kEntry);
    EXPECT_EQ(CacheReservation::ReservedIn(cache.get()), 7 * kEntry);
    EXPECT_EQ(CacheReservation::ReservedIn(other.get()), kEntry);
    first.Update(kEntry);
    EXPECT_EQ(CacheReservation::ReservedIn(cache.get()), 5 * kEntry);
  }
  EXPECT_EQ(CacheReservation::ReservedIn(cache.get()), 0u);
  EXPECT_EQ(CacheReservation::ReservedIn(other.get()), 0u);
}

TEST(CacheReservationTest, AStrictCacheGrantsWhatItHas) {
  LRUCacheOptions options;
  options.capacity = 4 * kEntry;
  options.num_shard_bits = 0;
  options.strict_capacity_limit = true;
  const std::shared_ptr<Cache> cache = NewLRUCache(options);
  CacheReservation reservation(cache, CacheEntryRole::kWriteBuffer);
  reservation.Update(20 * kEntry);
  EXPECT_GT(reservation.reserved_bytes(), 0u);
  EXPECT_LE(reservation.reserved_bytes(), 4 * kEntry);
  reservation.Update(0);
  EXPECT_EQ(cache->GetUsage(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
