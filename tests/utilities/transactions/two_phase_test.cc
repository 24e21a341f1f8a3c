// Two phases: what is prepared survives, and what ends it is all or nothing.
//
// testdata/transactions/two_phase.txt says it case by case. Here are the logs
// that are held meanwhile, faults, and losses of power.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"
#include "tests/utilities/transactions/transaction_script.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TwoPhaseFixture : public PessimisticFixture {
 protected:
  TwoPhaseFixture() { options_.env = env_.get(); }
  ~TwoPhaseFixture() override { Close(); }

  // The process is gone, and with it what the device does not have.
  void Crash(CrashOptions what = {}) {
    fs_->Deactivate();
    Close();
    const IOStatus s = fs_->CrashAndHeal(what);
    ASSERT_TRUE(s.ok()) << s.ToString();
    Open();
  }
  std::vector<Transaction*> Prepared() {
    std::vector<Transaction*> all;
    db_->GetAllPreparedTransactions(&all);
    return all;
  }
  // Ends one, and deletes it.
  Status Finish(const std::string& name, bool commits) {
    const TxnPtr txn(db_->GetTransactionByName(name));
    if (txn == nullptr) return Status::NotFound(name);
    return commits ? txn->Commit() : txn->Rollback();
  }
  uint64_t MinLog() {
    uint64_t number = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.min-log-number-to-keep", &number));
    return number;
  }
  void Flush(ColumnFamilyHandle* family = nullptr) {
    const Status s =
        db_->Flush(FlushOptions(),
                   family != nullptr ? family : db_->DefaultColumnFamily());
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  // Prepares {key: value}, and forgets the object.
  void Leave(const std::string& name, const std::string& key,
             const std::string& value) {
    const TxnPtr txn = BeginNamed(name);
    ASSERT_TRUE(txn->Put(key, value).ok());
    ASSERT_TRUE(txn->Prepare().ok());
  }
  Status Resume() {
    fs_->Heal();
    return db_->Resume();
  }

  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
};

struct TwoPhaseKind {
  TxnDBWritePolicy policy = WRITE_COMMITTED;
  bool bypasses_memtables = false;
};

// By every policy.
class TwoPhaseTest : public TwoPhaseFixture,
                     public ::testing::WithParamInterface<TwoPhaseKind> {
 protected:
  TwoPhaseTest() {
    txn_db_options_.write_policy = GetParam().policy;
    txn_options_.commit_bypass_memtable = GetParam().bypasses_memtables;
  }
};

// Databases of the one policy that RocksDB has its logs from.
class TwoPhaseLogTest : public TwoPhaseFixture {};

TEST(TwoPhaseScriptTest, EveryCase) {
  EXPECT_GE(RunTransactionScript("transactions/two_phase.txt"), 22u)
      << "cases went missing";
}

// Whoever has the batch may clear it, and its save points with it.
TEST_P(TwoPhaseTest, TheBatchMayBeClearedBehindASavePoint) {
  const TxnPtr t = BeginNamed("t");
  ASSERT_TRUE(t->Put("k", "1").ok());
  t->SetSavePoint();
  t->GetWriteBatch()->Clear();
  ASSERT_TRUE(t->Put("l", "2").ok());
  ASSERT_TRUE(t->Prepare().ok());
  ASSERT_TRUE(t->Commit().ok());
  EXPECT_EQ(Get("k") + Get("l"), "-2");
}

TEST_P(TwoPhaseTest, TheirLogIsHeldUntilTheirEnd) {
  Leave("a", "k", "1");
  Reopen();
  Transaction* const a = db_->GetTransactionByName("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->GetId() == 0, GetParam().policy == WRITE_COMMITTED);
  const uint64_t held = MinLog();
  for (ColumnFamilyHandle* family : handles_) Flush(family);
  EXPECT_EQ(MinLog(), held);
  ASSERT_TRUE(Finish("a", true).ok());
  for (ColumnFamilyHandle* family : handles_) Flush(family);
  EXPECT_GT(MinLog(), held);
}

TEST_P(TwoPhaseTest, FlushesAndNewLogsLeaveThemAlone) {
  Leave("x", "k", "1");
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(PutOutside("more" + std::to_string(i), "1").ok());
    for (ColumnFamilyHandle* family : handles_) Flush(family);
  }
  Kill();
  ASSERT_EQ(Prepared().size(), 1u);
  EXPECT_EQ(Get("k"), "-");
  ASSERT_TRUE(Finish("x", true).ok());
  EXPECT_EQ(Get("k"), "1");
}

