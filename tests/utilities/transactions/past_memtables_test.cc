// Prepared transactions that are committed past the memtables, as memtables of
// their own.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SealListener final : public EventListener {
 public:
  void OnMemTableSealed(const MemTableInfo& info) override {
    entries += info.num_entries;
    ++seals;
  }
  std::atomic<uint64_t> entries{0};
  std::atomic<int> seals{0};
};

class PastMemtablesTest : public PessimisticFixture {
 protected:
  PastMemtablesTest() {
    options_.max_write_buffer_number = 20;
    options_.statistics = CreateDBStatistics();
    options_.listeners.push_back(seals_);
    txn_options_.commit_bypass_memtable = true;
  }
  void SetUp() override {
    PessimisticFixture::SetUp();
    Pause();
  }
  // Nothing is flushed from here on.
  void Pause() { ASSERT_TRUE(db_->PauseBackgroundWork().ok()); }
  void Continue() { ASSERT_TRUE(db_->ContinueBackgroundWork().ok()); }
  void TearDown() override {
    Continue();
    PessimisticFixture::TearDown();
  }

  uint64_t SealedCount(ColumnFamilyHandle* family) {
    uint64_t count = 0;
    EXPECT_TRUE(
        db_->GetIntProperty(family, "rocksdb.num-immutable-mem-table", &count));
    return count;
  }
  uint64_t SealedCount() { return SealedCount(db_->DefaultColumnFamily()); }
  std::string GetIn(ColumnFamilyHandle* family, const std::string& key,
                    const Snapshot* snapshot = nullptr) {
    ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    return Text(db_->Get(options, family, key, &value), value);
  }
  // A prepared one with `count` updates.
  TxnPtr Prepared(const TransactionOptions& options, int count) {
    TxnPtr txn = Begin(options);
    EXPECT_TRUE(txn->SetName("n" + std::to_string(++named_)).ok());
    for (int i = 0; i < count; ++i) {
      EXPECT_TRUE(txn->Put("n" + std::to_string(i), "v").ok());
    }
    EXPECT_TRUE(txn->Prepare().ok());
    return txn;
  }
  uint64_t Ticks(Tickers ticker) {
    return options_.statistics->getTickerCount(ticker);
  }

  const std::shared_ptr<SealListener> seals_ = std::make_shared<SealListener>();
  int named_ = 0;
};

TEST_F(PastMemtablesTest, ItsUpdatesAreMemtablesOfTheirOwn) {
  ASSERT_TRUE(PutOutside("k", "0").ok());
  ASSERT_TRUE(PutOutside("gone", "0").ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), merges(), "m", "0").ok());
  {
    ManagedSnapshot before(db_.get());
    const SequenceNumber last = db_->GetLatestSequenceNumber();
    const TxnPtr x = BeginNamed("x");
    ASSERT_TRUE(x->Put("k", "1").ok());
    ASSERT_TRUE(x->Put("k", "2").ok());
    ASSERT_TRUE(x->Delete("gone").ok());
    ASSERT_TRUE(x->Merge(merges(), "m", "1").ok());
    ASSERT_TRUE(x->PutEntity(handles_[0], "e", {{"c", "4"}}).ok());
    ASSERT_TRUE(x->GetCommitTimeWriteBatch()->Put("t", "5").ok());
    ASSERT_TRUE(x->Prepare().ok());
    EXPECT_EQ(SealedCount(), 0u);
    const Status s = x->Commit();
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(x->GetId(), last + 1);
    EXPECT_EQ(db_->GetLatestSequenceNumber(), last + 6);
    EXPECT_EQ(GetIn(handles_[0], "k", before.snapshot()), "0");
    EXPECT_EQ(GetIn(handles_[0], "gone", before.snapshot()), "0");
    EXPECT_EQ(GetIn(merges(), "m", before.snapshot()), "0");
  }
  // What was there before, and the transaction.
  EXPECT_EQ(SealedCount(), 2u);
  EXPECT_EQ(SealedCount(merges()), 2u);
  EXPECT_EQ(SealedCount(other()), 0u);
  EXPECT_EQ(seals_->seals, 4);
  EXPECT_EQ(seals_->entries, 3u + 6u);
  EXPECT_EQ(Ticks(NUMBER_WBWI_INGEST), 1u);
  EXPECT_EQ(Locks(), "");
  ASSERT_TRUE(PutOutside("later", "1").ok());
  for (const char* place : {"memory", "replayed", "files"}) {
    SCOPED_TRACE(place);
    EXPECT_EQ(Get("k"), "2");
    EXPECT_EQ(Get("gone"), "-");
    EXPECT_EQ(Get("t"), "5");
    EXPECT_EQ(Get("later"), "1");
    EXPECT_EQ(GetIn(merges(), "m"), "0,1");
    PinnableWideColumns columns;
    ASSERT_TRUE(db_->GetEntity(ReadOptions(), handles_[0], "e", &columns).ok());
    EXPECT_EQ(columns.columns(), (WideColumns{{"c", "4"}}));
    if (place == std::string("memory")) {
      options_.avoid_flush_during_recovery = true;
      Continue();
      Reopen();
      Pause();
    } else if (place == std::string("replayed")) {
      Continue();
      ASSERT_TRUE(db_->Flush(FlushOptions(), handles_).ok());
      EXPECT_EQ(SealedCount(), 0u);
      Pause();
    }
  }
}

