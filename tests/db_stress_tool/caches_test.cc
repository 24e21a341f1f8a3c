// The caches that flags ask for, as the options have them.
#include "db_stress_tool/caches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db_stress_tool/engine_options.h"
#include "db_stress_tool/faulty_secondary_cache.h"
#include "tests/db_stress_tool/parsed_flags.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

class CachesTest : public ::testing::Test {
 protected:
  Status Make(const std::vector<std::string>& arguments) {
    flags_ = Flags();
    Status s = ParseArguments(arguments, &flags_);
    if (s.ok()) s = MakeEngineOptions(flags_, &options_);
    return s;
  }
  const BlockBasedTableOptions& table() const {
    return *options_.table_factory->GetOptions<BlockBasedTableOptions>();
  }
  bool IsCharged(CacheEntryRole role) const {
    const auto& roles = table().cache_usage_options.options_overrides;
    const auto found = roles.find(role);
    return found != roles.end() &&
           found->second.charged == CacheEntryRoleOptions::Decision::kEnabled;
  }

  Flags flags_;
  Options options_;
};

TEST_F(CachesTest, EachRoleIsChargedByItsFlag) {
  const struct {
    const char* flag;
    CacheEntryRole role;
  } roles[] = {
      {"--charge_compression_dictionary_building_buffer=1",
       CacheEntryRole::kCompressionDictionaryBuildingBuffer},
      {"--charge_filter_construction=1", CacheEntryRole::kFilterConstruction},
      {"--charge_table_reader=1", CacheEntryRole::kBlockBasedTableReader},
      {"--charge_file_metadata=1", CacheEntryRole::kFileMetadata},
  };
  for (const auto& [flag, role] : roles) {
    ASSERT_TRUE(Make({}).ok());
    EXPECT_FALSE(IsCharged(role)) << flag;
    ASSERT_TRUE(Make({flag}).ok());
    EXPECT_TRUE(IsCharged(role)) << flag;
  }
}

TEST_F(CachesTest, BlobsAreCachedWithBlocksOrApart) {
  ASSERT_TRUE(Make({}).ok());
  EXPECT_EQ(options_.blob_cache, nullptr);
  ASSERT_TRUE(Make({"--use_blob_cache=1"}).ok());
  EXPECT_EQ(options_.blob_cache, table().block_cache);
  const std::vector<std::string> apart{
      "--use_blob_cache=1", "--use_shared_block_and_blob_cache=0",
      "--blob_cache_size=1048576", "--blob_cache_numshardbits=1",
      "--charge_blob_cache=1"};
  ASSERT_TRUE(Make(apart).ok());
  EXPECT_NE(options_.blob_cache, table().block_cache);
  EXPECT_EQ(options_.blob_cache->GetCapacity(), 1048576U);
  EXPECT_NE(
      options_.blob_cache->GetPrintableOptions().find("num_shard_bits : 1\n"),
      std::string::npos);
  EXPECT_TRUE(IsCharged(CacheEntryRole::kBlobCache));
  EXPECT_TRUE(Make({"--use_blob_cache=1", "--charge_blob_cache=1"})
                  .IsInvalidArgument());
  EXPECT_TRUE(
      Make({"--use_blob_cache=1", "--cache_size=0"}).IsInvalidArgument());
  ASSERT_TRUE(Make({"--prepopulate_blob_cache=1"}).ok());
  EXPECT_EQ(options_.prepopulate_blob_cache, PrepopulateBlobCache::kFlushOnly);
}

TEST_F(CachesTest, TieredCachesHaveOneBudget) {
  const std::string size = "--cache_size=8388608";
  for (const char* type : {"--cache_type=tiered_lru_cache",
                           "--cache_type=tiered_fixed_hyper_clock_cache",
                           "--cache_type=tiered_auto_hyper_clock_cache"}) {
    ASSERT_TRUE(
        Make({type, size, "--compressed_secondary_cache_size=4194304"}).ok());
    EXPECT_EQ(table().block_cache->GetCapacity(), 12U << 20);
    ASSERT_TRUE(
        Make({type, size, "--compressed_secondary_cache_ratio=0.5"}).ok());
    EXPECT_EQ(table().block_cache->GetCapacity(), 8U << 20);
    ASSERT_TRUE(
        Make({type, size, "--tiered_cache_percent_compressed=50"}).ok());
    EXPECT_EQ(table().block_cache->GetCapacity(), 8U << 20);
    StressRandom random(1);
    ASSERT_TRUE(ChangeTieredCache(flags_, &random, table().block_cache).ok());
    EXPECT_NE(table().block_cache->GetCapacity(), 8U << 20);
  }
  ASSERT_TRUE(
      Make({"--cache_type=tiered_lru_cache", size, "--use_blob_cache=1",
            "--charge_blob_cache=1", "--use_shared_block_and_blob_cache=0",
            "--blob_cache_size=8388608"})
          .ok());
  StressRandom draws(1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(ChangeTieredCache(flags_, &draws, table().block_cache).ok());
    EXPECT_GE(table().block_cache->GetCapacity(), 8388608U);
  }
  for (const char* flag :
       {"--compressed_secondary_cache_ratio=0.5",
        "--tiered_cache_percent_compressed=50", "--adm_policy=1"}) {
    EXPECT_TRUE(Make({flag}).IsInvalidArgument()) << flag;
  }
}

