// A growing file is written back once per byte, in steps, within the governor's
// cap; failures stick, and its pages leave the page cache if asked.
#include "file/early_write_back.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/posix/page_cache.h"
#include "env/write_back_file.h"
#include "file/io_governor.h"
#include "file/writable_file_writer.h"
#include "tests/file/fake_files.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/page_cache.h"
#include "tests/testing/temp_dir.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kKiB = 1 << 10;
constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kCapBytes = 256 * kKiB;
// So far ahead that no wait ends by itself.
constexpr uint64_t kWriteBackFarMicros = 4'000'000'000'000'000;

struct FileRange {
  uint64_t begin;
  uint64_t end;
};

// What was asked of the device, by several threads.
struct DeviceLog {
  void Begin(uint64_t offset, uint64_t n) {
    MutexLock lock(&mutex);
    ranges.push_back({offset, offset + n});
    in_flight += n;
    most_in_flight = std::max(most_in_flight, in_flight);
  }
  bool End(uint64_t offset, uint64_t n) {
    for (int i = 0; takes_time && i < 100; ++i) std::this_thread::yield();
    MutexLock lock(&mutex);
    in_flight -= n;
    finished.push_back({offset, offset + n});
    return static_cast<int>(++done_count) != fail_at;
  }
  std::vector<FileRange> Begun() const {
    MutexLock lock(&mutex);
    return Sorted(ranges);
  }
  std::vector<FileRange> Finished() const {
    MutexLock lock(&mutex);
    return Sorted(finished);
  }
  static std::vector<FileRange> Sorted(std::vector<FileRange> result) {
    std::sort(result.begin(), result.end(),
              [](const FileRange& a, const FileRange& b) {
                return a.begin < b.begin;
              });
    return result;
  }
  void Forget() {
    MutexLock lock(&mutex);
    ranges.clear();
    finished.clear();
    most_in_flight = 0;
    done_count = 0;
  }

  mutable Mutex mutex;
  std::vector<FileRange> ranges GUARDED_BY(mutex);
  std::vector<FileRange> finished GUARDED_BY(mutex);
  uint64_t in_flight GUARDED_BY(mutex) = 0;
  uint64_t most_in_flight GUARDED_BY(mutex) = 0;
  uint64_t done_count GUARDED_BY(mutex) = 0;
  // The request with this number (from 1) fails; 0: none.
  int fail_at = 0;
  bool takes_time = false;
  bool tells = true;
};

class FakeWriteBackFile : public FakeWritableFile, public WriteBackFile {
 public:
  FakeWriteBackFile(WriteLog* log, DeviceLog* device)
      : FakeWritableFile(log), device_(device) {}

  IOStatus StartWriteBack(uint64_t offset, uint64_t n) override {
    device_->Begin(offset, n);
    std::this_thread::yield();
    return IOStatus::OK();
  }
  bool TellsWriteBack() const override { return device_->tells; }
  bool IsWrittenBack(uint64_t offset, uint64_t) override {
    EXPECT_TRUE(device_->tells);
    return offset % 3 == 0;  // Some parts are written at once.
  }
  IOStatus FinishWriteBack(uint64_t offset, uint64_t n) override {
    return device_->End(offset, n) ? IOStatus::OK()
                                   : IOStatus::IOError("told to fail");
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    // Only bytes that the device has may leave the page cache.
    for (const FileRange& range : device_->Finished()) {
      covered_ =
          range.begin <= covered_ ? std::max(covered_, range.end) : covered_;
    }
    EXPECT_LE(offset + length, covered_);
    return FakeWritableFile::InvalidateCache(offset, length);
  }

 private:
  DeviceLog* const device_;
  size_t covered_ = 0;
};

