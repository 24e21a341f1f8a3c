// The flags of db_bench: that all of RocksDB's are there, with its types and
// defaults, and that each that names an option sets it.

#include <gflags/gflags.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tools/db_bench/caches.h"
#include "tools/db_bench/engine_options.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/operation_options.h"
#include "tools/db_bench/option_flags.h"
#include "tools/db_bench/plan.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> LinesOf(const std::string& file) {
  std::ifstream stream(std::string(BASALT_SOURCE_DIR) +
                       "/tests/testdata/tools/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << file;
  return lines;
}

TEST(DbBenchFlagsTest, AllOfRocksDBsAreThereWithItsDefaults) {
  size_t count = 0;
  for (const std::string& line : LinesOf("db_bench_flags.txt")) {
    std::istringstream words(line);
    std::string name;
    std::string type;
    std::string value;
    words >> name >> type >> value;
    ++count;
    gflags::CommandLineFlagInfo flag;
    const bool is_there = gflags::GetCommandLineFlagInfo(name.c_str(), &flag);
    EXPECT_TRUE(is_there) << name;
    if (!is_there) continue;
    EXPECT_EQ(type, flag.type) << name;
    if (value == "*") continue;  // a list, which another test has
    if (value == "-") value.clear();
    if (type == "double") {
      EXPECT_EQ(std::stod(value), std::stod(flag.default_value)) << name;
    } else {
      EXPECT_EQ(value, flag.default_value) << name;
    }
    EXPECT_GT(flag.description.size(), 4u) << name;
  }
  EXPECT_EQ(418u, count);
}

TEST(DbBenchFlagsTest, AllOfRocksDBsBenchmarksAreThere) {
  const gflags::FlagSaver saver;
  size_t count = 0;
  for (const std::string& name : LinesOf("db_bench_benchmarks.txt")) {
    ++count;
    gflags::SetCommandLineOption("benchmarks", name.c_str());
    std::vector<Step> plan;
    const Status s = MakePlan(&plan);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(1u, plan.size());
  }
  EXPECT_EQ(84u, count);
}

// The options that the flags give, as one text for each struct.
struct Printed {
  std::string db;
  std::string cf;
};

Status Print(Printed* printed) {
  Options options;
  if (Status s = MakeEngineOptions(&options); !s.ok()) return s;
  ConfigOptions config;
  config.delimiter = ";";
  Status s = GetStringFromDBOptions(config, DBOptions(options), &printed->db);
  if (!s.ok()) return s;
  // That of the tables is part of it.
  return GetStringFromColumnFamilyOptions(config, ColumnFamilyOptions(options),
                                          &printed->cf);
}

// Values of which at least one is another one than the default, and allowed.
std::vector<std::string> OtherValues(const gflags::CommandLineFlagInfo& flag) {
  if (flag.type == "bool") {
    return {flag.default_value == "true" ? "false" : "true"};
  }
  if (flag.type == "double") return {"0.5", "2", "0.25"};
  if (flag.type == "string") {
    return {"zstd", "none", "buffered", "vector", "auto", "1:2:3", "/tmp/logs"};
  }
  std::vector<std::string> values;
  const long long value = std::stoll(flag.default_value.substr(0, 18));
  for (const long long other :
       {value + 1, value * 2, 0LL, 1LL, 2LL, 8LL, 4096LL}) {
    values.push_back(std::to_string(other));
  }
  return values;
}

class OptionFlagTest : public ::testing::TestWithParam<OptionFlag> {};

