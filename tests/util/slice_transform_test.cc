#include "rocksdb/slice_transform.h"

#include <gtest/gtest.h>

#include "tests/util/no_config.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::shared_ptr<const SliceTransform> Make(const std::string& id,
                                           Status* status) {
  std::shared_ptr<const SliceTransform> result;
  *status = SliceTransform::CreateFromString(NoConfig(), id, &result);
  return result;
}

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

TEST(SliceTransformTest, FromString) {
  Status s;
  for (const char* id : {"fixed:8", "rocksdb.FixedPrefix.8"}) {
    const auto t = Make(id, &s);
    ASSERT_TRUE(s.ok() && t != nullptr) << id;
    EXPECT_EQ("rocksdb.FixedPrefix.8", t->GetId());
  }
  EXPECT_EQ("rocksdb.CappedPrefix.5", Make("capped:5", &s)->GetId());
  EXPECT_EQ("rocksdb.Noop", Make("rocksdb.Noop", &s)->GetId());
  EXPECT_EQ(nullptr, Make("nullptr", &s));
  EXPECT_TRUE(s.ok());
  Make("fixed:", &s);
  EXPECT_TRUE(s.IsInvalidArgument());
  Make("capped:5x", &s);
  EXPECT_TRUE(s.IsInvalidArgument());
  Make("other", &s);
  EXPECT_TRUE(s.IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
