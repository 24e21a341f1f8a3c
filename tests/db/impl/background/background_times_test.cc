// What operators are told of background work when they ask: times of file
// operations (report_bg_io_stats), samples of codecs (sample_for_compression),
// and when it is done (daily_offpeak_time_utc,
// max_compaction_trigger_wakeup_seconds).
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "env/composite_env.h"
#include "rocksdb/listener.h"
#include "tests/db/impl/counter_world.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LastJob : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    stats = info.stats;
  }
  CompactionJobStats stats;
};

class BackgroundTimesTest : public DbFixture {
 protected:
  BackgroundTimesTest() {
    options_.disable_auto_compactions = true;
    options_.listeners = {listener_};
  }
  void CompactTwoFiles() {
    for (int i = 0; i < 2; ++i) {
      PutAndFlush(db_.get(), 0, 2000, std::string(100, 'v'));
    }
    CompactWhole(db_.get());
  }
  TablePropertiesCollection Properties() {
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    return all;
  }
  const std::shared_ptr<LastJob> listener_ = std::make_shared<LastJob>();
};

TEST_F(BackgroundTimesTest, FileOperationsAreTimedOnlyIfAsked) {
  Open();
  CompactTwoFiles();
  EXPECT_GT(listener_->stats.num_input_records, 0u);
  EXPECT_EQ(listener_->stats.file_write_nanos, 0u);
  EXPECT_EQ(listener_->stats.file_fsync_nanos, 0u);
  EXPECT_EQ(listener_->stats.file_prepare_write_nanos, 0u);
  ASSERT_OK(db_->SetOptions({{"report_bg_io_stats", "true"}}));
  CompactTwoFiles();
  EXPECT_GT(listener_->stats.file_write_nanos, 0u);
  EXPECT_GT(listener_->stats.file_fsync_nanos, 0u);
  EXPECT_GT(listener_->stats.file_prepare_write_nanos, 0u);
}

TEST_F(BackgroundTimesTest, SamplesTellWhatCodecsWouldDo) {
  Open();
  PutAndFlush(db_.get(), 0, 3000, std::string(200, 'c'));
  for (const auto& [path, table] : Properties()) {
    EXPECT_EQ(table->fast_compression_estimated_data_size, 0u);
    EXPECT_EQ(table->slow_compression_estimated_data_size, 0u);
  }
  ASSERT_OK(db_->SetOptions({{"sample_for_compression", "5"}}));
  CompactWhole(db_.get());
  for (const auto& [path, table] : Properties()) {
    const bool has_fast = CompressionTypeSupported(kLZ4Compression) ||
                          CompressionTypeSupported(kSnappyCompression);
    const bool has_slow = CompressionTypeSupported(kZSTD) ||
                          CompressionTypeSupported(kZlibCompression);
    const uint64_t fast = table->fast_compression_estimated_data_size;
    const uint64_t slow = table->slow_compression_estimated_data_size;
    EXPECT_EQ(fast > 0, has_fast);
    EXPECT_EQ(slow > 0, has_slow);
    // Long runs of one letter shrink a lot, whatever the codec.
    EXPECT_LT(fast, table->data_size / 4);
    EXPECT_LT(slow, table->data_size / 4);
  }
}

TEST_F(BackgroundTimesTest, SamplesOfNoiseAreAsLargeAsTheData) {
  options_.sample_for_compression = 2;
  Open();
  for (int i = 0; i < 500; ++i) {
    PutAll(db_.get(), i, i + 1, NoiseOf(1000 + static_cast<size_t>(i)));
  }
  ASSERT_OK(Flush());
  for (const auto& [path, table] : Properties()) {
    for (const uint64_t estimate :
         {table->fast_compression_estimated_data_size,
          table->slow_compression_estimated_data_size}) {
      EXPECT_GT(estimate, table->data_size * 9 / 10);
      EXPECT_LE(estimate, table->data_size);
    }
  }
}

// Each look at the time of day finds it a second earlier than the one before.
class BackwardClock : public SystemClockWrapper {
 public:
  BackwardClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "BackwardClock"; }
  uint64_t NowMicros() override {
    return target_->NowMicros() - ++looks_ * 1'000'000;
  }

 private:
  std::atomic<uint64_t> looks_{0};
};

class SetBackTest : public BackgroundTimesTest {
 protected:
  SetBackTest()
      : env_(Env::Default(), FileSystem::Default(),
             std::make_shared<BackwardClock>()) {
    options_.env = &env_;
    options_.statistics = CreateDBStatistics();
  }
  ~SetBackTest() override { db_.reset(); }

  CompositeEnvWrapper env_;
};