TEST_P(OptionFlagTest, SetsItsOption) {
  const OptionFlag& row = GetParam();
  const gflags::FlagSaver saver;
  // Some options are worth something beside others alone.
  gflags::SetCommandLineOption("level_compaction_dynamic_level_bytes", "false");
  Printed before;
  ASSERT_TRUE(Print(&before).ok());
  const std::string name(row.flag);
  const auto flag = gflags::GetCommandLineFlagInfoOrDie(row.flag);
  std::string why;
  bool is_changed = false;
  for (const std::string& value : OtherValues(flag)) {
    if (value == flag.current_value) continue;
    const gflags::FlagSaver inner;
    if (gflags::SetCommandLineOption(row.flag, value.c_str()).empty()) continue;
    Printed after;
    const Status s = Print(&after);
    why += value + ": " + s.ToString() + "\n";
    if (!s.ok()) continue;
    is_changed =
        is_changed || (row.where == OptionStruct::kDb ? before.db != after.db
                                                      : before.cf != after.cf);
  }
  if (name == "universal_reduce_file_locking") return;  // not printed
  EXPECT_TRUE(is_changed) << name << "\n" << why;
}

INSTANTIATE_TEST_SUITE_P(All, OptionFlagTest,
                         ::testing::ValuesIn(OptionFlags()),
                         [](const auto& row) {
                           return std::string(row.param.flag);
                         });

// Flags that set what has no name to be printed.
struct ObjectFlag {
  const char* flag;  // "name=value name=value"
  std::function<bool(const Options&)> is_set;
};

const BlockBasedTableOptions& TableOf(const Options& options) {
  return *options.table_factory->GetOptions<BlockBasedTableOptions>();
}

bool IsCharged(const Options& options, CacheEntryRole role) {
  const auto& overrides =
      TableOf(options).cache_usage_options.options_overrides;
  const auto found = overrides.find(role);
  return found != overrides.end() &&
         found->second.charged == CacheEntryRoleOptions::Decision::kEnabled;
}

using O = const Options&;

std::vector<ObjectFlag> TableFlags() {
  return {
      {"bloom_bits=10",
       [](O o) { return TableOf(o).filter_policy != nullptr; }},
      {"bloom_bits=10 use_ribbon_filter=true",
       [](O o) {
         return std::string(TableOf(o).filter_policy->Name()).find("ibbon") !=
                std::string::npos;
       }},
      {"use_hash_search=true prefix_size=8",
       [](O o) {
         return TableOf(o).index_type == BlockBasedTableOptions::kHashSearch;
       }},
      {"index_with_first_key=true",
       [](O o) {
         return TableOf(o).index_type ==
                BlockBasedTableOptions::kBinarySearchWithFirstKey;
       }},
      {"partition_index=true",
       [](O o) {
         return TableOf(o).index_type ==
                    BlockBasedTableOptions::kTwoLevelIndexSearch &&
                !TableOf(o).partition_filters;
       }},
      {"partition_index_and_filters=true",
       [](O o) { return TableOf(o).partition_filters; }},
      {"use_plain_table=true mmap_read=true prefix_size=8",
       [](O o) {
         return std::string(o.table_factory->Name()) == "PlainTable";
       }},
      {"use_cuckoo_table=true mmap_read=true cuckoo_hash_ratio=0.5 key_size=8 "
       "identity_as_first_hash=true",
       [](O o) {
         return std::string(o.table_factory->Name()) == "CuckooTable";
       }},
      {"use_keep_filter=true",
       [](O o) { return o.compaction_filter != nullptr; }},
      {"expire_style=compaction_filter",
       [](O o) { return o.compaction_filter != nullptr; }},
      {"min_level_to_compress=2",
       [](O o) {
         return o.compression_per_level.size() == 7 &&
                o.compression_per_level[1] == kNoCompression &&
                o.compression_per_level[2] == o.compression;
       }},
      {"compression_manager=mixed",
       [](O o) { return o.compression_manager != nullptr; }},
      {"compression_manager=autoskip",
       [](O o) { return o.compression_manager != nullptr; }},
      {"compression_manager=costpredictor",
       [](O o) { return o.compression_manager != nullptr; }},
  };
}

