// ldb and sst_dump by their command lines: what they print, where to, and the
// exit code; and that what cannot be read changes nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "db/version/version_edit.h"
#include "rocksdb/ldb_tool.h"
#include "rocksdb/sst_dump_tool.h"
#include "rocksdb/utilities/ldb_cmd.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tests/tools/transcript.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// What RocksDB's tools do with these command lines, but that they crash where
// ours say what is wrong, and end with 0 after some failures.
TEST(LdbTranscriptTest, Checks) { ReplayTranscript("checks"); }
// Dumps of files, times of TTL values, range deletions, blob files.
TEST(LdbTranscriptTest, Files) { ReplayTranscript("files"); }

// The command lines of RocksDB 11.9's transcripts. Where ours says something
// else, a remark in the file says why.
class ReferenceTranscriptTest : public ::testing::TestWithParam<const char*> {};
TEST_P(ReferenceTranscriptTest, Replays) { ReplayTranscript(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Of11_9, ReferenceTranscriptTest,
    ::testing::Values("basics", "command_line", "hex", "ttl", "families",
                      "entities", "dumps", "blobs", "logs", "manifests",
                      "administration", "external_files", "damaged", "tables",
                      "read_only", "query", "timestamps", "more"),
    [](const auto& info) { return std::string(info.param); });

// All but LOCK: to close it would give up the lock that this process has on it.
std::map<std::string, std::string> FilesOf(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().filename() == "LOCK") continue;
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files[entry.path().filename()] = content.str();
  }
  return files;
}

class DamagedDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = dir_.File("db");
    Run({"put", "a", "1", "--create_if_missing"});
    Run({"put", "b", "2"});
    Run({"put", "c", "3"});
  }
  void Run(std::vector<std::string> words) {
    words.insert(words.begin(), "--db=" + path_);
    const ProgramResult result = RunProgram("ldb", words);
    EXPECT_EQ(0, result.status) << result.errors;
  }
  std::string NameWith(const std::string& part) {
    for (const auto& [name, content] : FilesOf(path_)) {
      if (name.find(part) != std::string::npos) return path_ + "/" + name;
    }
    ADD_FAILURE() << "no file with " << part;
    return "";
  }
  // Replaces a file's bytes.
  static void Write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  static std::string Read(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
  }
  // The names of files that are not as they were.
  std::string ChangedSince(const std::map<std::string, std::string>& before) {
    const std::map<std::string, std::string> now = FilesOf(path_);
    std::string changed;
    for (const auto& [name, content] : now) {
      const auto found = before.find(name);
      if (found == before.end() || found->second != content) {
        changed += name + " ";
      }
    }
    for (const auto& [name, content] : before) {
      if (!now.contains(name)) changed += name + " is gone ";
    }
    return changed;
  }
  // The command fails, says something, and leaves the directory as it was.
  void ExpectRefusal(const std::string& program,
                     const std::vector<std::string>& words) {
    const auto before = FilesOf(path_);
    const ProgramResult result = RunProgram(program, words);
    EXPECT_THAT(result.status, ::testing::AnyOf(1, 255));
    EXPECT_FALSE(result.errors.empty());
    EXPECT_EQ("", ChangedSince(before));
  }

  const TempDir dir_{"damaged"};
  std::string path_;
};

TEST_F(DamagedDatabaseTest, TableWithoutItsEnd) {
  const std::string table = NameWith(".sst");
  Write(table, Read(table).substr(0, 300));
  ExpectRefusal("ldb", {"--db=" + path_, "checkconsistency"});
  ExpectRefusal("ldb", {"--db=" + path_, "scan"});
  ExpectRefusal("ldb", {"dump", "--path=" + table, "--hex"});
  ExpectRefusal("sst_dump", {"--file=" + table, "--command=verify"});
}

TEST_F(DamagedDatabaseTest, TableWithAFlippedByte) {
  const std::string table = NameWith(".sst");
  std::string bytes = Read(table);
  bytes[3] = static_cast<char>(bytes[3] ^ 0x40);
  Write(table, bytes);
  ExpectRefusal("ldb", {"--db=" + path_, "dump"});
  ExpectRefusal("ldb", {"--db=" + path_, "idump"});
  ExpectRefusal("sst_dump", {"--file=" + table, "--command=verify"});
  ExpectRefusal("sst_dump", {"--file=" + table, "--verify_checksum"});
}

TEST_F(DamagedDatabaseTest, LogWithAFlippedByte) {
  const std::string log = NameWith(".log");
  std::string bytes = Read(log);
  ASSERT_GT(bytes.size(), 12u);
  bytes[12] = static_cast<char>(bytes[12] ^ 1);
  Write(log, bytes);
  ExpectRefusal("ldb", {"dump_wal", "--walfile=" + log});
  ExpectRefusal("ldb", {"dump", "--path=" + log, "--hex"});
}

