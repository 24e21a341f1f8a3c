// An iterator that sees what is written meanwhile, and who accepts that.
#include "db_stress_tool/walk.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <string>

namespace ROCKSDB_NAMESPACE::stress {
namespace {

class MapIterator : public Iterator {
 public:
  explicit MapIterator(const std::map<std::string, std::string>* map)
      : map_(map), at_(map->end()) {}

  bool Valid() const override { return at_ != map_->end(); }
  void SeekToFirst() override { at_ = map_->begin(); }
  void SeekToLast() override {
    at_ = map_->empty() ? map_->end() : std::prev(map_->end());
  }
  void Seek(const Slice& target) override {
    at_ = map_->lower_bound(target.ToString());
  }
  void SeekForPrev(const Slice& target) override {
    at_ = map_->upper_bound(target.ToString());
    Prev();
  }
  void Next() override { ++at_; }
  void Prev() override {
    at_ = at_ == map_->begin() ? map_->end() : std::prev(at_);
  }
  Slice key() const override { return at_->first; }
  Slice value() const override { return at_->second; }
  Status status() const override { return Status::OK(); }
  const WideColumns& columns() const override {
    columns_ = {{Slice(), value()}};
    if (!more_.empty()) columns_.emplace_back("column0", more_);
    return columns_;
  }
  // All values get one more column, which holds this.
  void AddColumn(const std::string& more) { more_ = more; }

 private:
  const std::map<std::string, std::string>* const map_;
  std::map<std::string, std::string>::const_iterator at_;
  std::string more_;
  mutable WideColumns columns_;
};

class WalkTest : public ::testing::Test {
 protected:
  void Put(uint64_t number, uint32_t version) {
    map_[format_.Key(number)] = format_.Value({0, number}, version);
  }

  const KeyFormat format_{3, 8};
  const KeyRange range_{0, 0, 10};
  std::map<std::string, std::string> map_;
  MapIterator iterator_{&map_};
};

TEST_F(WalkTest, ColumnsBelongToTheirValue) {
  Put(3, 2);
  const auto error = [&] {
    Walk walk(format_, range_, &iterator_, /*may_change=*/false);
    walk.Forward();
    return walk.error();
  };
  EXPECT_EQ(error(), "");
  iterator_.AddColumn(map_.begin()->second);
  EXPECT_EQ(error(), "");
  iterator_.AddColumn("of another value");
  EXPECT_NE(error().find("wrong columns of key 3"), std::string::npos);
}

TEST_F(WalkTest, WhatChangesOnTheWay) {
  const struct {
    uint64_t number;
    const char* error;
  } kCases[] = {
      {3, "changed its mind"}, {5, "changed its mind"}, {7, "passed over"}};
  for (const auto& c : kCases) {
    for (const bool may_change : {false, true}) {
      SCOPED_TRACE(c.number * 2 + may_change);
      map_.clear();
      Put(3, 1);
      Put(7, 1);
      Walk walk(format_, range_, &iterator_, may_change);
      walk.Forward();
      ASSERT_EQ(walk.error(), "");
      EXPECT_EQ(walk.sights()[3].version, 1u);
      EXPECT_TRUE(walk.sights()[5].is_passed);
      if (c.number == 7) {
        map_.erase(format_.Key(7));
      } else {
        Put(c.number, 2);
      }
      walk.Backward();
      if (!may_change) {
        EXPECT_NE(walk.error().find(c.error), std::string::npos)
            << walk.error();
        continue;
      }
      EXPECT_EQ(walk.error(), "");
      const auto seen = walk.sights()[c.number].version;
      EXPECT_EQ(seen.value_or(0), c.number == 7 ? 0 : 2);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
