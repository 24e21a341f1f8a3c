// Fragmented range tombstones answer as the originals do, by sequence and
// timestamp, also when they are clipped.
#include "util/key/range_tombstones.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Tombstones as written, and the answers by looking at each.
struct Model {
  struct Entry {
    std::string begin;
    std::string end;
    SequenceNumber sequence;
  };
  const Comparator* order = BytewiseComparator();
  std::vector<Entry> entries;

  SequenceNumber MaxCovering(const std::string& key,
                             SequenceNumber upper) const {
    SequenceNumber newest = 0;
    for (const Entry& e : entries) {
      if (e.sequence <= upper && order->Compare(e.begin, key) <= 0 &&
          order->Compare(key, e.end) < 0) {
        newest = std::max(newest, e.sequence);
      }
    }
    return newest;
  }

  std::shared_ptr<const FragmentedTombstones> Build() const {
    std::vector<RangeTombstone> list;
    for (const Entry& e : entries) list.push_back({e.begin, e.end, e.sequence});
    return FragmentedTombstones::Build(list, order);
  }
};

std::string RandomKey(Random64* random) {
  std::string key;
  for (uint64_t n = random->Uniform(3); n > 0; --n) {
    key.push_back(static_cast<char>('a' + random->Uniform(4)));
  }
  return key;
}

Model RandomModel(Random64* random, const Comparator* order) {
  Model model;
  model.order = order;
  for (uint64_t n = random->Uniform(12); n > 0; --n) {
    model.entries.push_back(
        {RandomKey(random), RandomKey(random), 1 + random->Uniform(15)});
  }
  return model;
}

void ExpectWellFormed(const FragmentedTombstones& tombstones) {
  SequenceNumber newest = 0;
  for (size_t i = 0; i < tombstones.size(); ++i) {
    const FragmentedTombstones::Fragment f = tombstones.at(i);
    ASSERT_LT(tombstones.order()->Compare(f.begin, f.end), 0);
    if (i > 0) {
      ASSERT_LE(tombstones.order()->Compare(tombstones.at(i - 1).end, f.begin),
                0);
    }
    ASSERT_FALSE(f.sequences.empty());
    ASSERT_TRUE(std::is_sorted(f.sequences.rbegin(), f.sequences.rend()));
    ASSERT_EQ(std::adjacent_find(f.sequences.begin(), f.sequences.end()),
              f.sequences.end());
    newest = std::max(newest, f.sequences.front());
  }
  ASSERT_EQ(tombstones.newest_sequence(), newest);
}

TEST(RangeTombstones, AnswerAsTheOriginalsDo) {
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(
        &random, seed % 2 ? BytewiseComparator() : ReverseBytewiseComparator());
    const auto tombstones = model.Build();
    ExpectWellFormed(*tombstones);
    const SequenceNumber upper = random.Uniform(17);
    TombstoneCursor cursor(tombstones, upper);
    for (int i = 0; i < 60; ++i) {
      const std::string key = RandomKey(&random);
      const SequenceNumber expected = model.MaxCovering(key, upper);
      ASSERT_EQ(tombstones->MaxCovering(key, upper), expected) << key;
      ASSERT_EQ(cursor.MaxCovering(key), expected) << key;
    }
    if (HasFatalFailure()) return;
  }
}

// With timestamps: as of each, only tombstones that are not newer.
TEST(RangeTombstones, TimestampsLimitThem) {
  const Comparator* order = BytewiseComparatorWithU64Ts();
  const auto stamp = [](char n) {
    return std::string(1, n) + std::string(7, 0);
  };
  const std::string three = stamp(3), five = stamp(5), max(8, '\xff');
  const std::string a3 = "a" + three, d3 = "d" + three;
  const std::string b5 = "b" + five, f5 = "f" + five;
  const auto tombstones = FragmentedTombstones::Build(
      {{a3, d3, 10, three}, {b5, f5, 20, five}}, order);
  ASSERT_EQ(tombstones->size(), 3u);
  EXPECT_EQ(tombstones->at(0).begin, "a" + max);
  EXPECT_EQ(tombstones->at(1).end, "d" + max);
  EXPECT_EQ(tombstones->at(1).timestamp(0), five);
  EXPECT_EQ(tombstones->at(1).timestamp(1), three);
  // Whatever the timestamp of the key that is asked for.
  for (const std::string& own : {three, five, max}) {
    SCOPED_TRACE(Slice(own).ToString(true));
    EXPECT_EQ(tombstones->MaxCovering("a" + own, {99, max}), 10u);
    EXPECT_EQ(tombstones->MaxCovering("c" + own, {99, max}), 20u);
    EXPECT_EQ(tombstones->MaxCovering("c" + own, {99, three}), 10u);
    EXPECT_EQ(tombstones->MaxCovering("c" + own, {19, max}), 10u);
    EXPECT_EQ(tombstones->MaxCovering("c" + own, {99, stamp(2)}), 0u);
    EXPECT_EQ(tombstones->MaxCovering("e" + own, {99, stamp(4)}), 0u);
    EXPECT_EQ(tombstones->MaxCovering("f" + own, {99, max}), 0u);
    TombstoneCursor cursor(tombstones, {99, three});
    EXPECT_EQ(cursor.MaxCovering("b" + own), 10u);
    EXPECT_EQ(cursor.MaxCovering("e" + own), 0u);
  }
  const std::string b3 = "b" + three, e3 = "e" + three;
  const Slice lower(b3), upper(e3);
  const auto clipped = tombstones->Clip(&lower, &upper);
  ASSERT_EQ(clipped->size(), 2u);
  EXPECT_EQ(clipped->at(0).begin, "b" + max);
  EXPECT_EQ(clipped->at(1).end, "e" + max);
  EXPECT_EQ(clipped->MaxCovering("e" + max, {99, max}), 0u);
}

