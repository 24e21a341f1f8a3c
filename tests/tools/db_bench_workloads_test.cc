// What db_bench's workloads and the flags that shape them leave in a database,
// and what they print.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kResult[] =
    " *: +[0-9]+\\.[0-9][0-9][0-9] micros/op [0-9]+ ops/sec "
    "[0-9]+\\.[0-9][0-9][0-9] seconds [0-9]+ operations;.*";

class DbBenchWorkloadTest : public ::testing::Test {
 protected:
  ProgramResult Bench(const std::string& benchmarks,
                      std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {
        "--benchmarks=" + benchmarks, "--db=" + db(), "--num=500",
        "--progress_reports=false", "--compression_type=none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult run = RunProgram("db_bench", arguments);
    EXPECT_EQ(0, run.status) << benchmarks << "\n" << run.errors;
    return run;
  }

  // The operations of each result line, by name.
  static std::map<std::string, uint64_t> Operations(const ProgramResult& run) {
    std::map<std::string, uint64_t> counts;
    for (const std::string& line : LinesWith(run.output, " micros/op ")) {
      const size_t end = line.find(" operations;");
      const size_t begin = line.rfind(' ', end - 1) + 1;
      counts[line.substr(0, line.find(' '))] =
          std::stoull(line.substr(begin, end - begin));
    }
    return counts;
  }

  // The lines of all entries: family, key and value, separated by tabs.
  std::vector<std::string> Entries(const std::string& path) {
    const ProgramResult dump = RunProgram("kvdump", {path});
    EXPECT_EQ(0, dump.status) << dump.errors;
    return LinesWith(dump.output, "\t");
  }
  size_t KeyCount() { return Entries(db()).size(); }

  std::string db() const { return dir_.File("db"); }

  const TempDir dir_{"db_bench_workloads"};
};

TEST_F(DbBenchWorkloadTest, EachPrintsItsLine) {
  const std::vector<std::string> names = {"fillseq",
                                          "readrandomsmall",
                                          "readrandomfast",
                                          "mixgraph",
                                          "readrandomentity",
                                          "multireadentity",
                                          "ingestexternalfile",
                                          "fillembeddedblob",
                                          "fillembeddedentity",
                                          "timeseries",
                                          "randomreplacekeys",
                                          "fillanddeleteuniquerandom",
                                          "openandcompact"};
  std::string list;
  for (const std::string& name : names) list += name + ",";
  const ProgramResult run =
      Bench(list, {"--mix_get_ratio=0.5", "--mix_put_ratio=0.3",
                   "--mix_seek_ratio=0.2", "--numdistinct=20", "--threads=1"});
  const auto lines = LinesWith(run.output, " micros/op ");
  ASSERT_THAT(lines, SizeIs(names.size()));
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_THAT(lines[i], MatchesRegex(names[i] + kResult));
  }
}

TEST_F(DbBenchWorkloadTest, MixGraphHasItsShares) {
  const ProgramResult run =
      Bench("fillseq,mixgraph",
            {"--mix_get_ratio=0.6", "--mix_put_ratio=0.3",
             "--mix_seek_ratio=0.1", "--mix_accesses=4000", "--seed=3",
             "--mix_max_scan_len=20", "--keyrange_num=10",
             "--keyrange_dist_a=14.18", "--keyrange_dist_b=-2.917",
             "--keyrange_dist_c=0.0164", "--keyrange_dist_d=-0.08082",
             "--key_dist_a=0.002312", "--key_dist_b=0.3467"});
  const auto lines = LinesWith(run.output, "mixgraph ");
  ASSERT_THAT(lines, SizeIs(1));
  unsigned long long gets = 0;
  unsigned long long puts = 0;
  unsigned long long seeks = 0;
  unsigned long long found = 0;
  unsigned long long total = 0;
  double value_size = 0;
  double scan_length = 0;
  ASSERT_EQ(7, sscanf(lines[0].c_str() + lines[0].find("( Gets:"),
                      "( Gets:%llu Puts:%llu Seek:%llu, reads %llu in %llu "
                      "found, avg size: %lf value, %lf scan)",
                      &gets, &puts, &seeks, &found, &total, &value_size,
                      &scan_length))
      << lines[0];
  EXPECT_EQ(4000u, gets + puts + seeks);
  EXPECT_NEAR(2400, static_cast<double>(gets), 200);
  EXPECT_NEAR(1200, static_cast<double>(puts), 200);
  EXPECT_EQ(gets, total);
  EXPECT_EQ(found, total) << "every key of the space is there";
  EXPECT_GT(value_size, 10);
  EXPECT_LT(value_size, 1024);
  EXPECT_GE(scan_length, 1);
  EXPECT_LE(scan_length, 20);
}

