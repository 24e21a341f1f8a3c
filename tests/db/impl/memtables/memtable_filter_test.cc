// The Bloom filter of memtables, from the options to what reads are spared.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/perf_context.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MemTableFilterDbTest : public DbFixture {
 protected:
  MemTableFilterDbTest() {
    options_.memtable_prefix_bloom_size_ratio = 0.1;
    SetPerfLevel(kEnableCount);
    Answers();  // What earlier tests counted.
  }
  ~MemTableFilterDbTest() override { SetPerfLevel(kDisable); }

  struct Asked {
    uint64_t hits = 0, misses = 0;
    bool operator==(const Asked&) const = default;
  };
  // What memtables' filters have answered since the last call.
  static Asked Answers() {
    const Asked asked{get_perf_context()->bloom_memtable_hit_count,
                      get_perf_context()->bloom_memtable_miss_count};
    get_perf_context()->Reset();
    return asked;
  }
  // The key that a prefix seek finds.
  std::string Seek(const std::string& target, const ReadOptions& read = {}) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Seek(target);
    EXPECT_OK(it->status());
    return it->Valid() ? it->key().ToString() : "NONE";
  }
};

TEST_F(MemTableFilterDbTest, LookupsAskForWholeKeys) {
  options_.memtable_whole_key_filtering = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  Answers();
  EXPECT_EQ(Get("b"), "2");
  EXPECT_EQ(Answers(), (Asked{1, 0}));
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("c"), "NOT_FOUND");
  EXPECT_EQ(Answers(), (Asked{0, 2}));
  const std::vector<Slice> keys = {"a", "b", "c"};
  std::vector<std::string> values;
  const auto statuses = db_->MultiGet(ReadOptions(), keys, &values);
  EXPECT_EQ(values[0] + values[1], "12");
  EXPECT_TRUE(statuses[2].IsNotFound());
  EXPECT_EQ(Answers(), (Asked{1, 2}));
}

TEST_F(MemTableFilterDbTest, OffIsOff) {
  options_.memtable_prefix_bloom_size_ratio = 0;
  options_.memtable_whole_key_filtering = true;
  Open();
  ASSERT_OK(Put("b", "2"));
  EXPECT_EQ(Get("a") + Get("b"), "NOT_FOUND2");
  EXPECT_EQ(Answers(), (Asked{0, 0}));
}

TEST_F(MemTableFilterDbTest, SeeksAskForPrefixes) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  Open();
  ASSERT_OK(Put("aa1", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("bb1", "2"));
  ASSERT_OK(Put("b", "3"));  // has no prefix
  Answers();
  EXPECT_EQ(Seek("bb0"), "bb1");
  EXPECT_EQ(Answers(), (Asked{1, 0}));
  EXPECT_EQ(Seek("aa0"), "aa1");
  EXPECT_EQ(Answers(), (Asked{0, 1}));
  EXPECT_EQ(Get("bb2"), "NOT_FOUND");
  EXPECT_EQ(Answers(), (Asked{1, 0}));
  EXPECT_EQ(Get("b"), "3");
  EXPECT_EQ(Seek("b"), "b");
  ReadOptions total;
  total.total_order_seek = true;
  EXPECT_EQ(Seek("ab", total), "b");
  ReadOptions automatic;
  automatic.auto_prefix_mode = true;
  EXPECT_EQ(Seek("ab", automatic), "b");
  EXPECT_EQ(Answers(), (Asked{0, 0}));
}

// In total order once it stands somewhere, whatever the seek was spared.
TEST_F(MemTableFilterDbTest, AnIteratorTurnsAboutAfterAPrefixSeek) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  Open();
  ASSERT_OK(Put("bb1", "file"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("aa1", "memtable"));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek("bb0");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "bb1");
  it->Prev();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "aa1");
}

TEST_F(MemTableFilterDbTest, RangeTombstonesHideWhatTheFilterDoesNotKnow) {
  options_.memtable_whole_key_filtering = true;
  Open();
  ASSERT_OK(Put("c", "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "m"));
  EXPECT_EQ(Get("c"), "NOT_FOUND");
}

TEST_F(MemTableFilterDbTest, AChangedExtractorLeavesOlderMemtablesUnasked) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(4));
  options_.max_write_buffer_number = 4;
  options_.min_write_buffer_number_to_merge = 3;
  Open();
  ASSERT_OK(Put("abcd", "1"));
  ASSERT_OK(db_->SetOptions({{"prefix_extractor", "fixed:2"}}));
  // The new extractor's prefix of the key is "ab"; the memtable knows "abcd".
  EXPECT_EQ(Seek("aba"), "abcd");
  EXPECT_EQ(Get("abcd"), "1");
  ASSERT_OK(Flush());
  ASSERT_OK(Put("abzz", "2"));
  Answers();
  EXPECT_EQ(Seek("aby"), "abzz");
  EXPECT_EQ(Answers().hits, 1u);
}

TEST_F(MemTableFilterDbTest, ChangesApplyToTheNextMemtable) {
  options_.memtable_prefix_bloom_size_ratio = 0;
  Open();
  ASSERT_OK(db_->SetOptions({{"memtable_prefix_bloom_size_ratio", "0.05"},
                             {"memtable_whole_key_filtering", "true"}}));
  ASSERT_OK(Put("a", "1"));
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  EXPECT_EQ(Answers(), (Asked{0, 0}));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("a", "1"));
  Answers();
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  EXPECT_EQ(Answers(), (Asked{0, 1}));
}

TEST_F(MemTableFilterDbTest, ANegativeRatioIsNone) {
  options_.memtable_prefix_bloom_size_ratio = -0.1;
  Open();
  EXPECT_EQ(db_->GetOptions().memtable_prefix_bloom_size_ratio, 0);
  options_.memtable_prefix_bloom_size_ratio = 0.1;
  Reopen();
  ASSERT_OK(db_->SetOptions({{"memtable_prefix_bloom_size_ratio", "-1"}}));
  EXPECT_EQ(db_->GetOptions().memtable_prefix_bloom_size_ratio, 0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
