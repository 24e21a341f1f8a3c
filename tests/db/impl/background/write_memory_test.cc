// db_write_buffer_size, and a write buffer manager over several databases.
#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts memtables that were sealed; one flush may take several of them.
class SealCount : public EventListener {
 public:
  void OnMemTableSealed(const MemTableInfo& /*info*/) override { ++count_; }
  int count() const { return count_.load(); }

 private:
  std::atomic<int> count_{0};
};

class WriteMemoryTest : public DbFixture {
 protected:
  WriteMemoryTest() {
    options_.disable_auto_compactions = true;
    options_.arena_block_size = 64 << 10;
    options_.listeners = {sealed_};
  }
  static void Write(DB* db, int mebibytes) {
    for (int i = 0; i < mebibytes * 1024; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), "key" + std::to_string(i),
                        std::string(1024, 'v')));
    }
  }

  void Limit(size_t bytes, const std::shared_ptr<Cache>& cache = nullptr) {
    manager_ = std::make_shared<WriteBufferManager>(bytes, cache);
    options_.write_buffer_manager = manager_;
  }
  // It is to stall the writers, not the number of memtables.
  void LimitWriters() {
    manager_ = std::make_shared<WriteBufferManager>(1 << 20, nullptr, true);
    options_.write_buffer_manager = manager_;
    options_.statistics = CreateDBStatistics();
    options_.max_write_buffer_number = 1000;
  }
  // With background work paused, so that nothing makes room: writes until
  // whoever does not want to wait is told.
  Status WriteUntilRefused() {
    WriteOptions impatient;
    impatient.no_slowdown = true;
    Status s = db_->PauseBackgroundWork();
    for (int i = 0; i < 8000 && s.ok(); ++i) {
      s = db_->Put(impatient, "key" + std::to_string(i),
                   std::string(1024, 'w'));
    }
    return s;
  }

  const std::shared_ptr<SealCount> sealed_ = std::make_shared<SealCount>();
  std::shared_ptr<WriteBufferManager> manager_;
};

TEST_F(WriteMemoryTest, TheDatabasesLimitSealsMemtables) {
  options_.db_write_buffer_size = 2 << 20;
  ASSERT_GT(options_.write_buffer_size, 10u << 20);
  Open();
  Write(db_.get(), 10);
  uint64_t bytes = 0;
  ASSERT_TRUE(db_->GetIntProperty("rocksdb.cur-size-active-mem-table", &bytes));
  EXPECT_LE(bytes, 3u << 20);
  EXPECT_GE(sealed_->count(), 4);
}

TEST_F(WriteMemoryTest, WithoutALimitNothingIsSealed) {
  Open();
  Write(db_.get(), 10);
  EXPECT_EQ(sealed_->count(), 0);
}

TEST_F(WriteMemoryTest, AManagerCountsSeveralDatabases) {
  Limit(4 << 20);
  Open();
  const auto of_other = std::make_shared<SealCount>();
  options_.listeners = {of_other};
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, path_ + "2", &other));
  // This database alone does not reach the limit.
  Write(db_.get(), 2);
  EXPECT_EQ(sealed_->count(), 0);
  Write(other.get(), 3);
  EXPECT_GE(of_other->count(), 1);
  ASSERT_OK(other->Flush(FlushOptions()));
  Write(db_.get(), 4);
  EXPECT_GE(sealed_->count(), 1);
  other.reset();
  db_.reset();
  EXPECT_EQ(manager_->memory_usage(), 0u);
}

TEST_F(WriteMemoryTest, MemtablesAreChargedToACache) {
  const std::shared_ptr<Cache> cache = NewLRUCache(64 << 20, 0);
  Limit(16 << 20, cache);
  EXPECT_TRUE(manager_->cost_to_cache());
  Open();
  Write(db_.get(), 5);
  EXPECT_GE(manager_->dummy_entries_in_cache_usage(), manager_->memory_usage());
  EXPECT_GE(cache->GetPinnedUsage(), 5u << 20);
  ASSERT_OK(Flush());
  db_.reset();
  EXPECT_EQ(manager_->memory_usage(), 0u);
  EXPECT_EQ(manager_->dummy_entries_in_cache_usage(), 0u);
}

