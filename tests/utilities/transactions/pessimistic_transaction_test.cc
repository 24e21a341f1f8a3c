// Transactions that lock: locks, snapshots, save points, states, expiration.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool IsLockTimeout(const Status& s) {
  return s.IsTimedOut() && s.subcode() == Status::SubCode::kLockTimeout;
}

class LockingTest : public PessimisticFixture {};

TEST_F(LockingTest, AWriteLocksItsKeyUntilTheEnd) {
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_TRUE(IsLockTimeout(u->Put("k", "2")));
  EXPECT_TRUE(IsLockTimeout(PutOutside("k", "3")));
  EXPECT_EQ(Get("k"), "-") << "readers do not wait";
  EXPECT_TRUE(u->Put(other(), "k", "2").ok()) << "another family";
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k"), "1");
  EXPECT_TRUE(u->Put("k", "2").ok());
  EXPECT_TRUE(u->Rollback().ok());
  EXPECT_EQ(Locks(), "");
  EXPECT_EQ(Get("k"), "1");
}

TEST_F(LockingTest, WaitsAreCountedAndTimed) {
  SetPerfLevel(PerfLevel::kEnableTime);
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  get_perf_context()->Reset();
  EXPECT_TRUE(IsLockTimeout(u->Put("k", "2")));
  EXPECT_EQ(get_perf_context()->key_lock_wait_count, 0u);
  u->SetLockTimeout(30);
  const auto before = std::chrono::steady_clock::now();
  EXPECT_TRUE(IsLockTimeout(u->Put("k", "2")));
  EXPECT_GE(std::chrono::steady_clock::now() - before,
            std::chrono::milliseconds(30));
  EXPECT_EQ(get_perf_context()->key_lock_wait_count, 1u);
  EXPECT_GT(get_perf_context()->key_lock_wait_time, 0u);
  SetPerfLevel(PerfLevel::kEnableCount);
}

TEST_F(LockingTest, SharesAndUpgrades) {
  const TxnPtr t = Begin(), u = Begin();
  const ReadOptions ro;
  std::string* const nothing = nullptr;
  ASSERT_TRUE(t->GetForUpdate(ro, "k", nothing, /*exclusive=*/false).ok());
  ASSERT_TRUE(u->GetForUpdate(ro, "k", nothing, /*exclusive=*/false).ok());
  EXPECT_EQ(Locks(), "k:S2 ");
  EXPECT_TRUE(IsLockTimeout(t->Put("k", "1")));
  EXPECT_EQ(Locks(), "k:S2 ");
  u->UndoGetForUpdate("k");
  EXPECT_TRUE(t->Put("k", "1").ok());
  EXPECT_EQ(Locks(), "k:X1 ");
  EXPECT_TRUE(t->GetForUpdate(ro, "k", nothing, false).ok());
  EXPECT_EQ(Locks(), "k:X1 ");
}

TEST_F(LockingTest, ReadsForUpdateAreTakenBackOneByOne) {
  const TxnPtr t = Begin();
  std::string value;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "k", &value).IsNotFound());
  }
  t->UndoGetForUpdate("k");
  t->UndoGetForUpdate("k");
  EXPECT_EQ(Locks(), "k:X1 ");
  t->UndoGetForUpdate("k");
  EXPECT_EQ(Locks(), "");
  ASSERT_TRUE(t->Put("k", "1").ok());
  t->UndoGetForUpdate("k");
  EXPECT_EQ(Locks(), "k:X1 ");
}

TEST_F(LockingTest, MissingKeysAreLocked) {
  const TxnPtr t = Begin();
  std::string value;
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "missing", &value).IsNotFound());
  EXPECT_TRUE(PutOutside("missing", "1").IsTimedOut());
  std::string* const nothing = nullptr;
  EXPECT_TRUE(t->GetForUpdate(ReadOptions(), "m2", nothing).ok());
  EXPECT_TRUE(PutOutside("m2", "1").IsTimedOut());
}

TEST_F(LockingTest, ManyReadsForUpdateFailTogether) {
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(u->Put("m2", "1").ok());
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      t->MultiGetForUpdate(ReadOptions(), {"m1", "m2", "m3"}, &values);
  ASSERT_EQ(statuses.size(), 3u);
  for (const Status& s : statuses) EXPECT_TRUE(IsLockTimeout(s));
  EXPECT_EQ(Locks(), "m1:X1 m2:X1 ");
  ASSERT_TRUE(u->Commit().ok());
  const std::vector<Status> again =
      t->MultiGetForUpdate(ReadOptions(), {"m1", "m2"}, &values);
  EXPECT_TRUE(again[0].IsNotFound());
  EXPECT_TRUE(again[1].ok());
  EXPECT_EQ(values[1], "1");
}