TEST_F(SetBackTest, NothingTakesLongerForThat) {
  Open();
  CompactTwoFiles();
  constexpr double kHourMicros = 3.6e9;
  for (const uint32_t histogram :
       {FLUSH_TIME, COMPACTION_TIME, MANIFEST_FILE_SYNC_MICROS}) {
    HistogramData times;
    options_.statistics->histogramData(histogram, &times);
    EXPECT_GT(times.count, 0u) << histogram;
    EXPECT_LT(times.max, kHourMicros) << histogram;
  }
}

// Goes on from whatever time it is set to.
class DayClock : public SystemClockWrapper {
 public:
  DayClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "DayClock"; }
  uint64_t NowMicros() override { return target_->NowMicros() + shift_.load(); }
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(NowMicros() / 1'000'000);
    return Status::OK();
  }
  void SetSeconds(uint64_t seconds) {
    shift_ = seconds * 1'000'000 - target_->NowMicros();
  }

 private:
  std::atomic<uint64_t> shift_{0};  // modulo 2^64
};

class OffpeakTest : public DbFixture {
 protected:
  static constexpr uint64_t kDay = 86400;
  // 03:00 of some day.
  static constexpr uint64_t kStart = 20'000 * kDay + 3 * 3600;

  OffpeakTest()
      : clock_(std::make_shared<DayClock>()),
        env_(Env::Default(), FileSystem::Default(), clock_) {
    clock_->SetSeconds(kStart);
    options_.env = &env_;
    options_.ttl = 0;
    options_.periodic_compaction_seconds = 2 * kDay;
  }
  ~OffpeakTest() override { db_.reset(); }

  std::string File() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    EXPECT_EQ(files.size(), 1u);
    return files.empty() ? "" : files[0].name;
  }
  // Whether the file is another, once the database has looked at its age.
  bool IsRewrittenAt(uint64_t seconds) {
    clock_->SetSeconds(seconds);
    const std::string before = File();
    EXPECT_OK(db_->SetDBOptions({{"bytes_per_sync", "1048576"}}));
    AwaitCompactions(db_.get());
    return File() != before;
  }

  const std::shared_ptr<DayClock> clock_;
  CompositeEnvWrapper env_;
};

TEST_F(OffpeakTest, PeriodicCompactionsComeEarlyAtThatTime) {
  options_.daily_offpeak_time_utc = "04:00-06:00";
  Open();
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  // A day old: not due before the window of tomorrow, which begins in an hour.
  EXPECT_FALSE(IsRewrittenAt(kStart + kDay));
  // In the window: tomorrow's begins after it would be due.
  EXPECT_TRUE(IsRewrittenAt(kStart + kDay + 2 * 3600));
  EXPECT_FALSE(IsRewrittenAt(kStart + kDay + 2 * 3600)) << "it is young again";
  EXPECT_EQ(Get("key"), "value");
}

TEST_F(OffpeakTest, WithoutSuchATimeTheyComeWhenDue) {
  Open();
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  EXPECT_FALSE(IsRewrittenAt(kStart + kDay + 2 * 3600));
  EXPECT_TRUE(db_->SetDBOptions({{"daily_offpeak_time_utc", "25:00-05:00"}})
                  .IsInvalidArgument());
  const std::string before = File();
  ASSERT_OK(db_->SetDBOptions({{"daily_offpeak_time_utc", "04:30-05:30"}}));
  AwaitCompactions(db_.get());
  EXPECT_EQ(db_->GetDBOptions().daily_offpeak_time_utc, "04:30-05:30");
  EXPECT_NE(File(), before) << "it is 05:00";
  EXPECT_FALSE(IsRewrittenAt(kStart + kDay + 3 * 3600));
  EXPECT_TRUE(IsRewrittenAt(kStart + 4 * kDay + 12 * 3600)) << "overdue";
}

// Tells when a compaction is over.
class AwaitedJob : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo&) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }
  // The looks that come anyway are hours away.
  void Await() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_over_; });
    is_over_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
};

TEST_F(OffpeakTest, LooksAtAgesComeAsOftenAsWanted) {
  const auto job = std::make_shared<AwaitedJob>();
  options_.listeners = {job};
  options_.max_compaction_trigger_wakeup_seconds = 1;
  Open();
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  clock_->SetSeconds(kStart + 3 * kDay);
  job->Await();
  options_.max_compaction_trigger_wakeup_seconds = 43200;
  Reopen();
  // There is no shorter time than a second.
  ASSERT_OK(
      db_->SetDBOptions({{"max_compaction_trigger_wakeup_seconds", "0"}}));
  clock_->SetSeconds(kStart + 6 * kDay);
  job->Await();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
