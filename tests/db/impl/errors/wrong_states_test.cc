// Calls in wrong states: with no handle or one of another database, with no
// place for the result, in the wrong order, twice. Each is an error or has no
// effect, and the database goes on.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/convenience.h"
#include "rocksdb/experimental.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/stats_history.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Handle = ColumnFamilyHandle*;

Status FromBool(bool is_known) {
  return is_known ? Status::OK() : Status::InvalidArgument("false");
}

Status FromIterator(const std::unique_ptr<Iterator>& it) {
  it->SeekToFirst();
  return it->status();
}

Status FromScan(DB* db, Handle family) {
  MultiScanArgs args;
  args.insert(Slice("a"));
  try {
    const std::unique_ptr<MultiScan> scans =
        db->NewMultiScan(ReadOptions(), family, args);
    for (auto scan : *scans) {
      for (auto entry : scan) static_cast<void>(entry);
    }
  } catch (const MultiScanException& e) {
    return e.status();
  }
  return Status::OK();
}

// A call that takes the handle of a column family.
struct FamilyCall {
  const char* name;
  std::function<Status(DB* db, Handle family)> call;
  // None stands for the default family, as it does in RocksDB.
  bool takes_none = false;
};

std::vector<FamilyCall> WritingCalls() {
  const WriteOptions w;
  return {
      {"Put", [=](DB* db, Handle h) { return db->Put(w, h, "k", "v"); }, true},
      {"Put with a timestamp",
       [=](DB* db, Handle h) { return db->Put(w, h, "k", "12345678", "v"); }},
      {"PutEntity",
       [=](DB* db, Handle h) {
         return db->PutEntity(w, h, "k", WideColumns{{"a", "1"}});
       },
       true},
      {"Delete", [=](DB* db, Handle h) { return db->Delete(w, h, "k"); }, true},
      {"SingleDelete",
       [=](DB* db, Handle h) { return db->SingleDelete(w, h, "s"); }, true},
      {"DeleteRange",
       [=](DB* db, Handle h) { return db->DeleteRange(w, h, "a", "b"); }, true},
      {"Merge", [=](DB* db, Handle h) { return db->Merge(w, h, "k", "v"); }},
      {"SetOptions",
       [](DB* db, Handle h) {
         return db->SetOptions(h, {{"ttl", "7"}});
       }},
      {"Flush", [](DB* db, Handle h) { return db->Flush(FlushOptions(), h); }},
      {"Flush of a list",
       [](DB* db, Handle h) {
         return db->Flush(FlushOptions(), std::vector<Handle>{h});
       }},
      {"CompactRange",
       [](DB* db, Handle h) {
         return db->CompactRange(CompactRangeOptions(), h, nullptr, nullptr);
       }},
      {"CompactFiles",
       [](DB* db, Handle h) {
         return db->CompactFiles(CompactionOptions(), h, {"000001.sst"}, 1);
       }},
      {"SuggestCompactRange",
       [](DB* db, Handle h) {
         return db->SuggestCompactRange(h, nullptr, nullptr);
       }},
      {"PromoteL0", [](DB* db, Handle h) { return db->PromoteL0(h, 0); }},
      {"DeleteFilesInRange",
       [](DB* db, Handle h) {
         return DeleteFilesInRange(db, h, nullptr, nullptr);
       },
       true},
      {"EnableAutoCompaction",
       [](DB* db, Handle h) { return db->EnableAutoCompaction({h}); }},
      {"IngestExternalFile",
       [](DB* db, Handle h) {
         return db->IngestExternalFile(h, {"/nowhere.sst"},
                                       IngestExternalFileOptions());
       }},
      {"IngestExternalFiles",
       [](DB* db, Handle h) {
         IngestExternalFileArg arg;
         arg.column_family = h;
         return db->IngestExternalFiles({arg});
       }},
      {"DropColumnFamily",
       [](DB* db, Handle h) { return db->DropColumnFamily(h); }},
      {"DropColumnFamilies",
       [](DB* db, Handle h) { return db->DropColumnFamilies({h}); }},
  };
}