TEST_F(LockingTest, LimitsOfLocks) {
  Close();
  txn_db_options_.max_num_locks = 3;
  Open();
  const TxnPtr t = Begin();
  for (const char* key : {"1", "2", "3"}) ASSERT_TRUE(t->Put(key, "").ok());
  EXPECT_TRUE(t->Put("4", "").IsLockLimit());
  EXPECT_TRUE(t->Put("3", "again").ok());
  EXPECT_TRUE(PutOutside("5", "").IsLockLimit());
  EXPECT_TRUE(t->Commit().ok());
  EXPECT_TRUE(PutOutside("5", "").ok());
}

TEST_F(LockingTest, EveryEndGivesLocksBack) {
  TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(Locks(), "");
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Locks(), "");
  t = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  t.reset();
  EXPECT_EQ(Locks(), "");
}

TEST_F(LockingTest, WithoutConcurrencyControlNothingIsLocked) {
  const TxnPtr u = Begin();
  ASSERT_TRUE(u->Put("k", "1").ok());
  TransactionOptions options = txn_options_;
  options.skip_concurrency_control = true;
  const TxnPtr t = Begin(options);
  EXPECT_TRUE(t->Put("k", "2").ok());
  EXPECT_EQ(t->GetNumKeys(), 0u);
  EXPECT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k"), "2");
}

TEST_F(LockingTest, TrackedKeysNeedNoSecondLock) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_TRUE(t->Put(handles_[0], "k", "2", /*assume_tracked=*/true).ok());
  EXPECT_TRUE(t->Put(handles_[0], "x", "2", true).IsInvalidArgument());
  std::string* const nothing = nullptr;
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "s", nothing, false).ok());
  EXPECT_TRUE(t->Delete(handles_[0], "s", true).IsInvalidArgument());
  EXPECT_EQ(Locks(), "k:X1 s:S1 ");
}

TEST_F(LockingTest, AFailedLookAfterAnUpgradeLeavesAShare) {
  const TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(PutOutside("k", "newer").ok());
  std::string* const nothing = nullptr;
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "k", nothing, /*exclusive=*/false,
                              /*do_validate=*/false)
                  .ok());
  EXPECT_TRUE(t->Put("k", "1").IsBusy());
  EXPECT_EQ(Locks(), "k:S1 ");
  EXPECT_EQ(t->GetWriteBatch()->GetWriteBatch()->Count(), 0u);
}

TEST_F(LockingTest, ADroppedFamilyLeaksNoLocks) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put(other(), "o", "1").ok());
  ASSERT_TRUE(t->Put("a", "1").ok());
  ASSERT_TRUE(t->Put(merges(), "m", "1").ok());
  ASSERT_TRUE(db_->DropColumnFamily(other()).ok());
  EXPECT_TRUE(t->Put(other(), "p", "1").IsInvalidArgument());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(Locks(), "");
}

TEST_F(LockingTest, DeadlocksAreFoundAndReported) {
  TransactionOptions options;
  options.deadlock_detect = true;
  options.lock_timeout = 100000;
  options.deadlock_timeout_us = 0;
  const TxnPtr t = Begin(options), u = Begin(options);
  ASSERT_TRUE(t->Put("1", "t").ok());
  ASSERT_TRUE(u->Put("2", "u").ok());
  std::thread waits([&] { EXPECT_TRUE(t->Put("2", "t").ok()); });
  std::string key;
  uint32_t family = 99;
  while (key != "2") {
    const auto ids = t->GetWaitingTxns(&family, &key);
    if (key == "2") {
      EXPECT_EQ(ids, std::vector<TransactionID>{u->GetID()});
    }
  }
  EXPECT_EQ(family, 0u);
  db_->GetLockStatusData();  // waits for who is at work on a part
  const Status s = u->Put("1", "u");
  EXPECT_TRUE(s.IsDeadlock());
  EXPECT_TRUE(s.IsBusy());
  EXPECT_EQ(u->GetState(), Transaction::STARTED);
  ASSERT_TRUE(u->Rollback().ok());
  waits.join();
  EXPECT_TRUE(t->Commit().ok());
  EXPECT_EQ(t->GetWaitingTxns(nullptr, &key),
            std::vector<TransactionID>{u->GetID()});

  const std::vector<DeadlockPath> found = db_->GetDeadlockInfoBuffer();
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].path.size(), 2u);
  EXPECT_EQ(found[0].path[0].m_txn_id, t->GetID());
  EXPECT_EQ(found[0].path[0].m_waiting_key, "2");
  EXPECT_EQ(found[0].path[1].m_txn_id, u->GetID());
  EXPECT_EQ(found[0].path[1].m_waiting_key, "1");
  db_->SetDeadlockInfoBufferSize(0);
  EXPECT_TRUE(db_->GetDeadlockInfoBuffer().empty());
}

class SnapshotsOfTransactionsTest : public PessimisticFixture {};

