// What the PerfContext counts of reads, number by number.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PerfCountersTest : public DbFixture {
 protected:
  PerfCountersTest() {
    SetPerfLevel(kEnableCount);
    Begin();
  }
  ~PerfCountersTest() override { SetPerfLevel(kDisable); }

  static void Begin() { get_perf_context()->Reset(); }
  static const PerfContext& Perf() { return *get_perf_context(); }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }

  // Two versions of ten keys, and ten keys deleted.
  void WriteSome() {
    for (int i = 0; i < 30; ++i) ASSERT_OK(Put(Key(i), "old"));
    for (int i = 0; i < 10; ++i) ASSERT_OK(Put(Key(i), "new"));
    for (int i = 10; i < 20; ++i) ASSERT_OK(Delete(Key(i)));
  }
};

TEST_F(PerfCountersTest, WhatAScanStepsOver) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(WriteSome());
  Begin();
  EXPECT_FALSE(Scan().empty());
  // The step off each entry, and the old versions.
  EXPECT_EQ(Perf().internal_key_skipped_count, 20u + 10 + 10);
  EXPECT_EQ(Perf().internal_delete_skipped_count, 10u);
  EXPECT_EQ(Perf().internal_recent_skipped_count, 0u);
  EXPECT_EQ(Perf().iter_seek_count, 1u);
  EXPECT_EQ(Perf().iter_next_count, 20u);
  EXPECT_EQ(Perf().iter_prev_count, 0u);
  Begin();
  EXPECT_FALSE(ScanBackward().empty());
  // Each entry.
  EXPECT_EQ(Perf().internal_key_skipped_count, 50u);
  EXPECT_EQ(Perf().internal_delete_skipped_count, 10u);
  EXPECT_EQ(Perf().iter_seek_count, 1u);
  EXPECT_EQ(Perf().iter_prev_count, 20u);
  EXPECT_EQ(Perf().iter_next_count, 0u);
}

// What operands went onto was read, and is not stepped over.
TEST_F(PerfCountersTest, WhatIsMerged) {
  options_.merge_operator = NewStringAppendOperator(",");
  options_.statistics = CreateDBStatistics();
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 10; ++i) ASSERT_OK(Put(Key(i), "base"));
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(db_->Merge(WriteOptions(), Key(i), "1"));
    ASSERT_OK(db_->Merge(WriteOptions(), Key(i), "2"));
  }
  Begin();
  EXPECT_FALSE(Scan().empty());
  EXPECT_EQ(Perf().internal_merge_count, 10u);
  EXPECT_EQ(Perf().internal_key_skipped_count, 5u);
  EXPECT_EQ(Ticker(NUMBER_ITER_SKIP), 0u);
  HistogramData operands;
  options_.statistics->histogramData(READ_NUM_MERGE_OPERANDS, &operands);
  EXPECT_EQ(operands.count, 5u);
  EXPECT_EQ(operands.sum, 10u);
}

TEST_F(PerfCountersTest, WhatASnapshotDoesNotSeeCountsApart) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 20; ++i) ASSERT_OK(Put(Key(i), "then"));
  ReadOptions then;
  then.snapshot = db_->GetSnapshot();
  for (int i = 0; i < 10; ++i) ASSERT_OK(Put(Key(i), "now"));
  for (int i = 10; i < 15; ++i) ASSERT_OK(Delete(Key(i)));
  Begin();
  EXPECT_FALSE(Scan(then).empty());
  EXPECT_EQ(Perf().internal_key_skipped_count, 20u);
  EXPECT_EQ(Perf().internal_recent_skipped_count, 15u);
  EXPECT_EQ(Perf().internal_delete_skipped_count, 0u);
  Begin();
  EXPECT_FALSE(ScanBackward(then).empty());
  EXPECT_EQ(Perf().internal_key_skipped_count, 20u);
  EXPECT_EQ(Perf().internal_recent_skipped_count, 15u);
  EXPECT_EQ(Perf().internal_delete_skipped_count, 0u);
  db_->ReleaseSnapshot(then.snapshot);
}

// They are no entries that a reader could have met.
TEST_F(PerfCountersTest, WhatARangeTombstoneHidesDoesNotCount) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (const bool in_files : {false, true}) {
    for (int i = 0; i < 30; ++i) ASSERT_OK(Put(Key(i), "v"));
    if (in_files) ASSERT_OK(Flush());
    ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(10), Key(20)));
    Begin();
    EXPECT_FALSE(Scan().empty());
    EXPECT_EQ(Perf().internal_key_skipped_count, 20u);
    EXPECT_EQ(Perf().internal_delete_skipped_count, 0u);
    Begin();
    EXPECT_FALSE(ScanBackward().empty());
    EXPECT_EQ(Perf().internal_key_skipped_count, 20u);
    EXPECT_EQ(Perf().internal_delete_skipped_count, 0u);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    ASSERT_NO_FATAL_FAILURE(Open());
  }
}

TEST_F(PerfCountersTest, EmptyMemtablesAreNotLookedInto) {
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Get("a"), "NOT_FOUND");
  EXPECT_EQ(Perf().get_from_memtable_count, 0u);
  ASSERT_OK(Put("a", "1"));
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Perf().get_from_memtable_count, 1u);
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Perf().get_from_memtable_count, 1u);
}

