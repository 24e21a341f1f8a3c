// Jobs learn that they are to stop from a shutdown, an abort or a disabled
// manual compaction, each with its own answer, and only a shutdown is for good.
#include "db/background/stop_signals.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StopSignalsTest, NothingStopsAtFirst) {
  StopSignals stop;
  EXPECT_FALSE(stop.IsShuttingDown());
  EXPECT_FALSE(stop.IsAborting());
  EXPECT_TRUE(stop.CheckManual().ok());
  EXPECT_FALSE(stop.EndAbort());
}

TEST(StopSignalsTest, AbortsAreCounted) {
  StopSignals stop;
  stop.BeginAbort();
  stop.BeginAbort();
  EXPECT_EQ(stop.abort_count(), 2);
  EXPECT_TRUE(stop.CheckManual().IsCompactionAborted());
  EXPECT_TRUE(stop.EndAbort());
  EXPECT_TRUE(stop.IsAborting());
  EXPECT_EQ(stop.aborts()->load(), 1);
  EXPECT_TRUE(stop.EndAbort());
  EXPECT_FALSE(stop.EndAbort());
  EXPECT_EQ(stop.abort_count(), 0);
  EXPECT_TRUE(stop.CheckManual().ok());
}

TEST(StopSignalsTest, AnEnableCancelsTheNextDisable) {
  StopSignals stop;
  EXPECT_TRUE(stop.DisableManual());
  EXPECT_TRUE(stop.CheckManual().IsManualCompactionPaused());
  EXPECT_GT(stop.disablers()->load(), 0);
  stop.EnableManual();
  EXPECT_TRUE(stop.CheckManual().ok());
  stop.EnableManual();
  EXPECT_FALSE(stop.DisableManual());
  EXPECT_TRUE(stop.CheckManual().ok());
  EXPECT_TRUE(stop.DisableManual());
  EXPECT_TRUE(stop.CheckManual().IsManualCompactionPaused());
}

TEST(StopSignalsTest, AnAbortIsToldBeforeADisable) {
  StopSignals stop;
  EXPECT_TRUE(stop.DisableManual());
  stop.BeginAbort();
  EXPECT_TRUE(stop.CheckManual().IsCompactionAborted());
}

TEST(StopSignalsTest, AShutdownIsForGood) {
  StopSignals stop;
  stop.ShutDown();
  EXPECT_TRUE(stop.IsShuttingDown());
  EXPECT_TRUE(stop.shutting_down()->load());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
