// Compactions to the last level, where the BOTTOM pool has threads: they wait
// for one, others go on meanwhile, and what happens to those that wait.

#include <deque>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/universal_compaction.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Its BOTTOM jobs run when the test says so.
class BottomEnv final : public EnvWrapper {
 public:
  // With jobs of others waiting, or a thread that has nothing to do.
  enum class Others { kWait, kNone };
  BottomEnv(int threads, Others others)
      : EnvWrapper(Default()), threads_(threads), others_(others) {}
  ~BottomEnv() override { EXPECT_EQ(WaitingJobs(), 0u); }

  int GetBackgroundThreads(Priority pri) override {
    return pri == BOTTOM ? threads_ : target()->GetBackgroundThreads(pri);
  }
  unsigned int GetThreadPoolQueueLen(Priority pri) const override {
    if (pri != BOTTOM) return target()->GetThreadPoolQueueLen(pri);
    return others_ == Others::kWait ? 1 : 0;
  }
  void Schedule(void (*function)(void*), void* arg, Priority pri, void* tag,
                void (*taken_back)(void*)) override {
    if (pri != BOTTOM) {
      target()->Schedule(function, arg, pri, tag, taken_back);
      return;
    }
    MutexLock lock(&mutex_);
    jobs_.push_back({function, arg, tag, taken_back});
    came_.SignalAll();
  }
  int UnSchedule(void* tag, Priority pri) override {
    if (pri != BOTTOM) return target()->UnSchedule(tag, pri);
    std::deque<Job> taken;
    {
      MutexLock lock(&mutex_);
      taken.swap(jobs_);
    }
    for (const Job& job : taken) {
      EXPECT_EQ(job.tag, tag);
      job.taken_back(job.arg);
    }
    return static_cast<int>(taken.size());
  }

  size_t WaitingJobs() const {
    MutexLock lock(&mutex_);
    return jobs_.size();
  }
  void AwaitJob() {
    MutexLock lock(&mutex_);
    while (jobs_.empty()) came_.Wait();
  }
  // Runs the first, on the thread of the caller.
  void RunJob() {
    Job job;
    {
      MutexLock lock(&mutex_);
      ASSERT_FALSE(jobs_.empty());
      job = jobs_.front();
      jobs_.pop_front();
    }
    job.function(job.arg);
  }

 private:
  struct Job {
    void (*function)(void*) = nullptr;
    void* arg = nullptr;
    void* tag = nullptr;
    void (*taken_back)(void*) = nullptr;
  };

  const int threads_;
  const Others others_;
  mutable Mutex mutex_;
  CondVar came_{&mutex_};
  std::deque<Job> jobs_ GUARDED_BY(mutex_);
};

class BottomPoolTest : public DbFixture {
 protected:
  BottomPoolTest() { options_.write_buffer_size = 64 << 10; }
  ~BottomPoolTest() override { db_.reset(); }

  using Others = BottomEnv::Others;

