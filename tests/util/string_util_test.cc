// Numbers, sizes, escapes and lists go to text and back, and anything
// incomplete or out of range is refused.
#include "util/string_util.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StringUtilTest, UnsignedNumbers) {
  const struct {
    const char* text;
    uint64_t value;
  } kGood[] = {
      {"0", 0},           {"42", 42},
      {" 42\n", 42},      {"+7", 7},
      {"4k", 4096},       {"2M", 2 << 20},
      {"1g", 1 << 30},    {"3T", uint64_t{3} << 40},
      {"0x1F", 31},       {"18446744073709551615", UINT64_MAX},
      {"-1", UINT64_MAX},
  };
  for (const auto& row : kGood) {
    uint64_t value = 1234;
    EXPECT_TRUE(ParseUint64(row.text, &value)) << row.text;
    EXPECT_EQ(row.value, value) << row.text;
  }
  for (const char* text : {"", " ", "x", "4kb", "4 k", "18446744073709551616",
                           "1.5", "--1", "0x", "99999999999T", "12a", "+"}) {
    uint64_t value = 1234;
    EXPECT_FALSE(ParseUint64(text, &value)) << text;
    EXPECT_EQ(1234u, value) << text;
  }
}

TEST(StringUtilTest, SignedAndNarrowNumbers) {
  int64_t wide = 0;
  EXPECT_TRUE(ParseInt64("-9223372036854775808", &wide));
  EXPECT_EQ(INT64_MIN, wide);
  EXPECT_TRUE(ParseInt64("-2k", &wide));
  EXPECT_EQ(-2048, wide);
  EXPECT_FALSE(ParseInt64("9223372036854775808", &wide));
  EXPECT_FALSE(ParseInt64("-9223372036854775809", &wide));
  int32_t narrow = 0;
  EXPECT_TRUE(ParseInt32("-2147483648", &narrow));
  EXPECT_EQ(INT32_MIN, narrow);
  EXPECT_FALSE(ParseInt32("2147483648", &narrow));
  uint32_t unsigned_narrow = 0;
  EXPECT_TRUE(ParseUint32("4294967295", &unsigned_narrow));
  EXPECT_FALSE(ParseUint32("4294967296", &unsigned_narrow));
  EXPECT_TRUE(ParseUint32("-1", &unsigned_narrow));
  EXPECT_EQ(UINT32_MAX, unsigned_narrow);
}

TEST(StringUtilTest, DoublesAndBooleans) {
  double number = 0;
  for (const double value : {0.0, 0.1, -1.5, 1e300, 1.0 / 3}) {
    ASSERT_TRUE(ParseDouble(DoubleToString(value), &number));
    EXPECT_EQ(value, number);
  }
  EXPECT_FALSE(ParseDouble("1.5x", &number));
  EXPECT_FALSE(ParseDouble("", &number));
  bool boolean = false;
  EXPECT_TRUE(ParseBoolean("TRUE", &boolean) && boolean);
  EXPECT_TRUE(ParseBoolean(" off ", &boolean) && !boolean);
  EXPECT_FALSE(ParseBoolean("maybe", &boolean));
}

TEST(StringUtilTest, ConsumesDigits) {
  Slice in("123abc");
  uint64_t value = 0;
  ASSERT_TRUE(ConsumeDecimalNumber(&in, &value));
  EXPECT_EQ(123u, value);
  EXPECT_EQ("abc", in.ToString());
  EXPECT_FALSE(ConsumeDecimalNumber(&in, &value));
  Slice huge("99999999999999999999");
  EXPECT_FALSE(ConsumeDecimalNumber(&huge, &value));
}

TEST(StringUtilTest, SplitTrimAndCase) {
  EXPECT_EQ((std::vector<std::string>{"a", "", "b"}), SplitString("a,,b", ','));
  EXPECT_EQ((std::vector<std::string>{"a", ""}), SplitString("a,", ','));
  EXPECT_TRUE(SplitString("", ',').empty());
  EXPECT_EQ("x y", TrimSpace("\t x y \n"));
  EXPECT_EQ("abc", ToLower("aBC"));
  EXPECT_TRUE(StartsWith("abc", "ab") && EndsWith("abc", "bc"));
  EXPECT_FALSE(StartsWith("a", "ab") || EndsWith("a", "ba"));
}

TEST(StringUtilTest, Escapes) {
  EXPECT_EQ("a\\x00\\xFF b", EscapeString(Slice("a\0\xff b", 5)));
  const std::string raw = "a\\b:c#d\ne\rf";
  EXPECT_EQ("a\\\\b\\:c\\#d\\ne\\rf", EscapeOptionString(raw));
  EXPECT_EQ(raw, UnescapeOptionString(EscapeOptionString(raw)));
  EXPECT_EQ("end\\", UnescapeOptionString("end\\"));
}

TEST(StringUtilTest, Base36) {
  std::string s;
  PutBaseChars36(&s, 5, 36 * 36 + 35);
  EXPECT_EQ("0010Z", s);
  Slice in(s);
  uint64_t value = 0;
  ASSERT_TRUE(ParseBaseChars36(&in, 5, &value));
  EXPECT_EQ(36u * 36 + 35, value);
  Slice bad("00_00");
  EXPECT_FALSE(ParseBaseChars36(&bad, 5, &value));
}

TEST(StringUtilTest, ForPeople) {
  EXPECT_EQ("9999", NumberToHumanString(9999));
  EXPECT_EQ("12K", NumberToHumanString(12345));
  EXPECT_EQ("-12M", NumberToHumanString(-12345678));
  EXPECT_EQ("1.50 KB", BytesToHumanString(1536));
  EXPECT_EQ("2.00 GB", BytesToHumanString(uint64_t{2} << 30));
  EXPECT_EQ("15 us", MicrosToHumanString(15));
  EXPECT_EQ("15.000 ms", MicrosToHumanString(15000));
  EXPECT_EQ("01:05.500 M:S", MicrosToHumanString(65500000));
  EXPECT_EQ("x=5", StringPrintf("%s=%d", "x", 5));
  EXPECT_EQ("No such file or directory", ErrnoString(ENOENT));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
