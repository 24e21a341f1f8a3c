// The entry tree is an ordered set under many inserting and reading threads;
// cursors and batched seeks miss nothing while nodes split.
#include "memtable/entry_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "tests/memtable/tree_fixture.h"
#include "util/key/internal_key.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// How the user keys of a case look.
using MakeKey = std::string (*)(Random64*);

std::string BinaryKey(Random64* random) {
  std::string key;
  for (uint64_t n = random->Uniform(4); n > 0; --n) {
    key.push_back(static_cast<char>(random->Uniform(256)));
  }
  return key;
}
std::string NumberKey(Random64* random) {
  std::string key(8, '\0');
  for (int i = 0; i < 8; ++i) key[i] = static_cast<char>(random->Next() >> 56);
  return key + "00000000";
}
// Neighbours share all of the first four bytes.
std::string CountedKey(Random64* random) {
  const uint64_t number = random->Uniform(100000);
  std::string key;
  for (int shift = 56; shift >= 0; shift -= 8) {
    key.push_back(static_cast<char>(number >> shift));
  }
  return key + "00000000";
}
std::string SharedPrefixKey(Random64* random) {
  const uint64_t group = random->Uniform(5);
  return "a/very/long/shared/prefix/" + std::string(group * 3, 'g') +
         std::to_string(random->Uniform(3000));
}
std::string LongSharedKey(Random64* random) {
  return "shared/by/all/" + std::to_string(random->Uniform(1000000));
}
// Now and then one that lacks what all others share, or a part of it.
std::string StrangerKey(Random64* random) {
  const std::string shared = "shared/by/nearly/all/";
  switch (random->Uniform(300)) {
    case 0:
      return "stranger";
    case 1:
      return "before" + std::to_string(random->Uniform(100));
    case 2:
      return shared.substr(0, random->Uniform(shared.size()));
    default:
      return shared + std::to_string(random->Uniform(100000));
  }
}
std::string FewKeys(Random64* random) {
  return "k" + std::to_string(random->Uniform(20));
}

struct Case {
  const char* name;
  MakeKey make;
  bool reverse;
};

class EntryTreeModel : public testing::TestWithParam<Case> {
 protected:
  const Comparator* user() const {
    return GetParam().reverse ? ReverseBytewiseComparator()
                              : BytewiseComparator();
  }
};

void ExpectSameScan(const EntryTree& tree, const TreeModel& model) {
  EntryTree::Cursor cursor(&tree);
  cursor.SeekToFirst();
  for (const std::string& key : model) {
    ASSERT_TRUE(cursor.Valid());
    ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(key));
    ASSERT_EQ(EntryTree::ValueOf(cursor.entry()), Slice("v" + key));
    cursor.Next();
  }
  ASSERT_FALSE(cursor.Valid());
  cursor.SeekToLast();
  for (auto it = model.rbegin(); it != model.rend(); ++it) {
    ASSERT_TRUE(cursor.Valid());
    ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(*it));
    cursor.Prev();
  }
  ASSERT_FALSE(cursor.Valid());
}

void ExpectSameSeeks(const EntryTree& tree, const TreeModel& model,
                     const std::string& target) {
  EntryTree::Cursor cursor(&tree);
  cursor.Seek(target);
  auto it = model.lower_bound(target);
  ASSERT_EQ(cursor.Valid(), it != model.end());
  if (cursor.Valid()) {
    ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(*it));
    cursor.Prev();
    ASSERT_EQ(cursor.Valid(), it != model.begin());
    if (cursor.Valid()) {
      ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(*std::prev(it)));
    }
  }
  cursor.SeekForPrev(target);
  it = model.upper_bound(target);
  ASSERT_EQ(cursor.Valid(), it != model.begin());
  if (!cursor.Valid()) return;
  ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(*std::prev(it)));
  cursor.Next();
  ASSERT_EQ(cursor.Valid(), it != model.end());
}

