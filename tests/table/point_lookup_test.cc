// A lookup takes values, deletions, tombstones, merges and entities from newest
// to oldest, and ends at the right one.
#include "table/point_lookup.h"

#include <gtest/gtest.h>

#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/wide_columns.h"
#include "util/coding.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Joins operands with commas; enough with three of them.
class JoinFound : public MergeOperator {
 public:
  const char* Name() const override { return "JoinFound"; }
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    if (in.existing_value != nullptr) {
      out->new_value = in.existing_value->ToString();
    }
    for (const Slice& operand : in.operand_list) {
      if (operand == "fail") return false;
      out->new_value += "," + operand.ToString();
    }
    return true;
  }
  bool ShouldMerge(const std::vector<Slice>& operands) const override {
    return operands.size() >= 3;
  }
};

class PointLookupTest : public testing::Test {
 protected:
  using State = PointLookup::State;

  bool Add(SequenceNumber sequence, ValueType type, const Slice& value,
           Cleanable* pin = nullptr) {
    return lookup_.Add({"key", sequence, type}, value, pin);
  }
  std::string Finish() {
    const Status s = lookup_.Finish();
    return s.ok() ? value_.ToString() : s.ToString();
  }

  const InternalKeyComparator order_{BytewiseComparator()};
  JoinFound join_;
  PointLookup::Context context_{.order = &order_, .merge_operator = &join_};
  PinnableSlice value_;
  PointLookup lookup_{context_, "key", &value_, nullptr};
};

TEST_F(PointLookupTest, NothingFed) {
  EXPECT_TRUE(lookup_.Finish().IsNotFound());
  EXPECT_FALSE(lookup_.IsDecided());
}

TEST_F(PointLookupTest, AValueDecides) {
  EXPECT_FALSE(Add(5, kTypeValue, "v"));
  EXPECT_TRUE(lookup_.IsDecided());
  EXPECT_EQ(lookup_.found_sequence(), 5u);
  EXPECT_FALSE(Add(4, kTypeValue, "older"));
  EXPECT_EQ(Finish(), "v");
}

TEST_F(PointLookupTest, AnotherKeyEndsTheFeed) {
  EXPECT_FALSE(lookup_.Add({"key2", 5, kTypeValue}, "v", nullptr));
  EXPECT_FALSE(lookup_.IsDecided());
  EXPECT_TRUE(lookup_.Finish().IsNotFound());
}

TEST_F(PointLookupTest, DeletionsOfEveryKind) {
  for (ValueType type :
       {kTypeDeletion, kTypeSingleDeletion, kTypeDeletionWithTimestamp}) {
    PointLookup lookup(context_, "key", &value_, nullptr);
    EXPECT_FALSE(lookup.Add({"key", 5, type}, "", nullptr));
    EXPECT_EQ(lookup.state(), State::kDeleted);
    EXPECT_TRUE(lookup.Finish().IsNotFound());
  }
}

TEST_F(PointLookupTest, RangeTombstonesCoverOlderVersions) {
  lookup_.NoteTombstone(7);
  lookup_.NoteTombstone(6);
  EXPECT_EQ(lookup_.tombstone(), 7u);
  EXPECT_FALSE(Add(6, kTypeValue, "v"));
  EXPECT_TRUE(lookup_.Finish().IsNotFound());
}

TEST_F(PointLookupTest, RangeTombstonesSpareNewerVersions) {
  lookup_.NoteTombstone(7);
  EXPECT_TRUE(Add(9, kTypeMerge, "c"));
  EXPECT_TRUE(Add(8, kTypeMerge, "b"));
  EXPECT_FALSE(Add(6, kTypeValue, "v"));
  EXPECT_EQ(Finish(), ",b,c");
}

TEST_F(PointLookupTest, OperandsMeetTheirBase) {
  EXPECT_TRUE(Add(9, kTypeMerge, "b"));
  EXPECT_TRUE(Add(8, kTypeMerge, "a"));
  EXPECT_EQ(lookup_.state(), State::kMerge);
  EXPECT_FALSE(Add(7, kTypeValue, "v"));
  EXPECT_EQ(lookup_.found_sequence(), 9u);
  EXPECT_EQ(Finish(), "v,a,b");
}

TEST_F(PointLookupTest, OperandsAloneAndOnADeletion) {
  EXPECT_TRUE(Add(9, kTypeMerge, "a"));
  EXPECT_EQ(Finish(), ",a");
  value_.Reset();
  PointLookup deleted(context_, "key", &value_, nullptr);
  EXPECT_TRUE(deleted.Add({"key", 9, kTypeMerge}, "a", nullptr));
  EXPECT_FALSE(deleted.Add({"key", 8, kTypeDeletion}, "", nullptr));
  EXPECT_TRUE(deleted.Finish().ok());
  EXPECT_EQ(value_, ",a");
}

