// benchmark_compare.sh: which jobs it runs with which flags, what it makes of
// their reports, and what it refuses. db_bench is a script here, which writes
// down how it was called and prints a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string ContentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class BenchmarkCompareTest : public ::testing::Test {
 protected:
  BenchmarkCompareTest() {
    std::filesystem::create_directory(db());
    std::filesystem::create_directory(bin());
  }
  std::string db() const { return dir_.File("db"); }
  std::string bin() const { return dir_.File("bin"); }
  std::string out(const std::string& name) const {
    return dir_.File("out/" + name);
  }

  // db_bench.<version>, which tells of `ops_per_second`. `also` is what it does
  // in between: it finds the first benchmark in $first.
  void MakeBench(const std::string& version, const std::string& ops_per_second,
                 const std::string& also = "") const {
    const std::string path = bin() + "/db_bench." + version;
    std::ofstream(path)
        << "#!/bin/bash\n"
           "for word in \"$@\"; do\n"
           "  case $word in --benchmarks=*) first=${word#*=} ;; esac\n"
           "done\n"
           "first=${first%%,*}\n"
           "echo "
        << version << " $(ls '" << db()
        << "' | wc -l) \"$*\" >> calls\n"
           "touch '"
        << db() << "/000007.log'\n"
        << also << "\necho \"$first : 2.500 micros/op " << ops_per_second
        << " ops/sec 0.500 seconds 200000 operations; 44.2 MB/s\"\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ProgramResult Compare(const std::string& settings,
                        const std::string& versions) const {
    return RunProgram(
        "/bin/bash",
        {"-c", "cd '" + bin() + "' && " + settings + " '" + BASALT_SOURCE_DIR +
                   "/tools/benchmark_compare.sh' '" + db() + "' '" +
                   dir_.File("out") + "' " + versions});
  }
  // How db_bench was called: the version, how many files the database had
  // then, and the flags.
  std::vector<std::string> Calls(const std::string& part) const {
    return LinesWith(ContentOf(bin() + "/calls"), part);
  }
  // Each line of the summary by its words `test`, `ops_sec` and `job_id`.
  std::vector<std::string> Summary() const {
    std::vector<std::string> lines;
    std::ifstream file(out("summary.tsv"));
    for (std::string line; std::getline(file, line);) {
      std::vector<std::string> words;
      std::istringstream stream(line);
      for (std::string word; std::getline(stream, word, '\t');) {
        words.push_back(word);
      }
      lines.push_back(words.size() < 27
                          ? line
                          : words[23] + " " + words[0] + " " + words[26]);
    }
    return lines;
  }

  const TempDir dir_{"benchmark_compare"};
};

TEST_F(BenchmarkCompareTest, RowsOfOneTestStandTogether) {
  MakeBench("old", "400000");
  MakeBench("new", "500000");
  const ProgramResult run = Compare("NUM_THREADS=4", "old new");
  ASSERT_EQ(0, run.status) << run.errors;
  std::vector<std::string> wanted;
  for (const char* test :
       {"fillseq.wal_disabled.v400", "revrange.t1", "readrandom.t4",
        "fwdrange.t4", "multireadrandom.t4", "overwritesome.t4.s1",
        "revrangewhilewriting.t4", "fwdrangewhilewriting.t4",
        "readwhilewriting.t4", "overwriteandwait.t4.s1"}) {
    wanted.push_back("test ops_sec job_id");
    wanted.push_back(std::string(test) + " 400000 old");
    wanted.push_back(std::string(test) + " 500000 new");
  }
  EXPECT_EQ(wanted, Summary());
  // The columns are those of the reports.
  EXPECT_EQ(LinesWith(ContentOf(out("old/report.tsv")), "ops_sec")[0],
            LinesWith(ContentOf(out("summary.tsv")), "ops_sec")[0]);
  EXPECT_EQ("db_bench.new",
            std::filesystem::read_symlink(bin() + "/db_bench").string());
}