// A version of the target's user key that Seek() finds is found; any other
// entry may be.
void ExpectVersion(const EntryTree& tree, const std::string& target) {
  EntryTree::Cursor any(&tree);
  any.Seek(target);
  EntryTree::Cursor version(&tree);
  version.SeekVersion(target);
  const bool is_there =
      any.Valid() &&
      ExtractUserKey(EntryTree::KeyOf(any.entry())) == ExtractUserKey(target);
  ASSERT_TRUE(version.Valid() || !is_there);
  if (!version.Valid()) return;
  ASSERT_EQ(version.entry(), any.entry());
}

void ExpectTogetherAsAlone(const EntryTree& tree,
                           const std::vector<std::string>& targets) {
  const std::vector<Slice> keys(targets.begin(), targets.end());
  std::vector<EntryTree::Cursor> together(keys.size());
  tree.SeekTogether(keys.data(), keys.size(), together.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    EntryTree::Cursor alone(&tree);
    alone.SeekVersion(keys[i]);
    // Both steps ahead, too: the place in the leaf is right.
    for (int steps = 0; steps < 3; ++steps) {
      ASSERT_EQ(together[i].Valid(), alone.Valid());
      if (!alone.Valid()) break;
      ASSERT_EQ(together[i].entry(), alone.entry());
      alone.Next();
      together[i].Next();
    }
  }
}

// From none to more than go together, in order or not, some of them twice.
TEST_P(EntryTreeModel, SeeksTogetherFindWhatOneAloneFinds) {
  Random64 random(11);
  TreeFixture f(user());
  SequenceNumber sequence = 1;
  for (int round = 0; round < 600; ++round) {
    std::vector<std::string> targets;
    for (uint64_t n = random.Uniform(100); n > 0; --n) {
      const SequenceNumber at = random.Uniform(sequence + 1);
      targets.push_back(TreeKey(GetParam().make(&random), at));
      if (random.OneIn(9)) targets.push_back(targets.back());
    }
    if (round % 2 == 0) {
      std::sort(targets.begin(), targets.end(), TreeOrder{&f.order_});
    }
    ASSERT_NO_FATAL_FAILURE(ExpectTogetherAsAlone(f.tree_, targets));
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(f.Insert(TreeKey(GetParam().make(&random), sequence++)));
    }
  }
}

TEST_P(EntryTreeModel, IsAnOrderedSet) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    TreeFixture f(user());
    TreeModel model(TreeOrder{&f.order_});
    SequenceNumber sequence = 1;
    for (int i = 0; i < 6000; ++i) {
      const bool repeat = !model.empty() && random.Uniform(50) == 0;
      const std::string key =
          repeat ? *model.begin()
                 : TreeKey(GetParam().make(&random), sequence++);
      ASSERT_EQ(f.Insert(key), model.insert(key).second);
      if (i % 10 == 0) {
        const SequenceNumber at = random.Uniform(sequence + 1);
        const std::string target = TreeKey(GetParam().make(&random), at);
        ExpectSameSeeks(f.tree_, model, target);
        ExpectVersion(f.tree_, target);
      }
      if (i < 100 || i % 1000 == 0) ExpectSameScan(f.tree_, model);
      if (HasFatalFailure()) return;
    }
    ExpectSameScan(f.tree_, model);
  }
}

