// Errors of background work that pass: the database tries again by itself.
#include "db/background/auto_resume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "file/filename.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/db/impl/recovery_listener.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Outcome = ResumeOutcome;
const std::string kDefaultResumed = kDefaultColumnFamilyName;

// Answers of the tries, one by one; then the count of tries that was told.
class Tries {
 public:
  explicit Tries(std::vector<Outcome> answers)
      : changed_(&mutex_),
        answers_(std::move(answers)),
        work_(
            SystemClock::Default().get(), [this] { return Next(); },
            [this](int tries) { End(tries); }) {}

  AutoResume* work() { return &work_; }
  int WaitForEnd() {
    MutexLock lock(&mutex_);
    while (ended_ < 0) changed_.Wait();
    return ended_;
  }

 private:
  Outcome Next() {
    MutexLock lock(&mutex_);
    return answers_[next_++];
  }
  void End(int tries) {
    MutexLock lock(&mutex_);
    ended_ = tries;
    changed_.SignalAll();
  }

  Mutex mutex_;
  CondVar changed_;
  const std::vector<Outcome> answers_;
  size_t next_ = 0;
  int ended_ = -1;
  AutoResume work_;
};

TEST(AutoResumeTest, EndsWithSuccessOrWhenTriesAreUsedUp) {
  const struct {
    std::vector<Outcome> answers;
    int max_tries;
    int expected;
  } kCases[] = {
      {{Outcome::kDone}, 5, 1},
      {{Outcome::kTryAgain, Outcome::kTryAgain, Outcome::kDone}, 5, 3},
      {{Outcome::kTryAgain, Outcome::kTryAgain, Outcome::kDone}, 2, 2},
      {{Outcome::kTryAgain, Outcome::kHopeless, Outcome::kDone}, 9, 2},
  };
  for (const auto& c : kCases) {
    Tries tries(c.answers);
    ASSERT_TRUE(tries.work()->Start({.max_tries = c.max_tries}));
    EXPECT_EQ(tries.WaitForEnd(), c.expected);
  }
}

TEST(AutoResumeTest, StopEndsALongPause) {
  Tries tries({Outcome::kTryAgain, Outcome::kDone});
  ASSERT_TRUE(tries.work()->Start(
      {.max_tries = 2, .interval_micros = uint64_t{3600} * 1000 * 1000}));
  tries.work()->Stop();
  EXPECT_LE(tries.WaitForEnd(), 1);
  EXPECT_FALSE(tries.work()->Start({.max_tries = 1}));
}

class AutoRecoveryTest : public ::testing::Test {
 protected:
  AutoRecoveryTest() : world_(1, false, 100) {
    world_.options_.listeners.push_back(listener_);
    world_.options_.bgerror_resume_retry_interval = 0;
    world_.options_.statistics = CreateDBStatistics();
  }
  void Start() {
    ASSERT_OK(world_.Open());
    ASSERT_OK(world_.CreateFamily("b"));
    for (int i = 0; i < 6; ++i) {
      ASSERT_OK(world_.Write(i % 2 == 0 ? kDefaultResumed : "b"));
    }
  }
  static Fault Passing(const std::string& files, uint64_t call = 1) {
    return {.call = call, .is_retryable = true, .path_contains = files};
  }
  // The call is not to be one that removes a file in the background.
  void FailAfterPurge(const Fault& fault) {
    WaitForCompactOptions purge;
    purge.wait_for_purge = true;
    EXPECT_OK(world_.db_->WaitForCompact(purge));
    world_.fs_->FailCall(fault);
  }
  uint64_t Ticker(uint32_t ticker) {
    return world_.options_.statistics->getTickerCount(ticker);
  }
  // The name of the next log, if nothing else makes a file before.
  std::string NextLogName() {
    std::vector<std::string> names;
    EXPECT_OK(world_.watch_->GetChildren(FaultWorld::kPath, IOOptions(), &names,
                                         nullptr));
    uint64_t newest = 0;
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type;
      if (ParseFileName(name, &number, &type)) {
        newest = std::max(newest, number);
      }
    }
    return LogFileName(newest + 1);
  }
  void ExpectAllIsWell() {
    ASSERT_OK(world_.Write("b", /*sync=*/true));
    ASSERT_OK(world_.FlushAll());
    EXPECT_EQ(world_.Check(true), "");
    ASSERT_OK(world_.Close());
    ASSERT_TRUE(world_.fs_->CrashAndHeal().ok());
    ASSERT_OK(world_.Open());
    EXPECT_EQ(world_.Check(false), "");
  }

  const std::shared_ptr<RecoveryListener> listener_ =
      std::make_shared<RecoveryListener>();
  FaultWorld world_;
};

