// Separators, successors and timestamps are ordered as the built-in comparators
// promise.
#include "rocksdb/comparator.h"

#include <gtest/gtest.h>

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

TEST(ComparatorTest, BytewiseSeparators) {
  const Comparator* c = BytewiseComparator();
  EXPECT_EQ("b", Separator(c, "abc", "c"));
  EXPECT_EQ("abc", Separator(c, "abc", "abcd"));
  EXPECT_EQ("abcd", Separator(c, "abcd", "abc"));
  EXPECT_EQ("abc2", Separator(c, "abc1xyz", "abc3"));
  EXPECT_EQ("abc1y", Separator(c, "abc1xyz", "abc2"));
  EXPECT_EQ("abc2", Separator(c, "abc1xyz", "abc2a"));
  EXPECT_EQ("a\xff\xff", Separator(c, "a\xff\xff", "b"));
  EXPECT_EQ("b", Successor(c, "abc"));
  EXPECT_EQ("\xff\x02", Successor(c, "\xff\x01zz"));
  EXPECT_EQ("\xff\xff", Successor(c, "\xff\xff"));
}

TEST(ComparatorTest, ReverseSeparators) {
  const Comparator* c = ReverseBytewiseComparator();
  EXPECT_EQ("c", Separator(c, "cde", "b"));
  EXPECT_EQ("ab", Separator(c, "abz", "aa"));
  EXPECT_EQ("b", Separator(c, "b", "a"));
  EXPECT_EQ("abc", Separator(c, "abc", "ab"));
  EXPECT_EQ("abc", Successor(c, "abc"));
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

TEST(ComparatorTest, ImmediateSuccessor) {
  const Comparator* c = BytewiseComparator();
  EXPECT_TRUE(c->IsSameLengthImmediateSuccessor("ab", "ac"));
  EXPECT_TRUE(
      c->IsSameLengthImmediateSuccessor(Slice("a\xff", 2), Slice("b\0", 2)));
  EXPECT_FALSE(c->IsSameLengthImmediateSuccessor("ab", "ad"));
  EXPECT_FALSE(c->IsSameLengthImmediateSuccessor("ab", "ab"));
  EXPECT_FALSE(c->IsSameLengthImmediateSuccessor("a", "ab"));
  EXPECT_FALSE(c->CanKeysWithDifferentByteContentsBeEqual());
}

std::string WithTs(const std::string& key, uint64_t ts) {
  std::string result = key;
  PutFixed64(&result, ts);
  return result;
}

TEST(ComparatorTest, NewerTimestampsComeFirst) {
  const Comparator* c = BytewiseComparatorWithU64Ts();
  const Comparator* r = ReverseBytewiseComparatorWithU64Ts();
  EXPECT_STREQ("leveldb.BytewiseComparator.u64ts", c->Name());
  EXPECT_STREQ("rocksdb.ReverseBytewiseComparator.u64ts", r->Name());
  EXPECT_EQ(8u, c->timestamp_size());
  EXPECT_LT(c->Compare(WithTs("a", 2), WithTs("a", 1)), 0);
  EXPECT_LT(c->Compare(WithTs("a", 256), WithTs("a", 255)), 0);
  EXPECT_LT(c->Compare(WithTs("a", 1), WithTs("b", 2)), 0);
  EXPECT_LT(r->Compare(WithTs("a", 2), WithTs("a", 1)), 0);
  EXPECT_GT(r->Compare(WithTs("a", 1), WithTs("b", 2)), 0);
  EXPECT_EQ(0, c->CompareWithoutTimestamp(WithTs("a", 1), WithTs("a", 2)));
  EXPECT_EQ(0, c->CompareWithoutTimestamp("a", false, WithTs("a", 2), true));
  EXPECT_TRUE(c->EqualWithoutTimestamp(WithTs("a", 1), WithTs("a", 2)));
  EXPECT_LT(c->CompareTimestamp(c->GetMinTimestamp(), c->GetMaxTimestamp()), 0);
  EXPECT_EQ("7", c->TimestampToString(Slice(WithTs("", 7))));
}

TEST(ComparatorTest, TimestampsAsNumbers) {
  std::string buf;
  uint64_t value = 0;
  ASSERT_TRUE(DecodeU64Ts(EncodeU64Ts(99, &buf), &value).ok());
  EXPECT_EQ(99u, value);
  EXPECT_TRUE(DecodeU64Ts("short", &value).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
