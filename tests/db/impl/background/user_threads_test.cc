// What users' threads leave to the background: files that go with an iterator
// or a handle, logs that a sync is done with; and how recovery reads logs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/families_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes which thread takes the names of table files away and closes logs, and
// how much of a log is read at a time.
class ThreadWatch : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "ThreadWatch"; }

  using Threads = std::vector<std::thread::id>;
  Threads of_tables() const {
    MutexLock lock(&mutex_);
    return tables_;
  }
  Threads of_logs() const {
    MutexLock lock(&mutex_);
    return logs_;
  }
  std::vector<size_t> log_reads() const {
    MutexLock lock(&mutex_);
    return log_reads_;
  }
  void Forget() {
    MutexLock lock(&mutex_);
    tables_.clear();
    logs_.clear();
    log_reads_.clear();
  }

  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    NoteTable(name);
    return target()->DeleteFile(name, options, dbg);
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override {
    NoteTable(from);
    return target()->RenameFile(from, to, options, dbg);
  }
  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    IOStatus s = target()->NewWritableFile(name, options, result, dbg);
    if (s.ok() && name.ends_with(".log")) {
      *result = std::make_unique<WatchedLog>(std::move(*result), this);
    }
    return s;
  }
  IOStatus NewSequentialFile(const std::string& name,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override {
    IOStatus s = target()->NewSequentialFile(name, options, result, dbg);
    if (s.ok() && name.ends_with(".log")) {
      *result = std::make_unique<ReadLog>(std::move(*result), this);
    }
    return s;
  }

 private:
  class WatchedLog : public FSWritableFileOwnerWrapper {
   public:
    WatchedLog(std::unique_ptr<FSWritableFile>&& file, ThreadWatch* watch)
        : FSWritableFileOwnerWrapper(std::move(file)), watch_(watch) {}
    IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
      {
        MutexLock lock(&watch_->mutex_);
        watch_->logs_.push_back(std::this_thread::get_id());
      }
      return target()->Close(options, dbg);
    }

   private:
    ThreadWatch* const watch_;
  };
  class ReadLog : public FSSequentialFileOwnerWrapper {
   public:
    ReadLog(std::unique_ptr<FSSequentialFile>&& file, ThreadWatch* watch)
        : FSSequentialFileOwnerWrapper(std::move(file)), watch_(watch) {}
    IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                  char* scratch, IODebugContext* dbg) override {
      {
        MutexLock lock(&watch_->mutex_);
        watch_->log_reads_.push_back(n);
      }
      return target()->Read(n, options, result, scratch, dbg);
    }

   private:
    ThreadWatch* const watch_;
  };

  void NoteTable(const std::string& name) {
    if (!name.ends_with(".sst")) return;
    MutexLock lock(&mutex_);
    tables_.push_back(std::this_thread::get_id());
  }

  mutable Mutex mutex_;
  Threads tables_ GUARDED_BY(mutex_);
  Threads logs_ GUARDED_BY(mutex_);
  std::vector<size_t> log_reads_ GUARDED_BY(mutex_);
};

class UserThreadsTest : public FamiliesFixture {
 protected:
  UserThreadsTest()
      : fs_(std::make_shared<ThreadWatch>(FileSystem::Default())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
  }
  ~UserThreadsTest() override { CloseFamilies(); }

  // An iterator that holds files which no version lists any more.
  std::unique_ptr<Iterator> HoldOldFiles(const ReadOptions& read) {
    for (const char* value : {"1", "2"}) {
      EXPECT_OK(Put("a", value));
      EXPECT_OK(Flush());
    }
    std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->SeekToFirst();
    EXPECT_OK(CompactAll(/*force=*/true));
    AwaitPurge();
    fs_->Forget();
    return it;
  }
  static bool IsHere(std::thread::id id) {
    return id == std::this_thread::get_id();
  }

  std::shared_ptr<ThreadWatch> fs_;
  std::unique_ptr<Env> env_;
};

