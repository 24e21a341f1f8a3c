// A database that we write in format_version 5 is read by other programs: the
// stock ldb and sst_dump, of the package rocksdb-tools. Where they are absent,
// the test says so and passes.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/testing/shell.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool HasTools() { return HasProgram("sst_dump") && HasProgram("ldb"); }

// Options that are newer than the tools are passed over.
const std::string kLdb = "ldb --ignore_unknown_options --db=";

class StockToolsTest : public FamiliesFixture {
 protected:
  StockToolsTest() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
    UseCodec(kNoCompression);
  }

  void UseCodec(CompressionType codec) {
    BlockBasedTableOptions table;
    table.format_version = 5;
    table.block_size = 1024;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    options_.compression = codec;
  }

  // Every kind of entry, in several files of a family.
  void Fill(size_t family) {
    ColumnFamilyHandle* handle = handles_[family];
    const WriteOptions write;
    for (int round = 0; round < 3; ++round) {
      for (int i = round * 100; i < round * 100 + 200; ++i) {
        ASSERT_OK(PutIn(
            family, "key" + std::to_string(1000 + i),
            "value" + std::to_string(i * (round + 1)) + std::string(40, 'x')));
      }
      for (int i = 0; i < 50; ++i) {
        ASSERT_OK(db_->Delete(write, handle,
                              "key" + std::to_string(1000 + round * 7 + i)));
      }
      ASSERT_OK(db_->DeleteRange(write, handle,
                                 "key" + std::to_string(1150 + 20 * round),
                                 "key" + std::to_string(1160 + 20 * round)));
      if (round < 2) ASSERT_OK(db_->Flush(FlushOptions(), handle));
    }
  }

  // ldb prints "key ==> value" or "key : value".
  std::string StockScan(const std::string& family) {
    int status = 0;
    const std::string output = RunShell(
        kLdb + path_ + " --column_family=" + family + " scan", &status);
    EXPECT_EQ(status, 0) << output;
    std::istringstream lines(output);
    std::string line, result;
    while (std::getline(lines, line)) {
      for (const std::string separator : {" ==> ", " : "}) {
        const size_t at = line.find(separator);
        if (at == std::string::npos) continue;
        result +=
            line.substr(0, at) + "=" + line.substr(at + separator.size()) + " ";
        break;
      }
    }
    return result;
  }

  void VerifyTables() {
    for (const std::string& path : FilesOf(path_, kTableFile)) {
      int status = 0;
      const std::string output =
          RunShell("sst_dump --file=" + path + " --command=verify", &status);
      EXPECT_EQ(status, 0) << output;
      EXPECT_NE(output.find("The file is ok"), std::string::npos) << output;
    }
  }
};

TEST_F(StockToolsTest, ReadTheSameContent) {
  if (!HasTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
  for (const CompressionType codec :
       {kNoCompression, kSnappyCompression, kZlibCompression, kBZip2Compression,
        kLZ4Compression, kLZ4HCCompression, kZSTD}) {
    if (!CompressionTypeSupported(codec)) continue;
    for (const bool is_compacted : {false, true}) {
      SCOPED_TRACE(CompressionTypeToString(codec) +
                   (is_compacted ? ", compacted" : ""));
      CloseFamilies();
      std::filesystem::remove_all(path_);
      UseCodec(codec);
      options_.create_missing_column_families = true;
      OpenFamilies({"default", "two", "three"});
      for (size_t family = 0; family < handles_.size(); ++family) {
        ASSERT_NO_FATAL_FAILURE(Fill(family));
      }
      ASSERT_OK(PutIn(2, "only here", "v"));
      if (is_compacted) {
        for (ColumnFamilyHandle* handle : handles_) {
          ASSERT_OK(db_->CompactRange(CompactRangeOptions(), handle, nullptr,
                                      nullptr));
        }
      }
      const std::vector<std::string> expected{ScanOf(0), ScanOf(1), ScanOf(2)};
      ASSERT_GT(expected[0].size(), 10000u);
      ASSERT_NE(expected[0], expected[2]);
      CloseFamilies();
      VerifyTables();
      EXPECT_EQ(StockScan("default"), expected[0]);
      EXPECT_EQ(StockScan("two"), expected[1]);
      EXPECT_EQ(StockScan("three"), expected[2]);
    }
  }
}

// Stock ldb has no merge operator by default; with operands in files, it must
// at least see them as such.
TEST_F(StockToolsTest, MergeOperandsAreThereForStock) {
  if (!HasTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
  Open();
  ASSERT_OK(db_->Merge(WriteOptions(), "counter", "one"));
  ASSERT_OK(Flush());
  db_.reset();
  const std::vector<std::string> tables = FilesOf(path_, kTableFile);
  ASSERT_EQ(tables.size(), 1u);
  int status = 0;
  const std::string output =
      RunShell("sst_dump --file=" + tables[0] + " --command=scan", &status);
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("'counter' seq:1, type:2 => one"), std::string::npos)
      << output;
}

TEST_F(StockToolsTest, WhatStockWritesOnTopIsReadBack) {
  if (!HasTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
  Open();
  ASSERT_OK(Put("a", "ours"));
  ASSERT_OK(Put("b", "ours"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("c", "ours, in the log"));
  db_.reset();
  int status = 0;
  const std::string output = RunShell(kLdb + path_ + " put b stock", &status);
  ASSERT_EQ(status, 0) << output;
  Open();
  EXPECT_EQ(Scan(), "a=ours b=stock c=ours, in the log ");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