TEST_F(AutoRecoveryTest, AFailedFlushIsRetried) {
  for (uint64_t call = 1; call <= 4; ++call) {
    SCOPED_TRACE(call);
    if (call == 1) Start();
    if (HasFatalFailure()) return;
    ASSERT_OK(world_.Write(kDefaultResumed));
    FailAfterPurge(Passing(".sst", call));
    IgnoreError(world_.FlushAll(), "it may see the error or the recovery");
    const auto info = listener_->WaitForEnd(call);
    EXPECT_TRUE(info.old_bg_error.IsIOError()) << info.old_bg_error.ToString();
    EXPECT_OK(info.new_bg_error);
    listener_->WaitForCompletion(static_cast<int>(call));
    EXPECT_EQ(listener_->errors().back().first, BackgroundErrorReason::kFlush);
    EXPECT_EQ(listener_->errors().back().second.severity(),
              Status::Severity::kHardError);
  }
  EXPECT_EQ(Ticker(ERROR_HANDLER_AUTORESUME_COUNT), 4u);
  EXPECT_EQ(Ticker(ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT), 4u);
  EXPECT_EQ(Ticker(ERROR_HANDLER_BG_RETRYABLE_IO_ERROR_COUNT), 4u);
  ExpectAllIsWell();
}

TEST_F(AutoRecoveryTest, AFailedLogOrManifestIsLeftBehind) {
  Start();
  world_.fs_->FailCall(Passing(".log"));
  EXPECT_FALSE(world_.Write(kDefaultResumed, true).ok());
  EXPECT_OK(listener_->WaitForEnd(1).new_bg_error);
  ASSERT_OK(world_.Write("b"));
  FailAfterPurge(Passing("MANIFEST"));
  IgnoreError(world_.FlushAll(), "it may see the error or the recovery");
  EXPECT_OK(listener_->WaitForEnd(2).new_bg_error);
  EXPECT_EQ(listener_->begins(), 2);
  ExpectAllIsWell();
}

// The record may be in the manifest, and would make what is written from now on
// vanish with the family.
TEST_F(AutoRecoveryTest, FamiliesThatCouldNotBeDroppedOrMadeStayAsTheyWere) {
  Start();
  if (HasFatalFailure()) return;
  int recoveries = 0;
  const auto expect_recovery = [&](const Status& s) {
    EXPECT_TRUE(s.IsIOError()) << s.ToString();
    EXPECT_OK(listener_->WaitForEnd(++recoveries).new_bg_error);
    EXPECT_EQ(listener_->errors().back().first,
              BackgroundErrorReason::kManifestWrite);
  };
  for (uint64_t call = 1; call <= 2; ++call) {  // to append, to sync
    SCOPED_TRACE(call);
    FailAfterPurge(Passing("MANIFEST", call));
    expect_recovery(world_.db_->DropColumnFamily(world_.Handle("b")));
    ASSERT_OK(world_.Write("b", /*sync=*/true));
    FailAfterPurge(Passing("MANIFEST", call));
    expect_recovery(world_.CreateFamily("c"));
  }
  ASSERT_OK(world_.CreateFamily("c"));
  ASSERT_OK(world_.Write("c"));
  ExpectAllIsWell();
}

// The log that failed is shorter than what was written to it, and what it lacks
// is in memtables alone.
TEST_F(AutoRecoveryTest, NoFilesAreListedWhileAFailedLogCounts) {
  LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = std::numeric_limits<uint64_t>::max();
  std::vector<LiveFileStorageInfo> files;
  std::vector<Status> refusals;
  listener_->on_flush_begin = [&](DB* db) {
    refusals.push_back(db->GetLiveFilesStorageInfo(options, &files));
    EXPECT_TRUE(files.empty());
  };
  Start();
  if (HasFatalFailure()) return;
  world_.fs_->FailCall(Passing(".log"));
  EXPECT_FALSE(world_.Write(kDefaultResumed, /*sync=*/true).ok());
  EXPECT_OK(listener_->WaitForEnd(1).new_bg_error);
  ASSERT_EQ(refusals.size(), 2u);  // one for each family
  for (const Status& refusal : refusals) {
    EXPECT_TRUE(refusal.IsIOError()) << refusal.ToString();
  }
  EXPECT_OK(world_.db_->GetLiveFilesStorageInfo(options, &files));
  for (const LiveFileStorageInfo& file : files) {
    if (!file.replacement_contents.empty()) continue;
    uint64_t size = 0;
    const std::string path = file.directory + "/" + file.relative_filename;
    EXPECT_OK(world_.watch_->GetFileSize(path, IOOptions(), &size, nullptr));
    EXPECT_GE(size, file.size) << path;
  }
  listener_->on_flush_begin = nullptr;
  ExpectAllIsWell();
}

