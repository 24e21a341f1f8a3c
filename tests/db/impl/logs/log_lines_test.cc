// How LOG tells options: every row, in RocksDB's words and order.
#include "options/log_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdarg>
#include <map>
#include <set>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/table_rows.h"
#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::map<std::string, std::string> Told(const OptionStruct& options,
                                        const void* object) {
  std::map<std::string, std::string> told;
  for (const OptionLine& line : TellOptions(options, object)) {
    EXPECT_TRUE(told.emplace(line.name, line.value).second) << line.name;
  }
  return told;
}

std::map<std::string, std::string> Told(const DBOptions& options) {
  return Told(DBOptionStruct(), &options);
}
std::map<std::string, std::string> Told(const ColumnFamilyOptions& options) {
  return Told(ColumnFamilyOptionStruct(), &options);
}

// The expected values are those that RocksDB 7.8.3 writes to its LOG.
TEST(LogLinesTest, DatabaseOptionsAreInRocksDBsWords) {
  DBOptions options;
  auto told = Told(options);
  const std::map<std::string, std::string> expected = {
      {"create_if_missing", "0"},
      {"paranoid_checks", "1"},
      {"statistics", "(nil)"},
      {"rate_limiter", "(nil)"},
      {"db_log_dir", ""},
      {"sst_file_manager.rate_bytes_per_sec", "0"},
      {"wal_recovery_mode", "2"},
      {"row_cache", "None"},
      {"wal_filter", "None"},
      {"wal_compression", "0"},
      {"file_checksum_gen_factory", "Unknown"},
      {"db_host_id", "__hostname__"},
      {"enforce_single_del_contracts", "true"},
      {"delayed_write_rate", "0"},
      {"max_open_files", "-1"},
      {"fs", "PosixFileSystem"}};
  for (const auto& [name, value] : expected)
    EXPECT_EQ(told[name], value) << name;
  EXPECT_TRUE(told["env"].starts_with("0x"));
  options.row_cache = NewLRUCache(1000);
  options.create_if_missing = true;
  options.wal_compression = kZSTD;
  options.db_log_dir = "a b";
  told = Told(options);
  EXPECT_EQ(told["row_cache"], "LRUCache");
  EXPECT_EQ(told["create_if_missing"], "1");
  EXPECT_EQ(told["wal_compression"], "7");
  EXPECT_EQ(told["db_log_dir"], "a b");
}

TEST(LogLinesTest, FamilyOptionsAreInRocksDBsWords) {
  ColumnFamilyOptions options;
  options.compression = kLZ4Compression;
  auto told = Told(options);
  const std::map<std::string, std::string> expected = {
      {"comparator", "leveldb.BytewiseComparator"},
      {"merge_operator", "None"},
      {"compaction_filter", "None"},
      {"memtable_factory", "SkipListFactory"},
      {"table_factory", "BlockBasedTable"},
      {"compression", "LZ4"},
      {"bottommost_compression", "Disabled"},
      {"prefix_extractor", "nullptr"},
      {"bottommost_compression_opts.window_bits", "-14"},
      {"compression_opts.level", "32767"},
      {"compression_opts.enabled", "false"},
      {"compression_opts.use_zstd_dict_trainer", "true"},
      {"max_bytes_for_level_multiplier", "10.000000"},
      {"max_bytes_for_level_multiplier_addtl[6]", "1"},
      {"compaction_style", "kCompactionStyleLevel"},
      {"compaction_pri", "kMinOverlappingRatio"},
      {"compaction_options_universal.stop_style",
       "kCompactionStopStyleTotalSize"},
      {"compaction_options_universal.max_merge_width", "4294967295"},
      {"compaction_options_fifo.max_table_files_size", "1073741824"},
      {"table_properties_collectors", ""},
      {"report_bg_io_stats", "0"},
      {"enable_blob_files", "false"},
      {"blob_compression_type", "NoCompression"},
      {"blob_garbage_collection_age_cutoff", "0.250000"},
      {"prepopulate_blob_cache", "disable"},
      {"experimental_mempurge_threshold", "0.000000"}};
  for (const auto& [name, value] : expected)
    EXPECT_EQ(told[name], value) << name;
  options.compression_per_level = {kNoCompression, kSnappyCompression};
  options.prefix_extractor.reset(NewFixedPrefixTransform(3));
  options.prepopulate_blob_cache = PrepopulateBlobCache::kFlushOnly;
  told = Told(options);
  EXPECT_EQ(told["compression[0]"], "NoCompression");
  EXPECT_EQ(told["compression[1]"], "Snappy");
  EXPECT_TRUE(told["prefix_extractor"].starts_with("rocksdb.FixedPrefix"));
  EXPECT_EQ(told["prepopulate_blob_cache"], "flush only");
}

