// prefetch_lmax_index_and_filter_blocks: when index and filter of an ingested
// file come into the block cache.
#include <gtest/gtest.h>

#include "rocksdb/env.h"
#include "rocksdb/sst_file_reader.h"
#include "tests/db/impl/ingest_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IngestPrefetchTest : public IngestFixture {
 protected:
  IngestPrefetchTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(FileSystem::Default(),
                                                       1)),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    table_.cache_index_and_filter_blocks = true;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.block_size = 64;
    lazy_.prefetch_lmax_index_and_filter_blocks = false;
  }
  ~IngestPrefetchTest() override { db_.reset(); }

  // A database of its own, with counters and a cache of its own.
  void OpenNew() {
    db_.reset();
    table_.block_cache = NewLRUCache(8 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    options_.statistics = CreateDBStatistics();
    path_ += "x";
    Open();
    empty_usage_ = table_.block_cache->GetUsage();
  }
  std::string Added() const {
    const Statistics& counters = *options_.statistics;
    return std::to_string(counters.getTickerCount(BLOCK_CACHE_INDEX_ADD)) +
           " " +
           std::to_string(counters.getTickerCount(BLOCK_CACHE_FILTER_ADD));
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  BlockBasedTableOptions table_;
  size_t empty_usage_ = 0;  // what an open database has in its cache
  IngestExternalFileOptions lazy_;
};

TEST_F(IngestPrefetchTest, TheyComeAtOnceOrWhenFirstRead) {
  for (const int max_open_files : {-1, 20}) {
    options_.max_open_files = max_open_files;
    OpenNew();
    ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}));
    EXPECT_EQ(Levels(), "0,0,0,1");
    EXPECT_EQ(Added(), "1 1") << "the default";
    EXPECT_EQ(Get("k01"), "v");
    EXPECT_EQ(Added(), "1 1");
    OpenNew();
    ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
    EXPECT_EQ(Levels(), "0,0,0,1");
    EXPECT_EQ(Added(), "0 0");
    EXPECT_EQ(table_.block_cache->GetUsage(), empty_usage_);
    EXPECT_EQ(Get("k01"), "v");
    EXPECT_EQ(Added(), "1 1");
    EXPECT_EQ(Get("k50"), "v");
    EXPECT_EQ(Get("k51"), "NOT_FOUND");
    EXPECT_EQ(Added(), "1 1");
  }
}

// IngestExternalFileOptions::fill_cache.
TEST_F(IngestPrefetchTest, TheyNeedNotStayInTheCache) {
  IngestExternalFileOptions passing;
  passing.fill_cache = false;
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, passing));
  EXPECT_EQ(Added(), "0 0");
  EXPECT_EQ(table_.block_cache->GetUsage(), empty_usage_);
  EXPECT_EQ(Get("k01"), "v");
  EXPECT_EQ(Added(), "1 1");
  EXPECT_EQ(Get("k51"), "NOT_FOUND");
  // What is to be pinned is.
  table_.metadata_cache_options.unpartitioned_pinning = PinningTier::kAll;
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, passing));
  EXPECT_EQ(Added(), "1 1");
  EXPECT_GT(table_.block_cache->GetPinnedUsage(), empty_usage_);
  EXPECT_EQ(Get("k01"), "v");
}

TEST_F(IngestPrefetchTest, OnlyTheLastLevelWaits) {
  options_.compaction_style = kCompactionStyleUniversal;
  options_.allow_ingest_behind = true;
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
  EXPECT_EQ(Levels(), "0,0,1,0");
  EXPECT_EQ(Added(), "1 1");
  OpenNew();
  lazy_.ingest_behind = true;
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
  EXPECT_EQ(Levels(), "0,0,0,1");
  EXPECT_EQ(Added(), "0 0");
}

TEST_F(IngestPrefetchTest, WhatIsPinnedComesAtOnce) {
  table_.metadata_cache_options.unpartitioned_pinning = PinningTier::kAll;
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
  EXPECT_EQ(Added(), "1 1");
  EXPECT_GT(table_.block_cache->GetPinnedUsage(), empty_usage_);
}

TEST_F(IngestPrefetchTest, PartitionsWaitTooUnlessPinned) {
  table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table_.partition_filters = true;
  table_.metadata_block_size = 128;
  table_.pin_top_level_index_and_filter = false;
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
  EXPECT_EQ(Added(), "0 0");
  EXPECT_EQ(Get("k33"), "v");
  EXPECT_EQ(Added(), "2 2") << "what is over the partitions, and one of them";
  table_.metadata_cache_options.partition_pinning = PinningTier::kAll;
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
  const std::string pinned = Added();
  EXPECT_NE(pinned, "0 0");
  EXPECT_EQ(Get("k33"), "v");
  EXPECT_EQ(Added(), pinned);
}

// The external file is looked at whole, however it is opened later.
TEST_F(IngestPrefetchTest, ADamagedIndexIsRefused) {
  OpenNew();
  const std::string path = MakeKeys(1, 50, "v");
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  const auto properties = reader.GetTableProperties();
  const uint64_t at = properties->data_size + properties->filter_size +
                      properties->index_size / 2;
  std::string bytes;
  ASSERT_OK(ReadFileToString(env_.get(), path, &bytes));
  ASSERT_GT(properties->index_size, 50u);
  ASSERT_LT(at, bytes.size());
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  const std::string damaged = directory_.path() + "/damaged.sst";
  ASSERT_OK(WriteStringToFile(env_.get(), bytes, damaged));
  EXPECT_TRUE(Ingest({damaged}, lazy_).IsCorruption());
  EXPECT_EQ(TablesOnDisk(), 0u);
  ASSERT_OK(Ingest({path}, lazy_));
}

TEST_F(IngestPrefetchTest, AFirstReadThatFailsIsDoneAgain) {
  OpenNew();
  ASSERT_OK(Ingest({MakeKeys(1, 50, "v")}, lazy_));
  fs_->FailCall({.call = 1,
                 .kind = FaultKind::kIOError,
                 .scope = FaultScope::kAllCalls,
                 .path_contains = ".sst"});
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "k01", &value).IsIOError());
  EXPECT_TRUE(fs_->failed());
  fs_->ClearFault();
  EXPECT_EQ(Get("k01"), "v");
  EXPECT_EQ(Added(), "1 1");
}

TEST_F(IngestPrefetchTest, AFailureInTheMiddleLeavesNothing) {
  bool struck = true;
  uint64_t k = 1;
  for (; struck; ++k) {
    SCOPED_TRACE("k = " + std::to_string(k));
    OpenNew();
    const std::string path = MakeKeys(1, 50, "v");
    fs_->FailCall({.call = k,
                   .kind = FaultKind::kIOError,
                   .scope = FaultScope::kAllCalls,
                   .path_contains = ".sst"});
    const Status s = Ingest({path}, lazy_);
    struck = fs_->failed();
    fs_->ClearFault();
    EXPECT_EQ(Get("k01"), s.ok() ? "v" : "NOT_FOUND");
    if (!s.ok()) ASSERT_OK(Ingest({path}, lazy_));
    EXPECT_EQ(Get("k50"), "v");
    EXPECT_EQ(Added(), "1 1");
  }
  EXPECT_GT(k, 8u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
