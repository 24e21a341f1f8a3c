// Read-ahead starts with sequential reads, doubles to its limit, works
// downwards too, returns right bytes and counts what was read in vain.
#include "file/prefetch_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "file/kept_pages.h"
#include "monitoring/statistics_impl.h"
#include "tests/file/fake_files.h"
#include "tests/file/polled_files.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

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
  // Blocks of 4,000 bytes, one behind the other, that begin before `end`.
  void Scan(PrefetchBuffer* buffer, uint64_t end) {
    for (uint64_t at = 0; at < end; at += 4000) ReadBlock(buffer, at, 4000);
  }
  uint64_t Count(uint32_t ticker) const {
    return statistics_.getTickerCount(ticker);
  }
  HistogramData Discarded() const {
    HistogramData data;
    statistics_.histogramData(PREFETCHED_BYTES_DISCARDED, &data);
    return data;
  }
  void ExpectMemoryIsGivenBack() const {
    EXPECT_EQ(Count(PREFETCH_MEMORY_BYTES_GRANTED),
              Count(PREFETCH_MEMORY_BYTES_RELEASED));
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
  EXPECT_EQ(Count(PREFETCH_HITS), 2u);
  const uint64_t end = GetParam() ? 20480 : 20192;
  const uint64_t begin = GetParam() ? 4096 : 8000;
  EXPECT_EQ(Count(PREFETCH_BYTES), end - begin);
  EXPECT_EQ(Count(PREFETCH_BYTES_USEFUL), 12000u);
}

TEST_P(PrefetchBufferTest, DoublesUpToTheLimit) {
  PrefetchBuffer buffer(file_.get(), options_);
  Scan(&buffer, log_.content.size() - 4000);
  EXPECT_EQ(buffer.next_readahead_bytes(), 256u << 10);
  EXPECT_LE(log_.Calls().size(), 20u);
  for (const ReadLog::Call& call : log_.Calls()) {
    EXPECT_LE(call.length, (256u << 10) + 3 * 4096);
  }
}

TEST_P(PrefetchBufferTest, AJumpStartsAnew) {
  PrefetchBuffer buffer(file_.get(), options_);
  Scan(&buffer, 400000);
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
  const HistogramData data = Discarded();
  EXPECT_EQ(data.count, 1u);
  const uint64_t asked = GetParam() ? 12288 : 11000;
  EXPECT_EQ(data.sum, asked - 1000);
  EXPECT_EQ(Count(PREFETCH_BYTES), asked);
  EXPECT_EQ(Count(PREFETCH_BYTES_USEFUL), 1000u);
  EXPECT_GE(Count(PREFETCH_MEMORY_BYTES_GRANTED), asked);
  ExpectMemoryIsGivenBack();
}

TEST_P(PrefetchBufferTest, WhatIsNoScanIsCountedAsNone) {
  options_.readahead_bytes = 10000;
  options_.reader = PrefetchReader::kOther;
  {
    PrefetchBuffer buffer(file_.get(), options_);
    EXPECT_TRUE(ReadBlock(&buffer, 0, 1000));
    EXPECT_TRUE(ReadBlock(&buffer, 1000, 1000));
  }
  EXPECT_EQ(Discarded().sum, (GetParam() ? 12288u : 11000u) - 2000);
  EXPECT_EQ(Count(PREFETCH_BYTES), 0u);
  EXPECT_EQ(Count(PREFETCH_BYTES_USEFUL), 0u);
  EXPECT_EQ(Count(PREFETCH_HITS), 0u);
  EXPECT_GE(Count(PREFETCH_MEMORY_BYTES_GRANTED), 11000u);
  ExpectMemoryIsGivenBack();
}

// A chunk is 16 KiB here, direct or not.
TEST_P(PrefetchBufferTest, WhatIsJoinedAndKeptIsMemoryToo) {
  options_.readahead_bytes = 10000;
  {
    PrefetchBuffer buffer(file_.get(), options_);
    for (uint64_t at = 0; at < 100000; at += 4000) {
      EXPECT_TRUE(ReadBlock(&buffer, at, 4000));
    }
    const uint64_t granted = Count(PREFETCH_MEMORY_BYTES_GRANTED) -
                             Count(PREFETCH_MEMORY_BYTES_RELEASED);
    EXPECT_GE(granted, 16384u + 4000);
    EXPECT_LE(granted, 16384u + 4 * 4000);
  }
  ExpectMemoryIsGivenBack();
}

TEST_P(PrefetchBufferTest, ExplicitReadaheadHasABound) {
  constexpr uint64_t kMost = 64 << 20;
  log_.content.assign(kMost + (4 << 20), 'x');
  options_.readahead_bytes = SIZE_MAX;
  PrefetchBuffer buffer(file_.get(), options_);
  EXPECT_TRUE(ReadBlock(&buffer, 0, 4000));
  ASSERT_EQ(log_.Calls().size(), 1u);
  EXPECT_GE(log_.Calls()[0].length, kMost + 4000);
  EXPECT_LE(log_.Calls()[0].length, kMost + 3 * 4096);
  EXPECT_LE(Count(PREFETCH_MEMORY_BYTES_GRANTED), kMost + 3 * 4096);
}

