// Bloom and Ribbon filters have RocksDB's bytes, no false negatives and few
// false positives, and survive damage and arbitrary bytes.
#include "rocksdb/filter_policy.h"

#include <gtest/gtest.h>

#include <climits>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "table/filter/filter_bits.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string KeyOf(uint64_t n) {
  std::string key = "key";
  PutFixed64(&key, n);
  return key;
}

struct Built {
  std::unique_ptr<char[]> buffer;
  Slice payload;
};

Built Build(double bits, uint32_t version, const std::vector<std::string>& keys,
            bool fits = false) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(bits));
  BlockBasedTableOptions options;
  options.format_version = version;
  options.optimize_filters_for_memory = fits;
  const std::unique_ptr<FilterBitsBuilder> builder(
      policy->GetBuilderWithContext(FilterBuildingContext(options)));
  EXPECT_NE(builder, nullptr);
  for (const std::string& key : keys) builder->AddKey(key);
  Built built;
  built.payload = builder->Finish(&built.buffer);
  return built;
}

std::string Hex(const Slice& bytes) {
  std::string hex = bytes.ToString(true);
  for (char& c : hex) c = static_cast<char>(tolower(c));
  return hex;
}

// As RocksDB writes them for these keys.
TEST(Bloom, KnownBytes) {
  const Built built = Build(10, 5, {"apple", "apply", "banana"});
  EXPECT_EQ(Hex(built.payload),
            "40000010100000000400110000000000"
            "00c80100080000000000000600002100"
            "00000000000000000000008000000000"
            "00000000080000000080000000000000"
            "ff00060000");
}

TEST(LegacyBloom, KnownBytes) {
  const Built built = Build(10, 4, {"apple", "apply", "banana"});
  EXPECT_EQ(Hex(built.payload),
            "02000000000000080040000000000104"
            "00000008000000020000000000000001"
            "00000044000180000000000080004000"
            "00000000000010000410000000000000"
            "0601000000");
}

class BloomKinds : public ::testing::TestWithParam<uint32_t> {};

