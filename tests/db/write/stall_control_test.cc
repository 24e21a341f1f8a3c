// When writers are held back, by what families hold. Runs
// tests/testdata/stalls/control.txt:
//
//   families OPTIONS      of a family, as in OPTIONS files; NAME:VALUE
//   STEPS                 a line each
//
// STEPs: add NAME; put NAME (an entry); seal NAME N (memtables, of an entry
// each); tree NAME LEVELS (what its files are from here on, as in
// level_text.h); drop NAME; update NAME; foresee NAME (would one more memtable
// hold writers back?); told (what listeners are to be told of).
#include "db/write/stall_control.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/registry/change_signal.h"
#include "db/registry/stall_change.h"
#include "db/write/write_controller.h"
#include "file/io_governor.h"
#include "memtable/memtable.h"
#include "rocksdb/convenience.h"
#include "tests/db/compaction/level_text.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const char* NameOfStall(WriteStallCondition condition) {
  switch (condition) {
    case WriteStallCondition::kStopped:
      return "stopped";
    case WriteStallCondition::kDelayed:
      return "delayed";
    case WriteStallCondition::kNormal:
      break;
  }
  return "normal";
}

class StallScript {
 public:
  explicit StallScript(const ScriptWords& options) {
    EXPECT_EQ(options.verb(), "families");
    ColumnFamilyOptions& family = world_.f.family;
    const Status s = GetColumnFamilyOptionsFromMap(
        ConfigOptions(), family,
        {options.named().begin(), options.named().end()}, &family);
    EXPECT_TRUE(s.ok()) << s.ToString();
    MutexLock lock(&world_.mutex);
    stalls_.SetDelayedRate(1 << 20);
  }

  std::string Answer(const std::string& line) {
    const ScriptWords words(line);
    if (words.verb() == "told") return Told();
    const std::string& name = words.Word(0);
    if (words.verb() == "add") {
      const auto id = static_cast<uint32_t>(families_.size());
      families_[name] = world_.Add(id, name);
      return Update(name);
    }
    if (words.verb() == "tree") {
      const size_t levels = line.find(name) + name.size();
      const FamilyRef& family = families_.at(name);
      world_.Install(family, ParseLevels(line.substr(levels),
                                         family->cfd->ioptions().num_levels)
                                 .tables);
      Score(family);
      return Update(name);
    }
    if (words.verb() == "drop") {
      MutexLock lock(&world_.mutex);
      world_.families.Remove(families_.at(name)->cfd->id());
      return std::string("all ") + NameOfStall(stalls_.UpdateWorst());
    }
    if (words.verb() == "foresee") {
      MutexLock lock(&world_.mutex);
      const bool would =
          StallControl::WouldStall(families_.at(name)->cfd.get());
      return would ? "would stall" : "would not";
    }
    if (words.verb() == "put") {
      Put(name);
      return "";
    }
    if (words.verb() == "seal") {
      for (int i = std::stoi(words.Word(1)); i > 0; --i) Seal(name);
    } else {
      EXPECT_EQ(words.verb(), "update");
    }
    return Update(name);
  }

 private:
  std::string Update(const std::string& name) {
    MutexLock lock(&world_.mutex);
    const FamilyRef& family = families_.at(name);
    const WriteStallCondition worst = stalls_.Update(family.get());
    EXPECT_EQ(writes_.condition(), worst);
    EXPECT_EQ(writes_.IsStopped(), worst == WriteStallCondition::kStopped);
    return name + " " + NameOfStall(family->stall) + ", all " +
           NameOfStall(worst);
  }
  void Score(const FamilyRef& family) {
    MutexLock lock(&world_.mutex);
    ColumnFamilyData* const cfd = family->cfd.get();
    cfd->current()->mutable_storage()->ComputeScores(
        cfd->ioptions(), *cfd->options(), {kLevelTextNow, 0});
  }
  std::string Told() {
    MutexLock lock(&world_.mutex);
    std::string text;
    for (const StallChange& change : stalls_.TakeChanges()) {
      text += (text.empty() ? "" : ", ") + change.family + " " +
              NameOfStall(change.conditions.second) + " to " +
              NameOfStall(change.conditions.first);
    }
    return text.empty() ? "nothing" : text;
  }
  void Put(const std::string& name) {
    MutexLock lock(&world_.mutex);
    EXPECT_TRUE(families_.at(name)
                    ->cfd->mem()
                    ->Add(++sequence_, kTypeValue, "k", "v")
                    .ok());
  }
  void Seal(const std::string& name) {
    Put(name);
    MutexLock lock(&world_.mutex);
    ColumnFamilyData* const cfd = families_.at(name)->cfd.get();
    MemTableRef sealed = cfd->SwitchMemTable(cfd->NewMemTable(sequence_));
    sealed->MarkImmutable();
    cfd->imm()->Add(std::move(sealed));
  }

  FamilyWorld world_;
  std::map<std::string, FamilyRef> families_;
  ChangeSignal changes_{&world_.mutex};
  WriteController writes_;
  GovernorMembership governor_{world_.f.db->fs, IoLimits()};
  StallControl stalls_{{.db = world_.f.db.get(),
                        .families = &world_.families,
                        .writes = &writes_,
                        .changes = &changes_,
                        .io_governor = &governor_}};
  SequenceNumber sequence_ = 0;
};

TEST(StallControlTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    StallScript script{ScriptWords(c.command)};
    std::string text;
    for (const std::string& line : LinesOf(c.body)) {
      const std::string answer = script.Answer(line);
      if (!answer.empty()) text += line + ": " + answer + "\n";
    }
    return text;
  };
  EXPECT_GE(RunScript("stalls/control.txt", run), 14u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
