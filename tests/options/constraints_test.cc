// Every rule that joins options refuses or mends what breaks it, with a message
// that says why, and mending twice changes nothing.
#include "options/constraints.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Text over defaults, and what validation says of it: one line a case.
struct Case {
  const char* text;
  const char* expected;  // parts of the status, joined by '&'; empty = OK
};

Status Validate(const std::string& text) {
  Options options;
  ConfigOptions config;
  Status s = GetOptionsFromString(config, Options(), text, &options);
  if (!s.ok()) return s;
  s = ValidateDBOptions(options);
  return s.ok() ? ValidateColumnFamilyOptions(options, options) : s;
}

void ExpectCase(const Case& c) {
  const Status s = Validate(c.text);
  std::string_view expected = c.expected;
  EXPECT_EQ(expected.empty(), s.ok()) << c.text << " gave " << s.ToString();
  while (!expected.empty()) {
    const size_t end = expected.find('&');
    const std::string part(expected.substr(0, end));
    EXPECT_NE(std::string::npos, s.ToString().find(part))
        << c.text << " gave " << s.ToString() << ", without " << part;
    expected.remove_prefix(end == std::string_view::npos ? expected.size()
                                                         : end + 1);
  }
}

constexpr Case kCases[] = {
    {"", ""},
    {"use_direct_io_for_compaction_reads=true", ""},
    {"use_direct_reads=true;use_direct_io_for_compaction_reads=true", ""},
    {"enable_pipelined_write=true;allow_concurrent_memtable_write=false", ""},
    {"compaction_style=kCompactionStyleNone", ""},
    {"prefix_extractor=rocksdb.FixedPrefix.12", ""},
    {"memtable_factory=SkipListFactory:16", ""},
    {"preclude_last_level_data_seconds=60", ""},
    {"preclude_last_level_data_seconds=60;"
     "comparator=leveldb.BytewiseComparator.u64ts",
     "Not implemented&preclude_last_level_data_seconds=60&u64ts"},
    {"preserve_internal_time_seconds=60;"
     "comparator=leveldb.BytewiseComparator.u64ts",
     ""},
    {"allow_ingest_behind=true",
     "Not implemented&allow_ingest_behind=true&"
     "compaction_style=kCompactionStyleLevel"},
    {"cf_allow_ingest_behind=true;compaction_style=kCompactionStyleUniversal;"
     "num_levels=2",
     ""},
    {"allow_ingest_behind=true;compaction_style=kCompactionStyleUniversal", ""},
    {"wal_recovery_mode=kSkipAnyCorruptedRecords", ""},
    {"use_direct_io_for_compaction_reads=true;allow_mmap_reads=true",
     "Not implemented&use_direct_io_for_compaction_reads=true&"
     "allow_mmap_reads=true"},
    {"use_direct_reads=true;allow_mmap_reads=true",
     "Not implemented&use_direct_reads=true&allow_mmap_reads=true"},
    {"use_direct_io_for_flush_and_compaction=true;allow_mmap_writes=true",
     "Not implemented&use_direct_io_for_flush_and_compaction=true&"
     "allow_mmap_writes=true"},
    {"use_direct_io_for_flush_and_compaction=true;"
     "writable_file_max_buffer_size=0",
     "Invalid argument&writable_file_max_buffer_size=0"},
    {"compaction_read_access=auto;compaction_write_access=uncached", ""},
    {"compaction_read_access=direct;compaction_write_access=buffered", ""},
    {"use_direct_io_for_compaction_reads=true;compaction_read_access=auto", ""},
    {"use_direct_io_for_compaction_reads=true;compaction_read_access=direct",
     ""},
    {"use_direct_reads=true;compaction_read_access=auto", ""},
    {"use_direct_io_for_compaction_reads=true;compaction_read_access=buffered",
     "Invalid argument&use_direct_io_for_compaction_reads=true&"
     "compaction_read_access=buffered"},
    {"use_direct_io_for_compaction_reads=true;compaction_read_access=uncached",
     "Invalid argument&use_direct_io_for_compaction_reads=true&"
     "compaction_read_access=uncached"},
    {"use_direct_reads=true;compaction_read_access=buffered",
     "Invalid argument&use_direct_reads=true&compaction_read_access=buffered"},
    {"use_direct_reads=true;compaction_read_access=uncached",
     "Invalid argument&use_direct_reads=true&compaction_read_access=uncached"},
    {"use_direct_io_for_flush_and_compaction=true;"
     "compaction_write_access=buffered",
     "Invalid argument&use_direct_io_for_flush_and_compaction=true&"
     "compaction_write_access=buffered"},
    {"use_direct_io_for_flush_and_compaction=true;"
     "compaction_write_access=uncached",
     "Invalid argument&use_direct_io_for_flush_and_compaction=true&"
     "compaction_write_access=uncached"},
    {"allow_mmap_reads=true;compaction_read_access=auto", ""},
    {"allow_mmap_reads=true;compaction_read_access=direct",
     "Not implemented&compaction_read_access=direct&allow_mmap_reads=true"},
    {"allow_mmap_reads=true;compaction_read_access=uncached",
     "Not implemented&compaction_read_access=uncached&allow_mmap_reads=true"},
    {"allow_mmap_writes=true;compaction_write_access=direct",
     "Not implemented&compaction_write_access=direct&allow_mmap_writes=true"},
    {"compaction_write_access=direct;writable_file_max_buffer_size=0",
     "Invalid argument&compaction_write_access=direct&"
     "writable_file_max_buffer_size=0"},
    {"compaction_write_access=auto;writable_file_max_buffer_size=0", ""},
    {"keep_log_file_num=0", "Invalid argument&keep_log_file_num=0"},
    {"atomic_flush=true;enable_pipelined_write=true",
     "Invalid argument&atomic_flush=true&enable_pipelined_write=true"},
    {"unordered_write=true;allow_concurrent_memtable_write=false",
     "Invalid argument&unordered_write=true"},
    {"two_write_queues=true", ""},
    {"two_write_queues=true;enable_pipelined_write=true", ""},
    {"allow_2pc=true", ""},
    {"wal_compression=kSnappyCompression", ""},
    {"daily_offpeak_time_utc=01\\:00-02\\:00", ""},
    {"daily_offpeak_time_utc=01\\:00-01\\:00",
     "Invalid argument&daily_offpeak_time_utc&HH:MM-HH:MM"},
    {"daily_offpeak_time_utc=by night",
     "Invalid argument&daily_offpeak_time_utc"},
    {"max_open_files=-2", ""},
    {"compaction_style=kCompactionStyleUniversal", ""},
    {"compaction_style=kCompactionStyleFIFO", ""},
    {"compaction_options_fifo={use_kv_ratio_compaction=true}", ""},
    {"read_triggered_compaction_threshold=0.01", ""},
    {"read_triggered_compaction_threshold=-0.01",
     "Invalid argument&read_triggered_compaction_threshold=-0.01"},
    {"read_triggered_compaction_threshold=nan",
     "Invalid argument&read_triggered_compaction_threshold=nan"},
    {"compaction_options_fifo={file_temperature_age_thresholds="
     "{temperature=kCold;age=9}:{temperature=kWarm;age=3}}",
     "Invalid argument&file_temperature_age_thresholds"},
    {"enable_blob_files=true;blob_compression_type=kZSTD", ""},
    {"blob_compression_type=kXpressCompression",
     "Invalid argument&blob compression type Xpress&blob_compression_type"},
    {"blob_garbage_collection_age_cutoff=1.5", ""},
    {"blob_garbage_collection_age_cutoff=1.5;"
     "enable_blob_garbage_collection=true",
     "Invalid argument&blob_garbage_collection_age_cutoff=1.5"},
    {"blob_file_starting_level=-1", ""},
    {"enable_blob_direct_write=true", ""},
    {"enable_blob_direct_write=true;enable_blob_files=true",
     "Not implemented&enable_blob_direct_write=true&"
     "allow_concurrent_memtable_write=true"},
    {"enable_blob_direct_write=true;enable_blob_files=true;"
     "allow_concurrent_memtable_write=false",
     ""},
    {"enable_blob_direct_write=true;enable_blob_files=true;"
     "allow_concurrent_memtable_write=false;enable_pipelined_write=true",
     "Not implemented&enable_pipelined_write=true"},
    {"enable_blob_direct_write=true;enable_blob_files=true;"
     "allow_concurrent_memtable_write=false;two_write_queues=true",
     "Not implemented&two_write_queues=true"},
    {"enable_blob_direct_write=true;enable_blob_files=true;"
     "allow_concurrent_memtable_write=false;"
     "experimental_mempurge_threshold=0.5",
     "Not implemented&experimental_mempurge_threshold"},
    {"enable_blob_direct_write=true;enable_blob_files=true;"
     "allow_concurrent_memtable_write=false;"
     "comparator=leveldb.BytewiseComparator.u64ts",
     "Not implemented&timestamps"},
    {"blob_direct_write_partitions=4", ""},
    {"memtable_factory=vector", ""},
    {"memtable_protection_bytes_per_key=8;paranoid_memory_checks=true", ""},
    {"memtable_protection_bytes_per_key=3",
     "Not implemented&memtable_protection_bytes_per_key=3"},
    {"memtable_protection_bytes_per_key=16",
     "Not implemented&memtable_protection_bytes_per_key=16"},
    {"block_protection_bytes_per_key=8", ""},
    {"block_protection_bytes_per_key=5",
     "Not implemented&block_protection_bytes_per_key=5"},
    {"memtable_prefix_bloom_size_ratio=-0.5", ""},
    {"max_successive_merges=3", ""},
    {"max_successive_merges=3;unordered_write=true",
     "Invalid argument&max_successive_merges=3"},
    {"comparator=leveldb.BytewiseComparator.u64ts", ""},
    {"persist_user_defined_timestamps=false", ""},
    {"persist_user_defined_timestamps=false;"
     "comparator=leveldb.BytewiseComparator.u64ts",
     "Not implemented&allow_concurrent_memtable_write=true"},
    {"persist_user_defined_timestamps=false;"
     "comparator=leveldb.BytewiseComparator.u64ts;"
     "allow_concurrent_memtable_write=false",
     ""},
    {"persist_user_defined_timestamps=false;"
     "comparator=leveldb.BytewiseComparator.u64ts;"
     "allow_concurrent_memtable_write=false;atomic_flush=true",
     "Not implemented&atomic_flush=true"},
    {"num_levels=0", ""},
    {"max_bytes_for_level_multiplier=nan",
     "Invalid argument&max_bytes_for_level_multiplier"},
    {"max_bytes_for_level_base=0", ""},
    {"compaction_options_universal={max_read_amp=3}",
     "Invalid argument&max_read_amp&level0_file_num_compaction_trigger=4"},
    {"compaction_options_universal={max_read_amp=-2}",
     "Invalid argument&max_read_amp=-2"},
    {"compaction_options_universal={max_read_amp=4}", ""},
    {"compression=kXpressCompression", "Invalid argument&Xpress&compression"},
    {"compression=kDisableCompressionOption", "Invalid argument"},
    {"block_based_table_factory={format_version=5}", ""},
    {"block_based_table_factory={format_version=1}", ""},
    {"block_based_table_factory={format_version=8}",
     "Invalid argument&format_version=8"},
    {"block_based_table_factory={index_type=kHashSearch;"
     "index_block_restart_interval=2}",
     "Invalid argument&index_type=kHashSearch&"
     "index_block_restart_interval=2"},
    {"block_based_table_factory={index_type=kTwoLevelIndexSearch}", ""},
    {"block_based_table_factory={read_amp_bytes_per_bit=8}", ""},
    {"block_based_table_factory={partition_filters=true}", ""},
    {"block_based_table_factory={block_size=0}", ""},
    {"block_based_table_factory={block_size=-1}",
     "Invalid argument&block_size=18446744073709551615"},
    {"block_based_table_factory={block_restart_interval=0}", ""},
    {"block_based_table_factory={cache_index_and_filter_blocks=true;"
     "no_block_cache=true}",
     "Invalid argument&no_block_cache=true"},
};

