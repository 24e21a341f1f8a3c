// db_write_buffer_size, and a write buffer manager over several databases.
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WriteMemoryTest : public DbFixture {
 protected:
  WriteMemoryTest() {
    options_.disable_auto_compactions = true;
    options_.arena_block_size = 64 << 10;
  }
  static void Write(DB* db, int mebibytes) {
    for (int i = 0; i < mebibytes * 1024; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), "key" + std::to_string(i),
                        std::string(1024, 'v')));
    }
  }
};

TEST_F(WriteMemoryTest, TheDatabasesLimitSealsMemtables) {
  options_.db_write_buffer_size = 2 << 20;
  ASSERT_GT(options_.write_buffer_size, 10u << 20);
  Open();
  Write(db_.get(), 10);
  uint64_t bytes = 0;
  ASSERT_TRUE(db_->GetIntProperty("rocksdb.cur-size-active-mem-table", &bytes));
  EXPECT_LE(bytes, 3u << 20);
  ASSERT_OK(Flush());
  EXPECT_GE(FilesAt(0), 4);
}

TEST_F(WriteMemoryTest, WithoutALimitNothingIsSealed) {
  Open();
  Write(db_.get(), 10);
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(WriteMemoryTest, AManagerCountsSeveralDatabases) {
  auto manager = std::make_shared<WriteBufferManager>(4 << 20);
  options_.write_buffer_manager = manager;
  Open();
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, path_ + "2", &other));
  // Of this one alone there is not enough.
  Write(db_.get(), 2);
  EXPECT_EQ(FilesAt(0), 0);
  Write(other.get(), 3);
  ASSERT_OK(other->Flush(FlushOptions()));
  Write(db_.get(), 4);
  ASSERT_OK(Flush());
  EXPECT_GE(FilesAt(0), 2);
  other.reset();
  db_.reset();
  EXPECT_EQ(manager->memory_usage(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
