// The snapshots that are held, and what jobs keep for them. Runs
// tests/testdata/snapshots/list.txt:
//
//   list                  of a database without transactions
//   list floors           of one in which they look back
//   STEPS                 one line of state for each line
//
// STEPs: take:NAME@SEQUENCE, release:NAME, hold:NAME@SEQUENCE (a transaction's
// floor), let:NAME, foreign (releases one that is another database's).
//
// The state: the sequences that are seen, how many snapshots see them, the
// oldest; with floors what jobs keep. "back to" is where versions must be kept
// from if the last sequence is 100.
#include "db/semantics/snapshot_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "db/semantics/conflict_floors.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SnapshotScript {
 public:
  explicit SnapshotScript(const ScriptWords& command)
      : has_floors_(command.HasWord("floors")),
        list_(has_floors_ ? &floors_ : nullptr) {
    EXPECT_EQ(command.verb(), "list");
  }

  std::string Run(const std::string& steps) {
    std::istringstream words(steps);
    for (std::string word; words >> word;) Step(word);
    std::string text = "seen:" + Joined(list_.Sequences());
    text += " held:" + std::to_string(list_.size());
    EXPECT_EQ(list_.empty(), list_.size() == 0);
    if (const Snapshot* const oldest = list_.oldest()) {
      text += " oldest:" + std::to_string(oldest->GetSequenceNumber());
    }
    if (has_floors_) text += " kept:" + Joined(list_.SequencesToKeep());
    return text + " back to " + std::to_string(list_.OldestToKeep(100)) + "\n";
  }

 private:
  void Step(const std::string& word) {
    const size_t colon = word.find(':');
    const std::string verb = word.substr(0, colon);
    const size_t at = word.find('@');
    const std::string name = colon == std::string::npos
                                 ? ""
                                 : word.substr(colon + 1, at - colon - 1);
    const SequenceNumber sequence =
        at == std::string::npos ? 0 : std::stoull(word.substr(at + 1));
    if (verb == "take") {
      snapshots_[name] = list_.Add(sequence, /*unix_seconds=*/0);
      EXPECT_EQ(snapshots_[name]->GetSequenceNumber(), sequence);
    } else if (verb == "release") {
      list_.Release(snapshots_.at(name));
    } else if (verb == "hold") {
      floors_.Hold(&floor_[name], [&] { return sequence; });
    } else if (verb == "let") {
      floors_.Release(&floor_[name]);
    } else if (verb == "foreign") {
      const SnapshotImpl other(7, 0);
      list_.Release(&other);
    } else {
      ADD_FAILURE() << "what is " << word << "?";
    }
  }
  static std::string Joined(const std::vector<SequenceNumber>& sequences) {
    std::string text;
    for (const SequenceNumber sequence : sequences) {
      text += (text.empty() ? "" : ",") + std::to_string(sequence);
    }
    return text.empty() ? "none" : text;
  }

  const bool has_floors_;
  ConflictFloors floors_;
  std::map<std::string, ConflictFloor> floor_;
  SnapshotList list_;
  std::map<std::string, const Snapshot*> snapshots_;
};

TEST(SnapshotListTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    SnapshotScript script{ScriptWords(c.command)};
    std::string text;
    for (const std::string& steps : LinesOf(c.body)) text += script.Run(steps);
    return text;
  };
  EXPECT_GE(RunScript("snapshots/list.txt", run), 12u) << "cases went missing";
}

TEST(SnapshotListTest, InWhateverOrderTheyGo) {
  std::mt19937 random(3);
  SnapshotList list;
  std::vector<const Snapshot*> held;
  for (SequenceNumber sequence = 1; sequence <= 500; ++sequence) {
    held.push_back(list.Add(sequence / 2, 0));
    if (random() % 3 > 0) {
      const size_t at = random() % held.size();
      list.Release(held[at]);
      held.erase(held.begin() + static_cast<ptrdiff_t>(at));
    }
    std::vector<SequenceNumber> sequences;
    for (const Snapshot* one : held) {
      sequences.push_back(one->GetSequenceNumber());
    }
    sequences.erase(std::unique(sequences.begin(), sequences.end()),
                    sequences.end());
    ASSERT_EQ(list.Sequences(), sequences);
    ASSERT_EQ(list.size(), held.size());
    ASSERT_EQ(list.oldest(), held.empty() ? nullptr : held.front());
  }
  while (!held.empty()) {
    list.Release(held.back());
    held.pop_back();
  }
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
