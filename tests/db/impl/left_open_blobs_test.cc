// Databases whose logs refer to blob files that were left open, as RocksDB's
// enable_blob_direct_write leaves them behind in a crash.
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "db/blob/blob_format.h"
#include "db/wal/write_batch_internal.h"
#include "file/filename.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/shell.h"
#include "tests/testing/vectors.h"
#include "util/coding.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LeftOpenBlobsTest : public DbFixture {
 protected:
  // Writes records to a blob file that gets no end, and references to the log.
  class OpenBlobFile {
   public:
    explicit OpenBlobFile(uint64_t number, uint32_t family = 0)
        : number_(number) {
      BlobFileHeader{.column_family = family}.EncodeTo(&bytes_);
    }
    void Add(const std::string& key, const std::string& value,
             std::string* entries) {
      BlobRecordHeader::Encode(key, value, &bytes_);
      bytes_ += key;
      BlobIndex index;
      index.file_number = number_;
      index.offset = bytes_.size();
      index.size = value.size();
      bytes_ += value;
      std::string reference;
      index.EncodeTo(&reference);
      entries->push_back(static_cast<char>(kTypeBlobIndex));
      PutLengthPrefixedSlice(entries, key);
      PutLengthPrefixedSlice(entries, reference);
    }
    std::string& bytes() { return bytes_; }
    uint64_t number() const { return number_; }

   private:
    const uint64_t number_;
    std::string bytes_;
  };

  std::string PathOf(const OpenBlobFile& file) const {
    return BlobFileName(path_, file.number());
  }
  void Store(OpenBlobFile* file) {
    ASSERT_OK(WriteStringToFile(options_.env, file->bytes(), PathOf(*file)));
  }
  // The database has one more batch in its log, and no more memtables.
  void Log(const std::string& entries, uint32_t count) {
    std::string rep(sizeof(uint64_t), '\0');
    PutFixed32(&rep, count);
    WriteBatch batch(rep + entries);
    ASSERT_OK(db_->Write(WriteOptions(), &batch));
    options_.avoid_flush_during_shutdown = true;
    db_.reset();
  }
  // In the directory, and what of it is live.
  size_t BlobFiles(bool is_live) {
    if (is_live) {
      ColumnFamilyMetaData metadata;
      db_->GetColumnFamilyMetaData(&metadata);
      return metadata.blob_files.size();
    }
    std::vector<std::string> names;
    EXPECT_OK(options_.env->GetChildren(path_, &names));
    size_t count = 0;
    for (const std::string& name : names) count += name.ends_with(".blob");
    return count;
  }
};

