// External files whose keys have timestamps. The cases are
// tests/testdata/databases/timestamps/ingest.txt, in the language of
// database_script.h.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/sst_file_reader.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/ingest_fixture.h"
#include "tests/db/impl/timestamp_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(TimestampIngestScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.comparator = BytewiseComparatorWithU64Ts();
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  EXPECT_GE(RunDatabases("databases/timestamps/ingest.txt", options), 9u);
}

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
};

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
