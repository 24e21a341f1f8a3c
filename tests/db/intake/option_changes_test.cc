// SetDBOptions() puts a change in force and into the OPTIONS file, or refuses
// it and changes nothing.
#include "db/intake/option_changes.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "tests/db/intake/changing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what it is asked for.
class PoolSizesEnv final : public EnvWrapper {
 public:
  PoolSizesEnv() : EnvWrapper(Env::Default()) {}
  void IncBackgroundThreadsIfNeeded(int number, Priority pool) override {
    asked[pool] = number;
  }
  std::map<Priority, int> asked;
};

class WriteBackListener final : public EventListener {
 public:
  bool ShouldBeNotifiedOnFileIO() override { return true; }
  void OnFileRangeSyncFinish(const FileOperationInfo& info) override {
    if (info.path.ends_with(".log")) ++log_parts;
  }
  int log_parts = 0;
};

class OptionChangesTest : public ::testing::Test {
 protected:
  using Values = std::unordered_map<std::string, std::string>;

  OptionChangesTest() { world_.f.db_options.listeners.push_back(listener_); }

  void Open() {
    world_.Open();
    before_ = world_.options->Get();
    world_.f.db->env = &pools_;
    changes_ = std::make_unique<OptionChanges>(
        OptionChanges::Context{.db = world_.f.db.get(),
                               .db_name = "/db",
                               .mutex = world_.mutex,
                               .options = world_.options.get(),
                               .scheduler = &world_.scheduler,
                               .stalls = world_.stalls.get(),
                               .versions = world_.versions(),
                               .families = world_.family_changes.get(),
                               .files = world_.room.get(),
                               .access = world_.access.get(),
                               .logs = world_.logs.get(),
                               .attention = &world_.attention});
  }
  Status Apply(const Values& values) {
    return world_.wal_lock.WithLogAtRest(
        [&] { return changes_->Apply(values); });
  }
  // Nothing has changed, nobody is to look, and no file says otherwise.
  void ExpectAsBefore() {
    EXPECT_EQ(world_.options->Get(), before_);
    EXPECT_FALSE(world_.attention.IsAsked());
    EXPECT_EQ(world_.CurrentOptionsFile(), 0u);
    EXPECT_TRUE(pools_.asked.empty());
  }
  uint64_t Manifest() const {
    MutexLock lock(world_.mutex);
    return world_.versions()->manifest()->installed().number;
  }
  // Of the log, after a write of 2 MiB more: has any of it been written back?
  bool WritesBackEarly() {
    const int before = listener_->log_parts;
    EXPECT_TRUE(world_
                    .Put(world_.default_family->shared_from_this(), "k",
                         std::string(2 << 20, 'v'))
                    .ok());
    return listener_->log_parts > before;
  }

  const std::shared_ptr<WriteBackListener> listener_ =
      std::make_shared<WriteBackListener>();
  PoolSizesEnv pools_;
  ChangingWorld world_;
  CurrentOptions::Ref before_;
  std::unique_ptr<OptionChanges> changes_;
};

TEST_F(OptionChangesTest, AChangeIsInForceAndInTheOptionsFile) {
  Open();
  const uint64_t period = before_->delete_obsolete_files_period_micros;
  ASSERT_TRUE(Apply({{"delete_obsolete_files_period_micros", "12345"}}).ok());
  EXPECT_EQ(world_.options->Get()->delete_obsolete_files_period_micros, 12345u);
  EXPECT_TRUE(
      world_.OptionsFileSays("delete_obsolete_files_period_micros=12345"));
  EXPECT_TRUE(world_.attention.IsAsked());
  // Whoever holds those before keeps to them.
  EXPECT_EQ(before_->delete_obsolete_files_period_micros, period);
}

TEST_F(OptionChangesTest, ValuesAreBroughtIntoTheirRange) {
  Open();
  ASSERT_TRUE(Apply({{"max_background_jobs", "0"}}).ok());
  EXPECT_EQ(world_.options->Get()->max_background_jobs, 1);
}

TEST_F(OptionChangesTest, NoFileIsWrittenWhereNothingChanges) {
  Open();
  EXPECT_TRUE(Apply({}).IsInvalidArgument());
  EXPECT_TRUE(Apply({{"max_background_jobs",
                      std::to_string(before_->max_background_jobs)}})
                  .ok());
  EXPECT_EQ(world_.CurrentOptionsFile(), 0u);
}

TEST_F(OptionChangesTest, UnknownAndUnfitValuesChangeNothing) {
  Open();
  for (const auto& [name, value] :
       Values{{"no_such_option", "1"},
              {"use_fsync", "true"},  // It cannot be changed while open.
              {"max_open_files", "many"},
              {"daily_offpeak_time_utc", "at night"}}) {
    EXPECT_FALSE(Apply({{"max_background_jobs", "9"}, {name, value}}).ok())
        << name;
  }
  ExpectAsBefore();
}

