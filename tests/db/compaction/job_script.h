// Flushes and compactions of a tree, by scripts.
//
//   jobs OPTIONS          unverified (nobody counts the records)
//   STEPS                 a line each
//
// STEPs: seal ENTRIES (a memtable, as in text_entries.h), flush [ENTRIES] (with
// those that are sealed), compact FROM TO (levels); snapshots N.. (that are
// held from here on), cancel, shut_down, go_on; lose LEVEL INDEX, find LEVEL
// INDEX (a file is said to have one entry more than it has, or as many), lose
// memtable; reopen, crash (unsynced data are gone).
//
// What a step answers is what the files hold then, level by level, and
// memtables that wait; before it an error, behind which all is as it was.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "memtable/memtable.h"
#include "tests/db/compaction/job_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

class JobScript {
 public:
  explicit JobScript(const ScriptCase& c) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "jobs");
    if (command.HasWord("unverified")) {
      world_.f.db_options.compaction_verify_record_count = false;
      world_.f.db_options.flush_verify_memtable_count = false;
    }
    world_.Create();
  }
  ~JobScript() { world_.Close(); }
  JobScript(const JobScript&) = delete;
  JobScript& operator=(const JobScript&) = delete;

  std::string Run(const std::string& body) {
    std::string text;
    for (const std::string& line : LinesOf(body)) {
      const std::string answer = Step(line);
      if (!answer.empty()) text += answer + "\n";
    }
    return text;
  }

 private:
  std::string Step(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (verb == "seal") {
      memtable_ = world_.Seal(rest);
      return "";
    }
    if (verb == "flush" || verb == "compact") return RunJob(verb, rest);
    if (verb == "snapshots") {
      world_.snapshots.clear();
      std::istringstream numbers(rest);
      for (SequenceNumber number = 0; numbers >> number;) {
        world_.snapshots.push_back(number);
      }
    } else if (verb == "lose" || verb == "find") {
      Lose(rest, verb == "lose" ? 1 : -1);
    } else if (verb == "reopen" || verb == "crash") {
      Reopen(verb == "crash");
      return State();
    } else {
      EXPECT_TRUE(verb == "cancel" || verb == "shut_down" || verb == "go_on")
          << line;
      world_.canceled = verb == "cancel";
      world_.shutting_down = verb == "shut_down";
    }
    return "";
  }

  std::string RunJob(const std::string& verb, const std::string& rest) {
    if (verb == "flush" && !rest.empty()) memtable_ = world_.Seal(rest);
    const std::string before = State();
    const std::set<uint64_t> files = world_.FilesOnDisk();
    Status s;
    if (verb == "flush") {
      s = world_.FlushSealed();
    } else {
      int from = 0, to = 0;
      std::istringstream levels(rest);
      levels >> from >> to;
      s = world_.Compact(from, to);
    }
    if (s.ok()) return State();
    EXPECT_EQ(State(), before);
    EXPECT_EQ(world_.FilesOnDisk(), files);
    return s.ToString() + "; " + before;
  }
  void Lose(const std::string& what, int count) {
    if (what == "memtable") {
      MemTable::Delta more;
      more.entries = 1;
      memtable_->Count(more);
      return;
    }
    int level = 0;
    size_t index = 0;
    std::istringstream(what) >> level >> index;
    FileMeta& file = *world_.Files(level).at(index);
    file.entry_count += static_cast<uint64_t>(count);
  }
  void Reopen(bool crashes) {
    memtable_.reset();
    world_.Close();
    if (crashes) {
      EXPECT_TRUE(world_.f.fs->CrashAndHeal().ok());
      EXPECT_TRUE(
          world_.f.fs
              ->NewDirectory("/db", IOOptions(), &world_.directory, nullptr)
              .ok());
    }
    world_.Reopen();
  }
  std::string State() {
    std::string text = world_.Dump();
    if (text.empty()) text = "no files";
    // Level 0 shows the newest first.
    for (size_t i = 1; i < world_.Files(0).size(); ++i) {
      EXPECT_GT(world_.Files(0)[i - 1]->epoch_number,
                world_.Files(0)[i]->epoch_number);
    }
    MutexLock lock(&world_.mutex);
    EXPECT_FALSE(world_.cfd->imm()->IsFlushRunning());
    const size_t waiting = world_.cfd->imm()->size();
    return text + (waiting == 0 ? "" : "; waiting: " + std::to_string(waiting));
  }

  JobWorld world_;
  MemTableRef memtable_;  // the latest that was sealed
};

}  // namespace ROCKSDB_NAMESPACE