// Writers of both databases wait until the flushes of either have made room.
TEST_F(WriteMemoryTest, StallsOverSeveralDatabases) {
  LimitWriters();
  Open();
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, path_ + "2", &other));
  std::thread writer([&] { Write(other.get(), 8); });
  Write(db_.get(), 8);
  writer.join();
  EXPECT_GT(FilesAt(0), 3);
  Status s = WriteUntilRefused();
  EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
  // Whoever waits goes on when there is room, or when the database closes.
  std::thread waits([&] { EXPECT_OK(Put("patient", "1")); });
  ASSERT_OK(db_->ContinueBackgroundWork());
  waits.join();
  // So that no flush under way makes room after all.
  WaitForCompactOptions purge;
  purge.wait_for_purge = true;
  ASSERT_OK(db_->WaitForCompact(purge));
  ASSERT_OK(other->WaitForCompact(purge));
  s = WriteUntilRefused();
  EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
  std::thread is_shut_out([&] { s = Put("late", "1"); });
  while (!manager_->IsStallActive()) std::this_thread::yield();
  CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  is_shut_out.join();
  EXPECT_TRUE(s.IsShutdownInProgress()) << s.ToString();
}

TEST_F(WriteMemoryTest, AStallIsCounted) {
  LimitWriters();
  Open();
  const Status s = WriteUntilRefused();
  ASSERT_TRUE(s.IsIncomplete()) << s.ToString();
  const auto number = [this](const char* property, const char* key) {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db_->GetMapProperty(property, &map));
    return std::stoull(map.at(key));
  };
  const char* const stops = "write-buffer-manager-limit-stops";
  EXPECT_EQ(number("rocksdb.db-write-stall-stats", stops), 0u)
      << "nobody has waited";
  uint64_t delay_nanos = 0;
  std::thread waits([&] {
    get_perf_context()->Reset();
    EXPECT_OK(Put("patient", "1"));
    delay_nanos = get_perf_context()->write_delay_time;
  });
  while (!manager_->IsStallActive()) std::this_thread::yield();
  ASSERT_OK(db_->ContinueBackgroundWork());
  waits.join();
  EXPECT_EQ(number("rocksdb.db-write-stall-stats", stops), 1u);
  EXPECT_EQ(number("rocksdb.dbstats", stops), 1u);
  const uint64_t micros =
      number("rocksdb.dbstats", "db.user_write_stall_micros");
  EXPECT_GT(micros, 0u);
  EXPECT_EQ(micros, Ticker(STALL_MICROS));
  EXPECT_EQ(micros * 1000, delay_nanos);
  std::string text;
  ASSERT_TRUE(db_->GetProperty("rocksdb.db-write-stall-stats", &text));
  EXPECT_NE(text.find(std::string(stops) + ": 1"), std::string::npos) << text;
}

// What a database is left with whose log is replayed under a limit.
class RecoveryMemoryTest : public WriteMemoryTest {
 protected:
  void LeaveInLog(int mebibytes) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Options unlimited = options_;
    unlimited.write_buffer_manager = nullptr;
    ASSERT_OK(DB::Open(unlimited, path_, &db_));
    Write(db_.get(), mebibytes);
    ASSERT_EQ(FilesAt(0), 0);
    db_.reset();
  }
  void Recover(size_t limit) {
    Limit(limit);
    Open();
  }
};

TEST_F(RecoveryMemoryTest, TheLimitHoldsDuringRecovery) {
  LeaveInLog(10);
  Recover(2 << 20);
  EXPECT_GE(FilesAt(0), 4);
  EXPECT_EQ(Get("key10239"), std::string(1024, 'v'));
}

TEST_F(RecoveryMemoryTest, UnlessNobodyWantsThat) {
  options_.enforce_write_buffer_manager_during_recovery = false;
  LeaveInLog(10);
  Recover(2 << 20);
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_EQ(Get("key10239"), std::string(1024, 'v'));
}

// Flushes here give nothing of it back.
TEST_F(RecoveryMemoryTest, WhatAnotherDatabaseHoldsMakesNoTinyFiles) {
  LeaveInLog(2);
  Limit(4 << 20);
  manager_->ReserveMem(4 << 20);
  ASSERT_TRUE(manager_->ShouldFlush());
  Open();
  EXPECT_GE(FilesAt(0), 2);
  EXPECT_LE(FilesAt(0), 8);
  EXPECT_EQ(Get("key2047"), std::string(1024, 'v'));
  db_.reset();
  manager_->ScheduleFreeMem(4 << 20);
  manager_->FreeMem(4 << 20);
  EXPECT_EQ(manager_->memory_usage(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
