// A block cache is made from text, either its size or its options, and bad text
// is refused with a reason.
#include <gtest/gtest.h>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

Status CacheFromText(const std::string& text, std::shared_ptr<Cache>* result) {
  return Cache::CreateFromString(ConfigOptions(), text, result);
}

TEST(CacheFromTextTest, SizeOrOptions) {
  std::shared_ptr<Cache> cache;
  ASSERT_TRUE(CacheFromText("2m", &cache).ok());
  EXPECT_EQ(size_t{2} << 20, cache->GetCapacity());
  ASSERT_TRUE(CacheFromText("{id=LRUCache;capacity=1m;num_shard_bits=2;"
                            "strict_capacity_limit=true}",
                            &cache)
                  .ok());
  EXPECT_EQ(size_t{1} << 20, cache->GetCapacity());
  EXPECT_TRUE(cache->HasStrictCapacityLimit());
  ASSERT_TRUE(CacheFromText("LRUCache", &cache).ok());
  EXPECT_EQ(LRUCacheOptions().capacity, cache->GetCapacity());
  EXPECT_FALSE(cache->HasStrictCapacityLimit());
}

TEST(CacheFromTextTest, BadTextIsRefused) {
  std::shared_ptr<Cache> cache;
  for (const char* text :
       {"{}", "xyz", "-5", "big", "{capacity=big}", "LRUCache://capacity=x",
        "LRUCache://id=Mystery;capacity=1", "LRUCacheX", "{size=1}",
        "{id=Mystery;capacity=1}", "{capacity=1m;num_shard_bits=30}"}) {
    EXPECT_FALSE(CacheFromText(text, &cache).ok()) << text;
    EXPECT_EQ(nullptr, cache) << text;
  }
}

TEST(CacheFromTextTest, TableOptionsUseIt) {
  BlockBasedTableOptions options;
  ASSERT_TRUE(GetBlockBasedTableOptionsFromString(ConfigOptions(),
                                                  BlockBasedTableOptions(),
                                                  "block_cache=3m", &options)
                  .ok());
  ASSERT_NE(nullptr, options.block_cache);
  EXPECT_EQ(size_t{3} << 20, options.block_cache->GetCapacity());
  const Status s = GetBlockBasedTableOptionsFromString(
      ConfigOptions(), BlockBasedTableOptions(), "block_cache=big", &options);
  EXPECT_FALSE(s.ok());
  EXPECT_NE(std::string::npos, s.ToString().find("block_cache=big"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