// A log with nothing but sections takes no sequences: the log after it must not
// say that updates are lost there. Tables are newer than it, which would be the
// end of the database.
TEST_P(TwoPhaseTest, ALogOfSectionsAloneIsWhole) {
  const auto put_unlogged = [this](const std::string& key) {
    WriteOptions unlogged;
    unlogged.disableWAL = true;
    const Status s = db_->Put(unlogged, key, "1");
    ASSERT_TRUE(s.ok()) << s.ToString();
  };
  ASSERT_TRUE(PutOutside("a", "1").ok());
  Flush();
  put_unlogged("b");
  Leave("x", "k", "1");
  Leave("y", "l", "1");
  Flush();            // The next log is written from here on.
  put_unlogged("e");  // The log's first update is not the next one.
  ASSERT_TRUE(PutOutside("c", "1").ok());
  Flush();
  ASSERT_TRUE(PutOutside("d", "1").ok());
  Kill();
  ASSERT_EQ(Prepared().size(), 2u);
  ASSERT_TRUE(Finish("x", true).ok());
  EXPECT_EQ(Get("k"), "1");
  Kill();
  EXPECT_EQ(Prepared().size(), 1u);
  for (const char* key : {"a", "b", "c", "d", "e", "k"}) {
    EXPECT_EQ(Get(key), "1") << key;
  }
}

// What a commit has put into memory is in the log of the section alone.
TEST_P(TwoPhaseTest, TheLogOfACommittedSectionStaysUntilAFlush) {
  // What is sealed is flushed when that is asked for.
  options_.max_write_buffer_number = 10;
  options_.min_write_buffer_number_to_merge = 5;
  Reopen();
  {
    const TxnPtr x = BeginNamed("x");
    ASSERT_TRUE(x->Put("k", "1").ok());
    ASSERT_TRUE(x->Put(other(), "o", "1").ok());
    ASSERT_TRUE(x->Prepare().ok());
    // The log that is written now is another one.
    ASSERT_TRUE(PutOutside("p", "1").ok());
    Flush();
    ASSERT_TRUE(x->Commit().ok());
  }
  // The section wrote to two families; only other() is flushed.
  ASSERT_TRUE(db_->Put(WriteOptions(), merges(), "m", "1").ok());
  Flush(merges());
  Flush(other());
  Kill();
  EXPECT_EQ(Get("k"), "1");
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), other(), "o", &value).ok());
  const SequenceNumber last = db_->GetLatestSequenceNumber();
  for (ColumnFamilyHandle* family : handles_) Flush(family);
  Kill();
  EXPECT_EQ(Get("k"), "1");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
}

TEST_P(TwoPhaseTest, ACheckpointHasThem) {
  Leave("x", "k", "1");
  Checkpoint* made = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &made).ok());
  const std::unique_ptr<Checkpoint> checkpoint(made);
  const std::string copy = dir_.path() + "/checkpoint";
  const Status s = checkpoint->CreateCheckpoint(copy);
  ASSERT_TRUE(s.ok()) << s.ToString();
  Close();
  std::filesystem::remove_all(path());
  std::filesystem::rename(copy, path());
  Open();
  ASSERT_EQ(Prepared().size(), 1u);
  ASSERT_TRUE(Finish("x", true).ok());
  EXPECT_EQ(Get("k"), "1");
}

// Its log may hold sections, which no plain database opens.
TEST_P(TwoPhaseTest, ACheckpointIsFlushedWhateverTheLimit) {
  {
    const TxnPtr t = BeginNamed("t");
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    ASSERT_TRUE(t->Commit().ok());
  }
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(db_->Put(unlogged, other(), "u", "1").ok());
  Checkpoint* made = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &made).ok());
  const std::unique_ptr<Checkpoint> checkpoint(made);
  const std::string copy = dir_.path() + "/checkpoint";
  Status s = checkpoint->CreateCheckpoint(copy, UINT64_MAX);
  ASSERT_TRUE(s.ok()) << s.ToString();
  std::unique_ptr<DB> plain;
  std::vector<ColumnFamilyHandle*> handles;
  s = DB::OpenForReadOnly(
      options_, copy,
      {{kDefaultColumnFamilyName, options_}, {"other", options_}}, &handles,
      &plain);
  ASSERT_TRUE(s.ok()) << s.ToString();
  std::string value;
  EXPECT_TRUE(plain->Get(ReadOptions(), handles[0], "k", &value).ok());
  EXPECT_TRUE(plain->Get(ReadOptions(), handles[1], "u", &value).ok());
  for (ColumnFamilyHandle* handle : handles) {
    EXPECT_TRUE(plain->DestroyColumnFamilyHandle(handle).ok());
  }
}

