// async_wal_precreate: the file of the next log is there when it is needed, and
// in nobody's way until then.
#include <atomic>
#include <filesystem>
#include <thread>

#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/write_batch.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Tells logs that the test's own thread makes from those made ahead.
class LogFs : public FileSystemWrapper {
 public:
  explicit LogFs(Statistics* statistics)
      : FileSystemWrapper(FileSystem::Default()), statistics_(statistics) {}
  const char* Name() const override { return "LogFs"; }

  enum class Ahead { kMade, kFails, kWaitedFor };

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file,
                           IODebugContext* dbg) override {
    if (!path.ends_with(".log")) {
      return FileSystemWrapper::NewWritableFile(path, options, file, dbg);
    }
    if (std::this_thread::get_id() == own_thread_) {
      made_here = path;
      ++made_here_count;
      return FileSystemWrapper::NewWritableFile(path, options, file, dbg);
    }
    NoteBegun(path);
    IOStatus s = IOStatus::IOError(path, "is not made ahead");
    if (ahead != Ahead::kFails) {
      while (ahead == Ahead::kWaitedFor &&
             statistics_->getTickerCount(WAL_PRECREATE_WAITED) == 0) {
        std::this_thread::yield();
      }
      s = FileSystemWrapper::NewWritableFile(path, options, file, dbg);
    }
    MutexLock lock(&mutex_);
    ++ended_;
    changed_.SignalAll();
    return s;
  }

  // Until so many were begun, or have ended; the path of the last.
  std::string AwaitBegun(int count) {
    MutexLock lock(&mutex_);
    while (begun_ < count) changed_.Wait();
    return path_;
  }
  std::string AwaitEnded(int count) {
    MutexLock lock(&mutex_);
    while (ended_ < count) changed_.Wait();
    return path_;
  }

  std::atomic<Ahead> ahead{Ahead::kMade};
  int made_here_count = 0;
  std::string made_here;

 private:
  void NoteBegun(const std::string& path) {
    MutexLock lock(&mutex_);
    ++begun_;
    path_ = path;
    changed_.SignalAll();
  }

  Statistics* const statistics_;
  const std::thread::id own_thread_ = std::this_thread::get_id();
  Mutex mutex_;
  CondVar changed_{&mutex_};
  int begun_ = 0;
  int ended_ = 0;
  std::string path_;
};

class WalPrecreateTest : public DbFixture {
 protected:
  WalPrecreateTest() {
    options_.statistics = CreateDBStatistics();
    fs_ = std::make_shared<LogFs>(options_.statistics.get());
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    options_.async_wal_precreate = true;
    options_.disable_auto_compactions = true;
  }
  ~WalPrecreateTest() override { db_.reset(); }

  // A log that is needed no more.
  void ChangeLog() {
    ASSERT_OK(Put("key" + std::to_string(++written_), "value"));
    ASSERT_OK(Flush());
    AwaitPurge();
  }
  std::string CurrentLog() const {
    std::unique_ptr<WalFile> current;
    EXPECT_OK(db_->GetCurrentWalFile(&current));
    return path_ + current->PathName();
  }

  std::shared_ptr<LogFs> fs_;
  std::unique_ptr<Env> env_;
  int written_ = 0;
};

TEST_F(WalPrecreateTest, TheNextLogIsThereWhenItIsNeeded) {
  Open();
  EXPECT_EQ(fs_->made_here_count, 1);
  for (int i = 1; i <= 3; ++i) {
    const std::string next = fs_->AwaitEnded(i);
    EXPECT_EQ(FilesOf(path_, kWalFile).size(), 2u);
    EXPECT_EQ(FilesOf(path_, kWalFile).back(), next);
    EXPECT_EQ(ReadBytes(next), "");
    EXPECT_LT(CurrentLog(), next);
    ChangeLog();
    EXPECT_EQ(CurrentLog(), next);
    EXPECT_EQ(Ticker(WAL_PRECREATE_HIT), static_cast<uint64_t>(i));
  }
  EXPECT_EQ(fs_->made_here_count, 1);
  EXPECT_EQ(Ticker(WAL_PRECREATE_MISS), 0u);
  EXPECT_EQ(Ticker(WAL_PRECREATE_FAILED), 0u);
  ASSERT_OK(Put("last", "value"));
  const std::string current = CurrentLog();
  fs_->AwaitEnded(4);
  db_.reset();
  // Without the one that was not needed.
  EXPECT_EQ(FilesOf(path_, kWalFile), std::vector<std::string>{current});
  Open();
  EXPECT_EQ(Get("last"), "value");
  EXPECT_EQ(Get("key3"), "value");
}

