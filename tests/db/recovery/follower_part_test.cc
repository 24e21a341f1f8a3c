// A follower takes a directory of its own, links what it reads, removes unused
// links, and catches up round by round until it is stopped.
#include "db/recovery/follower_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/manifest/linked_files.h"
#include "db/recovery/primary_mark.h"
#include "tests/db/tables/link_system.h"
#include "tests/db/tables/table_files.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what is logged.
class LineLogger final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list args) override {
    char line[500];
    vsnprintf(line, sizeof(line), format, args);
    MutexLock lock(&mutex_);
    lines_.emplace_back(line);
  }
  std::vector<std::string> lines() const {
    MutexLock lock(&mutex_);
    return lines_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ GUARDED_BY(mutex_);
};

// A leader in /db whose only table is 7.
class FollowerPartTest : public ::testing::Test {
 protected:
  FollowerPartTest() {
    links_ = std::make_shared<LinkSystem>(f_.fs);
    f_.db_options.info_log = logger_;
    f_.db_options.follower_refresh_catchup_period_ms = 1;
    f_.db_options.follower_catchup_retry_wait_ms = 1;
    f_.Open(/*pins=*/true, links_);
    table_ = f_.Write(7, {{"a", 1, "x"}});
    WriteText(CurrentFileName("/db"), "MANIFEST-000005\n");
    WriteText(DescriptorFileName("/db", 5), "some records");
    Make();
  }
  void Make() {
    part_ = std::make_unique<FollowerPart>(
        FollowerPart::Context{.db = f_.db.get(),
                              .directory = "/follower",
                              .leader = "/db",
                              .open_tables = f_.reader_cache,
                              .round = [this] { return Round(); }});
  }
  void WriteText(const std::string& path, const std::string& text) const {
    ASSERT_TRUE(WriteStringToFile(f_.fs.get(), text, path).ok());
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    EXPECT_TRUE(
        f_.fs->GetChildren("/follower", IOOptions(), &names, nullptr).ok());
    std::sort(names.begin(), names.end());
    return names;
  }
  Status Lock() { return part_->Lock(&lock_); }
  void Unlock() {
    ASSERT_TRUE(f_.fs->UnlockFile(lock_, IOOptions(), nullptr).ok());
    lock_ = nullptr;
  }
  void Keep() {
    ASSERT_TRUE(part_->links()->Keep({DbPath("/db", 0)}, {{table_}}, {}).ok());
  }
  bool LeaderHasTable() const {
    return f_.fs->FileExists(TableFileName("/db", 7), IOOptions(), nullptr)
        .ok();
  }
  Status Round() {
    MutexLock lock(&mutex_);
    ++rounds_;
    came_.SignalAll();
    return round_status_;
  }
  void AwaitRounds(int count) {
    MutexLock lock(&mutex_);
    while (rounds_ < count) came_.Wait();
  }
  int rounds() {
    MutexLock lock(&mutex_);
    return rounds_;
  }
  PrimaryMark Mark() const {
    PrimaryMark mark;
    EXPECT_TRUE(mark.Read(f_.fs.get(), "/db").ok());
    return mark;
  }

  TableFiles f_;
  std::shared_ptr<LinkSystem> links_;
  const std::shared_ptr<LineLogger> logger_ = std::make_shared<LineLogger>();
  FileRef table_;
  FileLock* lock_ = nullptr;
  Mutex mutex_;
  CondVar came_{&mutex_};
  int rounds_ GUARDED_BY(mutex_) = 0;
  Status round_status_;
  std::unique_ptr<FollowerPart> part_;
};

// --- its directory

TEST_F(FollowerPartTest, TheDirectoryIsMadeAndTaken) {
  ASSERT_TRUE(Lock().ok());
  FileLock* second = nullptr;
  EXPECT_FALSE(part_->Lock(&second).ok());
  EXPECT_EQ(second, nullptr);
  Unlock();
  ASSERT_TRUE(Lock().ok());
  Unlock();
}

TEST_F(FollowerPartTest, AnotherDatabasesDirectoryIsNotTaken) {
  ASSERT_TRUE(
      f_.fs->CreateDirIfMissing("/follower", IOOptions(), nullptr).ok());
  WriteText(TableFileName("/follower", 3), "of whom?");
  EXPECT_TRUE(Lock().IsInvalidArgument());
  WriteText(CurrentFileName("/follower"), "MANIFEST-000001\n");
  EXPECT_TRUE(Lock().IsInvalidArgument());
  EXPECT_EQ(lock_, nullptr);
  EXPECT_EQ(Names().size(), 2u);
}

TEST_F(FollowerPartTest, ADirectoryThatCannotBeMadeIsAnError) {
  f_.fs->FailCall({.call = 1, .path_contains = "/follower"});
  EXPECT_TRUE(Lock().IsIOError());
  EXPECT_EQ(lock_, nullptr);
  EXPECT_TRUE(Lock().ok());
  Unlock();
}

