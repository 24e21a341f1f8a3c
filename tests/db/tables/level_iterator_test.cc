// One sorted stream over the files of a level.
//
// Runs tests/testdata/levels/level_iterator.txt, each case with readers that
// are shared and with ones of the iterator's own:
//
//   level [lower:KEY] [upper:KEY]    bounds of the read
//   file WORD ..       files 10, 11, ..: values and range tombstones as in
//                      text_entries.h; PREFIX*COUNT is so many numbered keys
//   part FIRST END     the iterator is one of these files only, from 0 on
//   delete NUMBER, damage NUMBER:OFFSET    of files, after they were written
//   > steps STEP ..    first, last, next, prev, to:KEY, back:KEY (to the last
//                      at or before the key): the user key where it is then
//   > walk, walk_back  what is there, counted
//   > opened           which files the iterator has opened so far
#include "db/tables/level_iterator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "file/file_util.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/db/tables/table_files.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Keys = std::vector<std::string>;

class LevelIteratorTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    f.Open(true);
    bulk = f.DirectPolicy();
  }

  void Add(const std::vector<TestEntry>& entries,
           const std::vector<TestTombstone>& tombstones = {}) {
    files.push_back(f.Write(files.size() + 10, entries, tombstones));
    for (const TestEntry& e : entries) keys.push_back(e.user_key);
  }

  std::unique_ptr<InternalIterator> New(size_t begin = 0,
                                        size_t end = SIZE_MAX) {
    EXPECT_TRUE(
        LevelFiles::Build(files, f.cf->internal_comparator, true, &level).ok());
    LevelIteratorRequest request;
    request.files = &level;
    request.tables = f.tables.get();
    request.table = f.Request(nullptr, GetParam() ? &bulk : nullptr);
    request.order = &f.cf->internal_comparator;
    request.begin_index = begin;
    request.end_index = end;
    return NewLevelIterator(request);
  }
  static std::string At(const InternalIterator& iterator) {
    if (!iterator.Valid()) return iterator.status().ok() ? "end" : "error";
    return ExtractUserKey(iterator.key()).ToString();
  }
  static std::string Target(const std::string& user_key) {
    return InternalKey(user_key, kMaxSequenceNumber, kValueTypeForSeek)
        .Encode()
        .ToString();
  }
  // Sorts after every entry of the user key.
  static std::string LastOf(const std::string& user_key) {
    return InternalKey(user_key, 0, kValueTypeForSeekForPrev)
        .Encode()
        .ToString();
  }

  TableFiles f;
  BulkReadPolicy bulk;
  std::vector<FileRef> files;
  LevelFiles level;
  Keys keys;
};

INSTANTIATE_TEST_SUITE_P(Direct, LevelIteratorTest, ::testing::Bool());

TEST_P(LevelIteratorTest, SeeksFindWhatALinearSearchFinds) {
  for (const char* prefix : {"b", "d", "f", "h"}) {
    Add(TableFiles::Numbered(prefix, 20));
  }
  const auto iterator = New();
  Random64 random(17);
  for (int i = 0; i < 400; ++i) {
    std::string key(1, static_cast<char>('a' + random.Uniform(9)));
    key += std::to_string(100000 + random.Uniform(22)).substr(1);
    iterator->Seek(Target(key));
    const auto next = std::lower_bound(keys.begin(), keys.end(), key);
    ASSERT_EQ(At(*iterator), next == keys.end() ? "end" : *next) << key;
    // A few steps either way.
    if (iterator->Valid() && random.OneIn(2)) {
      iterator->Next();
      ASSERT_EQ(At(*iterator), next + 1 == keys.end() ? "end" : *(next + 1));
    } else if (iterator->Valid()) {
      iterator->Prev();
      ASSERT_EQ(At(*iterator), next == keys.begin() ? "end" : *(next - 1));
    }
    iterator->SeekForPrev(LastOf(key));
    const auto after = std::upper_bound(keys.begin(), keys.end(), key);
    ASSERT_EQ(At(*iterator), after == keys.begin() ? "end" : *(after - 1));
  }
}

