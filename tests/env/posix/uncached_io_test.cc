// Uncached reads and writes are right and leave in the page cache what was
// there before, also where the kernel refuses the flag for it.
#include "env/posix/uncached_io.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "env/posix/posix_file_system.h"
#include "env/posix/posix_read_files.h"
#include "env/posix/posix_uring.h"
#include "env/posix/posix_write_files.h"
#include "tests/testing/page_cache.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kMapPage = MappedFile::kPage;
constexpr auto kRead = DontCacheChoice::Direction::kRead;
constexpr auto kWrite = DontCacheChoice::Direction::kWrite;
using Runs = std::vector<AbsentPages::Run>;

std::string SomeBytes(size_t n, size_t seed = 0) {
  std::string bytes(n, '\0');
  for (size_t i = 0; i < n; ++i) {
    bytes[i] = static_cast<char>((i + seed) * 31 + (i + seed) / 251);
  }
  return bytes;
}

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

FileDescriptor Open(const std::string& path, int flags) {
  FileDescriptor fd(open(path.c_str(), flags | O_CLOEXEC, 0600));
  EXPECT_TRUE(fd.is_open()) << path;
  return fd;
}

dev_t DeviceOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_dev;
}

// --- the choice

TEST(DontCacheChoice, ARefusalIsAnErrorThatAnUnknownFlagGives) {
  for (const int error : {EOPNOTSUPP, EINVAL, ENOSYS}) {
    EXPECT_TRUE(DontCacheChoice::IsRefusal(kDontCacheFlag, error));
    EXPECT_FALSE(DontCacheChoice::IsRefusal(0, error));
  }
  for (const int error : {0, EIO, ENOSPC, EBADF, ECANCELED}) {
    EXPECT_FALSE(DontCacheChoice::IsRefusal(kDontCacheFlag, error));
  }
}

TEST(DontCacheChoice, ARefusalHoldsForTheDevice) {
  TempDir directory("uncached");
  const std::string path = directory.File("f");
  const FileDescriptor fd = Open(path, O_RDWR | O_CREAT);
  DontCacheUse use;
  DontCacheChoice first(fd.get(), kRead, &use);
  DontCacheChoice second(fd.get(), kRead, &use);
  EXPECT_EQ(first.flags(), kDontCacheFlag);
  first.NoteRefusal();
  EXPECT_EQ(first.flags(), 0);
  EXPECT_TRUE(use.IsRefused(DeviceOf(path)));
  EXPECT_FALSE(use.IsRefused(DeviceOf(path) + 1));
  // One that has begun finds out for itself; a new one need not.
  EXPECT_EQ(second.flags(), kDontCacheFlag);
  EXPECT_EQ(DontCacheChoice(fd.get(), kRead, &use).flags(), 0);
  DontCacheUse of_others;
  of_others.AddRefusal(DeviceOf(path) + 1);
  EXPECT_EQ(DontCacheChoice(fd.get(), kRead, &of_others).flags(),
            kDontCacheFlag);
}

TEST(DontCacheChoice, ABadDescriptorTakesNothing) {
  DontCacheUse use;
  EXPECT_EQ(DontCacheChoice(-1, kRead, &use).flags(), 0);
}

TEST(DontCacheChoice, WritersTakeTurns) {
  TempDir directory("uncached");
  const FileDescriptor fd = Open(directory.File("f"), O_RDWR | O_CREAT);
  DontCacheUse use(/*most_writers=*/2);
  DontCacheChoice first(fd.get(), kWrite, &use);
  {
    const DontCacheChoice second(fd.get(), kWrite, &use);
    EXPECT_EQ(first.flags(), kDontCacheFlag);
    EXPECT_EQ(second.flags(), kDontCacheFlag);
    EXPECT_EQ(DontCacheChoice(fd.get(), kWrite, &use).flags(), 0);
    // Readers need none.
    EXPECT_EQ(DontCacheChoice(fd.get(), kRead, &use).flags(), kDontCacheFlag);
  }
  const DontCacheChoice third(fd.get(), kWrite, &use);
  EXPECT_EQ(third.flags(), kDontCacheFlag);
  EXPECT_EQ(DontCacheChoice(fd.get(), kWrite, &use).flags(), 0);
  first.ReturnTurn();
  first.ReturnTurn();
  EXPECT_EQ(first.flags(), 0);
  const DontCacheChoice fourth(fd.get(), kWrite, &use);
  EXPECT_EQ(fourth.flags(), kDontCacheFlag);
  EXPECT_EQ(DontCacheChoice(fd.get(), kWrite, &use).flags(), 0);
}

