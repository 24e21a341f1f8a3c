// Many reads and writes are in flight on one thread's ring, each ends with its
// own answer, and an unfit kernel gets no ring.
#include "env/posix/posix_uring.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef BASALT_HAVE_LIBURING
#include <liburing.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/async_writable_file.h"
#include "env/posix/posix_file_system.h"
#include "env/posix/posix_write_files.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using AsyncWrite = AsyncWritableFile::Write;
using Patience = AsyncWritableFile::Patience;

constexpr size_t kRingPage = 4096;

struct RingAlignedFree {
  void operator()(char* p) const { free(p); }
};
using AlignedBytes = std::unique_ptr<char[], RingAlignedFree>;

AlignedBytes NewAligned(const std::string& bytes) {
  AlignedBytes result(
      static_cast<char*>(aligned_alloc(kRingPage, bytes.size())));
  std::copy(bytes.begin(), bytes.end(), result.get());
  return result;
}

std::string RandomBytes(size_t n, uint64_t seed) {
  Random64 random(seed);
  std::string bytes(n, '\0');
  for (char& c : bytes) c = static_cast<char>(random.Next());
  return bytes;
}

#ifdef BASALT_HAVE_LIBURING

// What a kernel answers that can do `operations` of the first `count`.
class Probe {
 public:
  Probe(int count, const std::vector<int>& operations)
      : bytes_(sizeof(io_uring_probe) +
               static_cast<size_t>(count) * sizeof(io_uring_probe_op)) {
    io_uring_probe* const own = get();
    own->last_op = static_cast<uint8_t>(count - 1);
    own->ops_len = static_cast<uint8_t>(count);
    for (const int operation : operations) {
      own->ops[operation].flags = IO_URING_OP_SUPPORTED;
    }
  }
  io_uring_probe* get() {
    return reinterpret_cast<io_uring_probe*>(bytes_.data());
  }

 private:
  std::vector<char> bytes_;
};

// A kernel from 5.1 to 5.5 makes a ring, but fails each of these.
TEST(PosixUringKernelTest, ARingIsOfNoUseWithoutReadsAndWrites) {
  EXPECT_FALSE(HasTransfers(nullptr)) << "before 5.6 none can be asked";
  constexpr int kAll = IORING_OP_WRITE + 10;
  EXPECT_TRUE(
      HasTransfers(Probe(kAll, {IORING_OP_READ, IORING_OP_WRITE}).get()));
  EXPECT_FALSE(HasTransfers(Probe(kAll, {IORING_OP_READ}).get()));
  EXPECT_FALSE(HasTransfers(Probe(kAll, {IORING_OP_WRITE}).get()));
  EXPECT_FALSE(HasTransfers(
      Probe(IORING_OP_READ, {IORING_OP_READV, IORING_OP_WRITEV}).get()));
}

#endif

class PosixUringTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (PosixUring::OfThisThread() == nullptr) {
      GTEST_SKIP() << "the kernel gives no ring";
    }
  }
  // Null where the test directory takes no direct I/O.
  std::unique_ptr<FSWritableFile> NewFile(const std::string& path,
                                          bool is_direct) {
    FileOptions options;
    options.use_direct_writes = is_direct;
    options.fallocate_with_keep_size = false;
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s = fs_.NewWritableFile(path, options, &file, nullptr);
    if (is_direct && s.IsInvalidArgument()) return nullptr;
    EXPECT_TRUE(s.ok()) << s.ToString();
    return file;
  }
  std::string ReadAll(const std::string& path) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(&fs_, path, &bytes).ok());
    return bytes;
  }
  static AsyncWritableFile* AsyncOf(FSWritableFile* file) {
    auto* async = dynamic_cast<AsyncWritableFile*>(file);
    EXPECT_NE(async, nullptr);
    return async;
  }
  uint64_t SizeOf(FSWritableFile* file) {
    return file->GetFileSize(IOOptions(), nullptr);
  }

  TempDir dir_{"uring"};
  PosixFileSystem fs_;
  const IOOptions io_;
};

