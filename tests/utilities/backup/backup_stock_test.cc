// Backups go to and fro between this engine and RocksDB's own tool.
#include <gtest/gtest.h>

#include "tests/testing/shell.h"
#include "tests/utilities/backup/backup_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BackupStockTest : public BackupFixture {
 protected:
  void SetUp() override {
    if (!HasProgram("ldb")) GTEST_SKIP() << "RocksDB's tools are not here";
    BlockBasedTableOptions table;
    table.format_version = 5;  // The newest that the tools know.
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  // What ldb printed; it must succeed.
  static std::string Ldb(const std::string& arguments) {
    int status = 0;
    std::string output =
        RunShell("ldb --ignore_unknown_options " + arguments, &status);
    EXPECT_EQ(status, 0) << arguments << "\n" << output;
    return output;
  }
};

TEST_F(BackupStockTest, ItRestoresOurs) {
  Open();
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  OpenEngine();
  ASSERT_OK(Create());
  const std::string restored =
      Ldb("restore --db=" + restored_ + " --backup_dir=" + root_);
  EXPECT_NE(restored.find("restore from backup OK"), std::string::npos)
      << restored;
  EXPECT_EQ(Ldb("scan --db=" + restored_), "a : table\nb : log\n");
}

TEST_F(BackupStockTest, WeRestoreItsAndBothGoOn) {
  Ldb("put --create_if_missing --db=" + path_ + " a stock");
  Ldb("backup --db=" + path_ + " --backup_dir=" + root_);
  OpenEngine();
  EXPECT_EQ(ValidIds(), std::vector<BackupID>{1});
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), "a=stock ");
  engine_.reset();
  // It takes our file for its own.
  Ldb("put --db=" + path_ + " b stock");
  Ldb("backup --db=" + path_ + " --backup_dir=" + root_);
  OpenEngine();
  EXPECT_EQ(ScanRestored(2), "a=stock b=stock ");
  Open();
  ASSERT_OK(Put("c", "ours"));
  ASSERT_OK(Flush());
  ASSERT_OK(Create());
  EXPECT_EQ(ScanRestored(3), "a=stock b=stock c=ours ");
  const std::string again = directory_.path() + "/again";
  Ldb("restore --db=" + again + " --backup_dir=" + root_);
  EXPECT_EQ(Ldb("scan --db=" + again), "a : stock\nb : stock\nc : ours\n");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
