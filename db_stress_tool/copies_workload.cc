// The workload that writes every key several times in one batch and expects
// all copies to be alike at any moment: ten copies under ten digits in one
// family, or one copy in every family. What is lost is lost for all alike, so
// no expected state is needed.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/workload.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

struct Copy {
  size_t family;
  // Before key and value.
  std::string prefix;
};

// Where copies are compared: in the database, or in a copy of it.
struct Source {
  DB* db;
  std::vector<ColumnFamilyHandle*> families;
};

// A snapshot until the end of the scope.
class HeldSnapshot {
 public:
  explicit HeldSnapshot(DB* db) : db_(db), snapshot_(db->GetSnapshot()) {}
  ~HeldSnapshot() { db_->ReleaseSnapshot(snapshot_); }
  HeldSnapshot(const HeldSnapshot&) = delete;
  HeldSnapshot& operator=(const HeldSnapshot&) = delete;
  const Snapshot* get() const { return snapshot_; }

 private:
  DB* const db_;
  const Snapshot* const snapshot_;
};

class CopiesWorkload : public Workload {
 public:
  explicit CopiesWorkload(const Context& context) : Workload(context) {}

  void Begin() override { Verify(); }
  void Recover() override { Verify(); }
  void Verify() override;
  void VerifySome(Worker* worker) override {
    CompareAll(Here(), PickFamily(worker), "continuous verification");
  }
  void Read(Worker* worker) override;
  void ScanPrefix(Worker* worker) override;
  void Put(Worker* worker) override;
  void Delete(Worker* worker) override;
  void DeleteRange(Worker* worker) override;
  void Iterate(Worker* worker) override;
  // A file is of one family, and copies may not be overwritten one by one.
  void Ingest(Worker* /*worker*/) override {}
  void CheckCopy(Worker* worker, const CopyMaker& make) override;
  void ClearFamily(size_t family, Status (*drop)(Database*, size_t)) override;
  uint64_t NoteDurableBegin() override { return 0; }
  void NoteDurableEnd(size_t /*family*/, uint64_t /*token*/) override {}
  std::string RaiseHistory(Worker* /*worker*/) override { return ""; }

 private:
  DB* db() const { return c_.database->db(); }
  // The copies of a key; `family` counts only if they are all in one.
  std::vector<Copy> Copies(size_t family) const;
  Source Here() const { return {db(), c_.database->families()}; }
  static std::vector<std::unique_ptr<Iterator>> Iterators(
      const Source& source, const std::vector<Copy>& copies,
      const ReadOptions& options);
  // Whether all iterators stand at the same entry; fails the run if not.
  bool AreAlike(const std::vector<Copy>& copies,
                const std::vector<std::unique_ptr<Iterator>>& iterators,
                const char* call);
  // The entry at the iterator without the copy's prefix, or what is wrong with
  // it. Empty at the end of the copy.
  static std::string EntryOf(const Copy& copy, const Iterator& iterator);
  template <typename Fill>
  void WriteAll(Worker* worker, const char* call, const Fill& fill);
  void CompareAll(const Source& source, size_t family, const char* call);
  void CompareKey(size_t family, const std::string& name);
};

std::vector<Copy> CopiesWorkload::Copies(size_t family) const {
  std::vector<Copy> copies;
  if (c_.flags.test_cf_consistency) {
    for (size_t i = 0; i < c_.database->family_count(); ++i) {
      copies.push_back({i, ""});
    }
  } else {
    for (char digit = '9'; digit >= '0'; --digit) {
      copies.push_back({family, std::string(1, digit)});
    }
  }
  return copies;
}

template <typename Fill>
void CopiesWorkload::WriteAll(Worker* worker, const char* call,
                              const Fill& fill) {
  WriteBatch batch;
  for (const Copy& copy : Copies(PickFamily(worker))) {
    Status s = fill(copy, c_.database->family(copy.family), &batch);
    if (!c_.report->Check(s, "filling a batch")) return;
  }
  CheckWrite(WriteBatchOf(&batch), call);
}

