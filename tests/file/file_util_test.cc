#include "file/file_util.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "tests/file/fake_files.h"

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