TEST_P(TwoPhaseTest, AFailedWriteLeavesThingsAsTheyWere) {
  TxnPtr once = Begin(), twice = BeginNamed("x"), later = BeginNamed("y");
  TxnPtr named = BeginNamed("n"), undone = BeginNamed("u");
  ASSERT_TRUE(named->Put("d", "1").ok());
  ASSERT_TRUE(undone->Put("e", "1").ok());
  ASSERT_TRUE(undone->Prepare().ok());
  ASSERT_TRUE(once->Put("a", "1").ok());
  ASSERT_TRUE(twice->Put("b", "1").ok());
  ASSERT_TRUE(twice->Prepare().ok());
  ASSERT_TRUE(later->Put("c", "1").ok());
  fs_->Deactivate();
  EXPECT_FALSE(once->Commit().ok());
  EXPECT_EQ(once->GetState(), Transaction::STARTED);
  EXPECT_FALSE(twice->Commit().ok());
  EXPECT_EQ(twice->GetState(), Transaction::PREPARED);
  EXPECT_FALSE(twice->Rollback().ok());
  EXPECT_EQ(twice->GetState(), Transaction::PREPARED);
  EXPECT_FALSE(later->Prepare().ok());
  EXPECT_EQ(later->GetState(), Transaction::STARTED);
  EXPECT_FALSE(named->Commit().ok());
  EXPECT_FALSE(undone->Commit().ok());
  EXPECT_EQ(Locks(), "a:X1 b:X1 c:X1 d:X1 e:X1 ");
  // What is not in the log can be rolled back without one.
  EXPECT_TRUE(named->Rollback().ok());
  named.reset();
  const Status s = Resume();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(undone->GetState(), Transaction::PREPARED);
  EXPECT_TRUE(undone->Rollback().ok());
  undone.reset();
  EXPECT_TRUE(once->Commit().ok());
  EXPECT_TRUE(twice->Commit().ok());
  EXPECT_TRUE(later->Prepare().ok());
  EXPECT_TRUE(later->Rollback().ok());
  EXPECT_EQ(Get("a") + Get("b") + Get("c"), "11-");
  EXPECT_EQ(Locks(), "");
  once.reset();
  twice.reset();
  later.reset();
  Kill();
  EXPECT_EQ(Get("a") + Get("b") + Get("c") + Get("d") + Get("e"), "11---");
  EXPECT_TRUE(Prepared().empty());
}

TEST_P(TwoPhaseTest, ResumeKeepsWhatIsPrepared) {
  Leave("x", "k", "1");
  fs_->Deactivate();
  EXPECT_FALSE(PutOutside("a", "1").ok());
  const Status s = Resume();
  ASSERT_TRUE(s.ok()) << s.ToString();
  ASSERT_TRUE(PutOutside("b", "1").ok());
  for (ColumnFamilyHandle* family : handles_) Flush(family);
  Kill();
  ASSERT_EQ(Prepared().size(), 1u);
  ASSERT_TRUE(Finish("x", true).ok());
  EXPECT_EQ(Get("k"), "1");
}

TEST_P(TwoPhaseTest, SyncedPhasesSurviveTheLossOfAllElse) {
  {
    const TxnPtr x = BeginNamed("x"), y = BeginNamed("y");
    x->GetWriteOptions()->sync = true;
    y->GetWriteOptions()->sync = true;
    ASSERT_TRUE(x->Put("k", "1").ok());
    ASSERT_TRUE(y->Put("l", "1").ok());
    ASSERT_TRUE(x->Prepare().ok());
    ASSERT_TRUE(y->Prepare().ok());
    ASSERT_TRUE(x->Commit().ok());
  }
  Crash();
  EXPECT_EQ(Get("k"), "1");
  ASSERT_EQ(Prepared().size(), 1u);
  EXPECT_EQ(Prepared()[0]->GetName(), "y");
}

