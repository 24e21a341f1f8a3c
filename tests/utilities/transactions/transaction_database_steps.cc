// What the database of a script about transactions is asked to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/utilities/transactions/transaction_world.h"
#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct DatabaseStep {
  TransactionWorld* world;
  DB* db;
  const ScriptWords& step;

  FamilyKey key() const { return world->KeyOf(step.Word(0)); }
};

std::string PutOutsideStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  return s.db->Put(WriteOptions(), at.family, at.key, s.step.Word(1))
      .ToString();
}
std::string MergeOutsideStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  return s.db->Merge(WriteOptions(), at.family, at.key, s.step.Word(1))
      .ToString();
}
std::string DeleteOutsideStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  return s.db->Delete(WriteOptions(), at.family, at.key).ToString();
}
std::string EntityOutsideStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  return s.db
      ->PutEntity(WriteOptions(), at.family, at.key, ColumnsOf(s.step, 1))
      .ToString();
}
std::string GetEntityOutsideStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  PinnableWideColumns columns;
  const Status found =
      s.db->GetEntity(ReadOptions(), at.family, at.key, &columns);
  return TextOfRead(found, TextOfColumns(columns.columns()));
}

std::string GetOutsideStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  std::string value;
  const Status found = s.db->Get(ReadOptions(), at.family, at.key, &value);
  return TextOfRead(found, value);
}
std::string GetAtStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  std::string encoded;
  PutFixed64(&encoded, std::stoull(s.step.Word(1)));
  const Slice timestamp(encoded);
  ReadOptions options;
  options.timestamp = &timestamp;
  std::string value;
  const Status found = s.db->Get(options, at.family, at.key, &value);
  return TextOfRead(found, value);
}
std::string ScanOutsideStep(const DatabaseStep& s) {
  return TextOfScan(s.step, [&](const ReadOptions& options) {
    return s.db->NewIterator(options);
  });
}

std::string WriteStep(const DatabaseStep& s) {
  WriteBatch batch;
  AddUpdates(*s.world, s.step, &batch);
  TransactionDBWriteOptimizations vouches;
  vouches.skip_concurrency_control = s.step.HasWord("unlocked");
  return vouches.skip_concurrency_control
             ? s.world->locking()
                   ->Write(WriteOptions(), vouches, &batch)
                   .ToString()
             : s.db->Write(WriteOptions(), &batch).ToString();
}
std::string DeleteRangeStep(const DatabaseStep& s) {
  const FamilyKey at = s.key();
  return s.db->DeleteRange(WriteOptions(), at.family, at.key, s.step.Word(1))
      .ToString();
}
std::string IngestStep(const DatabaseStep& s) {
  SstFileWriter writer{EnvOptions(), s.world->options()};
  EXPECT_TRUE(writer.Open("/ingested.sst").ok());
  for (const WideColumn& pair : ColumnsOf(s.step, 0)) {
    EXPECT_TRUE(writer.Put(pair.name(), pair.value()).ok());
  }
  EXPECT_TRUE(writer.Finish().ok());
  return s.db->IngestExternalFile({"/ingested.sst"}, {}).ToString();
}

std::string FlushStep(const DatabaseStep& s) {
  const std::vector<std::string>& words = s.step.words();
  if (words.empty()) return s.db->Flush(FlushOptions()).ToString();
  const std::vector<std::string> names =
      words[0] == "all" ? std::vector<std::string>{"default", "merges", "other"}
                        : words;
  Status flushed;
  for (const std::string& name : names) {
    flushed.UpdateIfOk(s.db->Flush(FlushOptions(), s.world->Family(name)));
  }
  return flushed.ToString();
}
std::string CompactStep(const DatabaseStep& s) {
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  return s.db->CompactRange(options, nullptr, nullptr).ToString();
}

std::string LocksStep(const DatabaseStep& s) {
  std::vector<std::string> all;
  for (const auto& [id, info] : s.world->locking()->GetLockStatusData()) {
    all.push_back(info.key + (info.exclusive ? ":X" : ":S") +
                  std::to_string(info.ids.size()));
  }
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : " ") + one;
  return text.empty() ? "none" : text;
}
std::string PreparedStep(const DatabaseStep& s) {
  std::vector<Transaction*> all;
  s.world->locking()->GetAllPreparedTransactions(&all);
  std::vector<std::string> names;
  for (const Transaction* txn : all) names.push_back(txn->GetName());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : " ") + name;
  }
  return text.empty() ? "none" : text;
}

// What a log has, update by update.
class LogText final : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t /*id*/, const Slice& key, const Slice& value) override {
    return Add("put " + key.ToString() + "=" + value.ToString());
  }
  Status DeleteCF(uint32_t /*id*/, const Slice& key) override {
    return Add("delete " + key.ToString());
  }
  Status MergeCF(uint32_t /*id*/, const Slice& key,
                 const Slice& value) override {
    return Add("merge " + key.ToString() + "=" + value.ToString());
  }
  void LogData(const Slice& blob) override { Noted("data " + blob.ToString()); }
  Status MarkNoop(bool /*is_empty*/) override { return Add("noop"); }
  Status MarkBeginPrepare(bool /*is_unprepared*/) override {
    return Add("begin");
  }
  Status MarkEndPrepare(const Slice& xid) override {
    return Add("end " + xid.ToString());
  }
  Status MarkCommit(const Slice& xid) override {
    return Add("commit " + xid.ToString());
  }
  Status MarkRollback(const Slice& xid) override {
    return Add("rollback " + xid.ToString());
  }

  std::string text;

 private:
  void Noted(const std::string& update) {
    text += (text.empty() ? "" : ", ") + update;
  }
  Status Add(const std::string& update) {
    Noted(update);
    return Status::OK();
  }
};

