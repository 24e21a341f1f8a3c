// Indexes of data blocks: separators, and which block a search finds.
//
// Runs tests/testdata/sst/index_blocks.txt:
//
//   index [OPTION ..]      OPTIONs: version:N (of the format), restarts:N,
//                          shorten:none, separators or successor, reverse,
//                          first_keys, guess (interpolate)
//   LAST@SEQUENCE+SIZE ..  the data blocks, one behind the other, with the last
//                          key of each; LAST@SEQUENCE+SIZE+GAP leaves out so
//                          many bytes behind it
//   > entries              of the index: KEY (user keys alone) or KEY@SEQUENCE,
//                          with the place of the block
//   > bytes                of the index
//   > find KEY@SEQUENCE .. the block where a search for each begins, from 0 on
#include "table/index_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "table/index_builder.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Shortening = BlockBasedTableOptions::IndexShorteningMode;

std::string IndexKeyOf(const std::string& user, SequenceNumber sequence) {
  std::string key;
  AppendInternalKey(&key, user, sequence, kTypeValue);
  return key;
}

// Blocks of one key each, adjacent or with gaps.
struct Blocks {
  std::vector<std::string> keys;
  std::vector<BlockHandle> handles;
};

Blocks RandomBlocks(Random64* random, const InternalKeyComparator& order,
                    bool has_gaps) {
  const auto less = [&order](const std::string& a, const std::string& b) {
    return order.Compare(a, b) < 0;
  };
  std::set<std::string, decltype(less)> keys(less);
  const uint64_t count = random->Uniform(60);
  const std::string common(random->Uniform(12), 'p');
  for (uint64_t i = 0; i < count; ++i) {
    std::string user = common;
    for (uint64_t n = random->Uniform(12); n > 0; --n) {
      user += static_cast<char>(random->OneIn(3) ? 0xff : random->Uniform(3));
    }
    keys.insert(IndexKeyOf(user, random->OneIn(5) ? random->Uniform(3) : 7));
  }
  Blocks blocks;
  uint64_t offset = 0;
  for (const std::string& key : keys) {
    const BlockHandle handle{.offset = offset, .size = random->Skewed(20)};
    blocks.keys.push_back(key);
    blocks.handles.push_back(handle);
    offset = handle.end_with_trailer();
    if (has_gaps && random->OneIn(3)) offset += random->Uniform(1000);
  }
  return blocks;
}

IndexBuilder::Options RandomOptions(Random64* random,
                                    const InternalKeyComparator* order) {
  IndexBuilder::Options options;
  options.order = order;
  options.format_version = static_cast<uint32_t>(2 + random->Uniform(6));
  options.restart_interval = static_cast<int>(1 + random->Uniform(6));
  options.shortening = static_cast<Shortening>(random->Uniform(3));
  options.has_delta_values = options.format_version >= 4;
  options.uniform_cv_threshold = random->OneIn(2) ? -1 : 1;
  return options;
}

// The payload of an index in one block.
std::string PayloadOf(IndexBuilder* builder) {
  std::string payload;
  BlockHandle handle;
  const Status s = builder->Finish(
      [&payload](const Slice& bytes, BlockHandle*) {
        EXPECT_TRUE(payload.empty());
        payload = bytes.ToString();
        return Status::OK();
      },
      &handle);
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(payload.size(), builder->raw_bytes());
  return payload;
}

void CheckIndex(const InternalKeyComparator& order, const Blocks& blocks,
                const IndexBlock& index, const std::string& target) {
  // The first block with a key at or after the target, and maybe the one
  // before it, whose separator is shortened.
  size_t expected = 0;
  while (expected < blocks.keys.size() &&
         order.Compare(blocks.keys[expected], target) < 0) {
    ++expected;
  }
  const size_t found = index.Seek(order, target);
  ASSERT_LE(found, expected);
  if (found < expected) {
    ASSERT_EQ(found + 1, expected);
    std::string separator;
    index.InternalKeyOf(found, &separator);
    ASSERT_GE(order.Compare(separator, target), 0);
  }
}

