// Blob files of families with persist_user_defined_timestamps = false: records
// have zeros in the place of timestamps, as in RocksDB, and garbage is counted
// so. Files from before or after the family had timestamps are other.
#include <string>

#include "db/blob/blob_format.h"
#include "rocksdb/comparator.h"
#include "tests/db/impl/blob_fixture.h"
#include "tests/db/impl/timestamp_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kCount = 20;

class LeftOutTimestampsBlobsTest : public BlobFixture {
 protected:
  LeftOutTimestampsBlobsTest() {
    options_.allow_concurrent_memtable_write = false;
    SetTimestamps(true);
  }

  void SetTimestamps(bool has_timestamps) {
    options_.comparator =
        has_timestamps ? BytewiseComparatorWithU64Ts() : BytewiseComparator();
    options_.persist_user_defined_timestamps = !has_timestamps;
  }
  Status PutAt(int i, uint64_t ts, int version) {
    return db_->Put(WriteOptions(), Key(i), Ts(ts), Value(i, version));
  }
  void WriteAll(uint64_t ts, int version, int step = 1) {
    for (int i = 0; i < kCount; i += step) ASSERT_OK(PutAt(i, ts, version));
  }
  void DeleteAll(uint64_t ts) {
    for (int i = 0; i < kCount; ++i) {
      ASSERT_OK(db_->Delete(WriteOptions(), Key(i), Ts(ts)));
    }
  }
  // Every step-th key has a newer version than the others.
  void ExpectAll(int version, int newer, int step) {
    const AsOf all(UINT64_MAX);
    const ReadOptions read =
        options_.comparator->timestamp_size() > 0 ? all.options : ReadOptions();
    for (int i = 0; i < kCount; ++i) {
      std::string value;
      const Status s = db_->Get(read, Key(i), &value);
      ASSERT_TRUE(s.ok()) << i << ": " << s.ToString();
      EXPECT_EQ(value, Value(i, i % step == 0 ? newer : version)) << i;
    }
  }
  // The bytes of the record of one such value.
  static uint64_t RecordBytes(int i, size_t timestamp_size = 8) {
    return BlobValueOffset(Key(i).size() + timestamp_size) + Value(i).size();
  }
  static uint64_t BytesOfEvery(int step) {
    uint64_t bytes = 0;
    for (int i = 0; i < kCount; i += step) bytes += RecordBytes(i);
    return bytes;
  }
};

TEST_F(LeftOutTimestampsBlobsTest, RecordsHaveZerosInThePlaceOfTimestamps) {
  Open();
  ASSERT_OK(PutAt(1, 0x1122334455667788, 1));
  ASSERT_OK(Flush());
  ASSERT_EQ(BlobPaths().size(), 1u);
  std::string bytes;
  ASSERT_OK(ReadFileToString(options_.env, BlobPaths()[0], &bytes));
  const std::string key = Key(1) + std::string(8, '\0');
  ASSERT_EQ(bytes.size(), BlobFile::kFrameBytes + RecordBytes(1));
  EXPECT_OK(CheckBlobRecord(
      Slice(bytes.data() + BlobFileHeader::kBytes, RecordBytes(1)), key,
      Value(1).size()));
  ColumnFamilyMetaData metadata;
  db_->GetColumnFamilyMetaData(&metadata);
  ASSERT_EQ(metadata.blob_files.size(), 1u);
  EXPECT_EQ(metadata.blob_files[0].total_blob_bytes, RecordBytes(1));
}

