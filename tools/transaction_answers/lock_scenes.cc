// Locks, deadlocks, snapshots and save points.
#include <thread>

#include "rocksdb/perf_context.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tools/transaction_answers/world.h"

namespace transaction_answers {
namespace {

std::string* const kNoValue = nullptr;

void AWriteLocks(World* w) {
  const TxnPtr t = w->Begin(), u = w->Begin();
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("u.Put(k)", u->Put("k", "2"));
  w->Say("db.Put(k)", w->db()->Put(WriteOptions(), "k", "3"));
  w->Say("db.Get(k)", w->Get("k"));
  w->Say("u.Put(other, k)", u->Put(w->other(), "k", "2"));
  w->Say("t.Commit", t->Commit());
  w->Say("u.Put(k)", u->Put("k", "2"));
  w->Say("locks", w->Locks());
  w->Say("u.Rollback", u->Rollback());
  w->Say("locks", w->Locks());
}

void WaitsAreCounted(World* w) {
  const TxnPtr t = w->Begin(), u = w->Begin();
  Must(t->Put("k", "1"));
  rocksdb::PerfContext* const perf = rocksdb::get_perf_context();
  perf->Reset();
  w->Say("u.Put(k), no wait", u->Put("k", "2"));
  w->Say("waits", perf->key_lock_wait_count);
  u->SetLockTimeout(30);
  w->Say("u.Put(k), 30 ms", u->Put("k", "2"));
  w->Say("waits", perf->key_lock_wait_count);
}

void SharesAndUpgrades(World* w) {
  const TxnPtr t = w->Begin(), u = w->Begin();
  const ReadOptions ro;
  w->Say("t shares k", t->GetForUpdate(ro, "k", kNoValue, false));
  w->Say("u shares k", u->GetForUpdate(ro, "k", kNoValue, false));
  w->Say("locks", w->Locks());
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("locks", w->Locks());
  u->UndoGetForUpdate("k");
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("locks", w->Locks());
  w->Say("t shares k", t->GetForUpdate(ro, "k", kNoValue, false));
  w->Say("locks", w->Locks());
}

void ReadsAreTakenBack(World* w) {
  const TxnPtr t = w->Begin();
  std::string value;
  for (int i = 0; i < 3; ++i) {
    w->Say("t.GetForUpdate(k)", t->GetForUpdate(ReadOptions(), "k", &value));
  }
  for (int i = 0; i < 3; ++i) {
    t->UndoGetForUpdate("k");
    w->Say("undo", w->Locks());
  }
  Must(t->Put("k", "1"));
  t->UndoGetForUpdate("k");
  w->Say("undo after Put", w->Locks());
}

void MissingKeys(World* w) {
  const TxnPtr t = w->Begin(), u = w->Begin();
  std::string value;
  w->Say("t.GetForUpdate(k)", t->GetForUpdate(ReadOptions(), "k", &value));
  w->Say("db.Put(k)", w->db()->Put(WriteOptions(), "k", "1"));
  w->Say("only locks", t->GetForUpdate(ReadOptions(), "l", kNoValue));
  w->Say("db.Put(l)", w->db()->Put(WriteOptions(), "l", "1"));
  Must(u->Put("m2", "1"));
  std::vector<std::string> values;
  for (const Status& s :
       t->MultiGetForUpdate(ReadOptions(), {"m1", "m2", "m3"}, &values)) {
    w->Say("t.MultiGetForUpdate", s);
  }
  w->Say("locks", w->Locks());
}

void LimitsOfLocks(World* w) {
  w->db_options.max_num_locks = 3;
  w->Reopen();
  const TxnPtr t = w->Begin();
  for (const char* key : {"1", "2", "3", "4", "3"}) {
    w->Say(std::string("t.Put ") + key, t->Put(key, ""));
  }
  w->Say("db.Put(5)", w->db()->Put(WriteOptions(), "5", ""));
  Must(t->Rollback());
  w->Say("db.Put(5)", w->db()->Put(WriteOptions(), "5", ""));
}

void EveryEndGivesBack(World* w) {
  TxnPtr t = w->Begin();
  Must(t->Put("k", "1"));
  Must(t->Rollback());
  w->Say("rolled back", w->Locks());
  Must(t->Put("k", "1"));
  Must(t->Commit());
  w->Say("committed", w->Locks());
  t = w->Begin();
  Must(t->Put("k", "1"));
  t.reset();
  w->Say("deleted", w->Locks());
}

void WithoutControl(World* w) {
  const TxnPtr u = w->Begin();
  Must(u->Put("k", "1"));
  rocksdb::TransactionOptions options = w->txn_options;
  options.skip_concurrency_control = true;
  const TxnPtr t = w->Begin(options);
  w->Say("t.Put(k)", t->Put("k", "2"));
  w->Say("keys", t->GetNumKeys());
  w->Say("t.Commit", t->Commit());
  w->Say("db.Get(k)", w->Get("k"));
}

void NoStripes(World* w) {
  w->db_options.num_stripes = 0;
  w->Reopen();
  const TxnPtr t = w->Begin(), u = w->Begin();
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("u.Put(k)", u->Put("k", "1"));
}

void AssumeTracked(World* w) {
  const TxnPtr t = w->Begin();
  Must(t->Put("k", "1"));
  w->Say("tracked", t->Put(w->family(0), "k", "2", /*assume_tracked=*/true));
  w->Say("untracked", t->Put(w->family(0), "x", "2", true));
  w->Say("locks", w->Locks());
}

void AFailedUpgrade(World* w) {
  const TxnPtr t = w->Begin();
  t->SetSnapshot();
  w->Put("k", "newer");
  w->Say("share, unseen",
         t->GetForUpdate(ReadOptions(), "k", kNoValue, false, false));
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("locks", w->Locks());
}

void ADroppedFamily(World* w) {
  const TxnPtr t = w->Begin();
  Must(t->Put("a", "1"));
  Must(t->Put(w->other(), "o", "1"));
  Must(w->db()->DropColumnFamily(w->other()));
  w->Say("t.Put(other, p)", t->Put(w->other(), "p", "1"));
  w->Say("t.Rollback", t->Rollback());
  w->Say("locks", w->Locks());
}

void ACircle(World* w) {
  rocksdb::TransactionOptions options;
  options.deadlock_detect = true;
  options.lock_timeout = 100'000;
#if ROCKSDB_MAJOR >= 11
  options.deadlock_timeout_us = 0;
#endif
  const TxnPtr t = w->Begin(options), u = w->Begin(options);
  Must(t->Put("1", "t"));
  Must(u->Put("2", "u"));
  std::thread waits([&t] { Must(t->Put("2", "t")); });
  std::string key;
  uint32_t family = 99;
  while (key != "2") t->GetWaitingTxns(&family, &key);
  w->db()->GetLockStatusData();  // It has looked for a circle by then.
  w->Say("waits in family", family);
  const Status s = u->Put("1", "u");
  w->Say("u.Put(1)", s);
  w->Say("is deadlock, is busy", s.IsDeadlock() && s.IsBusy() ? "yes" : "no");
  w->Say("u's state", u->GetState());
  Must(u->Rollback());
  waits.join();
  const auto found = w->db()->GetDeadlockInfoBuffer();
  w->Say("deadlocks", found.size());
  for (const auto& info : found.at(0).path) {
    w->Say("path", (info.m_txn_id == t->GetID() ? "t " : "u ") +
                       info.m_waiting_key + (info.m_exclusive ? " X" : " S"));
  }
  w->Say("limit exceeded", found[0].limit_exceeded ? "yes" : "no");
  w->Say("has a time", found[0].deadlock_time > 0 ? "yes" : "no");
  w->db()->SetDeadlockInfoBufferSize(0);
  w->Say("none kept", w->db()->GetDeadlockInfoBuffer().size());
}

void AnUpgradeIsNoCircle(World* w) {
  rocksdb::TransactionOptions options;
  options.deadlock_detect = true;
  options.lock_timeout = 50;
  const TxnPtr t = w->Begin(options), u = w->Begin(options);
  Must(t->GetForUpdate(ReadOptions(), "k", kNoValue, false));
  Must(u->GetForUpdate(ReadOptions(), "k", kNoValue, false));
  w->Say("t.Put(k)", t->Put("k", "t"));
  w->Say("deadlocks", w->db()->GetDeadlockInfoBuffer().size());
}

// --- Snapshots

void NewerThanTheSnapshot(World* w) {
  const TxnPtr t = w->Begin();
  t->SetSnapshot();
  w->Put("k", "newer");
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("locks", w->Locks());
  w->Say("t.PutUntracked(k)", t->PutUntracked("k", "2"));
  w->Say("t.Put(k)", t->Put("k", "3"));
  w->Say("locks", w->Locks());
  t->SetSnapshot();
  w->Say("t.Put(k), new snapshot", t->Put("k", "4"));
}

void LockedBefore(World* w) {
  const TxnPtr t = w->Begin(), u = w->Begin();
  Must(t->Put("k", "1"));
  t->SetSnapshot();
  w->Say("t.Put(k)", t->Put("k", "2"));
  w->Put("x", "1");
  w->Say("u.Put(x), no snapshot", u->Put("x", "2"));
}

void ConflictsInFiles(World* w) {
  w->Put("quiet", "1");
  w->Put("in range", "1");
  const TxnPtr t = w->Begin();
  t->SetSnapshot();
  w->Put("k", "newer");
  Must(w->db()->GetBaseDB()->DeleteRange(WriteOptions(), w->family(0), "i",
                                         "j"));
  w->Say("t.Put(in range)", t->Put("in range", "1"));
  w->FlushAll();
  Must(w->db()->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr));
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("t.Put(quiet)", t->Put("quiet", "1"));
  w->Say("t.Put(in range), in a file", t->Put("in range", "1"));
}

void ReadsSeeThePresent(World* w) {
  w->Put("k", "old");
  const TxnPtr t = w->Begin();
  t->SetSnapshot();
  w->Put("k", "new");
  w->Say("t.Get(k)", w->Get(t.get(), "k"));
  ReadOptions then;
  then.snapshot = t->GetSnapshot();
  std::string value;
  Must(t->Get(then, "k", &value));
  w->Say("t.Get(k), snapshot", value);
  Must(t->PutUntracked("k", "own"));
  Must(t->Get(then, "k", &value));
  w->Say("t.Get(k), snapshot, own", value);
  w->Say("not validated, snapshot",
         t->GetForUpdate(then, "z", &value, true, /*do_validate=*/false));
  w->Say("locks", w->Locks());
}

class Notifier final : public rocksdb::TransactionNotifier {
 public:
  void SnapshotCreated(const rocksdb::Snapshot* /*snapshot*/) override {
    ++count;
  }
  uint64_t count = 0;
};

void OnNextOperation(World* w) {
  const TxnPtr t = w->Begin();
  const auto notifier = std::make_shared<Notifier>();
  t->SetSnapshotOnNextOperation(notifier);
  w->Get(t.get(), "k");
  { const std::unique_ptr<rocksdb::Iterator> it(t->GetIterator({})); }
  w->Say("Get, GetIterator", notifier->count);
  Must(t->PutUntracked("k", "1"));
  w->Say("PutUntracked", notifier->count);
  Must(t->Put("k", "2"));
  w->Say("Put", notifier->count);
  t->SetSnapshotOnNextOperation(notifier);
  t->SetSnapshot();
  Must(t->Put("a", "1"));
  t->SetSnapshotOnNextOperation(notifier);
  t->ClearSnapshot();
  Must(t->Put("b", "1"));
  w->Say("cancelled", notifier->count);
  t->SetSnapshotOnNextOperation(notifier);
  std::vector<std::string> values;
  t->MultiGetForUpdate(ReadOptions(), {"c"}, &values);
  w->Say("MultiGetForUpdate", notifier->count);
}

void SnapshotsAndEnds(World* w) {
  const TxnPtr t = w->Begin();
  const auto say = [&](const char* when) {
    w->Say(when, t->GetSnapshot() != nullptr ? "has one" : "has none");
  };
  t->SetSnapshot();
  Must(t->Rollback());
  say("rolled back");
  Must(t->Commit());
  say("committed");
  w->db()->BeginTransaction(WriteOptions(), w->txn_options, t.get());
  say("begun anew");
}

// --- Save points

void SavePoints(World* w) {
  const TxnPtr t = w->Begin();
  w->Say("rollback without one", t->RollbackToSavePoint());
  w->Say("pop without one", t->PopSavePoint());
  Must(t->Put("A", "1"));
  t->SetSavePoint();
  Must(t->Put("A", "2"));
  Must(t->Put("B", "2"));
  w->Say("rollback", t->RollbackToSavePoint());
  w->Say("A, B", w->Get(t.get(), "A") + w->Get(t.get(), "B"));
  w->Say("locks", w->Locks());
  w->Say("puts, keys", std::to_string(t->GetNumPuts()) + " " +
                           std::to_string(t->GetNumKeys()));
  t->SetSavePoint();
  Must(t->Put("n1", "1"));
  t->SetSavePoint();
  Must(t->Put("n2", "1"));
  w->Say("pop", t->PopSavePoint());
  w->Say("rollback", t->RollbackToSavePoint());
  w->Say("n1, n2", w->Get(t.get(), "n1") + w->Get(t.get(), "n2"));
  w->Say("locks", w->Locks());
  t->SetSavePoint();
  Must(t->Rollback());
  w->Say("after Rollback", t->RollbackToSavePoint());
}

void SavePointsAndReads(World* w) {
  const TxnPtr t = w->Begin();
  const ReadOptions ro;
  Must(t->GetForUpdate(ro, "G", kNoValue));
  Must(t->GetForUpdate(ro, "S", kNoValue, /*exclusive=*/false));
  t->SetSavePoint();
  t->UndoGetForUpdate("G");
  w->Say("undo of before", w->Locks());
  Must(t->GetForUpdate(ro, "U", kNoValue));
  t->UndoGetForUpdate("U");
  w->Say("undo of since", w->Locks());
  Must(t->Put("S", "1"));
  t->SetSnapshot();
  w->Say("rollback", t->RollbackToSavePoint());
  w->Say("locks", w->Locks());
  w->Say("snapshot", t->GetSnapshot() != nullptr ? "has one" : "has none");
  Must(t->SetName("t"));
  t->SetSavePoint();
  Must(t->Prepare());
  w->Say("prepared", t->RollbackToSavePoint());
  Must(t->Rollback());
}

}  // namespace

