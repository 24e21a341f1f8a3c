// Transactions of the policies write-prepared and write-unprepared show nothing
// before they are committed, roll back to what there was, survive crashes, and
// read RocksDB's logs and tables.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WritePoliciesFixture : public PessimisticFixture {
 protected:
  void FlushAndCompact() {
    for (ColumnFamilyHandle* family : handles_) {
      ASSERT_TRUE(db_->Flush(FlushOptions(), family).ok());
      ASSERT_TRUE(
          db_->CompactRange(CompactRangeOptions(), family, nullptr, nullptr)
              .ok());
    }
  }
  // By a SingleDelete() outside of transactions, flushed.
  void RemoveOnce(const std::string& key) {
    WriteBatch removal;
    ASSERT_TRUE(removal.SingleDelete(key).ok());
    ASSERT_TRUE(db_->Write(WriteOptions(), &removal).ok());
    FlushAndCompact();
  }
  std::vector<Transaction*> Prepared() {
    std::vector<Transaction*> all;
    db_->GetAllPreparedTransactions(&all);
    return all;
  }
  std::string GetAt(const Snapshot* snapshot, const std::string& key) {
    ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    return Text(db_->Get(options, key, &value), value);
  }
  // The whole family, "key=value " in order.
  std::string All(ColumnFamilyHandle* family = nullptr) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(
        ReadOptions(), family != nullptr ? family : handles_[0]));
    std::string all;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      all += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    EXPECT_TRUE(it->status().ok());
    return all;
  }
  // Opens a database that has this log of RocksDB's.
  Status OpenWithLog(const std::string& name) {
    Close();
    std::filesystem::remove_all(path());
    Open();
    Close();
    std::filesystem::copy_file(std::filesystem::path(BASALT_SOURCE_DIR) /
                                   "tests/testdata/wal" /
                                   (name + ".000004.log"),
                               path() + "/000900.log");
    return TryOpen();
  }
};

class WritePoliciesTest
    : public WritePoliciesFixture,
      public ::testing::WithParamInterface<TxnDBWritePolicy> {
 protected:
  WritePoliciesTest() { txn_db_options_.write_policy = GetParam(); }
};

TEST_P(WritePoliciesTest, NothingShowsBeforeItIsCommitted) {
  ASSERT_TRUE(PutOutside("k", "old").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), merges(), "m", "0").ok());
  const TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Put("k", "2").ok());
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(t->Prepare().ok());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before + 2);
  EXPECT_EQ(t->GetId(), before + 1);
  ManagedSnapshot between(db_.get());
  const TxnPtr u = BeginNamed("u");
  ASSERT_TRUE(u->Merge(merges(), "m", "1").ok());
  ASSERT_TRUE(u->PutEntity(other(), "e", {{"c", "1"}}).ok());
  ASSERT_TRUE(u->Prepare().ok());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Get("k"), "old");
    EXPECT_EQ(Get(t.get(), "k"), "2");
    EXPECT_EQ(All(), "k=old ");
    EXPECT_EQ(All(merges()), "m=0 ");
    PinnableWideColumns columns;
    EXPECT_TRUE(
        db_->GetEntity(ReadOptions(), other(), "e", &columns).IsNotFound());
    FlushAndCompact();
  }
  const SequenceNumber prepared = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k"), "2");
  EXPECT_GT(db_->GetLatestSequenceNumber(), prepared);
  EXPECT_EQ(GetAt(between.snapshot(), "k"), "old");
  FlushAndCompact();
  EXPECT_EQ(GetAt(between.snapshot(), "k"), "old");
  ASSERT_TRUE(u->Commit().ok());
  EXPECT_EQ(All(merges()), "m=0,1 ");
}

// A SingleDelete() takes away the one value below it. What follows is flushed
// together, without the first value, which must not come back then.
TEST_P(WritePoliciesTest, ARollbackLeavesOneValueOfEachKey) {
  for (const bool is_killed : {false, true}) {
    ASSERT_TRUE(PutOutside("k", "1").ok());
    FlushAndCompact();
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->SingleDelete("k").ok());
      ASSERT_TRUE(t->Put("new", "1").ok());
      ASSERT_TRUE(t->Prepare().ok());
      ASSERT_TRUE(t->Rollback().ok());
    }
    const SequenceNumber last = db_->GetLatestSequenceNumber();
    if (is_killed) Kill();
    EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
    EXPECT_EQ(All(), "k=1 ");
    RemoveOnce("k");
    EXPECT_EQ(All(), "") << is_killed;
  }
}

