// Footers, handles and trailers of every format version are those of the
// specification, and flipped bytes are found.
#include "table/format.h"

#include <gtest/gtest.h>

#include <string>

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kFooterOffset = 1398;
constexpr uint64_t kFileSize = kFooterOffset + Footer::kBytes;

Footer MakeFooter(uint32_t version) {
  Footer footer;
  footer.format_version = version;
  footer.checksum = kXXH3;
  footer.metaindex = {.offset = 1291, .size = 102};
  if (version < kFirstContextChecksumVersion) {
    footer.index = {.offset = 146, .size = 18};
  } else {
    footer.base_context_checksum = 0x7785e3e4;
  }
  return footer;
}

TEST(Footer, RoundTrip) {
  for (uint32_t version = 1; version <= kLatestFormatVersion; ++version) {
    SCOPED_TRACE(version);
    const Footer written = MakeFooter(version);
    std::string bytes;
    written.EncodeTo(kFooterOffset, &bytes);
    ASSERT_EQ(bytes.size(), Footer::kBytes);
    Footer read;
    ASSERT_TRUE(read.DecodeFrom(bytes, kFileSize, "f").ok());
    EXPECT_EQ(read.format_version, version);
    EXPECT_EQ(read.checksum, kXXH3);
    EXPECT_EQ(read.metaindex, written.metaindex);
    EXPECT_EQ(read.index, written.index);
    EXPECT_EQ(read.base_context_checksum, written.base_context_checksum);
  }
}

// The worked example of the format's specification.
TEST(Footer, KnownBytesOfVersion7) {
  std::string bytes;
  MakeFooter(7).EncodeTo(kFooterOffset, &bytes);
  const unsigned char expected[] = {0x04, 0x3e, 0x00, 0x7a, 0x00, 0xa4,
                                    0x3f, 0x03, 0x46, 0xe4, 0xe3, 0x85,
                                    0x77, 0x66, 0x00, 0x00, 0x00};
  EXPECT_EQ(
      bytes.substr(0, sizeof(expected)),
      std::string(reinterpret_cast<const char*>(expected), sizeof(expected)));
}

// Every byte that is examined matters.
TEST(Footer, FlippedBytesOfVersion7AreFound) {
  std::string bytes;
  MakeFooter(7).EncodeTo(kFooterOffset, &bytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char bit : {'\x01', '\x80'}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ bit);
      Footer read;
      const Status s = read.DecodeFrom(damaged, kFileSize, "f");
      EXPECT_FALSE(s.ok()) << "byte " << i;
    }
  }
}

TEST(Footer, RefusesWhatIsNoTable) {
  Footer footer;
  EXPECT_TRUE(footer.DecodeFrom(Slice(), 0, "f").IsCorruption());
  EXPECT_TRUE(footer.DecodeFrom(std::string(47, 'x'), 47, "f").IsCorruption());
  EXPECT_TRUE(footer.DecodeFrom(std::string(53, 'x'), 53, "f").IsCorruption());
  std::string plain(48, '\0');
  EncodeFixed64(plain.data() + 40, kLegacyPlainTableMagic);
  EXPECT_TRUE(footer.DecodeFrom(plain, 48, "f").IsNotSupported());
}

TEST(Footer, RefusesHandlesOutsideTheFile) {
  Footer footer = MakeFooter(5);
  footer.index = {.offset = kFooterOffset - 4, .size = 0};
  std::string bytes;
  footer.EncodeTo(kFooterOffset, &bytes);
  Footer read;
  const Status s = read.DecodeFrom(bytes, kFileSize, "some-file");
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("some-file"), std::string::npos);
}

TEST(BlockHandle, FitsBefore) {
  EXPECT_TRUE((BlockHandle{.offset = 0, .size = 5}).FitsBefore(10));
  EXPECT_FALSE((BlockHandle{.offset = 1, .size = 5}).FitsBefore(10));
  EXPECT_FALSE((BlockHandle{.offset = UINT64_MAX, .size = 8}).FitsBefore(100));
  EXPECT_FALSE((BlockHandle{.offset = 8, .size = UINT64_MAX}).FitsBefore(100));
  EXPECT_FALSE((BlockHandle{.offset = 0, .size = 0}).FitsBefore(4));
}

// Section 12.2 of the specification: one payload under each checksum type.
TEST(Footer, TrailerChecksums) {
  std::string payload;
  const auto entry = [&payload](size_t shared, const std::string& tail,
                                const std::string& value) {
    PutVarint32(&payload, static_cast<uint32_t>(shared));
    PutVarint32(&payload, static_cast<uint32_t>(tail.size()));
    PutVarint32(&payload, static_cast<uint32_t>(value.size()));
    payload += tail + value;
  };
  const auto suffix = [](char sequence) {
    return std::string("\x01") + sequence + std::string(6, '\0');
  };
  entry(0, "apple" + suffix(1), "red");
  entry(4, "y" + suffix(2), "green");
  entry(0, "banana" + suffix(3), "yellow");
  PutFixed32(&payload, 0);
  PutFixed32(&payload, 1);
  ASSERT_EQ(payload.size(), 67u);
  const struct {
    ChecksumType type;
    uint32_t value;
  } kExpected[] = {{kNoChecksum, 0},
                   {kCRC32c, 0x801f7fb9},
                   {kxxHash, 0x8b9e3bfe},
                   {kxxHash64, 0xe7a675ad},
                   {kXXH3, 0x5c4c2754}};
  for (const auto& row : kExpected) {
    Footer footer;
    footer.checksum = row.type;
    EXPECT_EQ(footer.TrailerChecksum(payload.data(), payload.size(), 0, 0),
              row.value);
    footer.base_context_checksum = 0x7785e3e4;
    EXPECT_EQ(footer.TrailerChecksum(payload.data(), payload.size(), 0, 0),
              row.value + 0x7785e3e4);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
