// Windows of a day: testdata/util/daily_window.txt. A TIME is HH:MM:SS of some
// day.
//
//   read WINDOW               whether it is one, and whether it has any time
//   within WINDOW TIME        whether it is in it
//   begins WINDOW TIME        how long from then on
#include "util/daily_window.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "tests/testing/script_calls.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// In seconds since 1970.
uint64_t TimeOfSomeDay(const std::string& text) {
  unsigned hour = 0, minute = 0, second = 0;
  const int count =
      std::sscanf(text.c_str(), "%u:%u:%u", &hour, &minute, &second);
  EXPECT_EQ(count, 3) << text;
  return 20'000 * uint64_t{86400} + hour * 3600 + minute * 60 + second;
}
DailyWindow WindowOf(const std::string& text) {
  DailyWindow window;
  EXPECT_TRUE(DailyWindow::Parse(text, &window)) << text;
  return window;
}

std::string ReadWindow(const CallArguments& a) {
  DailyWindow window = WindowOf("01:00-02:00");
  if (DailyWindow::Parse(a[0], &window)) return window.empty() ? "empty" : "ok";
  EXPECT_EQ(window.SecondsToBegin(TimeOfSomeDay("00:00:00")), 3600u)
      << "as it was";
  return "refused";
}

std::string SecondsToBegin(const CallArguments& a) {
  const uint64_t seconds = WindowOf(a[0]).SecondsToBegin(TimeOfSomeDay(a[1]));
  char text[20];
  std::snprintf(text, sizeof(text), "%02u:%02u:%02u",
                static_cast<unsigned>(seconds / 3600),
                static_cast<unsigned>(seconds / 60 % 60),
                static_cast<unsigned>(seconds % 60));
  return text;
}

TEST(DailyWindowTest, CallsOfTheScript) {
  const ScriptCalls calls = {
      {"read", ReadWindow},
      {"within",
       [](const CallArguments& a) {
         return YesOrNo(WindowOf(a[0]).Contains(TimeOfSomeDay(a[1])));
       }},
      {"begins", SecondsToBegin},
  };
  EXPECT_GE(RunCalls("util/daily_window.txt", calls), 64u)
      << "calls went missing";
}

TEST(DailyWindowTest, MayBeAWholeDayOrNothing) {
  const DailyWindow all = WindowOf("0:00-23:59"), none = WindowOf("");
  for (uint64_t minute = 0; minute < 24 * 60; ++minute) {
    EXPECT_TRUE(all.Contains(20'000 * uint64_t{86400} + minute * 60 + 59));
    EXPECT_FALSE(none.Contains(20'000 * uint64_t{86400} + minute * 60));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
