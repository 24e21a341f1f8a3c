// Block-based tables, built and read back under many options.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "table/properties_block.h"
#include "table/unique_id.h"
#include "tests/table/table_fixture.h"
#include "tests/testing/untouched_bytes.h"
#include "util/coding.h"
#include "util/compression.h"
#include "util/key/entry_limit.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// zstd where this build has it.
CompressionType AnyCodec() {
  return CompressionTypeSupported(kZSTD) ? kZSTD : kNoCompression;
}

constexpr CompressionType kCodecs[] = {kNoCompression,
                                       kSnappyCompression,
                                       kZlibCompression,
                                       kBZip2Compression,
                                       kLZ4Compression,
                                       kLZ4HCCompression,
                                       kZSTD};

void CheckContent(TableFixture* fixture, const std::string& bytes,
                  const std::vector<TableEntry>& entries) {
  std::unique_ptr<TableReader> reader;
  Status s = fixture->Open(bytes, &reader);
  ASSERT_TRUE(s.ok()) << s.ToString();
  const KeyValues expected = ToKeyValues(entries);
  const ReadOptions read;
  const auto iterator = reader->NewIterator({.read_options = &read});
  ASSERT_EQ(ScanForward(iterator.get()), expected);
  ASSERT_EQ(ScanBackward(iterator.get()), expected);
  std::unique_ptr<InternalIterator> bulk;
  s = reader->NewBulkIterator({.read_options = &read}, fixture->Stream(bytes),
                              &bulk);
  ASSERT_TRUE(s.ok()) << s.ToString();
  ASSERT_EQ(ScanForward(bulk.get()), expected);
  for (size_t i = 0; i < entries.size(); i += 1 + entries.size() / 50) {
    const TableEntry& e = entries[i];
    if (e.type == kTypeValue) {
      ASSERT_EQ(fixture->Get(*reader, e.user_key, e.sequence), "=" + e.value);
    }
    ASSERT_EQ(fixture->Get(*reader, e.user_key + "\x01"), "none");
    bulk->Seek(expected[i].first);
    ASSERT_TRUE(bulk->Valid());
    ASSERT_EQ(bulk->value(), Slice(e.value));
  }
  s = reader->VerifyChecksum(read, nullptr);
  ASSERT_TRUE(s.ok()) << s.ToString();
}

TEST(BlockBasedTable, TheCacheThatIsMadeWhereNoneIsGiven) {
  const std::unique_ptr<TableFactory> factory(NewBlockBasedTableFactory());
  const auto* options = factory->GetOptions<BlockBasedTableOptions>();
  ASSERT_NE(options, nullptr);
  ASSERT_NE(options->block_cache, nullptr);
  EXPECT_STREQ(options->block_cache->Name(), "AutoHyperClockCache");
  EXPECT_EQ(options->block_cache->GetCapacity(), 32u << 20);
}

TEST(BlockBasedTable, EveryVersionAndChecksum) {
  const std::vector<TableEntry> entries = NumberedEntries(500);
  for (uint32_t version = 2; version <= 7; ++version) {
    for (const ChecksumType checksum :
         {kNoChecksum, kCRC32c, kxxHash, kxxHash64, kXXH3}) {
      SCOPED_TRACE(std::to_string(version) + " " + std::to_string(checksum));
      TableFixture fixture;
      fixture.table.format_version = version;
      fixture.table.checksum = checksum;
      fixture.table.block_size = 256;
      fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
      const std::string bytes = fixture.Build(entries);
      EXPECT_EQ(fixture.built_size, bytes.size());
      EXPECT_EQ(fixture.tail_size + fixture.built_properties.data_size,
                bytes.size());
      ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, entries));
    }
  }
}

TEST(BlockBasedTable, EveryCodecWithAndWithoutDictionary) {
  const std::vector<TableEntry> entries = NumberedEntries(3000);
  for (const CompressionType codec : kCodecs) {
    if (!CompressionTypeSupported(codec)) continue;
    for (const uint32_t version : {5u, 7u}) {
      for (const uint32_t dictionary : {0u, 2048u}) {
        for (const uint32_t training : {0u, 16384u}) {
          SCOPED_TRACE(CompressionTypeToString(codec) + " " +
                       std::to_string(version) + " " +
                       std::to_string(dictionary) + " " +
                       std::to_string(training));
          TableFixture fixture;
          fixture.table.format_version = version;
          fixture.table.block_size = 512;
          fixture.table.verify_compression = true;
          fixture.compression = codec;
          fixture.compression_options.max_dict_bytes = dictionary;
          fixture.compression_options.zstd_max_train_bytes = training;
          // Held back: everything, or the first blocks.
          fixture.target_file_size = version == 5 ? 0 : 20000;
          const std::string bytes = fixture.Build(entries);
          ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, entries));
          if (codec != kNoCompression) {
            EXPECT_LT(bytes.size(), entries.size() * 30);
            EXPECT_NE(fixture.built_properties.compression_name, ";;");
          }
        }
      }
    }
  }
}

