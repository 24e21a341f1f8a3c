// Table files that users read: tests/testdata/ingest/reader.txt, in the
// language of sst_script.h, and how long readers and iterators live.
#include "rocksdb/sst_file_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/db/ingest/sst_script.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SstFileReaderScriptTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return SstScript(c).Run(c.body); };
  EXPECT_GE(RunScript("ingest/reader.txt", run), 15u) << "cases went missing";
}

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

// Sorts backwards, under the name of another order.
class MisnamedOrder final : public Comparator {
 public:
  const char* Name() const override { return BytewiseComparator()->Name(); }
  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

// The name of the order fits, the keys do not.
TEST_F(SstFileReaderTest, AFileThatEndsBeforeItBeginsIsCorruption) {
  MisnamedOrder backwards;
  {
    SstFileWriter writer(EnvOptions(), options_, &backwards);
    ASSERT_TRUE(writer.Open("/d/f").ok());
    ASSERT_TRUE(writer.Put("b", "1").ok());
    ASSERT_TRUE(writer.Put("a", "2").ok());
    ASSERT_TRUE(writer.Finish().ok());
  }
  {
    SstFileReader reader(options_);
    const Status s = reader.Open("/d/f");
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  }
  EXPECT_EQ(fs_->open_handles(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
