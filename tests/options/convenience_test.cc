// Options come from strings and maps and go back to them, and errors name the
// option, in RocksDB's words, and change nothing.
#include "rocksdb/convenience.h"

#include <gtest/gtest.h>

#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const BlockBasedTableOptions& TableOf(const ColumnFamilyOptions& options) {
  return *options.table_factory->GetOptions<BlockBasedTableOptions>();
}

TEST(ConvenienceTest, OptionsFromStringReachBothHalves) {
  Options base;
  base.max_background_jobs = 5;
  Options options;
  const Status s = GetOptionsFromString(
      base,
      "create_if_missing=true; write_buffer_size=32m;\n"
      "compression_opts={level=3;enabled=true};"
      "compression_opts.strategy=2;"
      "max_bytes_for_level_multiplier_additional=1:2:3;"
      "merge_operator={id=StringAppendOperator;delimiter=;};"
      "prefix_extractor=rocksdb.FixedPrefix.4;"
      "block_based_table_factory={block_size=8K;no_block_cache=1};"
      "wal_recovery_mode=kAbsoluteConsistency",
      &options);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_TRUE(options.create_if_missing);
  EXPECT_EQ(5, options.max_background_jobs);
  EXPECT_EQ(size_t{32} << 20, options.write_buffer_size);
  EXPECT_EQ(3, options.compression_opts.level);
  EXPECT_EQ(2, options.compression_opts.strategy);
  EXPECT_TRUE(options.compression_opts.enabled);
  EXPECT_EQ((std::vector<int>{1, 2, 3}),
            options.max_bytes_for_level_multiplier_additional);
  EXPECT_STREQ("StringAppendOperator", options.merge_operator->Name());
  EXPECT_EQ("rocksdb.FixedPrefix.4", options.prefix_extractor->GetId());
  EXPECT_EQ(8192u, TableOf(options).block_size);
  EXPECT_TRUE(TableOf(options).no_block_cache);
  EXPECT_EQ(WALRecoveryMode::kAbsoluteConsistency, options.wal_recovery_mode);
}

TEST(ConvenienceTest, ErrorsNameTheOptionAndLeaveTheResult) {
  const struct {
    const char* text;
    const char* named;
  } cases[] = {
      {"no_such_option=1", "no_such_option"},
      {"write_buffer_size=lots", "write_buffer_size"},
      {"compression=kBrotli", "kBrotli"},
      {"compression_opts={level=x}", "level"},
      {"compression_opts.nothing=1", "nothing"},
      {"num_levels=99999999999", "num_levels"},
      {"block_based_table_factory={block_size=1x}", "block_size"},
      {"block_based_table_factory={blocksize=1}", "blocksize"},
      {"write_buffer_size={1", "braces"},
      {"db_paths=/a", "db_paths"},
  };
  for (const auto& c : cases) {
    Options options;
    options.write_buffer_size = 123456;
    const Status s = GetOptionsFromString(
        Options(), std::string("write_buffer_size=1m;") + c.text, &options);
    EXPECT_TRUE(s.IsInvalidArgument()) << c.text << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find(c.named)) << s.ToString();
    EXPECT_EQ(123456u, options.write_buffer_size) << c.text;
  }
}

TEST(ConvenienceTest, UnknownNamesCanBeIgnoredAndDeprecatedOnesAre) {
  ConfigOptions config;
  DBOptions options;
  EXPECT_TRUE(GetDBOptionsFromString(
                  config, DBOptions(),
                  "random_access_max_buffer_size=1;max_open_files=7", &options)
                  .ok());
  EXPECT_EQ(7, options.max_open_files);
  config.ignore_unknown_options = true;
  EXPECT_TRUE(GetDBOptionsFromString(config, DBOptions(),
                                     "future_option={a=b};max_open_files=8",
                                     &options)
                  .ok());
  EXPECT_EQ(8, options.max_open_files);
}

