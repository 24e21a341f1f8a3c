// The history of statistics keeps differences per period within its memory, and
// iterators survive new snapshots.
#include "monitoring/stats_history.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kPlenty = 1 << 20;

// "10:a=1,b=2 20:..." of what is kept of [from, to).
std::string Kept(const std::shared_ptr<StatsHistory>& history,
                 uint64_t from = 0, uint64_t to = UINT64_MAX) {
  std::string text;
  const auto it = NewStatsHistoryIterator(history, from, to);
  for (; it->Valid(); it->Next()) {
    if (!text.empty()) text += ' ';
    text += std::to_string(it->GetStatsTime()) + ":";
    for (const auto& [name, count] : it->GetStatsMap()) {
      text += name + "=" + std::to_string(count);
    }
  }
  EXPECT_TRUE(it->status().ok());
  return text;
}

TEST(StatsHistoryTest, KeepsTheDifferences) {
  const auto history = std::make_shared<StatsHistory>();
  history->Add(5, {{"a", 7}, {"b", 1}}, kPlenty);
  EXPECT_EQ(Kept(history), "") << "where counting begins";
  history->Add(10, {{"a", 8}, {"b", 1}}, kPlenty);
  history->Add(20, {{"a", 8}, {"b", 4}}, kPlenty);
  EXPECT_EQ(Kept(history), "10:a=1b=0 20:a=0b=3");
  EXPECT_EQ(Kept(history, 10, 20), "10:a=1b=0");
  EXPECT_EQ(Kept(history, 11), "20:a=0b=3");
  EXPECT_EQ(Kept(history, 21), "");
  EXPECT_EQ(Kept(history, 20, 10), "");
}

TEST(StatsHistoryTest, TwoOfOneSecondAreBothFound) {
  const auto history = std::make_shared<StatsHistory>();
  history->Add(1, {{"a", 0}}, kPlenty);
  history->Add(5, {{"a", 1}}, kPlenty);
  history->Add(5, {{"a", 3}}, kPlenty);
  history->Add(5, {{"a", 6}}, kPlenty);
  history->Add(9, {{"a", 7}}, kPlenty);
  history->Add(8, {{"a", 9}}, kPlenty);
  EXPECT_EQ(Kept(history), "5:a=1 6:a=2 7:a=3 9:a=1 10:a=2");
}

TEST(StatsHistoryTest, TickersMayBeSetBackComeAndGo) {
  const auto history = std::make_shared<StatsHistory>();
  history->Add(1, {{"a", 7}}, kPlenty);
  history->Add(2, {{"a", 3}, {"b", 2}}, kPlenty);
  history->Add(3, {{"b", 2}}, kPlenty);
  EXPECT_EQ(Kept(history), "2:a=3b=2 3:b=0");
}

TEST(StatsHistoryTest, TheOldestGoWhenMemoryIsUsedUp) {
  const auto history = std::make_shared<StatsHistory>();
  history->Add(0, {{"a", 0}}, kPlenty);
  history->Add(1, {{"a", 1}}, kPlenty);
  const size_t one = history->MemoryBytes();
  ASSERT_GT(one, 0u);
  for (uint64_t i = 2; i < 10; ++i) history->Add(i, {{"a", i}}, 3 * one);
  EXPECT_EQ(Kept(history), "7:a=1 8:a=1 9:a=1");
  EXPECT_EQ(history->MemoryBytes(), 3 * one);
  history->Add(10, {{"a", 10}}, 0);
  EXPECT_EQ(Kept(history), "");
  EXPECT_EQ(history->MemoryBytes(), 0u);
}

TEST(StatsHistoryTest, AnIteratorGoesOnWhileSnapshotsCome) {
  const auto history = std::make_shared<StatsHistory>();
  history->Add(0, {{"a", 0}}, kPlenty);
  history->Add(1, {{"a", 1}}, kPlenty);
  const auto it = NewStatsHistoryIterator(history, 0, 3);
  history->Add(2, {{"a", 3}}, 1);
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->GetStatsMap().at("a"), 1u) << "it holds what it stands on";
  history->Add(2, {{"a", 3}}, kPlenty);
  history->Add(3, {{"a", 9}}, kPlenty);
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->GetStatsTime(), 2u);
  it->Next();
  EXPECT_FALSE(it->Valid());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