TEST_F(DamagedDatabaseTest, ManifestWithAFlippedByte) {
  const std::string manifest = NameWith("MANIFEST-");
  std::string bytes = Read(manifest);
  bytes[30] = static_cast<char>(bytes[30] ^ 1);
  Write(manifest, bytes);
  ExpectRefusal("ldb", {"manifest_dump", "--path=" + manifest});
  ExpectRefusal("ldb", {"--db=" + path_, "file_checksum_dump"});
  ExpectRefusal("ldb", {"--db=" + path_, "list_column_families"});
  ExpectRefusal("ldb", {"--db=" + path_, "unsafe_remove_sst_file", "7"});
}

TEST_F(DamagedDatabaseTest, CurrentThatNamesNothing) {
  Write(path_ + "/CURRENT", "nothing\n");
  for (const char* command :
       {"scan", "list_column_families", "list_live_files_metadata"}) {
    ExpectRefusal("ldb", {"--db=" + path_, command});
  }
}

TEST_F(DamagedDatabaseTest, OptionsThatNobodyKnows) {
  for (const auto& [name, content] : FilesOf(path_)) {
    if (name.rfind("OPTIONS-", 0) == 0) {
      Write(path_ + "/" + name, content + "nonsense\n");
    }
  }
  ExpectRefusal("ldb", {"--db=" + path_, "get", "a"});
  const ProgramResult result = RunProgram(
      "ldb", {"--db=" + path_, "get", "a", "--try_load_options=false"});
  EXPECT_EQ("1\n", result.output);
}

TEST_F(DamagedDatabaseTest, RemovedTableIsGoneAndTheRestIsThere) {
  Run({"compact"});
  Run({"put", "d", "4"});
  Run({"put", "e", "5"});
  const std::string table = NameWith(".sst");
  const size_t begin = table.find_last_of('/') + 1;
  Run({"unsafe_remove_sst_file",
       std::to_string(std::stoi(table.substr(begin)))});
  const ProgramResult result =
      RunProgram("ldb", {"--db=" + path_, "scan", "--no_value"});
  EXPECT_EQ("d\ne\n", result.output) << result.errors;
  Run({"put", "f", "6"});
}

// An edit that came behind it would stand inside the group.
TEST_F(DamagedDatabaseTest, AnIncompleteGroupIsLeftOut) {
  const std::string table = NameWith(".sst");
  const size_t begin = table.find_last_of('/') + 1;
  const std::string manifest = NameWith("MANIFEST-");
  VersionEdit edit;
  edit.remaining_in_group = 1;
  edit.last_sequence = 1000;
  std::vector<std::string> records =
      ManifestDirectory::RecordsOf(Read(manifest));
  records.push_back(Encode(edit));
  Write(manifest, ManifestDirectory::LogOf(records));
  Run({"unsafe_remove_sst_file",
       std::to_string(std::stoi(table.substr(begin)))});
  const ProgramResult result =
      RunProgram("ldb", {"--db=" + path_, "scan", "--no_value"});
  EXPECT_EQ("b\nc\n", result.output) << result.errors;
  Run({"put", "d", "4"});
}

TEST_F(DamagedDatabaseTest, ReadersBesideAWriter) {
  Options options;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, path_, &db).ok());
  // What the opening has left to do is done.
  WaitForCompactOptions all;
  all.wait_for_purge = true;
  ASSERT_TRUE(db->WaitForCompact(all).ok());
  const auto before = FilesOf(path_);
  for (const char* command : {"scan", "dump", "idump", "checkconsistency",
                              "list_column_families", "manifest_dump"}) {
    const ProgramResult result = RunProgram("ldb", {"--db=" + path_, command});
    EXPECT_EQ(0, result.status) << command << result.errors;
  }
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {"put", "x", "y"},
           {"unsafe_remove_sst_file", "7"},
           {"update_manifest", "--update_temperatures"},
           {"repair"}}) {
    std::vector<std::string> all = {"--db=" + path_};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult result = RunProgram("ldb", all);
    EXPECT_EQ(1, result.status) << words[0];
    EXPECT_THAT(result.errors, HasSubstr("LOCK")) << words[0];
  }
  EXPECT_EQ("", ChangedSince(before));
}

TEST(LdbHelpTest, EveryCommandHasOne) {
  const ProgramResult usage = RunProgram("ldb", {"--help"});
  EXPECT_EQ(0, usage.status);
  EXPECT_THAT(usage.output, StartsWith("ldb - RocksDB Tool\n"));
  for (const char* command : {"get", "scan", "dump_wal", "restore"}) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"help", command},
                                               {command, "--help"}}) {
      const ProgramResult help = RunProgram("ldb", words);
      EXPECT_EQ(0, help.status);
      EXPECT_THAT(help.output, StartsWith(std::string("ldb ") + command));
    }
  }
}

