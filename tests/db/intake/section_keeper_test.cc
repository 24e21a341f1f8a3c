// Sections that are prepared and not ended yet: runs intake/sections.txt.
//
//   sections [POLICY]     an open database whose log has transactions by that
//       policy: committed, prepared or unprepared; then steps:
//     keep NAME LOG WORD..  a section is in that log: KEY=VALUE.. , "part" for
//         more to come, "all" (what there is of it is void), "takes:N" of its
//         sequences
//     commit NAME | anew NAME | rollback NAME | undo NAME
//     state NAME            is it there, and since which log
//     held                  the oldest log that sections hold
//     memtable [FAMILY] [LOG]   the log that its memtable holds, or is to hold
//     family NAME
//     adopt POLICY          another one from now on
//     recover NAME LOG WORD..   a replay has found it: as above, and "from:N",
//         "behind:N" (its sequences), "tables:ID:KEY"
//     take                  what recovery has found or writes have left, once
//     move LOG              to a later log, by records: what a replay of these
//         makes of them
//   updates WORD..        what is between the markers of a section that has
//       KEY=VALUE, "del:KEY" and "log:TEXT"; "cut" takes a byte of it away
#include "db/intake/section_keeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "db/wal/prepared_sections.h"
#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "tests/db/intake/intake_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using SectionKind = SectionWrite::Kind;

void AddSectionUpdate(const std::string& word, WriteBatch* batch) {
  const size_t equals = word.find('=');
  if (word.starts_with("del:")) {
    EXPECT_TRUE(batch->Delete(word.substr(4)).ok());
  } else if (word.starts_with("log:")) {
    EXPECT_TRUE(batch->PutLogData(word.substr(4)).ok());
  } else if (equals != std::string::npos) {
    EXPECT_TRUE(
        batch->Put(word.substr(0, equals), word.substr(equals + 1)).ok());
  }
}

// Between the markers of a section.
WriteBatch SectionOf(const std::string& name,
                     const std::vector<std::string>& words) {
  WriteBatch batch;
  WriteBatchInternal::AddMarker(&batch, kTypeNoop);
  for (const std::string& word : words) AddSectionUpdate(word, &batch);
  EXPECT_TRUE(
      WriteBatchInternal::MarkEndPrepare(&batch, name, kTypeBeginPrepareXID)
          .ok());
  return batch;
}

class SectionScript {
 public:
  explicit SectionScript(const std::string& policy) {
    world_.Open();
    families_["default"] = world_.default_family;
    keeper_ = std::make_unique<SectionKeeper>(
        world_.mutex, world_.versions(),
        PolicyOf(policy.empty() ? "committed" : policy));
  }

  // Empty: the step has no answer.
  std::string Step(const std::string& line) {
    std::istringstream input(line);
    std::string verb, name;
    input >> verb >> name;
    std::vector<std::string> words;
    for (std::string word; input >> word;) words.push_back(word);
    if (verb == "keep") return Keep(name, words), "";
    if (verb == "commit") return End(name, SectionKind::kCommit), "";
    if (verb == "anew") return EndByCommitAnew(name), "";
    if (verb == "rollback") return End(name, SectionKind::kRollBack), "";
    if (verb == "undo") return End(name, SectionKind::kRollBackApplied), "";
    if (verb == "state") return State(name);
    if (verb == "held") return Held();
    if (verb == "memtable") return Memtable(name, words);
    if (verb == "family") return (families_[name] = world_.Add(name)), "";
    if (verb == "adopt") return Adopt(name);
    if (verb == "recover") return Recover(name, words), "";
    if (verb == "take") return Take();
    EXPECT_EQ(verb, "move");
    return Move(std::stoull(name));
  }

