// CRC-32C: testdata/util/crc32c.txt has known values, by every variant.
//
//   value BYTES [TIMES]       of so many of them, one behind the other
//   mask CRC, unmask CRC      there and back
//   combine BYTES BYTES       of both, one behind the other
#include "util/crc32c.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/testing/script_calls.h"
#include "util/random.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

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

std::string CrcOfBytes(const CallArguments& a) {
  std::string bytes;
  const uint64_t times = a.Has(1) ? a.Number(1) : 1;
  for (uint64_t i = 0; i < times; ++i) bytes += a[0];
  const uint32_t crc = crc32c::Value(bytes.data(), bytes.size());
  EXPECT_EQ(crc32c::ExtendPortable(0, bytes.data(), bytes.size()), crc);
  EXPECT_EQ(SlowCrc(bytes), crc);
  if (crc32c::HardwareIsSupported()) {
    EXPECT_EQ(crc32c::ExtendHardware(0, bytes.data(), bytes.size()), crc);
  }
  return StringPrintf("%08x", crc);
}

std::string CombinedCrc(const CallArguments& a) {
  const uint32_t first = crc32c::Value(a[0].data(), a[0].size());
  const uint32_t second = crc32c::Value(a[1].data(), a[1].size());
  const uint32_t both = crc32c::Combine(first, second, a[1].size());
  EXPECT_EQ(crc32c::Extend(first, a[1].data(), a[1].size()), both);
  return StringPrintf("%08x", both);
}

std::string MaskedCrc(const CallArguments& a) {
  const uint32_t masked = crc32c::Mask(static_cast<uint32_t>(a.Number(0)));
  EXPECT_EQ(crc32c::Unmask(masked), a.Number(0));
  return StringPrintf("%08x", masked);
}

TEST(Crc32cTest, CallsOfTheScript) {
  const ScriptCalls calls = {
      {"value", CrcOfBytes},
      {"combine", CombinedCrc},
      {"mask", MaskedCrc},
      {"unmask",
       [](const CallArguments& a) {
         const auto masked = static_cast<uint32_t>(a.Number(0));
         return StringPrintf("%08x", crc32c::Unmask(masked));
       }},
  };
  EXPECT_GE(RunCalls("util/crc32c.txt", calls), 25u) << "calls went missing";
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
