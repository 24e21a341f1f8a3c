// cache_bench, filter_bench and point_lock_bench, inside another program,
// measure what their flags say, check what they find, and refuse wrong flags.

#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cache/key_hash.h"
#include "rocksdb/cache_bench_tool.h"
#include "rocksdb/options.h"
#include "rocksdb/point_lock_bench_tool.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/temp_dir.h"
#include "tools/cache_bench/key_stress.h"
#include "tools/cache_bench/value.h"
#include "tools/filter_bench/filter_bench_tool.h"
#include "tools/filter_bench/filter_set.h"
#include "tools/filter_bench/key.h"
#include "tools/filter_bench/queries.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

Outcome RunTool(int (*tool)(int, char**), std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = tool(static_cast<int>(argv.size()) - 1, argv.data());
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

Outcome RunCacheBench(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"--threads=2", "--ops_per_thread=3000",
                                        "--cache_size=2097152",
                                        "--value_bytes=1024", "--seed=7"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunTool(&cache_bench_tool, arguments);
}

// The number behind the first match of `pattern`; -1: it is not there.
double NumberIn(const std::string& text, const std::string& pattern) {
  std::smatch found;
  const bool is_there =
      std::regex_search(text, found, std::regex(pattern + "([0-9.e+-]+)"));
  return is_there ? std::stod(found[1].str()) : -1.0;
}

TEST(CacheBenchTest, EveryKindOfCacheIsMeasured) {
  const std::pair<std::string, std::string> kinds[] = {
      {"lru_cache", "LRUCache"},
      {"hyper_clock_cache", "HyperClockCache"},
      {"auto_hyper_clock_cache", "HyperClockCache"},
      {"fixed_hyper_clock_cache", "HyperClockCache"},
  };
  for (const auto& [kind, name] : kinds) {
    const Outcome outcome = RunCacheBench({"--cache_type=" + kind});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string& out = outcome.out;
    EXPECT_TRUE(
        std::regex_search(out, std::regex("Cache impl name     : \\S*" + name)))
        << out;
    EXPECT_NE(out.find("Cache size          : 2.00 MB\n"), std::string::npos);
    // 2 MiB of 1 KiB are a quarter of them.
    EXPECT_EQ(NumberIn(out, "Max key             : "), 8192.0);
    EXPECT_GT(NumberIn(out, "Population complete \\("), 1000.0);
    EXPECT_GT(NumberIn(out, "parallel ops/sec = "), 0.0);
    EXPECT_GT(NumberIn(out, "Thread ops/sec = "), 0.0);
    const double ratio = NumberIn(out, "Lookup hit ratio: ");
    EXPECT_GT(ratio, 0.3) << out;
    EXPECT_LT(ratio, 1.0);
    EXPECT_GT(NumberIn(out, "Final pinned count: "), 0.0);
    EXPECT_NE(out.find("Operation latency (ns):\nCount: 6000 "),
              std::string::npos)
        << out;
  }
}

TEST(CacheBenchTest, FlagsDoWhatTheySay) {
  Outcome outcome = RunCacheBench(
      {"--pinned_ratio=0", "--nohistograms", "--populate_cache=F", "--skew=0",
       "--lookup_insert_percent=0", "--insert_percent=0",
       "--blind_insert_percent=0", "--lookup_percent=100", "--erase_percent=0",
       "--", "--behind=the end"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("Population"), std::string::npos);
  EXPECT_EQ(outcome.out.find("latency"), std::string::npos);
  // Nothing was ever inserted.
  EXPECT_EQ(NumberIn(outcome.out, "Lookup hit ratio: "), 0.0);
  EXPECT_EQ(NumberIn(outcome.out, "Final pinned count: "), 0.0);

  outcome = RunCacheBench(
      {"--cache_type=lru_cache", "--gather_stats", "--gather_stats_sleep_ms=1",
       "--vary_capacity_ratio=0.5", "--usleep=2", "--lean",
       "--secondary_cache_uri=compressed_secondary_cache://capacity=1M"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(NumberIn(outcome.out, "stats were gathered "), 0.0);
}

TEST(CacheBenchTest, DegenerateHashesAreSeenAndSlower) {
  constexpr uint32_t kBits = 5;
  const cache_bench::KeySet keys(300, kBits);
  const KeyHash hash(cache_bench::KeySet::kFixedHashSeed);
  std::set<std::string> all;
  for (uint64_t i = 0; i < 300; ++i) {
    const cache_bench::Key key = keys.Of(i);
    EXPECT_EQ(hash(key.slice()) % (1u << kBits), 0u);
    all.insert(key.slice().ToString());
  }
  EXPECT_EQ(all.size(), 300u);
  for (const std::string kind : {"lru_cache", "fixed_hyper_clock_cache"}) {
    const Outcome outcome =
        RunCacheBench({"--cache_type=" + kind, "--degenerate_hash_bits=4"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(NumberIn(outcome.out, "Degenerate hash bits: "), 4.0);
    EXPECT_GT(NumberIn(outcome.out, "Lookup hit ratio: "), 0.0);
  }
}

cache_bench::CacheKeyStress FewKeys() {
  cache_bench::CacheKeyStress keys;
  keys.files_per_day = 20000;
  keys.days_per_run = 2;
  keys.restarts_per_day = 4;
  keys.db_count = 5;
  keys.table_bits = 10;
  keys.keep_bits = 20;
  return keys;
}

TEST(CacheBenchTest, KeysThatAreCutShortCollide) {
  // 10 of a key's 20 bits say the file's place. The other 10 are those of the
  // file there before once in 2^10 times: about 39 times in 40,000 files.
  for (const bool has_footer_ids : {false, true}) {
    for (const bool is_random : {false, true}) {
      cache_bench::CacheKeyStress keys = FewKeys();
      keys.footer_unique_id = has_footer_ids;
      keys.randomize = is_random;
      const uint64_t collisions = cache_bench::KeyStress(keys, 7).RunOnce();
      EXPECT_GT(collisions, 10u);
      EXPECT_LT(collisions, 100u);
      keys.keep_bits = 64;
      EXPECT_EQ(cache_bench::KeyStress(keys, 7).RunOnce(), 0u);
    }
  }
  // A restart before each file empties all places: nothing collides.
  cache_bench::CacheKeyStress keys = FewKeys();
  keys.restarts_per_day = keys.files_per_day;
  EXPECT_EQ(cache_bench::KeyStress(keys, 7).RunOnce(), 0u);
}

TEST(CacheBenchTest, KeysAreStressedUntilEnoughCollide) {
  const std::vector<std::string> flags = {
      "--stress_cache_key",     "--sck_files_per_day=20000",
      "--sck_days_per_run=1",   "--sck_restarts_per_day=4",
      "--sck_db_count=5",       "--sck_table_bits=10",
      "--sck_keep_bits=20",     "--sck_min_collision=30",
      "--sck_reopen_nfiles=10", "--sck_newdb_nreopen=3",
      "--sck_file_size_mb=1",
  };
  const Outcome outcome = RunCacheBench(flags);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("20000 files a day of 5 databases, 1024 at a "
                             "time, 20 bits of their keys\nRun 1: "),
            0u)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\nRun 2: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" EB; with all bits one in "), std::string::npos);
}

TEST(CacheBenchTest, ManyCachesKeepTheirValuesApart) {
  for (const std::string kind : {"lru_cache", "hyper_clock_cache"}) {
    const Outcome outcome =
        RunCacheBench({"--cache_type=" + kind, "--stress_cache_instances=20"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find("20 caches of "), 0u) << outcome.out;
    for (const std::string step : {"Made", "Used", "Let go"}) {
      EXPECT_GT(NumberIn(outcome.out, step + " *: "), 0.0) << outcome.out;
    }
  }
}

TEST(CacheBenchTest, JemallocIsSaidToBeAbsent) {
  const Outcome outcome =
      RunCacheBench({"--use_jemalloc_no_dump_allocator",
                     "--jemalloc_no_dump_allocator_num_arenas=2",
                     "--jemalloc_no_dump_allocator_limit_tcache_size"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "Not implemented: Not compiled with JEMALLOC\n");
}

TEST(CacheBenchTest, NoSeedIsDrawn) {
  const Outcome outcome = RunCacheBench({"--seed=0", "--ops_per_thread=10"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.rfind("Using seed = ", 0), 0u) << outcome.out;
}

TEST(CacheBenchTest, WrongFlagsAreRefused) {
  const std::pair<std::string, std::string> wrong[] = {
      {"--erase_percent=50", "Percentages must add to 100.\n"},
      {"--threads=x",
       "ERROR: illegal value 'x' specified for flag 'threads'\n"},
      {"--threads=-1",
       "ERROR: illegal value '-1' specified for flag 'threads'\n"},
      {"--histograms=maybe",
       "ERROR: illegal value 'maybe' specified for bool flag 'histograms'\n"},
      {"--threads=0", "--threads must be at least 1.\n"},
      {"--nosuch=1", "ERROR: unknown command line flag 'nosuch'\n"},
      {"--value_bytes=7", "--value_bytes must be at least 8.\n"},
      {"--resident_ratio=0", "--resident_ratio must be greater than 0.\n"},
      {"--pinned_ratio=1.5", "Ratios must be from 0 to 1.\n"},
      {"--degenerate_hash_bits=13",
       "--degenerate_hash_bits must be at most 12.\n"},
      {"--sck_keep_bits=65", "--sck_keep_bits must be from 1 to 64.\n"},
      {"--sck_table_bits=31", "--sck_table_bits must be from 1 to 30.\n"},
      {"--sck_db_count=0",
       "--sck_... numbers but of restarts must be at least 1.\n"},
      {"--seed", "ERROR: flag '--seed' is missing its argument\n"},
  };
  for (const auto& [flag, text] : wrong) {
    const Outcome outcome = RunCacheBench({flag});
    EXPECT_EQ(outcome.code, 1) << flag;
    EXPECT_EQ(outcome.err, text);
    EXPECT_EQ(outcome.out, "");
  }
  Outcome outcome = RunCacheBench({"--cache_type=nosuch"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("Cache type not supported."), std::string::npos);
  outcome = RunCacheBench({"--secondary_cache_uri=nosuch://"});
  EXPECT_EQ(outcome.code, 1);
}

TEST(CacheBenchTest, AValueTellsItsKey) {
  bench::Random random(1);
  const cache_bench::ValueForm form = {.size_bytes = 100, .random_bytes = 50};
  const Cache::ObjectPtr value = cache_bench::NewValue(5, form, &random);
  EXPECT_TRUE(cache_bench::IsValueOf(value, 5, form));
  EXPECT_FALSE(cache_bench::IsValueOf(value, 6, form));
  EXPECT_FALSE(
      cache_bench::IsValueOf(value, 5, {.size_bytes = 99, .random_bytes = 50}));
  EXPECT_EQ(cache_bench::ChargeOf(value), 100u);
  (*static_cast<std::string*>(value))[99] = 'x';
  EXPECT_FALSE(cache_bench::IsValueOf(value, 5, form));
  cache_bench::ValueHelper()->del_cb(value, nullptr);
}

Outcome RunFilterBench(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"--average_keys_per_filter=1000",
                                        "--m_keys_total_max=0.02",
                                        "--m_queries=0.05", "--seed=3"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunTool(&filter_bench::RunTool, arguments);
}

TEST(FilterBenchTest, EveryKindOfFilterIsMeasured) {
  const std::pair<std::vector<std::string>, double> kinds[] = {
      {{"--impl=0"}, 10.0},
      {{"--impl=1"}, 10.0},
      {{"--impl=2"}, 7.5},
      {{"--use_plain_table_bloom"}, 10.0},
      {{"--impl=1", "--use_full_block_reader"}, 10.0},
      {{"--impl=2", "--use_full_block_reader"}, 7.5},
      {{"--impl=1", "--optimize_filters_for_memory", "--new_builder",
        "--detect_filter_construct_corruption", "--net_includes_hashing"},
       10.0},
  };
  for (const auto& [flags, bits] : kinds) {
    const Outcome outcome = RunFilterBench(flags);
    EXPECT_EQ(outcome.code, 0) << flags[0] << outcome.err;
    const std::string& out = outcome.out;
    EXPECT_NE(out.find("Building...\nBuild avg ns/key: "), std::string::npos);
    EXPECT_GE(NumberIn(out, "Number of filters: "), 15.0) << out;
    EXPECT_LE(NumberIn(out, "Number of filters: "), 26.0) << out;
    EXPECT_GT(NumberIn(out, "Total size \\(MB\\): "), 0.0);
    EXPECT_GT(NumberIn(out, "allocated memory \\(MB\\): "), 0.0);
    EXPECT_GE(NumberIn(out, "internal fragmentation: "), 0.0) << out;
    EXPECT_NEAR(NumberIn(out, "Bits/key stored: "), bits, 0.15 * bits) << out;
    for (const char* heading :
         {"Mixed inside/outside queries...\n", "Inside queries (mostly)...\n",
          "Outside queries (mostly)...\n",
          "  Single filter net ns/op: ", "  Batches, prefetched net ns/op: ",
          "  Skewed 80% in 20% net ns/op: ", "  Random filter net ns/op: "}) {
      EXPECT_NE(out.find(heading), std::string::npos) << heading << out;
    }
    const double rate = NumberIn(out, "    Average FP rate %: ");
    EXPECT_GT(rate, 0.3) << out;
    EXPECT_LT(rate, 1.7) << out;
    EXPECT_EQ(out.rfind("Done. "), out.rfind('\n', out.size() - 2) + 1);
  }
}

TEST(FilterBenchTest, FlagsDoWhatTheySay) {
  Outcome outcome = RunFilterBench({"--quick", "--impl=1", "--runs=2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("Batches"), std::string::npos);
  EXPECT_EQ(outcome.out.find("(mostly)"), std::string::npos);
  const size_t second = outcome.out.find("Building...", 1);
  EXPECT_NE(outcome.out.find("Building...", outcome.out.find("Random")),
            std::string::npos);
  EXPECT_NE(second, std::string::npos);

  outcome = RunFilterBench({"--best_case", "--impl=1"});
  EXPECT_EQ(outcome.out.find("Random filter"), std::string::npos);
  EXPECT_NE(outcome.out.find("Single filter"), std::string::npos);

  outcome = RunFilterBench({"--legend"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.find("Building"), std::string::npos);
  EXPECT_NE(outcome.out.find("\"Random filter\""), std::string::npos);

  // The memory ends the building, where no number of keys does.
  outcome = RunFilterBench({"--m_keys_total_max=0", "--working_mem_size_mb=1",
                            "--quick", "--vary_key_count_ratio=0"});
  EXPECT_NEAR(NumberIn(outcome.out, "Number of filters: "), 1048576 / 1349, 1);
}

TEST(FilterBenchTest, BuildingIsChargedToACache) {
  const std::vector<std::string> flags = {
      "--quick", "--impl=1", "--average_keys_per_filter=200000",
      "--charge_filter_construction", "--block_cache_capacity_MB=1"};
  Outcome outcome = RunFilterBench(flags);
  EXPECT_EQ(NumberIn(outcome.out, "had no room for: "), 0.0) << outcome.out;
  std::vector<std::string> strict = flags;
  strict.push_back("--strict_capacity_limit");
  outcome = RunFilterBench(strict);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(NumberIn(outcome.out, "had no room for: "),
            NumberIn(outcome.out, "Number of filters: "));
}

TEST(FilterBenchTest, FiltersHaveTheirKeysAndNoOthers) {
  filter_bench::Settings settings;
  settings.impl = 2;
  settings.m_keys_total_max = 0.02;
  settings.average_keys_per_filter = 1000;
  filter_bench::FilterSet filters(settings);
  ASSERT_TRUE(filters.Build().ok());
  filter_bench::Key maker;
  for (size_t filter = 0; filter < filters.size(); ++filter) {
    size_t wrong = 0;
    for (uint64_t i = 0; i < filters.key_count(filter); ++i) {
      EXPECT_TRUE(filters.MayMatch(filter, maker.Make(settings, filter, i)));
      if (filters.MayMatch(filter,
                           maker.Make(settings, filter,
                                      filter_bench::kFirstAbsentKey + i))) {
        ++wrong;
      }
    }
    EXPECT_LT(wrong, filters.key_count(filter) / 20);
  }
}

TEST(FilterBenchTest, TooManyFalsePositivesEndIt) {
  EXPECT_NEAR(filter_bench::MostFalsePositives(10), 1.69, 0.05);
  // With one bit a key half of the answers are wrong, as they have to be.
  Outcome outcome = RunFilterBench({"--impl=1", "--bits_per_key=1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(NumberIn(outcome.out, "    Average FP rate %: "), 30.0);
  // The old kind makes little of many bits.
  const std::vector<std::string> flags = {"--impl=0",
                                          "--bits_per_key=40",
                                          "--quick",
                                          "--m_queries=2",
                                          "--m_keys_total_max=0.5",
                                          "--average_keys_per_filter=500000"};
  outcome = RunFilterBench(flags);
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.err.find("% false positives are more than the "),
            std::string::npos)
      << outcome.err;
  std::vector<std::string> allowed = flags;
  allowed.push_back("--allow_bad_fp_rate");
  EXPECT_EQ(RunFilterBench(allowed).code, 0);
}

TEST(FilterBenchTest, WrongFlagsAreRefused) {
  const std::pair<std::string, std::string> wrong[] = {
      {"--impl=3", "--impl must be 0, 1 or 2.\n"},
      {"--key_size=7", "--key_size must be from 8 to 1024.\n"},
      {"--batch_size=0", "--batch_size must be from 1 to 1024.\n"},
      {"--average_keys_per_filter=0",
       "--average_keys_per_filter must be from 1 to 1073741824.\n"},
      {"--vary_key_count_ratio=2",
       "--vary_key_count_ratio must be from 0 to 1.\n"},
      {"--bits_per_key=0", "--bits_per_key must be at least 1.\n"},
      {"--m_queries=0", "--m_queries must be greater than 0.\n"},
      {"--nosuch", "ERROR: unknown command line flag 'nosuch'\n"},
  };
  for (const auto& [flag, text] : wrong) {
    const Outcome outcome = RunFilterBench({flag});
    EXPECT_EQ(outcome.code, 1) << flag;
    EXPECT_EQ(outcome.err, text);
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(
      RunFilterBench({"--use_plain_table_bloom", "--use_full_block_reader"})
          .code,
      1);
}

TEST(PointLockBenchTest, LocksAreGivenOnceAndCounted) {
  for (const std::string shared : {"0", "50"}) {
    const Outcome outcome =
        RunTool(&point_lock_bench_tool,
                {"--threads=3", "--keys=5", "--keys_per_txn=2",
                 "--hold_micros=1", "--transactions_per_thread=200",
                 "--seconds=60", "--shared_percent=" + shared});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const double locks = NumberIn(outcome.out, "locks/sec = ");
    EXPECT_GT(locks, 0.0) << outcome.out;
    EXPECT_GT(NumberIn(outcome.out, "Transactions/sec = "), 0.0);
    EXPECT_GE(NumberIn(outcome.out, "Count: "), 600.0);
  }
}

TEST(PointLockBenchTest, SortedKeysHaveNoDeadlocks) {
  const Outcome outcome = RunTool(
      &point_lock_bench_tool, {"--threads=3", "--keys=4", "--keys_per_txn=3",
                               "--sorted_keys", "--transactions_per_thread=200",
                               "--seconds=60", "--lock_timeout_ms=60000"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(NumberIn(outcome.out, "Deadlocks: "), 0.0);
  EXPECT_EQ(NumberIn(outcome.out, "Timeouts: "), 0.0);
  // Every transaction had all its locks.
  EXPECT_EQ(NumberIn(outcome.out, "Count: "), 1800.0);
}

TEST(PointLockBenchTest, ItsDatabaseGoesAndAnotherStays) {
  const TempDir directory("point_lock_bench");
  const std::string path = directory.path() + "/db";
  const std::vector<std::string> arguments = {"--db=" + path, "--threads=1",
                                              "--transactions_per_thread=5"};
  EXPECT_EQ(RunTool(&point_lock_bench_tool, arguments).code, 0);
  EXPECT_TRUE(Env::Default()->FileExists(path + "/CURRENT").IsNotFound());
  {
    Options options;
    options.create_if_missing = true;
    std::unique_ptr<DB> db;
    ASSERT_TRUE(DB::Open(options, path, &db).ok());
  }
  EXPECT_EQ(RunTool(&point_lock_bench_tool, arguments).code, 1);
  EXPECT_TRUE(Env::Default()->FileExists(path + "/CURRENT").ok());
}

TEST(PointLockBenchTest, WrongFlagsAreRefused) {
  const std::pair<std::string, std::string> wrong[] = {
      {"--threads=0", "--threads must be at least 1.\n"},
      {"--keys_per_txn=0", "--keys_per_txn must be at least 1.\n"},
      {"--keys=2", "--keys must be at least --keys_per_txn.\n"},
      {"--shared_percent=101", "--shared_percent must be at most 100.\n"},
      {"--seconds=0", "--seconds must be greater than 0.\n"},
      {"--seconds=1s",
       "ERROR: illegal value '1s' specified for flag "
       "'seconds'\n"},
  };
  for (const auto& [flag, text] : wrong) {
    const Outcome outcome = RunTool(&point_lock_bench_tool, {flag});
    EXPECT_EQ(outcome.code, 1) << flag;
    EXPECT_EQ(outcome.err, text);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
