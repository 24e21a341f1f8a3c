// Blocks of planned scans are read together within the memory limit, only what
// is planned is served, and failures are left to the caller.
#include "file/planned_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "monitoring/statistics_impl.h"
#include "tests/file/fake_files.h"
#include "tests/file/polled_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

enum class Way { kBuffered, kDirect, kAsync, kAsyncDirect };

class PlannedReadsTest : public testing::TestWithParam<Way> {
 protected:
  static constexpr int64_t kAllowance = 1 << 20;

  PlannedReadsTest() {
    log_.is_direct =
        GetParam() == Way::kDirect || GetParam() == Way::kAsyncDirect;
    log_.content = PatternBytes(1 << 20);
    auto file = std::make_unique<PolledFile>(&log_);
    polled_ = file.get();
    file_ = std::make_unique<RandomAccessFileReader>(std::move(file), "a.sst");
    options_.statistics = &statistics_;
    options_.coalesce_bytes = 1000;
    options_.max_bytes = 256 << 10;
    options_.bytes_left = &bytes_left_;
    if (is_async()) options_.fs = &fs_;
  }
  ~PlannedReadsTest() override {
    EXPECT_EQ(bytes_left_, kAllowance);
    EXPECT_EQ(polled_->in_flight, 0);
    EXPECT_EQ(Ticker(PREFETCH_MEMORY_BYTES_GRANTED),
              Ticker(PREFETCH_MEMORY_BYTES_RELEASED));
  }

  static bool is_async() {
    return GetParam() == Way::kAsync || GetParam() == Way::kAsyncDirect;
  }
  std::unique_ptr<PlannedReads> Plan(const std::vector<PlannedBlock>& blocks) {
    auto planned =
        std::make_unique<PlannedReads>(file_.get(), options_, blocks);
    planned->Start(IOOptions());
    return planned;
  }
  bool Read(PlannedReads* planned, const PlannedBlock& block) {
    Slice result;
    if (!planned->TryRead(IOOptions(), block.offset, block.size, &result)) {
      return false;
    }
    EXPECT_TRUE(result == Slice(log_.content.data() + block.offset, block.size))
        << block.offset;
    return true;
  }
  uint64_t Ticker(uint32_t ticker) {
    return statistics_.getTickerCount(ticker);
  }

  ReadLog log_;
  StatisticsImpl statistics_;
  PollingFileSystem fs_;
  PolledFile* polled_ = nullptr;
  int64_t bytes_left_ = kAllowance;
  PlannedReadsOptions options_;
  std::unique_ptr<RandomAccessFileReader> file_;
};

INSTANTIATE_TEST_SUITE_P(Ways, PlannedReadsTest,
                         testing::Values(Way::kBuffered, Way::kDirect,
                                         Way::kAsync, Way::kAsyncDirect));

TEST_P(PlannedReadsTest, BlocksNearEachOtherAreReadAtOnce) {
  const std::vector<PlannedBlock> blocks{
      {0, 4000}, {4000, 3000}, {8000, 1000}, {200000, 500}, {400000, 4000}};
  const auto planned = Plan(blocks);
  EXPECT_EQ(log_.Calls().size(), 3u);
  if (is_async()) {
    EXPECT_EQ(polled_->in_flight, 3);
  }
  for (const PlannedBlock& block : blocks)
    EXPECT_TRUE(Read(planned.get(), block));
  EXPECT_EQ(log_.Calls().size(), 3u);
  EXPECT_EQ(Ticker(MULTISCAN_IO_REQUESTS), 3u);
  EXPECT_EQ(Ticker(MULTISCAN_BLOCKS_PREFETCHED), 5u);
  // Direct reads are of whole pages: there is nothing between those.
  EXPECT_EQ(Ticker(MULTISCAN_IO_COALESCED_NONADJACENT),
            log_.is_direct ? 0u : 1u);
  if (!log_.is_direct) {
    EXPECT_EQ(Ticker(MULTISCAN_PREFETCH_BYTES), 13500u);
  }
}

TEST_P(PlannedReadsTest, DownwardsToo) {
  const std::vector<PlannedBlock> blocks{
      {600000, 4000}, {500000, 1000}, {499000, 1000}, {498000, 900}, {10, 90}};
  const auto planned = Plan(blocks);
  EXPECT_EQ(log_.Calls().size(), 3u);
  for (const PlannedBlock& block : blocks)
    EXPECT_TRUE(Read(planned.get(), block));
  EXPECT_EQ(log_.Calls().size(), 3u);
}

