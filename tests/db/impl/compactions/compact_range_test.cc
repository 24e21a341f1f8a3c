// What CompactRangeOptions ask for: which files are rewritten at the bottom, by
// how many threads, and where the result goes; how blobs are compressed. The
// cases that need neither threads nor a filter are
// tests/testdata/databases/compactions/compact_range.txt, in the language of
// database_script.h, with four levels; and
//
//   jobs                 how many compactions have been completed since "jobs
//                        from_now"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Bottom = BottommostLevelCompaction;

// Deletions of tables wait until they are let go.
class HeldDeletions final : public EventListener {
 public:
  void OnTableFileDeleted(const TableFileDeletionInfo& /*info*/) override {
    std::unique_lock<std::mutex> lock(mutex_);
    // Whoever waits for a deletion meanwhile would wait for ever.
    if (!changed_.wait_for(lock, std::chrono::minutes(10),
                           [this] { return let_go_; })) {
      let_go_ = gave_up_ = true;
    }
  }
  // False: somebody waited for a deletion.
  bool LetGo() {
    const std::lock_guard<std::mutex> lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
    return !gave_up_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool let_go_ = false;
  bool gave_up_ = false;
};

class KeepAll final : public CompactionFilter {
 public:
  const char* Name() const override { return "KeepAll"; }
};

// Keeps all, and the levels that it is told.
class LevelsAsked final : public CompactionFilter {
 public:
  const char* Name() const override { return "LevelsAsked"; }
  bool Filter(int level, const Slice& /*key*/, const Slice& /*value*/,
              std::string* /*result*/, bool* /*is_changed*/) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    levels_.insert(level);
    return false;
  }
  std::set<int> TakeLevels() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(levels_, {});
  }

 private:
  mutable std::mutex mutex_;
  mutable std::set<int> levels_;
};

class CountedJobs final : public EventListener {
 public:
  void OnCompactionCompleted(DB* /*db*/,
                             const CompactionJobInfo& /*info*/) override {
    ++count;
  }
  std::atomic<int> count{0};
};

// Does once what it is given, when this thread has synced a manifest.
class ManifestSync final : public EventListener {
 public:
  bool ShouldBeNotifiedOnFileIO() override { return true; }
  void OnFileSyncFinish(const FileOperationInfo& info) override {
    if (std::this_thread::get_id() != thread_ || act == nullptr) return;
    if (info.path.find("MANIFEST") == std::string::npos) return;
    std::exchange(act, nullptr)();
  }

  std::function<void()> act;

 private:
  const std::thread::id thread_ = std::this_thread::get_id();
};

TEST(CompactRangeScript, EveryCase) {
  const auto jobs = std::make_shared<CountedJobs>();
  Options options = ScriptDatabase::Defaults();
  options.num_levels = 4;
  options.level_compaction_dynamic_level_bytes = false;
  options.disable_auto_compactions = true;
  options.listeners.push_back(jobs);
  const auto tell = [&](ScriptDatabase& database, const ScriptLine& line) {
    EXPECT_OK(database.db()->WaitForCompact(WaitForCompactOptions()));
    const int count = jobs->count.exchange(0);
    return line.words.HasWord("from_now") ? ""
                                          : std::to_string(count) + " jobs";
  };
  EXPECT_GE(RunDatabases("databases/compactions/compact_range.txt", options,
                         {{"jobs", tell}}),
            12u);
}

class CompactRangeTest : public DbFixture {
 protected:
  CompactRangeTest() {
    options_.num_levels = 4;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }
  void WriteFile(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      ASSERT_OK(Put(key, std::string(1000, 'v')));
    }
    ASSERT_OK(Flush());
  }
  void CompactTo(int level) {
    std::vector<std::string> names;
    for (const LiveFileMetaData& file : Files()) {
      if (file.level == 0) names.push_back(file.name);
    }
    ASSERT_OK(db_->CompactFiles(CompactionOptions(), names, level));
  }
  std::vector<LiveFileMetaData> Files() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    return files;
  }
  std::set<uint64_t> Numbers() {
    std::set<uint64_t> numbers;
    for (const LiveFileMetaData& file : Files()) {
      numbers.insert(file.file_number);
    }
    return numbers;
  }
  Status Compact(Bottom bottom) {
    CompactRangeOptions options;
    options.bottommost_level_compaction = bottom;
    return db_->CompactRange(options, nullptr, nullptr);
  }
};

