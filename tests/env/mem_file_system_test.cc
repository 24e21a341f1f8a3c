// The file system in memory: testdata/env/memory.txt, in the language of
// file_steps.h; and what looks at alignment, or takes threads.
#include "env/mem_file_system.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/env.h"
#include "tests/env/file_steps.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MemFileSystemTest : public ::testing::Test {
 protected:
  const std::shared_ptr<MockClock> clock_ = std::make_shared<MockClock>();
  MemFileSystem fs_{clock_};
  const IOOptions io_;
};

TEST(MemFileSystemScriptTest, EveryCase) {
  EXPECT_GE(RunFileScript("env/memory.txt"), 20u) << "cases went missing";
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

TEST_F(MemFileSystemTest, AFullOneMayBeTriedAgain) {
  MemFileSystemOptions options;
  options.capacity_bytes = 1000;
  MemFileSystem fs(clock_, options);
  const IOStatus status = WriteStringToFile(&fs, std::string(1001, 'x'), "/b");
  EXPECT_TRUE(status.IsNoSpace());
  EXPECT_TRUE(status.GetRetryable());
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