// Any kind of index, filter and data block.
void DrawFormats(Random64* random, TableFixture* fixture) {
  BlockBasedTableOptions& table = fixture->table;
  table.index_type =
      static_cast<BlockBasedTableOptions::IndexType>(random->Uniform(4));
  table.metadata_block_size = 1 + random->Uniform(200);
  if (table.index_type == BlockBasedTableOptions::kTwoLevelIndexSearch) {
    table.partition_filters = random->OneIn(2);
    table.decouple_partitioned_filters = random->OneIn(2);
  }
  if (random->OneIn(2)) {
    table.data_block_index_type =
        BlockBasedTableOptions::kDataBlockBinaryAndHash;
    table.data_block_hash_table_util_ratio = random->OneIn(2) ? 0.75 : 3;
  }
  table.separate_key_value_in_data_block = random->OneIn(2);
  table.block_align = random->OneIn(6);
  if (table.block_align) table.block_size = 512;
  table.super_block_alignment_size = random->OneIn(4) ? 1024 : 0;
  table.super_block_alignment_space_overhead_ratio = 4;
  table.detect_filter_construct_corruption = random->OneIn(2);
  table.optimize_filters_for_memory = random->OneIn(2);
  table.pin_top_level_index_and_filter = random->OneIn(2);
  table.metadata_cache_options.partition_pinning =
      random->OneIn(2) ? PinningTier::kAll : PinningTier::kNone;
  if (random->OneIn(2)) {
    table.filter_policy.reset(random->OneIn(2) ? NewBloomFilterPolicy(8)
                                               : NewRibbonFilterPolicy(8, -1));
  }
}

TEST(BlockBasedTable, RandomEntriesUnderRandomOptions) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    TableFixture fixture;
    const bool is_reverse = random.OneIn(4);
    if (is_reverse) fixture.family.comparator = ReverseBytewiseComparator();
    BlockBasedTableOptions& table = fixture.table;
    table.format_version = static_cast<uint32_t>(2 + random.Uniform(6));
    table.block_size = 1 + random.Uniform(600);
    table.block_restart_interval = static_cast<int>(1 + random.Uniform(20));
    table.index_block_restart_interval =
        static_cast<int>(1 + random.Uniform(5));
    table.index_shortening =
        static_cast<BlockBasedTableOptions::IndexShorteningMode>(
            random.Uniform(3));
    table.use_delta_encoding = !random.OneIn(4);
    table.enable_index_compression = random.OneIn(2);
    table.no_block_cache = random.OneIn(3);
    table.cache_index_and_filter_blocks = random.OneIn(2);
    table.whole_key_filtering = random.OneIn(2);
    fixture.is_mapped = random.OneIn(3);
    if (random.OneIn(2)) {
      fixture.family.prefix_extractor.reset(NewCappedPrefixTransform(2));
    }
    DrawFormats(&random, &fixture);
    if (random.OneIn(2)) fixture.compression = AnyCodec();
    if (random.OneIn(4)) fixture.compression_options.max_dict_bytes = 500;
    const InternalKeyComparator order(fixture.family.comparator);
    const auto less = [&order](const std::string& a, const std::string& b) {
      return order.Compare(a, b) < 0;
    };
    std::map<std::string, TableEntry, decltype(less)> sorted(less);
    for (uint64_t n = random.Uniform(400); n > 0; --n) {
      TableEntry e;
      for (uint64_t i = random.Uniform(6); i > 0; --i) {
        e.user_key += static_cast<char>('a' + random.Uniform(4));
      }
      e.sequence = 1 + random.Uniform(8);
      e.value = random.RandomBytes(random.Skewed(7));
      sorted[e.Key()] = e;
    }
    std::vector<TableEntry> entries;
    for (const auto& [key, entry] : sorted) entries.push_back(entry);
    const std::string bytes = fixture.Build(entries);
    ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, entries));
  }
}

