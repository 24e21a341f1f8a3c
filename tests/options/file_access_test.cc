// The file_access option and the older direct I/O booleans are resolved to one
// way of reading and writing files.
#include "options/file_access.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Named {
  const char* text;
  FileAccess value;
};
constexpr Named kAll[] = {{"default", FileAccess::kDefault},
                          {"auto", FileAccess::kAuto},
                          {"buffered", FileAccess::kBuffered},
                          {"uncached", FileAccess::kUncached},
                          {"direct", FileAccess::kDirect}};

TEST(FileAccess, TextGoesRound) {
  for (const char* option :
       {"compaction_read_access", "compaction_write_access"}) {
    const bool is_read = std::string(option) == "compaction_read_access";
    for (const Named& named : kAll) {
      const std::string text = std::string(option) + "=" + named.text;
      DBOptions options;
      ASSERT_TRUE(
          GetDBOptionsFromString(ConfigOptions(), {}, text, &options).ok());
      EXPECT_EQ(is_read ? options.compaction_read_access
                        : options.compaction_write_access,
                named.value);
      EXPECT_EQ(is_read ? options.compaction_write_access
                        : options.compaction_read_access,
                FileAccess::kDefault);
      std::string printed;
      ASSERT_TRUE(
          GetStringFromDBOptions(ConfigOptions(), options, &printed).ok());
      // What RocksDB does not know is written only if it says something.
      EXPECT_EQ(printed.find(text) != std::string::npos,
                named.value != FileAccess::kDefault);
      DBOptions again;
      ASSERT_TRUE(
          GetDBOptionsFromString(ConfigOptions(), {}, printed, &again).ok());
      EXPECT_EQ(again.compaction_read_access, options.compaction_read_access);
      EXPECT_EQ(again.compaction_write_access, options.compaction_write_access);
    }
  }
  DBOptions options;
  for (const char* wrong : {"", "Direct", "kDirect", "1", "mmap"}) {
    EXPECT_TRUE(GetDBOptionsFromString(
                    ConfigOptions(), {},
                    "compaction_read_access=" + std::string(wrong), &options)
                    .IsInvalidArgument())
        << wrong;
  }
}

TEST(FileAccess, BooleansAreTheDefault) {
  for (const bool is_direct : {false, true}) {
    DBOptions options;
    options.use_direct_io_for_compaction_reads = is_direct;
    options.use_direct_io_for_flush_and_compaction = is_direct;
    const FileAccess expected =
        is_direct ? FileAccess::kDirect : FileAccess::kBuffered;
    EXPECT_EQ(CompactionReadAccess(options), expected);
    EXPECT_EQ(CompactionWriteAccess(options), expected);
  }
}

TEST(FileAccess, TheOptionSaysMore) {
  for (const Named& named : kAll) {
    if (named.value == FileAccess::kDefault) continue;
    DBOptions options;
    options.compaction_read_access = named.value;
    EXPECT_EQ(CompactionReadAccess(options), named.value);
    EXPECT_EQ(CompactionWriteAccess(options), FileAccess::kBuffered);
    options = DBOptions();
    options.compaction_write_access = named.value;
    EXPECT_EQ(CompactionReadAccess(options), FileAccess::kBuffered);
    EXPECT_EQ(CompactionWriteAccess(options), named.value);
  }
}

TEST(FileAccess, AutoBesideOtherOptions) {
  DBOptions options;
  options.compaction_read_access = FileAccess::kAuto;
  options.compaction_write_access = FileAccess::kAuto;
  options.use_direct_reads = true;
  EXPECT_EQ(CompactionReadAccess(options), FileAccess::kDirect);
  options.use_direct_reads = false;
  options.allow_mmap_reads = true;
  EXPECT_EQ(CompactionReadAccess(options), FileAccess::kBuffered);
  EXPECT_EQ(CompactionWriteAccess(options), FileAccess::kAuto);
  options.writable_file_max_buffer_size = 0;
  EXPECT_EQ(CompactionWriteAccess(options), FileAccess::kUncached);
  options.allow_mmap_writes = true;
  EXPECT_EQ(CompactionWriteAccess(options), FileAccess::kBuffered);
}

// Until a file system has been asked.
TEST(FileAccess, TheEngineReadsNeitherDefaultNorAuto) {
  for (const Named& named : kAll) {
    DBOptions options;
    options.compaction_read_access = named.value;
    options.compaction_write_access = named.value;
    const MutableDBOptions now(SanitizeDBOptions("/db", options));
    FileAccess expected = named.value;
    if (expected == FileAccess::kDefault) expected = FileAccess::kBuffered;
    if (expected == FileAccess::kAuto) expected = FileAccess::kUncached;
    EXPECT_EQ(now.read_access, expected);
    EXPECT_EQ(now.write_access, expected);
  }
}

TEST(FileAccess, ReadsPastThePageCacheHaveReadAhead) {
  for (const Named& named : kAll) {
    DBOptions options;
    options.compaction_readahead_size = 0;
    options.compaction_read_access = named.value;
    const bool is_buffered = named.value == FileAccess::kBuffered ||
                             named.value == FileAccess::kDefault;
    EXPECT_EQ(SanitizeDBOptions("/db", options).compaction_readahead_size,
              is_buffered ? 0u : 2u << 20)
        << named.text;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
