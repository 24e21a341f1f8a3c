// What an opening for reading only showed, against the one that follows.
#include "db_stress_tool/read_only_look.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db_stress_tool/parsed_flags.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

class ReadOnlyLookTest : public ::testing::Test {
 protected:
  ReadOnlyLookTest() : directory_("read_only_look") {
    flags_.db = directory_.path() + "/db";
    options_.create_if_missing = true;
  }
  std::unique_ptr<DB> Open() {
    DB* db = nullptr;
    const Status s = DB::Open(options_, flags_.db, &db);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return std::unique_ptr<DB>(db);
  }
  static Status Compare(ReadOnlyLook* look, DB* db) {
    return look->Compare(db, {db->DefaultColumnFamily()});
  }

  TempDir directory_;
  Flags flags_;
  Options options_;
};

TEST_F(ReadOnlyLookTest, BothShowTheSame) {
  ASSERT_TRUE(Open()->Put(WriteOptions(), "key", "value").ok());
  ReadOnlyLook look(flags_);
  ASSERT_TRUE(look.Take(options_).ok());
  const std::unique_ptr<DB> db = Open();
  EXPECT_TRUE(Compare(&look, db.get()).ok());
}

TEST_F(ReadOnlyLookTest, ADifferenceIsSeen) {
  ASSERT_TRUE(Open()->Put(WriteOptions(), "key", "value").ok());
  ReadOnlyLook look(flags_);
  ASSERT_TRUE(look.Take(options_).ok());
  const std::unique_ptr<DB> db = Open();
  ASSERT_TRUE(db->Put(WriteOptions(), "key", "other").ok());
  EXPECT_TRUE(Compare(&look, db.get()).IsCorruption());
}

TEST_F(ReadOnlyLookTest, WithoutADatabaseThereIsNothingToSee) {
  ReadOnlyLook look(flags_);
  ASSERT_TRUE(look.Take(options_).ok());
  const std::unique_ptr<DB> db = Open();
  EXPECT_TRUE(Compare(&look, db.get()).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
