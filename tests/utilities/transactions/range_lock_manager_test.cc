// Locks on ranges: who gets them, what they become when memory is short, and
// who finds a deadlock.
#include "utilities/transactions/range_lock_manager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/system_clock.h"
#include "tests/testing/mock_clock.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int64_t kNoLimit = -1;
constexpr int64_t kSoon = 20000;  // microseconds

std::string KeyOf(uint64_t number) {
  std::string key = std::to_string(number);
  return std::string(3 - key.size(), '0') + key;
}

// --- Ends

TEST(RangeEndOrderTest, BehindAPrefixComesAfterAllThatHaveIt) {
  const RangeEndOrder order(BytewiseComparator());
  const Endpoint behind_d("d", true);
  EXPECT_GT(order.Compare(behind_d, Endpoint("d")), 0);
  EXPECT_GT(order.Compare(behind_d, Endpoint("dzz")), 0);
  EXPECT_LT(order.Compare(Endpoint("dzz"), behind_d), 0);
  EXPECT_LT(order.Compare(behind_d, Endpoint("e")), 0);
  EXPECT_GT(order.Compare(behind_d, Endpoint("c")), 0);
  EXPECT_EQ(order.Compare(behind_d, Endpoint("d", true)), 0);
  // The shorter prefix has more.
  EXPECT_GT(order.Compare(behind_d, Endpoint("dd", true)), 0);
  EXPECT_LT(order.Compare(Endpoint("dd", true), behind_d), 0);
  EXPECT_EQ(order.Compare(Endpoint("x"), Endpoint("x")), 0);
}

TEST(RangeEndOrderTest, KeysAreInTheOrderOfTheFamily) {
  const RangeEndOrder order(ReverseBytewiseComparator());
  EXPECT_GT(order.Compare(Endpoint("a"), Endpoint("b")), 0);
  const Endpoint behind_b("b", true);
  EXPECT_GT(order.Compare(behind_b, Endpoint("b")), 0);
  EXPECT_GT(order.Compare(behind_b, Endpoint("bzz")), 0);
  EXPECT_LT(order.Compare(behind_b, Endpoint("a")), 0);
  EXPECT_GT(order.Compare(behind_b, Endpoint("c")), 0);
}

// --- Sets of ranges, against one bit for each key

TEST(RangeSetTest, IsAsASetOfKeys) {
  constexpr uint64_t kCount = 60;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random64 random(seed);
    RangeSet set{RangeEndOrder(BytewiseComparator())};
    std::array<bool, kCount> has{};
    for (int step = 0; step < 30; ++step) {
      uint64_t from = random.Uniform(kCount), to = random.Uniform(kCount);
      if (from > to) std::swap(from, to);
      to = std::min(to, from + random.Uniform(8));
      const std::string start = KeyOf(from), end = KeyOf(to);
      const bool overlaps =
          std::any_of(has.begin() + from, has.begin() + to + 1,
                      [](bool is_in) { return is_in; });
      const bool covers = std::all_of(has.begin() + from, has.begin() + to + 1,
                                      [](bool is_in) { return is_in; });
      EXPECT_EQ(set.Overlaps(Endpoint(start), Endpoint(end)), overlaps);
      // Ranges side by side do not touch: other keys are between them.
      if (!covers) {
        EXPECT_FALSE(set.Covers(Endpoint(start), Endpoint(end)));
      }
      set.Add(Endpoint(start), Endpoint(end));
      for (uint64_t i = from; i <= to; ++i) has[i] = true;
      EXPECT_TRUE(set.Covers(Endpoint(start), Endpoint(end)));
    }
    for (const auto& [start, end] : set.ranges()) {
      EXPECT_LE(start.slice, end.slice);
      EXPECT_TRUE(has[std::stoul(start.slice)]);
    }
    const size_t before = set.bytes();
    EXPECT_GT(before, 0u);
    set.Remove(Endpoint(KeyOf(0)), Endpoint(KeyOf(kCount)));
    EXPECT_TRUE(set.empty()) << seed;
    EXPECT_EQ(set.bytes(), 0u);
  }
}

// --- Locks

