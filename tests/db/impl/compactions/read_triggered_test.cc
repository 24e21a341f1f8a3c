// Files that are read often are merged with older data
// (read_triggered_compaction_threshold).
#include <condition_variable>
#include <mutex>

#include "db/tables/file_meta.h"
#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "tests/db/impl/db_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts the compactions that ended well, by reason.
class ReasonCounter : public EventListener {
 public:
  void OnCompactionCompleted(DB* /*db*/, const CompactionJobInfo& ci) override {
    if (!ci.status.ok()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    ++all_;
    if (ci.compaction_reason == CompactionReason::kReadTriggered) ++for_reads_;
    changed_.notify_all();
  }
  int all() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return all_;
  }
  int for_reads() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return for_reads_;
  }
  bool AwaitOneForReads() {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(2),
                             [this] { return for_reads_ > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int all_ = 0;
  int for_reads_ = 0;
};

class ReadTriggeredTest : public DbFixture {
 protected:
  static constexpr int kKeys = 100;
  // Many times over what the sample needs to be near the truth.
  static constexpr int kReads = 200 * FileMeta::kReadSampling;

  ReadTriggeredTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())),
        env_(NewCompositeEnv(fs_)),
        reasons_(std::make_shared<ReasonCounter>()) {
    options_.env = env_.get();
    path_ = "/db";
    options_.num_levels = 4;
    options_.listeners.push_back(reasons_);
  }
  ~ReadTriggeredTest() override { db_.reset(); }

  static std::string Key(int n) { return std::to_string(1000 + n); }
  void WriteFile(const std::string& value) {
    for (int n = 0; n < kKeys; ++n) {
      ASSERT_OK(Put(Key(n), value + std::to_string(n)));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  }
  // All keys in the last level, and newer versions in level 0.
  void OpenWithTwoRuns() {
    Open();
    WriteFile("old");
    CompactRangeOptions down;
    down.change_level = true;
    down.target_level = 3;
    ASSERT_OK(db_->CompactRange(down, nullptr, nullptr));
    WriteFile("new");
    ASSERT_EQ(FilesAt(0), 1);
    ASSERT_EQ(FilesAt(3), 1);
  }
  void ReadKeys() {
    for (int i = 0; i < kReads; ++i) {
      const int n = i % kKeys;
      ASSERT_EQ(Get(Key(n)), "new" + std::to_string(n));
    }
  }
  // Looks at the files now, not within a minute.
  Status SetThreshold(const std::string& threshold) {
    Status s =
        db_->SetOptions({{"read_triggered_compaction_threshold", threshold}});
    return s.ok() ? db_->WaitForCompact(WaitForCompactOptions()) : s;
  }
  uint64_t SampledReads(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    uint64_t reads = 0;
    for (const LiveFileMetaData& file : files) {
      if (file.level == level) reads += file.num_reads_sampled;
    }
    return reads;
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  std::shared_ptr<ReasonCounter> reasons_;
};

TEST_F(ReadTriggeredTest, FilesThatAreReadOftenGoDown) {
  OpenWithTwoRuns();
  const int before = reasons_->all();
  ReadKeys();
  EXPECT_GT(SampledReads(0), kReads / 2);
  EXPECT_LT(SampledReads(0), kReads * 2);
  // The lookups ended in level 0.
  EXPECT_EQ(SampledReads(3), 0u);
  ASSERT_OK(SetThreshold("1000"));
  EXPECT_EQ(reasons_->all(), before);
  ASSERT_OK(SetThreshold("0.1"));
  EXPECT_EQ(reasons_->for_reads(), 1);
  EXPECT_EQ(FilesAt(0), 0);
  Reopen();
  ReadKeys();
}

// What lies at the bottom has no older data to be merged with.
TEST_F(ReadTriggeredTest, ItComesToAnEnd) {
  OpenWithTwoRuns();
  ASSERT_OK(SetThreshold("0.001"));
  for (int round = 0; round < 10; ++round) {
    ReadKeys();
    ASSERT_OK(SetThreshold(round % 2 == 0 ? "0.002" : "0.001"));
  }
  EXPECT_GE(reasons_->for_reads(), 1);
  EXPECT_LE(reasons_->for_reads(), 3);  // one for each level at most
  EXPECT_EQ(FilesAt(3), 1);
  EXPECT_GT(SampledReads(3), 0u);
}

TEST_F(ReadTriggeredTest, ByDefaultReadsChangeNothing) {
  OpenWithTwoRuns();
  const int before = reasons_->all();
  ReadKeys();
  WriteFile("new");
  EXPECT_EQ(reasons_->all(), before);
  EXPECT_TRUE(SetThreshold("-1").IsInvalidArgument());
  EXPECT_EQ(db_->GetOptions().read_triggered_compaction_threshold, 0);
  EXPECT_EQ(reasons_->all(), before);
}

TEST_F(ReadTriggeredTest, ReadsOfEveryKindCount) {
  OpenWithTwoRuns();
  std::vector<std::string> names;
  for (int n = 0; n < kKeys; ++n) names.push_back(Key(n));
  const std::vector<Slice> keys(names.begin(), names.end());
  for (int i = 0; i < kReads; i += kKeys) {
    std::vector<PinnableSlice> values(kKeys);
    std::vector<Status> statuses(kKeys);
    db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), kKeys, keys.data(),
                  values.data(), statuses.data());
    for (const Status& s : statuses) ASSERT_OK(s);
  }
  const uint64_t by_lookups = SampledReads(0);
  EXPECT_GT(by_lookups, kReads / 2);
  EXPECT_EQ(SampledReads(3), 0u);
  for (int i = 0; i < kReads; ++i) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek(Key(i % kKeys));
    ASSERT_TRUE(it->Valid());
  }
  EXPECT_GT(SampledReads(0), by_lookups + kReads / 2);
  EXPECT_GT(SampledReads(3), kReads / 2);
}