std::vector<FamilyCall> LookupCalls() {
  const ReadOptions r;
  return {
      {"Get",
       [=](DB* db, Handle h) {
         std::string value;
         return db->Get(r, h, "k", &value);
       }},
      {"Get of a slice",
       [=](DB* db, Handle h) {
         PinnableSlice value;
         return db->Get(r, h, "k", &value);
       }},
      {"GetEntity",
       [=](DB* db, Handle h) {
         PinnableWideColumns columns;
         return db->GetEntity(r, h, "k", &columns);
       }},
      {"GetMergeOperands",
       [=](DB* db, Handle h) {
         PinnableSlice values[1];
         GetMergeOperandsOptions options;
         options.expected_max_number_of_operands = 1;
         int count = 0;
         return db->GetMergeOperands(r, h, "k", values, &options, &count);
       }},
      {"MultiGet",
       [=](DB* db, Handle h) {
         const Slice key("k");
         PinnableSlice value;
         Status status;
         db->MultiGet(r, h, 1, &key, &value, &status);
         return status;
       }},
      {"MultiGet of a list",
       [=](DB* db, Handle h) {
         std::vector<std::string> values;
         return db->MultiGet(r, {h}, {"k"}, &values)[0];
       }},
      {"KeyMayExist",
       [=](DB* db, Handle h) {
         std::string value;
         return FromBool(db->KeyMayExist(r, h, "k", &value));
       }},
      {"NewIterator",
       [=](DB* db, Handle h) {
         return FromIterator(std::unique_ptr<Iterator>(db->NewIterator(r, h)));
       }},
      {"NewIterators",
       [=](DB* db, Handle h) {
         std::vector<Iterator*> iterators;
         const Status s = db->NewIterators(r, {h}, &iterators);
         for (Iterator* iterator : iterators) delete iterator;
         return s;
       }},
      {"NewCoalescingIterator",
       [=](DB* db, Handle h) {
         return FromIterator(db->NewCoalescingIterator(r, {h}));
       }},
      {"NewAttributeGroupIterator",
       [=](DB* db, Handle h) {
         return db->NewAttributeGroupIterator(r, {h})->status();
       }},
      {"NewMultiScan", FromScan},
  };
}

std::vector<FamilyCall> QuestionCalls() {
  return {
      {"GetProperty",
       [](DB* db, Handle h) {
         std::string text;
         return FromBool(db->GetProperty(h, "rocksdb.stats", &text));
       }},
      {"GetIntProperty",
       [](DB* db, Handle h) {
         uint64_t number = 0;
         return FromBool(
             db->GetIntProperty(h, "rocksdb.estimate-num-keys", &number));
       }},
      {"GetMapProperty",
       [](DB* db, Handle h) {
         std::map<std::string, std::string> map;
         return FromBool(db->GetMapProperty(h, "rocksdb.cfstats", &map));
       }},
      {"GetApproximateSizes",
       [](DB* db, Handle h) {
         const Range range("a", "b");
         uint64_t size = 0;
         return db->GetApproximateSizes(SizeApproximationOptions(), h, &range,
                                        1, &size);
       }},
      {"GetApproximateMemTableStats",
       [](DB* db, Handle h) {
         uint64_t count = UINT64_MAX;
         uint64_t size = 0;
         db->GetApproximateMemTableStats(h, Range("a", "b"), &count, &size);
         return FromBool(count != UINT64_MAX);
       }},
      {"GetColumnFamilyMetaData",
       [](DB* db, Handle h) {
         ColumnFamilyMetaData metadata;
         db->GetColumnFamilyMetaData(h, &metadata);
         return FromBool(!metadata.name.empty());
       }},
      {"GetPropertiesOfAllTables",
       [](DB* db, Handle h) {
         TablePropertiesCollection tables;
         return db->GetPropertiesOfAllTables(h, &tables);
       }},
      {"NumberLevels",
       [](DB* db, Handle h) { return FromBool(db->NumberLevels(h) > 0); }},
      {"Level0StopWriteTrigger",
       [](DB* db, Handle h) {
         return FromBool(db->Level0StopWriteTrigger(h) > 0);
       }},
      {"GetTablesWithoutBlobs",
       [](DB* db, Handle h) {
         std::vector<LiveFileMetaData> files;
         return db->GetTablesWithoutBlobs(h, "/nowhere", &files);
       }},
      {"IncreaseFullHistoryTsLow",
       [](DB* db, Handle h) {
         return db->IncreaseFullHistoryTsLow(h, "12345678");
       }},
      {"GetFullHistoryTsLow",
       [](DB* db, Handle h) {
         std::string ts;
         return db->GetFullHistoryTsLow(h, &ts);
       }},
  };
}

