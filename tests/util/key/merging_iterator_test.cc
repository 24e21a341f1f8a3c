// One sorted stream over several.
//
// Runs tests/testdata/keys/merging.txt:
//
//   merge [reverse]
//   child KEY@SEQUENCE=VALUE .. [fails_at:N]    a sorted run; instead of its
//                           N-th move, counted from 1, it fails once
//   child error             one that could not be opened
//   > STEPS                 one line of answers each: where the merge is then
//
// STEPs: first, last, to:KEY@SEQUENCE, back:KEY@SEQUENCE, next, prev, status.
#include "util/key/merging_iterator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Key(const Slice& user_key, SequenceNumber sequence) {
  std::string key;
  AppendInternalKey(&key, user_key, sequence, kTypeValue);
  return key;
}

using Entries = std::vector<std::pair<std::string, std::string>>;

// Over sorted entries. Fails instead of making its `fail_at`-th move.
class VectorIterator : public InternalIterator {
 public:
  VectorIterator(const InternalKeyComparator* order, Entries entries,
                 int fail_at = -1)
      : order_(order), entries_(std::move(entries)), fail_at_(fail_at) {
    index_ = entries_.size();
  }
  bool Valid() const override {
    return status_.ok() && index_ < entries_.size();
  }
  void SeekToFirst() override { Move(0); }
  void SeekToLast() override { Move(entries_.size() - 1); }
  void Seek(const Slice& target) override {
    size_t i = 0;
    while (i < entries_.size() &&
           order_->Compare(entries_[i].first, target) < 0) {
      ++i;
    }
    Move(i);
  }
  void SeekForPrev(const Slice& target) override {
    size_t i = entries_.size();
    while (i > 0 && order_->Compare(entries_[i - 1].first, target) > 0) --i;
    Move(i - 1);
  }
  void Next() override { Move(index_ + 1); }
  void Prev() override { Move(index_ - 1); }
  Slice key() const override { return entries_[index_].first; }
  Slice value() const override { return entries_[index_].second; }
  Status status() const override { return status_; }

 private:
  void Move(size_t index) {
    status_ = Status::OK();
    index_ = index;
    if (fail_at_ >= 0 && fail_at_-- == 0) status_ = Status::Corruption("child");
  }

  const InternalKeyComparator* order_;
  const Entries entries_;
  size_t index_;
  int fail_at_;
  Status status_;
};

class MergingIteratorTest : public testing::TestWithParam<bool> {
 protected:
  InternalKeyComparator order_{GetParam() ? ReverseBytewiseComparator()
                                          : BytewiseComparator()};

  void Sort(Entries* entries) const {
    std::stable_sort(entries->begin(), entries->end(),
                     [this](const auto& a, const auto& b) {
                       return order_.Compare(a.first, b.first) < 0;
                     });
  }

  // Random sorted runs, and all of them in merged order: equal keys by run.
  std::vector<Entries> RandomRuns(Random64* random, size_t count,
                                  Entries* merged) const {
    std::vector<Entries> runs(count);
    merged->clear();
    for (size_t r = 0; r < count; ++r) {
      for (uint64_t n = random->Uniform(15); n > 0; --n) {
        std::string user_key = random->OneIn(2) ? "common/prefix/" : "";
        user_key += static_cast<char>('a' + random->Uniform(6));
        const std::string key = Key(user_key, random->Uniform(4));
        const auto same = [&key](const auto& e) { return e.first == key; };
        if (std::none_of(runs[r].begin(), runs[r].end(), same)) {
          runs[r].emplace_back(key, std::to_string(r));
        }
      }
      Sort(&runs[r]);
      merged->insert(merged->end(), runs[r].begin(), runs[r].end());
    }
    Sort(merged);
    return runs;
  }

  std::unique_ptr<InternalIterator> Merge(const std::vector<Entries>& runs,
                                          size_t failing_run = SIZE_MAX,
                                          int fail_at = -1) const {
    std::vector<std::unique_ptr<InternalIterator>> children;
    for (size_t r = 0; r < runs.size(); ++r) {
      children.push_back(std::make_unique<VectorIterator>(
          &order_, runs[r], r == failing_run ? fail_at : -1));
    }
    return NewMergingIterator(&order_, std::move(children));
  }