TEST_P(WritePoliciesTest, ACommitKeepsSingleDeletions) {
  for (const bool is_killed : {false, true}) {
    ASSERT_TRUE(PutOutside("k", "1").ok());
    FlushAndCompact();
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->SingleDelete("k").ok());
      ASSERT_TRUE(t->Put("k", "2").ok());
      ASSERT_TRUE(t->Prepare().ok());
      ASSERT_TRUE(t->Commit().ok());
    }
    const SequenceNumber last = db_->GetLatestSequenceNumber();
    if (is_killed) Kill();
    EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
    EXPECT_EQ(All(), "k=2 ");
    RemoveOnce("k");
    EXPECT_EQ(All(), "") << is_killed;
  }
}

// RocksDB takes one sequence for a commit.
TEST_P(WritePoliciesTest, ACommitTakesNoMoreThanItNeeds) {
  TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->Put("k", "1").ok());
  ASSERT_TRUE(t->Delete("k").ok());
  ASSERT_TRUE(t->Put("k", "2").ok());
  ASSERT_TRUE(t->Prepare().ok());
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before + 1);
  // Operands are all needed.
  TxnPtr u = BeginNamed("u");
  ASSERT_TRUE(u->Put(merges(), "m", "0").ok());
  ASSERT_TRUE(u->Merge(merges(), "m", "1").ok());
  ASSERT_TRUE(u->Merge(merges(), "m", "2").ok());
  ASSERT_TRUE(u->Prepare().ok());
  ASSERT_TRUE(u->Commit().ok());
  EXPECT_EQ(All(merges()), "m=0,1,2 ");
  t.reset();
  u.reset();
  Kill();
  EXPECT_EQ(All(merges()), "m=0,1,2 ");
  EXPECT_EQ(Get("k"), "2");
}

TEST_P(WritePoliciesTest, ARollbackLeavesWhatWasThere) {
  for (const bool single : {false, true}) {
    SCOPED_TRACE(single);
    Close();
    std::vector<std::string> asked;
    txn_db_options_.rollback_deletion_type_callback =
        [&](TransactionDB*, ColumnFamilyHandle* family, const Slice& key) {
          asked.push_back(family->GetName() + ":" + key.ToString());
          return single;
        };
    Open();
    ASSERT_TRUE(PutOutside("k", "old").ok());
    ASSERT_TRUE(
        db_->PutEntity(WriteOptions(), other(), "e", {{"c", "0"}}).ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), merges(), "m", "0").ok());
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->Put("k", "new").ok());
      ASSERT_TRUE(t->Put("fresh", "new").ok());
      ASSERT_TRUE(t->PutEntity(other(), "e", {{"c", "1"}}).ok());
      ASSERT_TRUE(t->Merge(merges(), "m", "1").ok());
      ASSERT_TRUE(t->Prepare().ok());
      ASSERT_TRUE(t->Rollback().ok());
      EXPECT_EQ(t->GetState(), Transaction::ROLLEDBACK);
    }
    EXPECT_EQ(asked, std::vector<std::string>{"default:fresh"});
    for (int session = 0; session < 2; ++session) {
      EXPECT_EQ(All(), "k=old ");
      EXPECT_EQ(All(merges()), "m=0 ");
      PinnableWideColumns columns;
      ASSERT_TRUE(db_->GetEntity(ReadOptions(), other(), "e", &columns).ok());
      EXPECT_EQ(columns.columns(), (WideColumns{{"c", "0"}}));
      Kill();
    }
    EXPECT_TRUE(Prepared().empty());
    txn_db_options_.rollback_deletion_type_callback = nullptr;
    Reopen();
  }
}

