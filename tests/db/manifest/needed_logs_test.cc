// Which logs the next opening needs, and the numbers that a database gives out.
// The cases of tests/testdata/version_sets/needed_logs.txt are
//
//   logs | numbers     a new object
//   > STEP ..          a line of answers each
//
// STEPs of logs: hold:N (that log and newer ones), keep:N (an edit says that
// older ones may go: what becomes of it), needed (by no family: what is held),
// written:N (such an edit is in the manifest), least (what counts), track:N,N
// (these were synced), takeover:N:N,N (both from a manifest), sizes, forget:N
// (which logs to forget when an edit with that N goes out; "said": it says so
// itself; N+N: two edits), late:N,N (these were synced: which are named).
// STEPs of numbers: new, used:N, next, sequence:N, last.
#include "db/manifest/needed_logs.h"

#include <gtest/gtest.h>

#include <list>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "db/manifest/database_counters.h"
#include "tests/db/version/edit_text.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TrackedWals TrackedOf(const std::string& numbers) {
  VersionEdit edit;
  for (const uint64_t number : NumbersOfText(numbers)) {
    edit.wal_additions.push_back({number, 100 + number});
  }
  TrackedWals wals;
  EXPECT_TRUE(wals.Apply(edit).ok());
  return wals;
}

std::optional<uint64_t> NumberOrNone(const std::string& text) {
  if (text == "none") return std::nullopt;
  return std::stoull(text);
}

std::string TextOrNone(const std::optional<uint64_t>& number) {
  return number ? std::to_string(*number) : "none";
}

class NeededLogsScript {
 public:
  // "": the step has no answer.
  std::string Step(const std::string& name, const std::string& value) {
    if (name == "keep" || name == "forget" || name == "late") {
      return AskOfEdit(name, value);
    }
    if (name == "needed") {
      return std::to_string(logs_.MinNeeded(ColumnFamilySet()));
    }
    if (name == "least") return std::to_string(logs_.min_to_keep());
    if (name == "sizes") {
      std::string text;
      for (const auto& [number, size] : logs_.synced_sizes()) {
        text += (text.empty() ? "" : ",") + std::to_string(number) + "=" +
                std::to_string(size);
      }
      return text;
    }
    Change(name, value);
    return "";
  }

 private:
  void Change(const std::string& name, const std::string& value) {
    if (name == "hold") {
      logs_.Hold(NumberOrNone(value).value_or(UINT64_MAX));
    } else if (name == "written") {
      VersionEdit edit;
      edit.min_log_number_to_keep = NumberOrNone(value);
      logs_.NoteWritten(edit);
    } else if (name == "track") {
      logs_.SetTracked(TrackedOf(value));
    } else if (name == "takeover") {
      const size_t colon = value.find(':');
      logs_.TakeOver(std::stoull(value), TrackedOf(value.substr(colon + 1)));
    } else {
      ADD_FAILURE() << "what is " << name << "?";
    }
  }
  std::string AskOfEdit(const std::string& name, const std::string& value) {
    VersionEdit edit;
    if (name == "keep") {
      edit.min_log_number_to_keep = NumberOrNone(value);
      logs_.KeepHeld(&edit);
      return TextOrNone(edit.min_log_number_to_keep);
    }
    if (name == "forget") return Forgotten(value);
    for (const uint64_t number : NumbersOfText(value)) {
      edit.wal_additions.push_back({number, 100 + number});
    }
    logs_.LeaveOutUnneeded(&edit);
    std::string text;
    for (const WalAddition& wal : edit.wal_additions) {
      text += (text.empty() ? "" : ",") + std::to_string(wal.number);
    }
    return text.empty() ? "none" : text;
  }
  // "6", "6,said", "5+6"
  std::string Forgotten(const std::string& text) const {
    std::list<VersionEdit> edits;
    std::vector<VersionChange> changes;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, '+');) {
      VersionEdit& edit = edits.emplace_back();
      const size_t comma = part.find(',');
      edit.min_log_number_to_keep = NumberOrNone(part.substr(0, comma));
      if (comma != std::string::npos) {
        EXPECT_EQ(part.substr(comma), ",said");
        edit.wals_deleted_before = edit.min_log_number_to_keep;
      }
      changes.push_back({nullptr, &edit});
    }
    VersionEdit forgotten;
    const bool is_any = logs_.Forget(changes, &forgotten);
    EXPECT_EQ(is_any, forgotten.wals_deleted_before.has_value());
    return is_any ? "below " + TextOrNone(forgotten.wals_deleted_before)
                  : "nothing";
  }

  NeededLogs logs_;
};

class CountersScript {
 public:
  std::string Step(const std::string& name, const std::string& value) {
    if (name == "new") return std::to_string(numbers_.NewFileNumber());
    if (name == "next") return std::to_string(numbers_.next_file_number());
    if (name == "last") return std::to_string(numbers_.LastSequence());
    if (name == "used") {
      numbers_.MarkFileNumberUsed(std::stoull(value));
    } else if (name == "sequence") {
      numbers_.SetLastSequence(std::stoull(value));
    } else {
      ADD_FAILURE() << "what is " << name << "?";
    }
    return "";
  }

 private:
  DatabaseCounters numbers_;
};

template <typename Script>
std::string RunLogSteps(const std::string& body) {
  Script script;
  std::string text;
  for (const std::string& line : LinesOf(body)) {
    EXPECT_TRUE(line.starts_with("> ")) << line;
    std::istringstream steps(line.substr(1));
    std::string answers;
    for (std::string step; steps >> step;) {
      const size_t colon = step.find(':');
      const std::string answer =
          script.Step(step.substr(0, colon),
                      colon == std::string::npos ? "" : step.substr(colon + 1));
      if (answer.empty()) continue;
      answers += (answers.empty() ? "" : "  ") + answer;
    }
    text += answers + "\n";
  }
  return text;
}

TEST(NeededLogsTest, EveryCaseOfTheScript) {
  const size_t count =
      RunScript("version_sets/needed_logs.txt", [](const ScriptCase& c) {
        if (c.command == "numbers") return RunLogSteps<CountersScript>(c.body);
        EXPECT_EQ(c.command, "logs");
        return RunLogSteps<NeededLogsScript>(c.body);
      });
  EXPECT_GE(count, 12u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