TEST_F(PosixUringTest, ManyWritesAreInFlightAndMayEndInAnyOrder) {
  constexpr size_t kPart = 64 << 10;
  const std::string bytes = RandomBytes(40 * kPart, 1);
  const AlignedBytes source = NewAligned(bytes);
  for (const bool is_direct : {false, true}) {
    const std::string path = dir_.File(is_direct ? "direct" : "buffered");
    auto file = NewFile(path, is_direct);
    if (file == nullptr) continue;
    file->SetPreallocationBlockSize(1 << 20);
    AsyncWritableFile* const async = AsyncOf(file.get());
    std::vector<AsyncWrite> writes(40);
    std::vector<size_t> order(writes.size());
    for (size_t i = 0; i < writes.size(); ++i) {
      order[i] = i;
      writes[i].offset = i * kPart;
      writes[i].data = Slice(source.get() + i * kPart, kPart);
      // Space is reserved while writes are in flight.
      file->PrepareWrite(writes[i].offset, kPart, io_, nullptr);
      ASSERT_TRUE(async->Start(&writes[i]));
    }
    Random64 random(is_direct);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.Uniform(i)]);
    }
    uint64_t end = 0;
    for (const size_t i : order) {
      if (!async->Finish(&writes[i], Patience::kNone)) {
        EXPECT_FALSE(writes[i].is_finished);
        ASSERT_TRUE(async->Finish(&writes[i], Patience::kWait));
      }
      EXPECT_TRUE(writes[i].is_finished);
      EXPECT_TRUE(writes[i].status.ok()) << writes[i].status.ToString();
      EXPECT_EQ(writes[i].state, nullptr);
      end = std::max<uint64_t>(end, (i + 1) * kPart);
      EXPECT_EQ(SizeOf(file.get()), end);
    }
    ASSERT_TRUE(file->Truncate(bytes.size() - 7, io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    struct stat info;
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(static_cast<size_t>(info.st_size), bytes.size() - 7);
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
    EXPECT_TRUE(ReadAll(path) == bytes.substr(0, bytes.size() - 7));
  }
}

// A look alone must see what is finished, though nothing interrupts the thread.
TEST_F(PosixUringTest, LookingIsEnough) {
  const std::string bytes = RandomBytes(kRingPage * 16, 2);
  const AlignedBytes source = NewAligned(bytes);
  for (const bool is_direct : {false, true}) {
    auto file = NewFile(dir_.File("looking"), is_direct);
    if (file == nullptr) continue;
    AsyncWritableFile* const async = AsyncOf(file.get());
    for (int i = 0; i < 20; ++i) {
      AsyncWrite write;
      write.data = Slice(source.get(), bytes.size());
      ASSERT_TRUE(async->Start(&write));
      while (!async->Finish(&write, Patience::kNone)) {
      }
      EXPECT_TRUE(write.status.ok());
    }
  }
}

TEST_F(PosixUringTest, AFullDeviceIsNoSpaceAndNamesTheFile) {
  const std::string path = "/dev/full";
  FileOptions options;
  std::unique_ptr<FSWritableFile> file;
  if (!fs_.NewWritableFile(path, options, &file, nullptr).ok()) {
    GTEST_SKIP() << "no device that is always full";
  }
  AsyncWritableFile* const async = AsyncOf(file.get());
  const std::string bytes(kRingPage, 'x');
  AsyncWrite write;
  write.data = bytes;
  write.offset = 8192;
  ASSERT_TRUE(async->Start(&write));
  ASSERT_TRUE(async->Finish(&write, Patience::kWait));
  EXPECT_TRUE(write.status.IsNoSpace()) << write.status.ToString();
  EXPECT_NE(write.status.ToString().find(path), std::string::npos);
  // What failed does not count to the size.
  EXPECT_EQ(SizeOf(file.get()), 0u);
}

TEST_F(PosixUringTest, AFileThatMayNotBeWrittenIsAnError) {
  const std::string path = dir_.File("a");
  ASSERT_TRUE(WriteStringToFile(&fs_, "before", path).ok());
  FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(fd.is_open());
  PosixWritableFile file(path, std::move(fd), WritableFileStart(),
                         FileOptions());
  AsyncWrite write;
  write.data = "after!";
  ASSERT_TRUE(file.Start(&write));
  ASSERT_TRUE(file.Finish(&write, Patience::kWait));
  EXPECT_TRUE(write.status.IsIOError());
  EXPECT_NE(write.status.ToString().find(path), std::string::npos);
  EXPECT_EQ(ReadAll(path), "before");
}

TEST_F(PosixUringTest, AMisalignedDirectWriteIsRefusedByName) {
  const std::string path = dir_.File("a");
  auto file = NewFile(path, true);
  if (file == nullptr) GTEST_SKIP() << "direct I/O is refused";
  const AlignedBytes source = NewAligned(std::string(2 * kRingPage, 'x'));
  AsyncWrite write;
  write.data = Slice(source.get() + 1, kRingPage);
  ASSERT_TRUE(AsyncOf(file.get())->Start(&write));
  ASSERT_TRUE(AsyncOf(file.get())->Finish(&write, Patience::kWait));
  // Some file systems take it after all.
  if (!write.status.ok()) {
    EXPECT_TRUE(write.status.IsInvalidArgument()) << write.status.ToString();
    EXPECT_NE(write.status.ToString().find(path), std::string::npos);
  }
}