TEST(LogLinesTest, TableOptionsHaveLinesOfTheirOwn) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(123456);
  table.block_align = true;
  const std::string text =
      std::unique_ptr<TableFactory>(NewBlockBasedTableFactory(table))
          ->GetPrintableOptions();
  for (const char* line :
       {"  flush_block_policy_factory: FlushBlockBySizePolicyFactory (",
        "\n  cache_index_and_filter_blocks: 0\n", "\n  index_type: 0\n",
        "\n  data_block_index_type: 0\n  index_shortening: 1\n",
        "\n  data_block_hash_table_util_ratio: 0.750000\n  checksum: 4\n",
        "\n  block_cache: 0x", "\n  block_cache_name: LRUCache\n",
        "\n  block_cache_options: \n    capacity : 123456\n",
        "\n  persistent_cache: (nil)\n  block_size: 4096\n",
        "\n  filter_policy: nullptr\n", "\n  block_align: 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

// Rows that hold what cannot be told: lists of paths, sets of file types.
const std::set<std::string> kUntold = {
    "cache_usage_options",
    "calculate_sst_write_lifetime_hint_set",
    "cf_paths",
    "checksum_handoff_file_types",
    "db_paths",
    "listeners",
    "compression_per_level",
    "file_temperature_age_thresholds",
    "max_bytes_for_level_multiplier_additional"};

void ExpectEveryRowTold(const OptionStruct& options, const void* object) {
  const OptionLines lines = TellOptions(options, object);
  for (const OptionRow& row : options.rows) {
    const std::string name(row.traits.log_name.empty() ? row.name
                                                       : row.traits.log_name);
    const auto count =
        std::ranges::count_if(lines, [&](const OptionLine& line) {
          return line.name == name || line.name.starts_with(name + ".") ||
                 line.name.starts_with(name + "[");
        });
    EXPECT_TRUE(count > 0 || kUntold.contains(std::string(row.name)))
        << row.name;
  }
  std::set<std::string_view> ordered;
  for (const std::string_view name : options.log_order) {
    EXPECT_NE(options.Find(name), nullptr) << name;
    EXPECT_TRUE(ordered.insert(name).second) << name;
  }
}

TEST(LogLinesTest, EveryRowIsTold) {
  const DBOptions db;
  const ColumnFamilyOptions family;
  const BlockBasedTableOptions block_based;
  const PlainTableOptions plain;
  ExpectEveryRowTold(DBOptionStruct(), &db);
  ExpectEveryRowTold(ColumnFamilyOptionStruct(), &family);
  ExpectEveryRowTold(BlockBasedTableOptionStruct(), &block_based);
  ExpectEveryRowTold(PlainTableOptionStruct(), &plain);
}

TEST(LogLinesTest, TheOrderIsThatOfRocksDBsLog) {
  const auto names = [](const OptionStruct& options, const void* object) {
    std::vector<std::string> result;
    for (const OptionLine& line : TellOptions(options, object)) {
      result.push_back(line.name);
    }
    return result;
  };
  const DBOptions db;
  std::vector<std::string> told = names(DBOptionStruct(), &db);
  told.resize(7);
  EXPECT_EQ(told, (std::vector<std::string>{
                      "error_if_exists", "create_if_missing", "paranoid_checks",
                      "flush_verify_memtable_count",
                      "track_and_verify_wals_in_manifest",
                      "verify_sst_unique_id_in_manifest", "env"}));
  const ColumnFamilyOptions family;
  told = names(ColumnFamilyOptionStruct(), &family);
  told.resize(5);
  EXPECT_EQ(told, (std::vector<std::string>{
                      "comparator", "merge_operator", "compaction_filter",
                      "compaction_filter_factory", "sst_partitioner_factory"}));
}

class LineKeeper : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    char line[8192];
    (void)vsnprintf(line, sizeof(line), format, ap);
    text += std::string(line) + "\n";
  }
  std::string text;
};

TEST(LogLinesTest, DumpWritesThemToALogger) {
  LineKeeper logger;
  const Options options;
  options.Dump(&logger);
  EXPECT_NE(logger.text.find(" Options.create_if_missing: 0\n"),
            std::string::npos);
  EXPECT_NE(logger.text.find(" Options.ttl: "), std::string::npos);
  EXPECT_NE(logger.text.find("table_factory options:   flush_block"),
            std::string::npos);
  options.Dump(nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
