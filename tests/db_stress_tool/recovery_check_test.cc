// A recovered database passes only if one moment of loss explains every key: no
// hole, no lost durable write.
#include "db_stress_tool/recovery_check.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE::stress {
namespace {

constexpr Word Put(uint32_t version) { return version << 1 | 1; }
constexpr Word Deleted(uint32_t version) { return version << 1; }

KeyHistory Holding(uint64_t number, uint32_t version,
                   std::vector<TracedWrite> writes) {
  KeyHistory history{{0, number}};
  history.writes = std::move(writes);
  history.is_there = true;
  history.version = version;
  return history;
}

KeyHistory Empty(uint64_t number, std::vector<TracedWrite> writes) {
  KeyHistory history = Holding(number, 0, std::move(writes));
  history.is_there = false;
  return history;
}

std::string Verdict(const std::vector<KeyHistory>& histories) {
  RecoveryCheck check;
  for (const KeyHistory& history : histories) check.Add(history);
  return check.Verdict();
}

TEST(RecoveryCheckTest, AKeyHoldsTheLastWriteThatIsNotLost) {
  const std::vector<TracedWrite> writes{{1, 2, Put(1), false},
                                        {5, 6, Put(2), false}};
  EXPECT_EQ(PossibleLoss(Empty(0, writes)), (Moments{{0, 2}}));
  EXPECT_EQ(PossibleLoss(Holding(0, 1, writes)), (Moments{{1, 6}}));
  EXPECT_EQ(PossibleLoss(Holding(0, 2, writes)), (Moments{{5, kNever}}));
  EXPECT_TRUE(PossibleLoss(Holding(0, 3, writes)).empty());
}

TEST(RecoveryCheckTest, ADurableWriteIsThere) {
  const std::vector<TracedWrite> writes{{1, 2, Put(1), true},
                                        {5, 6, Put(2), false}};
  EXPECT_TRUE(PossibleLoss(Empty(0, writes)).empty());
  EXPECT_EQ(PossibleLoss(Holding(0, 1, writes)), (Moments{{1, 6}}));
  EXPECT_NE(Verdict({Empty(7, writes)}), "");
  EXPECT_NE(Verdict({Empty(7, writes)}).find("key 7"), std::string::npos);
}

TEST(RecoveryCheckTest, AWriteWithoutAnAnswerMayBeThereOrNot) {
  const std::vector<TracedWrite> writes{{1, 2, Put(1), true},
                                        {5, kNever, Put(2), false}};
  EXPECT_EQ(Verdict({Holding(0, 1, writes)}), "");
  EXPECT_EQ(Verdict({Holding(0, 2, writes)}), "");
  // One that failed says nothing about what was written after it.
  const std::vector<TracedWrite> failed{
      {1, 2, Put(1), false}, {3, kNever, Put(2), false}, {5, 6, Put(3), true}};
  EXPECT_EQ(Verdict({Holding(0, 3, failed)}), "");
  EXPECT_NE(Verdict({Holding(0, 2, failed)}), "");
}

TEST(RecoveryCheckTest, NothingThereMayBeOneOfSeveralDeletions) {
  const std::vector<TracedWrite> writes{{1, 2, Put(1), false},
                                        {3, 4, Deleted(2), false},
                                        {5, 6, Put(3), false},
                                        {7, 8, Deleted(4), false}};
  EXPECT_EQ(PossibleLoss(Empty(0, writes)),
            (Moments{{0, 2}, {3, 6}, {7, kNever}}));
}

TEST(RecoveryCheckTest, LostWritesLeaveNoHole) {
  // Key 0 was written before key 1; both writes had been acknowledged.
  const std::vector<TracedWrite> first{{1, 2, Put(1), false}};
  const std::vector<TracedWrite> second{{3, 4, Put(1), false}};
  EXPECT_EQ(Verdict({Holding(0, 1, first), Holding(1, 1, second)}), "");
  EXPECT_EQ(Verdict({Holding(0, 1, first), Empty(1, second)}), "");
  EXPECT_EQ(Verdict({Empty(0, first), Empty(1, second)}), "");
  const std::string hole = Verdict({Empty(0, first), Holding(1, 1, second)});
  EXPECT_NE(hole.find("a hole"), std::string::npos) << hole;
  // Had they been written at once, either could be the one that is lost.
  const std::vector<TracedWrite> beside{{1, 5, Put(1), false}};
  EXPECT_EQ(Verdict({Empty(0, beside), Holding(1, 1, second)}), "");
}

TEST(RecoveryCheckTest, OneMomentMustExplainAllKeys) {
  // Each pair of keys is possible, all three are not.
  const std::vector<TracedWrite> a{{1, 2, Put(1), false},
                                   {9, 10, Deleted(2), false}};
  const std::vector<TracedWrite> b{{4, 5, Put(1), false}};
  const std::vector<TracedWrite> c{{7, 8, Put(1), false}};
  EXPECT_EQ(Verdict({Empty(0, a), Empty(1, b)}), "");
  EXPECT_EQ(Verdict({Empty(0, a), Holding(1, 1, b)}), "");
  EXPECT_NE(Verdict({Empty(0, a), Holding(1, 1, b), Empty(2, c)}), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
