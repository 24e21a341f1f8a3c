// Transactions that lock: locks, snapshots, save points, states, expiration.
//
// Most of it stands in testdata/transactions: locks.txt, snapshots.txt,
// savepoints.txt, batches.txt, states.txt and outside.txt, in the language of
// transaction_script.h. Here is what takes threads, time or callbacks.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/composite_env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/testing/set_back_clock.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"
#include "tests/utilities/transactions/transaction_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool IsLockTimeout(const Status& s) {
  return s.IsTimedOut() && s.subcode() == Status::SubCode::kLockTimeout;
}

TEST(LockingTest, ScriptOfLocks) {
  EXPECT_GE(RunTransactionScript("transactions/locks.txt"), 25u)
      << "cases went missing";
}
TEST(SnapshotsOfTransactionsTest, ScriptOfSnapshots) {
  EXPECT_GE(RunTransactionScript("transactions/snapshots.txt"), 13u)
      << "cases went missing";
}
TEST(SavePointsTest, ScriptOfSavePoints) {
  EXPECT_GE(RunTransactionScript("transactions/savepoints.txt"), 13u)
      << "cases went missing";
}
TEST(BatchOfTransactionTest, ScriptOfBatches) {
  EXPECT_GE(RunTransactionScript("transactions/batches.txt"), 17u)
      << "cases went missing";
}
TEST(StatesTest, ScriptOfStates) {
  EXPECT_GE(RunTransactionScript("transactions/states.txt"), 9u)
      << "cases went missing";
}
TEST(OutsideWritesTest, ScriptOfPlainWrites) {
  EXPECT_GE(RunTransactionScript("transactions/outside.txt"), 5u)
      << "cases went missing";
}

class LockWaitsTest : public PessimisticFixture {};