// The parameter says whether files can tell that write-back is over, or only
// wait for it.
class GovernedWriteBackTest : public testing::TestWithParam<bool> {
 protected:
  GovernedWriteBackTest() {
    governor_.Join(limits_);
    context_.governor = &governor_;
    context_.overlaps_writes = true;
    context_.io_class = IoClass::kDeep;
    device_.tells = GetParam();
  }
  ~GovernedWriteBackTest() override {
    EXPECT_EQ(IoLane::OfThisThread()->in_flight(), 0u);
    for (const auto& own : governor_.Stats().classes) {
      EXPECT_EQ(own.bytes_in_flight, 0u);
    }
    governor_.Leave(limits_);
  }

  std::unique_ptr<WritableFileWriter> NewWriter() {
    return std::make_unique<WritableFileWriter>(
        std::make_unique<FakeWriteBackFile>(&log_, &device_), "some.file",
        options_, context_);
  }
  // Helpers may begin two requests in any order: while writing goes on, one
  // before the last can be missing.
  uint64_t EndOfRequestsSoFar() const {
    const std::vector<FileRange> ranges = device_.Begun();
    return ranges.empty() ? 0 : ranges.back().end;
  }
  // The requests are one behind the other from 0; where do they end? To be
  // asked when none is under way.
  uint64_t EndOfRequests() const {
    uint64_t end = 0;
    for (const FileRange& range : device_.Begun()) {
      EXPECT_EQ(range.begin, end);
      EXPECT_LE(range.end - range.begin, kCapBytes / 2);
      end = range.end;
    }
    return end;
  }
  uint64_t MostInFlight() const {
    MutexLock lock(&device_.mutex);
    return device_.most_in_flight;
  }

  const IoLimits limits_{.max_bytes_in_flight = kCapBytes};
  // It stands still: a helper that is stopped for long is not passed, which
  // would lead beyond the cap.
  MockClock clock_{kWriteBackFarMicros};
  IoGovernor governor_{&clock_};
  WriteLog log_;
  DeviceLog device_;
  FileOptions options_;
  FileIoContext context_;
};

INSTANTIATE_TEST_SUITE_P(Tells, GovernedWriteBackTest, testing::Bool());

TEST_P(GovernedWriteBackTest, EveryByteGoesOutOnceWithinTheCap) {
  for (const uint64_t size :
       {uint64_t{1}, 4096 * uint64_t{3}, kMiB + 5, 9 * kMiB - 1, 9 * kMiB}) {
    device_.Forget();
    auto writer = NewWriter();
    const std::string piece(5000, 'x');
    for (uint64_t done = 0; done < size; done += piece.size()) {
      ASSERT_TRUE(
          writer
              ->Append(Slice(piece.data(), std::min(piece.size(), size - done)))
              .ok());
    }
    const uint64_t early = EndOfRequestsSoFar();
    EXPECT_LE(early + kMiB, std::max(size, kMiB));
    // One step and one buffer may be under way.
    EXPECT_GE(early + kMiB + 512 * kKiB, size);
    ASSERT_TRUE(writer->Flush().ok());
    EXPECT_EQ(EndOfRequests(), size);
    EXPECT_LE(MostInFlight(), kCapBytes);
    const size_t requests = device_.Begun().size();
    ASSERT_TRUE(writer->Sync(false).ok());
    ASSERT_TRUE(writer->Close().ok());
    EXPECT_EQ(device_.Begun().size(), requests) << "nothing was new";
  }
  const IoGovernorStats stats = governor_.Stats();
  EXPECT_GT(stats.classes[static_cast<size_t>(IoClass::kDeep)].bytes,
            18 * kMiB);
}

TEST_P(GovernedWriteBackTest, APageThatGrowsGoesOutAgain) {
  auto writer = NewWriter();
  ASSERT_TRUE(writer->Append(std::string(6000, 'x')).ok());
  ASSERT_TRUE(writer->Flush().ok());
  ASSERT_TRUE(writer->Append(std::string(6000, 'y')).ok());
  ASSERT_TRUE(writer->Flush().ok());
  const std::vector<FileRange> ranges = device_.Begun();
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].end, 6000u);
  EXPECT_EQ(ranges[1].begin, 4096u);
  EXPECT_EQ(ranges[1].end, 12000u);
}