TEST(ConstraintsTest, Cases) {
  for (const Case& c : kCases) ExpectCase(c);
}

// Rules that single values would already refuse are reached by themselves.
TEST(ConstraintsTest, TableRulesWithOtherOptions) {
  ColumnFamilyOptions cf;
  BlockBasedTableOptions table;
  table.block_align = true;
  table.block_size = 5000;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).IsInvalidArgument());
  table = BlockBasedTableOptions();
  table.separate_key_value_in_data_block = true;
  table.format_version = 6;
  const Status s = ValidateBlockBasedTableOptions(table, cf);
  EXPECT_NE(std::string::npos, s.ToString().find("format_version=6"));
}

TEST(ConstraintsTest, RolesThatAreChargedToTheCache) {
  const ColumnFamilyOptions cf;
  BlockBasedTableOptions table;
  auto& roles = table.cache_usage_options.options_overrides;
  roles[CacheEntryRole::kFilterConstruction].charged =
      CacheEntryRoleOptions::Decision::kEnabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).ok());
  table.no_block_cache = true;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).IsInvalidArgument());
  table.no_block_cache = false;
  roles[CacheEntryRole::kFileMetadata].charged =
      CacheEntryRoleOptions::Decision::kDisabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).ok());
  roles[CacheEntryRole::kFileMetadata].charged =
      CacheEntryRoleOptions::Decision::kEnabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).ok());
  roles[CacheEntryRole::kWriteBuffer].charged =
      CacheEntryRoleOptions::Decision::kEnabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).IsNotSupported());
}

