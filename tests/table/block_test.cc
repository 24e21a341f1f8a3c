// Cursors over a block agree with a sorted list, and never leave the block
// whatever its bytes are.
#include "table/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "table/block_builder.h"
#include "table/block_cursor.h"
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

TEST(Cursor, RewritesSequenceAndTimestamp) {
  const InternalKeyComparator order;
  const Entries entries = {{InternalKeyOf("a", 0), "1"},
                           {InternalKeyOf("ab", 0, kTypeDeletion), ""},
                           {InternalKeyOf("abc", 0), "3"}};
  const auto block = MakeBlock(entries, 2);
  BlockCursor cursor(&order, KeyRewrite{.sequence = 9, .timestamp_bytes = 2});
  cursor.Reset(&block->layout());
  const std::string zeros(2, '\0');
  const Entries expected = {{InternalKeyOf("a" + zeros, 9), "1"},
                            {InternalKeyOf("ab" + zeros, 9, kTypeDeletion), ""},
                            {InternalKeyOf("abc" + zeros, 9), "3"}};
  Random64 random(1);
  CheckWalks(expected, &random, &cursor);
  CheckSeeks(order, expected,
             {expected[0].first, expected[1].first, expected[2].first,
              InternalKeyOf("b", 1), InternalKeyOf("ab", 3)},
             &cursor);
}

TEST(Cursor, KeysWithoutSharedBytesStayInTheBlock) {
  const InternalKeyComparator order;
  const auto block = MakeBlock(
      {{InternalKeyOf("a", 1), "1"}, {InternalKeyOf("ab", 1), "2"}}, 16);
  BlockCursor cursor(&order, KeyRewrite());
  cursor.Reset(&block->layout());
  cursor.SeekToFirst();
  EXPECT_TRUE(cursor.IsKeyInBlock());
  cursor.Next();
  EXPECT_FALSE(cursor.IsKeyInBlock());
}

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

TEST(BlockLayout, RefusesWhatCannotBe) {
  BlockLayout layout;
  const auto parse = [&layout](const std::string& bytes) {
    return layout.Parse(bytes) == nullptr;
  };
  EXPECT_FALSE(parse(""));
  EXPECT_FALSE(parse(std::string(7, '\0')));
  std::string empty;
  PutFixed32(&empty, 0);
  PutFixed32(&empty, 1);
  EXPECT_TRUE(parse(empty));
  EncodeFixed32(empty.data() + 4, 2);  // two restarts do not fit
  EXPECT_FALSE(parse(empty));
  EncodeFixed32(empty.data() + 4, 0);
  EXPECT_FALSE(parse(empty));
  EncodeFixed32(empty.data() + 4, 1 | BlockLayout::kReservedBit);
  EXPECT_FALSE(parse(empty));
  EncodeFixed32(empty.data() + 4, 1 | BlockLayout::kHashIndexBit);
  EXPECT_FALSE(parse(empty));
  EncodeFixed32(empty.data() + 4, 1);
  EncodeFixed32(empty.data(), 3);  // the first restart is elsewhere
  EXPECT_FALSE(parse(empty));
}

TEST(BlockBuilder, IndexEntriesFollowTheSharedBytes) {
  BlockBuilder builder(4);
  builder.AddIndexEntry("key00003", {.value = "full", .delta = "d"});
  builder.AddIndexEntry("key00007", {.value = "full", .delta = "d"});
  builder.AddIndexEntry("key00011",
                        {.value = "full", .delta = "d", .must_be_full = true});
  const std::string expected = std::string("\0\x08key00003full", 14) +
                               std::string("\x07\x01", 2) + "7d" +
                               std::string("\0\x08key00011full", 14);
  EXPECT_EQ(builder.Finish().ToString().substr(0, expected.size()), expected);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
