// Direct writes of any sizes make exactly the bytes that other writers make,
// and any failure sticks and names the file.
#include "file/output_stream.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "file/buffer_pool.h"
#include "file/io_governor.h"
#include "file/writable_file_writer.h"
#include "tests/file/fake_device.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

enum class Kind { kOwnCalls, kRefusedCalls, kHelpers, kPosix };

constexpr size_t kUnit = 4096;

// Writers over each kind of file, their bytes compared with what was appended.
class OverlappedWriteTest : public testing::TestWithParam<Kind> {
 protected:
  OverlappedWriteTest() {
    log_.is_direct = true;
    governor_.Join(limits_);
    context_.governor = &governor_;
    context_.overlaps_writes = true;
    options_.use_direct_writes = true;
    options_.fallocate_with_keep_size = false;
  }
  ~OverlappedWriteTest() override {
    EXPECT_EQ(IoLane::OfThisThread()->in_flight(), 0u);
    EXPECT_EQ(device_.writes_in_flight, 0);
    for (const auto& own : governor_.Stats().classes) {
      EXPECT_EQ(own.bytes_in_flight, 0u);
    }
    governor_.Leave(limits_);
  }

  // Null where the file system refuses direct writes.
  std::unique_ptr<FSWritableFile> NewFile() {
    switch (GetParam()) {
      case Kind::kOwnCalls:
        return std::make_unique<DeviceWritableFile>(&log_, &device_);
      case Kind::kRefusedCalls: {
        auto file = std::make_unique<DeviceWritableFile>(&log_, &device_);
        file->refuses = true;
        return file;
      }
      case Kind::kHelpers:
        return std::make_unique<FakeWritableFile>(&log_);
      case Kind::kPosix:
        break;
    }
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s =
        FileSystem::Default()->NewWritableFile(path_, options_, &file, nullptr);
    if (!s.ok()) return nullptr;
    return file;
  }
  std::unique_ptr<WritableFileWriter> NewWriter() {
    std::unique_ptr<FSWritableFile> file = NewFile();
    if (file == nullptr) return nullptr;
    file->SetPreallocationBlockSize(1 << 20);
    return std::make_unique<WritableFileWriter>(std::move(file), path_,
                                                options_, context_);
  }
  std::string Content() const {
    if (GetParam() != Kind::kPosix) return log_.content;
    std::string bytes;
    EXPECT_TRUE(
        ReadFileToString(FileSystem::Default().get(), path_, &bytes).ok());
    return bytes;
  }
  void Reset() {
    log_.content.clear();
    log_.calls.clear();
    log_.fail_at = -1;
  }

  const TempDir dir_;
  const std::string path_ = dir_.File("out.sst");
  const IoLimits limits_{.max_bytes_in_flight = 256 << 10};
  IoGovernor governor_;
  FakeDevice device_;
  WriteLog log_;
  FileOptions options_;
  FileIoContext context_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, OverlappedWriteTest,
                         testing::Values(Kind::kOwnCalls, Kind::kRefusedCalls,
                                         Kind::kHelpers, Kind::kPosix));

TEST_P(OverlappedWriteTest, EverySizeIsExact) {
  const std::string bytes = PatternBytes(1200000);
  for (const size_t base : {size_t{0}, kUnit, size_t{65536}, size_t{131072},
                            size_t{262144}, size_t{524288}, size_t{1048576}}) {
    for (const int off : {-4097, -1, 0, 1, 4096}) {
      if (off < 0 && base < static_cast<size_t>(-off)) continue;
      const size_t size = base + static_cast<size_t>(off);
      Reset();
      auto writer = NewWriter();
      if (writer == nullptr) GTEST_SKIP() << "direct I/O is refused";
      for (size_t at = 0; at < size;) {
        const size_t n = std::min<size_t>(size - at, 777 + at % 50000);
        ASSERT_TRUE(writer->Append(Slice(bytes.data() + at, n)).ok());
        at += n;
      }
      // The length is exact once synced, whatever is reserved.
      ASSERT_TRUE(writer->Sync(false).ok());
      ASSERT_TRUE(Content() == bytes.substr(0, size)) << size;
      ASSERT_TRUE(writer->Close().ok());
      ASSERT_TRUE(Content() == bytes.substr(0, size)) << size;
    }
  }
}

