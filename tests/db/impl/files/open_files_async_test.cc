// open_files_async: a database is open before its tables are; a job of the
// background opens them, and a read that needs one before opens it itself.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/recovery_listener.h"
#include "util/mutex.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps the job that opens tables until it is let go. It alone of those on the
// HIGH pool, as long as nothing is flushed, can be taken back.
class HoldingEnv final : public EnvWrapper {
 public:
  explicit HoldingEnv(Env* target) : EnvWrapper(target) {}
  const char* Name() const override { return "HoldingEnv"; }

  void Schedule(void (*run)(void*), void* arg, Priority pool, void* tag,
                void (*taken_back)(void*)) override {
    {
      MutexLock lock(&mutex_);
      if (holds_ && pool == Priority::HIGH && tag != nullptr) {
        EXPECT_EQ(held_.run, nullptr);
        held_ = {run, arg, tag};
        return;
      }
    }
    target()->Schedule(run, arg, pool, tag, taken_back);
  }
  int UnSchedule(void* tag, Priority pool) override {
    {
      MutexLock lock(&mutex_);
      if (held_.run != nullptr && tag == held_.tag) {
        held_ = {};
        return 1;
      }
    }
    return target()->UnSchedule(tag, pool);
  }
  void Hold() {
    MutexLock lock(&mutex_);
    holds_ = true;
  }
  bool HasHeld() const {
    MutexLock lock(&mutex_);
    return held_.run != nullptr;
  }
  // What comes later is not held.
  void LetGo() {
    const Held held = TakeHeld();
    if (held.run == nullptr) return;
    target()->Schedule(held.run, held.arg, Priority::HIGH, held.tag);
  }
  // In the calling thread.
  void RunHere() {
    const Held held = TakeHeld();
    ASSERT_NE(held.run, nullptr);
    held.run(held.arg);
  }

 private:
  struct Held {
    void (*run)(void*) = nullptr;
    void* arg = nullptr;
    void* tag = nullptr;
  };
  Held TakeHeld() {
    MutexLock lock(&mutex_);
    holds_ = false;
    return std::exchange(held_, {});
  }

  mutable Mutex mutex_;
  bool holds_ GUARDED_BY(mutex_) = false;
  Held held_ GUARDED_BY(mutex_);
};

class OpenFilesAsyncTest : public DbFixture {
 protected:
  OpenFilesAsyncTest()
      : files_(
            std::make_shared<FaultInjectionFileSystem>(FileSystem::Default())),
        file_env_(NewCompositeEnv(files_)),
        env_(file_env_.get()) {
    options_.env = &env_;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    options_.listeners.push_back(listener_);
  }
  ~OpenFilesAsyncTest() override { db_.reset(); }

  void WriteTables(int count) {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(Put(Key(i), "v"));
      ASSERT_OK(Flush());
    }
    db_.reset();
    options_.open_files_async = true;
    options_.skip_stats_update_on_db_open = true;
    files_->ClearOpens();
  }
  static std::string Key(int i) { return "k" + std::to_string(100 + i); }
  size_t OpenTables() const {
    const std::vector<OpenRecord> opens = files_->opens();
    return static_cast<size_t>(
        std::count_if(opens.begin(), opens.end(), [](const auto& open) {
          return open.path.ends_with(".sst") &&
                 open.kind == FileKind::kRandomAccess;
        }));
  }
  // The job has come to its end.
  void AwaitJob() {
    uint64_t time = 0;
    EXPECT_OK(db_->GetCreationTimeOfOldestFile(&time));
  }
  uint64_t BackgroundErrors() {
    uint64_t count = 0;
    EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kBackgroundErrors, &count));
    return count;
  }
  std::string TableOf(int i) { return FilesOf(path_, kTableFile)[size_t(i)]; }

  const std::shared_ptr<RecoveryListener> listener_ =
      std::make_shared<RecoveryListener>();
  const std::shared_ptr<FaultInjectionFileSystem> files_;
  const std::unique_ptr<Env> file_env_;
  HoldingEnv env_;
};

TEST_F(OpenFilesAsyncTest, TheOpenWaitsForNoTable) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(20));
  env_.Hold();
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_TRUE(env_.HasHeld());
  EXPECT_EQ(OpenTables(), 0u);
  EXPECT_EQ(Get(Key(3)), "v");
  EXPECT_EQ(OpenTables(), 1u);
  env_.LetGo();
  ASSERT_NO_FATAL_FAILURE(AwaitJob());
  EXPECT_EQ(OpenTables(), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Get(Key(i)), "v");
  EXPECT_EQ(OpenTables(), 20u);
  EXPECT_EQ(BackgroundErrors(), 0u);
}

TEST_F(OpenFilesAsyncTest, NothingIsLookedAtIfThereAreNoTables) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(0));
  env_.Hold();
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_FALSE(env_.HasHeld());
}

TEST_F(OpenFilesAsyncTest, WhereTheCacheIsBoundedFewAreOpened) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(20));
  options_.max_open_files = 1000;
  env_.Hold();
  ASSERT_NO_FATAL_FAILURE(Open());
  env_.RunHere();
  EXPECT_EQ(OpenTables(), 16u);
}

