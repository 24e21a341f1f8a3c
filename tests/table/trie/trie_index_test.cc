// The trie of data blocks by itself: what it finds, against an ordered map too,
// and that damaged bytes are refused or harmless.
//
// Runs tests/testdata/sst/trie_index.txt:
//
//   trie [order:ORDER]    of a comparator: bytewise, reverse or none, which the
//                         reader has, too
//   LAST@SEQUENCE, or FIRST@SEQUENCE..LAST@SEQUENCE    for each block its last
//                         entry, and its first one if there are more. A size
//                         stands behind "/", a place behind "//", if it is an
//                         unusual one. A letter with *COUNT is a long key
//   version N             what the bytes say they are
//   > steps STEP ..       first, last, next, prev, to:KEY@SEQUENCE: the block,
//                         from 0 on, with the key that ends it; or "beyond" the
//                         limit of a scan, or the end
//   > ranges BEGIN-LIMIT ..    of a scan that is to come; some have no limit
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/advanced_iterator.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/scan_options.h"
#include "table/trie/bit_vector.h"
#include "table/trie/trie_block.h"
#include "table/trie/trie_index_factory.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/key/internal_key.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Handle = UserDefinedIndexBuilder::BlockHandle;

// Entries in the order of internal keys, in blocks; what an index of them says
// is found by looking at all of them.
class TrieModel {
 public:
  // Each block's entries, ascending.
  std::vector<std::vector<std::pair<std::string, uint64_t>>> blocks;

  std::string Build() const {
    const TrieIndexFactory factory;
    const std::unique_ptr<UserDefinedIndexBuilder> builder(
        factory.NewBuilder());
    for (size_t i = 0; i < blocks.size(); ++i) {
      const auto& [last, last_tag] = blocks[i].back();
      UserDefinedIndexBuilder::IndexEntryContext context;
      context.last_key_tag = last_tag;
      Slice next;
      if (i + 1 < blocks.size()) {
        next = blocks[i + 1].front().first;
        context.first_key_tag = blocks[i + 1].front().second;
      }
      std::string scratch;
      const Slice separator =
          builder->AddIndexEntry(last, i + 1 < blocks.size() ? &next : nullptr,
                                 HandleOf(i), &scratch, context);
      EXPECT_GE(separator.compare(last), 0);
      if (!next.empty()) {
        EXPECT_LE(separator.compare(next), 0);
      }
    }
    Slice contents;
    EXPECT_TRUE(builder->Finish(&contents).ok());
    EXPECT_LE(contents.size(), builder->EstimatedSize() * 4 + 4096);
    return contents.ToString();
  }
  // The first block with an entry at or after (key, tag); size(): none.
  size_t Seek(const std::string& key, uint64_t tag) const {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const auto& [last, last_tag] = blocks[i].back();
      if (last > key || (last == key && last_tag <= tag)) return i;
    }
    return blocks.size();
  }
  static Handle HandleOf(size_t block) { return {100 * block, 10 + block}; }
};

size_t BlockOf(const Handle& handle) {
  const size_t block = handle.offset / 100;
  EXPECT_EQ(10 + block, handle.size);
  return block;
}

