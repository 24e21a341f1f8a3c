// External files whose keys have timestamps.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/sst_file_reader.h"
#include "tests/db/impl/ingest_fixture.h"
#include "tests/db/impl/timestamp_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimestampIngestTest : public IngestFixture {
 protected:
  TimestampIngestTest() { options_.comparator = BytewiseComparatorWithU64Ts(); }

  std::string MakeSample() {
    return Make([](SstFileWriter* writer) {
      EXPECT_OK(writer->Put("a", Ts(5), "a5"));
      EXPECT_OK(writer->Put("a", Ts(2), "a2"));
      EXPECT_OK(writer->Delete("b", Ts(4)));
      EXPECT_OK(writer->Put("b", Ts(1), "b1"));
      EXPECT_OK(writer->DeleteRange("x", "z", Ts(3)));
    });
  }
  std::string GetAt(const std::string& key, uint64_t ts) {
    std::string value, timestamp;
    const Status s = db_->Get(AsOf(ts).options, key, &value, &timestamp);
    if (s.ok()) return value + "@" + std::to_string(TsOf(timestamp));
    return s.IsNotFound() ? "none" : s.ToString();
  }
};

TEST_F(TimestampIngestTest, AllVersionsAreThere) {
  Open();
  ASSERT_OK(Ingest({MakeSample()}));
  for (const bool is_reopened : {false, true}) {
    EXPECT_EQ(GetAt("a", 9), "a5@5");
    EXPECT_EQ(GetAt("a", 4), "a2@2");
    EXPECT_EQ(GetAt("a", 1), "none");
    EXPECT_EQ(GetAt("b", 3), "b1@1");
    EXPECT_EQ(GetAt("b", 4), "none");
    if (!is_reopened) Reopen();
  }
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("a", 4), "a2@2");
  EXPECT_EQ(GetAt("b", 3), "b1@1");
}

TEST_F(TimestampIngestTest, KeysMustNotOverlapOthers) {
  Open();
  ASSERT_OK(db_->Put(WriteOptions(), "a", Ts(1), "old"));
  EXPECT_TRUE(Ingest({MakeSample()}).IsInvalidArgument());
  EXPECT_EQ(GetAt("a", 9), "old@1");
  const std::string first = MakeSample(), second = MakeSample();
  std::unique_ptr<DB> other;
  EXPECT_TRUE(Ingest({first, second}).IsInvalidArgument());
  IngestExternalFileOptions behind;
  behind.ingest_behind = true;
  EXPECT_TRUE(Ingest({first}, behind).IsNotSupported());
  EXPECT_EQ(GetAt("a", 9), "old@1");
  const std::string apart = Make(
      [](SstFileWriter* writer) { EXPECT_OK(writer->Put("c", Ts(1), "c1")); });
  ASSERT_OK(Ingest({apart}));
  EXPECT_EQ(GetAt("c", 1), "c1@1");
}

TEST_F(TimestampIngestTest, TheWriterChecksOrderAndTimestamps) {
  (void)Make([](SstFileWriter* writer) {
    EXPECT_TRUE(writer->Put("a", "v").IsInvalidArgument());
    EXPECT_TRUE(writer->Put("a", "1234", "v").IsInvalidArgument());
    EXPECT_TRUE(writer->Delete("a").IsInvalidArgument());
    EXPECT_TRUE(writer->Merge("a", "v").IsInvalidArgument());
    EXPECT_TRUE(writer->DeleteRange("a", "b").IsInvalidArgument());
    EXPECT_OK(writer->Put("a", Ts(2), "v"));
    EXPECT_TRUE(writer->Put("a", Ts(2), "v").IsInvalidArgument());
    EXPECT_TRUE(writer->Put("a", Ts(3), "v").IsInvalidArgument());
    EXPECT_OK(writer->Put("a", Ts(1), "v"));
    EXPECT_OK(writer->Put("b", Ts(9), "v"));
  });
  options_.comparator = BytewiseComparator();
  (void)Make([](SstFileWriter* writer) {
    EXPECT_TRUE(writer->Put("a", Ts(1), "v").IsInvalidArgument());
    EXPECT_OK(writer->Put("a", "v"));
  });
}

TEST_F(TimestampIngestTest, AReaderReadsAsOfATimestamp) {
  const std::string path = MakeSample();
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  const AsOf read(3);
  std::unique_ptr<Iterator> it(reader.NewIterator(read.options));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "a");
  EXPECT_EQ(it->value(), "a2");
  EXPECT_EQ(TsOf(it->timestamp()), 2u);
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
  it->Next();
  EXPECT_FALSE(it->Valid());
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      reader.MultiGet(read.options, {"b", "a"}, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_EQ(values, (std::vector<std::string>{"b1", "a2"}));
  it.reset(reader.NewIterator(ReadOptions()));
  EXPECT_TRUE(it->status().IsInvalidArgument());
  AsOf all(9);
  it.reset(reader.NewIterator(all.From(0).options));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 4);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
