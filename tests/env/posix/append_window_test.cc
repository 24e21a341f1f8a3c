// Files whose appends go through a mapping of their end.
#include "env/posix/append_window.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "env/posix/posix_file_system.h"
#include "options/db_options.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Without a zero.
std::string Bytes(size_t n, uint64_t seed) {
  Random64 random(seed);
  std::string bytes(n, '\0');
  for (char& c : bytes) c = static_cast<char>(1 + random.Uniform(255));
  return bytes;
}

bool IsAllZeros(const std::string& bytes, size_t from) {
  return bytes.find_first_not_of('\0', from) == std::string::npos;
}

class AppendWindowTest : public ::testing::Test {
 protected:
  AppendWindowTest() { options_.use_mapped_appends = true; }

  void SetUp() override {
    const int fd = open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY);
    const bool is_sure = AppendWindow::IsSure(fd);
    close(fd);
    if (!is_sure) GTEST_SKIP() << "no file system for mapped appends";
  }
  std::unique_ptr<FSWritableFile> Create() {
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(fs_.NewWritableFile(path_, options_, &file, nullptr).ok());
    return file;
  }
  uint64_t SizeOnDisk() {
    uint64_t size = 0;
    EXPECT_TRUE(fs_.GetFileSize(path_, io_, &size, nullptr).ok());
    return size;
  }
  // What `act` does in a process of its own, which then dies at once.
  template <class Act>
  void InAProcessThatDies(const Act& act) {
    const pid_t child = fork();
    if (child == 0) {
      act();
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
  }

  PosixFileSystem fs_;
  const TempDir dir_;
  const std::string path_ = dir_.File("log");
  FileOptions options_;
  const IOOptions io_;
};

TEST_F(AppendWindowTest, AppendsOfAllSizes) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    auto file = Create();
    std::string expected;
    while (expected.size() < 5 * AppendWindow::kBytes) {
      const uint64_t most = random.OneIn(50)  ? 3 * AppendWindow::kBytes
                            : random.OneIn(5) ? 2 * AppendWindow::kMostAppended
                                              : 300;
      const std::string piece = Bytes(random.Uniform(most), random.Next());
      ASSERT_TRUE(file->Append(piece, io_, nullptr).ok());
      expected += piece;
      if (random.OneIn(200)) {
        ASSERT_TRUE(file->Sync(io_, nullptr).ok());
      }
      if (random.OneIn(1000)) {
        const std::string there = ReadAll(path_);
        ASSERT_EQ(there.substr(0, expected.size()), expected);
        ASSERT_TRUE(IsAllZeros(there, expected.size()));
      }
    }
    EXPECT_EQ(file->GetFileSize(io_, nullptr), expected.size());
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
    EXPECT_EQ(ReadAll(path_), expected);
  }
}

TEST_F(AppendWindowTest, WhatIsAppendedOutlivesTheProcess) {
  const std::string bytes = Bytes(100, 1);
  constexpr int kPieces = 30'000;
  InAProcessThatDies([&] {
    auto file = Create();
    for (int i = 0; i < kPieces; ++i) {
      if (!file->Append(bytes, io_, nullptr).ok()) _exit(1);
    }
    (void)file.release();  // Is not closed.
  });
  const std::string there = ReadAll(path_);
  ASSERT_GT(there.size(), kPieces * bytes.size()) << "was not mapped";
  ASSERT_LE(there.size(), kPieces * bytes.size() + AppendWindow::kBytes);
  for (int i = 0; i < kPieces; ++i) {
    ASSERT_EQ(there.compare(i * bytes.size(), bytes.size(), bytes), 0) << i;
  }
  EXPECT_TRUE(IsAllZeros(there, kPieces * bytes.size()));
}

// Zeros in front end a log, so what is behind them does not count.
TEST_F(AppendWindowTest, AnAppendThatIsCutOffBeginsWithZeros) {
  const std::string whole = Bytes(100, 1);
  InAProcessThatDies([&] {
    auto file = Create();
    if (!file->Append(whole, io_, nullptr).ok()) _exit(1);
    // The copy of these bytes comes to memory that cannot be read.
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) _exit(2);
    char* const wall = static_cast<char*>(pages) + page;
    memset(wall - page, 'x', page);
    if (mprotect(wall, page, PROT_NONE) != 0) _exit(3);
    signal(SIGSEGV, [](int) { kill(getpid(), SIGKILL); });
    (void)file->Append(Slice(wall - 1000, 2000), io_, nullptr);
    _exit(4);
  });
  const std::string there = ReadAll(path_);
  ASSERT_GT(there.size(), 2100u) << "was not mapped";
  EXPECT_EQ(there.substr(0, 100), whole);
  EXPECT_EQ(there.substr(100, 16), std::string(16, '\0'));
}

// A file that may not grow further is written by calls, which say so.
TEST_F(AppendWindowTest, WithoutRoomCallsAreMade) {
  constexpr size_t kLimit = AppendWindow::kBytes + 5000;
  const std::string bytes = Bytes(100, 1);
  InAProcessThatDies([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{kLimit, kLimit};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    auto file = Create();
    IOStatus s;
    size_t done = 0;
    while (s.ok() && done < 2 * kLimit) {
      s = file->Append(bytes, io_, nullptr);
      if (s.ok()) done += bytes.size();
    }
    if (s.ok() || done < kLimit - bytes.size() || done > kLimit) _exit(2);
    if (s.ToString().find("log") == std::string::npos) _exit(3);
    if (!file->Close(io_, nullptr).ok() || SizeOnDisk() != done) _exit(4);
  });
}