// mixgraph runs at the rate that the sine gives, not as fast as it can.
TEST_F(DbBenchWorkloadTest, SinesPace) {
  const ProgramResult run = Bench(
      "fillseq,mixgraph",
      {"--mix_accesses=30", "--sine_mix_rate", "--sine_a=0", "--sine_d=100"});
  const auto lines = LinesWith(run.output, "mixgraph ");
  ASSERT_THAT(lines, SizeIs(1));
  double micros = 0;
  ASSERT_EQ(1, sscanf(lines[0].c_str(), "mixgraph : %lf", &micros));
  // 10 ms each, but for what a tenth of a second has saved up.
  EXPECT_GT(micros, 5000);
}

TEST_F(DbBenchWorkloadTest, FamiliesShareTheKeys) {
  const auto families = [&](std::vector<std::string> more) {
    more.push_back("--num_column_families=3");
    const ProgramResult run = Bench("fillseq,readrandom", more);
    EXPECT_THAT(run.output, HasSubstr("(500 of 500 found)"));
    std::map<std::string, int> counts;
    for (const std::string& line : Entries(db())) {
      ++counts[line.substr(0, line.find('\t'))];
    }
    return counts;
  };
  const auto equal = families({});
  ASSERT_THAT(equal, SizeIs(3));
  EXPECT_EQ(167, equal.at("default"));
  EXPECT_EQ(166, equal.at("column_family_name_000002"));
  const auto shares = families({"--column_family_distribution=10,20,70"});
  EXPECT_EQ(50, shares.at("default"));
  EXPECT_EQ(350, shares.at("column_family_name_000002"));
}

TEST_F(DbBenchWorkloadTest, HotFamiliesMoveOn) {
  Bench("fillseq", {"--num_column_families=3", "--num_hot_column_families=1"});
  std::map<std::string, int> counts;
  for (const std::string& line : Entries(db())) {
    ++counts[line.substr(0, line.find('\t'))];
  }
  ASSERT_THAT(counts, SizeIs(3));
  for (const auto& [family, count] : counts) EXPECT_EQ(500, count) << family;
  // What is there is opened whole.
  const ProgramResult run = Bench(
      "readseq", {"--num_column_families=3", "--num_hot_column_families=1",
                  "--use_existing_db", "--reads=10000"});
  EXPECT_EQ(1500u, Operations(run).at("readseq"));
}

TEST_F(DbBenchWorkloadTest, SeveralDatabasesAreFilledAlike) {
  const ProgramResult run = Bench("fillseq,readrandom,readseq,deleteseq",
                                  {"--num_multi_db=2", "--reads=2000"});
  EXPECT_THAT(run.output, HasSubstr("(2000 of 2000 found)"));
  EXPECT_EQ(1000u, Operations(run).at("fillseq"));
  EXPECT_EQ(1000u, Operations(run).at("readseq"));
  EXPECT_EQ(500u, Entries(db() + "/0").size() + Entries(db() + "/1").size());
}

TEST_F(DbBenchWorkloadTest, KeysShareTheirPrefixes) {
  Bench("fillseq", {"--keys_per_prefix=10", "--prefix_size=4"});
  std::set<std::string> prefixes;
  const auto entries = Entries(db());
  ASSERT_THAT(entries, SizeIs(500));
  for (const std::string& line : entries) {
    prefixes.insert(line.substr(line.find('\t') + 1, 8));
  }
  EXPECT_EQ(50u, prefixes.size());
}

