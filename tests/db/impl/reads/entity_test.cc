// Wide columns and attribute groups through the whole engine. The cases of
// columns are tests/testdata/databases/reads/entity.txt, in the language of
// database_script.h; a merge adds a column named by its operand.
#include <functional>
#include <string>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string EntityText(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += column.name().ToString() + ":" + column.value().ToString() + " ";
  }
  return text;
}

// Adds a column named by the operand, and leaves the others.
class AddColumn : public MergeOperator {
 public:
  const char* Name() const override { return "AddColumn"; }
  bool FullMergeV3(const MergeOperationInputV3& input,
                   MergeOperationOutputV3* output) const override {
    MergeOperationOutputV3::NewColumns columns;
    if (const auto* plain = std::get_if<Slice>(&input.existing_value)) {
      columns.emplace_back("", plain->ToString());
    } else if (const auto* old =
                   std::get_if<WideColumns>(&input.existing_value)) {
      for (const WideColumn& column : *old) {
        columns.emplace_back(column.name().ToString(),
                             column.value().ToString());
      }
    }
    for (const Slice& operand : input.operand_list) {
      columns.emplace_back(operand.ToString(), "merged");
    }
    output->new_value = std::move(columns);
    return true;
  }
};

TEST(EntityScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.merge_operator = std::make_shared<AddColumn>();
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/reads/entity.txt", options), 9u);
}

class EntityTest : public FamiliesFixture {
 protected:
  EntityTest() {
    options_.create_missing_column_families = true;
    options_.merge_operator = std::make_shared<AddColumn>();
  }
};

TEST_F(EntityTest, GroupsAreWrittenAndReadTogether) {
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one", "two"}));
  const AttributeGroups groups{AttributeGroup(handles_[1], {{"a", "1"}}),
                               AttributeGroup(handles_[2], {{"b", "2"}})};
  ASSERT_OK(db_->PutEntity(WriteOptions(), "k", groups));
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), "k", kNoAttributeGroups)
                  .IsInvalidArgument());
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), "no",
                             {groups[0], AttributeGroup(nullptr, {{"c", ""}})})
                  .IsInvalidArgument());
  PinnableAttributeGroups read;
  for (ColumnFamilyHandle* handle : handles_) read.emplace_back(handle);
  ASSERT_OK(db_->GetEntity(ReadOptions(), "k", &read));
  EXPECT_TRUE(read[0].status().IsNotFound());
  EXPECT_EQ(EntityText(read[1].columns()), "a:1 ");
  EXPECT_EQ(EntityText(read[2].columns()), "b:2 ");
  EXPECT_EQ(GetFrom(1, "no"), "NOT_FOUND");

  std::vector<PinnableAttributeGroups> many(2);
  many[0].emplace_back(handles_[2]);
  many[1].emplace_back(handles_[1]);
  many[1].emplace_back(nullptr);
  const Slice keys[] = {"k", "none"};
  db_->MultiGetEntity(ReadOptions(), 2, keys, many.data());
  EXPECT_OK(many[0][0].status());
  EXPECT_EQ(EntityText(many[0][0].columns()), "b:2 ");
  EXPECT_TRUE(many[1][0].status().IsNotFound());
  EXPECT_TRUE(many[1][1].status().IsInvalidArgument());
}

class FamilyIteratorsTest : public EntityTest {
 protected:
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one", "two"}));
    const WriteOptions write;
    ASSERT_OK(db_->PutEntity(write, handles_[0], "a", {{"", "0"}, {"x", "0"}}));
    ASSERT_OK(
        db_->PutEntity(write, handles_[1], "a", {{"x", "1"}, {"y", "1"}}));
    ASSERT_OK(PutIn(1, "b", "1"));
    ASSERT_OK(PutIn(2, "b", "2"));
    ASSERT_OK(PutIn(0, "c", "0"));
    ASSERT_OK(PutIn(2, "d", "2"));
  }
};