TEST_F(ReadTriggeredTest, UniversalRunsAreMergedWithTheNextOlder) {
  options_.compaction_style = kCompactionStyleUniversal;
  options_.level0_file_num_compaction_trigger = 10;
  Open();
  for (int i = 0; i < 4; ++i) WriteFile("new");
  ASSERT_EQ(FilesAt(0), 4);
  ReadKeys();
  ASSERT_OK(SetThreshold("0.1"));
  EXPECT_EQ(reasons_->for_reads(), 1);
  EXPECT_EQ(FilesAt(0), 3);
  for (int round = 0; round < 8; ++round) {
    ReadKeys();
    ASSERT_OK(SetThreshold(round % 2 == 0 ? "0.2" : "0.1"));
  }
  EXPECT_EQ(reasons_->for_reads(), 3);
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(FilesAt(3), 1);
}

TEST_F(ReadTriggeredTest, NobodyHasToAskForALook) {
  options_.max_compaction_trigger_wakeup_seconds = 1;
  options_.read_triggered_compaction_threshold = 0.1;
  OpenWithTwoRuns();
  ReadKeys();
  EXPECT_TRUE(reasons_->AwaitOneForReads());
}

// Every call of the compaction fails once.
TEST_F(ReadTriggeredTest, AFailureLeavesTheFilesAsTheyWere) {
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE(k);
    ASSERT_LT(k, 100u);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    OpenWithTwoRuns();
    ReadKeys();
    const int before = reasons_->for_reads();
    fs_->FailCall({.call = k, .path_contains = ".sst"});
    const Status s = SetThreshold("0.1");
    const bool has_struck = fs_->failed();
    fs_->ClearFault();
    EXPECT_TRUE(s.ok() || has_struck) << s.ToString();
    ReadKeys();
    Reopen();
    ReadKeys();
    ASSERT_OK(SetThreshold("0.05"));
    ReadKeys();
    ASSERT_OK(SetThreshold("0.1"));
    EXPECT_EQ(FilesAt(0), 0);
    EXPECT_GT(reasons_->for_reads(), before);
    if (!has_struck) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