class RangeOwner final : public LockOwner {
 public:
  explicit RangeOwner(TransactionID id) : LockOwner(id) {}
  void ExpireAt(uint64_t micros) { expires_at_ = micros; }
  void Keep() { keeps_ = true; }
  bool has_lost() const { return has_lost_; }

  uint64_t locks_expire_at() const override { return expires_at_; }
  bool TryGiveUpLocks() override {
    if (keeps_) return false;
    has_lost_ = true;
    return true;
  }

 private:
  std::atomic<uint64_t> expires_at_{UINT64_MAX};
  std::atomic<bool> keeps_{false};
  std::atomic<bool> has_lost_{false};
};

class RangeLockManagerTest : public ::testing::Test {
 protected:
  RangeLockManagerTest() {
    EXPECT_TRUE(locks_.TryAttach(SystemClock::Default().get()));
    locks_.AddFamily(0, BytewiseComparator());
    locks_.AddFamily(1, ReverseBytewiseComparator());
  }
  ~RangeLockManagerTest() override {
    for (RangeOwner* owner : {&a_, &b_, &c_}) locks_.UnlockAll(owner);
  }

  Status Range(RangeOwner* owner, const Endpoint& start, const Endpoint& end,
               int64_t timeout = 0, bool is_exclusive = true) {
    return locks_.LockRange(owner, {.start = start,
                                    .end = end,
                                    .terms = {.is_exclusive = is_exclusive,
                                              .timeout_micros = timeout}});
  }
  Status Range(RangeOwner* owner, const char* start, const char* end,
               int64_t timeout = 0, bool is_exclusive = true) {
    return Range(owner, Endpoint(start), Endpoint(end), timeout, is_exclusive);
  }
  Status Share(RangeOwner* owner, const char* start, const char* end,
               int64_t timeout = 0) {
    return Range(owner, start, end, timeout, /*is_exclusive=*/false);
  }
  Status Key(RangeOwner* owner, const char* key, int64_t timeout = 0) {
    return locks_.Lock(owner,
                       {.key = key, .terms = {.timeout_micros = timeout}});
  }
  // "a-c:X1", of all ranges of the default family.
  std::string Locks() {
    std::set<std::string> all;
    for (const auto& [id, info] : locks_.GetRangeLockStatusData()) {
      if (id != 0) continue;
      all.insert(info.start.slice + (info.start.inf_suffix ? "+" : "") + "-" +
                 info.end.slice + (info.end.inf_suffix ? "+" : "") +
                 (info.exclusive ? ":X" : ":S") + std::to_string(info.ids[0]));
    }
    std::string text;
    for (const std::string& one : all) text += one + " ";
    return text;
  }
  void AwaitWaits(uint64_t count) {
    while (locks_.GetStatus().lock_wait_count < count) {
      std::this_thread::yield();
    }
  }

  RangeLockManager locks_{nullptr};
  RangeOwner a_{1}, b_{2}, c_{3};
};

TEST_F(RangeLockManagerTest, BothEndsAreIncluded) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  for (const char* key : {"a", "b", "bzz", "c"}) {
    const Status s = Key(&b_, key);
    EXPECT_TRUE(s.IsTimedOut()) << key << s.ToString();
    EXPECT_EQ(s.subcode(), Status::SubCode::kLockTimeout);
    EXPECT_TRUE(Key(&a_, key).ok()) << key;
  }
  EXPECT_TRUE(Key(&b_, "c1").ok());
  EXPECT_TRUE(Key(&b_, "A").ok());
  EXPECT_TRUE(Range(&b_, "A", "a").IsTimedOut());
  EXPECT_EQ(Locks(), "A-A:X2 a-c:X1 c1-c1:X2 ");
  locks_.UnlockAll(&a_);
  EXPECT_TRUE(Key(&b_, "b").ok());
}

TEST_F(RangeLockManagerTest, AWaitEndsThoughTheClockStandsStill) {
  MockClock clock;
  locks_.Detach();
  ASSERT_TRUE(locks_.TryAttach(&clock));
  locks_.AddFamily(0, BytewiseComparator());
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  a_.ExpireAt(clock.NowMicros() + 1000);
  EXPECT_TRUE(Key(&b_, "b", kSoon).IsTimedOut());
  EXPECT_FALSE(a_.has_lost());
  clock.Advance(1000);
  EXPECT_TRUE(Key(&b_, "b", kSoon).ok());
  EXPECT_TRUE(a_.has_lost());
  for (RangeOwner* owner : {&a_, &b_}) locks_.UnlockAll(owner);
  locks_.Detach();
}