TEST(BlockBasedTable, EmptyAndTombstonesOnly) {
  TableFixture fixture;
  const std::string empty = fixture.Build({});
  ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, empty, {}));
  fixture.tombstones = {{"c", "e", 5}, {"c", "d", 3}, {"x", "z", 9}};
  const std::string bytes = fixture.Build({});
  ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, {}));
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  const auto& tombstones = reader->range_tombstones();
  EXPECT_EQ(tombstones->MaxCovering("c", 100), 5u);
  EXPECT_EQ(tombstones->MaxCovering("c", 4), 3u);
  EXPECT_EQ(tombstones->MaxCovering("d", 4), 0u);
  EXPECT_EQ(tombstones->MaxCovering("y", 100), 9u);
  EXPECT_EQ(reader->properties()->num_range_deletions, 3u);
  EXPECT_EQ(reader->properties()->num_deletions, 3u);
  EXPECT_EQ(reader->properties()->key_largest_seqno, 9u);
}

TEST(BlockBasedTable, VersionsOfOneKeyOverManyBlocks) {
  TableFixture fixture;
  fixture.table.block_size = 16;  // one entry each
  std::vector<TableEntry> entries;
  entries.push_back({"a", "first", 50});
  for (SequenceNumber s = 40; s > 20; --s) {
    entries.push_back({"k", "v" + std::to_string(s), s});
  }
  entries.push_back({"k", "", 10, kTypeDeletion});
  entries.push_back({"z", "last", 5});
  const std::string bytes = fixture.Build(entries);
  ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, entries));
  EXPECT_EQ(fixture.built_properties.index_key_is_user_key, 0u);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  for (SequenceNumber s = 40; s > 20; --s) {
    EXPECT_EQ(fixture.Get(*reader, "k", s), "=v" + std::to_string(s));
  }
  EXPECT_EQ(fixture.Get(*reader, "k", 15), "deleted");
  EXPECT_EQ(fixture.Get(*reader, "k", 9), "none");
}

TEST(BlockBasedTable, KeysOutOfOrderAreRefused) {
  TableFixture fixture;
  Status s;
  fixture.Build({{"b", "1"}, {"a", "2"}}, &s);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  fixture.Build({{"a", "1", 3}, {"a", "2", 3}}, &s);
  EXPECT_TRUE(s.IsCorruption());
}

TEST(BlockBasedTable, CachedBlocksNeedNoFile) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  fixture.table.block_cache = NewLRUCache(1 << 20);
  const auto statistics = CreateDBStatistics();
  fixture.db.statistics = statistics;
  const std::string bytes = fixture.Build(NumberedEntries(200));
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  ReadOptions cache_only;
  cache_only.read_tier = kBlockCacheTier;
  EXPECT_NE(fixture.Get(*reader, "key00007", kMaxSequenceNumber, cache_only)
                .find("incomplete"),
            std::string::npos);
  const auto iterator = reader->NewIterator({.read_options = &cache_only});
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsIncomplete());

  ReadOptions no_fill;
  no_fill.fill_cache = false;
  fixture.Get(*reader, "key00007", kMaxSequenceNumber, no_fill);
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_ADD), 0u);
  EXPECT_EQ(fixture.Get(*reader, "key00007"), "=value-00007-abcabcabc");
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_DATA_ADD), 1u);
  EXPECT_EQ(fixture.Get(*reader, "key00007", kMaxSequenceNumber, cache_only),
            "=value-00007-abcabcabc");
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_DATA_HIT), 1u);
}

TEST(BlockBasedTable, BulkReadsLeaveTheCacheAlone) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  fixture.table.block_cache = NewLRUCache(1 << 20);
  fixture.table.cache_index_and_filter_blocks = true;
  fixture.compression = AnyCodec();
  const auto statistics = CreateDBStatistics();
  const std::vector<TableEntry> entries = NumberedEntries(2000);
  const std::string bytes = fixture.Build(entries);
  fixture.db.statistics = statistics;
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  const uint64_t adds = statistics->getTickerCount(BLOCK_CACHE_ADD);
  const uint64_t hits = statistics->getTickerCount(BLOCK_CACHE_HIT);
  const uint64_t misses = statistics->getTickerCount(BLOCK_CACHE_MISS);
  const size_t usage = fixture.table.block_cache->GetUsage();
  const ReadOptions read;
  std::unique_ptr<InternalIterator> bulk;
  ASSERT_TRUE(reader
                  ->NewBulkIterator({.read_options = &read},
                                    fixture.Stream(bytes), &bulk)
                  .ok());
  EXPECT_EQ(ScanForward(bulk.get()), ToKeyValues(entries));
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_ADD), adds);
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_HIT), hits);
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_MISS), misses);
  EXPECT_EQ(fixture.table.block_cache->GetUsage(), usage);
}