TEST_F(PastMemtablesTest, OnlyPreparedOnesOfThatSize) {
  // In one phase.
  const TxnPtr once = Begin();
  ASSERT_TRUE(once->Put("k", "1").ok());
  ASSERT_TRUE(once->Commit().ok());
  EXPECT_EQ(SealedCount(), 0u);
  // Nothing is in it.
  ASSERT_TRUE(Prepared(txn_options_, 0)->Commit().ok());
  EXPECT_EQ(SealedCount(), 0u);
  TransactionOptions by_count;
  by_count.large_txn_commit_optimize_threshold = 10;
  ASSERT_TRUE(Prepared(by_count, 9)->Commit().ok());
  EXPECT_EQ(SealedCount(), 0u);
  ASSERT_TRUE(Prepared(by_count, 10)->Commit().ok());
  EXPECT_EQ(SealedCount(), 2u);
  TransactionOptions by_bytes;
  by_bytes.large_txn_commit_optimize_byte_threshold = 500;
  ASSERT_TRUE(Prepared(by_bytes, 10)->Commit().ok());
  EXPECT_EQ(SealedCount(), 2u);
  ASSERT_TRUE(Prepared(by_bytes, 100)->Commit().ok());
  EXPECT_EQ(SealedCount(), 4u);
  // A write after Prepare() keeps the batch from going past the memtables.
  const TxnPtr more = Prepared(txn_options_, 5);
  ASSERT_TRUE(more->Put("more", "1").ok());
  ASSERT_TRUE(more->Commit().ok());
  EXPECT_EQ(SealedCount(), 4u);
  EXPECT_EQ(Get("more"), "1");
  EXPECT_EQ(Get("n99"), "v");
}

// Updates that the batch's index does not know are committed too, the usual
// way.
TEST_F(PastMemtablesTest, WhatIsNotIndexedIsThereToo) {
  {
    const TxnPtr x = BeginNamed("x");
    ASSERT_TRUE(x->Put("k", "1").ok());
    x->DisableIndexing();
    ASSERT_TRUE(x->Put("k", "2").ok());
    ASSERT_TRUE(x->GetWriteBatch()->GetWriteBatch()->Put("d", "1").ok());
    ASSERT_TRUE(x->Prepare().ok());
    ASSERT_TRUE(x->Commit().ok());
  }
  EXPECT_EQ(SealedCount(), 0u);
  EXPECT_EQ(Get("k"), "2");
  EXPECT_EQ(Get("d"), "1");
}

// Values go to blob files first, as those of any write.
TEST_F(PastMemtablesTest, NotWhereBlobsAreWrittenDirectly) {
  Continue();
  options_.allow_concurrent_memtable_write = false;
  options_.enable_blob_files = true;
  options_.enable_blob_direct_write = true;
  Reopen();
  Pause();
  ASSERT_TRUE(Prepared(txn_options_, 1)->Commit().ok());
  EXPECT_EQ(SealedCount(), 0u);
  EXPECT_EQ(Get("n0"), "v");
}

// Unordered writes do not go with this policy anyway.
TEST_F(PastMemtablesTest, NotWithPipelinedWrites) {
  Continue();
  options_.enable_pipelined_write = true;
  Reopen();
  {
    const TxnPtr x = Prepared(txn_options_, 1);
    EXPECT_TRUE(x->Commit().IsNotSupported());
    EXPECT_EQ(x->GetState(), Transaction::PREPARED);
    EXPECT_EQ(Get("n0"), "-");
    ASSERT_TRUE(x->Rollback().ok());
    EXPECT_EQ(Locks(), "");
  }
  // The usual way is open.
  TransactionOptions options;
  options.large_txn_commit_optimize_threshold = 2;
  ASSERT_TRUE(Prepared(options, 1)->Commit().ok());
  EXPECT_EQ(Get("n0"), "v");
  Pause();
}

TEST_F(PastMemtablesTest, AFamilyThatIsGone) {
  const TxnPtr x = BeginNamed("x");
  ASSERT_TRUE(x->Put("k", "1").ok());
  ASSERT_TRUE(x->Put(other(), "k", "1").ok());
  ASSERT_TRUE(x->Prepare().ok());
  ASSERT_TRUE(db_->DropColumnFamily(other()).ok());
  EXPECT_TRUE(x->Commit().IsInvalidArgument());
  EXPECT_EQ(Get("k"), "-");
  EXPECT_EQ(SealedCount(), 0u);
  x->GetWriteOptions()->ignore_missing_column_families = true;
  ASSERT_TRUE(x->Commit().ok());
  EXPECT_EQ(Get("k"), "1");
  EXPECT_EQ(SealedCount(), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
