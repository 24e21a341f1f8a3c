// Batches made of somebody's bytes, or asking for what cannot be: refused
// before they are logged, so that the database opens again.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "rocksdb/write_batch.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BatchBytesTest : public FamiliesFixture {
 protected:
  // A batch of one update of each length of record.
  static std::string GoodBytes() {
    WriteBatch batch;
    EXPECT_OK(batch.Put("put", "1"));
    EXPECT_OK(batch.Delete("deleted"));
    EXPECT_OK(batch.DeleteRange("ra", "rb"));
    EXPECT_OK(batch.PutLogData("log"));
    EXPECT_OK(batch.Put("last", std::string(200, 'v')));
    return batch.Data();
  }
  Status WriteBytesOf(const std::string& bytes, bool sync = false) {
    WriteBatch batch(bytes);
    WriteOptions options;
    options.sync = sync;
    return db_->Write(options, &batch);
  }
  // What was there before is, and nothing else.
  void ExpectUntouched() {
    EXPECT_EQ(Scan(), "before=1 ");
    Reopen();
    EXPECT_EQ(Scan(), "before=1 ");
  }
};

TEST_F(BatchBytesTest, GoodBytesAreWritten) {
  Open();
  ASSERT_OK(WriteBytesOf(GoodBytes(), /*sync=*/true));
  EXPECT_EQ(Get("put"), "1");
  Reopen();
  EXPECT_EQ(Get("put"), "1");
  EXPECT_EQ(Get("last"), std::string(200, 'v'));
}

TEST_F(BatchBytesTest, BytesCutAnywhereAreRefused) {
  Open();
  ASSERT_OK(Put("before", "1"));
  const std::string good = GoodBytes();
  for (size_t size = 0; size < good.size(); ++size) {
    const Status s = WriteBytesOf(good.substr(0, size));
    EXPECT_TRUE(s.IsCorruption()) << size << ": " << s.ToString();
  }
  ExpectUntouched();
}

TEST_F(BatchBytesTest, WrongTagsLengthsAndCountsAreRefused) {
  Open();
  ASSERT_OK(Put("before", "1"));
  const std::string good = GoodBytes();
  // Header of 12 bytes: the count stands in 8..11; then the first tag, and
  // the length of its key.
  for (const auto& [at, byte] : std::vector<std::pair<size_t, char>>{
           {8, 3}, {8, 5}, {11, 1}, {12, '\x7e'}, {12, '\xff'}, {13, '\x7f'}}) {
    std::string damaged = good;
    damaged[at] = byte;
    const Status s = WriteBytesOf(damaged);
    EXPECT_TRUE(s.IsCorruption()) << at << ": " << s.ToString();
  }
  ExpectUntouched();
}

// A copy, an assignment, a batch that was added to and rolled back: the bytes
// are still somebody's.
TEST_F(BatchBytesTest, TheCheckIsNotLostOnTheWay) {
  Open();
  ASSERT_OK(Put("before", "1"));
  const std::string good = GoodBytes();
  const WriteBatch bad(good.substr(0, good.size() - 1));
  WriteBatch copy(bad);
  WriteBatch assigned;
  assigned = bad;
  WriteBatch moved(std::move(copy));
  WriteBatch rolled_back(bad);
  rolled_back.SetSavePoint();
  ASSERT_OK(rolled_back.Put("k", "v"));
  ASSERT_OK(rolled_back.RollbackToSavePoint());
  EXPECT_TRUE(rolled_back.HasPut());
  for (WriteBatch* batch : {&assigned, &moved, &rolled_back}) {
    EXPECT_TRUE(db_->Write(WriteOptions(), batch).IsCorruption());
  }
  ExpectUntouched();
  rolled_back.Clear();
  ASSERT_OK(rolled_back.Put("after", "2"));
  ASSERT_OK(db_->Write(WriteOptions(), &rolled_back));
  EXPECT_EQ(Get("after"), "2");
}

TEST_F(BatchBytesTest, PreparedSectionsAreRefused) {
  Open();
  ASSERT_OK(Put("before", "1"));
  // Header without updates, then kTypeBeginPrepareXID.
  const Status s = WriteBytesOf(std::string(12, '\0') + '\x09');
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  ExpectUntouched();
}

TEST_F(BatchBytesTest, ARangeThatEndsBeforeItBegins) {
  Open();
  ASSERT_OK(Put("before", "1"));
  WriteBatch batch;
  ASSERT_OK(batch.Put("k", "v"));
  ASSERT_OK(batch.DeleteRange("z", "a"));
  Status s = db_->Write(WriteOptions(), &batch);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  s = db_->DeleteRange(WriteOptions(), "z", "a");
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  ExpectUntouched();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