TEST(ConvenienceTest, UnknownObjectsAreNullOrRefused) {
  ConfigOptions config;
  ColumnFamilyOptions options;
  ASSERT_TRUE(GetColumnFamilyOptionsFromString(config, ColumnFamilyOptions(),
                                               "merge_operator=Nobody",
                                               &options)
                  .ok());
  EXPECT_EQ(nullptr, options.merge_operator);
  config.ignore_unsupported_options = false;
  const Status s = GetColumnFamilyOptionsFromString(
      config, ColumnFamilyOptions(), "merge_operator=Nobody", &options);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(std::string::npos, s.ToString().find("Nobody"));
}

// As RocksDB 11.8.1 says it; what we add stands behind.
TEST(ConvenienceTest, BadTextsAreToldAsRocksDBDoes) {
  const std::pair<const char*, const char*> kFamilyTexts[] = {
      {"compaction_style=foo", "Error parsing:: compaction_style"},
      {"compression_per_level=foo", "Error parsing:: compression_per_level"},
      {"last_level_temperature=foo", "Error parsing:: last_level_temperature"},
      {"prepopulate_blob_cache=foo",
       "No mapping for enum : prepopulate_blob_cache"},
      {"compaction_options_universal={stop_style=foo}",
       "Error parsing:: stop_style"},
      {"num_levels=x", "Error parsing num_levels:stoi"},
      {"bloom_locality=-1", "Error parsing bloom_locality:-1"},
      {"compaction_options_universal=x",
       "Mismatched key value pair, '=' expected"},
      {"compression_opts=1:2",
       "unable to parse the specified CF option compression_opts"},
      {"compression_opts=1:x:3", "Error parsing compression_opts:stoi"},
      {"compression_opts=1:2:3:4:5:6", "Error parsing compression_opts:"},
      {"compaction_options_fifo=x",
       "Error parsing compaction_options_fifo:"
       "stoull"},
      {"compaction_thread_limiter=x",
       "Extra option not recognized: compaction_thread_limiter"},
      {"cf_paths=x", "Extra option not recognized: cf_paths"},
      {"nothing=1", "Extra option not recognized: nothing"},
      {"ttl", "Mismatched key value pair, '=' expected"},
      {"merge_operator=foo", "Could not load MergeOperator: foo"},
      {"prefix_extractor=foo", "Could not load SliceTransform: foo"}};
  const std::pair<const char*, const char*> kDatabaseTexts[] = {
      {"wal_recovery_mode=foo", "No mapping for enum : wal_recovery_mode"},
      {"info_log_level=foo", "No mapping for enum : info_log_level"},
      {"wal_compression=foo", "Error parsing:: wal_compression"},
      {"lowest_used_cache_tier=foo",
       "No mapping for enum : lowest_used_cache_tier"},
      {"statistics=foo", "Could not load Statistics: foo"},
      {"max_subcompactions=-1", "Error parsing max_subcompactions:-1"},
      {"write_buffer_manager=x",
       "Extra option not recognized: write_buffer_manager"},
      {"sst_file_manager=x", "Extra option not recognized: sst_file_manager"}};
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  for (const auto& [text, said] : kFamilyTexts) {
    ColumnFamilyOptions options;
    EXPECT_TRUE(GetColumnFamilyOptionsFromString(config, {}, text, &options)
                    .ToString()
                    .starts_with(std::string("Invalid argument: ") + said))
        << text;
  }
  for (const auto& [text, said] : kDatabaseTexts) {
    DBOptions options;
    EXPECT_TRUE(GetDBOptionsFromString(config, {}, text, &options)
                    .ToString()
                    .starts_with(std::string("Invalid argument: ") + said))
        << text;
  }
}

