// The measure of evenly spread keys is right, and interpolation finds the same
// places as halving.
#include "table/key_spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool AreEven(const std::vector<std::string>& keys, double threshold) {
  return AreEvenlySpread(std::vector<Slice>(keys.begin(), keys.end()),
                         threshold);
}

TEST(KeySpread, EvenStepsHaveNoSpread) {
  const std::vector<std::string> even = {"key10", "key11", "key12", "key13"};
  EXPECT_TRUE(AreEven(even, 0.001));
  // By definition: below, not at.
  EXPECT_FALSE(AreEven(even, 0));
  EXPECT_FALSE(AreEven({"key10", "key11"}, 10));
  EXPECT_FALSE(AreEven({}, 10));
}

// Steps of 1 and 3 have a mean of 2 and a deviation of 1.
TEST(KeySpread, IsTheDeviationOverTheMean) {
  const std::vector<std::string> keys = {"ka", "kb", "ke"};
  EXPECT_TRUE(AreEven(keys, 0.51));
  EXPECT_FALSE(AreEven(keys, 0.5));
}

TEST(KeySpread, KeysThatSayNothingAreNotEven) {
  EXPECT_FALSE(AreEven({"same", "same", "same"}, 1000));
  // Not in this order.
  EXPECT_FALSE(AreEven({"a", "c0", "b0"}, 1000));
}

TEST(InterpolatedLowerBound, FindsWhatHalvingFinds) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random64 random(seed);
    std::vector<uint64_t> numbers(random.Uniform(40));
    for (uint64_t& number : numbers) {
      switch (seed % 4) {
        case 0:
          number = random.Next();
          break;
        case 1:
          number = random.Uniform(20);
          break;
        case 2:
          number = random.OneIn(8) ? UINT64_MAX - random.Uniform(3)
                                   : random.Uniform(1000);
          break;
        default:
          number = uint64_t{1} << random.Uniform(64);
      }
    }
    std::sort(numbers.begin(), numbers.end());
    std::vector<uint64_t> wanted = numbers;
    for (const uint64_t number : numbers) {
      wanted.push_back(number + 1);
      wanted.push_back(number - 1);
    }
    wanted.insert(wanted.end(), {0, UINT64_MAX, random.Next()});
    for (const uint64_t one : wanted) {
      const auto expected =
          std::lower_bound(numbers.begin(), numbers.end(), one);
      ASSERT_EQ(InterpolatedLowerBound(numbers.data(), numbers.size(), one),
                static_cast<size_t>(expected - numbers.begin()))
          << "seed " << seed << " wanted " << one;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