// Its locks are not there after recovery. What others write is not undone.
TEST_P(WritePoliciesTest, ARecoveredOneDoesNotUndoWhatOthersWrote) {
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
  }
  Kill();
  ASSERT_EQ(Prepared().size(), 1u);
  ASSERT_TRUE(PutOutside("k", "others").ok());
  const TxnPtr t(Prepared()[0]);
  EXPECT_GT(t->GetId(), 0u);
  ASSERT_TRUE(t->Rollback().ok());
  EXPECT_EQ(Get("k"), "others");
}

TEST_P(WritePoliciesTest, TheCommitTimeBatchNeedsItsOption) {
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->GetCommitTimeWriteBatch()->Put("at", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    EXPECT_TRUE(t->Commit().IsInvalidArgument());
    EXPECT_EQ(t->GetState(), Transaction::PREPARED);
    t->GetCommitTimeWriteBatch()->Clear();
    EXPECT_TRUE(t->Commit().ok());
  }
  txn_options_.use_only_the_last_commit_time_batch_for_recovery = true;
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "2").ok());
    ASSERT_TRUE(t->GetCommitTimeWriteBatch()->Put("at", "2").ok());
    ASSERT_TRUE(t->Prepare().ok());
    ASSERT_TRUE(t->Commit().ok());
  }
  Kill();
  EXPECT_EQ(Get("at"), "2");
  EXPECT_EQ(Get("k"), "2");
}

TEST_P(WritePoliciesTest, WhatTheyDoNotHaveIsRefused) {
  std::unique_ptr<TransactionLogIterator> log;
  EXPECT_TRUE(db_->GetUpdatesSince(0, &log).IsNotSupported());
  EXPECT_TRUE(db_->CreateTimestampedSnapshot(5).first.IsNotSupported());
  TxnPtr t = BeginNamed("t");
  EXPECT_TRUE(t->SetCommitTimestamp(5).IsNotSupported());
  EXPECT_TRUE(t->SetReadTimestampForValidation(5).IsNotSupported());
  std::shared_ptr<const Snapshot> snapshot;
  EXPECT_TRUE(
      t->CommitAndTryCreateSnapshot(nullptr, kMaxTxnTimestamp, &snapshot)
          .IsInvalidArgument());
  EXPECT_TRUE(
      t->CommitAndTryCreateSnapshot(nullptr, 5, &snapshot).IsNotSupported());
  ColumnFamilyHandle* made = nullptr;
  ColumnFamilyOptions stamped;
  stamped.comparator = BytewiseComparatorWithU64Ts();
  EXPECT_TRUE(
      db_->CreateColumnFamily(stamped, "stamped", &made).IsNotSupported());
  t.reset();
  Close();
  options_.enable_pipelined_write = true;
  Open();
  EXPECT_TRUE(PutOutside("k", "1").IsNotSupported());
  const TxnPtr u = BeginNamed("u");
  ASSERT_TRUE(u->Put("k", "1").ok());
  EXPECT_TRUE(u->Prepare().IsNotSupported());
  EXPECT_EQ(u->GetState(), Transaction::STARTED);
}

// What one policy has prepared no other takes. What is committed and flushed,
// all do.
TEST_P(WritePoliciesTest, LogsOfOtherPolicies) {
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
  }
  Close();
  txn_db_options_.write_policy = WRITE_COMMITTED;
  EXPECT_TRUE(TryOpen().IsNotSupported());
  {
    std::unique_ptr<DB> plain;
    Options plain_options = options_;
    for (const bool two_phases : {false, true}) {
      plain_options.allow_2pc = two_phases;
      std::vector<ColumnFamilyHandle*> handles;
      ColumnFamilyOptions merges = options_;
      merges.merge_operator = std::make_shared<CommaAppend>();
      EXPECT_TRUE(DB::Open(DBOptions(plain_options), path(),
                           {{kDefaultColumnFamilyName, options_},
                            {"merges", merges},
                            {"other", options_}},
                           &handles, &plain)
                      .IsNotSupported());
    }
  }
  txn_db_options_.write_policy = GetParam();
  Open();
  ASSERT_EQ(Prepared().size(), 1u);
  ASSERT_TRUE(TxnPtr(Prepared()[0])->Commit().ok());
  for (const TxnDBWritePolicy policy :
       {WRITE_COMMITTED, WRITE_PREPARED, WRITE_UNPREPARED}) {
    ASSERT_TRUE(PutOutside("p", std::to_string(policy)).ok());
    // Not flushed: what is written outside of two phases is as anybody's.
    if (policy == WRITE_COMMITTED) FlushAndCompact();
    Close();
    txn_db_options_.write_policy = policy;
    Open();
    EXPECT_EQ(Get("k"), "1");
    EXPECT_EQ(Get("p"), std::to_string(policy));
  }
}

