// What a read as of a timestamp may find is judged from the remembered writes,
// and what is forgotten still has bounds.
#include "db_stress_tool/stamp_history.h"

#include <gtest/gtest.h>

#include "db_stress_tool/expected_state.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

constexpr Word PutWord(uint32_t version) { return version << 1 | 1; }
constexpr Word DeletedWord(uint32_t version) { return version << 1; }

class StampHistoryTest : public ::testing::Test {
 protected:
  void Write(Stamp stamp, Word word) {
    history_.Begin(kKey, stamp, word);
    history_.Acknowledge(kKey, word);
  }
  Window As(Stamp stamp) const {
    return {history_.Acknowledged(kKey, stamp), history_.Begun(kKey, stamp)};
  }
  bool Admits(Stamp stamp, std::optional<uint32_t> version) const {
    return As(stamp).Admits(version);
  }

  static constexpr size_t kKey = 1;
  StampHistory history_{2};
};

TEST_F(StampHistoryTest, AStampSeesTheLastWriteUpToIt) {
  history_.Reset(kKey, DeletedWord(0), 10);
  Write(20, PutWord(1));
  Write(30, DeletedWord(2));
  const struct {
    Stamp stamp;
    bool is_there;
  } kCases[] = {{10, false}, {19, false}, {20, true},
                {29, true},  {30, false}, {99, false}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.stamp);
    EXPECT_EQ(Admits(c.stamp, 1), c.is_there);
    EXPECT_EQ(Admits(c.stamp, std::nullopt), !c.is_there);
  }
}

TEST_F(StampHistoryTest, AWriteWithoutAnAnswerMayBeSeen) {
  history_.Reset(kKey, DeletedWord(0), 10);
  Write(20, PutWord(1));
  history_.Begin(kKey, 30, PutWord(2));
  EXPECT_TRUE(Admits(35, 1));
  EXPECT_TRUE(Admits(35, 2));
  EXPECT_FALSE(Admits(35, std::nullopt));
  EXPECT_FALSE(Admits(29, 2));
  Write(40, PutWord(3));
  EXPECT_TRUE(Admits(35, 2)) << "it stays open whether that was applied";
  EXPECT_FALSE(Admits(40, 2));
}

// When what was there at the start was written is not known.
TEST_F(StampHistoryTest, TheStartIsOfAnOlderStamp) {
  history_.Reset(kKey, PutWord(5), 10);
  EXPECT_TRUE(Admits(9, 5));
  EXPECT_TRUE(Admits(9, 3));
  EXPECT_TRUE(Admits(9, std::nullopt));
  EXPECT_FALSE(Admits(9, 6));
  EXPECT_FALSE(Admits(10, 3));
  EXPECT_TRUE(Admits(10, 5));
}

TEST_F(StampHistoryTest, WhatIsForgottenHasBounds) {
  history_.Reset(kKey, PutWord(1), 10);
  for (uint32_t version = 2; version < 10; ++version) {
    Write(version * 10, PutWord(version));
  }
  EXPECT_TRUE(Admits(85, 8));
  EXPECT_FALSE(Admits(85, 7));
  EXPECT_TRUE(Admits(25, 2));
  EXPECT_TRUE(Admits(25, std::nullopt)) << "not known any more";
  EXPECT_FALSE(Admits(25, 9));
  EXPECT_FALSE(Admits(59, 6)) << "6 is the oldest remembered, of stamp 60";
}

// One that is forgotten while it is read.
TEST_F(StampHistoryTest, TheFirstEndMayBeOlderThanWhatIsRemembered) {
  history_.Reset(kKey, DeletedWord(0), 10);
  Write(20, PutWord(1));
  Window window{history_.Acknowledged(kKey, 25), 0};
  for (uint32_t version = 2; version < 10; ++version) {
    Write(version * 10 + 10, PutWord(version));
  }
  window.last = history_.Begun(kKey, 25);
  EXPECT_TRUE(window.Admits(1));
  EXPECT_FALSE(window.Admits(9));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