TEST_F(BenchmarkCompareTest, JobsHaveTheirFlags) {
  MakeBench("x", "400000");
  ASSERT_EQ(0, Compare("", "x").status);
  EXPECT_THAT(Calls(""), SizeIs(12)) << "11 jobs and what the last may be";
  const auto one = [this](const std::string& benchmarks) {
    const auto calls = Calls("--benchmarks=" + benchmarks + " ");
    EXPECT_THAT(calls, SizeIs(1)) << benchmarks;
    return calls.empty() ? "" : calls[0];
  };
  EXPECT_THAT(one("fillseq,stats"),
              AllOf(HasSubstr("--num=1000000 --key_size=20 --value_size=400 "),
                    HasSubstr("--threads=1 "), HasSubstr("--disable_wal=1 "),
                    HasSubstr("--compression_type=lz4 "),
                    HasSubstr("--subcompactions=1 "),
                    HasSubstr("--write_buffer_size=33554432 "),
                    HasSubstr("--target_file_size_base=33554432 "),
                    HasSubstr("--max_bytes_for_level_base=134217728 "),
                    HasSubstr("--max_background_jobs=8 "),
                    HasSubstr("--stats_interval_seconds=20 ")));
  EXPECT_THAT(one("readrandom,stats"),
              AllOf(HasSubstr("--threads=16 "), HasSubstr("--duration=65 "),
                    HasSubstr("--benchmark_write_rate_limit=0 ")));
  EXPECT_THAT(
      one("multireadrandom,stats"),
      AllOf(HasSubstr("--batch_size=10 "), HasSubstr("--multiread_batched")));
  EXPECT_THAT(one("overwrite,stats"), HasSubstr("--duration=65 "));
  EXPECT_THAT(one("overwrite,waitforcompaction,stats"),
              HasSubstr("--duration=65 "));
  EXPECT_THAT(one("readwhilewriting,stats"),
              HasSubstr("--benchmark_write_rate_limit=2097152 "));
  EXPECT_THAT(Calls("flush,waitforcompaction,compact0"), SizeIs(1));
  for (const auto& [benchmark, count] :
       std::vector<std::pair<std::string, size_t>>{
           {"seekrandom,stats", 2}, {"seekrandomwhilewriting,stats", 2}}) {
    const auto calls = Calls("--benchmarks=" + benchmark);
    ASSERT_THAT(calls, SizeIs(count)) << benchmark;
    EXPECT_NE(calls[0].find("--reverse_iterator=true"), std::string::npos);
    EXPECT_NE(calls[1].find("--reverse_iterator=false"), std::string::npos);
  }
  EXPECT_THAT(Calls("seekrandom,stats")[0],
              AllOf(HasSubstr("--num=100 "), HasSubstr("--threads=1 "),
                    HasSubstr("--duration=300 ")));
}

TEST_F(BenchmarkCompareTest, TheEnvironmentDecides) {
  // It does not know how to wait, and keeps what it finds to itself.
  MakeBench("x", "400000", "[[ $first != waitforcompaction ]] || exit 1");
  ASSERT_EQ(0, Compare("DURATION_RW=7 DURATION_RO=8 NUM_KEYS=50 KEY_SIZE=8 "
                       "VALUE_SIZE=9 MB_WRITE_PER_SEC=1 CI_TESTS_ONLY=true "
                       "COMPRESSION_TYPE=zstd CACHE_SIZE_MB=3 JOB_ID=mine "
                       "USE_O_DIRECT=1 COMPACTION_STYLE=universal "
                       "LEVEL0_STOP_WRITES_TRIGGER=77",
                       "x")
                   .status);
  EXPECT_THAT(
      Summary(),
      ElementsAre("test ops_sec job_id", "fillseq.wal_disabled.v9 400000 mine",
                  "test ops_sec job_id", "revrange.t1 400000 mine",
                  "test ops_sec job_id", "readrandom.t16 400000 mine",
                  "test ops_sec job_id", "overwritesome.t16.s1 400000 mine",
                  "test ops_sec job_id", "readwhilewriting.t16 400000 mine",
                  "test ops_sec job_id", "overwrite.t16.s1 400000 mine"));
  for (const std::string& call : Calls("--report_file")) {
    EXPECT_THAT(call, AllOf(HasSubstr("--key_size=8 --value_size=9 "),
                            HasSubstr("--compression_type=zstd "),
                            HasSubstr("--cache_size=3145728 "),
                            HasSubstr("--use_direct_reads "),
                            HasSubstr("--compaction_style=1 "),
                            HasSubstr("--level0_stop_writes_trigger=77 ")));
  }
  EXPECT_THAT(Calls("readrandom,stats")[0],
              AllOf(HasSubstr("--num=50 "), HasSubstr("--duration=8 ")));
  EXPECT_THAT(Calls("readwhilewriting,stats")[0],
              AllOf(HasSubstr("--benchmark_write_rate_limit=1048576 "),
                    HasSubstr("--duration=7 ")));
}

