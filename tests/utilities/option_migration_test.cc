// OptionChangeMigration() of a database with several families.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rocksdb/utilities/option_change_migration.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OptionMigrationTest : public FamiliesFixture {
 protected:
  using Families = std::vector<ColumnFamilyDescriptor>;

  static ColumnFamilyOptions Shape(int num_levels) {
    ColumnFamilyOptions options;
    options.compaction_style = kCompactionStyleUniversal;
    options.num_levels = num_levels;
    options.disable_auto_compactions = true;
    return options;
  }
  void OpenAs(const Families& families) {
    CloseFamilies();
    ASSERT_OK(DB::Open(DBOptions(options_), path_, families, &handles_, &db_));
  }
};

TEST_F(OptionMigrationTest, EachFamilyGetsItsNewShape) {
  options_.create_missing_column_families = true;
  const Families from{
      {"default", Shape(6)}, {"shrinks", Shape(5)}, {"grows", Shape(3)}};
  const Families to{
      {"grows", Shape(5)}, {"shrinks", Shape(1)}, {"default", Shape(6)}};
  ASSERT_NO_FATAL_FAILURE(OpenAs(from));
  for (size_t family = 0; family < 3; ++family) {
    for (const std::string key : {"a", "b", "a"}) {
      ASSERT_OK(PutIn(family, key, std::to_string(family)));
      ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
    }
    ASSERT_OK(db_->CompactRange({}, handles_[family], nullptr, nullptr));
  }
  CloseFamilies();
  Status s;
  {
    std::unique_ptr<DB> db;
    std::vector<ColumnFamilyHandle*> handles;
    s = DB::Open(DBOptions(options_), path_, to, &handles, &db);
    EXPECT_FALSE(s.ok()) << "one family has files below its last level";
  }
  ASSERT_OK(OptionChangeMigration(path_, DBOptions(options_), from,
                                  DBOptions(options_), to));
  ASSERT_NO_FATAL_FAILURE(OpenAs(to));
  EXPECT_EQ(ScanOf(0), "a=2 b=2 ");
  EXPECT_EQ(ScanOf(1), "a=1 b=1 ");
  EXPECT_EQ(ScanOf(2), "a=0 b=0 ");
}

TEST_F(OptionMigrationTest, ListsOfOtherFamiliesAreRefused) {
  const Families one{{"default", Shape(6)}};
  const Families two{{"default", Shape(6)}, {"second", Shape(6)}};
  const Families other{{"default", Shape(1)}, {"other", Shape(1)}};
  const DBOptions db(options_);
  EXPECT_TRUE(
      OptionChangeMigration(path_, db, one, db, two).IsInvalidArgument());
  EXPECT_TRUE(
      OptionChangeMigration(path_, db, two, db, other).IsInvalidArgument());
  // Nothing to do is not even looked at.
  EXPECT_OK(OptionChangeMigration(path_, db, two, db, two));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
