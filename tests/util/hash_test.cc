// The hashes of the file formats: testdata/util/hash.txt.
//
//   counting N        FilterHash64() and Hash64() of 00 01 02 ..
//   high N            Hash32() of 80 81 82 .., with both seeds in use
//   range32 HASH RANGE, range64 HASH RANGE
#include "util/hash.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/testing/script_calls.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// 00 01 02 ... ff 00 01 ...
std::string CountingBytes(size_t n, size_t first) {
  std::string s;
  for (size_t i = 0; i < n; ++i) s.push_back(static_cast<char>(first + i));
  return s;
}
std::string HexOf64(uint64_t hash) {
  return StringPrintf("%016llx", static_cast<unsigned long long>(hash));
}

std::string HashesOfCounting(const CallArguments& a) {
  const std::string input = CountingBytes(a.Number(0), 0);
  EXPECT_EQ(Hash64(input.data(), input.size(), 0), Hash64(input));
  EXPECT_EQ(Hash64(input.data(), input.size()), Hash64(input));
  return HexOf64(FilterHash64(input)) + " " + HexOf64(Hash64(input));
}

std::string HashesOfHighBytes(const CallArguments& a) {
  const std::string s = CountingBytes(a.Number(0), 0x80);
  return StringPrintf("%08x %08x",
                      Hash32(s.data(), s.size(), kDataBlockHashSeed),
                      Hash32(s.data(), s.size(), kLegacyBloomSeed));
}

TEST(HashTest, CallsOfTheScript) {
  const ScriptCalls calls = {
      {"counting", HashesOfCounting},
      {"high", HashesOfHighBytes},
      {"range32",
       [](const CallArguments& a) {
         return std::to_string(FastRange32(static_cast<uint32_t>(a.Number(0)),
                                           static_cast<uint32_t>(a.Number(1))));
       }},
      {"range64",
       [](const CallArguments& a) {
         return std::to_string(FastRange64(a.Number(0), a.Number(1)));
       }},
  };
  EXPECT_GE(RunCalls("util/hash.txt", calls), 38u) << "calls went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