void CopiesWorkload::Put(Worker* worker) {
  const KeyRef key{0, PickKey(worker)};
  const std::string name = c_.format.Key(key.number);
  const std::string value =
      c_.format.Value(key, static_cast<uint32_t>(worker->random.Next()));
  if (c_.flags.verify_before_write) {
    CompareKey(PickFamily(worker), name);
    c_.report->Count("Get before a write");
  }
  const bool is_merge = c_.flags.use_merge && worker->random.OneIn(2);
  const bool is_entity = worker->random.OneIn(c_.flags.use_put_entity_one_in);
  const bool is_timed = worker->random.OneIn(c_.flags.use_timed_put_one_in);
  WriteAll(
      worker, is_merge ? "Merge of copies" : "Put of copies",
      [&](const Copy& copy, ColumnFamilyHandle* family, WriteBatch* batch) {
        const std::string copied_name = copy.prefix + name;
        const std::string copied = copy.prefix + value;
        if (is_merge) return batch->Merge(family, copied_name, copied);
        if (is_timed && !is_entity) {
          return AddTimedPut(worker, batch, family, copied_name, copied);
        }
        return is_entity ? entities::Add(batch, family, copied_name, copied)
                         : batch->Put(family, copied_name, copied);
      });
}

void CopiesWorkload::Delete(Worker* worker) {
  const std::string name = c_.format.Key(PickKey(worker));
  WriteAll(
      worker, "Delete of copies",
      [&](const Copy& copy, ColumnFamilyHandle* family, WriteBatch* batch) {
        return batch->Delete(family, copy.prefix + name);
      });
}

void CopiesWorkload::DeleteRange(Worker* worker) {
  const uint64_t number = PickKey(worker);
  const std::string from = c_.format.Key(number);
  const std::string to = c_.format.Key(
      number + static_cast<uint64_t>(c_.flags.range_deletion_width));
  WriteAll(
      worker, "DeleteRange of copies",
      [&](const Copy& copy, ColumnFamilyHandle* family, WriteBatch* batch) {
        return batch->DeleteRange(family, copy.prefix + from, copy.prefix + to);
      });
}

void CopiesWorkload::Read(Worker* worker) {
  CompareKey(PickFamily(worker), c_.format.Key(PickKey(worker)));
}

void CopiesWorkload::CompareKey(size_t family, const std::string& name) {
  const std::vector<Copy> copies = Copies(family);
  const HeldSnapshot snapshot(db());
  ReadOptions options = Reads();
  options.snapshot = snapshot.get();
  std::vector<std::string> found;
  for (const Copy& copy : copies) {
    std::string value;
    const Status s = db()->Get(options, c_.database->family(copy.family),
                               copy.prefix + name, &value);
    if (s.IsNotFound()) {
      found.push_back("nothing");
    } else if (c_.report->Check(s, "Get of a copy")) {
      found.push_back(Slice(value).starts_with(copy.prefix)
                          ? value.substr(copy.prefix.size())
                          : "the value of another copy");
    } else {
      return;
    }
    if (found.back() != found.front()) {
      c_.report->Fail("Get: two copies of key " + Hex(name) +
                      " are unlike: " + Hex(found.front()) +
                      " and, in family " + std::to_string(copy.family) +
                      " under '" + copy.prefix + "', " + Hex(found.back()));
      return;
    }
  }
}

std::vector<std::unique_ptr<Iterator>> CopiesWorkload::Iterators(
    const Source& source, const std::vector<Copy>& copies,
    const ReadOptions& options) {
  std::vector<std::unique_ptr<Iterator>> iterators;
  for (const Copy& copy : copies) {
    iterators.emplace_back(
        source.db->NewIterator(options, source.families[copy.family]));
  }
  return iterators;
}

std::string CopiesWorkload::EntryOf(const Copy& copy,
                                    const Iterator& iterator) {
  if (!iterator.Valid() || !iterator.key().starts_with(copy.prefix)) return "";
  Slice key = iterator.key();
  if (!entities::AreColumnsRight(iterator)) {
    return key.ToString() + " under " + copy.prefix + " with wrong columns";
  }
  Slice value = iterator.value();
  key.remove_prefix(copy.prefix.size());
  if (!value.starts_with(copy.prefix)) {
    return key.ToString() + " with the value of another copy";
  }
  value.remove_prefix(copy.prefix.size());
  return key.ToString() + "=" + value.ToString();
}

bool CopiesWorkload::AreAlike(
    const std::vector<Copy>& copies,
    const std::vector<std::unique_ptr<Iterator>>& iterators, const char* call) {
  for (const auto& iterator : iterators) {
    // Its status, below, says why it could not.
    if (iterator->Valid()) engine::PrepareValue(iterator.get());
  }
  const std::string first = EntryOf(copies[0], *iterators[0]);
  for (size_t i = 0; i < copies.size(); ++i) {
    if (!c_.report->Check(iterators[i]->status(), call)) return false;
    const std::string entry = EntryOf(copies[i], *iterators[i]);
    if (entry == first) continue;
    c_.report->Fail(std::string(call) +
                    ": two copies are unlike: " + Hex(first) +
                    " and, in family " + std::to_string(copies[i].family) +
                    " under '" + copies[i].prefix + "', " + Hex(entry));
    return false;
  }
  return true;
}