TEST_F(DbBenchWorkloadTest, RangesAreDeletedAmongTheWrites) {
  const std::vector<std::string> ranges = {
      "--writes_per_range_tombstone=50", "--max_num_range_tombstones=4",
      "--range_tombstone_width=20", "--writes_before_delete_range=300",
      "--seed=5"};
  Bench("fillseq", {"--seed=5"});
  EXPECT_EQ(500u, KeyCount());
  Bench("fillseq", ranges);
  const size_t kept = KeyCount();
  EXPECT_LT(kept, 500u);
  EXPECT_GE(kept, 420u);
  std::vector<std::string> one_by_one = ranges;
  one_by_one.push_back("--expand_range_tombstones");
  Bench("fillseq", one_by_one);
  EXPECT_EQ(kept, KeyCount());
}

TEST_F(DbBenchWorkloadTest, SomeEntriesAreDisposed) {
  Bench("fillanddeleteuniquerandom", {"--disposable_entries_batch_size=10",
                                      "--persistent_entries_batch_size=15",
                                      "--persistent_entries_value_size=7"});
  const auto entries = Entries(db());
  EXPECT_THAT(entries, SizeIs(300));
  for (const std::string& line : entries) {
    EXPECT_EQ(14u, line.size() - line.rfind('\t') - 1);
  }
  Bench("fillanddeleteuniquerandom");
  EXPECT_EQ(500u, KeyCount());
}

TEST_F(DbBenchWorkloadTest, OverwritesTakeTheTurnOfNewKeys) {
  Bench("filluniquerandom",
        {"--overwrite_probability=0.5", "--overwrite_window_size=10"});
  EXPECT_LT(KeyCount(), 350u);
  EXPECT_GT(KeyCount(), 150u);
}

TEST_F(DbBenchWorkloadTest, ReplacedKeysLeaveOneOfEach) {
  for (const char* way : {"--use_single_deletes", "--nouse_single_deletes"}) {
    Bench("randomreplacekeys",
          {way, "--numdistinct=40", "--stddev=10", "--threads=2"});
    EXPECT_EQ(80u, KeyCount()) << way;
  }
}

TEST_F(DbBenchWorkloadTest, TimeSeriesForgetsWhatIsOld) {
  const std::vector<std::string> rows = {"--key_id_range=10", "--time_range=50",
                                         "--threads=3", "--reads=50"};
  Bench("timeseries", rows);
  EXPECT_EQ(500u, KeyCount());
  std::vector<std::string> filtered = rows;
  filtered.push_back("--expire_style=compaction_filter");
  Bench("timeseries,compact", filtered);
  EXPECT_EQ(50u, KeyCount());
  std::vector<std::string> deleted = rows;
  deleted.push_back("--expire_style=delete");
  deleted.push_back("--num_deletion_threads=2");
  const ProgramResult run = Bench("timeseries", deleted);
  EXPECT_LE(KeyCount(), 500u);
}

TEST_F(DbBenchWorkloadTest, DeterministicFillsHaveOneShape) {
  const std::vector<std::string> small = {
      "--disable_auto_compactions", "--write_buffer_size=65536",
      "--max_bytes_for_level_base=131072", "--num=6000", "--seed=1"};
  std::string levels[2];
  for (std::string& shape : levels) {
    const ProgramResult run = Bench("filluniquerandomdeterministic", small);
    const size_t begin = run.output.find("DB LSM");
    ASSERT_NE(std::string::npos, begin);
    shape = run.output.substr(begin, run.output.find("micros/op") - begin);
    EXPECT_EQ(6000u, KeyCount());
  }
  // But for the time of the result line, which comes behind.
  EXPECT_EQ(levels[0].substr(0, levels[0].find("filluni")),
            levels[1].substr(0, levels[1].find("filluni")));
  EXPECT_THAT(levels[0], HasSubstr("\n  2 "));
}

