// The file system of db_stress kills, fails, forgets what is not synced and
// checks alignment and checksums, as its flags say.
#include "db_stress_tool/stress_file_system.h"

#include <gtest/gtest.h>

#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

#define ASSERT_OK(expression) ASSERT_TRUE((expression).ok())

class StressFileSystemTest : public ::testing::Test {
 protected:
  StressFileSystemTest() : directory_("stress_fs") {}

  std::string Path(const char* name) const {
    return directory_.path() + "/" + name;
  }
  // What a process that ended now would leave.
  std::string OnDisk(const char* name) const {
    std::string bytes;
    const IOStatus s =
        ReadFileToString(FileSystem::Default().get(), Path(name), &bytes);
    return s.ok() ? bytes : s.ToString();
  }
  std::unique_ptr<FSWritableFile> Create(StressFileSystem* fs,
                                         const char* name) const {
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s =
        fs->NewWritableFile(Path(name), FileOptions(), &file, nullptr);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return file;
  }

  const IOOptions io_;
  TempDir directory_;
};

TEST_F(StressFileSystemTest, FaultsAreAsSevereAsAsked) {
  constexpr int kCalls = 100;
  for (const int64_t severity : {1, 2, 3}) {
    StressFileSystem::Settings settings;
    settings.severity = severity;
    StressFileSystem fs(FileSystem::Default(), settings);
    fs.SetRates({.metadata_read = 1});
    int retryable = 0;
    for (int i = 0; i < kCalls; ++i) {
      const IOStatus s = fs.FileExists(Path("a"), io_, nullptr);
      ASSERT_TRUE(IsInjected(s));
      retryable += s.GetRetryable() ? 1 : 0;
    }
    EXPECT_EQ(retryable == kCalls, severity == 1);
    EXPECT_EQ(retryable == 0, severity == 2);
  }
}

TEST_F(StressFileSystemTest, WhatIsNotSyncedDiesWithTheProcess) {
  StressFileSystem::Settings settings;
  settings.loses_unsynced = true;
  StressFileSystem fs(FileSystem::Default(), settings);
  auto file = Create(&fs, "a");
  ASSERT_OK(file->Append("synced", io_, nullptr));
  EXPECT_EQ(OnDisk("a"), "");
  ASSERT_OK(file->Sync(io_, nullptr));
  ASSERT_OK(file->Append(", not", io_, nullptr));
  ASSERT_OK(file->Flush(io_, nullptr));
  ASSERT_OK(file->RangeSync(0, 11, io_, nullptr));
  EXPECT_EQ(OnDisk("a"), "synced");
  EXPECT_EQ(file->GetFileSize(io_, nullptr), 11u);
  uint64_t size = 0;
  ASSERT_OK(fs.GetFileSize(Path("a"), io_, &size, nullptr));
  EXPECT_EQ(size, 11u);
  ASSERT_OK(file->Close(io_, nullptr));
  file.reset();
  EXPECT_EQ(OnDisk("a"), "synced");
  // The process itself sees all of it, under a new name as well.
  ASSERT_OK(fs.RenameFile(Path("a"), Path("b"), io_, nullptr));
  std::string bytes;
  ASSERT_OK(ReadFileToString(&fs, Path("b"), &bytes));
  EXPECT_EQ(bytes, "synced, not");
}

// A reader of a log or a blob file that is being written depends on this.
TEST_F(StressFileSystemTest, WhoeverHasAFileOpenSeesWhatIsNotSynced) {
  StressFileSystem::Settings settings;
  settings.loses_unsynced = true;
  StressFileSystem fs(FileSystem::Default(), settings);
  auto file = Create(&fs, "a");
  ASSERT_OK(file->Append("first", io_, nullptr));
  std::unique_ptr<FSRandomAccessFile> reader;
  ASSERT_OK(fs.NewRandomAccessFile(Path("a"), FileOptions(), &reader, nullptr));
  ASSERT_OK(file->Append(", second", io_, nullptr));
  char scratch[20];
  Slice found;
  ASSERT_OK(reader->Read(3, 6, io_, &found, scratch, nullptr));
  EXPECT_EQ(found, "st, se");
  ASSERT_OK(reader->Read(7, 20, io_, &found, scratch, nullptr));
  EXPECT_EQ(found, "second");
  ASSERT_OK(reader->Read(13, 5, io_, &found, scratch, nullptr));
  EXPECT_EQ(found, "");
  FSReadRequest request;
  request.offset = 5;
  request.len = 4;
  request.scratch = scratch;
  ASSERT_OK(reader->MultiRead(&request, 1, io_, nullptr));
  ASSERT_OK(request.status);
  EXPECT_EQ(request.result, ", se");
  // They are held all the same.
  EXPECT_EQ(OnDisk("a"), "first");
  ASSERT_OK(file->Sync(io_, nullptr));
  ASSERT_OK(reader->Read(0, 20, io_, &found, scratch, nullptr));
  EXPECT_EQ(found, "first, second");
}