TEST_F(RangeLockManagerTest, AnEndBehindAPrefix) {
  ASSERT_TRUE(Range(&a_, Endpoint("d"), Endpoint("d", true)).ok());
  EXPECT_TRUE(Key(&b_, "dzz").IsTimedOut());
  EXPECT_TRUE(Key(&b_, "e").ok());
  EXPECT_TRUE(Key(&b_, "c").ok());
  EXPECT_EQ(Locks(), "c-c:X2 d-d+:X1 e-e:X2 ");
}

TEST_F(RangeLockManagerTest, AnEmptyRangeLocksNothing) {
  EXPECT_TRUE(Range(&a_, "c", "a").ok());
  EXPECT_EQ(Locks(), "");
}

TEST_F(RangeLockManagerTest, OwnRangesBecomeOneWhereTheyOverlap) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  ASSERT_TRUE(Range(&a_, "e", "g").ok());
  ASSERT_TRUE(Range(&a_, "b", "f").ok());
  EXPECT_EQ(Locks(), "a-g:X1 ");
}

TEST_F(RangeLockManagerTest, SharesOverlapAndAloneMeansAlone) {
  ASSERT_TRUE(Share(&a_, "a", "m").ok());
  ASSERT_TRUE(Share(&b_, "k", "z").ok());
  EXPECT_TRUE(Range(&a_, "l", "l").IsTimedOut());
  // Where nobody else has a share, one can be had alone.
  EXPECT_TRUE(Range(&a_, "a", "b").ok());
  EXPECT_TRUE(Share(&c_, "b", "b").IsTimedOut());
  EXPECT_TRUE(Share(&c_, "c", "c").ok());
  // What is had alone is shared, too.
  EXPECT_TRUE(Share(&a_, "a", "a").ok());
  EXPECT_EQ(Locks(), "a-b:X1 a-m:S1 c-c:S3 k-z:S2 ");
}

TEST_F(RangeLockManagerTest, FamiliesAreApart) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  const RangeWish wish{.family_id = 1,
                       .start = Endpoint("c"),
                       .end = Endpoint("a"),
                       .terms = {.timeout_micros = 0}};
  EXPECT_TRUE(locks_.LockRange(&b_, wish).ok());
  // In that order c comes before a.
  EXPECT_TRUE(locks_.LockRange(&a_, wish).IsTimedOut());
  EXPECT_TRUE(
      locks_.Lock(&a_, {.family_id = 7, .key = "k"}).IsInvalidArgument());
}

TEST_F(RangeLockManagerTest, WaitsEndInTime) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  EXPECT_TRUE(Key(&b_, "b", kSoon).IsTimedOut());
  EXPECT_EQ(b_.last_wait().key, "b");
  EXPECT_EQ(b_.last_wait().ids, std::vector<TransactionID>{1});
  EXPECT_EQ(locks_.GetStatus().lock_wait_count, 1u);
}

TEST_F(RangeLockManagerTest, WhatIsGivenBackGoesToAllThatFit) {
  ASSERT_TRUE(Range(&a_, "a", "z").ok());
  std::thread other(
      [this] { EXPECT_TRUE(Range(&b_, "a", "c", kNoLimit).ok()); });
  std::thread third(
      [this] { EXPECT_TRUE(Range(&c_, "d", "f", kNoLimit).ok()); });
  AwaitWaits(2);
  locks_.UnlockAll(&a_);
  other.join();
  third.join();
  EXPECT_EQ(Locks(), "a-c:X2 d-f:X3 ");
}