class TrieIndexTest : public testing::Test {
 protected:
  void Open(const std::string& bytes) {
    iterator_.reset();
    bytes_ = bytes;
    Slice block(bytes_);
    const TrieIndexFactory factory;
    const Status s =
        factory.NewReader(UserDefinedIndexOption(), block, reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
    iterator_ = reader_->NewIterator(ReadOptions());
  }
  // The block that a step came to, or `none`.
  size_t Came(const Status& s, const IterateResult& result, size_t none) {
    EXPECT_TRUE(s.ok()) << s.ToString();
    if (result.bound_check_result != IterBoundCheck::kInbound) return none;
    return BlockOf(iterator_->value());
  }
  size_t Seek(const std::string& key, uint64_t tag, size_t none) {
    IterateResult result;
    const Status s = iterator_->SeekAndGetResult(key, &result, {tag});
    return Came(s, result, none);
  }
  void CheckScan(const TrieModel& model) {
    const size_t none = model.blocks.size();
    IterateResult result;
    size_t at = Came(iterator_->SeekToFirstAndGetResult(&result), result, none);
    for (size_t i = 0; i < none; ++i) {
      ASSERT_EQ(i, at);
      EXPECT_GE(result.key.compare(model.blocks[i].back().first), 0);
      at = Came(iterator_->NextAndGetResult(&result), result, none);
    }
    EXPECT_EQ(none, at);
    at = Came(iterator_->SeekToLastAndGetResult(&result), result, none);
    for (size_t i = none; i-- > 0;) {
      ASSERT_EQ(i, at);
      at = Came(iterator_->PrevAndGetResult(&result), result, none);
    }
    EXPECT_EQ(none, at);
  }
  // A seek may come to the block in front of the one that has the entry, where
  // the key that parts them is as large: never to one behind it.
  void CheckSeek(const TrieModel& model, const std::string& key, uint64_t tag) {
    const size_t none = model.blocks.size();
    const size_t expected = model.Seek(key, tag);
    const size_t found = Seek(key, tag, none);
    if (found == expected) return;
    ASSERT_EQ(found + 1, expected) << key << " " << tag;
    IterateResult result;
    ASSERT_EQ(expected,
              Came(iterator_->NextAndGetResult(&result), result, none));
  }

  std::string bytes_;
  std::unique_ptr<UserDefinedIndexReader> reader_;
  std::unique_ptr<UserDefinedIndexIterator> iterator_;
};

std::string RandomKey(Random64* random, size_t letters, size_t max_size) {
  std::string key;
  for (size_t n = random->Uniform(max_size + 1); n > 0; --n) {
    key.push_back(static_cast<char>(letters == 256
                                        ? random->Uniform(256)
                                        : 'a' + random->Uniform(letters)));
  }
  return key;
}

TrieModel RandomModel(Random64* random) {
  constexpr size_t kLetters[] = {1, 2, 4, 256};
  const size_t letters = kLetters[random->Uniform(4)];
  const size_t max_size = 1 + random->Uniform(12);
  std::map<std::string, size_t> keys;  // how many versions
  for (size_t n = 1 + random->Uniform(400); n > 0; --n) {
    keys[RandomKey(random, letters, max_size)] =
        random->OneIn(8) ? 1 + random->Uniform(12) : 1;
  }
  TrieModel model;
  const uint64_t mean = 1 + random->Uniform(5);
  for (const auto& [key, versions] : keys) {
    for (size_t i = versions; i-- > 0;) {
      if (model.blocks.empty() || random->OneIn(mean)) {
        model.blocks.emplace_back();
      }
      model.blocks.back().emplace_back(key, ((100 + 7 * i) << 8) | 1);
    }
  }
  return model;
}

TEST_F(TrieIndexTest, AsEveryKeyLookedAt) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const TrieModel model = RandomModel(&random);
    ASSERT_NO_FATAL_FAILURE(Open(model.Build()));
    ASSERT_NO_FATAL_FAILURE(CheckScan(model));
    for (const auto& block : model.blocks) {
      for (const auto& [key, tag] : block) {
        for (const uint64_t sought : {tag, tag - 1, tag + 1, UINT64_MAX}) {
          ASSERT_NO_FATAL_FAILURE(CheckSeek(model, key, sought));
        }
        ASSERT_NO_FATAL_FAILURE(
            CheckSeek(model, key + std::string(1, '\0'), UINT64_MAX));
        ASSERT_NO_FATAL_FAILURE(
            CheckSeek(model, key.substr(0, key.size() / 2), UINT64_MAX));
      }
    }
    for (int i = 0; i < 200; ++i) {
      ASSERT_NO_FATAL_FAILURE(CheckSeek(
          model, RandomKey(&random, i % 2 == 0 ? 256 : 4, 12), UINT64_MAX));
    }
  }
}

// Turns amid a scan: Next and Prev in any order from where a seek came to.
TEST_F(TrieIndexTest, StepsToAndFro) {
  for (uint64_t seed = 100; seed < 130; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const TrieModel model = RandomModel(&random);
    const size_t none = model.blocks.size();
    ASSERT_NO_FATAL_FAILURE(Open(model.Build()));
    for (int i = 0; i < 50; ++i) {
      const auto& block = model.blocks[random.Uniform(none)];
      size_t at = Seek(block.front().first, UINT64_MAX, none);
      ASSERT_LT(at, none);
      for (int step = 0; step < 20; ++step) {
        IterateResult result;
        if (random.OneIn(2)) {
          if (at + 1 == none) break;
          ASSERT_EQ(++at,
                    Came(iterator_->NextAndGetResult(&result), result, none));
        } else {
          if (at == 0) break;
          ASSERT_EQ(--at,
                    Came(iterator_->PrevAndGetResult(&result), result, none));
        }
      }
    }
  }
}