TEST_F(CachesTest, ThreeQueuesNeedTheThird) {
  const std::string tiered = "--cache_type=tiered_lru_cache";
  const std::string three = "--adm_policy=3";
  const std::string third =
      "--secondary_cache_uri=compressed_secondary_cache://capacity=1048576";
  const std::string second = "--compressed_secondary_cache_size=4194304";
  ASSERT_TRUE(Make({tiered, three, third, second}).ok());
  const auto options_text = [this] {
    return table().block_cache->GetPrintableOptions();
  };
  EXPECT_NE(options_text().find("nvm_sec_cache : CompressedSecondaryCache"),
            std::string::npos)
      << options_text();
  StressRandom random(1);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(ChangeTieredCache(flags_, &random, table().block_cache).ok());
  }
  const std::string fault = "--secondary_cache_fault_one_in=10";
  ASSERT_TRUE(Make({tiered, three, third, second, fault}).ok());
  EXPECT_NE(options_text().find("nvm_sec_cache : FaultySecondaryCache"),
            std::string::npos)
      << options_text();
  EXPECT_TRUE(Make({tiered, three, second}).IsInvalidArgument());
  EXPECT_TRUE(Make({tiered, "--adm_policy=1", third}).IsInvalidArgument());
  EXPECT_TRUE(Make({tiered, second, fault}).IsInvalidArgument());
  EXPECT_TRUE(Make({three, third}).IsInvalidArgument());
}

TEST_F(CachesTest, SecondaryCachesAreBehindThePlainOnes) {
  const std::string name = "--secondary_cache_uri=compressed_secondary_cache:";
  for (const char* type :
       {"--cache_type=lru_cache", "--cache_type=auto_hyper_clock_cache"}) {
    ASSERT_TRUE(Make({type}).ok());
    const std::string without = table().block_cache->GetPrintableOptions();
    ASSERT_TRUE(Make({type, "--compressed_secondary_cache_size=4194304",
                      "--compressed_secondary_cache_numshardbits=1"})
                    .ok());
    EXPECT_NE(table().block_cache->GetPrintableOptions(), without);
    ASSERT_TRUE(Make({type, name + "//capacity=4194304"}).ok());
    EXPECT_NE(table().block_cache->GetPrintableOptions(), without);
  }
  ASSERT_TRUE(Make({}).ok());
  EXPECT_EQ(CompressedOptions(flags_).num_shard_bits, -1);
  EXPECT_FALSE(CompressedOptions(flags_).enable_custom_split_merge);
  EXPECT_FALSE(CompressedOptions(flags_).do_not_compress_roles.Contains(
      CacheEntryRole::kFilterBlock));
  ASSERT_TRUE(Make({"--compressed_secondary_cache_numshardbits=1",
                    "--enable_custom_split_merge=1",
                    "--enable_do_not_compress_roles=1"})
                  .ok());
  EXPECT_EQ(CompressedOptions(flags_).num_shard_bits, 1);
  EXPECT_TRUE(CompressedOptions(flags_).enable_custom_split_merge);
  EXPECT_TRUE(CompressedOptions(flags_).do_not_compress_roles.Contains(
      CacheEntryRole::kFilterBlock));
  EXPECT_TRUE(Make({"--secondary_cache_uri=no_such"}).IsInvalidArgument());
  EXPECT_TRUE(Make({name + "//capacity=4194304",
                    "--compressed_secondary_cache_size=4194304"})
                  .IsInvalidArgument());
}

TEST_F(CachesTest, ASecondaryCacheFailsNowAndThen) {
  const std::string fault = "--secondary_cache_fault_one_in=2";
  const std::string size = "--compressed_secondary_cache_size=4194304";
  ASSERT_TRUE(Make({size, fault}).ok());
  EXPECT_NE(table().block_cache->GetPrintableOptions().find("Faulty"),
            std::string::npos);
  EXPECT_TRUE(Make({fault}).IsInvalidArgument());
  EXPECT_TRUE(
      Make({size, fault, "--cache_type=tiered_lru_cache"}).IsInvalidArgument());

  const std::shared_ptr<SecondaryCache> cache = MakeFaultySecondaryCache(
      NewCompressedSecondaryCache(CompressedOptions(flags_)), 2, 1);
  int failed = 0;
  constexpr int kCalls = 100;
  for (int i = 0; i < kCalls; ++i) {
    const Status s = cache->InsertSaved("key", "value", kNoCompression,
                                        CacheTier::kVolatileTier);
    failed += s.IsIOError() ? 1 : 0;
  }
  EXPECT_GT(failed, kCalls / 4);
  EXPECT_LT(failed, kCalls * 3 / 4);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
