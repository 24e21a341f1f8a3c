// BlockBasedTableOptions::persistent_cache: between the block cache and the
// file.
#include "rocksdb/persistent_cache.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps all in memory.
class MapCache final : public PersistentCache {
 public:
  explicit MapCache(bool is_compressed) : is_compressed_(is_compressed) {}

  Status Insert(const Slice& key, const char* data,
                const size_t size) override {
    MutexLock lock(&mutex_);
    if (refuses) return Status::IOError("no");
    blocks[key.ToString()].assign(data, size);
    return Status::OK();
  }
  Status Lookup(const Slice& key, std::unique_ptr<char[]>* data,
                size_t* size) override {
    MutexLock lock(&mutex_);
    const auto found = blocks.find(key.ToString());
    if (refuses) return Status::IOError("no");
    if (found == blocks.end()) return Status::NotFound();
    *size = found->second.size();
    *data = std::make_unique<char[]>(*size);
    std::copy_n(found->second.data(), *size, data->get());
    return Status::OK();
  }
  bool IsCompressed() override { return is_compressed_; }
  StatsType Stats() override { return {}; }
  std::string GetPrintableOptions() const override { return ""; }
  uint64_t NewId() override { return 1; }

  // By the test while nobody reads.
  std::map<std::string, std::string> blocks;
  bool refuses = false;

 private:
  const bool is_compressed_;
  Mutex mutex_;
};

class PersistentCacheDbTest : public DbFixture,
                              public ::testing::WithParamInterface<bool> {
 protected:
  PersistentCacheDbTest() : cache_(std::make_shared<MapCache>(GetParam())) {
    options_.statistics = CreateDBStatistics();
    options_.compression = kZlibCompression;
    options_.disable_auto_compactions = true;
    table_.persistent_cache = cache_;
    table_.no_block_cache = true;
    table_.block_size = 1000;
    Apply();
  }
  void Apply() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  }
  static std::string Key(int i) { return "k" + std::to_string(1000 + i); }
  static std::string Value(int i) {
    return std::to_string(i) + std::string(100, 'v');
  }
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < 100; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
  }
  uint64_t TakeHits() { return Take(PERSISTENT_CACHE_HIT); }
  uint64_t TakeMisses() { return Take(PERSISTENT_CACHE_MISS); }
  uint64_t Take(uint32_t ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  }

  const std::shared_ptr<MapCache> cache_;
  BlockBasedTableOptions table_;
};

TEST_P(PersistentCacheDbTest, BlocksAreFoundInIt) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Get(Key(5)), Value(5));
  EXPECT_EQ(TakeMisses(), 1u);
  EXPECT_EQ(cache_->blocks.size(), 1u);
  EXPECT_EQ(Get(Key(5)), Value(5));
  EXPECT_EQ(TakeHits(), 1u);
  EXPECT_EQ(TakeMisses(), 0u);
  // A scan, forward and backward.
  const std::string all = Scan();
  const uint64_t blocks = cache_->blocks.size();
  EXPECT_GT(blocks, 5u);
  EXPECT_EQ(TakeMisses(), blocks - 1);
  TakeHits();
  EXPECT_EQ(Scan(), all);
  EXPECT_EQ(TakeHits(), blocks);
  EXPECT_EQ(TakeMisses(), 0u);
  // They are the file's, whoever has it open.
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Get(Key(99)), Value(99));
  EXPECT_EQ(TakeHits(), 1u);
}

TEST_P(PersistentCacheDbTest, MultiGetUsesItToo) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  for (const bool is_async : {false, true}) {
    for (int round = 0; round < 3; ++round) {
      ReadOptions read;
      read.async_io = is_async;
      const std::vector<std::string> names{Key(1), Key(2), Key(50), Key(99)};
      const std::vector<Slice> keys(names.begin(), names.end());
      std::vector<std::string> values;
      for (const Status& s : db_->MultiGet(read, keys, &values)) {
        ASSERT_OK(s);
      }
      EXPECT_EQ(values, (std::vector<std::string>{Value(1), Value(2), Value(50),
                                                  Value(99)}));
      if (round == 0 && !is_async) {
        EXPECT_EQ(TakeMisses(), cache_->blocks.size());
      } else {
        EXPECT_EQ(TakeHits(), cache_->blocks.size());
        EXPECT_EQ(TakeMisses(), 0u);
      }
    }
  }
}

TEST_P(PersistentCacheDbTest, TheBlockCacheComesFirst) {
  table_.no_block_cache = false;
  table_.block_cache = NewLRUCache(1 << 20);
  Apply();
  ASSERT_NO_FATAL_FAILURE(Fill());
  for (int round = 0; round < 3; ++round) EXPECT_EQ(Get(Key(7)), Value(7));
  EXPECT_EQ(TakeMisses(), 1u);
  EXPECT_EQ(TakeHits(), 0u);
  table_.block_cache->EraseUnRefEntries();
  EXPECT_EQ(Get(Key(7)), Value(7));
  EXPECT_EQ(TakeHits(), 1u);
  ReadOptions memory_alone;
  memory_alone.read_tier = kBlockCacheTier;
  table_.block_cache->EraseUnRefEntries();
  std::string value;
  EXPECT_TRUE(db_->Get(memory_alone, Key(7), &value).IsIncomplete());
}

TEST_P(PersistentCacheDbTest, NothingIsKeptWhereThatIsNotWanted) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  read.fill_cache = false;
  EXPECT_GT(Scan(read).size(), 0u);
  EXPECT_TRUE(cache_->blocks.empty());
  // Nor by compactions, which read each block once.
  ASSERT_OK(Put(Key(1), "new"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_TRUE(cache_->blocks.empty());
}

TEST_P(PersistentCacheDbTest, OneThatFailsIsPassedOver) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  cache_->refuses = true;
  for (int round = 0; round < 2; ++round) EXPECT_EQ(Get(Key(7)), Value(7));
  EXPECT_EQ(TakeMisses(), 2u);
}

// Damaged blocks are read from the file.
TEST_P(PersistentCacheDbTest, WhatItKeepsIsLookedAt) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Get(Key(7)), Value(7));
  ASSERT_EQ(cache_->blocks.size(), 1u);
  std::string& block = cache_->blocks.begin()->second;
  if (GetParam()) {
    for (const size_t at : {size_t{0}, block.size() / 2, block.size() - 1}) {
      block[at] ^= 1;
      ReadOptions unverified;
      unverified.verify_checksums = false;
      std::string value;
      EXPECT_OK(db_->Get(unverified, Key(7), &value));
      EXPECT_EQ(value, Value(7));
    }
  }
  block.resize(3);
  const std::string found = Get(Key(7));
  EXPECT_TRUE(found == Value(7) || found.starts_with("Corruption")) << found;
  TakeHits();
  if (GetParam()) {
    EXPECT_EQ(found, Value(7));
    EXPECT_EQ(Get(Key(7)), Value(7));
    EXPECT_EQ(TakeHits(), 1u);
  }
}

// What is damaged in the file is not kept.
TEST_P(PersistentCacheDbTest, DamageOfTheFileIsNotKept) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  db_.reset();
  DamageFile(FilesOf(path_, kTableFile).back(), {Harm::kFlip, -20});
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_TRUE(Get(Key(0)).starts_with("Corruption")) << Get(Key(0));
  EXPECT_TRUE(cache_->blocks.empty());
}

INSTANTIATE_TEST_SUITE_P(Stored, PersistentCacheDbTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
