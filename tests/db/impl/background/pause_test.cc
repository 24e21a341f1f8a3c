// PauseBackgroundWork() beside jobs: those that run come to their end, none
// begins until it is continued.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What happens, in order; and a gate that compactions stop at.
class Events : public EventListener, public CompactionFilter {
 public:
  const char* Name() const override { return "Events"; }
  void OnFlushCompleted(DB*, const FlushJobInfo&) override { Note("flush"); }
  void OnCompactionCompleted(DB*, const CompactionJobInfo&) override {
    Note("compaction");
  }
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    MutexLock lock(&mutex_);
    ++come_;
    changed_.SignalAll();
    while (!is_open_) changed_.Wait();
    return false;
  }
  void Note(const std::string& event) {
    MutexLock lock(&mutex_);
    events_ += event + " ";
  }
  void AwaitCompaction() {
    MutexLock lock(&mutex_);
    while (come_ == 0) changed_.Wait();
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }
  std::string Take() {
    MutexLock lock(&mutex_);
    return std::exchange(events_, "");
  }

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_{&mutex_};
  mutable int come_ = 0;
  bool is_open_ = false;
  std::string events_;
};

// Keeps background jobs back until they are let go.
class HeldJobs : public EnvWrapper {
 public:
  HeldJobs() : EnvWrapper(Env::Default()) {}
  const char* Name() const override { return "HeldJobs"; }

  void Schedule(void (*function)(void* arg), void* arg, Priority pri, void* tag,
                void (*unschedule_function)(void* arg)) override {
    MutexLock lock(&mutex_);
    if (is_holding_) {
      held_.emplace_back(function, arg);
    } else {
      target()->Schedule(function, arg, pri, tag, unschedule_function);
    }
  }
  void Hold() {
    MutexLock lock(&mutex_);
    is_holding_ = true;
  }
  // Runs what was held, here; returns how many that was.
  size_t RunHeld() {
    std::vector<std::pair<void (*)(void*), void*>> jobs;
    {
      MutexLock lock(&mutex_);
      is_holding_ = false;
      jobs.swap(held_);
    }
    for (const auto& [function, arg] : jobs) function(arg);
    return jobs.size();
  }

 private:
  Mutex mutex_;
  bool is_holding_ = false;
  std::vector<std::pair<void (*)(void*), void*>> held_;
};

class PauseTest : public DbFixture {
 protected:
  PauseTest() : events_(std::make_shared<Events>()) {
    options_.env = &env_;
    options_.level0_file_num_compaction_trigger = 2;
    options_.listeners = {events_};
    options_.compaction_filter = events_.get();
  }
  ~PauseTest() override { db_.reset(); }

  void FlushTwice() {
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(Put("key", std::to_string(i)));
      ASSERT_OK(Flush());
    }
  }
  Status FlushLater() {
    FlushOptions options;
    options.wait = false;
    return db_->Flush(options);
  }
  uint64_t Number(const std::string& name) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb." + name, &value)) << name;
    return value;
  }

  HeldJobs env_;
  const std::shared_ptr<Events> events_;
};

TEST_F(PauseTest, WaitsForTheCompactionThatRuns) {
  Open();
  FlushTwice();
  events_->AwaitCompaction();
  EXPECT_EQ(Number("num-running-compactions"), 1u);
  EXPECT_EQ(events_->Take(), "flush flush ");
  std::thread pauser([this] {
    EXPECT_OK(db_->PauseBackgroundWork());
    events_->Note("paused");
  });
  events_->Open();
  pauser.join();
  EXPECT_EQ(events_->Take(), "compaction paused ");
  EXPECT_EQ(Number("num-running-compactions"), 0u);
  EXPECT_EQ(FilesAt(0), 0);
  ASSERT_OK(db_->ContinueBackgroundWork());
}

TEST_F(PauseTest, NothingIsFlushedUntilItIsContinuedAsOftenAsPaused) {
  events_->Open();
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(FlushLater());
  ASSERT_OK(db_->ContinueBackgroundWork());
  EXPECT_EQ(Number("num-immutable-mem-table"), 1u);
  EXPECT_EQ(Number("mem-table-flush-pending"), 1u);
  EXPECT_EQ(Number("num-running-flushes"), 0u);
  EXPECT_EQ(events_->Take(), "");
  EXPECT_EQ(Get("key"), "value");
  ASSERT_OK(db_->ContinueBackgroundWork());
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(events_->Take(), "flush ");
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_TRUE(db_->ContinueBackgroundWork().IsInvalidArgument());
}