  void UseEnv(int bottom_threads, Others others = Others::kWait) {
    env_ = std::make_unique<BottomEnv>(bottom_threads, others);
    options_.env = env_.get();
  }
  // Three runs of AddRun(120) on top of the last level's 500 keys are enough
  // for all to be merged.
  void UseUniversal(bool reduces) {
    options_.compaction_style = kCompactionStyleUniversal;
    options_.num_levels = 4;
    options_.level0_file_num_compaction_trigger = 4;
    options_.compaction_options_universal.size_ratio = 10;
    options_.compaction_options_universal.max_size_amplification_percent = 40;
    options_.compaction_options_universal.reduce_file_locking = reduces;
  }
  // One more table file, of `count` keys over the whole range.
  void AddRun(int count) {
    ++round_;
    for (int i = 0; i < count; ++i) {
      const std::string key = "key" + std::to_string(1000 + i);
      model_[key] = "round" + std::to_string(round_) + std::string(50, 'v');
      ASSERT_OK(Put(key, model_[key]));
    }
    ASSERT_OK(Flush());
  }
  void MakeLastLevel() {
    AddRun(500);
    CompactRangeOptions whole;
    whole.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_OK(db_->CompactRange(whole, nullptr, nullptr));
    ASSERT_EQ(FilesAt(options_.num_levels - 1), 1);
    ASSERT_EQ(env_->WaitingJobs(), 0u) << "a user waits for that one";
  }
  // Three runs that are to be merged with the last level.
  void AddRunsForAll() {
    for (int i = 0; i < 3; ++i) AddRun(120);
    env_->AwaitJob();
  }
  // Until the last level's file is another one.
  void RunUntilMerged() {
    const std::string before = LastLevelsFile();
    while (LastLevelsFile() == before) {
      AddRun(120);
      if (env_->WaitingJobs() > 0) env_->RunJob();
    }
    ExpectModel();
    while (env_->WaitingJobs() > 0) env_->RunJob();
    ExpectModel();
  }
  std::string LastLevelsFile() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    for (const auto& file : files) {
      if (file.level == options_.num_levels - 1) return file.name;
    }
    return "";
  }
  std::set<std::string> Files() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::set<std::string> names;
    for (const auto& file : files) names.insert(file.name);
    return names;
  }
  void ExpectModel() {
    std::map<std::string, std::string> found;
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      found[it->key().ToString()] = it->value().ToString();
    }
    EXPECT_OK(it->status());
    EXPECT_EQ(found, model_);
  }

  std::unique_ptr<BottomEnv> env_;
  std::map<std::string, std::string> model_;
  int round_ = 0;
};

TEST_F(BottomPoolTest, WithoutThreadsThereNothingWaits) {
  UseEnv(0);
  UseUniversal(true);
  Open();
  MakeLastLevel();
  for (int i = 0; i < 3; ++i) AddRun(120);
  AwaitPurge();
  EXPECT_EQ(env_->WaitingJobs(), 0u);
  EXPECT_EQ(Files().size(), 1u);
  ExpectModel();
}

TEST_F(BottomPoolTest, NewerRunsAreMergedWhileTheOldestWaits) {
  UseEnv(1);
  UseUniversal(true);
  Open();
  MakeLastLevel();
  for (int i = 0; i < 2; ++i) AddRun(120);
  const std::set<std::string> before = Files();
  ASSERT_EQ(before.size(), 3u);
  // The third is enough for all; these three are merged with what comes after
  // it, or are already. The last level's stays.
  AddRun(120);
  env_->AwaitJob();
  while (FilesAt(0) > 2) AddRun(120);
  const std::set<std::string> now = Files();
  size_t left = 0;
  for (const std::string& name : before) left += now.count(name);
  EXPECT_LT(left, before.size()) << "some were merged";
  EXPECT_EQ(FilesAt(options_.num_levels - 1), 1);
  ExpectModel();
  // It is picked anew, with what is there by then.
  RunUntilMerged();
}

// Else the newer runs would be gone by the time that it has them.
TEST_F(BottomPoolTest, WithAnIdleThreadAllIsMergedAtOnce) {
  UseEnv(1, Others::kNone);
  UseUniversal(true);
  Open();
  MakeLastLevel();
  AddRunsForAll();
  EXPECT_EQ(Files().size(), 4u);
  env_->RunJob();
  EXPECT_EQ(Files().size(), 1u);
  ExpectModel();
}

TEST_F(BottomPoolTest, AllInputsAreKeptWhereTheOptionSaysSo) {
  UseEnv(1);
  UseUniversal(false);
  Open();
  MakeLastLevel();
  AddRunsForAll();
  const std::set<std::string> before = Files();
  for (int i = 0; i < 2; ++i) AddRun(120);
  for (const std::string& name : before) {
    EXPECT_EQ(Files().count(name), 1u) << name;
  }
  // It is run as it was picked.
  env_->RunJob();
  const std::set<std::string> after = Files();
  for (const std::string& name : before) EXPECT_EQ(after.count(name), 0u);
  EXPECT_GE(after.size(), 2u) << "the later ones were not in it";
  ExpectModel();
  while (env_->WaitingJobs() > 0) env_->RunJob();
}

TEST_F(BottomPoolTest, TheOptionChangesAtRunTime) {
  UseEnv(1);
  UseUniversal(false);
  Open();
  ASSERT_OK(db_->SetOptions(
      {{"compaction_options_universal", "{reduce_file_locking=true;}"}}));
  MakeLastLevel();
  AddRunsForAll();
  while (FilesAt(0) > 2) AddRun(120);
  RunUntilMerged();
}