TEST(ConstraintsTest, NullPointersAreRefused) {
  DBOptions db;
  db.env = nullptr;
  EXPECT_TRUE(ValidateDBOptions(db).IsInvalidArgument());
  db = DBOptions();
  db.listeners = {std::make_shared<EventListener>(), nullptr};
  const Status s = ValidateDBOptions(db);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(std::string::npos, s.ToString().find("listeners=")) << s.ToString();
  db.listeners.pop_back();
  EXPECT_TRUE(ValidateDBOptions(db).ok());
  ColumnFamilyOptions cf;
  cf.comparator = nullptr;
  EXPECT_TRUE(ValidateColumnFamilyOptions(DBOptions(), cf).IsInvalidArgument());
}

TEST(SanitizeTest, ChoosesWhatIsLeftOpen) {
  const DBOptions db = SanitizeDBOptions("/db", DBOptions());
  EXPECT_EQ(uint64_t{16} << 20, db.delayed_write_rate);
  ASSERT_EQ(1u, db.db_paths.size());
  EXPECT_EQ("/db", db.db_paths[0].path);
  const ColumnFamilyOptions cf = SanitizeColumnFamilyOptions(
      ImmutableDBOptions(db), ColumnFamilyOptions());
  EXPECT_EQ(size_t{1} << 20, cf.arena_block_size);
  EXPECT_EQ(1677721600u, cf.max_compaction_bytes);
  EXPECT_EQ(2592000u, cf.ttl);
  EXPECT_EQ(0u, cf.periodic_compaction_seconds);
  EXPECT_TRUE(cf.level_compaction_dynamic_level_bytes);
  EXPECT_EQ(1u, cf.cf_paths.size());
}

