// Data blocks: what is written, and cursors over it.
//
// Runs tests/testdata/sst/blocks.txt:
//
//   block [OPTION ..]      of the entries below, which are as in text_entries.h
//   stored BYTES           a block of just these
//   index restarts:N       a block of index entries, of the keys below; one
//                          that ends with ! is to have a full value
//   > bytes                of the block
//   > steps STEP ..        where a cursor is then: first, last, next, prev,
//                          to:KEY@SEQUENCE, back:KEY@SEQUENCE
//   > in_block             does the key where it is lie in the block as it is?
//
// OPTIONs: restarts:N (entries from one full key to the next; 16), no_deltas,
// separated (values behind the keys), hash:PERCENT, reverse; sequence:N and
// stamps:BYTES, which keys get when they are read.
#include "table/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "table/block_builder.h"
#include "table/block_cursor.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string InternalKeyOf(const std::string& user, SequenceNumber sequence,
                          ValueType type = kTypeValue) {
  std::string key;
  AppendInternalKey(&key, user, sequence, type);
  return key;
}

// Keys that are prefixes of others, share much, and come in versions.
Entries RandomEntries(Random64* random, const InternalKeyComparator& order,
                      size_t count) {
  std::map<std::string, std::string> unique;
  for (size_t i = 0; i < count; ++i) {
    std::string user(random->Uniform(6), 'a');
    for (char& c : user) c = static_cast<char>('a' + random->Uniform(3));
    if (random->OneIn(4)) user.append(random->Uniform(200), 'z');
    unique[InternalKeyOf(user, random->Uniform(5))] =
        std::string(random->Skewed(9), 'v');
  }
  Entries entries(unique.begin(), unique.end());
  std::sort(entries.begin(), entries.end(),
            [&order](const auto& a, const auto& b) {
              return order.Compare(a.first, b.first) < 0;
            });
  return entries;
}

std::unique_ptr<Block> MakeBlock(const Entries& entries, int restart_interval,
                                 bool has_deltas = true) {
  BlockBuilder builder(
      {.restart_interval = restart_interval, .use_delta_encoding = has_deltas});
  for (const auto& [key, value] : entries) builder.Add(key, value);
  EXPECT_GE(builder.SizeEstimate() + 8, 8u);
  const size_t estimate = builder.SizeEstimate();
  const Slice payload = builder.Finish();
  EXPECT_EQ(payload.size(), estimate);
  BlockMemory memory(payload.size());
  memcpy(memory.get(), payload.data(), payload.size());
  const Slice data(memory.get(), payload.size());
  const char* problem = nullptr;
  auto block = Block::Parse(BlockBytes(std::move(memory), data), &problem);
  EXPECT_EQ(problem, nullptr);
  return block;
}

void ExpectAt(const BlockCursor& cursor, const Entries& entries, size_t at) {
  ASSERT_EQ(cursor.problem(), nullptr);
  if (at >= entries.size()) {
    ASSERT_FALSE(cursor.Valid());
    return;
  }
  ASSERT_TRUE(cursor.Valid());
  ASSERT_EQ(cursor.key().ToString(true),
            Slice(entries[at].first).ToString(true));
  ASSERT_EQ(cursor.value().ToString(), entries[at].second);
}

void CheckSeeks(const InternalKeyComparator& order, const Entries& entries,
                const std::vector<std::string>& targets, BlockCursor* cursor) {
  for (const std::string& target : targets) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
          return order.Compare(entry.first, target) >= 0;
        });
    const size_t at = static_cast<size_t>(found - entries.begin());
    cursor->Seek(target);
    ASSERT_NO_FATAL_FAILURE(ExpectAt(*cursor, entries, at));
    if (cursor->Valid()) {
      cursor->Next();
      ASSERT_NO_FATAL_FAILURE(ExpectAt(*cursor, entries, at + 1));
    }
    cursor->SeekForPrev(target);
    const bool is_equal =
        at < entries.size() && order.Compare(entries[at].first, target) == 0;
    const size_t before = is_equal ? at : at == 0 ? entries.size() : at - 1;
    ASSERT_NO_FATAL_FAILURE(ExpectAt(*cursor, entries, before));
    if (cursor->Valid()) {
      cursor->Prev();
      ASSERT_NO_FATAL_FAILURE(ExpectAt(
          *cursor, entries, before == 0 ? entries.size() : before - 1));
    }
  }
}

