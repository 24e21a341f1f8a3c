// What a transaction is asked to do, step by step.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/utilities/transactions/transaction_world.h"
#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct TransactionStep {
  TransactionWorld* world;
  const std::string& who;
  Transaction* txn;
  const ScriptWords& step;

  FamilyKey key() const { return world->KeyOf(step.Word(0)); }
  TxnTimestamp timestamp() const { return std::stoull(step.Word(0)); }
};

// One kind of write, in the three ways in which it may be asked for.
struct WriteForms {
  std::function<Status(bool is_tracked)> plain;
  std::function<Status()> untracked;
};

std::string WrittenBy(const ScriptWords& step, const WriteForms& forms) {
  if (step.HasWord("untracked")) return forms.untracked().ToString();
  return forms.plain(step.HasWord("tracked")).ToString();
}

std::string PutStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  const std::string& value = s.step.Word(1);
  return WrittenBy(
      s.step, {[&](bool is_tracked) {
                 return s.txn->Put(at.family, at.key, value, is_tracked);
               },
               [&] { return s.txn->PutUntracked(at.family, at.key, value); }});
}

std::string MergeStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  const std::string& value = s.step.Word(1);
  return WrittenBy(
      s.step,
      {[&](bool is_tracked) {
         return s.txn->Merge(at.family, at.key, value, is_tracked);
       },
       [&] { return s.txn->MergeUntracked(at.family, at.key, value); }});
}

std::string DeleteStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  return WrittenBy(s.step,
                   {[&](bool is_tracked) {
                      return s.txn->Delete(at.family, at.key, is_tracked);
                    },
                    [&] { return s.txn->DeleteUntracked(at.family, at.key); }});
}

std::string SingleDeleteStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  return WrittenBy(
      s.step,
      {[&](bool is_tracked) {
         return s.txn->SingleDelete(at.family, at.key, is_tracked);
       },
       [&] { return s.txn->SingleDeleteUntracked(at.family, at.key); }});
}

std::string EntityStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  return s.txn->PutEntity(at.family, at.key, ColumnsOf(s.step, 1)).ToString();
}

std::string GetEntityStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  PinnableWideColumns columns;
  const Status found =
      s.txn->GetEntity(ReadOptions(), at.family, at.key, &columns);
  return TextOfRead(found, TextOfColumns(columns.columns()));
}

std::string GetStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  ReadOptions options;
  if (s.step.HasWord("then")) options.snapshot = s.txn->GetSnapshot();
  std::string value;
  const Status found = s.txn->Get(options, at.family, at.key, &value);
  return TextOfRead(found, value);
}

std::string ScanStep(const TransactionStep& s) {
  std::vector<ColumnFamilyHandle*> families;
  for (const std::string& name :
       SplitString(s.step.Text("families", ""), ',')) {
    families.push_back(s.world->Family(name == "none" ? "default" : name));
    if (name == "none") families.clear();
  }
  return TextOfScan(s.step, [&](const ReadOptions& options) {
    return s.step.Has("families")
               ? s.txn->GetCoalescingIterator(options, families).release()
               : s.txn->GetIterator(options);
  });
}

std::string LockStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  ReadOptions options;
  if (s.step.HasWord("then")) options.snapshot = s.txn->GetSnapshot();
  std::string encoded;
  PutFixed64(&encoded, s.step.Number("at", 0));
  const Slice timestamp(encoded);
  if (s.step.Has("at")) options.timestamp = &timestamp;
  std::string value;
  const bool has_value = !s.step.HasWord("only");
  const Status found = s.txn->GetForUpdate(
      options, at.family, at.key, has_value ? &value : nullptr,
      /*exclusive=*/!s.step.HasWord("shared"),
      /*do_validate=*/!s.step.HasWord("unchecked"));
  return has_value ? TextOfRead(found, value) : found.ToString();
}

std::string LockAllStep(const TransactionStep& s) {
  const std::vector<Slice> keys(s.step.words().begin(), s.step.words().end());
  std::vector<std::string> values;
  const std::vector<Status> found =
      s.txn->MultiGetForUpdate(ReadOptions(), keys, &values);
  EXPECT_EQ(found.size(), keys.size());
  std::string text;
  for (size_t i = 0; i < found.size(); ++i) {
    const std::string value = i < values.size() ? values[i] : "";
    text += (text.empty() ? "" : ", ") + TextOfRead(found[i], value);
  }
  return text;
}

std::string UndoStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  s.txn->UndoGetForUpdate(at.family, at.key);
  return "OK";
}

std::string StateStep(const TransactionStep& s) {
  const char* const names[] = {
      "started",   "awaiting prepare",  "prepared",    "awaiting commit",
      "committed", "awaiting rollback", "rolled back", "locks stolen"};
  return names[s.txn->GetState()];
}

std::string CountsStep(const TransactionStep& s) {
  std::string text;
  const auto add = [&](const char* name, uint64_t count) {
    if (count == 0) return;
    text += (text.empty() ? "" : " ") + std::string(name) + ":" +
            std::to_string(count);
  };
  add("puts", s.txn->GetNumPuts());
  add("entities", s.txn->GetNumPutEntities());
  add("deletes", s.txn->GetNumDeletes());
  add("merges", s.txn->GetNumMerges());
  add("keys", s.txn->GetNumKeys());
  return text.empty() ? "none" : text;
}

std::string AdoptStep(const TransactionStep& s) {
  Transaction* const found =
      s.world->locking()->GetTransactionByName(s.step.Word(0));
  if (found == nullptr) return "none";
  s.world->Adopt(s.who, found);
  return "OK";
}

