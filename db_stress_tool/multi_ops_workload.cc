// The workload that keeps a table and its index by transactions of several
// writes, over keys that all threads share.
//
// Every second primary key has a row in the beginning. Rows move, and so do
// their index entries; none comes and none goes. At any snapshot, and after any
// kill, each row has its entry and each entry its row.
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/row_table.h"
#include "db_stress_tool/stress_file_system.h"
#include "db_stress_tool/workload.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

struct KeySpaces {
  int64_t lb_a = 0;
  int64_t ub_a = 0;
  int64_t lb_c = 0;
  int64_t ub_c = 0;

  uint64_t row_count() const { return static_cast<uint64_t>(ub_a - lb_a) / 2; }
  uint32_t PickA(Worker* worker) const {
    return static_cast<uint32_t>(
        lb_a + static_cast<int64_t>(
                   worker->random.Uniform(static_cast<uint64_t>(ub_a - lb_a))));
  }
  uint32_t PickC(Worker* worker) const {
    return static_cast<uint32_t>(
        lb_c + static_cast<int64_t>(
                   worker->random.Uniform(static_cast<uint64_t>(ub_c - lb_c))));
  }
};

class MultiOpsWorkload : public Workload {
 public:
  explicit MultiOpsWorkload(const Context& context)
      : Workload(context),
        spaces_{context.flags.lb_a, context.flags.ub_a, context.flags.lb_c,
                context.flags.ub_c} {}

  void Begin() override;
  void Recover() override { Verify(); }
  void Verify() override;
  void VerifySome(Worker* /*worker*/) override { Verify(); }

  void Read(Worker* worker) override { LookUp(worker); }
  void ScanPrefix(Worker* worker) override { Scan(worker); }
  void Iterate(Worker* worker) override { Scan(worker); }
  void Custom(Worker* worker) override;
  void Put(Worker* /*worker*/) override {}
  void Delete(Worker* /*worker*/) override {}
  void DeleteRange(Worker* /*worker*/) override {}
  void Ingest(Worker* /*worker*/) override {}
  void CheckCopy(Worker* /*worker*/, const CopyMaker& /*make*/) override {}
  void ClearFamily(size_t /*family*/,
                   Status (* /*drop*/)(Database*, size_t)) override {}
  uint64_t NoteDurableBegin() override { return 0; }
  void NoteDurableEnd(size_t /*family*/, uint64_t /*token*/) override {}
  std::string RaiseHistory(Worker* /*worker*/) override { return ""; }

 private:
  DB* db() const { return c_.database->db(); }
  ColumnFamilyHandle* family() const { return c_.database->family(0); }
  // The spaces that an earlier process has worked on, or those of the flags.
  bool LoadSpaces();
  void FillTable();
  // Entries of an index, or of a part of it.
  bool WalkIndex(Iterator* iterator, const std::string& prefix,
                 std::vector<TableRow>* rows);
  Status GetRow(Transaction* txn, uint32_t a, TableRow* row);
  // A read of a snapshot, of one who thinks for a while before it.
  void Delay(Worker* worker) const;

  // NotFound: there is nothing to be done.
  Status UpdatePrimaryKey(Worker* worker, Transaction* txn);
  Status UpdateSecondaryKey(Worker* worker, Transaction* txn);
  Status UpdateValue(Worker* worker, Transaction* txn);
  void LookUp(Worker* worker);
  void Scan(Worker* worker);
  void End(Worker* worker, Transaction* txn, const char* call);

  KeySpaces spaces_;
};

bool MultiOpsWorkload::LoadSpaces() {
  if (c_.flags.key_spaces_path.empty()) return true;
  std::ifstream in(c_.flags.key_spaces_path);
  KeySpaces kept;
  if (in >> kept.lb_a >> kept.ub_a >> kept.lb_c >> kept.ub_c) {
    if (!c_.flags.destroy_db_initially) spaces_ = kept;
  }
  std::ofstream out(c_.flags.key_spaces_path, std::ios::trunc);
  out << spaces_.lb_a << ' ' << spaces_.ub_a << ' ' << spaces_.lb_c << ' '
      << spaces_.ub_c << '\n';
  out.close();
  if (out.good()) return true;
  c_.report->Fail("writing " + c_.flags.key_spaces_path);
  return false;
}