// A commit is never without its section, and a section never half.
TEST_P(TwoPhaseTest, PowerLossLeavesAllOrNothing) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string n = std::to_string(seed);
    {
      const TxnPtr x = BeginNamed("x" + n);
      for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(
            x->Put(n + "." + std::to_string(i), std::string(500, 'v')).ok());
      }
      ASSERT_TRUE(x->Prepare().ok());
      if (seed % 3 == 0) Flush();
      if (seed % 2 == 0) {
        ASSERT_TRUE(x->Commit().ok());
      } else if (seed % 4 == 1) {
        ASSERT_TRUE(x->Rollback().ok());
      }
    }
    CrashOptions what;
    what.survival_percent = static_cast<int>(seed / 4 % 4) * 33;
    ASSERT_NO_FATAL_FAILURE(Crash(what));
    int found = 0;
    for (int i = 0; i < 20; ++i) {
      found += Get(n + "." + std::to_string(i)) != "-";
    }
    EXPECT_TRUE(found == 0 || (found == 20 && seed % 2 == 0))
        << found << ", seed " << seed;
    for (Transaction* txn : Prepared()) {
      EXPECT_EQ(found, 0);
      EXPECT_EQ(txn->GetNumPuts(), 20u);
      ASSERT_TRUE(Finish(txn->GetName(), true).ok());
      found = 20;
    }
  }
}

// Commits a transaction once a memtable is sealed, before that is flushed.
class CommitsAtFlush final : public EventListener {
 public:
  void OnFlushBegin(DB* /*db*/, const FlushJobInfo& /*info*/) override {
    if (Transaction* const next = std::exchange(txn, nullptr)) {
      status = next->Commit();
    }
  }

  Transaction* txn = nullptr;
  Status status = Status::Incomplete("no flush yet");
};

