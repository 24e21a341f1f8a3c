// Entries of memtables that memory has changed, as users of a database see it.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice_transform.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MemTableChecksTest : public DbFixture {
 protected:
  MemTableChecksTest() {
    options_.memtable_protection_bytes_per_key = 8;
    options_.merge_operator = NewStringAppendOperator(",");
  }
  // Where the memtable has the value of a key.
  char* PlaceOf(const std::string& key) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek(key);
    EXPECT_TRUE(it->Valid());
    EXPECT_EQ(it->key(), key);
    // Pinned for as long as the memtable lives.
    return const_cast<char*>(it->value().data());
  }
  void Damage(const std::string& key) { *PlaceOf(key) ^= 1; }

  static bool IsDamage(const Status& s) {
    return s.IsCorruption() &&
           s.ToString().find("memtable") != std::string::npos;
  }
};

TEST_F(MemTableChecksTest, ReadsAndFlushesAnswerCorruption) {
  Open();
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, "value"));
  EXPECT_EQ(Scan(), "a=value b=value c=value ");
  Damage("b");
  std::string value;
  EXPECT_TRUE(IsDamage(db_->Get(ReadOptions(), "b", &value)));
  EXPECT_EQ(Get("a"), "value");
  const std::vector<Slice> keys = {"a", "b", "c"};
  std::vector<std::string> values;
  const auto statuses = db_->MultiGet(ReadOptions(), keys, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_TRUE(IsDamage(statuses[1]));
  EXPECT_OK(statuses[2]);
  {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    it->Next();
    EXPECT_FALSE(it->Valid());
    EXPECT_TRUE(IsDamage(it->status()));
  }
  EXPECT_TRUE(IsDamage(Flush()));
  // Nothing is built on top of it; reads go on.
  EXPECT_FALSE(Put("d", "value").ok());
  EXPECT_EQ(Get("c"), "value");
  db_.reset();
  // The log has what was written.
  Open();
  EXPECT_EQ(Scan(), "a=value b=value c=value ");
}

TEST_F(MemTableChecksTest, OffIsOff) {
  options_.memtable_protection_bytes_per_key = 0;
  Open();
  ASSERT_OK(Put("b", "value"));
  Damage("b");
  EXPECT_EQ(Get("b"), "walue");
  ASSERT_OK(Flush());
}

TEST_F(MemTableChecksTest, EveryKindOfUpdateUnderEveryCheck) {
  options_.paranoid_memory_checks = true;
  options_.memtable_verify_per_key_checksum_on_seek = true;
  options_.memtable_prefix_bloom_size_ratio = 0.1;
  options_.memtable_whole_key_filtering = true;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  for (const uint32_t bytes : {0u, 1u, 2u, 4u, 8u}) {
    SCOPED_TRACE(bytes);
    options_.memtable_protection_bytes_per_key = bytes;
    Reopen();
    for (const size_t batch_bytes : {size_t{0}, size_t{8}}) {
      WriteBatch batch(0, 0, batch_bytes, 0);
      ASSERT_OK(batch.Put("a", "1"));
      ASSERT_OK(batch.Merge("a", "2"));
      ASSERT_OK(batch.Put("b", "3"));
      ASSERT_OK(batch.Put("c", "4"));
      ASSERT_OK(batch.Put("d", "5"));
      ASSERT_OK(batch.Delete("b"));
      ASSERT_OK(batch.SingleDelete("d"));
      ASSERT_OK(batch.DeleteRange("c", "d"));
      ASSERT_OK(batch.TimedPut(nullptr, "e", "6", 1));
      const WideColumns entity{{kDefaultWideColumnName, "7"}, {"other", "8"}};
      ASSERT_OK(batch.PutEntity(nullptr, "f", entity));
      ASSERT_OK(db_->Write(WriteOptions(), &batch));
      EXPECT_EQ(Scan(), "a=1,2 e=6 f=7 ");
      EXPECT_EQ(ScanBackward(), "f=7 e=6 a=1,2 ");
      for (const char* gone : {"b", "c", "d"}) {
        EXPECT_EQ(Get(gone), "NOT_FOUND");
      }
      EXPECT_EQ(Get("a"), "1,2");
    }
    ASSERT_OK(Flush());
    EXPECT_EQ(Scan(), "a=1,2 e=6 f=7 ");
  }
}

TEST_F(MemTableChecksTest, ChangesApplyToTheNextMemtable) {
  options_.memtable_protection_bytes_per_key = 0;
  Open();
  ASSERT_OK(db_->SetOptions({{"memtable_protection_bytes_per_key", "4"}}));
  ASSERT_OK(Put("a", "value"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "value"));
  Damage("b");
  std::string value;
  EXPECT_TRUE(IsDamage(db_->Get(ReadOptions(), "b", &value)));
}

TEST_F(MemTableChecksTest, OtherSizesAreRefused) {
  for (const uint32_t bytes : {3u, 5u, 16u}) {
    options_.memtable_protection_bytes_per_key = bytes;
    EXPECT_TRUE(TryOpen().IsNotSupported()) << bytes;
  }
  options_.memtable_protection_bytes_per_key = 0;
  Open();
  EXPECT_TRUE(db_->SetOptions({{"memtable_protection_bytes_per_key", "3"}})
                  .IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