TEST_P(WritePoliciesTest, RangesThatAreDeletedNeedBothPromises) {
  ASSERT_TRUE(PutOutside("k", "1").ok());
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange("a", "z").ok());
  TransactionDBWriteOptimizations promises;
  EXPECT_FALSE(db_->Write(WriteOptions(), promises, &batch).ok());
  promises.skip_concurrency_control = true;
  EXPECT_FALSE(db_->Write(WriteOptions(), promises, &batch).ok());
  promises.skip_duplicate_key_check = true;
  EXPECT_TRUE(db_->Write(WriteOptions(), promises, &batch).ok());
  EXPECT_EQ(Get("k"), "-");
}

// Logs that RocksDB left: xid1 commits a and b, xid2 rolls c back, d is written
// twice in one batch.
TEST_P(WritePoliciesTest, LogsOfTheFieldsOwnEngine) {
  const std::string policy =
      GetParam() == WRITE_PREPARED ? "prepared" : "unprepared";
  for (const std::string release : {"r119", "r783"}) {
    SCOPED_TRACE(release);
    const Status s = OpenWithLog(release + "_txn_write_" + policy);
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (int session = 0; session < 2; ++session) {
      EXPECT_EQ(Get("plain"), "v");
      EXPECT_EQ(Get("a"), "1");
      EXPECT_EQ(Get("b"), "2");
      EXPECT_EQ(Get("c"), "-");
      EXPECT_EQ(Get("d"), "5");
      EXPECT_TRUE(Prepared().empty());
      Kill();
    }
  }
}