TEST_P(PlannedReadsTest, NoMoreThanTheLimitIsInMemory) {
  options_.max_bytes = 64 << 10;
  options_.coalesce_bytes = 0;
  std::vector<PlannedBlock> blocks;
  for (uint64_t i = 0; i < 30; ++i) blocks.push_back({i * 32768, 8192});
  const auto planned = Plan(blocks);
  EXPECT_EQ(log_.Calls().size(), 8u);
  EXPECT_EQ(bytes_left_, kAllowance - (64 << 10));
  EXPECT_EQ(Ticker(PREFETCH_MEMORY_BYTES_GRANTED), 64u << 10);
  EXPECT_EQ(Ticker(PREFETCH_MEMORY_BYTES_RELEASED), 0u);
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(Read(planned.get(), blocks[i]));
    EXPECT_GE(bytes_left_, kAllowance - (64 << 10));
    EXPECT_LE(Ticker(PREFETCH_MEMORY_BYTES_GRANTED) -
                  Ticker(PREFETCH_MEMORY_BYTES_RELEASED),
              64u << 10);
    // What is ahead is under way while this is used, or read in one go.
    if (is_async()) {
      EXPECT_EQ(log_.Calls().size(), std::min<size_t>(8 + i, 30));
    }
  }
  EXPECT_EQ(log_.Calls().size(), 30u);
  EXPECT_EQ(Ticker(MULTISCAN_PREFETCH_BLOCKS_WASTED), 0u);
}

TEST_P(PlannedReadsTest, OthersMayHaveTakenTheAllowance) {
  bytes_left_ = 100;
  const std::vector<PlannedBlock> blocks{{4096, 4096}, {40960, 4096}};
  auto planned = Plan(blocks);
  EXPECT_EQ(log_.Calls().size(), 0u);
  // What is asked for is read all the same, one span at a time.
  EXPECT_TRUE(Read(planned.get(), blocks[0]));
  EXPECT_EQ(log_.Calls().size(), 1u);
  EXPECT_EQ(bytes_left_, 100 - 4096);
  EXPECT_TRUE(Read(planned.get(), blocks[1]));
  EXPECT_EQ(bytes_left_, 100 - 4096);
  planned.reset();
  EXPECT_EQ(bytes_left_, 100);
  bytes_left_ = kAllowance;
}

// Two scans with room for three spans together.
TEST_P(PlannedReadsTest, ASharedRoomLimitsSeveralScans) {
  PrefetchRoom room(3 * 8192);
  options_.room = &room;
  options_.coalesce_bytes = 0;
  const std::vector<PlannedBlock> blocks{
      {0, 8192}, {32768, 8192}, {65536, 8192}, {98304, 8192}};
  auto first = Plan(blocks);
  EXPECT_EQ(log_.Calls().size(), 3u);
  EXPECT_EQ(room.held_bytes(), 3u * 8192);
  EXPECT_EQ(Ticker(PREFETCH_MEMORY_REQUESTS_BLOCKED), 1u);
  auto second = Plan(blocks);
  EXPECT_EQ(log_.Calls().size(), 3u) << "there is no room left";
  // What is needed at once is read all the same.
  EXPECT_TRUE(Read(second.get(), blocks[0]));
  EXPECT_EQ(room.held_bytes(), 4u * 8192);
  first.reset();
  EXPECT_EQ(room.held_bytes(), 8192u);
  for (const PlannedBlock& block : blocks) {
    EXPECT_TRUE(Read(second.get(), block));
    EXPECT_LE(room.held_bytes(), 3u * 8192);
  }
  second.reset();
  EXPECT_EQ(room.held_bytes(), 0u);
  EXPECT_EQ(bytes_left_, kAllowance);
}

// What nobody will ask for goes, or is not even fetched.
TEST_P(PlannedReadsTest, WhatIsReleasedIsLetGoOf) {
  options_.counts = std::make_shared<PlannedCounts>();
  options_.coalesce_bytes = 0;
  options_.max_bytes = 4 * 8192;
  const std::vector<PlannedBlock> blocks{{0, 4096},     {4096, 4096},
                                         {32768, 8192}, {65536, 8192},
                                         {98304, 8192}, {131072, 8192}};
  auto planned = Plan(blocks);
  EXPECT_TRUE(planned->IsFetched(0));
  EXPECT_TRUE(planned->IsFetched(32768));
  EXPECT_FALSE(planned->IsFetched(131072));
  EXPECT_FALSE(planned->IsFetched(7));
  const int64_t before = bytes_left_;
  planned->Release(0);
  EXPECT_FALSE(planned->IsFetched(0));
  EXPECT_EQ(bytes_left_, before) << "its neighbour is wanted";
  EXPECT_FALSE(Read(planned.get(), blocks[0]));
  EXPECT_TRUE(Read(planned.get(), blocks[1]));
  planned->Release(4096);
  EXPECT_EQ(bytes_left_, before + 8192);
  planned->Release(131072);
  planned->Release(7);
  for (size_t i = 2; i < 5; ++i) EXPECT_TRUE(Read(planned.get(), blocks[i]));
  EXPECT_FALSE(Read(planned.get(), blocks[5]));
  const PlannedCounts& counts = *options_.counts;
  EXPECT_EQ(counts.sync_reads + counts.async_reads, 4u);
  EXPECT_EQ(counts.blocks, 5u);
  EXPECT_EQ(counts.bytes, 4u * 8192);
  planned.reset();
  EXPECT_EQ(bytes_left_, kAllowance);
}

