// Integers and slices are encoded and decoded as the formats say, and no
// decoder reads past its input.
#include "util/coding.h"

#include <gtest/gtest.h>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(CodingTest, FixedIsLittleEndian) {
  std::string s;
  PutFixed16(&s, 0x0201);
  PutFixed32(&s, 0x06050403);
  PutFixed64(&s, 0x0e0d0c0b0a090807);
  EXPECT_EQ("0102030405060708090A0B0C0D0E", Slice(s).ToString(true));
  Slice in(s);
  uint16_t a = 0;
  uint32_t b = 0;
  uint64_t c = 0;
  ASSERT_TRUE(GetFixed16(&in, &a));
  ASSERT_TRUE(GetFixed32(&in, &b));
  ASSERT_TRUE(GetFixed64(&in, &c));
  EXPECT_EQ(0x0201, a);
  EXPECT_EQ(0x06050403u, b);
  EXPECT_EQ(0x0e0d0c0b0a090807u, c);
  EXPECT_TRUE(in.empty());
}

TEST(CodingTest, FixedThatIsCutOffLeavesInputAlone) {
  Slice in("abcdefg");
  uint64_t c = 5;
  EXPECT_FALSE(GetFixed64(&in, &c));
  EXPECT_EQ(5u, c);
  EXPECT_EQ(7u, in.size());
}

TEST(CodingTest, VarintRoundTripsAndHasItsLength) {
  for (int shift = 0; shift < 64; ++shift) {
    for (const int delta : {-1, 0, 1}) {
      const uint64_t value =
          (uint64_t{1} << shift) + static_cast<uint64_t>(delta);
      std::string s;
      PutVarint64(&s, value);
      EXPECT_EQ(static_cast<size_t>(VarintLength(value)), s.size());
      Slice in(s);
      uint64_t out = 0;
      ASSERT_TRUE(GetVarint64(&in, &out));
      EXPECT_EQ(value, out);
      EXPECT_TRUE(in.empty());
      if (value <= UINT32_MAX) {
        Slice in32(s);
        uint32_t out32 = 0;
        ASSERT_TRUE(GetVarint32(&in32, &out32));
        EXPECT_EQ(value, out32);
      }
    }
  }
}

TEST(CodingTest, VarintThatIsCutOffOrTooLongIsRefused) {
  std::string s;
  PutVarint64(&s, UINT64_MAX);
  for (size_t n = 0; n < s.size(); ++n) {
    Slice in(s.data(), n);
    uint64_t out = 0;
    EXPECT_FALSE(GetVarint64(&in, &out)) << n;
    EXPECT_EQ(n, in.size());
  }
  uint64_t out64 = 0;
  uint32_t out32 = 0;
  Slice eleven_bytes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
  EXPECT_FALSE(GetVarint64(&eleven_bytes, &out64));
  Slice bit_64("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
  EXPECT_FALSE(GetVarint64(&bit_64, &out64));
  Slice bit_32("\xff\xff\xff\xff\x10", 5);
  EXPECT_FALSE(GetVarint32(&bit_32, &out32));
}

TEST(CodingTest, SignedRoundTrips) {
  for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{1}, int64_t{-64},
                              INT64_MIN, INT64_MAX}) {
    std::string s;
    PutVarsignedint64(&s, value);
    Slice in(s);
    int64_t out = 7;
    ASSERT_TRUE(GetVarsignedint64(&in, &out));
    EXPECT_EQ(value, out);
  }
  std::string one;
  PutVarsignedint64(&one, -1);
  EXPECT_EQ("01", Slice(one).ToString(true));
}

TEST(CodingTest, LengthPrefixedSlices) {
  std::string s;
  PutLengthPrefixedSlice(&s, "");
  PutLengthPrefixedSlice(&s, std::string(300, 'x'));
  Slice in(s);
  Slice a("?");
  Slice b;
  ASSERT_TRUE(GetLengthPrefixedSlice(&in, &a));
  ASSERT_TRUE(GetLengthPrefixedSlice(&in, &b));
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(std::string(300, 'x'), b.ToString());

  Slice cut(s.data() + 1, s.size() - 2);
  Slice out("unchanged");
  EXPECT_FALSE(GetLengthPrefixedSlice(&cut, &out));
  EXPECT_EQ("unchanged", out.ToString());
  EXPECT_EQ(s.size() - 2, cut.size());
}

TEST(CodingTest, AnyBytesAreReadWithoutOverrun) {
  Random64 random(301);
  for (int i = 0; i < 20000; ++i) {
    // A heap copy of the exact size, so that a sanitizer sees an overrun.
    const std::string bytes = random.RandomBytes(random.Uniform(12));
    const std::vector<char> exact(bytes.begin(), bytes.end());
    const Slice whole(exact.data(), exact.size());
    Slice in = whole;
    uint64_t value = 0;
    if (GetVarint64(&in, &value)) {
      EXPECT_LE(in.size(), whole.size() - 1);
    } else {
      EXPECT_EQ(whole.size(), in.size());
    }
    Slice piece;
    in = whole;
    if (GetLengthPrefixedSlice(&in, &piece)) {
      EXPECT_LE(piece.data() + piece.size(), whole.data() + whole.size());
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
