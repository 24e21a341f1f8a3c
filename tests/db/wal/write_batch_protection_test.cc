// Checksums of the updates of a batch: kept through everything that changes a
// batch, and missing no flipped bit.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "db/wal/write_batch_internal.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {
namespace {

WriteBatch Protected() { return WriteBatch(0, 0, 8, 0); }

void Fill(WriteBatch* batch) {
  ASSERT_TRUE(batch->Put("key", "value").ok());
  ASSERT_TRUE(batch->Delete("gone").ok());
  ASSERT_TRUE(batch->PutLogData("not counted").ok());
  ASSERT_TRUE(batch->Merge("sum", "1").ok());
  ASSERT_TRUE(batch->SingleDelete("once").ok());
  ASSERT_TRUE(batch->DeleteRange("a", "b").ok());
  ASSERT_TRUE(batch->TimedPut(nullptr, "t", "v", 77).ok());
  ASSERT_TRUE(batch->PutEntity(nullptr, "e", {{"c", "1"}, {"b", "2"}}).ok());
  const Slice key[] = {"in", "pieces"};
  const Slice value[] = {"of", "", "three"};
  ASSERT_TRUE(batch->Put(SliceParts(key, 2), SliceParts(value, 3)).ok());
}

TEST(WriteBatchProtection, EveryKindOfUpdate) {
  WriteBatch batch = Protected();
  Fill(&batch);
  EXPECT_EQ(batch.GetProtectionBytesPerKey(), 8u);
  EXPECT_TRUE(batch.VerifyChecksum().ok());
  // The same as when they are taken afterwards.
  WriteBatch late;
  Fill(&late);
  EXPECT_EQ(late.GetProtectionBytesPerKey(), 0u);
  ASSERT_TRUE(WriteBatchInternal::AddProtection(&late).ok());
  EXPECT_EQ(*WriteBatchInternal::Protection(late),
            *WriteBatchInternal::Protection(batch));
}

TEST(WriteBatchProtection, EveryFlippedBit) {
  WriteBatch batch = Protected();
  Fill(&batch);
  std::string* rep = const_cast<std::string*>(&batch.Data());
  const size_t log_data = rep->find("not counted");
  for (size_t i = 12; i < rep->size(); ++i) {
    // Which kind of record it is that is no update, is not covered.
    if (i + 2 == log_data) continue;
    const bool is_log_data = i >= log_data && i < log_data + 11;
    for (int bit = 0; bit < 8; ++bit) {
      (*rep)[i] ^= static_cast<char>(1 << bit);
      EXPECT_EQ(batch.VerifyChecksum().ok(), is_log_data)
          << "byte " << i << ", bit " << bit;
      (*rep)[i] ^= static_cast<char>(1 << bit);
    }
  }
  EXPECT_TRUE(batch.VerifyChecksum().ok());
}

TEST(WriteBatchProtection, SavePointsCopiesAndClear) {
  WriteBatch batch = Protected();
  ASSERT_TRUE(batch.Put("a", "1").ok());
  batch.SetSavePoint();
  Fill(&batch);
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_TRUE(batch.VerifyChecksum().ok());
  ASSERT_TRUE(batch.Put("b", "2").ok());
  WriteBatch copy = batch;
  EXPECT_TRUE(copy.VerifyChecksum().ok());
  ASSERT_TRUE(copy.Put("c", "3").ok());
  EXPECT_EQ(WriteBatchInternal::Protection(copy)->size(), 3u);
  EXPECT_EQ(WriteBatchInternal::Protection(batch)->size(), 2u);
  WriteBatch moved = std::move(copy);
  EXPECT_TRUE(moved.VerifyChecksum().ok());
  batch = moved;
  EXPECT_EQ(batch.Count(), 3u);
  EXPECT_TRUE(batch.VerifyChecksum().ok());
  batch.Clear();
  EXPECT_EQ(batch.GetProtectionBytesPerKey(), 8u);
  Fill(&batch);
  EXPECT_TRUE(batch.VerifyChecksum().ok());
}

TEST(WriteBatchProtection, TimestampsThatComeLater) {
  const auto eight = [](uint32_t) { return size_t{8}; };
  WriteBatch batch(0, 0, 8, /*default_cf_ts_sz=*/8);
  ASSERT_TRUE(batch.Put("key", "value").ok());
  ASSERT_TRUE(batch.Delete("gone").ok());
  ASSERT_TRUE(batch.DeleteRange("a", "b").ok());
  for (const char* timestamp : {"12345678", "abcdefgh"}) {
    ASSERT_TRUE(batch.UpdateTimestamps(timestamp, eight).ok());
    EXPECT_TRUE(batch.VerifyChecksum().ok());
  }
  // What was changed by mistake before is not taken for right.
  std::string* rep = const_cast<std::string*>(&batch.Data());
  (*rep)[rep->find("value")] ^= 1;
  ASSERT_TRUE(batch.UpdateTimestamps("12345678", eight).ok());
  EXPECT_TRUE(batch.VerifyChecksum().IsCorruption());
}

TEST(WriteBatchProtection, JoinedBatches) {
  using Part = WriteBatchInternal::Part;
  WriteBatch target = Protected();
  WriteBatch source = Protected();
  Fill(&target);
  Fill(&source);
  source.MarkWalTerminationPoint();
  ASSERT_TRUE(source.Put("behind", "").ok());
  ASSERT_TRUE(
      WriteBatchInternal::Append(&target, source, Part::kUpToWalTermination)
          .ok());
  EXPECT_TRUE(target.VerifyChecksum().ok());
  EXPECT_EQ(WriteBatchInternal::Protection(target)->size(), target.Count());
  // With one that has none, none is left.
  WriteBatch plain;
  ASSERT_TRUE(plain.Put("x", "y").ok());
  ASSERT_TRUE(WriteBatchInternal::Append(&target, plain, Part::kAll).ok());
  EXPECT_EQ(target.GetProtectionBytesPerKey(), 0u);
  EXPECT_TRUE(target.VerifyChecksum().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
