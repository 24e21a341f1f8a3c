// ldb and sst_dump as parts of other programs: the classes, and what a program
// that derives commands of its own relies on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/ldb_tool.h"
#include "rocksdb/sst_dump_tool.h"
#include "rocksdb/utilities/ldb_cmd.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Words = std::vector<std::string>;

// What is printed while this is there.
class Captured {
 public:
  Captured() {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  ~Captured() {
    if (!is_taken_) Take();
  }
  void Take() {
    is_taken_ = true;
    output = ::testing::internal::GetCapturedStdout();
    errors = ::testing::internal::GetCapturedStderr();
  }
  std::string output, errors;

 private:
  bool is_taken_ = false;
};

std::vector<char*> Pointers(Words* words) {
  std::vector<char*> pointers;
  for (std::string& word : *words) pointers.push_back(word.data());
  return pointers;
}

int RunLdbTool(Words words, const LDBOptions& ldb_options = LDBOptions(),
               const std::vector<ColumnFamilyDescriptor>* families = nullptr) {
  words.insert(words.begin(), "ldb");
  std::vector<char*> argv = Pointers(&words);
  return LDBTool().RunAndReturn(static_cast<int>(argv.size()), argv.data(),
                                Options(), ldb_options, families);
}

int RunSstDumpTool(Words words, const Options& options = Options()) {
  words.insert(words.begin(), "sst_dump");
  const std::vector<char*> argv = Pointers(&words);
  return SSTDumpTool().Run(static_cast<int>(argv.size()), argv.data(), options);
}

TEST(LdbLibraryTest, ResultsHaveAStateAndAText) {
  LDBCommandExecuteResult result;
  EXPECT_TRUE(result.IsNotStarted());
  EXPECT_EQ("Not started: ", result.ToString());
  result = LDBCommandExecuteResult::Failed("no");
  EXPECT_TRUE(result.IsFailed());
  EXPECT_FALSE(result.IsSucceed());
  EXPECT_EQ("Failed: no", result.ToString());
  result = LDBCommandExecuteResult::Succeed("yes");
  EXPECT_TRUE(result.IsSucceed());
  EXPECT_EQ("yes", result.ToString());
  result.Reset();
  EXPECT_TRUE(result.IsNotStarted());
  EXPECT_EQ("Not started: ", result.ToString());
  EXPECT_EQ(0, LDBCommandExecuteResult::EXEC_NOT_STARTED);
  EXPECT_EQ(1, LDBCommandExecuteResult::EXEC_SUCCEED);
  EXPECT_EQ(2, LDBCommandExecuteResult::EXEC_FAILED);
}

TEST(LdbLibraryTest, WordsAreOptionsFlagsOrParameters) {
  LDBCommand::ParsedParams params;
  Words words;
  for (const char* word :
       {"--a=1", "--b", "--c=", "--d=x=y", "-e", "get", "--a=2", "--"}) {
    LDBCommand::ParseSingleParam(word, params, words);
  }
  EXPECT_EQ((std::map<std::string, std::string>{{"a", "2"}, {"d", "x=y"}}),
            params.option_map);
  EXPECT_THAT(params.flags, ElementsAre("b", "c", ""));
  EXPECT_THAT(words, ElementsAre("-e", "get"));
}

TEST(LdbLibraryTest, CommandsAreFoundByName) {
  LDBCommand::ParsedParams params;
  params.cmd = "scan";
  EXPECT_NE(nullptr,
            std::unique_ptr<LDBCommand>(LDBCommand::SelectCommand(params)));
  params.cmd = "no_such_command";
  EXPECT_EQ(nullptr, LDBCommand::SelectCommand(params));
  // The program's name comes first here, and is no word of the command line.
  const char* const argv[] = {"get", "scan", "--db=x", "--from=a"};
  const std::unique_ptr<LDBCommand> command(LDBCommand::InitFromCmdLineArgs(
      4, argv, Options(), LDBOptions(), nullptr));
  ASSERT_NE(nullptr, command);
  EXPECT_TRUE(command->ValidateCmdLineOptions());
  EXPECT_EQ((std::map<std::string, std::string>{{"db", "x"}, {"from", "a"}}),
            command->TEST_GetOptionMap());
  EXPECT_THAT(command->TEST_GetFlags(), IsEmpty());
}

TEST(LdbLibraryTest, NamesOfOptions) {
  EXPECT_EQ("column_family", LDBCommand::ARG_CF_NAME);
  EXPECT_EQ("start_time", LDBCommand::ARG_TTL_START);
  EXPECT_EQ("end_time", LDBCommand::ARG_TTL_END);
  EXPECT_EQ("read_timestamp", LDBCommand::ARG_READ_TIMESTAMP);
  EXPECT_EQ(std::string(" ==> "), LDBCommand::DELIM);
}

TEST(LdbLibraryTest, UnknownOptionsAreRefused) {
  for (const auto& [word, name] :
       std::vector<std::pair<const char*, const char*>>{
           {"--nosuch=1", "option nosuch"}, {"--nosuch", "flag nosuch"}}) {
    const std::unique_ptr<LDBCommand> command(LDBCommand::InitFromCmdLineArgs(
        {"get", "--db=x", "a", word}, Options(), LDBOptions(), nullptr));
    ASSERT_NE(nullptr, command);
    Captured captured;
    EXPECT_FALSE(command->ValidateCmdLineOptions());
    captured.Take();
    EXPECT_EQ(std::string("Invalid command-line ") + name + "\n",
              captured.errors);
  }
}

// Writes down what is asked of it.
class WitnessCommand : public LDBCommand {
 public:
  // `loads` is what --try_load_options says.
  WitnessCommand(const std::string& db, const std::string& loads,
                 bool has_failed, int* count)
      : LDBCommand({{"db", db}, {"try_load_options", loads}}, {},
                   /*is_read_only=*/true, BuildCmdLineOptions({})),
        count_(count) {
    if (has_failed) exec_state_ = LDBCommandExecuteResult::Failed("before");
  }
  void DoCommand() override {
    ++*count_;
    has_database = db_ != nullptr;
  }
  bool has_database = false;