TEST_F(SnapshotsOfTransactionsTest, WhatIsNewerThanTheSnapshotIsAConflict) {
  const TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(PutOutside("k", "newer").ok());
  EXPECT_TRUE(t->Put("k", "1").IsBusy());
  EXPECT_EQ(Locks(), "");
  EXPECT_TRUE(t->PutUntracked("k", "2").ok());
  EXPECT_TRUE(t->Put("k", "3").IsBusy());
  EXPECT_EQ(Locks(), "k:X1 ");
  t->SetSnapshot();
  EXPECT_TRUE(t->Put("k", "4").ok());
}

TEST_F(SnapshotsOfTransactionsTest, WhatIsLockedBeforeCannotConflict) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  t->SetSnapshot();
  EXPECT_TRUE(t->Put("k", "2").ok());
  const TxnPtr u = Begin();
  ASSERT_TRUE(PutOutside("x", "1").ok());
  EXPECT_TRUE(u->Put("x", "2").ok()) << "no snapshot";
}

TEST_F(SnapshotsOfTransactionsTest, ConflictsAreFoundInFiles) {
  ASSERT_TRUE(PutOutside("quiet", "1").ok());
  const TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(PutOutside("k", "newer").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  EXPECT_TRUE(t->Put("k", "1").IsBusy());
  EXPECT_TRUE(t->Put("quiet", "1").ok());
}

TEST_F(SnapshotsOfTransactionsTest, RangesAndIngestedFilesAreConflicts) {
  for (const char* key : {"a", "b", "c"})
    ASSERT_TRUE(PutOutside(key, "1").ok());
  const TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(
      db_->GetBaseDB()
          ->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "c")
          .ok());
  EXPECT_TRUE(t->Put("a", "1").IsBusy());
  EXPECT_TRUE(t->Put("c", "1").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_TRUE(t->Put("b", "1").IsBusy());

  SstFileWriter writer{EnvOptions(), options_};
  const std::string file = dir_.path() + "/x.sst";
  ASSERT_TRUE(writer.Open(file).ok());
  ASSERT_TRUE(writer.Put("x", "from a file").ok());
  ASSERT_TRUE(writer.Finish().ok());
  ASSERT_TRUE(db_->IngestExternalFile({file}, {}).ok());
  EXPECT_TRUE(t->Put("x", "1").IsBusy());
}

TEST_F(SnapshotsOfTransactionsTest, ReadsSeeThePresentUnlessAskedOtherwise) {
  ASSERT_TRUE(PutOutside("k", "old").ok());
  const TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(PutOutside("k", "new").ok());
  EXPECT_EQ(Get(t.get(), "k"), "new");
  ReadOptions then;
  then.snapshot = t->GetSnapshot();
  std::string value;
  ASSERT_TRUE(t->Get(then, "k", &value).ok());
  EXPECT_EQ(value, "old");
  ASSERT_TRUE(t->PutUntracked("k", "own").ok());
  ASSERT_TRUE(t->Get(then, "k", &value).ok());
  EXPECT_EQ(value, "own");
  EXPECT_TRUE(t->GetForUpdate(then, "z", &value, true, /*do_validate=*/false)
                  .IsInvalidArgument());
  EXPECT_EQ(Locks(), "k:X1 ");
}

class CountingNotifier final : public TransactionNotifier {
 public:
  void SnapshotCreated(const Snapshot* snapshot) override {
    EXPECT_NE(snapshot, nullptr);
    ++count;
  }
  int count = 0;
};

TEST_F(SnapshotsOfTransactionsTest, TheNextOperationTakesOne) {
  const TxnPtr t = Begin();
  const auto notifier = std::make_shared<CountingNotifier>();
  t->SetSnapshotOnNextOperation(notifier);
  Get(t.get(), "k");
  { const std::unique_ptr<Iterator> it(t->GetIterator(ReadOptions())); }
  EXPECT_EQ(notifier->count, 0);
  EXPECT_EQ(t->GetSnapshot(), nullptr);
  ASSERT_TRUE(t->PutUntracked("k", "1").ok());
  EXPECT_EQ(notifier->count, 1);
  EXPECT_NE(t->GetSnapshot(), nullptr);
  ASSERT_TRUE(t->Put("k", "2").ok());
  EXPECT_EQ(notifier->count, 1);

  t->SetSnapshotOnNextOperation(notifier);
  t->SetSnapshot();
  ASSERT_TRUE(t->Put("a", "1").ok());
  t->SetSnapshotOnNextOperation(notifier);
  t->ClearSnapshot();
  ASSERT_TRUE(t->Put("b", "1").ok());
  EXPECT_EQ(notifier->count, 1);

  t->SetSnapshotOnNextOperation(notifier);
  std::vector<std::string> values;
  t->MultiGetForUpdate(ReadOptions(), {"c"}, &values);
  EXPECT_EQ(notifier->count, 2);

  // One that is pending keeps nobody from committing.
  t->SetSnapshotOnNextOperation(notifier);
  EXPECT_TRUE(t->Commit().ok());
}

TEST_F(SnapshotsOfTransactionsTest, APendingOneIsTakenAfterTheLock) {
  TransactionOptions options;
  options.lock_timeout = 100000;
  const TxnPtr t = Begin(), u = Begin(options);
  ASSERT_TRUE(t->Put("k", "t").ok());
  u->SetSnapshotOnNextOperation();
  std::thread waits([&] { EXPECT_TRUE(u->Put("k", "u").ok()); });
  std::string key;
  while (key != "k") u->GetWaitingTxns(nullptr, &key);
  ASSERT_TRUE(t->Commit().ok());
  waits.join();
  EXPECT_TRUE(u->Commit().ok());
  EXPECT_EQ(Get("k"), "u");
}

TEST_F(SnapshotsOfTransactionsTest, TheyOutliveTheTransactionsEnd) {
  TxnPtr t = Begin();
  t->SetSnapshot();
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_NE(t->GetSnapshot(), nullptr);
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_NE(t->GetSnapshot(), nullptr);
  const TransactionID id = t->GetID();
  EXPECT_EQ(db_->BeginTransaction(WriteOptions(), txn_options_, t.get()),
            t.get());
  EXPECT_EQ(t->GetSnapshot(), nullptr);
  EXPECT_NE(t->GetID(), id);
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
}

class SavePointsTest : public PessimisticFixture {};

TEST_F(SavePointsTest, ThereMustBeOne) {
  const TxnPtr t = Begin();
  EXPECT_TRUE(t->RollbackToSavePoint().IsNotFound());
  EXPECT_TRUE(t->PopSavePoint().IsNotFound());
  t->SetSavePoint();
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_TRUE(t->RollbackToSavePoint().IsNotFound());
}

TEST_F(SavePointsTest, WhatCameSinceIsTakenBack) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("A", "1").ok());
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("A", "2").ok());
  ASSERT_TRUE(t->Put("B", "2").ok());
  ASSERT_TRUE(t->Delete("C").ok());
  EXPECT_EQ(t->GetNumPuts(), 3u);
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(Get(t.get(), "A"), "1");
  EXPECT_EQ(Locks(), "A:X1 ");
  EXPECT_EQ(t->GetNumPuts(), 1u);
  EXPECT_EQ(t->GetNumDeletes(), 0u);
  EXPECT_EQ(t->GetNumKeys(), 1u);
}