TEST_P(LevelIteratorTest, AtMostOneFileIsOpen) {
  for (const char* prefix : {"b", "d", "f"}) {
    Add(TableFiles::Numbered(prefix, 60));
  }
  auto iterator = New();
  EXPECT_EQ(f.RandomHandles(), 0u);  // None before it is asked.
  KeysForward(iterator.get());
  KeysBackward(iterator.get());
  iterator->Seek(Target("d"));
  if (GetParam()) {
    EXPECT_EQ(f.fs->peak_direct_read_handles(), 1u);
    EXPECT_EQ(f.fs->direct_read_handles(), 1u);
    EXPECT_EQ(f.RandomHandles(), 1u);  // No reader was opened beside it.
    iterator->Seek(Target("x"));       // Beyond the end: none.
    EXPECT_EQ(f.RandomHandles(), 0u);
  } else {
    EXPECT_EQ(f.fs->direct_read_opens(), 0u);
  }
  iterator.reset();
  EXPECT_EQ(f.fs->direct_read_handles(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
}

TEST_P(LevelIteratorTest, TheRequestMayGo) {
  Add(TableFiles::Numbered("b", 60));
  Add(TableFiles::Numbered("d", 60));
  const auto iterator = New();
  bulk = BulkReadPolicy();  // Was copied.
  EXPECT_EQ(KeysForward(iterator.get()), keys);
  EXPECT_EQ(f.fs->direct_read_opens() > 0, GetParam());
}

TEST_P(LevelIteratorTest, AFailureAtAnyCallIsSeen) {
  for (uint64_t k = 1;; ++k) {
    files.clear();
    keys.clear();
    for (const char* prefix : {"b", "d", "f"}) {
      Add(TableFiles::Numbered(prefix, 30));
    }
    auto iterator = New();
    f.fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    size_t count = 0;
    iterator->SeekToFirst();
    for (; iterator->Valid(); iterator->Next()) ++count;
    EXPECT_EQ(iterator->status().ok(), count == keys.size())
        << f.fs->failed_call();
    const bool has_failed = f.fs->failed();
    f.fs->ClearFault();
    iterator.reset();
    EXPECT_EQ(f.fs->direct_read_handles(), 0u);
    if (!has_failed) break;
  }
}

class LevelScript {
 public:
  static std::string Answers(const ScriptCase& c) {
    const std::string answers = LevelScript(c, false).Run();
    EXPECT_EQ(LevelScript(c, true).Run(), answers) << "with own readers";
    return answers;
  }

 private:
  LevelScript(const ScriptCase& c, bool is_direct)
      : command_(c.command), steps_(c.body) {
    EXPECT_EQ(command_.verb(), "level");
    f_.Open(true);
    for (const std::string& line : steps_.given) {
      const ScriptWords words(line);
      if (words.verb() == "file") {
        AddFile(line.substr(words.verb().size()));
      } else if (words.verb() == "part") {
        begin_ = std::stoull(words.Word(0));
        end_ = std::stoull(words.Word(1));
      } else if (words.verb() == "delete") {
        EXPECT_TRUE(
            f_.fs->DeleteFile(PathOf(words.Word(0)), IOOptions(), nullptr)
                .ok());
      } else {
        EXPECT_EQ(words.verb(), "damage");
        for (const auto& [number, offset] : words.named()) {
          DamageFile(PathOf(number), std::stoull(offset));
        }
      }
    }
    Open(is_direct);
  }
  static std::string PathOf(const std::string& number) {
    return TableFileName("/db", std::stoull(number));
  }
  void AddFile(const std::string& text) {
    std::vector<TestEntry> entries;
    std::vector<TestTombstone> tombstones;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const size_t star = word.find('*');
      if (star != word.npos) {
        entries = TableFiles::Numbered(word.substr(0, star),
                                       std::stoi(word.substr(star + 1)));
        continue;
      }
      const TextEntry entry = ParseEntry(word);
      if (entry.type == kTypeRangeDeletion) {
        tombstones.push_back({entry.user_key, entry.value, entry.sequence});
      } else {
        entries.push_back({entry.user_key, entry.sequence, entry.value});
      }
    }
    files_.push_back(f_.Write(files_.size() + 10, entries, tombstones));
  }
  void DamageFile(const std::string& path, size_t offset) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(f_.fs.get(), path, &bytes).ok());
    bytes.at(offset) = static_cast<char>(bytes[offset] ^ 1);
    EXPECT_TRUE(
        CreateFile(f_.fs.get(), path, bytes, FileDurability::kBuffered).ok());
  }
  void Open(bool is_direct) {
    lower_bytes_ = command_.Text("lower", "");
    upper_bytes_ = command_.Text("upper", "");
    lower_ = lower_bytes_;
    upper_ = upper_bytes_;
    if (command_.Has("lower")) f_.read.iterate_lower_bound = &lower_;
    if (command_.Has("upper")) f_.read.iterate_upper_bound = &upper_;
    EXPECT_TRUE(
        LevelFiles::Build(files_, f_.cf->internal_comparator, true, &level_)
            .ok());
    const BulkReadPolicy bulk = f_.DirectPolicy();
    LevelIteratorRequest request;
    request.files = &level_;
    request.tables = f_.tables.get();
    request.table = f_.Request(nullptr, is_direct ? &bulk : nullptr);
    request.order = &f_.cf->internal_comparator;
    request.begin_index = begin_;
    request.end_index = end_;
    f_.fs->ClearOpens();
    iterator_ = NewLevelIterator(request);
  }

  std::string Run() {
    std::string text;
    for (const std::string& line : steps_.asked) {
      std::istringstream words(line);
      std::string verb, answers;
      words >> verb;
      if (verb == "walk" || verb == "walk_back") {
        answers = Walk(verb == "walk");
      } else if (verb == "opened") {
        answers = Opened();
      } else {
        EXPECT_EQ(verb, "steps");
        for (std::string step; words >> step;) {
          Step(step);
          JoinItem(&answers, Shown());
        }
      }
      text += answers + "\n";
    }
    return text;
  }
  void Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    const std::string key = colon == step.npos ? "" : step.substr(colon + 1);
    if (verb == "first") return iterator_->SeekToFirst();
    if (verb == "last") return iterator_->SeekToLast();
    if (verb == "to") {
      const InternalKey target(key, kMaxSequenceNumber, kValueTypeForSeek);
      return iterator_->Seek(target.Encode());
    }
    if (verb == "back") {
      const InternalKey target(key, 0, kValueTypeForSeekForPrev);
      return iterator_->SeekForPrev(target.Encode());
    }
    if (!iterator_->Valid()) {
      ADD_FAILURE() << step << " from nowhere";
    } else if (verb == "next") {
      iterator_->Next();
    } else {
      EXPECT_EQ(verb, "prev");
      iterator_->Prev();
    }
  }
  std::string Shown() const {
    const Status s = iterator_->status();
    if (!iterator_->Valid()) return s.ok() ? "end" : "(" + Said(s) + ")";
    EXPECT_TRUE(s.ok()) << s.ToString();
    return ExtractUserKey(iterator_->key()).ToString();
  }
  // Without checksums, which are those of compressed bytes.
  static std::string Said(const Status& s) {
    const std::string text = s.ToString();
    return text.substr(0, text.find(": stored "));
  }
  std::string Walk(bool is_forward) {
    std::vector<std::string> keys;
    is_forward ? iterator_->SeekToFirst() : iterator_->SeekToLast();
    while (iterator_->Valid()) {
      keys.push_back(Shown());
      is_forward ? iterator_->Next() : iterator_->Prev();
    }
    std::string text = std::to_string(keys.size());
    if (!keys.empty()) text += ": " + keys.front() + " to " + keys.back();
    EXPECT_TRUE(is_forward ? std::is_sorted(keys.begin(), keys.end())
                           : std::is_sorted(keys.rbegin(), keys.rend()));
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
    if (!is_forward) return text + ", " + Shown();
    // The same in the way of a merge.
    size_t count = 0;
    iterator_->SeekToFirst();
    Slice key;
    for (bool goes_on = iterator_->Valid(); goes_on;
         goes_on = iterator_->NextAndGetKey(&key)) {
      ++count;
    }
    EXPECT_EQ(count, keys.size());
    return text + ", " + Shown();
  }
  std::string Opened() const {
    std::set<std::string> names;
    for (const OpenRecord& open : f_.fs->opens()) {
      const size_t slash = open.path.rfind('/');
      names.insert(std::to_string(std::stoull(open.path.substr(slash + 1))));
    }
    std::string text;
    for (const std::string& name : names) JoinItem(&text, name);
    return TextOr(text, "none");
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  TableFiles f_;
  std::vector<FileRef> files_;
  LevelFiles level_;
  size_t begin_ = 0;
  size_t end_ = SIZE_MAX;
  std::string lower_bytes_, upper_bytes_;
  Slice lower_, upper_;
  std::unique_ptr<InternalIterator> iterator_;
};

TEST(LevelIteratorScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("levels/level_iterator.txt", LevelScript::Answers), 15u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
