// The simulator's expected number of distinct keys matches exact sums for
// uniform and Zipfian keys.
#include "tools/compaction_simulator/key_distribution.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ROCKSDB_NAMESPACE {
namespace {

using Kind = KeyDistribution::Kind;
constexpr uint64_t kEntryBytes = 100;
constexpr uint64_t kKeys = 20'000;
constexpr uint64_t kSpace = kKeys * kEntryBytes;

KeyDistribution::Shape ShapeOf(Kind kind, double theta = 0.99) {
  return {kind, theta, kEntryBytes};
}

TEST(KeyDistribution, NamesAreKnown) {
  Kind kind = Kind::kSequential;
  ASSERT_TRUE(KeyDistribution::KindOf("uniform", &kind).ok());
  EXPECT_EQ(kind, Kind::kUniform);
  ASSERT_TRUE(KeyDistribution::KindOf("zipfian", &kind).ok());
  EXPECT_EQ(kind, Kind::kZipfian);
  ASSERT_TRUE(KeyDistribution::KindOf("sequential", &kind).ok());
  EXPECT_EQ(kind, Kind::kSequential);
  EXPECT_TRUE(KeyDistribution::KindOf("", &kind).IsInvalidArgument());
}

// More is written, more keys are different, but never more than there are.
TEST(KeyDistribution, GrowsUpToTheKeySpace) {
  for (const Kind kind : {Kind::kUniform, Kind::kZipfian, Kind::kSequential}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const KeyDistribution keys(ShapeOf(kind), kSpace);
    EXPECT_EQ(keys.DistinctBytes(0), 0);
    double before = 0;
    for (double written = kEntryBytes; written < 64.0 * kSpace; written *= 2) {
      const double distinct = keys.DistinctBytes(written);
      EXPECT_GE(distinct, before);
      EXPECT_LE(distinct, written * 1.0001);
      EXPECT_LE(distinct, static_cast<double>(kSpace));
      before = distinct;
    }
  }
}

TEST(KeyDistribution, OfUniformKeysAsManyAsTheFormulaSays) {
  const KeyDistribution keys(ShapeOf(Kind::kUniform), kSpace);
  const auto space = static_cast<double>(kSpace);
  EXPECT_NEAR(keys.DistinctBytes(space), space * (1 - std::exp(-1.0)),
              space / 1000);
}

// Spans of ranks come to what the ranks one by one come to.
TEST(KeyDistribution, OfZipfianKeysAsManyAsTheSumSays) {
  for (const double theta : {0.0, 0.5, 0.99, 1.2}) {
    SCOPED_TRACE(theta);
    const KeyDistribution keys(ShapeOf(Kind::kZipfian, theta), kSpace);
    double all = 0;
    for (uint64_t r = 1; r <= kKeys; ++r) {
      all += std::pow(static_cast<double>(r), -theta);
    }
    for (const double draws : {100.0, 20'000.0, 1'000'000.0}) {
      double expected = 0;
      for (uint64_t r = 1; r <= kKeys; ++r) {
        const double chance = std::pow(static_cast<double>(r), -theta) / all;
        expected += 1 - std::exp(-draws * chance);
      }
      expected *= kEntryBytes;
      EXPECT_NEAR(keys.DistinctBytes(draws * kEntryBytes), expected,
                  expected / 500);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