TEST_F(SavePointsTest, APoppedOneBelongsToTheOneBefore) {
  const TxnPtr t = Begin();
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("n1", "1").ok());
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("n2", "1").ok());
  ASSERT_TRUE(t->PopSavePoint().ok());
  EXPECT_EQ(Get(t.get(), "n2"), "1");
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(Get(t.get(), "n1"), "-");
  EXPECT_EQ(Get(t.get(), "n2"), "-");
  EXPECT_EQ(Locks(), "");
}

TEST_F(SavePointsTest, OnlyReadsSinceCanBeUndone) {
  const TxnPtr t = Begin();
  std::string* const nothing = nullptr;
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "G", nothing).ok());
  t->SetSavePoint();
  t->UndoGetForUpdate("G");
  EXPECT_EQ(Locks(), "G:X1 ");
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "U", nothing).ok());
  t->UndoGetForUpdate("U");
  EXPECT_EQ(Locks(), "G:X1 ");
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(Locks(), "G:X1 ");
}

TEST_F(SavePointsTest, AnUpgradeSinceStays) {
  const TxnPtr t = Begin();
  std::string* const nothing = nullptr;
  ASSERT_TRUE(t->GetForUpdate(ReadOptions(), "k", nothing, false).ok());
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(Locks(), "k:X1 ");
}

TEST_F(SavePointsTest, TheSnapshotComesBack) {
  const TxnPtr t = Begin();
  t->SetSnapshot();
  const Snapshot* const before = t->GetSnapshot();
  t->SetSavePoint();
  t->SetSnapshot();
  EXPECT_NE(t->GetSnapshot(), before);
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(t->GetSnapshot(), before);
}

TEST_F(SavePointsTest, NotAfterPrepare) {
  const TxnPtr t = BeginNamed("x");
  ASSERT_TRUE(t->Put("k", "1").ok());
  t->SetSavePoint();
  ASSERT_TRUE(t->Prepare().ok());
  EXPECT_TRUE(t->RollbackToSavePoint().IsInvalidArgument());
  EXPECT_TRUE(t->PopSavePoint().IsNotFound());
  ASSERT_TRUE(t->Rollback().ok());
}

class BatchOfTransactionTest : public PessimisticFixture {};

TEST_F(BatchOfTransactionTest, CountsAreOfCalls) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("a", "1").ok());
  ASSERT_TRUE(t->Put("a", "2").ok());
  ASSERT_TRUE(t->SingleDelete("s").ok());
  ASSERT_TRUE(t->Merge(merges(), "m", "1").ok());
  ASSERT_TRUE(t->PutEntity(other(), "e", {{"c", "1"}}).ok());
  t->PutLogData("blob");
  EXPECT_EQ(t->GetNumPuts(), 2u);
  EXPECT_EQ(t->GetNumDeletes(), 1u);
  EXPECT_EQ(t->GetNumMerges(), 1u);
  EXPECT_EQ(t->GetNumPutEntities(), 1u);
  EXPECT_EQ(t->GetNumKeys(), 4u);
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(t->GetNumPuts() + t->GetNumDeletes() + t->GetNumKeys(), 0u);
  EXPECT_EQ(Get("a"), "2");
}