// Structs had no names in old OPTIONS files, and people still type them so.
TEST(ConvenienceTest, ValuesWithoutNamesGoByTheirPlaces) {
  const auto parse = [](const std::string& text) {
    ColumnFamilyOptions options;
    const Status s =
        GetColumnFamilyOptionsFromString(ConfigOptions(), {}, text, &options);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return options;
  };
  CompressionOptions c = parse("compression_opts=1:2:3").compression_opts;
  EXPECT_EQ(c.window_bits, 1);
  EXPECT_EQ(c.level, 2);
  EXPECT_EQ(c.strategy, 3);
  EXPECT_EQ(c.max_dict_bytes, 0u);
  c = parse("bottommost_compression_opts=1:2:3:4:5:true")
          .bottommost_compression_opts;
  EXPECT_EQ(c.max_dict_bytes, 4u);
  EXPECT_EQ(c.zstd_max_train_bytes, 5u);
  EXPECT_EQ(c.parallel_threads, 1u);
  EXPECT_TRUE(c.enabled);
  c = parse("compression_opts=1:2:3:4:5:6:true:8:false").compression_opts;
  EXPECT_EQ(c.parallel_threads, 6u);
  EXPECT_TRUE(c.enabled);
  EXPECT_EQ(c.max_dict_buffer_bytes, 8u);
  EXPECT_FALSE(c.use_zstd_dict_trainer);
  EXPECT_EQ(parse("compaction_options_fifo=1k")
                .compaction_options_fifo.max_table_files_size,
            1024u);
}

TEST(ConvenienceTest, TableOptionsChangeWithoutLosingTheOthers) {
  ColumnFamilyOptions first;
  ASSERT_TRUE(GetColumnFamilyOptionsFromString(
                  ConfigOptions(), ColumnFamilyOptions(),
                  "block_based_table_factory={block_size=16k;checksum=kCRC32c}",
                  &first)
                  .ok());
  ColumnFamilyOptions second;
  ASSERT_TRUE(GetColumnFamilyOptionsFromString(
                  ConfigOptions(), first,
                  "table_factory.block_restart_interval=4", &second)
                  .ok());
  EXPECT_EQ(16384u, TableOf(second).block_size);
  EXPECT_EQ(kCRC32c, TableOf(second).checksum);
  EXPECT_EQ(4, TableOf(second).block_restart_interval);
  // The factory is a copy: the first options are as they were.
  EXPECT_EQ(16, TableOf(first).block_restart_interval);
}

TEST(ConvenienceTest, MapsReachEitherHalf) {
  DBOptions base;
  base.max_open_files = 77;
  DBOptions db;
  ASSERT_TRUE(GetDBOptionsFromMap(ConfigOptions(), base,
                                  {{"create_if_missing", "true"},
                                   {"bytes_per_sync", "4k"},
                                   {"info_log_level", "WARN_LEVEL"}},
                                  &db)
                  .ok());
  EXPECT_TRUE(db.create_if_missing);
  EXPECT_EQ(4096u, db.bytes_per_sync);
  EXPECT_EQ(InfoLogLevel::WARN_LEVEL, db.info_log_level);
  EXPECT_EQ(77, db.max_open_files);
  const Status s = GetDBOptionsFromMap(ConfigOptions(), base,
                                       {{"bytes_per_sync", "many"}}, &db);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(std::string::npos, s.ToString().find("bytes_per_sync"));
  // An option of the other half is none of these.
  EXPECT_FALSE(GetDBOptionsFromMap(ConfigOptions(), base,
                                   {{"write_buffer_size", "1m"}}, &db)
                   .ok());
  ColumnFamilyOptions family;
  ASSERT_TRUE(
      GetColumnFamilyOptionsFromMap(ConfigOptions(), ColumnFamilyOptions(),
                                    {{"write_buffer_size", "1m"}}, &family)
          .ok());
  EXPECT_EQ(size_t{1} << 20, family.write_buffer_size);
  EXPECT_FALSE(GetColumnFamilyOptionsFromMap(ConfigOptions(), family,
                                             {{"bytes_per_sync", "1"}}, &family)
                   .ok());
}

