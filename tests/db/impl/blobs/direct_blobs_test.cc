// Values that go to blob files before the log has the references to them
// (enable_blob_direct_write).

#include <filesystem>
#include <map>
#include <stdexcept>

#include "rocksdb/blob_file_partition_strategy.h"
#include "rocksdb/convenience.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/blob_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Goes by the last digit of the key; throws for keys that end with '!'.
class ByDigit final : public BlobFilePartitionStrategy {
 public:
  const char* Name() const override { return "ByDigit"; }
  uint32_t SelectPartition(uint32_t, uint32_t, const Slice& key,
                           const Slice&) override {
    const char last = key[key.size() - 1];
    if (last == '!') throw std::runtime_error("as asked");
    return static_cast<uint32_t>(last - '0');
  }
};

class DirectBlobsTest : public BlobFixture {
 protected:
  DirectBlobsTest() {
    options_.enable_blob_direct_write = true;
    options_.allow_concurrent_memtable_write = false;
    options_.merge_operator = NewStringAppendOperator(",");
  }
  uint64_t LogBytes() {
    VectorLogPtr logs;
    EXPECT_OK(db_->GetSortedWalFiles(logs));
    uint64_t bytes = 0;
    for (const auto& log : logs) bytes += log->SizeFileBytes();
    return bytes;
  }
  // The same in every form of reading.
  void ExpectEverywhere(const std::string& key, const std::string& value) {
    EXPECT_EQ(Get(key), value);
    std::vector<std::string> values;
    for (const Status& s : db_->MultiGet(ReadOptions(), {key}, &values)) {
      EXPECT_OK(s);
    }
    EXPECT_EQ(values[0], value);
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek(key);
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    EXPECT_EQ(it->value(), value);
    it->SeekForPrev(key);
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    EXPECT_EQ(it->value(), value);
    PinnableWideColumns columns;
    EXPECT_OK(db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), key,
                             &columns));
    EXPECT_EQ(columns.columns().front().value(), value);
    EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), key, nullptr));
  }
};

TEST_F(DirectBlobsTest, ValuesAreInFilesBeforeTheyAreInTheLog) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 100; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  EXPECT_EQ(BlobPaths().size(), 1u);
  EXPECT_EQ(BlobCount(), 0u);
  EXPECT_LT(LogBytes(), 100u * 100);
  ASSERT_NO_FATAL_FAILURE(ExpectEverywhere(Key(7), Value(7)));
  const std::string all = Scan();
  ASSERT_OK(Put("small", "s"));
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobPaths().size(), 1u);
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_EQ(Garbage(), 0u);
  ASSERT_NO_FATAL_FAILURE(ExpectEverywhere(Key(7), Value(7)));
  ASSERT_OK(Delete("small"));
  EXPECT_EQ(Scan(), all);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), all);
  ASSERT_OK(db_->VerifyChecksum());
}

TEST_F(DirectBlobsTest, WhatStaysInTheLog) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", std::string(99, 'a')));
  ASSERT_OK(db_->Merge(WriteOptions(), "b", Value(1)));
  WriteBatch batch;
  ASSERT_OK(batch.Put("c", Value(2)));
  ASSERT_OK(batch.Merge("c", "m"));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "x", std::string(200, 'y')));
  EXPECT_EQ(BlobPaths().size(), 0u);
  EXPECT_EQ(Get("c"), Value(2) + ",m");
  // At a flush it goes as ever.
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_EQ(Get("b"), Value(1));
  EXPECT_EQ(Get("c"), Value(2) + ",m");
}

TEST_F(DirectBlobsTest, OverlaidByMergesAndDeletions) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  ASSERT_OK(Put("b", Value(2)));
  ASSERT_OK(db_->Merge(WriteOptions(), "a", "m"));
  ASSERT_OK(Delete("b"));
  EXPECT_EQ(Get("a"), Value(1) + ",m");
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  const Snapshot* const before = db_->GetSnapshot();
  ASSERT_OK(Put("a", Value(3)));
  EXPECT_EQ(Get("a", before), Value(1) + ",m");
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a", before), Value(1) + ",m");
  EXPECT_EQ(Get("a"), Value(3));
  db_->ReleaseSnapshot(before);
}

