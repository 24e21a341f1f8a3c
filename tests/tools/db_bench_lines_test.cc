// The lines of db_bench that scripts for RocksDB's read, word by word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rocksdb/version.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class DbBenchLinesTest : public ::testing::Test {
 protected:
  ProgramResult Bench(const std::string& benchmarks,
                      std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"--benchmarks=" + benchmarks, "--db=" + dir_.File("db"),
                 "--num=500", "--compression_type=none"});
    const ProgramResult run = RunProgram("db_bench", more);
    EXPECT_EQ(0, run.status) << run.errors;
    return run;
  }

  const TempDir dir_{"db_bench_lines"};
};

// The line behind the one that begins with `begin`.
std::string LineAfter(const std::string& text, const std::string& begin) {
  const size_t at = text.find("\n" + begin);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no line begins with " << begin << " in " << text;
    return "";
  }
  const size_t next = text.find('\n', at + 1) + 1;
  return text.substr(next, text.find('\n', next) - next);
}

TEST_F(DbBenchLinesTest, TheHead) {
  const std::string begin =
      "Initializing RocksDB Options from the specified file\n"
      "Initializing RocksDB Options from command-line flags\n"
      "Integrated BlobDB: blob cache ";
  ProgramResult run =
      Bench("fillseq", {"--seed=1", "--prefix_size=4", "--keys_per_prefix=7"});
  EXPECT_THAT(run.output, HasSubstr(begin + "disabled\nKeys:  "));
  EXPECT_THAT(run.output, HasSubstr("\nEntries:    500\n"
                                    "Prefix:    4 bytes\n"
                                    "Keys per prefix:    7\n"
                                    "RawSize:    "));
  EXPECT_THAT(run.errors,
              StartsWith("RocksDB:    version " + GetRocksVersionAsString()));
  EXPECT_THAT(LinesWith(run.errors, "Date:       "), SizeIs(1));
  run = Bench("fillseq", {"--use_blob_cache"});
  EXPECT_THAT(run.output,
              HasSubstr(begin + "enabled, block and blob caches shared: 1, "
                                "blob cache prepopulated: 0\n"));
  run = Bench("fillseq", {"--use_blob_cache", "--blob_cache_size=1000000",
                          "--nouse_shared_block_and_blob_cache",
                          "--prepopulate_blob_cache=1"});
  EXPECT_THAT(run.output,
              HasSubstr(begin + "enabled, block and blob caches shared: 0, "
                                "blob cache size 1000000, blob cache num shard "
                                "bits: 6, blob cache prepopulated: 1\n"));
}

TEST_F(DbBenchLinesTest, AnEmptyLineFollowsWhatLooksForKeys) {
  const ProgramResult run = Bench(
      "fillseq,readrandom,seekrandom,readmissing,multireadrandom,readseq");
  for (const char* name : {"readrandom", "seekrandom", "readmissing"}) {
    EXPECT_EQ("", LineAfter(run.output, name)) << name;
  }
  for (const char* name : {"fillseq", "multireadrandom"}) {
    EXPECT_THAT(LineAfter(run.output, name), StartsWith("DB path: [")) << name;
  }
}

TEST_F(DbBenchLinesTest, RepeatedRuns) {
  const ProgramResult run = Bench("fillseq[X2]");
  EXPECT_THAT(LinesWith(run.output, "DB path: ["), SizeIs(1));
  EXPECT_EQ("Running benchmark for 2 times",
            LineAfter(run.output, "DB path: ["));
  const size_t end = run.output.find("\n\nfillseq [AVG    2 runs] : ");
  ASSERT_NE(std::string::npos, end) << run.output;
  EXPECT_THAT(
      run.output.substr(end),
      MatchesRegex("\n\nfillseq \\[AVG    2 runs\\] : [0-9]+ \\(.. [0-9]+\\) "
                   "ops/sec; [0-9]+\\.[0-9][0-9][0-9] ms/op; +[0-9]+\\.[0-9] "
                   "\\(.. [0-9]+\\.[0-9]\\) MB/sec\n"
                   "fillseq \\[MEDIAN 2 runs\\] : [0-9]+ ops/sec; +[0-9]+"
                   "\\.[0-9] MB/sec\n"));
  // Without bytes there is no rate of them.
  const ProgramResult seeks = Bench("seekrandom[X2]", {"--use_existing_db"});
  EXPECT_THAT(LinesWith(seeks.output, "AVG    2 runs")[0],
              MatchesRegex(".* ops/sec; [0-9.]+ ms/op"));
  EXPECT_THAT(LinesWith(seeks.output, "MEDIAN 2 runs")[0],
              MatchesRegex(".* : [0-9]+ ops/sec"));
}

