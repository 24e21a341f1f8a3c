// Iterators that use prefixes only where they are asked to.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PrefixOptInTest : public DbFixture {
 protected:
  PrefixOptInTest() {
    options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
    options_.memtable_prefix_bloom_size_ratio = 0.1;
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(20));
    table.whole_key_filtering = false;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  ~PrefixOptInTest() override { db_.reset(); }

  void Fill(bool in_table) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    for (const char* key : {"a1", "a2", "c1", "e1"}) ASSERT_OK(Put(key, "v"));
    if (in_table) ASSERT_OK(Flush());
  }
  // The keys from `target` on.
  std::string From(const std::string& target, const ReadOptions& read) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    std::string keys;
    for (it->Seek(target); it->Valid(); it->Next()) {
      keys += it->key().ToString() + " ";
    }
    return it->status().ok() ? keys : it->status().ToString();
  }
};

TEST_F(PrefixOptInTest, TheOthersAreInTotalOrder) {
  for (const bool in_table : {false, true}) {
    for (const bool opts_in : {false, true}) {
      SCOPED_TRACE(std::to_string(in_table) + std::to_string(opts_in));
      options_.prefix_seek_opt_in_only = opts_in;
      ASSERT_NO_FATAL_FAILURE(Fill(in_table));
      const std::string all = "c1 e1 ";
      ReadOptions read;
      EXPECT_EQ(opts_in ? all : "", From("b", read));
      read.tailing = true;
      EXPECT_EQ(opts_in ? all : "", From("b", read));
      read = ReadOptions();
      read.total_order_seek = true;
      EXPECT_EQ(all, From("b", read));
      read = ReadOptions();
      read.auto_prefix_mode = true;
      EXPECT_EQ(all, From("b", read));
      read = ReadOptions();
      read.prefix_same_as_start = true;
      EXPECT_EQ("a1 a2 ", From("a", read));
      EXPECT_EQ("", From("b", read));
    }
  }
}

TEST_F(PrefixOptInTest, ReadsOfAKeyAskPrefixFilters) {
  options_.prefix_seek_opt_in_only = true;
  ASSERT_NO_FATAL_FAILURE(Fill(/*in_table=*/true));
  const uint64_t before =
      Ticker(BLOOM_FILTER_PREFIX_USEFUL) + Ticker(BLOOM_FILTER_USEFUL);
  EXPECT_EQ("NOT_FOUND", Get("b1"));
  EXPECT_EQ("v", Get("c1"));
  EXPECT_EQ(before + 1,
            Ticker(BLOOM_FILTER_PREFIX_USEFUL) + Ticker(BLOOM_FILTER_USEFUL));
}

TEST_F(PrefixOptInTest, MappedWritesShowNoDifference) {
  options_.allow_mmap_writes = true;
  ASSERT_NO_FATAL_FAILURE(Fill(/*in_table=*/true));
  Reopen();
  EXPECT_EQ("a1=v a2=v c1=v e1=v ", Scan());
  options_.use_direct_io_for_flush_and_compaction = true;
  EXPECT_TRUE(TryOpen().IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
