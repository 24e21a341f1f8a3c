// How the tools open databases, unless they are told otherwise.
#include "rocksdb/tool_hooks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/blob_file_partition_strategy.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

// A program that still has the older kind of blob database.
namespace blob_db {
struct BlobDBOptions {};
}  // namespace blob_db

namespace {

class ToolHooksTest : public ::testing::Test {
 protected:
  ToolHooksTest() : path_(directory_.path() + "/db") {
    options_.create_if_missing = true;
  }

  const TempDir directory_{"hooks"};
  const std::string path_;
  Options options_;
  // Tools call the hooks through the base class, too.
  ToolHooks& hooks_ = defaultHooks;
};

TEST_F(ToolHooksTest, DefaultOnesOpenAsTheClassesDo) {
  std::unique_ptr<DB> db, other;
  ASSERT_TRUE(hooks_.Open(options_, path_, &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "k", "v").ok());
  ASSERT_TRUE(
      hooks_.OpenAsSecondary(options_, path_, path_ + "2", &other).ok());
  std::string value;
  EXPECT_TRUE(other->Get(ReadOptions(), "k", &value).ok());
  other.reset();
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  ASSERT_TRUE(hooks_.OpenAsFollower(options_, path_ + "3", path_, &other).ok());
  EXPECT_TRUE(other->Get(ReadOptions(), "k", &value).ok());
  other.reset();
  db.reset();

  ASSERT_TRUE(hooks_.OpenForReadOnly(options_, path_, &db, false).ok());
  EXPECT_TRUE(db->Put(WriteOptions(), "k", "w").IsNotSupported());
  db.reset();
  const std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, options_}};
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_TRUE(hooks_.Open(options_, path_, families, &handles, &db).ok());
  ASSERT_EQ(handles.size(), 1u);
  EXPECT_TRUE(db->DestroyColumnFamilyHandle(handles[0]).ok());
  db.reset();
  ASSERT_TRUE(
      hooks_.OpenForReadOnly(options_, path_, families, &handles, &db).ok());
  EXPECT_TRUE(db->DestroyColumnFamilyHandle(handles[0]).ok());
  db.reset();

  TransactionDB* pessimistic = nullptr;
  ASSERT_TRUE(hooks_
                  .OpenTransactionDB(options_, TransactionDBOptions(), path_,
                                     &pessimistic)
                  .ok());
  db.reset(pessimistic);
  EXPECT_TRUE(db->Get(ReadOptions(), "k", &value).ok());
  db.reset();
  OptimisticTransactionDB* optimistic = nullptr;
  ASSERT_TRUE(
      hooks_.OpenOptimisticTransactionDB(options_, path_, &optimistic).ok());
  db.reset(optimistic);
  db.reset();

  blob_db::BlobDB* blobs = nullptr;
  EXPECT_TRUE(hooks_.Open(options_, blob_db::BlobDBOptions(), path_, &blobs)
                  .IsNotSupported());
}

TEST_F(ToolHooksTest, ExitEndsTheProcess) {
  // In a process of its own: this one has threads.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(hooks_.Exit(3), ::testing::ExitedWithCode(3), "");
}

class NotedStrategy : public BlobFilePartitionStrategy {
 public:
  using BlobFilePartitionStrategy::SelectPartition;
  const char* Name() const override { return "Noted"; }
  uint32_t SelectPartition(uint32_t num_partitions, uint32_t, const Slice&,
                           const Slice& value) override {
    return num_partitions + static_cast<uint32_t>(value.size());
  }
};

TEST(BlobFilePartitionStrategyTest, AnEntityGoesByItsDefaultColumn) {
  NotedStrategy strategy;
  EXPECT_EQ(strategy.SelectPartition(10, 0, "k",
                                     WideColumns{{"", "123"}, {"c", "1"}}),
            13u);
  EXPECT_EQ(strategy.SelectPartition(10, 0, "k", WideColumns{{"c", "1"}}), 10u);
  EXPECT_EQ(strategy.SelectPartition(10, 0, "k", WideColumns{}), 10u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