// All or nothing, for good: what a kill leaves is a whole table or none.
void MultiOpsWorkload::FillTable() {
  const WithoutFaults no_faults;
  WriteBatch batch;
  Status s;
  for (uint64_t i = 0; i < spaces_.row_count() && s.ok(); ++i) {
    TableRow row;
    row.a = static_cast<uint32_t>(spaces_.lb_a) + static_cast<uint32_t>(2 * i);
    row.c = static_cast<uint32_t>(
        spaces_.lb_c + static_cast<int64_t>(i) % (spaces_.ub_c - spaces_.lb_c));
    const std::string entry = SecondaryKey(row.c, row.a);
    s = batch.Put(family(), PrimaryKey(row.a), PrimaryValue(row));
    if (s.ok()) s = batch.Put(family(), entry, SecondaryValue(entry));
  }
  WriteOptions options;
  options.sync = !c_.flags.disable_wal;
  options.disableWAL = c_.flags.disable_wal;
  if (s.ok()) s = db()->Write(options, &batch);
  if (s.ok() && c_.flags.disable_wal) s = db()->Flush(FlushOptions());
  c_.report->Check(s, "filling the table");
}

void MultiOpsWorkload::Begin() {
  if (!LoadSpaces()) return;
  {
    const WithoutFaults no_faults;
    const std::unique_ptr<Iterator> first(
        db()->NewIterator(TotalOrder(), family()));
    first->SeekToFirst();
    if (!c_.report->Check(first->status(), "Iterator")) return;
    if (!first->Valid()) FillTable();
  }
  Verify();
}

bool MultiOpsWorkload::WalkIndex(Iterator* iterator, const std::string& prefix,
                                 std::vector<TableRow>* rows) {
  const bool is_primary = prefix == TablePrefix(TableIndex::kPrimary);
  for (iterator->Seek(prefix);
       iterator->Valid() && iterator->key().starts_with(prefix);
       iterator->Next()) {
    if (!engine::PrepareValue(iterator)) break;
    const auto row = is_primary
                         ? ParsePrimary(iterator->key(), iterator->value())
                         : ParseSecondary(iterator->key(), iterator->value());
    if (!row.has_value()) {
      c_.report->Fail("no entry of the table: " + Hex(iterator->key()) + " " +
                      Hex(iterator->value()));
      return false;
    }
    rows->push_back(*row);
  }
  return c_.report->CheckContended(iterator->status(), "walk over an index");
}

void MultiOpsWorkload::Verify() {
  const WithoutFaults no_faults;
  ManagedSnapshot snapshot(db());
  ReadOptions options = TotalOrder();
  options.snapshot = snapshot.snapshot();
  const std::unique_ptr<Iterator> iterator(
      db()->NewIterator(options, family()));
  std::vector<TableRow> rows, entries;
  if (!WalkIndex(iterator.get(), TablePrefix(TableIndex::kPrimary), &rows) ||
      !WalkIndex(iterator.get(), TablePrefix(TableIndex::kSecondary),
                 &entries)) {
    return;
  }
  if (rows.size() != entries.size() || rows.size() != spaces_.row_count()) {
    return c_.report->Fail(std::to_string(rows.size()) + " rows, " +
                           std::to_string(entries.size()) +
                           " entries of the index, of " +
                           std::to_string(spaces_.row_count()));
  }
  // There are as many rows as entries, and none comes twice: if each entry has
  // a row, each row has an entry.
  for (const TableRow& entry : entries) {
    std::string value;
    const std::string key = PrimaryKey(entry.a);
    const Status s = db()->Get(options, family(), key, &value);
    const auto row = s.ok() ? ParsePrimary(key, value) : std::nullopt;
    if (IsInjected(s)) return;
    if (!row.has_value() || row->c != entry.c) {
      return c_.report->Fail("an entry without its row: a " +
                             std::to_string(entry.a) + ", c " +
                             std::to_string(entry.c) + ": " + s.ToString());
    }
  }
}

