// A merge of sorted runs walks as one, and fails with the status of any child
// that fails at any move.
#include "util/key/merging_iterator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
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

TEST_P(MergingIteratorTest, AChildThatIsAnErrorFailsTheMerge) {
  std::vector<std::unique_ptr<InternalIterator>> children;
  children.push_back(
      std::make_unique<VectorIterator>(&order_, Entries{{Key("a", 1), "1"}}));
  children.push_back(NewEmptyInternalIterator(Status::IOError("open")));
  const auto iter = NewMergingIterator(&order_, std::move(children));
  EXPECT_TRUE(iter->status().IsIOError());
  iter->SeekToFirst();
  EXPECT_FALSE(iter->Valid());
  EXPECT_TRUE(iter->status().IsIOError());
  iter->Seek(Key("b", 1));
  EXPECT_TRUE(iter->status().IsIOError());
  iter->SeekToLast();
  EXPECT_TRUE(iter->status().IsIOError());
}

TEST_P(MergingIteratorTest, NoChildrenAndOneChild) {
  const auto none = NewMergingIterator(&order_, {});
  none->SeekToFirst();
  EXPECT_FALSE(none->Valid());
  EXPECT_TRUE(none->status().ok());
  const auto one = Merge({{{Key("a", 1), "x"}}});
  one->SeekToLast();
  ASSERT_TRUE(one->Valid());
  EXPECT_EQ(one->value(), "x");
}

INSTANTIATE_TEST_SUITE_P(Orders, MergingIteratorTest, testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