TEST_F(StressFileSystemTest, FailsAtItsRatesAndNotWhenPaused) {
  StressFileSystem fs(FileSystem::Default(), StressFileSystem::Settings());
  auto file = Create(&fs, "a");
  FaultRates rates;
  rates.write = 2;
  rates.metadata_write = 2;
  fs.SetRates(rates);
  int failures = 0;
  for (int i = 0; i < 100; ++i) {
    const IOStatus s = file->Append("x", io_, nullptr);
    if (s.ok()) continue;
    ++failures;
    EXPECT_TRUE(IsInjected(s)) << s.ToString();
  }
  EXPECT_GT(failures, 20);
  EXPECT_LT(failures, 80);
  {
    const WithoutFaults no_faults;
    for (int i = 0; i < 100; ++i) {
      ASSERT_OK(file->Append("x", io_, nullptr));
    }
  }
  fs.SetRates(FaultRates());
  ASSERT_OK(file->Close(io_, nullptr));
  EXPECT_EQ(OnDisk("a").size(), 200u - static_cast<size_t>(failures));
}

TEST_F(StressFileSystemTest, DirectFilesThatAreMockedInsistOnAlignment) {
  StressFileSystem::Settings settings;
  settings.mocks_direct_io = true;
  StressFileSystem fs(FileSystem::Default(), settings);
  FileOptions direct;
  direct.use_direct_reads = direct.use_direct_writes = true;
  std::unique_ptr<FSWritableFile> file;
  ASSERT_OK(fs.NewWritableFile(Path("a"), direct, &file, nullptr));
  EXPECT_TRUE(file->use_direct_io());
  alignas(512) char bytes[1024] = {};
  const Slice sector(bytes, 512);
  ASSERT_OK(file->PositionedAppend(sector, 0, io_, nullptr));
  EXPECT_TRUE(
      file->PositionedAppend(sector, 7, io_, nullptr).IsInvalidArgument());
  EXPECT_TRUE(file->PositionedAppend(Slice(bytes, 5), 512, io_, nullptr)
                  .IsInvalidArgument());
  ASSERT_OK(file->Close(io_, nullptr));
  EXPECT_EQ(OnDisk("a").size(), 512u);
  std::unique_ptr<FSRandomAccessFile> read;
  ASSERT_OK(fs.NewRandomAccessFile(Path("a"), direct, &read, nullptr));
  EXPECT_TRUE(read->use_direct_io());
  Slice result;
  ASSERT_OK(read->Read(0, 512, io_, &result, bytes, nullptr));
  EXPECT_EQ(result.size(), 512u);
  EXPECT_TRUE(
      read->Read(1, 512, io_, &result, bytes, nullptr).IsInvalidArgument());
  EXPECT_TRUE(
      read->Read(0, 512, io_, &result, bytes + 1, nullptr).IsInvalidArgument());
  // What is not asked for is not mocked.
  ASSERT_OK(fs.NewRandomAccessFile(Path("a"), FileOptions(), &read, nullptr));
  EXPECT_FALSE(read->use_direct_io());
  ASSERT_OK(read->Read(1, 5, io_, &result, bytes + 1, nullptr));
}

TEST_F(StressFileSystemTest, ChecksumsOfWritesAreLookedAt) {
  StressFileSystem fs(FileSystem::Default(), StressFileSystem::Settings());
  auto file = Create(&fs, "a");
  // The CRC-32C of nine digits, the lowest byte first.
  const std::string digits = "123456789";
  DataVerificationInfo right;
  right.checksum = Slice("\x83\x92\x06\xe3", 4);
  ASSERT_OK(file->Append(digits, io_, right, nullptr));
  EXPECT_TRUE(file->Append("12345678x", io_, right, nullptr).IsCorruption());
  EXPECT_TRUE(file->PositionedAppend("12345678x", 0, io_, right, nullptr)
                  .IsCorruption());
  // None is right, too.
  ASSERT_OK(file->Append("x", io_, DataVerificationInfo(), nullptr));
  ASSERT_OK(file->Close(io_, nullptr));
  EXPECT_EQ(OnDisk("a"), digits + "x");
}

TEST_F(StressFileSystemTest, IOErrorsOfRemoteStorageMayBeTolerated) {
  const IOStatus error = IOStatus::IOError("a disk");
  EXPECT_FALSE(IsInjected(error));
  TolerateAllIOErrors(true);
  EXPECT_TRUE(IsInjected(error));
  EXPECT_FALSE(IsInjected(Status::Corruption("a block")));
  EXPECT_FALSE(IsInjected(IOStatus::PathNotFound("a file")));
  TolerateAllIOErrors(false);
  EXPECT_FALSE(IsInjected(error));
}

using StressFileSystemDeathTest = StressFileSystemTest;

TEST_F(StressFileSystemDeathTest, KillsAtTheChosenCalls) {
  StressFileSystem::Settings settings;
  settings.kill_one_in = 1;
  settings.kill_excludes = {"Append", "NewWritableFile"};
  settings.kill_path_contains = "chosen";
  EXPECT_EXIT(
      {
        StressFileSystem fs(FileSystem::Default(), settings);
        auto other = Create(&fs, "other");
        auto file = Create(&fs, "chosen");
        for (int i = 0; i < 100; ++i) {
          if (!other->Sync(io_, nullptr).ok() ||
              !file->Append("x", io_, nullptr).ok()) {
            exit(1);
          }
        }
        for (int i = 0; i < 1000; ++i) {
          if (!file->Sync(io_, nullptr).ok()) exit(1);
        }
        exit(0);
      },
      ::testing::KilledBySignal(SIGKILL), "killed at Sync of .*chosen");
  EXPECT_EQ(OnDisk("chosen"), std::string(100, 'x'));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
