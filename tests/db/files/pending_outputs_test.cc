// A file that is being made is safe from clean-up for as long as any hold on
// its number lives.
#include "db/files/pending_outputs.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(PendingOutputsTest, TheOldestHoldCounts) {
  PendingOutputs pending;
  EXPECT_EQ(pending.First(), UINT64_MAX);
  PendingOutputs::Hold late = pending.HoldFrom(9);
  PendingOutputs::Hold early = pending.HoldFrom(5);
  PendingOutputs::Hold same = pending.HoldFrom(5);
  EXPECT_EQ(pending.First(), 5u);
  early.reset();
  EXPECT_EQ(pending.First(), 5u);
  same.reset();
  EXPECT_EQ(pending.First(), 9u);
  late.reset();
  EXPECT_EQ(pending.First(), UINT64_MAX);
}

// A job hands its context on.
TEST(PendingOutputsTest, CopiesHoldToo) {
  PendingOutputs pending;
  PendingOutputs::Hold hold = pending.HoldFrom(3);
  const PendingOutputs::Hold copy = hold;
  hold.reset();
  EXPECT_EQ(pending.First(), 3u);
}

TEST(PendingOutputsTest, AHoldMayOutliveIt) {
  PendingOutputs::Hold hold;
  {
    PendingOutputs pending;
    hold = pending.HoldFrom(3);
  }
  hold.reset();
  EXPECT_EQ(hold, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