// By some policies the log has all of it again by then, though the device does
// not.
TEST_P(TwoPhaseTest, ACommitDuringAFlushHoldsTheLogOfItsSection) {
  const auto listener = std::make_shared<CommitsAtFlush>();
  options_.listeners = {listener};
  Reopen();
  ASSERT_TRUE(PutOutside("x", "1").ok());
  {
    const TxnPtr t = BeginNamed("t");
    t->GetWriteOptions()->sync = true;
    ASSERT_TRUE(t->Put("k", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    if (GetParam().policy == WRITE_COMMITTED) {
      ASSERT_TRUE(t->Put("l", "1").ok());
    }
    t->GetWriteOptions()->sync = false;
    listener->txn = t.get();
    Flush();
    ASSERT_TRUE(listener->status.ok()) << listener->status.ToString();
  }
  ASSERT_NO_FATAL_FAILURE(Crash());
  EXPECT_EQ(Get("x"), "1");
  EXPECT_TRUE(Prepared().size() == 1 || Get("k") == "1");
}

// A section takes no sequence. If it goes with the end of its log, which was
// not synced, so does all that was written later, in logs that are there.
TEST_P(TwoPhaseTest, NothingLaterSurvivesALostSection) {
  options_.max_write_buffer_number = 10;  // Nothing is flushed for a while.
  Reopen();
  int later_count = 0, lost_count = 0;
  for (int round = 0; round < 40; ++round) {
    const std::string n = std::to_string(round);
    ASSERT_TRUE(PutOutside("before" + n, "1").ok());
    ASSERT_TRUE(db_->SyncWAL().ok());
    ASSERT_TRUE(db_->PauseBackgroundWork().ok());
    const bool commits = round % 2 == 0;
    {
      const TxnPtr x = BeginNamed("x" + n);
      ASSERT_TRUE(x->Put("k" + n, "1").ok());
      ASSERT_TRUE(x->Prepare().ok());
      FlushOptions begins_log;
      begins_log.wait = false;
      ASSERT_TRUE(db_->Flush(begins_log).ok());
      if (commits) {
        ASSERT_TRUE(x->Commit().ok());
      }
    }
    ASSERT_TRUE(PutOutside("later" + n, "1").ok());
    ASSERT_NO_FATAL_FAILURE(Crash({.survival_percent = 60}));
    EXPECT_EQ(Get("before" + n), "1");
    const bool has_later = Get("later" + n) == "1";
    bool is_prepared = false;
    for (Transaction* txn : Prepared()) {
      is_prepared = txn->GetName() == "x" + n;
      ASSERT_TRUE(Finish(txn->GetName(), true).ok());
    }
    later_count += has_later;
    lost_count += !is_prepared && Get("k" + n) == "-";
    if (!has_later) continue;
    EXPECT_EQ(is_prepared, !commits) << round;
    EXPECT_EQ(Get("k" + n), "1") << round;
  }
  EXPECT_GT(later_count, 0);
  EXPECT_GT(lost_count, 0);
}

// Whatever call fails, the transaction can be ended afterwards, and is all
// there or not at all.
TEST_P(TwoPhaseTest, NoFailingCallLosesOrHalvesIt) {
  for (const bool commits : {true, false}) {
    bool struck = true;
    for (uint64_t k = 1; struck || k < 3; ++k) {
      SCOPED_TRACE((commits ? "commit, call " : "rollback, call ") +
                   std::to_string(k));
      Close();
      std::filesystem::remove_all(path());
      ASSERT_NO_FATAL_FAILURE(Open());
      Fault fault;
      fault.call = k;
      fs_->FailCall(fault);
      bool is_prepared = false, has_ended = false;
      {
        const TxnPtr x = BeginNamed("x");
        x->GetWriteOptions()->sync = true;
        ASSERT_TRUE(x->Put("a", "1").ok());
        ASSERT_TRUE(x->Put(other(), "b", "1").ok());
        const auto end = [&] { return commits ? x->Commit() : x->Rollback(); };
        Status s = x->Prepare();
        is_prepared = s.ok();
        IgnoreError(db_->Flush(FlushOptions()), "the fault may have struck it");
        if (s.ok()) s = end();
        struck = fs_->failed();
        fs_->ClearFault();
        if (!s.ok()) {
          EXPECT_TRUE(struck) << s.ToString();
          if (db_->Resume().ok()) {
            s = end();
            EXPECT_TRUE(s.ok()) << s.ToString();
          }
        }
        has_ended = s.ok();
      }
      ASSERT_NO_FATAL_FAILURE(Reopen());
      EXPECT_FALSE(has_ended && !Prepared().empty());
      for (Transaction* txn : Prepared()) {
        ASSERT_TRUE(Finish(txn->GetName(), commits).ok());
      }
      std::string value;
      const bool has_b = db_->Get(ReadOptions(), other(), "b", &value).ok();
      EXPECT_EQ(Get("a") == "1", has_b);
      if (has_ended || is_prepared) {
        EXPECT_EQ(has_b, commits);
      }
    }
  }
}

// What is flushed is newer than a section that was lost: the log before a flush
// is synced also where there is one family.
TEST_F(TwoPhaseLogTest, AFlushSyncsTheLogOfTheOnlyFamily) {
  TempDir dir("one_family");
  for (int round = 0; round < 20; ++round) {
    const std::string n = std::to_string(round);
    TransactionDB* db = nullptr;
    Status s =
        TransactionDB::Open(options_, txn_db_options_, dir.path() + "/db", &db);
    ASSERT_TRUE(s.ok()) << s.ToString();
    std::unique_ptr<TransactionDB> owned(db);
    std::vector<Transaction*> left;
    db->GetAllPreparedTransactions(&left);
    EXPECT_EQ(left.size(), round > 0 ? 1u : 0u) << round;
    for (Transaction* txn : left) {
      const TxnPtr prepared(txn);
      ASSERT_TRUE(prepared->Rollback().ok());
    }
    {
      const TxnPtr x(db->BeginTransaction(WriteOptions(), txn_options_));
      ASSERT_TRUE(x->SetName("x" + n).ok());
      ASSERT_TRUE(x->Put("k" + n, "1").ok());
      ASSERT_TRUE(x->Prepare().ok());
    }
    ASSERT_TRUE(db->Put(WriteOptions(), "flushed" + n, "1").ok());
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "lost" + n, "1").ok());
    fs_->Deactivate();
    owned.reset();
    ASSERT_TRUE(fs_->CrashAndHeal({}).ok());
  }
}

// A batch that was written directly may have a range that ends before it
// begins: a log with one could not be replayed.
TEST_F(TwoPhaseLogTest, ACommitWithAWrongRangeLeavesTheLogAlone) {
  for (const bool is_prepared : {true, false}) {
    SCOPED_TRACE(is_prepared ? "prepared" : "with the commit");
    const auto add_range = [this](WriteBatch* batch) {
      return batch->DeleteRange(handles_[0], "z", "a");
    };
    {
      const TxnPtr t = BeginNamed("t");
      ASSERT_TRUE(t->Put("k", "1").ok());
      if (is_prepared) {
        ASSERT_TRUE(add_range(t->GetWriteBatch()->GetWriteBatch()).ok());
      }
      ASSERT_TRUE(t->Prepare().ok());
      if (!is_prepared) {
        ASSERT_TRUE(add_range(t->GetCommitTimeWriteBatch()).ok());
      }
      const Status s = t->Commit();
      EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
      EXPECT_EQ(t->GetState(), Transaction::PREPARED);
    }
    ASSERT_NO_FATAL_FAILURE(Kill());
    EXPECT_EQ(Get("k"), "-");
    EXPECT_TRUE(Finish("t", /*commits=*/false).ok());
  }
}

