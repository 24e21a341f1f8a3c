// c_bench: what it measures, how it counts, and what it refuses.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tools/c_bench/histogram.h"
#include "tools/c_bench/worker.h"

namespace ROCKSDB_NAMESPACE {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

#if defined(__SANITIZE_THREAD__)
constexpr bool kHasOtherThreads = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kHasOtherThreads = true;
#else
constexpr bool kHasOtherThreads = false;
#endif
#else
constexpr bool kHasOtherThreads = false;
#endif

// The numbers that `pattern`, which has a group, matches in a text.
std::vector<double> NumbersIn(const std::string& text,
                              const std::string& pattern) {
  std::vector<double> numbers;
  const std::regex regex(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
       ++i) {
    numbers.push_back(std::stod((*i)[1].str()));
  }
  return numbers;
}

class CBenchTest : public testing::Test {
 protected:
  ProgramResult Run(std::vector<std::string> arguments) const {
    arguments.push_back("--db=" + dir_.File("db"));
    return RunProgram("c_bench", arguments);
  }
  // One that must succeed; what it printed.
  std::string Print(const std::vector<std::string>& arguments) const {
    const ProgramResult run = Run(arguments);
    EXPECT_EQ(run.status, 0) << run.errors;
    return run.output;
  }

  const TempDir dir_{"c_bench"};
};

TEST(CBenchHistogramTest, PercentilesAreRightToASixtieth) {
  c_bench::Histogram histogram;
  for (uint64_t nanos = 1; nanos <= 1'000'000; ++nanos) histogram.Add(nanos);
  for (const double percent : {1.0, 50.0, 99.0, 99.9, 99.99}) {
    EXPECT_NEAR(histogram.Percentile(percent), percent * 10, percent * 10 / 60)
        << percent;
  }
  EXPECT_EQ(histogram.Percentile(100), 1000.0);
}

TEST(CBenchHistogramTest, HoldsWhatIsLongAndWhatIsShort) {
  c_bench::Histogram histogram, other;
  histogram.Add(0);
  other.Add(~uint64_t{0} >> 1);
  histogram.Merge(other);
  EXPECT_EQ(histogram.count(), 2u);
  EXPECT_EQ(histogram.Percentile(50), 0.0);
  EXPECT_GT(histogram.Percentile(100), 1e9);
}

TEST(CBenchHistogramTest, PrintsEachCountOnce) {
  c_bench::Histogram histogram;
  for (uint64_t nanos = 1; nanos < 40'000'000; nanos *= 3) histogram.Add(nanos);
  const std::string text = histogram.ToString();
  double counted = 0;
  for (const double n : NumbersIn(text, "\n[\\[(][^\\]]*\\] +(\\d+) ")) {
    counted += n;
  }
  EXPECT_EQ(counted, static_cast<double>(histogram.count())) << text;
}

// A read that begins late because the ones before it took long has waited.
TEST(CBenchWorkerTest, PacedLatencyCountsFromWhenAnOperationWasDue) {
  c_bench::Pace pace;
  pace.operations = 3;
  pace.per_second = 1000;
  c_bench::Worker worker(0, 1, pace, 1, nullptr);
  constexpr uint64_t kSecond = 1'000'000'000;
  worker.Start(c_bench::NowNanos() - kSecond);
  int turns = 0;
  for (; worker.Next(); ++turns) worker.Done(1, 1, 1);
  EXPECT_EQ(turns, 3);
  // The last one was due 0.998 s ago.
  EXPECT_GE(worker.latency.Percentile(1), 0.998e6 * 0.98);
  EXPECT_LT(worker.service.Percentile(50), worker.latency.Percentile(50));
}

TEST(CBenchWorkerTest, NothingBeginsBeforeItIsDue) {
  c_bench::Pace pace;
  pace.operations = 4;
  pace.per_second = 100;
  c_bench::Worker worker(0, 2, pace, 1, nullptr);
  const uint64_t start = c_bench::NowNanos();
  worker.Start(start);
  for (uint64_t turn = 0; worker.Next(); ++turn) {
    // Each of two threads has every second turn.
    EXPECT_GE(c_bench::NowNanos(), start + turn * 20'000'000);
    worker.Done(1, 1, 1);
  }
}

TEST(CBenchWorkerTest, EndsWithItsTimeOrWhatIsBesideIt) {
  c_bench::Pace pace;
  pace.seconds = 5;
  std::atomic<bool> is_over = false;
  c_bench::Worker late(0, 1, pace, 1, &is_over);
  late.Start(c_bench::NowNanos() - 5'000'000'000);
  EXPECT_FALSE(late.Next());
  pace.seconds = 3600;
  c_bench::Worker stopped(0, 1, pace, 1, &is_over);
  stopped.Start(c_bench::NowNanos());
  EXPECT_TRUE(stopped.Next());
  stopped.Done(1, 1, 1);
  is_over = true;
  // Without a histogram the clock is looked at now and then.
  int turns = 0;
  while (turns < 1000 && stopped.Next()) ++turns;
  EXPECT_LT(turns, 1000);
}

TEST_F(CBenchTest, WritesAndReadsAreCounted) {
  const std::string text = Print(
      {"--benchmarks=filluniquerandom,flush,readrandom,multireadrandom,readseq,"
       "readreverse,seekrandom,overwrite,waitforcompaction,compact,readseq",
       "--num=3000", "--batch_size=10", "--seek_nexts=5", "--histogram",
       "--seed=3", "--threads=2"});
  EXPECT_EQ(NumbersIn(text, "filluniquerandom : .* (\\d+) operations;"),
            std::vector<double>{3000});
  // Each of two threads reads so many; a batch counts its keys.
  for (const char* name : {"readrandom", "multireadrandom", "seekrandom"}) {
    EXPECT_EQ(NumbersIn(text, "\n" + std::string(name) +
                                  " +: .* \\((\\d+) of 6000 found\\)"),
              std::vector<double>{6000})
        << name << "\n"
        << text;
  }
  EXPECT_EQ(NumbersIn(text, "readseq +: .* (\\d+) operations;"),
            (std::vector<double>{6000, 6000}));
  EXPECT_EQ(NumbersIn(text, "readreverse +: .* (\\d+) operations;"),
            std::vector<double>{6000});
  EXPECT_EQ(NumbersIn(text, "\nPercentiles: P50: ([\\d.]+)").size(), 8u);
  EXPECT_NE(text.find("waitforcompaction(" + dir_.File("db") + "): finished"),
            std::string::npos);
}

TEST_F(CBenchTest, KeysThatAreNotThereAreNotFound) {
  const std::string text =
      Print({"--benchmarks=fillseq,readrandom,multireadrandom", "--num=1000",
             "--writes=500", "--reads=2000", "--seed=5", "--batch_size=8",
             "--multiread_batched"});
  const auto found = NumbersIn(text, "\\((\\d+) of 2000 found\\)");
  ASSERT_EQ(found.size(), 2u) << text;
  for (const double count : found) {
    EXPECT_GT(count, 800);
    EXPECT_LT(count, 1200);
  }
}

TEST_F(CBenchTest, FamiliesShareTheKeys) {
  const std::vector<std::string> shape = {"--num=1000",
                                          "--num_column_families=7"};
  Print({"--benchmarks=fillseq", shape[0], shape[1]});
  const std::string text =
      Print({"--benchmarks=readrandom,readseq,seekrandom", "--readonly",
             "--use_existing_db", shape[0], shape[1]});
  EXPECT_EQ(NumbersIn(text, "\\((\\d+) of 1000 found\\)"),
            (std::vector<double>{1000, 1000}));
  EXPECT_EQ(NumbersIn(text, "readseq +: .* (\\d+) operations;"),
            std::vector<double>{1000});
  // Without the families it does not open.
  const ProgramResult run =
      Run({"--benchmarks=overwrite", "--use_existing_db", "--num=10"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("olumn famil"), std::string::npos) << run.errors;
}

TEST_F(CBenchTest, ReadsGoOnBesideEveryJob) {
  const std::string ingest = "--ingest_dir=" + dir_.File("ingest");
  Print({"--benchmarks=prepareingestion,filluniquerandom,flush", "--num=20000",
         ingest, "--ingest_bytes=500000"});
  // Some jobs end, and the reads with them.
  const std::string count = "--reads=500", end = "--duration=600";
  const std::pair<std::string, std::string> cases[] = {
      {"none", count}, {"writer", count},  {"checkpoint", count},
      {"backup", end}, {"ingestion", end}, {"compaction", end}};
  for (const auto& [job, until] : cases) {
    const std::string text =
        Print({"--benchmarks=readbeside", "--beside=" + job,
               "--use_existing_db", "--num=20000", until, "--threads=3",
               "--benchmark_read_rate_limit=2000", ingest,
               "--benchmark_write_rate_limit=1000000"});
    const auto reads = NumbersIn(text, "readbeside +: .* (\\d+) operations;");
    const auto seconds =
        NumbersIn(text, "readbeside +: .* ([\\d.]+) seconds \\d+ operations;");
    ASSERT_EQ(reads.size(), 1u) << job << text;
    ASSERT_EQ(seconds.size(), 1u) << job << text;
    // The rate is all threads' together; the time is rounded.
    EXPECT_LE(reads[0], 2000 * (seconds[0] + 0.001) + 3) << job << text;
    EXPECT_GT(reads[0], 0) << job;
    const auto done =
        NumbersIn(text, std::string("Beside: ") + job + ", (\\d+)");
    ASSERT_EQ(done.size(), 1u) << text;
    EXPECT_EQ(done[0] > 0, job != "none") << text;
    EXPECT_NE(text.find("From the begin of each: P50: "), std::string::npos);
  }
  // What jobs made is gone again.
  EXPECT_FALSE(std::filesystem::exists(dir_.File("db.backup")));
  EXPECT_FALSE(std::filesystem::exists(dir_.File("db.checkpoint")));
}

TEST_F(CBenchTest, ScansAndBatchesGoOnBesideAWriter) {
  Print({"--benchmarks=fillseq", "--num=2000"});
  const std::string text =
      Print({"--benchmarks=multireadbeside,seekbeside,readwhilewriting",
             "--use_existing_db", "--num=2000", "--reads=200", "--batch_size=4",
             "--seek_nexts=3", "--statistics"});
  EXPECT_EQ(NumbersIn(text, "multireadbeside : .* \\((\\d+) of 800 found"),
            std::vector<double>{800})
      << text;
  EXPECT_EQ(NumbersIn(text,
                      "(?:seekbeside|readwhilewriting) +: .* "
                      "\\((\\d+) of 200 found"),
            (std::vector<double>{200, 200}));
  EXPECT_GT(NumbersIn(text, "rocksdb.number.keys.written COUNT : (\\d+)")[0],
            0);
}

TEST_F(CBenchTest, FilesAndTombstonesAreMade) {
  std::string text =
      Print({"--benchmarks=fillfiles,readseq", "--num=1000", "--files=50"});
  EXPECT_EQ(NumbersIn(text, "readseq +: .* (\\d+) operations;"),
            std::vector<double>{1000});
  size_t tables = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(dir_.File("db"))) {
    tables += entry.path().extension() == ".sst";
  }
  EXPECT_EQ(tables, 50u);
  text = Print({"--benchmarks=deleteseq,readseq,seekfirst", "--num=1000",
                "--deletes=300", "--use_existing_db", "--reads=1000"});
  EXPECT_EQ(NumbersIn(text, "readseq +: .* (\\d+) operations;"),
            std::vector<double>{700});
  // The first key is one of those that were deleted.
  EXPECT_EQ(NumbersIn(text, "seekfirst .* \\((\\d+) of 1000 found"),
            std::vector<double>{0});
}

TEST_F(CBenchTest, WhatCannotBeIsRefused) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"--nosuch=1", "there is no flag --nosuch"},
      {"--num=ten", "--num: ten is no value for it"},
      {"--num=0", "--num must be at least 1"},
      {"--sync=1", "--sync: 1 is no value for it"},
      {"--key_size=7", "--key_size must be at least 8"},
      {"--cache_type=hyper", "lru_cache is the only one"},
      {"--benchmarks=fillseq,nosuch", "there is no benchmark nosuch"},
      {"--options=nosuch=1", "nosuch"},
      {"--compression_type=rar", "no codec rar"},
      {"num", "num is no flag"},
  };
  for (const auto& [flag, text] : wrong) {
    const ProgramResult run = Run({flag});
    EXPECT_EQ(run.status, 1) << flag;
    EXPECT_NE(run.errors.find(text), std::string::npos) << run.errors;
    EXPECT_FALSE(std::filesystem::exists(dir_.File("db"))) << flag;
  }
  EXPECT_EQ(RunProgram("c_bench", {"--benchmarks=stats"}).status, 1);
  const ProgramResult run =
      Run({"--benchmarks=fillseq,readbeside", "--num=10", "--beside=nosuch"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("--beside: there is no nosuch"), std::string::npos);
}

