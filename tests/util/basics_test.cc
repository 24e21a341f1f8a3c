// Small things work as said: sets of enumerators, locks, random numbers, thread
// numbers, invariants.

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "rocksdb/data_structure.h"
#include "rocksdb/iterator.h"
#include "rocksdb/types.h"
#include "rocksdb/unique_id.h"
#include "util/core_local.h"
#include "util/invariant.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

enum class Letter { kA, kB, kLast = 70 };
using Letters = SmallEnumSet<Letter, Letter::kLast>;

TEST(SmallEnumSetTest, AddsRemovesAndWalks) {
  Letters set(Letter::kLast, Letter::kA);
  EXPECT_TRUE(set.Contains(Letter::kA));
  EXPECT_FALSE(set.Contains(Letter::kB));
  EXPECT_TRUE(set.Add(Letter::kB));
  EXPECT_FALSE(set.Add(Letter::kB));
  std::vector<int> seen;
  for (const Letter l : set) seen.push_back(static_cast<int>(l));
  EXPECT_EQ((std::vector<int>{0, 1, 70}), seen);
  EXPECT_EQ(3u, set.count());
  EXPECT_TRUE(set.Remove(Letter::kA));
  EXPECT_FALSE(set.Remove(Letter::kA));
  EXPECT_EQ(set, Letters(Letter::kB, Letter::kLast));
  EXPECT_TRUE(Letters().empty());
  EXPECT_EQ(71u, Letters::All().count());
  // A compaction's progress file is none that applications ask for.
  EXPECT_EQ(11u, FileTypeSet::All().count());
}

template <typename LockType, typename MutexType>
int CountWithLock() {
  MutexType mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const LockType lock(&mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return count;
}

TEST(MutexTest, LocksExclude) {
  EXPECT_EQ(8000, (CountWithLock<MutexLock, Mutex>()));
  EXPECT_EQ(8000, (CountWithLock<SpinMutexLock, SpinMutex>()));
  EXPECT_EQ(8000, (CountWithLock<WriteLock, RWMutex>()));
}

TEST(MutexTest, CondVarWakesAndTimesOut) {
  Mutex mutex;
  CondVar changed(&mutex);
  bool is_ready = false;
  std::thread other([&] {
    const MutexLock lock(&mutex);
    is_ready = true;
    changed.SignalAll();
  });
  mutex.Lock();
  while (!is_ready) changed.Wait();
  mutex.AssertHeld();
  EXPECT_TRUE(changed.WaitFor(1));
  mutex.AssertHeld();
  mutex.Unlock();
  other.join();
  EXPECT_TRUE(mutex.TryLock());
  mutex.AssertHeld();
  mutex.Unlock();
}

TEST(Random64Test, SeedRepeatsAndRangesHold) {
  Random64 a(5);
  Random64 b(5);
  Random64 c(6);
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t value = a.Next();
    EXPECT_EQ(value, b.Next());
    seen.insert(value);
    EXPECT_LT(c.Uniform(7), 7u);
    EXPECT_LT(c.Skewed(10), 1024u);
    const double d = c.NextDouble();
    EXPECT_TRUE(d >= 0 && d < 1);
  }
  EXPECT_EQ(1000u, seen.size());
  EXPECT_EQ(10u, c.RandomString(10).size());
  uint64_t other = 0;
  std::thread([&] { other = Random64::ThreadLocal().Next(); }).join();
  EXPECT_NE(other, Random64::ThreadLocal().Next());
}

TEST(CoreLocalTest, ThreadsHaveNumbersAndSlots) {
  CoreLocalArray<std::atomic<int>> counters;
  EXPECT_GE(counters.Size(), 8u);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      EXPECT_EQ(CurrentThreadNumber(), CurrentThreadNumber());
      ++*counters.Access();
    });
  }
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (size_t i = 0; i < counters.Size(); ++i) {
    sum += *counters.AccessAtCore(i);
  }
  EXPECT_EQ(4, sum);
}

TEST(InvariantTest, SaysWhereAndWhat) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const int two = 2;
  INVARIANT(two == 2);
  EXPECT_DEATH(INVARIANT(two == 3), "basics_test.cc:[0-9]+: .*two == 3");
}

TEST(IteratorTest, EmptyAndError) {
  const std::unique_ptr<Iterator> empty(NewEmptyIterator());
  empty->SeekToFirst();
  EXPECT_FALSE(empty->Valid());
  EXPECT_TRUE(empty->status().ok());
  EXPECT_TRUE(empty->Refresh().IsNotSupported());
  std::string value;
  EXPECT_TRUE(
      empty->GetProperty("rocksdb.iterator.is-key-pinned", &value).ok());
  EXPECT_EQ("0", value);
  EXPECT_TRUE(empty->GetProperty("other", &value).IsInvalidArgument());
  const std::unique_ptr<Iterator> bad(
      NewErrorIterator(Status::Corruption("x")));
  EXPECT_FALSE(bad->Valid());
  EXPECT_TRUE(bad->status().IsCorruption());
}

TEST(UniqueIdTest, HumanForm) {
  EXPECT_EQ("6162636465666768-696A",
            UniqueIdToHumanString(std::string("abcdefghij")));
}

TEST(SmallEnumSetTest, BitsOfWords) {
  EXPECT_EQ(64, detail::CountTrailingZeroBitsForSmallEnumSet(0));
  EXPECT_EQ(3, detail::CountTrailingZeroBitsForSmallEnumSet(0x28));
  EXPECT_EQ(2, detail::BitsSetToOneForSmallEnumSet(0x28));
  EXPECT_EQ(64, detail::BitsSetToOneForSmallEnumSet(~uint64_t{0}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
