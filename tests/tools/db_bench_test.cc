// db_bench, as its users see it: what it prints, what it does to a database,
// and how it answers what cannot be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
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

class DbBenchTest : public ::testing::Test {
 protected:
  // Runs db_bench on this test's database.
  ProgramResult Bench(const std::string& benchmarks,
                      std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {
        "--benchmarks=" + benchmarks, "--db=" + db(), "--num=500",
        "--progress_reports=false", "--compression_type=none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram("db_bench", arguments);
  }

  // The number of keys in the database and a digest of them, "<n>\t<digest>".
  std::string Content() {
    const ProgramResult dump = RunProgram("kvdump", {"--digest", db()});
    EXPECT_EQ(0, dump.status) << dump.errors;
    const size_t tab = dump.output.find('\t');
    return tab == std::string::npos ? "" : dump.output.substr(tab + 1);
  }

  int KeyCount() { return std::stoi("0" + Content()); }

  std::string db() const { return dir_.File("db"); }

  const TempDir dir_{"db_bench"};
};

TEST_F(DbBenchTest, PrintsOneResultLineForEachBenchmark) {
  const std::vector<std::string> names = {"fillseq",
                                          "fillbatch",
                                          "fillsync",
                                          "fillrandom",
                                          "filluniquerandom",
                                          "overwrite",
                                          "readrandom",
                                          "readseq",
                                          "readreverse",
                                          "readmissing",
                                          "multireadrandom",
                                          "seekrandom",
                                          "updaterandom",
                                          "readwhilewriting",
                                          "readwhilemerging",
                                          "multireadwhilewriting",
                                          "deleterandom",
                                          "seekrandomwhilewriting",
                                          "deleteseq",
                                          "compact",
                                          "multiscan",
                                          "multiscanrandom",
                                          "newiterator",
                                          "newiteratorwhilewriting",
                                          "fillseekseq",
                                          "seekrandomwhilemerging",
                                          "readtocache",
                                          "readtorowcache",
                                          "approximatesizerandom",
                                          "approximatememtablestats",
                                          "readwhilescanning",
                                          "readrandomwriterandom",
                                          "appendrandom",
                                          "xorupdaterandom",
                                          "randomwithverify",
                                          "mergerandom",
                                          "readrandommergerandom",
                                          "readrandomoperands",
                                          "getmergeoperands",
                                          "fill100K",
                                          "acquireload",
                                          "verifychecksum",
                                          "verifyfilechecksums"};
  std::string list;
  for (const std::string& name : names) list += name + ",";
  const ProgramResult run =
      Bench(list, {"--merge_operator=put", "--file_checksum"});
  ASSERT_EQ(0, run.status) << run.errors;
  const std::vector<std::string> lines = LinesWith(run.output, " micros/op ");
  ASSERT_THAT(lines, SizeIs(names.size()));
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_THAT(
        lines[i],
        MatchesRegex(names[i] + " *: +[0-9]+\\.[0-9][0-9][0-9] "
                                "micros/op [0-9]+ ops/sec [0-9]+\\.[0-9][0-9]"
                                "[0-9] seconds [0-9]+ operations;.*"));
  }
}

TEST_F(DbBenchTest, CountsOperationsAndBytes) {
  const ProgramResult run =
      Bench("fillseq,readseq,readmissing,readrandom", {"--threads=2"});
  ASSERT_EQ(0, run.status) << run.errors;
  const auto lines = LinesWith(run.output, " micros/op ");
  ASSERT_THAT(lines, SizeIs(4));
  for (const std::string& line : lines) {
    EXPECT_THAT(line, HasSubstr(" 1000 operations;"));
  }
  EXPECT_THAT(lines[0], MatchesRegex(".*; +[0-9.]+ MB/s"));
  EXPECT_THAT(lines[1], MatchesRegex(".*; +[0-9.]+ MB/s"));
  EXPECT_THAT(lines[2], MatchesRegex(".*; \\(0 of 1000 found\\)"));
  EXPECT_THAT(lines[3], MatchesRegex(".* MB/s \\(1000 of 1000 found\\)"));
}

