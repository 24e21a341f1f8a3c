// The fault-injecting file system fails the chosen calls and no others, and
// after a crash keeps just what was synced and what its seed spares.
#include "utilities/fault_injection/fault_injection_fs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kBlock = 4096;

class FaultInjectionTest : public ::testing::Test {
 protected:
  FaultInjectionTest() { EXPECT_TRUE(fs_.CreateDir("/d", io_, nullptr).ok()); }

  std::unique_ptr<FSWritableFile> Create(const std::string& path) {
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(fs_.NewWritableFile(path, FileOptions(), &file, nullptr).ok());
    return file;
  }
  void CreateSynced(const std::string& path, const std::string& bytes) {
    ASSERT_TRUE(WriteStringToFile(&fs_, bytes, path, true).ok());
    ASSERT_TRUE(SyncDir("/d").ok());
  }
  IOStatus SyncDir(const std::string& dir) {
    std::unique_ptr<FSDirectory> directory;
    IOStatus status = fs_.NewDirectory(dir, io_, &directory, nullptr);
    return status.ok() ? directory->Fsync(io_, nullptr) : status;
  }
  bool Exists(const std::string& path) {
    return fs_.FileExists(path, io_, nullptr).ok();
  }
  std::string ReadAll(const std::string& path) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(&fs_, path, &bytes).ok()) << path;
    return bytes;
  }
  void Crash(int survival_percent = 0) {
    const IOStatus status =
        fs_.CrashAndHeal({.survival_percent = survival_percent});
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  const std::shared_ptr<FileSystem> base_ = std::make_shared<MemFileSystem>();
  FaultInjectionFileSystem fs_{base_, 301};
  const IOOptions io_;
};

TEST_F(FaultInjectionTest, TheKthCallFailsAndNoOther) {
  for (uint64_t k = 1;; ++k) {
    fs_.FailCall({.call = k, .kind = FaultKind::kNoSpace});
    // Create, append, sync, close.
    const IOStatus status = WriteStringToFile(&fs_, "x", "/d/a", true);
    if (!fs_.failed()) {
      EXPECT_TRUE(status.ok());
      EXPECT_EQ(k, 5u);
      break;
    }
    EXPECT_TRUE(status.IsNoSpace()) << status.ToString();
    EXPECT_NE(status.ToString().find("/d/a"), std::string::npos);
    EXPECT_NE(fs_.failed_call().find("call " + std::to_string(k)),
              std::string::npos);
  }
}

TEST_F(FaultInjectionTest, PermanentFaultsLastUntilHealed) {
  fs_.FailCall({.call = 2, .is_permanent = true, .is_retryable = true});
  EXPECT_TRUE(fs_.CreateDir("/e", io_, nullptr).ok());
  for (int i = 0; i < 3; ++i) {
    const IOStatus status = fs_.CreateDir("/f", io_, nullptr);
    EXPECT_TRUE(status.IsIOError());
    EXPECT_TRUE(status.GetRetryable());
  }
  fs_.Heal();
  EXPECT_TRUE(fs_.CreateDir("/f", io_, nullptr).ok());
}

TEST_F(FaultInjectionTest, FaultsCanBeLimitedToPathsAndScopes) {
  CreateSynced("/d/a", "abc");
  fs_.FailCall(
      {.call = 1, .scope = FaultScope::kAllCalls, .path_contains = ".sst"});
  EXPECT_TRUE(Exists("/d/a"));
  std::unique_ptr<FSRandomAccessFile> file;
  EXPECT_TRUE(fs_.NewRandomAccessFile("/d/1.sst", FileOptions(), &file, nullptr)
                  .IsIOError());
  EXPECT_TRUE(fs_.failed());
  EXPECT_EQ(fs_.call_count(FaultScope::kAllCalls), 2u);
  EXPECT_EQ(fs_.call_count(FaultScope::kMutatingCalls), 0u);
}

