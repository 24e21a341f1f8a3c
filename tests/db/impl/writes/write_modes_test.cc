// The modes of writing: pipelined and unordered writes, callbacks, priorities,
// what is not logged, checksums on the way.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/user_write_callback.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kDefaultMode = kDefaultColumnFamilyName;

struct WriteMode {
  const char* name;
  bool is_pipelined;
  bool is_unordered;
  bool is_concurrent;
  bool has_two_queues = false;
};

class WriteModesTest : public FamiliesFixture,
                       public ::testing::WithParamInterface<WriteMode> {
 protected:
  WriteModesTest() { Configure(&options_); }
  static void Configure(Options* options) {
    options->enable_pipelined_write = GetParam().is_pipelined;
    options->unordered_write = GetParam().is_unordered;
    options->allow_concurrent_memtable_write = GetParam().is_concurrent;
    options->two_write_queues = GetParam().has_two_queues;
  }
  static std::string KeyOf(int thread, int i) {
    return std::to_string(thread) + "." + std::to_string(i);
  }
  // Reads back what it writes, while memtables are switched.
  void WriteAndRead(int thread, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string key = KeyOf(thread, i);
      WriteBatch batch;
      ASSERT_OK(batch.Put(handles_[0], key, std::string(200, 'v')));
      ASSERT_OK(batch.Put(handles_[1], key, std::to_string(i)));
      WriteOptions write;
      write.sync = i % 100 == 7;
      ASSERT_OK(db_->Write(write, &batch));
      ASSERT_EQ(GetFrom(1, key), std::to_string(i));
      if (i % 150 == 20) {
        ASSERT_OK(db_->Flush(FlushOptions(), handles_[thread % 2]));
      }
    }
  }
  // Both halves of a batch are seen, or none, unless order is given up.
  void ReadUntil(const std::atomic<bool>& stop, const std::string& key) {
    while (!stop.load()) {
      ReadOptions read;
      read.snapshot = db_->GetSnapshot();
      std::string a, b;
      const Status in_a = db_->Get(read, handles_[0], key, &a);
      const Status in_b = db_->Get(read, handles_[1], key, &b);
      if (!GetParam().is_unordered) {
        EXPECT_EQ(in_a.ok(), in_b.ok());
      }
      db_->ReleaseSnapshot(read.snapshot);
    }
  }
};

TEST_P(WriteModesTest, ManyWritersAndSwitches) {
  options_.create_missing_column_families = true;
  options_.write_buffer_size = 64 << 10;
  options_.max_write_buffer_number = 4;
  OpenFamilies({"default", "b"});
  constexpr int kThreads = 4;
  constexpr int kWrites = 300;
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([this, t] { WriteAndRead(t, kWrites); });
  }
  std::atomic<bool> stop{false};
  std::thread reader([&] { ReadUntil(stop, KeyOf(0, kWrites - 1)); });
  for (std::thread& writer : writers) writer.join();
  stop.store(true);
  reader.join();
  const SequenceNumber last = db_->GetLatestSequenceNumber();
  EXPECT_EQ(last, uint64_t{2} * kThreads * kWrites);
  for (const bool is_reopened : {false, true}) {
    if (is_reopened) OpenFamilies({"default", "b"});
    EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
    for (int t = 0; t < kThreads; ++t) {
      for (int i = 0; i < kWrites; ++i) {
        ASSERT_EQ(GetFrom(1, KeyOf(t, i)), std::to_string(i));
        ASSERT_EQ(GetFrom(0, KeyOf(t, i)).size(), 200u);
      }
    }
  }
}

// Fault class 10: after an error and a recovery, sequences go on ascending,
// and nothing of what was refused is there.
TEST_P(WriteModesTest, ErrorsInTheMiddle) {
  bool struck = true;
  uint64_t k = 1;
  for (; struck; ++k) {
    SCOPED_TRACE(k);
    FaultWorld world(k, false, 200);
    Configure(&world.options_);
    ASSERT_OK(world.Open());
    ASSERT_OK(world.CreateFamily("b"));
    world.fs_->FailCall(
        {.call = k, .kind = FaultKind::kShort, .path_contains = ".log"});
    for (int i = 0; i < 8; ++i) {
      const SequenceNumber before = world.db_->GetLatestSequenceNumber();
      const Status s = world.Write(i % 2 == 0 ? kDefaultMode : "b", i % 3 == 0);
      if (!s.ok()) {
        ASSERT_OK(world.db_->Resume());
        EXPECT_EQ(world.db_->GetLatestSequenceNumber(), before);
      } else {
        EXPECT_GT(world.db_->GetLatestSequenceNumber(), before);
      }
    }
    struck = world.fs_->failed();
    world.fs_->ClearFault();
    ASSERT_EQ(world.Check(true), "");
    world.fs_->Deactivate();
    IgnoreError(world.Close(), "the device is gone");
    ASSERT_TRUE(world.fs_->CrashAndHeal({.survival_percent = 50}).ok());
    ASSERT_OK(world.Open());
    ASSERT_EQ(world.Check(false), "");
  }
  EXPECT_GT(k, 8u);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, WriteModesTest,
    ::testing::Values(WriteMode{"Plain", false, false, true},
                      WriteMode{"OneInserter", false, false, false},
                      WriteMode{"Pipelined", true, false, true},
                      WriteMode{"PipelinedOneInserter", true, false, false},
                      WriteMode{"TwoQueues", false, false, true, true},
                      WriteMode{"Unordered", false, true, true}),
    [](const auto& info) { return std::string(info.param.name); });

class WriteOptionsTest : public DbFixture {};