TEST_F(AutoRecoveryTest, NothingIsSyncedWhileAFailedLogCounts) {
  std::vector<Status> refusals;
  listener_->on_flush_begin = [&](DB* db) {
    refusals.push_back(db->SyncWAL());
    refusals.push_back(db->FlushWAL(/*sync=*/false));
  };
  Start();
  if (HasFatalFailure()) return;
  world_.fs_->FailCall(Passing(".log"));
  EXPECT_FALSE(world_.Write(kDefaultResumed).ok());
  EXPECT_OK(listener_->WaitForEnd(1).new_bg_error);
  ASSERT_EQ(refusals.size(), 4u);  // two for each family
  for (const Status& refusal : refusals) {
    EXPECT_TRUE(refusal.IsIOError()) << refusal.ToString();
  }
  EXPECT_EQ(listener_->errors().size(),
            1u);  // These are no errors of their own.
  EXPECT_OK(world_.db_->SyncWAL());
  listener_->on_flush_begin = nullptr;
  ExpectAllIsWell();
}

// The fault comes back with every try but the last.
TEST_F(AutoRecoveryTest, UntilItWorks) {
  std::atomic<int> faults_left{3};
  listener_->on_flush_begin = [&](DB*) {
    if (faults_left.fetch_sub(1) > 0) world_.fs_->FailCall(Passing(".sst"));
  };
  Start();
  IgnoreError(world_.db_->Flush(FlushOptions(), world_.Handle("b")),
              "it may see the error or the recovery");
  EXPECT_OK(listener_->WaitForEnd(1).new_bg_error);
  listener_->WaitForCompletion(1);
  EXPECT_GE(Ticker(ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT), 2u);
  EXPECT_EQ(Ticker(ERROR_HANDLER_AUTORESUME_COUNT), 1u);
  ExpectAllIsWell();
}

TEST_F(AutoRecoveryTest, TriesAreUsedUp) {
  world_.options_.max_bgerror_resume_count = 2;
  Start();
  Fault fault = Passing(".sst");
  fault.is_permanent = true;
  world_.fs_->FailCall(fault);
  EXPECT_FALSE(world_.FlushAll().ok());
  const auto info = listener_->WaitForEnd(1);
  EXPECT_TRUE(info.new_bg_error.IsIOError());
  EXPECT_FALSE(world_.Write(kDefaultResumed).ok());
  EXPECT_EQ(Ticker(ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT), 2u);
  EXPECT_EQ(Ticker(ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT), 0u);
  world_.fs_->ClearFault();
  ASSERT_OK(world_.db_->Resume());
  EXPECT_OK(listener_->WaitForEnd(2).new_bg_error);
  ExpectAllIsWell();
}

TEST_F(AutoRecoveryTest, NotIfTheListenerOrTheOptionForbidsIt) {
  listener_->allows_recovery = false;
  Start();
  world_.fs_->FailCall(Passing(".sst"));
  EXPECT_FALSE(world_.FlushAll().ok());
  EXPECT_FALSE(world_.Write(kDefaultResumed).ok());
  listener_->WaitForBegin(1);
  EXPECT_EQ(listener_->ends(), 0u);
  ASSERT_OK(world_.db_->Resume());
  EXPECT_EQ(listener_->ends(), 1u);
  ASSERT_OK(world_.Close());
  world_.options_.max_bgerror_resume_count = 0;
  ASSERT_OK(world_.Open());
  ASSERT_OK(world_.Write(kDefaultResumed));
  world_.fs_->FailCall(Passing(".sst"));
  EXPECT_FALSE(world_.FlushAll().ok());
  EXPECT_EQ(listener_->begins(), 1);
  ASSERT_OK(world_.db_->Resume());
  ExpectAllIsWell();
}

// Beside the recovery that began by itself.
TEST_F(AutoRecoveryTest, WhoAsksWaitsForTheRecoveryUnderWay) {
  Start();
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(world_.Write(kDefaultResumed));
    world_.fs_->FailCall(Passing(".sst"));
    IgnoreError(world_.FlushAll(), "it may see the error or the recovery");
    std::vector<std::thread> askers;
    for (int t = 0; t < 3; ++t) {
      askers.emplace_back([this] { EXPECT_OK(world_.db_->Resume()); });
    }
    for (std::thread& asker : askers) asker.join();
    ASSERT_OK(world_.Write(kDefaultResumed));
  }
  ExpectAllIsWell();
}