void CopiesWorkload::ScanPrefix(Worker* worker) {
  const std::vector<Copy> copies = Copies(PickFamily(worker));
  const std::string name = c_.format.Key(PickKey(worker));
  const HeldSnapshot snapshot(db());
  ReadOptions options = Reads();
  options.snapshot = snapshot.get();
  options.prefix_same_as_start = c_.flags.prefix_size >= 0;
  options.total_order_seek = c_.flags.prefix_size < 0;
  const auto iterators = Iterators(Here(), copies, options);
  for (size_t i = 0; i < copies.size(); ++i) {
    iterators[i]->Seek(copies[i].prefix + name);
  }
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    if (!AreAlike(copies, iterators, "prefix scan of copies")) return;
    if (EntryOf(copies[0], *iterators[0]).empty()) return;
    for (const auto& iterator : iterators) iterator->Next();
  }
}

void CopiesWorkload::Iterate(Worker* worker) {
  const std::vector<Copy> copies = Copies(PickFamily(worker));
  const std::string name = c_.format.Key(PickKey(worker));
  const HeldSnapshot snapshot(db());
  ReadOptions options = TotalOrder();
  options.snapshot = snapshot.get();
  const auto iterators = Iterators(Here(), copies, options);
  for (size_t i = 0; i < copies.size(); ++i) {
    iterators[i]->Seek(copies[i].prefix + name);
  }
  for (int64_t step = 0; step < c_.flags.num_iterations; ++step) {
    if (!AreAlike(copies, iterators, "iteration of copies")) return;
    if (EntryOf(copies[0], *iterators[0]).empty()) return;
    const bool goes_back =
        c_.flags.test_backward_scan && worker->random.OneIn(2);
    for (const auto& iterator : iterators) {
      if (goes_back) {
        iterator->Prev();
      } else {
        iterator->Next();
      }
    }
  }
}

void CopiesWorkload::CompareAll(const Source& source, size_t family,
                                const char* call) {
  const std::vector<Copy> copies = Copies(family);
  ReadOptions options = TotalOrder();
  // Nobody writes to what is a database of its own.
  std::optional<HeldSnapshot> snapshot;
  if (source.db == db()) options.snapshot = snapshot.emplace(db()).get();
  const auto iterators = Iterators(source, copies, options);
  for (size_t i = 0; i < copies.size(); ++i) {
    iterators[i]->Seek(copies[i].prefix);
  }
  while (AreAlike(copies, iterators, call) &&
         !EntryOf(copies[0], *iterators[0]).empty()) {
    for (const auto& iterator : iterators) iterator->Next();
  }
}

void CopiesWorkload::Verify() {
  const WithoutFaults no_faults;
  const size_t count =
      c_.flags.test_cf_consistency ? 1 : c_.database->family_count();
  for (size_t family = 0; family < count && !c_.report->failed(); ++family) {
    CompareAll(Here(), family, "verification of copies");
  }
}

void CopiesWorkload::CheckCopy(Worker* worker, const CopyMaker& make) {
  const size_t family = PickFamily(worker);
  std::unique_ptr<DatabaseCopy> copy;
  if (!c_.report->CheckContended(make(family, &copy), "a copy")) return;
  Source source{copy->db(), {}};
  bool is_whole = true;
  for (size_t i = 0; i < c_.database->family_count(); ++i) {
    source.families.push_back(copy->family(i));
    is_whole = is_whole && source.families.back() != nullptr;
  }
  if (c_.flags.test_cf_consistency && !is_whole) return;
  CompareAll(source, family, "copies in a copy of the database");
}

void CopiesWorkload::ClearFamily(size_t family,
                                 Status (*drop)(Database*, size_t)) {
  // A family alone would be unlike the others.
  if (c_.flags.test_cf_consistency) return;
  c_.report->Check(drop(c_.database, family), "clearing a family");
}

}  // namespace

std::unique_ptr<Workload> MakeCopiesWorkload(const Context& context) {
  return std::make_unique<CopiesWorkload>(context);
}

}  // namespace ROCKSDB_NAMESPACE::stress
