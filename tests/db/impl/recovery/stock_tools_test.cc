// A database that we write in format_version 5 is read by other programs: the
// stock ldb and sst_dump, of the package rocksdb-tools. Where they are absent,
// the test says so and passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "table/block.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/table/stored_table.h"
#include "tests/testing/shell.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool HasStockTools() { return HasProgram("sst_dump") && HasProgram("ldb"); }

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
  if (!HasStockTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
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

struct StockFormat {
  const char* name;
  void (*prepare)(Options* options, BlockBasedTableOptions* table);
};

std::vector<StockFormat> StockFilters() {
  return {
      {"Bloom", [](Options*, BlockBasedTableOptions*) {}},
      {"ExactBloom",
       [](Options*, BlockBasedTableOptions* table) {
         table->optimize_filters_for_memory = false;
       }},
      {"Ribbon",
       [](Options*, BlockBasedTableOptions* table) {
         table->filter_policy.reset(NewRibbonFilterPolicy(10, -1));
       }},
      {"Prefixes",
       [](Options* options, BlockBasedTableOptions* table) {
         options->prefix_extractor.reset(NewFixedPrefixTransform(7));
         table->whole_key_filtering = false;
       }},
      {"Version2",
       [](Options*, BlockBasedTableOptions* table) {
         table->format_version = 2;
       }},
      {"Version3",
       [](Options*, BlockBasedTableOptions* table) {
         table->format_version = 3;
       }},
      {"Version4",
       [](Options*, BlockBasedTableOptions* table) {
         table->format_version = 4;
       }},
      {"Version4Prefixes",
       [](Options* options, BlockBasedTableOptions* table) {
         table->format_version = 4;
         options->prefix_extractor.reset(NewCappedPrefixTransform(7));
         table->whole_key_filtering = false;
       }},
      {"Reverse",
       [](Options* options, BlockBasedTableOptions*) {
         options->comparator = ReverseBytewiseComparator();
       }},
  };
}

std::vector<StockFormat> StockIndexes() {
  using Table = BlockBasedTableOptions;
  return {
      {"DataBlockHash",
       [](Options*, Table* table) {
         table->data_block_index_type = Table::kDataBlockBinaryAndHash;
         table->block_restart_interval = 4;
       }},
      {"WholeKeysInBlocks",
       [](Options*, Table* table) { table->use_delta_encoding = false; }},
      {"NoShortening",
       [](Options*, Table* table) {
         table->index_shortening = Table::IndexShorteningMode::kNoShortening;
       }},
      {"ShortSuccessor",
       [](Options*, Table* table) {
         table->index_shortening =
             Table::IndexShorteningMode::kShortenSeparatorsAndSuccessor;
       }},
      {"PlainIndex",
       [](Options* options, Table* table) {
         options->compression = kZSTD;
         table->enable_index_compression = false;
       }},
      {"HashIndex",
       [](Options* options, Table* table) {
         options->prefix_extractor.reset(NewFixedPrefixTransform(6));
         table->index_type = Table::kHashSearch;
       }},
      {"FirstKeys",
       [](Options*, Table* table) {
         table->index_type = Table::kBinarySearchWithFirstKey;
         table->index_block_restart_interval = 3;
       }},
      {"Partitioned",
       [](Options*, Table* table) {
         table->index_type = Table::kTwoLevelIndexSearch;
         table->partition_filters = true;
         table->metadata_block_size = 300;
       }},
  };
}

// Keys are looked up, so that a wrong filter, index or hash would be seen.
class StockLookupsTest : public StockToolsTest {
 protected:
  // An empty database of that format.
  void Begin(const StockFormat& format) {
    db_.reset();
    std::filesystem::remove_all(path_);
    options_.prefix_extractor = nullptr;
    options_.comparator = BytewiseComparator();
    options_.compression = kNoCompression;
    BlockBasedTableOptions table;
    table.format_version = 5;
    table.block_size = 1024;
    table.checksum = kNoChecksum;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    format.prepare(&options_, &table);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    Open();
  }

  static std::string Key(int i) { return "key" + std::to_string(100000 + i); }

  // Every other key is there, some in two files; some are deleted in the newer
  // one, and some are entities.
  void FillTwice() {
    const WriteOptions write;
    for (int i = 0; i < 1000; i += 2) ASSERT_OK(Put(Key(i), "old" + Key(i)));
    ASSERT_OK(Flush());
    for (int i = 0; i < 1000; i += 6) ASSERT_OK(Put(Key(i), "new" + Key(i)));
    for (int i = 2; i < 1000; i += 60) ASSERT_OK(Delete(Key(i)));
    for (int i = 4; i < 1000; i += 60) {
      ASSERT_OK(db_->SingleDelete(write, Key(i)));
    }
    for (int i = 8; i < 1000; i += 60) {
      ASSERT_OK(db_->PutEntity(write, db_->DefaultColumnFamily(), Key(i),
                               {{"", "default" + Key(i)}, {"b", "2"}}));
    }
    ASSERT_OK(Flush());
  }

  // A line for each key that is there; the others at the end of *absent.
  std::string OurLookups(std::vector<std::string>* absent) {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
      const std::string value = Get(Key(i));
      if (value == "NOT_FOUND") {
        absent->push_back(Key(i));
      } else {
        text += Key(i) + " ==> " + value + "\n";
      }
    }
    return text;
  }
  // The same for all keys but `absent`: the tool stops where a key is not.
  std::string StockLookups(const std::vector<std::string>& absent) const {
    std::string lines;
    for (int i = 0; i < 1000; ++i) {
      if (std::find(absent.begin(), absent.end(), Key(i)) == absent.end()) {
        lines += "get " + Key(i) + "\n";
      }
    }
    const std::string commands = directory_.File("commands");
    WriteBytes(commands, lines);
    int status = 0;
    std::string output =
        RunShell(kLdb + path_ + " query < " + commands, &status);
    EXPECT_EQ(status, 0) << output;
    return output;
  }
  bool StockFinds(const std::string& key) const {
    int status = 0;
    const std::string output = RunShell(kLdb + path_ + " get " + key, &status);
    const bool is_absent = output.find("NotFound") != std::string::npos;
    EXPECT_EQ(status != 0, is_absent) << output;
    return !is_absent;
  }

  // The path and bytes of the one table file, after closing.
  void TakeTable(std::string* path, std::string* bytes) {
    db_.reset();
    const std::vector<std::string> tables = FilesOf(path_, kTableFile);
    ASSERT_EQ(tables.size(), 1u);
    *path = tables[0];
    *bytes = ReadBytes(tables[0]);
  }
};