TEST_P(BloomKinds, NoFalseNegativesAndFewFalsePositives) {
  for (const size_t count : {1u, 10u, 1000u, 20000u}) {
    std::vector<std::string> keys;
    for (size_t i = 0; i < count; ++i) keys.push_back(KeyOf(i));
    for (const bool fits : {false, true}) {
      const Built built = Build(10, GetParam(), keys, fits);
      const auto reader = NewBuiltinFilterBitsReader(built.payload);
      for (const std::string& key : keys) ASSERT_TRUE(reader->MayMatch(key));
      size_t false_positives = 0;
      for (size_t i = 0; i < 20000; ++i) {
        false_positives += reader->MayMatch(KeyOf(1000000 + i)) ? 1 : 0;
      }
      EXPECT_LT(false_positives, 500u) << count;  // 2.5 %
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, BloomKinds, ::testing::Values(4, 5, 7));

std::unique_ptr<FilterBitsBuilder> RibbonBuilder(
    double bits, const BlockBasedTableOptions& options) {
  const std::unique_ptr<const FilterPolicy> policy(
      NewRibbonFilterPolicy(bits, -1));
  return std::unique_ptr<FilterBitsBuilder>(
      policy->GetBuilderWithContext(FilterBuildingContext(options)));
}

TEST(Ribbon, NoFalseNegativesFewFalsePositivesAndSmaller) {
  for (const double bits : {1.0, 3.3, 10.0, 25.0, 60.0}) {
    for (const size_t count : {1u, 10u, 1000u, 3000u, 30000u}) {
      SCOPED_TRACE(std::to_string(bits) + " " + std::to_string(count));
      std::vector<std::string> keys;
      for (size_t i = 0; i < count; ++i) keys.push_back(KeyOf(i));
      for (const bool fits : {false, true}) {
        BlockBasedTableOptions options;
        options.optimize_filters_for_memory = fits;
        const auto builder = RibbonBuilder(bits, options);
        for (const std::string& key : keys) builder->AddKey(key);
        std::unique_ptr<char[]> buffer;
        const Slice payload = builder->Finish(&buffer);
        EXPECT_TRUE(builder->MatchesAll(payload));
        const auto reader = NewBuiltinFilterBitsReader(payload);
        for (const std::string& key : keys) ASSERT_TRUE(reader->MayMatch(key));
        if (bits == 10.0 && count >= 1000) {
          EXPECT_EQ(payload[payload.size() - 5], '\xfe');
          if (!fits) {
            EXPECT_LT(payload.size() * 8, count * 8);
          }
          size_t wrong = 0;
          for (size_t i = 0; i < 20000; ++i) {
            wrong += reader->MayMatch(KeyOf(1000000 + i)) ? 1 : 0;
          }
          EXPECT_LT(wrong, 400u);
        }
      }
    }
  }
}

// Bits that turn where they should not are noticed.
TEST(FilterBuilder, DamageIsNoticed) {
  BlockBasedTableOptions options;
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  BlockBasedTableOptions legacy;
  legacy.format_version = 4;
  std::vector<std::unique_ptr<FilterBitsBuilder>> builders;
  builders.push_back(RibbonBuilder(10, options));
  builders.emplace_back(
      bloom->GetBuilderWithContext(FilterBuildingContext(options)));
  builders.emplace_back(
      bloom->GetBuilderWithContext(FilterBuildingContext(legacy)));
  for (const auto& builder : builders) {
    std::unique_ptr<char[]> buffer;
    for (uint64_t i = 0; i < 3000; ++i) builder->AddKey(KeyOf(i));
    const Slice payload = builder->Finish(&buffer);
    EXPECT_TRUE(builder->MatchesAll(payload));
    for (size_t i = 0; i < 256; ++i) buffer[i] = 0;
    EXPECT_FALSE(builder->MatchesAll(payload));
  }
}

TEST(FilterBuilder, CapacityFitsTheSize) {
  BlockBasedTableOptions options;
  options.optimize_filters_for_memory = false;
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  for (const size_t bytes : {1u, 64u, 116u, 500u, 4000u, 100000u}) {
    for (const bool is_ribbon : {false, true}) {
      std::unique_ptr<FilterBitsBuilder> builder =
          is_ribbon
              ? RibbonBuilder(10, options)
              : std::unique_ptr<FilterBitsBuilder>(bloom->GetBuilderWithContext(
                    FilterBuildingContext(options)));
      const size_t capacity = builder->CapacityOf(bytes);
      ASSERT_GE(capacity, 1u);
      for (size_t i = 0; i < capacity; ++i) builder->AddKey(KeyOf(i));
      std::unique_ptr<char[]> buffer;
      const size_t size = builder->Finish(&buffer).size();
      EXPECT_LE(size, std::max<size_t>(bytes + bytes / 10, 69)) << capacity;
      if (bytes > 500) {
        EXPECT_GE(size, bytes / 2);
      }
    }
  }
}

// Which files get which kind.
TEST(Ribbon, BloomBeforeLevel) {
  struct Case {
    int bloom_before;
    CompactionStyle style;
    TableFileCreationReason reason;
    int level;
    bool is_ribbon;
  };
  using Reason = TableFileCreationReason;
  for (const Case& c : {
           Case{0, kCompactionStyleLevel, Reason::kFlush, 0, false},
           Case{-1, kCompactionStyleLevel, Reason::kFlush, 0, true},
           Case{0, kCompactionStyleLevel, Reason::kCompaction, 0, true},
           Case{2, kCompactionStyleLevel, Reason::kCompaction, 1, false},
           Case{2, kCompactionStyleLevel, Reason::kCompaction, 2, true},
           Case{2, kCompactionStyleUniversal, Reason::kFlush, 0, false},
           Case{0, kCompactionStyleFIFO, Reason::kFlush, 0, true},
           Case{INT_MAX, kCompactionStyleFIFO, Reason::kFlush, 0, false},
           Case{1, kCompactionStyleLevel, Reason::kMisc, -1, true},
       }) {
    const BlockBasedTableOptions options;
    const std::unique_ptr<const FilterPolicy> policy(
        NewRibbonFilterPolicy(10, c.bloom_before));
    FilterBuildingContext context(options);
    context.compaction_style = c.style;
    context.reason = c.reason;
    context.level_at_creation = c.level;
    const std::unique_ptr<FilterBitsBuilder> builder(
        policy->GetBuilderWithContext(context));
    for (uint64_t i = 0; i < 2000; ++i) builder->AddKey(KeyOf(i));
    std::unique_ptr<char[]> buffer;
    const Slice payload = builder->Finish(&buffer);
    EXPECT_EQ(payload[payload.size() - 5] == '\xfe', c.is_ribbon)
        << c.bloom_before << " " << c.level;
  }
}

TEST(Bloom, EqualNeighboursCountOnce) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  const BlockBasedTableOptions options;
  const std::unique_ptr<FilterBitsBuilder> builder(
      policy->GetBuilderWithContext(FilterBuildingContext(options)));
  builder->AddKeyAndAlternate("apple", "app");
  builder->AddKeyAndAlternate("apply", "app");
  builder->AddKeyAndAlternate("banana", "ban");
  EXPECT_EQ(builder->EntryCount(), 5u);
  builder->AddKey("banana");
  EXPECT_EQ(builder->EntryCount(), 5u);
}

TEST(Bloom, FewerThanHalfABitIsNoFilter) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(0.4));
  const BlockBasedTableOptions options;
  EXPECT_EQ(policy->GetBuilderWithContext(FilterBuildingContext(options)),
            nullptr);
}

