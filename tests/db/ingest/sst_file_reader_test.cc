// SstFileReader shows what a single table file holds, by scans and MultiGet,
// and refuses damaged and foreign files.
#include "rocksdb/sst_file_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/sst_file_writer.h"
#include "util/builtin_merge_operators.h"
#include "util/key/internal_key.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SstFileReaderTest : public ::testing::Test {
 protected:
  SstFileReaderTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.compression = kNoCompression;
    options_.merge_operator = NewStringAppendOperator(",");
    EXPECT_TRUE(fs_->CreateDir("/d", IOOptions(), nullptr).ok());
  }
  void WriteFile() {
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_TRUE(writer.Open("/d/f").ok());
    ASSERT_TRUE(writer.Put("a", "1").ok());
    ASSERT_TRUE(writer.Merge("b", "2").ok());
    ASSERT_TRUE(writer.Delete("c").ok());
    ASSERT_TRUE(writer.PutEntity("d", {{"", "4"}, {"x", "5"}}).ok());
    ASSERT_TRUE(writer.DeleteRange("m", "p").ok());
    ASSERT_TRUE(writer.Finish().ok());
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
};

TEST_F(SstFileReaderTest, IteratorShowsLiveKeys) {
  WriteFile();
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/d/f").ok());
  EXPECT_TRUE(reader.Open("/d/f").IsInvalidArgument());
  const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
  std::string forward, backward;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    forward += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  ASSERT_TRUE(it->status().ok());
  EXPECT_EQ(forward, "a=1 b=2 d=4 ");
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    backward += it->key().ToString() + " ";
  }
  EXPECT_EQ(backward, "d b a ");
  it->Seek("d");
  ASSERT_TRUE(it->Valid());
  ASSERT_EQ(it->columns().size(), 2u);
  EXPECT_EQ(it->columns()[1].value(), "5");
}

TEST_F(SstFileReaderTest, TableIteratorShowsAllEntries) {
  WriteFile();
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/d/f").ok());
  const std::unique_ptr<Iterator> it = reader.NewTableIterator();
  std::string text;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text += ExtractUserKey(it->key()).ToString() + ":" +
            std::to_string(ExtractType(it->key())) + "@" +
            std::to_string(ExtractSequence(it->key())) + " ";
  }
  EXPECT_TRUE(it->status().ok());
  EXPECT_EQ(text, "a:1@0 b:2@0 c:0@0 d:22@0 ");
}

TEST_F(SstFileReaderTest, MultiGetAnswersKeyByKey) {
  WriteFile();
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/d/f").ok());
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      reader.MultiGet(ReadOptions(), {"d", "c", "a", "zz", "a"}, &values);
  ASSERT_EQ(statuses.size(), 5u);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_TRUE(statuses[2].ok());
  EXPECT_TRUE(statuses[3].IsNotFound());
  EXPECT_EQ(values, (std::vector<std::string>{"4", "", "1", "", "1"}));
  EXPECT_TRUE(reader.MultiGet(ReadOptions(), {}, &values).empty());
}

TEST_F(SstFileReaderTest, PropertiesAndChecks) {
  WriteFile();
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/d/f").ok());
  const auto properties = reader.GetTableProperties();
  EXPECT_EQ(properties->num_entries, 5u);
  EXPECT_EQ(properties->num_range_deletions, 1u);
  EXPECT_EQ(properties->db_id, "SST Writer");
  EXPECT_EQ(properties->orig_file_number, 1u);
  const auto& collected = properties->user_collected_properties;
  EXPECT_EQ(collected.at("rocksdb.external_sst_file.version"),
            std::string("\2\0\0\0", 4));
  EXPECT_EQ(collected.at("rocksdb.external_sst_file.global_seqno"),
            std::string(8, '\0'));
  EXPECT_TRUE(reader.VerifyChecksum().ok());
  EXPECT_TRUE(reader.VerifyNumEntries(ReadOptions()).ok());
}

TEST_F(SstFileReaderTest, AFileOfRangeDeletionsAlone) {
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/d/f").ok());
  ASSERT_TRUE(writer.DeleteRange("a", "c").ok());
  ASSERT_TRUE(writer.DeleteRange("b", "d").ok());
  ASSERT_TRUE(writer.DeleteRange("b", "c").ok());
  ASSERT_TRUE(writer.Finish().ok());
  SstFileReader reader(options_);
  ASSERT_TRUE(reader.Open("/d/f").ok());
  const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().ok());
}

TEST_F(SstFileReaderTest, OtherFilesAreRefused) {
  SstFileReader missing(options_);
  EXPECT_TRUE(missing.Open("/d/none").IsPathNotFound() ||
              missing.Open("/d/none").IsNotFound() ||
              missing.Open("/d/none").IsIOError());
  ASSERT_TRUE(
      WriteStringToFile(env_.get(), std::string(500, 'x'), "/d/f").ok());
  SstFileReader junk(options_);
  EXPECT_TRUE(junk.Open("/d/f").IsCorruption());
  WriteFile();
  Options reverse = options_;
  reverse.comparator = ReverseBytewiseComparator();
  SstFileReader other(reverse);
  EXPECT_TRUE(other.Open("/d/f").IsInvalidArgument());
  EXPECT_EQ(fs_->open_handles(), 0u);
}

TEST_F(SstFileReaderTest, DamageIsFound) {
  WriteFile();
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(env_.get(), "/d/f", &bytes).ok());
  bytes[3] ^= 1;  // In the first data block.
  ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, "/d/f").ok());
  SstFileReader reader(options_);
  const Status s = reader.Open("/d/f");
  EXPECT_TRUE(s.IsCorruption() || reader.VerifyChecksum().IsCorruption());
  EXPECT_EQ(s.ok() ? 1u : 0u, fs_->open_handles());
}

// Readers and iterators may go in any order.
TEST_F(SstFileReaderTest, IteratorsOutliveNothingButTheReader) {
  WriteFile();
  auto reader = std::make_unique<SstFileReader>(options_);
  ASSERT_TRUE(reader->Open("/d/f").ok());
  std::unique_ptr<Iterator> first(reader->NewIterator(ReadOptions()));
  std::unique_ptr<Iterator> second(reader->NewIterator(ReadOptions()));
  first->SeekToFirst();
  first.reset();
  second->SeekToFirst();
  EXPECT_TRUE(second->Valid());
  second.reset();
  reader.reset();
  EXPECT_EQ(fs_->open_handles(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