TEST_F(DbBenchTest, ScansOfSeveralRangesReadAllOfThem) {
  struct Way {
    const char* flag;
    int ranges;  // those of a scan; no more than fit into 500 keys
  };
  for (const Way& way :
       {Way{"--multiscan_size=4", 4}, Way{"--multiscan_size=1000", 5},
        Way{"--multiscan_stride=7", 10}, Way{"--multiscan_stride=1000", 1},
        Way{"--reverse_iterator", 5}, Way{"--multiscan_use_async_io", 5},
        Way{"--multiscan_max_prefetch_size=4096", 5}}) {
    const ProgramResult run =
        Bench("fillseq,multiscan",
              {"--seek_nexts=7", "--reads=20", "--histogram", way.flag});
    ASSERT_EQ(0, run.status) << way.flag << run.errors;
    const auto lines = LinesWith(run.output, " micros/op ");
    ASSERT_THAT(lines, SizeIs(2));
    const std::string found = std::to_string(20 * 7 * way.ranges);
    EXPECT_THAT(lines[1], HasSubstr("(" + found + " of " + found + " found)"))
        << way.flag;
    EXPECT_THAT(run.output, HasSubstr("Microseconds per multiscan:"));
  }
  // Here the ranges lie anywhere; 71 of 7 keys fit into 500.
  for (const Way& way :
       {Way{"--multiscan_size=4", 4}, Way{"--multiscan_size=1000", 71},
        Way{"--multiscan_stride=1", 10}, Way{"--reverse_iterator", 10}}) {
    const ProgramResult run = Bench("fillseq,multiscanrandom",
                                    {"--seek_nexts=7", "--reads=20", way.flag});
    ASSERT_EQ(0, run.status) << way.flag << run.errors;
    const auto lines = LinesWith(run.output, " micros/op ");
    ASSERT_THAT(lines, SizeIs(2));
    const std::string found = std::to_string(20 * 7 * way.ranges);
    EXPECT_THAT(lines[1], HasSubstr("(" + found + " of " + found + " found)"))
        << way.flag;
  }
  const ProgramResult run =
      Bench("multiscan", {"--seek_nexts=7", "--multiscan_stride=6"});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("--multiscan_stride"));
}

TEST_F(DbBenchTest, FillsTheKeySpaceThatWasAskedFor) {
  ASSERT_EQ(0, Bench("fillseq").status);
  EXPECT_EQ(500, KeyCount());
  ASSERT_EQ(0, Bench("filluniquerandom", {"--writes=123"}).status);
  EXPECT_EQ(123, KeyCount());
  ASSERT_EQ(0, Bench("filluniquerandom,deleteseq").status);
  EXPECT_EQ(0, KeyCount());
  ASSERT_EQ(0, Bench("fillbatch", {"--num=1500"}).status);
  EXPECT_EQ(1500, KeyCount()) << "batches of 1000 wrap at --num";
}

TEST_F(DbBenchTest, TheSeedDecidesWhatIsWritten) {
  ASSERT_EQ(0, Bench("fillrandom", {"--seed=7"}).status);
  const std::string first = Content();
  ASSERT_EQ(0, Bench("fillrandom", {"--seed=7"}).status);
  EXPECT_EQ(first, Content());
  ASSERT_EQ(0, Bench("fillrandom", {"--seed=8"}).status);
  EXPECT_NE(first, Content());
}

TEST_F(DbBenchTest, KeysAreNumbersInBigEndianOrder) {
  ASSERT_EQ(0, Bench("fillseq", {"--num=258", "--key_size=10"}).status);
  const ProgramResult dump = RunProgram("kvdump", {db()});
  const auto lines = LinesWith(dump.output, "default\t");
  ASSERT_THAT(lines, SizeIs(258));
  EXPECT_THAT(lines[0], HasSubstr("\t00000000000000003030\t"));
  EXPECT_THAT(lines[257], HasSubstr("\t00000000000001013030\t"));
}