TEST_F(DbBenchLinesTest, ProgressAndIntervals) {
  ProgramResult run = Bench("fillseq");
  EXPECT_THAT(run.errors,
              HasSubstr("... finished 100 ops" + std::string(30, ' ') + "\r"));
  run = Bench("fillseq", {"--stats_interval=100"});
  const auto lines = LinesWith(run.errors, " ops/second in (");
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(
      lines[0],
      MatchesRegex("[0-9]+/[0-9]+/[0-9]+-[0-9]+:[0-9]+:[0-9]+  \\.\\.\\. "
                   "thread 0: \\(100,100\\) ops and \\([0-9.]+,[0-9.]+\\) "
                   "ops/second in \\([0-9.]+,[0-9.]+\\) seconds"));
  EXPECT_THAT(run.errors, Not(HasSubstr("... finished")));
}

TEST_F(DbBenchLinesTest, ListsOfTables) {
  const ProgramResult run = Bench("fillseq,flush,sstables");
  EXPECT_THAT(LinesWith(run.output, "--- level 0 --- version# ")[0],
              MatchesRegex("--- level 0 --- version# [0-9]+ ---"));
  EXPECT_THAT(
      LineAfter(run.output, "--- level 0 ---"),
      MatchesRegex(" [0-9]+:[0-9]+\\[1 \\.\\. 500\\]\\['0+3030303030303030' "
                   "seq:1, type:1 \\.\\. '[0-9A-F]+' seq:500, type:1"
                   "\\]\\(0\\)"));
}

TEST_F(DbBenchLinesTest, Versions) {
  EXPECT_EQ("db_bench version " + GetRocksVersionAsString() + "\n",
            Bench("fillseq", {"--version"}).output);
  const ProgramResult run = Bench("fillseq", {"--build_info"});
  EXPECT_THAT(run.output, StartsWith(" (RocksDB) "));
  for (const char* name : {"date", "git_sha"}) {
    EXPECT_THAT(
        LinesWith(run.output, std::string("    rocksdb_build_") + name + ": "),
        SizeIs(1));
  }
}

// What the lines of the report of benchmark.sh are, and the events of a stall.
TEST_F(DbBenchLinesTest, StatisticsOfAFamilyAndOfTheDatabase) {
  const ProgramResult run = Bench("fillseq,flush,stats");
  for (const char* pattern :
       {"^ Sum      1/0  +[0-9.]+ KB   0\\.0 .*",
        "Blob file count: 0, total size: 0\\.0 GB, garbage size: 0\\.0 GB, "
        "space amp: 0\\.0",
        "Uptime\\(secs\\): [0-9.]+ total, [0-9.]+ interval",
        "Flush\\(GB\\): cumulative 0\\.[0-9]+, interval 0\\.[0-9]+",
        "AddFile\\(Keys\\): cumulative 0, interval 0",
        "Cumulative compaction: [0-9.]+ GB write, [0-9.]+ MB/s write, [0-9.]+ "
        "GB read, [0-9.]+ MB/s read, [0-9.]+ seconds",
        "Cumulative writes: 500 writes, 500 keys, [0-9]+ commit groups, "
        "[0-9.]+ writes per commit group, ingest: 0\\.00 GB, [0-9.]+ MB/s",
        "Cumulative stall: 00:00:0\\.000 H:M:S, 0\\.0 percent"}) {
    const std::string text = pattern;
    const std::string words = text.substr(text[0] == '^' ? 1 : 0, 4);
    bool is_there = false;
    for (const std::string& line : LinesWith(run.output, words)) {
      is_there = is_there || ::testing::Matches(MatchesRegex(
                                 text[0] == '^' ? text.substr(1) : text))(line);
    }
    EXPECT_TRUE(is_there) << pattern << "\n" << run.output;
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