  // Walks at random over `iter` and over `model`. Stops where the iterator
  // ends or fails; true if it failed.
  bool Walk(InternalIterator* iter, const Entries& model, Random64* random) {
    const auto size = static_cast<int64_t>(model.size());
    int64_t at = -1;
    for (int i = 0; i < 80; ++i) {
      const std::string target =
          Key(std::string(1, static_cast<char>('a' + random->Uniform(7))),
              random->Uniform(4));
      const auto before = [&](const auto& e) {
        return order_.Compare(e.first, target) < 0;
      };
      const auto not_after = [&](const auto& e) {
        return order_.Compare(e.first, target) <= 0;
      };
      uint64_t move = random->Uniform(12);
      if (at < 0 || at >= size) move %= 4;
      switch (move) {
        case 0:
          iter->SeekToFirst();
          at = 0;
          break;
        case 1:
          iter->SeekToLast();
          at = size - 1;
          break;
        case 2:
          iter->Seek(target);
          at = std::count_if(model.begin(), model.end(), before);
          break;
        case 3:
          iter->SeekForPrev(target);
          at = std::count_if(model.begin(), model.end(), not_after) - 1;
          break;
        case 4:
        case 5:
        case 6:
        case 7:
        case 8: {
          Slice key;
          const bool valid = iter->NextAndGetKey(&key);
          EXPECT_EQ(valid, iter->Valid());
          if (valid) {
            EXPECT_EQ(key, iter->key());
          }
          ++at;
          break;
        }
        default:
          iter->Prev();
          --at;
      }
      if (!iter->status().ok()) {
        EXPECT_FALSE(iter->Valid());
        return true;
      }
      EXPECT_EQ(iter->Valid(), at >= 0 && at < size);
      if (testing::Test::HasFailure()) return false;
      if (!iter->Valid()) continue;
      EXPECT_EQ(iter->key(), Slice(model[at].first));
      EXPECT_EQ(iter->value(), Slice(model[at].second));
    }
    return false;
  }
};

TEST_P(MergingIteratorTest, WalksAsOneSortedRun) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    Entries merged;
    const auto runs = RandomRuns(&random, random.Uniform(7), &merged);
    EXPECT_FALSE(Walk(Merge(runs).get(), merged, &random));
    if (HasFailure()) return;
  }
}

// Whatever move a child fails in, the merge fails with it and never goes on
// without the child.
TEST_P(MergingIteratorTest, FailsWithAnyChild) {
  int failed = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    Entries merged;
    const auto runs = RandomRuns(&random, 2 + random.Uniform(4), &merged);
    const auto iter = Merge(runs, random.Uniform(runs.size()),
                            static_cast<int>(random.Uniform(20)));
    if (Walk(iter.get(), merged, &random)) {
      ++failed;
      EXPECT_TRUE(iter->status().IsCorruption());
      // The child fails once: a new seek starts over.
      EXPECT_FALSE(Walk(iter.get(), merged, &random));
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 200);
}

INSTANTIATE_TEST_SUITE_P(Orders, MergingIteratorTest, testing::Bool());

class MergeScript {
 public:
  explicit MergeScript(const ScriptCase& c) : steps_(c.body) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "merge");
    if (command.HasWord("reverse")) {
      order_ = InternalKeyComparator(ReverseBytewiseComparator());
    }
    std::vector<std::unique_ptr<InternalIterator>> children;
    for (const std::string& line : steps_.given) {
      children.push_back(Child(ScriptWords(line)));
    }
    merge_ = NewMergingIterator(&order_, std::move(children));
  }

  std::string Answers() {
    std::string text;
    for (const std::string& line : steps_.asked) {
      std::istringstream words(line);
      std::string answers;
      for (std::string step; words >> step;) {
        JoinItem(&answers, Step(step), "  ");
      }
      text += answers + "\n";
    }
    return text;
  }

 private:
  static std::string Stored(const std::string& text) {
    const size_t at = text.find('@');
    return Key(text.substr(0, at), std::stoull(text.substr(at + 1)));
  }
  std::unique_ptr<InternalIterator> Child(const ScriptWords& words) const {
    EXPECT_EQ(words.verb(), "child");
    if (words.HasWord("error")) {
      return NewEmptyInternalIterator(Status::IOError("open"));
    }
    Entries entries;
    for (const std::string& word : words.words()) {
      const size_t equals = word.find('=');
      entries.emplace_back(Stored(word.substr(0, equals)),
                           word.substr(equals + 1));
    }
    const int fail_at = static_cast<int>(words.Number("fails_at", 0)) - 1;
    return std::make_unique<VectorIterator>(&order_, entries, fail_at);
  }
  std::string Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    const std::string target =
        colon == std::string::npos ? "" : Stored(step.substr(colon + 1));
    if (verb == "status") return merge_->status().ToString();
    if (verb == "first") {
      merge_->SeekToFirst();
    } else if (verb == "last") {
      merge_->SeekToLast();
    } else if (verb == "to") {
      merge_->Seek(target);
    } else if (verb == "back") {
      merge_->SeekForPrev(target);
    } else if (!merge_->Valid()) {
      ADD_FAILURE() << step << " from nowhere";
    } else if (verb == "next") {
      merge_->Next();
    } else {
      EXPECT_EQ(verb, "prev");
      merge_->Prev();
    }
    return Shown();
  }
  std::string Shown() const {
    const Status s = merge_->status();
    if (!merge_->Valid()) return s.ok() ? "end" : s.ToString();
    ParsedInternalKey key;
    EXPECT_TRUE(ParseInternalKey(merge_->key(), &key));
    return key.user_key.ToString() + "@" + std::to_string(key.sequence) + "=" +
           merge_->value().ToString();
  }

  const ScriptSteps steps_;
  InternalKeyComparator order_{BytewiseComparator()};
  std::unique_ptr<InternalIterator> merge_;
};

TEST(MergeScriptTest, EveryCaseOfTheScript) {
  const size_t count = RunScript("keys/merging.txt", [](const ScriptCase& c) {
    return MergeScript(c).Answers();
  });
  EXPECT_GE(count, 19u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