TEST_F(DirectBlobsTest, OperandsAreShownOverTheirBase) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  ASSERT_OK(db_->Merge(WriteOptions(), "a", "m"));
  const std::unique_ptr<Iterator> old(db_->NewIterator(ReadOptions()));
  for (int round = 0; round < 2; ++round) {
    PinnableSlice operands[2];
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 2;
    int count = 0;
    ASSERT_OK(db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(),
                                    "a", operands, &limit, &count));
    ASSERT_EQ(count, round == 0 ? 2 : 1);
    EXPECT_EQ(operands[0].ToString(), round == 0 ? Value(1) : Value(1) + ",m");
    ASSERT_NO_FATAL_FAILURE(ExpectEverywhere("a", Value(1) + ",m"));
    ASSERT_OK(Flush());
  }
  // One from before the flush reads in the file that is complete now.
  old->SeekToFirst();
  ASSERT_TRUE(old->Valid()) << old->status().ToString();
  EXPECT_EQ(old->value(), Value(1) + ",m");
}

TEST_F(DirectBlobsTest, MergesAtAnInsertionReadTheirBase) {
  options_.max_successive_merges = 1;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  for (const char* operand : {"m", "n", "o"}) {
    ASSERT_OK(db_->Merge(WriteOptions(), "a", operand));
  }
  EXPECT_EQ(Get("a"), Value(1) + ",m,n,o");
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), Value(1) + ",m,n,o");
}

TEST_F(DirectBlobsTest, WithoutBlobFilesItIsSwitchedOff) {
  options_.enable_blob_files = false;
  options_.allow_concurrent_memtable_write = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_FALSE(db_->GetOptions().enable_blob_direct_write);
  std::string log;
  ASSERT_OK(ReadFileToString(options_.env, path_ + "/LOG", &log));
  EXPECT_NE(log.find("enable_blob_direct_write=true is taken as false"),
            std::string::npos);
  // For good: they may be wanted later.
  ASSERT_OK(db_->SetOptions({{"enable_blob_files", "true"}}));
  ASSERT_OK(Put("a", Value(1)));
  EXPECT_EQ(BlobPaths().size(), 0u);
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_EQ(Get("a"), Value(1));
}

// Whoever follows the log gets what was written.
TEST_F(DirectBlobsTest, UpdatesComeWithTheirValues) {
  options_.WAL_ttl_seconds = 1000;
  ASSERT_NO_FATAL_FAILURE(Open());
  const std::string large = Value(3);
  const WideColumns columns{{"", large}, {"small", "s"}};
  WriteBatch batch;
  ASSERT_OK(batch.Put("a", Value(1)));
  ASSERT_OK(batch.Delete("b"));
  ASSERT_OK(batch.PutLogData("remark"));
  ASSERT_OK(batch.Put("c", "small"));
  ASSERT_OK(batch.PutEntity(db_->DefaultColumnFamily(), "e", columns));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  for (int round = 0; round < 2; ++round) {
    std::unique_ptr<TransactionLogIterator> updates;
    ASSERT_OK(db_->GetUpdatesSince(1, &updates));
    ASSERT_TRUE(updates->Valid());
    const BatchResult found = updates->GetBatch();
    EXPECT_EQ(found.sequence, 1u);
    EXPECT_EQ(found.writeBatchPtr->Data().substr(8), batch.Data().substr(8));
    updates->Next();
    EXPECT_FALSE(updates->Valid());
    EXPECT_OK(updates->status());
    ASSERT_OK(Flush());
  }
  // A value that is gone is not passed over.
  ASSERT_OK(Put("x", Value(4)));
  ASSERT_OK(Put("x", "small"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  std::unique_ptr<TransactionLogIterator> updates;
  const Status s = db_->GetUpdatesSince(5, &updates);
  EXPECT_TRUE(s.IsNotFound()) << s.ToString();
}

TEST_F(DirectBlobsTest, SecondariesReadFilesThatAreWritten) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  std::unique_ptr<DB> other;
  Options options = options_;
  options.max_open_files = -1;
  ASSERT_OK(DB::OpenAsSecondary(options, path_, directory_.path() + "/second",
                                &other));
  const auto get = [&other](const std::string& key) {
    std::string value;
    const Status s = other->Get(ReadOptions(), key, &value);
    return s.ok() ? value : s.ToString();
  };
  EXPECT_EQ(get("a"), Value(1));
  ASSERT_OK(Put("b", Value(2)));
  ASSERT_OK(db_->Merge(WriteOptions(), "a", "m"));
  ASSERT_OK(other->TryCatchUpWithPrimary());
  EXPECT_EQ(get("a"), Value(1) + ",m");
  EXPECT_EQ(get("b"), Value(2));
  const std::unique_ptr<Iterator> old(other->NewIterator(ReadOptions()));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("c", Value(3)));
  ASSERT_OK(other->TryCatchUpWithPrimary());
  EXPECT_EQ(get("b"), Value(2));
  EXPECT_EQ(get("c"), Value(3));
  old->SeekToLast();
  ASSERT_TRUE(old->Valid()) << old->status().ToString();
  EXPECT_EQ(old->value(), Value(2));
}