TEST_F(BottomPoolTest, LeveledOnesOfDeepDataWaitToo) {
  UseEnv(1);
  options_.num_levels = 3;
  options_.level_compaction_dynamic_level_bytes = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  AddRun(300);
  AddRun(300);
  env_->AwaitJob();
  EXPECT_EQ(FilesAt(1), 0);
  ExpectModel();
  env_->RunJob();
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(FilesAt(1), 1);
  ExpectModel();
}

TEST_F(BottomPoolTest, WhatWaitsWhenTheDatabaseClosesIsDoneLater) {
  for (const bool reduces : {true, false}) {
    UseEnv(1);
    path_ += reduces ? "-oldest" : "-all";
    UseUniversal(reduces);
    model_.clear();
    Open();
    MakeLastLevel();
    AddRunsForAll();
    EXPECT_OK(db_->Close());
    EXPECT_EQ(env_->WaitingJobs(), 0u);
    Reopen();
    ExpectModel();
    RunUntilMerged();
    db_.reset();
  }
}

// A turn that comes at the wrong time passes, and another one comes.
TEST_F(BottomPoolTest, NothingRunsWhileBackgroundWorkIsPaused) {
  UseEnv(1);
  UseUniversal(false);
  Open();
  MakeLastLevel();
  AddRunsForAll();
  ASSERT_OK(db_->PauseBackgroundWork());
  env_->RunJob();
  EXPECT_EQ(Files().size(), 4u);
  ASSERT_OK(db_->ContinueBackgroundWork());
  env_->AwaitJob();
  env_->RunJob();
  EXPECT_EQ(Files().size(), 1u);
  ExpectModel();
}

TEST_F(BottomPoolTest, AFamilyThatIsDroppedMeanwhileGoes) {
  for (const bool reduces : {true, false}) {
    UseEnv(1);
    UseUniversal(reduces);
    path_ += "-next";
    Open();
    ColumnFamilyHandle* handle = nullptr;
    ASSERT_OK(db_->CreateColumnFamily(options_, "other", &handle));
    for (int run = 0; run < 4; ++run) {
      for (int i = 0; i < 300; ++i) {
        ASSERT_OK(db_->Put(WriteOptions(), handle, std::to_string(i), "v"));
      }
      ASSERT_OK(db_->Flush(FlushOptions(), handle));
    }
    env_->AwaitJob();
    ASSERT_OK(db_->DropColumnFamily(handle));
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
    while (env_->WaitingJobs() > 0) env_->RunJob();
    EXPECT_EQ(Files().size(), 0u);
    db_.reset();
  }
}

// It waits for the files, and gets them when the turn has come.
TEST_F(BottomPoolTest, AnExclusiveManualOneComesFirst) {
  UseEnv(1);
  UseUniversal(false);
  Open();
  MakeLastLevel();
  AddRunsForAll();
  std::thread user([this] {
    CompactRangeOptions exclusive;
    exclusive.exclusive_manual_compaction = true;
    exclusive.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    EXPECT_OK(db_->CompactRange(exclusive, nullptr, nullptr));
  });
  env_->RunJob();
  user.join();
  while (env_->WaitingJobs() > 0) env_->RunJob();
  EXPECT_EQ(Files().size(), 1u);
  ExpectModel();
}

// Both pools at work, and what is written is what is read.
TEST_F(BottomPoolTest, BothPoolsAtWork) {
  Env* const env = Env::Default();
  const int before = env->GetBackgroundThreads(Env::Priority::BOTTOM);
  env->SetBackgroundThreads(1, Env::Priority::BOTTOM);
  Random64 random(301);
  for (const bool reduces : {true, false}) {
    path_ += "-next";
    UseUniversal(reduces);
    model_.clear();
    Open();
    for (int run = 0; run < 40; ++run) {
      AddRun(20 + static_cast<int>(random.Uniform(300)));
    }
    AwaitPurge();
    ExpectModel();
    Reopen();
    ExpectModel();
    db_.reset();
  }
  env->SetBackgroundThreads(before, Env::Priority::BOTTOM);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
