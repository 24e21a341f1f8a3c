// What listeners are told of all background jobs together: threads that are
// asked for and run, and how near a stall is.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "rocksdb/listener.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Pressure = BackgroundJobPressure;
using Condition = std::function<bool(const Pressure&)>;

bool IsCalm(const Pressure& now) {
  return now.flush_scheduled == 0 && now.compaction_scheduled == 0;
}

// Keeps what it is told, and checks each against the one before.
class Pressures : public EventListener {
 public:
  void OnBackgroundJobPressureChanged(DB* db, const Pressure& now) override {
    std::unique_lock<std::mutex> lock(mutex_);
    EXPECT_NE(db, nullptr);
    EXPECT_FALSE(is_inside_) << "one thread at a time";
    is_inside_ = true;
    EXPECT_FALSE(now == (told_.empty() ? Pressure() : told_.back()));
    EXPECT_GE(now.flush_scheduled, now.flush_running);
    EXPECT_GE(now.compaction_low_scheduled, now.compaction_low_running);
    EXPECT_GE(now.compaction_bottom_scheduled, now.compaction_bottom_running);
    EXPECT_EQ(now.compaction_scheduled,
              now.compaction_low_scheduled + now.compaction_bottom_scheduled);
    EXPECT_EQ(now.compaction_running,
              now.compaction_low_running + now.compaction_bottom_running);
    told_.push_back(now);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_held_; });
    is_inside_ = false;
  }
  // Until what was told last is so.
  Pressure Await(const Condition& condition) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] {
      return condition(told_.empty() ? Pressure() : told_.back());
    });
    return told_.empty() ? Pressure() : told_.back();
  }
  size_t count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return told_.size();
  }
  // The next call, or the one that is under way, lasts until the release.
  void Hold() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_held_ = true;
  }
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false;
  bool is_inside_ = false;
  std::vector<Pressure> told_;
};

// Holds a flush in its work, until it is released.
class FlushHolder : public EventListener {
 public:
  void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& info) override {
    if (info.reason != TableFileCreationReason::kFlush) return;
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !is_held_; });
  }
  void Hold() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_held_ = true;
  }
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false;
};

class JobPressureTest : public DbFixture {
 protected:
  JobPressureTest() {
    options_.listeners = {told_, flushes_};
    options_.compaction_filter = &gate_;
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 4;
    options_.level0_stop_writes_trigger = 10;
  }
  ~JobPressureTest() override {
    told_->Release();
    flushes_->Release();
    gate_.Open();
    db_.reset();
  }
  void MakeFiles(int count) {
    FlushOptions flush;
    flush.allow_write_stall = true;
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(Put("k", std::to_string(i)));
      ASSERT_OK(db_->Flush(flush));
    }
  }

  CompactionGate gate_;
  const std::shared_ptr<Pressures> told_ = std::make_shared<Pressures>();
  const std::shared_ptr<FlushHolder> flushes_ = std::make_shared<FlushHolder>();
};

TEST_F(JobPressureTest, IsToldAsJobsBeginAndEnd) {
  Open();
  EXPECT_EQ(told_->count(), 0u);
  flushes_->Hold();
  std::thread user([this] { MakeFiles(1); });
  told_->Await([](const Pressure& now) {
    return now.flush_scheduled == 1 && now.flush_running == 1;
  });
  flushes_->Release();
  user.join();
  told_->Await([](const Pressure& now) {
    return IsCalm(now) && now.write_stall_proximity_pct == 25;
  });
  MakeFiles(1);
  gate_.Await();
  const Pressure one = told_->Await([](const Pressure& now) {
    return now.flush_scheduled == 0 && now.compaction_running == 1;
  });
  EXPECT_EQ(one.compaction_low_running, 1);
  EXPECT_EQ(one.compaction_low_scheduled, 1);
  EXPECT_EQ(one.compaction_bottom_scheduled, 0);
  EXPECT_EQ(one.write_stall_proximity_pct, 50);
  EXPECT_FALSE(one.compaction_speedup_active);
  MakeFiles(2);
  told_->Await([](const Pressure& now) {
    return now.flush_scheduled == 0 && now.write_stall_proximity_pct == 100 &&
           now.compaction_speedup_active;
  });
  gate_.Open();
  told_->Await([](const Pressure& now) {
    return IsCalm(now) && now.write_stall_proximity_pct <= 25 &&
           !now.compaction_speedup_active;
  });
}

// A compaction in a user's thread is one of the pressure, too.
TEST_F(JobPressureTest, UsersThreadsCount) {
  options_.disable_auto_compactions = true;
  Open();
  MakeFiles(2);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  std::thread user([&] {
    EXPECT_OK(db_->CompactFiles(CompactionOptions(),
                                {files[0].name, files[1].name}, 1));
  });
  gate_.Await();
  const Pressure now = told_->Await([](const Pressure& each) {
    return each.flush_scheduled == 0 && each.compaction_running == 1;
  });
  EXPECT_EQ(now.compaction_low_scheduled, 1);
  gate_.Open();
  user.join();
  told_->Await(IsCalm);
}

// While one thread tells, others neither wait for it nor tell: it does when the
// listener has returned, and the last state is told.
TEST_F(JobPressureTest, OneThreadTellsAndOthersGoOn) {
  options_.disable_auto_compactions = true;
  options_.max_background_jobs = 8;  // two of them flush
  Open();
  told_->Hold();
  std::thread user([this] { MakeFiles(1); });
  told_->Await([](const Pressure& now) { return now.flush_scheduled == 1; });
  // Flushes of another family are not held up.
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &family));
  ASSERT_OK(db_->Put(WriteOptions(), family, "k", "v"));
  ASSERT_OK(db_->Flush(FlushOptions(), family));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
  EXPECT_EQ(told_->count(), 1u);
  told_->Release();
  user.join();
  told_->Await(IsCalm);
}

// What a recovery does is not told: nobody could use the database yet.
TEST_F(JobPressureTest, IsToldOnceTheDatabaseIsOpen) {
  class Reader : public EventListener {
   public:
    void OnBackgroundJobPressureChanged(DB* db, const Pressure&) override {
      std::string value;
      EXPECT_OK(db->Get(ReadOptions(), "k", &value));
    }
  };
  options_.avoid_flush_during_shutdown = true;
  Open();
  ASSERT_OK(Put("k", "1"));
  options_.listeners = {std::make_shared<Reader>()};
  for (int i = 0; i < 4; ++i) {
    Reopen();
    ASSERT_OK(Put("k", "1"));
    gate_.Open();
  }
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
}

// Listeners may use the database, but must not wait for a job: where memtables
// are few, a flush waits for the one before it.
TEST_F(JobPressureTest, AListenerMayFlush) {
  class Flusher : public EventListener {
   public:
    void OnBackgroundJobPressureChanged(DB* db, const Pressure&) override {
      if (is_done_.exchange(true)) return;
      EXPECT_OK(db->Put(WriteOptions(), "listener", "1"));
      FlushOptions flush;
      flush.wait = false;
      flush.allow_write_stall = true;
      EXPECT_OK(db->Flush(flush));
    }

   private:
    std::atomic<bool> is_done_{false};
  };
  options_.listeners.push_back(std::make_shared<Flusher>());
  options_.disable_auto_compactions = true;
  Open();
  MakeFiles(1);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Get("listener"), "1");
  told_->Await(IsCalm);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