TEST_F(OptionChangesTest, AnAccessThatTheFilesRefuseChangesNothing) {
  Open();
  world_.f.fs->RefuseDirectIo("/db");
  const Status s = Apply(
      {{"max_background_jobs", "9"}, {"compaction_read_access", "direct"}});
  EXPECT_NE(s.ToString().find("/db refuses direct reads"), std::string::npos)
      << s.ToString();
  ExpectAsBefore();
  world_.f.fs->AcceptDirectIo();
  EXPECT_TRUE(Apply({{"compaction_read_access", "direct"}}).ok());
  EXPECT_EQ(world_.options->Get()->read_access, FileAccess::kDirect);
}

TEST_F(OptionChangesTest, AnAccessMustFitTheDirectoriesOfAllFamilies) {
  Open();
  ColumnFamilyOptions cold = world_.f.family;
  cold.cf_paths.emplace_back("/cold", 1 << 20);
  ColumnFamilyRef cfd;
  ASSERT_TRUE(world_.family_changes->Add(cold, "cold", &cfd).ok());
  world_.attention.Clear();
  world_.f.fs->RefuseDirectIo("/cold");
  const Status s = Apply({{"compaction_read_access", "direct"}});
  EXPECT_NE(s.ToString().find("/cold refuses direct reads"), std::string::npos)
      << s.ToString();
  ExpectAsBefore();
}

TEST_F(OptionChangesTest, WhatNoFileSaysIsInForceAllTheSame) {
  Open();
  world_.FailNext("OPTIONS");
  EXPECT_TRUE(Apply({{"max_background_jobs", "9"}}).IsIOError());
  EXPECT_EQ(world_.options->Get()->max_background_jobs, 9);
  EXPECT_EQ(world_.CurrentOptionsFile(), 0u);
  // It is in the next one.
  ASSERT_TRUE(Apply({{"max_open_files", "200"}}).ok());
  EXPECT_TRUE(world_.OptionsFileSays("max_background_jobs=9"));
}

// --- who goes by them

TEST_F(OptionChangesTest, PoolsGrowWithTheJobs) {
  Open();
  ASSERT_TRUE(Apply({{"max_background_jobs", "12"}}).ok());
  EXPECT_EQ(pools_.asked[Env::HIGH], 3);
  EXPECT_EQ(pools_.asked[Env::LOW], 9);
}

TEST_F(OptionChangesTest, WhatWaitedForAThreadBegins) {
  world_.f.db_options.max_background_jobs = 4;  // One of them flushes.
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(world_.default_family, "a");
  world_.Insert(other, "b");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables
                    ->SealAndQueue({world_.default_family, other},
                                   FlushReason::kManualFlush)
                    .ok());
  }
  ASSERT_EQ(world_.env.job_count(), 1u);
  ASSERT_TRUE(Apply({{"max_background_jobs", "8"}}).ok());
  ASSERT_EQ(world_.env.job_count(), 2u);
  world_.env.RunNext();
  world_.env.RunNext();
}

TEST_F(OptionChangesTest, WritersThatAreDelayedGoOnAtTheNewRate) {
  world_.f.family.level0_file_num_compaction_trigger = 1;
  world_.f.family.level0_slowdown_writes_trigger = 1;
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  {
    MutexLock lock(world_.mutex);
    world_.publisher->Publish(world_.default_family);
  }
  const uint64_t before = world_.controller.delayed_rate();
  ASSERT_GT(before, 0u);
  ASSERT_TRUE(Apply({{"delayed_write_rate", std::to_string(64 << 20)}}).ok());
  EXPECT_EQ(world_.controller.delayed_rate(), before * 64);
}

TEST_F(OptionChangesTest, AManifestThatIsTooLargeNowGivesWayToANewOne) {
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  const uint64_t before = Manifest();
  ASSERT_TRUE(world_.stored.Flush("a@2=v").ok());
  EXPECT_EQ(Manifest(), before);
  ASSERT_TRUE(Apply({{"max_manifest_file_size", "1"},
                     {"max_manifest_space_amp_pct", "0"}})
                  .ok());
  ASSERT_TRUE(world_.stored.Flush("a@3=v").ok());
  EXPECT_GT(Manifest(), before);
}

TEST_F(OptionChangesTest, TheCurrentLogIsWrittenBackAsTheOptionSays) {
  world_.f.family.write_buffer_size = 64 << 20;
  Open();
  EXPECT_FALSE(WritesBackEarly());
  ASSERT_TRUE(Apply({{"wal_bytes_per_sync", "65536"}}).ok());
  EXPECT_TRUE(WritesBackEarly());
  ASSERT_TRUE(Apply({{"wal_bytes_per_sync", "0"}}).ok());
  EXPECT_FALSE(WritesBackEarly());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
