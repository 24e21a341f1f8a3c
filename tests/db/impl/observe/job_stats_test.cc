// CompactionJobStats: what a compaction tells of its work.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class StatsListener final : public EventListener {
 public:
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    level0_counts.push_back(info.num_l0_files);
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    level0_counts.push_back(info.num_l0_files);
    last = info.stats;
    ++count;
  }
  CompactionJobStats last;
  int count = 0;
  std::vector<int> level0_counts;
};

class JobStatsTest : public DbFixture {
 protected:
  JobStatsTest() {
    options_.disable_auto_compactions = true;
    options_.listeners = {listener_};
  }
  Status SingleDelete(const std::string& key) {
    return db_->SingleDelete(WriteOptions(), key);
  }

  const std::shared_ptr<StatsListener> listener_ =
      std::make_shared<StatsListener>();
};

TEST_F(JobStatsTest, SingleDeletionsThatFindNothing) {
  Open();
  // One that has its value, two that do not.
  for (const char* key : {"paired", "z"}) ASSERT_OK(Put(key, "1"));
  ASSERT_OK(Flush());
  for (const char* key : {"paired", "lost", "lost too"}) {
    ASSERT_OK(SingleDelete(key));
  }
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_EQ(listener_->count, 1);
  EXPECT_EQ(listener_->last.num_single_del_fallthru, 2u);
  EXPECT_EQ(listener_->last.num_single_del_mismatch, 0u);
  EXPECT_EQ(Scan(), "z=1 ");
}

// A SingleDelete() over a Delete() is a mismatch.
TEST_F(JobStatsTest, SingleDeletionsOfWhatIsNoSingleValue) {
  options_.enforce_single_del_contracts = false;
  Open();
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_OK(Put(key, "1"));
  }
  ASSERT_OK(Flush());
  ASSERT_OK(Delete("a"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(Flush());
  ASSERT_OK(SingleDelete("a"));
  ASSERT_OK(SingleDelete("b"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_EQ(listener_->count, 1);
  EXPECT_EQ(listener_->last.num_single_del_mismatch, 2u);
  EXPECT_EQ(Scan(), "c=1 ");
}

TEST_F(JobStatsTest, FilesThatOnlyMove) {
  Open();
  for (const char* key : {"a", "b"}) {
    ASSERT_OK(Put(key, "1"));
    ASSERT_OK(Flush());
  }
  for (const bool moves : {true, false}) {
    SCOPED_TRACE(moves);
    CompactionOptions files;
    files.allow_trivial_move = moves;
    CompactionJobInfo info;
    ASSERT_OK(db_->CompactFiles(files, TableNames(), moves ? 1 : 2, -1, nullptr,
                                &info));
    EXPECT_EQ(info.stats.num_input_files, 2u);
    EXPECT_EQ(info.stats.num_input_files_trivially_moved, moves ? 2u : 0u);
    EXPECT_EQ(info.stats.num_output_files, moves ? 2u : 1u);
  }
}

// All files of level 0, before and after, whether the compaction reads them.
TEST_F(JobStatsTest, FilesOfLevel0AtTheTime) {
  Open();
  for (const char* key : {"a", "m", "z"}) {
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put(key, value));
      ASSERT_OK(Flush());
    }
  }
  CompactRangeOptions range;
  range.bottommost_level_compaction = BottommostLevelCompaction::kSkip;
  const Slice begin("a"), end("b");
  ASSERT_OK(db_->CompactRange(range, &begin, &end));
  EXPECT_EQ(listener_->level0_counts, (std::vector<int>{6, 4}));
  listener_->level0_counts.clear();
  range.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_OK(db_->CompactRange(range, &begin, &end));
  ASSERT_FALSE(listener_->level0_counts.empty());
  for (const int count : listener_->level0_counts) EXPECT_EQ(count, 4);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