TEST_F(LockWaitsTest, WaitsAreCountedAndTimed) {
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

TEST_F(LockWaitsTest, DeadlocksAreFoundAndReported) {
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

class SnapshotNotesTest : public PessimisticFixture {};

class CountingNotifier final : public TransactionNotifier {
 public:
  void SnapshotCreated(const Snapshot* snapshot) override {
    EXPECT_NE(snapshot, nullptr);
    ++count;
  }
  int count = 0;
};

TEST_F(SnapshotNotesTest, TheNextOperationTakesOne) {
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

TEST_F(SnapshotNotesTest, APendingOneIsTakenAfterTheLock) {
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

TEST_F(SnapshotNotesTest, TheyOutliveTheTransactionsEnd) {
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

class NamedStatesTest : public PessimisticFixture {};

TEST_F(NamedStatesTest, OneOfTwoGetsAName) {
  for (int round = 0; round < 50; ++round) {
    const TxnPtr t = Begin(), u = Begin();
    std::atomic<int> named{0};
    std::thread other_thread([&] { named += t->SetName("n").ok(); });
    named += u->SetName("n").ok();
    other_thread.join();
    EXPECT_EQ(named, 1);
  }
}

TEST_F(NamedStatesTest, NamesHaveALimit) {
  TxnPtr t = Begin();
  EXPECT_TRUE(t->SetName(std::string(513, 'n')).IsInvalidArgument());
  const std::string name(512, 'n');
  EXPECT_TRUE(t->SetName(name).ok());
  EXPECT_EQ(t->GetName(), name);
  EXPECT_EQ(db_->GetTransactionByName(name), t.get());
}

TEST_F(NamedStatesTest, ACommitHasItsSequence) {
  const TxnPtr t = BeginNamed("x");
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Prepare().ok());
  EXPECT_EQ(t->GetId(), 0u);
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(t->GetId(), before + 1);
}

TEST_F(NamedStatesTest, ReadersSeeAllOrNothing) {
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

TEST_F(ExpirationTest, AWaiterGetsThemInTime) {
  TransactionOptions patient;
  patient.lock_timeout = 100000;
  const TxnPtr t = Begin(Expiring(50)), u = Begin(patient);
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_TRUE(u->Put("k", "2").ok());
  EXPECT_EQ(t->GetState(), Transaction::LOCKS_STOLEN);
}

// A waiter waits for its own lock timeout, past the expiration of the prepared
// transaction that has the lock.
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

TEST_F(ExpirationTest, TheLongestTimeIsNever) {
  const TxnPtr t = Begin(Expiring(std::numeric_limits<int64_t>::max()));
  ASSERT_TRUE(t->Put("k", "1").ok());
  const Status s = t->Commit();
  EXPECT_TRUE(s.ok()) << s.ToString();
}

// With a clock that stands still until the test moves it.
class ClockedTest : public ExpirationTest {
 protected:
  ClockedTest() { options_.env = &env_; }

  const std::shared_ptr<SetBackClock> clock_ = std::make_shared<SetBackClock>();
  CompositeEnvWrapper env_{Env::Default(), FileSystem::Default(), clock_};
};

TEST_F(ClockedTest, WhatIsPreparedAnswersAsSuch) {
  const TxnPtr t = Begin(Expiring(10));
  ASSERT_TRUE(t->SetName("t").ok());
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Prepare().ok());
  clock_->Advance(20'000);
  EXPECT_TRUE(t->Prepare().IsInvalidArgument());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_TRUE(t->Prepare().IsInvalidArgument());
}

// Its share would help nobody while another one keeps its own.
TEST_F(ClockedTest, NobodyIsRobbedBesideAPreparedOne) {
  const TxnPtr t = Begin(Expiring(10)), p = Begin(Expiring(10)), u = Begin();
  std::string* const nothing = nullptr;
  for (const TxnPtr* txn : {&t, &p}) {
    ASSERT_TRUE((*txn)->GetForUpdate(ReadOptions(), "k", nothing, false).ok());
  }
  ASSERT_TRUE(p->SetName("p").ok());
  ASSERT_TRUE(p->Put("l", "1").ok());
  ASSERT_TRUE(p->Prepare().ok());
  clock_->Advance(20'000);
  EXPECT_TRUE(IsLockTimeout(u->Put("k", "2")));
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  EXPECT_EQ(Locks(), "k:S2 l:X1 ");
  ASSERT_TRUE(p->Commit().ok());
  EXPECT_TRUE(u->Put("k", "2").ok());
  EXPECT_EQ(t->GetState(), Transaction::LOCKS_STOLEN);
}

// Locks expire by the clock of the database. A wait for one ends by real time,
// too.
TEST_F(ClockedTest, AWaitForALockEndsThoughTheClockStandsStill) {
  const TxnPtr t = Begin(Expiring(10)), u = Begin();
  ASSERT_TRUE(t->Put("k", "1").ok());
  u->SetLockTimeout(30);
  EXPECT_TRUE(IsLockTimeout(u->Put("k", "2")));
  EXPECT_EQ(t->GetState(), Transaction::STARTED);
  clock_->Advance(20'000);
  EXPECT_TRUE(u->Put("k", "2").ok());
  EXPECT_EQ(t->GetState(), Transaction::LOCKS_STOLEN);
}

TEST_F(ClockedTest, TheTimeOfDayMayBeSetBack) {
  const TxnPtr t = Begin();
  clock_->SetBack(1'000'000);
  clock_->Advance(20'000);
  EXPECT_EQ(t->GetElapsedTime(), 20u);
}

class PlainWritesTest : public PessimisticFixture {};

TEST_F(PlainWritesTest, EntitiesOfGroupsCannotBeLocked) {
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), "k", AttributeGroups())
                  .IsInvalidArgument());
  EXPECT_TRUE(
      db_->PutEntity(WriteOptions(), "k",
                     AttributeGroups{AttributeGroup(handles_[0], {{"c", "1"}})})
          .IsNotSupported());
}

TEST_F(PlainWritesTest, TwoThatCrossNeverWaitForEachOther) {
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

using TransactionIteratorTest = PessimisticFixture;

TEST_F(TransactionIteratorTest, GroupsOfFamilies) {
  ASSERT_TRUE(PutOutside("a", "1").ok());
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put(other(), "b", "2").ok());
  const auto groups =
      t->GetAttributeGroupIterator(ReadOptions(), {handles_[0], other()});
  groups->SeekToFirst();
  EXPECT_TRUE(groups->Valid());
}

TEST_F(TransactionIteratorTest, NoFamilyIsLeftOut) {
  const TxnPtr t = Begin();
  for (const auto& families : std::vector<std::vector<ColumnFamilyHandle*>>{
           {nullptr}, {handles_[0], nullptr}}) {
    EXPECT_TRUE(t->GetCoalescingIterator(ReadOptions(), families)
                    ->status()
                    .IsInvalidArgument());
    EXPECT_TRUE(t->GetAttributeGroupIterator(ReadOptions(), families)
                    ->status()
                    .IsInvalidArgument());
  }
  Status s;
  const Slice key("k");
  t->MultiGetEntity(ReadOptions(), handles_[0], 1, &key, nullptr, &s);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
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

class DroppedFamiliesTest : public PessimisticFixture {};

TEST_F(DroppedFamiliesTest, ThoseBeforeAFailureAreGone) {
  const TxnPtr t = Begin();
  ASSERT_TRUE(t->Put(other(), "k", "1").ok());
  ASSERT_TRUE(t->Put("k", "1").ok());
  EXPECT_FALSE(db_->DropColumnFamilies({other(), handles_[0]}).ok());
  EXPECT_TRUE(t->Put(other(), "l", "1").IsInvalidArgument());
  EXPECT_EQ(Locks(), "k:X1 ");
  EXPECT_TRUE(t->Put("l", "1").ok());
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(Locks(), "");
}

TEST_F(DroppedFamiliesTest, NewOnesNeedAPlaceForTheirHandles) {
  std::vector<ColumnFamilyHandle*>* const nowhere = nullptr;
  EXPECT_TRUE(db_->CreateColumnFamilies(options_, {"new"}, nowhere)
                  .IsInvalidArgument());
  EXPECT_TRUE(db_->CreateColumnFamilies({{"new", options_}}, nowhere)
                  .IsInvalidArgument());
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