// Room that was reserved for a window that could not be mapped then goes back.
TEST_F(AppendWindowTest, WithoutAddressesCallsAreMade) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer needs addresses itself";
#endif
#endif
  const std::string bytes = Bytes(100, 1);
  InAProcessThatDies([&] {
    auto file = Create();
    const rlimit limit{0, 0};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(1);
    if (!file->Append(bytes, io_, nullptr).ok()) _exit(2);
    if (!file->Close(io_, nullptr).ok()) _exit(3);
  });
  EXPECT_EQ(ReadAll(path_), bytes);
}

// Pages that were ready are not so for ever: the file system may have failed
// since. (Here the pages are gone, for which a store gets the same signal.)
TEST_F(AppendWindowTest, PagesThatAreGoneMeanwhile) {
  static uint64_t now;
  now = 1000;
  InAProcessThatDies([&] {
    const int fd = open(path_.c_str(), O_RDWR | O_CREAT, 0644);
    if (fd < 0) _exit(1);
    AppendWindow window(fd, [] { return now; });
    const std::string bytes = Bytes(100, 1);
    if (!window.Append(bytes, 0) || !window.Append(bytes, 100)) _exit(2);
    if (ftruncate(fd, 0) != 0) _exit(3);
    now += AppendWindow::kReadyMillis;
    if (window.Append(bytes, 200)) _exit(4);
    if (window.Append(bytes, 200)) _exit(5);
  });
}

TEST_F(AppendWindowTest, AFileThatIsGoneOnWith) {
  auto file = Create();
  ASSERT_TRUE(file->Append("first", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  ASSERT_TRUE(fs_.ReopenWritableFile(path_, options_, &file, nullptr).ok());
  ASSERT_TRUE(file->Append("second", io_, nullptr).ok());
  EXPECT_EQ(ReadAll(path_), "firstsecond");
}

TEST_F(AppendWindowTest, CutAndGoneOnWith) {
  auto file = Create();
  const std::string bytes = Bytes(10'000, 1);
  for (size_t i = 0; i < bytes.size(); i += 1000) {
    ASSERT_TRUE(file->Append(bytes.substr(i, 1000), io_, nullptr).ok());
  }
  ASSERT_TRUE(file->Truncate(5000, io_, nullptr).ok());
  EXPECT_EQ(SizeOnDisk(), 5000u);
  ASSERT_TRUE(file->Append("more", io_, nullptr).ok());
  EXPECT_GT(SizeOnDisk(), 5004u);
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll(path_), bytes.substr(0, 5000) + "more");
  EXPECT_FALSE(file->Append("late", io_, nullptr).ok());
}

TEST_F(AppendWindowTest, SyncsRunBesideAppends) {
  auto file = Create();
  std::atomic<bool> is_over{false};
  std::thread syncs([&] {
    while (!is_over.load()) EXPECT_TRUE(file->Sync(io_, nullptr).ok());
  });
  const std::string bytes = Bytes(100, 1);
  std::string expected;
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_TRUE(file->Append(bytes, io_, nullptr).ok());
    expected += bytes;
  }
  is_over = true;
  syncs.join();
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll(path_), expected);
}

TEST_F(AppendWindowTest, FilesThatAreNotMapped) {
  const auto is_longer_than_data = [this] {
    auto file = Create();
    EXPECT_TRUE(file->Append(Bytes(100, 1), io_, nullptr).ok());
    const bool result = SizeOnDisk() != 100;
    EXPECT_TRUE(file->Close(io_, nullptr).ok());
    EXPECT_EQ(SizeOnDisk(), 100u);
    return result;
  };
  EXPECT_TRUE(is_longer_than_data());
  options_.allow_fallocate = false;
  EXPECT_FALSE(is_longer_than_data());
  options_.allow_fallocate = true;
  options_.use_uncached_io = true;
  EXPECT_FALSE(is_longer_than_data());
  options_.use_uncached_io = false;
  options_.use_mapped_appends = false;
  EXPECT_FALSE(is_longer_than_data());
  // One that takes another's place.
  options_.use_mapped_appends = true;
  const std::string old = dir_.File("old");
  ASSERT_TRUE(fs_.RenameFile(path_, old, io_, nullptr).ok());
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_.ReuseWritableFile(path_, old, options_, &file, nullptr).ok());
  ASSERT_TRUE(file->Append("new", io_, nullptr).ok());
  EXPECT_EQ(SizeOnDisk(), 100u);
}

TEST_F(AppendWindowTest, LogsOfWhichRecoveryModes) {
  DBOptions options;
  const auto is_mapped = [&] {
    return fs_.OptimizeForLogWrite(FileOptions(), options).use_mapped_appends;
  };
  options.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  EXPECT_TRUE(is_mapped());
  options.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  EXPECT_TRUE(is_mapped());
  options.wal_recovery_mode = WALRecoveryMode::kTolerateCorruptedTailRecords;
  EXPECT_FALSE(is_mapped());
  options.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  EXPECT_FALSE(is_mapped());
  options.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  options.track_and_verify_wals = true;
  EXPECT_FALSE(is_mapped());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
