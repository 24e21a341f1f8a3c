// The bytes of blob files and references: vectors of RocksDB, what cannot be,
// and every bit flipped.
#include "db/blob/blob_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "db/blob/blob_flow.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Empty if the vectors are absent.
std::string ReadVector(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(BASALT_SOURCE_DIR) /
                                     "../shared/spec/vectors/db" / name;
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const char* const kVectors[] = {
    "r783_blob.000010.blob", "r119_blob.000010.blob",
    "r783_blob_zstd.000010.blob", "r119_blob_zstd.000010.blob"};

TEST(BlobFormatTest, VectorsAreReadAndWrittenAgain) {
  for (const char* name : kVectors) {
    SCOPED_TRACE(name);
    const std::string bytes = ReadVector(name);
    if (bytes.empty()) GTEST_SKIP() << "the vectors are absent";
    const bool is_zstd = std::string(name).find("zstd") != std::string::npos;
    Slice rest(bytes);
    const auto take = [&rest](size_t n) {
      const Slice part(rest.data(), n);
      rest.remove_prefix(n);
      return part;
    };
    std::string written;
    BlobFileHeader header;
    ASSERT_TRUE(header.DecodeFrom(take(BlobFileHeader::kBytes)).ok());
    EXPECT_EQ(header.column_family, 0u);
    EXPECT_EQ(header.compression, is_zstd ? kZSTD : kNoCompression);
    header.EncodeTo(&written);
    uint64_t count = 0;
    while (rest.size() > BlobFileFooter::kBytes) {
      const Slice head = take(BlobRecordHeader::kBytes);
      BlobRecordHeader record;
      ASSERT_TRUE(record.DecodeFrom(head).ok());
      const Slice key = take(record.key_size);
      const Slice value = take(record.value_size);
      EXPECT_EQ(key.ToString(), "k" + std::to_string(++count));
      const Slice whole(head.data(), head.size() + key.size() + value.size());
      EXPECT_TRUE(CheckBlobRecord(whole, key, value.size()).ok());
      EXPECT_TRUE(CheckBlobRecord(whole, "k9", value.size()).IsCorruption());
      EXPECT_TRUE(CheckBlobRecord(whole, key, value.size() + 1).IsCorruption());
      BlobRecordHeader::Encode(key, value, &written);
      written.append(key.data(), key.size());
      written.append(value.data(), value.size());
    }
    BlobFileFooter footer;
    ASSERT_TRUE(footer.DecodeFrom(rest).ok());
    EXPECT_EQ(footer.blob_count, count);
    EXPECT_EQ(count, 2u);
    footer.EncodeTo(&written);
    EXPECT_EQ(written, bytes);
  }
}

TEST(BlobFormatTest, AFileWithoutFooterIsSeen) {
  const std::string bytes =
      ReadVector("r119_blob_direct_write_unsealed.000008.blob");
  if (bytes.empty()) GTEST_SKIP() << "the vectors are absent";
  ASSERT_GT(bytes.size(), BlobFileHeader::kBytes + BlobFileFooter::kBytes);
  BlobFileHeader header;
  EXPECT_TRUE(
      header.DecodeFrom(Slice(bytes.data(), BlobFileHeader::kBytes)).ok());
  BlobFileFooter footer;
  EXPECT_TRUE(footer
                  .DecodeFrom(Slice(
                      bytes.data() + bytes.size() - BlobFileFooter::kBytes,
                      BlobFileFooter::kBytes))
                  .IsCorruption());
}

TEST(BlobFormatTest, EveryFlippedBitOfARecordIsCorruption) {
  std::string record;
  const std::string key = "some key";
  const std::string value(100, 'v');
  BlobRecordHeader::Encode(key, value, &record);
  record += key + value;
  ASSERT_TRUE(CheckBlobRecord(record, key, value.size()).ok());
  // The expiry is part of the sum, so that no bit is free.
  for (size_t bit = 0; bit < record.size() * 8; ++bit) {
    std::string damaged = record;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_TRUE(CheckBlobRecord(damaged, key, value.size()).IsCorruption())
        << bit;
  }
  EXPECT_TRUE(CheckBlobRecord(Slice(record.data(), record.size() - 1), key,
                              value.size())
                  .IsCorruption());
}

TEST(BlobFormatTest, FlippedBitsOfTheFooterAreCorruption) {
  std::string bytes;
  BlobFileFooter footer;
  footer.blob_count = 77;
  footer.EncodeTo(&bytes);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    BlobFileFooter read;
    EXPECT_TRUE(read.DecodeFrom(damaged).IsCorruption()) << bit;
  }
}