TEST(DontCacheChoice, NewKernelsTakeManyWriters) {
  for (const char* release :
       {"6.14.0", "6.18.44-a", "7.1.99", "7", "", "x.y"}) {
    EXPECT_EQ(MostDontCacheWriters(release), 1) << release;
  }
  for (const char* release : {"7.2", "7.2.0-rc1", "7.10.1", "8.0.0", "10.0"}) {
    EXPECT_GT(MostDontCacheWriters(release), 1000) << release;
  }
}

// --- files

enum class Flag {
  kTried,    // what the kernel says counts
  kRefused,  // it has said no before
};

class UncachedFileTest : public ::testing::TestWithParam<Flag> {
 protected:
  UncachedFileTest() : directory_("uncached"), path_(directory_.File("f")) {
    if (GetParam() == Flag::kRefused)
      use_.AddRefusal(DeviceOf(directory_.path()));
  }

  std::string Make(size_t bytes) {
    const std::string content = SomeBytes(bytes);
    std::ofstream(path_, std::ios::binary) << content;
    return content;
  }
  std::unique_ptr<FSRandomAccessFile> Reader(const std::string& path) {
    return std::make_unique<PosixRandomAccessFile>(path, Open(path, O_RDONLY),
                                                   Caching::kUncached, &use_);
  }
  std::unique_ptr<FSWritableFile> Writer(const std::string& path,
                                         uint64_t size = 0) {
    WritableFileStart start{
        .caching = Caching::kUncached, .use = &use_, .size = size};
    return std::make_unique<PosixWritableFile>(
        path, Open(path, O_WRONLY | O_CREAT), start, FileOptions());
  }

  struct Range {
    uint64_t offset;
    size_t length;
  };
  // In three ways; each answer is compared.
  static void ReadOne(FSRandomAccessFile* file, const Range& range,
                      const std::string& content) {
    std::string scratch(range.length, 'x');
    Slice result;
    ASSERT_TRUE(file->Read(range.offset, range.length, IOOptions(), &result,
                           scratch.data(), nullptr)
                    .ok());
    ASSERT_TRUE(result == Part(content, range));
  }
  static void ReadMany(FSRandomAccessFile* file,
                       const std::vector<Range>& ranges,
                       const std::string& content) {
    std::vector<std::string> scratch;
    std::vector<FSReadRequest> requests(ranges.size());
    scratch.reserve(ranges.size());
    for (size_t i = 0; i < ranges.size(); ++i) {
      scratch.emplace_back(ranges[i].length, 'x');
      requests[i].offset = ranges[i].offset;
      requests[i].len = ranges[i].length;
      requests[i].scratch = scratch[i].data();
    }
    ASSERT_TRUE(
        file->MultiRead(requests.data(), requests.size(), IOOptions(), nullptr)
            .ok());
    for (size_t i = 0; i < ranges.size(); ++i) {
      ASSERT_TRUE(requests[i].status.ok()) << requests[i].status.ToString();
      ASSERT_TRUE(requests[i].result == Part(content, ranges[i])) << i;
    }
  }
  void ReadLater(FSRandomAccessFile* file, const Range& range,
                 const std::string& content) {
    std::string scratch(range.length, 'x');
    FSReadRequest request;
    request.offset = range.offset;
    request.len = range.length;
    request.scratch = scratch.data();
    bool was_called = false;
    const auto check = [&](FSReadRequest& answer, void*) {
      was_called = true;
      EXPECT_TRUE(answer.status.ok()) << answer.status.ToString();
      EXPECT_TRUE(answer.result == Part(content, range));
    };
    void* handle = nullptr;
    IOHandleDeleter deleter;
    ASSERT_TRUE(file->ReadAsync(request, IOOptions(), check, nullptr, &handle,
                                &deleter, nullptr)
                    .ok());
    if (handle != nullptr) {
      std::vector<void*> handles{handle};
      ASSERT_TRUE(fs_.Poll(handles, 1).ok());
      deleter(handle);
    }
    EXPECT_TRUE(was_called);
  }
  static Slice Part(const std::string& content, const Range& range) {
    if (range.offset >= content.size()) return Slice();
    return Slice(content.data() + range.offset,
                 std::min(range.length, content.size() - range.offset));
  }
  static void Append(FSWritableFile* file, const std::string& bytes) {
    const IOStatus s = file->Append(bytes, IOOptions(), nullptr);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }

  TempDir directory_;
  const std::string path_;
  PosixFileSystem fs_;
  DontCacheUse use_;
};

INSTANTIATE_TEST_SUITE_P(Flags, UncachedFileTest,
                         ::testing::Values(Flag::kTried, Flag::kRefused));

class RefusedFileTest : public UncachedFileTest {};
INSTANTIATE_TEST_SUITE_P(Flags, RefusedFileTest,
                         ::testing::Values(Flag::kRefused));

TEST_P(UncachedFileTest, ReadsAreRight) {
  const std::string content = Make(100 * kMapPage + 123);
  const std::unique_ptr<FSRandomAccessFile> file = Reader(path_);
  EXPECT_FALSE(file->use_direct_io());
  const std::vector<Range> ranges = {{0, 1},
                                     {kMapPage - 1, 2},
                                     {5 * kMapPage, 40 * kMapPage},
                                     {7, 12345},
                                     {99 * kMapPage, 2 * kMapPage},
                                     {content.size() - 1, 100},
                                     {content.size(), 10},
                                     {1 << 30, 10}};
  for (const Range& range : ranges) {
    ReadOne(file.get(), range, content);
    ReadLater(file.get(), range, content);
  }
  ReadMany(file.get(), ranges, content);
}

TEST_P(UncachedFileTest, ReadsLeaveNoPages) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  const std::string content = Make(64 * kMapPage);
  const MappedFile pages(path_);
  const std::unique_ptr<FSRandomAccessFile> file = Reader(path_);
  for (const auto way : {0, 1, 2}) {
    SCOPED_TRACE(way);
    pages.DropPages();
    ASSERT_EQ(pages.ResidentPages(), 0u);
    const Range first{0, 16 * kMapPage},
        second{20 * kMapPage + 5, 10 * kMapPage};
    if (way == 0) {
      ReadOne(file.get(), first, content);
      ReadOne(file.get(), second, content);
    } else if (way == 1) {
      ReadMany(file.get(), {first, second}, content);
    } else {
      ReadLater(file.get(), first, content);
      ReadLater(file.get(), second, content);
    }
    EXPECT_EQ(pages.ResidentPages(), 0u);
  }
}

TEST_P(UncachedFileTest, PagesOfOthersStay) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  const std::string content = Make(64 * kMapPage);
  const MappedFile pages(path_);
  for (const auto way : {0, 1, 2}) {
    SCOPED_TRACE(way);
    pages.DropPages();
    const FileDescriptor user = Open(path_, O_RDONLY);
    ASSERT_EQ(posix_fadvise(user.get(), 0, 0, POSIX_FADV_RANDOM), 0);
    std::string scratch(2 * kMapPage, 'x');
    for (const size_t page : {4, 40}) {
      ASSERT_EQ(pread(user.get(), scratch.data(), 2 * kMapPage,
                      static_cast<off_t>(page * kMapPage)),
                static_cast<ssize_t>(2 * kMapPage));
    }
    ASSERT_EQ(pages.ResidentPages(), 4u);
    const std::unique_ptr<FSRandomAccessFile> file = Reader(path_);
    const Range all{0, content.size()}, half{0, content.size() / 2};
    if (way == 0) ReadOne(file.get(), all, content);
    if (way == 1)
      ReadMany(file.get(), {half, {half.length, half.length}}, content);
    if (way == 2) ReadLater(file.get(), all, content);
    EXPECT_EQ(pages.ResidentPages(), 4u);
    for (const size_t page : {4, 5, 40, 41}) {
      EXPECT_TRUE(pages.IsResident(page)) << page;
    }
  }
}