TEST_F(PointLookupTest, TheOperatorMayHaveEnough) {
  EXPECT_TRUE(Add(9, kTypeMerge, "c"));
  EXPECT_TRUE(Add(8, kTypeMerge, "b"));
  EXPECT_FALSE(Add(7, kTypeMerge, "a"));
  EXPECT_TRUE(lookup_.IsDecided());
  EXPECT_EQ(Finish(), ",a,b,c");
}

TEST_F(PointLookupTest, MergeFailures) {
  EXPECT_TRUE(Add(9, kTypeMerge, "fail"));
  EXPECT_TRUE(lookup_.Finish().IsCorruption());
  context_.merge_operator = nullptr;
  PointLookup lookup(context_, "key", &value_, nullptr);
  EXPECT_FALSE(lookup.Add({"key", 9, kTypeMerge}, "a", nullptr));
  EXPECT_EQ(lookup.state(), State::kCorrupt);
  EXPECT_TRUE(lookup.Finish().IsInvalidArgument());
}

TEST_F(PointLookupTest, ExistenceOnly) {
  for (ValueType type : {kTypeValue, kTypeMerge}) {
    PointLookup lookup(context_, "key", nullptr, nullptr);
    EXPECT_FALSE(lookup.Add({"key", 9, type}, "x", nullptr));
    EXPECT_TRUE(lookup.Finish().ok());
  }
}

TEST_F(PointLookupTest, PinsWhatCanBePinned) {
  int unpinned = 0;
  const auto count = [](void* counter, void*) {
    ++*static_cast<int*>(counter);
  };
  const std::string bytes = "pinned";
  Cleanable pin;
  pin.RegisterCleanup(count, &unpinned, nullptr);
  EXPECT_FALSE(Add(5, kTypeValue, bytes, &pin));
  EXPECT_EQ(value_.data(), bytes.data());
  EXPECT_FALSE(pin.HasCleanups());
  EXPECT_EQ(unpinned, 0);
  value_.Reset();
  EXPECT_EQ(unpinned, 1);

  Cleanable nothing;
  PointLookup copies(context_, "key", &value_, nullptr);
  EXPECT_FALSE(copies.Add({"key", 5, kTypeValue}, bytes, &nothing));
  EXPECT_EQ(value_, bytes);
  EXPECT_NE(value_.data(), bytes.data());
}

TEST_F(PointLookupTest, EntitiesAndPlainValuesAsColumns) {
  const WideColumns columns{{"", "v"}, {"x", "1"}};
  std::string entity;
  ASSERT_TRUE(EncodeWideColumns(columns, &entity).ok());
  EXPECT_FALSE(Add(5, kTypeWideColumnEntity, entity));
  EXPECT_EQ(Finish(), "v");

  PinnableWideColumns result;
  PointLookup as_columns(context_, "key", nullptr, &result);
  EXPECT_FALSE(
      as_columns.Add({"key", 5, kTypeWideColumnEntity}, entity, nullptr));
  EXPECT_TRUE(as_columns.Finish().ok());
  EXPECT_EQ(result.columns(), columns);

  result.Reset();
  PointLookup merged(context_, "key", nullptr, &result);
  EXPECT_TRUE(merged.Add({"key", 6, kTypeMerge}, "a", nullptr));
  EXPECT_FALSE(merged.Add({"key", 5, kTypeWideColumnEntity}, entity, nullptr));
  EXPECT_TRUE(merged.Finish().ok());
  EXPECT_EQ(result.columns(), (WideColumns{{"", "v,a"}, {"x", "1"}}));

  result.Reset();
  PointLookup plain(context_, "key", nullptr, &result);
  EXPECT_FALSE(plain.Add({"key", 5, kTypeValue}, "p", nullptr));
  EXPECT_TRUE(plain.Finish().ok());
  EXPECT_EQ(result.columns(), (WideColumns{{"", "p"}}));
}

TEST_F(PointLookupTest, TimedValuesLoseTheirTime) {
  std::string stored = "value";
  PutFixed64(&stored, 3);
  EXPECT_FALSE(Add(5, kTypeValuePreferredSeqno, stored));
  EXPECT_EQ(Finish(), "value");
  value_.Reset();
  PointLookup cut(context_, "key", &value_, nullptr);
  EXPECT_FALSE(
      cut.Add({"key", 5, kTypeValuePreferredSeqno}, "1234567", nullptr));
  EXPECT_TRUE(cut.Finish().IsCorruption());
}

TEST_F(PointLookupTest, EntriesThatCannotBeRead) {
  EXPECT_FALSE(Add(5, kTypeWideColumnEntity, "\x07"));
  EXPECT_TRUE(lookup_.Finish().IsCorruption());
  PointLookup blob(context_, "key", &value_, nullptr);
  EXPECT_FALSE(blob.Add({"key", 5, kTypeBlobIndex}, "\x01", nullptr));
  EXPECT_TRUE(blob.Finish().IsNotSupported());
  PointLookup range(context_, "key", &value_, nullptr);
  EXPECT_FALSE(range.Add({"key", 5, kTypeRangeDeletion}, "z", nullptr));
  EXPECT_TRUE(range.Finish().IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
