// A read that goes on while its thread does something else is told to
// listeners, counters and the governor as an ordinary one is, and its failures
// are told.
#include "file/async_file_read.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "file/io_governor.h"
#include "file/io_helpers.h"
#include "monitoring/statistics_impl.h"
#include "tests/file/fake_files.h"
#include "tests/file/polled_files.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kBytes = 500;

class ReadListener : public EventListener {
 public:
  void OnFileReadFinish(const FileOperationInfo& info) override {
    reads.push_back(info);
  }
  void OnIOError(const IOErrorInfo& info) override { errors.push_back(info); }
  bool ShouldBeNotifiedOnFileIO() override { return true; }

  std::vector<FileOperationInfo> reads;
  std::vector<IOErrorInfo> errors;
};

// What it reads is not there at once.
class DeviceFileSystem : public PollingFileSystem {
 public:
  IOStatus Poll(std::vector<void*>& handles, size_t least) override {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (std::chrono::steady_clock::now() < end) {
    }
    return PollingFileSystem::Poll(handles, least);
  }
};

class NoAsyncReads : public FileSystemWrapper {
 public:
  NoAsyncReads() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "NoAsyncReads"; }
  void SupportedOps(int64_t& ops) override { ops = 0; }
};

class AsyncFileReadTest : public testing::Test {
 protected:
  AsyncFileReadTest() {
    log_.content = PatternBytes(200 * kBytes);
    FileIoContext context;
    context.statistics = &statistics_;
    context.histogram = SST_READ_MICROS;
    context.listeners = {listener_};
    context.governor = &governor_;
    file_ = std::make_unique<RandomAccessFileReader>(
        std::make_unique<PolledFile>(&log_), "a.sst", context);
  }
  bool Start(AsyncFileRead* read, uint64_t offset) {
    IOOptions options;
    options.io_activity = Env::IOActivity::kGet;
    return read->Start({file_.get(), &fs_, &statistics_}, options, offset,
                       kBytes, buffer_.data());
  }
  uint64_t Count(Histograms histogram) const {
    HistogramData data;
    statistics_.histogramData(histogram, &data);
    return data.count;
  }

  MockClock clock_;
  IoGovernor governor_{&clock_};
  StatisticsImpl statistics_;
  const std::shared_ptr<ReadListener> listener_ =
      std::make_shared<ReadListener>();
  ReadLog log_;
  DeviceFileSystem fs_;
  NoAsyncReads plain_;
  std::string buffer_ = std::string(kBytes, '\0');
  std::unique_ptr<RandomAccessFileReader> file_;
};

TEST_F(AsyncFileReadTest, IsToldAsAnOrdinaryReadIs) {
  for (uint64_t i = 0; i < 3; ++i) {
    AsyncFileRead read;
    ASSERT_TRUE(Start(&read, i * kBytes));
    EXPECT_EQ(listener_->reads.size(), i) << "it is under way";
    Slice result;
    ASSERT_TRUE(read.Wait(&result).ok());
    EXPECT_TRUE(result == Slice(log_.content.data() + i * kBytes, kBytes));
    ASSERT_EQ(listener_->reads.size(), i + 1);
    const FileOperationInfo& info = listener_->reads.back();
    EXPECT_EQ(info.type, FileOperationType::kRead);
    EXPECT_EQ(info.path, "a.sst");
    EXPECT_EQ(info.offset, i * kBytes);
    EXPECT_EQ(info.length, kBytes);
    EXPECT_TRUE(info.status.ok());
  }
  EXPECT_TRUE(listener_->errors.empty());
  EXPECT_EQ(Count(SST_READ_MICROS), 3u);
  EXPECT_EQ(Count(FILE_READ_GET_MICROS), 3u);
}