TEST_P(GovernedWriteBackTest, StepsAreThoseOfTheOption) {
  options_.bytes_per_sync = 2 * kMiB;
  auto writer = NewWriter();
  ASSERT_TRUE(writer->Append(std::string(2 * kMiB + 512 * kKiB, 'x')).ok());
  EXPECT_EQ(EndOfRequestsSoFar(), 0u);
  ASSERT_TRUE(writer->Append(std::string(kMiB, 'x')).ok());
  EXPECT_GE(EndOfRequestsSoFar(), 2 * kMiB);
  ASSERT_TRUE(writer->Close().ok());
}

TEST_P(GovernedWriteBackTest, AStepThatIsNeverFullIsNeverStarted) {
  options_.bytes_per_sync = UINT64_MAX;
  auto writer = NewWriter();
  ASSERT_TRUE(writer->Append(std::string(2 * kMiB, 'x')).ok());
  ASSERT_TRUE(writer->Flush().ok());
  EXPECT_EQ(EndOfRequestsSoFar(), 2 * kMiB);
  ASSERT_TRUE(writer->Append(std::string(4 * kMiB, 'x')).ok());
  EXPECT_EQ(EndOfRequestsSoFar(), 2 * kMiB);
  ASSERT_TRUE(writer->Close().ok());
}

TEST_P(GovernedWriteBackTest, PagesLeaveOnceTheDeviceHasThem) {
  context_.drops_written = true;
  auto writer = NewWriter();
  for (int i = 0; i < 64; ++i) {
    ASSERT_TRUE(writer->Append(std::string(kMiB / 8, 'x')).ok());
  }
  ASSERT_TRUE(writer->Flush().ok());
  uint64_t dropped = 0;
  for (const std::string& call : log_.calls) {
    if (call.rfind("drop ", 0) != 0) continue;
    EXPECT_EQ(std::stoull(call.substr(5)), dropped) << "each page once";
    dropped += std::stoull(call.substr(call.find('+') + 1));
  }
  EXPECT_EQ(dropped, 8 * kMiB);
  ASSERT_TRUE(writer->Close().ok());
}

TEST_P(GovernedWriteBackTest, AFailureSticksAndNamesTheFile) {
  for (int fail_at = 1; fail_at <= 24; ++fail_at) {
    device_.fail_at = fail_at;
    device_.Forget();
    log_.calls.clear();
    auto writer = NewWriter();
    IOStatus s;
    for (int i = 0; s.ok() && i < 12; ++i) {
      s = writer->Append(std::string(kMiB / 4, 'x'));
    }
    if (s.ok()) s = writer->Flush();
    ASSERT_TRUE(s.IsIOError()) << fail_at;
    EXPECT_NE(s.ToString().find("some.file"), std::string::npos);
    EXPECT_TRUE(writer->seen_error());
    EXPECT_TRUE(writer->Sync(false).IsIOError());
    EXPECT_FALSE(writer->Close().ok());
    EXPECT_EQ(log_.Count("sync"), 0u);
    EXPECT_EQ(log_.Count("close"), 1u);
  }
}

TEST_P(GovernedWriteBackTest, GoneInTheMiddle) {
  for (int mebibytes = 1; mebibytes < 6; ++mebibytes) {
    auto writer = NewWriter();
    const std::string bytes(static_cast<size_t>(mebibytes) * kMiB, 'x');
    ASSERT_TRUE(writer->Append(bytes).ok());
    writer.reset();
    MutexLock lock(&device_.mutex);
    EXPECT_EQ(device_.in_flight, 0u);
  }
}