TEST_F(BatchOfTransactionTest, LimitsOfBytes) {
  TransactionOptions options = txn_options_;
  options.max_write_batch_size = 80;
  const TxnPtr t = Begin(options);
  ASSERT_TRUE(t->Put("a", std::string(20, 'x')).ok());
  EXPECT_TRUE(t->Put("b", std::string(60, 'x')).IsMemoryLimit());
  EXPECT_EQ(Get(t.get(), "b"), "-");
  EXPECT_EQ(Locks(), "a:X1 b:X1 ");
  EXPECT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("a"), std::string(20, 'x'));
}

TEST_F(BatchOfTransactionTest, WhatIsNotIndexedIsNotRead) {
  const TxnPtr t = Begin();
  t->DisableIndexing();
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_EQ(Get(t.get(), "k"), "-");
  t->EnableIndexing();
  EXPECT_EQ(Get(t.get(), "k"), "-");
  t->SetSavePoint();
  ASSERT_TRUE(t->Put("x", "1").ok());
  ASSERT_TRUE(t->RollbackToSavePoint().ok());
  EXPECT_EQ(Get(t.get(), "k"), "-");
  EXPECT_EQ(Locks(), "k:X1 ");
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k"), "1");
}

TEST_F(BatchOfTransactionTest, WhatIsAddedDirectlyIsNeitherLockedNorCounted) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->GetWriteBatch()->Put("d", "1").ok());
  EXPECT_EQ(Get(t.get(), "d"), "1");
  EXPECT_EQ(Locks(), "");
  EXPECT_EQ(t->GetNumPuts(), 0u);
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("d"), "1");
}

TEST_F(BatchOfTransactionTest, IsRebuiltFromAnother) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("r1", "1").ok());
  ASSERT_TRUE(batch.Delete("r2").ok());
  ASSERT_TRUE(batch.Merge(merges(), "r3", "1").ok());
  const TxnPtr t = Begin(), u = Begin();
  ASSERT_TRUE(t->RebuildFromWriteBatch(&batch).ok());
  EXPECT_EQ(Locks(), "r1:X1 r2:X1 r3:X1 ");
  EXPECT_EQ(t->GetNumPuts(), 1u);
  EXPECT_EQ(t->GetNumDeletes(), 1u);
  EXPECT_EQ(t->GetNumMerges(), 1u);
  ASSERT_TRUE(t->Rollback().ok());

  ASSERT_TRUE(u->Put("r2", "mine").ok());
  EXPECT_TRUE(IsLockTimeout(t->RebuildFromWriteBatch(&batch)));
  EXPECT_EQ(Get(t.get(), "r1"), "1");
  ASSERT_TRUE(batch.DeleteRange("a", "b").ok());
  EXPECT_TRUE(u->RebuildFromWriteBatch(&batch).IsInvalidArgument());
}

TEST_F(BatchOfTransactionTest, MergesAreResolved) {
  ASSERT_TRUE(db_->Put(WriteOptions(), merges(), "m", "0").ok());
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Merge(merges(), "m", "1").ok());
  ASSERT_TRUE(t->Merge(merges(), "m", "2").ok());
  std::string value;
  ASSERT_TRUE(t->Get(ReadOptions(), merges(), "m", &value).ok());
  EXPECT_EQ(value, "0,1,2");
  const std::unique_ptr<Iterator> it(t->GetIterator(ReadOptions(), merges()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "0,1,2");
  ASSERT_TRUE(t->Commit().ok());

  const TxnPtr u = Begin();
  ASSERT_TRUE(u->CollapseKey(ReadOptions(), "m", merges()).ok());
  EXPECT_EQ(u->GetNumPuts(), 1u);
  EXPECT_TRUE(u->CollapseKey(ReadOptions(), "no", merges()).IsNotFound());
  EXPECT_EQ(Locks(), "m:X1 no:X1 ");
}

TEST_F(BatchOfTransactionTest, WhatCannotBeAppliedFailsAlone) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put("a", "1").ok());
  ASSERT_TRUE(t->Merge("m", "1").ok());
  EXPECT_TRUE(t->Commit().IsInvalidArgument());
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  EXPECT_EQ(Get("a"), "-");
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_TRUE(PutOutside("open", "still").ok());

  ASSERT_TRUE(t->Put("a", "1").ok());
  ASSERT_TRUE(t->Put(other(), "o", "1").ok());
  ASSERT_TRUE(db_->DropColumnFamily(other()).ok());
  EXPECT_TRUE(t->Commit().IsInvalidArgument());
  EXPECT_EQ(Get("a"), "-");
  EXPECT_TRUE(PutOutside("open", "still").ok());
  t->GetWriteOptions()->ignore_missing_column_families = true;
  EXPECT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("a"), "1");
}