TEST(PrefetchRoomTest, WithoutALimitItOnlyCounts) {
  PrefetchRoom room(0);
  EXPECT_TRUE(room.TryAcquire(size_t{1} << 40));
  room.Acquire(7);
  EXPECT_EQ(room.held_bytes(), (size_t{1} << 40) + 7);
  room.Release(size_t{1} << 40);
  room.Release(7);
  EXPECT_EQ(room.held_bytes(), 0u);
}

TEST(PrefetchRoomTest, ThreadsTogetherStayWithinIt) {
  PrefetchRoom room(1000);
  EXPECT_FALSE(room.TryAcquire(1001));
  std::atomic<bool> was_above{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10000; ++round) {
        if (!room.TryAcquire(300)) continue;
        if (room.held_bytes() > 1000) was_above = true;
        room.Release(300);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(was_above.load());
  EXPECT_EQ(room.held_bytes(), 0u);
}

TEST_P(PlannedReadsTest, WhatIsPassedIsLetGoOf) {
  const std::vector<PlannedBlock> blocks{
      {0, 100}, {100, 100}, {100000, 100}, {200000, 100}, {300000, 100}};
  const auto planned = Plan(blocks);
  EXPECT_TRUE(Read(planned.get(), blocks[1]));
  EXPECT_TRUE(Read(planned.get(), blocks[3]));
  // Block 0 was not asked for, nor was block 2.
  EXPECT_EQ(Ticker(MULTISCAN_PREFETCH_BLOCKS_WASTED), 2u);
  EXPECT_FALSE(Read(planned.get(), blocks[0]));
  EXPECT_FALSE(Read(planned.get(), blocks[2]));
  EXPECT_TRUE(Read(planned.get(), blocks[3]));
  EXPECT_TRUE(Read(planned.get(), blocks[4]));
}

TEST_P(PlannedReadsTest, BytesThatNobodyAskedForAreCounted) {
  const std::vector<PlannedBlock> blocks{
      {0, 4000}, {4500, 1000}, {200000, 500}, {300000, 500}};
  auto planned = Plan(blocks);
  EXPECT_TRUE(Read(planned.get(), blocks[0]));
  EXPECT_TRUE(Read(planned.get(), blocks[1]));
  // A block that is read again was counted before.
  EXPECT_TRUE(Read(planned.get(), blocks[1]));
  EXPECT_TRUE(Read(planned.get(), blocks[3]));
  planned.reset();
  HistogramData discarded;
  statistics_.histogramData(PREFETCHED_BYTES_DISCARDED, &discarded);
  EXPECT_EQ(Ticker(MULTISCAN_PREFETCH_BYTES), 5500 + discarded.sum);
  // The gap and, where it has been read, the block that was passed over; or
  // what is beside the blocks in their pages.
  const uint64_t passed_over = is_async() ? 0 : log_.is_direct ? 4096 : 500;
  EXPECT_EQ(discarded.sum,
            passed_over + (log_.is_direct ? 8192 + 4096 - 5500 : 500));
}

TEST_P(PlannedReadsTest, OnlyWhatIsPlannedIsServed) {
  const auto planned = Plan({{1000, 100}, {1100, 100}, {1000, 100}});
  EXPECT_FALSE(Read(planned.get(), {1000, 200}));
  EXPECT_FALSE(Read(planned.get(), {1050, 50}));
  EXPECT_TRUE(Read(planned.get(), {1000, 100}));
  EXPECT_TRUE(Read(planned.get(), {1100, 100}));
}

TEST_P(PlannedReadsTest, FailuresAreLeftToTheCaller) {
  log_.fail_at = 1;
  log_.fail_count = 1;
  const std::vector<PlannedBlock> blocks{{0, 100}, {100000, 100}, {200000, 9}};
  const auto planned = Plan(blocks);
  EXPECT_TRUE(Read(planned.get(), blocks[0]));
  EXPECT_FALSE(Read(planned.get(), blocks[1]));
  EXPECT_FALSE(Read(planned.get(), blocks[1]));
  EXPECT_TRUE(Read(planned.get(), blocks[2]));
}

TEST_P(PlannedReadsTest, AFailedPollToo) {
  if (!is_async()) GTEST_SKIP() << "nothing is polled";
  const auto planned = Plan({{0, 100}, {100000, 100}});
  fs_.fails = true;
  EXPECT_FALSE(Read(planned.get(), {0, 100}));
  fs_.fails = false;
  EXPECT_TRUE(Read(planned.get(), {100000, 100}));
}

TEST_P(PlannedReadsTest, TheFileMayEndInABlock) {
  const uint64_t size = log_.content.size();
  const auto planned = Plan({{size - 300, 100}, {size - 200, 400}});
  EXPECT_TRUE(Read(planned.get(), {size - 300, 100}));
  Slice result;
  EXPECT_FALSE(planned->TryRead(IOOptions(), size - 200, 400, &result));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
