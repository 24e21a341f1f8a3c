// Which of the compactions that users wait for may begin. Runs
// tests/testdata/background/manual_queue.txt:
//
//   queue                 of two families, x and y
//   STEPS                 one line of state for each line
//
// STEPs: add:NAME or add:NAME@FAMILY, remove:NAME; run:NAME, wait:NAME (it does
// not run any more), done:NAME, block:NAME, free:NAME; exclusive:NAME, shared;
// files, end_files (of CompactFiles()); abort:FAMILY, end_abort:FAMILY.
//
// The state: which is next, of how many that may begin; the families that one
// blocks, and those that one is of; what keeps the queue from being idle.
#include "db/background/manual_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ManualQueueScript {
 public:
  ManualQueueScript()
      : families_{{"x", world_.Add(0, "x")}, {"y", world_.Add(1, "y")}} {}

  std::string Run(const std::string& line) {
    std::istringstream steps(line);
    for (std::string step; steps >> step;) Step(step);
    return State();
  }

 private:
  void Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    std::string name = colon == std::string::npos ? "" : step.substr(colon + 1);
    if (verb == "add") {
      const size_t at = name.find('@');
      ManualCompaction& added = manuals_[name.substr(0, at)];
      if (at != std::string::npos) {
        added.cfd = families_.at(name.substr(at + 1))->cfd.get();
      }
      return queue_.Add(&added);
    }
    if (verb == "shared") return queue_.EndExclusive();
    if (verb == "files") return queue_.BeginFiles();
    if (verb == "end_files") return queue_.EndFiles();
    if (verb == "abort" || verb == "end_abort") {
      families_.at(name)->cfd->schedule.compaction_aborts +=
          verb == "abort" ? 1 : -1;
      return;
    }
    ManualCompaction& manual = manuals_.at(name);
    if (verb == "remove") {
      queue_.Remove(&manual);
      manuals_.erase(name);
    } else if (verb == "exclusive") {
      queue_.SetExclusive(&manual);
      EXPECT_TRUE(queue_.IsExclusive(&manual));
    } else if (verb == "block" || verb == "free") {
      manual.is_blocked = verb == "block";
    } else {
      EXPECT_TRUE(verb == "run" || verb == "wait" || verb == "done") << step;
      manual.running = verb == "run";
      manual.done = verb == "done";
    }
  }
  std::string State() const {
    std::string text = "next:";
    const ManualCompaction* const next = queue_.NextToBegin();
    int may_begin = 0;
    for (const auto& [name, manual] : manuals_) {
      if (&manual == next) text += name;
      may_begin += queue_.MayBegin(manual);
    }
    EXPECT_EQ(queue_.CountToBegin(), may_begin);
    if (next == nullptr) {
      EXPECT_EQ(may_begin, 0);
      text += "none";
    } else {
      text += " of " + std::to_string(may_begin);
    }
    for (const auto& [name, family] : families_) {
      if (queue_.HasOf(family->cfd.get())) text += " has:" + name;
      if (queue_.IsBlocked(family->cfd.get())) text += " blocked:" + name;
    }
    for (const auto& [name, manual] : manuals_) {
      EXPECT_TRUE(queue_.HasExclusive() || !queue_.IsExclusive(&manual));
      if (queue_.IsExclusive(&manual)) text += " exclusive:" + name;
    }
    if (queue_.empty()) text += " empty";
    return text + (queue_.IsIdle() ? " idle\n" : "\n");
  }

  FamilyWorld world_;
  std::map<std::string, FamilyRef> families_;
  std::map<std::string, ManualCompaction> manuals_;
  ManualQueue queue_;
};

TEST(ManualQueueTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    ManualQueueScript script;
    std::string text;
    for (const std::string& line : LinesOf(c.body)) text += script.Run(line);
    return text;
  };
  EXPECT_GE(RunScript("background/manual_queue.txt", run), 12u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
