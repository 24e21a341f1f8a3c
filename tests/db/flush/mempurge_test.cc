// What part of sealed memtables is useful, as it is estimated. Runs
// tests/testdata/flush/mempurge.txt:
//
//   useful [about]        the useful part of all bytes in percent; with "about"
//                         in tens, where it is told from samples
//   LINES                 one memtable each, the oldest first
//
// A line has words: put:N (N keys, from the first on), put:FROM-TO (behind
// FROM), times:N (whatever follows is written so often), delete:FROM-TO (a
// range). Of an empty memtable it is "nothing".
#include "db/flush/mempurge.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MempurgeScript {
 public:
  std::string Run(const ScriptCase& c) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "useful");
    std::vector<const MemTable*> all;
    uint64_t bytes = 0;
    for (const std::string& line : LinesOf(c.body)) {
      Fill(line);
      all.push_back(memtables_.back().get());
      bytes += all.back()->counts().data_bytes();
    }
    const uint64_t useful = EstimateUsefulBytes(order_, all);
    EXPECT_LE(useful, bytes);
    if (bytes == 0) return "nothing";
    const uint64_t percent = useful * 100 / bytes;
    if (!command.HasWord("about")) return std::to_string(percent);
    return "about " + std::to_string((percent + 5) / 10 * 10);
  }

 private:
  void Fill(const std::string& line) {
    MemTableOptions options;
    options.order = order_;
    options.id = memtables_.size() + 1;
    memtables_.push_back(std::make_unique<MemTable>(options));
    std::istringstream words(line);
    int times = 1;
    for (std::string word; words >> word;) {
      const size_t colon = word.find(':');
      const std::string verb = word.substr(0, colon);
      const std::string range = word.substr(colon + 1);
      if (verb == "empty") continue;
      const size_t dash = range.find('-');
      const int from = dash == std::string::npos ? 0 : std::stoi(range);
      const int to =
          std::stoi(dash == std::string::npos ? range : range.substr(dash + 1));
      if (verb == "times") {
        times = to;
      } else if (verb == "put") {
        for (int i = 0; i < times; ++i) {
          for (int key = from; key < to; ++key) {
            Add(kTypeValue, Key(key), std::string(100, 'v'));
          }
        }
      } else {
        EXPECT_EQ(verb, "delete") << line;
        Add(kTypeRangeDeletion, Key(from), Key(to));
      }
    }
  }
  static std::string Key(int number) {
    return "key" + std::to_string(10000 + number);
  }
  void Add(ValueType type, const std::string& key, const std::string& value) {
    const Status s = memtables_.back()->Add(++sequence_, type, key, value);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }

  const InternalKeyComparator order_{BytewiseComparator()};
  SequenceNumber sequence_ = 0;
  std::vector<std::unique_ptr<MemTable>> memtables_;
};

TEST(MempurgeEstimateTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return MempurgeScript().Run(c); };
  EXPECT_GE(RunScript("flush/mempurge.txt", run), 14u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