 private:
  int* const count_;
};

struct WitnessRun {
  int count = 0;  // how often DoCommand() was called
  bool had_database = false;
  std::string result;
};

WitnessRun RunWitness(const std::string& db, const std::string& loads,
                      bool has_failed) {
  WitnessRun run;
  WitnessCommand command(db, loads, has_failed, &run.count);
  command.SetDBOptions(Options());
  command.Run();
  run.had_database = command.has_database;
  run.result = command.GetExecuteState().ToString();
  const bool is_over = !command.GetExecuteState().IsNotStarted();
  EXPECT_TRUE(is_over);
  command.ClearPreviousRunState();
  EXPECT_TRUE(command.GetExecuteState().IsNotStarted());
  return run;
}

TEST(LdbLibraryTest, WhatRunDoes) {
  const TempDir dir("ldb_library");
  const std::string none = dir.File("none");
  // What failed when it was made is not tried.
  WitnessRun run = RunWitness(none, "false", /*has_failed=*/true);
  EXPECT_EQ(0, run.count);
  EXPECT_EQ("Failed: before", run.result);
  // Without a database a command is done all the same, and has failed...
  run = RunWitness(none, "false", false);
  EXPECT_EQ(1, run.count);
  EXPECT_FALSE(run.had_database);
  EXPECT_THAT(run.result, StartsWith("Failed: "));
  EXPECT_THAT(run.result, HasSubstr("CURRENT"));
  // ... unless its options were to be loaded.
  run = RunWitness(none, "true", false);
  EXPECT_EQ(0, run.count);
  EXPECT_THAT(run.result, StartsWith("Failed: "));
  {
    const Captured captured;
    ASSERT_EQ(0, RunLdbTool({"--db=" + dir.File("db"), "put", "a", "1",
                             "--create_if_missing"}));
  }
  run = RunWitness(dir.File("db"), "true", false);
  EXPECT_EQ(1, run.count);
  EXPECT_TRUE(run.had_database);
  EXPECT_EQ("", run.result);
}

TEST(LdbLibraryTest, HelpBeginsWithTheProgramsLine) {
  LDBOptions options;
  EXPECT_EQ("ldb - RocksDB Tool", options.print_help_header);
  EXPECT_EQ(nullptr, options.key_formatter);
  options.print_help_header = "mine - a tool of mine";
  Captured output;
  EXPECT_EQ(0, RunLdbTool({"--help"}, options));
  output.Take();
  EXPECT_THAT(output.output, StartsWith("mine - a tool of mine\n"));
  EXPECT_EQ("", output.errors);
  Captured errors;
  LDBCommandRunner::PrintHelp(options, "ldb");
  errors.Take();
  EXPECT_THAT(errors.errors, StartsWith("mine - a tool of mine\n"));
  EXPECT_EQ("", errors.output);
  Captured runner;
  const char* const argv[] = {"ldb", "no_such_command", "--db=x"};
  EXPECT_EQ(1,
            LDBCommandRunner::RunCommand(3, argv, Options(), options, nullptr));
  runner.Take();
  EXPECT_THAT(runner.errors, StartsWith("Unknown command\nmine"));
}

TEST(LdbLibraryTest, RunEndsTheProcessWithTheCode) {
  const auto run = [](const char* command) {
    Words words{"ldb", command};
    std::vector<char*> argv = Pointers(&words);
    LDBTool().Run(static_cast<int>(argv.size()), argv.data());
  };
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(run("--version"), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(run("no_such_command"), ::testing::ExitedWithCode(1), "");
}

// Exactly those that the program names are opened.
TEST(LdbLibraryTest, FamiliesAreTheProgramsOwn) {
  const TempDir dir("ldb_families");
  const std::string db = "--db=" + dir.File("db");
  Captured quiet;
  ASSERT_EQ(0, RunLdbTool({db, "put", "a", "1", "--create_if_missing"}));
  ASSERT_EQ(0, RunLdbTool({db, "create_column_family", "two"}));
  const std::vector<ColumnFamilyDescriptor> both = {
      {"default", ColumnFamilyOptions()}, {"two", ColumnFamilyOptions()}};
  EXPECT_EQ(0, RunLdbTool({db, "put", "b", "2", "--column_family=two"},
                          LDBOptions(), &both));
  const std::vector<ColumnFamilyDescriptor> one = {
      {"default", ColumnFamilyOptions()}};
  EXPECT_EQ(0, RunLdbTool({db, "get", "a"}, LDBOptions(), &one));
  EXPECT_EQ(1, RunLdbTool({db, "get", "b", "--column_family=two"}, LDBOptions(),
                          &one));
  quiet.Take();
  EXPECT_THAT(quiet.errors, HasSubstr("two"));
}

// RocksDB's ends the process for some of these.
TEST(SstDumpLibraryTest, ReturnsWhateverIsWrong) {
  const TempDir dir("sst_dump_library");
  const std::string db = dir.File("db");
  Captured captured;
  ASSERT_EQ(0,
            RunLdbTool({"--db=" + db, "put", "a", "1", "--create_if_missing"}));
  ASSERT_EQ(0, RunLdbTool({"--db=" + db, "compact"}));
  EXPECT_EQ(0, RunSstDumpTool({"--file=" + db, "--command=scan"}));
  EXPECT_EQ(0, RunSstDumpTool({"--help"}));
  EXPECT_EQ(0, RunSstDumpTool({"--parse_internal_key=0x6b0102000000000000"}));
  EXPECT_EQ(-1, RunSstDumpTool({"--parse_internal_key=6b"}));
  for (const Words& words : std::vector<Words>{
           {},
           {"--nosuch"},
           {"--file=" + db + "/none.sst"},
           {"--file=" + db, "--command=scan", "--from=a", "--prefix=a"},
           {"--file=" + db, "--command=recompress", "--set_block_size=x"},
           {"--file=" + db, "--command=recompress", "--compression_types=kFoo"},
           {"--file=" + db, "--command=recompress",
            "--compression_max_dict_bytes=-1"}}) {
    EXPECT_EQ(1, RunSstDumpTool(words));
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
