// inplace_update_support through the whole engine. The cases are
// tests/testdata/databases/memtables/in_place.txt, in the language of
// database_script.h, of databases that update in place; and
//
//   entries              how many the memtable has
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string CountEntries(ScriptDatabase& database, const ScriptLine& /*line*/) {
  std::string count;
  EXPECT_TRUE(database.db()->GetProperty(
      DB::Properties::kNumEntriesActiveMemTable, &count));
  return count + " entries";
}

TEST(InPlaceScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.inplace_update_support = true;
  options.allow_concurrent_memtable_write = false;
  options.merge_operator = NewStringAppendOperator(",");
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/memtables/in_place.txt", options,
                         {{"entries", CountEntries}}),
            12u);
}

class InPlaceUpdatesTest : public DbFixture {
 protected:
  InPlaceUpdatesTest() {
    options_.inplace_update_support = true;
    options_.allow_concurrent_memtable_write = false;
    options_.statistics = CreateDBStatistics();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
  }
};

TEST_F(InPlaceUpdatesTest, SnapshotsAreNotThere) {
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(db_->GetSnapshot(), nullptr);
  db_->ReleaseSnapshot(nullptr);
  // What needs one moment over families does without.
  ColumnFamilyHandle* other = nullptr;
  ColumnFamilyOptions plain;
  ASSERT_OK(db_->CreateColumnFamily(plain, "other", &other));
  ASSERT_OK(Put("k", "1"));
  ASSERT_OK(db_->Put(WriteOptions(), other, "k", "2"));
  std::vector<Iterator*> iterators;
  ASSERT_OK(db_->NewIterators(ReadOptions(),
                              {db_->DefaultColumnFamily(), other}, &iterators));
  for (Iterator* it : iterators) {
    const std::unique_ptr<Iterator> owned(it);
    it->SeekToFirst();
    EXPECT_TRUE(it->Valid());
  }
  std::vector<std::string> values;
  const auto statuses = db_->MultiGet(
      ReadOptions(), {db_->DefaultColumnFamily(), other}, {"k", "k"}, &values);
  ASSERT_OK(statuses[0]);
  ASSERT_OK(statuses[1]);
  EXPECT_EQ(values, (std::vector<std::string>{"1", "2"}));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
  // Without such a family there are snapshots again.
  options_.inplace_update_support = false;
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  ASSERT_NO_FATAL_FAILURE(Open());
  ColumnFamilyOptions in_place;
  in_place.inplace_update_support = true;
  ASSERT_OK(db_->CreateColumnFamily(in_place, "in place", &other));
  EXPECT_EQ(db_->GetSnapshot(), nullptr);
  ASSERT_OK(db_->DropColumnFamily(other));
  const Snapshot* snapshot = db_->GetSnapshot();
  EXPECT_NE(snapshot, nullptr);
  db_->ReleaseSnapshot(snapshot);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
}

// The last write of each key counts, whatever came before.
TEST_F(InPlaceUpdatesTest, RandomOperationsAgreeWithAMap) {
  const std::shared_ptr<MemTableRepFactory> factories[] = {
      std::make_shared<SkipListFactory>(), std::make_shared<VectorRepFactory>(),
      std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(100))};
  for (const auto& factory : factories) {
    SCOPED_TRACE(factory->Name());
    options_.memtable_factory = factory;
    options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
    options_.memtable_prefix_bloom_size_ratio = 0.1;
    options_.memtable_whole_key_filtering = true;
    options_.paranoid_memory_checks = !options_.paranoid_memory_checks;
    ASSERT_NO_FATAL_FAILURE(Reopen());
    std::map<std::string, std::string> model;
    Random64 random(factory->Name()[0]);
    for (int i = 0; i < 3000; ++i) {
      const std::string key = "k" + std::to_string(random.Uniform(40));
      const std::string value(random.Uniform(20), 'a' + i % 26);
      switch (random.Uniform(20)) {
        case 0:
          ASSERT_OK(Delete(key));
          model.erase(key);
          break;
        case 1:
          ASSERT_OK(db_->Merge(WriteOptions(), key, value));
          model[key] = model.contains(key) ? model[key] + "," + value : value;
          break;
        case 2: {
          const std::string end = key + "5";
          ASSERT_OK(db_->DeleteRange(WriteOptions(), key, end));
          model.erase(model.lower_bound(key), model.lower_bound(end));
          break;
        }
        case 3:
          if (random.Uniform(10) == 0) {
            ASSERT_OK(Flush());
          }
          if (random.Uniform(10) == 0) {
            ASSERT_NO_FATAL_FAILURE(Reopen());
          }
          break;
        default:
          ASSERT_OK(Put(key, value));
          model[key] = value;
      }
      EXPECT_EQ(Get(key), model.contains(key) ? model[key] : "NOT_FOUND");
    }
    std::string all;
    for (const auto& [key, value] : model) all += key + "=" + value + " ";
    ReadOptions read;
    read.total_order_seek = true;
    EXPECT_EQ(Scan(read), all);
    EXPECT_GT(Ticker(NUMBER_KEYS_UPDATED), 100u);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(InPlaceUpdatesTest, ReadersSeeWholeValuesOnly) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", std::string(500, 'a')));
  std::atomic<bool> is_over{false};
  std::atomic<int> torn{0};
  std::thread reader([&] {
    const auto look = [&torn](const Slice& value) {
      const std::string text = value.ToString();
      if (text.size() != 500 || text.find_first_not_of(text[0]) != text.npos) {
        ++torn;
      }
    };
    while (!is_over.load()) {
      PinnableSlice value;
      EXPECT_OK(
          db_->Get(ReadOptions(), db_->DefaultColumnFamily(), "k", &value));
      look(value);
      const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      it->SeekToFirst();
      EXPECT_TRUE(it->Valid());
      if (it->Valid()) look(it->value());
    }
  });
  for (int i = 0; i < 3000; ++i) {
    EXPECT_OK(Put("k", std::string(500, static_cast<char>('a' + i % 26))));
    if (i % 1000 == 999) EXPECT_OK(Flush());
  }
  is_over = true;
  reader.join();
  EXPECT_EQ(torn.load(), 0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