TEST_P(UncachedFileTest, NothingIsReadAhead) {
  Make(10 * kMapPage);
  const std::unique_ptr<FSRandomAccessFile> file = Reader(path_);
  EXPECT_TRUE(
      file->Prefetch(0, kMapPage, IOOptions(), nullptr).IsNotSupported());
}

TEST_P(UncachedFileTest, WritesAreRight) {
  std::string expected;
  {
    const std::unique_ptr<FSWritableFile> file = Writer(path_);
    EXPECT_FALSE(file->use_direct_io());
    for (const size_t n :
         {1ul, kMapPage - 1, 3 * kMapPage, 5000ul, 300 * kMapPage}) {
      const std::string bytes = SomeBytes(n, expected.size());
      Append(file.get(), bytes);
      expected += bytes;
    }
    ASSERT_TRUE(file->Sync(IOOptions(), nullptr).ok());
    Append(file.get(), "tail");
    expected += "tail";
    ASSERT_TRUE(
        file->PositionedAppend("at", expected.size(), IOOptions(), nullptr)
            .ok());
    expected += "at";
    EXPECT_EQ(file->GetFileSize(IOOptions(), nullptr), expected.size());
    ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  }
  EXPECT_TRUE(Content(path_) == expected);
}

TEST_P(UncachedFileTest, SyncedWritesLeaveNoPages) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  const std::unique_ptr<FSWritableFile> file = Writer(path_);
  // Writes that share pages.
  for (int i = 0; i < 64; ++i) {
    Append(file.get(), SomeBytes(5 * kMapPage + 77, static_cast<size_t>(i)));
  }
  ASSERT_TRUE(file->Sync(IOOptions(), nullptr).ok());
  const MappedFile pages(path_);
  EXPECT_EQ(pages.ResidentPages(), 0u);
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(pages.ResidentPages(), 0u);
}

TEST_P(RefusedFileTest, DroppingIsOneWriteBehind) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  const std::unique_ptr<FSWritableFile> file = Writer(path_);
  constexpr size_t kWrite = 16 * kMapPage + 100;
  for (int i = 0; i < 20; ++i) Append(file.get(), SomeBytes(kWrite));
  {
    const MappedFile pages(path_);
    EXPECT_LE(pages.ResidentPages(), kWrite / kMapPage + 2);
    EXPECT_GT(pages.ResidentPages(), 0u);
  }
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  // All but the page within which the file ends.
  EXPECT_LE(MappedFile(path_).ResidentPages(), 1u);
}

TEST_P(UncachedFileTest, AppendingLeavesWhatWasThere) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  const std::string before = Make(8 * kMapPage);
  {
    const MappedFile pages(path_);
    pages.DropPages();
    pages.ReadAll();
    ASSERT_EQ(pages.ResidentPages(), 8u);
  }
  const std::unique_ptr<FSWritableFile> file = Writer(path_, before.size());
  const std::string after = SomeBytes(20 * kMapPage, 5);
  Append(file.get(), after);
  ASSERT_TRUE(file->Sync(IOOptions(), nullptr).ok());
  ASSERT_TRUE(file->Close(IOOptions(), nullptr).ok());
  const MappedFile pages(path_);
  EXPECT_EQ(pages.ResidentPages(), 8u);
  EXPECT_TRUE(pages.IsResident(0));
  EXPECT_TRUE(Content(path_) == before + after);
}

// --- what the kernel refuses