TEST_F(CBenchTest, OptionsReachTheEngine) {
  Print({"--benchmarks=fillseq", "--num=10", "--write_buffer_size=1234567",
         "--options=max_open_files=77;ttl=99", "--bloom_bits=11",
         "--subcompactions=3"});
  std::string options;
  for (const auto& entry :
       std::filesystem::directory_iterator(dir_.File("db"))) {
    if (!entry.path().filename().string().starts_with("OPTIONS-")) continue;
    std::ifstream file(entry.path());
    options.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (const char* line :
       {"write_buffer_size=1234567", "max_open_files=77", "ttl=99",
        "max_subcompactions=3", "filter_policy=bloomfilter:11",
        "format_version=5"}) {
    EXPECT_NE(options.find(line), std::string::npos) << line << "\n" << options;
  }
}

// An open database without work is no load: no thread wakes more than once a
// second, and nothing is read. By counts of the kernel, which a loaded machine
// only makes smaller. A slow one may have some work left at first: of two
// spans, one is quiet.
TEST_F(CBenchTest, AnIdleDatabaseSleeps) {
  if (kHasOtherThreads) GTEST_SKIP() << "ThreadSanitizer's own thread wakes";
  const std::string rate = "--rate_limiter_bytes_per_sec=100000000";
  for (const std::string& more :
       {std::string("--sync=false"), rate,
        std::string("--use_direct_io_for_compaction_reads"),
        std::string("--use_direct_reads"), std::string("--statistics")}) {
    const std::string text =
        Print({"--benchmarks=fillrandom,flush,overwrite,waitforcompaction,"
               "readrandom,idle,idle",
               "--num=20000", "--write_buffer_size=300000", "--idle_seconds=2",
               "--options=stats_dump_period_sec=600", more});
    const std::regex line(
        "idle +: ([\\d.]+) seconds, (\\d+) threads, one woke at most (\\d+) "
        "times, (-?\\d+) reads");
    int spans = 0;
    int quiet = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), line), no_more;
         found != no_more; ++found, ++spans) {
      const std::smatch& span = *found;
      const bool sleeps =
          std::stod(span[3].str()) <= std::stod(span[1].str()) + 1;
      if (sleeps && span[4].str() == "0") ++quiet;
      EXPECT_GT(std::stoi(span[2].str()), 1) << "no background threads?";
    }
    EXPECT_EQ(spans, 2) << text;
    EXPECT_GE(quiet, 1) << more << "\n" << text;
  }
}