TEST_F(DbBenchWorkloadTest, VerifyComparesWithTheTruth) {
  Bench("fillseq", {"--seed=1"});
  const std::string truth = dir_.File("truth");
  std::filesystem::rename(db(), truth);
  Bench("fillseq", {"--seed=1"});
  const ProgramResult same =
      Bench("verify", {"--use_existing_db", "--truth_db=" + truth});
  EXPECT_THAT(same.output, HasSubstr("...Verified"));
  EXPECT_EQ(500u, Operations(same).at("verify"));
  Bench("fillseq", {"--seed=1", "--num=499"});
  ProgramResult other =
      RunProgram("db_bench", {"--benchmarks=verify", "--use_existing_db",
                              "--db=" + db(), "--truth_db=" + truth});
  EXPECT_EQ(1, other.status);
  EXPECT_THAT(other.errors, HasSubstr("verify: a key is missing"));
  Bench("fillseq", {"--seed=2"});
  other = RunProgram("db_bench", {"--benchmarks=verify", "--use_existing_db",
                                  "--db=" + db(), "--truth_db=" + truth});
  EXPECT_EQ(1, other.status);
  EXPECT_THAT(other.errors, HasSubstr("verify: a value is another one"));
}

TEST_F(DbBenchWorkloadTest, ExternalFilesAreIngested) {
  const ProgramResult run = Bench(
      "ingestexternalfile", {"--ingest_external_file_batch_size=3",
                             "--ingest_external_file_num_batches=2",
                             "--ingest_external_file_fill_cache=false",
                             "--ingest_external_file_file_opening_threads=2"});
  EXPECT_EQ(6u, Operations(run).at("ingestexternalfile"));
  EXPECT_EQ(500u, KeyCount());
  EXPECT_FALSE(std::filesystem::exists(db() + "_external_0"));
  Bench("fillembeddedblob,readrandom",
        {"--value_size=3000", "--embedded_blob_min_size=1000", "--num=50"});
  EXPECT_EQ(50u, KeyCount());
  const ProgramResult entities =
      Bench("fillembeddedentity,readrandomentity",
            {"--num_wide_columns=3", "--num_short_wide_columns=2"});
  EXPECT_THAT(entities.output, HasSubstr("(500 of 500 found)"));
}

TEST_F(DbBenchWorkloadTest, CompactionsByAnotherProcess) {
  const ProgramResult run =
      Bench("fillrandom,flush,overwrite,openandcompact,readrandom",
            {"--disable_auto_compactions"});
  EXPECT_EQ(1u, Operations(run).at("openandcompact"));
  EXPECT_THAT(run.output, HasSubstr("(0 cancelled)"));
  const ProgramResult resumed = Bench(
      "fillrandom,flush,overwrite,openandcompact",
      {"--disable_auto_compactions", "--openandcompact_test_cancel_on_odd",
       "--openandcompact_cancel_after_millseconds=0",
       "--openandcompact_allow_resumption"});
  EXPECT_EQ(1u, Operations(resumed).at("openandcompact"));
}

TEST_F(DbBenchWorkloadTest, TimestampsAreReadAsOfATime) {
  const ProgramResult latest =
      Bench("fillseq,overwrite,readrandom,readseq,seekrandom,multireadrandom",
            {"--user_timestamp_size=8"});
  EXPECT_THAT(LinesWith(latest.output, "(500 of 500 found)"), SizeIs(3));
  EXPECT_EQ(500u, Operations(latest).at("readseq"));
  const ProgramResult past =
      Bench("fillseq,readrandom",
            {"--user_timestamp_size=8", "--noread_with_latest_user_timestamp",
             "--reads=2000", "--seed=1"});
  // Half of what was written by the time that was drawn, on average.
  int found = 0;
  const auto lines = LinesWith(past.output, "of 2000 found)");
  ASSERT_THAT(lines, SizeIs(1));
  ASSERT_EQ(1, sscanf(lines[0].c_str() + lines[0].find('('), "(%d", &found));
  EXPECT_NEAR(1000, found, 200);
}