// A file system in memory takes no such flag.
TEST(UncachedIo, ARefusedTransferIsRepeatedWithout) {
  const std::string path =
      "/dev/shm/uncached_io_test." + std::to_string(getpid());
  FileDescriptor fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.is_open()) GTEST_SKIP() << "no /dev/shm";
  unlink(path.c_str());
  if (WriteFully(fd.get(), 0, "x", 1, kDontCacheFlag) == 0) {
    printf("/dev/shm takes the flag\n");
    GTEST_SKIP() << "/dev/shm takes the flag";
  }
  const std::string content = SomeBytes(10 * kMapPage);
  ASSERT_EQ(WriteFully(fd.get(), 0, content.data(), content.size()), 0);
  const std::string again = "/proc/self/fd/" + std::to_string(fd.get());
  DontCacheUse of_reads, of_many, of_later, of_writes;
  const auto reader = [&](DontCacheUse* use) {
    return PosixRandomAccessFile(again, Open(again, O_RDONLY),
                                 Caching::kUncached, use);
  };
  const dev_t device = DeviceOf(again);
  std::string scratch(content.size(), 'x'), other(kMapPage, 'x');
  Slice result;
  ASSERT_TRUE(reader(&of_reads)
                  .Read(0, content.size(), IOOptions(), &result, scratch.data(),
                        nullptr)
                  .ok());
  EXPECT_TRUE(result == content);
  EXPECT_TRUE(of_reads.IsRefused(device));

  FSReadRequest requests[2];
  requests[0].len = kMapPage;
  requests[0].scratch = scratch.data();
  requests[1].offset = 3 * kMapPage;
  requests[1].len = kMapPage;
  requests[1].scratch = other.data();
  ASSERT_TRUE(
      reader(&of_many).MultiRead(requests, 2, IOOptions(), nullptr).ok());
  EXPECT_TRUE(requests[0].result == Slice(content.data(), kMapPage));
  EXPECT_TRUE(requests[1].result ==
              Slice(content.data() + 3 * kMapPage, kMapPage));
  EXPECT_TRUE(of_many.IsRefused(device));

  PosixRandomAccessFile later = reader(&of_later);
  void* handle = nullptr;
  IOHandleDeleter deleter;
  bool was_right = false;
  const auto check = [&](FSReadRequest& answer, void*) {
    was_right = answer.status.ok() &&
                answer.result == Slice(content.data() + 3 * kMapPage, kMapPage);
  };
  ASSERT_TRUE(later
                  .ReadAsync(requests[1], IOOptions(), check, nullptr, &handle,
                             &deleter, nullptr)
                  .ok());
  if (handle != nullptr) {
    std::vector<void*> handles{handle};
    ASSERT_TRUE(FileSystem::Default()->Poll(handles, 1).ok());
    deleter(handle);
  }
  EXPECT_TRUE(was_right);
  EXPECT_TRUE(of_later.IsRefused(device));

  WritableFileStart start{
      .caching = Caching::kUncached, .use = &of_writes, .size = content.size()};
  PosixWritableFile writer(again, Open(again, O_WRONLY), start, FileOptions());
  ASSERT_TRUE(writer.Append("more", IOOptions(), nullptr).ok());
  EXPECT_TRUE(of_writes.IsRefused(device));
  ASSERT_TRUE(writer.Sync(IOOptions(), nullptr).ok());
  ASSERT_TRUE(writer.Close(IOOptions(), nullptr).ok());
  EXPECT_TRUE(Content(again) == content + "more");
}

// An error that is not the flag's is told, and condemns no device.
TEST(UncachedIo, OtherErrorsAreTold) {
  TempDir directory("uncached");
  const std::string path = directory.File("f");
  std::ofstream(path) << SomeBytes(kMapPage);
  DontCacheUse use;
  const FileDescriptor directory_fd = Open(directory.path(), O_RDONLY);
  DontCacheChoice choice(directory_fd.get(), kRead, &use);
  char byte = 0;
  FileRead read{.fd = directory_fd.get(), .length = 1, .out = &byte};
  EXPECT_NE(ReadUncached(&choice, &read), 0);
  EXPECT_FALSE(use.IsRefused(DeviceOf(path)));

  WritableFileStart start{.caching = Caching::kUncached, .use = &use};
  // Open for reading only.
  PosixWritableFile file(path, Open(path, O_RDONLY), start, FileOptions());
  const IOStatus s = file.Append("x", IOOptions(), nullptr);
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  EXPECT_NE(s.ToString().find(path), std::string::npos);
  EXPECT_FALSE(use.IsRefused(DeviceOf(path)));
}

