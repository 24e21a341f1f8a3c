// Files that we write in format_version 5 are read by another program: stock
// sst_dump, of the package rocksdb-tools. Where it is absent, the test says so
// and passes.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "rocksdb/filter_policy.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_formats.h"
#include "tests/testing/shell.h"
#include "tests/testing/temp_dir.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

void CheckWithStock(TableFixture* fixture, const std::string& path) {
  std::vector<TableEntry> entries = NumberedEntries(2000);
  entries.push_back({"l", "", 7, kTypeDeletion});
  entries.push_back({"m", "merge", 8, kTypeMerge});
  fixture->tombstones = {{"x", "z", 3}};
  std::ofstream(path, std::ios::binary) << fixture->Build(entries);
  int status = 0;
  std::string output =
      RunShell("sst_dump --file=" + path + " --command=verify", &status);
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("The file is ok"), std::string::npos) << output;
  output = RunShell("sst_dump --file=" + path + " --command=scan", &status);
  EXPECT_EQ(status, 0) << output;
  for (const char* line :
       {"'key00000' seq:1, type:1 => value-00000-abcabcabc",
        "'key01999' seq:2000, type:1 => value-01999-abcabcabc",
        "'l' seq:7, type:0", "'m' seq:8, type:2 => merge"}) {
    EXPECT_NE(output.find(line), std::string::npos) << line << "\n"
                                                    << output.substr(0, 1000);
  }
  output = RunShell("sst_dump --file=" + path + " --show_properties", &status);
  EXPECT_NE(output.find("# entries: 2003"), std::string::npos) << output;
  EXPECT_NE(output.find("# range deletions: 1"), std::string::npos) << output;
  const std::string filter = std::string("filter policy name: ") +
                             fixture->table.filter_policy->Name();
  EXPECT_NE(output.find(filter), std::string::npos) << output;
}

TEST(StockTools, ReadEveryFormat) {
  if (!HasProgram("sst_dump")) GTEST_SKIP() << "sst_dump is not installed";
  const TempDir directory("stock");
  int number = 10;
  for (const TableFormat& format : TableFormats()) {
    if (!format.is_old) continue;
    for (const CompressionType codec : {kNoCompression, kZSTD}) {
      if (!CompressionTypeSupported(codec)) continue;
      SCOPED_TRACE(std::string(format.name) + " " +
                   CompressionTypeToString(codec));
      TableFixture fixture;
      fixture.table.format_version = 5;
      fixture.table.block_size = 1024;
      fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
      fixture.compression = codec;
      format.prepare(&fixture);
      char name[32];
      snprintf(name, sizeof(name), "%06d.sst", number++);
      ASSERT_NO_FATAL_FAILURE(CheckWithStock(&fixture, directory.File(name)));
    }
  }
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
        fixture.table.format_version = 5;
        fixture.table.block_size = 1024;
        fixture.table.checksum = checksum;
        fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
        fixture.compression = codec;
        fixture.compression_options.max_dict_bytes = dictionary;
        char name[32];
        snprintf(name, sizeof(name), "%06d.sst", number++);
        ASSERT_NO_FATAL_FAILURE(CheckWithStock(&fixture, directory.File(name)));
      }
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