void MultiOpsWorkload::Delay(Worker* worker) const {
  if (!worker->random.OneIn(c_.flags.delay_snapshot_read_one_in)) return;
  std::this_thread::sleep_for(
      std::chrono::milliseconds(1 + worker->random.Uniform(100)));
}

Status MultiOpsWorkload::GetRow(Transaction* txn, uint32_t a, TableRow* row) {
  std::string value;
  const std::string key = PrimaryKey(a);
  Status s = txn->GetForUpdate(Reads(), family(), key, &value);
  if (!s.ok()) return s;
  const auto parsed = ParsePrimary(key, value);
  if (!parsed.has_value()) {
    return Status::Corruption("no row of the table", Hex(value));
  }
  *row = *parsed;
  return s;
}

Status MultiOpsWorkload::UpdatePrimaryKey(Worker* worker, Transaction* txn) {
  const uint32_t from = spaces_.PickA(worker);
  const uint32_t to = spaces_.PickA(worker);
  if (from == to) return Status::NotFound();
  TableRow row, taken;
  Status s = GetRow(txn, from, &row);
  if (!s.ok()) return s;
  s = GetRow(txn, to, &taken);
  if (!s.IsNotFound()) return s.ok() ? Status::NotFound() : s;
  s = txn->Delete(family(), PrimaryKey(from));
  if (s.ok()) s = txn->SingleDelete(family(), SecondaryKey(row.c, from));
  row.a = to;
  if (s.ok()) s = txn->Put(family(), PrimaryKey(to), PrimaryValue(row));
  const std::string entry = SecondaryKey(row.c, to);
  return s.ok() ? txn->Put(family(), entry, SecondaryValue(entry)) : s;
}