TEST_F(DbBenchWorkloadTest, SeeksAreShapedByFlags) {
  const ProgramResult missing =
      Bench("fillseq,seekrandom",
            {"--prefix_size=9", "--seek_missing_prefix", "--total_order_seek"});
  EXPECT_THAT(missing.output, HasSubstr("(0 of 500 found)"));
  const auto bytes = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--seek_nexts=50", "--statistics", "--seed=4"});
    const ProgramResult run = Bench("fillseq,seekrandom", more);
    const auto lines = LinesWith(run.output, "rocksdb.number.db.next COUNT : ");
    return lines.size() == 1
               ? std::stoi(lines[0].substr(lines[0].rfind(' ') + 1))
               : -1;
  };
  const int all = bytes({});
  EXPECT_GT(all, 20000);
  EXPECT_LT(bytes({"--max_scan_distance=5"}), all / 5);
  EXPECT_EQ(all, bytes({"--explicit_snapshot"}));
  Bench("fillseq,seekrandom", {"--seek_nexts_to_delete=3", "--reads=20"});
  EXPECT_LT(KeyCount(), 500u);
  EXPECT_GE(KeyCount(), 440u);
  for (const char* way : {"--use_multiscan", "--nouse_multiscan"}) {
    const ProgramResult scan =
        Bench("fillseq,multiscan", {way, "--seek_nexts=7", "--reads=20"});
    EXPECT_THAT(scan.output, HasSubstr("(700 of 700 found)")) << way;
  }
}

TEST_F(DbBenchWorkloadTest, ReadsMayPreferSomeKeys) {
  const auto hits = [&](const std::string& range) {
    const ProgramResult run =
        Bench("fillseq,flush,readrandom",
              {"--row_cache_size=10000000", "--statistics", "--num=5000",
               "--reads=5000", "--read_random_exp_range=" + range});
    const auto lines = LinesWith(run.output, "rocksdb.row.cache.miss COUNT : ");
    return lines.size() == 1
               ? std::stoi(lines[0].substr(lines[0].rfind(' ') + 1))
               : -1;
  };
  const int uniform = hits("0");
  EXPECT_NEAR(3160, uniform, 200);
  EXPECT_LT(hits("20"), uniform - 500);
}

TEST_F(DbBenchWorkloadTest, FilesAreCountedSlowedDownAndFailed) {
  const ProgramResult counted =
      Bench("fillseq,flush,readrandom",
            {"--report_file_operations", "--report_open_timing"});
  EXPECT_THAT(LinesWith(counted.output, "Num files opened: "), SizeIs(2));
  EXPECT_THAT(LinesWith(counted.output, "Num Append(): "), SizeIs(2));
  EXPECT_THAT(counted.output,
              ::testing::ContainsRegex("OpenDb:     [0-9.]+ milliseconds"));
  const ProgramResult tolerant =
      Bench("fillseq,flush,readrandom",
            {"--cache_size=0", "--tolerate_io_errors_for_remote_dbs",
             "--fault_injection_read_after_reads=50"});
  EXPECT_THAT(tolerant.output,
              ::testing::ContainsRegex("\\([0-9]+ I/O errors\\)"));
  const ProgramResult strict = RunProgram(
      "db_bench", {"--benchmarks=fillseq,flush,readrandom", "--db=" + db(),
                   "--num=500", "--cache_size=0", "--compression_type=none",
                   "--fault_injection_read_after_reads=50"});
  EXPECT_EQ(1, strict.status);
  EXPECT_THAT(strict.errors, HasSubstr("fault_injection_read_after_reads"));
  const ProgramResult slow =
      Bench("fillseq,flush,readrandom",
            {"--cache_size=0", "--simulate_hdd", "--reads=30", "--num=300"});
  const auto lines = LinesWith(slow.output, "readrandom ");
  ASSERT_THAT(lines, SizeIs(1));
  double micros = 0;
  ASSERT_EQ(1, sscanf(lines[0].c_str(), "readrandom : %lf", &micros));
  EXPECT_GT(micros, 3000) << "an arm takes 8 ms";
}

