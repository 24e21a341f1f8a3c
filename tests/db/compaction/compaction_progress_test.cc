// The tickers of a compaction grow with its outputs, and by its totals.
#include "db/compaction/compaction_progress.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes what the tickers are whenever a compaction has finished a table.
class TickWatch : public EventListener {
 public:
  explicit TickWatch(std::shared_ptr<Statistics> statistics)
      : statistics_(std::move(statistics)) {}
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    if (info.reason != TableFileCreationReason::kCompaction) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    written_.push_back(statistics_->getTickerCount(COMPACT_WRITE_BYTES));
    read_.push_back(statistics_->getTickerCount(COMPACT_READ_BYTES));
    sizes_.push_back(info.file_size);
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    total_read_ += info.stats.total_input_bytes;
    total_written_ += info.stats.total_output_bytes;
  }

  std::vector<uint64_t> written_, read_, sizes_;
  uint64_t total_read_ = 0, total_written_ = 0;

 private:
  const std::shared_ptr<Statistics> statistics_;
  std::mutex mutex_;  // Sub-compactions tell of their tables each by itself.
};

class CompactionProgressTest : public DbFixture {
 protected:
  CompactionProgressTest() {
    options_.statistics = CreateDBStatistics();
    watch_ = std::make_shared<TickWatch>(options_.statistics);
    options_.listeners.push_back(watch_);
    options_.disable_auto_compactions = true;
    options_.target_file_size_base = 64 << 10;
    options_.compression = kNoCompression;
  }
  // Tables of 300 KiB each, in level 1 after a compaction.
  void Fill(char value) {
    for (int i = 0; i < 300; ++i) {
      ASSERT_OK(
          Put("key" + std::to_string(1000 + i), std::string(1 << 10, value)));
    }
    ASSERT_OK(Flush());
  }

  std::shared_ptr<TickWatch> watch_;
};

TEST_F(CompactionProgressTest, GrowsWithEveryOutputAndByTheTotals) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Fill('a'));
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_NO_FATAL_FAILURE(Fill('b'));
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_GE(watch_->sizes_.size(), 8u);
  uint64_t finished = 0;
  // Files are told of one by one, in order: those before have been counted.
  for (size_t i = 0; i < watch_->sizes_.size(); ++i) {
    EXPECT_GE(watch_->written_[i], finished) << i;
    finished += watch_->sizes_[i];
  }
  // Inputs count while the second compaction runs, too.
  EXPECT_GT(watch_->read_.back(), watch_->read_[watch_->read_.size() - 3]);
  EXPECT_EQ(Ticker(COMPACT_WRITE_BYTES), watch_->total_written_);
  EXPECT_EQ(Ticker(COMPACT_READ_BYTES), watch_->total_read_);
}

TEST_F(CompactionProgressTest, SubCompactionsCountNothingTwice) {
  options_.max_subcompactions = 4;
  Open();
  for (char value : {'a', 'b', 'c'}) {
    ASSERT_NO_FATAL_FAILURE(Fill(value));
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(Ticker(COMPACT_WRITE_BYTES), watch_->total_written_);
    EXPECT_EQ(Ticker(COMPACT_READ_BYTES), watch_->total_read_);
  }
}

TEST_F(CompactionProgressTest, TombstonesThatLeaveNoOutputCountAsRead) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Fill('a'));
  // Two: what a single one deletes would not be read.
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "key", "key1100"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "key1100", "kez"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  EXPECT_GT(Ticker(COMPACT_READ_BYTES), 300u << 10);
  EXPECT_EQ(Ticker(COMPACT_READ_BYTES), watch_->total_read_);
  EXPECT_EQ(Ticker(COMPACT_WRITE_BYTES), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