TEST(BlockBasedTable, AReaderWithoutTheCacheLeavesItAlone) {
  TableFixture fixture;
  fixture.table.block_cache = NewLRUCache(1 << 20);
  fixture.table.cache_index_and_filter_blocks = true;
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
  fixture.use_block_cache = false;
  const auto statistics = CreateDBStatistics();
  fixture.db.statistics = statistics;
  const std::vector<TableEntry> entries = NumberedEntries(500);
  const std::string bytes = fixture.Build(entries);
  ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, entries));
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_ADD), 0u);
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_MISS), 0u);
}

// Opens a table, which brings its index and its filter into the cache, and
// reads all of another, which is larger than the cache. How many of the two are
// missing afterwards?
uint64_t MetadataMissesAfterAScan(Cache::Priority priority) {
  LRUCacheOptions cache;
  cache.capacity = 64 << 10;
  cache.num_shard_bits = 0;
  cache.high_pri_pool_ratio = 0.5;
  TableFixture fixture;
  fixture.table.block_size = 1024;
  fixture.table.block_cache = NewLRUCache(cache);
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
  fixture.table.cache_index_and_filter_blocks = true;
  fixture.table.cache_index_and_filter_blocks_with_high_priority =
      priority == Cache::Priority::HIGH;
  const auto statistics = CreateDBStatistics();
  fixture.db.statistics = statistics;
  std::unique_ptr<TableReader> reader;
  EXPECT_TRUE(fixture.Open(fixture.Build(NumberedEntries(100)), &reader).ok());
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_INDEX_ADD), 1u);
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_FILTER_ADD), 1u);
  fixture.file_number = 8;
  std::unique_ptr<TableReader> large;
  EXPECT_TRUE(fixture.Open(fixture.Build(NumberedEntries(9000)), &large).ok());
  const ReadOptions read;
  const auto iterator = large->NewIterator({.read_options = &read});
  EXPECT_EQ(ScanForward(iterator.get()).size(), 9000u);
  EXPECT_GT(statistics->getTickerCount(BLOCK_CACHE_DATA_BYTES_INSERT),
            2 * cache.capacity);
  const auto misses = [&statistics] {
    return statistics->getTickerCount(BLOCK_CACHE_INDEX_MISS) +
           statistics->getTickerCount(BLOCK_CACHE_FILTER_MISS);
  };
  const uint64_t before = misses();
  EXPECT_EQ(fixture.Get(*reader, "key00007"), "=value-00007-abcabcabc");
  return misses() - before;
}

TEST(BlockBasedTable, MetadataOfHighPriorityOutliveDataBlocks) {
  EXPECT_EQ(MetadataMissesAfterAScan(Cache::Priority::HIGH), 0u);
  EXPECT_EQ(MetadataMissesAfterAScan(Cache::Priority::LOW), 2u);
}

TEST(BlockBasedTable, BulkReadsStayInsideTheirBounds) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  const std::vector<TableEntry> entries = NumberedEntries(20000);
  const std::string bytes = fixture.Build(entries);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  const Slice lower = "key10000";
  const Slice upper = "key10010";
  ReadOptions read;
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  std::unique_ptr<InputStream> stream = fixture.Stream(bytes);
  InputStream* watched = stream.get();
  std::unique_ptr<InternalIterator> bulk;
  ASSERT_TRUE(
      reader->NewBulkIterator({.read_options = &read}, std::move(stream), &bulk)
          .ok());
  bulk->Seek(
      InternalKey(lower, kMaxSequenceNumber, kValueTypeForSeek).Encode());
  size_t count = 0;
  while (bulk->Valid() && ExtractUserKey(bulk->key()).compare(upper) < 0) {
    ++count;
    bulk->Next();
  }
  EXPECT_EQ(count, 10u);
  EXPECT_TRUE(bulk->status().ok());
  EXPECT_LT(watched->bytes_read(), 4096u);
}