 private:
  static SectionPolicy PolicyOf(const std::string& name) {
    if (name == "prepared") return SectionPolicy::kWritePrepared;
    if (name == "unprepared") return SectionPolicy::kWriteUnprepared;
    EXPECT_EQ(name, "committed");
    return SectionPolicy::kWriteCommitted;
  }
  static std::string NameOf(SectionPolicy policy) {
    return policy == SectionPolicy::kWriteCommitted  ? "committed"
           : policy == SectionPolicy::kWritePrepared ? "prepared"
                                                     : "unprepared";
  }
  static bool HasWord(const std::vector<std::string>& words,
                      const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  static uint64_t NumberOf(const std::vector<std::string>& words,
                           const std::string& name) {
    for (const std::string& word : words) {
      if (word.starts_with(name)) return std::stoull(word.substr(name.size()));
    }
    return 0;
  }

  // Sections begin at sequence 7.
  void Keep(const std::string& name, const std::vector<std::string>& words) {
    const uint64_t log_number = std::stoull(words.at(0));
    uint64_t told = 0;
    const SectionWrite write{.name = name,
                             .log_number = &told,
                             .is_prepared = !HasWord(words, "part"),
                             .is_all = HasWord(words, "all"),
                             .sequences = NumberOf(words, "takes:")};
    WriteBatch section = SectionOf(name, words);
    WriteBatchInternal::SetSequence(&section, 7);
    keeper_->Keep(write, section, log_number);
    EXPECT_EQ(told, log_number);
  }
  void End(const std::string& name, SectionKind kind) {
    keeper_->End({.kind = kind, .name = name});
  }
  void EndByCommitAnew(const std::string& name) {
    keeper_->End(
        {.kind = SectionKind::kRollBack, .name = name, .commits_anew = true});
  }
  std::string State(const std::string& name) {
    if (!keeper_->Has(name)) {
      EXPECT_FALSE(keeper_->HasPrepared(name));
      EXPECT_EQ(keeper_->LogOf(name), 0u);
      return keeper_->IsEmpty() ? "none, nor others" : "none";
    }
    EXPECT_FALSE(keeper_->IsEmpty());
    return std::string(keeper_->HasPrepared(name) ? "prepared" : "growing") +
           " since log " + std::to_string(keeper_->LogOf(name));
  }
  std::string Held() const {
    const uint64_t log_number = world_.HeldLog();
    return log_number == UINT64_MAX ? "none" : std::to_string(log_number);
  }
  std::string Memtable(const std::string& family,
                       const std::vector<std::string>& words) {
    MutexLock lock(world_.mutex);
    const MemTableRef memtable =
        families_.at(family.empty() ? "default" : family)->mem();
    if (words.empty()) return std::to_string(memtable->log_number());
    memtable->set_log_number(std::stoull(words[0]));
    return "";
  }
  std::string Adopt(const std::string& policy) {
    MutexLock lock(world_.mutex);
    const Status s = keeper_->Adopt(PolicyOf(policy));
    return s.ToString() + "; " + NameOf(keeper_->policy());
  }
  void Recover(const std::string& name, const std::vector<std::string>& words) {
    PreparedSections::Section section;
    section.log_number = std::stoull(words.at(0));
    section.is_prepared = !HasWord(words, "part");
    section.sequence = NumberOf(words, "from:");
    section.end = NumberOf(words, "behind:");
    for (const std::string& word : words) {
      if (word.starts_with("tables:")) {
        const size_t colon = word.find(':', 7);
        section.in_tables.push_back(
            {static_cast<uint32_t>(std::stoul(word.substr(7, colon - 7))),
             word.substr(colon + 1), section.sequence});
      } else {
        AddSectionUpdate(word, &section.updates);
      }
    }
    found_.Add(name, section);
    MutexLock lock(world_.mutex);
    keeper_->Recover(found_);
  }
  std::string Take() {
    std::string text;
    for (const RecoveredSection& section : keeper_->TakeRecovered()) {
      text += (text.empty() ? "" : "\n") + section.name + ": " +
              BatchText(section.updates.Data()) + "; log " +
              std::to_string(section.log_number) +
              (section.is_prepared ? "" : "; goes on") + "; sequences " +
              std::to_string(section.sequence) + " to " +
              std::to_string(section.end);
      for (const UncommittedKey& key : section.in_tables) {
        text += "; " + std::to_string(key.family_id) + ":" + key.key +
                " may be in tables";
      }
    }
    return text.empty() ? "nothing" : text;
  }
  // They hold the older logs until they are written.
  std::string Move(uint64_t log_number) {
    const std::string held = Held();
    std::vector<WriteBatch> records;
    const Status s = keeper_->MakeRecords(&records);
    if (!s.ok()) return s.ToString();
    PreparedSections replayed(keeper_->policy());
    for (WriteBatch& record : records) {
      EXPECT_TRUE(replayed.Expand(log_number, {}, &record).ok());
    }
    EXPECT_EQ(Held(), held);
    MutexLock lock(world_.mutex);
    keeper_->MoveAllTo(log_number);
    std::string text = std::to_string(records.size()) + " records";
    for (const char* name : {"a", "b", "c"}) {
      const auto* section = replayed.Find(name);
      if (section == nullptr) continue;
      text +=
          std::string("; ") + name + ": " + BatchText(section->updates.Data());
    }
    return text;
  }

  IntakeWorld world_;
  std::map<std::string, ColumnFamilyData*> families_;
  std::unique_ptr<SectionKeeper> keeper_;
  PreparedSections found_;  // what a replay has found so far
};

std::string UpdatesBetweenMarkers(const std::vector<std::string>& words) {
  const WriteBatch section = SectionOf("name", words);
  std::string bytes = section.Data();
  if (!words.empty() && words.back() == "cut") bytes.pop_back();
  WriteBatch updates;
  const Status s = SectionKeeper::UpdatesOf(WriteBatch(bytes), &updates);
  if (!s.ok()) return s.ToString() + "\n";
  return BatchText(updates.Data()) + "; " + std::to_string(updates.Count()) +
         " count\n";
}

std::string RunSectionCase(const ScriptCase& c) {
  std::istringstream input(c.command);
  std::string verb;
  input >> verb;
  std::vector<std::string> words;
  for (std::string word; input >> word;) words.push_back(word);
  if (verb == "updates") return UpdatesBetweenMarkers(words);
  EXPECT_EQ(verb, "sections");
  SectionScript script(words.empty() ? "" : words[0]);
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = script.Step(line);
    if (!answer.empty()) answers += answer + "\n";
  }
  return answers;
}

TEST(SectionKeeperTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("intake/sections.txt", RunSectionCase), 20u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
