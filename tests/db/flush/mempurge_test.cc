// The estimate of how much of a memtable is still useful counts hidden
// versions, newer memtables and range tombstones.
#include "db/flush/mempurge.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MempurgeEstimateTest : public ::testing::Test {
 protected:
  MemTable* NewMemTable() {
    MemTableOptions options;
    options.order = order_;
    options.id = memtables_.size() + 1;
    memtables_.push_back(std::make_unique<MemTable>(options));
    return memtables_.back().get();
  }
  void Put(MemTable* memtable, int key) {
    EXPECT_TRUE(memtable
                    ->Add(++sequence_, kTypeValue,
                          "key" + std::to_string(10000 + key),
                          std::string(100, 'v'))
                    .ok());
  }
  // What part of all bytes is useful, in percent.
  int Percent() {
    std::vector<const MemTable*> all;
    uint64_t bytes = 0;
    for (const auto& memtable : memtables_) {
      all.push_back(memtable.get());
      bytes += memtable->counts().data_bytes();
    }
    return static_cast<int>(EstimateUsefulBytes(order_, all) * 100 / bytes);
  }

  const InternalKeyComparator order_{BytewiseComparator()};
  SequenceNumber sequence_ = 0;
  std::vector<std::unique_ptr<MemTable>> memtables_;
};

TEST_F(MempurgeEstimateTest, KeysThatAreWrittenOnceAreAllUseful) {
  MemTable* const memtable = NewMemTable();
  for (int i = 0; i < 5000; ++i) Put(memtable, i);
  EXPECT_EQ(Percent(), 100);
}

TEST_F(MempurgeEstimateTest, OfEachKeyTheNewestIsUseful) {
  MemTable* const memtable = NewMemTable();
  for (int i = 0; i < 5000; ++i) Put(memtable, i % 500);
  EXPECT_NEAR(Percent(), 10, 8);
}

TEST_F(MempurgeEstimateTest, FewEntriesAreCountedOneByOne) {
  MemTable* const memtable = NewMemTable();
  for (int i = 0; i < 8; ++i) Put(memtable, i % 4);
  EXPECT_EQ(Percent(), 50);
}

TEST_F(MempurgeEstimateTest, NewerMemtablesHideOlderOnes) {
  MemTable* const older = NewMemTable();
  for (int i = 0; i < 1000; ++i) Put(older, i);
  MemTable* const newer = NewMemTable();
  for (int i = 0; i < 1000; ++i) Put(newer, i);
  EXPECT_EQ(Percent(), 50);
}

TEST_F(MempurgeEstimateTest, RangeTombstonesHideWhatIsOlder) {
  MemTable* const memtable = NewMemTable();
  for (int i = 0; i < 1000; ++i) Put(memtable, i);
  ASSERT_TRUE(
      memtable->Add(++sequence_, kTypeRangeDeletion, "key", "kez").ok());
  for (int i = 1000; i < 2000; ++i) Put(memtable, i);
  EXPECT_NEAR(Percent(), 50, 8);
  MemTable* const newer = NewMemTable();
  ASSERT_TRUE(newer->Add(++sequence_, kTypeRangeDeletion, "key", "kez").ok());
  EXPECT_EQ(Percent(), 0);
}

TEST_F(MempurgeEstimateTest, OfNothingNothingIsUseful) {
  EXPECT_EQ(EstimateUsefulBytes(order_, {NewMemTable()}), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