TEST_F(FaultInjectionTest, ShortTransfers) {
  CreateSynced("/d/a", "0123456789");
  std::unique_ptr<FSRandomAccessFile> reader;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile("/d/a", FileOptions(), &reader, nullptr).ok());
  char scratch[10];
  Slice result;
  fs_.FailCall(
      {.call = 1, .kind = FaultKind::kShort, .scope = FaultScope::kAllCalls});
  ASSERT_TRUE(reader->Read(0, 10, io_, &result, scratch, nullptr).ok());
  EXPECT_EQ(result, "01234");
  const auto writer = Create("/d/b");
  fs_.FailCall({.call = 1, .kind = FaultKind::kShort});
  EXPECT_TRUE(writer->Append("abcdef", io_, nullptr).IsIOError());
  EXPECT_EQ(ReadAll("/d/b"), "abc");
}

TEST_F(FaultInjectionTest, DirectReadThatOpenedWellCanFail) {
  CreateSynced("/d/1.sst", std::string(kBlock, 'x'));
  FileOptions direct;
  direct.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(fs_.NewRandomAccessFile("/d/1.sst", direct, &file, nullptr).ok());
  const std::unique_ptr<char, decltype(&free)> buffer(
      static_cast<char*>(aligned_alloc(kBlock, kBlock)), &free);
  Slice result;
  auto read = [&] {
    return file->Read(0, kBlock, io_, &result, buffer.get(), nullptr);
  };
  fs_.FailCall({.call = 2,
                .kind = FaultKind::kInvalidArgument,
                .scope = FaultScope::kAllCalls});
  EXPECT_TRUE(Exists("/d"));
  EXPECT_TRUE(read().ok());
  EXPECT_TRUE(read().IsInvalidArgument());
  fs_.FailDirectReads(".sst");
  EXPECT_TRUE(read().IsInvalidArgument());
  fs_.AcceptDirectIo();
  EXPECT_TRUE(read().ok());
}

TEST_F(FaultInjectionTest, DirectOpensAreRefusedByPathAndRecorded) {
  CreateSynced("/d/1.sst", "x");
  CreateSynced("/d/2.sst", "x");
  fs_.ClearOpens();
  fs_.RefuseDirectIo("/d/2");
  FileOptions direct;
  direct.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> one;
  std::unique_ptr<FSRandomAccessFile> two;
  ASSERT_TRUE(fs_.NewRandomAccessFile("/d/1.sst", direct, &one, nullptr).ok());
  EXPECT_TRUE(fs_.NewRandomAccessFile("/d/2.sst", direct, &two, nullptr)
                  .IsInvalidArgument());
  ASSERT_TRUE(
      fs_.NewRandomAccessFile("/d/2.sst", FileOptions(), &two, nullptr).ok());
  EXPECT_EQ(fs_.opens().size(), 2u);
  EXPECT_EQ(fs_.direct_read_opens(), 1u);
  EXPECT_EQ(fs_.direct_read_opens("1.sst"), 1u);
  EXPECT_EQ(fs_.direct_read_opens("2.sst"), 0u);
  EXPECT_EQ(fs_.open_handles(FileKind::kRandomAccess), 2u);
  EXPECT_EQ(fs_.direct_read_handles(), 1u);
  one.reset();
  two.reset();
  EXPECT_EQ(fs_.open_handles(), 0u);
  EXPECT_EQ(fs_.direct_read_handles(), 0u);
  EXPECT_EQ(fs_.peak_direct_read_handles(), 1u);
}

TEST_F(FaultInjectionTest, InactiveMeansEveryCallFails) {
  CreateSynced("/d/a", "abc");
  const auto file = Create("/d/b");
  fs_.Deactivate(IOStatus::IOError("pulled the plug"));
  EXPECT_TRUE(file->Append("x", io_, nullptr).IsIOError());
  EXPECT_TRUE(file->Sync(io_, nullptr).IsIOError());
  EXPECT_FALSE(Exists("/d/a"));
  EXPECT_TRUE(fs_.DeleteFile("/d/a", io_, nullptr).IsIOError());
  fs_.Heal();
  EXPECT_EQ(ReadAll("/d/a"), "abc");
}

