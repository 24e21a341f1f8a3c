// A running job sees every way in which it may be told to stop, and answers
// with the right status.
#include "db/tables/stop_token.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StopTokenTest, NobodyStops) {
  StopToken token;
  EXPECT_FALSE(token.MustStop());
  EXPECT_FALSE(token.IsShuttingDown());
  EXPECT_TRUE(token.Check().ok());
  const std::atomic<bool> no{false};
  const std::atomic<int> none{0};
  const std::atomic<int> below{-1};
  token = {&no, &no, &below, &none, &none};
  EXPECT_FALSE(token.MustStop());
  EXPECT_TRUE(token.Check().ok());
}

TEST(StopTokenTest, EachStopsInItsWay) {
  const std::atomic<bool> yes{true};
  const std::atomic<int> one{1};
  const StopToken closing{.shutting_down = &yes};
  EXPECT_TRUE(closing.MustStop());
  EXPECT_TRUE(closing.IsShuttingDown());
  EXPECT_TRUE(closing.Check().IsShutdownInProgress());
  for (const StopToken& aborted :
       {StopToken{.aborts = &one}, StopToken{.family_aborts = &one}}) {
    EXPECT_TRUE(aborted.MustStop());
    EXPECT_FALSE(aborted.IsShuttingDown());
    EXPECT_TRUE(aborted.Check().IsCompactionAborted());
  }
  for (const StopToken& paused :
       {StopToken{.canceled = &yes}, StopToken{.disablers = &one}}) {
    EXPECT_TRUE(paused.MustStop());
    EXPECT_TRUE(paused.Check().IsManualCompactionPaused());
  }
}

// A database that is closed answers so, whatever else there is.
TEST(StopTokenTest, ClosingGoesBeforeTheOthers) {
  const std::atomic<bool> yes{true};
  const std::atomic<int> one{1};
  EXPECT_TRUE(
      (StopToken{&yes, &yes, &one, &one, &one}).Check().IsShutdownInProgress());
  EXPECT_TRUE((StopToken{.canceled = &yes, .aborts = &one})
                  .Check()
                  .IsCompactionAborted());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
