// Caches from text: runs option_scripts/caches_from_text.txt.
//
//   cache                 each line: the cache that the text makes, or why none
//   secondary [strict]    the same of secondary caches; strict: names that are
//       not known are errors
//   table                 the block cache of tables with these options
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/table.h"
#include "tests/cache/described_cache.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A text that makes none leaves the one from before.
template <class T>
std::string MadeCache(const ConfigOptions& config, const std::string& text,
                      const std::shared_ptr<T>& before) {
  std::shared_ptr<T> result;
  const Status s = T::CreateFromString(config, text, &result);
  EXPECT_TRUE(s.ok() || result == nullptr);
  std::shared_ptr<T> kept = before;
  const Status again = T::CreateFromString(config, text, &kept);
  EXPECT_EQ(again.ToString(), s.ToString());
  EXPECT_TRUE(s.ok() || kept == before) << text;
  return s.ok() ? DescribedCache(result) : s.ToString();
}

std::string CacheOfTables(const std::string& text) {
  BlockBasedTableOptions options;
  const Status s = GetBlockBasedTableOptionsFromString(
      ConfigOptions(), BlockBasedTableOptions(), text, &options);
  return s.ok() ? DescribedCache(options.block_cache) : s.ToString();
}

std::string RunCacheTextCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  ConfigOptions config;
  config.ignore_unsupported_options = !command.HasWord("strict");
  CompressedSecondaryCacheOptions compressed;
  compressed.compression_type = kNoCompression;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string text = line == "nothing" ? "" : line;
    if (command.verb() == "cache") {
      answers += MadeCache<Cache>(config, text, NewLRUCache(1 << 20));
    } else if (command.verb() == "secondary") {
      answers += MadeCache<SecondaryCache>(
          config, text, NewCompressedSecondaryCache(compressed));
    } else {
      EXPECT_EQ(command.verb(), "table");
      answers += CacheOfTables(text);
    }
    answers += "\n";
  }
  return answers;
}

TEST(CacheFromTextTest, NullLeavesTheCacheThatIsThere) {
  const std::shared_ptr<Cache> before = NewLRUCache(1 << 20);
  for (const char* text : {"null", "nullptr"}) {
    std::shared_ptr<Cache> cache = before;
    EXPECT_TRUE(Cache::CreateFromString(ConfigOptions(), text, &cache).ok());
    EXPECT_EQ(before, cache) << text;
  }
}

TEST(CacheFromTextTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/caches_from_text.txt", RunCacheTextCase),
            10u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