TEST_F(OpenFilesAsyncTest, ACloseTakesTheJobBack) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(5));
  env_.Hold();
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_TRUE(env_.HasHeld());
  ASSERT_OK(db_->Close());
  EXPECT_FALSE(env_.HasHeld());
  db_.reset();
  EXPECT_EQ(OpenTables(), 0u);
}

TEST_F(OpenFilesAsyncTest, ACloseAwaitsTheJob) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(5));
  for (int i = 0; i < 50; ++i) {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(db_->Close());
    db_.reset();
    EXPECT_EQ(files_->open_handles(FileKind::kRandomAccess), 0u);
  }
}

// Tables that leave the database before the job has come to them are deleted
// and not opened.
TEST_F(OpenFilesAsyncTest, TablesThatAreGoneArePassedOver) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(5));
  env_.Hold();
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_EQ(Tables().size(), 1u);
  files_->ClearOpens();
  env_.LetGo();
  ASSERT_NO_FATAL_FAILURE(AwaitJob());
  EXPECT_EQ(OpenTables(), 0u);
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(TablesOnDisk(), 1u);
}

TEST_F(OpenFilesAsyncTest, ADamagedTableIsABackgroundError) {
  for (const bool is_missing : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(WriteTables(4));
    if (is_missing) {
      std::filesystem::remove(TableOf(2));
    } else {
      DamageFile(TableOf(2), {Harm::kZero, 60});
    }
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(AwaitJob());
    EXPECT_EQ(BackgroundErrors(), 1u);
    const auto errors = listener_->errors();
    ASSERT_EQ(errors.size(), is_missing ? 2u : 1u);
    EXPECT_EQ(errors.back().first, BackgroundErrorReason::kAsyncFileOpen);
    EXPECT_TRUE(errors.back().second.IsCorruption())
        << errors.back().second.ToString();
    for (int i : {0, 1, 3}) EXPECT_EQ(Get(Key(i)), "v");
    EXPECT_NE(Get(Key(2)), "v");
    EXPECT_FALSE(Put("a", "b").ok());
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.open_files_async = false;
  }
}

TEST_F(OpenFilesAsyncTest, WithoutParanoiaReadsTellOfDamage) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(4));
  DamageFile(TableOf(2), {Harm::kZero, 60});
  options_.paranoid_checks = false;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(AwaitJob());
  EXPECT_EQ(BackgroundErrors(), 1u) << "it stops nothing";
  EXPECT_NE(Get(Key(2)), "v");
  EXPECT_OK(Put("a", "b"));
}

// Each call of the job fails once: the database goes on when it is told to.
TEST_F(OpenFilesAsyncTest, ACallThatFails) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(3));
  options_.max_bgerror_resume_count = 0;
  bool struck = true;
  int errors = 0;
  for (uint64_t call = 1; struck; ++call) {
    ASSERT_LT(call, 200u);
    env_.Hold();
    ASSERT_NO_FATAL_FAILURE(Open());
    files_->FailCall({.call = call,
                      .scope = FaultScope::kAllCalls,
                      .path_contains = ".sst"});
    env_.LetGo();
    ASSERT_NO_FATAL_FAILURE(AwaitJob());
    struck = files_->failed();
    files_->ClearFault();
    if (BackgroundErrors() > 0) {
      ++errors;
      EXPECT_FALSE(Put("a", "b").ok());
      ASSERT_OK(db_->Resume());
    }
    for (int i = 0; i < 3; ++i) ASSERT_EQ(Get(Key(i)), "v");
    db_.reset();
    ASSERT_EQ(files_->open_handles(FileKind::kRandomAccess), 0u);
  }
  EXPECT_GT(errors, 3);
}

TEST_F(OpenFilesAsyncTest, ReadersDoSoAndFollowersDoNot) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(5));
  env_.Hold();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_TRUE(env_.HasHeld());
  EXPECT_EQ(OpenTables(), 0u);
  env_.LetGo();
  ASSERT_NO_FATAL_FAILURE(AwaitJob());
  EXPECT_EQ(OpenTables(), 5u);
  EXPECT_EQ(Get(Key(1)), "v");
  db_.reset();
  ASSERT_OK(DB::OpenAsSecondary(options_, path_, path_ + "-second", &db_));
  EXPECT_FALSE(env_.HasHeld());
  EXPECT_EQ(Get(Key(1)), "v");
}

TEST_F(OpenFilesAsyncTest, WhatItDoesNotGoWith) {
  ASSERT_NO_FATAL_FAILURE(WriteTables(1));
  options_.skip_stats_update_on_db_open = false;
  Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("skip_stats_update_on_db_open"),
            std::string::npos);
  options_.skip_stats_update_on_db_open = true;
  options_.compaction_style = kCompactionStyleFIFO;
  s = TryOpen();
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_EQ(s.ToString(),
            "Not implemented: FIFO compaction is not supported with "
            "open_files_async = true.");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
