// All variants of CRC-32C give the known values and agree at every length and
// alignment; masking and combining are right.
#include "util/crc32c.h"

#include <gtest/gtest.h>

#include <string>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(Crc32cTest, KnownValues) {
  EXPECT_EQ(0u, crc32c::Value("", 0));
  EXPECT_EQ(0xe3069283u, crc32c::Value("123456789", 9));
  EXPECT_EQ(0x8a9136aau, crc32c::Value(std::string(32, '\0').data(), 32));
  EXPECT_EQ(0x62a8ab43u, crc32c::Value(std::string(32, '\xff').data(), 32));
}

TEST(Crc32cTest, MaskOfTheFormat) {
  const char type = 1;
  EXPECT_EQ(0xa016d052u, crc32c::Value(&type, 1));
  EXPECT_EQ(0x43282b05u, crc32c::Mask(0xa016d052u));
  EXPECT_EQ(0xa016d052u, crc32c::Unmask(0x43282b05u));
  EXPECT_EQ(0x801f7fb9u, crc32c::Mask(0x4a70eeceu));
}

// Bit by bit, straight from the definition.
uint32_t SlowCrc(const std::string& data) {
  uint32_t crc = ~0u;
  for (const char c : data) {
    crc ^= static_cast<uint8_t>(c);
    for (int i = 0; i < 8; ++i) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
    }
  }
  return ~crc;
}

TEST(Crc32cTest, AllVariantsAgreeAtAllLengthsAndAlignments) {
  Random64 random(42);
  const std::string data = random.RandomBytes(9000);
  size_t n = 0;
  for (int i = 0; i < 600; ++i) {
    const size_t offset = random.Uniform(16);
    n = i < 300 ? static_cast<size_t>(i) : random.Uniform(8900);
    const std::string part = data.substr(offset, n);
    const uint32_t expected = SlowCrc(part);
    ASSERT_EQ(expected, crc32c::ExtendPortable(0, data.data() + offset, n));
    ASSERT_EQ(expected, crc32c::Value(data.data() + offset, n));
    if (crc32c::HardwareIsSupported()) {
      ASSERT_EQ(expected, crc32c::ExtendHardware(0, data.data() + offset, n));
    }
  }
}

TEST(Crc32cTest, ExtendAndCombineAreTheWhole) {
  Random64 random(43);
  const std::string data = random.RandomBytes(20000);
  const uint32_t whole = crc32c::Value(data.data(), data.size());
  for (const size_t cut : {0u, 1u, 7u, 4096u, 19999u, 20000u}) {
    const uint32_t first = crc32c::Value(data.data(), cut);
    EXPECT_EQ(whole,
              crc32c::Extend(first, data.data() + cut, data.size() - cut));
    const uint32_t second = crc32c::Value(data.data() + cut, data.size() - cut);
    EXPECT_EQ(whole, crc32c::Combine(first, second, data.size() - cut));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