// What is resident stays within what the settings allow, and a tenth more: the
// block cache, memtables, readers of tables, and the 64 MiB of the pool of
// background I/O; under compaction, with many readers, and iterators that pin
// blocks. What malloc keeps of freed memory is its own: a fixed threshold has
// it give back what is large (docs/observing.md).
TEST_F(CBenchTest, ResidentMemoryStaysWithinItsBudget) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer's memory comes on top";
  constexpr double kMiB = 1 << 20;
  const std::vector<std::string> shape = {"--num=120000",
                                          "--value_size=1000",
                                          "--write_buffer_size=4194304",
                                          "--cache_size=33554432",
                                          "--target_file_size_base=4194304",
                                          "--max_bytes_for_level_base=16777216",
                                          "--max_background_jobs=4",
                                          "--disable_wal",
                                          "--seed=9"};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), shape.begin(), shape.end());
    return Print(arguments);
  };
  setenv("MALLOC_MMAP_THRESHOLD_", "131072", /*overwrite=*/1);
  run({"--benchmarks=filluniquerandom,flush,waitforcompaction"});
  const std::string resident = "Memory at most: resident (\\d+),";
  const std::string alone =
      run({"--benchmarks=readbeside", "--beside=none", "--use_existing_db",
           "--threads=16", "--reads=1", "--watch_memory"});
  for (const char* direct : {"--use_direct_reads=false", "--use_direct_reads",
                             "--use_direct_io_for_flush_and_compaction"}) {
    const std::string text =
        run({"--benchmarks=readbeside", "--beside=writer", "--use_existing_db",
             "--threads=16", "--duration=4", "--iterators=200",
             "--watch_memory", direct});
    ASSERT_EQ(NumbersIn(text, resident).size(), 1u) << text;
    const double used =
        NumbersIn(text, resident)[0] - NumbersIn(alone, resident)[0];
    const double cache = NumbersIn(text, ", cache (\\d+),")[0];
    EXPECT_LE(cache, 32 * kMiB * 1.001) << text;
    const double budget = 32 * kMiB + 64 * kMiB +
                          NumbersIn(text, "memtables (\\d+),")[0] +
                          NumbersIn(text, "readers (\\d+)")[0];
    EXPECT_LE(used, 1.1 * budget) << direct << "\n" << text << alone;
    EXPECT_GT(used, cache) << "what is it made of?\n" << text;
  }
  unsetenv("MALLOC_MMAP_THRESHOLD_");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