TEST(SanitizeTest, OpensNoMoreFilesThanTheProcessMay) {
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  struct rlimit lower = before;
  lower.rlim_cur = std::min<rlim_t>(before.rlim_cur, 300);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lower), 0);
  DBOptions source;
  source.max_open_files = 1 << 30;
  EXPECT_EQ(SanitizeDBOptions("/db", source).max_open_files,
            static_cast<int>(lower.rlim_cur));
  source.max_open_files = -1;
  EXPECT_EQ(SanitizeDBOptions("/db", source).max_open_files, -1);
  source.max_open_files = 25;
  EXPECT_EQ(SanitizeDBOptions("/db", source).max_open_files, 25);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(SanitizeTest, ClampsMemtables) {
  ColumnFamilyOptions source;
  source.write_buffer_size = 1;
  source.max_write_buffer_number = 0;
  source.min_write_buffer_number_to_merge = 9;
  const auto cf =
      SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), source);
  EXPECT_EQ(size_t{64} << 10, cf.write_buffer_size);
  EXPECT_EQ(8192u, cf.arena_block_size);
  EXPECT_EQ(2, cf.max_write_buffer_number);
  EXPECT_EQ(1, cf.min_write_buffer_number_to_merge);
}

TEST(ConstraintsTest, ThereIsNoSuchCompactionStyle) {
  Options options;
  options.compaction_style = static_cast<CompactionStyle>(9);
  const Status s = ValidateColumnFamilyOptions(options, options);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("compaction_style=9"), std::string::npos)
      << s.ToString();
  // What is looked at before the check does nothing by such a style.
  const auto cf =
      SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), options);
  EXPECT_EQ(0u, cf.periodic_compaction_seconds);
}