std::vector<ObjectFlag> FamilyFlags() {
  return {
      {"use_uint64_comparator=true key_size=8",
       [](O o) { return o.comparator != BytewiseComparator(); }},
      {"user_timestamp_size=8",
       [](O o) { return o.comparator->timestamp_size() == 8; }},
      {"prefix_size=4", [](O o) { return o.prefix_extractor != nullptr; }},
      {"merge_operator=put", [](O o) { return o.merge_operator != nullptr; }},
      {"statistics=true", [](O o) { return o.statistics != nullptr; }},
      {"statistics_string=BasicStatistics",
       [](O o) { return o.statistics != nullptr; }},
      {"rate_limiter_bytes_per_sec=1000000 rate_limit_bg_reads=true",
       [](O o) {
         return o.rate_limiter->IsRateLimited(RateLimiter::OpType::kRead) &&
                !o.rate_limiter->IsRateLimited(RateLimiter::OpType::kWrite);
       }},
      {"rate_limiter_bytes_per_sec=1000000 rate_limit_user_ops=true",
       [](O o) {
         return o.rate_limiter->IsRateLimited(RateLimiter::OpType::kRead) &&
                o.rate_limiter->IsRateLimited(RateLimiter::OpType::kWrite);
       }},
      {"rate_limiter_bytes_per_sec=1000000 "
       "rate_limiter_single_burst_bytes=4321",
       [](O o) { return o.rate_limiter->GetSingleBurstBytes() == 4321; }},
  };
}

std::vector<ObjectFlag> CacheFlags() {
  return {
      {"cache_uri=1234567",
       [](O o) { return TableOf(o).block_cache->GetCapacity() == 1234567; }},
      {"cache_size=0", [](O o) { return TableOf(o).no_block_cache; }},
      {"cache_type=lru_cache",
       [](O o) {
         return std::string(TableOf(o).block_cache->Name()) == "LRUCache";
       }},
      {"simcache_size=100000",
       [](O) { return !SimulatedCacheReport().empty(); }},
      {"row_cache_size=100000", [](O o) { return o.row_cache != nullptr; }},
      {"use_blob_cache=true",
       [](O o) { return o.blob_cache == TableOf(o).block_cache; }},
      {"use_blob_cache=true use_shared_block_and_blob_cache=false "
       "blob_cache_size=54321",
       [](O o) { return o.blob_cache->GetCapacity() == 54321; }},
      {"cost_write_buffer_to_cache=true",
       [](O o) { return o.write_buffer_manager->cost_to_cache(); }},
      {"charge_filter_construction=true",
       [](O o) { return IsCharged(o, CacheEntryRole::kFilterConstruction); }},
      {"charge_table_reader=true",
       [](O o) {
         return IsCharged(o, CacheEntryRole::kBlockBasedTableReader);
       }},
      {"charge_file_metadata=true",
       [](O o) { return IsCharged(o, CacheEntryRole::kFileMetadata); }},
      {"charge_blob_cache=true use_blob_cache=true "
       "use_shared_block_and_blob_cache=false",
       [](O o) { return IsCharged(o, CacheEntryRole::kBlobCache); }},
      {"charge_compression_dictionary_building_buffer=true",
       [](O o) {
         return IsCharged(o,
                          CacheEntryRole::kCompressionDictionaryBuildingBuffer);
       }},
  };
}