TEST_F(LeftOpenBlobsTest, AreTakenUpWithTheirLogs) {
  for (const bool keeps_logs : {false, true}) {
    SCOPED_TRACE(keeps_logs);
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(Put("a", "1"));
    OpenBlobFile first(50), second(51), unwanted(52);
    std::string entries, nowhere;
    first.Add("k1", std::string(300, 'x'), &entries);
    first.Add("k2", std::string(400, 'y'), &entries);
    second.Add("k3", std::string(500, 'z'), &entries);
    unwanted.Add("k4", "nobody refers to it", &nowhere);
    first.bytes() += std::string(100, 'r');  // A record that was torn.
    for (OpenBlobFile* file : {&first, &second, &unwanted}) {
      ASSERT_NO_FATAL_FAILURE(Store(file));
    }
    ASSERT_NO_FATAL_FAILURE(Log(entries, 3));
    options_.avoid_flush_during_recovery = keeps_logs;
    for (int i = 0; i < 2; ++i) {
      ASSERT_NO_FATAL_FAILURE(Open());
      ASSERT_NO_FATAL_FAILURE(AwaitPurge());
      EXPECT_EQ(Get("a"), "1");
      EXPECT_EQ(Get("k1"), std::string(300, 'x'));
      EXPECT_EQ(Get("k2"), std::string(400, 'y'));
      EXPECT_EQ(Get("k3"), std::string(500, 'z'));
      EXPECT_EQ(BlobFiles(/*is_live=*/true), 2u);
      EXPECT_EQ(BlobFiles(/*is_live=*/false), 2u);
      ASSERT_OK(db_->VerifyChecksum());
      db_.reset();
    }
    options_.enable_blob_garbage_collection = true;
    options_.blob_garbage_collection_age_cutoff = 1;
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(Get("k2"), std::string(400, 'y'));
    db_.reset();
    options_.enable_blob_garbage_collection = false;
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// A database of RocksDB 11.9 whose process ended without a close.
TEST_F(LeftOpenBlobsTest, ThoseThatRocksDbLeft) {
  const std::string archive = VectorPath("utilities/r119_bdw_crash.tar.gz");
  if (archive.empty()) GTEST_SKIP() << "the vectors are absent";
  std::filesystem::create_directories(path_);
  int status = 0;
  const std::string output =
      RunShell("tar -xzf '" + archive + "' -C '" + path_ + "'", &status);
  ASSERT_EQ(status, 0) << output;
  options_.create_if_missing = false;
  for (int i = 0; i < 2; ++i) {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    EXPECT_EQ(Get("k7"), std::string(80, 'f'));
    EXPECT_EQ(Get("k8"), std::string(90, 'g'));
    size_t entries = 0;
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++entries;
    EXPECT_OK(it->status());
    EXPECT_EQ(entries, 8u);
    EXPECT_EQ(BlobFiles(/*is_live=*/true), BlobFiles(/*is_live=*/false));
    ASSERT_OK(db_->VerifyChecksum());
  }
}

// An open that took one up, and failed behind that, is made again.
TEST_F(LeftOpenBlobsTest, OneWithItsEndIsLeftAsItIs) {
  ASSERT_NO_FATAL_FAILURE(Open());
  OpenBlobFile file(50);
  std::string entries;
  file.Add("k", std::string(300, 'x'), &entries);
  BlobFileFooter{.blob_count = 1}.EncodeTo(&file.bytes());
  ASSERT_NO_FATAL_FAILURE(Store(&file));
  ASSERT_NO_FATAL_FAILURE(Log(entries, 1));
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Get("k"), std::string(300, 'x'));
  std::string now;
  ASSERT_OK(ReadFileToString(options_.env, PathOf(file), &now));
  EXPECT_EQ(now, file.bytes());
}

// What is not whole is lost, and says so; the rest is there.
TEST_F(LeftOpenBlobsTest, DamageIsFoundByReaders) {
  ASSERT_NO_FATAL_FAILURE(Open());
  OpenBlobFile file(50);
  std::string entries;
  file.Add("k1", std::string(300, 'x'), &entries);
  const size_t end_of_first = file.bytes().size();
  file.Add("k2", std::string(400, 'y'), &entries);
  file.bytes()[end_of_first + 200] ^= 1;
  ASSERT_NO_FATAL_FAILURE(Store(&file));
  ASSERT_NO_FATAL_FAILURE(Log(entries, 2));
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Get("k1"), std::string(300, 'x'));
  EXPECT_TRUE(Get("k2").starts_with("Corruption")) << Get("k2");
}

TEST_F(LeftOpenBlobsTest, AnothersFileIsRefused) {
  for (const bool is_short : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(Open());
    OpenBlobFile file(50, /*family=*/7);
    std::string entries;
    file.Add("k", "v", &entries);
    if (is_short) file.bytes().resize(10);
    ASSERT_NO_FATAL_FAILURE(Store(&file));
    ASSERT_NO_FATAL_FAILURE(Log(entries, 1));
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(s.ToString().find("000050.blob"), std::string::npos);
    // Nothing has gone.
    EXPECT_OK(options_.env->FileExists(PathOf(file)));
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
