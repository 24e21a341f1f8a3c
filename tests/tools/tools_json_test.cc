// --json of the tools: an object on each line, and nothing else on standard
// output.

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

using ::testing::HasSubstr;

class ToolsJsonTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = dir_.File("db");
    Run("ldb", {"--db=" + path_, "put", "a\"b", "1", "--create_if_missing"});
    Run("ldb", {"--db=" + path_, "batchput", "c", "2", "d", "3"});
  }
  // The lines of standard output, each of which is an object.
  std::vector<std::string> Run(const std::string& program,
                               const std::vector<std::string>& words,
                               int status = 0) {
    const ProgramResult result = RunProgram(program, words);
    EXPECT_EQ(status, result.status) << result.errors;
    std::vector<std::string> lines;
    std::istringstream text(result.output);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  std::vector<std::string> Json(const std::string& program,
                                std::vector<std::string> words,
                                int status = 0) {
    words.push_back("--json");
    std::vector<std::string> lines = Run(program, words, status);
    for (const std::string& line : lines) {
      EXPECT_TRUE(line.starts_with("{\"") && line.ends_with("}")) << line;
    }
    return lines;
  }
  std::string FileWith(const std::string& ending) {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ending) return entry.path();
    }
    ADD_FAILURE() << "no file with " << ending;
    return "";
  }

  const TempDir dir_{"json"};
  std::string path_;
};

TEST_F(ToolsJsonTest, ApproximateSize) {
  const auto lines =
      Json("ldb", {"--db=" + path_, "approxsize", "--from=a", "--to=z"});
  ASSERT_EQ(1u, lines.size());
  EXPECT_THAT(lines[0], HasSubstr("{\"bytes\": "));
}

TEST_F(ToolsJsonTest, BatchesOfALog) {
  const std::string log = FileWith(".log");
  const auto lines = Json("ldb", {"dump_wal", "--walfile=" + log, "--header"});
  ASSERT_EQ(1u, lines.size());
  EXPECT_EQ(
      "{\"sequence\": 2, \"count\": 2, \"bytes\": 22, \"offset\": 0, "
      "\"items\": ["
      "{\"item\": \"PUT\", \"column_family\": 0, \"key\": \"c\", "
      "\"key_hex\": \"63\", \"value\": \"2\", \"value_hex\": \"32\"}, "
      "{\"item\": \"PUT\", \"column_family\": 0, \"key\": \"d\", "
      "\"key_hex\": \"64\", \"value\": \"3\", \"value_hex\": \"33\"}]}",
      lines[0]);
}

TEST_F(ToolsJsonTest, EntriesAndPropertiesOfTables) {
  const std::string table = FileWith(".sst");
  auto lines = Json("sst_dump",
                    {"--file=" + table, "--command=scan", "--show_properties"});
  ASSERT_EQ(2u, lines.size());
  EXPECT_EQ("{\"file\": \"" + table +
                "\", \"key\": \"a\\\"b\", \"key_hex\": \"612262\", "
                "\"sequence\": 1, \"type\": 1, \"value\": \"1\", "
                "\"value_hex\": \"31\"}",
            lines[0]);
  EXPECT_THAT(lines[1], HasSubstr("\"is_ok\": true"));
  EXPECT_THAT(lines[1], HasSubstr("\"# entries\": \"1\""));
  lines = Json("sst_dump", {"--file=" + table, "--command=recompress",
                            "--compression_types=kNoCompression"});
  ASSERT_EQ(2u, lines.size());
  EXPECT_THAT(lines[0], HasSubstr("\"compression\": \"kNoCompression\""));
  EXPECT_EQ(
      1, RunProgram("sst_dump", {"--file=" + table, "--command=raw", "--json"})
             .status);
}

TEST_F(ToolsJsonTest, DamagedTablesAreToldAndTheRestIsShown) {
  const std::string table = FileWith(".sst");
  std::ofstream(path_ + "/000001.sst") << "no table";
  const auto lines =
      Json("sst_dump", {"--file=" + path_, "--command=verify"}, 1);
  ASSERT_EQ(2u, lines.size());
  const bool is_first_good = lines[0].find(table) != std::string::npos;
  EXPECT_THAT(lines[is_first_good ? 0 : 1], HasSubstr("\"is_ok\": true"));
  EXPECT_THAT(lines[is_first_good ? 1 : 0],
              HasSubstr("\"is_ok\": false, \"error\": \"Corruption: "));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