// Whatever a byte becomes: an error, or walks that end.
TEST_F(TrieIndexTest, DamageEndsWalksOrIsRefused) {
  Random64 random(7);
  TrieModel model;
  do {
    model = RandomModel(&random);
  } while (model.blocks.size() < 40);
  const std::string good = model.Build();
  const TrieIndexFactory factory;
  size_t refused = 0;
  const auto walk = [&](const std::string& bytes) {
    Slice block(bytes);
    std::unique_ptr<UserDefinedIndexReader> reader = factory.NewReader(block);
    if (reader == nullptr) {
      ++refused;
      return;
    }
    const auto iterator = reader->NewIterator(ReadOptions());
    IterateResult result;
    ASSERT_TRUE(iterator->SeekToFirstAndGetResult(&result).ok());
    size_t steps = 0;
    while (result.bound_check_result == IterBoundCheck::kInbound) {
      ASSERT_LE(++steps, 4 * model.blocks.size());
      static_cast<void>(iterator->value());
      ASSERT_TRUE(iterator->NextAndGetResult(&result).ok());
    }
    for (const auto& entries : model.blocks) {
      ASSERT_TRUE(
          iterator->SeekAndGetResult(entries[0].first, &result, {1}).ok());
    }
  };
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << random.Uniform(8)));
    ASSERT_NO_FATAL_FAILURE(walk(bad)) << at;
  }
  EXPECT_GT(refused, 0u);
  for (size_t size = 0; size < good.size(); ++size) {
    Slice cut(good.data(), size);
    EXPECT_EQ(nullptr, factory.NewReader(cut)) << size;
  }
}

TEST(BitVectorTest, PlacesAndCounts) {
  for (const size_t size : {0, 1, 63, 64, 255, 256, 257, 512, 3000}) {
    for (const uint64_t one_in : {1, 2, 100}) {
      Random64 random(size + one_in);
      BitVectorBuilder builder;
      std::vector<bool> bits;
      for (size_t i = 0; i < size; ++i) {
        bits.push_back(random.OneIn(one_in));
        builder.Append(bits.back());
      }
      std::string bytes;
      builder.AppendTo(&bytes);
      EXPECT_EQ(0u, bytes.size() % 8);
      TrieInput input(bytes);
      BitVector vector;
      ASSERT_EQ(nullptr, vector.Take(&input));
      EXPECT_EQ(0u, input.left());
      ASSERT_EQ(size, vector.size());
      uint64_t ones = 0;
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(ones, vector.OnesBefore(i));
        ASSERT_EQ(bits[i], vector[i]);
        if (!bits[i]) continue;
        ASSERT_EQ(i, vector.PlaceOfOne(ones++));
      }
      ASSERT_EQ(ones, vector.ones());
      ASSERT_EQ(ones, vector.OnesBefore(size));
      for (int i = 0; i < 200; ++i) {
        const size_t from = random.Uniform(size + 1);
        const size_t to = from + random.Uniform(size - from + 1);
        uint64_t first = BitVector::kNone;
        uint64_t last = BitVector::kNone;
        for (size_t at = from; at < to; ++at) {
          if (bits[at] && first == BitVector::kNone) first = at;
          if (bits[at]) last = at;
        }
        ASSERT_EQ(first, vector.FirstOne(from, to));
        ASSERT_EQ(last, vector.LastOne(from, to));
      }
    }
  }
}

class TrieScript {
 public:
  explicit TrieScript(const ScriptCase& c)
      : command_(c.command), steps_(c.body) {
    EXPECT_EQ(command_.verb(), "trie");
    const std::string order = command_.Text("order", "bytewise");
    if (order == "bytewise") option_.comparator = BytewiseComparator();
    if (order == "reverse") option_.comparator = ReverseBytewiseComparator();
  }

  std::string Answers() {
    ConfigOptions config;
    config.ignore_unsupported_options = false;
    Status s = UserDefinedIndexFactory::CreateFromString(config, "trie_index",
                                                         &factory_);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_STREQ("trie_index", factory_->Name());
    s = Build();
    std::string text = s.ok() ? "" : s.ToString() + "\n";
    if (s.ok() && bytes_.empty()) return "no index";
    if (!s.ok()) bytes_ = "anything";
    Slice block(bytes_);
    s = factory_->NewReader(option_, block, reader_);
    if (!s.ok()) return text + s.ToString();
    iterator_ = reader_->NewIterator(ReadOptions());
    for (const std::string& line : steps_.asked) text += Answer(line);
    return text;
  }

 private:
  struct Entry {
    std::string key;
    uint64_t tag = 0;
  };
  struct TrieBlock {
    Entry first, last;
    Handle handle;
  };

