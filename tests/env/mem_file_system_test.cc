// The file system in memory has the rules of a real one: directories, renames,
// links, locks, direct I/O and capacity.
#include "env/mem_file_system.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/env.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MemFileSystemTest : public ::testing::Test {
 protected:
  std::string ReadAll(const std::string& path) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(&fs_, path, &bytes).ok()) << path;
    return bytes;
  }
  std::vector<std::string> Children(const std::string& dir) {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_.GetChildren(dir, io_, &names, nullptr).ok());
    return names;
  }

  const std::shared_ptr<MockClock> clock_ = std::make_shared<MockClock>();
  MemFileSystem fs_{clock_};
  const IOOptions io_;
};

TEST_F(MemFileSystemTest, PathsHaveOneSpelling) {
  ASSERT_TRUE(fs_.CreateDir("/d", io_, nullptr).ok());
  ASSERT_TRUE(WriteStringToFile(&fs_, "x", "/d/a").ok());
  EXPECT_EQ(ReadAll("d//./a"), "x");
  EXPECT_EQ(Children("/d/"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(Children("/"), (std::vector<std::string>{"d"}));
}

TEST_F(MemFileSystemTest, FilesNeedTheirDirectory) {
  const IOStatus status = WriteStringToFile(&fs_, "x", "/d/a");
  EXPECT_TRUE(status.IsPathNotFound());
  EXPECT_TRUE(fs_.CreateDir("/d/e", io_, nullptr).IsPathNotFound());
  MemFileSystemOptions options;
  options.implicit_directories = true;
  MemFileSystem lenient(clock_, options);
  EXPECT_TRUE(WriteStringToFile(&lenient, "x", "/d/e/a").ok());
  EXPECT_TRUE(lenient.FileExists("/d/e", io_, nullptr).ok());
}

TEST_F(MemFileSystemTest, RenameMovesTreesAndReplacesFiles) {
  ASSERT_TRUE(fs_.CreateDir("/a", io_, nullptr).ok());
  ASSERT_TRUE(fs_.CreateDir("/a/b", io_, nullptr).ok());
  ASSERT_TRUE(WriteStringToFile(&fs_, "1", "/a/b/f").ok());
  ASSERT_TRUE(WriteStringToFile(&fs_, "2", "/a/g").ok());
  EXPECT_TRUE(fs_.RenameFile("/a", "/a/b/c", io_, nullptr).IsIOError());
  ASSERT_TRUE(fs_.RenameFile("/a", "/z", io_, nullptr).ok());
  EXPECT_EQ(ReadAll("/z/b/f"), "1");
  EXPECT_TRUE(fs_.FileExists("/a/g", io_, nullptr).IsNotFound());
  ASSERT_TRUE(fs_.RenameFile("/z/g", "/z/b/f", io_, nullptr).ok());
  EXPECT_EQ(ReadAll("/z/b/f"), "2");
  EXPECT_TRUE(fs_.RenameFile("/z/b/f", "/z/b", io_, nullptr).IsIOError());
}

TEST_F(MemFileSystemTest, RemovedFilesLiveOnForTheirReaders) {
  ASSERT_TRUE(WriteStringToFile(&fs_, "abc", "/a").ok());
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile("/a", FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(fs_.DeleteFile("/a", io_, nullptr).ok());
  char scratch[4];
  Slice result;
  ASSERT_TRUE(file->Read(1, 4, io_, &result, scratch, nullptr).ok());
  EXPECT_EQ(result, "bc");
}

TEST_F(MemFileSystemTest, TellsWhetherAFileIsOpen) {
  ASSERT_TRUE(WriteStringToFile(&fs_, "abc", "/a").ok());
  ASSERT_TRUE(fs_.LinkFile("/a", "/b", io_, nullptr).ok());
  EXPECT_TRUE(fs_.IsClosedEverywhere("/a"));
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile("/b", FileOptions(), &file, nullptr).ok());
  EXPECT_FALSE(fs_.IsClosedEverywhere("/a"));
  file.reset();
  EXPECT_TRUE(fs_.IsClosedEverywhere("/a"));
  EXPECT_FALSE(fs_.IsClosedEverywhere("/none"));
}

TEST_F(MemFileSystemTest, LinksShareBytes) {
  ASSERT_TRUE(WriteStringToFile(&fs_, "abc", "/a").ok());
  ASSERT_TRUE(fs_.LinkFile("/a", "/b", io_, nullptr).ok());
  EXPECT_TRUE(fs_.LinkFile("/a", "/b", io_, nullptr).IsIOError());
  uint64_t count = 0;
  ASSERT_TRUE(fs_.NumFileLinks("/b", io_, &count, nullptr).ok());
  EXPECT_EQ(count, 2u);
  ASSERT_TRUE(fs_.DeleteFile("/a", io_, nullptr).ok());
  EXPECT_EQ(ReadAll("/b"), "abc");
}

TEST_F(MemFileSystemTest, LockHasOneHolder) {
  FileLock* lock = nullptr;
  FileLock* second = nullptr;
  ASSERT_TRUE(fs_.LockFile("/L", io_, &lock, nullptr).ok());
  EXPECT_TRUE(fs_.LockFile("/L", io_, &second, nullptr).IsIOError());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
  ASSERT_TRUE(fs_.LockFile("/L", io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
}

TEST_F(MemFileSystemTest, DirectFilesEnforceTheChosenAlignment) {
  for (const size_t alignment : {512u, 4096u, 16384u}) {
    MemFileSystemOptions options;
    options.direct_alignment = alignment;
    MemFileSystem fs(clock_, options);
    const std::string bytes(3 * alignment + 5, 'x');
    ASSERT_TRUE(WriteStringToFile(&fs, bytes, "/a").ok());
    FileOptions direct;
    direct.use_direct_reads = true;
    std::unique_ptr<FSRandomAccessFile> file;
    ASSERT_TRUE(fs.NewRandomAccessFile("/a", direct, &file, nullptr).ok());
    EXPECT_TRUE(file->use_direct_io());
    EXPECT_EQ(file->GetRequiredBufferAlignment(), alignment);
    const std::unique_ptr<char, decltype(&free)> buffer(
        static_cast<char*>(aligned_alloc(alignment, 4 * alignment)), &free);
    Slice result;
    ASSERT_TRUE(file->Read(alignment, 3 * alignment, io_, &result, buffer.get(),
                           nullptr)
                    .ok());
    EXPECT_EQ(result.size(), 2 * alignment + 5);
    auto refused = [&](uint64_t offset, size_t n, char* out) {
      return file->Read(offset, n, io_, &result, out, nullptr)
          .IsInvalidArgument();
    };
    EXPECT_TRUE(refused(1, alignment, buffer.get()));
    EXPECT_TRUE(refused(0, alignment - 1, buffer.get()));
    EXPECT_TRUE(refused(0, alignment, buffer.get() + 8));
  }
}

TEST_F(MemFileSystemTest, DirectOpensCanBeRefused) {
  MemFileSystemOptions options;
  options.accepts_direct_io = false;
  MemFileSystem fs(clock_, options);
  ASSERT_TRUE(WriteStringToFile(&fs, "x", "/a").ok());
  FileOptions direct;
  direct.use_direct_reads = true;
  direct.use_direct_writes = true;
  std::unique_ptr<FSRandomAccessFile> reader;
  EXPECT_TRUE(fs.NewRandomAccessFile("/a", direct, &reader, nullptr)
                  .IsInvalidArgument());
  std::unique_ptr<FSWritableFile> writer;
  EXPECT_TRUE(
      fs.NewWritableFile("/b", direct, &writer, nullptr).IsInvalidArgument());
  EXPECT_TRUE(fs.FileExists("/b", io_, nullptr).IsNotFound());
}

TEST_F(MemFileSystemTest, CapacityIsSharedAndGivenBack) {
  MemFileSystemOptions options;
  options.capacity_bytes = 1000;
  MemFileSystem fs(clock_, options);
  ASSERT_TRUE(WriteStringToFile(&fs, std::string(700, 'x'), "/a").ok());
  const IOStatus status = WriteStringToFile(&fs, std::string(301, 'x'), "/b");
  EXPECT_TRUE(status.IsNoSpace());
  EXPECT_TRUE(status.GetRetryable());
  ASSERT_TRUE(fs.DeleteFile("/a", io_, nullptr).ok());
  EXPECT_TRUE(WriteStringToFile(&fs, std::string(1000, 'x'), "/b").ok());
}

TEST_F(MemFileSystemTest, ModificationTimeFollowsTheClock) {
  ASSERT_TRUE(WriteStringToFile(&fs_, "x", "/a").ok());
  uint64_t before = 0;
  ASSERT_TRUE(fs_.GetFileModificationTime("/a", io_, &before, nullptr).ok());
  clock_->Advance(5'000'000);
  ASSERT_TRUE(WriteStringToFile(&fs_, "y", "/a").ok());
  uint64_t after = 0;
  ASSERT_TRUE(fs_.GetFileModificationTime("/a", io_, &after, nullptr).ok());
  EXPECT_EQ(after, before + 5);
}

TEST_F(MemFileSystemTest, ManyThreadsUseItAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::string path = "/" + std::to_string((t + i) % 5);
        EXPECT_TRUE(WriteStringToFile(&fs_, path, path).ok());
        std::string bytes;
        IOStatus status = ReadFileToString(&fs_, path, &bytes);
        EXPECT_TRUE(status.ok() || status.IsPathNotFound());
        status = fs_.DeleteFile(path, io_, nullptr);
        EXPECT_TRUE(status.ok() || status.IsPathNotFound());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(MemEnvTest, IsAnEnvOfItsOwn) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  ASSERT_TRUE(WriteStringToFile(env.get(), "x", "/some/dir/file").ok());
  EXPECT_TRUE(Env::Default()->FileExists("/some/dir/file").IsNotFound());
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(env.get(), "/some/dir/file", &bytes).ok());
  EXPECT_EQ(bytes, "x");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
