// The hashes for builds without the xxhash library give what that library
// gives: testdata/util/xxhash.txt, which has its answers, and <xxhash.h> itself
// where the build has found it. Without the library, <xxhash.h> is our own
// header, whose names are then held against the hashes behind them.
//
//   hash BYTES SEED    XXH32, XXH64, XXH3 with 64 and with 128 bits; BYTES are
//                      in hexadecimal digits, or `counting:N`: 00 01 02 ..
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "tests/testing/script_calls.h"
#include "util/random.h"
#include "util/string_util.h"
#include "util/xxhash/xxh32_xxh64.h"
#include "util/xxhash/xxh3_any.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string BytesToHash(const std::string& text) {
  static const std::string counting = "counting:";
  std::string bytes;
  if (!text.starts_with(counting)) {
    EXPECT_TRUE(Slice(text).DecodeHex(&bytes)) << text;
    return bytes;
  }
  const size_t n = std::stoul(text.substr(counting.size()));
  for (size_t i = 0; i < n; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

std::string XxhashesOf(const CallArguments& a) {
  using Wide = unsigned long long;
  const std::string bytes = BytesToHash(a[0]);
  const char* const p = bytes.data();
  const size_t n = bytes.size();
  const uint64_t seed = a.Number(1);
  const own_xxhash::Halves halves = own_xxhash::Xxh3Hash128(p, n, seed);
  return StringPrintf("%08x %016llx %016llx %016llx%016llx",
                      own_xxhash::Xxh32(p, n, static_cast<uint32_t>(seed)),
                      Wide{own_xxhash::Xxh64(p, n, seed)},
                      Wide{own_xxhash::Xxh3Hash64(p, n, seed)},
                      Wide{halves.high64}, Wide{halves.low64});
}

TEST(XxhashTest, CallsOfTheScript) {
  const ScriptCalls calls = {{"hash", XxhashesOf}};
  EXPECT_GE(RunCalls("util/xxhash.txt", calls), 60u) << "calls went missing";
}

void ExpectAsInHeader(const Slice& bytes, uint64_t seed) {
  const char* const p = bytes.data();
  const size_t n = bytes.size();
  const auto short_seed = static_cast<uint32_t>(seed);
  EXPECT_EQ(own_xxhash::Xxh32(p, n, short_seed), XXH32(p, n, short_seed));
  EXPECT_EQ(own_xxhash::Xxh64(p, n, seed), XXH64(p, n, seed));
  EXPECT_EQ(own_xxhash::Xxh3Hash64(p, n, seed),
            XXH3_64bits_withSeed(p, n, seed));
  if (seed == 0) {
    EXPECT_EQ(own_xxhash::Xxh3Hash64(p, n, 0), XXH3_64bits(p, n));
  }
  const own_xxhash::Halves halves = own_xxhash::Xxh3Hash128(p, n, seed);
  const XXH128_hash_t expected = XXH3_128bits_withSeed(p, n, seed);
  EXPECT_EQ(halves.low64, expected.low64);
  EXPECT_EQ(halves.high64, expected.high64);
}

constexpr std::array<uint64_t, 5> kSeeds = {0, 1, 0x9E3779B1,
                                            0x0123456789abcdef, ~uint64_t{0}};

TEST(XxhashTest, EveryLengthAsInTheHeaderOfTheBuild) {
  const std::string bytes = Random64(301).RandomBytes(2008);
  for (size_t n = 0; n <= 2000 && !HasFailure(); ++n) {
    for (const uint64_t seed : kSeeds) {
      SCOPED_TRACE(std::to_string(n) + " bytes, seed " + std::to_string(seed));
      ExpectAsInHeader(Slice(bytes.data() + n % 8, n), seed);
    }
  }
}

TEST(XxhashTest, LargeInputsAsInTheHeaderOfTheBuild) {
  const std::string bytes = Random64(301).RandomBytes((size_t{1} << 20) + 100);
  for (const size_t n : {size_t{4096}, size_t{4101}, size_t{65535},
                         bytes.size() - 100, bytes.size() - 37, bytes.size()}) {
    for (const uint64_t seed : kSeeds) {
      SCOPED_TRACE(std::to_string(n) + " bytes, seed " + std::to_string(seed));
      ExpectAsInHeader(Slice(bytes.data(), n), seed);
    }
  }
}

// Pieces of fewer than `limit` bytes, some of them empty; a digest after each
// of them leaves what follows as it would be.
void ExpectPiecesMakeTheWhole(const std::string& bytes, uint64_t limit) {
  constexpr uint32_t kSeed = 7;
  Random64 random(limit);
  own_xxhash::Xxh32Stream xxh32(kSeed);
  own_xxhash::Xxh64Stream xxh64(kSeed);
  own_xxhash::Xxh3Stream xxh3;
  const char* const p = bytes.data();
  for (size_t n = 0; n < bytes.size();) {
    const size_t piece = std::min<size_t>(
        static_cast<size_t>(random.Uniform(limit)), bytes.size() - n);
    xxh32.Update(p + n, piece);
    xxh64.Update(p + n, piece);
    xxh3.Update(p + n, piece);
    n += piece;
    ASSERT_EQ(xxh32.Digest(), own_xxhash::Xxh32(p, n, kSeed)) << n;
    ASSERT_EQ(xxh64.Digest(), own_xxhash::Xxh64(p, n, kSeed)) << n;
    ASSERT_EQ(xxh3.Digest(), own_xxhash::Xxh3Hash64(p, n, 0)) << n;
  }
}

TEST(XxhashTest, PiecesMakeTheWhole) {
  const std::string bytes = Random64(301).RandomBytes(5000);
  for (const uint64_t limit : {2, 7, 40, 100, 400, 1500}) {
    SCOPED_TRACE(limit);
    ExpectPiecesMakeTheWhole(bytes, limit);
  }
}

TEST(XxhashTest, NothingHasAHash) {
  own_xxhash::Xxh32Stream xxh32;
  own_xxhash::Xxh64Stream xxh64;
  own_xxhash::Xxh3Stream xxh3;
  xxh32.Update(nullptr, 0);
  xxh64.Update(nullptr, 0);
  xxh3.Update(nullptr, 0);
  EXPECT_EQ(xxh32.Digest(), own_xxhash::Xxh32("", 0, 0));
  EXPECT_EQ(xxh64.Digest(), own_xxhash::Xxh64("", 0, 0));
  EXPECT_EQ(xxh3.Digest(), own_xxhash::Xxh3Hash64("", 0, 0));
}

// A stream that is used again begins anew, whatever went before.
TEST(XxhashTest, PiecesAsInTheHeaderOfTheBuild) {
  const std::string bytes = Random64(301).RandomBytes(3000);
  XXH3_state_t* const state = XXH3_createState();
  ASSERT_NE(state, nullptr);
  for (const size_t n : {size_t{3000}, size_t{0}, size_t{17}, size_t{240},
                         size_t{320}, size_t{321}, size_t{1025}}) {
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, bytes.data(), n / 3);
    XXH3_64bits_update(state, bytes.data() + n / 3, n - n / 3);
    EXPECT_EQ(XXH3_64bits_digest(state),
              own_xxhash::Xxh3Hash64(bytes.data(), n, 0))
        << n;
  }
  XXH3_freeState(state);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