// A database that RocksDB 7.8.3 was killed in. "pend" is prepared: k0 twice,
// knew, and o0 of the other family, of which the default family's were flushed.
// By write-unprepared there are also k1 and u1 of one that was not prepared,
// flushed as well. RocksDB shows these as long as "pend" is prepared.
TEST_P(WritePoliciesTest, TablesOfTheFieldsOwnEngine) {
  const std::string kept =
      "after=1 d=2 e=3 k0=old k1=old last=1 one=1 q0=done two=2 ";
  const std::string committed =
      "after=1 d=2 e=3 k0=pend2 k1=old knew=pend last=1 one=1 q0=done two=2 ";
  for (const bool commits : {false, true}) {
    SCOPED_TRACE(commits);
    Close();
    std::filesystem::remove_all(path());
    std::filesystem::copy(
        std::filesystem::path(BASALT_SOURCE_DIR) /
            "tests/testdata/write_policies" /
            (GetParam() == WRITE_PREPARED ? "prepared" : "unprepared"),
        path());
    const Status s = TryOpen();
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (int session = 0; session < 3; ++session) {
      EXPECT_EQ(All(), kept) << session;
      EXPECT_EQ(All(other()), "f=4 o0=old q1=done ");
      ASSERT_EQ(Prepared().size(), 1u);
      EXPECT_EQ(Prepared()[0]->GetName(), "pend");
      if (session > 0) FlushAndCompact();
      EXPECT_EQ(All(), kept);
      Kill();
    }
    {
      const TxnPtr pend(Prepared()[0]);
      ASSERT_TRUE((commits ? pend->Commit() : pend->Rollback()).ok());
    }
    for (int session = 0; session < 2; ++session) {
      EXPECT_EQ(All(), commits ? committed : kept);
      EXPECT_EQ(All(other()),
                commits ? "f=4 o0=pend q1=done " : "f=4 o0=old q1=done ");
      EXPECT_TRUE(Prepared().empty());
      Kill();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, WritePoliciesTest,
                         ::testing::Values(WRITE_PREPARED, WRITE_UNPREPARED),
                         [](const auto& info) {
                           return std::string(info.param == WRITE_PREPARED
                                                  ? "Prepared"
                                                  : "Unprepared");
                         });

// --- Parts of a transaction in the log before it is prepared

class UnpreparedTest : public WritePoliciesFixture {
 protected:
  UnpreparedTest() {
    txn_db_options_.write_policy = WRITE_UNPREPARED;
    txn_db_options_.default_write_batch_flush_threshold = 1;
  }
};

TEST_F(UnpreparedTest, PartsAreLoggedAndNobodySeesThem) {
  {
    const TxnPtr unnamed = Begin();
    EXPECT_TRUE(unnamed->Put("a", "1").ok());
    EXPECT_TRUE(unnamed->Put("b", "1").IsInvalidArgument());
  }
  TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->Put("a", "1").ok());
  EXPECT_EQ(t->GetLogNumber(), 0u);
  EXPECT_EQ(t->GetId(), 0u);
  ASSERT_TRUE(t->Put("b", "1").ok());
  EXPECT_GT(t->GetLogNumber(), 0u);
  const uint64_t id = t->GetId();
  EXPECT_GT(id, 0u);
  ASSERT_TRUE(t->Put("a", "2").ok());
  EXPECT_EQ(t->GetId(), id);
  EXPECT_EQ(Get(t.get(), "a"), "2");
  EXPECT_EQ(All(), "");
  FlushAndCompact();
  EXPECT_EQ(All(), "");
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(All(), "a=2 b=1 ");
  t.reset();
  Kill();
  EXPECT_EQ(All(), "a=2 b=1 ");
}

// What is logged no longer counts against the limit.
TEST_F(UnpreparedTest, TheLimitIsOfWhatIsNotLogged) {
  txn_options_.max_write_batch_size = 150;
  for (const bool has_parts : {false, true}) {
    txn_options_.write_batch_flush_threshold = has_parts ? 100 : 0;
    const TxnPtr t = BeginNamed("t");
    Status s;
    int count = 0;
    for (; s.ok() && count < 20; ++count) {
      s = t->Put("k" + std::to_string(count), std::string(40, 'v'));
    }
    EXPECT_EQ(s.ok(), has_parts) << s.ToString();
    EXPECT_EQ(s.IsMemoryLimit(), !has_parts) << s.ToString();
    EXPECT_TRUE(t->Put("big", std::string(150, 'v')).IsMemoryLimit());
    EXPECT_EQ(t->GetNumPuts(), has_parts ? 20u : 3u);
    if (!has_parts) continue;
    // With nothing logged it is as it was at first.
    ASSERT_TRUE(t->Rollback().ok());
    EXPECT_TRUE(t->Put("a", std::string(80, 'v')).ok());
    EXPECT_TRUE(t->Put("b", std::string(80, 'v')).IsMemoryLimit());
    ASSERT_TRUE(t->Commit().ok());
    EXPECT_EQ(All(), "a=" + std::string(80, 'v') + " ");
  }
}

TEST_F(UnpreparedTest, ACrashRollsThemBackBesideAPreparedOne) {
  ASSERT_TRUE(PutOutside("a", "0").ok());
  const TxnPtr t = BeginNamed("t"), u = BeginNamed("u");
  ASSERT_TRUE(t->Put("a", "1").ok());
  ASSERT_TRUE(t->Put("b", "1").ok());
  ASSERT_TRUE(t->Put("c", "1").ok());
  ASSERT_TRUE(u->Put("d", "1").ok());
  ASSERT_TRUE(u->Put("e", "1").ok());
  ASSERT_TRUE(u->Prepare().ok());
  // The objects stand for a process that is gone.
  const std::string copy = dir_.path() + "/crashed";
  ASSERT_NO_FATAL_FAILURE(CopyTo(copy));
  ASSERT_TRUE(t->Rollback().ok());
  ASSERT_TRUE(u->Rollback().ok());
  std::vector<ColumnFamilyHandle*> handles;
  TransactionDB* crashed = nullptr;
  ColumnFamilyOptions merges = options_;
  merges.merge_operator = std::make_shared<CommaAppend>();
  ASSERT_TRUE(TransactionDB::Open(options_, txn_db_options_, copy,
                                  {{kDefaultColumnFamilyName, options_},
                                   {"merges", merges},
                                   {"other", options_}},
                                  &handles, &crashed)
                  .ok());
  {
    const std::unique_ptr<TransactionDB> owned(crashed);
    std::vector<Transaction*> prepared;
    crashed->GetAllPreparedTransactions(&prepared);
    ASSERT_EQ(prepared.size(), 1u);
    EXPECT_EQ(prepared[0]->GetName(), "u");
    EXPECT_EQ(prepared[0]->GetNumPuts(), 2u);
    EXPECT_EQ(crashed->GetTransactionByName("t"), nullptr);
    std::string value;
    ASSERT_TRUE(crashed->Get(ReadOptions(), "a", &value).ok());
    EXPECT_EQ(value, "0");
    EXPECT_TRUE(crashed->Get(ReadOptions(), "b", &value).IsNotFound());
    ASSERT_TRUE(TxnPtr(prepared[0])->Commit().ok());
    EXPECT_TRUE(crashed->Get(ReadOptions(), "d", &value).ok());
    EXPECT_TRUE(crashed->Get(ReadOptions(), "e", &value).ok());
    for (ColumnFamilyHandle* handle : handles) {
      const std::unique_ptr<ColumnFamilyHandle> gone(handle);
    }
  }
}

TEST_F(UnpreparedTest, WhatIsRolledBackIsInNoPart) {
  ASSERT_TRUE(PutOutside("a", "0").ok());
  for (const bool prepares : {false, true}) {
    SCOPED_TRACE(prepares);
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->Put("a", "1").ok());
      t->SetSavePoint();
      ASSERT_TRUE(t->Put("a", "2").ok());
      ASSERT_TRUE(t->Put("b", "2").ok());
      ASSERT_TRUE(t->Put("c", "2").ok());
      ASSERT_TRUE(t->RollbackToSavePoint().ok());
      EXPECT_EQ(Get(t.get(), "a"), "1");
      EXPECT_EQ(Get(t.get(), "b"), "-");
      ASSERT_TRUE(t->Put("d", "3").ok());
      if (prepares) {
        ASSERT_TRUE(t->Prepare().ok());
      }
    }
    if (prepares) Kill();
    if (!prepares) {
      EXPECT_EQ(All(), "a=0 ") << "deleting the object is a rollback";
      Kill();
      EXPECT_EQ(All(), "a=0 ");
      EXPECT_TRUE(Prepared().empty());
      continue;
    }
    ASSERT_EQ(Prepared().size(), 1u);
    ASSERT_TRUE(TxnPtr(Prepared()[0])->Commit().ok());
    EXPECT_EQ(All(), "a=1 d=3 ");
    Kill();
    EXPECT_EQ(All(), "a=1 d=3 ");
  }
}

