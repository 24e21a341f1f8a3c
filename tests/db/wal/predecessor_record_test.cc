// A log's note of how far its predecessor went is read back, and to older
// readers it is an empty batch.
#include "db/wal/predecessor_record.h"

#include <gtest/gtest.h>

#include "db/wal/write_batch_internal.h"
#include "rocksdb/write_batch.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(PredecessorRecordTest, RoundTrip) {
  const std::string record = EncodePredecessor({17, 12345, 678}, 99);
  LogPredecessor decoded;
  ASSERT_TRUE(DecodePredecessor(record, &decoded));
  EXPECT_EQ(decoded.log_number, 17u);
  EXPECT_EQ(decoded.next_sequence, 12345u);
  EXPECT_EQ(decoded.end, 678u);
}

// Older logs have it so.
TEST(PredecessorRecordTest, MayNotSayWhereTheLastRecordEnds) {
  std::string blob = "basalt.log.predecessor";
  PutFixed64(&blob, 17);
  PutFixed64(&blob, 12345);
  WriteBatch batch;
  ASSERT_TRUE(batch.PutLogData(blob).ok());
  LogPredecessor decoded{.end = 5};
  ASSERT_TRUE(DecodePredecessor(batch.Data(), &decoded));
  EXPECT_EQ(decoded.log_number, 17u);
  EXPECT_EQ(decoded.next_sequence, 12345u);
  EXPECT_EQ(decoded.end, 0u);
}

// To whoever does not know it, it is a batch that does nothing.
TEST(PredecessorRecordTest, IsABatchWithoutData) {
  WriteBatch batch;
  const std::string record = EncodePredecessor({17, 12345}, 99);
  ASSERT_TRUE(WriteBatchInternal::SetContents(&batch, record).ok());
  EXPECT_EQ(batch.Count(), 0u);
  EXPECT_EQ(WriteBatchInternal::Sequence(batch), 99u);
  class Nothing : public WriteBatch::Handler {
   public:
    void LogData(const Slice&) override { ++blobs; }
    int blobs = 0;
  } handler;
  ASSERT_TRUE(batch.Iterate(&handler).ok());
  EXPECT_EQ(handler.blobs, 1);
}

TEST(PredecessorRecordTest, NothingElseIsTakenForOne) {
  LogPredecessor decoded;
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("key", "value").ok());
  EXPECT_FALSE(DecodePredecessor(batch.Data(), &decoded));
  batch.Clear();
  ASSERT_TRUE(batch.PutLogData(std::string(38, 'x')).ok());
  EXPECT_FALSE(DecodePredecessor(batch.Data(), &decoded));
  const std::string record = EncodePredecessor({1, 2}, 3);
  for (size_t n = 12; n < record.size(); ++n) {
    EXPECT_FALSE(DecodePredecessor(Slice(record.data(), n), &decoded)) << n;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
