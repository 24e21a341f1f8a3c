// What flags give to the engine beside its own options.
#include "db_stress_tool/engine_options.h"

#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "options/options_file.h"
#include "rocksdb/cache.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "tests/db_stress_tool/parsed_flags.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

Options Make(const std::vector<std::string>& arguments) {
  Flags flags;
  Options options;
  Status s = ParseArguments(arguments, &flags);
  if (s.ok()) s = MakeEngineOptions(flags, &options);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return options;
}

TEST(EngineOptionsTest, AnOldOperatorMergesByFullMergeAlone) {
  const std::deque<std::string> operands{"older", "newest"};
  std::string result;
  EXPECT_FALSE(
      Make({}).merge_operator->FullMerge("k", nullptr, operands, &result, {}));
  ASSERT_TRUE(
      Make({"--use_full_merge_v1=1"})
          .merge_operator->FullMerge("k", nullptr, operands, &result, {}));
  EXPECT_EQ(result, "newest");
}

TEST(EngineOptionsTest, SomeTablesAskToBeCompacted) {
  EXPECT_TRUE(Make({}).table_properties_collector_factories.empty());
  const Options options = Make({"--mark_for_compaction_one_file_in=4"});
  ASSERT_EQ(options.table_properties_collector_factories.size(), 1U);
  int marked = 0;
  constexpr int kTables = 400;
  for (int i = 0; i < kTables; ++i) {
    const std::unique_ptr<TablePropertiesCollector> collector(
        options.table_properties_collector_factories[0]
            ->CreateTablePropertiesCollector({}));
    marked += collector->NeedCompact() ? 1 : 0;
  }
  EXPECT_GT(marked, kTables / 8);
  EXPECT_LT(marked, kTables / 2);
}

TEST(EngineOptionsTest, HintsAreByPrefix) {
  EXPECT_EQ(Make({}).memtable_insert_with_hint_prefix_extractor, nullptr);
  const std::string flag =
      "--enable_memtable_insert_with_hint_prefix_extractor=1";
  for (const char* prefix : {"--prefix_size=5", "--prefix_size=-1"}) {
    const Options options = Make({flag, prefix});
    ASSERT_NE(options.memtable_insert_with_hint_prefix_extractor, nullptr);
    EXPECT_TRUE(options.memtable_insert_with_hint_prefix_extractor->InDomain(
        "12345678"));
  }
}

TEST(EngineOptionsTest, UniversalAndFifoAreSteered) {
  const Options options =
      Make({"--universal_max_read_amp=10", "--universal_size_ratio=7",
            "--universal_reduce_file_locking=0", "--fifo_allow_compaction=1",
            "--fifo_compaction_use_kv_ratio_compaction=1",
            "--fifo_compaction_max_table_files_size_mb=102400",
            "--fifo_compaction_max_data_files_size_mb=3"});
  const CompactionOptionsUniversal& universal =
      options.compaction_options_universal;
  EXPECT_EQ(universal.max_read_amp, 10);
  EXPECT_EQ(universal.size_ratio, 7U);
  EXPECT_FALSE(universal.reduce_file_locking);
  const CompactionOptionsFIFO& fifo = options.compaction_options_fifo;
  EXPECT_TRUE(fifo.allow_compaction);
  EXPECT_TRUE(fifo.use_kv_ratio_compaction);
  EXPECT_EQ(fifo.max_table_files_size, uint64_t{102400} << 20);
  EXPECT_EQ(fifo.max_data_files_size, uint64_t{3} << 20);
  const CompactionOptionsFIFO defaults;
  EXPECT_EQ(Make({}).compaction_options_fifo.max_table_files_size,
            defaults.max_table_files_size);
}

TEST(EngineOptionsTest, TablesGetAnIndexOfTheirOwn) {
  const auto has_one = [](const Options& options) {
    return options.table_factory->GetOptions<BlockBasedTableOptions>()
               ->user_defined_index_factory != nullptr;
  };
  EXPECT_FALSE(has_one(Make({})));
  const Options tries = Make({"--use_trie_index=1"});
  EXPECT_TRUE(has_one(tries));
  // A flag that says no counts for more than a file that says yes.
  const TempDir dir("stress_index");
  const std::string path = dir.File("OPTIONS");
  OptionsFile file;
  file.families.push_back({"default", tries, {}});
  std::ofstream(path) << PrintOptionsFile(file);
  EXPECT_TRUE(has_one(Make({"--options_file=" + path})));
  EXPECT_FALSE(has_one(Make({"--options_file=" + path, "--use_trie_index=0"})));
}

// With one entry of charge 1.
size_t ChargedFor(const std::string& policy) {
  const Options options = Make(
      {"--metadata_charge_policy=" + policy, "--use_adaptive_mutex_lru=1"});
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  static const Cache::CacheItemHelper helper(CacheEntryRole::kMisc);
  EXPECT_TRUE(table->block_cache->Insert("key", nullptr, &helper, 1).ok());
  return table->block_cache->GetUsage();
}

TEST(EngineOptionsTest, CachesChargeForMetadataIfTold) {
  EXPECT_EQ(ChargedFor("0"), 1U);
  EXPECT_GT(ChargedFor("1"), 1U);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