// A cursor stays where it is while the tree grows around it, and its next step
// is right at the moment it is made.
TEST_P(EntryTreeModel, CursorsSurviveInserts) {
  Random64 random(7);
  TreeFixture f(user());
  TreeModel model(TreeOrder{&f.order_});
  SequenceNumber sequence = 1;
  const auto insert = [&] {
    const std::string key = TreeKey(GetParam().make(&random), sequence++);
    ASSERT_TRUE(f.Insert(key));
    model.insert(key);
  };
  for (int i = 0; i < 40; ++i) insert();
  EntryTree::Cursor cursor(&f.tree_);
  for (int i = 0; i < 5000; ++i) {
    if (!cursor.Valid()) cursor.Seek(TreeKey(GetParam().make(&random), 1));
    if (!cursor.Valid()) cursor.SeekToFirst();
    const std::string at = EntryTree::KeyOf(cursor.entry()).ToString();
    for (uint64_t n = random.Uniform(4); n > 0; --n) insert();
    ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(at));
    auto it = model.find(at);
    ASSERT_NE(it, model.end());
    if (random.Uniform(2) == 0) {
      cursor.Next();
      ++it;
      ASSERT_EQ(cursor.Valid(), it != model.end());
    } else {
      cursor.Prev();
      if (it == model.begin()) {
        ASSERT_FALSE(cursor.Valid());
        continue;
      }
      --it;
    }
    if (cursor.Valid()) {
      ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(*it));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EntryTreeModel,
    testing::Values(Case{"Binary", BinaryKey, false},
                    Case{"Number", NumberKey, false},
                    Case{"Counted", CountedKey, false},
                    Case{"SharedPrefix", SharedPrefixKey, false},
                    Case{"Stranger", StrangerKey, false},
                    Case{"FewKeys", FewKeys, false},
                    Case{"BinaryReverse", BinaryKey, true},
                    Case{"SharedPrefixReverse", SharedPrefixKey, true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(EntryTree, EmptyTreeHasNoPositions) {
  TreeFixture f(BytewiseComparator());
  EntryTree::Cursor cursor(&f.tree_);
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToFirst();
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToLast();
  EXPECT_FALSE(cursor.Valid());
  cursor.Seek(TreeKey("a", 1));
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekForPrev(TreeKey("a", 1));
  EXPECT_FALSE(cursor.Valid());
  EXPECT_EQ(f.tree_.EstimateCount(TreeKey("a", 1), TreeKey("b", 1), 0), 0u);
}

TEST(EntryTree, AscendingInsertsFillLeaves) {
  TreeFixture f(BytewiseComparator());
  constexpr int kCount = 30000;
  const size_t entry_bytes = 100;
  for (int i = 0; i < kCount; ++i) {
    char digits[32];
    snprintf(digits, sizeof(digits), "%016d", i);
    ASSERT_TRUE(f.tree_.Insert(
        f.Entry(TreeKey(digits, 1 + i), std::string(entry_bytes - 26, 'x'))));
  }
  // Fifteen bytes of index an entry: leaves are full, not half empty.
  EXPECT_LT(f.arena_.ApproximateMemoryUsage(), kCount * (entry_bytes + 17));
}

// A full leaf gives to the one on its right before it is split.
TEST(EntryTree, RandomInsertsFillLeavesToFourFifths) {
  TreeFixture f(BytewiseComparator());
  constexpr int kCount = 30000;
  const size_t entry_bytes = 100;
  Random64 random(3);
  for (int i = 0; i < kCount; ++i) {
    ASSERT_TRUE(f.tree_.Insert(f.Entry(TreeKey(NumberKey(&random), 1 + i),
                                       std::string(entry_bytes - 26, 'x'))));
  }
  // Leaves that are two thirds full would take 21 bytes an entry.
  EXPECT_LT(f.arena_.ApproximateMemoryUsage(), kCount * (entry_bytes + 19));
}

// Nodes at the edge of a group skip what its keys share; others come between
// the groups.
TEST(EntryTree, KeysBetweenGroupsFindTheirPlace) {
  TreeFixture f(BytewiseComparator());
  TreeModel model(TreeOrder{&f.order_});
  Random64 random(31);
  SequenceNumber sequence = 1;
  const auto insert = [&](const std::string& user_key) {
    const std::string key = TreeKey(user_key, sequence++);
    ASSERT_TRUE(f.Insert(key));
    model.insert(key);
  };
  for (const char group : {'s', 'g', 'k', 'w'}) {
    for (int i = 0; i < 4000; ++i) {
      insert(std::string(16, group) + std::to_string(random.Uniform(100000)));
    }
  }
  for (int i = 0; i < 2000; ++i) {
    std::string between(random.Uniform(16), "gkswz"[random.Uniform(5)]);
    between.push_back(static_cast<char>('a' + random.Uniform(26)));
    ASSERT_NO_FATAL_FAILURE(
        ExpectSameSeeks(f.tree_, model, TreeKey(between, 1)));
    insert(between);
  }
  ExpectSameScan(f.tree_, model);
}

// What a leaf keeps of its keys tells nearly all of them apart, whatever bytes
// all keys of the tree share.
TEST(EntryTree, SearchesReadFewWholeKeys) {
  class Counter final : public EntryTree::Observer {
   public:
    void OnCompared(const char* /*entry*/) override { ++count; }
    uint64_t count = 0;
  };
  for (const size_t count : {10u, 200u, 20000u}) {
    for (const MakeKey make : {NumberKey, CountedKey, LongSharedKey}) {
      TreeFixture f(BytewiseComparator());
      Random64 random(8);
      std::set<std::string> keys;
      while (keys.size() < count) {
        const std::string key = make(&random);
        if (!keys.insert(key).second) continue;
        ASSERT_TRUE(f.Insert(TreeKey(key, keys.size())));
      }
      Counter counter;
      EntryTree::Cursor cursor(&f.tree_, &counter);
      for (const std::string& key : keys) {
        cursor.Seek(TreeKey(key, kMaxSequenceNumber));
        ASSERT_TRUE(cursor.Valid());
      }
      // The key itself, and few others.
      EXPECT_LT(counter.count, count * 3 / 2) << count;
    }
  }
}

TEST(EntryTree, KeysThatAreNotThereAreMissedWithoutALook) {
  TreeFixture f(BytewiseComparator());
  Random64 random(9);
  std::set<std::string> keys;
  while (keys.size() < 20000) {
    const std::string key = NumberKey(&random);
    if (!keys.insert(key).second) continue;
    ASSERT_TRUE(f.Insert(TreeKey(key, keys.size())));
  }
  int looks = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string key = NumberKey(&random);
    if (keys.contains(key)) continue;
    EntryTree::Cursor cursor(&f.tree_);
    cursor.SeekVersion(TreeKey(key, kMaxSequenceNumber));
    looks += cursor.Valid() ? 1 : 0;
  }
  // Those behind the last entry of a leaf, of which each has some 25.
  EXPECT_LT(looks, 1000);
}

// A leaf that gives entries to the one behind it while a cursor goes there: it
// sees every entry that was there before, once, in order.
TEST(EntryTree, ScansBesideInsertsMissNothing) {
  constexpr uint64_t kBefore = 2000;
  constexpr uint64_t kCount = 30000;
  for (const MakeKey make : {SharedPrefixKey, NumberKey}) {
    TreeFixture f(BytewiseComparator());
    Random64 random(5);
    std::vector<std::string> keys;
    for (uint64_t i = 0; i < kCount; ++i)
      keys.push_back(TreeKey(make(&random), i));
    TreeModel before(TreeOrder{&f.order_});
    for (uint64_t i = 0; i < kBefore; ++i) {
      ASSERT_TRUE(f.Insert(keys[i]));
      before.insert(keys[i]);
    }
    std::atomic<bool> done{false};
    std::vector<std::thread> readers;
    for (int r = 0; r < 2; ++r) {
      readers.emplace_back([&] {
        do {
          EntryTree::Cursor cursor(&f.tree_);
          auto wanted = before.begin();
          std::string last;
          for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
            const Slice now = EntryTree::KeyOf(cursor.entry());
            if (!last.empty()) {
              ASSERT_LT(f.order_.Compare(last, now), 0);
            }
            if (wanted != before.end() && now == Slice(*wanted)) ++wanted;
            last = now.ToString();
          }
          ASSERT_EQ(wanted, before.end());
        } while (!done.load());
      });
    }
    for (uint64_t i = kBefore; i < kCount; ++i) EXPECT_TRUE(f.Insert(keys[i]));
    done = true;
    for (std::thread& reader : readers) reader.join();
  }
}

TEST(EntryTree, LargeCountsAreNearTheTruth) {
  TreeFixture f(BytewiseComparator());
  Random64 random(3);
  constexpr uint64_t kCount = 40000;
  for (uint64_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(f.Insert(TreeKey(NumberKey(&random), i + 1)));
  }
  for (int byte = 64; byte <= 256; byte += 32) {
    const std::string end(8, static_cast<char>(byte == 256 ? 255 : byte));
    const double count =
        f.tree_.EstimateCount(TreeKey("", 1), TreeKey(end, 1), kCount);
    EXPECT_NEAR(count, kCount * (byte / 256.0), kCount * 0.12) << byte;
  }
}

// Wherever a range begins and ends, of few keys with many versions too.
TEST(EntryTree, SmallCountsAreExact) {
  for (const uint64_t key_count : {1u, 3u, 40u, 3000u}) {
    TreeFixture f(BytewiseComparator());
    Random64 random(key_count);
    std::vector<std::string> keys;
    while (keys.size() < 3000) {
      keys.push_back(std::to_string(random.Uniform(key_count)));
      ASSERT_TRUE(f.Insert(TreeKey(keys.back(), keys.size())));
    }
    const auto truth = [&](const std::string& begin, const std::string& end) {
      return static_cast<uint64_t>(std::count_if(
          keys.begin(), keys.end(),
          [&](const auto& key) { return key >= begin && key < end; }));
    };
    for (int i = 0; i < 100; ++i) {
      const std::string begin = std::to_string(random.Uniform(key_count));
      const std::string end =
          i % 2 == 0 ? begin + '\0' : std::to_string(random.Uniform(key_count));
      EXPECT_EQ(
          f.tree_.EstimateCount(TreeKey(begin, kMaxSequenceNumber),
                                TreeKey(end, kMaxSequenceNumber), keys.size()),
          truth(begin, end))
          << begin << " to " << end << " of " << key_count;
    }
  }
}

TEST(EntryTree, ManyThreadsInsertWhileOthersRead) {
  constexpr int kWriters = 4;
  constexpr uint64_t kEach = 8000;
  for (const MakeKey make : {SharedPrefixKey, NumberKey}) {
    TreeFixture f(BytewiseComparator());
    std::atomic<uint64_t> published[kWriters] = {};
    std::vector<std::vector<std::string>> keys(kWriters);
    for (int w = 0; w < kWriters; ++w) {
      Random64 random(w + 1);
      for (uint64_t i = 0; i < kEach; ++i) {
        keys[w].push_back(TreeKey(make(&random), i * kWriters + w));
      }
    }
    std::vector<std::thread> threads;
    for (int w = 0; w < kWriters; ++w) {
      threads.emplace_back([&, w] {
        for (uint64_t i = 0; i < kEach; ++i) {
          ASSERT_TRUE(f.Insert(keys[w][i]));
          published[w].store(i + 1, std::memory_order_release);
        }
      });
    }
    std::atomic<bool> done{false};
    threads.emplace_back([&] {
      Random64 random(99);
      EntryTree::Cursor cursor(&f.tree_);
      while (!done.load()) {
        // What was inserted before must be found.
        const int w = static_cast<int>(random.Uniform(kWriters));
        const uint64_t n = published[w].load(std::memory_order_acquire);
        if (n == 0) continue;
        const std::string& key = keys[w][random.Uniform(n)];
        cursor.Seek(key);
        ASSERT_TRUE(cursor.Valid());
        ASSERT_EQ(EntryTree::KeyOf(cursor.entry()), Slice(key));
        std::string last = key;
        for (int steps = 0; steps < 50; ++steps) {
          steps % 8 == 7 ? cursor.Prev() : cursor.Next();
          if (!cursor.Valid()) break;
          const Slice now = EntryTree::KeyOf(cursor.entry());
          ASSERT_EQ(f.order_.Compare(now, last) > 0, steps % 8 != 7);
          last = now.ToString();
        }
      }
    });
    for (int w = 0; w < kWriters; ++w) threads[w].join();
    done = true;
    threads.back().join();
    TreeModel model(TreeOrder{&f.order_});
    for (const auto& list : keys) model.insert(list.begin(), list.end());
    ASSERT_EQ(model.size(), kWriters * kEach);
    ExpectSameScan(f.tree_, model);
  }
}

// Does something in the midst of a search: what another thread might.
class InterruptedComparator : public Comparator {
 public:
  const char* Name() const override { return "InterruptedComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (interrupt) {
      const std::function<void()> once = std::move(interrupt);
      interrupt = nullptr;
      once();
    }
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

  mutable std::function<void()> interrupt;
};

// At any comparison, nodes change and are split under those who seek.
TEST(EntryTree, SeeksTogetherFindTheirWayAgain) {
  const InterruptedComparator order;
  TreeFixture f(&order);
  Random64 random(51);
  TreeModel model(TreeOrder{&f.order_});
  SequenceNumber sequence = 1;
  const auto insert = [&] {
    const std::string key = TreeKey(NumberKey(&random), sequence++);
    ASSERT_TRUE(f.Insert(key));
    model.insert(key);
  };
  for (int i = 0; i < 2000; ++i) insert();
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> targets;
    for (int i = 0; i < 12; ++i) {
      const auto at = model.lower_bound(TreeKey(NumberKey(&random), 1));
      targets.push_back(at != model.end() ? *at : *model.begin());
    }
    uint64_t delay = random.Uniform(200);
    const std::function<void()> wait_or_insert = [&] {
      if (delay-- > 0) {
        order.interrupt = wait_or_insert;
        return;
      }
      for (int i = 0; i < 60; ++i) insert();
    };
    const std::vector<Slice> keys(targets.begin(), targets.end());
    std::vector<EntryTree::Cursor> cursors(keys.size());
    order.interrupt = wait_or_insert;
    f.tree_.SeekTogether(keys.data(), keys.size(), cursors.data());
    order.interrupt = nullptr;
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_TRUE(cursors[i].Valid());
      ASSERT_EQ(EntryTree::KeyOf(cursors[i].entry()), keys[i]);
      const auto next = std::next(model.find(targets[i]));
      cursors[i].Next();
      ASSERT_EQ(cursors[i].Valid(), next != model.end());
      if (!cursors[i].Valid()) continue;
      ASSERT_EQ(EntryTree::KeyOf(cursors[i].entry()), Slice(*next));
    }
  }
}