TEST(RangeTombstones, CursorSaysHowFarItsAnswerHolds) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(&random, BytewiseComparator());
    TombstoneCursor cursor(model.Build(), 10);
    for (int i = 0; i < 20; ++i) {
      const std::string key = RandomKey(&random);
      const SequenceNumber answer = cursor.MaxCovering(key);
      const auto begin = cursor.AnswerBegin();
      const auto end = cursor.AnswerEnd();
      ASSERT_TRUE(!begin || begin->compare(key) <= 0);
      ASSERT_TRUE(!end || Slice(key).compare(*end) < 0);
      for (int j = 0; j < 20; ++j) {
        const std::string other = RandomKey(&random);
        if (begin && Slice(other).compare(*begin) < 0) continue;
        if (end && Slice(other).compare(*end) >= 0) continue;
        ASSERT_EQ(model.MaxCovering(other, 10), answer) << key << " " << other;
      }
    }
  }
}

TEST(RangeTombstones, ClipCutsAndKeepsTheRest) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(&random, BytewiseComparator());
    const std::string lower = RandomKey(&random);
    const std::string upper = RandomKey(&random);
    const Slice lower_slice(lower);
    const Slice upper_slice(upper);
    const bool has_lower = random.OneIn(2);
    const bool has_upper = random.OneIn(2);
    const auto clipped = model.Build()->Clip(
        has_lower ? &lower_slice : nullptr, has_upper ? &upper_slice : nullptr);
    ExpectWellFormed(*clipped);
    for (int i = 0; i < 40; ++i) {
      const std::string key = RandomKey(&random);
      const bool inside =
          (!has_lower || key >= lower) && (!has_upper || key < upper);
      ASSERT_EQ(clipped->MaxCovering(key, 20),
                inside ? model.MaxCovering(key, 20) : 0);
    }
  }
}

TEST(RangeTombstones, ClipWithAnInclusiveBoundKeepsThatKeyAndNoMore) {
  using UpperBound = FragmentedTombstones::UpperBound;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Model model = RandomModel(
        &random, seed % 2 ? BytewiseComparator() : ReverseBytewiseComparator());
    const std::string lower = RandomKey(&random);
    const std::string upper = RandomKey(&random);
    const Slice lower_slice(lower);
    const Slice upper_slice(upper);
    // Cut once, or twice, where the second bound is at or around the first.
    auto clipped =
        model.Build()->Clip(&lower_slice, &upper_slice, UpperBound::kInclusive);
    const std::string again = RandomKey(&random);
    const Slice again_slice(again);
    const bool is_again = random.OneIn(2);
    const bool is_exclusive = random.OneIn(2);
    if (is_again) {
      clipped = clipped->Clip(
          nullptr, &again_slice,
          is_exclusive ? UpperBound::kExclusive : UpperBound::kInclusive);
    }
    TombstoneCursor cursor(clipped, 20);
    for (int i = 0; i < 60; ++i) {
      const std::string key = RandomKey(&random);
      const int to_again = model.order->Compare(key, again);
      const bool inside =
          model.order->Compare(lower, key) <= 0 &&
          model.order->Compare(key, upper) <= 0 &&
          (!is_again || to_again < 0 || (to_again == 0 && !is_exclusive));
      const SequenceNumber expected = inside ? model.MaxCovering(key, 20) : 0;
      ASSERT_EQ(clipped->MaxCovering(key, 20), expected) << key;
      ASSERT_EQ(cursor.MaxCovering(key), expected) << key;
    }
  }
}

TEST(RangeTombstones, EmptyAndBackwardRangesAreNothing) {
  Model model;
  EXPECT_TRUE(model.Build()->empty());
  model.entries = {{"b", "b", 3}, {"c", "a", 4}};
  const auto tombstones = model.Build();
  EXPECT_TRUE(tombstones->empty());
  EXPECT_EQ(tombstones->MaxCovering("b", 9), 0u);
  EXPECT_EQ(tombstones->newest_sequence(), 0u);
  TombstoneCursor cursor(tombstones, 9);
  EXPECT_EQ(cursor.MaxCovering("b"), 0u);
  EXPECT_FALSE(cursor.AnswerBegin().has_value());
  EXPECT_FALSE(cursor.AnswerEnd().has_value());
}

TEST(RangeTombstones, CutsOverlapsAtEachOthersBorders) {
  Model model;
  model.entries = {{"a", "e", 10}, {"c", "g", 8}};
  const auto tombstones = model.Build();
  ASSERT_EQ(tombstones->size(), 3u);
  EXPECT_EQ(tombstones->at(0).begin, "a");
  EXPECT_EQ(tombstones->at(0).end, "c");
  EXPECT_EQ(tombstones->at(1).end, "e");
  EXPECT_EQ(tombstones->at(2).end, "g");
  const auto middle = tombstones->at(1).sequences;
  EXPECT_EQ(std::vector<SequenceNumber>(middle.begin(), middle.end()),
            (std::vector<SequenceNumber>{10, 8}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
