// A simulated cache tells how often a larger one would have hit, and logs each
// call in RocksDB's form, up to the log's size or its first error.
#include "rocksdb/utilities/sim_cache.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/vectors.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SimCacheTest : public ::testing::Test {
 protected:
  // A real cache of two entries beside a simulated one of four.
  SimCacheTest()
      : directory_("sim_cache"),
        cache_(NewSimCache(RealCache(200), 400, 0)),
        statistics_(CreateDBStatistics()) {}

  static std::shared_ptr<Cache> RealCache(size_t capacity) {
    LRUCacheOptions options;
    options.capacity = capacity;
    options.num_shard_bits = 0;
    options.metadata_charge_policy = kDontChargeCacheMetadata;
    return NewLRUCache(options);
  }
  // Looks `key` up and inserts it if it is missing, like a reader of blocks.
  // True: it was there.
  bool Use(const std::string& key) {
    Cache::Handle* handle = cache_->Lookup(
        key, nullptr, nullptr, Cache::Priority::LOW, statistics_.get());
    if (handle != nullptr) {
      cache_->Release(handle);
      return true;
    }
    EXPECT_TRUE(cache_->Insert(key, nullptr, &kNoopCacheItemHelper, 100).ok());
    return false;
  }

  const TempDir directory_;
  const std::shared_ptr<SimCache> cache_;
  const std::shared_ptr<Statistics> statistics_;
};

TEST_F(SimCacheTest, TheLargerOneWouldHaveHit) {
  size_t hits = 0;
  for (int round = 0; round < 3; ++round) {
    for (const char* key : {"a", "b", "c", "d"}) hits += Use(key);
  }
  EXPECT_EQ(0u, hits) << "four entries go round in room for two";
  EXPECT_EQ(4u, cache_->get_miss_counter());
  EXPECT_EQ(8u, cache_->get_hit_counter());
  EXPECT_EQ(4u, statistics_->getTickerCount(SIM_BLOCK_CACHE_MISS));
  EXPECT_EQ(8u, statistics_->getTickerCount(SIM_BLOCK_CACHE_HIT));
  EXPECT_EQ(400u, cache_->GetSimUsage());
  EXPECT_EQ(200u, cache_->GetUsage());
  EXPECT_EQ(400u, cache_->GetSimCapacity());
  EXPECT_EQ(200u, cache_->GetCapacity());
  EXPECT_EQ(
      "SimCache MISSes:  4\nSimCache HITs:    8\nSimCache HITRATE: 66.67\n",
      cache_->ToString());
  cache_->reset_counter();
  EXPECT_EQ(
      "SimCache MISSes:  0\nSimCache HITs:    0\nSimCache HITRATE: 0.00\n",
      cache_->ToString());
}

TEST_F(SimCacheTest, WhatIsErasedIsAMiss) {
  Use("a");
  Use("b");
  cache_->Erase("a");
  Use("a");
  EXPECT_EQ(3u, cache_->get_miss_counter());
  cache_->SetSimCapacity(100);
  EXPECT_EQ(100u, cache_->GetSimUsage());
  cache_->EraseUnRefEntries();
  EXPECT_EQ(0u, cache_->GetSimUsage());
  EXPECT_EQ(0u, cache_->GetUsage());
}

TEST_F(SimCacheTest, ImpossibleOnes) {
  EXPECT_EQ(nullptr, NewSimCache(RealCache(100), 100, 20));
  EXPECT_EQ(nullptr, NewSimCache(RealCache(100), RealCache(100), 20));
  EXPECT_EQ(nullptr, NewSimCache(nullptr, 100, 1));
  EXPECT_NE(nullptr, NewSimCache(RealCache(100), 100, 19));
}

TEST_F(SimCacheTest, EveryCallIsLogged) {
  const std::string path = directory_.File("log");
  Use("a");
  ASSERT_TRUE(cache_->StartActivityLogging(path, Env::Default()).ok());
  Use("a");
  Use(std::string("\x01\xff", 2));
  cache_->StopActivityLogging();
  Use("c");
  EXPECT_TRUE(cache_->GetActivityLoggingStatus().ok());
  EXPECT_EQ("LOOKUP - 61\nLOOKUP - 01FF\nADD - 01FF - 100\n",
            BytesOfFile(path));
}

// Lines that RocksDB wrote have the form of ours.
TEST_F(SimCacheTest, TheFormOfLines) {
  const std::string vector = VectorPath("utilities/r783_sim_cache.log");
  if (vector.empty()) GTEST_SKIP() << "the vectors are absent";
  const std::string path = directory_.File("log");
  ASSERT_TRUE(cache_->StartActivityLogging(path, Env::Default()).ok());
  std::istringstream lines(BytesOfFile(vector));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    std::istringstream words(line);
    std::string call;
    std::string dash;
    std::string hex;
    size_t charge = 0;
    std::string key;
    words >> call >> dash >> hex >> dash >> charge;
    ASSERT_TRUE(Slice(hex).DecodeHex(&key));
    if (call == "LOOKUP") {
      Cache::Handle* handle = cache_->Lookup(key);
      if (handle != nullptr) cache_->Release(handle);
    } else {
      ASSERT_EQ("ADD", call);
      ASSERT_TRUE(
          cache_->Insert(key, nullptr, &kNoopCacheItemHelper, charge).ok());
    }
  }
  cache_->StopActivityLogging();
  EXPECT_GT(count, 20u);
  EXPECT_EQ(BytesOfFile(vector), BytesOfFile(path));
}

TEST_F(SimCacheTest, ALogEndsAtItsSize) {
  const std::string path = directory_.File("log");
  ASSERT_TRUE(cache_->StartActivityLogging(path, Env::Default(), 30).ok());
  for (int i = 0; i < 10; ++i) Use("a");
  EXPECT_TRUE(cache_->GetActivityLoggingStatus().ok());
  EXPECT_EQ("LOOKUP - 61\nADD - 61 - 100\nLOOKUP - 61\n", BytesOfFile(path));
  // Another start ends the one before.
  const std::string second = directory_.File("second");
  ASSERT_TRUE(cache_->StartActivityLogging(path, Env::Default()).ok());
  ASSERT_TRUE(cache_->StartActivityLogging(second, Env::Default()).ok());
  Use("a");
  cache_->StopActivityLogging();
  EXPECT_EQ("", BytesOfFile(path));
  EXPECT_EQ("LOOKUP - 61\n", BytesOfFile(second));
}

TEST_F(SimCacheTest, ErrorsEndALog) {
  EXPECT_FALSE(
      cache_
          ->StartActivityLogging(directory_.path() + "/no/log", Env::Default())
          .ok());
  EXPECT_FALSE(cache_->GetActivityLoggingStatus().ok());
  EXPECT_TRUE(cache_->StartActivityLogging("log", nullptr).IsInvalidArgument());
  MemFileSystemOptions full;
  full.capacity_bytes = 20;
  const auto env = NewCompositeEnv(
      std::make_shared<MemFileSystem>(SystemClock::Default(), full));
  ASSERT_TRUE(cache_->StartActivityLogging("log", env.get()).ok());
  for (int i = 0; i < 10000; ++i) Use("a");
  cache_->StopActivityLogging();
  EXPECT_TRUE(cache_->GetActivityLoggingStatus().IsNoSpace());
  // The next one begins anew.
  ASSERT_TRUE(
      cache_->StartActivityLogging(directory_.File("log"), Env::Default())
          .ok());
  EXPECT_TRUE(cache_->GetActivityLoggingStatus().ok());
  cache_->StopActivityLogging();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
