// A secondary cache on a device keeps what a block cache evicts, bounded and
// oldest first, and no failing call or damaged record gives a wrong block.
#include "cache/block_file_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/testing/temp_dir.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BlockFileCacheTest : public ::testing::Test {
 protected:
  BlockFileCacheTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())) {
    options_.fs = fs_;
    options_.directory = "/x/cache";
    options_.capacity_bytes = 30000;
    options_.file_bytes = 10000;
  }
  Status Open() {
    cache_.reset();
    cache_ = std::make_unique<BlockFileCache>(options_);
    return cache_->Open("/x");
  }
  void Put(const std::string& key, const std::string& value) {
    EXPECT_TRUE(cache_->Insert(key, value.data(), value.size()).ok());
    cache_->AwaitWrites();
  }
  std::string Get(const std::string& key) {
    std::unique_ptr<char[]> data;
    size_t size = 0;
    const Status s = cache_->Lookup(key, &data, &size);
    return s.ok() ? std::string(data.get(), size) : s.ToString();
  }
  bool Has(const std::string& key) { return Get(key).starts_with("v"); }
  double Stat(const std::string& name) {
    const auto stats = cache_->Stats();
    return stats.at(0).at("persistentcache.blockcachetier." + name);
  }
  std::vector<std::string> Files() {
    std::vector<std::string> names;
    EXPECT_TRUE(
        fs_->GetChildren("/x/cache", IOOptions(), &names, nullptr).ok());
    return names;
  }

  const std::shared_ptr<FaultInjectionFileSystem> fs_;
  BlockFileCache::Options options_;
  std::unique_ptr<BlockFileCache> cache_;
};

TEST_F(BlockFileCacheTest, WhatIsInsertedIsFound) {
  ASSERT_TRUE(Open().ok());
  EXPECT_TRUE(cache_->IsCompressed());
  EXPECT_TRUE(Get("a").starts_with("NotFound"));
  Put("a", "v1");
  Put("b", std::string("\0v", 2));
  Put("", "v2");
  Put("c", "");
  EXPECT_EQ(Get("a"), "v1");
  EXPECT_EQ(Get("b"), std::string("\0v", 2));
  EXPECT_EQ(Get(""), "v2");
  EXPECT_EQ(Get("c"), "");
  Put("a", "v3");
  EXPECT_EQ(Get("a"), "v3");
  EXPECT_EQ(Stat("cache_hits"), 5);
  EXPECT_EQ(Stat("cache_misses"), 1);
  EXPECT_GT(Stat("bytes_written"), 0);
  EXPECT_NE(cache_->NewId(), cache_->NewId());
}

TEST_F(BlockFileCacheTest, TheOldestGo) {
  ASSERT_TRUE(Open().ok());
  const std::string value = "v" + std::string(2970, 'x');  // three to a file
  for (int i = 0; i < 20; ++i) {
    Put("k" + std::to_string(i), value);
    EXPECT_LE(Files().size(), 3u);
    EXPECT_TRUE(Has("k" + std::to_string(i)));
  }
  int found = 0;
  for (int i = 0; i < 20; ++i) found += Has("k" + std::to_string(i));
  EXPECT_EQ(found, 8);  // two files of three, and one of two
  EXPECT_FALSE(Has("k11"));
  EXPECT_TRUE(Has("k12"));
}

// What an earlier process has left counts for nothing; what is not the cache's
// stays.
TEST_F(BlockFileCacheTest, ItBeginsEmptyAndLeavesNothing) {
  ASSERT_TRUE(Open().ok());
  Put("a", "v1");
  std::unique_ptr<FSWritableFile> other;
  for (const char* path : {"/x/cache/77.rc", "/x/cache/other"}) {
    ASSERT_TRUE(
        fs_->NewWritableFile(path, FileOptions(), &other, nullptr).ok());
    other.reset();
  }
  ASSERT_TRUE(Open().ok());
  EXPECT_EQ(Files(), std::vector<std::string>{"other"});
  EXPECT_FALSE(Has("a"));
  Put("a", "v2");
  EXPECT_EQ(Files().size(), 2u);
  cache_.reset();
  EXPECT_EQ(Files(), std::vector<std::string>{"other"});
  EXPECT_EQ(fs_->open_handles(), 0u);
}

TEST_F(BlockFileCacheTest, ThereMustBeRoomForAFile) {
  options_.capacity_bytes = 9999;
  EXPECT_TRUE(Open().IsInvalidArgument());
  options_.capacity_bytes = 10000;
  ASSERT_TRUE(Open().ok());
  Put("a", "v" + std::string(20000, 'x'));  // larger than any file
  EXPECT_FALSE(Has("a"));
  EXPECT_EQ(Stat("insert_dropped"), 1);
  for (int i = 0; i < 30; ++i) Put("k", "v" + std::string(3000, 'x'));
  EXPECT_TRUE(Has("k"));
  EXPECT_EQ(Files().size(), 1u);
}