TEST_F(FaultInjectionTest, CrashKeepsWhatWasSynced) {
  const auto file = Create("/d/a");
  ASSERT_TRUE(SyncDir("/d").ok());
  ASSERT_TRUE(file->Append(std::string(5'000, 'a'), io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Append(std::string(5'000, 'b'), io_, nullptr).ok());
  Crash();
  EXPECT_EQ(ReadAll("/d/a"), std::string(5'000, 'a'));
  EXPECT_TRUE(file->Append("c", io_, nullptr).IsIOError());
  EXPECT_TRUE(file->Close(io_, nullptr).IsIOError());
}

TEST_F(FaultInjectionTest, CrashMayKeepAnyUnsyncedBlock) {
  std::set<size_t> sizes;
  bool has_hole = false;
  for (int i = 0; i < 40; ++i) {
    const auto file = Create("/d/a");
    ASSERT_TRUE(SyncDir("/d").ok());
    ASSERT_TRUE(file->Append(std::string(100, 's'), io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    ASSERT_TRUE(file->Append(std::string(4 * kBlock, 'u'), io_, nullptr).ok());
    Crash(50);
    const std::string bytes = ReadAll("/d/a");
    ASSERT_GE(bytes.size(), 100u);
    EXPECT_EQ(bytes.substr(0, 100), std::string(100, 's'));
    sizes.insert(bytes.size());
    has_hole |= bytes.find('\0') != std::string::npos;
    for (const char c : bytes.substr(100)) {
      ASSERT_TRUE(c == 'u' || c == '\0');
    }
  }
  EXPECT_GT(sizes.size(), 2u);
  EXPECT_TRUE(has_hole);
}

// The old bytes are behind the new ones, or zeros where there were none, or
// the end of the file.
TEST_F(FaultInjectionTest, CrashMayTearABlock) {
  bool is_cut_in_sector = false, has_zeros = false, has_old = false;
  for (int i = 0; i < 200; ++i) {
    CreateSynced("/d/a", std::string(1000, 'o'));
    std::unique_ptr<FSRandomRWFile> file;
    ASSERT_TRUE(
        fs_.NewRandomRWFile("/d/a", FileOptions(), &file, nullptr).ok());
    ASSERT_TRUE(file->Write(0, std::string(kBlock, 'n'), io_, nullptr).ok());
    Crash(50);
    const std::string bytes = ReadAll("/d/a");
    const size_t cut = std::min(bytes.find_first_not_of('n'), bytes.size());
    const std::string old = std::string(1000, 'o') + std::string(kBlock, '\0');
    ASSERT_EQ(bytes.substr(cut), old.substr(cut, bytes.size() - cut));
    ASSERT_GE(bytes.size(), 1000u);
    is_cut_in_sector |= cut % 512 != 0;
    has_old |= cut > 0 && cut < 1000;
    has_zeros |= cut > 1000 && cut < kBlock && bytes.size() == kBlock;
    // Zeros are in place of whole sectors.
    if (cut > 1000 && cut < bytes.size()) {
      EXPECT_EQ(cut % 512, 0u);
    }
  }
  EXPECT_TRUE(is_cut_in_sector);
  EXPECT_TRUE(has_old);
  EXPECT_TRUE(has_zeros);
}

// Small appends are stores, which nothing stops, into a file that is longer.
TEST_F(FaultInjectionTest, MappedAppendsHaveZerosBehindThem) {
  fs_.MapLogs();
  const FileOptions options =
      fs_.OptimizeForLogWrite(FileOptions(), DBOptions());
  ASSERT_TRUE(options.use_mapped_appends);
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_.NewWritableFile("/d/a", options, &file, nullptr).ok());
  ASSERT_TRUE(SyncDir("/d").ok());
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    // Some by a call.
    const std::string data(i % 50 == 49 ? 3000 : 300, static_cast<char>(i % 9));
    ASSERT_TRUE(file->Append(data, io_, nullptr).ok());
    expected += data;
    ASSERT_EQ(file->GetFileSize(io_, nullptr), expected.size());
  }
  std::string bytes = ReadAll("/d/a");
  EXPECT_GT(bytes.size(), expected.size());
  EXPECT_EQ(bytes.size() % kBlock, 0u);
  EXPECT_EQ(bytes.substr(0, expected.size()), expected);
  EXPECT_EQ(bytes.find_first_not_of('\0', expected.size()), std::string::npos);
  fs_.FailCall({.call = 1, .is_permanent = true});
  EXPECT_TRUE(file->Append("stored", io_, nullptr).ok());
  EXPECT_TRUE(fs_.failed());
  EXPECT_TRUE(file->Append(std::string(3000, 'c'), io_, nullptr).IsIOError());
  EXPECT_TRUE(file->Sync(io_, nullptr).IsIOError());
  fs_.ClearFault();
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll("/d/a"), expected + "stored");
}

TEST_F(FaultInjectionTest, ACrashBringsTheZerosOfMappedFilesBack) {
  fs_.MapLogs();
  const FileOptions options =
      fs_.OptimizeForLogWrite(FileOptions(), DBOptions());
  std::set<size_t> sizes;
  for (int i = 0; i < 100; ++i) {
    std::unique_ptr<FSWritableFile> file;
    ASSERT_TRUE(fs_.NewWritableFile("/d/a", options, &file, nullptr).ok());
    ASSERT_TRUE(SyncDir("/d").ok());
    ASSERT_TRUE(file->Append(std::string(100, 's'), io_, nullptr).ok());
    if (i >= 50) {
      ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    }
    ASSERT_TRUE(file->Append(std::string(20, 'u'), io_, nullptr).ok());
    if (i % 2 == 0) {
      ASSERT_TRUE(file->Close(io_, nullptr).ok());
    }
    Crash(i % 50 < 10 ? 0 : 50);
    const std::string bytes = ReadAll("/d/a");
    sizes.insert(bytes.size());
    if (i < 10) {
      EXPECT_EQ(bytes, "");
    }
    if (i < 50) continue;
    ASSERT_GE(bytes.size(), 100u);
    EXPECT_EQ(bytes.substr(0, 100), std::string(100, 's'));
    // The sync was of the whole window.
    if (i < 60) {
      EXPECT_EQ(bytes.size() % kBlock, 0u);
    }
  }
  EXPECT_TRUE(sizes.contains(120)) << "no cut came through";
  EXPECT_TRUE(sizes.contains(64 << 10)) << "no window came through";
}

TEST_F(FaultInjectionTest, FailedSyncIsNeverMadeGood) {
  const auto file = Create("/d/a");
  ASSERT_TRUE(SyncDir("/d").ok());
  ASSERT_TRUE(file->Append(std::string(kBlock, 'a'), io_, nullptr).ok());
  fs_.FailCall({.call = 1, .kind = FaultKind::kSyncFailure});
  EXPECT_TRUE(file->Sync(io_, nullptr).IsIOError());
  ASSERT_TRUE(file->Append(std::string(kBlock, 'b'), io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  Crash();
  EXPECT_EQ(ReadAll("/d/a"),
            std::string(kBlock, '\0') + std::string(kBlock, 'b'));
}

TEST_F(FaultInjectionTest, OverwrittenBytesComeBack) {
  CreateSynced("/d/old", std::string(3 * kBlock, 'a'));
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_.ReuseWritableFile("/d/new", "/d/old", FileOptions(), &file, nullptr)
          .ok());
  ASSERT_TRUE(file->Append(std::string(kBlock + 10, 'b'), io_, nullptr).ok());
  Crash();
  // The rename was not made durable either.
  EXPECT_FALSE(Exists("/d/new"));
  EXPECT_EQ(ReadAll("/d/old"), std::string(3 * kBlock, 'a'));
}

TEST_F(FaultInjectionTest, CrashTakesNamesBackNewestFirst) {
  CreateSynced("/d/kept", "1");
  CreateSynced("/d/removed", "2");
  CreateSynced("/d/renamed", "3");
  CreateSynced("/d/overwritten", "4");
  ASSERT_TRUE(WriteStringToFile(&fs_, "5", "/d/created", true).ok());
  ASSERT_TRUE(fs_.DeleteFile("/d/removed", io_, nullptr).ok());
  ASSERT_TRUE(
      fs_.RenameFile("/d/renamed", "/d/overwritten", io_, nullptr).ok());
  ASSERT_TRUE(fs_.LinkFile("/d/kept", "/d/link", io_, nullptr).ok());
  Crash();
  std::vector<std::string> names;
  ASSERT_TRUE(fs_.GetChildren("/d", io_, &names, nullptr).ok());
  EXPECT_EQ(
      std::set<std::string>(names.begin(), names.end()),
      (std::set<std::string>{"kept", "removed", "renamed", "overwritten"}));
  EXPECT_EQ(ReadAll("/d/removed"), "2");
  EXPECT_EQ(ReadAll("/d/renamed"), "3");
  EXPECT_EQ(ReadAll("/d/overwritten"), "4");
}

TEST_F(FaultInjectionTest, SyncedNamesStay) {
  CreateSynced("/d/a", "1");
  ASSERT_TRUE(fs_.RenameFile("/d/a", "/d/b", io_, nullptr).ok());
  ASSERT_TRUE(SyncDir("/d/").ok());
  Crash();
  EXPECT_FALSE(Exists("/d/a"));
  EXPECT_EQ(ReadAll("/d/b"), "1");
}

// What a directory holds is as durable under its new name as it was.
TEST_F(FaultInjectionTest, ADirectoryTakesAlongWhatIsNotSynced) {
  for (const bool is_synced : {true, false}) {
    SCOPED_TRACE(is_synced);
    const std::string before = is_synced ? "/e" : "/g";
    const std::string after = is_synced ? "/f" : "/h";
    ASSERT_TRUE(fs_.CreateDir(before, io_, nullptr).ok());
    ASSERT_TRUE(SyncDir("/").ok());
    ASSERT_TRUE(WriteStringToFile(&fs_, "1", before + "/synced", true).ok());
    ASSERT_TRUE(WriteStringToFile(&fs_, "2", before + "/unsynced").ok());
    ASSERT_TRUE(SyncDir(before).ok());
    ASSERT_TRUE(WriteStringToFile(&fs_, "3", before + "/name", true).ok());
    ASSERT_TRUE(fs_.RenameFile(before, after, io_, nullptr).ok());
    if (is_synced) {
      ASSERT_TRUE(SyncDir("/").ok());
    }
    Crash();
    EXPECT_EQ(Exists(after), is_synced);
    const std::string now = is_synced ? after : before;
    EXPECT_EQ(ReadAll(now + "/synced"), "1");
    EXPECT_EQ(ReadAll(now + "/unsynced"), "");
    EXPECT_FALSE(Exists(now + "/name"));
  }
}

TEST_F(FaultInjectionTest, SurvivingNamesAreAPrefixOfTheChanges) {
  std::set<size_t> counts;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 5; ++i) {
      const std::string path = "/d/" + std::to_string(i);
      ASSERT_TRUE(WriteStringToFile(&fs_, "x", path, true).ok());
    }
    Crash(40);
    size_t count = 0;
    while (count < 5 && Exists("/d/" + std::to_string(count))) ++count;
    for (size_t i = count; i < 5; ++i) {
      EXPECT_FALSE(Exists("/d/" + std::to_string(i)));
    }
    counts.insert(count);
    for (size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(fs_.DeleteFile("/d/" + std::to_string(i), io_, nullptr).ok());
    }
    ASSERT_TRUE(SyncDir("/d").ok());
  }
  EXPECT_GT(counts.size(), 2u);
}

