// The temperatures that options give to files: recorded of tables, and told to
// the file system when files are made and opened.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes the temperature that each file is made and opened with.
class TemperatureNotes final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "TemperatureNotes"; }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file,
                           IODebugContext* debug) override {
    Note(&made_, name, options.temperature);
    return FileSystemWrapper::NewWritableFile(name, options, file, debug);
  }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* file,
                               IODebugContext* debug) override {
    Note(&opened_, name, options.temperature);
    return FileSystemWrapper::NewRandomAccessFile(name, options, file, debug);
  }

  // The temperature of the last file made, or opened, whose name holds `part`.
  Temperature Made(const std::string& part) { return Last(made_, part); }
  Temperature Opened(const std::string& part) { return Last(opened_, part); }

 private:
  using Notes = std::vector<std::pair<std::string, Temperature>>;
  void Note(Notes* notes, const std::string& name, Temperature temperature) {
    MutexLock lock(&mutex_);
    notes->emplace_back(name, temperature);
  }
  Temperature Last(const Notes& notes, const std::string& part) {
    MutexLock lock(&mutex_);
    for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
      if (note->first.find(part) != std::string::npos) return note->second;
    }
    ADD_FAILURE() << "no file of " << part;
    return Temperature::kUnknown;
  }

  Mutex mutex_;
  Notes made_, opened_;
};

class TemperatureTest : public DbFixture {
 protected:
  TemperatureTest() {
    fs_ = std::make_shared<TemperatureNotes>(FileSystem::Default());
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    options_.num_levels = 3;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.disable_auto_compactions = true;
    options_.default_write_temperature = Temperature::kWarm;
    options_.last_level_temperature = Temperature::kCold;
  }
  ~TemperatureTest() override { db_.reset(); }

  void Write(const std::string& key) {
    ASSERT_OK(db_->Put({}, key, "value"));
    ASSERT_OK(db_->Flush({}));
  }
  void CompactTo(int level) {
    CompactionOptions options;
    options.allow_trivial_move = true;
    std::vector<std::string> names;
    ASSERT_OK(db_->CompactFiles(options, db_->DefaultColumnFamily(), Names(),
                                level, -1, &names, nullptr));
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    for (const LiveFileMetaData& file : files) names.push_back(file.name);
    return names;
  }
  // Bytes of tables by level and temperature.
  std::map<std::pair<int, Temperature>, size_t> Files() {
    std::map<std::pair<int, Temperature>, size_t> counts;
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    for (const LiveFileMetaData& file : files) {
      ++counts[{file.level, file.temperature}];
    }
    return counts;
  }
  using Counts = std::map<std::pair<int, Temperature>, size_t>;

  std::shared_ptr<TemperatureNotes> fs_;
  std::unique_ptr<Env> env_;
};

TEST_F(TemperatureTest, OfTheLastLevelAndElsewhere) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Write("a"));
  EXPECT_EQ(Files(), (Counts{{{0, Temperature::kWarm}, 1}}));
  EXPECT_EQ(fs_->Made(".sst"), Temperature::kWarm);
  ASSERT_NO_FATAL_FAILURE(CompactTo(1));
  EXPECT_EQ(Files(), (Counts{{{1, Temperature::kWarm}, 1}}));
  // A file that must get colder cannot simply move.
  ASSERT_NO_FATAL_FAILURE(CompactTo(2));
  EXPECT_EQ(Files(), (Counts{{{2, Temperature::kCold}, 1}}));
  EXPECT_EQ(fs_->Made(".sst"), Temperature::kCold);
  EXPECT_EQ(fs_->Opened(".sst"), Temperature::kCold);
  std::string bytes;
  ASSERT_TRUE(
      db_->GetProperty("rocksdb.live-sst-files-size-at-temperature" +
                           std::to_string(static_cast<int>(Temperature::kCold)),
                       &bytes));
  EXPECT_GT(std::stoull(bytes), 0u);
  Reopen();
  EXPECT_EQ(Files(), (Counts{{{2, Temperature::kCold}, 1}}));
  ASSERT_OK(db_->SetOptions({{"last_level_temperature", "kIce"}}));
  ASSERT_NO_FATAL_FAILURE(Write("b"));
  ASSERT_NO_FATAL_FAILURE(CompactTo(2));
  EXPECT_EQ(Files(), (Counts{{{2, Temperature::kIce}, 1}}));
}

TEST_F(TemperatureTest, UniversalStyleHasALastLevelToo) {
  options_.compaction_style = kCompactionStyleUniversal;
  options_.compaction_options_universal.allow_trivial_move = true;
  Open();
  ASSERT_NO_FATAL_FAILURE(Write("a"));
  ASSERT_NO_FATAL_FAILURE(Write("b"));
  ASSERT_OK(db_->CompactRange({}, nullptr, nullptr));
  EXPECT_EQ(Files(), (Counts{{{2, Temperature::kCold}, 1}}));
}

TEST_F(TemperatureTest, OfFilesThatRecordNoneAndOfLogsAndManifests) {
  options_.default_write_temperature = Temperature::kUnknown;
  options_.default_temperature = Temperature::kHot;
  options_.metadata_write_temperature = Temperature::kCool;
  options_.wal_write_temperature = Temperature::kIce;
  Open();
  ASSERT_NO_FATAL_FAILURE(Write("a"));
  EXPECT_EQ(Files(), (Counts{{{0, Temperature::kUnknown}, 1}}));
  EXPECT_EQ(fs_->Made(".log"), Temperature::kIce);
  EXPECT_EQ(fs_->Made("MANIFEST"), Temperature::kCool);
  EXPECT_EQ(fs_->Made(".sst"), Temperature::kUnknown);
  Reopen();
  std::string value;
  ASSERT_OK(db_->Get({}, "a", &value));
  EXPECT_EQ(fs_->Opened(".sst"), Temperature::kHot);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
