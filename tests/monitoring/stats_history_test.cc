// Snapshots of tickers over time: testdata/monitoring/stats_history.txt.
//
//   history               an empty one
//   add SECONDS NAME=COUNT.. [room:N]    what the tickers show then; there is
//                         room for N snapshots of one ticker, or for plenty
//   kept [from:SECONDS] [to:SECONDS]     SECONDS:NAME=DIFFERENCE..
//   walk SECONDS SECONDS  an iterator from one to the other; what it stands at
//   next, stay            of that iterator
//   memory                of the kept ones, in snapshots of one ticker
#include "monitoring/stats_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class StatsHistoryWorld {
 public:
  StatsHistoryWorld() {
    StatsHistory one;
    one.Add(0, {{"a", 0}}, kPlenty);
    one.Add(1, {{"a", 1}}, kPlenty);
    bytes_of_one_ = one.MemoryBytes();
    EXPECT_GT(bytes_of_one_, 0u);
  }

  // Empty: the step has no answer.
  std::string Take(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "add") return Add(step), "";
    if (verb == "kept") {
      const auto it = NewStatsHistoryIterator(history_, step.Number("from", 0),
                                              step.Number("to", UINT64_MAX));
      std::string text;
      for (; it->Valid(); it->Next()) {
        text += (text.empty() ? "" : " ") + At(*it);
      }
      EXPECT_TRUE(it->status().ok());
      return text.empty() ? "nothing" : text;
    }
    if (verb == "memory") {
      EXPECT_EQ(history_->MemoryBytes() % bytes_of_one_, 0u);
      return std::to_string(history_->MemoryBytes() / bytes_of_one_);
    }
    if (verb == "walk") {
      walk_ = NewStatsHistoryIterator(history_, std::stoull(step.Word(0)),
                                      std::stoull(step.Word(1)));
    } else if (verb == "next") {
      walk_->Next();
    } else {
      EXPECT_EQ(verb, "stay");
    }
    return walk_->Valid() ? At(*walk_) : "end";
  }

 private:
  static constexpr size_t kPlenty = 1 << 20;

  void Add(const ScriptWords& step) {
    StatsHistory::Counts totals;
    for (size_t i = 1; i < step.words().size(); ++i) {
      const std::string& word = step.words()[i];
      const size_t at = word.find('=');
      totals[word.substr(0, at)] = std::stoull(word.substr(at + 1));
    }
    const size_t room =
        step.Has("room") ? step.Number("room", 0) * bytes_of_one_ : kPlenty;
    history_->Add(std::stoull(step.Word(0)), totals, room);
  }
  static std::string At(const StatsHistoryIterator& it) {
    std::string text = std::to_string(it.GetStatsTime()) + ":";
    std::string counts;
    for (const auto& [name, count] : it.GetStatsMap()) {
      counts +=
          (counts.empty() ? "" : ",") + name + "=" + std::to_string(count);
    }
    return text + counts;
  }

  const std::shared_ptr<StatsHistory> history_ =
      std::make_shared<StatsHistory>();
  size_t bytes_of_one_ = 0;
  std::unique_ptr<StatsHistoryIterator> walk_;
};

std::string RunStatsHistoryCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "history");
  StatsHistoryWorld world;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = world.Take(ScriptWords(line));
    if (!answer.empty()) text += answer + "\n";
  }
  return text;
}

TEST(StatsHistoryTest, CasesOfTheScript) {
  EXPECT_GE(RunScript("monitoring/stats_history.txt", RunStatsHistoryCase), 12u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