std::vector<ObjectFlag> DatabaseFlags() {
  return {
      {"file_checksum=true",
       [](O o) { return o.file_checksum_gen_factory != nullptr; }},
      {"fs_uri=CountedFileSystem",
       [](O o) {
         return std::string(o.env->GetFileSystem()->Name()) ==
                "CountedFileSystem";
       }},
      {"report_file_operations=true",
       [](O o) {
         return std::string(o.env->GetFileSystem()->Name()) ==
                "WatchedFileSystem";
       }},
      {"use_stderr_info_logger=true",
       [](O o) { return o.info_log != nullptr; }},
      {"simulate_hybrid_fs_file=/tmp/no_such_directory/list",
       [](O o) { return o.last_level_temperature == Temperature::kWarm; }},
      {"skip_list_lookahead=5",
       [](O o) {
         return o.memtable_factory->GetId() == "SkipListFactory:5" ||
                o.memtable_factory->GetId() == "skip_list:5";
       }},
      {"memtablerep=prefix_hash hash_bucket_count=4321 prefix_size=8",
       [](O o) {
         return o.memtable_factory->GetId().find(":4321") != std::string::npos;
       }},
      {"benchmarks=openandcompact",
       [](O o) { return o.compaction_service != nullptr; }},
      {"thread_status_per_interval=1",
       [](O o) { return o.enable_thread_tracking; }},
  };
}