TEST(SanitizeTest, OrdersTriggers) {
  ColumnFamilyOptions source;
  source.level0_file_num_compaction_trigger = 10;
  source.level0_slowdown_writes_trigger = 5;
  source.level0_stop_writes_trigger = 1;
  const auto cf =
      SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), source);
  EXPECT_EQ(10, cf.level0_slowdown_writes_trigger);
  EXPECT_EQ(10, cf.level0_stop_writes_trigger);
  source.soft_pending_compaction_bytes_limit = 100;
  source.hard_pending_compaction_bytes_limit = 50;
  EXPECT_EQ(50u,
            SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), source)
                .soft_pending_compaction_bytes_limit);
}

TEST(SanitizeTest, WhatTheDatabaseKeepsFreeEveryFamilyDoes) {
  DBOptions db;
  EXPECT_FALSE(
      SanitizeColumnFamilyOptions(ImmutableDBOptions(db), ColumnFamilyOptions())
          .cf_allow_ingest_behind);
  db.allow_ingest_behind = true;
  EXPECT_TRUE(
      SanitizeColumnFamilyOptions(ImmutableDBOptions(db), ColumnFamilyOptions())
          .cf_allow_ingest_behind);
}

TEST(SanitizeTest, OtherStyles) {
  ColumnFamilyOptions source;
  source.compaction_style = kCompactionStyleUniversal;
  auto cf =
      SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), source);
  EXPECT_FALSE(cf.level_compaction_dynamic_level_bytes);
  EXPECT_EQ(2592000u, cf.periodic_compaction_seconds);
  source.compaction_style = kCompactionStyleFIFO;
  cf = SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), source);
  EXPECT_EQ(INT_MAX, cf.level0_stop_writes_trigger);
  EXPECT_EQ(0u, cf.periodic_compaction_seconds);
}

TEST(SanitizeTest, IsStable) {
  const DBOptions db = SanitizeDBOptions("/db", DBOptions());
  const auto once = SanitizeColumnFamilyOptions(ImmutableDBOptions(db),
                                                ColumnFamilyOptions());
  const auto twice = SanitizeColumnFamilyOptions(ImmutableDBOptions(db), once);
  std::string a;
  std::string b;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(&a, once).ok());
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(&b, twice).ok());
  EXPECT_EQ(a, b);
}

TEST(SanitizeTest, BackgroundLimits) {
  MutableDBOptions options;
  options.max_background_jobs = 8;
  EXPECT_EQ(2, ComputeBackgroundLimits(options).flushes);
  EXPECT_EQ(6, ComputeBackgroundLimits(options).compactions);
  EXPECT_EQ(1, ComputeBackgroundLimits(options, false).compactions);
  options.max_background_compactions = 3;
  EXPECT_EQ(1, ComputeBackgroundLimits(options).flushes);
  EXPECT_EQ(3, ComputeBackgroundLimits(options).compactions);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
