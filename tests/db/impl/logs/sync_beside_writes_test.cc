// Writers go on while a log is synced for somebody else: what was flushed is
// durable then, a log that is switched away meanwhile is kept until the sync
// has ended, and a sync that fails ends the log for its writers, too.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "rocksdb/listener.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Holds whoever has just synced a log, until it is opened.
class LogSyncGate : public EventListener {
 public:
  bool ShouldBeNotifiedOnFileIO() override { return true; }
  void OnFileSyncFinish(const FileOperationInfo& info) override {
    if (!EndsWith(info.path, ".log")) return;
    MutexLock lock(&mutex_);
    if (!is_closed_) return;
    has_come_ = true;
    changed_.SignalAll();
    while (is_closed_) changed_.Wait();
  }
  void Close() {
    MutexLock lock(&mutex_);
    is_closed_ = true;
    has_come_ = false;
  }
  void Await() {
    MutexLock lock(&mutex_);
    while (!has_come_) changed_.Wait();
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_closed_ = false;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  bool is_closed_ = false;
  bool has_come_ = false;
};

class SyncBesideWritesTest : public DbFixture {
 protected:
  void SetUp() override {
    options_.statistics = CreateDBStatistics();
    options_.listeners = {gate_};
    Open();
  }
  // Calls `work` while another thread is in SyncWAL().
  template <typename Work>
  void DuringASync(Work work) {
    gate_->Close();
    Status s;
    std::thread syncing([&] { s = db_->SyncWAL(); });
    gate_->Await();
    work();
    gate_->Open();
    syncing.join();
    EXPECT_OK(s);
  }
  size_t LogCount() const {
    VectorWalPtr files;
    EXPECT_OK(db_->GetSortedWalFiles(files));
    return files.size();
  }

  const std::shared_ptr<LogSyncGate> gate_ = std::make_shared<LogSyncGate>();
};

TEST_F(SyncBesideWritesTest, WritersDoNotWaitForTheDevice) {
  ASSERT_OK(Put("a", "1"));
  DuringASync([&] {
    EXPECT_OK(Put("b", "2"));
    EXPECT_OK(db_->FlushWAL(/*sync=*/false));
    EXPECT_EQ(Get("b"), "2");
  });
  EXPECT_EQ(Ticker(WAL_FILE_SYNCED), 1u);
  // The next one takes what came meanwhile.
  EXPECT_OK(db_->SyncWAL());
  EXPECT_EQ(Ticker(WAL_FILE_SYNCED), 2u);
}

TEST_F(SyncBesideWritesTest, TheLogMayBeSwitchedMeanwhile) {
  ASSERT_OK(Put("a", "1"));
  DuringASync([&] {
    EXPECT_OK(Put("b", "2"));
    EXPECT_OK(Flush());
    EXPECT_OK(Put("c", "3"));
    // Nothing needs the old log any more, but it is in use.
    AwaitPurge();
    EXPECT_EQ(LogCount(), 2u);
  });
  EXPECT_OK(Flush());
  AwaitPurge();
  EXPECT_EQ(LogCount(), 0u) << "the one that is written has nothing";
  EXPECT_EQ(Get("c"), "3");
  Reopen();
  EXPECT_EQ(Get("a") + Get("b") + Get("c"), "123");
}

TEST_F(SyncBesideWritesTest, AFileThatCannotIsSyncedAtRest) {
  options_.allow_mmap_writes = true;
  Reopen();
  ASSERT_OK(Put("a", "1"));
  EXPECT_OK(db_->SyncWAL());
  EXPECT_EQ(Ticker(WAL_FILE_SYNCED), 1u);
  ASSERT_OK(Put("b", "2"));
  EXPECT_OK(db_->FlushWAL(/*sync=*/true));
  EXPECT_EQ(Ticker(WAL_FILE_SYNCED), 2u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
