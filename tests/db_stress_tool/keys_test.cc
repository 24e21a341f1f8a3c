// How long keys are, and which are drawn.
#include "db_stress_tool/keys.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "db_stress_tool/stress_random.h"
#include "tests/db_stress_tool/parsed_flags.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

TEST(KeysTest, LengthsAreSharedAsAsked) {
  const auto lengths = KeyLengths::Parse("10,0,90", 3, 2);
  ASSERT_TRUE(lengths.has_value());
  const KeyFormat format(*lengths, 8);
  std::array<int, 4> counts = {};
  for (uint64_t number = 0; number < 200; ++number) {
    const std::string key = format.Key(number);
    ++counts[key.size() / 8];
    EXPECT_EQ(format.Number(key), number);
    // By windows: the first twenty are short.
    EXPECT_EQ(key.size() / 8, number < 20 ? 1U : 3U) << number;
  }
  EXPECT_EQ(counts, (std::array<int, 4>{0, 20, 0, 180}));
  EXPECT_EQ(format.Key(200).size(), 8U);
}

TEST(KeysTest, SharesMustAddUp) {
  for (const char* wrong : {"", "100", "50,60", "50,50,0", "50,x", "50,,50",
                            "40,50", "-1,101", "50 50"}) {
    EXPECT_FALSE(KeyLengths::Parse(wrong, 2, 1).has_value()) << wrong;
  }
  Flags flags;
  EXPECT_TRUE(ParseArguments({"--key_len_percent_dist=1,30,69",
                              "--key_window_scale_factor=1"},
                             &flags)
                  .ok());
  EXPECT_TRUE(ParseArguments({"--key_len_percent_dist=1,30"}, &flags)
                  .IsInvalidArgument());
  EXPECT_TRUE(ParseArguments({"--key_window_scale_factor=0"}, &flags)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      ParseArguments({"--hot_key_alpha=-1"}, &flags).IsInvalidArgument());
}

TEST(KeysTest, LowKeysAreHot) {
  constexpr uint64_t kKeys = 1000;
  constexpr int kDraws = 10000;
  StressRandom random(1);
  const auto hot = [&](double alpha) {
    int count = 0;
    for (int i = 0; i < kDraws; ++i) {
      const uint64_t drawn = random.Skewed(kKeys, alpha);
      EXPECT_LT(drawn, kKeys);
      count += drawn < kKeys / 8 ? 1 : 0;
    }
    return count;
  };
  EXPECT_NEAR(hot(0), kDraws / 8, kDraws / 50);
  EXPECT_NEAR(hot(2), kDraws / 2, kDraws / 50);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
