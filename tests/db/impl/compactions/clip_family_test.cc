// ClipColumnFamily(): what is outside the range is gone from reads and files.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "rocksdb/comparator.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ClipFamilyTest : public FamiliesFixture {
 protected:
  Status Clip(const std::string& begin, const std::string& end) {
    return db_->ClipColumnFamily(handles_.back(), begin, end);
  }
};

TEST_F(ClipFamilyTest, LeavesWhatLiesWithin) {
  OpenFamilies({"default"});
  ASSERT_NO_FATAL_FAILURE(CreateFamily("clipped"));
  for (const std::string key : {"a", "c", "e", "g"}) {
    ASSERT_OK(PutIn(0, key, "1"));
    ASSERT_OK(PutIn(1, key, "1"));
  }
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
  ASSERT_OK(PutIn(1, "b", "2"));
  ASSERT_OK(Clip("c", "g"));
  EXPECT_EQ(ScanOf(1), "c=1 e=1 ");
  EXPECT_EQ(ScanOf(0), "a=1 c=1 e=1 g=1 ");
  ColumnFamilyMetaData metadata;
  db_->GetColumnFamilyMetaData(handles_[1], &metadata);
  for (const LevelMetaData& level : metadata.levels) {
    for (const SstFileMetaData& file : level.files) {
      EXPECT_GE(file.smallestkey, "c");
      EXPECT_LT(file.largestkey, "g");
    }
  }
  // Nothing is within.
  ASSERT_OK(Clip("d", "e"));
  EXPECT_EQ(ScanOf(1), "");
  ASSERT_OK(Clip("d", "e"));
}

TEST_F(ClipFamilyTest, WhatCannotBe) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  OpenFamilies({"default"});
  EXPECT_TRUE(Clip("a", "b").IsNotSupported());
  CloseFamilies();
  options_.comparator = BytewiseComparator();
  path_ += "2";
  OpenFamilies({"default"});
  ASSERT_OK(PutIn(0, "a", "1"));
  EXPECT_TRUE(Clip("b", "a").IsInvalidArgument());
  EXPECT_TRUE(Clip("b", "b").IsInvalidArgument());
  EXPECT_EQ(ScanOf(0), "a=1 ");
  std::unique_ptr<DB> reader;
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &reader));
  EXPECT_FALSE(
      reader->ClipColumnFamily(reader->DefaultColumnFamily(), "a", "b").ok());
}

TEST_F(ClipFamilyTest, AgreesWithAMapInBothOrders) {
  for (const bool is_reverse : {false, true}) {
    options_.comparator =
        is_reverse ? ReverseBytewiseComparator() : BytewiseComparator();
    path_ = directory_.path() + (is_reverse ? "/reverse" : "/forward");
    OpenFamilies({"default"});
    std::mt19937 random(7);
    const auto key_at = [](unsigned i) { return std::to_string(1000 + i); };
    for (int round = 0; round < 20; ++round) {
      std::map<std::string, std::string> model;
      for (int i = 0; i < 60; ++i) {
        const std::string key = key_at(random() % 100);
        ASSERT_OK(PutIn(0, key, std::to_string(i)));
        if (random() % 20 == 0) {
          ASSERT_OK(db_->Flush(FlushOptions()));
        }
      }
      std::string begin = key_at(random() % 100);
      std::string end = key_at(random() % 100);
      if (begin == end) continue;
      if (options_.comparator->Compare(begin, end) > 0) std::swap(begin, end);
      std::string expected;
      std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      for (it->Seek(begin);
           it->Valid() && options_.comparator->Compare(it->key(), end) < 0;
           it->Next()) {
        expected += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      it.reset();
      ASSERT_OK(Clip(begin, end));
      EXPECT_EQ(ScanOf(0), expected) << begin << " to " << end;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
