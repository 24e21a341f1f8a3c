// compaction_simulator: its table, its flags, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kName[] = "compaction_simulator";

// The figures of the only row.
struct Row {
  double write = 0, read = 0, most_read = 0, space = 0, most_space = 0;
  int compactions = 0;
};
Row RowOf(const std::vector<std::string>& arguments) {
  const ProgramResult run = RunProgram(kName, arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  std::istringstream lines(run.output);
  std::string head;
  std::getline(lines, head);
  EXPECT_THAT(head, HasSubstr("write"));
  Row row;
  lines >> row.write >> row.read >> row.most_read >> row.space >>
      row.most_space >> row.compactions;
  EXPECT_TRUE(lines.good()) << run.output;
  return row;
}

TEST(CompactionSimulatorProgram, PrintsARowForEachPolicy) {
  const std::string wide = "level0_file_num_compaction_trigger=9";
  const ProgramResult run =
      RunProgram(kName, {"--data_mb=108", "--flush_mb=1", "", wide});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(LinesWith(run.output, "(default)").size(), 1u);
  EXPECT_EQ(LinesWith(run.output, wide).size(), 1u);
  const Row narrow = RowOf({"--data_mb=108", "--flush_mb=1"});
  const Row rare = RowOf({"--data_mb=108", "--flush_mb=1", wide});
  EXPECT_LT(rare.write, narrow.write);
  EXPECT_GT(rare.read, narrow.read);
  EXPECT_GT(narrow.write, 1);
  EXPECT_GE(narrow.most_read, narrow.read);
  EXPECT_GE(narrow.space, 1);
  EXPECT_GE(narrow.most_space, narrow.space);
  EXPECT_GT(narrow.compactions, 0);
}

TEST(CompactionSimulatorProgram, FlagsHaveAnEffect) {
  const std::vector<std::string> base = {"--data_mb=200", "--flush_mb=2"};
  const Row plain = RowOf(base);
  const auto with = [&](const std::string& flag) {
    std::vector<std::string> arguments = base;
    arguments.push_back(flag);
    return RowOf(arguments);
  };
  EXPECT_EQ(with("--flushes=100").compactions, plain.compactions);
  EXPECT_LT(with("--flushes=50").compactions, plain.compactions);
  EXPECT_LT(with("--keys=zipfian").write, plain.write);
  EXPECT_GE(with("--keys=sequential").space, plain.space);
  EXPECT_GT(RowOf({"--data_mb=400", "--flush_mb=2"}).compactions,
            plain.compactions);
  std::vector<std::string> steep = base;
  steep.insert(steep.end(), {"--keys=zipfian", "--zipf_theta=1.5"});
  EXPECT_LT(RowOf(steep).write, with("--keys=zipfian").write);
  steep.push_back("--entry_bytes=65536");
  EXPECT_LT(RowOf(steep).space, with("--keys=zipfian").space);
}

TEST(CompactionSimulatorProgram, Help) {
  const ProgramResult run = RunProgram(kName, {"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.output, StartsWith("usage: compaction_simulator"));
}

TEST(CompactionSimulatorProgram, RefusesWhatItDoesNotKnow) {
  for (const char* argument :
       {"--flushes=0", "--flushes=-1", "--flushes=ten", "--flushes",
        "--flushes=", "--data_mb=1x", "--data_mb=99999999999999999999",
        "--flush_spread=2", "--zipf_theta=-1", "--keys=some", "--none=1",
        "compaction_style=kCompactionStyleLevel", "no_option=1"}) {
    const ProgramResult run = RunProgram(kName, {argument});
    EXPECT_EQ(run.status, 2) << argument;
    EXPECT_THAT(run.errors, StartsWith("compaction_simulator: ")) << argument;
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
