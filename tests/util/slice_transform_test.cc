// The built-in prefix extractors take the right prefixes and domains.
#include "rocksdb/slice_transform.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SliceTransformTest, Fixed) {
  const std::unique_ptr<const SliceTransform> t(NewFixedPrefixTransform(3));
  EXPECT_EQ("rocksdb.FixedPrefix.3", t->AsString());
  EXPECT_TRUE(t->InDomain("abc"));
  EXPECT_FALSE(t->InDomain("ab"));
  EXPECT_EQ("abc", t->Transform("abcd").ToString());
  size_t length = 0;
  EXPECT_TRUE(t->FullLengthEnabled(&length));
  EXPECT_EQ(3u, length);
  EXPECT_TRUE(t->SameResultWhenAppended("abc"));
  EXPECT_FALSE(t->SameResultWhenAppended("ab"));
}

TEST(SliceTransformTest, Capped) {
  const std::unique_ptr<const SliceTransform> t(NewCappedPrefixTransform(3));
  EXPECT_EQ("rocksdb.CappedPrefix.3", t->AsString());
  EXPECT_TRUE(t->InDomain(""));
  EXPECT_EQ("ab", t->Transform("ab").ToString());
  EXPECT_EQ("abc", t->Transform("abcd").ToString());
}

TEST(SliceTransformTest, Noop) {
  const std::unique_ptr<const SliceTransform> t(NewNoopTransform());
  EXPECT_EQ("rocksdb.Noop", t->AsString());
  EXPECT_EQ("abc", t->Transform("abc").ToString());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
