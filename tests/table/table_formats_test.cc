// Every table format: contents of all kinds, errors in the middle of writing,
// and what of an index or filter is held, cached or read.

#include "tests/table/table_formats.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class EveryFormat : public ::testing::TestWithParam<TableFormat> {
 protected:
  EveryFormat() {
    fixture_.table.block_size = 256;
    fixture_.table.filter_policy.reset(NewBloomFilterPolicy(10));
    GetParam().prepare(&fixture_);
  }
  void Write(const std::vector<TableEntry>& entries) {
    bytes_ = fixture_.Build(entries);
    const Status s = fixture_.Open(bytes_, &reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void CheckScans(const std::vector<TableEntry>& entries) {
    const ReadOptions read;
    const KeyValues expected = ToKeyValues(entries);
    const auto iterator = reader_->NewIterator({.read_options = &read});
    ASSERT_EQ(ScanForward(iterator.get()), expected);
    ASSERT_EQ(ScanBackward(iterator.get()), expected);
    std::unique_ptr<InternalIterator> bulk;
    ASSERT_TRUE(reader_
                    ->NewBulkIterator({.read_options = &read},
                                      fixture_.Stream(bytes_), &bulk)
                    .ok());
    ASSERT_EQ(ScanForward(bulk.get()), expected);
    for (size_t i = 0; i < entries.size(); ++i) {
      iterator->Seek(expected[i].first);
      ASSERT_TRUE(iterator->Valid());
      ASSERT_EQ(iterator->value(), Slice(entries[i].value));
      iterator->SeekForPrev(expected[i].first);
      ASSERT_TRUE(iterator->Valid());
      ASSERT_EQ(iterator->key(), Slice(expected[i].first));
      if (i == 0) continue;
      iterator->Prev();
      ASSERT_TRUE(iterator->Valid());
      ASSERT_EQ(iterator->key(), Slice(expected[i - 1].first));
    }
    ASSERT_TRUE(reader_->VerifyChecksum(read, nullptr).ok());
  }

  TableFixture fixture_;
  std::string bytes_;
  std::unique_ptr<TableReader> reader_;
};

TEST_P(EveryFormat, ManyKeys) {
  const std::vector<TableEntry> entries = NumberedEntries(1500);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  ASSERT_NO_FATAL_FAILURE(CheckScans(entries));
  for (const TableEntry& e : entries) {
    ASSERT_EQ(fixture_.Get(*reader_, e.user_key), "=" + e.value);
    ASSERT_EQ(fixture_.Get(*reader_, e.user_key, e.sequence - 1), "none");
    ASSERT_EQ(fixture_.Get(*reader_, e.user_key + "\1"), "none");
  }
  EXPECT_EQ(fixture_.Get(*reader_, ""), "none");
  EXPECT_EQ(fixture_.Get(*reader_, "key"), "none");
  EXPECT_EQ(fixture_.Get(*reader_, "zzzzzzzzz"), "none");
}

TEST_P(EveryFormat, VersionsOfOneKeyOverManyBlocks) {
  fixture_.table.block_size = fixture_.table.block_align ? 32 : 16;
  std::vector<TableEntry> entries;
  entries.push_back({"a0000000", "first", 500});
  for (SequenceNumber s = 400; s > 200; --s) {
    entries.push_back({"k0000000", "v" + std::to_string(s), s});
  }
  entries.push_back({"k0000000", "", 10, kTypeDeletion});
  entries.push_back({"z0000000", "last", 5});
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  EXPECT_EQ(fixture_.built_properties.index_key_is_user_key, 0u);
  ASSERT_NO_FATAL_FAILURE(CheckScans(entries));
  for (SequenceNumber s = 400; s > 200; --s) {
    ASSERT_EQ(fixture_.Get(*reader_, "k0000000", s), "=v" + std::to_string(s));
  }
  EXPECT_EQ(fixture_.Get(*reader_, "k0000000", 150), "deleted");
  EXPECT_EQ(fixture_.Get(*reader_, "k0000000", 9), "none");
  EXPECT_EQ(fixture_.Get(*reader_, "a0000000"), "=first");
  EXPECT_EQ(fixture_.Get(*reader_, "z0000000"), "=last");
}

TEST_P(EveryFormat, EmptyAndOneKey) {
  ASSERT_NO_FATAL_FAILURE(Write({}));
  ASSERT_NO_FATAL_FAILURE(CheckScans({}));
  EXPECT_EQ(fixture_.Get(*reader_, "key00000"), "none");
  const std::vector<TableEntry> one = NumberedEntries(1);
  ASSERT_NO_FATAL_FAILURE(Write(one));
  ASSERT_NO_FATAL_FAILURE(CheckScans(one));
  EXPECT_EQ(fixture_.Get(*reader_, "key00000"), "=" + one[0].value);
}

TEST_P(EveryFormat, BlocksHeldBackForADictionary) {
  fixture_.compression = kZSTD;
  fixture_.compression_options.max_dict_bytes = 1000;
  for (const uint64_t size : {uint64_t{0}, uint64_t{20000}}) {
    fixture_.target_file_size = size;
    const std::vector<TableEntry> entries = NumberedEntries(1500);
    ASSERT_NO_FATAL_FAILURE(Write(entries));
    ASSERT_NO_FATAL_FAILURE(CheckScans(entries));
    for (const TableEntry& e : entries) {
      ASSERT_EQ(fixture_.Get(*reader_, e.user_key), "=" + e.value);
    }
  }
}

// Whichever append fails, Finish() says so.
TEST_P(EveryFormat, EveryAppendFailsOnce) {
  fixture_.write_buffer_bytes = 1;
  const std::vector<TableEntry> entries = NumberedEntries(60);
  const std::string whole = fixture_.Build(entries);
  for (size_t limit = 0; limit < whole.size(); limit += 7) {
    fixture_.write_limit = limit;
    Status s;
    fixture_.Build(entries, &s);
    ASSERT_TRUE(s.IsIOError()) << limit << " " << s.ToString();
  }
  fixture_.write_limit = whole.size();
  Status s;
  fixture_.Build(entries, &s);
  EXPECT_TRUE(s.ok()) << s.ToString();
}

TEST_P(EveryFormat, PrefixesSeekAsWithoutFilter) {
  if (fixture_.family.prefix_extractor == nullptr) {
    fixture_.family.prefix_extractor.reset(NewFixedPrefixTransform(7));
  }
  const std::vector<TableEntry> entries = NumberedEntries(1500);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  const ReadOptions read;
  const auto iterator = reader_->NewIterator(
      {.read_options = &read,
       .prefix_extractor = fixture_.family.prefix_extractor.get()});
  for (size_t i = 0; i < entries.size(); ++i) {
    std::string key = entries[i].user_key;
    key.back() = '0';  // an entry's key that has the same prefix
    const InternalKey target(key, kMaxSequenceNumber, kValueTypeForSeek);
    iterator->Seek(target.Encode());
    ASSERT_TRUE(iterator->Valid()) << key;
    ASSERT_EQ(ExtractUserKey(iterator->key()), Slice(key));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat,
                         ::testing::ValuesIn(TableFormats()),
                         [](const auto& one) { return one.param.name; });

class CachedPartitions : public ::testing::Test {
 protected:
  CachedPartitions() {
    BlockBasedTableOptions& table = fixture_.table;
    table.block_size = 256;
    table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.metadata_block_size = 256;
    table.partition_filters = true;
    table.cache_index_and_filter_blocks = true;
    table.pin_top_level_index_and_filter = false;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.block_cache = NewLRUCache(8 << 20, 0);
    fixture_.db.statistics = CreateDBStatistics();
    bytes_ = fixture_.Build(entries_);
  }
  void Open() {
    const Status s = fixture_.Open(bytes_, &reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
    fixture_.table.block_cache->EraseUnRefEntries();
    IgnoreReset();
  }
  void IgnoreReset() { ASSERT_TRUE(fixture_.db.statistics->Reset().ok()); }
  uint64_t Count(uint32_t ticker) const {
    return fixture_.db.statistics->getTickerCount(ticker);
  }

  const std::vector<TableEntry> entries_ = NumberedEntries(2000);
  TableFixture fixture_;
  std::string bytes_;
  std::unique_ptr<TableReader> reader_;
};

TEST_F(CachedPartitions, AGetReadsOnePartitionOfEach) {
  ASSERT_GT(fixture_.built_properties.index_partitions, 10u);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(fixture_.Get(*reader_, "key01000"), "=value-01000-abcabcabc");
  // Top level and partition.
  EXPECT_EQ(Count(BLOCK_CACHE_INDEX_MISS), 2u);
  EXPECT_EQ(Count(BLOCK_CACHE_FILTER_MISS), 2u);
  EXPECT_EQ(Count(BLOCK_CACHE_DATA_MISS), 1u);
  IgnoreReset();
  EXPECT_EQ(fixture_.Get(*reader_, "key01000"), "=value-01000-abcabcabc");
  EXPECT_EQ(Count(BLOCK_CACHE_MISS), 0u);
  EXPECT_EQ(Count(BLOCK_CACHE_INDEX_HIT), 2u);
  EXPECT_EQ(Count(BLOCK_CACHE_FILTER_HIT), 2u);
  // What the filter excludes needs no index.
  IgnoreReset();
  EXPECT_EQ(fixture_.Get(*reader_, "key01000x"), "none");
  EXPECT_EQ(Count(BLOCK_CACHE_INDEX_HIT), 0u);
  EXPECT_LT(fixture_.table.block_cache->GetUsage(), 16u << 10);
}

TEST_F(CachedPartitions, TheTopLevelIsPinnedByDefault) {
  fixture_.table.pin_top_level_index_and_filter = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(fixture_.Get(*reader_, "key01000"), "=value-01000-abcabcabc");
  EXPECT_EQ(Count(BLOCK_CACHE_INDEX_MISS), 1u);
  EXPECT_EQ(Count(BLOCK_CACHE_FILTER_MISS), 1u);
  EXPECT_EQ(Count(BLOCK_CACHE_INDEX_HIT), 0u);
}

TEST_F(CachedPartitions, PartitionsArePinnedByTier) {
  MetadataCacheOptions& tiers = fixture_.table.metadata_cache_options;
  const auto misses = [this] {
    Open();
    EXPECT_EQ(fixture_.Get(*reader_, "key01000"), "=value-01000-abcabcabc");
    const uint64_t count =
        Count(BLOCK_CACHE_INDEX_MISS) + Count(BLOCK_CACHE_FILTER_MISS);
    reader_.reset();
    return count;
  };
  tiers.top_level_index_pinning = PinningTier::kAll;
  tiers.partition_pinning = PinningTier::kAll;
  EXPECT_EQ(misses(), 0u);
  tiers.partition_pinning = PinningTier::kFlushedAndSimilar;
  EXPECT_EQ(misses(), 2u);
  fixture_.level = 0;
  EXPECT_EQ(misses(), 0u);
  fixture_.family.write_buffer_size = 1 << 10;  // The file is far larger.
  EXPECT_EQ(misses(), 2u);
  fixture_.family.write_buffer_size = 64 << 20;
  tiers.partition_pinning = PinningTier::kFallback;
  EXPECT_EQ(misses(), 2u);
  fixture_.table.pin_l0_filter_and_index_blocks_in_cache = true;
  EXPECT_EQ(misses(), 0u);
}

TEST_F(CachedPartitions, WithoutReadsAMissingPartitionIsIncomplete) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ReadOptions read;
  read.read_tier = kBlockCacheTier;
  const auto get = [&](const std::string& key) {
    return fixture_.Get(*reader_, key, kMaxSequenceNumber, read);
  };
  EXPECT_NE(get("key01000").find("Result incomplete"), std::string::npos);
  EXPECT_EQ(fixture_.Get(*reader_, "key01000"), "=value-01000-abcabcabc");
  EXPECT_EQ(get("key01000"), "=value-01000-abcabcabc");
  EXPECT_NE(get("key00001").find("Result incomplete"), std::string::npos);
  const auto iterator = reader_->NewIterator({.read_options = &read});
  const InternalKey target("key01000", kMaxSequenceNumber, kValueTypeForSeek);
  iterator->Seek(target.Encode());
  ASSERT_TRUE(iterator->Valid());
  while (iterator->Valid()) iterator->Next();
  EXPECT_TRUE(iterator->status().IsIncomplete());
}

TEST_F(CachedPartitions, ACacheWithoutRoomStillServes) {
  fixture_.table.block_cache = NewLRUCache(1, 0, /*strict=*/true);
  ASSERT_TRUE(fixture_.Open(bytes_, &reader_).ok());
  const ReadOptions read;
  const auto iterator = reader_->NewIterator({.read_options = &read});
  EXPECT_EQ(ScanForward(iterator.get()), ToKeyValues(entries_));
  EXPECT_EQ(ScanBackward(iterator.get()), ToKeyValues(entries_));
  for (const TableEntry& e : entries_) {
    ASSERT_EQ(fixture_.Get(*reader_, e.user_key), "=" + e.value);
  }
}

TEST_F(CachedPartitions, BatchesOverManyPartitions) {
  ASSERT_NO_FATAL_FAILURE(Open());
  fixture_.table.block_cache->EraseUnRefEntries();
  const ReadOptions read;
  const InternalKeyComparator order;
  PointLookup::Context context;
  context.order = &order;
  std::vector<std::string> targets;
  std::vector<PinnableSlice> values(200);
  std::vector<PointLookup> lookups;
  std::vector<TableLookup> batch(200);
  for (size_t i = 0; i < batch.size(); ++i) {
    targets.push_back(InternalKey(entries_[i * 10].user_key, kMaxSequenceNumber,
                                  kValueTypeForSeek)
                          .Encode()
                          .ToString());
    lookups.emplace_back(context, entries_[i * 10].user_key, &values[i],
                         nullptr);
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    batch[i].internal_key = targets[i];
    batch[i].lookup = &lookups[i];
  }
  const auto run =
      reader_->NewBatch({.read_options = &read}, batch.data(), batch.size());
  run->Start();
  run->Finish();
  for (size_t i = 0; i < batch.size(); ++i) {
    ASSERT_TRUE(batch[i].status.ok()) << batch[i].status.ToString();
    ASSERT_TRUE(lookups[i].Finish().ok());
    ASSERT_EQ(values[i], Slice(entries_[i * 10].value));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