TEST_F(WalPrecreateTest, NoneIsMadeUnlessItIsWanted) {
  for (const bool is_recycling : {false, true}) {
    options_.async_wal_precreate = is_recycling;
    options_.recycle_log_file_num = is_recycling ? 1 : 0;
    path_ += "-next";
    Open();
    for (int i = 0; i < 4; ++i) ChangeLog();
    EXPECT_EQ(FilesOf(path_, kWalFile).size(), is_recycling ? 2u : 1u);
    EXPECT_EQ(Ticker(WAL_PRECREATE_HIT), 0u);
    EXPECT_EQ(Ticker(WAL_PRECREATE_MISS), 0u);
    db_.reset();
  }
}

TEST_F(WalPrecreateTest, WhatCannotBeMadeAheadIsMadeWhenItIsNeeded) {
  fs_->ahead = LogFs::Ahead::kFails;
  Open();
  const std::string next = fs_->AwaitEnded(1);
  ChangeLog();
  EXPECT_EQ(CurrentLog(), next);
  EXPECT_EQ(fs_->made_here, next);
  EXPECT_EQ(Ticker(WAL_PRECREATE_MISS), 1u);
  fs_->AwaitEnded(2);
  fs_->ahead = LogFs::Ahead::kMade;
  ChangeLog();
  EXPECT_EQ(Ticker(WAL_PRECREATE_HIT), 0u);
  EXPECT_EQ(Ticker(WAL_PRECREATE_FAILED), 2u);
  fs_->AwaitEnded(3);
  ChangeLog();
  EXPECT_EQ(Ticker(WAL_PRECREATE_HIT), 1u);
  EXPECT_EQ(Ticker(WAL_PRECREATE_MISS), 2u);
  Reopen();
  EXPECT_EQ(Get("key3"), "value");
}

TEST_F(WalPrecreateTest, OneThatIsBeingMadeIsWaitedFor) {
  fs_->ahead = LogFs::Ahead::kWaitedFor;
  Open();
  const std::string next = fs_->AwaitBegun(1);
  ChangeLog();
  EXPECT_EQ(CurrentLog(), next);
  EXPECT_GE(Ticker(WAL_PRECREATE_WAITED), 1u);
  EXPECT_EQ(Ticker(WAL_PRECREATE_HIT), 1u);
  EXPECT_EQ(fs_->made_here_count, 1);
}

// A file that was opened for other options is not taken.
TEST_F(WalPrecreateTest, ChangedOptionsCountForTheNextLog) {
  Open();
  const std::string next = fs_->AwaitEnded(1);
  ASSERT_OK(db_->SetDBOptions({{"wal_bytes_per_sync", "65536"}}));
  ChangeLog();
  EXPECT_EQ(fs_->made_here, next);
  EXPECT_EQ(Ticker(WAL_PRECREATE_MISS), 1u);
  fs_->AwaitEnded(2);
  ChangeLog();
  EXPECT_EQ(Ticker(WAL_PRECREATE_HIT), 1u);
}

TEST_F(WalPrecreateTest, NobodyIsToldOfIt) {
  Open();
  fs_->AwaitEnded(1);
  ChangeLog();
  ASSERT_OK(Put("a", "in the log"));
  const std::string next = fs_->AwaitEnded(2);
  const std::string name = std::filesystem::path(next).filename();
  VectorWalPtr logs;
  ASSERT_OK(db_->GetSortedWalFiles(logs));
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_NE(logs[0]->PathName(), "/" + name);
  std::vector<LiveFileStorageInfo> files;
  LiveFilesStorageInfoOptions listing;
  listing.wal_size_for_flush = 1 << 30;  // A flush would begin the next log.
  ASSERT_OK(db_->GetLiveFilesStorageInfo(listing, &files));
  for (const LiveFileStorageInfo& file : files) {
    EXPECT_NE(file.relative_filename, name);
  }
  Checkpoint* made = nullptr;
  ASSERT_OK(Checkpoint::Create(db_.get(), &made));
  const std::unique_ptr<Checkpoint> checkpoint(made);
  const std::string copy = directory_.path() + "/copy";
  ASSERT_OK(checkpoint->CreateCheckpoint(copy, /*log_size_for_flush=*/1 << 30));
  EXPECT_EQ(FilesOf(copy, kWalFile).size(), 1u);
  db_.reset();
  path_ = copy;
  Open();
  EXPECT_EQ(Get("a"), "in the log");
}