TEST(ConvenienceTest, StringsComeBack) {
  Options options;
  options.wal_dir = "a;b:c#d\\e";
  options.max_total_wal_size = 77;
  std::string text;
  ASSERT_TRUE(GetStringFromDBOptions(&text, options).ok());
  DBOptions parsed;
  ASSERT_TRUE(
      GetDBOptionsFromString(ConfigOptions(), DBOptions(), text, &parsed).ok());
  EXPECT_EQ(options.wal_dir, parsed.wal_dir);
  EXPECT_EQ(77u, parsed.max_total_wal_size);
}

TEST(ConvenienceTest, CompressionNames) {
  std::string text;
  ASSERT_TRUE(GetStringFromCompressionType(&text, kZSTD).ok());
  EXPECT_EQ("kZSTD", text);
  EXPECT_TRUE(
      GetStringFromCompressionType(&text, static_cast<CompressionType>(0x40))
          .IsInvalidArgument());
  const auto supported = GetSupportedCompressions();
  ASSERT_FALSE(supported.empty());
  EXPECT_EQ(kNoCompression, supported.front());
}

TEST(ChangeOptionsTest, ReportsWhatChanged) {
  ColumnFamilyOptions current;
  ColumnFamilyOptions changed;
  std::vector<std::string> names;
  ASSERT_TRUE(ChangeColumnFamilyOptions(
                  current,
                  {{"write_buffer_size", "1m"},
                   {"disable_auto_compactions", "false"},
                   {"block_based_table_factory", "{block_size=2k}"}},
                  &changed, &names)
                  .ok());
  EXPECT_EQ((std::vector<std::string>{"write_buffer_size", "table_factory"}),
            names);
  EXPECT_EQ(size_t{1} << 20, changed.write_buffer_size);
  EXPECT_EQ(4096u, TableOf(current).block_size);
  EXPECT_EQ(2048u, TableOf(changed).block_size);
}

TEST(ChangeOptionsTest, RefusesFixedUnknownAndWrong) {
  const ColumnFamilyOptions current;
  ColumnFamilyOptions changed;
  changed.num_levels = 5;
  std::vector<std::string> names = {"untouched"};
  const std::unordered_map<std::string, std::string> cases[] = {
      {},
      {{"num_levels", "3"}},
      {{"no_such", "3"}},
      {{"write_buffer_size", "x"}},
      {{"prefix_extractor", "nobody"}},
      {{"block_based_table_factory", "{persistent_cache=x}"}},
      {{"max_background_jobs", "3"}},
  };
  for (const auto& changes : cases) {
    const Status s =
        ChangeColumnFamilyOptions(current, changes, &changed, &names);
    EXPECT_FALSE(s.ok());
    if (!changes.empty()) {
      const std::string& name = changes.begin()->first;
      EXPECT_TRUE(s.ToString().find(name) != std::string::npos ||
                  s.ToString().find("table_factory") != std::string::npos)
          << s.ToString();
    }
    EXPECT_EQ(5, changed.num_levels);
    EXPECT_EQ(1u, names.size());
  }
}

TEST(ChangeOptionsTest, DatabaseOptions) {
  DBOptions changed;
  std::vector<std::string> names;
  ASSERT_TRUE(
      ChangeDBOptions(DBOptions(), {{"max_open_files", "99"}}, &changed, &names)
          .ok());
  EXPECT_EQ(99, changed.max_open_files);
  EXPECT_EQ(std::vector<std::string>{"max_open_files"}, names);
  EXPECT_TRUE(ChangeDBOptions(DBOptions(), {{"use_direct_reads", "true"}},
                              &changed, &names)
                  .IsNotFound());
}