TEST(FilterReader, ArbitraryBytesAnswerSomething) {
  Random64 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = random.RandomBytes(random.Uniform(200));
    if (bytes.size() > 5) {
      // Often one of the known kinds.
      const char kinds[] = {'\xff', '\xfe', 6, 0, '\x80'};
      bytes[bytes.size() - 5] = kinds[random.Uniform(sizeof(kinds))];
      if (random.OneIn(2)) {
        for (size_t k = 1; k <= 4; ++k) {
          bytes[bytes.size() - k] = static_cast<char>(random.Uniform(4));
        }
      }
    }
    const auto copy = std::make_unique<char[]>(bytes.size());
    memcpy(copy.get(), bytes.data(), bytes.size());
    const auto reader =
        NewBuiltinFilterBitsReader(Slice(copy.get(), bytes.size()));
    ASSERT_NE(reader, nullptr);
    for (uint64_t k = 0; k < 20; ++k) {
      const bool may_match = reader->MayMatch(KeyOf(k));
      if (bytes.size() <= 5) {
        EXPECT_FALSE(may_match);
      }
    }
  }
}

TEST(FilterPolicy, FromText) {
  const ConfigOptions config;
  std::shared_ptr<const FilterPolicy> policy;
  const auto make = [&](const std::string& text) {
    policy.reset();
    return FilterPolicy::CreateFromString(config, text, &policy);
  };
  ASSERT_TRUE(make("nullptr").ok());
  EXPECT_EQ(policy, nullptr);
  ASSERT_TRUE(make("bloomfilter:9.9:false").ok());
  EXPECT_EQ(policy->GetId(), "bloomfilter:9.9:false");
  ASSERT_TRUE(make("rocksdb.BloomFilter:10").ok());
  EXPECT_EQ(policy->GetId(), "bloomfilter:10:false");
  ASSERT_TRUE(make("ribbonfilter:10:-1").ok());
  EXPECT_EQ(policy->GetId(), "ribbonfilter:10:-1");
  ASSERT_TRUE(make("{id=ribbonfilter:10:0;bloom_before_level=-1;}").ok());
  EXPECT_EQ(policy->GetId(), "ribbonfilter:10:-1");
  EXPECT_STREQ(policy->CompatibilityName(), "rocksdb.BuiltinBloomFilter");
  EXPECT_TRUE(make("bloomfilter:many").IsInvalidArgument());
  EXPECT_FALSE(make("ribbonfilter:10:low").ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