TEST(BlockBasedTable, CachedIndexOutlivesItsReader) {
  TableFixture fixture;
  fixture.table.cache_index_and_filter_blocks = true;
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
  fixture.table.block_cache = NewLRUCache(1 << 20);
  const std::vector<TableEntry> entries = NumberedEntries(500);
  const std::string bytes = fixture.Build(entries);
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(CheckContent(&fixture, bytes, entries));
  }
  fixture.level = 0;
  fixture.table.pin_l0_filter_and_index_blocks_in_cache = true;
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  EXPECT_GT(fixture.table.block_cache->GetPinnedUsage(), 0u);
  reader.reset();
  EXPECT_EQ(fixture.table.block_cache->GetPinnedUsage(), 0u);
}

TEST(BlockBasedTable, FilterAnswersAreCounted) {
  TableFixture fixture;
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
  const auto statistics = CreateDBStatistics();
  fixture.db.statistics = statistics;
  const std::string bytes = fixture.Build(NumberedEntries(1000));
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  for (const TableEntry& e : NumberedEntries(1000)) {
    fixture.Get(*reader, e.user_key);
    fixture.Get(*reader, e.user_key + "x");
  }
  EXPECT_EQ(statistics->getTickerCount(BLOOM_FILTER_FULL_TRUE_POSITIVE), 1000u);
  EXPECT_GT(statistics->getTickerCount(BLOOM_FILTER_USEFUL), 950u);
  EXPECT_EQ(statistics->getTickerCount(BLOOM_FILTER_USEFUL) +
                statistics->getTickerCount(BLOOM_FILTER_FULL_POSITIVE),
            2000u);
}

TEST(BlockBasedTable, PrefixSeeksAskTheFilter) {
  TableFixture fixture;
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(20));
  fixture.table.whole_key_filtering = false;
  fixture.family.prefix_extractor.reset(NewFixedPrefixTransform(3));
  const std::string bytes =
      fixture.Build({{"aaa1", "1"}, {"ccc1", "2"}, {"ccc2", "3"}});
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  using Seek = void (InternalIterator::*)(const Slice&);
  const auto key_at = [&](Seek seek, const char* user_key,
                          const SliceTransform* extractor) -> std::string {
    const ReadOptions read;
    const auto iterator = reader->NewIterator(
        {.read_options = &read, .prefix_extractor = extractor});
    const InternalKey target(user_key, kMaxSequenceNumber, kValueTypeForSeek);
    (iterator.get()->*seek)(target.Encode());
    EXPECT_TRUE(iterator->status().ok());
    return iterator->Valid() ? ExtractUserKey(iterator->key()).ToString() : "";
  };
  const SliceTransform* three = fixture.family.prefix_extractor.get();
  const Seek in_prefix = &InternalIterator::SeekInPrefix;
  EXPECT_EQ(key_at(in_prefix, "bbb", three), "");
  EXPECT_EQ(key_at(in_prefix, "ccc", three), "ccc1");
  EXPECT_EQ(key_at(&InternalIterator::Seek, "bbb", three), "ccc1");
  // Prefixes by another extractor say nothing.
  const std::unique_ptr<const SliceTransform> two(NewFixedPrefixTransform(2));
  EXPECT_EQ(key_at(in_prefix, "bbb", two.get()), "ccc1");
}

class CountingCollector : public TablePropertiesCollector {
 public:
  explicit CountingCollector(bool fails) : fails_(fails) {}
  Status AddUserKey(const Slice&, const Slice&, EntryType type, SequenceNumber,
                    uint64_t) override {
    if (fails_) return Status::Aborted("no");
    puts_ += type == kEntryPut ? 1 : 0;
    ranges_ += type == kEntryRangeDeletion ? 1 : 0;
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* properties) override {
    (*properties)["puts"] = std::to_string(puts_);
    (*properties)["ranges"] = std::to_string(ranges_);
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override {
    return {{"puts", std::to_string(puts_)}};
  }
  const char* Name() const override { return "Counting"; }
  bool NeedCompact() const override { return puts_ > 1; }

 private:
  const bool fails_;
  int puts_ = 0;
  int ranges_ = 0;
};

class CountingFactory : public TablePropertiesCollectorFactory {
 public:
  explicit CountingFactory(bool fails) : fails_(fails) {}
  TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return std::make_unique<CountingCollector>(fails_).release();
  }
  const char* Name() const override { return "CountingFactory"; }