TEST_F(DbBenchWorkloadTest, WarmFilesAreKeptTrackOf) {
  const std::string list = dir_.File("warm");
  Bench("fillseq,flush,compact", {"--simulate_hybrid_fs_file=" + list,
                                  "--level_compaction_dynamic_level_bytes",
                                  "--simulate_hybrid_hdd_multipliers=1000"});
  std::ifstream stream(list);
  std::string name;
  ASSERT_TRUE(std::getline(stream, name));
  EXPECT_TRUE(std::filesystem::exists(name)) << name;
}

TEST_F(DbBenchWorkloadTest, CachesBehindCaches) {
  const std::vector<std::vector<std::string>> ways = {
      {"--use_compressed_secondary_cache"},
      {"--use_compressed_secondary_cache", "--use_tiered_cache",
       "--tiered_adm_policy=allow-all"},
      {"--use_compressed_secondary_cache", "--use_tiered_cache",
       "--tiered_adm_policy=three-queue",
       "--secondary_cache_uri=compressed_secondary_cache://capacity=100000"},
      {"--secondary_cache_uri=compressed_secondary_cache://capacity=100000"},
      {"--simcache_size=100000"}};
  for (const auto& way : ways) {
    for (const char* type : {"hyper_clock_cache", "lru_cache"}) {
      std::vector<std::string> more = way;
      more.push_back("--cache_type=" + std::string(type));
      const ProgramResult run =
          Bench("fillseq,flush,readrandom,cache_report_problems", more);
      EXPECT_THAT(run.output, HasSubstr("(500 of 500 found)"));
      EXPECT_EQ(
          way[0].find("sim") != std::string::npos,
          run.output.find("SIMULATOR CACHE STATISTICS:") != std::string::npos);
    }
  }
}

TEST_F(DbBenchWorkloadTest, SecondariesAndFollowersRead) {
  Bench("fillseq");
  const ProgramResult secondary =
      Bench("readrandom", {"--use_existing_db", "--use_secondary_db",
                           "--secondary_path=" + dir_.File("secondary")});
  EXPECT_THAT(secondary.output, HasSubstr("(500 of 500 found)"));
  Bench("fillseq,flush");
  const ProgramResult follower = RunProgram(
      "db_bench",
      {"--benchmarks=readrandom", "--open_as_follower", "--leader_path=" + db(),
       "--db=" + dir_.File("follower"), "--num=500", "--use_existing_db"});
  EXPECT_EQ(0, follower.status) << follower.errors;
  EXPECT_THAT(follower.output, HasSubstr("(500 of 500 found)"));
}

TEST_F(DbBenchWorkloadTest, TheBackgroundWriterMayEndFirst) {
  const ProgramResult run =
      Bench("fillseq,readwhilewriting",
            {"--finish_after_writes", "--writes=10", "--reads=200000"});
  EXPECT_THAT(run.errors, HasSubstr("background thread: 10 writes"));
}

TEST_F(DbBenchWorkloadTest, ValuesMayBeTheSame) {
  Bench("fillseq", {"--same_value_percentage=100"});
  std::set<std::string> values;
  for (const std::string& line : Entries(db())) {
    values.insert(line.substr(line.rfind('\t')));
  }
  EXPECT_EQ(1u, values.size());
}

TEST_F(DbBenchWorkloadTest, InformationNeedsNoDatabase) {
  const ProgramResult build = RunProgram("db_bench", {"--build_info"});
  EXPECT_EQ(0, build.status);
  EXPECT_THAT(build.output, ::testing::StartsWith(" (RocksDB) 11."));
  const ProgramResult list = RunProgram("db_bench", {"--list_benchmarks"});
  EXPECT_EQ(0, list.status);
  EXPECT_THAT(list.output, HasSubstr("mixgraph\n"));
  const ProgramResult malloc_stats = Bench("fillseq", {"--print_malloc_stats"});
  EXPECT_THAT(malloc_stats.output, HasSubstr("<malloc "));
  const ProgramResult log = Bench("fillseq", {"--use_stderr_info_logger"});
  EXPECT_THAT(log.errors, HasSubstr("RocksDB version:"));
}

