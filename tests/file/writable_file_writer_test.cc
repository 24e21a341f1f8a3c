// The file has exactly the bytes that were appended, buffered or direct; a
// failure sticks, and a failed sync is never tried again.
#include "file/writable_file_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/file/fake_files.h"
#include "util/crc32c.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::unique_ptr<WritableFileWriter> NewWriter(
    WriteLog* log, const FileOptions& options = FileOptions(),
    FileIoContext context = {}) {
  return std::make_unique<WritableFileWriter>(
      std::make_unique<FakeWritableFile>(log), "some.file", options,
      std::move(context));
}

TEST(WritableFileWriterTest, OneFlushIsOneWrite) {
  WriteLog log;
  auto writer = NewWriter(&log);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(writer->Append(std::string(140, 'a')).ok());
  }
  EXPECT_EQ(log.calls.size(), 0u);
  EXPECT_EQ(writer->GetFileSize(), 14000u);
  EXPECT_EQ(writer->GetFlushedSize(), 0u);
  ASSERT_TRUE(writer->Flush().ok());
  EXPECT_EQ(log.Count("append"), 1u);
  EXPECT_EQ(writer->GetFlushedSize(), 14000u);
  ASSERT_TRUE(writer->Flush().ok());
  EXPECT_EQ(log.Count("append"), 1u);
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(log.content, std::string(14000, 'a'));
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(log.Count("close"), 1u);
}

TEST(WritableFileWriterTest, ALargeAppendIsNotCopied) {
  WriteLog log;
  auto writer = NewWriter(&log);
  const std::string large = PatternBytes(3 << 20);
  ASSERT_TRUE(writer->Append("head").ok());
  ASSERT_TRUE(writer->Append(large).ok());
  EXPECT_EQ(log.Count("append"), 2u);
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(log.content, "head" + large);
}

// Random appends, pads, flushes and syncs: the file is what was appended.
void WriteRandomly(WriteLog* log, uint64_t seed) {
  Random64 random(seed);
  FileOptions options;
  options.writable_file_max_buffer_size = 1 + random.Uniform(200000);
  options.bytes_per_sync = random.Uniform(2) * 70000;
  auto writer = NewWriter(log, options);
  std::string model;
  for (int i = 0; i < 200; ++i) {
    const uint64_t kind = random.Uniform(20);
    if (kind == 0) {
      ASSERT_TRUE(writer->Flush().ok());
      ASSERT_EQ(log->content.substr(0, model.size()), model);
    } else if (kind == 1) {
      ASSERT_TRUE(writer->Sync(random.Uniform(2) == 1).ok());
      ASSERT_EQ(log->content, model);
    } else if (kind == 2) {
      const size_t n = random.Uniform(6000);
      ASSERT_TRUE(writer->Pad(n).ok());
      model.append(n, '\0');
    } else {
      const size_t n = random.Uniform(kind == 3 ? 600000 : 3000);
      const std::string data = PatternBytes(n);
      ASSERT_TRUE(writer->Append(data).ok());
      model.append(data);
    }
    ASSERT_EQ(writer->GetFileSize(), model.size());
  }
  ASSERT_TRUE(writer->Close().ok());
  ASSERT_EQ(log->content.size(), model.size());
  ASSERT_TRUE(log->content == model);
}

TEST(WritableFileWriterTest, BufferedFileIsWhatWasAppended) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    WriteLog log;
    WriteRandomly(&log, seed);
  }
}

TEST(WritableFileWriterTest, DirectFileIsWhatWasAppended) {
  for (const size_t alignment : {512, 4096, 16384}) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(seed);
      WriteLog log;
      log.is_direct = true;
      log.alignment = alignment;
      WriteRandomly(&log, seed);
    }
  }
}

// A durable table must have its exact length, or it would not be opened.
TEST(WritableFileWriterTest, DirectPaddingIsCutBeforeTheSync) {
  WriteLog log;
  log.is_direct = true;
  auto writer = NewWriter(&log);
  ASSERT_TRUE(writer->Append(std::string(5000, 'x')).ok());
  ASSERT_TRUE(writer->Flush().ok());
  EXPECT_EQ(log.content.size(), 8192u);
  ASSERT_TRUE(writer->Sync(false).ok());
  EXPECT_EQ(log.content.size(), 5000u);
  EXPECT_EQ(log.calls.back(), "sync");
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(log.calls.back(), "close");
  EXPECT_EQ(log.calls[log.calls.size() - 2], "sync");
}

