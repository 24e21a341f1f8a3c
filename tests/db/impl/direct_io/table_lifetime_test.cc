// calculate_sst_write_lifetime_hint_set: how long table files are said to live,
// by level and by the family's style.

#include <map>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what each table is said to live, by name.
class LifetimeRecorder final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "LifetimeRecorder"; }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    {
      MutexLock lock(&mutex_);
      lifetimes_[name.substr(name.rfind('/') + 1)] = options.write_hint;
    }
    return target()->NewWritableFile(name, options, result, dbg);
  }
  Env::WriteLifeTimeHint LifetimeOf(const std::string& name) const {
    MutexLock lock(&mutex_);
    const auto found = lifetimes_.find(name.substr(name.rfind('/') + 1));
    EXPECT_NE(found, lifetimes_.end()) << name;
    return found == lifetimes_.end() ? Env::WLTH_NONE : found->second;
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, Env::WriteLifeTimeHint> lifetimes_ GUARDED_BY(mutex_);
};

class TableLifetimeTest : public DbFixture {
 protected:
  TableLifetimeTest()
      : files_(std::make_shared<LifetimeRecorder>(FileSystem::Default())),
        env_(NewCompositeEnv(files_)) {
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 5;
  }
  ~TableLifetimeTest() override { db_.reset(); }

  // A new table that overlaps all others, brought to `level`.
  Env::WriteLifeTimeHint LifetimeAt(int level) {
    EXPECT_OK(Put("a", std::string(100, 'v')));
    EXPECT_OK(Put("z", std::string(100, 'v')));
    EXPECT_OK(Flush());
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    if (level > 0) {
      std::vector<std::string> inputs;
      for (const auto& file : files) inputs.push_back(file.name);
      EXPECT_OK(db_->CompactFiles(CompactionOptions(), inputs, level));
      db_->GetLiveFilesMetaData(&files);
    }
    EXPECT_EQ(files.size(), 1u);
    EXPECT_EQ(files.front().level, level);
    return files_->LifetimeOf(files.front().name);
  }

  const std::shared_ptr<LifetimeRecorder> files_;
  const std::unique_ptr<Env> env_;
};

TEST_F(TableLifetimeTest, DeeperTablesLiveLonger) {
  Open();
  EXPECT_EQ(LifetimeAt(0), Env::WLTH_MEDIUM);
  EXPECT_EQ(LifetimeAt(1), Env::WLTH_MEDIUM);
  EXPECT_EQ(LifetimeAt(2), Env::WLTH_LONG);
  EXPECT_EQ(LifetimeAt(3), Env::WLTH_EXTREME);
  EXPECT_EQ(LifetimeAt(4), Env::WLTH_EXTREME);
}

// Levels are counted from the first that is used.
TEST_F(TableLifetimeTest, TheBaseLevelIsWhereItBegins) {
  options_.level_compaction_dynamic_level_bytes = true;
  Open();
  EXPECT_EQ(LifetimeAt(4), Env::WLTH_MEDIUM) << "the only one in use";
}

TEST_F(TableLifetimeTest, OtherStylesAreAskedForByName) {
  options_.compaction_style = kCompactionStyleUniversal;
  Open();
  EXPECT_EQ(LifetimeAt(0), Env::WLTH_NOT_SET);
  EXPECT_EQ(LifetimeAt(4), Env::WLTH_NOT_SET);
  path_ += "-universal";
  options_.calculate_sst_write_lifetime_hint_set.Add(kCompactionStyleUniversal);
  Open();
  EXPECT_EQ(LifetimeAt(0), Env::WLTH_MEDIUM);
  EXPECT_EQ(LifetimeAt(4), Env::WLTH_EXTREME);
}

TEST_F(TableLifetimeTest, AnEmptySetSaysNothing) {
  options_.calculate_sst_write_lifetime_hint_set = CompactionStyleSet();
  Open();
  EXPECT_EQ(LifetimeAt(0), Env::WLTH_NOT_SET);
  EXPECT_EQ(LifetimeAt(3), Env::WLTH_NOT_SET);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