std::vector<FamilyCall> AllFamilyCalls() {
  std::vector<FamilyCall> all = WritingCalls();
  for (FamilyCall& call : LookupCalls()) all.push_back(std::move(call));
  for (FamilyCall& call : QuestionCalls()) all.push_back(std::move(call));
  return all;
}

// A call without a place for its result, or without its argument.
struct EmptyCall {
  const char* name;
  std::function<Status(DB* db)> call;
};

std::vector<EmptyCall> CallsWithNothing() {
  const ReadOptions r;
  const WriteOptions w;
  return {
      {"Write", [=](DB* db) { return db->Write(w, nullptr); }},
      {"WriteWithCallback",
       [=](DB* db) { return db->WriteWithCallback(w, nullptr, nullptr); }},
      {"IngestWriteBatchWithIndex",
       [=](DB* db) { return db->IngestWriteBatchWithIndex(w, nullptr); }},
      {"Get",
       [=](DB* db) {
         return db->Get(r, "k", static_cast<std::string*>(nullptr));
       }},
      {"Get of a slice",
       [=](DB* db) {
         return db->Get(r, db->DefaultColumnFamily(), "k",
                        static_cast<PinnableSlice*>(nullptr));
       }},
      {"GetEntity",
       [=](DB* db) {
         return db->GetEntity(r, db->DefaultColumnFamily(), "k",
                              static_cast<PinnableWideColumns*>(nullptr));
       }},
      {"GetMergeOperands",
       [=](DB* db) {
         return db->GetMergeOperands(r, db->DefaultColumnFamily(), "k", nullptr,
                                     nullptr, nullptr);
       }},
      {"NewIterators",
       [=](DB* db) {
         return db->NewIterators(r, {db->DefaultColumnFamily()}, nullptr);
       }},
      {"MultiGet of fewer families",
       [=](DB* db) {
         std::vector<std::string> values;
         return db->MultiGet(r, std::vector<Handle>(), {"k"}, &values)[0];
       }},
  };
}

std::vector<EmptyCall> QuestionsWithNothing() {
  return {
      {"CreateColumnFamily",
       [](DB* db) {
         return db->CreateColumnFamily(ColumnFamilyOptions(), "x", nullptr);
       }},
      {"GetProperty",
       [](DB* db) {
         return FromBool(db->GetProperty("rocksdb.stats", nullptr));
       }},
      {"GetIntProperty",
       [](DB* db) {
         return FromBool(
             db->GetIntProperty("rocksdb.estimate-num-keys", nullptr));
       }},
      {"GetAggregatedIntProperty",
       [](DB* db) {
         return FromBool(db->GetAggregatedIntProperty(
             "rocksdb.estimate-num-keys", nullptr));
       }},
      {"GetApproximateSizes",
       [](DB* db) {
         return db->GetApproximateSizes(SizeApproximationOptions(),
                                        db->DefaultColumnFamily(), nullptr, 1,
                                        nullptr);
       }},
      {"GetPropertiesOfAllTables",
       [](DB* db) { return db->GetPropertiesOfAllTables(nullptr); }},
      {"GetCurrentWalFile",
       [](DB* db) { return db->GetCurrentWalFile(nullptr); }},
      {"GetUpdatesSince",
       [](DB* db) { return db->GetUpdatesSince(0, nullptr); }},
      {"GetStatsHistory",
       [](DB* db) { return db->GetStatsHistory(0, 1, nullptr); }},
      {"Checkpoint::Create",
       [](DB* db) { return Checkpoint::Create(db, nullptr); }},
  };
}

class WrongStatesTest : public FamiliesFixture {
 protected:
  WrongStatesTest() { OpenFamilies({"default"}); }

  void ExpectAlive() {
    ASSERT_OK(Put("alive", "yes"));
    EXPECT_EQ(Get("alive"), "yes");
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll());
    EXPECT_EQ(Get("alive"), "yes");
  }
};

