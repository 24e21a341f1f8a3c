// Values that go to blob files before the log has the references to them
// (enable_blob_direct_write).

#include <algorithm>
#include <set>
#include <stdexcept>

#include "rocksdb/blob_file_partition_strategy.h"
#include "rocksdb/convenience.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/utilities/checkpoint.h"
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

TEST_F(DirectBlobsTest, BatchesThatBecomeMemtablesAreRefused) {
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto batch = std::make_shared<WriteBatchWithIndex>();
  ASSERT_OK(batch->Put("a", Value(1)));
  EXPECT_TRUE(
      db_->IngestWriteBatchWithIndex(WriteOptions(), batch).IsNotSupported());
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