void RunSeed(uint64_t seed, const Comparator* comparator) {
  const InternalKeyComparator order(comparator);
  Random64 random(seed);
  const Blocks blocks = RandomBlocks(&random, order, random.OneIn(2));
  const IndexBuilder::Options options = RandomOptions(&random, &order);
  IndexBuilder builder(options);
  for (size_t i = 0; i < blocks.keys.size(); ++i) {
    const Slice next =
        i + 1 < blocks.keys.size() ? Slice(blocks.keys[i + 1]) : Slice();
    const Slice separator = builder.Separator(
        blocks.keys[i], i + 1 < blocks.keys.size() ? &next : nullptr);
    builder.Add({.separator = separator, .handle = blocks.handles[i]});
  }
  const std::string payload = PayloadOf(&builder);
  IndexBlock index({.has_user_keys = builder.has_user_keys(),
                    .has_delta_values = builder.has_delta_values(),
                    .search = static_cast<IndexSearch>(random.Uniform(3))});
  ASSERT_EQ(index.Append(payload), nullptr);
  index.Finish(order);
  ASSERT_EQ(index.size(), blocks.keys.size());
  for (size_t i = 0; i < index.size(); ++i) {
    ASSERT_EQ(index.handle(i), blocks.handles[i]) << i;
  }
  for (const std::string& key : blocks.keys) {
    const std::string user = ExtractUserKey(key).ToString();
    for (const std::string& target :
         {key, IndexKeyOf(user, 2), IndexKeyOf(user + '\1', 2),
          IndexKeyOf(user.substr(0, user.size() / 2), 2)}) {
      ASSERT_NO_FATAL_FAILURE(CheckIndex(order, blocks, index, target));
    }
  }
  // Changes nothing that follows.
  const std::vector<Slice> some(
      blocks.keys.begin(),
      blocks.keys.begin() +
          std::min(blocks.keys.size(), IndexBlock::kMostTogether));
  index.Fetch(some.data(), some.size());
  CheckIndex(order, blocks, index, IndexKeyOf("", 1));
  CheckIndex(order, blocks, index, IndexKeyOf("\xff\xff\xff\xff", 1));
}

TEST(IndexBlock, FindsTheBlockOfEveryKey) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    RunSeed(seed, BytewiseComparator());
    RunSeed(seed, ReverseBytewiseComparator());
  }
}

TEST(IndexBlock, SurvivesArbitraryBytes) {
  const InternalKeyComparator order;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random64 random(seed);
    const Blocks blocks = RandomBlocks(&random, order, true);
    IndexBuilder builder(RandomOptions(&random, &order));
    for (size_t i = 0; i < blocks.keys.size(); ++i) {
      builder.Add({.separator = blocks.keys[i], .handle = blocks.handles[i]});
    }
    std::string bytes = PayloadOf(&builder);
    for (uint64_t n = random.Uniform(5); n > 0; --n) {
      bytes[random.Uniform(bytes.size())] =
          static_cast<char>(random.Uniform(256));
    }
    const auto copy = std::make_unique<char[]>(bytes.size());
    memcpy(copy.get(), bytes.data(), bytes.size());
    IndexBlock index({.has_user_keys = random.OneIn(2),
                      .has_delta_values = random.OneIn(2),
                      .has_first_keys = random.OneIn(3),
                      .search = static_cast<IndexSearch>(random.Uniform(3))});
    if (index.Append(Slice(copy.get(), bytes.size())) != nullptr) continue;
    index.Finish(order);
    const std::string target = IndexKeyOf("pq", 3);
    const std::string shorter = IndexKeyOf("", 3);
    const std::array<Slice, 2> both = {target, shorter};
    index.Fetch(both.data(), both.size());
    EXPECT_LE(index.Seek(order, target), index.size());
  }
}

