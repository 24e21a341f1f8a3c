// Flushed memtables that stay in memory (max_write_buffer_size_to_maintain).
// The cases are tests/testdata/databases/memtables/history.txt, in the language
// of database_script.h; and
//
//   kept                 how many there are
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string CountKept(ScriptDatabase& database, const ScriptLine& /*line*/) {
  std::string count;
  EXPECT_TRUE(database.db()->GetProperty(
      DB::Properties::kNumImmutableMemTableFlushed, &count));
  return count + " kept";
}

TEST(MemTableHistoryScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/memtables/history.txt", options,
                         {{"kept", CountKept}}),
            3u);
}

class MemTableHistoryTest : public DbFixture {
 protected:
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb." + property, &value));
    return value;
  }
  uint64_t Kept() { return Number("num-immutable-mem-table-flushed"); }
  void WriteAndFlush(int count, size_t value_size = 100) {
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(Put("key" + std::to_string(i), std::string(value_size, 'v')));
      ASSERT_OK(Flush());
    }
  }
};

TEST_F(MemTableHistoryTest, TheNewestAreKept) {
  options_.max_write_buffer_size_to_maintain = 10 << 20;
  Open();
  WriteAndFlush(3);
  EXPECT_EQ(Kept(), 3u);
  EXPECT_EQ(Number("num-immutable-mem-table"), 0u);
  EXPECT_GT(Number("size-all-mem-tables"), Number("cur-size-all-mem-tables"));
  EXPECT_EQ(Get("key0").size(), 100u);
  Reopen();
  EXPECT_EQ(Kept(), 0u);
  EXPECT_EQ(Get("key2").size(), 100u);
}

// What is flushed cannot be flushed again to make room.
TEST_F(MemTableHistoryTest, HistoryMakesRoomForWrites) {
  constexpr size_t kMemory = 2 << 20;
  options_.write_buffer_size = 1 << 20;
  options_.max_write_buffer_size_to_maintain = 100 << 20;
  options_.write_buffer_manager = std::make_shared<WriteBufferManager>(
      kMemory, nullptr, /*allow_stall=*/true);
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Put("key" + std::to_string(i), std::string(50000, 'v')));
    if (i % 5 == 0) ASSERT_OK(Flush());
  }
  ASSERT_OK(Flush());
  EXPECT_LE(Number("size-all-mem-tables"), 2 * kMemory);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Get("key" + std::to_string(i)).size(), 50000u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