TEST_F(DirectBlobsTest, ColumnsOfEntitiesGoByThemselves) {
  options_.blob_direct_write_partitions = 4;
  ASSERT_NO_FATAL_FAILURE(Open());
  const std::string large = Value(1), other = Value(2);
  const WideColumns columns{{"", large}, {"small", "s"}, {"x", other}};
  ASSERT_OK(
      db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "e", columns));
  EXPECT_EQ(BlobPaths().size(), 1u);  // One partition for all of it.
  for (int i = 0; i < 2; ++i) {
    PinnableWideColumns found;
    ASSERT_OK(
        db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), "e", &found));
    EXPECT_EQ(found.columns(), columns);
    EXPECT_EQ(Get("e"), large);
    ASSERT_OK(Flush());
  }
  EXPECT_EQ(BlobCount(), 1u);
}

TEST_F(DirectBlobsTest, WhatIsOverwrittenIsGarbageFromTheBeginning) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 10; ++i) ASSERT_OK(Put("a", Value(i)));
  ASSERT_OK(Put("b", Value(1)));
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_GT(Garbage(), 9u * 300);
  ASSERT_OK(Put("c", Value(2)));
  ASSERT_OK(Delete("c"));
  ASSERT_OK(Flush());
  // Nothing refers to the second one.
  EXPECT_EQ(BlobCount(), 1u);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(BlobPaths().size(), 1u);
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Garbage(), 0u);
  EXPECT_EQ(Get("a"), Value(9));
  EXPECT_EQ(Get("b"), Value(1));
}

TEST_F(DirectBlobsTest, PartitionsTakeTurns) {
  options_.blob_direct_write_partitions = 3;
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 9; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  EXPECT_EQ(BlobPaths().size(), 3u);
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), 3u);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(Get(Key(i)), Value(i));
  // Zero counts as one.
  options_.blob_direct_write_partitions = 0;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  for (int i = 0; i < 9; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  EXPECT_EQ(BlobPaths().size(), 4u);
}

TEST_F(DirectBlobsTest, AStrategyOfTheApplication) {
  options_.blob_direct_write_partitions = 2;
  options_.blob_direct_write_partition_strategy = std::make_shared<ByDigit>();
  ASSERT_NO_FATAL_FAILURE(Open());
  for (const char* key : {"0", "2", "4"}) ASSERT_OK(Put(key, Value(0)));
  EXPECT_EQ(BlobPaths().size(), 1u);
  ASSERT_OK(Put("3", Value(3)));
  EXPECT_EQ(BlobPaths().size(), 2u);
  // The write fails as a whole, and those after it do not.
  WriteBatch batch;
  ASSERT_OK(batch.Put("5", Value(5)));
  ASSERT_OK(batch.Put("6!", Value(6)));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsAborted());
  EXPECT_EQ(Get("5"), "NOT_FOUND");
  ASSERT_OK(Put("7", Value(7)));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("7"), Value(7));
  EXPECT_EQ(Get("4"), Value(0));
}

TEST_F(DirectBlobsTest, FullFilesAndOtherCodecsBeginAnother) {
  options_.blob_file_size = 1000;
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 8; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  EXPECT_EQ(BlobPaths().size(), 4u);
  ASSERT_OK(Put("huge", std::string(5000, 'h')));
  EXPECT_EQ(BlobPaths().size(), 5u);
  if (CompressionTypeSupported(kLZ4Compression)) {
    ASSERT_OK(db_->SetOptions({{"blob_compression_type", "kLZ4Compression"}}));
    ASSERT_OK(Put("zip", Value(1)));
    EXPECT_EQ(BlobPaths().size(), 6u);
    EXPECT_EQ(Get("zip"), Value(1));
  }
  ASSERT_OK(Flush());
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Get(Key(i)), Value(i));
  EXPECT_EQ(Get("huge"), std::string(5000, 'h'));
  ASSERT_OK(db_->VerifyChecksum());
}

TEST_F(DirectBlobsTest, OptionsThatChangeCountForTheNextWrite) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(db_->SetOptions({{"min_blob_size", "1000"}}));
  ASSERT_OK(Put("a", Value(1)));
  ASSERT_OK(db_->SetOptions(
      {{"min_blob_size", "10"}, {"enable_blob_files", "false"}}));
  ASSERT_OK(Put("b", Value(2)));
  EXPECT_EQ(BlobPaths().size(), 0u);
  ASSERT_OK(db_->SetOptions({{"enable_blob_files", "true"}}));
  ASSERT_OK(Put("c", Value(3)));
  EXPECT_EQ(BlobPaths().size(), 1u);
  EXPECT_TRUE(db_->SetOptions({{"experimental_mempurge_threshold", "1"}})
                  .IsNotSupported());
}