void CheckWalks(const Entries& entries, Random64* random, BlockCursor* cursor) {
  cursor->SeekToFirst();
  for (size_t i = 0; i <= entries.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(ExpectAt(*cursor, entries, i));
    if (cursor->Valid()) cursor->Next();
  }
  cursor->SeekToLast();
  for (size_t i = entries.size(); i-- > 0;) {
    ASSERT_NO_FATAL_FAILURE(ExpectAt(*cursor, entries, i));
    cursor->Prev();
  }
  ASSERT_FALSE(cursor->Valid());
  // There and back again.
  if (entries.empty()) return;
  size_t at = 0;
  cursor->SeekToFirst();
  for (int step = 0; step < 300; ++step) {
    if (random->OneIn(2) && at + 1 < entries.size()) {
      cursor->Next();
      ++at;
    } else if (at > 0) {
      cursor->Prev();
      --at;
    }
    ASSERT_NO_FATAL_FAILURE(ExpectAt(*cursor, entries, at));
  }
}

class CursorTest : public ::testing::TestWithParam<const Comparator*> {};

TEST_P(CursorTest, AgreesWithASortedList) {
  const InternalKeyComparator order(GetParam());
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const Entries entries = RandomEntries(&random, order, random.Uniform(120));
    const int interval = static_cast<int>(1 + random.Uniform(20));
    const auto block = MakeBlock(entries, interval, !random.OneIn(5));
    ASSERT_NE(block, nullptr);
    BlockCursor cursor(&order, KeyRewrite());
    cursor.Reset(&block->layout());
    ASSERT_FALSE(cursor.Valid());
    std::vector<std::string> targets;
    for (const auto& [key, value] : entries) {
      targets.push_back(key);
      const std::string user = ExtractUserKey(key).ToString();
      targets.push_back(InternalKeyOf(user, random.Uniform(6)));
      targets.push_back(InternalKeyOf(user + "a", 3));
      if (!user.empty()) {
        targets.push_back(InternalKeyOf(user.substr(0, user.size() - 1), 9));
      }
    }
    targets.push_back(InternalKeyOf("", kMaxSequenceNumber));
    targets.push_back(InternalKeyOf("zzzz", 0));
    ASSERT_NO_FATAL_FAILURE(CheckSeeks(order, entries, targets, &cursor));
    ASSERT_NO_FATAL_FAILURE(CheckWalks(entries, &random, &cursor));
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, CursorTest,
                         ::testing::Values(BytewiseComparator(),
                                           ReverseBytewiseComparator()));

// Whatever the bytes, a cursor ends and stays inside them (run it under
// AddressSanitizer).
TEST(Cursor, SurvivesArbitraryBytes) {
  const InternalKeyComparator order;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random64 random(seed);
    const Entries entries = RandomEntries(&random, order, 40);
    BlockBuilder builder(static_cast<int>(1 + random.Uniform(8)));
    for (const auto& [key, value] : entries) builder.Add(key, value);
    std::string bytes = builder.Finish().ToString();
    for (uint64_t n = 1 + random.Uniform(4); n > 0; --n) {
      bytes[random.Uniform(bytes.size())] =
          static_cast<char>(random.Uniform(256));
    }
    if (random.OneIn(4)) bytes.resize(random.Uniform(bytes.size()));
    if (random.OneIn(4)) bytes.back() = static_cast<char>(random.Next());
    BlockLayout layout;
    // An exact copy, so that a read behind the end is seen.
    const auto copy = std::make_unique<char[]>(bytes.size());
    memcpy(copy.get(), bytes.data(), bytes.size());
    if (layout.Parse(Slice(copy.get(), bytes.size())) != nullptr) continue;
    BlockCursor cursor(&order, KeyRewrite());
    cursor.Reset(&layout);
    size_t steps = 0;
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++steps;
    EXPECT_LE(steps, bytes.size());
    cursor.Reset(&layout);
    steps = 0;
    for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) {
      ASSERT_LE(++steps, bytes.size());
    }
    cursor.Reset(&layout);
    for (int i = 0; i < 10; ++i) {
      const std::string target =
          InternalKeyOf(random.RandomString(random.Uniform(4)), 3);
      cursor.Seek(target);
      if (cursor.problem() != nullptr) break;
      cursor.SeekForPrev(target);
      if (cursor.problem() != nullptr) break;
    }
    BlockWalker walker(Slice(copy.get(), bytes.size()));
    steps = 0;
    while (walker.Next()) ASSERT_LE(++steps, bytes.size());
  }
}

