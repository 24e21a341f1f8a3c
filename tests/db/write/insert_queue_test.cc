// Groups of writers insert in the order of the log, and wait for their turn
// without losing any.
#include "db/write/insert_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr YieldingWait::Limits kNoYields = {.longest =
                                                std::chrono::microseconds(0)};

TEST(InsertQueue, FirstInLineHasItsTurnAtOnce) {
  InsertQueue queue(kNoYields);
  InsertTurn first;
  queue.EnterLine(&first);
  EXPECT_TRUE(queue.AwaitTurn(&first));
  EXPECT_EQ(&first, queue.LastOfTurn(&first));
  queue.EndTurn(first, 1);
  queue.Drain();
  InsertTurn again;
  queue.EnterLine(&again);
  EXPECT_TRUE(queue.AwaitTurn(&again));
  queue.EndTurn(again, 1);
  queue.Drain();
}

TEST(InsertQueue, TurnTakesSmallGroupsBehindIt) {
  InsertQueue queue(kNoYields);
  std::array<InsertTurn, 5> turns;
  for (size_t i : {1, 2, 4}) turns[i].is_small = true;
  for (InsertTurn& turn : turns) queue.EnterLine(&turn);
  ASSERT_TRUE(queue.AwaitTurn(turns.data()));
  EXPECT_EQ(&turns[2], queue.LastOfTurn(turns.data()));
  queue.EndTurn(turns[2], 3);
  for (size_t i : {1, 2}) {
    InsertQueue::Finish(&turns[i]);
    EXPECT_FALSE(queue.AwaitTurn(&turns[i]));
  }
  // The large one behind them is next, and takes who is behind it.
  ASSERT_TRUE(queue.AwaitTurn(&turns[3]));
  EXPECT_EQ(&turns[4], queue.LastOfTurn(&turns[3]));
  queue.EndTurn(turns[4], 2);
  InsertQueue::Finish(&turns[4]);
  EXPECT_FALSE(queue.AwaitTurn(&turns[4]));
  queue.Drain();
}

TEST(InsertQueue, DrainWaitsForThoseOutOfLineToo) {
  InsertQueue queue(YieldingWait::Limits{});
  queue.EnterUnordered();
  queue.EnterUnordered();
  std::atomic<int> left{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      left.fetch_add(1);
      queue.Leave(1);
    });
  }
  queue.Drain();
  EXPECT_EQ(2, left.load());
  for (std::thread& thread : threads) thread.join();
}

// Threads enter one after the other, as holders of leadership do, and insert
// in that order, whoever does it.
void InsertInOrder(const YieldingWait::Limits& yields) {
  constexpr int kThreads = 6;
  constexpr int kRounds = 2000;
  struct Entry : InsertTurn {
    int number = 0;
  };
  InsertQueue queue(yields);
  std::mutex leadership;
  int entered = 0;
  std::vector<int> inserted;  // guarded by the turn
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < kRounds; ++round) {
        Entry mine;
        mine.is_small = (t + round) % 3 != 0;
        {
          const std::lock_guard<std::mutex> lock(leadership);
          mine.number = entered++;
          queue.EnterLine(&mine);
        }
        if (!queue.AwaitTurn(&mine)) continue;
        InsertTurn* const last = queue.LastOfTurn(&mine);
        std::vector<Entry*> turn = {&mine};
        while (turn.back() != last) {
          turn.push_back(static_cast<Entry*>(turn.back()->next));
        }
        for (const Entry* entry : turn) inserted.push_back(entry->number);
        queue.EndTurn(*last, turn.size());
        for (size_t i = 1; i < turn.size(); ++i) InsertQueue::Finish(turn[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue.Drain();
  ASSERT_EQ(static_cast<size_t>(kThreads * kRounds), inserted.size());
  for (int i = 0; i < kThreads * kRounds; ++i) ASSERT_EQ(i, inserted[i]);
}

TEST(InsertQueue, KeepsTheOrderOfTheLog) { InsertInOrder({}); }

TEST(InsertQueue, KeepsTheOrderOfTheLogWithoutYields) {
  InsertInOrder(kNoYields);
}

TEST(YieldingWait, LeavesOutWhatDoesNotPay) {
  YieldingWait wait({.longest = std::chrono::microseconds(20),
                     .slow = std::chrono::hours(1)});
  const auto count_looks = [&wait](bool is_over_late) {
    int looks = 0;
    const bool over = wait.Try([&] { return ++looks > 200 && is_over_late; });
    EXPECT_EQ(is_over_late, over);
    return looks;
  };
  const auto yields = [&] { return count_looks(false) > 200; };
  EXPECT_TRUE(yields());
  EXPECT_FALSE(yields());  // One is left out,
  EXPECT_TRUE(yields());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(yields());  // then three,
  // until it pays.
  EXPECT_EQ(201, count_looks(true));
  EXPECT_EQ(201, count_looks(true));
  EXPECT_TRUE(yields());
  EXPECT_FALSE(yields());
  EXPECT_TRUE(yields());
}

TEST(YieldingWait, NeverYieldsWhereItMustNot) {
  YieldingWait wait(kNoYields);
  int looks = 0;
  EXPECT_FALSE(wait.Try([&] {
    ++looks;
    return false;
  }));
  EXPECT_EQ(200, looks);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