IndexBlock RandomIndex(Random64* random, const InternalKeyComparator& order,
                       Blocks* blocks) {
  *blocks = RandomBlocks(random, order, true);
  IndexBuilder::Options options = RandomOptions(random, &order);
  options.has_first_keys = random->OneIn(2);
  IndexBuilder builder(options);
  for (size_t i = 0; i < blocks->keys.size(); ++i) {
    builder.Add({.separator = blocks->keys[i],
                 .handle = blocks->handles[i],
                 .first_key = blocks->keys[i]});
  }
  const std::string payload = PayloadOf(&builder);
  IndexBlock index({.has_user_keys = builder.has_user_keys(),
                    .has_delta_values = builder.has_delta_values(),
                    .has_first_keys = options.has_first_keys});
  EXPECT_EQ(index.Append(payload), nullptr);
  index.Finish(order);
  return index;
}

TEST(SavedIndex, IsTheSameIndexAgain) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const InternalKeyComparator order(
        random.OneIn(2) ? BytewiseComparator() : ReverseBytewiseComparator());
    Blocks blocks;
    const IndexBlock index = RandomIndex(&random, order, &blocks);
    std::string saved;
    index.SaveTo(&saved);
    ASSERT_EQ(saved.size(), index.SavedBytes());
    const std::unique_ptr<IndexBlock> again = IndexBlock::FromSaved(saved);
    ASSERT_NE(again, nullptr);
    ASSERT_EQ(again->size(), index.size());
    EXPECT_EQ(again->has_user_keys(), index.has_user_keys());
    for (size_t i = 0; i < index.size(); ++i) {
      ASSERT_EQ(again->handle(i), index.handle(i));
      ASSERT_EQ(again->key(i), index.key(i));
      ASSERT_EQ(again->first_key(i), index.first_key(i));
      ASSERT_EQ(again->Seek(order, blocks.keys[i]),
                index.Seek(order, blocks.keys[i]));
    }
  }
}

TEST(SavedIndex, DamageMakesNoIndexOrASoundOne) {
  const InternalKeyComparator order;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Random64 random(seed);
    Blocks blocks;
    std::string saved;
    RandomIndex(&random, order, &blocks).SaveTo(&saved);
    EXPECT_EQ(IndexBlock::FromSaved(
                  Slice(saved.data(), random.Uniform(saved.size()))),
              nullptr);
    for (uint64_t n = 1 + random.Uniform(4); n > 0; --n) {
      saved[random.Uniform(saved.size())] =
          static_cast<char>(random.Uniform(256));
    }
    const std::unique_ptr<IndexBlock> index = IndexBlock::FromSaved(saved);
    if (index == nullptr) continue;
    EXPECT_LE(index->Seek(order, IndexKeyOf("pq", 3)), index->size());
    for (size_t i = 0; i < index->size(); ++i) {
      EXPECT_LE(index->user_key(i).size(), saved.size());
      EXPECT_LE(index->first_key(i).size(), saved.size());
    }
  }
}

class IndexScript {
 public:
  explicit IndexScript(const ScriptCase& c)
      : command_(c.command),
        steps_(c.body),
        order_(command_.HasWord("reverse") ? ReverseBytewiseComparator()
                                           : BytewiseComparator()) {
    EXPECT_EQ(command_.verb(), "index");
    uint64_t offset = 0;
    for (const std::string& line : steps_.given) {
      std::istringstream words(line);
      for (std::string word; words >> word;) AddBlock(word, &offset);
    }
  }