TEST_F(WalPrecreateTest, UpdatesAreReadOnFromLogToLog) {
  options_.WAL_ttl_seconds = 3600;
  Open();
  for (int i = 0; i < 3; ++i) ChangeLog();
  std::unique_ptr<TransactionLogIterator> updates;
  ASSERT_OK(db_->GetUpdatesSince(1, &updates));
  for (SequenceNumber next = 1; next <= 6; ++next) {
    if (next > 3) {
      // Where the one before had come to the end.
      ASSERT_FALSE(updates->Valid());
      ChangeLog();
      updates->Next();
    }
    ASSERT_TRUE(updates->Valid()) << next;
    EXPECT_EQ(updates->GetBatch().sequence, next);
    updates->Next();
  }
  EXPECT_OK(updates->status());
}

TEST_F(WalPrecreateTest, ASecondaryFollowsFromLogToLog) {
  Open();
  ASSERT_OK(Put("a", "0"));
  std::unique_ptr<DB> secondary;
  Options options = options_;
  options.max_open_files = -1;
  ASSERT_OK(DB::OpenAsSecondary(options, path_, directory_.path() + "/second",
                                &secondary));
  for (int i = 1; i <= 6; ++i) {
    const std::string value = std::to_string(i);
    ASSERT_OK(Put("a", value));
    // With data in the log, and without.
    if (i % 2 == 0) ChangeLog();
    fs_->AwaitEnded(1 + i / 2);
    ASSERT_OK(secondary->TryCatchUpWithPrimary());
    std::string read;
    ASSERT_OK(secondary->Get(ReadOptions(), "a", &read));
    EXPECT_EQ(read, value);
  }
}

// Databases as a crash leaves them, with the log and without.
class WalPrecreateCrashTest : public WalPrecreateTest {
 protected:
  enum class Tail { kWhole, kCut, kFlipped };