class BlockScript {
 public:
  explicit BlockScript(const ScriptCase& c)
      : command_(c.command),
        steps_(c.body),
        order_(command_.HasWord("reverse") ? ReverseBytewiseComparator()
                                           : BytewiseComparator()),
        cursor_(&order_,
                {.sequence = command_.Number("sequence", KeyRewrite::kKeep),
                 .timestamp_bytes =
                     static_cast<uint32_t>(command_.Number("stamps", 0))}) {
    if (command_.verb() == "stored") {
      bytes_ = command_.words().empty() ? "" : BytesOfText(command_.words()[0]);
    } else if (command_.verb() == "index") {
      BuildIndex();
    } else {
      EXPECT_EQ(command_.verb(), "block");
      Build();
    }
  }

  std::string Answers() {
    const char* problem = layout_.Parse(bytes_);
    if (problem != nullptr) return problem;
    cursor_.Reset(&layout_);
    EXPECT_FALSE(cursor_.Valid());
    std::string text;
    for (const std::string& line : steps_.asked) {
      text += Answer(line) + "\n";
    }
    return TextOr(text, "a block");
  }

 private:
  void Build() {
    BlockBuilder builder(
        {.restart_interval = static_cast<int>(command_.Number("restarts", 16)),
         .use_delta_encoding = !command_.HasWord("no_deltas"),
         .separates_values = command_.HasWord("separated"),
         .hash_util_ratio =
             static_cast<double>(command_.Number("hash", 0)) / 100});
    for (const std::string& line : steps_.given) {
      for (const TextEntry& e : ParseEntries(line)) {
        builder.Add(InternalKeyOf(e.user_key, e.sequence, e.type), e.value);
      }
    }
    const size_t estimate = builder.SizeEstimate();
    bytes_ = builder.Finish().ToString();
    EXPECT_TRUE(command_.Has("hash") || bytes_.size() == estimate);
  }
  void BuildIndex() {
    BlockBuilder builder(static_cast<int>(command_.Number("restarts", 1)));
    for (const std::string& line : steps_.given) {
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        const bool must_be_full = word.ends_with("!");
        if (must_be_full) word.pop_back();
        builder.AddIndexEntry(
            word,
            {.value = "full", .delta = "d", .must_be_full = must_be_full});
      }
    }
    bytes_ = builder.Finish().ToString();
  }

  std::string Answer(const std::string& line) {
    if (line == "bytes") return TextOfBytes(bytes_);
    if (line == "in_block") return cursor_.IsKeyInBlock() ? "yes" : "no";
    std::istringstream words(line);
    std::string verb, text;
    words >> verb;
    EXPECT_EQ(verb, "steps");
    for (std::string step; words >> step;) {
      Step(step);
      JoinItem(&text, Shown());
    }
    return text;
  }
  void Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    if (verb == "first") return cursor_.SeekToFirst();
    if (verb == "last") return cursor_.SeekToLast();
    if (colon != step.npos) {
      const size_t at = step.find('@');
      const std::string target =
          InternalKeyOf(step.substr(colon + 1, at - colon - 1),
                        std::stoull(step.substr(at + 1)));
      return verb == "to" ? cursor_.Seek(target) : cursor_.SeekForPrev(target);
    }
    if (!cursor_.Valid()) {
      ADD_FAILURE() << step << " from nowhere";
    } else if (verb == "next") {
      cursor_.Next();
    } else {
      EXPECT_EQ(verb, "prev");
      cursor_.Prev();
    }
  }
  std::string Shown() const {
    if (cursor_.problem() != nullptr) {
      EXPECT_FALSE(cursor_.Valid());
      return std::string("(") + cursor_.problem() + ")";
    }
    if (!cursor_.Valid()) return "end";
    ParsedInternalKey key;
    EXPECT_TRUE(ParseInternalKey(cursor_.key(), &key));
    return TextOfBytes(TextEntry{key.user_key.ToString(), key.sequence,
                                 key.type, cursor_.value().ToString()}
                           .Text());
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  const InternalKeyComparator order_;
  std::string bytes_;
  BlockLayout layout_;
  BlockCursor cursor_;
};

TEST(BlockScriptTest, EveryCaseOfTheScript) {
  const size_t count = RunScript("sst/blocks.txt", [](const ScriptCase& c) {
    return BlockScript(c).Answers();
  });
  EXPECT_GE(count, 33u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
