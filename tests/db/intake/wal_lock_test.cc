// While a user has locked the log nobody writes, work that needs it at rest
// still goes on, and a closing database waits for no lock.
#include "db/intake/wal_lock.h"

#include <gtest/gtest.h>

#include <thread>

#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/write/exclusive.h"
#include "db/write/leader_attention.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LogAtRestTest : public ::testing::Test {
 protected:
  Status Take() {
    return lock_.Take([this] {
      ++settled_;
      return settling_;
    });
  }
  Status Await(bool may_wait) {
    MutexLock held(&mutex_);
    return lock_.Await(&writes_, may_wait);
  }
  bool IsTaken() {
    MutexLock held(&mutex_);
    return lock_.IsTaken();
  }

  Mutex mutex_;
  WriteThread writes_{1 << 20, YieldingWait::Limits()};
  WriteThread log_only_{1 << 20, YieldingWait::Limits()};
  ChangeSignal changes_{&mutex_};
  LeaderAttention attention_;
  StopSignals stop_;
  WalLock lock_{{.mutex = &mutex_,
                 .writes = &writes_,
                 .log_only = &log_only_,
                 .changes = &changes_,
                 .attention = &attention_,
                 .stop = &stop_}};
  Status settling_;
  int settled_ = 0;
};

TEST_F(LogAtRestTest, IsGivenBackAsOftenAsItWasTaken) {
  ASSERT_TRUE(Take().ok());
  ASSERT_TRUE(Take().ok());
  EXPECT_EQ(settled_, 1);  // The log rests already.
  ASSERT_TRUE(lock_.GiveBack().ok());
  EXPECT_TRUE(IsTaken());
  ASSERT_TRUE(lock_.GiveBack().ok());
  EXPECT_FALSE(IsTaken());
  EXPECT_TRUE(lock_.GiveBack().IsAborted());
}

TEST_F(LogAtRestTest, NobodyHasItWhenTheLogCannotBeSettled) {
  settling_ = Status::IOError("no room");
  EXPECT_TRUE(Take().IsIOError());
  EXPECT_FALSE(IsTaken());
  EXPECT_TRUE(Await(/*may_wait=*/false).ok());
}

// Whoever has the lock would wait for the writers that wait for its end.
TEST_F(LogAtRestTest, WorkIsDoneUnderTheLock) {
  ASSERT_TRUE(Take().ok());
  EXPECT_TRUE(attention_.IsAsked());
  bool was_done = false;
  const Status s = lock_.WithLogAtRest([&] {
    was_done = true;
    // Writers stay out until it is done, even if the lock has gone.
    EXPECT_TRUE(lock_.GiveBack().ok());
    EXPECT_FALSE(IsTaken());
    EXPECT_TRUE(Await(/*may_wait=*/false).IsIncomplete());
    return Status::Busy();
  });
  EXPECT_TRUE(was_done);
  EXPECT_TRUE(s.IsBusy());
  EXPECT_TRUE(Await(/*may_wait=*/false).ok());
}

TEST_F(LogAtRestTest, WithoutTheLockWorkLeadsAllWrites) {
  const Status s = lock_.WithLogAtRest([&] {
    EXPECT_TRUE(writes_.HasExclusive());
    EXPECT_TRUE(log_only_.HasExclusive());
    return Status::OK();
  });
  EXPECT_TRUE(s.ok());
  EXPECT_FALSE(writes_.HasExclusive());
}

TEST_F(LogAtRestTest, ALeaderWaitsForTheLastToGiveItBack) {
  ASSERT_TRUE(Take().ok());
  ASSERT_TRUE(Take().ok());
  Status s = Status::Busy();
  std::thread leader([&] {
    const Exclusive leads(&writes_);
    s = Await(/*may_wait=*/true);
  });
  ASSERT_TRUE(lock_.GiveBack().ok());
  EXPECT_TRUE(Await(/*may_wait=*/false).IsIncomplete());
  ASSERT_TRUE(lock_.GiveBack().ok());
  leader.join();
  EXPECT_TRUE(s.ok());
}

TEST_F(LogAtRestTest, ALeaderDoesNotWaitForADatabaseThatCloses) {
  ASSERT_TRUE(Take().ok());
  stop_.ShutDown();
  EXPECT_TRUE(Await(/*may_wait=*/true).IsShutdownInProgress());
  lock_.Break();
  EXPECT_TRUE(Await(/*may_wait=*/true).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
