// Our tools beside those of RocksDB 7.8.3, where these are installed: on the
// golden databases both print the same, and 7.8.3 reads what ours has changed.
//
// What differs by design: 7.8.3 separates by " : " in scan, shows 64 levels
// where the options tell fewer, hides in idump what range deletions cover, and
// shows of entities the bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/testing/golden.h"
#include "tests/testing/scale.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kStockLdb[] = "/usr/bin/ldb";
constexpr char kStockSstDump[] = "/usr/bin/sst_dump";

using Lines = std::vector<std::string>;

bool HasStockTools() {
  return std::filesystem::exists(kStockLdb) &&
         std::filesystem::exists(kStockSstDump);
}

Lines SplitLines(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Lines AsScanned(const std::string& text) {
  Lines lines = SplitLines(text);
  for (std::string& line : lines) {
    const size_t at = line.find(" : 0x");
    if (at != std::string::npos) line.replace(at, 3, " ==> ");
  }
  return lines;
}

// Without the first line, which has a pointer; files come in no order.
Lines AsSstDumped(const std::string& text) {
  Lines lines = SplitLines(text);
  if (!lines.empty()) lines.erase(lines.begin());
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Without levels that have no file, and numbers of versions.
Lines AsManifestDumped(const std::string& text) {
  Lines lines;
  for (std::string line : SplitLines(text)) {
    const bool was_level = !lines.empty() && lines.back().starts_with("--- l");
    const size_t version = line.find(" --- version#");
    if (version != std::string::npos) line.resize(version);
    if (was_level && !line.starts_with(" ")) lines.pop_back();
    if (line.starts_with("By default")) continue;
    // 7.8.3 knows the order of bytes alone here.
    if (line.starts_with("comparator: <")) {
      line = "comparator: " + line.substr(13, line.find('>') - 13);
    }
    lines.push_back(line);
  }
  return lines;
}

struct BothLines {
  Lines ours, stock;
};

// What a command of both printed, made comparable. False: 7.8.3 cannot read it.
bool RunBoth(bool is_ldb, const Lines& words, Lines (*form)(const std::string&),
             BothLines* lines) {
  const ProgramResult theirs =
      RunProgram(is_ldb ? kStockLdb : kStockSstDump, words);
  if (theirs.status != 0 || !theirs.errors.empty()) return false;
  const ProgramResult result = RunProgram(is_ldb ? "ldb" : "sst_dump", words);
  EXPECT_EQ(0, result.status) << result.errors;
  *lines = {form(result.output), form(theirs.output)};
  return true;
}

// Keys, values and the blocks' handles of raw dumps: the rest is for people,
// and 11.9 says more of each block than 7.8.3 does. In the index 7.8.3 shows
// behind a handle the first key of the block, where the index has it.
Lines AsRawDumped(const std::string& text) {
  Lines lines;
  bool is_index = true;
  for (const std::string& line : SplitLines(text)) {
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    is_index = is_index && first != "Data";
    if (first == "HEX") {
      lines.push_back(is_index ? second : second + " " + third);
    } else if (line.starts_with("Data Block # ") ||
               line.find(" data block size: ") != std::string::npos) {
      lines.push_back(line);
    }
  }
  return lines;
}

std::string TextOfFile(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

std::string RawDumpOf(const std::string& program, const std::string& table) {
  const ProgramResult run =
      RunProgram(program, {"--file=" + table, "--command=raw"});
  const std::string output =
      table.substr(0, table.size() - std::string(".sst").size()) + "_dump.txt";
  const std::string text = run.status == 0 ? TextOfFile(output) : "";
  std::filesystem::remove(output);
  return text;
}

// How many blocks a table has that is compressed anew, by codec. The sizes are
// of other versions of the format, and which blocks become smaller is up to the
// version of the codec.
std::map<std::string, int> Recompressed(const std::string& program,
                                        const std::string& table) {
  const ProgramResult run = RunProgram(
      program, {"--file=" + table, "--command=recompress",
                "--compression_types=kNoCompression,kSnappyCompression,"
                "kLZ4Compression,kZSTD"});
  std::map<std::string, int> counts;
  std::string codec;
  static const std::regex kNumber(
      "(?:Compressed|Cx count|Not compressed "
      "\\(\\w+\\)|Not cx [a-z ]+): *([0-9]+)");
  for (const std::string& line : SplitLines(run.output)) {
    if (line.starts_with("Compression: ")) {
      std::istringstream(line.substr(13)) >> codec;
    }
    for (std::sregex_iterator at(line.begin(), line.end(), kNumber), end;
         at != end; ++at) {
      counts[codec] += std::stoi((*at)[1]);
    }
  }
  return counts;
}

Lines TablesOf(const std::string& path) {
  Lines tables;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".sst") tables.push_back(entry.path());
  }
  return tables;
}

// How many databases 7.8.3 could read, for each command.
struct StockCounts {
  int scans = 0, dumps = 0, inner_dumps = 0, manifests = 0, table_scans = 0,
      verifications = 0;
  // These two count tables.
  int raw_dumps = 0, recompressions = 0;
};

void CompareTables(const std::string& path, StockCounts* counts) {
  for (const std::string& table : TablesOf(path)) {
    SCOPED_TRACE(table);
    const Lines stock = AsRawDumped(RawDumpOf(kStockSstDump, table));
    if (!stock.empty()) {
      ++counts->raw_dumps;
      EXPECT_EQ(stock, AsRawDumped(RawDumpOf("sst_dump", table)))
          << "sst_dump raw";
    }
    const auto recompressed = Recompressed(kStockSstDump, table);
    if (recompressed.empty()) continue;
    ++counts->recompressions;
    EXPECT_EQ(recompressed, Recompressed("sst_dump", table))
        << "sst_dump recompress";
  }
}

void CompareOne(const std::string& path, StockCounts* counts) {
  const std::string db = "--db=" + path;
  const std::string file = "--file=" + path;
  BothLines lines;
  Lines& ours = lines.ours;
  Lines& stock = lines.stock;
  const bool has_entities = path.find("_entity") != std::string::npos;
  const auto both = [&](const Lines& words, Lines (*form)(const std::string&),
                        int* count) {
    const bool is_ldb = words[0].starts_with("--db");
    const bool is_read = RunBoth(is_ldb, words, form, &lines);
    *count += is_read ? 1 : 0;
    return is_read;
  };
  if (!has_entities) {
    if (both({db, "scan", "--hex"}, AsScanned, &counts->scans)) {
      EXPECT_EQ(stock, ours) << "scan";
    }
    if (both({db, "dump", "--hex"}, SplitLines, &counts->dumps)) {
      EXPECT_EQ(stock, ours) << "dump";
    }
    if (both({db, "idump", "--hex"}, SplitLines, &counts->inner_dumps)) {
      // The last line counts.
      if (!stock.empty()) stock.pop_back();
      std::sort(ours.begin(), ours.end());
      std::sort(stock.begin(), stock.end());
      EXPECT_TRUE(
          std::includes(ours.begin(), ours.end(), stock.begin(), stock.end()))
          << "idump";
    }
    if (both({file, "--command=scan", "--output_hex"}, AsSstDumped,
             &counts->table_scans)) {
      EXPECT_EQ(stock, ours) << "sst_dump scan";
    }
  }
  if (both({db, "manifest_dump", "--hex"}, AsManifestDumped,
           &counts->manifests)) {
    EXPECT_EQ(stock, ours) << "manifest_dump";
  }
  if (both({file, "--command=verify"}, AsSstDumped, &counts->verifications)) {
    EXPECT_EQ(stock, ours) << "sst_dump verify";
  }
  if (!has_entities) CompareTables(path, counts);
  const ProgramResult doctor =
      RunProgram("ldb", {db, "doctor", "--verify_checksums"});
  EXPECT_EQ(0, doctor.status) << doctor.output << doctor.errors;
}

TEST(StockComparisonTest, GoldenDatabasesPrintAlike) {
  if (!HasStockTools()) GTEST_SKIP() << "RocksDB's tools are not installed";
  const TempDir dir("stock_golden");
  const Lines names = UnpackGolden(dir.path());
  if (names.empty()) GTEST_SKIP() << "there are no golden databases";
  StockCounts counts;
  int looked_at = 0;
  for (size_t i = 0; i < names.size(); i += TestShare()) {
    if (names[i].find("_backup") != std::string::npos) continue;
    SCOPED_TRACE(names[i]);
    CompareOne(dir.path() + "/golden/" + names[i], &counts);
    ++looked_at;
  }
  // 7.8.3 reads its own.
  const int least = looked_at / 4;
  EXPECT_GE(counts.scans, least);
  EXPECT_GE(counts.dumps, least);
  EXPECT_GE(counts.inner_dumps, least);
  EXPECT_GE(counts.manifests, least);
  EXPECT_GE(counts.table_scans, least);
  EXPECT_GE(counts.verifications, least);
  EXPECT_GE(counts.raw_dumps, least);
  EXPECT_GE(counts.recompressions, least);
}

class StockReadsTest : public ::testing::Test {
 protected:
  void Run(const std::string& command) {
    const std::string bin = std::string(BASALT_BINARY_DIR) + "/bin/";
    const std::string line = "cd " + dir_.path() + " && PATH=" + bin +
                             ":$PATH && (" + command + ") > out 2> err";
    EXPECT_EQ(0, std::system(line.c_str())) << command;
    ExpectAlike(command);
  }
  void ExpectAlike(const std::string& after) {
    // Our OPTIONS file has options that 7.8.3 does not know.
    const std::string db = "--db=" + dir_.path() + "/db";
    for (const char* family : {"default", "second cf"}) {
      const std::string cf = std::string("--column_family=") + family;
      const ProgramResult theirs = RunProgram(
          kStockLdb, {db, "scan", "--hex", cf, "--ignore_unknown_options"});
      EXPECT_EQ(0, theirs.status) << after << ": " << theirs.errors;
      const ProgramResult ours = RunProgram("ldb", {db, "scan", "--hex", cf});
      EXPECT_EQ(0, ours.status) << after << ": " << ours.errors;
      EXPECT_EQ(AsScanned(theirs.output), AsScanned(ours.output)) << after;
      EXPECT_FALSE(ours.output.empty()) << after;
    }
  }
  const TempDir dir_{"stock_reads"};
};

TEST_F(StockReadsTest, WhatOursHasChanged) {
  if (!HasStockTools()) GTEST_SKIP() << "RocksDB's tools are not installed";
  if (UnpackGolden(dir_.path()).empty()) {
    GTEST_SKIP() << "there are no golden databases";
  }
  std::filesystem::rename(dir_.path() + "/golden/r78_default",
                          dir_.path() + "/db");
  Run("ldb --db=db batchput a 1 b 2 c 3 z 4");
  Run("ldb --db=db delete a && ldb --db=db singledelete b");
  Run("ldb --db=db deleterange key0000000001 key00000000300");
  Run("printf 'x ==> 1\\ny ==> 2\\n' | ldb --db=db load");
  Run("ldb --db=db create_column_family three && "
      "ldb --db=db drop_column_family three");
  Run("printf 'm ==> 1\\nn ==> 2\\n' | ldb --db=db write_extern_sst x.sst && "
      "ldb --db=db ingest_extern_sst x.sst");
  Run("ldb --db=db update_manifest --update_temperatures");
  // Level 0 is empty first: no compaction takes its file away meanwhile.
  Run("ldb --db=db compact && ldb --db=db put d 5 && ldb --db=db put e 6 && "
      "ldb --db=db unsafe_remove_sst_file $(ldb --db=db "
      "list_live_files_metadata --json | grep '\"level\": 0' | "
      "grep -v second | head -1 | sed 's|.*/0*\\([0-9]*\\)\\.sst.*|\\1|')");
  Run("ldb --db=db compact");
  Run("ldb --db=db repair");
  Run("ldb --db=db recover --wal_recovery_mode=point_in_time");
  Run("ldb --db=db backup --backup_dir=bk && rm -r db && "
      "ldb --db=db restore --backup_dir=bk");
  Run("ldb --db=db checkpoint --checkpoint_dir=cp && rm -r db && mv cp db");
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
