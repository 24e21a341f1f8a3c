// What a thread measures for itself: perf context, I/O statistics, status.

#include <gtest/gtest.h>

#include <thread>

#include "monitoring/iostats_context_imp.h"
#include "monitoring/perf_context_imp.h"
#include "rocksdb/thread_status.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PerfContextTest : public testing::Test {
 protected:
  void SetUp() override {
    SetPerfLevel(kEnableCount);
    get_perf_context()->Reset();
    get_perf_context()->ClearPerLevelPerfContext();
  }
  void TearDown() override { SetUp(); }
};

TEST_F(PerfContextTest, CountsFromTheLevelOn) {
  EXPECT_EQ(kEnableCount, GetPerfLevel());
  PERF_COUNTER_ADD(block_read_count, 2);
  SetPerfLevel(kDisable);
  PERF_COUNTER_ADD(block_read_count, 5);
  EXPECT_EQ(2u, get_perf_context()->block_read_count);
  SetPerfLevel(kOutOfBounds);
  EXPECT_EQ(kDisable, GetPerfLevel());
  get_perf_context()->Reset();
  EXPECT_EQ(0u, get_perf_context()->block_read_count);
}

TEST_F(PerfContextTest, TimersFromTheirLevelOn) {
  {
    PERF_TIMER_GUARD(block_read_time);
    PERF_TIMER_WAIT_GUARD(write_delay_time);
  }
  EXPECT_EQ(0u, get_perf_context()->block_read_time);
  SetPerfLevel(kEnableWait);
  const auto spin = [] {
    const uint64_t start = PerfNowNanos();
    while (PerfNowNanos() == start) {
    }
  };
  {
    PERF_TIMER_GUARD(block_read_time);
    PERF_TIMER_WAIT_GUARD(write_delay_time);
    spin();
  }
  EXPECT_EQ(0u, get_perf_context()->block_read_time);
  EXPECT_GT(get_perf_context()->write_delay_time, 0u);
  SetPerfLevel(kEnableTime);
  {
    PERF_TIMER_GUARD(block_read_time);
    PERF_CPU_TIMER_GUARD(get_cpu_nanos);
    spin();
    PERF_TIMER_MEASURE(block_read_time);
    PERF_TIMER_STOP(block_read_time);
    const uint64_t stopped = get_perf_context()->block_read_time;
    EXPECT_GT(stopped, 0u);
    spin();
    PERF_TIMER_STOP(block_read_time);
    EXPECT_EQ(stopped, get_perf_context()->block_read_time);
    const uint64_t cpu = PerfThreadCpuNanos();
    while (PerfThreadCpuNanos() == cpu) {
    }
  }
  EXPECT_GT(get_perf_context()->get_cpu_nanos, 0u);
}

TEST_F(PerfContextTest, Text) {
  EXPECT_EQ("", get_perf_context()->ToString(true));
  PERF_COUNTER_ADD(user_key_comparison_count, 3);
  PERF_COUNTER_ADD(bloom_sst_hit_count, 1);
  EXPECT_EQ("user_key_comparison_count = 3, bloom_sst_hit_count = 1",
            get_perf_context()->ToString(true));
  const std::string all = get_perf_context()->ToString();
  EXPECT_TRUE(all.starts_with("user_key_comparison_count = 3, "));
  EXPECT_NE(std::string::npos, all.find("block_read_count = 0, "));
}

TEST_F(PerfContextTest, ByLevelWhenAskedFor) {
  PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 1, 0);
  PerfContext* const context = get_perf_context();
  EXPECT_EQ(nullptr, context->level_to_perf_context);
  context->EnablePerLevelPerfContext();
  PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 1, 0);
  PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 2, 5);
  EXPECT_EQ(2u, (*context->level_to_perf_context)[5].bloom_filter_useful);
  EXPECT_EQ("bloom_filter_useful = 1@level0, 2@level5",
            context->ToString(true));
  const PerfContext copy = *context;
  context->Reset();
  EXPECT_EQ(0u, (*context->level_to_perf_context)[5].bloom_filter_useful);
  EXPECT_EQ(2u, (*copy.level_to_perf_context)[5].bloom_filter_useful);
  context->DisablePerLevelPerfContext();
  PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 1, 0);
  EXPECT_EQ(0u, (*context->level_to_perf_context)[0].bloom_filter_useful);
}

TEST_F(PerfContextTest, EachThreadHasItsOwn) {
  PERF_COUNTER_ADD(block_read_count, 1);
  std::thread([] {
    EXPECT_EQ(0u, get_perf_context()->block_read_count);
    get_perf_context()->EnablePerLevelPerfContext();
    PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 1, 1);
  }).join();
  EXPECT_EQ(1u, get_perf_context()->block_read_count);
}

