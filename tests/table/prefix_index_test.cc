// A prefix index rules out only prefixes that are not in the file, and survives
// arbitrary bytes.
#include "table/prefix_index.h"

#include <gtest/gtest.h>

#include <string>

#include "table/prefix_index_builder.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PrefixIndexTest : public ::testing::Test {
 protected:
  PrefixIndexTest() : extractor_(NewFixedPrefixTransform(3)) {
    builder_.Add("abc", 0);
    builder_.Add("abc", 1);
    builder_.Add("abd", 1);
    builder_.Add("xyz", 4);
    builder_.Finish();
  }
  std::unique_ptr<const PrefixIndex> Parse(const std::string& prefixes,
                                           const std::string& metadata) {
    problem_ = nullptr;
    auto index = PrefixIndex::Parse(prefixes, metadata, extractor_, &problem_);
    EXPECT_EQ(index == nullptr, problem_ != nullptr);
    return index;
  }

  const std::shared_ptr<const SliceTransform> extractor_;
  PrefixIndexBuilder builder_;
  const char* problem_ = nullptr;
};

TEST_F(PrefixIndexTest, KnowsThePrefixesOfTheFile) {
  const auto index = Parse(builder_.prefixes(), builder_.metadata());
  ASSERT_NE(index, nullptr);
  for (const char* key : {"abc", "abc1", "abdx", "xyz9"}) {
    EXPECT_FALSE(index->Lacks(extractor_.get(), key)) << key;
  }
  for (const char* key : {"abb", "abe1", "xy0"}) {
    EXPECT_TRUE(index->Lacks(extractor_.get(), key)) << key;
  }
  // What has no prefix may be there.
  EXPECT_FALSE(index->Lacks(extractor_.get(), "ab"));
  EXPECT_GT(index->memory_bytes(), 9u);
}

TEST_F(PrefixIndexTest, AnotherExtractorLearnsNothing) {
  const auto index = Parse(builder_.prefixes(), builder_.metadata());
  ASSERT_NE(index, nullptr);
  const std::unique_ptr<const SliceTransform> other(NewFixedPrefixTransform(2));
  EXPECT_FALSE(index->Lacks(other.get(), "zz9"));
  EXPECT_FALSE(index->Lacks(nullptr, "zz9"));
  const std::unique_ptr<const SliceTransform> same(NewFixedPrefixTransform(3));
  EXPECT_TRUE(index->Lacks(same.get(), "zz9"));
}

TEST_F(PrefixIndexTest, EmptyBlocksHoldNoPrefix) {
  const auto index = Parse("", "");
  ASSERT_NE(index, nullptr);
  EXPECT_TRUE(index->Lacks(extractor_.get(), "abc"));
}

TEST_F(PrefixIndexTest, SizesThatDoNotFitAreRefused) {
  const std::string prefixes = builder_.prefixes();
  const std::string metadata = builder_.metadata();
  EXPECT_EQ(Parse(prefixes + "x", metadata), nullptr);
  EXPECT_EQ(Parse(prefixes.substr(1), metadata), nullptr);
  EXPECT_EQ(Parse(prefixes, metadata.substr(0, metadata.size() - 1)), nullptr);
  std::string huge;
  PutVarint32(&huge, UINT32_MAX);
  PutVarint32(&huge, 0);
  PutVarint32(&huge, 1);
  EXPECT_EQ(Parse(prefixes, huge), nullptr);
  std::string nowhere;
  PutVarint32(&nowhere, static_cast<uint32_t>(prefixes.size()));
  PutVarint32(&nowhere, 0);
  PutVarint32(&nowhere, 0);
  EXPECT_EQ(Parse(prefixes, nowhere), nullptr);
}

TEST_F(PrefixIndexTest, SurvivesArbitraryBytes) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random64 random(seed);
    std::string metadata = builder_.metadata();
    metadata[random.Uniform(metadata.size())] =
        static_cast<char>(random.Uniform(256));
    const auto index = Parse(builder_.prefixes(), metadata);
    if (index != nullptr) index->Lacks(extractor_.get(), "abcd");
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