const std::vector<Scene>& LockScenes() {
  static const std::vector<Scene> all{
      {"1-3 a write locks its key", AWriteLocks},
      {"4, 23 waits", WaitsAreCounted},
      {"5-7 shares", SharesAndUpgrades},
      {"8, 9 reads are taken back", ReadsAreTakenBack},
      {"10-12 missing keys", MissingKeys},
      {"13 limits", LimitsOfLocks},
      {"14 ends", EveryEndGivesBack},
      {"15 no concurrency control", WithoutControl},
      {"16 no stripes", NoStripes},
      {"17 an upgrade is no circle", AnUpgradeIsNoCircle},
      {"20 assume_tracked", AssumeTracked},
      {"21 a failed upgrade", AFailedUpgrade},
      {"22 a dropped family", ADroppedFamily},
      {"24-26 a circle", ACircle},
      {"29, 30 newer than the snapshot", NewerThanTheSnapshot},
      {"31-33 locked before", LockedBefore},
      {"34, 35 conflicts in files", ConflictsInFiles},
      {"37-39 reads", ReadsSeeThePresent},
      {"40-42 on the next operation", OnNextOperation},
      {"44 snapshots and ends", SnapshotsAndEnds},
      {"45-47, 51 save points", SavePoints},
      {"48-50, 52, 53 save points and reads", SavePointsAndReads},
  };
  return all;
}

}  // namespace transaction_answers
