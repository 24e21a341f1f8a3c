// Which figures of a family slow writers down or stop them, how hard, and what
// the log says of it; the rate falls without a cliff.
#include "db/registry/write_stall.h"

#include <gtest/gtest.h>

#include "db/write/ingest_rate.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MutableCFOptions StallLimits() {
  ColumnFamilyOptions options;
  options.max_write_buffer_number = 5;
  options.level0_slowdown_writes_trigger = 20;
  options.level0_stop_writes_trigger = 36;
  options.soft_pending_compaction_bytes_limit = 1000;
  options.hard_pending_compaction_bytes_limit = 5000;
  return MutableCFOptions(options);
}

TEST(WriteStallTest, Cases) {
  using Condition = WriteStallCondition;
  using Cause = WriteStallCause;
  struct Case {
    StallInput input;
    Condition condition;
    Cause cause;
    double debt;
  };
  const Case cases[] = {
      {{0, 0, 0}, Condition::kNormal, Cause::kNone, 0},
      {{3, 19, 999}, Condition::kNormal, Cause::kNone, 0},
      {{4, 0, 0}, Condition::kDelayed, Cause::kMemtableLimit, 0.5},
      {{5, 0, 0}, Condition::kStopped, Cause::kMemtableLimit, 1},
      // Those that are to be flushed together are no sign of delay.
      {{4, 0, 0, 4}, Condition::kNormal, Cause::kNone, 0},
      {{5, 0, 0, 4}, Condition::kStopped, Cause::kMemtableLimit, 1},
      {{0, 20, 0}, Condition::kDelayed, Cause::kL0FileCountLimit, 1.0 / 16},
      {{0, 35, 0}, Condition::kDelayed, Cause::kL0FileCountLimit, 1},
      {{0, 36, 0}, Condition::kStopped, Cause::kL0FileCountLimit, 1},
      {{0, 0, 3000},
       Condition::kDelayed,
       Cause::kPendingCompactionBytes,
       2001.0 / 4000},
      {{0, 0, 5000}, Condition::kStopped, Cause::kPendingCompactionBytes, 1},
      // The worst counts.
      {{4, 21, 4900},
       Condition::kDelayed,
       Cause::kPendingCompactionBytes,
       3901.0 / 4000},
      {{5, 36, 5000}, Condition::kStopped, Cause::kMemtableLimit, 1},
  };
  for (const Case& c : cases) {
    const StallDecision decision = DecideStall(c.input, StallLimits());
    SCOPED_TRACE(testing::Message() << c.input.immutable_memtable_count << " "
                                    << c.input.level0_file_count << " "
                                    << c.input.pending_compaction_bytes);
    EXPECT_EQ(decision.condition, c.condition);
    EXPECT_EQ(decision.cause, c.cause);
    EXPECT_DOUBLE_EQ(decision.debt, c.debt);
  }
}

// As RocksDB's LOG has it, and behind that the cause's name.
TEST(WriteStallTest, TextsForTheLog) {
  const auto text = [](const StallInput& input) {
    return StallText(input, StallLimits(), DecideStall(input, StallLimits()),
                     777);
  };
  EXPECT_EQ(text({4, 0, 0}),
            "Stalling writes because we have 4 immutable memtables (waiting "
            "for flush), max_write_buffer_number is set to 5 rate 777 "
            "(memtable-limit)");
  EXPECT_EQ(text({5, 0, 0}),
            "Stopping writes because we have 5 immutable memtables (waiting "
            "for flush), max_write_buffer_number is set to 5 (memtable-limit)");
  EXPECT_EQ(text({0, 20, 0}),
            "Stalling writes because we have 20 level-0 files rate 777 "
            "(l0-file-count-limit)");
  EXPECT_EQ(text({0, 36, 0}),
            "Stopping writes because we have 36 level-0 files "
            "(l0-file-count-limit)");
  EXPECT_EQ(text({0, 0, 3000}),
            "Stalling writes because of estimated pending compaction bytes "
            "3000 rate 777 (pending-compaction-bytes)");
  EXPECT_EQ(text({0, 0, 5000}),
            "Stopping writes because of estimated pending compaction bytes "
            "5000 (pending-compaction-bytes)");
}

TEST(WriteStallTest, ManualCompactionAloneWaitsForMemtables) {
  MutableCFOptions options = StallLimits();
  options.disable_auto_compactions = true;
  EXPECT_EQ(DecideStall({0, 100, 100000}, options).condition,
            WriteStallCondition::kNormal);
  EXPECT_EQ(DecideStall({5, 0, 0}, options).condition,
            WriteStallCondition::kStopped);
}

TEST(WriteStallTest, TheRateFallsWithoutACliff) {
  const DelayRates rates{.before = 600 << 20, .delayed_write_rate = 16 << 20};
  EXPECT_EQ(DelayedWriteRate(rates, 0), 600u << 20);
  EXPECT_EQ(DelayedWriteRate(rates, 0.5), 16u << 20);
  EXPECT_EQ(DelayedWriteRate(rates, 1), 1u << 20);
  uint64_t before = DelayedWriteRate(rates, 0);
  for (int i = 1; i <= 1000; ++i) {
    const uint64_t rate = DelayedWriteRate(rates, i / 1000.0);
    EXPECT_LT(rate, before);
    EXPECT_LE(before - rate, 2u << 20) << i;
    before = rate;
  }
}

TEST(WriteStallTest, NobodyIsSlowedBelowWhatIsAskedFor) {
  // A writer that is slower than the option is not sped up, nor held back.
  const DelayRates rates{.before = 0, .delayed_write_rate = 16 << 20};
  EXPECT_EQ(DelayedWriteRate(rates, 0), 16u << 20);
  EXPECT_EQ(DelayedWriteRate(rates, 0.5), 16u << 20);
  EXPECT_EQ(DelayedWriteRate({.before = 0, .delayed_write_rate = 1}, 1), 1u);
}

TEST(IngestRateTest, Smooths) {
  IngestRate rate;
  EXPECT_EQ(rate.bytes_per_second(), 0u);
  rate.Note(1000, 1'000'000, true);
  EXPECT_EQ(rate.bytes_per_second(), 0u);
  rate.Note(1000, 2'000'000, true);
  EXPECT_EQ(rate.bytes_per_second(), 1000u);
  rate.Note(4000, 3'000'000, true);
  EXPECT_EQ(rate.bytes_per_second(), 2000u);
  // What a slowdown lets through says nothing of what users want.
  rate.Note(1, 4'000'000, false);
  EXPECT_EQ(rate.bytes_per_second(), 2000u);
  rate.Note(2000, 5'000'000, true);
  EXPECT_EQ(rate.bytes_per_second(), 2000u);
  // A clock that was set back.
  rate.Note(2000, 1'000'000, true);
  EXPECT_EQ(rate.bytes_per_second(), 2000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
