#include "file/input_stream.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "monitoring/statistics_impl.h"
#include "tests/file/fake_files.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kChunk = BufferPool::kChunkBytes;

class InputStreamTest : public testing::TestWithParam<bool> {
 protected:
  InputStreamTest() {
    log_.is_direct = GetParam();
    options_.pool = &pool_;
  }
  ~InputStreamTest() override { EXPECT_EQ(pool_.LeasedBytes(), 0u); }

  std::unique_ptr<InputStream> Open() {
    return std::make_unique<InputStream>(
        std::make_unique<FakeReadableFile>(&log_), "in.sst", options_);
  }
  // Reads all of the file in blocks of `n` and compares.
  void ReadAll(InputStream* stream, size_t n) {
    const std::string& content = log_.content;
    for (size_t at = 0; at < content.size(); at += n) {
      const size_t length = std::min(n, content.size() - at);
      Slice result;
      Status s = stream->Read(at, length, &result);
      ASSERT_TRUE(s.ok()) << s.ToString();
      ASSERT_TRUE(result == Slice(content.data() + at, length)) << at;
    }
  }

  BufferPool pool_;
  ReadLog log_;
  InputStreamOptions options_;
};

INSTANTIATE_TEST_SUITE_P(BufferedAndDirect, InputStreamTest, testing::Bool());

TEST_P(InputStreamTest, ReadsAllInFewRequests) {
  log_.content = PatternBytes((10 << 20) + 777);
  auto stream = Open();
  ReadAll(stream.get(), 4013);
  EXPECT_LE(log_.calls.size(), 50u);
  for (const ReadLog::Call& call : log_.calls) EXPECT_LE(call.length, kChunk);
  EXPECT_EQ(stream->read_count(), log_.calls.size());
  EXPECT_EQ(stream->use_direct_io(), GetParam());
}

TEST_P(InputStreamTest, StartsWithOneChunkAndGrows) {
  log_.content = PatternBytes(8 << 20);
  options_.max_request_bytes = 8 << 20;
  auto stream = Open();
  ReadAll(stream.get(), 4096);
  ASSERT_GE(log_.calls.size(), 4u);
  EXPECT_EQ(log_.calls[0].length, kChunk);
  EXPECT_EQ(log_.calls[1].length, 2 * kChunk);
  EXPECT_EQ(log_.calls[2].length, 4 * kChunk);
  for (const ReadLog::Call& call : log_.calls) {
    EXPECT_LE(call.length, options_.readahead_bytes);
  }
}

TEST_P(InputStreamTest, NoReadaheadIsNotAReadPerBlock) {
  log_.content = PatternBytes(4 << 20);
  options_.readahead_bytes = 0;
  auto stream = Open();
  ReadAll(stream.get(), 4096);
  EXPECT_EQ(log_.calls.size(), (4u << 20) / kChunk);
}

TEST_P(InputStreamTest, TheRangeIsExact) {
  log_.content = PatternBytes(2 << 20);
  auto stream = Open();
  const uint64_t begin = 300001;
  const uint64_t end = 700003;
  ASSERT_TRUE(stream->SetRange(begin, end).ok());
  Slice result;
  for (uint64_t at = begin; at < end; at += 1000) {
    const size_t n = std::min<uint64_t>(1000, end - at);
    ASSERT_TRUE(stream->Read(at, n, &result).ok());
    ASSERT_TRUE(result == Slice(log_.content.data() + at, n));
  }
  const uint64_t alignment = GetParam() ? 4096 : 1;
  for (const ReadLog::Call& call : log_.calls) {
    EXPECT_GE(call.offset, AlignDown(begin, alignment));
    EXPECT_LE(call.offset + call.length, AlignUp(end, alignment));
  }
  EXPECT_LE(stream->bytes_read(), end - begin + 2 * alignment);
  const Status s = stream->Read(end - 1, 2, &result);
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
  EXPECT_FALSE(stream->Read(begin - 1, 2, &result).ok());
  EXPECT_FALSE(stream->Read(UINT64_MAX - 1, 5, &result).ok());
  EXPECT_TRUE(stream->SetRange(5, 4).IsInvalidArgument());
  EXPECT_TRUE(stream->SetRange(0, log_.content.size() + 1).IsInvalidArgument());
}

