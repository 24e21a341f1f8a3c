// The files of a level: which of them can hold a key.
//
// Runs tests/testdata/levels/level_files.txt:
//
//   level [reverse] [unchecked]    overlaps are an error, unless unchecked
//   NUMBER:KEY@SEQUENCE-KEY@SEQUENCE ..    files with their bounds; one whose
//                                  last entry is KEY! ends before that key: it
//                                  is the end of a range tombstone
//   > find KEY@SEQUENCE ..         the file where a search for each begins;
//                                  the sequence may be max
#include "db/tables/level_files.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string RandomKey(Random64* random) {
  // Long common prefixes, so that the eight-byte prefixes tie.
  std::string key(random->Uniform(3) * 5, 'k');
  for (uint64_t n = random->Uniform(4); n > 0; --n) {
    key.push_back(static_cast<char>(random->OneIn(4) ? 0 : 250 + n));
  }
  return key;
}

// Files over ascending keys; some end with a sentinel at the next one's first
// user key, some share a user key with the next.
std::vector<FileRef> RandomLevel(Random64* random,
                                 const InternalKeyComparator& order) {
  const auto before = [&order](const std::string& a, const std::string& b) {
    return order.Compare(Slice(a), Slice(b)) < 0;
  };
  std::set<std::string, decltype(before)> keys(before);
  for (uint64_t n = random->Uniform(40); n > 0; --n) {
    std::string key;
    AppendInternalKey(&key, RandomKey(random), random->Uniform(5), kTypeValue);
    keys.insert(key);
  }
  std::vector<FileRef> files;
  for (auto it = keys.begin(); it != keys.end();) {
    FileRef file = NewFileMeta(files.size() + 1, "", "");
    file->smallest = InternalKey::FromEncoded(*it);
    file->largest = file->smallest;
    for (uint64_t n = random->Uniform(3); n > 0 && it != keys.end(); --n) {
      file->largest = InternalKey::FromEncoded(*it++);
    }
    if (it != keys.end() && *it == file->smallest.Encode()) ++it;
    if (it != keys.end() && random->OneIn(3) &&
        order.CompareUserKeys(file->largest.user_key(), ExtractUserKey(*it)) <
            0) {
      file->largest = InternalKey::TombstoneSentinel(ExtractUserKey(*it));
    }
    files.push_back(file);
  }
  return files;
}

size_t LinearFirst(const std::vector<FileRef>& files,
                   const InternalKeyComparator& order, const Slice& key) {
  size_t i = 0;
  while (i < files.size() &&
         order.Compare(files[i]->largest.Encode(), key) < 0) {
    ++i;
  }
  return i;
}

TEST(LevelFiles, FindsWhatALinearSearchFinds) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    const InternalKeyComparator order(seed % 2 ? BytewiseComparator()
                                               : ReverseBytewiseComparator());
    const std::vector<FileRef> files = RandomLevel(&random, order);
    LevelFiles level;
    ASSERT_TRUE(LevelFiles::Build(files, order, true, &level).ok());
    ASSERT_EQ(level.size(), files.size());
    for (int i = 0; i < 60; ++i) {
      std::string key;
      AppendInternalKey(
          &key, RandomKey(&random),
          random.OneIn(4) ? kMaxSequenceNumber : random.Uniform(6),
          kValueTypeForSeek);
      ASSERT_EQ(level.FirstEndingAtOrAfter(key),
                LinearFirst(files, order, key));
    }
  }
}

// Files and searches of the script.
class LevelFilesScript {
 public:
  explicit LevelFilesScript(const ScriptCase& c)
      : command_(c.command),
        steps_(c.body),
        order_(command_.HasWord("reverse") ? ReverseBytewiseComparator()
                                           : BytewiseComparator()) {
    EXPECT_EQ(command_.verb(), "level");
  }

  std::string Answers() {
    std::vector<FileRef> files;
    for (const std::string& line : steps_.given) {
      std::istringstream words(line);
      for (std::string word; words >> word;) files.push_back(FileOf(word));
    }
    const Status s = LevelFiles::Build(files, order_,
                                       !command_.HasWord("unchecked"), &level_);
    if (!s.ok()) {
      EXPECT_TRUE(level_.empty()) << "untouched";
      return s.ToString();
    }
    EXPECT_EQ(level_.files(), files);
    return AnswerEachLine(steps_.asked, [this](const ScriptWords& words) {
      EXPECT_EQ(words.verb(), "find");
      std::string found;
      for (const std::string& word : words.words()) {
        const InternalKey key = KeyIn(word, kValueTypeForSeek);
        const size_t at = level_.FirstEndingAtOrAfter(key.Encode());
        JoinItem(&found, at == level_.size()
                             ? "none"
                             : std::to_string(level_.at(at)->number));
      }
      return found;
    });
  }

 private:
  static InternalKey KeyIn(const std::string& text, ValueType type) {
    if (text.ends_with("!")) {
      return InternalKey::TombstoneSentinel(text.substr(0, text.size() - 1));
    }
    const size_t at = text.find('@');
    const std::string sequence = text.substr(at + 1);
    return InternalKey(
        text.substr(0, at),
        sequence == "max" ? kMaxSequenceNumber : std::stoull(sequence), type);
  }
  static FileRef FileOf(const std::string& word) {
    const size_t colon = word.find(':');
    const size_t dash = word.find('-');
    FileRef file = NewFileMeta(std::stoull(word), "", "");
    file->smallest =
        KeyIn(word.substr(colon + 1, dash - colon - 1), kTypeValue);
    file->largest = KeyIn(word.substr(dash + 1), kTypeValue);
    return file;
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  const InternalKeyComparator order_;
  LevelFiles level_;
};

TEST(LevelFiles, EveryCaseOfTheScript) {
  const size_t count = RunScript(
      "levels/level_files.txt",
      [](const ScriptCase& c) { return LevelFilesScript(c).Answers(); });
  EXPECT_GE(count, 14u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