TEST_F(DbBenchWorkloadTest, UnknownFlagsMayBeTolerated) {
  Bench("fillseq", {"--undefok=some_flag,other_flag", "--other_flag=7"});
  EXPECT_EQ(500u, KeyCount());
  const ProgramResult run = RunProgram(
      "db_bench", {"--undefok=some_flag", "--other_flag=7", "--db=" + db()});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("'other_flag'"));
}

// The script of the usual jobs: a row for each, with the columns that others
// read by their names.
class BenchmarkScriptTest : public DbBenchWorkloadTest {
 protected:
  ProgramResult Script(const std::string& settings, const std::string& jobs) {
    return RunProgram("/bin/bash",
                      {"-c", "cd '" + std::string(BASALT_BINARY_DIR) +
                                 "/bin' && DB_DIR='" + db() + "' WAL_DIR='" +
                                 db() + "' OUTPUT_DIR='" + dir_.File("out") +
                                 "' NUM_KEYS=1000 NUM_THREADS=2 WRITES=200 "
                                 "CACHE_SIZE=1000000 COMPRESSION_TYPE=none "
                                 "WRITE_BUFFER_SIZE_MB=1 " +
                                 settings + " '" + BASALT_SOURCE_DIR +
                                 "/tools/benchmark.sh' " + jobs});
  }
  std::vector<std::map<std::string, std::string>> Report() {
    std::ifstream file(dir_.File("out") + "/report.tsv");
    std::vector<std::string> names;
    std::vector<std::map<std::string, std::string>> rows;
    for (std::string line; std::getline(file, line);) {
      std::vector<std::string> words;
      std::istringstream stream(line);
      for (std::string word; std::getline(stream, word, '\t');) {
        words.push_back(word);
      }
      if (names.empty()) {
        names = words;
        continue;
      }
      rows.emplace_back();
      for (size_t i = 0; i < words.size() && i < names.size(); ++i) {
        rows.back()[names[i]] = words[i];
      }
    }
    return rows;
  }
};

TEST_F(BenchmarkScriptTest, EachJobHasItsRow) {
  const ProgramResult run =
      Script("",
             "bulkload,readrandom,multireadrandom,fwdrange,revrange,"
             "overwrite,readwhilewriting,fwdrangewhilewriting,"
             "updaterandom,randomtransaction");
  ASSERT_EQ(0, run.status) << run.errors;
  const auto rows = Report();
  const std::vector<std::string> tests = {
      "bulkload",           "bulkload.compact",    "readrandom.t2",
      "multireadrandom.t2", "fwdrange.t2",         "revrange.t2",
      "overwrite.t2.s1",    "readwhilewriting.t2", "fwdrangewhilewriting.t2",
      "updaterandom.t2.s1"};
  ASSERT_THAT(rows, SizeIs(tests.size())) << run.errors;
  for (size_t i = 0; i < tests.size(); ++i) {
    const auto& row = rows[i];
    EXPECT_EQ(tests[i], row.at("test"));
    EXPECT_TRUE(std::filesystem::exists(dir_.File("out") + "/benchmark_" +
                                        tests[i] + ".log"));
    EXPECT_GT(std::stoi(row.at("ops_sec")), 0);
    EXPECT_THAT(row.at("lsm_sz"), MatchesRegex("[0-9.]+[KM]B"));
    EXPECT_THAT(row.at("c_wsecs"), MatchesRegex("[0-9]+\\.[0-9]+"));
    EXPECT_THAT(row.at("b_wgb"), MatchesRegex("[0-9]+\\.[0-9]+"));
    EXPECT_THAT(row.at("Nstall"), MatchesRegex("[0-9]+"));
    EXPECT_THAT(row.at("p99.9"), MatchesRegex("[0-9.]+"));
    EXPECT_THAT(row.at("version"), HasSubstr("11."));
  }
}

