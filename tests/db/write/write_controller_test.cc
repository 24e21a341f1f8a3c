// How long writers wait. Runs tests/testdata/stalls/controller.txt:
//
//   controller            nobody is held back to begin with
//   STEPS                 one line of answers each
//
// STEPs: normal, delayed:RATE (bytes a second), stopped:RATE; BYTES@MICROS, a
// write at that time: how many microseconds it waits; state.
#include "db/write/write_controller.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string StateOfWriters(const WriteController& controller) {
  const bool is_stopped =
      controller.condition() == WriteStallCondition::kStopped;
  EXPECT_EQ(controller.IsStopped(), is_stopped);
  const std::string rate = std::to_string(controller.delayed_rate());
  if (is_stopped) return "stopped, rate " + rate;
  return (controller.condition() == WriteStallCondition::kDelayed ? "delayed"
                                                                  : "normal") +
         std::string(", rate ") + rate;
}

std::string ControlWriters(WriteController* controller,
                           const std::string& step) {
  const size_t at = step.find('@');
  if (at != std::string::npos) {
    return std::to_string(controller->ChargeDelay(
        std::stoull(step), std::stoull(step.substr(at + 1))));
  }
  if (step != "state") {
    const std::string name = step.substr(0, step.find(':'));
    const uint64_t rate =
        name == step ? 0 : std::stoull(step.substr(name.size() + 1));
    EXPECT_TRUE(name == "normal" || name == "delayed" || name == "stopped");
    controller->Update(name == "stopped"   ? WriteStallCondition::kStopped
                       : name == "delayed" ? WriteStallCondition::kDelayed
                                           : WriteStallCondition::kNormal,
                       rate);
  }
  return StateOfWriters(*controller);
}

TEST(WriteControllerTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    WriteController controller;
    std::string text;
    for (const std::string& line : LinesOf(c.body)) {
      std::istringstream steps(line);
      std::string answers;
      for (std::string step; steps >> step;) {
        answers += answers.empty() ? "" : "; ";
        answers += ControlWriters(&controller, step);
      }
      text += answers + "\n";
    }
    return text;
  };
  EXPECT_GE(RunScript("stalls/controller.txt", run), 14u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
