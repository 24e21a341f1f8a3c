// Files that we write in format_version 2 to 5 are read by another program:
// stock sst_dump, of the package rocksdb-tools. Where it is absent, the test
// says so and passes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_formats.h"
#include "tests/testing/shell.h"
#include "tests/testing/temp_dir.h"
#include "util/compression.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The line that `sst_dump --command=scan --output_hex` prints for an entry.
std::string StockLine(const TableEntry& e) {
  return "'" + Slice(e.user_key).ToString(true) +
         "' seq:" + std::to_string(e.sequence) +
         ", type:" + std::to_string(e.type) + " => " +
         Slice(e.value).ToString(true) + "\n";
}

// Numbers, and one of each other kind of entry.
std::vector<TableEntry> StockEntries() {
  std::vector<TableEntry> entries = NumberedEntries(2000);
  std::string entity;
  EXPECT_TRUE(EncodeWideColumns({{"", "dflt"}, {"c", "v"}}, &entity).ok());
  entries.push_back({"l", "", 7, kTypeDeletion});
  entries.push_back({"m", "merge", 8, kTypeMerge});
  entries.push_back({"s", "", 9, kTypeSingleDeletion});
  entries.push_back({"w", entity, 10, kTypeWideColumnEntity});
  return entries;
}

void PrepareForStock(TableFixture* f) {
  f->table.format_version = 5;
  f->table.block_size = 1024;
  f->table.filter_policy.reset(NewBloomFilterPolicy(10));
  f->tombstones = {{"x", "z", 3}};
}

void CheckWithStock(TableFixture* fixture, const std::string& path,
                    const std::vector<TableEntry>& entries) {
  std::ofstream(path, std::ios::binary) << fixture->Build(entries);
  int status = 0;
  std::string output =
      RunShell("sst_dump --file=" + path + " --command=verify", &status);
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("The file is ok"), std::string::npos) << output;
  output = RunShell("sst_dump --file=" + path + " --command=scan --output_hex",
                    &status);
  EXPECT_EQ(status, 0) << output;
  std::string expected;
  for (const TableEntry& e : entries) expected += StockLine(e);
  ASSERT_NE(output.find('\''), std::string::npos) << output;
  EXPECT_EQ(output.substr(output.find('\'')), expected);
  output = RunShell("sst_dump --file=" + path + " --show_properties", &status);
  EXPECT_NE(
      output.find("# entries: " + std::to_string(entries.size() + 1) + "\n"),
      std::string::npos)
      << output;
  EXPECT_NE(output.find("# range deletions: 1"), std::string::npos) << output;
  const std::string filter = std::string("filter policy name: ") +
                             fixture->table.filter_policy->Name();
  EXPECT_NE(output.find(filter), std::string::npos) << output;
}

// What the formats of every test do not vary.
std::vector<TableFormat> StockFormats() {
  using Table = BlockBasedTableOptions;
  return {
      {"Version2", true, [](TableFixture* f) { f->table.format_version = 2; }},
      {"Version3", true, [](TableFixture* f) { f->table.format_version = 3; }},
      {"Version4", true, [](TableFixture* f) { f->table.format_version = 4; }},
      {"Version2Partitioned", true,
       [](TableFixture* f) {
         f->table.format_version = 2;
         f->table.index_type = Table::kTwoLevelIndexSearch;
         f->table.metadata_block_size = 100;
         f->table.partition_filters = true;
       }},
      {"WholeKeysInBlocks", true,
       [](TableFixture* f) { f->table.use_delta_encoding = false; }},
      {"NoShortening", true,
       [](TableFixture* f) {
         f->table.index_shortening = Table::IndexShorteningMode::kNoShortening;
       }},
      {"ShortSuccessor", true,
       [](TableFixture* f) {
         f->table.index_shortening =
             Table::IndexShorteningMode::kShortenSeparatorsAndSuccessor;
       }},
      {"PlainIndex", true,
       [](TableFixture* f) { f->table.enable_index_compression = false; }},
      {"PrefixesAlone", true,
       [](TableFixture* f) {
         f->table.whole_key_filtering = false;
         f->family.prefix_extractor.reset(NewFixedPrefixTransform(7));
       }},
      {"ExactFilters", true,
       [](TableFixture* f) { f->table.optimize_filters_for_memory = false; }},
  };
}