TEST_F(StockLookupsTest, FindTheSame) {
  if (!HasStockTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
  std::vector<StockFormat> formats = StockFilters();
  for (const StockFormat& format : StockIndexes()) formats.push_back(format);
  for (const StockFormat& format : formats) {
    SCOPED_TRACE(format.name);
    ASSERT_NO_FATAL_FAILURE(Begin(format));
    ASSERT_NO_FATAL_FAILURE(FillTwice());
    std::vector<std::string> absent;
    const std::string expected = OurLookups(&absent);
    db_.reset();
    EXPECT_EQ(StockLookups(absent), expected);
    ASSERT_GT(absent.size(), 500u);
    // Deleted in either way, and never there.
    for (const int i : {62, 64, 501}) {
      EXPECT_FALSE(StockFinds(Key(i))) << Key(i);
    }
  }
}

// Filters that were emptied keep everything from being found.
TEST_F(StockLookupsTest, AskOurFilters) {
  if (!HasStockTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
  for (const StockFormat& format : StockFilters()) {
    SCOPED_TRACE(format.name);
    ASSERT_NO_FATAL_FAILURE(Begin(format));
    for (int i = 0; i < 1000; ++i) ASSERT_OK(Put(Key(i), "v"));
    ASSERT_OK(Flush());
    std::string path, bytes;
    ASSERT_NO_FATAL_FAILURE(TakeTable(&path, &bytes));
    EXPECT_TRUE(StockFinds(Key(123)));
    const BlockHandle filter =
        StoredTable(bytes).BlockNamed(kBuiltinFilterBlock);
    ASSERT_GT(filter.size, 64u);
    std::fill_n(bytes.begin() + static_cast<int64_t>(filter.offset),
                filter.size - 5, '\0');
    WriteBytes(path, bytes);
    // An empty Ribbon filter lets one in a hundred pass.
    int found = 0;
    for (const int i : {123, 456, 789}) found += StockFinds(Key(i)) ? 1 : 0;
    EXPECT_LE(found, 1);
  }
}

// Buckets that say that there is no such key are believed.
TEST_F(StockLookupsTest, AskOurHashIndexes) {
  if (!HasStockTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
  ASSERT_NO_FATAL_FAILURE(Begin(StockIndexes()[0]));
  for (int i = 0; i < 8; ++i) ASSERT_OK(Put(Key(i), "v"));
  ASSERT_OK(Flush());
  std::string path, bytes;
  ASSERT_NO_FATAL_FAILURE(TakeTable(&path, &bytes));
  EXPECT_TRUE(StockFinds(Key(1)));
  const BlockHandle data = StoredTable(bytes).DataBlock(0);
  BlockLayout layout;
  ASSERT_EQ(layout.Parse(Slice(bytes.data() + data.offset, data.size)),
            nullptr);
  ASSERT_GT(layout.bucket_count, 0u);
  const size_t buckets = data.offset + layout.buckets_offset;
  std::fill_n(bytes.data() + buckets, layout.bucket_count, '\xff');
  WriteBytes(path, bytes);
  // Stock still searches the last of the two restart intervals: key 5 is there.
  EXPECT_FALSE(StockFinds(Key(1)));
  EXPECT_TRUE(StockFinds(Key(5)));
}

// Stock ldb has no merge operator by default; with operands in files, it must
// at least see them as such.
TEST_F(StockToolsTest, MergeOperandsAreThereForStock) {
  if (!HasStockTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
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
  if (!HasStockTools()) GTEST_SKIP() << "ldb and sst_dump are not installed";
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