TEST(MutableCFOptionsTest, SizesOfLevels) {
  MutableCFOptions options;
  options.target_file_size_base = 100;
  options.target_file_size_multiplier = 3;
  EXPECT_EQ(100u, options.MaxFileSizeForLevel(0, kCompactionStyleLevel));
  EXPECT_EQ(100u, options.MaxFileSizeForLevel(1, kCompactionStyleLevel));
  EXPECT_EQ(900u, options.MaxFileSizeForLevel(3, kCompactionStyleLevel));
  EXPECT_EQ(UINT64_MAX, options.MaxFileSizeForLevel(60, kCompactionStyleLevel));
  EXPECT_EQ(2500u, options.MaxCompactionBytes());
  options.max_bytes_for_level_multiplier_additional = {1, 7};
  EXPECT_EQ(7, options.MaxBytesMultiplierAdditional(1));
  EXPECT_EQ(1, options.MaxBytesMultiplierAdditional(2));
  EXPECT_EQ(1, options.MaxBytesMultiplierAdditional(-1));
}

TEST(MutableCFOptionsTest, CodecOfALevel) {
  MutableCFOptions options;
  options.compression = kSnappyCompression;
  EXPECT_EQ(kSnappyCompression, options.CompressionForLevel(3, 1, false));
  options.compression_per_level = {kNoCompression, kLZ4Compression, kZSTD};
  EXPECT_EQ(kNoCompression, options.CompressionForLevel(0, 4, false));
  EXPECT_EQ(kLZ4Compression, options.CompressionForLevel(4, 4, false));
  EXPECT_EQ(kZSTD, options.CompressionForLevel(6, 4, true));
  options.bottommost_compression = kZlibCompression;
  EXPECT_EQ(kZlibCompression, options.CompressionForLevel(6, 4, true));
  EXPECT_EQ(kZSTD, options.CompressionForLevel(6, 4, false));
  options.bottommost_compression_opts.level = 9;
  EXPECT_NE(9, options.CompressionOptionsForLevel(true).level);
  options.bottommost_compression_opts.enabled = true;
  EXPECT_EQ(9, options.CompressionOptionsForLevel(true).level);
}

TEST(OptionMapTest, ThereAndBack) {
  const std::unordered_map<std::string, std::string> map{
      {"a", "1"}, {"list", "{x=1;y=2}"}, {"pair", "x=1;y=2"}, {"empty", ""}};
  std::string text;
  ASSERT_TRUE(MapToString(map, &text).ok());
  EXPECT_EQ("a=1;empty=;list={x=1;y=2};pair={x=1;y=2};", text);
  std::unordered_map<std::string, std::string> back;
  ASSERT_TRUE(StringToMap(text, &back).ok());
  EXPECT_EQ("x=1;y=2", back["pair"]);
  EXPECT_EQ("1", back["a"]);
  EXPECT_TRUE(MapToString(map, nullptr).IsInvalidArgument());
}

TEST(OptionStructsTest, AreCompared) {
  CompressionOptions compression;
  EXPECT_TRUE(compression == CompressionOptions());
  compression.checksum = true;
  EXPECT_FALSE(compression == CompressionOptions());
  CompactionOptionsUniversal universal;
  EXPECT_TRUE(universal == CompactionOptionsUniversal());
  universal.max_read_amp = 3;
  EXPECT_FALSE(universal == CompactionOptionsUniversal());
  CompactionOptionsFIFO fifo;
  EXPECT_TRUE(fifo == CompactionOptionsFIFO());
  fifo.file_temperature_age_thresholds.push_back({Temperature::kCold, 7});
  EXPECT_FALSE(fifo == CompactionOptionsFIFO());
  VerifyOutputFlags flags = VerifyOutputFlags::kVerifyBlockChecksum;
  flags &= VerifyOutputFlags::kVerifyNone;
  EXPECT_TRUE(!flags);
}

TEST(MemTableFactoryTextTest, UnknownNamesAreErrors) {
  std::unique_ptr<MemTableRepFactory> factory;
  ASSERT_TRUE(GetMemTableRepFactoryFromString("skip_list:16", &factory).ok());
  EXPECT_STREQ("SkipListFactory", factory->Name());
  EXPECT_TRUE(
      GetMemTableRepFactoryFromString("nothing", &factory).IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