TEST_F(PerfCountersTest, EveryLookupOfOneKeyCounts) {
  options_.statistics = CreateDBStatistics();
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "123"));
  PinnableWideColumns columns;
  ASSERT_OK(
      db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), "a", &columns));
  GetMergeOperandsOptions most;
  most.expected_max_number_of_operands = 1;
  PinnableSlice operand;
  int count = 0;
  ASSERT_OK(db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(),
                                  "a", &operand, &most, &count));
  EXPECT_EQ(Get("a"), "123");
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  EXPECT_EQ(Perf().get_read_bytes, 9u);
  EXPECT_EQ(Ticker(NUMBER_KEYS_READ), 4u);
  EXPECT_EQ(Ticker(BYTES_READ), 9u);
  // A miss is a read of no bytes.
  HistogramData sizes;
  options_.statistics->histogramData(BYTES_PER_READ, &sizes);
  EXPECT_EQ(sizes.count, 4u);
  EXPECT_EQ(sizes.sum, 9u);
}

TEST_F(PerfCountersTest, ExpandedBlocks) {
  options_.compression = kSnappyCompression;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", std::string(1000, 'a')));
  ASSERT_OK(Flush());
  Begin();
  EXPECT_EQ(Get("a").size(), 1000u);
  EXPECT_EQ(Perf().block_decompress_count, 1u);
  EXPECT_EQ(Get("a").size(), 1000u);
  EXPECT_EQ(Perf().block_decompress_count, 1u);
}

TEST_F(PerfCountersTest, PreparedRanges) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 300; ++i) ASSERT_OK(Put(Key(i), std::string(500, 'v')));
  ASSERT_OK(Flush());
  const std::string bounds[] = {Key(10), Key(100), Key(200), Key(250)};
  const auto scan = [this, &bounds] {
    MultiScanArgs ranges(BytewiseComparator());
    ranges.insert(bounds[0], bounds[1]);
    ranges.insert(bounds[2], bounds[3]);
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Prepare(ranges);
    int seen = 0;
    for (const int i : {0, 2}) {
      for (it->Seek(bounds[i]);
           it->Valid() && it->key().compare(bounds[i + 1]) < 0; it->Next()) {
        ++seen;
      }
    }
    EXPECT_OK(it->status());
    EXPECT_EQ(seen, 140);
  };
  Begin();
  scan();
  EXPECT_EQ(Perf().multiscan_prepare_count, 1u);
  const uint64_t blocks = Perf().multiscan_blocks_prefetched;
  EXPECT_GT(blocks, 10u);
  EXPECT_GT(Perf().multiscan_prefetch_bytes, 140u * 500);
  EXPECT_GE(Perf().multiscan_io_requests, 1u);
  EXPECT_LE(Perf().multiscan_io_requests, blocks);
  EXPECT_EQ(Perf().multiscan_blocks_from_cache, 0u);
  Begin();
  scan();
  EXPECT_EQ(Perf().multiscan_prepare_count, 1u);
  EXPECT_EQ(Perf().multiscan_blocks_prefetched, 0u);
  EXPECT_EQ(Perf().multiscan_blocks_from_cache, blocks);
}

// The order of bytes the other way round, and how often it was asked.
class AskedOrder : public Comparator {
 public:
  const char* Name() const override { return "AskedOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++asked_;
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
  uint64_t TakeAsked() const { return asked_.exchange(0); }

 private:
  mutable std::atomic<uint64_t> asked_{0};
};

class ComparisonCountTest : public PerfCountersTest {
 protected:
  ~ComparisonCountTest() override { db_.reset(); }

  // That many are counted, and the comparator was asked as often.
  template <class Work>
  uint64_t Compared(const Work& work) {
    order_.TakeAsked();
    Begin();
    work();
    const uint64_t counted = Perf().user_key_comparison_count;
    if (options_.comparator == &order_) {
      EXPECT_EQ(order_.TakeAsked(), counted);
    }
    return counted;
  }
  void CheckAll() {
    EXPECT_GT(Compared([&] { ASSERT_NO_FATAL_FAILURE(WriteSome()); }), 50u);
    for (const bool in_files : {false, true}) {
      EXPECT_GT(Compared([&] { EXPECT_EQ(Get(Key(5)), "new"); }), 2u);
      EXPECT_GT(Compared([&] { EXPECT_EQ(Get("x"), "NOT_FOUND"); }), 0u);
      EXPECT_GT(Compared([&] { EXPECT_FALSE(Scan().empty()); }), 20u);
      EXPECT_GT(Compared([&] { EXPECT_FALSE(ScanBackward().empty()); }), 20u);
      if (!in_files) ASSERT_OK(Flush());
    }
  }

  const AskedOrder order_;
};

TEST_F(ComparisonCountTest, IsThatOfTheComparatorsCalls) {
  options_.comparator = &order_;
  ASSERT_NO_FATAL_FAILURE(Open());
  CheckAll();
}

TEST_F(ComparisonCountTest, InTheOrderOfBytesToo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  CheckAll();
}

TEST_F(ComparisonCountTest, FollowsTheLevel) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(WriteSome());
  SetPerfLevel(kDisable);
  EXPECT_EQ(Compared([&] { EXPECT_EQ(Get(Key(5)), "new"); }), 0u);
  SetPerfLevel(kEnableCount);
  EXPECT_GT(Compared([&] { EXPECT_EQ(Get(Key(5)), "new"); }), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
