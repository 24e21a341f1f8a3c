// Numbers, sizes and bytes as text, and back: testdata/util/string_util.txt.
//
//   uint64 TEXT, int64, uint32, int32, double, boolean    what is read
//   digits TEXT              the number it begins with, and what is behind
//   split DELIMITER TEXT, trim TEXT, lower TEXT, starts A B, ends A B
//   escape BYTES             for people
//   option TEXT, unoption TEXT       as values stand in option files
//   base36 DIGITS NUMBER, unbase36 DIGITS TEXT
//   count N, bytes N, micros N       for people
#include "util/string_util.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "tests/testing/script_calls.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A call that reads a number, and leaves it as it was if there is none.
template <typename T>
ScriptCall ReadsNumber(bool (*parse)(std::string_view, T*)) {
  return [parse](const CallArguments& a) -> std::string {
    T value = 123;
    if (parse(a[0], &value)) return std::to_string(value);
    EXPECT_EQ(value, T{123});
    return "refused";
  };
}

std::string ReadDouble(const CallArguments& a) {
  double value = 4711;
  if (ParseDouble(a[0], &value)) return DoubleToString(value);
  EXPECT_EQ(value, 4711);
  return "refused";
}

std::string ReadBoolean(const CallArguments& a) {
  bool no = false, yes = true;
  const bool is_read = ParseBoolean(a[0], &no);
  EXPECT_EQ(ParseBoolean(a[0], &yes), is_read);
  if (is_read) {
    EXPECT_EQ(yes, no);
    return YesOrNo(no);
  }
  EXPECT_TRUE(yes && !no) << "untouched";
  return "refused";
}

std::string ReadDigits(const CallArguments& a) {
  Slice rest(a[0]);
  uint64_t value = 0;
  if (!ConsumeDecimalNumber(&rest, &value)) return "refused";
  return std::to_string(value) + " " + ShownBytes(rest.ToStringView());
}

std::string ReadBase36(const CallArguments& a) {
  Slice rest(a[1]);
  uint64_t value = 0;
  if (!ParseBaseChars36(&rest, a.Number(0), &value)) return "refused";
  return std::to_string(value) + " " + ShownBytes(rest.ToStringView());
}

std::string WriteBase36(const CallArguments& a) {
  std::string text;
  PutBaseChars36(&text, a.Number(0), a.Number(1));
  return text;
}

std::string SplitParts(const CallArguments& a) {
  std::string text;
  for (const std::string& part : SplitString(a[1], a[0].at(0))) {
    text += (text.empty() ? "" : " ") + ShownBytes(part);
  }
  return text.empty() ? "none" : text;
}

TEST(StringUtilTest, CallsOfTheScript) {
  using Arguments = const CallArguments&;
  const ScriptCalls calls = {
      {"uint64", ReadsNumber<uint64_t>(ParseUint64)},
      {"int64", ReadsNumber<int64_t>(ParseInt64)},
      {"uint32", ReadsNumber<uint32_t>(ParseUint32)},
      {"int32", ReadsNumber<int32_t>(ParseInt32)},
      {"double", ReadDouble},
      {"boolean", ReadBoolean},
      {"digits", ReadDigits},
      {"split", SplitParts},
      {"trim", [](Arguments a) { return ShownBytes(TrimSpace(a[0])); }},
      {"lower", [](Arguments a) { return ShownBytes(ToLower(a[0])); }},
      {"starts", [](Arguments a) { return YesOrNo(StartsWith(a[0], a[1])); }},
      {"ends", [](Arguments a) { return YesOrNo(EndsWith(a[0], a[1])); }},
      {"escape", [](Arguments a) { return EscapeString(a[0]); }},
      {"option", [](Arguments a) { return EscapeOptionString(a[0]); }},
      {"unoption",
       [](Arguments a) { return ShownBytes(UnescapeOptionString(a[0])); }},
      {"base36", WriteBase36},
      {"unbase36", ReadBase36},
      {"count",
       [](Arguments a) { return NumberToHumanString(std::stoll(a[0])); }},
      {"bytes", [](Arguments a) { return BytesToHumanString(a.Number(0)); }},
      {"micros", [](Arguments a) { return MicrosToHumanString(a.Number(0)); }},
  };
  EXPECT_GE(RunCalls("util/string_util.txt", calls), 154u)
      << "calls went missing";
}

TEST(StringUtilTest, DoublesAreReadAsTheyWereWritten) {
  for (const double value : {0.0, 0.1, -1.5, 1e300, 1.0 / 3}) {
    double number = 7;
    ASSERT_TRUE(ParseDouble(DoubleToString(value), &number));
    EXPECT_EQ(value, number);
  }
}

TEST(StringUtilTest, Formats) {
  EXPECT_EQ("x=5", StringPrintf("%s=%d", "x", 5));
  EXPECT_EQ("No such file or directory", ErrnoString(ENOENT));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
