// verify_output_flags and paranoid_file_checks: outputs that did not reach the
// device as they were written.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Changes one byte of the first data block of each table, or of the header of
// each blob file, where that is asked for.
class FlippingFile final : public FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::Append;
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    std::string bytes = data.ToString();
    constexpr size_t kAt = 20;
    if (!has_flipped_ && bytes.size() > kAt) {
      bytes[kAt] = static_cast<char>(bytes[kAt] ^ 1);
      has_flipped_ = true;
    }
    return FSWritableFileOwnerWrapper::Append(bytes, options, debug);
  }

 private:
  bool has_flipped_ = false;
};

class FlippingFileSystem final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "FlippingFileSystem"; }
  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file,
                           IODebugContext* debug) override {
    IOStatus s = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (s.ok() && flips.load() && name.ends_with(suffix)) {
      *file = std::make_unique<FlippingFile>(std::move(*file));
    }
    return s;
  }

  std::atomic<bool> flips{false};
  std::string suffix = ".sst";
};

using Flags = VerifyOutputFlags;

class VerifyOutputsTest : public DbFixture {
 protected:
  VerifyOutputsTest() {
    fs_ = std::make_shared<FlippingFileSystem>(FileSystem::Default());
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
    options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  }
  ~VerifyOutputsTest() override { db_.reset(); }

  void Fill() {
    db_.reset();
    fs_->flips = false;
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 100; ++i) {
        ASSERT_OK(Put("key" + std::to_string(1000 + i),
                      "value" + std::to_string(round)));
      }
      ASSERT_OK(Flush());
    }
  }

  // A compaction whose outputs are damaged fails, and takes nothing away.
  void ExpectFound() {
    ASSERT_NO_FATAL_FAILURE(Fill());
    const std::string before = Scan();
    fs_->flips = true;
    const Status s = CompactAll();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(s.ToString().find(fs_->suffix), std::string::npos)
        << s.ToString();
    EXPECT_EQ(FilesAt(0), 2);
    EXPECT_EQ(Scan(), before);
    fs_->flips = false;
    Reopen();
    EXPECT_EQ(Scan(), before);
    ASSERT_OK(CompactAll());
    EXPECT_EQ(FilesAt(0), 0);
    EXPECT_EQ(Scan(), before);
  }
  // A flush of such a file fails, and what it had to save stays in memory.
  void ExpectFlushRefused() {
    ASSERT_NO_FATAL_FAILURE(Fill());
    fs_->flips = true;
    ASSERT_OK(Put("new", std::string(100, 'n')));
    const Status s = Flush();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(s.ToString().find(fs_->suffix), std::string::npos)
        << s.ToString();
    EXPECT_EQ(FilesAt(0), 2);
    EXPECT_EQ(Get("new"), std::string(100, 'n'));
    fs_->flips = false;
    Reopen();
    EXPECT_EQ(Get("new"), std::string(100, 'n'));
  }
  void UseBlobs() {
    options_.enable_blob_files = true;
    options_.enable_blob_garbage_collection = true;
    options_.blob_garbage_collection_age_cutoff = 1;
    fs_->suffix = ".blob";
  }

  std::shared_ptr<FlippingFileSystem> fs_;
  std::unique_ptr<Env> env_;
};

TEST_F(VerifyOutputsTest, DamageIsFoundBeforeTheInputsGo) {
  for (const Flags what : {Flags::kVerifyBlockChecksum, Flags::kVerifyIteration,
                           Flags::kVerifyFileChecksum}) {
    SCOPED_TRACE(static_cast<uint32_t>(what));
    options_.verify_output_flags = what | Flags::kEnableForLocalCompaction;
    ASSERT_NO_FATAL_FAILURE(ExpectFound());
  }
}

TEST_F(VerifyOutputsTest, ParanoidFileChecksFindDamagedTables) {
  options_.paranoid_file_checks = true;
  ASSERT_NO_FATAL_FAILURE(ExpectFound());
  ASSERT_NO_FATAL_FAILURE(ExpectFlushRefused());
}

TEST_F(VerifyOutputsTest, ParanoidFileChecksFindDamagedBlobFiles) {
  options_.paranoid_file_checks = true;
  UseBlobs();
  ASSERT_NO_FATAL_FAILURE(ExpectFound());
  ASSERT_NO_FATAL_FAILURE(ExpectFlushRefused());
}

TEST_F(VerifyOutputsTest, NobodyOpensBlobFilesUnlessAsked) {
  UseBlobs();
  ASSERT_NO_FATAL_FAILURE(Fill());
  fs_->flips = true;
  EXPECT_OK(CompactAll());
  EXPECT_NE(Scan().find("Corruption"), std::string::npos);
}

TEST_F(VerifyOutputsTest, NobodyLooksUnlessAsked) {
  for (const Flags flags :
       {Flags::kVerifyNone, Flags::kEnableForLocalCompaction,
        Flags::kVerifyBlockChecksum | Flags::kVerifyIteration |
            Flags::kVerifyFileChecksum | Flags::kEnableForRemoteCompaction}) {
    SCOPED_TRACE(static_cast<uint32_t>(flags));
    options_.verify_output_flags = flags;
    ASSERT_NO_FATAL_FAILURE(Fill());
    fs_->flips = true;
    EXPECT_OK(CompactAll());
    EXPECT_NE(Scan().find("Corruption"), std::string::npos);
  }
}

TEST_F(VerifyOutputsTest, GoodFilesPassAndFlushesAreNotConcerned) {
  options_.verify_output_flags = Flags::kVerifyAll;
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Scan(), before);
  fs_->flips = true;
  ASSERT_OK(Put("a", std::string(100, 'a')));
  EXPECT_OK(Flush());
  db_.reset();
  options_.file_checksum_gen_factory.reset();
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Scan(), before);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