TEST_F(LeftOutTimestampsBlobsTest, GarbageAddsUpUntilFilesGo) {
  for (const bool collects : {false, true}) {
    SCOPED_TRACE(collects);
    path_ = directory_.path() + (collects ? "/collects" : "/keeps");
    options_.enable_blob_garbage_collection = collects;
    options_.blob_garbage_collection_age_cutoff = 1.0;
    Open();
    WriteAll(5, 1);
    ASSERT_OK(Flush());
    EXPECT_EQ(Garbage(), 0u);
    WriteAll(6, 2, 3);
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
    EXPECT_EQ(Garbage(), collects ? 0 : BytesOfEvery(3));
    Reopen();
    EXPECT_EQ(Garbage(), collects ? 0 : BytesOfEvery(3));
    ExpectAll(1, 2, 3);
    DeleteAll(7);
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
    EXPECT_EQ(BlobCount(), 0u);
    ASSERT_OK(PutAt(0, 8, 1));
    ASSERT_OK(Flush());
    Reopen();
    EXPECT_EQ(BlobCount(), 1u);
    db_.reset();
    EXPECT_EQ(BlobPaths().size(), 1u);
  }
}

TEST_F(LeftOutTimestampsBlobsTest, FilesAreFullWithTheZeros) {
  options_.blob_file_size = BlobFileHeader::kBytes + 2 * RecordBytes(0);
  Open();
  WriteAll(5, 1);
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), kCount / 2u);
  options_.blob_file_size += 10;  // less than the zeros of two keys
  path_ = directory_.path() + "/larger";
  Open();
  WriteAll(5, 1);
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), (kCount + 2) / 3u);
}

// Records that were written before are shorter than they are counted
// afterwards: RocksDB refuses to count that, and all later writes.
TEST_F(LeftOutTimestampsBlobsTest, AFamilyGetsTimestampsAndLosesThem) {
  SetTimestamps(false);
  Open();
  ASSERT_NO_FATAL_FAILURE(WriteFile(1, kCount));
  const uint64_t total = IntProperty("total-blob-file-size");
  EXPECT_EQ(total, BlobFile::kFrameBytes + BytesOfEvery(1) - kCount * 8u);
  SetTimestamps(true);
  Reopen();
  ExpectAll(1, 1, 1);
  for (int i = 0; i < kCount - 1; ++i) {
    ASSERT_OK(PutAt(i, 5 + static_cast<uint64_t>(i), 2));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
  }
  const uint64_t counted = BytesOfEvery(1) - RecordBytes(kCount - 1);
  EXPECT_EQ(Garbage(), counted);
  Reopen();
  EXPECT_EQ(Garbage(), counted);
  // The last one is counted with more than the file has left.
  EXPECT_GT(BytesOfEvery(1), total - BlobFile::kFrameBytes);
  ASSERT_OK(PutAt(kCount - 1, 100, 2));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Garbage(), 0u);
  ExpectAll(2, 2, 1);
  // And these are longer.
  SetTimestamps(false);
  Reopen();
  ExpectAll(2, 2, 1);
  EXPECT_EQ(Scan().substr(0, Key(0).size() + 1), Key(0) + "=");
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 0.5;
  Reopen();
  ASSERT_NO_FATAL_FAILURE(WriteFile(3, kCount, 3));
  ASSERT_OK(CompactAll(true));
  Reopen();
  ExpectAll(2, 3, 3);
  for (int i = 0; i < kCount; ++i) ASSERT_OK(Delete(Key(i)));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 0u);
}

// Values are not written first where keys have timestamps, but logs may refer
// to such from before.
TEST_F(LeftOutTimestampsBlobsTest, LogsFromBeforeReferToShorterRecords) {
  SetTimestamps(false);
  options_.enable_blob_direct_write = true;
  Open();
  for (int i = 0; i < kCount; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  SetTimestamps(true);
  EXPECT_TRUE(TryOpen().IsNotSupported());
  options_.enable_blob_direct_write = false;
  options_.avoid_flush_during_recovery = true;
  Reopen();
  ExpectAll(1, 1, 1);
  ASSERT_OK(PutAt(0, 5, 2));
  ASSERT_OK(Flush());
  ExpectAll(1, 2, kCount);
  Reopen();
  ExpectAll(1, 2, kCount);
  DeleteAll(6);
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
