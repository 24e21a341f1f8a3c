// The filter of a memtable: alone, and asked before the entries.
//
// Runs tests/testdata/memtables/filters.txt: cases of memtables in the words of
// memtable_script.h, and
//
//   filter [bytes:N] [whole_keys] [prefix:BYTES] [line]
//   add KEY ..
//   key KEY ..        may a version of each be there?
//   seek KEY .. [upper:KEY] [auto]    may a seek to each find anything of its
//                     prefix? With auto, and not without, for those alone that
//                     stay in it.
//   prefixes BYTES    are its prefixes those of such an extractor? 0: of none
#include "memtable/memtable_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "tests/memtable/memtable_script.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Extractor = std::shared_ptr<const SliceTransform>;

Extractor FixedPrefix(size_t bytes) {
  return Extractor(NewFixedPrefixTransform(bytes));
}
std::string NumberedKey(int i) { return "key" + std::to_string(i); }

class ShapesTest : public ::testing::TestWithParam<MemTableFilter::Shape> {};

TEST_P(ShapesTest, HoldsWhatWasAddedAndLittleElse) {
  constexpr int kKeys = 10000;
  MemTableFilter::Shape shape = GetParam();
  shape.bytes = kKeys * 10 / 8;  // ten bits a key
  const auto filter = MemTableFilter::Make(shape);
  ASSERT_NE(filter, nullptr);
  EXPECT_LE(filter->memory_bytes(), shape.bytes);
  EXPECT_FALSE(filter->MayHoldKey(NumberedKey(0)));
  for (int i = 0; i < kKeys; ++i) filter->Add(NumberedKey(i));
  int false_answers = 0;
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_TRUE(filter->MayHoldKey(NumberedKey(i)));
    false_answers += filter->MayHoldKey(NumberedKey(kKeys + i)) ? 1 : 0;
  }
  // About 1 % where bits may be anywhere, 1.5 % where they share a line.
  EXPECT_LT(false_answers, kKeys / 30);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ShapesTest,
    ::testing::Values(MemTableFilter::Shape{.has_whole_keys = true},
                      MemTableFilter::Shape{.has_whole_keys = true,
                                            .keeps_to_line = true},
                      // The whole key is its prefix.
                      MemTableFilter::Shape{
                          .prefix_extractor = Extractor(NewNoopTransform())}));

TEST(MemTableFilterTest, ThreadsAddAtTheSameTime) {
  const auto filter =
      MemTableFilter::Make({.bytes = 64 << 10, .has_whole_keys = true});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&filter, t] {
      for (int i = t; i < 8000; i += 4) filter->Add(NumberedKey(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8000; ++i)
    ASSERT_TRUE(filter->MayHoldKey(NumberedKey(i)));
}

class FilterScript {
 public:
  static std::string Answers(const ScriptCase& c) {
    if (c.command.starts_with("memtable")) return MemTableScript::Answers(c);
    return FilterScript(ScriptWords(c.command)).Run(c.body);
  }

  explicit FilterScript(const ScriptWords& command) {
    EXPECT_EQ(command.verb(), "filter");
    MemTableFilter::Shape shape;
    shape.bytes = command.Number("bytes", 0);
    shape.has_whole_keys = command.HasWord("whole_keys");
    shape.keeps_to_line = command.HasWord("line");
    if (command.Has("prefix")) {
      shape.prefix_extractor = FixedPrefix(command.Number("prefix", 2));
    }
    filter_ = MemTableFilter::Make(shape);
  }

  std::string Run(const std::string& body) {
    if (filter_ == nullptr) return "no filter";
    std::string text = "a filter\n";
    for (const std::string& line : LinesOf(body)) {
      const std::string answer = Answer(ScriptWords(line));
      if (!answer.empty()) text += answer + "\n";
    }
    return text;
  }

 private:
  std::string Answer(const ScriptWords& words) {
    const std::string& verb = words.verb();
    const std::string upper_bytes = words.Text("upper", "");
    const Slice upper(upper_bytes);
    ReadOptions read;
    read.auto_prefix_mode = words.HasWord("auto");
    if (words.Has("upper")) read.iterate_upper_bound = &upper;
    std::string text;
    for (const std::string& word : words.words()) {
      if (word == "auto") continue;
      if (verb == "add") {
        filter_->Add(word);
        continue;
      }
      bool may_hold = false;
      if (verb == "key") {
        may_hold = filter_->MayHoldKey(word);
      } else if (verb == "seek") {
        may_hold = filter_->MayHoldPrefix(read, word);
      } else {
        EXPECT_EQ(verb, "prefixes");
        const size_t bytes = std::stoull(word);
        const Extractor reader = bytes > 0 ? FixedPrefix(bytes) : nullptr;
        may_hold = filter_->HasPrefixesOf(reader.get());
      }
      JoinItem(&text, may_hold ? "yes" : "no");
    }
    return text;
  }

  std::unique_ptr<MemTableFilter> filter_;
};

TEST(MemTableFilterTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("memtables/filters.txt", FilterScript::Answers), 19u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
