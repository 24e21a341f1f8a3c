// Two write queues: writes that only go to the log do not wait for those that
// go to memtables, and the log stays one order of both.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "rocksdb/user_write_callback.h"
#include "rocksdb/wal_filter.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TwoQueuesTest : public FamiliesFixture {
 protected:
  TwoQueuesTest() {
    options_.two_write_queues = true;
    options_.create_missing_column_families = true;
  }
  // A batch without updates.
  Status Note(const std::string& text,
              const WriteOptions& options = WriteOptions()) {
    WriteBatch batch;
    if (Status s = batch.PutLogData(text); !s.ok()) return s;
    return db_->Write(options, &batch);
  }
};

// What the logs hold, in order: keys, and notes in brackets.
class Teller : public WalFilter, private WriteBatch::Handler {
 public:
  const char* Name() const override { return "Teller"; }
  WalProcessingOption LogRecordFound(unsigned long long, const std::string&,
                                     const WriteBatch& batch, WriteBatch*,
                                     bool*) override {
    EXPECT_OK(batch.Iterate(this));
    return WalProcessingOption::kContinueProcessing;
  }
  std::string text;

 private:
  Status PutCF(uint32_t, const Slice& key, const Slice&) override {
    text += key.ToString();
    return Status::OK();
  }
  void LogData(const Slice& blob) override {
    text += "(" + blob.ToString() + ")";
  }
};

// Its check is the time at which the write is leader and has no sequence yet.
class Pause : public WriteCondition {
 public:
  explicit Pause(std::function<void()> during) : during_(std::move(during)) {}
  Status Check() override {
    during_();
    return Status::OK();
  }
  bool MayShareGroup() const override { return false; }

 private:
  const std::function<void()> during_;
};

TEST_F(TwoQueuesTest, DoNotWaitForEachOther) {
  Open();
  ASSERT_OK(Put("a", "1"));
  Pause pause([this] {
    // This write leads the others, and notes get by.
    ASSERT_OK(Note("x"));
    WriteOptions synced;
    synced.sync = true;
    ASSERT_OK(Note("y", synced));
    EXPECT_EQ(db_->GetLatestSequenceNumber(), 1u);
  });
  WriteBatch batch;
  ASSERT_OK(batch.Put("b", "2"));
  ASSERT_OK(
      TransactionPort::Of(db_.get())->WriteIf(WriteOptions(), &batch, &pause));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 2u);
  ASSERT_OK(Put("c", "3"));
  Reopen();
  EXPECT_EQ(Scan(), "a=1 b=2 c=3 ");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 3u);
}

class Counter : public UserWriteCallback {
 public:
  void OnWriteEnqueued() override { ++enqueued; }
  void OnWalWriteFinish() override { ++logged; }
  std::atomic<int> enqueued{0};
  std::atomic<int> logged{0};
};

TEST_F(TwoQueuesTest, ALockHoldsBoth) {
  Open();
  ASSERT_OK(db_->LockWAL());
  WriteOptions impatient;
  impatient.no_slowdown = true;
  EXPECT_TRUE(Note("x", impatient).IsIncomplete());
  EXPECT_TRUE(db_->Put(impatient, "a", "1").IsIncomplete());
  std::thread waits([this] { EXPECT_OK(Note("y")); });
  ASSERT_OK(db_->SyncWAL());
  ASSERT_OK(db_->UnlockWAL());
  waits.join();
  WriteBatch batch;
  ASSERT_OK(batch.PutLogData("z"));
  Counter counter;
  ASSERT_OK(db_->WriteWithCallback(WriteOptions(), &batch, &counter));
  EXPECT_EQ(counter.enqueued, 1);
  EXPECT_EQ(counter.logged, 1);
  ASSERT_OK(Put("a", "1"));
  Reopen();
  EXPECT_EQ(Scan(), "a=1 ");
}