TEST_P(InputStreamTest, AnyOrderIsRight) {
  log_.content = PatternBytes((5 << 20) + 1234);
  for (const size_t alignment : {512, 4096, 16384}) {
    log_.alignment = alignment;
    auto stream = Open();
    Random64 random(alignment);
    uint64_t at = 0;
    for (int i = 0; i < 500; ++i) {
      if (random.Uniform(4) == 0) at = random.Uniform(log_.content.size());
      const size_t n = std::min<uint64_t>(1 + random.Uniform(60000),
                                          log_.content.size() - at);
      Slice result;
      ASSERT_TRUE(stream->Read(at, n, &result).ok());
      ASSERT_TRUE(result == Slice(log_.content.data() + at, n)) << at;
      at = at + n < log_.content.size() ? at + n : 0;
    }
  }
}

TEST_P(InputStreamTest, ABlockMayBeLargerThanASlab) {
  log_.content = PatternBytes(9 << 20);
  auto stream = Open();
  Slice result;
  ASSERT_TRUE(stream->Read(10, 100, &result).ok());
  ASSERT_TRUE(stream->Read(110, 5 << 20, &result).ok());
  EXPECT_TRUE(result == Slice(log_.content.data() + 110, 5 << 20));
  ReadAll(stream.get(), 300000);
}

TEST_P(InputStreamTest, AnExhaustedPoolOnlyMakesItSlower) {
  log_.content = PatternBytes(3 << 20);
  BufferPool tiny(0);
  options_.pool = &tiny;
  {
    auto stream = Open();
    ReadAll(stream.get(), 50000);
    EXPECT_GT(tiny.LeasedBytes(), 0u);
  }
  EXPECT_EQ(tiny.LeasedBytes(), 0u);
  EXPECT_EQ(tiny.SlabCount(), 0u);
}

TEST_P(InputStreamTest, ShortReadsAreNormal) {
  log_.content = PatternBytes((1 << 20) + 5);
  log_.max_bytes = GetParam() ? 5000 : 777;
  auto stream = Open();
  ReadAll(stream.get(), 30000);
}

TEST_P(InputStreamTest, InterruptedReadsAreTriedAgain) {
  log_.content = PatternBytes(100000);
  log_.fail_at = 0;
  log_.fail_count = 3;
  log_.error = IOStatus::TryAgain("fake", "EAGAIN");
  auto stream = Open();
  ReadAll(stream.get(), 10000);
  EXPECT_EQ(log_.calls.size(), 4u);
  // Not for ever.
  log_.fail_count = 1 << 30;
  log_.calls.clear();
  stream = Open();
  Slice result;
  EXPECT_TRUE(stream->Read(0, 10, &result).IsTryAgain());
  EXPECT_LE(log_.calls.size(), 100u);
}

TEST_P(InputStreamTest, AnErrorNamesTheFileAndLeavesNothingBehind) {
  log_.content = PatternBytes(3 << 20);
  for (int k = 0; k < 6; ++k) {
    log_.calls.clear();
    log_.fail_at = k;
    log_.error = IOStatus::InvalidArgument("fake", "EINVAL");
    auto stream = Open();
    Status s;
    Slice result;
    for (size_t at = 0; at < log_.content.size() && s.ok(); at += 4096) {
      s = stream->Read(at, 4096, &result);
    }
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
    // The stream can go on once the file can.
    log_.fail_at = -1;
    ReadAll(stream.get(), 9999);
  }
}

TEST_P(InputStreamTest, AFileThatEndsEarlyIsCorrupt) {
  log_.content = PatternBytes(100000);
  options_.file_size = 150000;
  auto stream = Open();
  Slice result;
  ASSERT_TRUE(stream->Read(0, 100000, &result).ok());
  const Status s = stream->Read(99990, 20, &result);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
  EXPECT_NE(s.ToString().find("100000"), std::string::npos);
}

TEST_P(InputStreamTest, CountsDirectBytes) {
  log_.content = PatternBytes(1 << 20);
  StatisticsImpl statistics;
  options_.statistics = &statistics;
  auto stream = Open();
  ReadAll(stream.get(), 4096);
  EXPECT_EQ(statistics.getTickerCount(COMPACTION_DIRECT_READ_BYTES),
            GetParam() ? 1u << 20 : 0u);
  EXPECT_EQ(statistics.getTickerCount(NON_LAST_LEVEL_READ_BYTES), 1u << 20);
}

TEST_P(InputStreamTest, ReadsAFileSystem) {
  log_.content = PatternBytes(1000001);
  MemFileSystem fs;
  ASSERT_TRUE(WriteStringToFile(&fs, log_.content, "/in.sst").ok());
  FileOptions file_options;
  file_options.use_direct_reads = GetParam();
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs.NewRandomAccessFile("/in.sst", file_options, &file, nullptr).ok());
  InputStream stream(std::move(file), "/in.sst", options_);
  EXPECT_EQ(stream.use_direct_io(), GetParam());
  ReadAll(&stream, 12345);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