TEST(BlobFormatTest, HeadersThatCannotBeAreCorruption) {
  std::string good;
  BlobFileHeader().EncodeTo(&good);
  BlobFileHeader header;
  ASSERT_TRUE(header.DecodeFrom(good).ok());
  EXPECT_TRUE(header.DecodeFrom(Slice(good.data(), 29)).IsCorruption());
  std::string unknown = good;
  unknown[13] = 0x20;
  EXPECT_TRUE(header.DecodeFrom(unknown).IsCorruption());
  // Magic number, version, flags (has an expiry), both ends of the expiry.
  for (const size_t at :
       {size_t{0}, size_t{4}, size_t{12}, size_t{14}, size_t{22}}) {
    std::string damaged = good;
    damaged[at] ^= 1;
    EXPECT_TRUE(header.DecodeFrom(damaged).IsCorruption()) << at;
  }
}

TEST(BlobIndexTest, IsWrittenAsRocksDBDoes) {
  BlobIndex index;
  index.file_number = 10;
  index.offset = 64;
  index.size = 14;
  std::string bytes;
  index.EncodeTo(&bytes);
  EXPECT_EQ(Slice(bytes).ToString(true), "010A400E00");
  index.compression = kZSTD;
  index.offset = uint64_t{1} << 40;
  index.EncodeTo(&bytes);
  BlobIndex read;
  ASSERT_TRUE(read.DecodeFrom(bytes).ok());
  EXPECT_EQ(read.file_number, 10u);
  EXPECT_EQ(read.offset, uint64_t{1} << 40);
  EXPECT_EQ(read.size, 14u);
  EXPECT_EQ(read.compression, kZSTD);
}

TEST(BlobIndexTest, WhatCannotBeIsCorruption) {
  BlobIndex read;
  for (const std::string& bytes :
       {std::string(), std::string("\x00\x05value", 7),  // in place
        std::string("\x02\x05\x0a\x40\x0e\x00", 6),      // with expiry
        std::string("\x03\x0a\x40\x0e\x00", 5),          // no such kind
        std::string("\x01\x00\x40\x0e\x00", 5),          // no file
        std::string("\x01\x0a\x40\x0e", 4),              // cut short
        std::string("\x01\x0a\x40\x0e\x00\x00", 6)}) {   // too long
    EXPECT_TRUE(read.DecodeFrom(bytes).IsCorruption())
        << Slice(bytes).ToString(true);
  }
}

TEST(BlobIndexTest, ArbitraryBytesAreOkOrCorruption) {
  Random64 random(17);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random.Uniform(20), '\0');
    for (char& c : bytes) c = static_cast<char>(random.Next());
    if (!bytes.empty() && random.OneIn(2)) bytes[0] = 1;
    BlobIndex index;
    const Status s = index.DecodeFrom(bytes);
    ASSERT_TRUE(s.ok() || s.IsCorruption());
    BlobRecordHeader record;
    ASSERT_TRUE(record.DecodeFrom(bytes).IsCorruption());
  }
}

TEST(BlobFlowTest, WhatIsNotWrittenAgainIsGarbage) {
  BlobFlow flow;
  BlobIndex index;
  index.file_number = 5;
  index.size = 100;
  flow.NoteRead("key1", index);
  flow.NoteRead("key22", index);
  flow.NoteWritten("key1", index);
  index.file_number = 6;
  flow.NoteRead("a", index);
  flow.NoteWritten("a", index);
  index.file_number = 9;  // a new file
  flow.NoteWritten("b", index);
  BlobFlow other;
  index.file_number = 5;
  index.size = 7;
  other.NoteRead("c", index);
  flow.Add(other);
  const std::vector<BlobFileGarbage> garbage = flow.Garbage();
  ASSERT_EQ(garbage.size(), 1u);
  EXPECT_EQ(garbage[0].number, 5u);
  EXPECT_EQ(garbage[0].garbage_count, 2u);
  EXPECT_EQ(garbage[0].garbage_bytes, 32 + 5 + 100 + 32 + 1 + 7u);
  EXPECT_EQ(flow.read_count(), 4u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
