// What tells jobs to stop. Runs tests/testdata/background/stop_signals.txt:
//
//   signals
//   STEPS                 one line of state for each line
//
// STEPs: abort, end_abort, disable, enable (of manual compactions), shut_down.
// A step that says no, such as an end of what has not begun, is told.
#include "db/background/stop_signals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Empty, unless it says no.
std::string SignalStop(StopSignals* stop, const std::string& step) {
  if (step == "abort") {
    stop->BeginAbort();
  } else if (step == "end_abort") {
    if (!stop->EndAbort()) return "nobody has begun; ";
  } else if (step == "disable") {
    if (!stop->DisableManual()) return "they stay enabled; ";
  } else if (step == "enable") {
    stop->EnableManual();
  } else {
    EXPECT_EQ(step, "shut_down");
    stop->ShutDown();
  }
  return "";
}

std::string StateOfSignals(const StopSignals& stop) {
  EXPECT_EQ(stop.aborts()->load(), stop.abort_count());
  EXPECT_EQ(stop.IsAborting(), stop.abort_count() > 0);
  EXPECT_EQ(stop.shutting_down()->load(), stop.IsShuttingDown());
  std::string text = stop.CheckManual().ToString();
  if (stop.IsAborting()) {
    text += ", aborts:" + std::to_string(stop.abort_count());
  }
  // What running jobs look at; below zero it stops nobody.
  const int disablers = std::max(stop.disablers()->load(), 0);
  if (disablers > 0) text += ", disablers:" + std::to_string(disablers);
  if (stop.IsShuttingDown()) text += ", shutting down";
  return text + "\n";
}

TEST(StopSignalsTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    StopSignals stop;
    std::string text;
    for (const std::string& line : LinesOf(c.body)) {
      std::istringstream steps(line);
      for (std::string step; steps >> step;) text += SignalStop(&stop, step);
      text += StateOfSignals(stop);
    }
    return text;
  };
  EXPECT_GE(RunScript("background/stop_signals.txt", run), 10u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