TEST(WritableFileWriterTest, SyncsOnlyWhatIsNew) {
  WriteLog log;
  auto writer = NewWriter(&log);
  ASSERT_TRUE(writer->Sync(false).ok());
  EXPECT_EQ(log.Count("sync"), 1u);
  ASSERT_TRUE(writer->Sync(false).ok());
  EXPECT_EQ(log.Count("sync"), 1u);
  ASSERT_TRUE(writer->Append("x").ok());
  ASSERT_TRUE(writer->Sync(true).ok());
  EXPECT_EQ(log.Count("sync"), 1u);
  EXPECT_EQ(log.Count("fsync"), 1u);
}

// Kernels mark the pages of a failed sync clean: a second one would lie.
TEST(WritableFileWriterTest, AFailedSyncIsNeverTriedAgain) {
  WriteLog log;
  log.fail_at = 1;
  auto writer = NewWriter(&log);
  ASSERT_TRUE(writer->Append("data").ok());
  Status s = writer->Sync(false);
  ASSERT_TRUE(s.IsIOError());
  EXPECT_NE(s.ToString().find("some.file"), std::string::npos);
  EXPECT_TRUE(writer->seen_error());
  EXPECT_TRUE(writer->Sync(false).IsIOError());
  EXPECT_TRUE(writer->SyncWithoutFlush(false).IsIOError());
  EXPECT_TRUE(writer->Append("more").IsIOError());
  EXPECT_TRUE(writer->Flush().IsIOError());
  EXPECT_TRUE(writer->Close().IsIOError());
  EXPECT_EQ(log.calls, (std::vector<std::string>{"append", "sync", "close"}));
}

TEST(WritableFileWriterTest, EveryFailingCallIsReportedAndSticks) {
  for (const bool is_direct : {false, true}) {
    for (int k = 0;; ++k) {
      WriteLog log;
      log.is_direct = is_direct;
      log.fail_at = k;
      log.error = IOStatus::NoSpace("fake", "disk full");
      auto writer = NewWriter(&log);
      Status first;
      for (int i = 0; i < 5 && first.ok(); ++i) {
        first = writer->Append(std::string(100000, 'x'));
        if (first.ok()) first = writer->Flush();
      }
      if (first.ok()) first = writer->Sync(false);
      const Status closed = writer->Close();
      const int calls = static_cast<int>(log.calls.size());
      if (k >= calls) {
        EXPECT_TRUE(first.ok() && closed.ok());
        break;
      }
      EXPECT_TRUE(first.IsNoSpace() || closed.IsNoSpace()) << k;
      EXPECT_FALSE(closed.ok()) << k;
      // Later ones say what the first was.
      EXPECT_NE(closed.ToString().find("disk full"), std::string::npos);
      EXPECT_EQ(log.Count("close"), 1u);
      // Nothing but the close came after the failure.
      EXPECT_TRUE(k == calls - 1 || k == calls - 2) << k << " of " << calls;
    }
  }
}

TEST(WritableFileWriterTest, WriteBackKeepsAwayFromTheEnd) {
  WriteLog log;
  FileOptions options;
  options.bytes_per_sync = 256 << 10;
  auto writer = NewWriter(&log, options);
  for (int i = 0; i < 64; ++i) {
    ASSERT_TRUE(writer->Append(std::string(64 << 10, 'x')).ok());
  }
  ASSERT_TRUE(writer->Flush().ok());
  uint64_t expected = 0;
  for (const std::string& call : log.calls) {
    if (call.rfind("range ", 0) != 0) continue;
    const size_t plus = call.find('+');
    EXPECT_EQ(std::stoull(call.substr(6, plus - 6)), expected);
    const uint64_t bytes = std::stoull(call.substr(plus + 1));
    EXPECT_GE(bytes, options.bytes_per_sync);
    expected += bytes;
  }
  EXPECT_GT(expected, uint64_t{2} << 20);
  EXPECT_LE(expected, uint64_t{3} << 20);
}