  static Entry EntryIn(const std::string& text) {
    const size_t at = text.find('@');
    std::string key = text.substr(0, at);
    const size_t star = key.find('*');
    if (star != key.npos) {
      key = std::string(std::stoull(key.substr(star + 1)), key[0]);
    }
    return {key, (std::stoull(text.substr(at + 1)) << 8) | kTypeValue};
  }
  void AddBlock(const std::string& word) {
    const size_t dots = word.find("..");
    TrieBlock block;
    block.handle = TrieModel::HandleOf(blocks_.size());
    block.last = EntryIn(dots == word.npos ? word : word.substr(dots + 2));
    block.first =
        dots == word.npos ? block.last : EntryIn(word.substr(0, dots));
    const size_t slash = word.find('/');
    if (slash != word.npos && word[slash + 1] == '/') {
      block.handle.offset = std::stoull(word.substr(slash + 2));
    } else if (slash != word.npos) {
      block.handle.size = std::stoull(word.substr(slash + 1));
    }
    blocks_.push_back(block);
  }
  Status Build() {
    std::string version;
    for (const std::string& line : steps_.given) {
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        if (word == "version") {
          words >> version;
        } else {
          AddBlock(word);
        }
      }
    }
    std::unique_ptr<UserDefinedIndexBuilder> builder;
    Status s = factory_->NewBuilder(option_, builder);
    if (!s.ok()) return s;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const bool is_last = i + 1 == blocks_.size();
      UserDefinedIndexBuilder::IndexEntryContext context;
      context.last_key_tag = blocks_[i].last.tag;
      Slice next;
      if (!is_last) {
        next = blocks_[i + 1].first.key;
        context.first_key_tag = blocks_[i + 1].first.tag;
      }
      std::string scratch;
      builder->AddIndexEntry(blocks_[i].last.key, is_last ? nullptr : &next,
                             blocks_[i].handle, &scratch, context);
    }
    Slice contents("full");
    s = builder->Finish(&contents);
    bytes_ = contents.ToString();
    if (!version.empty()) bytes_.at(4) = static_cast<char>(std::stoi(version));
    return s;
  }

  std::string Answer(const std::string& line) {
    std::istringstream words(line);
    std::string verb, text;
    words >> verb;
    if (verb == "ranges") {
      SetRanges(line.substr(verb.size()));
      return "";
    }
    EXPECT_EQ(verb, "steps");
    for (std::string step; words >> step;) JoinItem(&text, Step(step), "  ");
    return text + "\n";
  }
  void SetRanges(const std::string& line) {
    range_bytes_.clear();
    std::istringstream words(line);
    for (std::string word; words >> word;) range_bytes_.push_back(word);
    ranges_.clear();
    for (const std::string& range : range_bytes_) {
      const size_t dash = range.find('-');
      const Slice begin(range.data(), std::min(dash, range.size()));
      if (dash == range.npos) {
        ranges_.emplace_back(begin);
      } else {
        ranges_.emplace_back(
            begin, Slice(range.data() + dash + 1, range.size() - dash - 1));
      }
    }
    iterator_->Prepare(ranges_.data(), ranges_.size());
  }
  std::string Step(const std::string& step) {
    IterateResult result;
    Status s;
    if (step == "first") {
      s = iterator_->SeekToFirstAndGetResult(&result);
    } else if (step == "last") {
      s = iterator_->SeekToLastAndGetResult(&result);
    } else if (step == "next") {
      s = iterator_->NextAndGetResult(&result);
    } else if (step == "prev") {
      s = iterator_->PrevAndGetResult(&result);
    } else {
      EXPECT_TRUE(step.starts_with("to:")) << step;
      const Entry target = EntryIn(step.substr(3));
      s = iterator_->SeekAndGetResult(target.key, &result, {target.tag});
    }
    if (!s.ok()) return s.ToString();
    if (result.bound_check_result == IterBoundCheck::kOutOfBound) {
      return "beyond";
    }
    if (result.bound_check_result == IterBoundCheck::kUnknown) return "end";
    const Handle handle = iterator_->value();
    size_t block = 0;
    while (block < blocks_.size() &&
           (blocks_[block].handle.offset != handle.offset ||
            blocks_[block].handle.size != handle.size)) {
      ++block;
    }
    const std::string key = result.key.ToString();
    return std::to_string(block) + " " +
           (key.size() > 100
                ? std::string(1, key[0]) + "*" + std::to_string(key.size())
                : TextOr(TextOfBytes(key), "''"));
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  UserDefinedIndexOption option_;
  std::shared_ptr<UserDefinedIndexFactory> factory_;
  std::vector<TrieBlock> blocks_;
  std::string bytes_;
  std::unique_ptr<UserDefinedIndexReader> reader_;
  std::unique_ptr<UserDefinedIndexIterator> iterator_;
  std::vector<std::string> range_bytes_;
  std::vector<ScanOptions> ranges_;
};

TEST(TrieScriptTest, EveryCaseOfTheScript) {
  const size_t count = RunScript("sst/trie_index.txt", [](const ScriptCase& c) {
    return TrieScript(c).Answers();
  });
  EXPECT_GE(count, 22u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