// Parts of a transaction that could not be rolled back stay in the log until
// the next open: they are no parts of another one with its name.
TEST_F(TwoPhaseLogTest, PartsThatAreLeftBelongToNoLaterTransaction) {
  txn_db_options_.write_policy = WRITE_UNPREPARED;
  txn_options_.write_batch_flush_threshold = 1;
  Reopen();
  {
    const TxnPtr t = BeginNamed("n");
    ASSERT_TRUE(t->Put("a", "1").ok());
    ASSERT_TRUE(t->Put("b", "1").ok());  // A part with "a" is logged by now.
    fs_->Deactivate();
  }
  const Status s = Resume();
  ASSERT_TRUE(s.ok()) << s.ToString();
  {
    const TxnPtr u = BeginNamed("n");
    ASSERT_TRUE(u->Put("c", "1").ok());
    ASSERT_TRUE(u->Put("d", "1").ok());
    ASSERT_TRUE(u->Commit().ok());
  }
  ASSERT_NO_FATAL_FAILURE(Kill());
  EXPECT_EQ(Get("a") + Get("b") + Get("c") + Get("d"), "--11");
}

TEST_F(TwoPhaseLogTest, WhatIsAddedLateIsSaidInTheLog) {
  {
    const TxnPtr t = BeginNamed("late"), u = BeginNamed("reused");
    ASSERT_TRUE(t->Put("a", "1").ok());
    ASSERT_TRUE(t->Prepare().ok());
    for (const char* key : {"b", "c"}) ASSERT_TRUE(t->Put(key, "1").ok());
    ASSERT_TRUE(t->Commit().ok());
    ASSERT_TRUE(u->Put("d", "1").ok());
    ASSERT_TRUE(u->Prepare().ok());
    db_->BeginTransaction(WriteOptions(), txn_options_, u.get());
  }
  Close();
  std::ifstream file(path() + "/LOG");
  const std::string log((std::istreambuf_iterator<char>(file)),
                        std::istreambuf_iterator<char>());
  const std::string late = "Transaction late is written to after Prepare()";
  const size_t at = log.find(late);
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(log.find(late, at + 1), std::string::npos) << "once is enough";
  EXPECT_NE(log.find("A prepared transaction is begun anew"),
            std::string::npos);
}

TEST_F(TwoPhaseLogTest, LogsOfTheFieldsOwnEngine) {
  for (const std::string release : {"r119", "r783"}) {
    SCOPED_TRACE(release);
    Close();
    std::filesystem::remove_all(path());
    Open();
    Close();
    const auto source = std::filesystem::path(BASALT_SOURCE_DIR) /
                        "tests/testdata/wal" /
                        (release + "_txn_write_committed.000004.log");
    std::filesystem::copy_file(source, path() + "/000900.log");
    Open();
    EXPECT_EQ(Get("plain"), "v");
    EXPECT_EQ(Get("a"), "1");
    EXPECT_EQ(Get("b"), "2");
    EXPECT_EQ(Get("c"), "-");
    EXPECT_EQ(Get("d"), "5");
    EXPECT_TRUE(Prepared().empty());
  }
}

std::string NameOfTwoPhaseKind(
    const ::testing::TestParamInfo<TwoPhaseKind>& info) {
  const char* const names[] = {"Committed", "Prepared", "Unprepared"};
  return std::string(names[info.param.policy]) +
         (info.param.bypasses_memtables ? "PastMemtables" : "");
}

INSTANTIATE_TEST_SUITE_P(Policies, TwoPhaseTest,
                         ::testing::Values(TwoPhaseKind{WRITE_COMMITTED},
                                           TwoPhaseKind{WRITE_PREPARED},
                                           TwoPhaseKind{WRITE_UNPREPARED},
                                           TwoPhaseKind{WRITE_COMMITTED, true}),
                         NameOfTwoPhaseKind);

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
