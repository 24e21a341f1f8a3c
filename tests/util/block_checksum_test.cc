// Every checksum type gives the specified value for an example block and
// notices changes of payload, type byte and place.
#include "util/block_checksum.h"

#include <gtest/gtest.h>

#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Bytes(const char* hex) {
  std::string bytes;
  EXPECT_TRUE(Slice(hex).DecodeHex(&bytes));
  return bytes;
}

// The data block of the worked example in the table format's description.
const std::string& ExamplePayload() {
  static const std::string payload = Bytes(
      "000d036170706c65010100000000000072656404090579010200000000000067"
      "7265656e000e0662616e616e61010300000000000079656c6c6f770000000001"
      "000000");
  return payload;
}

TEST(BlockChecksumTest, ExampleBlockUnderEachType) {
  const std::string& p = ExamplePayload();
  ASSERT_EQ(67u, p.size());
  EXPECT_EQ(0u, BlockChecksum(kNoChecksum, p.data(), p.size(), 0));
  EXPECT_EQ(0x801f7fb9u, BlockChecksum(kCRC32c, p.data(), p.size(), 0));
  EXPECT_EQ(0x8b9e3bfeu, BlockChecksum(kxxHash, p.data(), p.size(), 0));
  EXPECT_EQ(0xe7a675adu, BlockChecksum(kxxHash64, p.data(), p.size(), 0));
  EXPECT_EQ(0x5c4c2754u, BlockChecksum(kXXH3, p.data(), p.size(), 0));
  EXPECT_EQ(0xacbfbdbbu, BlockChecksum(kXXH3, p.data(), p.size(), 7));
}

TEST(BlockChecksumTest, EveryTypeNoticesPayloadAndTypeByte) {
  std::string p = ExamplePayload();
  for (const ChecksumType type : {kCRC32c, kxxHash, kxxHash64, kXXH3}) {
    const uint32_t before = BlockChecksum(type, p.data(), p.size(), 0);
    EXPECT_NE(before, BlockChecksum(type, p.data(), p.size(), 1));
    p[10] = static_cast<char>(p[10] ^ 1);
    EXPECT_NE(before, BlockChecksum(type, p.data(), p.size(), 0));
    p[10] = static_cast<char>(p[10] ^ 1);
  }
}

TEST(BlockChecksumTest, KnownTypes) {
  for (uint8_t value = 0; value <= 4; ++value) {
    EXPECT_TRUE(IsKnownChecksumType(value));
  }
  EXPECT_FALSE(IsKnownChecksumType(5));
  EXPECT_FALSE(IsKnownChecksumType(255));
}

TEST(BlockChecksumTest, ModifierDependsOnThePlace) {
  EXPECT_EQ(0u, ChecksumModifier(0, 12345));
  EXPECT_EQ(7u ^ 12345u, ChecksumModifier(7, 12345));
  EXPECT_EQ(7u ^ 3u, ChecksumModifier(7, (uint64_t{1} << 32) + 2));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