// The others: with these, all that the script knows have run.
TEST_F(BenchmarkScriptTest, OtherJobsRunToo) {
  const ProgramResult run =
      Script("DB_BENCH_NO_SYNC=1 BENCHMARK_FAILS=1",
             "debug,fillseq_enable_wal,fillseq_disable_wal,filluniquerandom,"
             "overwritesome,overwriteandwait,mergerandom,readwhilemerging,"
             "fwdrangewhilemerging,revrangewhilewriting,revrangewhilemerging,"
             "flush_mt_l0,waitforcompaction,universal_compaction");
  ASSERT_EQ(0, run.status) << run.errors;
  std::vector<std::string> tests;
  for (const auto& row : Report()) {
    tests.push_back(row.at("test"));
    EXPECT_GT(std::stoi(row.at("ops_sec")), 0) << tests.back();
  }
  EXPECT_THAT(
      tests,
      ::testing::ElementsAre(
          "fillseq.wal_enabled.v400", "fillseq.wal_disabled.v400",
          "filluniquerandom", "overwritesome.t2.s0", "overwriteandwait.t2.s0",
          "mergerandom.t2.s0", "readwhilemerging.t2", "fwdrangewhilemerging.t2",
          "revrangewhilewriting.t2", "revrangewhilemerging.t2",
          "universal_compaction.sub1", "universal_compaction.sub2",
          "universal_compaction.sub4", "universal_compaction.sub8",
          "universal_compaction.sub16"));
  EXPECT_TRUE(std::filesystem::exists(dir_.File("out") +
                                      "/benchmark_flush_mt_l0.t2.log"));
}

TEST_F(BenchmarkScriptTest, StylesAndFaultsAreTold) {
  for (const char* style : {"universal", "blob"}) {
    const ProgramResult run =
        Script("COMPACTION_STYLE=" + std::string(style), "bulkload,readrandom");
    EXPECT_EQ(0, run.status) << style << run.errors;
  }
  EXPECT_THAT(Report(), SizeIs(6));
  EXPECT_EQ(3, Script("", "nosuch").status);
  EXPECT_EQ(1, Script("COMPACTION_STYLE=any", "readrandom").status);
  EXPECT_EQ(1, Script("CACHE_INDEX_AND_FILTER_BLOCKS=2", "readrandom").status);
  EXPECT_EQ(2, Script("COMPACTION_TEST=1", "readrandom").status);
  // What fails has a row, and with BENCHMARK_FAILS a status.
  EXPECT_EQ(0, Script("", "readrandom --cache_type=nosuch").status);
  EXPECT_EQ(
      5, Script("BENCHMARK_FAILS=1", "readrandom --cache_type=nosuch").status);
  const auto rows = Report();
  ASSERT_THAT(rows, SizeIs(8));
  EXPECT_EQ("failed", rows.back().at("ops_sec"));
}

TEST_F(DbBenchWorkloadTest, BenchmarksAndFlagsAreCompleted) {
  const std::string script =
      "PATH='" + std::string(BASALT_BINARY_DIR) + "/bin':\"$PATH\"; source '" +
      BASALT_SOURCE_DIR +
      "/tools/completion/db_bench.bash'; "
      "COMP_WORDS=(db_bench --benchmarks = fillseq,mixg); COMP_CWORD=3; "
      "_db_bench; echo ${COMPREPLY[@]}; "
      "COMP_WORDS=(db_bench --keyrange_n); COMP_CWORD=1; _db_bench; "
      "echo ${COMPREPLY[@]}";
  const ProgramResult run = RunProgram("/bin/bash", {"-c", script});
  EXPECT_EQ("fillseq,mixgraph\n--keyrange_num=\n", run.output) << run.errors;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
