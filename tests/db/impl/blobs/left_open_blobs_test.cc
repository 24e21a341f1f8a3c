// Databases whose logs refer to blob files that were left open, as RocksDB's
// enable_blob_direct_write leaves them behind in a crash.
#include <algorithm>
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
#include "util/builtin_merge_operators.h"
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
  Status Write(const std::string& entries, uint32_t count) {
    std::string rep(sizeof(uint64_t), '\0');
    PutFixed32(&rep, count);
    WriteBatch batch(rep + entries);
    return db_->Write(WriteOptions(), &batch);
  }
  void Close() {
    options_.avoid_flush_during_shutdown = true;
    db_.reset();
  }
  // The database has one more batch in its log, and no more memtables.
  void Log(const std::string& entries, uint32_t count) {
    ASSERT_OK(Write(entries, count));
    Close();
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

// A record of the log whose blob is not whole is as one that is damaged itself.
TEST_F(LeftOpenBlobsTest, LostBlobsAreLostRecords) {
  using Mode = WALRecoveryMode;
  for (const bool is_gone : {false, true}) {
    for (const Mode mode :
         {Mode::kPointInTimeRecovery, Mode::kSkipAnyCorruptedRecords,
          Mode::kAbsoluteConsistency, Mode::kTolerateCorruptedTailRecords}) {
      SCOPED_TRACE(static_cast<int>(mode));
      options_.wal_recovery_mode = mode;
      ASSERT_NO_FATAL_FAILURE(Open());
      OpenBlobFile file(50), other(51);
      std::string first, second;
      file.Add("k1", std::string(300, 'x'), &first);
      OpenBlobFile& damaged = is_gone ? other : file;
      const size_t end_of_first = file.bytes().size();
      damaged.Add("k2", std::string(400, 'y'), &second);
      if (!is_gone) file.bytes()[end_of_first + 200] ^= 1;
      ASSERT_NO_FATAL_FAILURE(Store(&file));
      ASSERT_OK(Write(first, 1));
      ASSERT_OK(Write(second, 1));
      ASSERT_OK(Put("later", "1"));
      ASSERT_NO_FATAL_FAILURE(Close());
      const Status s = TryOpen();
      const bool goes_on = mode == Mode::kSkipAnyCorruptedRecords;
      const bool is_tail =
          is_gone && mode == Mode::kTolerateCorruptedTailRecords;
      if (goes_on || is_tail || mode == Mode::kPointInTimeRecovery) {
        ASSERT_OK(s);
        EXPECT_EQ(Get("k1"), std::string(300, 'x'));
        EXPECT_EQ(Get("k2"), "NOT_FOUND");
        EXPECT_EQ(Get("later"), goes_on ? "1" : "NOT_FOUND");
        db_.reset();
        // And so it stays.
        ASSERT_NO_FATAL_FAILURE(Open());
        EXPECT_EQ(Get("k1"), std::string(300, 'x'));
        EXPECT_EQ(Get("k2"), "NOT_FOUND");
      } else {
        EXPECT_TRUE(s.IsCorruption()) << s.ToString();
        EXPECT_NE(s.ToString().find(".blob"), std::string::npos)
            << s.ToString();
      }
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
    }
  }
}

// A crash may leave a blob file whose name reached the device, but whose header
// did not.
TEST_F(LeftOpenBlobsTest, LostHeadersAreLostRecords) {
  for (const std::string& left :
       {std::string(), std::string(10, 'x'), std::string(400, '\0')}) {
    SCOPED_TRACE(left.size());
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(Put("before", "1"));
    OpenBlobFile file(50);
    std::string entries;
    file.Add("k", std::string(300, 'x'), &entries);
    file.bytes() = left;
    ASSERT_NO_FATAL_FAILURE(Store(&file));
    ASSERT_NO_FATAL_FAILURE(Log(entries, 1));
    for (int i = 0; i < 2; ++i) {
      ASSERT_NO_FATAL_FAILURE(Open());
      ASSERT_NO_FATAL_FAILURE(AwaitPurge());
      EXPECT_EQ(Get("before"), "1");
      EXPECT_EQ(Get("k"), "NOT_FOUND");
      EXPECT_EQ(BlobFiles(/*is_live=*/false), 0u);
    }
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// What lies beside the blobs that are wanted is garbage, and operands that the
// log has over a blob are merged with it.
TEST_F(LeftOpenBlobsTest, GarbageIsCountedAndBlobsAreMergedOnto) {
  options_.merge_operator = NewStringAppendOperator(",");
  ASSERT_NO_FATAL_FAILURE(Open());
  OpenBlobFile file(50);
  std::string entries, nowhere;
  file.Add("k", std::string(300, 'x'), &entries);
  file.Add("l", std::string(200, 'y'), &nowhere);
  file.Add("m", std::string(100, 'z'), &entries);
  ASSERT_NO_FATAL_FAILURE(Store(&file));
  ASSERT_OK(Write(entries, 2));
  ASSERT_OK(db_->Merge(WriteOptions(), "k", "more"));
  ASSERT_NO_FATAL_FAILURE(Close());
  for (int i = 0; i < 2; ++i) {
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_EQ(Get("k"), std::string(300, 'x') + ",more");
    EXPECT_EQ(Get("m"), std::string(100, 'z'));
    std::string garbage;
    EXPECT_TRUE(
        db_->GetProperty("rocksdb.live-blob-file-garbage-size", &garbage));
    // Records of l, and of k, which is in the table now.
    EXPECT_EQ(garbage, std::to_string(200 + 300 + 2 * (32 + 1)));
    db_.reset();
  }
}

TEST_F(LeftOpenBlobsTest, AreReadWhereNothingIsWritten) {
  ASSERT_NO_FATAL_FAILURE(Open());
  OpenBlobFile file(50);
  std::string first, second;
  file.Add("k1", std::string(300, 'x'), &first);
  file.Add("k2", std::string(400, 'y'), &second);
  file.bytes().pop_back();  // It did not survive as a whole.
  ASSERT_NO_FATAL_FAILURE(Store(&file));
  ASSERT_OK(Write(first, 1));
  ASSERT_OK(Write(second, 1));
  ASSERT_NO_FATAL_FAILURE(Close());
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_EQ(Get("k1"), std::string(300, 'x'));
  EXPECT_EQ(Get("k2"), "NOT_FOUND");
  std::vector<LiveFileStorageInfo> files;
  ASSERT_OK(
      db_->GetLiveFilesStorageInfo(LiveFilesStorageInfoOptions(), &files));
  EXPECT_EQ(std::count_if(files.begin(), files.end(),
                          [](const LiveFileStorageInfo& one) {
                            return one.file_type == kBlobFile &&
                                   one.file_number == 50 && one.trim_to_size;
                          }),
            1);
  db_.reset();
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Get("k1"), std::string(300, 'x'));
}

TEST_F(LeftOpenBlobsTest, RepairLeavesThemToTheReplay) {
  for (const bool has_manifest : {true, false}) {
    SCOPED_TRACE(has_manifest);
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Flush());
    OpenBlobFile file(50);
    std::string entries;
    file.Add("k", std::string(300, 'x'), &entries);
    ASSERT_NO_FATAL_FAILURE(Store(&file));
    ASSERT_NO_FATAL_FAILURE(Log(entries, 1));
    if (!has_manifest) {
      ASSERT_OK(options_.env->DeleteFile(CurrentFileName(path_)));
      std::vector<std::string> names;
      ASSERT_OK(options_.env->GetChildren(path_, &names));
      for (const std::string& name : names) {
        if (!name.starts_with("MANIFEST")) continue;
        ASSERT_OK(options_.env->DeleteFile(path_ + "/" + name));
      }
    }
    ASSERT_OK(RepairDB(path_, options_));
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_EQ(Get("a"), "1");
    EXPECT_EQ(Get("k"), std::string(300, 'x'));
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// An open that leaves the logs alone leaves what they refer to.
TEST_F(LeftOpenBlobsTest, StayWithLogsThatAreLeft) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenBlobFile file(50);
  std::string entries;
  file.Add("k", std::string(300, 'x'), &entries);
  ASSERT_NO_FATAL_FAILURE(Store(&file));
  ASSERT_NO_FATAL_FAILURE(Log(entries, 1));
  options_.best_efforts_recovery = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(BlobFiles(/*is_live=*/false), 1u);
  options_.best_efforts_recovery = false;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Get("k"), std::string(300, 'x'));
}

TEST_F(LeftOpenBlobsTest, AnothersFileIsRefused) {
  ASSERT_NO_FATAL_FAILURE(Open());
  OpenBlobFile file(50, /*family=*/7);
  std::string entries;
  file.Add("k", "v", &entries);
  ASSERT_NO_FATAL_FAILURE(Store(&file));
  ASSERT_NO_FATAL_FAILURE(Log(entries, 1));
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("000050.blob"), std::string::npos);
  // Nothing has gone.
  EXPECT_OK(options_.env->FileExists(PathOf(file)));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