// No byte of the file is read twice, but for what a direct read rounds to.
void ExpectDisjoint(const std::vector<ReadLog::Call>& calls) {
  for (size_t i = 0; i < calls.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool are_apart =
          calls[i].offset >= calls[j].offset + calls[j].length ||
          calls[j].offset >= calls[i].offset + calls[i].length;
      EXPECT_TRUE(are_apart) << "calls " << j << " and " << i;
    }
  }
}

TEST_P(PrefetchBufferTest, ReadsNothingTwice) {
  options_.readahead_bytes = 30000;
  PrefetchBuffer buffer(file_.get(), options_);
  for (uint64_t at = 100; at + 4321 < log_.content.size(); at += 4321) {
    EXPECT_TRUE(ReadBlock(&buffer, at, 4321));
  }
  ExpectDisjoint(log_.Calls());
}

TEST_P(PrefetchBufferTest, GoesDownAsItGoesUp) {
  options_.begin_offset = 4000;
  PrefetchBuffer buffer(file_.get(), options_);
  uint64_t at = 400 * 4000;
  EXPECT_FALSE(ReadBlock(&buffer, at, 4000));
  EXPECT_FALSE(ReadBlock(&buffer, at -= 4000, 4000));
  while (at > 8000) EXPECT_TRUE(ReadBlock(&buffer, at -= 4000, 4000)) << at;
  ExpectDisjoint(log_.Calls());
  EXPECT_LE(log_.Calls().size(), 15u);
  for (const ReadLog::Call& call : log_.Calls()) {
    EXPECT_GE(call.offset, GetParam() ? 0u : 4000u);
  }
}

TEST_P(PrefetchBufferTest, TurningAboutStartsAnew) {
  PrefetchBuffer buffer(file_.get(), options_);
  Scan(&buffer, 400000);
  EXPECT_GT(buffer.next_readahead_bytes(), 8u << 10);
  EXPECT_TRUE(ReadBlock(&buffer, 395600, 400));
  ReadBlock(&buffer, 395200, 400);
  EXPECT_EQ(buffer.next_readahead_bytes(), 8u << 10);
}

TEST_P(PrefetchBufferTest, ALongScanWastesLittle) {
  const uint64_t limit = 1900000;
  options_.limit_offset = limit;
  {
    PrefetchBuffer buffer(file_.get(), options_);
    Scan(&buffer, limit - 3999);
  }
  const uint64_t read = Count(PREFETCH_BYTES);
  const uint64_t used = Count(PREFETCH_BYTES_USEFUL);
  EXPECT_GT(used, limit * 9 / 10);
  EXPECT_LE((read - used) * 100, read);
}

TEST_P(PrefetchBufferTest, MemoryIsThatOfOneReadAhead) {
  PrefetchBuffer up(file_.get(), options_);
  for (uint64_t at = 0; at + 4321 < log_.content.size(); at += 4321) {
    ReadBlock(&up, at, 4321);
  }
  // And a block that is joined, and one of which a part is kept: strings
  // which may have grown to twice what they are to hold.
  const uint64_t most =
      std::max<uint64_t>((256u << 10) + 3 * 4096, KeptPages::kBytes) +
      4 * 4321u;
  EXPECT_LE(Count(PREFETCH_MEMORY_BYTES_GRANTED), most);
  PrefetchBuffer down(file_.get(), options_);
  for (uint64_t at = log_.content.size(); at > 4321;) {
    ReadBlock(&down, at -= 4321, 4321);
  }
  EXPECT_LE(Count(PREFETCH_MEMORY_BYTES_GRANTED), 2 * most);
}

// Scans up and down, stretches over and over, and jumps: right bytes, and each
// that is read is counted as used or discarded.
TEST_P(PrefetchBufferTest, RandomScansAreCountedByTheByte) {
  Random64 random(301);
  {
    PrefetchBuffer buffer(file_.get(), options_);
    uint64_t at = 0;
    for (int i = 0; i < 3000; ++i) {
      const size_t n = 1 + random.Uniform(9000);
      const bool is_jump = random.Uniform(50) == 0;
      const bool goes_down = i / 100 % 3 == 2;
      if (is_jump) at = random.Uniform(log_.content.size());
      if (goes_down) at -= std::min<uint64_t>(at, n);
      if (at + n > log_.content.size()) at = 0;
      ReadBlock(&buffer, at, n);
      if (!goes_down && random.Uniform(10) > 0) at += n;
    }
  }
  const uint64_t read = Count(PREFETCH_BYTES);
  const uint64_t used = Count(PREFETCH_BYTES_USEFUL);
  EXPECT_GT(used, 0u);
  EXPECT_EQ(used + Discarded().sum, read);
  ExpectMemoryIsGivenBack();
}