TEST(IOStatsContextTest, CountsUnlessDisabled) {
  get_iostats_context()->Reset();
  IOSTATS_ADD(bytes_read, 10);
  IOSTATS_SET_DISABLE(true);
  IOSTATS_ADD(bytes_read, 10);
  IOSTATS_SET_DISABLE(false);
  EXPECT_EQ(10u, get_iostats_context()->bytes_read);
  EXPECT_EQ(10u, IOSTATS(bytes_read));
  EXPECT_EQ("thread_pool_id = 4, bytes_read = 10",
            get_iostats_context()->ToString(true));
  get_iostats_context()->Reset();
  EXPECT_EQ(0u, get_iostats_context()->bytes_read);
}

TEST(ThreadStatusTest, Names) {
  EXPECT_EQ("High Pri",
            ThreadStatus::GetThreadTypeName(ThreadStatus::HIGH_PRIORITY));
  EXPECT_EQ("Compaction",
            ThreadStatus::GetOperationName(ThreadStatus::OP_COMPACTION));
  EXPECT_EQ("", ThreadStatus::GetOperationName(ThreadStatus::NUM_OP_TYPES));
  EXPECT_EQ("FlushJob::Run",
            ThreadStatus::GetOperationStageName(ThreadStatus::STAGE_FLUSH_RUN));
  EXPECT_EQ("Mutex Wait",
            ThreadStatus::GetStateName(ThreadStatus::STATE_MUTEX_WAIT));
  EXPECT_EQ("JobID",
            ThreadStatus::GetOperationPropertyName(ThreadStatus::OP_FLUSH, 0));
  EXPECT_EQ("", ThreadStatus::MicrosToString(0));
}

TEST(ThreadStatusTest, CompactionPropertiesTakenApart) {
  const uint64_t properties[] = {7, (uint64_t{2} << 32) | 3, 5, 100, 50, 40};
  const auto map = ThreadStatus::InterpretOperationProperties(
      ThreadStatus::OP_COMPACTION, properties);
  EXPECT_EQ(7u, map.at("JobID"));
  EXPECT_EQ(2u, map.at("BaseInputLevel"));
  EXPECT_EQ(3u, map.at("OutputLevel"));
  EXPECT_EQ(1u, map.at("IsManual"));
  EXPECT_EQ(0u, map.at("IsDeletion"));
  EXPECT_EQ(1u, map.at("IsTrivialMove"));
  EXPECT_EQ(40u, map.at("BytesWritten"));
}

TEST_F(PerfContextTest, AddedUpAndCopied) {
  PerfContext* const context = get_perf_context();
  context->EnablePerLevelPerfContext();
  PERF_COUNTER_ADD(block_read_count, 2);
  PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 3, 1);
  PerfContext sum;
  sum.block_read_count = 5;
  sum.Merge(*context);
  sum.Merge(*context);
  EXPECT_EQ(9u, sum.block_read_count);
  ASSERT_NE(nullptr, sum.level_to_perf_context);
  EXPECT_EQ(6u, (*sum.level_to_perf_context)[1].bloom_filter_useful);
  EXPECT_EQ(2u, context->block_read_count);

  PerfContext copy;
  copy.copyMetrics(&sum);
  (*sum.level_to_perf_context)[1].Reset();
  EXPECT_EQ(9u, copy.block_read_count);
  EXPECT_EQ(6u, (*copy.level_to_perf_context)[1].bloom_filter_useful);
  PerfContext moved(std::move(copy));
  EXPECT_EQ(9u, moved.block_read_count);
  EXPECT_EQ(6u, (*moved.level_to_perf_context)[1].bloom_filter_useful);
  moved = std::move(sum);
  EXPECT_EQ(0u, (*moved.level_to_perf_context)[1].bloom_filter_useful);
  moved = PerfContext();
  EXPECT_EQ(0u, moved.block_read_count);
  context->ClearPerLevelPerfContext();
  EXPECT_EQ(nullptr, context->level_to_perf_context);
}

TEST(IOStatsMergeTest, AddsAllCounts) {
  IOStatsContext one;
  one.bytes_read = 3;
  one.fsync_nanos = 4;
  one.file_io_stats_by_temperature.cold_file_read_count = 5;
  IOStatsContext sum = one;
  sum.thread_pool_id = 1;
  sum.Merge(one);
  EXPECT_EQ(6u, sum.bytes_read);
  EXPECT_EQ(8u, sum.fsync_nanos);
  EXPECT_EQ(10u, sum.file_io_stats_by_temperature.cold_file_read_count);
  EXPECT_EQ(1u, sum.thread_pool_id) << "who the thread is, not what it did";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
