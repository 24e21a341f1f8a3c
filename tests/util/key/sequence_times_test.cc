// The map of sequences to times never makes an entry look older than it is,
// whatever is merged, thinned or forgotten.
#include "util/key/sequence_times.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Pairs = std::vector<SequenceTimes::Pair>;

SequenceTimes Noted(const Pairs& pairs) {
  SequenceTimes times;
  for (const auto& pair : pairs) times.Note(pair.sequence, pair.seconds, 0);
  return times;
}

TEST(SequenceTimesTest, NothingIsKnownOfWhatNobodyNoted) {
  SequenceTimes times;
  EXPECT_TRUE(times.empty());
  EXPECT_EQ(times.WrittenBy(UINT64_MAX), 0u);
  times.Note(0, 100, 10);  // Nothing has been written.
  EXPECT_TRUE(times.empty());
  times.Note(10, 100, 10);
  EXPECT_EQ(times.WrittenBy(99), 0u);
  EXPECT_EQ(times.WrittenBy(100), 10u);
  EXPECT_EQ(times.WrittenBy(UINT64_MAX), 10u);
  EXPECT_EQ(times.CoveringAllBy(50), 10u);
  EXPECT_EQ(times.CoveringAllBy(100), 10u);
  EXPECT_EQ(times.CoveringAllBy(101), kMaxSequenceNumber);
}

TEST(SequenceTimesTest, PairsThatAreCloseBecomeOne) {
  SequenceTimes times;
  times.Note(10, 100, 60);
  times.Note(20, 110, 60);
  times.Note(30, 150, 60);
  times.Note(40, 161, 60);
  times.Note(50, 170, 60);
  EXPECT_EQ(times.pairs(), (Pairs{{10, 100}, {40, 161}, {50, 170}}));
  times.Note(60, 171, 60);
  EXPECT_EQ(times.pairs(), (Pairs{{10, 100}, {40, 161}, {60, 171}}));
}

TEST(SequenceTimesTest, WhatSaysNothingNewIsNotNoted) {
  SequenceTimes times = Noted({{10, 100}, {20, 200}});
  times.Note(20, 300, 0);  // Nothing was written since.
  times.Note(30, 150, 0);  // A clock that was set back.
  EXPECT_EQ(times.pairs(), (Pairs{{10, 100}, {20, 200}}));
  times.Note(30, 200, 0);
  EXPECT_EQ(times.pairs(), (Pairs{{10, 100}, {30, 200}}));
}

TEST(SequenceTimesTest, ForgettingLeavesTheNewestOfTheOld) {
  SequenceTimes times = Noted({{10, 100}, {20, 200}, {30, 300}, {40, 400}});
  times.ForgetBefore(50);
  EXPECT_EQ(times.pairs().size(), 4u);
  times.ForgetBefore(300);
  EXPECT_EQ(times.pairs(), (Pairs{{30, 300}, {40, 400}}));
  EXPECT_EQ(times.WrittenBy(350), 30u);
  times.ForgetBefore(1000);
  EXPECT_EQ(times.pairs(), (Pairs{{40, 400}}));
}

TEST(SequenceTimesTest, MergingKeepsTheEarlierTimes) {
  SequenceTimes times = Noted({{10, 100}, {30, 300}});
  times.Merge(Noted({{20, 200}, {30, 250}, {40, 260}}));
  EXPECT_EQ(times.pairs(), (Pairs{{10, 100}, {20, 200}, {30, 250}, {40, 260}}));
  // A pair that covers more at an earlier time makes others say nothing.
  times.Merge(Noted({{35, 150}}));
  EXPECT_EQ(times.pairs(), (Pairs{{10, 100}, {35, 150}, {40, 260}}));
  times.Merge(SequenceTimes());
  EXPECT_EQ(times.pairs().size(), 3u);
}

TEST(SequenceTimesTest, APartHasWhatItsEntriesNeed) {
  const SequenceTimes times =
      Noted({{10, 100}, {20, 200}, {30, 300}, {40, 400}, {50, 500}});
  EXPECT_EQ(times.Around(25, 35).pairs(),
            (Pairs{{20, 200}, {30, 300}, {40, 400}}));
  EXPECT_EQ(times.Around(20, 30).pairs(),
            (Pairs{{10, 100}, {20, 200}, {30, 300}}));
  EXPECT_EQ(times.Around(1, 5).pairs(), (Pairs{{10, 100}}));
  EXPECT_EQ(times.Around(60, 70).pairs(), (Pairs{{50, 500}}));
  EXPECT_TRUE(times.Around(0, 0).empty());
  EXPECT_TRUE(SequenceTimes().Around(1, 5).empty());
}

