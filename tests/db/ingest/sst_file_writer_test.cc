// SstFileWriter writes ascending keys to whole files, refuses calls out of
// order, and leaves no file or handle behind whichever call fails.
#include "rocksdb/sst_file_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

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

TEST_F(SstFileWriterTest, TellsWhatIsInTheFile) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/d/f").ok());
  EXPECT_EQ(writer.FileSize(), 0u);
  ASSERT_TRUE(writer.Put("b", "1").ok());
  ASSERT_TRUE(writer.Merge("c", "2").ok());
  ASSERT_TRUE(writer.Delete("d").ok());
  ASSERT_TRUE(writer.DeleteRange("x", "z").ok());
  ASSERT_TRUE(writer.DeleteRange("a", "b").ok());
  ASSERT_TRUE(writer.PutEntity("e", {{"col", "v"}, {"", "d"}}).ok());
  ASSERT_TRUE(writer.DeleteRange("q", "q").ok());
  ExternalSstFileInfo info;
  ASSERT_TRUE(writer.Finish(&info).ok());
  EXPECT_EQ(info.file_path, "/d/f");
  EXPECT_EQ(info.smallest_key, "b");
  EXPECT_EQ(info.largest_key, "e");
  EXPECT_EQ(info.smallest_range_del_key, "a");
  EXPECT_EQ(info.largest_range_del_key, "z");
  EXPECT_EQ(info.num_entries, 4u);
  EXPECT_EQ(info.num_range_del_entries, 2u);
  EXPECT_EQ(info.sequence_number, 0u);
  EXPECT_EQ(info.version, 2);
  EXPECT_EQ(info.file_checksum.size(), 4u);
  EXPECT_EQ(info.file_checksum_func_name, kStandardDbFileChecksumFuncName);
  uint64_t size = 0;
  ASSERT_TRUE(fs_->GetFileSize("/d/f", IOOptions(), &size, nullptr).ok());
  EXPECT_EQ(info.file_size, size);
  EXPECT_EQ(writer.FileSize(), size);
  EXPECT_EQ(fs_->open_handles(), 0u);
}

TEST_F(SstFileWriterTest, KeysAscendStrictly) {
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/d/f").ok());
  ASSERT_TRUE(writer.Put("b", "1").ok());
  EXPECT_TRUE(writer.Put("b", "2").IsInvalidArgument());
  EXPECT_TRUE(writer.Delete("a").IsInvalidArgument());
  EXPECT_TRUE(writer.DeleteRange("z", "a").IsInvalidArgument());
  ASSERT_TRUE(writer.Put("c", "3").ok()) << "a refused key does no harm";
  ExternalSstFileInfo info;
  ASSERT_TRUE(writer.Finish(&info).ok());
  EXPECT_EQ(info.num_entries, 2u);
}

TEST_F(SstFileWriterTest, OrderIsThatOfTheComparator) {
  SstFileWriter writer(EnvOptions(), options_, ReverseBytewiseComparator());
  ASSERT_TRUE(writer.Open("/d/f").ok());
  ASSERT_TRUE(writer.Put("b", "1").ok());
  EXPECT_TRUE(writer.Put("c", "2").IsInvalidArgument());
  ASSERT_TRUE(writer.Put("a", "2").ok());
  ASSERT_TRUE(writer.DeleteRange("z", "x").ok());
  ASSERT_TRUE(writer.Finish().ok());
}

TEST_F(SstFileWriterTest, CallsWithoutAFileAreRefused) {
  SstFileWriter writer(EnvOptions(), options_);
  EXPECT_TRUE(writer.Put("a", "1").IsInvalidArgument());
  EXPECT_TRUE(writer.Merge("a", "1").IsInvalidArgument());
  EXPECT_TRUE(writer.Delete("a").IsInvalidArgument());
  EXPECT_TRUE(writer.DeleteRange("a", "b").IsInvalidArgument());
  EXPECT_TRUE(writer.Finish().IsInvalidArgument());
  ASSERT_TRUE(writer.Open("/d/f").ok());
  EXPECT_TRUE(writer.Open("/d/g").IsInvalidArgument());
  EXPECT_TRUE(writer.Finish().IsInvalidArgument()) << "without entries";
  EXPECT_FALSE(Exists("/d/f"));
  EXPECT_TRUE(writer.Put("a", "ts", "1").IsInvalidArgument());
  EXPECT_TRUE(writer.Delete("a", "ts").IsInvalidArgument());
  EXPECT_TRUE(writer.DeleteRange("a", "b", "ts").IsInvalidArgument());
}

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

TEST_F(SstFileWriterTest, AnUnfinishedFileGoesAway) {
  {
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_TRUE(writer.Open("/d/f").ok());
    ASSERT_TRUE(writer.Put("key", "value").ok());
    EXPECT_TRUE(Exists("/d/f"));
  }
  EXPECT_FALSE(Exists("/d/f"));
  EXPECT_EQ(fs_->open_handles(), 0u);
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