TEST_F(DirectBlobsTest, AFamilyWithoutItWritesAsEver) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ColumnFamilyOptions plain(options_);
  plain.enable_blob_direct_write = false;
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(plain, "plain", &family));
  WriteBatch batch;
  ASSERT_OK(batch.Put(family, "a", Value(1)));
  ASSERT_OK(batch.Put("a", Value(2)));
  ASSERT_OK(batch.PutLogData("remark"));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ(BlobPaths().size(), 1u);
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), family, "a", &value));
  EXPECT_EQ(value, Value(1));
  EXPECT_EQ(Get("a"), Value(2));
  // A family that goes takes its files along.
  ASSERT_OK(db_->DropColumnFamily(family));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
}

TEST_F(DirectBlobsTest, ADroppedFamilyLeavesNothing) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(
      db_->CreateColumnFamily(ColumnFamilyOptions(options_), "b", &family));
  ASSERT_OK(db_->Put(WriteOptions(), family, "a", Value(1)));
  EXPECT_EQ(BlobPaths().size(), 1u);
  ASSERT_OK(db_->DropColumnFamily(family));
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), family, "a", &value));
  EXPECT_EQ(value, Value(1));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(BlobPaths().size(), 0u);
}

// What memtables refer to outlives the family, and a log may be synced then.
TEST_F(DirectBlobsTest, LogsAreSyncedBesideDroppedFamilies) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(
      db_->CreateColumnFamily(ColumnFamilyOptions(options_), "b", &family));
  ASSERT_OK(db_->Put(WriteOptions(), family, "a", Value(1)));
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), family));
  ASSERT_OK(db_->DropColumnFamily(family));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
  ASSERT_OK(Put("x", Value(2)));
  ASSERT_OK(db_->SyncWAL());
  WriteOptions sync;
  sync.sync = true;
  ASSERT_OK(db_->Put(sync, "y", Value(3)));
  ASSERT_OK(Flush());
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid()) << it->status().ToString();
  EXPECT_EQ(it->value(), Value(1));
  it.reset();
  ASSERT_OK(db_->SyncWAL());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(BlobPaths().size(), 1u);
}

TEST_F(DirectBlobsTest, CloseFlushesAlways) {
  options_.avoid_flush_during_shutdown = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  options_.enable_blob_direct_write = false;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_EQ(Get("a"), Value(1));
}

TEST_F(DirectBlobsTest, CheckpointsWantAFlush) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  Checkpoint* raw = nullptr;
  ASSERT_OK(Checkpoint::Create(db_.get(), &raw));
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  const std::string copy = directory_.path() + "/copy";
  const Status s = checkpoint->CreateCheckpoint(copy, UINT64_MAX);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("Blob direct write requires flushing"),
            std::string::npos);
  ASSERT_OK(checkpoint->CreateCheckpoint(copy, 0));
  // Nothing is due: what the logs refer to comes along.
  ASSERT_OK(Put("b", Value(2)));
  const std::string second = directory_.path() + "/second";
  ASSERT_OK(checkpoint->CreateCheckpoint(second, 1 << 30));
  path_ = copy;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Get("a"), Value(1));
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  path_ = second;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Get("a"), Value(1));
  EXPECT_EQ(Get("b"), Value(2));
  EXPECT_EQ(BlobCount(), 2u);
}

// Writes behind each flush, so that a backup meets a file that is written.
class WritesAfterFlushes final : public EventListener {
 public:
  void OnFlushCompleted(DB* db, const FlushJobInfo&) override {
    const std::string key = "after" + std::to_string(count_++);
    EXPECT_OK(db->Put(WriteOptions(), key, std::string(500, 'w')));
  }

 private:
  int count_ = 0;
};

