// Memory outside the cache is charged to it as one sum over its holders, and a
// strict cache that is full refuses more.
#include "cache/memory_charge.h"

#include <gtest/gtest.h>

#include "cache/cache_reservation.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kUnit = CacheReservation::kEntryBytes;

std::shared_ptr<Cache> MakeCache(bool is_strict) {
  LRUCacheOptions options(4 * kUnit, 0, is_strict, 0.0);
  options.metadata_charge_policy = kDontChargeCacheMetadata;
  return options.MakeSharedCache();
}

TEST(MemoryCharge, TheSumIsReserved) {
  const auto cache = MakeCache(false);
  const auto memory = std::make_shared<ChargedMemory>(
      cache, CacheEntryRole::kFilterConstruction);
  {
    MemoryCharge first(memory);
    MemoryCharge second(memory);
    EXPECT_TRUE(first.Update(kUnit / 2));
    EXPECT_TRUE(second.Update(kUnit / 2));
    EXPECT_EQ(cache->GetUsage(), kUnit);
    EXPECT_TRUE(second.Update(kUnit));
    EXPECT_EQ(cache->GetUsage(), 2 * kUnit);
    EXPECT_EQ(memory->bytes(), kUnit / 2 + kUnit);
    EXPECT_TRUE(second.Update(1));
    MemoryCharge third(std::move(first));
    EXPECT_EQ(third.bytes(), kUnit / 2);
    EXPECT_EQ(memory->bytes(), kUnit / 2 + 1);
  }
  EXPECT_EQ(memory->bytes(), 0u);
  EXPECT_EQ(cache->GetUsage(), 0u);
}

TEST(MemoryCharge, AStrictCacheRefuses) {
  const auto cache = MakeCache(true);
  const auto memory = std::make_shared<ChargedMemory>(
      cache, CacheEntryRole::kBlockBasedTableReader);
  MemoryCharge first(memory);
  MemoryCharge second(memory);
  EXPECT_TRUE(first.Update(3 * kUnit));
  EXPECT_FALSE(second.Update(2 * kUnit));
  EXPECT_EQ(second.bytes(), 0u);
  EXPECT_EQ(memory->bytes(), 3 * kUnit);
  EXPECT_LE(cache->GetUsage(), 4 * kUnit);
  EXPECT_TRUE(second.Update(kUnit));
  EXPECT_TRUE(first.Update(0));
  EXPECT_TRUE(second.Update(4 * kUnit));
}

TEST(MemoryCharge, NothingToChargeGrantsAll) {
  MemoryCharge charge;
  EXPECT_TRUE(charge.Update(SIZE_MAX));
  EXPECT_EQ(charge.bytes(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