// A share that comes later does not pass who waits to be alone.
TEST_F(RangeLockManagerTest, FirstComeFirstServed) {
  ASSERT_TRUE(Share(&a_, "a", "c").ok());
  std::thread other(
      [this] { EXPECT_TRUE(Range(&b_, "b", "d", kNoLimit).ok()); });
  AwaitWaits(1);
  EXPECT_TRUE(Share(&c_, "c", "c").IsTimedOut());
  EXPECT_TRUE(Share(&c_, "a", "a").ok());
  // Its own owner may go on: the other waits for it.
  EXPECT_TRUE(Share(&a_, "d", "d").ok());
  locks_.UnlockAll(&a_);
  other.join();
}

TEST_F(RangeLockManagerTest, ACircleOfTwoIsReported) {
  ASSERT_TRUE(Range(&a_, "a", "b").ok());
  ASSERT_TRUE(Range(&b_, "c", "d").ok());
  std::thread other(
      [this] { EXPECT_TRUE(Range(&a_, "d", "e", kNoLimit).ok()); });
  AwaitWaits(1);
  const Status s = Range(&b_, "b", "b", kNoLimit);
  EXPECT_TRUE(s.IsDeadlock() && s.IsBusy()) << s.ToString();
  EXPECT_EQ(Locks(), "a-b:X1 c-d:X2 ");
  const std::vector<RangeDeadlockPath> found =
      locks_.GetRangeDeadlockInfoBuffer();
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].path.size(), 2u);
  EXPECT_FALSE(found[0].limit_exceeded);
  EXPECT_GT(found[0].deadlock_time, 0);
  EXPECT_EQ(found[0].path[0].m_txn_id, 1u);
  EXPECT_EQ(found[0].path[0].m_start.slice, "d");
  EXPECT_EQ(found[0].path[0].m_end.slice, "e");
  EXPECT_EQ(found[0].path[1].m_txn_id, 2u);
  EXPECT_EQ(locks_.Deadlocks()[0].path[1].m_waiting_key, "b");
  locks_.UnlockAll(&b_);
  other.join();
  locks_.SetRangeDeadlockInfoBufferSize(0);
  EXPECT_TRUE(locks_.GetRangeDeadlockInfoBuffer().empty());
}

TEST_F(RangeLockManagerTest, AWaitCanBeEnded) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  std::atomic<bool> is_killed{false};
  locks_.SetIsKilledCallback([&is_killed] { return is_killed.load(); });
  std::thread other([this] {
    const Status s = Key(&b_, "b", kNoLimit);
    EXPECT_TRUE(s.IsAborted()) << s.ToString();
  });
  AwaitWaits(1);
  is_killed = true;
  other.join();
}

TEST_F(RangeLockManagerTest, ADroppedFamilyEndsWaits) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  std::thread other(
      [this] { EXPECT_TRUE(Key(&b_, "b", kNoLimit).IsInvalidArgument()); });
  AwaitWaits(1);
  locks_.RemoveFamily(0);
  other.join();
  EXPECT_EQ(locks_.GetStatus().current_lock_memory, 0u);
}

TEST_F(RangeLockManagerTest, WhoIsTooSlowLosesWhatOthersWant) {
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  ASSERT_TRUE(Range(&a_, "x", "z").ok());
  a_.ExpireAt(1);
  EXPECT_TRUE(Key(&b_, "b").ok());
  EXPECT_TRUE(a_.has_lost());
  EXPECT_EQ(Locks(), "b-b:X2 x-z:X1 ");
  b_.ExpireAt(1);
  b_.Keep();
  EXPECT_TRUE(Key(&c_, "b", kSoon).IsTimedOut());
}

// --- Memory

TEST_F(RangeLockManagerTest, TheLimitIsNotBelowWhatIsUsed) {
  EXPECT_EQ(locks_.GetMaxLockMemory(), size_t{64} << 20);
  ASSERT_TRUE(Range(&a_, "a", "c").ok());
  EXPECT_GT(locks_.GetStatus().current_lock_memory, 0u);
  EXPECT_EQ(locks_.SetMaxLockMemory(10), EDOM);
  EXPECT_EQ(locks_.GetMaxLockMemory(), size_t{64} << 20);
  EXPECT_EQ(locks_.SetMaxLockMemory(4096), 0);
  EXPECT_EQ(locks_.GetMaxLockMemory(), 4096u);
}