 private:
  const bool fails_;
};

TEST(BlockBasedTable, CollectorsSeeEveryEntry) {
  for (const bool fails : {false, true}) {
    TableFixture fixture;
    fixture.family.table_properties_collector_factories = {
        std::make_shared<CountingFactory>(fails)};
    fixture.tombstones = {{"c", "e", 5}};
    const std::string bytes =
        fixture.Build({{"a", "1"}, {"b", "2"}, {"c", "", 1, kTypeDeletion}});
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
    const auto p = reader->properties();
    EXPECT_EQ(p->property_collectors_names, "[CountingFactory]");
    const auto& collected = p->user_collected_properties;
    EXPECT_EQ(collected.count("puts"), fails ? 0u : 1u);
    if (!fails) {
      EXPECT_EQ(collected.at("puts"), "2");
      EXPECT_EQ(collected.at("ranges"), "1");
    }
  }
}

TEST(BlockBasedTable, UniqueIdIsVerified) {
  TableFixture fixture;
  const std::string bytes = fixture.Build(NumberedEntries(3));
  TableUniqueId id;
  ASSERT_TRUE(InternalUniqueIdOf(fixture.built_properties, &id).ok());
  std::unique_ptr<TableReader> reader;
  fixture.expected_unique_id[0] = id[0];
  fixture.expected_unique_id[1] = id[1];
  EXPECT_TRUE(fixture.Open(bytes, &reader).ok());
  fixture.expected_unique_id[1] = id[1] + 1;
  EXPECT_TRUE(fixture.Open(bytes, &reader).IsCorruption());
}

// Says that a file was made for ingestion, but no global sequence number.
class VersionCollector : public TablePropertiesCollector {
 public:
  Status AddUserKey(const Slice&, const Slice&, EntryType, SequenceNumber,
                    uint64_t) override {
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* properties) override {
    std::string version;
    PutFixed32(&version, 2);
    (*properties)[kExternalSstVersionProperty] = version;
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  const char* Name() const override { return "Version"; }
};

class VersionFactory : public TablePropertiesCollectorFactory {
 public:
  TablePropertiesCollector* CreateTablePropertiesCollector(Context) override {
    return std::make_unique<VersionCollector>().release();
  }
  const char* Name() const override { return "VersionFactory"; }
};

TEST(BlockBasedTable, AMissingGlobalSequenceIsZero) {
  TableFixture fixture;
  fixture.family.table_properties_collector_factories = {
      std::make_shared<VersionFactory>()};
  const std::string bytes = fixture.Build({{"a", "1", 0}, {"b", "2", 0}});
  const ReadOptions read;
  for (const uint64_t in_manifest : {UINT64_MAX, uint64_t{0}, uint64_t{9}}) {
    fixture.largest_sequence = in_manifest;
    std::unique_ptr<TableReader> reader;
    const Status s = fixture.Open(bytes, &reader);
    ASSERT_TRUE(s.ok()) << s.ToString();
    const SequenceNumber shown = in_manifest == 9 ? 9 : 0;
    const auto iterator = reader->NewIterator({.read_options = &read});
    EXPECT_EQ(ScanForward(iterator.get()),
              ToKeyValues({{"a", "1", shown}, {"b", "2", shown}}));
  }
}

// Its separators are behind both keys.
class FarSeparators : public Comparator {
 public:
  const char* Name() const override { return "test.FarSeparators"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string* start, const Slice&) const override {
    *start = "z";
  }
  void FindShortSuccessor(std::string*) const override {}
};

TEST(BlockBasedTable, AWrongSeparatorIsNotUsed) {
  const FarSeparators order{};
  TableFixture fixture;
  fixture.family.comparator = &order;
  fixture.table.block_size = 128;
  const std::vector<TableEntry> entries = NumberedEntries(50);
  const std::string bytes = fixture.Build(entries);
  EXPECT_GT(fixture.built_properties.num_data_blocks, 5u);
  CheckContent(&fixture, bytes, entries);
}

TEST(BlockBasedTable, ComparatorMismatchIsRefused) {
  TableFixture fixture;
  const std::string bytes = fixture.Build(NumberedEntries(3));
  fixture.family.comparator = ReverseBytewiseComparator();
  std::unique_ptr<TableReader> reader;
  const Status s = fixture.Open(bytes, &reader);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("leveldb.BytewiseComparator"), std::string::npos);
}