  // One table, and records in a log whose end is as `tail` says.
  void Crash(Tail tail) {
    // One that nobody has begun yet would be made by the flush.
    fs_->AwaitEnded(1);
    for (int i = 0; i < 20; ++i) {
      ASSERT_OK(Put("b" + std::to_string(i), std::string(100, 'b')));
      if (i == 9) ASSERT_OK(Flush());
    }
    const std::string next = fs_->AwaitEnded(2);
    AwaitPurge();  // Nothing goes while it is copied.
    const std::string log = CurrentLog();
    ASSERT_LT(log, next);
    with_ = path_ + "-with";
    without_ = path_ + "-without";
    std::filesystem::copy(path_, with_);
    const auto in_copy = [&](const std::string& file) {
      return with_ + "/" + std::filesystem::path(file).filename().string();
    };
    std::string bytes = ReadBytes(in_copy(log));
    while (!bytes.empty() && bytes.back() == '\0') bytes.pop_back();
    if (tail == Tail::kCut) bytes.resize(bytes.size() - 50);
    if (tail == Tail::kFlipped) bytes[bytes.size() - 300] ^= 1;
    WriteBytes(in_copy(log), bytes);
    ASSERT_TRUE(std::filesystem::exists(in_copy(next)));
    std::filesystem::copy(with_, without_);
    std::filesystem::remove(without_ + "/" +
                            std::filesystem::path(next).filename().string());
    db_.reset();
    options_.async_wal_precreate = false;
  }
  // The answer of an open, and what is in it then.
  static std::string Answer(
      const std::function<Status(const std::string&, std::unique_ptr<DB>*)>&
          open,
      const std::string& path) {
    std::unique_ptr<DB> db;
    const Status s = open(path, &db);
    if (!s.ok()) return s.code() == Status::kCorruption ? "corrupt" : "other";
    std::string text;
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  void ExpectSame(const std::function<Status(const std::string&,
                                             std::unique_ptr<DB>*)>& open) {
    const std::string answer = Answer(open, without_);
    EXPECT_EQ(Answer(open, with_), answer);
    EXPECT_NE(answer, "other");
  }

  std::string with_, without_;
};

TEST_F(WalPrecreateCrashTest, EachRecoveryModeFindsTheSame) {
  for (const Tail tail : {Tail::kWhole, Tail::kCut, Tail::kFlipped}) {
    for (const WALRecoveryMode mode :
         {WALRecoveryMode::kTolerateCorruptedTailRecords,
          WALRecoveryMode::kAbsoluteConsistency,
          WALRecoveryMode::kPointInTimeRecovery,
          WALRecoveryMode::kSkipAnyCorruptedRecords}) {
      for (const bool is_strict : {false, true}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(tail)) + " " +
                     std::to_string(static_cast<int>(mode)) +
                     (is_strict ? " strict" : ""));
        options_.async_wal_precreate = true;
        options_.avoid_flush_during_recovery = is_strict;
        options_.track_and_verify_wals = is_strict;
        options_.track_and_verify_wals_in_manifest = is_strict;
        options_.wal_recovery_mode = mode;
        fs_ = std::make_shared<LogFs>(options_.statistics.get());
        env_ = NewCompositeEnv(fs_);
        options_.env = env_.get();
        path_ += "+";
        Open();
        ASSERT_NO_FATAL_FAILURE(Crash(tail));
        const auto open = [&](const std::string& path,
                              std::unique_ptr<DB>* db) {
          return DB::Open(options_, path, db);
        };
        ExpectSame(open);
        // And once more, where the first one got so far.
        ExpectSame(open);
        if (tail == Tail::kWhole) {
          EXPECT_NE(Answer(open, with_).find("b19"), std::string::npos);
        }
        // Else logs stay: recovered ones until they are flushed, and all where
        // the open is refused.
        if (is_strict || Answer(open, with_) == "corrupt") continue;
        EXPECT_EQ(FilesOf(with_, kWalFile).size(),
                  FilesOf(without_, kWalFile).size());
      }
    }
  }
}

TEST_F(WalPrecreateCrashTest, SoDoThoseWhoOnlyRead) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Crash(Tail::kWhole));
  for (const bool refuses_logs : {false, true}) {
    ExpectSame([&](const std::string& path, std::unique_ptr<DB>* db) {
      return DB::OpenForReadOnly(options_, path, db, refuses_logs);
    });
  }
  ExpectSame([&](const std::string& path, std::unique_ptr<DB>* db) {
    return DB::OpenAsSecondary(options_, path, path + "-second", db);
  });
}

TEST_F(WalPrecreateCrashTest, SoDoesARepair) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Crash(Tail::kWhole));
  ExpectSame([&](const std::string& path, std::unique_ptr<DB>* db) {
    const Status s = RepairDB(path, options_);
    return s.ok() ? DB::Open(options_, path, db) : s;
  });
}

// The log that Resume() begins is the one that was made ahead, or no log with a
// smaller number comes later.
TEST(WalPrecreateFaultTest, ALogThatFailedIsFollowedByTheNext) {
  FaultWorld world(1, false, 100);
  world.options_.async_wal_precreate = true;
  world.options_.track_and_verify_wals = true;
  world.options_.max_bgerror_resume_count = 0;
  ASSERT_OK(world.Open());
  const std::string family = kDefaultColumnFamilyName;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(world.Write(family, true));
    std::unique_ptr<WalFile> before, after;
    ASSERT_OK(world.db_->GetCurrentWalFile(&before));
    world.fs_->FailCall(
        {.call = 1, .is_permanent = true, .path_contains = before->PathName()});
    EXPECT_FALSE(world.Write(family, true).ok());
    world.fs_->ClearFault();
    ASSERT_OK(world.db_->Resume());
    ASSERT_OK(world.Write(family, true));
    ASSERT_OK(world.db_->GetCurrentWalFile(&after));
    EXPECT_GT(after->LogNumber(), before->LogNumber());
  }
  world.fs_->FailCall({.call = 1, .is_permanent = true});
  IgnoreError(world.Close(), "the device is gone");
  ASSERT_TRUE(world.fs_->CrashAndHeal({.survival_percent = 50}).ok());
  ASSERT_OK(world.Open());
  EXPECT_EQ(world.Check(false), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