TEST_F(DirectBlobsTest, BackupsHaveWhatTheirLogsReferTo) {
  options_.listeners.push_back(std::make_shared<WritesAfterFlushes>());
  ASSERT_NO_FATAL_FAILURE(Open());
  BackupEngine* raw = nullptr;
  BackupEngineOptions backups(directory_.path() + "/backups");
  ASSERT_OK(BackupEngine::Open(backups, Env::Default(), &raw));
  const std::unique_ptr<BackupEngine> engine(raw);
  ASSERT_OK(Put("a", Value(1)));
  EXPECT_TRUE(engine->CreateNewBackup(db_.get()).IsNotSupported());
  CreateBackupOptions flushing;
  flushing.flush_before_backup = true;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(engine->CreateNewBackup(flushing, db_.get()));
  }
  std::vector<BackupInfo> made;
  engine->GetBackupInfo(&made);
  ASSERT_EQ(made.size(), 3u);
  for (size_t i = 0; i < made.size(); ++i) {
    ASSERT_OK(engine->VerifyBackup(made[i].backup_id, true));
    const std::string copy = directory_.path() + "/copy" + std::to_string(i);
    ASSERT_OK(engine->RestoreDBFromBackup(made[i].backup_id, copy, copy));
    Options plain = options_;
    plain.listeners.clear();
    std::unique_ptr<DB> restored;
    ASSERT_OK(DB::Open(plain, copy, &restored));
    const std::unique_ptr<Iterator> it(restored->NewIterator(ReadOptions()));
    size_t count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      EXPECT_GE(it->value().size(), 300u);
      ++count;
    }
    EXPECT_OK(it->status());
    EXPECT_EQ(count, i + 2);
  }
}

TEST_F(DirectBlobsTest, BatchesThatBecomeMemtablesAreRefused) {
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto batch = std::make_shared<WriteBatchWithIndex>();
  ASSERT_OK(batch->Put("a", Value(1)));
  EXPECT_TRUE(
      db_->IngestWriteBatchWithIndex(WriteOptions(), batch).IsNotSupported());
}

// Beside transactions: what they write goes its own way, and what goes past
// them is written as ever. A copy of the files is as a kill leaves them.
TEST_F(DirectBlobsTest, BesideTransactionsOfEveryPolicy) {
  for (const TxnDBWritePolicy policy :
       {WRITE_COMMITTED, WRITE_PREPARED, WRITE_UNPREPARED}) {
    SCOPED_TRACE(static_cast<int>(policy));
    const std::string tag = std::to_string(static_cast<int>(policy));
    const std::string path = directory_.path() + "/txn" + tag;
    TransactionDBOptions kind;
    kind.write_policy = policy;
    TransactionDB* raw = nullptr;
    ASSERT_OK(TransactionDB::Open(options_, kind, path, &raw));
    std::unique_ptr<TransactionDB> db(raw);
    ASSERT_OK(db->Put(WriteOptions(), "plain", Value(1)));
    for (const bool is_prepared : {false, true}) {
      const std::unique_ptr<Transaction> txn(
          db->BeginTransaction(WriteOptions()));
      const std::string name = is_prepared ? "prepared" : "whole";
      ASSERT_OK(txn->SetName(name));
      ASSERT_OK(txn->Put(name, Value(2)));
      ASSERT_OK(txn->Merge("plain", name));
      if (is_prepared) ASSERT_OK(txn->Prepare());
      ASSERT_OK(txn->Commit());
    }
    ASSERT_OK(db->Put(WriteOptions(), "last", Value(3)));
    const std::string copy = path + ".copy";
    ASSERT_OK(db->SyncWAL());
    std::filesystem::copy(path, copy);
    for (int i = 0; i < 3; ++i) {
      for (const auto& [key, value] : std::map<std::string, std::string>{
               {"plain", Value(1) + ",whole,prepared"},
               {"whole", Value(2)},
               {"prepared", Value(2)},
               {"last", Value(3)}}) {
        std::string found;
        ASSERT_OK(db->Get(ReadOptions(), key, &found));
        EXPECT_EQ(found, value) << key;
      }
      if (i == 0) ASSERT_OK(db->Flush(FlushOptions()));
      if (i != 1) continue;
      db.reset();
      ASSERT_OK(TransactionDB::Open(options_, kind, copy, &raw));
      db.reset(raw);
    }
  }
}

TEST_F(DirectBlobsTest, ProtectedEntries) {
  options_.memtable_protection_bytes_per_key = 8;
  ASSERT_NO_FATAL_FAILURE(Open());
  WriteOptions write;
  write.protection_bytes_per_key = 8;
  ASSERT_OK(db_->Put(write, "a", Value(1)));
  EXPECT_EQ(BlobPaths().size(), 1u);
  EXPECT_EQ(Get("a"), Value(1));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), Value(1));
}

TEST_F(DirectBlobsTest, BlobsAreCachedAsTheyAreWritten) {
  options_.blob_cache = NewLRUCache(1 << 20);
  options_.prepopulate_blob_cache = PrepopulateBlobCache::kFlushOnly;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", Value(1)));
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 1u);
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  std::string value;
  ASSERT_OK(db_->Get(cached, "a", &value));
  EXPECT_EQ(value, Value(1));
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_HIT), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