// What does not pass is not tried again.
TEST_F(AutoRecoveryTest, NotForOtherErrors) {
  Start();
  world_.fs_->FailCall({.call = 1, .path_contains = ".sst"});
  EXPECT_FALSE(world_.FlushAll().ok());
  EXPECT_EQ(listener_->begins(), 0);
  EXPECT_FALSE(world_.Write(kDefaultResumed).ok());
  ASSERT_OK(world_.db_->Resume());
  ExpectAllIsWell();
}

// Takes every error back, and counts the memtables that were sealed.
class ForgivingListener : public EventListener {
 public:
  const char* Name() const override { return "ForgivingListener"; }
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    *error = Status::OK();
  }
  void OnMemTableSealed(const MemTableInfo&) override { ++sealed_; }
  int sealed() const { return sealed_; }

 private:
  std::atomic<int> sealed_{0};
};

// The log that was to be begun with it could not be made.
TEST_F(AutoRecoveryTest, AFullMemTableThatWasNotSealedIsSealedLater) {
  const auto forgiving = std::make_shared<ForgivingListener>();
  world_.options_.listeners = {forgiving};
  world_.options_.write_buffer_size = 64 << 10;
  Start();
  const std::string next_log = NextLogName();
  world_.fs_->FailCall({.call = 1, .path_contains = next_log});
  constexpr int kMostWrites = 2000;
  int writes = 0;
  while (writes < kMostWrites && world_.Write(kDefaultResumed).ok()) ++writes;
  ASSERT_LT(writes, kMostWrites) << next_log;
  EXPECT_EQ(forgiving->sealed(), 0);
  ASSERT_OK(world_.Write(kDefaultResumed));
  EXPECT_EQ(forgiving->sealed(), 1);
  ExpectAllIsWell();
}

// Compactions fail while writers are stopped until they have made room.
class StoppedWritersTest : public AutoRecoveryTest {
 protected:
  // Level 0 is as full as it may be, and the first compaction fails.
  void StopWrites() {
    world_.options_.level0_file_num_compaction_trigger = 2;
    world_.options_.level0_slowdown_writes_trigger = 3;
    world_.options_.level0_stop_writes_trigger = 3;
    Start();
    for (int i = 0; i < 3; ++i) {
      ASSERT_OK(world_.Write(kDefaultResumed));
      ASSERT_OK(world_.FlushAll());
    }
    world_.fs_->FailCall(
        {.call = 1, .kind = FaultKind::kNoSpace, .path_contains = ".sst"});
    ASSERT_OK(world_.db_->SetOptions(world_.Handle(kDefaultResumed),
                                     {{"disable_auto_compactions", "false"}}));
    IgnoreError(world_.db_->WaitForCompact(WaitForCompactOptions()),
                "it may see the error");
    EXPECT_TRUE(world_.fs_->failed());
  }
  uint64_t Level0Files() {
    std::string files;
    EXPECT_TRUE(world_.db_->GetProperty(world_.Handle(kDefaultResumed),
                                        "rocksdb.num-files-at-level0", &files));
    return std::stoull(files);
  }
};

TEST_F(StoppedWritersTest, AForgivenCompactionIsTriedAgain) {
  world_.options_.listeners = {std::make_shared<ForgivingListener>()};
  StopWrites();
  // The error is in force until the listener has taken it back.
  while (!world_.db_->WaitForCompact(WaitForCompactOptions()).ok()) {
    std::this_thread::yield();
  }
  EXPECT_EQ(Level0Files(), 0u);
  ExpectAllIsWell();
}

TEST_F(StoppedWritersTest, ResumeDoesNotWaitForThem) {
  StopWrites();
  EXPECT_EQ(Level0Files(), 3u);
  std::atomic<bool> has_begun{false};
  std::thread writer([&] {
    has_begun = true;
    has_begun.notify_one();
    EXPECT_OK(world_.Write(kDefaultResumed));
  });
  has_begun.wait(false);
  // Most often the writer waits by now.
  for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  EXPECT_OK(world_.db_->Resume());
  writer.join();
  ExpectAllIsWell();
}

