// The orders of keys: testdata/util/comparator.txt. ORDER is bytewise, reverse,
// stamped or stamped_reverse; keys of the latter two are KEY@TIMESTAMP.
//
//   about ORDER                  its name, and what it is like
//   order ORDER A B              <, = or >
//   order_keys ORDER A B         the same without a look at the timestamps
//   order_stamps ORDER A B       of just two timestamps
//   separator ORDER A B          a short key from A on that is before B
//   successor ORDER A            a short key at or behind A
//   next ORDER A B               whether B comes right behind A at its length
//   stamp ORDER BYTES            as a person reads it
//   decode BYTES                 the number that is a timestamp
#include "rocksdb/comparator.h"

#include <gtest/gtest.h>

#include "tests/testing/script_calls.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Separator(const Comparator* c, std::string start, Slice limit) {
  c->FindShortestSeparator(&start, limit);
  return start;
}

std::string Successor(const Comparator* c, std::string key) {
  c->FindShortSuccessor(&key);
  return key;
}

const Comparator* OrderNamed(const std::string& name) {
  if (name == "bytewise") return BytewiseComparator();
  if (name == "reverse") return ReverseBytewiseComparator();
  if (name == "stamped") return BytewiseComparatorWithU64Ts();
  EXPECT_EQ(name, "stamped_reverse");
  return ReverseBytewiseComparatorWithU64Ts();
}
// KEY@TIMESTAMP as it is stored; a key without one as it is.
std::string StampedKey(const std::string& text) {
  const size_t at = text.find('@');
  std::string key = text.substr(0, at);
  if (at != std::string::npos) {
    PutFixed64(&key, std::stoull(text.substr(at + 1)));
  }
  return key;
}
std::string SignOf(int order) {
  return order < 0 ? "<" : order > 0 ? ">" : "=";
}

std::string AboutOrder(const CallArguments& a) {
  const Comparator* const c = OrderNamed(a[0]);
  std::string text = c->Name();
  if (c->timestamp_size() > 0) {
    text += "; timestamps of " + std::to_string(c->timestamp_size()) + ", " +
            c->TimestampToString(c->GetMinTimestamp()) + " to " +
            c->TimestampToString(c->GetMaxTimestamp());
  }
  if (c->CanKeysWithDifferentByteContentsBeEqual()) {
    text += "; different bytes may be equal";
  }
  return text;
}

std::string OrderOfKeys(const CallArguments& a) {
  const Comparator* const c = OrderNamed(a[0]);
  const std::string left = StampedKey(a[1]), right = StampedKey(a[2]);
  const bool left_has = a[1].find('@') != std::string::npos;
  const bool right_has = a[2].find('@') != std::string::npos;
  const int order =
      c->CompareWithoutTimestamp(left, left_has, right, right_has);
  if (left_has && right_has) {
    EXPECT_EQ(c->CompareWithoutTimestamp(left, right), order);
    EXPECT_EQ(c->EqualWithoutTimestamp(left, right), order == 0);
  }
  return SignOf(order);
}

std::string DecodedStamp(const CallArguments& a) {
  uint64_t number = 4711;
  const Status s = DecodeU64Ts(a[0], &number);
  if (!s.ok()) return s.ToString();
  std::string buffer;
  EXPECT_EQ(EncodeU64Ts(number, &buffer), Slice(a[0]));
  return std::to_string(number);
}

TEST(ComparatorTest, CallsOfTheScript) {
  using Arguments = const CallArguments&;
  const ScriptCalls calls = {
      {"about", AboutOrder},
      {"order",
       [](Arguments a) {
         const Comparator* const c = OrderNamed(a[0]);
         const std::string left = StampedKey(a[1]), right = StampedKey(a[2]);
         const int order = c->Compare(left, right);
         EXPECT_EQ(c->Equal(left, right), order == 0);
         EXPECT_EQ(SignOf(c->Compare(right, left)), SignOf(-order));
         return SignOf(order);
       }},
      {"order_keys", OrderOfKeys},
      {"order_stamps",
       [](Arguments a) {
         return SignOf(OrderNamed(a[0])->CompareTimestamp(
             StampedKey("@" + a[1]), StampedKey("@" + a[2])));
       }},
      {"separator",
       [](Arguments a) {
         return ShownBytes(Separator(OrderNamed(a[0]), a[1], a[2]));
       }},
      {"successor",
       [](Arguments a) {
         return ShownBytes(Successor(OrderNamed(a[0]), a[1]));
       }},
      {"next",
       [](Arguments a) {
         return YesOrNo(
             OrderNamed(a[0])->IsSameLengthImmediateSuccessor(a[1], a[2]));
       }},
      {"stamp",
       [](Arguments a) { return OrderNamed(a[0])->TimestampToString(a[1]); }},
      {"decode", DecodedStamp},
  };
  EXPECT_GE(RunCalls("util/comparator.txt", calls), 87u)
      << "calls went missing";
}

TEST(ComparatorTest, SeparatorsLieBetween) {
  Random64 random(7);
  const auto key = [&] {
    std::string s(random.Uniform(6), '\0');
    // Few distinct bytes, the extremes among them.
    for (char& ch : s) ch = "\x00\x01\x7f\x80\xfe\xff"[random.Uniform(6)];
    return s;
  };
  for (const Comparator* c :
       {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (int i = 0; i < 20000; ++i) {
      std::string a = key();
      std::string b = key();
      if (c->Compare(a, b) > 0) std::swap(a, b);
      if (a == b) continue;
      const std::string between = Separator(c, a, b);
      EXPECT_LE(c->Compare(a, between), 0);
      EXPECT_LT(c->Compare(between, b), 0);
      EXPECT_LE(between.size(), a.size());
      const std::string after = Successor(c, a);
      EXPECT_LE(c->Compare(a, after), 0);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