TEST_P(PrefetchBufferTest, TheNextFileGoesOnWhereThisOneEnded) {
  PrefetchBuffer first(file_.get(), options_);
  Scan(&first, 800000);
  PrefetchBuffer second(file_.get(), options_);
  second.Resume(first.progress());
  EXPECT_EQ(second.next_readahead_bytes(), first.next_readahead_bytes());
  log_.ForgetCalls();
  EXPECT_TRUE(ReadBlock(&second, 0, 4000));
  ASSERT_EQ(log_.Calls().size(), 1u);
  EXPECT_GE(log_.Calls()[0].length, 128u << 10);
}

class AsyncPrefetchBufferTest : public PrefetchBufferTest {
 protected:
  AsyncPrefetchBufferTest() {
    auto file = std::make_unique<PolledFile>(&log_);
    polled_ = file.get();
    file_ = std::make_unique<RandomAccessFileReader>(std::move(file), "a.sst");
    options_.fs = &fs_;
  }

  PollingFileSystem fs_;
  PolledFile* polled_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(BufferedAndDirect, AsyncPrefetchBufferTest,
                         testing::Bool());

TEST_P(AsyncPrefetchBufferTest, TheNextChunkIsUnderWay) {
  PrefetchBuffer buffer(file_.get(), options_);
  for (uint64_t at = 0; at + 4000 < log_.content.size(); at += 4000) {
    EXPECT_EQ(ReadBlock(&buffer, at, 4000), at >= 8000) << at;
    EXPECT_LE(polled_->in_flight, 1);
    EXPECT_TRUE(polled_->in_flight == 1 || at != 8000);
  }
  EXPECT_GT(fs_.polls, 10);
  EXPECT_EQ(fs_.aborts, 0);
  ExpectDisjoint(log_.Calls());
}

TEST_P(AsyncPrefetchBufferTest, AJumpAndTheEndAbortWhatIsUnderWay) {
  {
    PrefetchBuffer buffer(file_.get(), options_);
    Scan(&buffer, 40000);
    EXPECT_EQ(polled_->in_flight, 1);
    EXPECT_FALSE(ReadBlock(&buffer, 1 << 20, 4000));
    for (uint64_t i = 1; i < 5; ++i) {
      EXPECT_EQ(ReadBlock(&buffer, (1 << 20) + i * 4000, 4000), i > 1);
    }
    EXPECT_EQ(polled_->in_flight, 1);
  }
  EXPECT_EQ(polled_->in_flight, 0);
}

TEST_P(AsyncPrefetchBufferTest, TwoChunksShareTheBound) {
  constexpr uint64_t kMost = 64 << 20;
  log_.content.assign(kMost + (4 << 20), 'x');
  options_.readahead_bytes = SIZE_MAX;
  PrefetchBuffer buffer(file_.get(), options_);
  EXPECT_TRUE(ReadBlock(&buffer, 0, 4000));
  EXPECT_EQ(log_.Calls().size(), 2u);
  EXPECT_LE(Count(PREFETCH_MEMORY_BYTES_GRANTED), kMost + 6 * 4096);
}

TEST_P(AsyncPrefetchBufferTest, AFailedPollIsMetByAnOrdinaryRead) {
  PrefetchBuffer buffer(file_.get(), options_);
  fs_.fails = true;
  for (uint64_t at = 0; at < 200000; at += 4000) {
    EXPECT_EQ(ReadBlock(&buffer, at, 4000), at >= 8000) << at;
  }
  EXPECT_GT(fs_.aborts, 0);
  EXPECT_LE(polled_->in_flight, 1);
}

TEST_P(AsyncPrefetchBufferTest, ReadsOfTheKernelAreTheSame) {
  TempDir dir;
  const std::string path = dir.path() + "/a.sst";
  ASSERT_TRUE(WriteStringToFile(FileSystem::Default().get(), log_.content, path,
                                false, IOOptions(), FileOptions())
                  .ok());
  FileOptions open;
  open.use_direct_reads = GetParam();
  std::unique_ptr<RandomAccessFileReader> reader;
  if (!RandomAccessFileReader::Create(FileSystem::Default().get(), path, open,
                                      &reader)
           .ok()) {
    GTEST_SKIP() << "the file system has no direct reads";
  }
  options_.fs = FileSystem::Default().get();
  PrefetchBuffer buffer(reader.get(), options_);
  for (uint64_t at = 0; at + 4000 < log_.content.size(); at += 4000) {
    EXPECT_EQ(ReadBlock(&buffer, at, 4000), at >= 8000) << at;
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