TEST_F(FamilyIteratorsTest, GroupsComeByFamily) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::unique_ptr<AttributeGroupIterator> it =
      db_->NewAttributeGroupIterator(ReadOptions(),
                                     {handles_[2], handles_[0], handles_[1]});
  std::string up;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    up += it->key().ToString() + "=";
    for (const IteratorAttributeGroup& group : it->attribute_groups()) {
      up +=
          group.column_family()->GetName() + "/" + EntityText(group.columns());
    }
  }
  EXPECT_OK(it->status());
  EXPECT_EQ(up,
            "a=default/:0 x:0 one/x:1 y:1 b=two/:2 one/:1 c=default/:0 "
            "d=two/:2 ");
}

// A filter knows nothing of keys with other prefixes, which come next, too.
TEST_F(FamilyIteratorsTest, ATurnForwardComesToEveryPrefix) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(20));
  table.whole_key_filtering = false;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  for (const char* key : {"a1", "d1"}) ASSERT_OK(PutIn(0, key, "0"));
  for (const char* key : {"b1", "b2", "c1"}) ASSERT_OK(PutIn(1, key, "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_));
  const auto walk = [](Iterator* it) {
    std::string keys;
    for (; it->Valid(); it->Next()) keys += it->key().ToString() + " ";
    EXPECT_OK(it->status());
    return keys;
  };
  std::unique_ptr<Iterator> it =
      db_->NewCoalescingIterator(ReadOptions(), handles_);
  it->SeekForPrev("a2");
  EXPECT_EQ(walk(it.get()), "a1 b1 b2 c1 d1 ");
  it->SeekToLast();
  it->Prev();
  EXPECT_EQ(walk(it.get()), "c1 d1 ");
  // Each family keeps to the prefix that was sought, where that is asked for.
  ReadOptions same;
  same.prefix_same_as_start = true;
  it = db_->NewCoalescingIterator(same, handles_);
  it->SeekForPrev("b3");
  it->Prev();
  EXPECT_EQ(walk(it.get()), "b1 b2 ");
}

// What one batch writes to several families is seen in all of them, or in none:
// also if it comes while the cursors are made.
TEST_F(FamilyIteratorsTest, ARefreshIsOfOneMoment) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(db_->Flush(FlushOptions(), handles_));
  int batches = 0;
  const std::function<bool(const TableProperties&)> write =
      [&](const TableProperties&) {
        WriteBatch batch;
        for (ColumnFamilyHandle* family : handles_) {
          EXPECT_OK(batch.Put(family, "z", std::to_string(batches)));
        }
        EXPECT_OK(db_->Write(WriteOptions(), &batch));
        ++batches;
        return true;
      };
  ReadOptions read;
  read.table_filter = &write;
  const auto it = db_->NewAttributeGroupIterator(read, handles_);
  for (int i = 0; i < 3; ++i) {
    const int before = batches;
    ASSERT_OK(it->Refresh());
    ASSERT_GT(batches, before);
    it->Seek("z");
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->attribute_groups().size(), handles_.size());
    for (const IteratorAttributeGroup& group : it->attribute_groups()) {
      EXPECT_EQ(EntityText(group.columns()),
                ":" + std::to_string(before - 1) + " ");
    }
  }
}

TEST_F(FamilyIteratorsTest, WrongFamiliesAreRefused) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_TRUE(db_->NewCoalescingIterator(ReadOptions(), {})
                  ->status()
                  .IsInvalidArgument());
  EXPECT_TRUE(db_->NewAttributeGroupIterator(ReadOptions(), {nullptr})
                  ->status()
                  .IsInvalidArgument());
  options_.comparator = ReverseBytewiseComparator();
  ASSERT_NO_FATAL_FAILURE(CreateFamily("reverse"));
  EXPECT_TRUE(db_->NewCoalescingIterator(ReadOptions(), handles_)
                  ->status()
                  .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