TEST_F(PauseTest, AJobThatWasOnItsWayDoesNothing) {
  events_->Open();
  Open();
  ASSERT_OK(Put("key", "0"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  env_.Hold();
  ASSERT_OK(Put("key", "1"));
  ASSERT_OK(FlushLater());
  ASSERT_OK(db_->PauseBackgroundWork());
  EXPECT_EQ(env_.RunHeld(), 1u);
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_EQ(Number("mem-table-flush-pending"), 1u);
  ASSERT_OK(db_->ContinueBackgroundWork());
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(Get("key"), "1");
}

TEST_F(PauseTest, ACompactionThatAUserAskedForWaitsToo) {
  events_->Open();
  options_.disable_auto_compactions = true;
  Open();
  FlushTwice();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  events_->Take();
  ASSERT_OK(db_->PauseBackgroundWork());
  std::thread user([this] { EXPECT_OK(CompactAll()); });
  EXPECT_EQ(FilesAt(0), 2);
  events_->Note("continue");
  ASSERT_OK(db_->ContinueBackgroundWork());
  user.join();
  EXPECT_EQ(events_->Take().find("continue "), 0u);
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(PauseTest, WhoeverWaitsAfterAFlushDoesNotOutwaitTheirOptions) {
  events_->Open();
  Open();
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(db_->PauseBackgroundWork());
  WaitForCompactOptions wait;
  wait.flush = true;
  wait.timeout = std::chrono::microseconds(1);
  EXPECT_TRUE(db_->WaitForCompact(wait).IsTimedOut());
  wait.timeout = std::chrono::microseconds::zero();
  wait.abort_on_pause = true;
  EXPECT_TRUE(db_->WaitForCompact(wait).IsAborted());
  EXPECT_EQ(FilesAt(0), 0);
  ASSERT_OK(db_->ContinueBackgroundWork());
  EXPECT_OK(db_->WaitForCompact(wait));
  EXPECT_EQ(FilesAt(0), 1);
}

// A compaction stands at the gate, and a flush would slow writers down.
TEST_F(PauseTest, WhoeverWaitsForRoomDoesNotOutwaitTheirOptions) {
  options_.level0_slowdown_writes_trigger = 2;
  Open();
  FlushTwice();
  events_->AwaitCompaction();
  ASSERT_OK(Put("key", "2"));
  WaitForCompactOptions wait;
  wait.flush = true;
  wait.timeout = std::chrono::milliseconds(1);
  EXPECT_TRUE(db_->WaitForCompact(wait).IsTimedOut());
  wait.timeout = std::chrono::microseconds::zero();
  wait.abort_on_pause = true;
  std::thread pauser([this] { EXPECT_OK(db_->PauseBackgroundWork()); });
  EXPECT_TRUE(db_->WaitForCompact(wait).IsAborted());
  EXPECT_EQ(Number("num-immutable-mem-table"), 0u) << "no flush has begun";
  events_->Open();
  pauser.join();
  ASSERT_OK(db_->ContinueBackgroundWork());
  EXPECT_OK(db_->WaitForCompact(wait));
  EXPECT_EQ(Number("num-entries-active-mem-table"), 0u);
  EXPECT_EQ(Get("key"), "2");
}

TEST_F(PauseTest, APausedDatabaseCloses) {
  events_->Open();
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(db_->Close());
  Reopen();
  EXPECT_EQ(Get("key"), "value");
}

// Nobody is left who could end the pause.
TEST_F(PauseTest, APausedDatabaseFlushesWhatNoLogHoldsAndCloses) {
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  events_->Open();
  Open();
  FlushTwice();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(db_->Put(unlogged, "other", "value"));
  ASSERT_OK(db_->Close());
  Reopen();
  EXPECT_EQ(Get("other"), "value");
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(db_->Put(unlogged, "third", "value"));
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  Reopen();
  EXPECT_EQ(Get("third"), "value");
}

// CancelAllBackgroundWork(): what it does not wait for runs on.
TEST_F(PauseTest, CancelingWaitsIfItIsToldTo) {
  Open();
  FlushTwice();
  events_->AwaitCompaction();
  CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  EXPECT_EQ(Number("num-running-compactions"), 1u);
  std::thread canceler([this] {
    CancelAllBackgroundWork(db_.get(), /*wait=*/true);
    EXPECT_EQ(Number("num-running-compactions"), 0u);
  });
  events_->Open();
  canceler.join();
  EXPECT_EQ(Get("key"), "1");
  Reopen();
  EXPECT_EQ(Get("key"), "1");
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0) << "what was canceled is not made up for";
}

// Canceling flushes like Close(), unless avoid_flush_during_shutdown is set.
TEST_F(PauseTest, CancelingFlushesWhatNoLogHolds) {
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (const bool avoids : {false, true}) {
    SCOPED_TRACE(avoids);
    events_->Open();
    options_.avoid_flush_during_shutdown = avoids;
    Open();
    ASSERT_OK(db_->Put(unlogged, "key", "value"));
    CancelAllBackgroundWork(db_.get(), /*wait=*/true);
    EXPECT_EQ(FilesAt(0), avoids ? 0 : 1);
    ASSERT_OK(db_->Close());
    Reopen();
    EXPECT_EQ(Get("key"), avoids ? "NOT_FOUND" : "value");
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(PauseTest, AfterCancelingNothingIsFlushedOrCompacted) {
  for (const bool waits : {false, true}) {
    SCOPED_TRACE(waits);
    events_->Open();
    options_.write_buffer_size = 64 << 10;
    Open();
    ASSERT_OK(Put("first", "1"));
    CancelAllBackgroundWork(db_.get(), waits);
    EXPECT_EQ(Get("first"), "1");
    EXPECT_TRUE(Flush().IsShutdownInProgress());
    EXPECT_TRUE(CompactAll().IsShutdownInProgress());
    // Writes go on until they need a flush.
    Status s;
    int written = 0;
    for (; written < 200; ++written) {
      s = Put("k" + std::to_string(written), std::string(1000, 'v'));
      if (!s.ok()) break;
    }
    EXPECT_TRUE(s.IsShutdownInProgress()) << s.ToString();
    EXPECT_TRUE(Put("later", "1").IsShutdownInProgress());
    EXPECT_EQ(FilesAt(0), 0);
    ASSERT_OK(db_->Close());
    // None of those that were acknowledged is lost.
    Reopen();
    EXPECT_EQ(Get("first"), "1");
    for (int i = 0; i < written; ++i) {
      EXPECT_EQ(Get("k" + std::to_string(i)).size(), 1000u) << i;
    }
    ASSERT_OK(Put("last", "1"));
    ASSERT_OK(Flush());
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
