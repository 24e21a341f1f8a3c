// Memtables as files have them that leave timestamps out. Runs
// tests/testdata/flush/minimal_timestamps.txt:
//
//   minimal               of these versions, in the order in which they come
//   VERSIONS              KEY^TIMESTAMP@SEQUENCE, with ! a deletion, with + an
//                         operand; the value tells timestamp and sequence
//   > STEPS               one line of answers each
//
// STEPs: first, to:KEY^TIMESTAMP@SEQUENCE, last, prev, back:KEY.., which end at
// once with an error; rest: all from there on, KEY@SEQUENCE=VALUE.
#include "db/flush/minimal_timestamps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "tests/testing/script.h"
#include "util/key/timestamps.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string MinimalTs(uint64_t timestamp) {
  std::string bytes;
  PutFixed64(&bytes, timestamp);
  return bytes;
}

class StampedMemtable {
 public:
  StampedMemtable()
      : order_(BytewiseComparatorWithU64Ts()), memtable_(Options()) {}

  void Add(const std::string& key, uint64_t ts, SequenceNumber sequence,
           ValueType type = kTypeValue) {
    const std::string value =
        std::to_string(ts) + "/" + std::to_string(sequence);
    ASSERT_TRUE(memtable_.Add(sequence, type, key + MinimalTs(ts), value).ok());
  }
  std::unique_ptr<MinimalTimestamps> Minimal() {
    return std::make_unique<MinimalTimestamps>(&order_,
                                               memtable_.NewIterator());
  }
  const InternalKeyComparator& order() const { return order_; }

 private:
  MemTableOptions Options() const {
    MemTableOptions options;
    options.order = order_;
    return options;
  }

  const InternalKeyComparator order_;
  MemTable memtable_;
};

// "a^5@1"
struct StampedKey {
  explicit StampedKey(const std::string& text) {
    const size_t hat = text.find('^');
    const size_t at = text.find('@');
    EXPECT_NE(at, std::string::npos) << text;
    key = text.substr(0, hat);
    timestamp = std::stoull(text.substr(hat + 1));
    sequence = std::stoull(text.substr(at + 1));
  }
  std::string key;
  uint64_t timestamp = 0;
  SequenceNumber sequence = 0;
};

// All from here on; and all timestamps are zeros.
std::string RestOfMinimal(InternalIterator* it) {
  std::string text;
  for (; it->Valid(); it->Next()) {
    const Slice stored = ExtractUserKey(it->key());
    EXPECT_EQ(TimestampOf(stored, 8), Slice(MinimalTs(0)));
    text += (text.empty() ? "" : " ") + WithoutTimestamp(stored, 8).ToString() +
            "@" + std::to_string(ExtractSequence(it->key())) + "=" +
            it->value().ToString();
  }
  if (text.empty()) text = "nothing";
  return it->status().ok() ? text : text + "; " + it->status().ToString();
}

std::string StepOverMinimal(InternalIterator* it, const std::string& step) {
  if (step == "rest") return RestOfMinimal(it);
  const size_t colon = step.find(':');
  if (step == "first") {
    it->SeekToFirst();
  } else if (step == "last") {
    it->SeekToLast();
  } else if (step == "prev") {
    it->Prev();
  } else {
    const StampedKey target(step.substr(colon + 1));
    const InternalKey key(target.key + MinimalTs(target.timestamp),
                          target.sequence, kValueTypeForSeek);
    if (step.starts_with("to:")) {
      it->Seek(key.Encode());
    } else {
      EXPECT_TRUE(step.starts_with("back:")) << step;
      it->SeekForPrev(key.Encode());
    }
  }
  return it->status().ok() ? "" : it->status().ToString();
}

std::string RunMinimalCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "minimal");
  StampedMemtable memtable;
  std::unique_ptr<MinimalTimestamps> it;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    std::istringstream words(line);
    std::string word;
    if (!line.starts_with("> ")) {
      while (words >> word) {
        const StampedKey version(word);
        memtable.Add(version.key, version.timestamp, version.sequence,
                     word.back() == '!'   ? kTypeDeletionWithTimestamp
                     : word.back() == '+' ? kTypeMerge
                                          : kTypeValue);
      }
      continue;
    }
    if (it == nullptr) it = memtable.Minimal();
    words >> word;
    std::string answers;
    while (words >> word) {
      const std::string answer = StepOverMinimal(it.get(), word);
      answers += (answers.empty() || answer.empty() ? "" : "; ") + answer;
    }
    text += answers + "\n";
  }
  return text + "hidden " + std::to_string(it->hidden_count()) + "\n";
}

TEST(MinimalTimestampsTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("flush/minimal_timestamps.txt", RunMinimalCase), 14u)
      << "cases went missing";
}

// Whoever reads as of any sequence finds what he found with timestamps, and
// keys come in the order that files have.
TEST(MinimalTimestampsTest, ReadsOfTheNewestTimestampDoNotChange) {
  StampedMemtable memtable;
  Random64 random(17);
  constexpr SequenceNumber kCount = 2000;
  std::map<std::string, std::map<SequenceNumber, std::string>> newest;
  std::map<std::string, std::map<uint64_t, std::string>> by_timestamp;
  for (SequenceNumber sequence = 1; sequence <= kCount; ++sequence) {
    const std::string key(1, static_cast<char>('a' + random.Uniform(20)));
    const uint64_t ts = random.Uniform(50);
    memtable.Add(key, ts, sequence);
    by_timestamp[key][ts] = std::to_string(ts) + "/" + std::to_string(sequence);
    newest[key][sequence] = by_timestamp[key].rbegin()->second;
  }
  const auto it = memtable.Minimal();
  std::map<std::string, std::map<SequenceNumber, std::string>> found;
  std::string before;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    if (!before.empty()) {
      ASSERT_LT(memtable.order().Compare(before, it->key()), 0);
    }
    before = it->key().ToString();
    const Slice given = WithoutTimestamp(ExtractUserKey(it->key()), 8);
    found[given.ToString()][ExtractSequence(it->key())] =
        it->value().ToString();
  }
  for (const auto& [key, states] : newest) {
    for (const auto& [sequence, value] : states) {
      const auto at = found[key].upper_bound(sequence);
      ASSERT_NE(at, found[key].begin());
      ASSERT_EQ(std::prev(at)->second, value) << key << sequence;
    }
  }
  EXPECT_GT(it->hidden_count(), 1000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