class StatesTest : public PessimisticFixture {};

TEST_F(StatesTest, Names) {
  TxnPtr t = Begin();
  EXPECT_TRUE(t->SetName("").IsInvalidArgument());
  EXPECT_TRUE(t->SetName(std::string(513, 'n')).IsInvalidArgument());
  const std::string name(512, 'n');
  EXPECT_TRUE(t->SetName(name).ok());
  EXPECT_TRUE(t->SetName("again").IsInvalidArgument());
  EXPECT_EQ(t->GetName(), name);
  EXPECT_EQ(db_->GetTransactionByName(name), t.get());
  const TxnPtr u = Begin();
  EXPECT_TRUE(u->SetName(name).IsInvalidArgument());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_TRUE(u->SetName(name).IsInvalidArgument());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(db_->GetTransactionByName(name), nullptr);
  EXPECT_TRUE(u->SetName(name).ok());
  t = BeginNamed("short");
  t.reset();
  EXPECT_EQ(db_->GetTransactionByName("short"), nullptr);
}

TEST_F(StatesTest, OneOfTwoGetsAName) {
  for (int round = 0; round < 50; ++round) {
    const TxnPtr t = Begin(), u = Begin();
    std::atomic<int> named{0};
    std::thread other_thread([&] { named += t->SetName("n").ok(); });
    named += u->SetName("n").ok();
    other_thread.join();
    EXPECT_EQ(named, 1);
  }
}

TEST_F(StatesTest, OfTwoPhases) {
  const TxnPtr unnamed = Begin();
  EXPECT_TRUE(unnamed->Prepare().IsInvalidArgument());
  EXPECT_EQ(unnamed->GetState(), Transaction::STARTED);

  const TxnPtr t = BeginNamed("x");
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Prepare().ok());
  EXPECT_EQ(t->GetState(), Transaction::PREPARED);
  EXPECT_GT(t->GetLogNumber(), 0u);
  EXPECT_EQ(t->GetId(), 0u);
  EXPECT_TRUE(t->Prepare().IsInvalidArgument());
  EXPECT_TRUE(t->SetName("y").IsInvalidArgument());
  EXPECT_EQ(Get("k"), "-");
  EXPECT_EQ(Get(t.get(), "k"), "1");
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(t->GetState(), Transaction::COMMITTED);
  EXPECT_EQ(t->GetId(), before + 1);
  EXPECT_EQ(Get("k"), "1");
  EXPECT_TRUE(t->Commit().IsInvalidArgument());
  EXPECT_TRUE(t->Prepare().IsInvalidArgument());
  EXPECT_TRUE(t->Rollback().IsInvalidArgument());
}

TEST_F(StatesTest, RollbackOfWhatIsPreparedEndsIt) {
  const TxnPtr t = BeginNamed("x");
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  EXPECT_EQ(t->GetName(), "x");
  ASSERT_TRUE(t->Put("k", "2").ok());
  ASSERT_TRUE(t->Prepare().ok());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(t->GetState(), Transaction::ROLLEDBACK);
  EXPECT_TRUE(t->Commit().IsInvalidArgument());
  EXPECT_TRUE(t->Prepare().IsInvalidArgument());
  EXPECT_TRUE(t->Rollback().IsInvalidArgument());
  EXPECT_EQ(Get("k"), "-");
  EXPECT_EQ(Locks(), "");
}

TEST_F(StatesTest, PrepareMayBeAskedFor) {
  TransactionOptions options = txn_options_;
  options.skip_prepare = false;
  const TxnPtr t = Begin(options);
  ASSERT_TRUE(t->SetName("x").ok());
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_TRUE(t->Commit().IsTxnNotPrepared());
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  ASSERT_TRUE(t->Prepare().ok());
  EXPECT_TRUE(t->Commit().ok());
}

TEST_F(StatesTest, EmptyOnesTakeNoSequences) {
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  EXPECT_TRUE(Begin()->Commit().ok());
  const TxnPtr t = BeginNamed("x");
  EXPECT_TRUE(t->Prepare().ok());
  EXPECT_TRUE(t->Commit().ok());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before);
}

TEST_F(StatesTest, CommitTimeBatches) {
  TxnPtr t = Begin();
  ASSERT_TRUE(t->GetCommitTimeWriteBatch()->Put("k", "1").ok());
  ASSERT_TRUE(t->Put("a", "1").ok());
  EXPECT_TRUE(t->Commit().IsInvalidArgument());
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  t->GetCommitTimeWriteBatch()->Clear();
  EXPECT_TRUE(t->Commit().ok());

  t = BeginNamed("x");
  ASSERT_TRUE(t->GetCommitTimeWriteBatch()->Put("k", "1").ok());
  ASSERT_TRUE(t->Put("k", "2").ok());
  ASSERT_TRUE(t->Prepare().ok());
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k"), "2");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before + 2);
}