  std::string Answers() {
    IndexBuilder builder(Options());
    for (size_t i = 0; i < blocks_.keys.size(); ++i) {
      const bool is_last = i + 1 == blocks_.keys.size();
      const Slice next = is_last ? Slice() : Slice(blocks_.keys[i + 1]);
      builder.Add({.separator = builder.Separator(blocks_.keys[i],
                                                  is_last ? nullptr : &next),
                   .handle = blocks_.handles[i],
                   .first_key = blocks_.keys[i]});
    }
    const std::string payload = PayloadOf(&builder);
    IndexBlock index({.has_user_keys = builder.has_user_keys(),
                      .has_delta_values = builder.has_delta_values(),
                      .has_first_keys = command_.HasWord("first_keys"),
                      .search = command_.HasWord("guess")
                                    ? IndexSearch::kInterpolation
                                    : IndexSearch::kBinary});
    const char* problem = index.Append(payload);
    if (problem != nullptr) return problem;
    index.Finish(order_);
    ExpectSaved(index);
    return AnswerEachLine(steps_.asked, [&](const ScriptWords& words) {
      if (words.verb() == "entries") return Entries(index);
      if (words.verb() == "bytes") return TextOfBytes(payload);
      EXPECT_EQ(words.verb(), "find");
      std::string text;
      for (const std::string& word : words.words()) {
        JoinItem(&text, std::to_string(index.Seek(order_, KeyIn(word))));
      }
      return text;
    });
  }

 private:
  static std::string KeyIn(const std::string& text) {
    const size_t at = text.find('@');
    return IndexKeyOf(BytesOfText(text.substr(0, at)),
                      std::stoull(text.substr(at + 1)));
  }
  void AddBlock(const std::string& word, uint64_t* offset) {
    const size_t plus = word.find('+');
    const size_t gap = word.find('+', plus + 1);
    const BlockHandle handle{.offset = *offset,
                             .size = std::stoull(word.substr(plus + 1))};
    blocks_.keys.push_back(KeyIn(word.substr(0, plus)));
    blocks_.handles.push_back(handle);
    *offset = handle.end_with_trailer();
    if (gap != word.npos) *offset += std::stoull(word.substr(gap + 1));
  }
  IndexBuilder::Options Options() const {
    IndexBuilder::Options options;
    options.order = &order_;
    options.format_version =
        static_cast<uint32_t>(command_.Number("version", 7));
    options.has_delta_values = options.format_version >= 4;
    options.restart_interval = static_cast<int>(command_.Number("restarts", 1));
    options.has_first_keys = command_.HasWord("first_keys");
    const std::string shorten = command_.Text("shorten", "separators");
    options.shortening = Shortening::kShortenSeparators;
    if (shorten == "none") options.shortening = Shortening::kNoShortening;
    if (shorten == "successor") {
      options.shortening = Shortening::kShortenSeparatorsAndSuccessor;
    }
    return options;
  }
  static std::string Entries(const IndexBlock& index) {
    std::string text;
    for (size_t i = 0; i < index.size(); ++i) {
      std::string key = TextOfBytes(index.user_key(i).ToStringView());
      if (!index.has_user_keys()) {
        const uint64_t sequence =
            ExtractTrailer(index.key(i)) >> kInternalKeyTrailerBytes;
        key +=
            "@" +
            (sequence == kMaxSequenceNumber ? "max" : std::to_string(sequence));
      }
      if (!index.first_key(i).empty()) {
        key += " from " + ExtractUserKey(index.first_key(i)).ToString();
      }
      const BlockHandle& handle = index.handle(i);
      JoinItem(&text,
               TextOr(key, "''") + " " + std::to_string(handle.offset) + "+" +
                   std::to_string(handle.size),
               ", ");
    }
    return TextOr(text, "none");
  }
  // What a secondary cache would give back is the same index.
  static void ExpectSaved(const IndexBlock& index) {
    std::string saved;
    index.SaveTo(&saved);
    EXPECT_EQ(saved.size(), index.SavedBytes());
    const std::unique_ptr<IndexBlock> again = IndexBlock::FromSaved(saved);
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(Entries(*again), Entries(index));
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  const InternalKeyComparator order_;
  Blocks blocks_;
};

TEST(IndexScriptTest, EveryCaseOfTheScript) {
  const size_t count =
      RunScript("sst/index_blocks.txt",
                [](const ScriptCase& c) { return IndexScript(c).Answers(); });
  EXPECT_GE(count, 20u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
