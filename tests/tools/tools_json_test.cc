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
#include "tests/tools/json_check.h"
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
      EXPECT_TRUE(line.starts_with("{\"") && JsonCheck::IsJson(line)) << line;
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

TEST(JsonCheckTest, TellsJsonFromOtherText) {
  for (const char* good :
       {"{}", "[]",
        " {\"a\": [1, -0.5e+3, true, null, {\"b\": \"\\u00ff\\n\"}]} ", "\"x\"",
        "0"}) {
    EXPECT_TRUE(JsonCheck::IsJson(good)) << good;
  }
  for (const char* bad :
       {"", "{", "{} {}", "{\"a\"}", "{a: 1}", "[1,]", "\"\\x\"", "\"\\u00g0\"",
        "\"\t\"", "01", "1.", "inf", "nan", "-", "{\"a\": 1,}"}) {
    EXPECT_FALSE(JsonCheck::IsJson(bad)) << bad;
  }
}

// Whatever else is asked for, there is nothing but objects.
TEST_F(ToolsJsonTest, CountsTimesAndStatisticsAreObjectsToo) {
  const std::string db = "--db=" + path_;
  auto lines = Json("ldb", {db, "dump", "--count_only"});
  ASSERT_EQ(2u, lines.size());
  EXPECT_EQ(
      "{\"keys_in_range\": 3, \"column_family\": \"default\", \"comparator\": "
      "\"leveldb.BytewiseComparator\"}",
      lines[0]);
  EXPECT_THAT(lines[1], HasSubstr("{\"values\": 3, \"value_bytes\": 3, "));
  lines = Json("ldb", {db, "dump", "--count_delim=c"});
  ASSERT_EQ(3u, lines.size());
  EXPECT_EQ(
      "{\"prefix\": \"a\\\"b\", \"prefix_hex\": \"612262\", \"count\": 1, "
      "\"bytes\": 4}",
      lines[0]);
  EXPECT_EQ(
      4u, Json("ldb", {db, "idump", "--count_only", "--stats", "--count_delim"})
              .size());
  lines = Json("ldb", {db, "scan", "--get_write_unix_time", "--no_value"});
  ASSERT_EQ(3u, lines.size());
  EXPECT_EQ(
      "{\"key\": \"a\\\"b\", \"key_hex\": \"612262\", "
      "\"write_unix_time\": null}",
      lines[0]);
}

TEST_F(ToolsJsonTest, TimesOfTtl) {
  const std::string db = "--db=" + dir_.File("ttl");
  Run("ldb", {db, "put", "a", "1", "--ttl", "--create_if_missing"}, 1);
  for (const char* command : {"scan", "dump"}) {
    const auto lines = Json("ldb", {db, command, "--ttl", "--timestamp"}, 1);
    ASSERT_FALSE(lines.empty()) << command;
    EXPECT_THAT(lines[0], HasSubstr("\"value\": \"1\", \"value_hex\": \"31\", "
                                    "\"write_time\": "))
        << command;
  }
  const auto lines = Json(
      "ldb",
      {db, "dump", "--ttl", "--start_time=1700000000", "--bucket=300000000"},
      1);
  ASSERT_EQ(3u, lines.size());
  EXPECT_THAT(lines[1], HasSubstr("{\"begin\": 1700000000, \"end\": "
                                  "2000000000, \"keys_in_range\": "));
}

TEST_F(ToolsJsonTest, FilesByTheirNames) {
  const std::string table = FileWith(".sst");
  auto lines = Json("ldb", {"dump", "--path=" + table});
  ASSERT_EQ(2u, lines.size());
  EXPECT_THAT(lines[0], HasSubstr("\"key\": \"a\\\"b\""));
  EXPECT_THAT(lines[1], HasSubstr("\"properties\": {\"# data blocks\": \"1\""));
  lines = Json("ldb", {"dump", "--path=" + FileWith(".log")});
  ASSERT_EQ(1u, lines.size());
  EXPECT_THAT(lines[0], HasSubstr("\"items\": [{\"item\": \"PUT\""));
  std::string manifest;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("MANIFEST-")) manifest = entry.path();
  }
  lines = Json("ldb", {"dump", "--path=" + manifest});
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines[0], HasSubstr("\"EditNumber\""));
}

TEST_F(ToolsJsonTest, AllLiveFilesAndBlobs) {
  Run("ldb", {"--db=" + path_, "put", "long", std::string(100, 'v'),
              "--enable_blob_files", "--min_blob_size=50"});
  // The next one that writes has it in a file.
  Run("ldb", {"--db=" + path_, "delete", "none", "--enable_blob_files",
              "--min_blob_size=50"});
  const auto lines = Json("ldb", {"--db=" + path_, "dump_live_files"});
  const std::string all = ::testing::PrintToString(lines);
  for (const char* part :
       {"EditNumber", "properties", "stored_bytes", "item"}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
  const auto blobs = Json("ldb", {"dump", "--path=" + FileWith(".blob")});
  ASSERT_EQ(1u, blobs.size());
  EXPECT_THAT(blobs[0], HasSubstr("\"offset\": 30, \"expiration\": 0, "
                                  "\"key\": \"long\", "
                                  "\"key_hex\": \"6C6F6E67\", "
                                  "\"blob\": \"vvv"));
  EXPECT_THAT(blobs[0], HasSubstr("\"stored_bytes\": 100}"));
  EXPECT_EQ(blobs, Json("blob_dump",
                        {"--file=" + FileWith(".blob"), "--show_summary"}));
}

TEST_F(ToolsJsonTest, DeletionsOfRanges) {
  Run("ldb", {"--db=" + path_, "deleterange", "c", "e"});
  Run("ldb", {"--db=" + path_, "delete", "none"});
  const auto lines = Json("ldb", {"--db=" + path_, "list_file_range_deletes"});
  ASSERT_EQ(1u, lines.size());
  EXPECT_THAT(lines[0],
              HasSubstr("\"start\": \"c\", \"start_hex\": \"63\", \"end\": "
                        "\"e\", \"end_hex\": \"65\", \"sequence\": 4}"));
}

TEST_F(ToolsJsonTest, WhatTopShows) {
  auto lines = Json("ldb", {"--db=" + path_, "top"});
  ASSERT_EQ(1u, lines.size());
  EXPECT_THAT(lines[0], HasSubstr("\"slowed_down\": 0"));
  const std::string metrics = dir_.File("metrics");
  std::ofstream(metrics) << "# HELP a b\nlevels{db=\"x\",cf=\"a\\b\"} 2.5\n"
                            "ratio{cf=\"c\"} +Inf\nall 3\n";
  lines = Json("ldb", {"top", "--prometheus=" + metrics});
  ASSERT_EQ(1u, lines.size());
  EXPECT_EQ(
      "{\"all\": {\"\": 3}, \"levels\": {\"a\\\\b\": 2.5}, "
      "\"ratio\": {\"c\": null}}",
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