TEST(BlockBasedTable, PinnedKeysAndValuesStay) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  fixture.table.block_cache = NewLRUCache(4096);  // evicts all the time
  fixture.table.use_delta_encoding = false;
  const std::vector<TableEntry> entries = NumberedEntries(500);
  const std::string bytes = fixture.Build(entries);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  ReadOptions read;
  read.pin_data = true;
  const auto iterator = reader->NewIterator({.read_options = &read});
  std::vector<std::pair<Slice, Slice>> seen;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    ASSERT_TRUE(iterator->IsKeyPinned() && iterator->IsValuePinned());
    seen.emplace_back(iterator->key(), iterator->value());
  }
  ASSERT_EQ(seen.size(), entries.size());
  for (size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].first, Slice(entries[i].Key()));
    EXPECT_EQ(seen[i].second, Slice(entries[i].value));
  }
}

TEST(BlockBasedTable, AnchorsAndOffsets) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  const std::vector<TableEntry> entries = NumberedEntries(1000);
  const std::string bytes = fixture.Build(entries);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  std::vector<TableReader::Anchor> anchors;
  ASSERT_TRUE(reader->Anchors(ReadOptions(), 8, &anchors).ok());
  ASSERT_EQ(anchors.size(), 8u);
  uint64_t total = 0;
  for (size_t i = 0; i < anchors.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(anchors[i - 1].user_key, anchors[i].user_key);
    }
    total += anchors[i].range_bytes;
  }
  EXPECT_EQ(total, reader->properties()->data_size);
  uint64_t last = 0;
  for (const TableEntry& e : entries) {
    const uint64_t offset = reader->ApproximateOffsetOf(e.Key());
    EXPECT_GE(offset, last);
    last = offset;
  }
  EXPECT_GT(last, bytes.size() / 2);
  EXPECT_EQ(reader->ApproximateOffsetOf(TableEntry{"z", ""}.Key()),
            reader->properties()->data_size);
  EXPECT_GT(reader->ApproximateMemoryUsage(), 1000u);
}

TEST(BlockBasedTable, UpperBoundStopsBeforeTheNextBlock) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  const auto statistics = CreateDBStatistics();
  fixture.db.statistics = statistics;
  const std::string bytes = fixture.Build(NumberedEntries(1000));
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  const Slice upper = "key00004";
  ReadOptions read;
  read.iterate_upper_bound = &upper;
  const auto iterator = reader->NewIterator({.read_options = &read});
  size_t count = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++count;
  EXPECT_GE(count, 4u);
  EXPECT_LT(count, 20u);
  EXPECT_EQ(statistics->getTickerCount(BLOCK_CACHE_DATA_MISS), 1u);
}

// The sizes of values and blocks have 32 bits.
TEST(BlockBasedTable, RefusesWhatIsTooLarge) {
  const UntouchedBytes bytes;
  for (const size_t size :
       {UntouchedBytes::kFourGigabytes + 5, UntouchedBytes::kFourGigabytes,
        size_t{UINT32_MAX}, kMaxEntryBytes}) {
    for (const size_t entries : {0u, 100u}) {
      TableFixture fixture;
      fixture.last_value = bytes.OfSize(size);
      Status s;
      fixture.Build(NumberedEntries(entries), &s);
      EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
      EXPECT_EQ(fixture.built_properties.num_entries, entries);
    }
  }
}

TEST(BlockBasedTable, RefusesOptionsThatAreNotBuilt) {
  const auto validate = [](auto change) {
    BlockBasedTableOptions options;
    change(&options);
    return BlockBasedTableFactory(options).ValidateOptions(
        DBOptions(), ColumnFamilyOptions());
  };
  using Options = BlockBasedTableOptions;
  EXPECT_TRUE(validate([](Options*) {}).ok());
  const Status metadata = validate([](Options* o) {
    o->cache_usage_options.options_overrides[CacheEntryRole::kWriteBuffer]
        .charged = CacheEntryRoleOptions::Decision::kEnabled;
  });
  EXPECT_TRUE(metadata.IsNotSupported()) << metadata.ToString();
  EXPECT_NE(metadata.ToString().find("cache_usage_options"), std::string::npos);
  EXPECT_FALSE(validate([](Options* o) { o->format_version = 99; }).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