// Reverses the order of bytes, under a name that no registry knows.
class PrivateOrder : public Comparator {
 public:
  const char* Name() const override { return "test.PrivateOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

class UpperCaseKeys : public SliceFormatter {
 public:
  std::string Format(const Slice& s) const override {
    std::string text = s.ToString();
    for (char& c : text) c = static_cast<char>(std::toupper(c));
    return text;
  }
};

int RunTool(std::vector<std::string> words, const Options& options,
            const LDBOptions& ldb_options = LDBOptions()) {
  words.insert(words.begin(), "ldb");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return LDBTool().RunAndReturn(static_cast<int>(argv.size()), argv.data(),
                                options, ldb_options);
}

TEST(LdbToolTest, TakesTheProgramsOrderAndKeyForm) {
  const TempDir dir("embedded");
  const PrivateOrder order;
  Options options;
  options.comparator = &order;
  const std::string db = "--db=" + dir.File("db");
  LDBOptions ldb_options;
  ldb_options.key_formatter = std::make_shared<UpperCaseKeys>();
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(0,
            RunTool({db, "batchput", "a", "1", "b", "2", "--create_if_missing"},
                    options));
  EXPECT_EQ(0, RunTool({db, "scan"}, options, ldb_options));
  EXPECT_EQ("OK\nB ==> 2\nA ==> 1\n", ::testing::internal::GetCapturedStdout());
  EXPECT_EQ(1, RunTool({db, "scan"}, Options()));
}

TEST(SstDumpToolTest, ReadsAnUnknownOrderFromFrontToBack) {
  const TempDir dir("unknown_order");
  const PrivateOrder order;
  Options options;
  options.comparator = &order;
  const std::string db = "--db=" + dir.File("db");
  ::testing::internal::CaptureStdout();
  ASSERT_EQ(0,
            RunTool({db, "batchput", "a", "1", "b", "2", "--create_if_missing"},
                    options));
  ASSERT_EQ(0, RunTool({db, "compact"}, options));
  ::testing::internal::GetCapturedStdout();
  const ProgramResult result =
      RunProgram("sst_dump", {"--file=" + dir.File("db"), "--command=scan"});
  EXPECT_EQ(0, result.status) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("'b' seq:0, type:1 => 2\n"
                                       "'a' seq:0, type:1 => 1\n"));
  EXPECT_THAT(result.errors, HasSubstr("test.PrivateOrder"));
}

// Filters of files know only the prefix of the key that it begins at.
TEST(LdbScanTest, BeginsBetweenPrefixes) {
  const TempDir dir("between_prefixes");
  const auto run = [&dir](std::vector<std::string> words) {
    words.push_back("--db=" + dir.File("db"));
    words.push_back("--fix_prefix_len=1");
    words.push_back("--bloom_bits=20");
    const ProgramResult result = RunProgram("ldb", words);
    EXPECT_EQ(0, result.status) << result.errors;
    return result.output;
  };
  run({"batchput", "b1", "v", "c1", "v", "--create_if_missing"});
  run({"compact"});
  EXPECT_EQ("b1 ==> v\nc1 ==> v\n", run({"scan", "--from=a"}));
}

// A command of a program's own.
class HelloCommand : public LDBCommand {
 public:
  explicit HelloCommand(const ParsedParams& params)
      : LDBCommand(params.option_map, params.flags, true,
                   BuildCmdLineOptions({"name"})) {}
  void DoCommand() override {
    std::string name;
    ParseStringOption(option_map_, "name", &name);
    exec_state_ = LDBCommandExecuteResult::Succeed("hello " + name);
  }
  bool NoDBOpen() override { return true; }
};

TEST(LdbCommandTest, ProgramsAddTheirOwn) {
  const auto select =
      [](const LDBCommand::ParsedParams& params) -> LDBCommand* {
    if (params.cmd == "hello") {
      return std::make_unique<HelloCommand>(params).release();
    }
    return LDBCommand::SelectCommand(params);
  };
  const std::unique_ptr<LDBCommand> hello(LDBCommand::InitFromCmdLineArgs(
      {"hello", "--name=you"}, Options(), LDBOptions(), nullptr, select));
  ASSERT_NE(nullptr, hello);
  EXPECT_TRUE(hello->ValidateCmdLineOptions());
  hello->Run();
  EXPECT_EQ("hello you", hello->GetExecuteState().ToString());
  const std::unique_ptr<LDBCommand> get(LDBCommand::InitFromCmdLineArgs(
      {"get", "--db=x", "a"}, Options(), LDBOptions(), nullptr, select));
  EXPECT_NE(nullptr, get);
  EXPECT_EQ("k", LDBCommand::HexToString("0x6b"));
  EXPECT_EQ("0x6B", LDBCommand::StringToHex("k"));
  EXPECT_THROW(LDBCommand::HexToString("6b"), const char*);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