// A database that closes after a flush that failed tries once more to save
// what is in no log, and tells if it cannot.
TEST_F(AutoRecoveryTest, ClosingSavesWhatIsInNoLog) {
  Start();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (const bool is_permanent : {false, true}) {
    SCOPED_TRACE(is_permanent);
    for (const std::string& family : {kDefaultResumed, std::string("b")}) {
      ASSERT_OK(world_.db_->Put(unlogged, world_.Handle(family), "unlogged",
                                is_permanent ? "lost" : "saved"));
    }
    world_.fs_->FailCall(
        {.call = 1, .is_permanent = is_permanent, .path_contains = ".sst"});
    EXPECT_FALSE(world_.FlushAll().ok());
    const Status closed = world_.Close();
    EXPECT_EQ(closed.ok(), !is_permanent) << closed.ToString();
    world_.fs_->ClearFault();
    ASSERT_OK(world_.Open());
    for (const std::string& family : {kDefaultResumed, std::string("b")}) {
      std::string value;
      ASSERT_OK(world_.db_->Get(ReadOptions(), world_.Handle(family),
                                "unlogged", &value));
      EXPECT_EQ(value, "saved");
    }
  }
}

// A compaction stops nothing but compactions.
TEST_F(AutoRecoveryTest, ACompactionIsRetried) {
  world_.options_.disable_auto_compactions = false;
  world_.options_.level0_file_num_compaction_trigger = 2;
  Start();
  ASSERT_OK(world_.FlushAll());
  listener_->on_flush_begin = nullptr;
  ASSERT_OK(world_.Write(kDefaultResumed));
  ASSERT_OK(world_.Write("b"));
  ASSERT_OK(world_.FlushAll());
  FailAfterPurge(Passing(".sst"));
  const Status s = world_.CompactAll(world_.Handle(kDefaultResumed));
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(listener_->errors().back().second.severity(),
            Status::Severity::kSoftError);
  EXPECT_OK(listener_->WaitForEnd(1).new_bg_error);
  ASSERT_OK(world_.CompactAll(world_.Handle(kDefaultResumed)));
  ExpectAllIsWell();
}

// Makes compactions fail, and counts them.
class FailingCompactions : public RecoveryListener {
 public:
  explicit FailingCompactions(FaultWorld* world) : world_(world) {}
  void OnCompactionBegin(DB* /*db*/, const CompactionJobInfo&) override {
    ++begun_;
    if (fails_) {
      world_->fs_->FailCall(
          {.call = 1, .is_retryable = true, .path_contains = ".sst"});
    }
  }
  std::atomic<bool> fails_{true};
  std::atomic<int> begun_{0};

 private:
  FaultWorld* const world_;
};

// It would fail again and again, and keep a processor busy with it.
TEST_F(AutoRecoveryTest, AFailedCompactionIsNotBegunAgainAtOnce) {
  const auto compactions = std::make_shared<FailingCompactions>(&world_);
  world_.options_.listeners = {compactions};
  // More threads than one compact where writers are slowed.
  world_.options_.max_background_jobs = 8;
  world_.options_.level0_slowdown_writes_trigger = 2;
  world_.options_.bgerror_resume_retry_interval = uint64_t{3600} * 1000 * 1000;
  world_.options_.disable_auto_compactions = false;
  world_.options_.level0_file_num_compaction_trigger = 2;
  FlushOptions flush;
  flush.allow_write_stall = true;
  Start();
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(world_.Write(kDefaultResumed));
    ASSERT_OK(world_.db_->Flush(flush, world_.Handle(kDefaultResumed)));
  }
  EXPECT_OK(compactions->WaitForEnd(1).new_bg_error);
  for (int i = 0; i < 10; ++i) {
    ASSERT_OK(world_.Write(kDefaultResumed));
    ASSERT_OK(world_.db_->Flush(flush, world_.Handle(kDefaultResumed)));
  }
  EXPECT_EQ(compactions->begun_.load(), 1);
  // A pause ends the hour.
  compactions->fails_ = false;
  ASSERT_OK(world_.db_->PauseBackgroundWork());
  ASSERT_OK(world_.db_->ContinueBackgroundWork());
  ASSERT_OK(world_.db_->WaitForCompact(WaitForCompactOptions()));
  ExpectAllIsWell();
}

TEST_F(AutoRecoveryTest, CloseInTheMiddle) {
  world_.options_.bgerror_resume_retry_interval = uint64_t{3600} * 1000 * 1000;
  Start();
  Fault fault = Passing(".sst");
  fault.is_permanent = true;
  world_.fs_->FailCall(fault);
  EXPECT_FALSE(world_.FlushAll().ok());
  IgnoreError(world_.Close(), "what was not flushed is in the log");
  world_.fs_->ClearFault();
  ASSERT_OK(world_.Open());
  EXPECT_EQ(world_.Check(true), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
