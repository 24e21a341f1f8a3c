// POSIX files read, write, sync, map, lock and rename as their contracts say,
// with direct and asynchronous I/O, and every error names its path and kind.
#include "env/posix/posix_file_system.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "env/posix/posix_io.h"
#include "env/posix/readahead_limit.h"
#include "options/db_options.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kFilePage = 4096;

struct AlignedFree {
  void operator()(char* p) const { free(p); }
};
using AlignedBuffer = std::unique_ptr<char[], AlignedFree>;

AlignedBuffer NewAligned(size_t n) {
  return AlignedBuffer(static_cast<char*>(aligned_alloc(kFilePage, n)));
}

std::string Pattern(size_t n) {
  std::string bytes(n, '\0');
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<char>(i * 31 + i / 251);
  return bytes;
}

// Is a descriptor of `path` open with O_DIRECT, as the kernel tells?
bool IsOpenDirect(const std::string& path) {
  for (int fd = 0; fd < 1024; ++fd) {
    char name[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t n = readlink(link.c_str(), name, sizeof(name));
    if (n <= 0 || std::string(name, static_cast<size_t>(n)) != path) continue;
    std::ifstream info("/proc/self/fdinfo/" + std::to_string(fd));
    std::string word;
    while (info >> word) {
      if (word != "flags:") continue;
      info >> word;
      if ((std::stoul(word, nullptr, 8) & O_DIRECT) != 0) return true;
    }
  }
  return false;
}

class PosixFileSystemTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) {
    const std::string path = dir_.File(name);
    EXPECT_TRUE(WriteStringToFile(&fs_, bytes, path).ok());
    return path;
  }
  std::string ReadAll(const std::string& path) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(&fs_, path, &bytes).ok());
    return bytes;
  }
  // False, after a note, where the test directory takes no direct I/O.
  bool OpenDirect(const std::string& path,
                  std::unique_ptr<FSRandomAccessFile>* file) {
    FileOptions options;
    options.use_direct_reads = true;
    IOStatus status = fs_.NewRandomAccessFile(path, options, file, nullptr);
    if (status.IsInvalidArgument()) return false;
    EXPECT_TRUE(status.ok()) << status.ToString();
    return true;
  }

  TempDir dir_{"posix"};
  PosixFileSystem fs_;
  const IOOptions io_;
};

TEST_F(PosixFileSystemTest, WritesAndReadsBack) {
  const std::string bytes = Pattern(300'000);
  const std::string path = Write("a", bytes);
  EXPECT_EQ(ReadAll(path), bytes);
  uint64_t size = 0;
  ASSERT_TRUE(fs_.GetFileSize(path, io_, &size, nullptr).ok());
  EXPECT_EQ(size, bytes.size());
  EXPECT_TRUE(fs_.FileExists(path, io_, nullptr).ok());
}

// What fcntl(2) tells of the file; 0: nothing was told, 99: it tells nothing.
uint64_t LifetimeOf(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  uint64_t hint = 99;
  const bool is_told = fcntl(fd, F_GET_RW_HINT, &hint) == 0;
  close(fd);
  return is_told ? hint : 99;
}

TEST_F(PosixFileSystemTest, TellsTheKernelHowLongFilesLive) {
  FileOptions options;
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_.NewWritableFile(dir_.File("none"), options, &file, nullptr).ok());
  if (LifetimeOf(dir_.File("none")) == 99)
    GTEST_SKIP() << "the kernel takes none";
  EXPECT_EQ(LifetimeOf(dir_.File("none")), 0u);
  options.write_hint = Env::WLTH_LONG;
  ASSERT_TRUE(
      fs_.NewWritableFile(dir_.File("long"), options, &file, nullptr).ok());
  EXPECT_EQ(file->GetWriteLifeTimeHint(), Env::WLTH_LONG);
  EXPECT_EQ(LifetimeOf(dir_.File("long")), uint64_t{Env::WLTH_LONG});
  file->SetWriteLifeTimeHint(Env::WLTH_SHORT);
  EXPECT_EQ(LifetimeOf(dir_.File("long")), uint64_t{Env::WLTH_SHORT});
}

