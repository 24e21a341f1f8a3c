// A daily window is read from text and tells whether a time lies in it and when
// it begins next.
#include "util/daily_window.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

// Of some day, in seconds since 1970.
constexpr uint64_t At(uint64_t hour, uint64_t minute, uint64_t second = 0) {
  return 20'000 * uint64_t{86400} + hour * 3600 + minute * 60 + second;
}
DailyWindow Window(const char* text) {
  DailyWindow window;
  EXPECT_TRUE(DailyWindow::Parse(text, &window)) << text;
  return window;
}

TEST(DailyWindowTest, HasBothItsMinutes) {
  const DailyWindow window = Window("04:00-08:30");
  EXPECT_FALSE(window.Contains(At(3, 59, 59)));
  EXPECT_TRUE(window.Contains(At(4, 0)));
  EXPECT_TRUE(window.Contains(At(8, 30, 59)));
  EXPECT_FALSE(window.Contains(At(8, 31)));
}

TEST(DailyWindowTest, GoesOnPastMidnight) {
  const DailyWindow window = Window("23:30-3:15");
  for (const uint64_t time : {At(23, 30), At(0, 0), At(3, 15, 59)}) {
    EXPECT_TRUE(window.Contains(time)) << time;
  }
  for (const uint64_t time : {At(23, 29, 59), At(3, 16), At(12, 0)}) {
    EXPECT_FALSE(window.Contains(time)) << time;
  }
}

TEST(DailyWindowTest, MayBeAWholeDayOrNothing) {
  const DailyWindow all = Window("0:00-23:59"), none = Window("");
  EXPECT_FALSE(all.empty());
  EXPECT_TRUE(none.empty());
  for (uint64_t hour = 0; hour < 24; ++hour) {
    EXPECT_TRUE(all.Contains(At(hour, 59, 59)));
    EXPECT_FALSE(none.Contains(At(hour, 0)));
  }
}

TEST(DailyWindowTest, KnowsWhenItBeginsNext) {
  const DailyWindow window = Window("04:00-08:30");
  EXPECT_EQ(window.SecondsToBegin(At(3, 0)), 3600u);
  EXPECT_EQ(window.SecondsToBegin(At(4, 0)), 86400u);
  EXPECT_EQ(window.SecondsToBegin(At(5, 0, 1)), 86400u - 3601);
}

TEST(DailyWindowTest, RefusesWhatIsNone) {
  DailyWindow window = Window("01:00-02:00");
  for (const char* text :
       {"1", "01:00", "01:00-", "-02:00", "01:00-01:00", "24:00-01:00",
        "01:60-02:00", "01:0-02:00", "001:00-02:00", "1a:00-02:00",
        "01:00-02:00-03:00", " 01:00-02:00", "01:00 -02:00"}) {
    EXPECT_FALSE(DailyWindow::Parse(text, &window)) << text;
  }
  EXPECT_EQ(window.SecondsToBegin(At(0, 0)), 3600u) << "as it was";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