std::string LogStep(const DatabaseStep& s) {
  std::unique_ptr<TransactionLogIterator> log;
  const Status opened = s.db->GetUpdatesSince(s.world->mark + 1, &log);
  if (!opened.ok()) return opened.ToString();
  std::string all;
  for (; log->Valid(); log->Next()) {
    LogText text;
    const BatchResult batch = log->GetBatch();
    const Status read = batch.writeBatchPtr->Iterate(&text);
    EXPECT_TRUE(read.ok()) << read.ToString();
    all += (all.empty() ? "" : " | ") +
           std::to_string(batch.sequence - s.world->mark) + ": " + text.text;
  }
  return all;
}

std::string SnapshotAtStep(const DatabaseStep& s) {
  const TxnTimestamp wanted =
      s.step.Word(0) == "max" ? kMaxTxnTimestamp : std::stoull(s.step.Word(0));
  const auto [made, snapshot] =
      s.world->locking()->CreateTimestampedSnapshot(wanted);
  EXPECT_EQ(made.ok(), snapshot != nullptr);
  if (!made.ok()) return made.ToString();
  EXPECT_EQ(s.world->locking()->GetTimestampedSnapshot(wanted), snapshot);
  EXPECT_EQ(s.world->locking()->GetLatestTimestampedSnapshot(), snapshot);
  return "of " + std::to_string(snapshot->GetTimestamp());
}
std::string SnapshotsStep(const DatabaseStep& s) {
  const auto bound = [](const std::string& word) {
    return word == "max" ? kMaxTxnTimestamp : std::stoull(word);
  };
  std::vector<std::shared_ptr<const Snapshot>> found;
  const Status listed = s.world->locking()->GetTimestampedSnapshots(
      bound(s.step.Word(0)), bound(s.step.Word(1)), found);
  if (!listed.ok()) return listed.ToString();
  std::string text;
  for (const auto& snapshot : found) {
    text +=
        (text.empty() ? "" : " ") + std::to_string(snapshot->GetTimestamp());
  }
  return text.empty() ? "none" : text;
}
std::string GetOfStep(const DatabaseStep& s) {
  const auto snapshot =
      s.world->locking()->GetTimestampedSnapshot(std::stoull(s.step.Word(0)));
  if (snapshot == nullptr) return "no snapshot";
  ReadOptions then;
  then.snapshot = snapshot.get();
  std::string value;
  const Status found = s.db->Get(then, s.step.Word(1), &value);
  return TextOfRead(found, value);
}
std::string ReleaseOlderStep(const DatabaseStep& s) {
  s.world->locking()->ReleaseTimestampedSnapshotsOlderThan(
      s.step.Word(0) == "max" ? kMaxTxnTimestamp : std::stoull(s.step.Word(0)));
  return "OK";
}

std::string ReopenStep(const DatabaseStep& s) {
  s.world->Close();
  return s.world->Open().ToString();
}

using DatabaseSteps =
    std::map<std::string, std::function<std::string(const DatabaseStep&)>>;

DatabaseSteps StepsOfDatabases() {
  using S = const DatabaseStep&;
  return {
      {"put", PutOutsideStep},
      {"merge", MergeOutsideStep},
      {"delete", DeleteOutsideStep},
      {"entity", EntityOutsideStep},
      {"get_entity", GetEntityOutsideStep},
      {"get", GetOutsideStep},
      {"get_at", GetAtStep},
      {"scan", ScanOutsideStep},
      {"write", WriteStep},
      {"delete_range", DeleteRangeStep},
      {"ingest", IngestStep},
      {"flush", FlushStep},
      {"compact", CompactStep},
      {"drop",
       [](S s) {
         return s.db->DropColumnFamily(s.world->Family(s.step.Word(0)))
             .ToString();
       }},
      {"reopen", ReopenStep},
      {"kill", [](S s) { return s.world->Kill().ToString(); }},
      {"locks", LocksStep},
      {"prepared", PreparedStep},
      {"named",
       [](S s) {
         return s.world->locking()->GetTransactionByName(s.step.Word(0)) ==
                        nullptr
                    ? "none"
                    : "there";
       }},
      {"mark",
       [](S s) {
         s.world->mark = s.db->GetLatestSequenceNumber();
         return "OK";
       }},
      {"taken",
       [](S s) {
         return std::to_string(s.db->GetLatestSequenceNumber() - s.world->mark);
       }},
      {"log", LogStep},
      {"snapshot_at", SnapshotAtStep},
      {"snapshots", SnapshotsStep},
      {"get_of", GetOfStep},
      {"release_older", ReleaseOlderStep},
  };
}

}  // namespace

bool AnswerOfDatabase(TransactionWorld* world, DB* db, const ScriptWords& step,
                      std::string* answer) {
  static const DatabaseSteps steps = StepsOfDatabases();
  const auto found = steps.find(step.verb());
  if (found == steps.end()) return false;
  *answer = found->second({world, db, step});
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