TEST(StockTools, ReadEveryFormat) {
  if (!HasProgram("sst_dump")) GTEST_SKIP() << "sst_dump is not installed";
  const TempDir directory("stock");
  int number = 10;
  std::vector<TableFormat> formats = TableFormats();
  for (const TableFormat& format : StockFormats()) formats.push_back(format);
  for (const TableFormat& format : formats) {
    if (!format.is_old) continue;
    for (const CompressionType codec : {kNoCompression, kZSTD}) {
      if (!CompressionTypeSupported(codec)) continue;
      SCOPED_TRACE(std::string(format.name) + " " +
                   CompressionTypeToString(codec));
      TableFixture fixture;
      PrepareForStock(&fixture);
      fixture.compression = codec;
      format.prepare(&fixture);
      char name[32];
      snprintf(name, sizeof(name), "%06d.sst", number++);
      ASSERT_NO_FATAL_FAILURE(
          CheckWithStock(&fixture, directory.File(name), StockEntries()));
    }
  }
}

TEST(StockTools, ReadOtherOrders) {
  if (!HasProgram("sst_dump")) GTEST_SKIP() << "sst_dump is not installed";
  const TempDir directory("stock");
  TableFixture fixture;
  PrepareForStock(&fixture);
  std::vector<TableEntry> entries = StockEntries();
  std::reverse(entries.begin(), entries.end());
  fixture.family.comparator = ReverseBytewiseComparator();
  ASSERT_NO_FATAL_FAILURE(
      CheckWithStock(&fixture, directory.File("000010.sst"), entries));
}

// A later timestamp comes first.
TEST(StockTools, ReadUserDefinedTimestamps) {
  if (!HasProgram("sst_dump")) GTEST_SKIP() << "sst_dump is not installed";
  const TempDir directory("stock");
  TableFixture fixture;
  PrepareForStock(&fixture);
  fixture.family.comparator = BytewiseComparatorWithU64Ts();
  const std::string stamp = "\x03" + std::string(7, '\0');
  fixture.tombstones = {{"x" + stamp, "z" + stamp, 3}};
  std::vector<TableEntry> entries;
  for (const TableEntry& e : NumberedEntries(300)) {
    for (const char ts : {'\x09', '\x02'}) {
      entries.push_back(e);
      entries.back().user_key += ts + std::string(7, '\0');
    }
  }
  entries.push_back(
      {"l\x03" + std::string(7, '\0'), "", 7, kTypeDeletionWithTimestamp});
  ASSERT_NO_FATAL_FAILURE(
      CheckWithStock(&fixture, directory.File("000010.sst"), entries));
}

TEST(StockTools, ReadWhatWeWrite) {
  if (!HasProgram("sst_dump")) GTEST_SKIP() << "sst_dump is not installed";
  const TempDir directory("stock");
  int number = 10;
  for (const ChecksumType checksum :
       {kNoChecksum, kCRC32c, kxxHash, kxxHash64, kXXH3}) {
    for (const CompressionType codec :
         {kNoCompression, kSnappyCompression, kZlibCompression,
          kBZip2Compression, kLZ4Compression, kLZ4HCCompression, kZSTD}) {
      // One checksum is tried with all codecs, the others with one.
      if (!CompressionTypeSupported(codec)) continue;
      if (checksum != kXXH3 && codec != kNoCompression) continue;
      for (const uint32_t dictionary : {0u, 1024u}) {
        SCOPED_TRACE(std::to_string(checksum) + " " +
                     CompressionTypeToString(codec) + " " +
                     std::to_string(dictionary));
        TableFixture fixture;
        PrepareForStock(&fixture);
        fixture.table.checksum = checksum;
        fixture.compression = codec;
        fixture.compression_options.max_dict_bytes = dictionary;
        char name[32];
        snprintf(name, sizeof(name), "%06d.sst", number++);
        ASSERT_NO_FATAL_FAILURE(
            CheckWithStock(&fixture, directory.File(name), StockEntries()));
      }
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