// What was inserted before is found at its place, whatever is split meanwhile.
TEST(EntryTree, SeeksTogetherBesideInserts) {
  constexpr int kWriters = 2;
  constexpr uint64_t kEach = 20000;
  for (const MakeKey make : {SharedPrefixKey, NumberKey}) {
    TreeFixture f(BytewiseComparator());
    std::atomic<uint64_t> published[kWriters] = {};
    std::vector<std::vector<std::string>> keys(kWriters);
    for (int w = 0; w < kWriters; ++w) {
      Random64 random(w + 21);
      for (uint64_t i = 0; i < kEach; ++i) {
        keys[w].push_back(TreeKey(make(&random), i * kWriters + w));
      }
    }
    std::vector<std::thread> writers;
    for (int w = 0; w < kWriters; ++w) {
      writers.emplace_back([&, w] {
        for (uint64_t i = 0; i < kEach; ++i) {
          ASSERT_TRUE(f.Insert(keys[w][i]));
          published[w].store(i + 1, std::memory_order_release);
        }
      });
    }
    Random64 random(99);
    bool is_done = false;
    while (!is_done) {
      is_done = true;
      std::vector<std::string> targets;
      for (const auto& list : keys) {
        const uint64_t n =
            published[&list - keys.data()].load(std::memory_order_acquire);
        is_done = is_done && n == kEach;
        for (int i = 0; i < 20 && n > 0; ++i) {
          targets.push_back(list[random.Uniform(n)]);
        }
      }
      std::sort(targets.begin(), targets.end(), TreeOrder{&f.order_});
      const std::vector<Slice> slices(targets.begin(), targets.end());
      std::vector<EntryTree::Cursor> cursors(slices.size());
      f.tree_.SeekTogether(slices.data(), slices.size(), cursors.data());
      for (size_t i = 0; i < slices.size(); ++i) {
        EXPECT_TRUE(cursors[i].Valid());
        if (!cursors[i].Valid()) continue;
        EXPECT_EQ(EntryTree::KeyOf(cursors[i].entry()), slices[i]);
      }
      is_done = is_done || testing::Test::HasFailure();
    }
    for (std::thread& writer : writers) writer.join();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