TEST(DropBehindWrites, AFailedWriteBackIsTold) {
  DropBehindWrites writes;
  EXPECT_EQ(writes.Finish(-1), 0);  // nothing was written
  EXPECT_EQ(writes.Note(-1, 0, 10), EBADF);
  EXPECT_EQ(writes.Finish(-1), EBADF);
  EXPECT_EQ(writes.Finish(-1), 0);  // told once
}

TEST(AbsentPages, AreThoseThatAreNotThere) {
  TempDir directory("uncached");
  SKIP_WITHOUT_PAGE_CACHE(directory);
  const std::string path = directory.File("f");
  std::ofstream(path) << SomeBytes(16 * kMapPage);
  const MappedFile pages(path);
  pages.DropPages();
  const FileDescriptor fd = Open(path, O_RDONLY);
  EXPECT_TRUE(AbsentPages().runs().empty());
  EXPECT_TRUE(AbsentPages(fd.get(), 5, 0).runs().empty());
  EXPECT_EQ(AbsentPages(fd.get(), 5, 10).runs(), (Runs{{0, kMapPage}}));
  EXPECT_EQ(AbsentPages(fd.get(), kMapPage - 1, 2).runs(),
            (Runs{{0, 2 * kMapPage}}));
  ASSERT_EQ(posix_fadvise(fd.get(), 0, 0, POSIX_FADV_RANDOM), 0);
  std::string scratch(2 * kMapPage, 'x');
  ASSERT_EQ(pread(fd.get(), scratch.data(), 2 * kMapPage, 3 * kMapPage),
            static_cast<ssize_t>(2 * kMapPage));
  EXPECT_EQ(AbsentPages(fd.get(), kMapPage, 7 * kMapPage).runs(),
            (Runs{{kMapPage, 2 * kMapPage}, {5 * kMapPage, 3 * kMapPage}}));
  EXPECT_TRUE(AbsentPages(fd.get(), 3 * kMapPage + 1, kMapPage).runs().empty());
  // Without an answer nothing is dropped.
  EXPECT_TRUE(AbsentPages(-1, 0, kMapPage).runs().empty());
}

// --- the options of files

TEST(UncachedIo, FilesAreOpenedAsTheirOptionsSay) {
  TempDir directory("uncached");
  const std::string path = directory.File("f");
  PosixFileSystem fs;
  FileOptions options;
  options.use_uncached_io = true;
  std::unique_ptr<FSWritableFile> out;
  ASSERT_TRUE(fs.NewWritableFile(path, options, &out, nullptr).ok());
  ASSERT_TRUE(out->Append(SomeBytes(32 * kMapPage), IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Sync(IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  std::unique_ptr<FSRandomAccessFile> in;
  ASSERT_TRUE(fs.NewRandomAccessFile(path, options, &in, nullptr).ok());
  // Only an uncached or direct file has no read-ahead.
  EXPECT_TRUE(in->Prefetch(0, kMapPage, IOOptions(), nullptr).IsNotSupported());
  EXPECT_FALSE(in->use_direct_io());
  options.use_mmap_reads = true;
  ASSERT_TRUE(fs.NewRandomAccessFile(path, options, &in, nullptr).ok());
  EXPECT_FALSE(in->Prefetch(0, kMapPage, IOOptions(), nullptr).ok() &&
               in->use_direct_io());
  options.use_uncached_io = options.use_mmap_reads = false;
  ASSERT_TRUE(fs.NewRandomAccessFile(path, options, &in, nullptr).ok());
  EXPECT_TRUE(in->Prefetch(0, kMapPage, IOOptions(), nullptr).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
