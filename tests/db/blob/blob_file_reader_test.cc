// The records of blob files whose family keeps no timestamps: their keys have
// as many zeros, or none if the family had no timestamps then. One that has
// none any more has records with zeros, too.
#include "db/blob/blob_file_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "db/blob/blob_contents.h"
#include "db/blob/blob_format.h"
#include "rocksdb/file_system.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BlobFileReaderTest : public ::testing::Test {
 protected:
  // Opens a file of one value for each of `keys`, "value of KEY".
  void Open(const std::vector<std::string>& keys,
            size_t left_out_timestamp_bytes = 8) {
    std::string bytes;
    BlobFileHeader().EncodeTo(&bytes);
    for (const std::string& key : keys) {
      const std::string value = "value of " + key;
      BlobRecordHeader::Encode(key, value, &bytes);
      offsets_.push_back(bytes.size() + key.size());
      bytes += key + value;
    }
    BlobFileFooter footer;
    footer.blob_count = keys.size();
    footer.EncodeTo(&bytes);
    const std::string path = directory_.path() + "/000007.blob";
    std::ofstream(path, std::ios::binary) << bytes;
    std::unique_ptr<RandomAccessFileReader> file;
    ASSERT_TRUE(RandomAccessFileReader::Create(FileSystem::Default().get(),
                                               path, FileOptions(), &file)
                    .ok());
    const Status s = BlobFileReader::Open(
        std::move(file),
        {.size_bytes = bytes.size(),
         .left_out_timestamp_bytes = left_out_timestamp_bytes},
        &reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }

  static BlobRead Wanted(const Slice& user_key, uint64_t offset, size_t size) {
    BlobRead read;
    read.user_key = user_key;
    read.index.file_number = 7;
    read.index.offset = offset;
    read.index.size = size;
    read.index.compression = kNoCompression;
    return read;
  }
  // The value in three ways, which agree, or the error.
  std::string Value(const BlobRead& wanted) const {
    std::unique_ptr<BlobContents> blob;
    Status s = reader_->Read(IOOptions(), wanted, &blob);
    WantedBlob one;
    one.read = wanted;
    std::vector<BlobFileReader::Together> together(1);
    together[0].blob = &one;
    reader_->ReadTogether(IOOptions(), &together);
    EXPECT_EQ(s.ToString(), one.status.ToString());
    if (!s.ok()) return s.ToString();
    EXPECT_EQ(blob->value(), together[0].contents->value());
    BlobRead unverified = wanted;
    unverified.verify_checksums = false;
    std::unique_ptr<BlobContents> other;
    s = reader_->Read(IOOptions(), unverified, &other);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(blob->value(), other->value());
    return blob->value().ToString();
  }

  const TempDir directory_{"blob-reader"};
  std::vector<uint64_t> offsets_;
  std::unique_ptr<BlobFileReader> reader_;
};

TEST_F(BlobFileReaderTest, KeysHaveNoTimestampsOrZeros) {
  const std::string zeros(8, '\0');
  // The first record lies at the beginning of the file.
  for (const bool has_zeros : {false, true}) {
    SCOPED_TRACE(has_zeros);
    offsets_.clear();
    std::vector<std::string> stored;
    for (const char* key : {"a", "bb", "ccc"}) {
      stored.push_back(has_zeros ? key + zeros : key);
    }
    ASSERT_NO_FATAL_FAILURE(Open(stored));
    for (size_t i = 0; i < stored.size(); ++i) {
      const std::string key = stored[i].substr(0, i + 1);
      const std::string value = "value of " + stored[i];
      EXPECT_EQ(Value(Wanted(key, offsets_[i], value.size())), value);
    }
  }
}

TEST_F(BlobFileReaderTest, AFamilyThatHasLostItsTimestamps) {
  const std::string zeros(8, '\0');
  const std::vector<std::string> stored = {"a" + zeros, "b", "ccc" + zeros};
  ASSERT_NO_FATAL_FAILURE(Open(stored, /*left_out_timestamp_bytes=*/0));
  const std::vector<std::string> keys = {"a", "b", "ccc"};
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string value = "value of " + stored[i];
    EXPECT_EQ(Value(Wanted(keys[i], offsets_[i], value.size())), value);
  }
  // The first value lies too early for such a key, and none is of these.
  ASSERT_NE(offsets_[0], 0u);
  const std::string early = Value(Wanted("xx" + zeros, offsets_[0], 18));
  EXPECT_NE(early.find("Corruption"), std::string::npos) << early;
  for (const char* key : {"d", "cc"}) {
    const std::string seen = Value(Wanted(key, offsets_[2], 20));
    EXPECT_NE(seen.find("Corruption: blob record"), std::string::npos) << seen;
  }
}

TEST_F(BlobFileReaderTest, OtherKeysAreCorruption) {
  const std::string time = "\1" + std::string(7, '\0');
  const std::string stored = "key" + time;
  ASSERT_NO_FATAL_FAILURE(Open({"first", stored}));
  const size_t size = ("value of " + stored).size();
  for (const char* key : {"key", "kez"}) {
    const std::string seen = Value(Wanted(key, offsets_[1], size));
    EXPECT_NE(seen.find("Corruption: blob record"), std::string::npos) << seen;
  }
  const std::string seen = Value(Wanted("kirst", offsets_[0], 14));
  EXPECT_NE(seen.find("belongs to another key"), std::string::npos) << seen;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