TEST(SequenceTimesTest, TextHoldsDifferences) {
  const SequenceTimes times = Noted({{10, 100}, {300, 1000}});
  std::string expected;
  for (uint64_t number : {2, 10, 100, 290, 900}) {
    PutVarint64(&expected, number);
  }
  EXPECT_EQ(times.Encode(), expected);
  SequenceTimes read = Noted({{7, 7}});
  ASSERT_TRUE(read.DecodeFrom(expected).ok());
  EXPECT_EQ(read.pairs(), times.pairs());
  EXPECT_EQ(SequenceTimes().Encode(), "");
  ASSERT_TRUE(read.DecodeFrom("").ok());
  EXPECT_TRUE(read.empty());
}

TEST(SequenceTimesTest, BadTextIsCorruption) {
  const std::string good = Noted({{10, 100}, {300, 1000}}).Encode();
  SequenceTimes times = Noted({{7, 7}});
  for (size_t size = 1; size < good.size(); ++size) {
    EXPECT_TRUE(times.DecodeFrom(Slice(good.data(), size)).IsCorruption());
  }
  EXPECT_TRUE(times.DecodeFrom(good + "x").IsCorruption());
  std::string many;
  PutVarint64(&many, uint64_t{1} << 60);
  EXPECT_TRUE(times.DecodeFrom(many + std::string(100, '\0')).IsCorruption());
  std::string large;
  for (uint64_t number : {uint64_t{2}, uint64_t{1}, uint64_t{1},
                          kMaxSequenceNumber, uint64_t{1}}) {
    PutVarint64(&large, number);
  }
  EXPECT_TRUE(times.DecodeFrom(large).IsCorruption());
  // What was known before stays.
  EXPECT_EQ(times.pairs(), (Pairs{{7, 7}}));
}

TEST(SequenceTimesTest, AnyBytesAreAMapOrCorruption) {
  Random64 random(301);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const uint64_t size = random.Uniform(40);
    for (uint64_t n = 0; n < size; ++n) {
      text += static_cast<char>(random.Uniform(random.OneIn(2) ? 8 : 256));
    }
    SequenceTimes times;
    const Status s = times.DecodeFrom(text);
    ASSERT_TRUE(s.ok() || s.IsCorruption());
    for (size_t n = 1; n < times.pairs().size(); ++n) {
      ASSERT_LT(times.pairs()[n - 1].sequence, times.pairs()[n].sequence);
      ASSERT_LT(times.pairs()[n - 1].seconds, times.pairs()[n].seconds);
    }
  }
}

// Whatever is left out, no entry is ever said to be older than it is.
TEST(SequenceTimesTest, ThinningNeverMakesAnythingOlder) {
  Random64 random(7);
  SequenceTimes times;
  Pairs all;
  SequenceNumber sequence = 0;
  uint64_t now = 1000;
  for (int i = 0; i < 5000; ++i) {
    sequence += 1 + random.Uniform(100);
    now += 1 + random.Uniform(50);
    times.Note(sequence, now, 0);
    all.push_back({sequence, now});
    ASSERT_LE(times.pairs().size(), SequenceTimes::kMostPairs);
  }
  const SequenceTimes part = times.Around(all[100].sequence, sequence);
  EXPECT_EQ(part.pairs().size(), SequenceTimes::kMostPairsInFile);
  for (const auto& pair : all) {
    ASSERT_LE(times.WrittenBy(pair.seconds), pair.sequence);
    ASSERT_LE(part.WrittenBy(pair.seconds), pair.sequence);
  }
  // The newest are told exactly.
  EXPECT_EQ(times.WrittenBy(now), sequence);
  EXPECT_EQ(times.WrittenBy(all[4990].seconds), all[4990].sequence);
  SequenceTimes read;
  std::string text;
  PutVarint64(&text, 20000);
  for (int i = 0; i < 20000; ++i) text += "\x01\x01";
  ASSERT_TRUE(read.DecodeFrom(text).ok());
  EXPECT_LE(read.pairs().size(), SequenceTimes::kMostPairs);
  EXPECT_EQ(read.WrittenBy(20000), 20000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
