// cache_bench and point_lock_bench inside another program.

#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/cache_bench_tool.h"
#include "rocksdb/options.h"
#include "rocksdb/point_lock_bench_tool.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/temp_dir.h"
#include "tools/cache_bench/value.h"

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
  Outcome outcome =
      RunCacheBench({"--pinned_ratio=0", "--nohistograms", "--nopopulate_cache",
                     "--skew=0", "--lookup_insert_percent=0",
                     "--insert_percent=0", "--blind_insert_percent=0",
                     "--lookup_percent=100", "--erase_percent=0"});
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
      {"--threads=0", "--threads must be at least 1.\n"},
      {"--nosuch=1", "ERROR: unknown command line flag 'nosuch'\n"},
      {"--value_bytes=7", "--value_bytes must be at least 8.\n"},
      {"--resident_ratio=0", "--resident_ratio must be greater than 0.\n"},
      {"--pinned_ratio=1.5", "Ratios must be from 0 to 1.\n"},
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