class CountingCallback : public UserWriteCallback {
 public:
  void OnWriteEnqueued() override {
    EXPECT_EQ(logged, 0);
    ++enqueued;
  }
  void OnWalWriteFinish() override {
    EXPECT_EQ(enqueued, 1);
    ++logged;
  }
  std::atomic<int> enqueued{0};
  std::atomic<int> logged{0};
};

TEST_F(WriteOptionsTest, ACallbackIsToldHowFarAWriteIs) {
  Open();
  WriteBatch batch;
  ASSERT_OK(batch.Put("a", "1"));
  CountingCallback logged;
  ASSERT_OK(db_->WriteWithCallback(WriteOptions(), &batch, &logged));
  EXPECT_EQ(logged.enqueued, 1);
  EXPECT_EQ(logged.logged, 1);
  CountingCallback past_the_log;
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->WriteWithCallback(unlogged, &batch, &past_the_log));
  EXPECT_EQ(past_the_log.enqueued, 1);
  EXPECT_EQ(past_the_log.logged, 0);
  ASSERT_OK(db_->WriteWithCallback(WriteOptions(), &batch, nullptr));
  EXPECT_TRUE(db_->WriteWithCallback(WriteOptions(), nullptr, &logged)
                  .IsInvalidArgument());
}

// What stands behind the mark is in the memtable only.
TEST_F(WriteOptionsTest, WalTerminationPoint) {
  options_.avoid_flush_during_shutdown = true;
  Open();
  WriteBatch batch;
  ASSERT_OK(batch.Put("logged", "1"));
  batch.MarkWalTerminationPoint();
  ASSERT_OK(batch.Put("unlogged", "2"));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  ASSERT_OK(Put("after", "3"));
  EXPECT_EQ(Scan(), "after=3 logged=1 unlogged=2 ");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 3u);
  Reopen();
  EXPECT_EQ(Scan(), "after=3 logged=1 ");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 3u);
}

TEST_F(WriteOptionsTest, LowPriorityWaitsWhileCompactionsAreBehind) {
  options_.level0_slowdown_writes_trigger = 2;
  options_.level0_file_num_compaction_trigger = 2;
  options_.disable_auto_compactions = true;
  Open();
  WriteOptions low;
  low.low_pri = true;
  ASSERT_OK(db_->Put(low, "a", "1"));
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(Put("k" + std::to_string(i), "v"));
    ASSERT_OK(Flush());
  }
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(db_->SetOptions({{"disable_auto_compactions", "false"}}));
  low.no_slowdown = true;
  const Status s = db_->Put(low, "b", "2");
  EXPECT_TRUE(s.IsIncomplete());
  EXPECT_NE(s.ToString().find("Low priority"), std::string::npos);
  low.no_slowdown = false;
  ASSERT_OK(db_->Put(low, "c", "3"));
  EXPECT_EQ(Get("c"), "3");
  ASSERT_OK(db_->ContinueBackgroundWork());
}

TEST_F(WriteOptionsTest, ChecksumsOnTheWay) {
  Open();
  WriteOptions checked;
  checked.protection_bytes_per_key = 8;
  ASSERT_OK(db_->Put(checked, "a", "1"));
  ASSERT_OK(db_->DeleteRange(checked, db_->DefaultColumnFamily(), "x", "y"));
  WriteBatch plain;
  ASSERT_OK(plain.Put("p", "2"));
  ASSERT_OK(db_->Write(checked, &plain));
  EXPECT_EQ(plain.GetProtectionBytesPerKey(), 8u);
  ASSERT_OK(db_->Delete(checked, "p"));
  checked.protection_bytes_per_key = 4;
  EXPECT_TRUE(db_->Put(checked, "b", "2").IsInvalidArgument());
  EXPECT_EQ(Scan(), "a=1 ");
  // A byte that changes in the batch is noticed before it is logged.
  WriteBatch batch(0, 0, 8, 0);
  ASSERT_OK(batch.Put("key", "value"));
  ASSERT_OK(batch.VerifyChecksum());
  const_cast<char&>(batch.Data().back()) ^= 1;
  EXPECT_TRUE(batch.VerifyChecksum().IsCorruption());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsCorruption());
  ASSERT_OK(Put("c", "3"));
  EXPECT_EQ(Scan(), "a=1 c=3 ");
}

// Counts what a memtable compares.
class CountedOrder : public Comparator {
 public:
  const char* Name() const override { return "CountedOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++count_;
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
  uint64_t count() const { return count_; }

 private:
  mutable std::atomic<uint64_t> count_{0};
};

class BatchHintsTest : public DbFixture {
 protected:
  // What a batch of neighbours costs, among other keys.
  uint64_t CostOfBatch(bool has_hints) {
    db_.reset();
    EXPECT_OK(DestroyDB(path_, options_));
    const CountedOrder order;
    options_.comparator = &order;
    Open();
    for (int i = 0; i < 6000; ++i) {
      EXPECT_OK(Put(std::to_string(100'000 + i * 7919 % 90'000), ""));
    }
    WriteBatch batch;
    for (int i = 0; i < 1000; ++i) {
      EXPECT_OK(batch.Put("150000." + std::to_string(1000 + i), "v"));
    }
    WriteOptions write;
    write.memtable_insert_hint_per_batch = has_hints;
    const uint64_t before = order.count();
    EXPECT_OK(db_->Write(write, &batch));
    const uint64_t cost = order.count() - before;
    EXPECT_EQ(Get("150000.1999"), "v");
    db_.reset();
    return cost;
  }
};

TEST_F(BatchHintsTest, SpareComparisonsWhereTheyAreAskedFor) {
  const uint64_t without = CostOfBatch(false);
  EXPECT_LT(CostOfBatch(true) * 10, without * 9);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
