// What is found in a cache is kept there, for all that share it.
#include "cache/cache_entry_stats.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/system_clock.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kForever = 1'000'000'000'000;

size_t CountEntries(Cache* cache) {
  size_t count = 0;
  cache->ApplyToAllEntries(
      [&count](const Slice&, Cache::ObjectPtr, size_t charge,
               const Cache::CacheItemHelper*) {
        EXPECT_EQ(charge, 0u);
        ++count;
      },
      Cache::ApplyToAllEntriesOptions());
  return count;
}

class CacheEntryStatsTest : public ::testing::TestWithParam<bool> {
 protected:
  static std::shared_ptr<Cache> NewCache(size_t capacity_bytes) {
    if (GetParam()) {
      return HyperClockCacheOptions(capacity_bytes, 4096).MakeSharedCache();
    }
    LRUCacheOptions options;
    options.capacity = capacity_bytes;
    return options.MakeSharedCache();
  }
  SystemClock* const clock_ = SystemClock::Default().get();
};

TEST_P(CacheEntryStatsTest, AreOneEntryForAllThatShareACache) {
  const std::shared_ptr<Cache> cache = NewCache(1 << 20);
  const auto one = CacheEntryStats::Of(cache);
  const auto two = CacheEntryStats::Of(cache);
  EXPECT_EQ(one.get(), two.get());
  EXPECT_EQ(CountEntries(cache.get()), 1u);
  EXPECT_GT(cache->GetPinnedUsage(), 0u);
  // The second tells what the first has found.
  const auto found = one->Collect(cache.get(), clock_, kForever);
  EXPECT_GT(found.collected_at_micros, 0u);
  EXPECT_EQ(two->Collect(cache.get(), clock_, kForever).collected_at_micros,
            found.collected_at_micros);
  EXPECT_EQ(found.counts[static_cast<size_t>(CacheEntryRole::kMisc)], 1u);
  EXPECT_EQ(found.bytes[static_cast<size_t>(CacheEntryRole::kMisc)], 0u);
}

TEST_P(CacheEntryStatsTest, StayUntilTheCacheNeedsTheRoom) {
  const std::shared_ptr<Cache> cache = NewCache(1 << 20);
  CacheEntryStats* const first = CacheEntryStats::Of(cache).get();
  EXPECT_EQ(cache->GetPinnedUsage(), 0u);
  EXPECT_EQ(CacheEntryStats::Of(cache).get(), first);
  cache->EraseUnRefEntries();
  EXPECT_EQ(CountEntries(cache.get()), 0u);
}

TEST_P(CacheEntryStatsTest, KeepTheirCacheAlive) {
  std::shared_ptr<Cache> cache = NewCache(1 << 20);
  const auto stats = CacheEntryStats::Of(cache);
  Cache* const raw = cache.get();
  cache.reset();
  EXPECT_EQ(stats->Collect(raw, clock_, 0)
                .counts[static_cast<size_t>(CacheEntryRole::kMisc)],
            1u);
}

// Databases that share a cache may have clocks of their own.
TEST_P(CacheEntryStatsTest, WhatIsFromTheFutureIsCollectedAnew) {
  constexpr uint64_t kHour = 3'600'000'000;
  const std::shared_ptr<Cache> cache = NewCache(1 << 20);
  const auto stats = CacheEntryStats::Of(cache);
  MockClock ahead;
  MockClock behind;
  ahead.Advance(kHour);
  const auto first = stats->Collect(cache.get(), &ahead, kForever);
  EXPECT_EQ(first.collected_at_micros, ahead.NowMicros());
  const auto second = stats->Collect(cache.get(), &behind, kForever);
  EXPECT_EQ(second.collected_at_micros, behind.NowMicros());
  // No age is too large to be an age.
  ahead.Advance(kHour);
  EXPECT_EQ(stats->Collect(cache.get(), &ahead, UINT64_MAX).collected_at_micros,
            second.collected_at_micros);
}

TEST_P(CacheEntryStatsTest, TextTellsHowOftenItWasCollectedAndTold) {
  const std::shared_ptr<Cache> cache = NewCache(1 << 20);
  const auto stats = CacheEntryStats::Of(cache);
  MockClock clock;
  clock.Advance(1'000'000);
  stats->Collect(cache.get(), &clock, kForever);
  const auto text = [&] {
    return CacheEntryStats::Text(
        stats->Collect(cache.get(), &clock, 10'000'000), clock.NowMicros());
  };
  clock.Advance(2'500'000);
  const std::string copied = text();
  EXPECT_NE(copied.find(" capacity: 1.00 MB usage: "), std::string::npos);
  EXPECT_NE(copied.find(" collections: 1 last_copies: 1 last_secs: 0 "
                        "secs_since: 2\n"
                        "Block cache entry stats(count,size,portion): "
                        "Misc(1,0.00 KB,0%)\n"),
            std::string::npos)
      << copied;
  clock.Advance(10'000'000);
  EXPECT_NE(text().find(" collections: 2 last_copies: 0 "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Caches, CacheEntryStatsTest, ::testing::Bool());

TEST(CacheWithoutRoomTest, HasStatsOutside) {
  LRUCacheOptions options;
  options.capacity = 0;
  options.strict_capacity_limit = true;
  const std::shared_ptr<Cache> cache = options.MakeSharedCache();
  const auto stats = CacheEntryStats::Of(cache);
  ASSERT_NE(stats, nullptr);
  EXPECT_EQ(cache->GetUsage(), 0u);
  EXPECT_GT(stats->Collect(cache.get(), SystemClock::Default().get(), 0)
                .collected_at_micros,
            0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