TEST_F(PosixUringTest, ReadsAndWritesShareTheRing) {
  const std::string old = RandomBytes(1 << 20, 3);
  const std::string path = dir_.File("in");
  ASSERT_TRUE(WriteStringToFile(&fs_, old, path).ok());
  std::unique_ptr<FSRandomAccessFile> reads;
  ASSERT_TRUE(
      fs_.NewRandomAccessFile(path, FileOptions(), &reads, nullptr).ok());
  auto file = NewFile(dir_.File("out"), false);
  AsyncWritableFile* const async = AsyncOf(file.get());
  constexpr size_t kPart = 4096;
  // More than the ring has room for at a time.
  constexpr size_t kCount = 300;
  std::vector<std::string> buffers(kCount, std::string(kPart, '\0'));
  std::vector<AsyncWrite> writes(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const uint64_t at = i * 3001 % (old.size() - kPart);
    FSReadRequest request;
    request.offset = at;
    request.len = kPart;
    request.scratch = buffers[i].data();
    void* handle = nullptr;
    IOHandleDeleter deleter;
    int calls = 0;
    ASSERT_TRUE(reads
                    ->ReadAsync(
                        request, io_,
                        [&calls](FSReadRequest& answer, void*) {
                          EXPECT_TRUE(answer.status.ok());
                          ++calls;
                        },
                        nullptr, &handle, &deleter, nullptr)
                    .ok());
    writes[i].data = Slice(old.data() + at, kPart);
    writes[i].offset = i * kPart;
    ASSERT_TRUE(async->Start(&writes[i]));
    std::vector<void*> polled = {handle};
    ASSERT_TRUE(fs_.Poll(polled, 1).ok());
    EXPECT_EQ(calls, 1);
    deleter(handle);
    ASSERT_TRUE(Slice(buffers[i]) == Slice(old.data() + at, kPart));
  }
  for (AsyncWrite& write : writes) {
    ASSERT_TRUE(async->Finish(&write, Patience::kWait));
    ASSERT_TRUE(write.status.ok());
  }
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  const std::string copy = ReadAll(dir_.File("out"));
  ASSERT_EQ(copy.size(), kCount * kPart);
  for (size_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(Slice(copy.data() + i * kPart, kPart) == Slice(buffers[i]));
  }
}

TEST_F(PosixUringTest, AnotherThreadMayWait) {
  auto file = NewFile(dir_.File("a"), false);
  AsyncWritableFile* const async = AsyncOf(file.get());
  const std::string bytes = RandomBytes(1 << 20, 4);
  AsyncWrite write;
  write.data = bytes;
  ASSERT_TRUE(async->Start(&write));
  std::thread waiter([&] { async->Finish(&write, Patience::kWait); });
  waiter.join();
  EXPECT_TRUE(write.status.ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_TRUE(ReadAll(dir_.File("a")) == bytes);
}

// The kernel would fail a read that waits for its page, say.
TEST_F(PosixUringTest, AThreadThatEndsLeavesNothingInTheMiddle) {
  const std::string bytes = RandomBytes(1 << 20, 5);
  const std::string path = dir_.File("a");
  ASSERT_TRUE(WriteStringToFile(&fs_, bytes, path).ok());
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  constexpr size_t kPart = 64 << 10;
  std::string buffer(bytes.size(), '\0');
  std::vector<UringTransfer> reads(bytes.size() / kPart);
  std::thread([&] {
    for (size_t i = 0; i < reads.size(); ++i) {
      reads[i].io.fd = fd;
      reads[i].io.offset = i * kPart;
      reads[i].io.length = kPart;
      reads[i].io.out = buffer.data() + i * kPart;
      PosixUring::OfThisThread()->Start(&reads[i]);
    }
  }).join();
  for (const UringTransfer& read : reads) {
    EXPECT_TRUE(read.is_finished);
    EXPECT_EQ(read.error, 0);
  }
  EXPECT_TRUE(buffer == bytes);
  close(fd);
}

// Static objects of the main thread may still read, too.
TEST_F(PosixUringTest, AThreadThatIsEndingHasNoRing) {
  struct AtEnd {
    ~AtEnd() { EXPECT_EQ(PosixUring::OfThisThread(), nullptr); }
    void Touch() const {}
  };
  std::thread([] {
    static thread_local const AtEnd at_end;
    at_end.Touch();  // it is made before the ring, and so ends after it
    EXPECT_NE(PosixUring::OfThisThread(), nullptr);
  }).join();
}

// A child has a copy of the ring, and what is under way there is its parent's.
TEST_F(PosixUringTest, AForkedChildWaitsForNothingOfItsParents) {
  struct ChildEnd {
    const pid_t process = getpid();
    ~ChildEnd() {
      if (getpid() != process) _exit(0);
    }
    void Touch() const {}
  };
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  std::thread([&] {
    static thread_local const ChildEnd child_end{};
    child_end.Touch();  // it is made before the ring, and so ends after it
    const std::shared_ptr<PosixUring> ring = PosixUring::OfThisThread();
    ASSERT_NE(ring, nullptr);
    char byte = 0;
    UringTransfer read;
    read.io.fd = ends[0];
    read.io.length = 1;
    read.io.out = &byte;
    ring->Start(&read);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);  // ends one that waits
      return;
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(write(ends[1], "x", 1), 1);
    ring->WaitFor(&read);
    EXPECT_EQ(read.error, 0);
    EXPECT_EQ(byte, 'x');
  }).join();
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