TEST_F(CompactRangeTest, TheBottomIsRewrittenWhereThatIsAskedFor) {
  const KeepAll filter;
  const struct {
    Bottom bottom;
    bool has_filter;
    bool is_rewritten;
  } cases[] = {
      {Bottom::kSkip, false, false},
      {Bottom::kSkip, true, false},
      {Bottom::kIfHaveCompactionFilter, false, false},
      {Bottom::kIfHaveCompactionFilter, true, true},
      {Bottom::kForce, false, true},
      {Bottom::kForceOptimized, false, true},
  };
  for (const CompactionStyle style :
       {kCompactionStyleLevel, kCompactionStyleUniversal}) {
    for (const auto& c : cases) {
      SCOPED_TRACE(static_cast<int>(c.bottom));
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      options_.compaction_style = style;
      options_.compaction_filter = c.has_filter ? &filter : nullptr;
      Open();
      WriteFile({"a", "b"});
      CompactTo(3);
      const std::set<uint64_t> before = Numbers();
      ASSERT_OK(Compact(c.bottom));
      EXPECT_EQ(Numbers() != before, c.is_rewritten);
    }
  }
}

// Where its inputs begin, not where the output goes.
TEST_F(CompactRangeTest, AFilterIsToldTheFirstLevel) {
  LevelsAsked filter;
  options_.compaction_filter = &filter;
  Open();
  WriteFile({"a", "b"});
  EXPECT_EQ(filter.TakeLevels(), std::set<int>{});
  CompactTo(3);
  EXPECT_EQ(filter.TakeLevels(), std::set<int>{0});
  ASSERT_OK(Compact(Bottom::kForce));
  EXPECT_EQ(filter.TakeLevels(), std::set<int>{3});
}

// What it has just written needs no second look by a thread that may be busy
// with the deletion of what it read.
TEST_F(CompactRangeTest, ItDoesNotWaitForTheDeletionOfItsInputs) {
  const auto deletions = std::make_shared<HeldDeletions>();
  options_.listeners.push_back(deletions);
  Open();
  WriteFile({"a", "c"});
  WriteFile({"b"});
  const Status s = Compact(Bottom::kForceOptimized);
  EXPECT_TRUE(deletions->LetGo());
  ASSERT_OK(s);
  EXPECT_EQ(FilesAt(1), 1);
}

// The manifest says already that they are elsewhere, when it is asked to say
// that they go.
TEST_F(CompactRangeTest, FilesThatChangeTheirLevelAreNotDropped) {
  const auto listener = std::make_shared<ManifestSync>();
  options_.listeners.push_back(listener);
  Open();
  WriteFile({"a", "b"});
  CompactTo(1);
  const auto drop_all = [this] {
    return DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), nullptr,
                              nullptr);
  };
  bool is_busy = false;
  listener->act = [&] {
    is_busy = Files().at(0).being_compacted;
    // A file that is free would have it wait for what waits for it.
    if (is_busy) EXPECT_OK(drop_all());
  };
  CompactRangeOptions options;
  options.bottommost_level_compaction = Bottom::kSkip;
  options.change_level = true;
  options.target_level = 3;
  ASSERT_OK(db_->CompactRange(options, nullptr, nullptr));
  EXPECT_TRUE(listener->act == nullptr);
  EXPECT_TRUE(is_busy);
  EXPECT_EQ(FilesAt(3), 1);
  EXPECT_EQ(Get("b"), std::string(1000, 'v'));
  ASSERT_OK(drop_all());
  EXPECT_EQ(FilesAt(3), 0);
}

TEST_F(CompactRangeTest, ItsThreadsGoBeforeThoseOfTheDatabase) {
  options_.target_file_size_base = 16 << 10;
  for (const uint32_t of_database : {1u, 4u}) {
    for (const uint32_t asked : {0u, 1u, 4u}) {
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      options_.max_subcompactions = of_database;
      Open();
      std::vector<std::string> keys;
      for (int i = 0; i < 300; ++i) keys.push_back(std::to_string(1000 + i));
      WriteFile(keys);
      CompactTo(1);
      WriteFile(keys);
      ASSERT_OK(options_.statistics->Reset());
      CompactRangeOptions options;
      options.max_subcompactions = asked;
      ASSERT_OK(db_->CompactRange(options, nullptr, nullptr));
      HistogramData parts;
      options_.statistics->histogramData(NUM_SUBCOMPACTIONS_SCHEDULED, &parts);
      const uint32_t expected = asked == 0 ? of_database : asked;
      EXPECT_EQ(parts.max > 1, expected > 1) << of_database << " " << asked;
      EXPECT_LE(parts.max, expected);
    }
  }
}

TEST_F(CompactRangeTest, BlobsHaveCompressionOptionsOfTheirOwn) {
  options_.enable_blob_files = true;
  options_.blob_compression_type = kZlibCompression;
  std::vector<uint64_t> bytes;
  // Zlib's level 0 stores what it is given.
  for (const int level : {0, 9}) {
    options_.blob_compression_opts.level = level;
    options_.compression_opts.level = 9 - level;
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    WriteFile({"a", "b", "c"});
    ColumnFamilyMetaData metadata;
    db_->GetColumnFamilyMetaData(&metadata);
    bytes.push_back(metadata.blob_file_size);
    Reopen();
    EXPECT_EQ(Get("b"), std::string(1000, 'v'));
  }
  EXPECT_GT(bytes[0], 3000u);
  EXPECT_LT(bytes[1], 1000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
