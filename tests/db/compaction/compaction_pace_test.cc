// The pace of deep compactions covers what users write and climbs with the
// compaction debt, without a step.
#include "db/compaction/compaction_pace.h"

#include <gtest/gtest.h>

#include "tests/db/compaction/level_text.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kDevice = 1'000'000'000;

double DeepBytes(const std::string& levels) {
  const LevelText text(levels, SmallLevelOptions());
  return DeepBytesPerIngestedByte(text.version->storage());
}

TEST(CompactionPaceTest, EveryLevelIsRewrittenByItsRatio) {
  EXPECT_EQ(DeepBytes(""), 0);
  EXPECT_EQ(DeepBytes("L0 1:[a-b]"), 0);
  EXPECT_EQ(DeepBytes("L1 1:[a-b]=100"), 0);
  // One byte of level 1 is read with five of level 2, and all are written.
  EXPECT_EQ(DeepBytes("L1 1:[a-b]=100; L2 2:[a-b]=500"), 12);
  EXPECT_EQ(DeepBytes("L1 1:[a-b]=100; L2 2:[a-b]=500; L3 3:[a-b]=1000"),
            12 + 6);
  // An empty level costs nothing, a small one is filled.
  EXPECT_EQ(DeepBytes("L2 2:[a-b]=500; L3 3:[a-b]=1000"), 6);
  EXPECT_EQ(DeepBytes("L1 1:[a-b]=1; L2 2:[a-b]=5000"), 42);
}

TEST(CompactionPaceTest, DebtFromWhichNothingIsSpread) {
  MutableCFOptions options{ColumnFamilyOptions()};
  options.max_bytes_for_level_base = 1000;
  options.soft_pending_compaction_bytes_limit = 0;
  EXPECT_EQ(DebtToRunFreely(options), 4000u);
  options.soft_pending_compaction_bytes_limit = 8000;
  EXPECT_EQ(DebtToRunFreely(options), 2000u);
  options.max_bytes_for_level_base = UINT64_MAX / 2;
  EXPECT_EQ(DebtToRunFreely(options), 2000u);
}

TEST(CompactionPaceTest, AsFastAsUsersWriteAndATenthMore) {
  CompactionPaceInput input;
  input.ingest_bytes_per_second = 10'000'000;
  input.deep_bytes_per_ingested_byte = 20;
  input.free_running_debt_bytes = 1000;
  input.device_bytes_per_second = kDevice;
  EXPECT_EQ(DeepCompactionRate(input), 220'000'000u);
  // Never less than a tenth of the device.
  input.ingest_bytes_per_second = 1;
  EXPECT_EQ(DeepCompactionRate(input), kDevice / 10);
  // Nor a limit that limits nothing.
  input.ingest_bytes_per_second = kDevice;
  EXPECT_EQ(DeepCompactionRate(input), 0u);
  input.ingest_bytes_per_second = 0;
  EXPECT_EQ(DeepCompactionRate(input), 0u);
}

TEST(CompactionPaceTest, ClimbsWithTheDebtWithoutAStep) {
  CompactionPaceInput input;
  input.ingest_bytes_per_second = 1;
  input.deep_bytes_per_ingested_byte = 20;
  input.free_running_debt_bytes = 1000;
  input.device_bytes_per_second = kDevice;
  uint64_t before = DeepCompactionRate(input);
  for (input.debt_bytes = 1; input.debt_bytes < 900; ++input.debt_bytes) {
    const uint64_t now = DeepCompactionRate(input);
    ASSERT_GT(now, before);
    // By what one part more of the rest takes: at most a hundredth more.
    ASSERT_LE(now, before + before / 99);
    before = now;
  }
  EXPECT_GT(before, kDevice * 95 / 100);
  for (const uint64_t debt : {900u, 999u, 1000u, 5000u}) {
    input.debt_bytes = debt;
    EXPECT_EQ(DeepCompactionRate(input), 0u) << debt;
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
