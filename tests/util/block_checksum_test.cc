// The checksums of blocks: testdata/util/block_checksum.txt. BYTES are in
// hexadecimal digits, or "example", the data block of the worked example in the
// description of the table format. TYPE is a number, as in a footer.
//
//   checksum BYTES TYPE COMPRESSION
//   known TYPE                  whether a footer may have it
//   modifier BASE OFFSET        what the place of a block adds to it
#include "util/block_checksum.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "tests/testing/script_calls.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string BytesOfHex(const std::string& hex) {
  std::string bytes;
  EXPECT_TRUE(Slice(hex).DecodeHex(&bytes));
  return bytes;
}

const std::string& ExamplePayload() {
  static const std::string payload = BytesOfHex(
      "000d036170706c65010100000000000072656404090579010200000000000067"
      "7265656e000e0662616e616e61010300000000000079656c6c6f770000000001"
      "000000");
  return payload;
}

std::string ChecksumOfBlock(const CallArguments& a) {
  const std::string payload =
      a[0] == "example" ? ExamplePayload() : BytesOfHex(a[0]);
  const auto type = static_cast<uint8_t>(a.Number(1));
  EXPECT_TRUE(IsKnownChecksumType(type));
  return StringPrintf(
      "%08x", BlockChecksum(static_cast<ChecksumType>(type), payload.data(),
                            payload.size(), static_cast<char>(a.Number(2))));
}

TEST(BlockChecksumTest, CallsOfTheScript) {
  ASSERT_EQ(67u, ExamplePayload().size());
  const ScriptCalls calls = {
      {"checksum", ChecksumOfBlock},
      {"known",
       [](const CallArguments& a) {
         return YesOrNo(IsKnownChecksumType(static_cast<uint8_t>(a.Number(0))));
       }},
      {"modifier",
       [](const CallArguments& a) {
         return std::to_string(
             ChecksumModifier(static_cast<uint32_t>(a.Number(0)), a.Number(1)));
       }},
  };
  EXPECT_GE(RunCalls("util/block_checksum.txt", calls), 32u)
      << "calls went missing";
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
