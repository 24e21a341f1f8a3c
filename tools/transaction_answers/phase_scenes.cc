// Names, states, batches, two phases, writes outside, iterators, and the
// policies.
#include <utility>

#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tools/transaction_answers/world.h"

namespace transaction_answers {
namespace {

void Names(World* w) {
  TxnPtr t = w->Begin();
  w->Say("empty", t->SetName(""));
  w->Say("513 bytes", t->SetName(std::string(513, 'n')));
  w->Say("512 bytes", t->SetName(std::string(512, 'n')));
  w->Say("a second", t->SetName("again"));
  const TxnPtr u = w->Begin();
  w->Say("in use", u->SetName(std::string(512, 'n')));
  Must(t->Rollback());
  w->Say("after its Rollback", u->SetName(std::string(512, 'n')));
  Must(t->Commit());
  w->Say("after its Commit", u->SetName(std::string(512, 'n')));
  t = w->BeginNamed("t");
  w->Say("by name",
         w->db()->GetTransactionByName("t") == t.get() ? "it" : "not it");
  t.reset();
  w->Say("deleted",
         w->db()->GetTransactionByName("t") == nullptr ? "none" : "one");
}

void States(World* w) {
  const TxnPtr unnamed = w->Begin();
  w->Say("unnamed Prepare", unnamed->Prepare());
  w->Say("state", unnamed->GetState());
  const TxnPtr t = w->BeginNamed("t");
  Must(t->Put("k", "1"));
  w->Say("Prepare", t->Prepare());
  w->Say("state", t->GetState());
  w->Say("has a log", t->GetLogNumber() > 0 ? "yes" : "no");
  w->Say("id", t->GetId());
  w->Say("again", t->Prepare());
  w->Say("SetName", t->SetName("other"));
  w->Say("db.Get, t.Get", w->Get("k") + " " + w->Get(t.get(), "k"));
  w->Say("Commit", t->Commit());
  w->Say("state", t->GetState());
  w->Say("id", t->GetId());
  w->Say("Commit again", t->Commit());
  w->Say("Prepare again", t->Prepare());
  w->Say("Rollback again", t->Rollback());
  const TxnPtr u = w->BeginNamed("u");
  Must(u->Put("k", "2"));
  w->Say("Rollback, started", u->Rollback());
  w->Say("state", u->GetState());
  Must(u->Put("k", "2"));
  Must(u->Prepare());
  w->Say("Rollback, prepared", u->Rollback());
  w->Say("state", u->GetState());
  w->Say("Commit", u->Commit());
  w->Say("Prepare", u->Prepare());
  w->Say("Rollback", u->Rollback());
}

void Empty(World* w) {
  rocksdb::TransactionOptions options = w->txn_options;
  options.skip_prepare = false;
  const TxnPtr t = w->Begin(options);
  Must(t->SetName("t"));
  w->Say("not prepared", t->Commit());
  w->Say("state", t->GetState());
  w->Say("Prepare", t->Prepare());
  w->Say("Commit", t->Commit());
  const uint64_t before = w->db()->GetLatestSequenceNumber();
  w->Say("empty Commit", w->Begin()->Commit());
  w->Say("sequences", w->db()->GetLatestSequenceNumber() - before);
}

void Anew(World* w) {
  const TxnPtr t = w->BeginNamed("t");
  t->SetSnapshot();
  t->DisableIndexing();
  Must(t->Put("k", "1"));
  const auto id = t->GetID();
  Transaction* const again =
      w->db()->BeginTransaction(WriteOptions(), w->txn_options, t.get());
  w->Say("object", again == t.get() ? "same" : "other");
  w->Say("id", t->GetID() == id ? "same" : "other");
  w->Say("name", t->GetName());
  w->Say("snapshot", t->GetSnapshot() != nullptr ? "one" : "none");
  w->Say("keys", t->GetNumKeys());
  Must(t->Put("k", "2"));
  w->Say("indexes", w->Get(t.get(), "k"));
}

void CommitTime(World* w) {
  const TxnPtr once = w->Begin();
  Must(once->GetCommitTimeWriteBatch()->Put("a", "1"));
  w->Say("one phase", once->Commit());
  w->Say("state", once->GetState());
  once->GetCommitTimeWriteBatch()->Clear();
  w->Say("cleared", once->Commit());
  const TxnPtr t = w->BeginNamed("t");
  Must(t->GetCommitTimeWriteBatch()->Put("k", "1"));
  Must(t->Put("k", "2"));
  Must(t->Prepare());
  const uint64_t before = w->db()->GetLatestSequenceNumber();
  w->Say("Commit", t->Commit());
  w->Say("k", w->Get("k"));
  w->Say("sequences", w->db()->GetLatestSequenceNumber() - before);
}

void Batches(World* w) {
  rocksdb::TransactionOptions options = w->txn_options;
  options.max_write_batch_size = 80;
  const TxnPtr small = w->Begin(options);
  Must(small->Put("a", std::string(20, 'x')));
  w->Say("too large", small->Put("b", std::string(60, 'x')));
  w->Say("locks", w->Locks());
  w->Say("Commit", small->Commit());
  const TxnPtr t = w->Begin();
  Must(t->Put("a", "1"));
  Must(t->Put("a", "2"));
  Must(t->SingleDelete("s"));
  t->PutLogData("blob");
  w->Say("puts, deletes, keys", std::to_string(t->GetNumPuts()) + " " +
                                    std::to_string(t->GetNumDeletes()) + " " +
                                    std::to_string(t->GetNumKeys()));
  t->DisableIndexing();
  Must(t->Put("i", "1"));
  w->Say("not indexed", w->Get(t.get(), "i"));
  t->EnableIndexing();
  w->Say("later", w->Get(t.get(), "i"));
  Must(t->GetWriteBatch()->Put("d", "1"));
  w->Say("direct", w->Get(t.get(), "d"));
  w->Say("locks", w->Locks());
  Must(t->Commit());
  w->Say("all", w->All());
  w->Say("after Commit", t->GetNumPuts() + t->GetNumDeletes());
}

void Rebuilt(World* w) {
  rocksdb::WriteBatch batch;
  Must(batch.Put("r1", "1"));
  Must(batch.Delete("r2"));
  Must(batch.Merge(w->merges(), "r3", "1"));
  const TxnPtr t = w->Begin(), u = w->Begin();
  w->Say("rebuilt", t->RebuildFromWriteBatch(&batch));
  w->Say("locks", w->Locks());
  Must(t->Rollback());
  Must(u->Put("r2", "u"));
  w->Say("a key is held", t->RebuildFromWriteBatch(&batch));
  w->Say("r1", w->Get(t.get(), "r1"));
  rocksdb::WriteBatch range;
  Must(range.DeleteRange("a", "b"));
  w->Say("a range", u->RebuildFromWriteBatch(&range));
}

void Merges(World* w) {
  Must(w->db()->Put(WriteOptions(), w->merges(), "m", "0"));
  const TxnPtr t = w->Begin();
  Must(t->Merge(w->merges(), "m", "1"));
  Must(t->Merge(w->merges(), "m", "2"));
  std::string value;
  Must(t->Get(ReadOptions(), w->merges(), "m", &value));
  w->Say("t.Get(m)", value);
  const std::unique_ptr<rocksdb::Iterator> it(
      t->GetIterator(ReadOptions(), w->merges()));
  it->SeekToFirst();
  w->Say("iterator", it->Valid() ? it->value().ToString() : "-");
}

void NothingFits(World* w) {
  const TxnPtr t = w->Begin();
  Must(t->Merge("m", "1"));
  w->Say("no operator", t->Commit());
  w->Say("db.Put", w->db()->Put(WriteOptions(), "open", "1"));
}

void AFamilyIsGone(World* w) {
  const TxnPtr t = w->Begin();
  Must(t->Put("a", "1"));
  Must(t->Put(w->other(), "o", "1"));
  Must(w->db()->DropColumnFamily(w->other()));
  t->GetWriteOptions()->ignore_missing_column_families = true;
  w->Say("passed over", t->Commit());
  w->Say("a", w->Get("a"));
  const TxnPtr u = w->Begin();
  Must(u->PutUntracked("b", "1"));
  Must(u->GetWriteBatch()->GetWriteBatch()->Put(w->other(), "o", "1"));
  w->Say("refused", u->Commit());
  w->Say("db.Put", w->db()->Put(WriteOptions(), "open", "1"));
}

void AfterPrepare(World* w) {
  const TxnPtr t = w->BeginNamed("t");
  Must(t->Put("a", "1"));
  Must(t->Prepare());
  w->Say("t.Put", t->Put("b", "1"));
  w->Say("Commit", t->Commit());
  w->Say("all", w->All());
}

void Expiration(World* w) {
  rocksdb::TransactionOptions options = w->txn_options;
  options.expiration = 0;
  const TxnPtr t = w->Begin(options), u = w->Begin();
  Must(t->SetName("t"));
  w->Say("t.Put(k)", t->Put("k", "1"));
  w->Say("t.Get(k)", w->Get(t.get(), "k"));
  w->Say("Commit", t->Commit());
  w->Say("Prepare", t->Prepare());
  w->Say("state", t->GetState());
  w->Say("its name", u->SetName("t"));
  w->Say("u.Put(k)", u->Put("k", "2"));
  w->Say("state", t->GetState());
  w->Say("Commit", t->Commit());
  w->Say("Prepare", t->Prepare());
  w->Say("Rollback", t->Rollback());
}

void Recovery(World* w) {
  {
    const TxnPtr a = w->BeginNamed("a"), b = w->BeginNamed("b");
    Must(a->Put("a1", "1"));
    Must(a->Put(w->other(), "a2", "2"));
    Must(a->Merge(w->merges(), "a3", "3"));
    Must(b->Put("b1", "1"));
    Must(a->Prepare());
    Must(b->Prepare());
  }
  w->Reopen();
  w->Reopen();
  w->Say("prepared", w->Prepared());
  const TxnPtr a(w->db()->GetTransactionByName("a"));
  const TxnPtr b(w->db()->GetTransactionByName("b"));
  w->Say("state", a->GetState());
  w->Say("puts, id",
         std::to_string(a->GetNumPuts()) + " " + std::to_string(a->GetId()));
  w->Say("locks", w->Locks());
  w->Say("a.Get, db.Get", w->Get(a.get(), "a1") + " " + w->Get("a1"));
  w->Say("its name", w->Begin()->SetName("a"));
  Must(a->Put("a4", "4"));
  w->Say("commit", a->Commit());
  w->Say("roll back", b->Rollback());
  w->Say("all", w->All());
  w->Say("prepared", w->Prepared());
}

void Copied(World* w) {
  w->Put("k", "1");
  TxnPtr t = w->BeginNamed("t");
  Must(t->Put("k", "2"));
  Must(t->Prepare());
  rocksdb::Checkpoint* made = nullptr;
  Must(rocksdb::Checkpoint::Create(w->db(), &made));
  const std::unique_ptr<rocksdb::Checkpoint> owned(made);
  const std::string copy = w->db()->GetName() + "_copy";
  w->Say("checkpoint", owned->CreateCheckpoint(copy));
  Must(t->Rollback());
  t.reset();
  World of_copy(copy, "101 a checkpoint");
  of_copy.Open();
  of_copy.Say("prepared", of_copy.Prepared());
}

void PlainOpen(World* w) {
  {
    const TxnPtr t = w->BeginNamed("t");
    Must(t->Put("k", "2"));
    Must(t->Prepare());
  }
  w->Close();
  w->db_options.write_policy = rocksdb::WRITE_PREPARED;
  w->Say("as write-prepared", w->TryOpen());
  w->db_options.write_policy = rocksdb::WRITE_COMMITTED;
  w->Say("as write-committed", w->TryOpen());
  w->Say("prepared", w->Prepared());
}

void Outside(World* w) {
  TxnPtr t = w->Begin();
  Must(t->Put(w->merges(), "m", "held"));
  Must(t->Put("s", "held"));
  rocksdb::WriteBatch batch;
  Must(batch.Put("a", "1"));
  Must(batch.Merge(w->merges(), "m", "1"));
  w->Say("a batch", w->db()->Write(WriteOptions(), &batch));
  w->Say("locks, all", w->Locks() + w->All());
  batch.Clear();
  Must(batch.SingleDelete("s"));
  w->Say("a SingleDelete", w->db()->Write(WriteOptions(), &batch));
  batch.Clear();
  Must(batch.SingleDelete(w->other(), "s"));
  w->Say("of another family", w->db()->Write(WriteOptions(), &batch));
  w->Say("DeleteRange",
         w->db()->DeleteRange(WriteOptions(), w->family(0), "a", "b"));
  batch.Clear();
  w->Say("an empty one", w->db()->Write(WriteOptions(), &batch));
  Must(batch.DeleteRange("a", "b"));
  w->Say("a range", w->db()->Write(WriteOptions(), &batch));
  rocksdb::TransactionDBWriteOptimizations vouches;
  vouches.skip_concurrency_control = true;
  w->Say("vouched for", w->db()->Write(WriteOptions(), vouches, &batch));
  w->Say("below", w->db()->GetBaseDB()->Put(WriteOptions(), "s", "1"));
}

std::string KeysOf(rocksdb::Iterator* it) {
  std::string keys;
  for (it->SeekToFirst(); it->Valid(); it->Next()) keys += it->key().ToString();
  keys += "|";
  for (it->SeekToLast(); it->Valid(); it->Prev()) keys += it->key().ToString();
  return keys;
}

void Iterators(World* w) {
  for (const char* key : {"a", "c", "e"}) w->Put(key, "1");
  const TxnPtr t = w->Begin();
  for (const char* key : {"b", "d", "f"}) Must(t->Put(key, "1"));
  Must(t->Delete("c"));
  const std::unique_ptr<rocksdb::Iterator> it(t->GetIterator(ReadOptions()));
  w->Say("all", KeysOf(it.get()));
  it->Next();
  w->Say("Next when not valid", it->status());
  w->Say("Refresh", it->Refresh());
  const Slice lower("b"), upper("e");
  ReadOptions bounds;
  bounds.iterate_lower_bound = &lower;
  bounds.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> within(t->GetIterator(bounds));
  w->Say("bounds", KeysOf(within.get()));
  it->Seek("a");
  Must(t->Put("bb", "behind"));
  w->Put("bc", "others'");
  it->Next();
  it->Next();
  w->Say("behind the place", it->key().ToString());
}

void StampedSnapshots(World* w) {
  const auto [s, first] = w->db()->CreateTimestampedSnapshot(100);
  w->Say("100", s);
  w->Say("50", w->db()->CreateTimestampedSnapshot(50).first);
  w->Say("100 again", w->db()->CreateTimestampedSnapshot(100).second == first
                          ? "same"
                          : "other");
  w->Put("k", "1");
  w->Say("100 after a write", w->db()->CreateTimestampedSnapshot(100).first);
  w->Say("200", w->db()->CreateTimestampedSnapshot(200).first);
  std::vector<std::shared_ptr<const rocksdb::Snapshot>> found;
  w->Say("[100, 200)", w->db()->GetTimestampedSnapshots(100, 200, found));
  w->Say("found", found.size());
  w->Say("[200, 200)", w->db()->GetTimestampedSnapshots(200, 200, found));
  w->db()->ReleaseTimestampedSnapshotsOlderThan(200);
  w->Say("200 is kept",
         w->db()->GetTimestampedSnapshot(200) != nullptr ? "yes" : "no");
  std::shared_ptr<const rocksdb::Snapshot> of_commit;
  {
    const TxnPtr t = w->Begin();
    Must(t->Put("k", "2"));
    w->Say("CommitAndTryCreateSnapshot",
           t->CommitAndTryCreateSnapshot(nullptr, 300, &of_commit));
  }
  w->Put("k", "3");
  ReadOptions then;
  then.snapshot = of_commit.get();
  std::string value;
  Must(w->db()->Get(then, "k", &value));
  w->Say("k then", value);
  {
    const TxnPtr t = w->Begin();
    Must(t->Put("k", "4"));
    w->Say("not growing",
           t->CommitAndTryCreateSnapshot(nullptr, 250, &of_commit));
  }
  w->Say("it has none", of_commit == nullptr ? "yes" : "no");
  of_commit.reset();
  w->db()->ReleaseTimestampedSnapshotsOlderThan(rocksdb::kMaxTxnTimestamp);
}

// --- Write-prepared

void Prepared(World* w) {
  w->Close();
  w->db_options.write_policy = rocksdb::WRITE_PREPARED;
  w->Open();
  w->Put("k", "old");
  const TxnPtr t = w->BeginNamed("t");
  Must(t->Put("k", "1"));
  Must(t->Put("k", "2"));
  Must(t->Put("new", "2"));
  uint64_t before = w->db()->GetLatestSequenceNumber();
  w->Say("Prepare", t->Prepare());
  w->Say("sequences", w->db()->GetLatestSequenceNumber() - before);
  const rocksdb::Snapshot* const between = w->db()->GetSnapshot();
  w->Say("all", w->All());
  w->FlushAll();
  Must(w->db()->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr));
  w->Say("all, flushed", w->All());
  before = w->db()->GetLatestSequenceNumber();
  w->Say("Commit", t->Commit());
  w->Say("all, committed", w->All());
  ReadOptions then;
  then.snapshot = between;
  std::string value;
  Must(w->db()->Get(then, "k", &value));
  w->Say("k, between", value);
  w->db()->ReleaseSnapshot(between);
  const TxnPtr u = w->BeginNamed("u");
  Must(u->Put("k", "3"));
  Must(u->Put("newer", "3"));
  Must(u->Prepare());
  w->Say("Rollback", u->Rollback());
  w->Say("all, rolled back", w->All());
}

void PreparedRefusals(World* w) {
  w->Close();
  w->db_options.write_policy = rocksdb::WRITE_PREPARED;
  w->Open();
  std::unique_ptr<rocksdb::TransactionLogIterator> log;
  w->Say("GetUpdatesSince",
         w->db()->GetUpdatesSince(
             0, &log, rocksdb::TransactionLogIterator::ReadOptions()));
  TxnPtr t = w->BeginNamed("t");
  Must(t->Put("k", "1"));
  {
    const std::unique_ptr<rocksdb::Iterator> it(
        w->db()->NewIterator(ReadOptions()));
    w->Say("Refresh", it->Refresh());
  }
  w->Say("timestamp", t->SetCommitTimestamp(5));
  rocksdb::WriteBatch batch;
  Must(batch.DeleteRange("a", "z"));
  rocksdb::TransactionDBWriteOptimizations vouches;
  w->Say("a range", w->db()->Write(WriteOptions(), vouches, &batch));
  vouches.skip_concurrency_control = true;
  w->Say("a range, one flag", w->db()->Write(WriteOptions(), vouches, &batch));
  vouches.skip_duplicate_key_check = true;
  w->Say("a range, both", w->db()->Write(WriteOptions(), vouches, &batch));
}

void Unprepared(World* w) {
  w->Close();
  w->db_options.write_policy = rocksdb::WRITE_UNPREPARED;
  w->db_options.default_write_batch_flush_threshold = 1;
  w->Open();
  {
    const TxnPtr unnamed = w->Begin();
    w->Say("unnamed, first", unnamed->Put("a", "1"));
    w->Say("unnamed, second", unnamed->Put("b", "1"));
  }
  w->Put("a", "old");
  for (const char* end : {"roll back", "delete", "commit"}) {
    TxnPtr t = w->BeginNamed("t");
    Must(t->Put("a", "1"));
    Must(t->Put("b", "1"));
    t->SetSavePoint();
    Must(t->Put("a", "2"));
    Must(t->Put("c", "2"));
    w->Say("t.Get, db.Get", w->Get(t.get(), "a") + " " + w->Get("a"));
    w->Say("save point", t->RollbackToSavePoint());
    w->Say("t.Get", w->Get(t.get(), "a") + w->Get(t.get(), "c"));
    if (end[0] == 'r') Must(t->Rollback());
    if (end[0] == 'c') Must(t->Commit());
    t.reset();
    w->Say(end, w->All());
  }
}

// --- Optimistic ones

void Optimistic(World* w) {
  rocksdb::OptimisticTransactionDB* opened = nullptr;
  Must(rocksdb::OptimisticTransactionDB::Open(
      w->options, w->db()->GetName() + "_optimistic", &opened));
  const std::unique_ptr<rocksdb::OptimisticTransactionDB> db(opened);
  const auto begin = [&db] {
    return TxnPtr(db->BeginTransaction(WriteOptions()));
  };
  const auto put = [&db](const char* key) {
    Must(db->Put(WriteOptions(), key, "others'"));
  };
  std::string value;
  const TxnPtr t = begin(), u = begin();
  Must(t->Put("k", "1"));
  put("k");
  w->Say("Put, others", t->Commit());
  w->Say("again", t->Commit());
  Must(t->Rollback());
  Must(t->Put("k", "1"));
  w->Say("others, Put", t->Commit());
  t->SetSnapshot();
  put("k");
  Must(t->Put("k", "1"));
  w->Say("SetSnapshot, others, Put", t->Commit());
  Must(t->Rollback());
  Must(t->Put("k", "1"));
  w->Say("with the old snapshot", t->Commit());
  Must(t->Rollback());
  t->ClearSnapshot();
  Must(t->GetForUpdate(ReadOptions(), "k", &value));
  put("k");
  w->Say("GetForUpdate, others", t->Commit());
  Must(t->Rollback());
  Must(t->Get(ReadOptions(), "k", &value));
  put("k");
  w->Say("Get, others", t->Commit());
  Must(t->PutUntracked("k", "1"));
  put("k");
  w->Say("PutUntracked, others", t->Commit());
  Must(t->GetForUpdate(ReadOptions(), "k", &value));
  t->UndoGetForUpdate("k");
  put("k");
  w->Say("undone, others", t->Commit());
  t->SetSavePoint();
  Must(t->Put("k", "1"));
  put("k");
  Must(t->RollbackToSavePoint());
  w->Say("rolled back, others", t->Commit());
  Must(t->Put("k", "t"));
  Must(u->Put("k", "u"));
  w->Say("the first of two", t->Commit());
  w->Say("the second", u->Commit());
  Must(u->Rollback());
  w->Say("missing", u->GetForUpdate(ReadOptions(), "none", &value));
  put("none");
  w->Say("others", u->Commit());
  Must(u->Rollback());
  w->Say("SetName", u->SetName("u"));
  w->Say("Prepare", u->Prepare());
  w->Say("state, id",
         std::to_string(u->GetState()) + " " + std::to_string(u->GetID()));
  Must(u->Put("flushed", "1"));
  for (int i = 0; i < 10; ++i) {
    put("more");
    Must(db->Flush(rocksdb::FlushOptions()));
  }
  w->Say("ten flushes", u->Commit());
}

}  // namespace

const std::vector<Scene>& PhaseScenes() {
  static const std::vector<Scene> all{
      {"54, 55, 64 names", Names},
      {"56-60 states", States},
      {"61, 62 empty ones", Empty},
      {"63 begun anew", Anew},
      {"67, 68 commit-time batches", CommitTime},
      {"69, 72-74 batches", Batches},
      {"75, 76 rebuilt", Rebuilt},
      {"77 merges", Merges},
      {"78 no operator", NothingFits},
      {"81 a family is gone", AFamilyIsGone},
      {"82 after Prepare", AfterPrepare},
      {"84, 85, 89 expiration", Expiration},
      {"90-93, 98 recovery", Recovery},
      {"101 a checkpoint", Copied},
      {"100 other policies", PlainOpen},
      {"106, 108-111 outside", Outside},
      {"113, 116, 117 iterators", Iterators},
      {"127-129 snapshots with timestamps", StampedSnapshots},
      {"143-145 write-prepared", Prepared},
      {"109, 150 what write-prepared refuses", PreparedRefusals},
      {"147 write-unprepared", Unprepared},
      {"131-136 optimistic", Optimistic},
  };
  return all;
}

}  // namespace transaction_answers
