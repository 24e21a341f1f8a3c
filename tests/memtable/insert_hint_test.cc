// Hints of where entries belong: what they save, and that wrong ones harm
// nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CountingComparator : public Comparator {
 public:
  const char* Name() const override { return "CountingComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++count_;
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
  uint64_t count() const { return count_; }

 private:
  mutable std::atomic<uint64_t> count_{0};
};

std::string KeyOf(int prefix, int i) {
  char key[32];
  (void)snprintf(key, sizeof(key), "%03d.%06d", prefix, i);
  return key;
}

MemTableOptions WithHints(const Comparator* order, bool has_hints) {
  MemTableOptions options;
  options.order = InternalKeyComparator(order);
  if (has_hints) options.hint_extractor.reset(NewFixedPrefixTransform(3));
  return options;
}

std::vector<std::string> KeysOf(const MemTable& memtable) {
  std::vector<std::string> keys;
  const auto it = memtable.NewIterator();
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    keys.push_back(ExtractUserKey(it->key()).ToString());
  }
  return keys;
}

// Ascending within each of many prefixes, which take turns.
TEST(InsertHintTest, SparesComparisons) {
  uint64_t counts[2] = {};
  std::vector<std::string> keys[2];
  for (const bool has_hints : {false, true}) {
    CountingComparator order;
    MemTable memtable(WithHints(&order, has_hints));
    SequenceNumber sequence = 1;
    for (int i = 0; i < 300; ++i) {
      for (int prefix = 0; prefix < 40; ++prefix) {
        ASSERT_TRUE(
            memtable.Add(sequence++, kTypeValue, KeyOf(prefix, i), "").ok());
      }
    }
    counts[has_hints] = order.count();
    keys[has_hints] = KeysOf(memtable);
  }
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_EQ(keys[0].size(), 12000u);
  EXPECT_LT(counts[1] * 10, counts[0] * 8);
}

// One for updates that the caller knows to be neighbours.
TEST(InsertHintTest, TheCallersOwnSparesComparisonsToo) {
  uint64_t counts[2] = {};
  std::vector<std::string> keys[2];
  for (const bool has_hints : {false, true}) {
    CountingComparator order;
    MemTable memtable(WithHints(&order, /*has_hints=*/false));
    SequenceNumber sequence = 1;
    for (int i = 0; i < 6000; ++i) {
      const std::string key = KeyOf((i * 7) % 300, i);
      ASSERT_TRUE(memtable.Add(sequence++, kTypeValue, key, "").ok());
    }
    const uint64_t before = order.count();
    for (int prefix = 299; prefix >= 0; --prefix) {
      EntryTree::Hint hint;
      MemTable::Delta delta;
      for (int i = 0; i < 20; ++i) {
        const std::string key = KeyOf(prefix, 10000 + i);
        ASSERT_TRUE(memtable
                        .Add({.sequence = sequence++,
                              .key = key,
                              .value = "",
                              .hint = has_hints ? &hint : nullptr},
                             &delta)
                        .ok());
      }
      memtable.Count(delta);
    }
    counts[has_hints] = order.count() - before;
    keys[has_hints] = KeysOf(memtable);
  }
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_EQ(keys[0].size(), 12000u);
  EXPECT_LT(counts[1] * 10, counts[0] * 8);
}

// Every key takes the hint of any other.
TEST(InsertHintTest, WrongHintsHarmNothing) {
  for (const Comparator* order :
       {BytewiseComparator(), ReverseBytewiseComparator()}) {
    MemTableOptions options = WithHints(order, false);
    options.hint_extractor.reset(NewCappedPrefixTransform(0));
    MemTable memtable(options);
    Random64 random(301);
    std::set<std::string> model;
    for (SequenceNumber sequence = 1; sequence <= 20000; ++sequence) {
      const std::string key = KeyOf(static_cast<int>(random.Uniform(50)),
                                    static_cast<int>(random.Uniform(200)));
      if (!model.insert(key).second) continue;
      ASSERT_TRUE(memtable.Add(sequence, kTypeValue, key, "").ok());
    }
    std::vector<std::string> expected(model.begin(), model.end());
    if (order != BytewiseComparator()) {
      expected.assign(model.rbegin(), model.rend());
    }
    ASSERT_EQ(KeysOf(memtable), expected);
  }
}

TEST(InsertHintTest, ADuplicateIsNoticedAtTheHint) {
  MemTable memtable(WithHints(BytewiseComparator(), true));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(memtable.Add(1, kTypeValue, KeyOf(i % 2, i), "").ok());
    EXPECT_TRUE(memtable.Add(1, kTypeValue, KeyOf(i % 2, i), "").IsTryAgain());
  }
}

TEST(InsertHintTest, ThreadsShareHints) {
  constexpr int kThreads = 4;
  constexpr int kKeys = 4000;
  MemTable memtable(WithHints(BytewiseComparator(), true));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&memtable, t] {
      for (int i = t; i < kKeys; i += kThreads) {
        ASSERT_TRUE(memtable
                        .Add(static_cast<SequenceNumber>(i + 1), kTypeValue,
                             KeyOf(i % 3, i), "")
                        .ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> expected;
  for (int prefix = 0; prefix < 3; ++prefix) {
    for (int i = prefix; i < kKeys; i += 3)
      expected.push_back(KeyOf(prefix, i));
  }
  EXPECT_EQ(KeysOf(memtable), expected);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