TEST_F(FaultInjectionTest, SameSeedSameLosses) {
  auto run = [](uint64_t seed) {
    FaultInjectionFileSystem fs(std::make_shared<MemFileSystem>(), seed);
    const IOOptions io;
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(fs.NewWritableFile("/a", FileOptions(), &file, nullptr).ok());
    std::unique_ptr<FSDirectory> root;
    EXPECT_TRUE(fs.NewDirectory("/", io, &root, nullptr).ok());
    EXPECT_TRUE(root->Fsync(io, nullptr).ok());
    EXPECT_TRUE(file->Append(std::string(50 * kBlock, 'x'), io, nullptr).ok());
    EXPECT_TRUE(fs.CrashAndHeal({.survival_percent = 50}).ok());
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(&fs, "/a", &bytes).ok());
    return bytes;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST_F(FaultInjectionTest, CrashGivesLocksBack) {
  FileLock* lock = nullptr;
  ASSERT_TRUE(fs_.LockFile("/d/LOCK", io_, &lock, nullptr).ok());
  EXPECT_EQ(fs_.open_handles(FileKind::kLock), 1u);
  Crash(100);
  EXPECT_EQ(fs_.open_handles(FileKind::kLock), 0u);
  FileLock* second = nullptr;
  ASSERT_TRUE(fs_.LockFile("/d/LOCK", io_, &second, nullptr).ok());
  // The dead owner may still try to give back what it no longer has.
  EXPECT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
  EXPECT_EQ(fs_.open_handles(FileKind::kLock), 1u);
  EXPECT_TRUE(fs_.UnlockFile(second, io_, nullptr).ok());
}

TEST_F(FaultInjectionTest, DropUnsyncedDataLeavesNames) {
  ASSERT_TRUE(WriteStringToFile(&fs_, "abc", "/d/a", false).ok());
  ASSERT_TRUE(fs_.DropUnsyncedData().ok());
  EXPECT_EQ(ReadAll("/d/a"), "");
}

// The same over real files, whose handles of before the crash close late.
TEST(FaultInjectionPosixTest, LateCloseDoesNotHarmTheFile) {
  TempDir dir("fault");
  FaultInjectionFileSystem fs(FileSystem::Default(), 1);
  const IOOptions io;
  const std::string path = dir.File("a");
  std::unique_ptr<FSWritableFile> before;
  ASSERT_TRUE(fs.NewWritableFile(path, FileOptions(), &before, nullptr).ok());
  std::unique_ptr<FSDirectory> directory;
  ASSERT_TRUE(fs.NewDirectory(dir.path(), io, &directory, nullptr).ok());
  ASSERT_TRUE(directory->Fsync(io, nullptr).ok());
  before->SetPreallocationBlockSize(1 << 20);
  before->PrepareWrite(0, 3, io, nullptr);
  ASSERT_TRUE(before->Append("abc", io, nullptr).ok());
  ASSERT_TRUE(before->Sync(io, nullptr).ok());
  ASSERT_TRUE(fs.CrashAndHeal().ok());
  std::unique_ptr<FSWritableFile> after;
  ASSERT_TRUE(fs.ReopenWritableFile(path, FileOptions(), &after, nullptr).ok());
  ASSERT_TRUE(after->Append("def", io, nullptr).ok());
  before.reset();
  ASSERT_TRUE(after->Close(io, nullptr).ok());
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(&fs, path, &bytes).ok());
  EXPECT_EQ(bytes, "abcdef");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