TEST_P(OverlappedWriteTest, BuffersAreOfThePoolUntilItIsClosed) {
  const BufferPool* const pool = BufferPool::Default();
  const size_t before = pool->LeasedBytes();
  auto writer = NewWriter();
  if (writer == nullptr) GTEST_SKIP() << "direct I/O is refused";
  const std::string bytes = PatternBytes(700000);
  for (size_t at = 0; at < bytes.size(); at += 10000) {
    ASSERT_TRUE(writer->Append(Slice(bytes.data() + at, 10000)).ok());
  }
  EXPECT_GE(pool->LeasedBytes(), before + 2 * BufferPool::kChunkBytes);
  ASSERT_TRUE(writer->Close().ok());
  writer.reset();
  EXPECT_EQ(pool->LeasedBytes(), before);
  EXPECT_TRUE(Content() == bytes);
}

TEST_P(OverlappedWriteTest, FlushAndSyncAnywhere) {
  const std::string bytes = PatternBytes(3 << 20);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Random64 random(seed);
    Reset();
    auto writer = NewWriter();
    if (writer == nullptr) GTEST_SKIP() << "direct I/O is refused";
    size_t at = 0;
    while (at < bytes.size()) {
      const size_t n = std::min<size_t>(
          bytes.size() - at, random.Uniform(uint64_t{1} << random.Uniform(20)));
      ASSERT_TRUE(writer->Append(Slice(bytes.data() + at, n)).ok());
      at += n;
      device_.Work(random.Uniform(5000));
      const uint64_t what = random.Uniform(12);
      if (what == 0) {
        ASSERT_TRUE(writer->Flush().ok());
        ASSERT_EQ(writer->GetFlushedSize(), at);
        const std::string content = Content();
        ASSERT_GE(content.size(), at);
        ASSERT_TRUE(Slice(content.data(), at) == Slice(bytes.data(), at));
      } else if (what == 1) {
        ASSERT_TRUE(writer->Sync(true).ok());
        ASSERT_TRUE(Content() == bytes.substr(0, at));
      }
      ASSERT_EQ(writer->GetFileSize(), at);
    }
    ASSERT_TRUE(writer->Close().ok());
    ASSERT_TRUE(Content() == bytes);
  }
}

TEST_P(OverlappedWriteTest, TheSameBytesAsOtherWriters) {
  const std::string bytes = PatternBytes((2 << 20) + 12345);
  const auto write = [&](bool overlaps, bool is_direct) {
    Reset();
    context_.overlaps_writes = overlaps;
    log_.is_direct = is_direct;
    options_.use_direct_writes = is_direct;
    auto writer = NewWriter();
    if (writer == nullptr) return std::string();
    for (size_t at = 0; at < bytes.size(); at += 10000) {
      EXPECT_TRUE(
          writer
              ->Append(Slice(bytes.data() + at,
                             std::min<size_t>(10000, bytes.size() - at)))
              .ok());
    }
    EXPECT_TRUE(writer->Sync(false).ok());
    EXPECT_TRUE(writer->Close().ok());
    return Content();
  };
  const std::string overlapped = write(true, true);
  if (overlapped.empty()) GTEST_SKIP() << "direct I/O is refused";
  EXPECT_TRUE(overlapped == bytes);
  EXPECT_TRUE(write(false, true) == bytes);
  EXPECT_TRUE(write(true, false) == bytes);
}