TEST_F(WrongStatesTest, NoHandle) {
  for (const FamilyCall& call : AllFamilyCalls()) {
    SCOPED_TRACE(call.name);
    const Status s = call.call(db_.get(), nullptr);
    EXPECT_EQ(s.ok(), call.takes_none) << s.ToString();
  }
  ExpectAlive();
}

TEST_F(WrongStatesTest, AHandleOfAnotherDatabase) {
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, path_ + ".other", &other));
  ASSERT_OK(other->Put(WriteOptions(), "k", "of the other"));
  for (const FamilyCall& call : AllFamilyCalls()) {
    SCOPED_TRACE(call.name);
    const Status s = call.call(db_.get(), other->DefaultColumnFamily());
    EXPECT_FALSE(s.ok());
  }
  std::string value;
  ASSERT_OK(other->Get(ReadOptions(), "k", &value));
  EXPECT_EQ(value, "of the other");
  ExpectAlive();
}

// Nothing is known of what each answers, but that it answers.
TEST_F(WrongStatesTest, EveryCallInEveryState) {
  CreateFamily("dropped");
  ASSERT_OK(PutIn(1, "k", "v"));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  const auto call_all = [](DB* db, Handle family) {
    for (const FamilyCall& call : AllFamilyCalls()) {
      SCOPED_TRACE(call.name);
      EXPECT_NE(call.call(db, family).ToString(), "");
    }
    for (const auto& calls : {CallsWithNothing(), QuestionsWithNothing()}) {
      for (const EmptyCall& call : calls) {
        SCOPED_TRACE(call.name);
        EXPECT_FALSE(call.call(db).ok());
      }
    }
  };
  call_all(db_.get(), handles_[1]);
  call_all(db_.get(), handles_[0]);
  ExpectAlive();
  std::unique_ptr<DB> reader;
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &reader));
  call_all(reader.get(), reader->DefaultColumnFamily());
  Options following = options_;
  following.max_open_files = -1;
  ASSERT_OK(
      DB::OpenAsSecondary(following, path_, path_ + ".secondary", &reader));
  call_all(reader.get(), reader->DefaultColumnFamily());
  ASSERT_OK(db_->Close());
  call_all(db_.get(), handles_[0]);
  EXPECT_OK(db_->Close());
}

// Nothing is in them, and nothing is done: as with stock 7.8.3.
TEST_F(WrongStatesTest, RangesThatEndBeforeTheyBegin) {
  options_.disable_auto_compactions = true;
  CloseFamilies();
  OpenFamilies({"default"});
  for (int i = 0; i < 3; ++i) {
    for (const char* key : {"a", "c", "e"}) ASSERT_OK(Put(key, key));
    ASSERT_OK(db_->Flush(FlushOptions()));
  }
  for (const auto& [from, to] :
       std::vector<std::pair<Slice, Slice>>{{"z", "b"}, {"d", "b"}}) {
    Handle family = db_->DefaultColumnFamily();
    EXPECT_OK(db_->CompactRange(CompactRangeOptions(), &from, &to));
    EXPECT_OK(db_->SuggestCompactRange(family, &from, &to));
    EXPECT_OK(DeleteFilesInRange(db_.get(), family, &from, &to));
    const Range range(from, to);
    uint64_t count = 0, bytes = 0;
    db_->GetApproximateMemTableStats(family, range, &count, &bytes);
    EXPECT_EQ(count, 0u);
    EXPECT_OK(db_->GetApproximateSizes(family, &range, 1, &bytes));
    EXPECT_EQ(bytes, 0u);
    TablePropertiesCollection tables;
    EXPECT_OK(db_->GetPropertiesOfTablesInRange(family, &range, 1, &tables));
    EXPECT_TRUE(
        db_->DeleteRange(WriteOptions(), family, from, to).IsInvalidArgument());
    std::string value;
    ASSERT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &value));
    EXPECT_EQ(value, "3");
  }
}

