// A file's heat counts sampled reads by cell, within bounds, and halves with
// time.
#include "table/heat/heat_map.h"

#include <gtest/gtest.h>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kCell = HeatMap::kCellBytes;

class SetClock : public SystemClockWrapper {
 public:
  SetClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "SetClock"; }
  uint64_t NowMicros() override { return now_; }
  uint64_t now_ = 1'000'000'000;
};

TEST(HeatMapTest, CountsByCell) {
  SetClock clock;
  HeatMap map(10 * kCell, 1, &clock);
  EXPECT_TRUE(map.is_cold());
  map.Count(0);
  map.Count(kCell - 1);
  map.Count(kCell);
  map.Count(10 * kCell);
  EXPECT_FALSE(map.is_cold());
  EXPECT_EQ(map.at(100), 2);
  EXPECT_EQ(map.at(kCell + 100), 1);
  EXPECT_EQ(map.at(2 * kCell), 0);
  EXPECT_EQ(map.at(10 * kCell), 1);
}

TEST(HeatMapTest, DistrictsAreSumsOfCells) {
  SetClock clock;
  for (const int level : {0, 3}) {
    HeatMap map((5 << 19) + 1, level, &clock);
    EXPECT_EQ(map.OfDistrict(0), 0u);
    map.Raise((1 << 20) - 1, 3);
    map.Raise(1 << 20, 4);
    map.Raise((2 << 20) - 1, 5);
    map.Raise((2 << 20) + 1, 6);
    map.Raise(5 << 19, 7);
    EXPECT_EQ(map.OfDistrict(0), 3u) << level;
    EXPECT_EQ(map.OfDistrict((1 << 20) - 1), 3u) << level;
    EXPECT_EQ(map.OfDistrict((1 << 20) + 777), 9u) << level;
    EXPECT_EQ(map.OfDistrict(2 << 20), 13u) << level;
  }
}

TEST(HeatMapTest, CellsOfLevel0AreSmall) {
  SetClock clock;
  HeatMap map(kCell, 0, &clock);
  map.Count(4096);
  EXPECT_EQ(map.at(4095), 0);
  EXPECT_EQ(map.at(4096), 1);
  EXPECT_EQ(map.at(8191), 1);
  EXPECT_EQ(map.at(8192), 0);
}

TEST(HeatMapTest, CountsNoFurtherThanTheMost) {
  SetClock clock;
  HeatMap map(kCell, 1, &clock);
  for (int i = 0; i < 1000; ++i) map.Count(5);
  EXPECT_EQ(map.at(5), HeatMap::kMaxHeat);
}

TEST(HeatMapTest, RaisesButNeverLowers) {
  SetClock clock;
  HeatMap map(kCell, 1, &clock);
  map.Raise(0, 7);
  EXPECT_FALSE(map.is_cold());
  map.Raise(0, 3);
  EXPECT_EQ(map.at(0), 7);
}

TEST(HeatMapTest, HalvesWithTime) {
  SetClock clock;
  HeatMap map(2 * kCell, 1, &clock);
  map.Raise(0, 12);
  map.Raise(kCell, 1);
  map.Age();
  EXPECT_EQ(map.at(0), 12);
  clock.now_ += HeatMap::kHalfLifeMicros;
  map.Age();
  map.Age();
  EXPECT_EQ(map.at(0), 6);
  EXPECT_EQ(map.at(kCell), 0);
  clock.now_ += 2 * HeatMap::kHalfLifeMicros;
  map.Age();
  EXPECT_EQ(map.at(0), 1);
  clock.now_ += 1000 * HeatMap::kHalfLifeMicros;
  map.Age();
  EXPECT_EQ(map.at(0), 0);
}

TEST(HeatMapTest, AClockThatGoesBackHeatsAndCoolsNothing) {
  SetClock clock;
  HeatMap map(kCell, 1, &clock);
  map.Raise(0, 8);
  clock.now_ = 0;
  map.Age();
  EXPECT_EQ(map.at(0), 8);
}

TEST(HeatMapTest, ReadersAgeItThemselves) {
  SetClock clock;
  HeatMap map(2 * kCell, 1, &clock);
  map.Raise(0, 8);
  clock.now_ += HeatMap::kHalfLifeMicros;
  for (int i = 0; i < 64; ++i) map.Count(kCell);
  EXPECT_EQ(map.at(0), 4);
}

TEST(HeatMapTest, OneReadInEightCounts) {
  SetClock clock;
  HeatMap map(1000 * kCell, 1, &clock);
  for (int i = 0; i < 8000; ++i) map.Note(i % 1000 * kCell);
  int counted = 0;
  for (int i = 0; i < 1000; ++i) counted += map.at(i * kCell);
  EXPECT_GT(counted, 700);
  EXPECT_LT(counted, 1300);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