TEST_P(GovernedWriteBackTest, StrictStepsAreOneAfterTheOther) {
  IoGovernor generous;
  const IoLimits limits{.max_bytes_in_flight = 4 * kMiB};
  generous.Join(limits);
  context_.governor = &generous;
  options_.bytes_per_sync = 256 * kKiB;
  device_.takes_time = true;
  for (const bool is_strict : {false, true}) {
    device_.Forget();
    options_.strict_bytes_per_sync = is_strict;
    auto writer = NewWriter();
    for (int i = 0; i < 128; ++i) {
      ASSERT_TRUE(writer->Append(std::string(64 * kKiB, 'x')).ok());
    }
    // A step is begun when a buffer, of 256 KiB too, is written.
    if (is_strict) {
      EXPECT_LE(MostInFlight(), 512 * kKiB);
    }
    ASSERT_TRUE(writer->Close().ok());
  }
  generous.Leave(limits);
}

TEST_P(GovernedWriteBackTest, OtherFilesGoWithoutUnlessTheyAreAskedFor) {
  WritableFileWriter writer(std::make_unique<FakeWritableFile>(&log_),
                            "some.file", options_, context_);
  ASSERT_TRUE(writer.Append(std::string(4 * kMiB, 'x')).ok());
  ASSERT_TRUE(writer.Sync(false).ok());
  for (const std::string& call : log_.calls) {
    EXPECT_NE(call.rfind("range ", 0), 0u) << call;
  }
}

TEST_P(GovernedWriteBackTest, OfOtherFilesWriteBackIsStartedWithinTheCap) {
  options_.bytes_per_sync = 256 * kKiB;
  WritableFileWriter writer(std::make_unique<FakeWritableFile>(&log_),
                            "some.file", options_, context_);
  ASSERT_TRUE(writer.Append(std::string(4 * kMiB, 'x')).ok());
  ASSERT_TRUE(writer.Flush().ok());
  uint64_t end = 0;
  for (const std::string& call : log_.calls) {
    if (call.rfind("range ", 0) != 0) continue;
    EXPECT_EQ(std::stoull(call.substr(6)), end);
    const uint64_t bytes = std::stoull(call.substr(call.find('+') + 1));
    EXPECT_LE(bytes, kCapBytes / 2);
    end += bytes;
  }
  EXPECT_EQ(end, 4 * kMiB);
}

TEST_P(GovernedWriteBackTest, ARealFileIsWithTheDeviceBeforeItsSync) {
  if (!HasCacheStat()) GTEST_SKIP() << "cachestat(2) is not there";
  const TempDir dir;
  const std::string path = dir.File("out.sst");
  FileSystem* const fs = FileSystem::Default().get();
  for (const bool drops_written : {false, true}) {
    context_.drops_written = drops_written;
    std::unique_ptr<WritableFileWriter> writer;
    ASSERT_TRUE(
        WritableFileWriter::Create(fs, path, options_, &writer, context_).ok());
    std::string bytes;
    for (int i = 0; i < 5000; ++i) bytes += "line " + std::to_string(i * i);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(writer->Append(bytes).ok());
    ASSERT_TRUE(writer->Flush().ok());
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    PageCounts counts;
    EXPECT_TRUE(CountPages(fd, 0, 0, &counts));
    close(fd);
    EXPECT_EQ(counts.dirty + counts.in_writeback, 0u);
    const uint64_t pages = writer->GetFileSize() / 4096;
    if (!drops_written) {
      EXPECT_GE(counts.cached, pages);
    }
    ASSERT_TRUE(writer->Sync(false).ok());
    ASSERT_TRUE(writer->Close().ok());
    std::string found;
    ASSERT_TRUE(ReadFileToString(fs, path, &found).ok());
    ASSERT_EQ(found.size(), bytes.size() * 60);
    for (int i = 0; i < 60; ++i) {
      ASSERT_EQ(found.compare(static_cast<size_t>(i) * bytes.size(),
                              bytes.size(), bytes),
                0);
    }
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
