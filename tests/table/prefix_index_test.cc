// The prefixes of a file with a hash index.
//
// Runs tests/testdata/sst/prefix_index.txt:
//
//   index [length:BYTES]   of the prefixes that the file is written with; 3
//   PREFIX@BLOCK ..        of each key, in order, with its data block; instead
//                          of these, the two blocks as they are stored:
//   stored PREFIXES NUMBER ..    and the numbers of the metadata
//   > stored               the two blocks
//   > lacks KEY .. [length:BYTES] [extractor:none]    is no key with the prefix
//                          of each there, as far as a reader knows whose
//                          prefixes have that length?
#include "table/prefix_index.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "table/prefix_index_builder.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PrefixIndexTest : public ::testing::Test {
 protected:
  PrefixIndexTest() : extractor_(NewFixedPrefixTransform(3)) {
    builder_.Add("abc", 0);
    builder_.Add("abc", 1);
    builder_.Add("abd", 1);
    builder_.Add("xyz", 4);
    builder_.Finish();
  }
  std::unique_ptr<const PrefixIndex> Parse(const std::string& prefixes,
                                           const std::string& metadata) {
    problem_ = nullptr;
    auto index = PrefixIndex::Parse(prefixes, metadata, extractor_, &problem_);
    EXPECT_EQ(index == nullptr, problem_ != nullptr);
    return index;
  }

  const std::shared_ptr<const SliceTransform> extractor_;
  PrefixIndexBuilder builder_;
  const char* problem_ = nullptr;
};

TEST_F(PrefixIndexTest, SurvivesArbitraryBytes) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random64 random(seed);
    std::string metadata = builder_.metadata();
    metadata[random.Uniform(metadata.size())] =
        static_cast<char>(random.Uniform(256));
    const auto index = Parse(builder_.prefixes(), metadata);
    if (index != nullptr) index->Lacks(extractor_.get(), "abcd");
  }
}

class PrefixIndexScript {
 public:
  explicit PrefixIndexScript(const ScriptCase& c) : steps_(c.body) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "index");
    extractor_.reset(NewFixedPrefixTransform(command.Number("length", 3)));
    if (!steps_.given.empty() && steps_.given[0].starts_with("stored")) {
      Store(ScriptWords(steps_.given[0]));
    } else {
      for (const std::string& line : steps_.given) BuildFrom(line);
    }
  }

  std::string Answers() {
    const char* problem = nullptr;
    index_ = PrefixIndex::Parse(prefixes_, metadata_, extractor_, &problem);
    EXPECT_EQ(index_ == nullptr, problem != nullptr);
    if (index_ == nullptr) return problem;
    EXPECT_GT(index_->memory_bytes(), prefixes_.size());
    return AnswerEachLine(steps_.asked, [this](const ScriptWords& words) {
      if (words.verb() == "lacks") return Lacks(words);
      EXPECT_EQ(words.verb(), "stored");
      return "'" + TextOfBytes(prefixes_) + "' " + TextOfBytes(metadata_) + ".";
    });
  }

 private:
  void BuildFrom(const std::string& line) {
    PrefixIndexBuilder builder;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const size_t at = word.find('@');
      builder.Add(word.substr(0, at),
                  static_cast<uint32_t>(std::stoul(word.substr(at + 1))));
    }
    builder.Finish();
    prefixes_ = builder.prefixes();
    metadata_ = builder.metadata();
  }
  void Store(const ScriptWords& words) {
    prefixes_ = words.Word(0);
    for (size_t i = 1; i < words.words().size(); ++i) {
      PutVarint32(&metadata_,
                  static_cast<uint32_t>(std::stoul(words.words()[i])));
    }
  }
  std::string Lacks(const ScriptWords& words) const {
    std::shared_ptr<const SliceTransform> reader = extractor_;
    if (words.Has("length")) {
      reader.reset(NewFixedPrefixTransform(words.Number("length", 3)));
    }
    if (words.Has("extractor")) reader = nullptr;
    std::string text;
    for (const std::string& key : words.words()) {
      JoinItem(&text, index_->Lacks(reader.get(), key) ? "yes" : "no");
    }
    return text;
  }

  const ScriptSteps steps_;
  std::shared_ptr<const SliceTransform> extractor_;
  std::string prefixes_;
  std::string metadata_;
  std::unique_ptr<const PrefixIndex> index_;
};

TEST(PrefixIndexScriptTest, EveryCaseOfTheScript) {
  const size_t count = RunScript(
      "sst/prefix_index.txt",
      [](const ScriptCase& c) { return PrefixIndexScript(c).Answers(); });
  EXPECT_GE(count, 14u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