TEST_F(WrongStatesTest, WhatIsEnabledAlready) {
  db_->EnableManualCompaction();
  ASSERT_OK(CompactAll(/*force=*/true));
  db_->DisableManualCompaction();
  ASSERT_OK(CompactAll());
  db_->DisableManualCompaction();
  EXPECT_TRUE(CompactAll().IsManualCompactionPaused());
  db_->EnableManualCompaction();
  ASSERT_OK(CompactAll());
  db_->ResumeAllCompactions();
  ASSERT_OK(db_->EnableFileDeletions());
  EXPECT_FALSE(db_->ContinueBackgroundWork().ok());
  EXPECT_FALSE(db_->UnlockWAL().ok());
  ASSERT_OK(db_->Resume());
  ASSERT_OK(db_->EnableAutoCompaction({handles_[0], handles_[0]}));
  ExpectAlive();
}

TEST_F(WrongStatesTest, SnapshotsOfOthers) {
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, path_ + ".other", &other));
  const Snapshot* snapshot = other->GetSnapshot();
  db_->ReleaseSnapshot(nullptr);
  db_->ReleaseSnapshot(snapshot);
  other->ReleaseSnapshot(snapshot);
  ExpectAlive();
}

TEST_F(WrongStatesTest, HandlesThatCannotBeDestroyed) {
  ASSERT_OK(db_->DestroyColumnFamilyHandle(nullptr));
  EXPECT_FALSE(db_->DestroyColumnFamilyHandle(db_->DefaultColumnFamily()).ok());
  ExpectAlive();
}

TEST_F(WrongStatesTest, TablesThatAreNotOpen) {
  SstFileReader reader(options_);
  std::vector<std::string> values;
  EXPECT_FALSE(reader.MultiGet(ReadOptions(), {"k"}, &values)[0].ok());
  EXPECT_FALSE(
      FromIterator(std::unique_ptr<Iterator>(reader.NewIterator(ReadOptions())))
          .ok());
  EXPECT_FALSE(FromIterator(reader.NewTableIterator()).ok());
  EXPECT_EQ(reader.GetTableProperties(), nullptr);
  EXPECT_FALSE(reader.VerifyChecksum().ok());
  EXPECT_FALSE(reader.VerifyNumEntries(ReadOptions()).ok());
  EXPECT_FALSE(reader.Open(path_ + "/none.sst").ok());
  EXPECT_FALSE(reader.VerifyChecksum().ok());

  SstFileWriter writer(EnvOptions(), options_);
  EXPECT_FALSE(writer.Put("k", "v").ok());
  EXPECT_FALSE(writer.Delete("k").ok());
  EXPECT_FALSE(writer.DeleteRange("a", "b").ok());
  EXPECT_FALSE(writer.Finish().ok());
  ASSERT_OK(writer.Open(path_ + ".sst"));
  ASSERT_OK(writer.Put("k", "v"));
  EXPECT_FALSE(writer.Open(path_ + ".sst").ok());
  ASSERT_OK(writer.Finish());
  EXPECT_FALSE(writer.Finish().ok());
  EXPECT_FALSE(writer.Put("l", "v").ok());
}

TEST_F(WrongStatesTest, IteratorsOfBatchesAtNoEntry) {
  WriteBatchWithIndex batch;
  const std::unique_ptr<WBWIIterator> updates(batch.NewIterator());
  updates->Next();
  updates->Prev();
  EXPECT_FALSE(updates->Valid());
  EXPECT_EQ(updates->Entry().type, kUnknownRecord);
  const std::unique_ptr<Iterator> merged(
      batch.NewIteratorWithBase(db_->NewIterator(ReadOptions())));
  merged->Next();
  merged->Prev();
  EXPECT_FALSE(merged->Valid());
  EXPECT_EQ(merged->key(), Slice());
  EXPECT_EQ(merged->value(), Slice());
  EXPECT_FALSE(FromIterator(std::unique_ptr<Iterator>(
                                batch.NewIteratorWithBase(nullptr)))
                   .ok());
  EXPECT_FALSE(batch.RollbackToSavePoint().ok());
  EXPECT_FALSE(batch.PopSavePoint().ok());
  std::unique_ptr<TransactionLogIterator> log;
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(db_->GetUpdatesSince(0, &log));
  while (log->Valid()) log->Next();
  log->Next();
  EXPECT_EQ(log->GetBatch().writeBatchPtr, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