TEST_F(RangeLockManagerTest, NeighboursBecomeOneButNotOverOthers) {
  ASSERT_EQ(locks_.SetMaxLockMemory(4096), 0);
  ASSERT_TRUE(Key(&b_, "050").ok());
  for (uint64_t i = 0; i < 100; ++i) {
    if (i == 50) continue;
    const std::string key = KeyOf(i);
    ASSERT_TRUE(Key(&a_, key.c_str()).ok()) << i;
  }
  EXPECT_GT(locks_.GetStatus().escalation_count, 0u);
  EXPECT_LE(locks_.GetStatus().current_lock_memory, 4096u);
  // What nobody has asked for is locked, but not what another one has.
  EXPECT_TRUE(Key(&c_, "0005").IsTimedOut());
  EXPECT_TRUE(Key(&b_, "050").ok());
  EXPECT_TRUE(Key(&a_, "050").IsTimedOut());
}

TEST_F(RangeLockManagerTest, ABarrierKeepsNeighboursApart) {
  ASSERT_EQ(locks_.SetMaxLockMemory(2048), 0);
  locks_.SetEscalationBarrierFunc([](const Endpoint& a, const Endpoint& b) {
    return a.slice[0] != b.slice[0];
  });
  for (const char* key : {"a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"}) {
    ASSERT_TRUE(Key(&a_, key).ok());
  }
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(Key(&a_, ("c" + std::to_string(i)).c_str()).ok());
  }
  EXPECT_GT(locks_.GetStatus().escalation_count, 0u);
  EXPECT_TRUE(Key(&b_, "a22").IsTimedOut());
  EXPECT_TRUE(Key(&b_, "a9").ok());
}

TEST_F(RangeLockManagerTest, WhatStillDoesNotFitIsRefused) {
  locks_.SetEscalationBarrierFunc(
      [](const Endpoint& /*a*/, const Endpoint& /*b*/) { return true; });
  ASSERT_EQ(locks_.SetMaxLockMemory(300), 0);
  ASSERT_TRUE(Key(&a_, "a").ok());
  ASSERT_TRUE(Key(&a_, "b").ok());
  const Status s = Key(&a_, "c");
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_EQ(s.subcode(), Status::SubCode::kLockLimit);
  EXPECT_TRUE(Key(&a_, "a").ok());
}

// --- By chance

// Whoever has a range alone is alone in it; who shares is with sharers only.
TEST_F(RangeLockManagerTest, NobodyIsWhereAnotherIsAlone) {
  constexpr int kThreads = 4, kRounds = 300;
  constexpr uint64_t kCount = 12;
  std::array<std::atomic<int>, kCount> inside{};  // -1: one alone
  std::atomic<int> granted{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random64 random(t + 1);
      for (int round = 0; round < kRounds; ++round) {
        RangeOwner owner(100 + t);
        std::vector<std::pair<uint64_t, bool>> mine;
        for (int i = 0; i < 3; ++i) {
          const uint64_t from = random.Uniform(kCount);
          const uint64_t to = std::min(kCount - 1, from + random.Uniform(3));
          const bool is_taken =
              std::any_of(mine.begin(), mine.end(), [&](const auto& key) {
                return key.first >= from && key.first <= to;
              });
          if (is_taken) continue;
          const bool is_exclusive = random.OneIn(2);
          const std::string start = KeyOf(from), end = KeyOf(to);
          const Status s = Range(&owner, Endpoint(start), Endpoint(end),
                                 kNoLimit, is_exclusive);
          if (s.IsDeadlock()) break;
          EXPECT_TRUE(s.ok()) << s.ToString();
          ++granted;
          for (uint64_t key = from; key <= to; ++key) {
            const int before = is_exclusive ? inside[key].exchange(-1)
                                            : inside[key].fetch_add(1);
            EXPECT_TRUE(is_exclusive ? before == 0 : before >= 0);
            mine.emplace_back(key, is_exclusive);
          }
          if (random.OneIn(8)) std::this_thread::yield();
        }
        for (const auto& [key, is_exclusive] : mine) {
          if (is_exclusive) {
            inside[key] = 0;
          } else {
            --inside[key];
          }
        }
        locks_.UnlockAll(&owner);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(granted.load(), kThreads * kRounds / 2);
  EXPECT_EQ(Locks(), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