TEST_F(UnpreparedTest, ARolledBackOneIsUsableAgain) {
  {
    const TxnPtr t = BeginNamed("t");
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(t->Put("a", "1").ok());
      ASSERT_TRUE(t->Put("b", "1").ok());
      ASSERT_TRUE(t->Rollback().ok());
      EXPECT_EQ(All(), "");
    }
    ASSERT_TRUE(t->Put("c", "1").ok());
    ASSERT_TRUE(t->Put("d", "1").ok());
    ASSERT_TRUE(t->Commit().ok());
  }
  Kill();
  EXPECT_EQ(All(), "c=1 d=1 ");
}

TEST_F(UnpreparedTest, ThePolicyWritePreparedRefusesParts) {
  const TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->Put("a", "1").ok());
  ASSERT_TRUE(t->Put("b", "1").ok());
  const std::string copy = dir_.path() + "/crashed";
  ASSERT_NO_FATAL_FAILURE(CopyTo(copy));
  TransactionDB* db = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  txn_db_options_.write_policy = WRITE_PREPARED;
  ColumnFamilyOptions merges = options_;
  merges.merge_operator = std::make_shared<CommaAppend>();
  EXPECT_TRUE(TransactionDB::Open(options_, txn_db_options_, copy,
                                  {{kDefaultColumnFamilyName, options_},
                                   {"merges", merges},
                                   {"other", options_}},
                                  &handles, &db)
                  .IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