std::string RebuildStep(const TransactionStep& s) {
  WriteBatch batch;
  AddUpdates(*s.world, s.step, &batch);
  return s.txn->RebuildFromWriteBatch(&batch).ToString();
}

std::string BatchStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  return s.txn->GetWriteBatch()
      ->Put(at.family, at.key, s.step.Word(1))
      .ToString();
}

std::string BatchSizeStep(const TransactionStep& s) {
  WriteBatch* const batch = s.txn->GetWriteBatch()->GetWriteBatch();
  std::string text = std::to_string(batch->Count());
  for (const auto& [id, size] : batch->GetColumnFamilyToTimestampSize()) {
    text += ", timestamps of " + std::to_string(size);
  }
  return text;
}

std::string AtCommitStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  return s.txn->GetCommitTimeWriteBatch()
      ->Put(at.family, at.key, s.step.Word(1))
      .ToString();
}

std::string CollapseStep(const TransactionStep& s) {
  const FamilyKey at = s.key();
  return s.txn->CollapseKey(ReadOptions(), at.key, at.family).ToString();
}

std::string CommitWithSnapshotStep(const TransactionStep& s) {
  std::shared_ptr<const Snapshot> snapshot;
  const uint64_t wanted =
      s.step.Word(0) == "max" ? kMaxTxnTimestamp : s.timestamp();
  const Status committed =
      s.txn->CommitAndTryCreateSnapshot(nullptr, wanted, &snapshot);
  EXPECT_EQ(s.txn->GetTimestampedSnapshot(), snapshot);
  if (!committed.ok()) return committed.ToString();
  return snapshot == nullptr
             ? "OK, no snapshot"
             : "OK, of " + std::to_string(snapshot->GetTimestamp());
}

using TransactionSteps =
    std::map<std::string, std::function<std::string(const TransactionStep&)>>;

// Makes a step of a call that answers with a status, or with nothing.
template <typename Call>
std::function<std::string(const TransactionStep&)> Does(Call call) {
  return [call](const TransactionStep& s) -> std::string {
    if constexpr (std::is_void_v<decltype(call(s))>) {
      call(s);
      return "OK";
    } else {
      return call(s).ToString();
    }
  };
}

TransactionSteps StepsOfLives() {
  using S = const TransactionStep&;
  return {
      {"begin", Does([](S s) { s.world->Begin(s.who, s.step); })},
      {"begin_anew", Does([](S s) { s.world->BeginAnew(s.who); })},
      {"drop", Does([](S s) { s.world->Drop(s.who); })},
      {"adopt", AdoptStep},
      {"name", Does([](S s) { return s.txn->SetName(s.step.Word(0)); })},
      {"named", [](S s) { return s.txn->GetName(); }},
      {"prepare", Does([](S s) { return s.txn->Prepare(); })},
      {"commit", Does([](S s) { return s.txn->Commit(); })},
      {"rollback", Does([](S s) { return s.txn->Rollback(); })},
      {"savepoint", Does([](S s) { s.txn->SetSavePoint(); })},
      {"back", Does([](S s) { return s.txn->RollbackToSavePoint(); })},
      {"pop", Does([](S s) { return s.txn->PopSavePoint(); })},
      {"snapshot", Does([](S s) { s.txn->SetSnapshot(); })},
      {"snapshot_next", Does([](S s) { s.txn->SetSnapshotOnNextOperation(); })},
      {"clear_snapshot", Does([](S s) { s.txn->ClearSnapshot(); })},
      {"has_snapshot",
       [](S s) { return s.txn->GetSnapshot() != nullptr ? "yes" : "no"; }},
      {"state", StateStep},
      {"counts", CountsStep},
      {"logged", [](S s) { return s.txn->GetLogNumber() > 0 ? "yes" : "no"; }},
      {"read_at", Does([](S s) {
         return s.txn->SetReadTimestampForValidation(s.timestamp());
       })},
      {"commit_at",
       Does([](S s) { return s.txn->SetCommitTimestamp(s.timestamp()); })},
      {"commit_with_snapshot", CommitWithSnapshotStep},
  };
}

TransactionSteps StepsOfUpdates() {
  using S = const TransactionStep&;
  return {
      {"put", PutStep},
      {"merge", MergeStep},
      {"delete", DeleteStep},
      {"single_delete", SingleDeleteStep},
      {"entity", EntityStep},
      {"get_entity", GetEntityStep},
      {"get", GetStep},
      {"scan", ScanStep},
      {"lock", LockStep},
      {"lock_all", LockAllStep},
      {"undo", UndoStep},
      {"rebuild", RebuildStep},
      {"batch", BatchStep},
      {"batch_size", BatchSizeStep},
      {"at_commit", AtCommitStep},
      {"nothing_at_commit",
       Does([](S s) { s.txn->GetCommitTimeWriteBatch()->Clear(); })},
      {"collapse", CollapseStep},
      {"data", Does([](S s) { s.txn->PutLogData(s.step.Word(0)); })},
      {"index", Does([](S s) { s.txn->EnableIndexing(); })},
      {"no_index", Does([](S s) { s.txn->DisableIndexing(); })},
      {"skips_dropped", Does([](S s) {
         s.txn->GetWriteOptions()->ignore_missing_column_families = true;
       })},
      {"unlogged",
       Does([](S s) { s.txn->GetWriteOptions()->disableWAL = true; })},
  };
}

}  // namespace

bool AnswerOfTransaction(TransactionWorld* world, const std::string& who,
                         const ScriptWords& step, std::string* answer) {
  static const TransactionSteps kTables[] = {StepsOfLives(), StepsOfUpdates()};
  for (const TransactionSteps& steps : kTables) {
    const auto found = steps.find(step.verb());
    if (found == steps.end()) continue;
    *answer = found->second({world, who, world->Named(who), step});
    return true;
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE
