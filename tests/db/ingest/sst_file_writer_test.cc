// Table files that users write: tests/testdata/ingest/writer.txt, in the
// language of sst_script.h, and calls that fail.
#include "rocksdb/sst_file_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/table.h"
#include "tests/db/ingest/sst_script.h"
#include "tests/testing/script.h"
#include "tests/testing/untouched_bytes.h"
#include "tests/testing/unwritable_tables.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SstFileWriterScriptTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return SstScript(c).Run(c.body); };
  EXPECT_GE(RunScript("ingest/writer.txt", run), 15u) << "cases went missing";
}

class SstFileWriterTest : public ::testing::Test {
 protected:
  SstFileWriterTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.compression = kNoCompression;
    EXPECT_TRUE(fs_->CreateDir("/d", IOOptions(), nullptr).ok());
  }
  bool Exists(const std::string& path) {
    return fs_->FileExists(path, IOOptions(), nullptr).ok();
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
};

TEST_F(SstFileWriterTest, OneWriterMakesManyFiles) {
  SstFileWriter writer(EnvOptions(), options_);
  for (int i = 0; i < 3; ++i) {
    const std::string path = "/d/f" + std::to_string(i);
    ASSERT_TRUE(writer.Open(path).ok());
    ASSERT_TRUE(writer.Put("key", "value").ok());
    ASSERT_TRUE(writer.Finish().ok());
    EXPECT_TRUE(VerifySstFileChecksum(options_, EnvOptions(), path).ok());
  }
}

TEST_F(SstFileWriterTest, AFormatThatThereIsNotIsRefused) {
  BlockBasedTableOptions table;
  table.format_version = 99;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  SstFileWriter writer(EnvOptions(), options_);
  for (const Status& s :
       {writer.Open("/d/f"), writer.OpenWithEmbeddedBlobs("/d/f")}) {
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("format_version=99"), std::string::npos);
  }
  EXPECT_FALSE(Exists("/d/f"));
}

TEST_F(SstFileWriterTest, AFormatWithoutABuilderLeavesNoFile) {
  options_.table_factory = std::make_shared<UnwritableTables>();
  SstFileWriter writer(EnvOptions(), options_);
  const Status s = writer.Open("/d/f");
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_FALSE(Exists("/d/f"));
  EXPECT_EQ(fs_->open_handles(), 0u);
  EXPECT_TRUE(writer.Put("a", "1").IsInvalidArgument());
}

TEST_F(SstFileWriterTest, AValueOf4GiBIsRefused) {
  const UntouchedBytes bytes;
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/d/f").ok());
  ASSERT_TRUE(writer.Put("a", "value").ok());
  const Status s =
      writer.Put("b", bytes.OfSize(UntouchedBytes::kFourGigabytes + 5));
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_TRUE(writer.Finish().IsInvalidArgument());
  EXPECT_FALSE(Exists("/d/f"));
}

// Whatever call fails, Finish() or a call before it says so, and neither file
// nor handle stays.
TEST_F(SstFileWriterTest, EveryCallFailsOnce) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 1000u);
    fs_->FailCall({.call = k, .kind = FaultKind::kNoSpace});
    Status s;
    {
      SstFileWriter writer(EnvOptions(), options_);
      s = writer.Open("/d/f");
      for (int i = 100; i < 200 && s.ok(); ++i) {
        s = writer.Put(std::to_string(i), std::string(1000, 'x'));
      }
      if (s.ok()) s = writer.Finish();
    }
    const bool struck = fs_->failed();
    fs_->Heal();
    EXPECT_EQ(fs_->open_handles(), 0u) << k;
    if (!struck) {
      EXPECT_TRUE(s.ok()) << s.ToString();
      break;
    }
    EXPECT_FALSE(s.ok()) << k;
    EXPECT_FALSE(Exists("/d/f")) << k;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