std::vector<ObjectFlag> ObjectFlags() {
  std::vector<ObjectFlag> all;
  for (const auto& group :
       {TableFlags(), FamilyFlags(), CacheFlags(), DatabaseFlags()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

class ObjectFlagTest : public ::testing::TestWithParam<ObjectFlag> {};

void SetAll(const std::string& flags) {
  std::istringstream words(flags);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    EXPECT_FALSE(gflags::SetCommandLineOption(word.substr(0, equals).c_str(),
                                              word.substr(equals + 1).c_str())
                     .empty())
        << word;
  }
}

TEST_P(ObjectFlagTest, MakesWhatItSays) {
  const gflags::FlagSaver saver;
  SetAll(GetParam().flag);
  EXPECT_THAT(CheckFlags(), IsEmpty());
  Options options;
  const Status s = MakeEngineOptions(&options);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_TRUE(GetParam().is_set(options)) << GetParam().flag;
}

INSTANTIATE_TEST_SUITE_P(All, ObjectFlagTest,
                         ::testing::ValuesIn(ObjectFlags()));

// Flags of single reads and writes: what is false or 0 without them.
TEST(DbBenchFlagsTest, OperationsHaveTheirOptions) {
  const gflags::FlagSaver saver;
  ReadOptions plain;
  ASSERT_TRUE(MakeReadOptions(&plain).ok());
  EXPECT_FALSE(plain.adaptive_readahead);
  EXPECT_FALSE(plain.auto_readahead_size);
  EXPECT_FALSE(plain.auto_refresh_iterator_with_snapshot);
  EXPECT_TRUE(plain.optimize_multiget_for_io);
  EXPECT_EQ(Env::IO_TOTAL, plain.rate_limiter_priority);
  SetAll(
      "adaptive_readahead=true auto_readahead_size=true "
      "auto_refresh_iterator_with_snapshot=true optimize_multiget_for_io=false "
      "rate_limit_user_ops=true async_io=true total_order_seek=true "
      "verify_checksum=false readahead_size=4096");
  ReadOptions reads;
  ASSERT_TRUE(MakeReadOptions(&reads).ok());
  EXPECT_TRUE(reads.adaptive_readahead);
  EXPECT_TRUE(reads.auto_readahead_size);
  EXPECT_TRUE(reads.auto_refresh_iterator_with_snapshot);
  EXPECT_FALSE(reads.optimize_multiget_for_io);
  EXPECT_EQ(Env::IO_USER, reads.rate_limiter_priority);
  EXPECT_TRUE(reads.async_io);
  EXPECT_TRUE(reads.total_order_seek);
  EXPECT_FALSE(reads.verify_checksums);
  EXPECT_EQ(4096u, reads.readahead_size);
  SetAll(
      "sync=true write_batch_protection_bytes_per_key=8 "
      "rate_limit_auto_wal_flush=true");
  WriteOptions writes;
  ASSERT_TRUE(MakeWriteOptions(&writes).ok());
  EXPECT_TRUE(writes.sync);
  EXPECT_EQ(8u, writes.protection_bytes_per_key);
  EXPECT_EQ(Env::IO_USER, writes.rate_limiter_priority);
}

struct RefusedFlag {
  std::vector<std::string> arguments;
  const char* message;
};

class RefusedFlagTest : public ::testing::TestWithParam<RefusedFlag> {};

// A value that this program cannot serve ends it, by name, before anything is
// done.
TEST_P(RefusedFlagTest, IsNamed) {
  const TempDir dir("db_bench_flags");
  std::vector<std::string> arguments = {"--db=" + dir.File("db"), "--num=10",
                                        "--benchmarks=fillseq"};
  for (const std::string& argument : GetParam().arguments) {
    arguments.push_back(argument);
  }
  const ProgramResult run = RunProgram("db_bench", arguments);
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr(GetParam().message));
  EXPECT_THAT(LinesWith(run.output, " micros/op "), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedFlagTest,
    ::testing::Values(
        RefusedFlag{{"--use_blob_db"}, "--use_blob_db"},
        RefusedFlag{{"--blob_db_file_size=7"}, "--blob_db_file_size=7"},
        RefusedFlag{{"--compressed_cache_size=7"}, "--compressed_cache_size=7"},
        RefusedFlag{{"--coro_jobs_per_thread=2"}, "--coro_jobs_per_thread=2"},
        RefusedFlag{{"--disable_seek_compaction=2"},
                    "--disable_seek_compaction"},
        RefusedFlag{{"--use_hash_search"}, "--prefix_size"},
        RefusedFlag{{"--use_cuckoo_table"}, "--mmap_read"},
        RefusedFlag{{"--use_plain_table", "--use_cuckoo_table"},
                    "excludes --use_cuckoo_table"},
        RefusedFlag{{"--use_uint64_comparator"}, "key size is not 8"},
        RefusedFlag{{"--user_timestamp_size=4"}, "--user_timestamp_size"},
        RefusedFlag{{"--cache_uri=nosuch"}, "nosuch"},
        RefusedFlag{{"--read_cache_path=/tmp/none", "--read_cache_size=7"},
                    "NewPersistentCache"},
        RefusedFlag{{"--read_cache_size=7"}, "--read_cache_path"},
        RefusedFlag{{"--env_uri=a", "--fs_uri=b"}, "--env_uri=a"},
        RefusedFlag{{"--fs_uri=nosuch"}, "nosuch"},
        RefusedFlag{{"--rate_limit_bg_reads"}, "--rate_limiter_bytes_per_sec"},
        RefusedFlag{{"--use_tiered_cache"}, "--use_compressed_secondary_cache"},
        RefusedFlag{{"--use_tiered_cache", "--use_compressed_secondary_cache",
                     "--tiered_adm_policy=any"},
                    "--tiered_adm_policy=any"},
        RefusedFlag{{"--compression_manager=nosuch"},
                    "--compression_manager=nosuch"},
        RefusedFlag{{"--num_column_families=0"}, "--num_column_families"},
        RefusedFlag{{"--num_column_families=2", "--num_hot_column_families=3"},
                    "--num_hot_column_families"},
        RefusedFlag{
            {"--num_column_families=2", "--column_family_distribution=50,40"},
            "--column_family_distribution=50,40"},
        RefusedFlag{{"--expire_style=any"}, "--expire_style=any"},
        RefusedFlag{{"--use_secondary_db"}, "--use_existing_db"},
        RefusedFlag{{"--open_as_follower"}, "--leader_path"},
        RefusedFlag{{"--benchmarks=readrandomcoroutine"}, "coroutines"},
        RefusedFlag{{"--benchmarks=fillseqdeterministic"},
                    "--disable_auto_compactions"},
        RefusedFlag{{"--benchmarks=backup"}, "--backup_dir"},
        RefusedFlag{{"--benchmarks=restore", "--backup_dir=/tmp/x"},
                    "--restore_dir"}));

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::bench