TEST_F(BenchmarkCompareTest, EachVersionBeginsWithAnEmptyDirectory) {
  MakeBench("a", "1");
  MakeBench("b", "2");
  std::ofstream(db() + "/CURRENT") << "MANIFEST-000001\n";
  std::ofstream(db() + "/000009.sst") << "of a run before\n";
  std::filesystem::create_directory(db() + "/kept");
  ASSERT_EQ(0, Compare("CI_TESTS_ONLY=true", "a b").status);
  // The directory alone, then what each has left.
  EXPECT_THAT(Calls("a 1 "), SizeIs(1));
  EXPECT_THAT(Calls("b 1 "), SizeIs(1));
  EXPECT_THAT(Calls("a 2 "), SizeIs(7));
  EXPECT_TRUE(std::filesystem::exists(db() + "/kept"));
}

TEST_F(BenchmarkCompareTest, WhatFailsIsTold) {
  MakeBench("good", "1");
  MakeBench("bad", "2", "[[ $first != readrandom ]] || exit 1");
  EXPECT_EQ(5, Compare("CI_TESTS_ONLY=true", "good bad").status);
  const std::vector<std::string> lines = Summary();
  const auto found =
      std::find(lines.begin(), lines.end(), "readrandom.t16 1 good");
  ASSERT_NE(lines.end(), found);
  EXPECT_EQ("failed\treadrandom.t16", *(found + 1));
  EXPECT_EQ("test ops_sec job_id", *(found + 2)) << "and so on";
}

TEST_F(BenchmarkCompareTest, Refuses) {
  const auto refused = [this](const std::string& settings,
                              const std::string& versions) {
    const ProgramResult run = Compare(settings, versions);
    EXPECT_EQ(1, run.status) << settings << versions;
    EXPECT_THAT(Calls(""), SizeIs(0));
    return run.errors;
  };
  EXPECT_THAT(refused("", "x"), HasSubstr("there is no ./db_bench.x"));
  MakeBench("x", "1");
  EXPECT_THAT(refused("", ""), HasSubstr("usage: "));
  EXPECT_THAT(refused("", "x y"), HasSubstr("there is no ./db_bench.y"));
  EXPECT_THAT(refused("CI_TESTS_ONLY=1", "x"), HasSubstr("CI_TESTS_ONLY=1"));
  EXPECT_THAT(refused("CACHE_SIZE_MB=a", "x"), HasSubstr("CACHE_SIZE_MB=a"));
  // Nothing of the user's goes.
  std::ofstream(db() + "/thesis.txt") << "years of work\n";
  std::ofstream(db() + "/000009.sst") << "a table\n";
  EXPECT_THAT(refused("", "x"), HasSubstr("thesis.txt"));
  EXPECT_EQ("a table\n", ContentOf(db() + "/000009.sst"));
  std::filesystem::remove(db() + "/thesis.txt");
  std::ofstream(bin() + "/db_bench") << "a program\n";
  EXPECT_THAT(refused("", "x"), HasSubstr("it would be lost"));
  EXPECT_EQ("a program\n", ContentOf(bin() + "/db_bench"));
  const ProgramResult help = RunProgram(
      "/bin/bash",
      {std::string(BASALT_SOURCE_DIR) + "/tools/benchmark_compare.sh",
       "--help"});
  EXPECT_EQ(0, help.status);
  EXPECT_THAT(help.output, HasSubstr("usage: "));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
