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
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    last = info.stats;
    ++count;
  }
  CompactionJobStats last;
  int count = 0;
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