// All at once, with memtables and logs that change, and unlogged writes.
TEST_F(TwoQueuesTest, ManyWritersOfBothKinds) {
  for (const bool is_unordered : {false, true}) {
    SCOPED_TRACE(is_unordered);
    CloseFamilies();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.unordered_write = is_unordered;
    options_.write_buffer_size = 64 << 10;
    options_.max_write_buffer_number = 4;
    OpenFamilies({"default", "b"});
    constexpr int kThreads = 3;
    constexpr int kWrites = 300;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, t] {
        for (int i = 0; i < kWrites; ++i) {
          const std::string key = std::to_string(t) + "." + std::to_string(i);
          WriteBatch batch;
          ASSERT_OK(batch.Put(handles_[i % 2], key, std::string(300, 'v')));
          WriteOptions write;
          write.sync = i % 50 == 9;
          ASSERT_OK(db_->Write(write, &batch));
          if (i % 100 == 30) {
            ASSERT_OK(db_->Flush(FlushOptions(), handles_[t % 2]));
          }
        }
      });
      threads.emplace_back([this, t] {
        for (int i = 0; i < kWrites; ++i) {
          WriteOptions write;
          write.sync = i % 50 == 3;
          ASSERT_OK(Note(std::to_string(t), write));
          if (i % 70 == 9) {
            ASSERT_OK(db_->FlushWAL(false));
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(db_->GetLatestSequenceNumber(), uint64_t{kThreads} * kWrites);
    options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
    OpenFamilies({"default", "b"});
    EXPECT_EQ(db_->GetLatestSequenceNumber(), uint64_t{kThreads} * kWrites);
    for (int t = 0; t < kThreads; ++t) {
      for (int i = 0; i < kWrites; ++i) {
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        std::string value;
        ASSERT_OK(db_->Get(ReadOptions(), handles_[i % 2], key, &value));
      }
    }
    options_.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  }
}

// Fault class 10: tables may hold what no log does, and more than the logs that
// are replayed.
TEST_F(TwoQueuesTest, AReplayDoesNotGoBackBehindTheTables) {
  options_.avoid_flush_during_shutdown = true;
  OpenFamilies({"default", "b"});
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  // Keeps the first log.
  ASSERT_OK(db_->Put(WriteOptions(), handles_[1], "old", "1"));
  ASSERT_OK(db_->Put(unlogged, handles_[0], "unlogged", "2"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  OpenFamilies({"default", "b"});
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 2u);
  EXPECT_EQ(GetFrom(1, "old"), "1");
  EXPECT_EQ(GetFrom(0, "unlogged"), "2");
}

TEST_F(TwoQueuesTest, TheOrderInTheLog) {
  Open();
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK(Put(std::string(1, static_cast<char>('a' + i)), "v"));
    ASSERT_OK(Note(std::to_string(i)));
  }
  Teller teller;
  options_.wal_filter = &teller;
  Reopen();
  options_.wal_filter = nullptr;
  EXPECT_EQ(teller.text, "a(0)b(1)c(2)d(3)");
  EXPECT_EQ(Scan(), "a=v b=v c=v d=v ");
}

// A record without updates, behind writes past the log, says nothing of how
// far the log goes: what the next log holds is not behind a hole.
TEST_F(TwoQueuesTest, NotesBehindUnloggedWrites) {
  options_.avoid_flush_during_shutdown = true;
  for (const bool has_two : {false, true}) {
    SCOPED_TRACE(has_two);
    CloseFamilies();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.two_write_queues = has_two;
    OpenFamilies({"default", "b"});
    WriteOptions unlogged;
    unlogged.disableWAL = true;
    // Keeps the first log.
    ASSERT_OK(db_->Put(WriteOptions(), handles_[1], "old", "1"));
    ASSERT_OK(db_->Put(unlogged, handles_[0], "unlogged", "2"));
    ASSERT_OK(Note("x"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
    ASSERT_OK(db_->Put(WriteOptions(), handles_[0], "new", "3"));
    ASSERT_OK(db_->Put(WriteOptions(), handles_[1], "new", "4"));
    OpenFamilies({"default", "b"});
    for (size_t family = 0; family < 2; ++family) {
      std::string value;
      ASSERT_OK(db_->Get(ReadOptions(), handles_[family], "new", &value));
      EXPECT_EQ(value, family == 0 ? "3" : "4");
    }
    std::string value;
    ASSERT_OK(db_->Get(ReadOptions(), handles_[1], "old", &value));
    ASSERT_OK(db_->Get(ReadOptions(), handles_[0], "unlogged", &value));
  }
}

// A note that comes between the log and the memtable of a write stands behind
// that write's sequences.
TEST_F(TwoQueuesTest, NotesBehindWhatIsNotVisibleYet) {
  class Interrupter : public Counter {
   public:
    explicit Interrupter(std::function<void()> call) : call_(std::move(call)) {}
    void OnWalWriteFinish() override { call_(); }

   private:
    const std::function<void()> call_;
  };
  Open();
  ASSERT_OK(Put("a", "1"));
  WriteBatch batch;
  ASSERT_OK(batch.Put("b", "2"));
  ASSERT_OK(batch.Put("c", "3"));
  Interrupter interrupter([this] {
    EXPECT_EQ(db_->GetLatestSequenceNumber(), 1u);
    EXPECT_OK(Note("between"));
  });
  ASSERT_OK(db_->WriteWithCallback(WriteOptions(), &batch, &interrupter));
  ASSERT_OK(Put("d", "4"));
  options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  Reopen();
  EXPECT_EQ(Scan(), "a=1 b=2 c=3 d=4 ");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 4u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