TEST_F(FollowerPartTest, WhatAProcessThatWasKilledHasLeftGoes) {
  ASSERT_TRUE(Lock().ok());
  WriteText(TableFileName("/follower", 3), "of the one before");
  WriteText("/follower/notes", "a user's");
  const Status s = part_->Prepare();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Names(), (std::vector<std::string>{"LOCK", "notes"}));
  Unlock();
}

TEST_F(FollowerPartTest, WithoutLinksThereIsNoFollower) {
  ASSERT_TRUE(Lock().ok());
  links_->answer = IOStatus::NotSupported("on this device");
  EXPECT_TRUE(part_->Prepare().IsNotSupported());
  links_->answer = IOStatus::IOError("now");
  EXPECT_TRUE(part_->Prepare().IsIOError());
  links_->answer = IOStatus::OK();
  // What was left over cannot be removed.
  WriteText(TableFileName("/follower", 3), "of the one before");
  f_.fs->FailCall({.call = 1, .path_contains = "/follower"});
  EXPECT_TRUE(part_->Prepare().IsIOError());
  EXPECT_TRUE(part_->Prepare().ok());
  Unlock();
}

TEST_F(FollowerPartTest, LinksThatNobodyReadsAreRemoved) {
  ASSERT_TRUE(Lock().ok());
  ASSERT_TRUE(part_->Prepare().ok());
  Keep();
  EXPECT_EQ(Names(), (std::vector<std::string>{"000007.sst", "LOCK"}));
  part_->links()->OnReferenced(7);
  part_->RemoveUnneeded();
  EXPECT_EQ(Names().size(), 2u);
  UnreferencedTable table;
  table.number = 7;
  part_->links()->OnUnreferenced(std::move(table));
  part_->RemoveUnneeded();
  EXPECT_EQ(Names(), std::vector<std::string>{"LOCK"});
  EXPECT_TRUE(LeaderHasTable());
  Unlock();
}

TEST_F(FollowerPartTest, AllLinksGoWhenItIsClosed) {
  ASSERT_TRUE(Lock().ok());
  ASSERT_TRUE(part_->Prepare().ok());
  Keep();
  part_->links()->OnReferenced(7);  // Its family goes later.
  part_->Stop();
  part_->Close();
  EXPECT_EQ(Names(), std::vector<std::string>{"LOCK"});
  EXPECT_TRUE(LeaderHasTable());
  Unlock();
}

// --- how far it has come

TEST_F(FollowerPartTest, ThereIsNewsUntilARoundHasComeThatFar) {
  const PrimaryMark first = Mark();
  EXPECT_TRUE(part_->HasNews(first));
  part_->NoteFollowed(first);
  EXPECT_FALSE(part_->HasNews(Mark()));
  WriteText(DescriptorFileName("/db", 5), "some records more");
  EXPECT_TRUE(part_->HasNews(Mark()));
  part_->NoteFollowed(Mark());
  EXPECT_FALSE(part_->HasNews(Mark()));
  EXPECT_TRUE(part_->HasNews(first));
  WriteText(DescriptorFileName("/db", 6), "some records more");
  WriteText(CurrentFileName("/db"), "MANIFEST-000006\n");
  EXPECT_TRUE(part_->HasNews(Mark()));
}

// --- its thread

TEST_F(FollowerPartTest, RoundsComeUntilItIsStopped) {
  ASSERT_TRUE(part_->Start().ok());
  AwaitRounds(3);
  part_->Stop();
  const int last = rounds();
  EXPECT_FALSE(part_->WaitToRetry());
  part_.reset();
  EXPECT_EQ(rounds(), last);
  EXPECT_TRUE(logger_->lines().empty());
}

TEST_F(FollowerPartTest, ARoundThatFailsIsLoggedAndOthersFollow) {
  round_status_ = Status::TryAgain("the leader", "is busy");
  ASSERT_TRUE(part_->Start().ok());
  AwaitRounds(3);
  part_->Stop();
  const std::vector<std::string> lines = logger_->lines();
  ASSERT_EQ(lines.size(), static_cast<size_t>(rounds()));
  for (const char* const what : {"/follower", "/db", "is busy"}) {
    EXPECT_NE(lines[0].find(what), std::string::npos) << lines[0];
  }
}

TEST_F(FollowerPartTest, WithoutAPeriodThereAreNoRounds) {
  f_.db->follower_refresh_catchup_period_ms = 0;
  ASSERT_TRUE(part_->Start().ok());
  EXPECT_TRUE(part_->WaitToRetry());
  EXPECT_EQ(rounds(), 0);
  part_->Stop();
}

// One that has begun and one that begins later.
TEST_F(FollowerPartTest, AWaitToRetryEndsWhenItIsStopped) {
  EXPECT_TRUE(part_->WaitToRetry());
  f_.db->follower_catchup_retry_wait_ms = 3'600'000;
  std::thread waiter([this] { EXPECT_FALSE(part_->WaitToRetry()); });
  part_->Stop();
  waiter.join();
  EXPECT_FALSE(part_->WaitToRetry());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
