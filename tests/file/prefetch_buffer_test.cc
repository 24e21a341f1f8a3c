#include "file/prefetch_buffer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "monitoring/statistics_impl.h"
#include "tests/file/fake_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class PrefetchBufferTest : public testing::TestWithParam<bool> {
 protected:
  PrefetchBufferTest() {
    log_.is_direct = GetParam();
    log_.content = PatternBytes(2 << 20);
    file_ = std::make_unique<RandomAccessFileReader>(
        std::make_unique<FakeReadableFile>(&log_), "a.sst");
    options_.statistics = &statistics_;
  }
  // Reads a block as a table iterator does; true if the buffer had it.
  bool ReadBlock(PrefetchBuffer* buffer, uint64_t at, size_t n) {
    Slice result;
    if (!buffer->TryRead(IOOptions(), at, n, &result)) return false;
    EXPECT_TRUE(result == Slice(log_.content.data() + at, n));
    return true;
  }

  ReadLog log_;
  StatisticsImpl statistics_;
  PrefetchOptions options_;
  std::unique_ptr<RandomAccessFileReader> file_;
};

INSTANTIATE_TEST_SUITE_P(BufferedAndDirect, PrefetchBufferTest,
                         testing::Bool());

TEST_P(PrefetchBufferTest, StartsWithTheThirdReadInSequence) {
  PrefetchBuffer buffer(file_.get(), options_);
  EXPECT_FALSE(ReadBlock(&buffer, 0, 4000));
  EXPECT_FALSE(ReadBlock(&buffer, 4000, 4000));
  EXPECT_TRUE(ReadBlock(&buffer, 8000, 4000));
  ASSERT_EQ(log_.Calls().size(), 1u);
  EXPECT_TRUE(ReadBlock(&buffer, 12000, 4000));
  EXPECT_TRUE(ReadBlock(&buffer, 16000, 4000));
  EXPECT_EQ(log_.Calls().size(), 1u);
  EXPECT_EQ(statistics_.getTickerCount(PREFETCH_HITS), 2u);
  EXPECT_EQ(statistics_.getTickerCount(PREFETCH_BYTES), 4000u + 8192u);
}

TEST_P(PrefetchBufferTest, DoublesUpToTheLimit) {
  PrefetchBuffer buffer(file_.get(), options_);
  for (uint64_t at = 0; at + 4000 < log_.content.size(); at += 4000) {
    ReadBlock(&buffer, at, 4000);
  }
  EXPECT_EQ(buffer.next_readahead_bytes(), 256u << 10);
  EXPECT_LE(log_.Calls().size(), 20u);
  for (const ReadLog::Call& call : log_.Calls()) {
    EXPECT_LE(call.length, (256u << 10) + 3 * 4096);
  }
}

TEST_P(PrefetchBufferTest, AJumpStartsAnew) {
  PrefetchBuffer buffer(file_.get(), options_);
  for (uint64_t at = 0; at < 400000; at += 4000) ReadBlock(&buffer, at, 4000);
  EXPECT_GT(buffer.next_readahead_bytes(), 8u << 10);
  EXPECT_FALSE(ReadBlock(&buffer, 1 << 20, 4000));
  EXPECT_EQ(buffer.next_readahead_bytes(), 8u << 10);
  EXPECT_FALSE(ReadBlock(&buffer, 5, 4000));
  EXPECT_FALSE(ReadBlock(&buffer, 4005, 4000));
  EXPECT_TRUE(ReadBlock(&buffer, 8005, 4000));
}

TEST_P(PrefetchBufferTest, ExplicitReadaheadStartsAtOnce) {
  options_.readahead_bytes = 100000;
  PrefetchBuffer buffer(file_.get(), options_);
  EXPECT_TRUE(ReadBlock(&buffer, 50, 4000));
  for (uint64_t at = 4050; at < 100000; at += 4000) {
    EXPECT_TRUE(ReadBlock(&buffer, at, 4000));
  }
  EXPECT_EQ(log_.Calls().size(), 1u);
}

TEST_P(PrefetchBufferTest, CanBeOff) {
  options_.max_auto_readahead_bytes = 0;
  PrefetchBuffer buffer(file_.get(), options_);
  for (uint64_t at = 0; at < 100000; at += 4000) {
    EXPECT_FALSE(ReadBlock(&buffer, at, 4000));
  }
  EXPECT_TRUE(log_.Calls().empty());
}

TEST_P(PrefetchBufferTest, StopsAtTheLimit) {
  options_.readahead_bytes = 1 << 20;
  options_.limit_offset = 20000;
  PrefetchBuffer buffer(file_.get(), options_);
  EXPECT_TRUE(ReadBlock(&buffer, 0, 4000));
  ASSERT_EQ(log_.Calls().size(), 1u);
  EXPECT_LE(log_.Calls()[0].length, 20480u);
  EXPECT_FALSE(ReadBlock(&buffer, 20000, 4000));
}

TEST_P(PrefetchBufferTest, BlocksFromTheCacheAreInSequence) {
  PrefetchBuffer buffer(file_.get(), options_);
  buffer.NoteReadElsewhere(0, 4000);
  buffer.NoteReadElsewhere(4000, 4000);
  EXPECT_TRUE(ReadBlock(&buffer, 8000, 4000));
}

TEST_P(PrefetchBufferTest, FailureAndEndLeaveItToTheCaller) {
  options_.readahead_bytes = 10000;
  PrefetchBuffer buffer(file_.get(), options_);
  EXPECT_FALSE(ReadBlock(&buffer, log_.content.size() - 10, 20));
  log_.fail_at = 0;
  EXPECT_FALSE(ReadBlock(&buffer, 0, 100));
  log_.fail_at = -1;
  EXPECT_TRUE(ReadBlock(&buffer, 0, 100));
  EXPECT_TRUE(buffer.Prefetch(IOOptions(), 5000, 1000).ok());
  EXPECT_TRUE(ReadBlock(&buffer, 5500, 500));
}

TEST_P(PrefetchBufferTest, CountsWhatWasReadInVain) {
  options_.readahead_bytes = 10000;
  {
    PrefetchBuffer buffer(file_.get(), options_);
    EXPECT_TRUE(ReadBlock(&buffer, 0, 1000));
  }
  HistogramData data;
  statistics_.histogramData(PREFETCHED_BYTES_DISCARDED, &data);
  EXPECT_EQ(data.count, 1u);
  EXPECT_EQ(data.sum, 10000u);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