TEST(WritableFileWriterTest, WhatIsWrittenLeavesThePageCacheIfAskedTo) {
  constexpr uint64_t kMiB = 1 << 20;
  for (const bool drops_written : {false, true}) {
    WriteLog log;
    FileIoContext context;
    context.drops_written = drops_written;
    auto writer = NewWriter(&log, FileOptions(), context);
    for (int i = 0; i < 20 * 16; ++i) {
      ASSERT_TRUE(writer->Append(std::string(kMiB / 16, 'x')).ok());
      ASSERT_TRUE(writer->Flush().ok());
    }
    uint64_t dropped = 0, written_back = 0;
    for (const std::string& call : log.calls) {
      const size_t plus = call.find('+');
      if (call.rfind("range ", 0) == 0) {
        written_back =
            std::stoull(call.substr(6)) + std::stoull(call.substr(plus + 1));
      }
      if (call.rfind("drop ", 0) != 0) continue;
      const uint64_t begin = std::stoull(call.substr(5));
      const uint64_t end = begin + std::stoull(call.substr(plus + 1));
      EXPECT_LE(begin, dropped) << "no page is left out";
      EXPECT_GT(end, dropped);
      EXPECT_EQ(end + 8 * kMiB, written_back);
      dropped = end;
    }
    EXPECT_EQ(dropped, drops_written ? 11 * kMiB : 0);
    EXPECT_EQ(written_back, drops_written ? 19 * kMiB : 0);
    ASSERT_TRUE(writer->Sync(false).ok());
    const size_t before = log.calls.size();
    ASSERT_TRUE(writer->Close().ok());
    const std::string all = "drop 0+" + std::to_string(20 * kMiB);
    EXPECT_EQ(std::count(log.calls.begin() + static_cast<long>(before),
                         log.calls.end(), all),
              drops_written ? 1 : 0);
  }
}

TEST(WritableFileWriterTest, PagesThatCannotBeDroppedAreNoError) {
  FileIoContext context;
  context.drops_written = true;
  int first_drop = -1;
  for (const bool fails : {false, true}) {
    WriteLog log;
    log.fail_at = fails ? first_drop : -1;
    auto writer = NewWriter(&log, FileOptions(), context);
    for (int i = 0; i < 12; ++i) {
      ASSERT_TRUE(writer->Append(std::string(1 << 20, 'x')).ok());
      ASSERT_TRUE(writer->Flush().ok());
    }
    ASSERT_TRUE(writer->Close().ok());
    const auto is_drop = [](const std::string& call) {
      return call.rfind("drop ", 0) == 0;
    };
    const auto first =
        std::find_if(log.calls.begin(), log.calls.end(), is_drop);
    ASSERT_NE(first, log.calls.end());
    first_drop = static_cast<int>(first - log.calls.begin());
    EXPECT_GT(std::count_if(first, log.calls.end(), is_drop), 1);
  }
}

TEST(WritableFileWriterTest, TheChecksumIsThatOfTheFileWithoutPadding) {
  const auto factory = GetFileChecksumGenCrc32cFactory();
  for (const bool is_direct : {false, true}) {
    WriteLog log;
    log.is_direct = is_direct;
    FileIoContext context;
    context.checksum_factory = factory.get();
    auto writer = NewWriter(&log, FileOptions(), context);
    ASSERT_TRUE(writer->Append(PatternBytes(100000)).ok());
    ASSERT_TRUE(writer->Pad(77).ok());
    ASSERT_TRUE(writer->Flush().ok());
    ASSERT_TRUE(writer->Append(PatternBytes(1000)).ok());
    ASSERT_TRUE(writer->Close().ok());
    const auto generator =
        factory->CreateFileChecksumGenerator({"some.file", ""});
    generator->Update(log.content.data(), log.content.size());
    generator->Finalize();
    EXPECT_EQ(writer->GetFileChecksum(), generator->GetChecksum());
    EXPECT_STREQ(writer->GetFileChecksumFuncName(), generator->Name());
  }
  WriteLog log;
  auto writer = NewWriter(&log);
  EXPECT_EQ(writer->GetFileChecksum(), kUnknownFileChecksum);
  EXPECT_STREQ(writer->GetFileChecksumFuncName(), kUnknownFileChecksumFuncName);
}