TEST_F(StatesTest, ReadersSeeAllOrNothing) {
  std::atomic<bool> is_writing{true};
  std::thread reader([&] {
    while (is_writing) {
      ReadOptions ro;
      const ManagedSnapshot now(db_.get());
      ro.snapshot = const_cast<ManagedSnapshot&>(now).snapshot();
      std::string a, b;
      const bool has_a = db_->Get(ro, "a", &a).ok();
      const bool has_b = db_->Get(ro, "b", &b).ok();
      EXPECT_EQ(has_a, has_b);
      EXPECT_EQ(a, b);
    }
  });
  for (int i = 0; i < 300; ++i) {
    const TxnPtr t = BeginNamed("t" + std::to_string(i));
    ASSERT_TRUE(t->Put("a", std::to_string(i)).ok());
    ASSERT_TRUE(t->Put("b", std::to_string(i)).ok());
    if (i % 2 == 0) {
      ASSERT_TRUE(t->Prepare().ok());
    }
    ASSERT_TRUE(t->Commit().ok());
  }
  is_writing = false;
  reader.join();
}

class ExpirationTest : public PessimisticFixture {
 protected:
  TransactionOptions Expiring(int64_t millis) {
    TransactionOptions options = txn_options_;
    options.expiration = millis;
    return options;
  }
};

TEST_F(ExpirationTest, WhatHasExpiredCannotCommit) {
  const TxnPtr t = Begin(Expiring(0));
  EXPECT_TRUE(t->Put("k", "1").ok());
  EXPECT_EQ(Get(t.get(), "k"), "1");
  EXPECT_TRUE(t->Commit().IsExpired());
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  EXPECT_TRUE(t->Rollback().ok());
  ASSERT_TRUE(t->SetName("x").ok());
  EXPECT_TRUE(t->Prepare().IsExpired());
  EXPECT_EQ(db_->GetTransactionByName("x"), t.get());
}

TEST_F(ExpirationTest, OthersTakeTheLocks) {
  const TxnPtr t = Begin(Expiring(0)), u = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_TRUE(u->Put("k", "2").ok());
  EXPECT_EQ(t->GetState(), Transaction::LOCKS_STOLEN);
  EXPECT_TRUE(t->Commit().IsExpired());
  EXPECT_TRUE(t->Rollback().IsInvalidArgument());
  EXPECT_TRUE(u->Commit().ok());
  EXPECT_EQ(Get("k"), "2");
}

TEST_F(ExpirationTest, AWaiterGetsThemInTime) {
  TransactionOptions patient;
  patient.lock_timeout = 100000;
  const TxnPtr t = Begin(Expiring(50)), u = Begin(patient);
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_TRUE(u->Put("k", "2").ok());
  EXPECT_EQ(t->GetState(), Transaction::LOCKS_STOLEN);
}

// Who waits does so for as long as it wants to, past the time of who has the
// lock.
TEST_F(ExpirationTest, WhatIsPreparedNeverExpires) {
  TxnPtr t;
  int64_t lifetime = 50;
  for (Status s = Status::Expired(); s.IsExpired(); lifetime *= 2) {
    t = Begin(Expiring(lifetime));
    ASSERT_TRUE(t->SetName("x").ok());
    ASSERT_TRUE(t->Put("k", "1").ok());
    s = t->Prepare();
    ASSERT_TRUE(s.ok() || s.IsExpired()) << s.ToString();
  }
  const auto longer = std::chrono::milliseconds(2 * lifetime);
  const TxnPtr u = Begin();
  u->SetLockTimeout(longer.count());
  const auto before = std::chrono::steady_clock::now();
  EXPECT_TRUE(IsLockTimeout(u->Put("k", "2")));
  EXPECT_GE(std::chrono::steady_clock::now() - before, longer);
  EXPECT_EQ(t->GetState(), Transaction::PREPARED);
  EXPECT_TRUE(t->Commit().ok());
}

class OutsideWritesTest : public PessimisticFixture {};

TEST_F(OutsideWritesTest, BatchesLockAllOrNothing) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put(merges(), "m", "held").ok());
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(batch.Merge(merges(), "m", "1").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsTimedOut());
  EXPECT_EQ(Get("a"), "-");
  EXPECT_EQ(Locks(), "m:X1 ");
  batch.Clear();
  ASSERT_TRUE(batch.SingleDelete(merges(), "m").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsTimedOut());
  batch.Clear();
  ASSERT_TRUE(batch.SingleDelete(other(), "m").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).ok());
  TransactionDBWriteOptimizations vouches;
  vouches.skip_concurrency_control = true;
  batch.Clear();
  ASSERT_TRUE(batch.Put(merges(), "m", "past").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), vouches, &batch).ok());
  EXPECT_TRUE(db_->GetBaseDB()->Put(WriteOptions(), merges(), "m", "1").ok());
}

