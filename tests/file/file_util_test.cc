// Whole files are copied, created and deleted, and a failure leaves no part of
// one.
#include "file/file_util.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "file/io_governor.h"
#include "tests/file/fake_files.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string Content(FileSystem* fs, const std::string& name) {
  std::string text;
  EXPECT_TRUE(ReadFileToString(fs, name, &text).ok());
  return text;
}

TEST(FileUtilTest, CopiesBufferedAndDirect) {
  for (const bool is_direct : {false, true}) {
    MemFileSystem fs;
    const std::string data = PatternBytes(1000003);
    ASSERT_TRUE(CreateFile(&fs, "/from", data, FileDurability::kSynced).ok());
    FileCopy copy;
    copy.source = "/from";
    copy.destination = "/to";
    copy.file_options.use_direct_reads = is_direct;
    copy.file_options.use_direct_writes = is_direct;
    ASSERT_TRUE(CopyFile(&fs, copy).ok());
    EXPECT_TRUE(Content(&fs, "/to") == data);
    copy.size_bytes = 654321;
    ASSERT_TRUE(CopyFile(&fs, copy).ok());
    EXPECT_TRUE(Content(&fs, "/to") == data.substr(0, 654321));
  }
}

// The copy's own write-back fills the cap, and only this thread takes it in: a
// read that waited for it at the governor would get on only as one that is
// stuck.
TEST(FileUtilTest, ACopyNeverWaitsForItsOwnWriteBack) {
  const TempDir dir;
  FileSystem* const fs = FileSystem::Default().get();
  const std::string data = PatternBytes(3 << 20);
  ASSERT_TRUE(
      CreateFile(fs, dir.File("from"), data, FileDurability::kBuffered).ok());
  IoGovernor governor;
  constexpr size_t kOneRequest = IoGovernor::kMinRequestBytes;
  const IoLimits limits{.max_bytes_in_flight = kOneRequest};
  governor.Join(limits);
  FileCopy copy;
  copy.source = dir.File("from");
  copy.destination = dir.File("to");
  copy.governor = &governor;
  ASSERT_TRUE(CopyFile(fs, copy).ok());
  governor.Leave(limits);
  const IoGovernorStats stats = governor.Stats();
  const auto& own = stats.classes[static_cast<size_t>(IoClass::kMaintenance)];
  EXPECT_GE(own.bytes, 2 * data.size()) << "both ways are governed";
  EXPECT_EQ(own.wait_micros, 0u) << "nobody else holds anything";
  EXPECT_EQ(own.bytes_in_flight, 0u);
  EXPECT_TRUE(Content(fs, copy.destination) == data);
}

TEST(FileUtilTest, ASourceThatIsTooShortIsCorrupt) {
  MemFileSystem fs;
  ASSERT_TRUE(CreateFile(&fs, "/from", "abc", FileDurability::kSynced).ok());
  FileCopy copy;
  copy.source = "/from";
  copy.destination = "/to";
  copy.size_bytes = 4;
  const Status s = CopyFile(&fs, copy);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("/from"), std::string::npos);
  EXPECT_TRUE(fs.FileExists("/to", IOOptions(), nullptr).IsNotFound());
}

TEST(FileUtilTest, AFullDiskLeavesNoPart) {
  MemFileSystemOptions options;
  options.capacity_bytes = 150000;
  MemFileSystem fs(SystemClock::Default(), options);
  ASSERT_TRUE(CreateFile(&fs, "/from", std::string(100000, 'x'),
                         FileDurability::kBuffered)
                  .ok());
  FileCopy copy;
  copy.source = "/from";
  copy.destination = "/to";
  EXPECT_TRUE(CopyFile(&fs, copy).IsNoSpace());
  EXPECT_TRUE(fs.FileExists("/to", IOOptions(), nullptr).IsNotFound());
  EXPECT_TRUE(CreateFile(&fs, "/other", std::string(100000, 'x'),
                         FileDurability::kSynced)
                  .IsNoSpace());
  EXPECT_TRUE(fs.FileExists("/other", IOOptions(), nullptr).IsNotFound());
}

TEST(FileUtilTest, DeletesWhatIsThere) {
  MemFileSystem fs;
  ASSERT_TRUE(CreateFile(&fs, "/f", "x", FileDurability::kFsynced).ok());
  EXPECT_TRUE(DeleteFileIfExists(&fs, "/f").ok());
  EXPECT_TRUE(DeleteFileIfExists(&fs, "/f").ok());
  EXPECT_TRUE(SyncDirectory(&fs, "/", DirFsyncOptions()).ok());
  EXPECT_FALSE(SyncDirectory(&fs, "/none", DirFsyncOptions()).ok());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