TEST_F(PosixFileSystemTest, SequentialFileSkipsAtMostToTheEnd) {
  const std::string path = Write("a", "0123456789");
  std::unique_ptr<FSSequentialFile> file;
  ASSERT_TRUE(fs_.NewSequentialFile(path, FileOptions(), &file, nullptr).ok());
  char scratch[8];
  Slice result;
  ASSERT_TRUE(file->Skip(4).ok());
  ASSERT_TRUE(file->Read(3, io_, &result, scratch, nullptr).ok());
  EXPECT_EQ(result, "456");
  ASSERT_TRUE(file->Skip(100).ok());
  ASSERT_TRUE(file->Read(3, io_, &result, scratch, nullptr).ok());
  EXPECT_TRUE(result.empty());
}

TEST_F(PosixFileSystemTest, RandomReadIsShortOnlyAtTheEnd) {
  const std::string bytes = Pattern(10'000);
  const std::string path = Write("a", bytes);
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
  std::vector<char> scratch(20'000);
  Slice result;
  ASSERT_TRUE(
      file->Read(9'000, 5'000, io_, &result, scratch.data(), nullptr).ok());
  EXPECT_EQ(result.ToString(), bytes.substr(9'000));
  ASSERT_TRUE(
      file->Read(50'000, 10, io_, &result, scratch.data(), nullptr).ok());
  EXPECT_TRUE(result.empty());
  uint64_t size = 0;
  ASSERT_TRUE(file->GetFileSize(&size).ok());
  EXPECT_EQ(size, bytes.size());
  EXPECT_TRUE(file->Prefetch(0, 4'096, io_, nullptr).ok());
  EXPECT_TRUE(file->InvalidateCache(0, 0).ok());
}

TEST_F(PosixFileSystemTest, UniqueIdsDifferAndStay) {
  const std::string a = Write("a", "x");
  const std::string b = Write("b", "x");
  auto id_of = [&](const std::string& path) {
    std::unique_ptr<FSRandomAccessFile> file;
    EXPECT_TRUE(
        fs_.NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
    char id[64];
    return std::string(id, file->GetUniqueId(id, sizeof(id)));
  };
  EXPECT_EQ(id_of(a), id_of(a));
  if (!id_of(a).empty()) {
    EXPECT_NE(id_of(a), id_of(b));
  }
}

TEST_F(PosixFileSystemTest, ErrorsNameThePathAndTheKind) {
  std::unique_ptr<FSSequentialFile> file;
  const std::string path = dir_.File("missing");
  IOStatus status = fs_.NewSequentialFile(path, FileOptions(), &file, nullptr);
  EXPECT_TRUE(status.IsIOError());
  EXPECT_TRUE(status.IsPathNotFound());
  EXPECT_FALSE(status.GetRetryable());
  EXPECT_NE(status.ToString().find(path), std::string::npos);
  EXPECT_EQ(file, nullptr);
  EXPECT_TRUE(fs_.FileExists(path, io_, nullptr).IsNotFound());
  EXPECT_TRUE(fs_.FileExists(Write("f", "") + "/x", io_, nullptr).IsNotFound());
  EXPECT_TRUE(fs_.DeleteFile(path, io_, nullptr).IsPathNotFound());
}

// Writes fail with EFBIG at the limit, in the middle of an append.
TEST_F(PosixFileSystemTest, WriteThatFailsHalfwayTellsSo) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10'000, 10'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::unique_ptr<FSWritableFile> file;
    if (!fs_.NewWritableFile(dir_.File("a"), FileOptions(), &file, nullptr)
             .ok()) {
      _exit(1);
    }
    const IOStatus status = file->Append(Pattern(20'000), io_, nullptr);
    _exit(status.IsIOError() ? 0 : 2);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result));
  EXPECT_EQ(WEXITSTATUS(result), 0);
  EXPECT_EQ(ReadAll(dir_.File("a")), Pattern(20'000).substr(0, 10'000));
}

TEST_F(PosixFileSystemTest, FullDeviceIsNoSpaceAndRetryable) {
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_.ReopenWritableFile("/dev/full", FileOptions(), &file, nullptr).ok());
  const IOStatus status = file->Append("x", io_, nullptr);
  EXPECT_TRUE(status.IsNoSpace()) << status.ToString();
  EXPECT_TRUE(status.GetRetryable());
}

TEST_F(PosixFileSystemTest, DirectReadsBypassTheCacheAndAskForAlignment) {
  const std::string bytes = Pattern(3 * kFilePage + 100);
  const std::string path = Write("a", bytes);
  std::unique_ptr<FSRandomAccessFile> file;
  if (!OpenDirect(path, &file)) GTEST_SKIP() << "no direct I/O here";
  EXPECT_TRUE(file->use_direct_io());
  EXPECT_TRUE(IsOpenDirect(path));
  const size_t alignment = file->GetRequiredBufferAlignment();
  EXPECT_EQ(kFilePage % alignment, 0u);
  const AlignedBuffer buffer = NewAligned(8 * kFilePage);
  Slice result;
  ASSERT_TRUE(
      file->Read(kFilePage, 7 * kFilePage, io_, &result, buffer.get(), nullptr)
          .ok());
  EXPECT_EQ(result.ToString(), bytes.substr(kFilePage));
  const IOStatus status =
      file->Read(1, kFilePage, io_, &result, buffer.get() + 1, nullptr);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(status.ToString().find(path), std::string::npos);
  EXPECT_TRUE(file->Prefetch(0, kFilePage, io_, nullptr).IsNotSupported());
}

TEST_F(PosixFileSystemTest, BufferedFilesAreNotDirect) {
  const std::string path = Write("a", "x");
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
  EXPECT_FALSE(file->use_direct_io());
  EXPECT_FALSE(IsOpenDirect(path));
}

TEST_F(PosixFileSystemTest, RefusedDirectOpenIsInvalidArgument) {
  FileOptions options;
  options.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  // procfs takes no O_DIRECT.
  const IOStatus status =
      fs_.NewRandomAccessFile("/proc/self/status", options, &file, nullptr);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(status.ToString().find("/proc/self/status"), std::string::npos);
}

TEST_F(PosixFileSystemTest, DirectWriteThenTruncate) {
  FileOptions options;
  options.use_direct_writes = true;
  const std::string path = dir_.File("a");
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = fs_.NewWritableFile(path, options, &file, nullptr);
  if (status.IsInvalidArgument()) GTEST_SKIP() << "no direct I/O here";
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(IsOpenDirect(path));
  const std::string bytes = Pattern(2 * kFilePage);
  const AlignedBuffer buffer = NewAligned(2 * kFilePage);
  memcpy(buffer.get(), bytes.data(), bytes.size());
  ASSERT_TRUE(
      file->PositionedAppend(Slice(buffer.get(), kFilePage), 0, io_, nullptr)
          .ok());
  ASSERT_TRUE(file->PositionedAppend(Slice(buffer.get() + kFilePage, kFilePage),
                                     kFilePage, io_, nullptr)
                  .ok());
  EXPECT_TRUE(file->PositionedAppend(Slice(buffer.get(), 10), 1, io_, nullptr)
                  .IsInvalidArgument());
  ASSERT_TRUE(file->Truncate(kFilePage + 77, io_, nullptr).ok());
  EXPECT_EQ(file->GetFileSize(io_, nullptr), kFilePage + 77);
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll(path), bytes.substr(0, kFilePage + 77));
}

TEST_F(PosixFileSystemTest, AlignmentIsThatOfTheFile) {
  EXPECT_EQ(CombinedAlignment(512, 512), 512u);
  EXPECT_EQ(CombinedAlignment(4, 4096), 4096u);
  EXPECT_EQ(CombinedAlignment(16384, 512), 16384u);
  // Nonsense from a driver falls back.
  EXPECT_EQ(CombinedAlignment(0, 0), kDefaultPageSize);
  EXPECT_EQ(CombinedAlignment(3000, 512), kDefaultPageSize);
}

TEST_F(PosixFileSystemTest, MappedReadsPointIntoTheFile) {
  const std::string bytes = Pattern(9'000);
  const std::string path = Write("a", bytes);
  FileOptions options;
  options.use_mmap_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(fs_.NewRandomAccessFile(path, options, &file, nullptr).ok());
  Slice first;
  Slice second;
  ASSERT_TRUE(file->Read(100, 50, io_, &first, nullptr, nullptr).ok());
  ASSERT_TRUE(file->Read(150, 99'999, io_, &second, nullptr, nullptr).ok());
  EXPECT_EQ(first.data() + 50, second.data());
  EXPECT_EQ(second.ToString(), bytes.substr(150));
  EXPECT_TRUE(file->Read(9'001, 1, io_, &first, nullptr, nullptr).IsIOError());

  ASSERT_TRUE(
      fs_.NewRandomAccessFile(Write("empty", ""), options, &file, nullptr)
          .ok());
  ASSERT_TRUE(file->Read(0, 10, io_, &first, nullptr, nullptr).ok());
  EXPECT_TRUE(first.empty());
}

TEST_F(PosixFileSystemTest, MappedWritesEndAtTheLastByte) {
  FileOptions options;
  options.use_mmap_writes = true;
  const std::string path = dir_.File("a");
  const std::string bytes = Pattern(3 << 20 | 123);
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_.NewWritableFile(path, options, &file, nullptr).ok());
  ASSERT_TRUE(file->Append(Slice(bytes.data(), 1000), io_, nullptr).ok());
  ASSERT_TRUE(file->Append(Slice(bytes.data() + 1000, bytes.size() - 1000), io_,
                           nullptr)
                  .ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  EXPECT_EQ(file->GetFileSize(io_, nullptr), bytes.size());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll(path), bytes);
}

TEST_F(PosixFileSystemTest, MultiReadAnswersEachRequest) {
  const std::string bytes = Pattern(1 << 20);
  const std::string path = Write("a", bytes);
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
  // More than the ring holds at a time, some past the end.
  constexpr size_t kCount = 700;
  std::vector<FSReadRequest> requests(kCount);
  std::vector<std::string> buffers(kCount, std::string(3'000, '\0'));
  for (size_t i = 0; i < kCount; ++i) {
    requests[i].offset = i * 1'777;
    requests[i].len = 3'000;
    requests[i].scratch = buffers[i].data();
  }
  ASSERT_TRUE(file->MultiRead(requests.data(), kCount, io_, nullptr).ok());
  for (size_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(requests[i].status.ok());
    const std::string expected =
        i * 1'777 < bytes.size() ? bytes.substr(i * 1'777, 3'000) : "";
    ASSERT_EQ(requests[i].result.ToString(), expected) << i;
  }
}

TEST_F(PosixFileSystemTest, AsyncReadsAreDeliveredOnceByPoll) {
  const std::string bytes = Pattern(1 << 20);
  const std::string path = Write("a", bytes);
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
  constexpr size_t kCount = 20;
  struct Outcome {
    int calls = 0;
    std::string bytes;
  };
  std::vector<Outcome> outcomes(kCount);
  std::vector<std::string> buffers(kCount, std::string(50'000, '\0'));
  std::vector<void*> handles(kCount, nullptr);
  std::vector<IOHandleDeleter> deleters(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    FSReadRequest request;
    request.offset = i * 53'000;
    request.len = 50'000;
    request.scratch = buffers[i].data();
    auto deliver = [](FSReadRequest& answer, void* arg) {
      auto* outcome = static_cast<Outcome*>(arg);
      ++outcome->calls;
      EXPECT_TRUE(answer.status.ok());
      outcome->bytes = answer.result.ToString();
    };
    ASSERT_TRUE(file->ReadAsync(request, io_, deliver, &outcomes[i],
                                &handles[i], &deleters[i], nullptr)
                    .ok());
  }
  ASSERT_TRUE(fs_.Poll(handles, kCount).ok());
  ASSERT_TRUE(fs_.Poll(handles, kCount).ok());
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(outcomes[i].calls, 1);
    EXPECT_EQ(outcomes[i].bytes, bytes.substr(i * 53'000, 50'000));
    if (handles[i] != nullptr) deleters[i](handles[i]);
  }
}

TEST_F(PosixFileSystemTest, AbortedReadsLetGoOfTheirBuffers) {
  const std::string path = Write("a", Pattern(1 << 20));
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
  int calls = 0;
  auto buffer = std::make_unique<char[]>(1 << 20);
  FSReadRequest request;
  request.len = 1 << 20;
  request.scratch = buffer.get();
  void* handle = nullptr;
  IOHandleDeleter deleter;
  auto deliver = [](FSReadRequest& answer, void* arg) {
    EXPECT_TRUE(answer.status.ok() || answer.status.IsAborted());
    ++*static_cast<int*>(arg);
  };
  ASSERT_TRUE(
      file->ReadAsync(request, io_, deliver, &calls, &handle, &deleter, nullptr)
          .ok());
  std::vector<void*> handles{handle};
  ASSERT_TRUE(fs_.AbortIO(handles).ok());
  buffer.reset();
  EXPECT_EQ(calls, 1);
  if (handle != nullptr) deleter(handle);
}

TEST_F(PosixFileSystemTest, PreallocatedSpaceIsGivenBackOnClose) {
  const std::string path = dir_.File("a");
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_.NewWritableFile(path, FileOptions(), &file, nullptr).ok());
  file->SetPreallocationBlockSize(4 << 20);
  file->PrepareWrite(0, 10, io_, nullptr);
  ASSERT_TRUE(file->Append("0123456789", io_, nullptr).ok());
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 10);
  size_t block_size = 0;
  size_t last_block = 0;
  file->GetPreallocationStatus(&block_size, &last_block);
  EXPECT_EQ(block_size, size_t{4} << 20);
  EXPECT_EQ(last_block, 1u);
  ASSERT_TRUE(file->RangeSync(0, 10, io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 10);
  EXPECT_LT(info.st_blocks * 512, 1 << 20);
}

TEST_F(PosixFileSystemTest, ReopenedFilesGrowAndReusedOnesAreOverwritten) {
  const std::string path = Write("a", "0123456789");
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_.ReopenWritableFile(path, FileOptions(), &file, nullptr).ok());
  EXPECT_EQ(file->GetFileSize(io_, nullptr), 10u);
  ASSERT_TRUE(file->Append("ab", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll(path), "0123456789ab");

  const std::string reused = dir_.File("b");
  ASSERT_TRUE(
      fs_.ReuseWritableFile(reused, path, FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("XYZ", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll(reused), "XYZ3456789ab");
  EXPECT_TRUE(fs_.FileExists(path, io_, nullptr).IsNotFound());
}

TEST_F(PosixFileSystemTest, NamesLinksAndDirectories) {
  const std::string sub = dir_.File("sub");
  ASSERT_TRUE(fs_.CreateDir(sub, io_, nullptr).ok());
  EXPECT_TRUE(fs_.CreateDir(sub, io_, nullptr).IsIOError());
  EXPECT_TRUE(fs_.CreateDirIfMissing(sub, io_, nullptr).ok());
  const std::string file = Write("sub/a", "x");
  EXPECT_TRUE(fs_.CreateDirIfMissing(file, io_, nullptr).IsIOError());
  EXPECT_TRUE(fs_.DeleteDir(sub, io_, nullptr).IsIOError());
  ASSERT_TRUE(fs_.LinkFile(file, sub + "/b", io_, nullptr).ok());
  uint64_t links = 0;
  ASSERT_TRUE(fs_.NumFileLinks(file, io_, &links, nullptr).ok());
  EXPECT_EQ(links, 2u);
  bool is_same = false;
  ASSERT_TRUE(fs_.AreFilesSame(file, sub + "/b", io_, &is_same, nullptr).ok());
  EXPECT_TRUE(is_same);
  ASSERT_TRUE(fs_.RenameFile(file, sub + "/c", io_, nullptr).ok());
  std::vector<std::string> names;
  ASSERT_TRUE(fs_.GetChildren(sub, io_, &names, nullptr).ok());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"b", "c"}));
  std::unique_ptr<FSDirectory> directory;
  ASSERT_TRUE(fs_.NewDirectory(sub, io_, &directory, nullptr).ok());
  EXPECT_TRUE(directory->Fsync(io_, nullptr).ok());
  EXPECT_TRUE(directory->Close(io_, nullptr).ok());
  bool is_dir = false;
  ASSERT_TRUE(fs_.IsDirectory(sub, io_, &is_dir, nullptr).ok());
  EXPECT_TRUE(is_dir);
  uint64_t free_bytes = 0;
  EXPECT_TRUE(fs_.GetFreeSpace(sub, io_, &free_bytes, nullptr).ok());
  EXPECT_GT(free_bytes, 0u);
}

TEST_F(PosixFileSystemTest, LockHasOneHolderByAnyName) {
  const std::string path = dir_.File("LOCK");
  FileLock* lock = nullptr;
  ASSERT_TRUE(fs_.LockFile(path, io_, &lock, nullptr).ok());
  FileLock* second = nullptr;
  EXPECT_TRUE(fs_.LockFile(path, io_, &second, nullptr).IsIOError());
  const std::string other = dir_.path() + "/./LOCK";
  EXPECT_TRUE(fs_.LockFile(other, io_, &second, nullptr).IsIOError());

  // The refusals above must not have dropped the lock for other processes.
  auto try_in_child = [&] {
    const pid_t child = fork();
    if (child == 0) {
      const int fd = open(path.c_str(), O_RDWR);
      struct flock request = {};
      request.l_type = F_WRLCK;
      request.l_whence = SEEK_SET;
      _exit(fcntl(fd, F_SETLK, &request) == 0 ? 0 : 1);
    }
    int result = -1;
    EXPECT_EQ(waitpid(child, &result, 0), child);
    return WEXITSTATUS(result) == 0;
  };
  EXPECT_FALSE(try_in_child());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
  EXPECT_TRUE(try_in_child());
  ASSERT_TRUE(fs_.LockFile(path, io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
}

TEST_F(PosixFileSystemTest, ALockIsHeldThoughItsFileIsRemoved) {
  const std::string path = dir_.File("LOCK");
  FileLock* lock = nullptr;
  ASSERT_TRUE(fs_.LockFile(path, io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_.DeleteFile(path, io_, nullptr).ok());
  FileLock* second = nullptr;
  ASSERT_TRUE(fs_.LockFile(path, io_, &second, nullptr).IsIOError());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
  ASSERT_TRUE(fs_.LockFile(path, io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
}

TEST_F(PosixFileSystemTest, CompactionReadsAreDirectWhereEitherOptionAsks) {
  for (const bool all : {false, true}) {
    for (const bool compaction : {false, true}) {
      DBOptions options;
      options.use_direct_reads = all;
      options.use_direct_io_for_compaction_reads = compaction;
      options.compaction_readahead_size = size_t{1} << 40;
      options.db_paths.emplace_back(dir_.path(), 0);
      const ImmutableDBOptions immutable(ImmutableDBOptions{options},
                                         MutableDBOptions(options));
      const FileOptions result =
          fs_.OptimizeForCompactionTableRead(FileOptions(options), immutable);
      EXPECT_EQ(result.use_direct_reads, all || compaction);
      // Only buffered read-ahead is cut to what the kernel grants.
      const size_t limit = ReadaheadLimit(dir_.path());
      EXPECT_EQ(result.compaction_readahead_size,
                all || compaction || limit == 0
                    ? options.compaction_readahead_size
                    : limit);
    }
  }
}

TEST_F(PosixFileSystemTest, CompactionFilesAreAccessedAsWasChosen) {
  for (const FileAccess access :
       {FileAccess::kBuffered, FileAccess::kUncached, FileAccess::kDirect}) {
    DBOptions options;
    options.compaction_read_access = access;
    options.compaction_write_access = access;
    const ImmutableDBOptions db(ImmutableDBOptions{options},
                                MutableDBOptions(options));
    const FileOptions user(options);
    const FileOptions reads = fs_.OptimizeForCompactionTableRead(user, db);
    const FileOptions writes = fs_.OptimizeForCompactionTableWrite(user, db);
    EXPECT_EQ(reads.use_direct_reads, access == FileAccess::kDirect);
    EXPECT_EQ(writes.use_direct_writes, access == FileAccess::kDirect);
    EXPECT_EQ(reads.use_uncached_io, access == FileAccess::kUncached);
    EXPECT_EQ(writes.use_uncached_io, access == FileAccess::kUncached);
    // Nothing else is: not what users read, no log and no manifest.
    EXPECT_FALSE(user.use_uncached_io || user.use_direct_reads);
    EXPECT_FALSE(fs_.OptimizeForLogWrite(writes, options).use_uncached_io);
    EXPECT_FALSE(fs_.OptimizeForManifestWrite(writes).use_uncached_io);
    EXPECT_FALSE(fs_.OptimizeForLogRead(reads).use_uncached_io);
  }
}

TEST_F(PosixFileSystemTest, TellsWhetherAFileIsOpen) {
  const std::string path = Write("held", "abc");
  if (!fs_.IsClosedEverywhere(path)) GTEST_SKIP() << "no leases here";
  {
    const FileDescriptor reader(open(path.c_str(), O_RDONLY));
    EXPECT_FALSE(fs_.IsClosedEverywhere(path));
  }
  EXPECT_TRUE(fs_.IsClosedEverywhere(path));
  {
    const FileDescriptor writer(open(path.c_str(), O_WRONLY));
    EXPECT_FALSE(fs_.IsClosedEverywhere(path));
  }
  void* mapped = nullptr;
  {
    const FileDescriptor reader(open(path.c_str(), O_RDONLY));
    mapped = mmap(nullptr, kFilePage, PROT_READ, MAP_SHARED, reader.get(), 0);
  }
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_FALSE(fs_.IsClosedEverywhere(path)) << "it is mapped";
  munmap(mapped, kFilePage);
  EXPECT_TRUE(fs_.IsClosedEverywhere(path));
  EXPECT_FALSE(fs_.IsClosedEverywhere(path + "none"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