TEST_F(OutsideWritesTest, RangesCannotBeLocked) {
  EXPECT_TRUE(
      db_->DeleteRange(WriteOptions(), handles_[0], "a", "b").IsNotSupported());
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange("a", "b").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsInvalidArgument());
  TransactionDBWriteOptimizations vouches;
  vouches.skip_concurrency_control = true;
  EXPECT_TRUE(db_->Write(WriteOptions(), vouches, &batch).ok());
  batch.Clear();
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).ok()) << "an empty one";
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), "k", AttributeGroups())
                  .IsInvalidArgument());
  EXPECT_TRUE(
      db_->PutEntity(WriteOptions(), "k",
                     AttributeGroups{AttributeGroup(handles_[0], {{"c", "1"}})})
          .IsNotSupported());
}

TEST_F(OutsideWritesTest, TwoThatCrossNeverWaitForEachOther) {
  constexpr int kKeysOfBatch = 100;
  // Only a circle takes as long.
  txn_db_options_.default_lock_timeout = 60'000;
  Reopen();
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 300; ++i) {
        WriteBatch batch;
        for (int k = 0; k < kKeysOfBatch; ++k) {
          const int key = t == 0 ? k : kKeysOfBatch - 1 - k;
          ASSERT_TRUE(batch.Put(std::to_string(key), "1").ok());
        }
        const Status s = db_->Write(WriteOptions(), &batch);
        ASSERT_TRUE(s.ok()) << s.ToString();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Locks(), "");
}

class TransactionIteratorTest : public PessimisticFixture {
 protected:
  static std::string Keys(Iterator* it) {
    std::string keys;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      keys += it->key().ToString();
    }
    keys += "|";
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      keys += it->key().ToString();
    }
    return keys;
  }
};

TEST_F(TransactionIteratorTest, BoundsHoldForBothParts) {
  for (const char* key : {"a", "c", "e"})
    ASSERT_TRUE(PutOutside(key, "1").ok());
  const TxnPtr t = Begin();
  for (const char* key : {"b", "d", "f"}) ASSERT_TRUE(t->Put(key, "1").ok());
  ASSERT_TRUE(t->Delete("c").ok());
  const Slice lower("b"), upper("e");
  ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> it(t->GetIterator(options));
  EXPECT_EQ(Keys(it.get()), "bd|db");
  it->Seek("a");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
  it->SeekForPrev("z");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "d");
}

TEST_F(TransactionIteratorTest, FamiliesTogether) {
  ASSERT_TRUE(PutOutside("a", "1").ok());
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put(other(), "b", "2").ok());
  const std::unique_ptr<Iterator> both =
      t->GetCoalescingIterator(ReadOptions(), {handles_[0], other()});
  EXPECT_EQ(Keys(both.get()), "ab|ba");
  const auto groups =
      t->GetAttributeGroupIterator(ReadOptions(), {handles_[0], other()});
  groups->SeekToFirst();
  EXPECT_TRUE(groups->Valid());
  const std::unique_ptr<Iterator> none =
      t->GetCoalescingIterator(ReadOptions(), {});
  EXPECT_TRUE(none->status().IsInvalidArgument());
}

TEST_F(TransactionIteratorTest, NewFamiliesCanBeLocked) {
  // Locks() holds the mutexes of all stripes at once, and ThreadSanitizer can
  // follow no more than 64 of one thread.
  txn_db_options_.num_stripes = 8;
  Reopen();
  ColumnFamilyHandle* made = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options_, "made", &made).ok());
  handles_.push_back(made);
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put(made, "k", "1").ok());
  EXPECT_EQ(Locks(), "k:X1 ");
  EXPECT_TRUE(t->Commit().ok());
}

TEST(TransactionDBOpenTest, RefusesWhatIsNotBuilt) {
  TempDir dir("txndb");
  Options options;
  options.create_if_missing = true;
  TransactionDB* db = nullptr;
  const auto open = [&](const TransactionDBOptions& txn_db_options) {
    return TransactionDB::Open(options, txn_db_options, dir.path() + "/db",
                               &db);
  };
  options.unordered_write = true;
  for (const TxnDBWritePolicy policy :
       {WRITE_COMMITTED, WRITE_PREPARED, WRITE_UNPREPARED}) {
    TransactionDBOptions with_policy;
    with_policy.write_policy = policy;
    EXPECT_TRUE(open(with_policy).IsNotSupported());
  }
  options.unordered_write = false;
  options.inplace_update_support = true;
  EXPECT_TRUE(open({}).IsInvalidArgument());
  options.inplace_update_support = false;
  EXPECT_EQ(db, nullptr);
  ASSERT_TRUE(open({}).ok());
  const std::unique_ptr<TransactionDB> owned(db);
  EXPECT_TRUE(db->GetDBOptions().allow_2pc);
  EXPECT_FALSE(db->GetOptions().disable_auto_compactions);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