TEST_F(UserThreadsTest, FilesOfAnIteratorGoWhereTheOptionsSay) {
  for (const bool for_all : {false, true}) {
    for (const bool for_this : {false, true}) {
      SCOPED_TRACE(std::to_string(for_all) + std::to_string(for_this));
      options_.avoid_unnecessary_blocking_io = for_all;
      Reopen();
      ReadOptions read;
      read.background_purge_on_iterator_cleanup = for_this;
      auto it = HoldOldFiles(read);
      EXPECT_TRUE(fs_->of_tables().empty());
      it.reset();
      if (!for_all && !for_this) {
        ASSERT_FALSE(fs_->of_tables().empty());
        for (const auto id : fs_->of_tables()) EXPECT_TRUE(IsHere(id));
      }
      AwaitPurge();
      EXPECT_FALSE(fs_->of_tables().empty());
      for (const auto id : fs_->of_tables()) {
        EXPECT_EQ(IsHere(id), !for_all && !for_this);
      }
      db_.reset();
    }
  }
}

TEST_F(UserThreadsTest, FilesOfADroppedFamilyGoWithItsHandle) {
  for (const bool in_background : {false, true}) {
    SCOPED_TRACE(in_background);
    options_.avoid_unnecessary_blocking_io = in_background;
    OpenFamilies({"default"});
    CreateFamily("b");
    ASSERT_OK(PutIn(1, "a", "1"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
    // The flush's own thread holds the family for a while, too.
    AwaitPurge();
    ASSERT_OK(db_->DropColumnFamily(handles_[1]));
    fs_->Forget();
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handles_[1]));
    handles_.pop_back();
    AwaitPurge();
    ASSERT_FALSE(fs_->of_tables().empty());
    for (const auto id : fs_->of_tables()) {
      EXPECT_EQ(IsHere(id), !in_background);
    }
  }
}

// Whatever is still to be done is done by Close().
TEST_F(UserThreadsTest, ClosingLeavesNothing) {
  options_.avoid_unnecessary_blocking_io = true;
  options_.background_close_inactive_wals = true;
  for (int i = 0; i < 20; ++i) {
    Reopen();
    HoldOldFiles(ReadOptions()).reset();
    ASSERT_OK(db_->Close());
    std::vector<std::string> children;
    ASSERT_OK(env_->GetChildren(path_, &children));
    size_t tables = 0;
    for (const std::string& name : children) tables += name.ends_with(".sst");
    EXPECT_EQ(tables, 1u);
    db_.reset();
  }
}

TEST_F(UserThreadsTest, LogsAreClosedWhereTheOptionSays) {
  for (const bool in_background : {false, true}) {
    for (const size_t recycled : {size_t{0}, size_t{2}}) {
      SCOPED_TRACE(std::to_string(in_background) + std::to_string(recycled));
      options_.background_close_inactive_wals = in_background;
      options_.recycle_log_file_num = recycled;
      Reopen();
      ASSERT_OK(db_->PauseBackgroundWork());
      ASSERT_OK(Put("a", "1"));
      FlushOptions no_wait;
      no_wait.wait = false;
      no_wait.allow_write_stall = true;
      ASSERT_OK(db_->Flush(no_wait));  // The log is changed, and not synced.
      fs_->Forget();
      WriteOptions sync;
      sync.sync = true;
      ASSERT_OK(db_->Put(sync, "b", "2"));
      ASSERT_OK(db_->ContinueBackgroundWork());
      AwaitPurge();
      ASSERT_EQ(fs_->of_logs().size(), 1u);
      // What may be overwritten is closed at once.
      EXPECT_EQ(IsHere(fs_->of_logs()[0]), !in_background || recycled > 0);
      Reopen();
      EXPECT_EQ(Get("a") + Get("b"), "12");
    }
  }
}

TEST_F(UserThreadsTest, RecoveryReadsLogsAheadAsFarAsAsked) {
  constexpr size_t kAhead = 256 << 10;
  options_.avoid_flush_during_recovery = true;
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Put("key" + std::to_string(i), std::string(10000, 'v')));
  }
  std::vector<size_t> counts;
  for (const size_t ahead : {size_t{0}, kAhead, SIZE_MAX}) {
    options_.log_readahead_size = ahead;
    db_.reset();
    fs_->Forget();
    Open();
    EXPECT_EQ(Get("key99").size(), 10000u);
    counts.push_back(fs_->log_reads().size());
    size_t largest = 0;
    for (const size_t n : fs_->log_reads()) largest = std::max(largest, n);
    // A log is read in blocks of 32 KiB.
    if (ahead == 0) {
      EXPECT_LE(largest, size_t{32} << 10);
    } else if (ahead == kAhead) {
      EXPECT_EQ(largest, kAhead);
    } else {
      EXPECT_GE(largest, size_t{1000000});
    }
  }
  EXPECT_LT(counts[1], counts[0] / 2);
  EXPECT_LE(counts[2], counts[1]);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