TEST_F(DbBenchTest, BackgroundWriterHasAKeySpaceOfItsOwn) {
  ASSERT_EQ(0, Bench("fillseq,readwhilewriting", {"--reads=100000"}).status);
  EXPECT_EQ(500, KeyCount());
  const ProgramResult run =
      Bench("readwhilewriting",
            {"--reads=100000", "--use_existing_db", "--bgwriter_num=1000000"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_GT(KeyCount(), 500);
  EXPECT_THAT(run.output, HasSubstr("(100000 of 100000 found)"))
      << "readers stay in --num";
}

TEST_F(DbBenchTest, SkewedOverwritesMeetFewKeysOften) {
  const auto bytes = [&](const std::string& skew) {
    const ProgramResult run =
        Bench("fillseq,flush,overwrite,flush,compact",
              {"--num=2000", "--writes=2000", "--overwrite_skew=" + skew,
               "--disable_auto_compactions", "--statistics"});
    EXPECT_EQ(0, run.status) << run.errors;
    EXPECT_EQ(2000, KeyCount());
    const auto lines =
        LinesWith(run.output, "rocksdb.compaction.key.drop.new COUNT : ");
    return lines.size() == 1
               ? std::stoi(lines[0].substr(lines[0].rfind(' ') + 1))
               : -1;
  };
  // 2000 draws of 2000 keys meet 1264 of them if all are alike.
  const int uniform = bytes("0");
  EXPECT_NEAR(uniform, 1264, 100);
  const int skewed = bytes("0.99");
  EXPECT_GT(skewed, 300);
  EXPECT_LT(skewed, uniform - 200);
  const int steep = bytes("3");
  EXPECT_GT(steep, 1);
  EXPECT_LT(steep, 60);
  const ProgramResult run = Bench("overwrite", {"--overwrite_skew=-1"});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("--overwrite_skew=-1"));
}

// The message of the last result line.
std::string LastMessage(const ProgramResult& run) {
  const auto lines = LinesWith(run.output, " micros/op ");
  const size_t open =
      lines.empty() ? std::string::npos : lines.back().find('(');
  return open == std::string::npos ? run.errors : lines.back().substr(open);
}

TEST_F(DbBenchTest, ReadsAndWritesAreMixedAsAskedFor) {
  EXPECT_EQ("( reads:500 writes:0 found:500)",
            LastMessage(Bench("fillseq,readrandomwriterandom",
                              {"--readwritepercent=100"})));
  EXPECT_EQ("( reads:0 writes:500 found:0)",
            LastMessage(Bench("fillseq,readrandomwriterandom",
                              {"--readwritepercent=0"})));
  EXPECT_EQ("( reads:0 merges:500 found:0)",
            LastMessage(Bench("fillseq,readrandommergerandom",
                              {"--mergereadpercent=0", "--merge_operator=put",
                               "--merge_keys=7"})));
  int reads = 0;
  int writes = 0;
  const std::string mixed =
      LastMessage(Bench("fillseq,readrandomwriterandom", {"--reads=2000"}));
  ASSERT_EQ(2, sscanf(mixed.c_str(), "( reads:%d writes:%d", &reads, &writes))
      << mixed;
  EXPECT_EQ(2000, reads + writes);
  EXPECT_NEAR(1800, reads, 100);
}

TEST_F(DbBenchTest, KeysThatAreWrittenTogetherAgree) {
  const ProgramResult run =
      Bench("fillseq,randomwithverify[X2]",
            {"--reads=3000", "--numdistinct=20", "--readwritepercent=50",
             "--deletepercent=10"});
  int gets = 0;
  int puts = 0;
  int deletes = 0;
  int found = 0;
  const std::string message = LastMessage(run);
  ASSERT_EQ(4, sscanf(message.c_str(), "( get:%d put:%d del:%d found:%d)",
                      &gets, &puts, &deletes, &found))
      << message;
  EXPECT_EQ(3000, gets + puts + deletes);
  EXPECT_NEAR(300, deletes, 100);
  EXPECT_GT(found, gets / 2);
}

// Bytes of all values.
uint64_t ValueBytes(const std::string& db) {
  uint64_t bytes = 0;
  const ProgramResult dump = RunProgram("kvdump", {db});
  for (const std::string& line : LinesWith(dump.output, "default\t")) {
    bytes += (line.size() - line.rfind('\t') - 1) / 2;
  }
  return bytes;
}

TEST_F(DbBenchTest, UpdatesChangeTheOldValue) {
  const std::vector<std::string> few = {"--num=5", "--writes=100",
                                        "--value_size=10"};
  ASSERT_EQ(0, Bench("fillseq,xorupdaterandom", few).status);
  EXPECT_EQ(50u, ValueBytes(db()));
  // Each adds its ten bytes, and a comma but to a key that is new.
  ASSERT_EQ(0, Bench("fillseq,appendrandom", few).status);
  EXPECT_EQ(50 + 100 * 11u, ValueBytes(db()));
}

// The benchmark itself fails where the sums of its sets differ.
TEST_F(DbBenchTest, TransactionsChangeTheirSetsTogether) {
  for (const std::string kind :
       {"--transaction_db", "--optimistic_transaction_db"}) {
    const ProgramResult run =
        Bench("randomtransaction", {kind, "--num=10", "--reads=200",
                                    "--threads=2", "--transaction_sets=3"});
    ASSERT_EQ(0, run.status) << run.errors;
    EXPECT_NE(run.output.find("( transactions:"), std::string::npos);
  }
  EXPECT_NE(0, Bench("randomtransaction",
                     {"--transaction_db", "--optimistic_transaction_db"})
                   .status);
}

TEST_F(DbBenchTest, OperandsAreReadOneByOne) {
  const ProgramResult run =
      Bench("mergerandom,readrandomoperands",
            {"--num=1", "--writes=40", "--reads=10", "--value_size=10",
             "--merge_operator=stringappend"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_EQ("(10 of 10 found)", LastMessage(run));
  // 1 + 2 + ... + 40, as none was joined with others in memory.
  EXPECT_EQ("( merges:40 operands read:820)",
            LastMessage(Bench(
                "getmergeoperands",
                {"--num=1", "--writes=40", "--merge_operator=stringappend"})));
}

TEST_F(DbBenchTest, CachesAreFilled) {
  const ProgramResult run = Bench("fillseq,flush,readtorowcache,readrandom",
                                  {"--row_cache_size=1000000", "--statistics"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("rocksdb.row.cache.hit COUNT : 500\n"));
  EXPECT_THAT(run.output, HasSubstr("rocksdb.row.cache.miss COUNT : 500\n"));
  const ProgramResult blocks =
      Bench("fillseq,flush,readtocache,resetstats,readseq", {"--statistics"});
  ASSERT_EQ(0, blocks.status) << blocks.errors;
  EXPECT_THAT(blocks.output,
              HasSubstr("rocksdb.block.cache.data.miss COUNT : 0\n"));
  EXPECT_THAT(blocks.output,
              HasSubstr("rocksdb.number.keys.written COUNT : 0\n"));
}

TEST_F(DbBenchTest, FillsOfOtherShapes) {
  const ProgramResult large = Bench("fill100K", {"--num=5000"});
  EXPECT_THAT(LinesWith(large.output, " 5 operations; "), SizeIs(1));
  EXPECT_EQ(KeyCount() * 100'000u, ValueBytes(db()));
  const ProgramResult seeks = Bench("fillseekseq", {"--histogram"});
  EXPECT_THAT(LinesWith(seeks.output, " 1000 operations;"), SizeIs(1));
  EXPECT_THAT(seeks.output, HasSubstr("Microseconds per seek:\nCount: 1000 "));
  EXPECT_EQ(500, KeyCount());
}

TEST_F(DbBenchTest, LevelsAreCompactedOneByOne) {
  const ProgramResult run = Bench(
      "fillseq,flush,overwrite,flush,levelstats,compact0,levelstats,"
      "compact1,compact1,compactall",
      {"--disable_auto_compactions",
       "--level_compaction_dynamic_level_bytes=false"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("compact0: 2 files of level 0\n"));
  EXPECT_THAT(run.output, HasSubstr("\n  0        2 "));
  EXPECT_THAT(run.output, HasSubstr("\n  0        0 "));
  EXPECT_THAT(run.output, HasSubstr("compact1: 1 files of level 1\n"));
  EXPECT_THAT(run.output, HasSubstr("compact1: 0 files of level 1\n"));
  EXPECT_EQ(500, KeyCount());
}

TEST_F(DbBenchTest, HashesNeedNoDatabase) {
  const ProgramResult run =
      Bench("xxhash,xxhash64", {"--block_size=1000000", "--histogram"});
  ASSERT_EQ(0, run.status) << run.errors;
  const auto lines = LinesWith(run.output, " micros/op ");
  ASSERT_THAT(lines, SizeIs(2));
  for (const std::string& line : lines) {
    EXPECT_THAT(line, MatchesRegex("xxhash.* MB/s \\(1000000 per op\\)"));
  }
  EXPECT_THAT(run.output, HasSubstr("Microseconds per hash:"));
  EXPECT_THAT(run.output, Not(HasSubstr("DB path:")));
}

TEST_F(DbBenchTest, ChecksumsAreVerified) {
  ASSERT_EQ(0, Bench("fillseq,flush", {"--file_checksum"}).status);
  const std::string both = "verifychecksum,verifyfilechecksums";
  EXPECT_EQ(0, Bench(both, {"--use_existing_db", "--file_checksum"}).status);
  const ProgramResult unkept =
      Bench("verifyfilechecksums", {"--use_existing_db"});
  EXPECT_EQ(1, unkept.status);
  for (const auto& entry : std::filesystem::directory_iterator(db())) {
    if (entry.path().extension() != ".sst") continue;
    std::fstream file(entry.path(),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(100);
    const char other = static_cast<char>(~file.get());
    file.seekp(100);
    file.put(other);
  }
  for (const char* one : {"verifychecksum", "verifyfilechecksums"}) {
    const ProgramResult damaged =
        Bench(one, {"--use_existing_db", "--file_checksum"});
    EXPECT_EQ(1, damaged.status);
    EXPECT_THAT(damaged.errors, HasSubstr("Corruption"));
  }
}

TEST_F(DbBenchTest, AnExistingDatabaseIsKeptOnlyIfToldSo) {
  ASSERT_EQ(0, Bench("fillseq").status);
  const std::string before = Content();
  ProgramResult run = Bench("fillrandom,readseq", {"--use_existing_db"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output,
              HasSubstr("fillrandom   : skipped (--use_existing_db is true)"));
  EXPECT_EQ(before, Content());
  ASSERT_EQ(0, Bench("readseq").status);
  EXPECT_EQ(0, KeyCount());
}

TEST_F(DbBenchTest, ExistingKeysAreDrawnFromTheDatabase) {
  ASSERT_EQ(0, Bench("fillseq", {"--num=50"}).status);
  const ProgramResult run =
      Bench("readrandom", {"--use_existing_db", "--use_existing_keys"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("(500 of 500 found)"));
}

TEST_F(DbBenchTest, ReadOnlyRefusesToWrite) {
  ASSERT_EQ(0, Bench("fillseq").status);
  EXPECT_EQ(0, Bench("readrandom", {"--use_existing_db", "--readonly"}).status);
  const ProgramResult run =
      Bench("overwrite", {"--use_existing_db", "--readonly"});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("db_bench: "));
}

// Such benchmarks would never end.
TEST_F(DbBenchTest, EmptyBlocksAreRefused) {
  for (const std::string name : {"crc32c", "compress", "uncompress"}) {
    const ProgramResult run = Bench(name, {"--block_size=0"});
    EXPECT_EQ(1, run.status) << name;
    EXPECT_THAT(run.errors, HasSubstr("--block_size: must be at least 1"));
  }
}

TEST_F(DbBenchTest, RepeatedRunsPrintAverages) {
  const ProgramResult run = Bench("fillseq[X3-W1]");
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(LinesWith(run.output, " micros/op "), SizeIs(4));
  EXPECT_THAT(LinesWith(run.output, "fillseq [AVG 2 runs] : "), SizeIs(1));
  EXPECT_THAT(LinesWith(run.output, "fillseq [AVG 3 runs] : "), SizeIs(1));
  const auto last = LinesWith(run.output, "[AVG    3 runs]");
  ASSERT_THAT(last, SizeIs(1));
  EXPECT_THAT(last[0], HasSubstr(" ops/sec; "));
  EXPECT_THAT(last[0], HasSubstr(" ms/op; "));
  EXPECT_THAT(last[0], HasSubstr(" MB/sec"));
  EXPECT_THAT(LinesWith(run.output, "fillseq [MEDIAN 3 runs] : "), SizeIs(1));
}

TEST_F(DbBenchTest, ConfidenceIntervalsReplaceAverages) {
  const ProgramResult run =
      Bench("readrandom[X2]", {"--confidence_interval_only"});
  ASSERT_EQ(0, run.status) << run.errors;
  const auto lines = LinesWith(run.output, "[CI95 2 runs]");
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], MatchesRegex("readrandom \\[CI95 2 runs\\] : "
                                     "\\(-?[0-9]+, [0-9]+\\) ops/sec.*"));
  EXPECT_THAT(LinesWith(run.output, "[AVG 2 runs]"), IsEmpty());
}

TEST_F(DbBenchTest, HistogramsAddUp) {
  const ProgramResult run = Bench("fillseq,readrandom", {"--histogram"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("Microseconds per write:\nCount: 500 "));
  const size_t start = run.output.find("Microseconds per read:\n");
  ASSERT_NE(std::string::npos, start);
  const std::string text = run.output.substr(start);
  EXPECT_THAT(LinesWith(text, "Percentiles: P50: "), SizeIs(1));
  EXPECT_THAT(LinesWith(text, std::string(54, '-')), SizeIs(1));
  unsigned long long total = 0;
  unsigned long long last_high = 0;
  double cumulative = 0.0;
  for (const std::string& line : LinesWith(text, " ] ")) {
    unsigned long long low = 0;
    unsigned long long high = 0;
    unsigned long long count = 0;
    double percent = 0.0;
    ASSERT_EQ(5, sscanf(line.c_str() + 1, "%llu, %llu ] %llu %lf%% %lf%%", &low,
                        &high, &count, &percent, &cumulative))
        << line;
    EXPECT_EQ(low == 0 ? '[' : '(', line[0]);
    EXPECT_LT(low, high);
    EXPECT_GE(low, last_high);
    EXPECT_NEAR(percent, 100.0 * static_cast<double>(count) / 500.0, 0.001);
    last_high = high;
    total += count;
  }
  EXPECT_EQ(500u, total);
  EXPECT_NEAR(100.0, cumulative, 0.01);
}

TEST_F(DbBenchTest, TheReportFileCountsEveryOperation) {
  const std::string report = dir_.File("report.csv");
  const ProgramResult run =
      Bench("fillseq,readrandom,overwrite",
            {"--report_interval_seconds=1", "--report_file=" + report});
  ASSERT_EQ(0, run.status) << run.errors;
  std::ifstream file(report);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ("secs_elapsed,interval_qps", line);
  int seconds = 0;
  int total = 0;
  while (std::getline(file, line)) {
    int elapsed = 0;
    int rate = 0;
    ASSERT_EQ(2, sscanf(line.c_str(), "%d,%d", &elapsed, &rate)) << line;
    EXPECT_EQ(++seconds, elapsed);
    total += rate;
  }
  EXPECT_EQ(1500, total);
}

TEST_F(DbBenchTest, TheReportFileTellsTheLatenciesOfEachInterval) {
  const std::string report = dir_.File("report.csv");
  const ProgramResult run = Bench(
      "fillseq,readrandom", {"--report_interval_seconds=1",
                             "--report_file=" + report, "--report_latencies"});
  ASSERT_EQ(0, run.status) << run.errors;
  std::ifstream file(report);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(
      "secs_elapsed,interval_qps,p50_micros,p99_micros,p99_9_micros,"
      "max_micros",
      line);
  int lines = 0;
  double longest = 0;
  for (; std::getline(file, line); ++lines) {
    double p50 = 0;
    double p99 = 0;
    double p999 = 0;
    double max = 0;
    ASSERT_EQ(4, sscanf(line.c_str(), "%*d,%*d,%lf,%lf,%lf,%lf", &p50, &p99,
                        &p999, &max))
        << line;
    EXPECT_LE(p50, p99);
    EXPECT_LE(p99, p999);
    EXPECT_LE(p999, max);
    longest = std::max(longest, max);
  }
  EXPECT_GE(lines, 1);
  EXPECT_GT(longest, 0.0);
  // No histogram was asked for.
  EXPECT_THAT(run.output, Not(HasSubstr("Percentiles")));
}

TEST_F(DbBenchTest, StatisticsComeLast) {
  const ProgramResult run = Bench("fillseq,readrandom", {"--statistics"});
  ASSERT_EQ(0, run.status) << run.errors;
  const size_t start = run.output.find("STATISTICS:\n");
  ASSERT_NE(std::string::npos, start);
  EXPECT_GT(start, run.output.find("readrandom "));
  EXPECT_THAT(run.output.substr(start),
              HasSubstr("rocksdb.number.keys.written COUNT : 500\n"));
}

TEST_F(DbBenchTest, IntervalsShowWhatThreadsDo) {
  const std::vector<std::string> reports = {"--stats_interval=100",
                                            "--threads=2"};
  const ProgramResult silent = Bench("fillseq,readrandom", reports);
  EXPECT_EQ(silent.status, 0) << silent.errors;
  EXPECT_THAT(silent.errors, HasSubstr("ops/second"));
  EXPECT_THAT(silent.errors, Not(HasSubstr("ThreadID")));
  const ProgramResult shown =
      Bench("fillseq,readrandom", {"--stats_interval=100", "--threads=2",
                                   "--thread_status_per_interval=1"});
  EXPECT_EQ(shown.status, 0) << shown.errors;
  EXPECT_THAT(shown.errors, HasSubstr("ThreadID Type        Family"));
  EXPECT_THAT(shown.errors, HasSubstr(" User "));
}

TEST_F(DbBenchTest, CommandsReportOnTheDatabase) {
  const ProgramResult run = Bench(
      "fillseq,flush,waitforcompaction,stats,levelstats,sstables,"
      "memstats,block_cache_entry_stats,stats_history");
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("\nflush memtable\n"));
  EXPECT_THAT(run.output,
              HasSubstr("waitforcompaction(" + db() + "): finished\n"));
  EXPECT_THAT(run.output, HasSubstr("Level Files Size(MB)"));
  EXPECT_THAT(run.output, HasSubstr("--- level 0 ---"));
  EXPECT_THAT(run.output,
              HasSubstr("\nrocksdb.num-entries-active-mem-table: 0\n"));
  EXPECT_THAT(run.output, HasSubstr("Block cache "));
  EXPECT_THAT(run.output, HasSubstr("\nstats_history: 0 entries\n"));
}

TEST_F(DbBenchTest, PerfContextFollowsTheResult) {
  EXPECT_THAT(Bench("fillseq").output, Not(HasSubstr("PERF_CONTEXT")));
  EXPECT_THAT(Bench("fillseq", {"--perf_level=2"}).output,
              HasSubstr("PERF_CONTEXT:\n"));
}

// The same program on the machine's own RocksDB, which knows fewer options:
// what it does not know is left out unless a value was asked for, and is named
// then.
TEST_F(DbBenchTest, RunsOnTheStockEngineToo) {
  const std::string program =
      std::string(BASALT_BINARY_DIR) + "/bin/db_bench_stock";
  if (!std::filesystem::exists(program)) {
    GTEST_SKIP() << "no RocksDB is installed here, or not for this build";
  }
  const std::vector<std::string> arguments = {"--benchmarks=fillseq,readrandom",
                                              "--num=100", "--db=" + db()};
  ProgramResult run = RunProgram("db_bench_stock", arguments);
  EXPECT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(LinesWith(run.output, " micros/op "), SizeIs(2));
  for (const char* flag : {"universal_max_read_amp", "fresh_level0_bytes"}) {
    std::vector<std::string> more = arguments;
    more.push_back("--" + std::string(flag) + "=5");
    run = RunProgram("db_bench_stock", more);
    EXPECT_EQ(0, run.status) << run.errors;
    EXPECT_THAT(run.errors, HasSubstr("--" + std::string(flag) + ": option "));
  }
}

struct Refusal {
  std::vector<std::string> arguments;
  const char* message;
};

class DbBenchRefusalTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(DbBenchRefusalTest, EndsWithStatusOneAndNamesTheFault) {
  const TempDir dir("db_bench");
  std::vector<std::string> arguments = {"--db=" + dir.File("db"), "--num=10",
                                        "--benchmarks=fillseq"};
  const Refusal& refusal = GetParam();
  arguments.insert(arguments.end(), refusal.arguments.begin(),
                   refusal.arguments.end());
  const ProgramResult run = RunProgram("db_bench", arguments);
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr(refusal.message));
  EXPECT_THAT(LinesWith(run.output, " micros/op "), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, DbBenchRefusalTest,
    ::testing::Values(
        Refusal{{"--no_such_flag"}, "unknown command line flag"},
        Refusal{{"--value_sise=7"}, "the nearest is --value_size\n"},
        Refusal{{"--reads", "-1", "--compresion_type", "none"},
                "'compresion_type'; the nearest is --compression_type\n"},
        Refusal{{"--nohistogran"}, "'nohistogran'"},
        Refusal{{"--index_block_search_type=any"},
                "--index_block_search_type=any"},
        Refusal{{"--num=ten"}, "'ten'"}, Refusal{{"--num=0"}, "--num=0"},
        Refusal{{"fillseq"}, "fillseq: not a flag"},
        Refusal{{"--value_size=-1"}, "--value_size=-1"},
        Refusal{{"--threads=0"}, "--threads=0"},
        Refusal{{"--key_size=1", "--num=1000"}, "--key_size=1"},
        Refusal{{"--compression_ratio=1.5"}, "--compression_ratio"},
        Refusal{{"--cache_type=fast"}, "--cache_type=fast"},
        Refusal{{"--benchmarks=fillseq,nosuch"},
                "unknown benchmark 'nosuch'\n"},
        Refusal{{"--benchmarks="}, "--benchmarks"},
        Refusal{{"--benchmarks=fillseq[X0]"}, "fillseq[X0]"},
        Refusal{{"--benchmarks=fillseq[Y2]"}, "fillseq[Y2]"},
        Refusal{{"--benchmarks=fillseq[X2"}, "fillseq[X2"},
        Refusal{{"--benchmarks=fillseq,readwhilemerging"}, "--merge_operator"},
        Refusal{{"--benchmarks=fillseq,mergerandom"}, "--merge_operator"},
        Refusal{{"--readwritepercent=101"}, "--readwritepercent=101"},
        Refusal{{"--deletepercent=-1"}, "--deletepercent=-1"},
        Refusal{{"--mergereadpercent=101"}, "--mergereadpercent=101"},
        Refusal{{"--merge_keys=0"}, "--merge_keys=0"},
        Refusal{{"--numdistinct=0"}, "--numdistinct=0"},
        Refusal{{"--row_cache_size=-1"}, "--row_cache_size=-1"},
        Refusal{{"--merge_operator=nosuch"},
                "invalid merge operator[nosuch]: "},
        Refusal{{"--compression_type=nosuch"},
                "Cannot parse compression type 'nosuch'\n"},
        Refusal{{"--blob_compression_type=nosuch"},
                "Cannot parse compression type 'nosuch'\n"},
        Refusal{{"--value_size_distribution_type=x"},
                "Cannot parse distribution type 'x'\n"},
        Refusal{{"--prepopulate_block_cache=7"},
                "Unknown prepopulate block cache mode: 7\n"},
        Refusal{{"--index_shortening_mode=9"},
                "Unknown key shortening mode: 9\n"},
        Refusal{{"--memtablerep=nosuch"}, "Could not create memtable factory"},
        Refusal{{"--checksum_type=77"}, "--checksum_type=77"},
        Refusal{{"--max_bytes_for_level_multiplier_additional=x"},
                "--max_bytes_for_level_multiplier_additional=x"},
        Refusal{{"--sync", "--disable_wal"}, "--sync"},
        Refusal{{"--readonly"}, "--readonly"},
        Refusal{{"--use_existing_keys"}, "--use_existing_keys"},
        Refusal{{"--use_existing_db"}, "open error: Invalid argument: "},
        Refusal{{"--options_file=/no/such/file"}, "/no/such/file"},
        Refusal{{"--rate_limiter_refill_period_us=0"},
                "--rate_limiter_refill_period_us=0"},
        Refusal{{"--report_latencies"}, "--report_interval_seconds"},
        Refusal{{"--report_interval_seconds=1", "--report_file=/no/such/x"},
                "--report_file=/no/such/x"}));

TEST_F(DbBenchTest, BackupsAreRestored) {
  const std::string backup = "--backup_dir=" + dir_.File("backup");
  ProgramResult run = Bench("fillseq,backup", {backup});
  EXPECT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(LinesWith(run.output, " micros/op "), SizeIs(2));
  const std::string content = Content();
  run = Bench("overwrite,restore", {backup, "--use_existing_db",
                                    "--restore_dir=" + dir_.File("back"),
                                    "--restore_rate_limit=100000000"});
  EXPECT_EQ(0, run.status) << run.errors;
  EXPECT_NE(content, Content());
  std::filesystem::remove_all(db());
  std::filesystem::rename(dir_.File("back"), db());
  EXPECT_EQ(content, Content());
  run = Bench("fillseq,backup");
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("--backup_dir"));
}

// Options of the engine that have a flag of their name.
TEST_F(DbBenchTest, LaterOptionsReachTheEngine) {
  const ProgramResult run = Bench(
      "fillseq,compact,readrandom",
      {"--separate_key_value_in_data_block", "--use_data_block_hash_index",
       "--index_block_search_type=auto", "--uniform_cv_threshold=0.5",
       "--memtable_batch_lookup_optimization", "--prepopulate_block_cache=1",
       "--preserve_internal_time_seconds=100"});
  EXPECT_EQ(0, run.status) << run.errors;
  std::ostringstream options;
  for (const auto& entry : std::filesystem::directory_iterator(db())) {
    if (entry.path().filename().string().starts_with("OPTIONS-")) {
      options << std::ifstream(entry.path()).rdbuf();
    }
  }
  for (const char* line :
       {"separate_key_value_in_data_block=true",
        "data_block_index_type=kDataBlockBinaryAndHash",
        "index_block_search_type=kAuto", "uniform_cv_threshold=0.5",
        "memtable_batch_lookup_optimization=true",
        "prepopulate_block_cache=kFlushOnly",
        "preserve_internal_time_seconds=100"}) {
    EXPECT_THAT(options.str(), HasSubstr(line));
  }
}

TEST_F(DbBenchTest, EveryOptionIsSaidToHaveAnEffect) {
  const ProgramResult help = RunProgram("db_bench", {"--helpmatch=option"});
  for (const std::string flag :
       {"use_adaptive_mutex", "universal_reduce_file_locking"}) {
    EXPECT_THAT(help.output, HasSubstr("-" + flag + " ("));
  }
  EXPECT_THAT(help.output, Not(HasSubstr("No effect")));
}

TEST_F(DbBenchTest, WhatItTracesIsReplayed) {
  const std::string trace = "--trace_file=" + dir_.File("trace");
  ProgramResult run = Bench("fillrandom", {trace});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("Tracing the workload to: ["));
  const std::string content = Content();
  ASSERT_GT(KeyCount(), 100);
  run = Bench("replay", {trace, "--trace_replay_fast_forward=1000"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(LinesWith(run.output, "replay"), SizeIs(1));
  EXPECT_EQ(Content(), content);
  const int keys = KeyCount();
  // Which of two writes of a key comes last is open then.
  run = Bench("replay", {trace, "--trace_replay_fast_forward=1000",
                         "--trace_replay_threads=2"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_EQ(KeyCount(), keys);
  run = Bench("replay");
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("--trace_file"));
  run = Bench("replay", {trace, "--trace_replay_fast_forward=0"});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("fast forward"));
}

TEST_F(DbBenchTest, LookupsInFamiliesAreReplayed) {
  const std::vector<std::string> traced = {"--trace_file=" + dir_.File("trace"),
                                           "--num_column_families=3",
                                           "--trace_replay_fast_forward=1000"};
  ProgramResult run = Bench("fillseq,readrandom", traced);
  ASSERT_EQ(0, run.status) << run.errors;
  // The trace is that of the last benchmark.
  std::vector<std::string> replaying = traced;
  replaying.push_back("--use_existing_db");
  run = Bench("replay", replaying);
  EXPECT_EQ(0, run.status) << run.errors;
  EXPECT_THAT(run.errors, Not(HasSubstr("operations failed")));
  EXPECT_THAT(LinesWith(run.output, " 500 operations;"), SizeIs(1));
}

TEST_F(DbBenchTest, TracesTheBlockCache) {
  const std::string path = dir_.File("blocks");
  ProgramResult run = Bench(
      "fillseq,compact,readrandom",
      {"--block_cache_trace_file=" + path, "--cache_index_and_filter_blocks"});
  ASSERT_EQ(0, run.status) << run.errors;
  // The last benchmark's trace is what stays.
  const auto whole = std::filesystem::file_size(path);
  EXPECT_GT(whole, 10'000u);
  run = Bench("readrandom",
              {"--use_existing_db", "--block_cache_trace_file=" + path,
               "--block_cache_trace_max_trace_file_size_in_bytes=1000"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_LT(std::filesystem::file_size(path), 2000u);
  run = Bench("readrandom",
              {"--use_existing_db", "--block_cache_trace_file=" + path,
               "--block_cache_trace_sampling_frequency=1000000000"});
  ASSERT_EQ(0, run.status) << run.errors;
  EXPECT_LT(std::filesystem::file_size(path), 100u);
  run = Bench("readrandom",
              {"--use_existing_db", "--block_cache_trace_file=" + path,
               "--block_cache_trace_sampling_frequency=0"});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("sampling"));
}

TEST_F(DbBenchTest, OutputThatIsLostIsAFailure) {
  const ProgramResult run = RunProgram(
      "/bin/sh", {"-c", "'" + std::string(BASALT_BINARY_DIR) +
                            "/bin/db_bench' --benchmarks=fillseq --num=10 "
                            "--db='" +
                            db() + "' > /dev/full"});
  EXPECT_EQ(1, run.status);
  EXPECT_THAT(run.errors, HasSubstr("standard output could not be written"));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
