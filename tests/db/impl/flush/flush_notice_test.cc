// Whoever waits for a flush goes on after listeners were told of it.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/sst_file_manager.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Stops in each notice until it is let go.
class SlowListener : public EventListener {
 public:
  const char* Name() const override { return "SlowListener"; }
  void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
    MutexLock lock(&mutex_);
    ++begun_;
    changed_.SignalAll();
    while (!is_open_) changed_.Wait();
    events_ += "told of " + info.cf_name + " ";
  }
  void Await(int begun) {
    MutexLock lock(&mutex_);
    while (begun_ < begun) changed_.Wait();
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }
  void Note(const std::string& event) {
    MutexLock lock(&mutex_);
    events_ += event + " ";
  }
  std::string events() {
    MutexLock lock(&mutex_);
    return events_;
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  int begun_ = 0;
  bool is_open_ = false;
  std::string events_;
};

// Writes and flushes in its first notice.
class FlushingListener : public EventListener {
 public:
  const char* Name() const override { return "FlushingListener"; }
  void OnFlushCompleted(DB* db, const FlushJobInfo&) override {
    if (notices_.fetch_add(1) > 0) return;
    EXPECT_OK(db->Flush(FlushOptions()));  // nothing to wait for
    EXPECT_OK(db->Put(WriteOptions(), "second", "2"));
    EXPECT_OK(db->Flush(FlushOptions()));
    has_returned_ = true;
  }
  int notices() const { return notices_; }
  bool has_returned() const { return has_returned_; }

 private:
  std::atomic<int> notices_{0};
  std::atomic<bool> has_returned_{false};
};

class FlushNoticeTest : public DbFixture {
 protected:
  ~FlushNoticeTest() override { db_.reset(); }

  // While the first notice is held, all who wait for the background are woken.
  void FlushBesideNotice(const std::vector<ColumnFamilyHandle*>& families) {
    std::thread flusher([&] {
      EXPECT_OK(db_->Flush(FlushOptions(), families));
      listener_->Note("flushed");
    });
    listener_->Await(1);
    EXPECT_OK(db_->SetOptions({{"disable_auto_compactions", "false"}}));
    listener_->Open();
    flusher.join();
  }

  const std::shared_ptr<SlowListener> listener_ =
      std::make_shared<SlowListener>();
};

TEST_F(FlushNoticeTest, FlushReturnsAfterIt) {
  options_.listeners = {listener_};
  Open();
  ASSERT_OK(Put("key", "value"));
  FlushBesideNotice({db_->DefaultColumnFamily()});
  EXPECT_EQ(listener_->events(), "told of default flushed ");
}

TEST_F(FlushNoticeTest, AJointFlushReturnsAfterAll) {
  options_.listeners = {listener_};
  options_.atomic_flush = true;
  Open();
  ColumnFamilyHandle* second = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "second", &second));
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(db_->Put(WriteOptions(), second, "key", "value"));
  FlushBesideNotice({db_->DefaultColumnFamily(), second});
  EXPECT_EQ(listener_->events(), "told of default told of second flushed ");
  ASSERT_OK(db_->DestroyColumnFamilyHandle(second));
}

TEST_F(FlushNoticeTest, AListenerFlushesItself) {
  const auto listener = std::make_shared<FlushingListener>();
  options_.listeners = {listener};
  options_.max_background_jobs = 8;  // two of them flush
  Open();
  ASSERT_OK(Put("first", "1"));
  ASSERT_OK(Flush());
  EXPECT_TRUE(listener->has_returned());
  EXPECT_EQ(listener->notices(), 2);
  EXPECT_EQ(Get("second"), "2");
  EXPECT_EQ(FilesAt(0), 2);
}

TEST_F(FlushNoticeTest, AnErrorMeanwhileIsNotOfTheFlush) {
  options_.listeners = {listener_};
  options_.sst_file_manager.reset(NewSstFileManager(options_.env));
  options_.sst_file_manager->SetMaxAllowedSpaceUsage(1);
  Open();
  ASSERT_OK(Put("key", "value"));
  FlushBesideNotice({db_->DefaultColumnFamily()});
  EXPECT_EQ(listener_->events(), "told of default flushed ");
  EXPECT_TRUE(Put("key", "later").IsSpaceLimit());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