TEST_P(OverlappedWriteTest, AnyFailureSticksAndNamesTheFile) {
  if (GetParam() == Kind::kPosix) GTEST_SKIP() << "a real file does not fail";
  const std::string bytes = PatternBytes(2000000);
  int failures = 0;
  for (int k = 0;; ++k) {
    Reset();
    log_.fail_at = k;
    log_.error = k % 2 == 0 ? IOStatus::NoSpace("fake", "told to fail")
                            : IOStatus::IOError("fake", "told to fail");
    auto writer = NewWriter();
    IOStatus s;
    size_t at = 0;
    for (; at < bytes.size() && s.ok(); at += 10000) {
      s = writer->Append(Slice(bytes.data() + at, 10000));
    }
    if (s.ok()) s = writer->Sync(false);
    if (s.ok()) s = writer->Close();
    if (static_cast<int>(log_.calls.size()) <= k) {
      ASSERT_TRUE(s.ok());
      break;
    }
    ASSERT_FALSE(s.ok()) << k;
    ++failures;
    EXPECT_EQ(s.IsNoSpace(), k % 2 == 0) << s.ToString();
    EXPECT_NE(s.ToString().find(path_), std::string::npos) << s.ToString();
    EXPECT_TRUE(writer->seen_error());
    const size_t syncs = log_.Count("sync");
    if (log_.Count("close") == 0) {
      EXPECT_FALSE(writer->Append("more").ok());
      EXPECT_FALSE(writer->Flush().ok());
      EXPECT_FALSE(writer->Sync(false).ok());
      EXPECT_FALSE(writer->Sync(true).ok());
      EXPECT_FALSE(writer->Close().ok());
    }
    // Nothing is promised after a failure.
    EXPECT_EQ(log_.Count("sync"), syncs);
    EXPECT_EQ(log_.Count("fsync"), 0u);
    EXPECT_EQ(log_.Count("close"), 1u);
  }
  EXPECT_GT(failures, 8);
}

TEST_P(OverlappedWriteTest, GoneInTheMiddle) {
  const std::string bytes = PatternBytes(1500000);
  for (const size_t size : {1u, 262144u, 600000u, 1500000u}) {
    Reset();
    auto writer = NewWriter();
    if (writer == nullptr) GTEST_SKIP() << "direct I/O is refused";
    ASSERT_TRUE(writer->Append(Slice(bytes.data(), size)).ok());
    writer.reset();
    EXPECT_TRUE(Content() == bytes.substr(0, size));
  }
}

TEST_P(OverlappedWriteTest, TheStreamAloneReportsWhatItTakesIn) {
  if (GetParam() == Kind::kPosix) GTEST_SKIP() << "a real file does not fail";
  log_.fail_at = 1;
  std::unique_ptr<FSWritableFile> file = NewFile();
  AlignedBuffer buffer;
  buffer.Reserve(kUnit, 16 * kUnit);
  {
    OutputStream stream(file.get(), path_, context_);
    IOStatus s;
    for (uint64_t i = 0; i < 5; ++i) {
      s = stream.Write(&buffer, 16 * kUnit, i * 16 * kUnit);
      EXPECT_EQ(buffer.capacity(), 16 * kUnit);
    }
    EXPECT_TRUE(s.IsIOError()) << s.ToString();
    EXPECT_EQ(stream.Drain(), s);
    EXPECT_NE(s.ToString().find(std::to_string(16 * kUnit)), std::string::npos);
    EXPECT_FALSE(stream.Write(&buffer, kUnit, 0).ok());
  }
  const size_t count = log_.calls.size();
  EXPECT_GE(count, 2u);
  EXPECT_LE(count, 4u);
}

// A virtual device: the time a job takes is known exactly.
class WriteOverlapTest : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(ComputePerDevice, WriteOverlapTest,
                         testing::Values(0.25, 0.5, 1.0, 2.0, 4.0));

TEST_P(WriteOverlapTest, TakesTheLongerOfComputingAndWriting) {
  FakeDevice device;
  device.nanos_per_byte = 1;
  device.latency = 20'000;
  WriteLog log;
  log.is_direct = true;
  FileIoContext context;
  context.overlaps_writes = true;
  const std::string block = PatternBytes(4096);
  const auto per_block = static_cast<uint64_t>(GetParam() * 4096);
  uint64_t computed = 0;
  WritableFileWriter writer(std::make_unique<DeviceWritableFile>(&log, &device),
                            "out.sst", FileOptions(), context);
  for (int i = 0; i < 8192; ++i) {
    device.Work(per_block);
    computed += per_block;
    ASSERT_TRUE(writer.Append(block).ok());
  }
  ASSERT_TRUE(writer.Sync(false).ok());
  const uint64_t longer = std::max(computed, device.busy);
  EXPECT_LE(device.now, longer + longer / 10);
  EXPECT_EQ(device.most_writes_in_flight, 2);
  ASSERT_TRUE(writer.Close().ok());
  EXPECT_EQ(log.content.size(), 8192u * 4096);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