// Where the file system has no such reads, others make them.
TEST_F(AsyncFileReadTest, HelpersReadWhereTheFileSystemCannot) {
  FileIoContext context = file_->context();
  EXPECT_FALSE(AsyncFileRead::IsLate(*file_, &plain_));
  context.helpers = std::make_shared<IoHelpers>(2);
  file_ = std::make_unique<RandomAccessFileReader>(
      std::make_unique<PolledFile>(&log_), "a.sst", context);
  EXPECT_TRUE(AsyncFileRead::IsLate(*file_, &plain_));
  for (uint64_t i = 0; i < 50; ++i) {
    AsyncFileRead read;
    IOOptions options;
    ASSERT_TRUE(read.Start({file_.get(), &plain_, &statistics_}, options,
                           i * kBytes, kBytes, buffer_.data()));
    if (i % 5 == 4) {
      read.Abort();
      continue;
    }
    Slice result;
    ASSERT_TRUE(read.Wait(&result).ok());
    EXPECT_TRUE(result == Slice(log_.content.data() + i * kBytes, kBytes));
  }
  EXPECT_EQ(listener_->reads.size(), 40u);
  EXPECT_EQ(Count(SST_READ_MICROS), 40u);
  log_.fail_at = static_cast<int>(log_.Calls().size());
  log_.fail_count = 1;
  AsyncFileRead read;
  ASSERT_TRUE(read.Start({file_.get(), &plain_, &statistics_}, IOOptions(), 0,
                         kBytes, buffer_.data()));
  Slice result;
  EXPECT_TRUE(read.Wait(&result).IsIOError());
  EXPECT_EQ(listener_->errors.size(), 1u);
}

TEST_F(AsyncFileReadTest, FailuresAreTold) {
  log_.fail_at = 0;
  log_.fail_count = 1;
  for (size_t failures = 1; failures <= 2; ++failures) {
    AsyncFileRead read;
    ASSERT_TRUE(Start(&read, kBytes));
    Slice result;
    EXPECT_TRUE(read.Wait(&result).IsIOError());
    ASSERT_EQ(listener_->errors.size(), failures);
    const IOErrorInfo& error = listener_->errors.back();
    EXPECT_EQ(error.operation, FileOperationType::kRead);
    EXPECT_EQ(error.file_path, "a.sst");
    EXPECT_EQ(error.offset, kBytes);
    EXPECT_EQ(error.length, kBytes);
    ASSERT_EQ(listener_->reads.size(), failures);
    EXPECT_TRUE(listener_->reads.back().status.IsIOError());
    fs_.fails = true;  // The second time it is the poll.
  }
}

// One whose time of day is set back again and again.
class FallingClock : public MockClock {
 public:
  uint64_t NowMicros() override {
    return MockClock::NowMicros() - 1000 * ++call_count_;
  }

 private:
  std::atomic<uint64_t> call_count_{0};
};

TEST_F(AsyncFileReadTest, AClockThatIsSetBackIsNoLongTime) {
  FallingClock clock;
  FileIoContext context = file_->context();
  context.clock = &clock;
  file_ = std::make_unique<RandomAccessFileReader>(
      std::make_unique<PolledFile>(&log_), "a.sst", context);
  AsyncFileRead read;
  ASSERT_TRUE(Start(&read, 0));
  Slice result;
  ASSERT_TRUE(read.Wait(&result).ok());
  EXPECT_EQ(statistics_.getTickerCount(READ_ASYNC_MICROS), 0u);
}

TEST_F(AsyncFileReadTest, TheGovernorHearsThatUsersRead) {
  ASSERT_FALSE(governor_.users_read());
  // Some of them are timed.
  for (uint64_t i = 0; i < 200; ++i) {
    AsyncFileRead read;
    ASSERT_TRUE(Start(&read, i * kBytes));
    Slice result;
    ASSERT_TRUE(read.Wait(&result).ok());
  }
  EXPECT_TRUE(governor_.users_read());
}

TEST_F(AsyncFileReadTest, NobodyHearsOfAnAbortedRead) {
  for (uint64_t i = 0; i < 200; ++i) {
    AsyncFileRead read;
    ASSERT_TRUE(Start(&read, i * kBytes));
    read.Abort();
    EXPECT_FALSE(read.is_in_flight());
  }
  EXPECT_TRUE(listener_->reads.empty());
  EXPECT_EQ(Count(SST_READ_MICROS), 0u);
  EXPECT_FALSE(governor_.users_read());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
