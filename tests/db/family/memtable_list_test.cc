// The sealed memtables of a family: which wait, which a flush takes, and what
// is kept. The cases of tests/testdata/families/memtable_list.txt are "list",
// and lines of steps, each line with one of answers:
//
//   add:ID[,LOG]      seals a memtable
//   put:ID, delete:ID adds an entry to it
//   ask, askfile      for a flush, and for one that makes a file
//   pick:ID|all       starts a flush of those up to that one
//   rollback, commit[:N[+]]   ends it; of what is flushed as many bytes are
//                     kept as N memtables have (and one more)
//   purge:ID,LOG[,N]  ends it by one memtable
//   hold:NAME, held:NAME   the lists as they were then
//   drop              the history
//   list, history, requested, running, purged, awaits, log, sums, needsfile (of
//   what the flush took), pending:N (where N are flushed together)
#include "db/family/memtable_list.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "memtable/memtable.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MemTableRef NumberedMemTable(uint64_t id, uint64_t log_number = 0) {
  MemTableOptions options;
  options.id = id;
  auto mem = std::make_shared<MemTable>(options);
  mem->set_log_number(log_number);
  return mem;
}

std::string IdsOf(const MemTableVector& list) {
  std::string text;
  for (const MemTableRef& mem : list) {
    text += (text.empty() ? "" : " ") + std::to_string(mem->id());
  }
  return text.empty() ? "none" : text;
}

// "2,5" in its numbers.
std::vector<uint64_t> NumbersOfWord(const std::string& text) {
  std::vector<uint64_t> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    numbers.push_back(std::stoull(part));
  }
  return numbers;
}

class MemTableListScript {
 public:
  // "": the step has no answer.
  std::string Step(const std::string& name, const std::string& value) {
    if (name == "pick") {
      MemTableVector picked =
          list_.PickForFlush(value == "all" ? UINT64_MAX : std::stoull(value));
      std::string text = "picked " + IdsOf(picked);
      if (!picked.empty()) taken_ = std::move(picked);
      return text;
    }
    return Change(name, value) ? "" : name + " " + Ask(name, value);
  }

 private:
  bool Change(const std::string& name, const std::string& value) {
    if (name == "add") {
      const std::vector<uint64_t> n = NumbersOfWord(value);
      list_.Add(NumberedMemTable(n.at(0), n.size() > 1 ? n[1] : 0));
    } else if (name == "put" || name == "delete") {
      AddEntry(std::stoull(value), name == "put");
    } else if (name == "ask") {
      list_.RequestFlush();
    } else if (name == "askfile") {
      list_.RequestFile();
    } else if (name == "rollback") {
      list_.RollbackFlush();
    } else if (name == "commit") {
      list_.CommitFlush(taken_, value.empty() ? 0 : HistoryBytes(value));
    } else if (name == "purge") {
      const std::vector<uint64_t> n = NumbersOfWord(value);
      list_.CommitPurge(taken_, NumberedMemTable(n.at(0), n.at(1)),
                        n.size() > 2 ? n[2] : 0);
    } else if (name == "hold") {
      held_[value] = {list_.current(), list_.history()};
    } else if (name == "drop") {
      list_.DropHistory();
    } else {
      return false;
    }
    return true;
  }
  // The bytes of that many memtables: "2" is two of them, "2+" one byte more.
  static size_t HistoryBytes(const std::string& value) {
    static const size_t one = NumberedMemTable(1)->ApproximateMemoryUsage();
    return std::stoull(value) * one + (value.back() == '+' ? 1 : 0);
  }
  void AddEntry(uint64_t id, bool is_value) {
    for (const MemTableRef& mem : *list_.current()) {
      if (mem->id() != id) continue;
      const Status s =
          mem->Add(++sequence_, is_value ? kTypeValue : kTypeDeletion, "key",
                   is_value ? "value" : "");
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
  }

  std::string Ask(const std::string& name, const std::string& value) {
    if (name == "list") {
      EXPECT_EQ(list_.empty(), list_.current()->empty());
      EXPECT_EQ(list_.size(), list_.current()->size());
      return IdsOf(*list_.current());
    }
    if (name == "history") return IdsOf(*list_.history());
    if (name == "held") {
      return value + ": " + IdsOf(*held_.at(value).first) + ", history " +
             IdsOf(*held_.at(value).second);
    }
    if (name == "requested") return std::to_string(list_.requested_id());
    if (name == "log") return std::to_string(list_.MinLogNumber());
    if (name == "sums") {
      EXPECT_EQ(list_.ApproximateMemoryUsage() > 0, !list_.empty());
      return std::to_string(list_.EntryCount()) + " entries, " +
             std::to_string(list_.DeletionCount()) + " deletions";
    }
    return (value.empty() ? "" : value + " ") +
           (IsSo(name, value) ? "yes" : "no");
  }
  bool IsSo(const std::string& name, const std::string& value) {
    if (name == "running") return list_.IsFlushRunning();
    if (name == "purged") return list_.HasPurged();
    if (name == "awaits") return list_.AwaitsOthers();
    if (name == "needsfile") return list_.NeedsFile(taken_);
    EXPECT_EQ(name, "pending");
    return list_.IsFlushPending(std::stoi(value));
  }

  using Lists = std::pair<std::shared_ptr<const MemTableVector>,
                          std::shared_ptr<const MemTableVector>>;
  MemTableList list_;
  MemTableVector taken_;
  SequenceNumber sequence_ = 0;
  std::map<std::string, Lists> held_;
};

std::string RunMemTableList(const ScriptCase& c) {
  EXPECT_EQ(c.command, "list");
  MemTableListScript script;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    std::istringstream words(line);
    std::string answers;
    for (std::string word; words >> word;) {
      const size_t colon = word.find(':');
      const std::string answer =
          script.Step(word.substr(0, colon),
                      colon == std::string::npos ? "" : word.substr(colon + 1));
      if (answer.empty()) continue;
      answers += (answers.empty() ? "" : "; ") + answer;
    }
    if (!answers.empty()) text += answers + "\n";
  }
  return text;
}

TEST(MemTableList, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("families/memtable_list.txt", RunMemTableList), 19u)
      << "cases went missing";
}

TEST(MemTableListDeathTest, MisuseStops) {
  MemTableList list;
  list.Add(NumberedMemTable(5));
  EXPECT_DEATH(list.Add(NumberedMemTable(5)), "");
  EXPECT_DEATH(list.CommitFlush({}), "");
  EXPECT_DEATH(list.RollbackFlush(), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
