// Only tables made since the last noted opening are taken away before
// best-efforts recovery, and none without such a note.
#include "db_stress_tool/table_cut.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

namespace fs = std::filesystem;

class TableCutTest : public ::testing::Test {
 protected:
  TableCutTest() : directory_("table_cut") {
    flags_.db = directory_.path() + "/db";
    flags_.expected_values_dir = directory_.path() + "/expected";
    flags_.cut_tables_one_in = 1;
    fs::create_directories(flags_.db);
  }
  void MakeTable(const std::string& name) {
    std::ofstream(flags_.db + "/" + name) << "0123456789";
  }
  // The file's size: ten bytes, or less where it was shortened or removed.
  uint64_t SizeOf(const std::string& name) {
    std::error_code error;
    const uint64_t size = fs::file_size(flags_.db + "/" + name, error);
    return error ? 0 : size;
  }

  TempDir directory_;
  Flags flags_;
};

TEST_F(TableCutTest, OnlyWhatIsNewGoes) {
  const TableCut cut(flags_);
  MakeTable("000007.sst");
  ASSERT_TRUE(cut.NoteTables().ok());
  ASSERT_TRUE(cut.Make().ok());
  EXPECT_FALSE(cut.WasMade()) << "there is nothing new";
  ASSERT_TRUE(cut.NoteTables().ok());
  MakeTable("000006.sst");
  MakeTable("000009.sst");
  MakeTable("000010.log");
  MakeTable("other.sst");
  ASSERT_TRUE(cut.Make().ok());
  EXPECT_TRUE(cut.WasMade());
  EXPECT_LT(SizeOf("000009.sst"), 10u);
  for (const char* name :
       {"000006.sst", "000007.sst", "000010.log", "other.sst"}) {
    EXPECT_EQ(SizeOf(name), 10u) << name;
  }
  ASSERT_TRUE(cut.Settle().ok());
  EXPECT_FALSE(cut.WasMade());
}

// A process that died before it noted which tables there were.
TEST_F(TableCutTest, NothingGoesWithoutANote) {
  const TableCut cut(flags_);
  ASSERT_TRUE(cut.NoteTables().ok());
  MakeTable("000003.sst");
  ASSERT_TRUE(cut.Make().ok());
  EXPECT_TRUE(cut.WasMade());
  MakeTable("000004.sst");
  ASSERT_TRUE(cut.Make().ok());
  EXPECT_EQ(SizeOf("000004.sst"), 10u);
  EXPECT_TRUE(cut.WasMade()) << "it still is to be judged as such";
}

// Nor one that died while it opened the database again.
TEST_F(TableCutTest, NothingGoesOnceTheNoteIsForgotten) {
  const TableCut cut(flags_);
  ASSERT_TRUE(cut.NoteTables().ok());
  MakeTable("000003.sst");
  ASSERT_TRUE(cut.Forget().ok());
  ASSERT_TRUE(cut.Make().ok());
  EXPECT_EQ(SizeOf("000003.sst"), 10u);
  EXPECT_FALSE(cut.WasMade());
  ASSERT_TRUE(cut.Forget().ok()) << "there is none";
}

TEST_F(TableCutTest, ItIsOffWithoutTheFlag) {
  const TableCut on(flags_);
  ASSERT_TRUE(on.NoteTables().ok());
  MakeTable("000003.sst");
  Flags flags = flags_;
  flags.cut_tables_one_in = 0;
  ASSERT_TRUE(TableCut(flags).Make().ok());
  EXPECT_EQ(SizeOf("000003.sst"), 10u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