// Many blocks that wait are written together, and their first files go before
// the last ones are written.
TEST_F(BlockFileCacheTest, FilesOfABatchThatGoAreDeleted) {
  options_.capacity_bytes = 10000;
  ASSERT_TRUE(Open().ok());
  const std::string value = "v" + std::string(2970, 'x');  // three to a file
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(
        cache_->Insert("k" + std::to_string(i), value.data(), value.size())
            .ok());
  }
  cache_->AwaitWrites();
  EXPECT_EQ(Files().size(), 1u);
  int found = 0;
  for (int i = 0; i < 300; ++i) found += Has("k" + std::to_string(i));
  EXPECT_EQ(found, 3);
  EXPECT_TRUE(Has("k299"));
}

TEST_F(BlockFileCacheTest, WhatWaitsIsBounded) {
  options_.most_waiting_bytes = 50;
  ASSERT_TRUE(Open().ok());
  Put("a", "v" + std::string(100, 'x'));
  EXPECT_FALSE(Has("a"));
  EXPECT_EQ(Stat("insert_dropped"), 1);
  Put("b", "v");
  EXPECT_TRUE(Has("b"));
}

// Each call to the file system fails once: blocks are lost, and never wrong.
TEST_F(BlockFileCacheTest, ACallThatFailsCostsBlocks) {
  for (const FaultKind kind : {FaultKind::kIOError, FaultKind::kShort}) {
    bool struck = true;
    for (uint64_t call = 1; struck; ++call) {
      ASSERT_LT(call, 500u);
      fs_->FailCall(
          {.call = call, .kind = kind, .scope = FaultScope::kAllCalls});
      if (Open().ok()) {
        for (int i = 0; i < 12; ++i) {
          const std::string value = "v" + std::string(3000, char('a' + i));
          Put("k" + std::to_string(i), value);
          const std::string found = Get("k" + std::to_string(i));
          EXPECT_TRUE(found == value || !found.starts_with("v")) << found;
        }
      }
      struck = fs_->failed();
      fs_->ClearFault();
      if (cache_ != nullptr && Open().ok()) {
        Put("k", "v");
        EXPECT_TRUE(Has("k"));
      }
    }
    cache_.reset();
    EXPECT_EQ(fs_->open_handles(), 0u);
  }
}

TEST_F(BlockFileCacheTest, DamagedRecordsAreNotFound) {
  ASSERT_TRUE(Open().ok());
  Put("a", "v1");
  const std::string path = "/x/cache/" + Files().at(0);
  uint64_t size = 0;
  ASSERT_TRUE(fs_->GetFileSize(path, IOOptions(), &size, nullptr).ok());
  ASSERT_TRUE(fs_->Truncate(path, size - 1, IOOptions(), nullptr).ok());
  EXPECT_TRUE(Get("a").starts_with("Corruption"));
  EXPECT_EQ(Stat("cache_errors"), 1);
}

TEST_F(BlockFileCacheTest, ManyThreads) {
  ASSERT_TRUE(Open().ok());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 200; ++i) {
        const std::string key = std::to_string((t * 7 + i) % 50);
        const std::string value = "v" + key + std::string(400, 'x');
        EXPECT_TRUE(cache_->Insert(key, value.data(), value.size()).ok());
        const std::string found = Get(key);
        EXPECT_TRUE(found == value || !found.starts_with("v")) << found;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(PersistentCacheTest, IsMadeInADirectory) {
  const TempDir directory("persistent_cache");
  std::shared_ptr<PersistentCache> cache;
  for (const bool optimized : {false, true}) {
    const Status s = NewPersistentCache(Env::Default(), directory.path() + "/c",
                                        200 << 20, nullptr, optimized, &cache);
    ASSERT_TRUE(s.ok()) << s.ToString();
    ASSERT_TRUE(cache->Insert("key", "value", 5).ok());
    static_cast<BlockFileCache*>(cache.get())->AwaitWrites();
    std::unique_ptr<char[]> data;
    size_t size = 0;
    ASSERT_TRUE(cache->Lookup("key", &data, &size).ok());
    EXPECT_EQ(std::string(data.get(), size), "value");
    cache.reset();
  }
  EXPECT_TRUE(NewPersistentCache(Env::Default(), directory.path(), 1, nullptr,
                                 false, &cache)
                  .IsInvalidArgument());
  EXPECT_TRUE(NewPersistentCache(Env::Default(), directory.path(), 200 << 20,
                                 nullptr, false, nullptr)
                  .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
