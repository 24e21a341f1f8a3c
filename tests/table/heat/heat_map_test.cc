// How much users read each part of a file lately.
//
// Runs tests/testdata/sst/heat_map.txt:
//
//   heat bytes:PLACE level:N    of a file of that size, cold at first
//   count PLACE [times:N]       reads that the sample holds
//   raise PLACE HEAT
//   wait HALF_LIVES             the clock goes on
//   set_back                    the clock goes back to its beginning
//   age
//   at PLACE ..                 the heat of the cell
//   district PLACE ..           and of the MiB
//   cold                        was none ever raised?
//
// A PLACE is a sum, such as 64K or 2M+1. Steps that ask are answered.
#include "table/heat/heat_map.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "rocksdb/system_clock.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

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

TEST(HeatMapTest, OneReadInEightCounts) {
  SetClock clock;
  HeatMap map(1000 * kCell, 1, &clock);
  for (int i = 0; i < 8000; ++i) map.Note(i % 1000 * kCell);
  int counted = 0;
  for (int i = 0; i < 1000; ++i) counted += map.at(i * kCell);
  EXPECT_GT(counted, 700);
  EXPECT_LT(counted, 1300);
}

uint64_t PlaceInFile(const std::string& text) {
  uint64_t sum = 0;
  std::istringstream terms(text);
  for (std::string term; std::getline(terms, term, '+');) {
    size_t digits = 0;
    const uint64_t number = std::stoull(term, &digits);
    const std::string unit = term.substr(digits);
    EXPECT_TRUE(unit.empty() || unit == "K" || unit == "M") << text;
    sum += number << (unit == "K" ? 10 : unit == "M" ? 20 : 0);
  }
  return sum;
}

std::string HeatMapAnswers(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "heat");
  SetClock clock;
  HeatMap map(PlaceInFile(command.Text("bytes", "0")),
              static_cast<int>(command.Number("level", 0)), &clock);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    const ScriptWords step(line);
    const std::string& verb = step.verb();
    const auto place = [&step](size_t i) { return PlaceInFile(step.Word(i)); };
    std::string answer;
    if (verb == "count") {
      for (uint64_t n = step.Number("times", 1); n > 0; --n)
        map.Count(place(0));
    } else if (verb == "raise") {
      map.Raise(place(0), static_cast<uint8_t>(place(1)));
    } else if (verb == "wait") {
      clock.now_ += place(0) * HeatMap::kHalfLifeMicros;
    } else if (verb == "set_back") {
      clock.now_ = 0;
    } else if (verb == "age") {
      map.Age();
    } else if (verb == "cold") {
      answer = map.is_cold() ? "yes" : "no";
    } else {
      EXPECT_TRUE(verb == "at" || verb == "district") << line;
      for (size_t i = 0; i < step.words().size(); ++i) {
        JoinItem(&answer,
                 std::to_string(verb == "at" ? map.at(place(i))
                                             : map.OfDistrict(place(i))));
      }
    }
    if (!answer.empty()) text += answer + "\n";
  }
  return text;
}

TEST(HeatMapTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/heat_map.txt", HeatMapAnswers), 11u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