// Grants at most `burst` bytes at once, and counts.
class CountingLimiter : public RateLimiter {
 public:
  explicit CountingLimiter(int64_t burst)
      : RateLimiter(Mode::kAllIo), burst_(burst) {}
  void SetBytesPerSecond(int64_t) override {}
  using RateLimiter::Request;
  void Request(const int64_t bytes, const Env::IOPriority pri,
               Statistics*) override {
    EXPECT_LE(bytes, burst_);
    EXPECT_EQ(pri, Env::IO_LOW);
    total += bytes;
  }
  int64_t GetSingleBurstBytes() const override { return burst_; }
  int64_t GetTotalBytesThrough(const Env::IOPriority) const override {
    return total;
  }
  int64_t GetTotalRequests(const Env::IOPriority) const override { return 0; }
  int64_t GetBytesPerSecond() const override { return 0; }

  int64_t total = 0;

 private:
  const int64_t burst_;
};

TEST(WritableFileWriterTest, ChargesTheRateLimiter) {
  for (const bool is_direct : {false, true}) {
    WriteLog log;
    log.is_direct = is_direct;
    CountingLimiter limiter(10000);
    FileIoContext context;
    context.rate_limiter = &limiter;
    context.io_options.rate_limiter_priority = Env::IO_LOW;
    auto writer = NewWriter(&log, FileOptions(), context);
    const std::string data = PatternBytes(100000);
    ASSERT_TRUE(writer->Append(data).ok());
    ASSERT_TRUE(writer->Close().ok());
    EXPECT_EQ(limiter.total, is_direct ? 102400 : 100000);
    EXPECT_EQ(log.Count("append"), is_direct ? 13u : 10u);
    EXPECT_TRUE(log.content == data);
  }
}

// One of an application that rounds nothing.
class OddLimiter : public CountingLimiter {
 public:
  explicit OddLimiter(size_t answer) : CountingLimiter(0), answer_(answer) {}
  size_t RequestToken(size_t, size_t, Env::IOPriority, Statistics*,
                      RateLimiter::OpType) override {
    return answer_;
  }

 private:
  const size_t answer_;
};

TEST(WritableFileWriterTest, ALimiterMayAnswerAnything) {
  const std::string data = PatternBytes(100000);
  for (const bool is_direct : {false, true}) {
    for (const size_t answer :
         {size_t{0}, size_t{3000}, size_t{5000}, SIZE_MAX}) {
      WriteLog log;
      log.is_direct = is_direct;
      OddLimiter limiter(answer);
      FileIoContext context;
      context.rate_limiter = &limiter;
      context.io_options.rate_limiter_priority = Env::IO_LOW;
      auto writer = NewWriter(&log, FileOptions(), context);
      ASSERT_TRUE(writer->Append(data).ok());
      ASSERT_TRUE(writer->Close().ok());
      EXPECT_TRUE(log.content == data) << answer;
    }
  }
}

TEST(WritableFileWriterTest, WorksOnAFileSystem) {
  for (const bool is_direct : {false, true}) {
    MemFileSystem fs;
    FileOptions options;
    options.use_direct_writes = is_direct;
    std::unique_ptr<WritableFileWriter> writer;
    ASSERT_TRUE(
        WritableFileWriter::Create(&fs, "/file", options, &writer).ok());
    EXPECT_EQ(writer->use_direct_io(), is_direct);
    const std::string data = PatternBytes(777777);
    ASSERT_TRUE(writer->Append(data).ok());
    ASSERT_TRUE(writer->Sync(true).ok());
    ASSERT_TRUE(writer->Close().ok());
    std::string read;
    ASSERT_TRUE(ReadFileToString(&fs, "/file", &read).ok());
    EXPECT_TRUE(read == data);
    Status s = WritableFileWriter::Create(&fs, "/no/file", options, &writer);
    EXPECT_FALSE(s.ok());
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
