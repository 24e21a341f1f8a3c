// Why a flush ran, as listeners are told.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/listener.h"
#include "tests/db/impl/families_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Reasons : public EventListener {
 public:
  void OnFlushBegin(DB*, const FlushJobInfo& info) override {
    MutexLock lock(&mutex_);
    reasons_.push_back(info.flush_reason);
  }
  // The reason of the first flush; later ones take what is sealed meanwhile.
  std::string First() {
    MutexLock lock(&mutex_);
    return reasons_.empty() ? "none" : GetFlushReasonString(reasons_.front());
  }

 private:
  Mutex mutex_;
  std::vector<FlushReason> reasons_;
};

class FlushReasonTest : public FamiliesFixture {
 protected:
  FlushReasonTest() : reasons_(std::make_shared<Reasons>()) {
    options_.listeners = {reasons_};
    options_.disable_auto_compactions = true;
  }
  void PutMany(int count, size_t bytes) {
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(Put("key" + std::to_string(i), std::string(bytes, 'v')));
    }
  }
  std::string FirstReason() {
    EXPECT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    return reasons_->First();
  }
  const std::shared_ptr<Reasons> reasons_;
};

TEST_F(FlushReasonTest, AFullMemtable) {
  options_.write_buffer_size = 64 << 10;
  Open();
  PutMany(100, 1000);
  EXPECT_EQ(FirstReason(), "Write Buffer Full");
}

TEST_F(FlushReasonTest, TooManyRangeDeletions) {
  options_.memtable_max_range_deletions = 2;
  Open();
  for (const char* begin : {"a", "b", "c"}) {
    ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                               begin, "z"));
  }
  PutMany(1, 1);
  EXPECT_EQ(FirstReason(), "Memtable Max Range Deletions");
}

TEST_F(FlushReasonTest, MemoryOverAllMemtables) {
  options_.db_write_buffer_size = 256 << 10;
  Open();
  PutMany(10, 100 << 10);
  EXPECT_EQ(FirstReason(), "Write Buffer Manager");
}

TEST_F(FlushReasonTest, LogsThatAreTooLong) {
  options_.max_total_wal_size = 64 << 10;
  Open();
  ASSERT_NO_FATAL_FAILURE(CreateFamily("other"));
  ASSERT_OK(PutIn(0, "key", "holds the first log"));
  PutMany(20, 10 << 10);
  EXPECT_EQ(FirstReason(), "WAL Full");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