Status MultiOpsWorkload::UpdateSecondaryKey(Worker* worker, Transaction* txn) {
  const uint32_t from = spaces_.PickC(worker);
  const uint32_t to = spaces_.PickC(worker);
  if (from == to) return Status::NotFound();
  // What has changed since is a conflict.
  txn->SetSnapshot();
  ReadOptions options = TotalOrder();
  options.snapshot = txn->GetSnapshot();
  Delay(worker);
  std::vector<TableRow> entries;
  {
    const std::unique_ptr<Iterator> iterator(
        txn->GetIterator(options, family()));
    if (!WalkIndex(iterator.get(), SecondaryPrefix(from), &entries)) {
      return Status::NotFound();
    }
  }
  for (const TableRow& entry : entries) {
    TableRow row;
    Status s = GetRow(txn, entry.a, &row);
    if (s.IsNotFound() || (s.ok() && row.c != from)) {
      // An optimistic one may have seen what came later: it must not commit.
      if (!c_.flags.use_optimistic_txn) {
        return Status::Corruption("an entry of the index without its row");
      }
      return Status::Busy();
    }
    const std::string before = SecondaryKey(from, row.a);
    const std::string after = SecondaryKey(to, row.a);
    row.c = to;
    if (s.ok()) s = txn->SingleDelete(family(), before);
    if (s.ok()) s = txn->Put(family(), after, SecondaryValue(after));
    if (s.ok()) s = txn->Put(family(), PrimaryKey(row.a), PrimaryValue(row));
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status MultiOpsWorkload::UpdateValue(Worker* worker, Transaction* txn) {
  TableRow row;
  Status s = GetRow(txn, spaces_.PickA(worker), &row);
  if (!s.ok()) return s;
  ++row.b;
  return txn->Put(family(), PrimaryKey(row.a), PrimaryValue(row));
}

void MultiOpsWorkload::Custom(Worker* worker) {
  const struct {
    const char* call;
    Status (MultiOpsWorkload::*run)(Worker*, Transaction*);
  } kinds[] = {
      {"primary key update", &MultiOpsWorkload::UpdatePrimaryKey},
      {"secondary key update", &MultiOpsWorkload::UpdateSecondaryKey},
      {"value update", &MultiOpsWorkload::UpdateValue},
  };
  const auto& kind = kinds[worker->random.Uniform(3)];
  const std::unique_ptr<Transaction> txn =
      c_.database->transactions()->Begin(Writes());
  const Status s = (this->*kind.run)(worker, txn.get());
  if (s.ok()) return End(worker, txn.get(), kind.call);
  if (s.IsNotFound() || s.IsTimedOut()) {
    c_.report->Count("transaction: nothing to do");
  } else {
    CheckWrite(s, kind.call);
  }
  c_.report->Check(txn->Rollback(), "Rollback");
}

void MultiOpsWorkload::End(Worker* worker, Transaction* txn, const char* call) {
  if (worker->random.OneIn(c_.flags.rollback_one_in)) {
    c_.report->Check(txn->Rollback(), "Rollback");
    return;
  }
  if (!c_.flags.use_optimistic_txn) {
    const Status s = txn->GetCommitTimeWriteBatch()->Put(
        family(),
        TablePrefix(TableIndex::kMetadata) + std::to_string(worker->index),
        std::to_string(worker->op));
    c_.report->Check(s, "commit-time batch");
  }
  CheckWrite(c_.database->transactions()->Commit(txn), call);
}

// Reads a row and its entry in the index from one snapshot.
void MultiOpsWorkload::LookUp(Worker* worker) {
  ManagedSnapshot snapshot(db());
  ReadOptions options = TotalOrder();
  options.snapshot = snapshot.snapshot();
  Delay(worker);
  const std::string key = PrimaryKey(spaces_.PickA(worker));
  std::string value;
  Status s = db()->Get(options, family(), key, &value);
  if (s.IsNotFound() || !c_.report->CheckContended(s, "look-up of a row")) {
    return;
  }
  const auto row = ParsePrimary(key, value);
  if (!row.has_value()) {
    return c_.report->Fail("no row of the table: " + Hex(value));
  }
  const std::string entry = SecondaryKey(row->c, row->a);
  s = db()->Get(options, family(), entry, &value);
  if (s.IsNotFound()) return c_.report->Fail("a row without its entry");
  if (c_.report->CheckContended(s, "look-up of an entry") &&
      !ParseSecondary(entry, value).has_value()) {
    c_.report->Fail("no entry of the index: " + Hex(value));
  }
}

// Reads some entries of the index and their rows from one snapshot.
void MultiOpsWorkload::Scan(Worker* worker) {
  ManagedSnapshot snapshot(db());
  ReadOptions options = TotalOrder();
  options.snapshot = snapshot.snapshot();
  Delay(worker);
  const uint32_t c = spaces_.PickC(worker);
  const std::unique_ptr<Iterator> iterator(
      db()->NewIterator(options, family()));
  std::vector<TableRow> entries;
  if (!WalkIndex(iterator.get(), SecondaryPrefix(c), &entries)) return;
  for (const TableRow& entry : entries) {
    const std::string key = PrimaryKey(entry.a);
    std::string value;
    const Status s = db()->Get(options, family(), key, &value);
    if (s.IsNotFound()) return c_.report->Fail("an entry without its row");
    if (!c_.report->CheckContended(s, "row of an entry")) return;
    const auto row = ParsePrimary(key, value);
    if (!row.has_value() || row->c != c) {
      return c_.report->Fail("an entry of another row: " + Hex(value));
    }
  }
}

}  // namespace

std::unique_ptr<Workload> MakeMultiOpsWorkload(const Context& context) {
  return std::make_unique<MultiOpsWorkload>(context);
}

}  // namespace ROCKSDB_NAMESPACE::stress
