// inplace_update_support through the whole engine.
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class InPlaceUpdatesTest : public DbFixture {
 protected:
  InPlaceUpdatesTest() {
    options_.inplace_update_support = true;
    options_.allow_concurrent_memtable_write = false;
    options_.statistics = CreateDBStatistics();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
  }
  uint64_t Entries() {
    uint64_t count = 0;
    EXPECT_TRUE(
        db_->GetIntProperty(DB::Properties::kNumEntriesActiveMemTable, &count));
    return count;
  }
};

TEST_F(InPlaceUpdatesTest, PutsTakeTheOldValuesPlace) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", "first"));
  for (int i = 0; i < 100; ++i) ASSERT_OK(Put("k", std::to_string(100 + i)));
  EXPECT_EQ(Get("k"), "199");
  EXPECT_EQ(Entries(), 1u);
  EXPECT_EQ(Ticker(NUMBER_KEYS_UPDATED), 100u);
  EXPECT_EQ(Ticker(NUMBER_KEYS_WRITTEN), 101u);
  ASSERT_OK(Put("k", "longer"));
  EXPECT_EQ(Get("k"), "longer");
  EXPECT_EQ(Entries(), 2u);
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("k"), "longer");
  ASSERT_OK(Put("k", "new"));  // Files stay as they are.
  EXPECT_EQ(Entries(), 1u);
  EXPECT_EQ(Scan(), "k=new ");
  EXPECT_EQ(ScanBackward(), "k=new ");
}

TEST_F(InPlaceUpdatesTest, LogsAreReplayedLikewise) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "first"));
  ASSERT_OK(Put("b", "first"));
  ASSERT_OK(Put("a", "last"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(Put("b", "x"));
  options_.avoid_flush_during_recovery = true;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), "a=last b=x ");
  EXPECT_EQ(Entries(), 4u);
  ASSERT_OK(Put("a", "z"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Scan(), "a=z b=x ");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), "a=z b=x ");
}

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

TEST_F(InPlaceUpdatesTest, WhatDoesNotGoWithItIsRefused) {
  const auto refused = [this](const char* name) {
    const Status s = TryOpen();
    EXPECT_FALSE(s.ok()) << name;
    EXPECT_NE(s.ToString().find(name), std::string::npos) << s.ToString();
  };
  options_.allow_concurrent_memtable_write = true;
  refused("allow_concurrent_memtable_write");
  options_.allow_concurrent_memtable_write = false;
  options_.memtable_protection_bytes_per_key = 8;
  refused("memtable_protection_bytes_per_key");
  options_.memtable_protection_bytes_per_key = 0;
  options_.comparator = BytewiseComparatorWithU64Ts();
  refused("comparator");
  options_.comparator = BytewiseComparator();
  ASSERT_OK(TryOpen());
  EXPECT_FALSE(
      db_->SetOptions({{"memtable_protection_bytes_per_key", "8"}}).ok());
  EXPECT_OK(db_->SetOptions({{"inplace_update_num_locks", "0"}}));
  ASSERT_OK(Put("k", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("k", "2"));
  ASSERT_OK(Put("k", "3"));
  EXPECT_EQ(Get("k"), "3");
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
