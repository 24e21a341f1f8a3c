// Integers and strings as bytes: testdata/util/coding.txt. Bytes are given and
// shown in hexadecimal digits; KIND is fixed16, fixed32, fixed64, varint32,
// varint64, signed or slice.
//
//   put KIND VALUE..         one behind the other
//   get KIND [KIND].. HEX    each value, and what is left; what is refused
//                            leaves all as it was
#include "util/coding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/testing/script_calls.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct CodedKind {
  std::function<void(std::string*, const std::string&)> put;
  // False, and both as they were; or the text of what has been read.
  std::function<bool(Slice*, std::string*)> get;
};

template <typename T>
CodedKind UnsignedKind(void (*put)(std::string*, T), bool (*get)(Slice*, T*)) {
  return {[put](std::string* bytes, const std::string& text) {
            put(bytes, static_cast<T>(std::stoull(text, nullptr, 0)));
          },
          [get](Slice* input, std::string* text) {
            T value = 4711;
            const bool is_read = get(input, &value);
            EXPECT_TRUE(is_read || value == 4711) << "changed";
            *text = std::to_string(value);
            return is_read;
          }};
}

const std::map<std::string, CodedKind>& CodedKinds() {
  static const std::map<std::string, CodedKind> kinds = {
      {"fixed16", UnsignedKind<uint16_t>(PutFixed16, GetFixed16)},
      {"fixed32", UnsignedKind<uint32_t>(PutFixed32, GetFixed32)},
      {"fixed64", UnsignedKind<uint64_t>(PutFixed64, GetFixed64)},
      {"varint32", UnsignedKind<uint32_t>(PutVarint32, GetVarint32)},
      {"varint64", UnsignedKind<uint64_t>(PutVarint64, GetVarint64)},
      {"signed",
       {[](std::string* bytes, const std::string& text) {
          PutVarsignedint64(bytes, std::stoll(text));
        },
        [](Slice* input, std::string* text) {
          int64_t value = 4711;
          const bool is_read = GetVarsignedint64(input, &value);
          EXPECT_TRUE(is_read || value == 4711) << "changed";
          *text = std::to_string(value);
          return is_read;
        }}},
      {"slice",
       {[](std::string* bytes, const std::string& text) {
          PutLengthPrefixedSlice(bytes, text);
        },
        [](Slice* input, std::string* text) {
          Slice value("as before");
          const bool is_read = GetLengthPrefixedSlice(input, &value);
          EXPECT_TRUE(is_read || value == Slice("as before"));
          *text = ShownBytes(value.ToStringView());
          return is_read;
        }}}};
  return kinds;
}

std::string PutCoded(const CallArguments& a) {
  std::string bytes;
  for (const std::string& value : a.From(1)) {
    CodedKinds().at(a[0]).put(&bytes, value);
  }
  return Slice(bytes).ToString(/*hex=*/true);
}

std::string GetCoded(const CallArguments& a) {
  const std::string& digits = a.all().back();
  std::string bytes;
  EXPECT_TRUE(Slice(digits).DecodeHex(&bytes)) << digits;
  // A copy of the exact size lets a sanitizer see an overrun.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  Slice rest(exact.data(), exact.size());
  std::string text;
  for (size_t i = 0; i + 1 < a.size(); ++i) {
    std::string value;
    const size_t before = rest.size();
    if (CodedKinds().at(a[i]).get(&rest, &value)) {
      text += value + " ";
      continue;
    }
    EXPECT_EQ(rest.size(), before) << "input that is refused stays";
    return text + "refused";
  }
  return text + "left:" + ShownBytes(rest.ToString(/*hex=*/true));
}

TEST(CodingTest, CallsOfTheScript) {
  const ScriptCalls calls = {{"put", PutCoded}, {"get", GetCoded}};
  EXPECT_GE(RunCalls("util/coding.txt", calls), 94u) << "calls went missing";
}

// A length of two bytes, and bytes that nobody needs to see.
TEST(CodingTest, ALongSlice) {
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
