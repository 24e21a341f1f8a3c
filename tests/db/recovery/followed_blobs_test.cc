// Blob files that are still being written can be read as far as the log refers
// to them, and torn ends are not.
#include "db/recovery/followed_blobs.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "tests/db/tables/table_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Blob files that another process writes: a header and records so far.
class FollowedBlobsTest : public ::testing::Test {
 protected:
  using Trust = FollowedBlobs::Trust;

  FollowedBlobsTest() {
    f.Open(/*pins=*/true);
    BlobSource::Context context;
    context.db = f.db.get();
    context.directory = "/db";
    source = std::make_unique<BlobSource>(std::move(context));
  }

  // What the file has by now.
  std::string& File(uint64_t number) {
    std::string& bytes = bytes_[number];
    if (bytes.empty()) BlobFileHeader().EncodeTo(&bytes);
    return bytes;
  }
  void Write(uint64_t number) {
    ASSERT_TRUE(
        WriteStringToFile(f.fs.get(), File(number), BlobFileName("/db", number))
            .ok());
  }
  // A record, and what the log says of it.
  BlobIndex Append(uint64_t number, const std::string& key,
                   const std::string& value) {
    std::string& bytes = File(number);
    BlobIndex index;
    index.file_number = number;
    index.offset = bytes.size() + BlobValueOffset(key.size());
    index.size = value.size();
    BlobRecordHeader::Encode(key, value, &bytes);
    bytes += key + value;
    return index;
  }
  Status Want(FollowedBlobs* blobs, const BlobIndex& blob) {
    return blobs->Want(f.fs.get(), *source, blob);
  }
  std::string Read(const std::string& key, const BlobIndex& index) {
    const BlobFileState* const file =
        source->growing()->Find(index.file_number);
    if (file == nullptr) return "no file";
    PinnableSlice value;
    const Status s = source->Get(ReadOptions(), *file->file,
                                 {.user_key = key, .index = index}, &value);
    return s.ok() ? "=" + value.ToString() : s.ToString();
  }

  TableFiles f;
  std::unique_ptr<BlobSource> source;

 private:
  std::map<uint64_t, std::string> bytes_;
};

TEST_F(FollowedBlobsTest, AFileIsReadableAsFarAsTheLogRefersToIt) {
  FollowedBlobs blobs(*source, Trust::kWriterLives);
  const BlobIndex first = Append(7, "a", "one");
  const BlobIndex second = Append(7, "b", "two");
  Write(7);
  ASSERT_TRUE(Want(&blobs, first).ok());
  EXPECT_EQ(Read("a", first), "=one");
  ASSERT_EQ(blobs.files().size(), 1u);
  EXPECT_EQ(blobs.files()[0].size_bytes, first.offset + first.size);
  EXPECT_NE(Read("b", second), "=two");  // Nothing has referred to it.
  ASSERT_TRUE(Want(&blobs, second).ok());
  EXPECT_EQ(Read("b", second), "=two");
  EXPECT_EQ(blobs.files()[0].size_bytes, second.offset + second.size);
  // One from before changes nothing.
  ASSERT_TRUE(Want(&blobs, first).ok());
  EXPECT_EQ(blobs.files()[0].size_bytes, second.offset + second.size);
}

TEST_F(FollowedBlobsTest, ALogMayBeAheadOfTheFile) {
  FollowedBlobs blobs(*source, Trust::kWriterLives);
  const BlobIndex first = Append(7, "a", "one");
  EXPECT_TRUE(Want(&blobs, first).IsNotFound());
  EXPECT_TRUE(blobs.files().empty());
  Write(7);
  ASSERT_TRUE(Want(&blobs, first).ok());
  const BlobIndex second = Append(7, "b", "two");
  EXPECT_TRUE(Want(&blobs, second).IsIncomplete());
  EXPECT_EQ(Read("a", first), "=one");
  Write(7);
  ASSERT_TRUE(Want(&blobs, second).ok());
  EXPECT_EQ(Read("b", second), "=two");
}

TEST_F(FollowedBlobsTest, FilesAreKeptInTheirOrder) {
  FollowedBlobs blobs(*source, Trust::kWriterLives);
  for (const uint64_t number : {8, 6, 9, 7, 8}) {
    const BlobIndex index = Append(number, "k", "v");
    Write(number);
    ASSERT_TRUE(Want(&blobs, index).ok());
  }
  std::string order;
  for (const FollowedBlobs::Followed& one : blobs.files()) {
    order += std::to_string(one.file->record.number);
  }
  EXPECT_EQ(order, "6789");
}

TEST_F(FollowedBlobsTest, AFileIsOpenWhileSomebodyFollowsIt) {
  const BlobIndex index = Append(7, "a", "one");
  Write(7);
  {
    FollowedBlobs second(*source, Trust::kWriterLives);
    {
      FollowedBlobs first(*source, Trust::kWriterLives);
      ASSERT_TRUE(Want(&first, index).ok());
      ASSERT_TRUE(Want(&second, index).ok());
      EXPECT_EQ(first.files()[0].file, second.files()[0].file);
      EXPECT_EQ(f.RandomHandles(), 1u);
    }
    EXPECT_EQ(Read("a", index), "=one");
  }
  EXPECT_EQ(source->growing()->Find(7), nullptr);
  EXPECT_EQ(f.RandomHandles(), 0u);
}

TEST_F(FollowedBlobsTest, WhatACrashHasTornIsNotRead) {
  const BlobIndex first = Append(7, "a", "one");
  const BlobIndex second = Append(7, "b", "two");
  File(7).back() = 'x';
  Write(7);
  FollowedBlobs trusting(*source, Trust::kWriterLives);
  EXPECT_TRUE(Want(&trusting, second).ok());
  FollowedBlobs wary(*source, Trust::kNobodyWrites);
  EXPECT_TRUE(Want(&wary, first).ok());
  ASSERT_EQ(wary.files().size(), 1u);
  EXPECT_EQ(wary.files()[0].whole_bytes, first.offset + first.size);
}

TEST_F(FollowedBlobsTest, NothingIsWholeBehindATornRecord) {
  const BlobIndex first = Append(7, "a", "one");
  const BlobIndex second = Append(7, "b", "two");
  const BlobIndex third = Append(7, "c", "three");
  File(7)[second.offset] = 'x';
  Write(7);
  FollowedBlobs blobs(*source, Trust::kNobodyWrites);
  EXPECT_TRUE(Want(&blobs, second).IsIncomplete());
  EXPECT_TRUE(Want(&blobs, third).IsIncomplete());
  EXPECT_TRUE(Want(&blobs, first).ok());
  EXPECT_EQ(Read("a", first), "=one");
}

TEST_F(FollowedBlobsTest, AFileWithoutAHeaderHasNothing) {
  const BlobIndex index = Append(7, "a", "one");
  File(7)[0] = 'x';
  Write(7);
  FollowedBlobs blobs(*source, Trust::kNobodyWrites);
  EXPECT_TRUE(Want(&blobs, index).IsIncomplete());
}

TEST_F(FollowedBlobsTest, AReferenceBeyondAnyFileIsDamage) {
  BlobIndex index = Append(7, "a", "one");
  Write(7);
  index.size = UINT64_MAX;
  FollowedBlobs blobs(*source, Trust::kWriterLives);
  EXPECT_TRUE(Want(&blobs, index).IsCorruption());
  EXPECT_EQ(blobs.files()[0].size_bytes, 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
