// Single lookups resolve merges in order, keep to the read tier that is asked
// for, and pin cached values without a copy.
#include <array>
#include <cstdlib>
#include <new>

#include "rocksdb/cache.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"

namespace {

// Allocations of this thread.
thread_local size_t allocation_count = 0;

}  // namespace

// A sanitizer has operators of its own, which see more: there nothing counts.
#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer)

// Not inlined: the compiler would see memory of one operator go to free().
[[gnu::noinline]] void* operator new(size_t n) {
  ++allocation_count;
  void* const p = malloc(n == 0 ? 1 : n);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
[[gnu::noinline]] void* operator new(size_t n, std::align_val_t alignment) {
  ++allocation_count;
  void* p = nullptr;
  if (posix_memalign(&p, static_cast<size_t>(alignment), n) != 0) {
    throw std::bad_alloc();
  }
  return p;
}
[[gnu::noinline]] void operator delete(void* p) noexcept { free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept {
  free(p);
}
[[gnu::noinline]] void operator delete(void* p, size_t,
                                       std::align_val_t) noexcept {
  free(p);
}

#endif

namespace ROCKSDB_NAMESPACE {
namespace {

class PointReadsTest : public DbFixture {
 protected:
  PointReadsTest() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
  }
  // The operands in order, or the status.
  std::string Operands(const std::string& key, int room,
                       GetMergeOperandsOptions::ContinueCallback more = {}) {
    std::vector<PinnableSlice> operands(static_cast<size_t>(room));
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = room;
    options.continue_cb = std::move(more);
    int count = -1;
    const Status s =
        db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(), key,
                              operands.data(), &options, &count);
    if (!s.ok()) return s.ToString() + " " + std::to_string(count);
    std::string text;
    for (int i = 0; i < count; ++i) text += operands[i].ToString() + " ";
    return text;
  }
};

// What lies between a lookup and a value in the cache.
struct CachedShape {
  const char* name;
  bool has_clock_cache = false;
  bool caches_metadata = false;  // index and filter
  bool is_partitioned = false;   // both of them
  BlockBasedTableOptions::IndexType index =
      BlockBasedTableOptions::kBinarySearch;
  bool has_tombstones = false;  // in memory and in level 0
};

class CachedReadsTest : public PointReadsTest,
                        public ::testing::WithParamInterface<CachedShape> {
 protected:
  CachedReadsTest() {
    const CachedShape& shape = GetParam();
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.cache_index_and_filter_blocks = shape.caches_metadata;
    table.index_type = shape.index;
    if (shape.is_partitioned) {
      table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 512;
    }
    if (shape.index == BlockBasedTableOptions::kHashSearch) {
      options_.prefix_extractor.reset(NewFixedPrefixTransform(4));
    }
    if (shape.has_clock_cache) {
      table.block_cache = HyperClockCacheOptions(8 << 20, 0).MakeSharedCache();
    } else {
      table.block_cache = NewLRUCache(8 << 20);
    }
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < 2000; ++i) {
      ASSERT_OK(Put("key" + std::to_string(i), std::string(300, 'v')));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll());
    if (!GetParam().has_tombstones) return;
    ASSERT_NO_FATAL_FAILURE(DeleteSome());
    ASSERT_OK(Flush());
    ASSERT_NO_FATAL_FAILURE(DeleteSome());
  }
  void DeleteSome() {
    ASSERT_OK(db_->DeleteRange(WriteOptions(), "key11", "key12"));
    ASSERT_OK(db_->DeleteRange(WriteOptions(), "key17", "key9"));
  }
};

TEST_P(CachedReadsTest, ACachedValueIsPinnedWithoutAllocation) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const ReadOptions read;
  const std::string key = "key1234";
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  PinnableSlice first, second, none;
  ASSERT_OK(db_->Get(read, family, key, &first));
  const size_t before = allocation_count;
  const Status s = db_->Get(read, family, key, &second);
  EXPECT_EQ(allocation_count, before);
  ASSERT_OK(s);
  EXPECT_TRUE(second.IsPinned());
  // Both point into the block that the cache holds.
  EXPECT_EQ(first.data(), second.data());
  EXPECT_EQ(second.ToString(), std::string(300, 'v'));
  // Beyond all keys, between two, and among those that a range may hide.
  for (const std::string& missing :
       {std::string("key99999"), std::string("key1234x"),
        std::string("key1150x")}) {
    EXPECT_TRUE(db_->Get(read, family, missing, &none).IsNotFound());
    const size_t at_miss = allocation_count;
    EXPECT_TRUE(db_->Get(read, family, missing, &none).IsNotFound());
    EXPECT_EQ(allocation_count, at_miss) << missing;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, CachedReadsTest,
    ::testing::Values(
        CachedShape{.name = "Lru"},
        CachedShape{.name = "Clock", .has_clock_cache = true},
        CachedShape{.name = "LruMetadata", .caches_metadata = true},
        CachedShape{.name = "ClockMetadata",
                    .has_clock_cache = true,
                    .caches_metadata = true},
        CachedShape{.name = "Partitioned", .is_partitioned = true},
        CachedShape{.name = "ClockPartitioned",
                    .has_clock_cache = true,
                    .caches_metadata = true,
                    .is_partitioned = true},
        CachedShape{.name = "FirstKeys",
                    .index = BlockBasedTableOptions::kBinarySearchWithFirstKey},
        CachedShape{.name = "Hash",
                    .index = BlockBasedTableOptions::kHashSearch},
        CachedShape{.name = "Tombstones", .has_tombstones = true},
        CachedShape{.name = "ClockTombstones",
                    .has_clock_cache = true,
                    .caches_metadata = true,
                    .has_tombstones = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(PointReadsTest, OperandsComeOldestFirst) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "base"));
  ASSERT_OK(Flush());
  const WriteOptions write;
  ASSERT_OK(db_->Merge(write, "a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Merge(write, "a", "2"));
  ASSERT_OK(db_->Merge(write, "b", "3"));
  ASSERT_OK(Put("c", "gone"));
  ASSERT_OK(Delete("c"));
  ASSERT_OK(db_->Merge(write, "c", "4"));
  ASSERT_OK(db_->PutEntity(write, db_->DefaultColumnFamily(), "e",
                           {{"", "default"}, {"x", "1"}}));
  ASSERT_OK(db_->Merge(write, "e", "5"));
  EXPECT_EQ(Operands("a", 3), "base 1 2 ");
  EXPECT_EQ(Operands("b", 3), "3 ");
  EXPECT_EQ(Operands("c", 3), "4 ");
  EXPECT_EQ(Operands("e", 3), "default 5 ");
  EXPECT_EQ(Operands("a", 2).substr(0, 17), "Result incomplete");
  EXPECT_EQ(Operands("none", 3).substr(0, 8), "NotFound");
  EXPECT_EQ(Operands("a", 3, [](Slice operand) { return operand != "1"; }),
            "1 2 ");
  ASSERT_OK(db_->DeleteRange(write, "a", "b"));
  EXPECT_EQ(Operands("a", 3).substr(0, 8), "NotFound");
  EXPECT_EQ(Get("b"), "3");
}

TEST_F(PointReadsTest, OperandsStandOnAValueInABlobFile) {
  options_.enable_blob_files = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "far away"));
  ASSERT_OK(Put("b", "alone"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Merge(WriteOptions(), "a", "1"));
  EXPECT_EQ(Operands("a", 2), "far away 1 ");
  EXPECT_EQ(Operands("b", 2), "alone ");
}

TEST_F(PointReadsTest, ScansOfTheMemtableTierLookAtNoFile) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "file"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "memory"));
  ReadOptions read;
  read.read_tier = kMemtableTier;
  std::string value;
  EXPECT_OK(db_->Get(read, "a", &value));
  EXPECT_OK(db_->Get(read, "b", &value));
  EXPECT_EQ(Scan(read), "b=memory ");
  std::vector<std::string> values;
  const std::vector<Status> statuses = db_->MultiGet(read, {"a", "b"}, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_OK(statuses[1]);
}

TEST_F(PointReadsTest, ThePersistedTierShowsWhatWouldSurvive) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ReadOptions read;
  read.read_tier = kPersistedTier;
  std::string value;
  ASSERT_OK(Put("a", "logged"));
  EXPECT_OK(db_->Get(read, "a", &value));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "b", "not logged"));
  EXPECT_TRUE(db_->Get(read, "b", &value).IsNotFound());
  std::vector<std::string> values;
  EXPECT_TRUE(db_->MultiGet(read, {"b"}, &values)[0].IsNotFound());
  ASSERT_OK(Flush());
  EXPECT_OK(db_->Get(read, "b", &value));
  EXPECT_EQ(value, "not logged");
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  EXPECT_TRUE(it->status().IsNotSupported());
}

TEST_F(PointReadsTest, KeyMayExistReadsNoFile) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(20));
  table.block_cache = NewLRUCache(1 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  std::string value;
  bool is_found = false;
  const ReadOptions read;
  EXPECT_TRUE(db_->KeyMayExist(read, "b", &value, &is_found));
  EXPECT_TRUE(is_found);
  EXPECT_EQ(value, "2");
  EXPECT_TRUE(db_->KeyMayExist(read, "a", &value, &is_found));
  EXPECT_FALSE(is_found);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_TRUE(db_->KeyMayExist(read, "a", &value, &is_found));
  EXPECT_TRUE(is_found);
  EXPECT_FALSE(db_->KeyMayExist(read, "none", &value, &is_found));
  EXPECT_TRUE(is_found);
}

// The answer is certain, for a key that is not there too: its value is empty.
// Only of what the files alone can tell nothing is found.
TEST_F(PointReadsTest, KeyMayExistSaysWhetherItIsCertain) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(1 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto ask = [&](const std::string& key) {
    std::string value = "old";
    bool is_found = false;
    const bool may = db_->KeyMayExist(ReadOptions(), key, &value, &is_found);
    bool is_found_alone = false;
    EXPECT_EQ(db_->KeyMayExist(ReadOptions(), key, nullptr, &is_found_alone),
              may);
    EXPECT_EQ(is_found_alone, is_found);
    return std::string(may ? "may" : "not") + (is_found ? "=" : "?") + value;
  };
  EXPECT_EQ(ask("a"), "not=") << "in an empty database";
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("c", "3"));
  EXPECT_EQ(ask("a"), "may=1");
  EXPECT_EQ(ask("b"), "not=");
  ASSERT_OK(Delete("a"));
  EXPECT_EQ(ask("a"), "not=");
  ASSERT_OK(Put("a", "2"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(ask("a"), "may?");
  EXPECT_EQ(ask("b"), "may?");
  EXPECT_EQ(ask("z"), "not=") << "behind the file";
  EXPECT_EQ(Get("a"), "2");
  EXPECT_EQ(ask("a"), "may=2");
  EXPECT_EQ(ask("b"), "not=");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "b"));
  EXPECT_EQ(ask("a"), "not=");
}

TEST_F(PointReadsTest, RangeDeletionsAreIgnoredWhereverTheyAre) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "c"));
  ReadOptions read;
  read.ignore_range_deletions = true;
  const auto check = [&] {
    std::string value;
    EXPECT_OK(db_->Get(read, "a", &value));
    EXPECT_EQ(value, "1");
    std::vector<std::string> values;
    for (const Status& s : db_->MultiGet(read, {"a", "b"}, &values)) {
      EXPECT_OK(s);
    }
    EXPECT_EQ(values, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(Scan(read), "a=1 b=2 ");
    EXPECT_EQ(Get("a"), "NOT_FOUND");
  };
  check();
  ASSERT_OK(db_->PauseBackgroundWork());
  FlushOptions seal;
  seal.wait = false;
  ASSERT_OK(db_->Flush(seal));
  std::string sealed_count;
  EXPECT_TRUE(
      db_->GetProperty("rocksdb.num-immutable-mem-table", &sealed_count));
  EXPECT_EQ(sealed_count, "1");
  check();
  ASSERT_OK(db_->ContinueBackgroundWork());
}

TEST_F(PointReadsTest, ManyMergedOperandsAreReported) {
  ASSERT_NO_FATAL_FAILURE(Open());
  const WriteOptions write;
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  ASSERT_OK(Put("a", "base"));
  ASSERT_OK(Flush());
  for (const char* operand : {"1", "2", "3"}) {
    ASSERT_OK(db_->Merge(write, "a", operand));
    ASSERT_OK(db_->Merge(write, "b", operand));
    ASSERT_OK(Flush());
  }
  ASSERT_OK(Put("c", "plain"));
  ReadOptions read;
  const auto exceeds = [](const Status& s) {
    EXPECT_OK(s);
    return s.IsOkMergeOperandThresholdExceeded();
  };
  // No threshold, and each one about as many as there are.
  for (const int threshold : {-1, 0, 2, 3, 4}) {
    SCOPED_TRACE(threshold);
    const bool is_over = threshold >= 0 && threshold < 3;
    read.merge_operand_count_threshold.reset();
    if (threshold >= 0) read.merge_operand_count_threshold = threshold;
    std::string value;
    EXPECT_EQ(exceeds(db_->Get(read, "a", &value)), is_over);
    EXPECT_EQ(value, "base,1,2,3");
    EXPECT_EQ(exceeds(db_->Get(read, "b", &value)), is_over);
    EXPECT_EQ(value, "1,2,3");
    EXPECT_FALSE(exceeds(db_->Get(read, "c", &value)));
    EXPECT_TRUE(db_->Get(read, "d", &value).IsNotFound());
    PinnableWideColumns columns;
    EXPECT_EQ(exceeds(db_->GetEntity(read, family, "a", &columns)), is_over);
    EXPECT_EQ(columns.columns().front().value(), "base,1,2,3");
    LazyWideColumns lazy;
    EXPECT_EQ(exceeds(db_->GetEntityLazy(read, family, "a", &lazy)), is_over);
    EXPECT_EQ(*lazy[0].inline_value(), "base,1,2,3");
    const std::array<Slice, 3> keys{"a", "b", "c"};
    std::array<Status, 3> lazy_statuses;
    LazyWideColumnsBatch batch;
    db_->MultiGetEntityLazy(read, family, keys.size(), keys.data(), &batch,
                            lazy_statuses.data());
    EXPECT_EQ(exceeds(lazy_statuses[0]), is_over);
    EXPECT_EQ(exceeds(lazy_statuses[1]), is_over);
    EXPECT_FALSE(exceeds(lazy_statuses[2]));
    EXPECT_EQ(*batch[1][0].inline_value(), "1,2,3");
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        db_->MultiGet(read, {"a", "b", "c"}, &values);
    EXPECT_EQ(exceeds(statuses[0]), is_over);
    EXPECT_EQ(exceeds(statuses[1]), is_over);
    EXPECT_FALSE(exceeds(statuses[2]));
    EXPECT_EQ(values[0], "base,1,2,3");
    // Nothing is merged here, and an iterator has no status of each key.
    std::array<PinnableSlice, 4> operands;
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 4;
    int count = 0;
    EXPECT_FALSE(exceeds(db_->GetMergeOperands(
        read, family, "a", operands.data(), &limit, &count)));
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->SeekToFirst();
    EXPECT_TRUE(it->Valid());
    EXPECT_FALSE(exceeds(it->status()));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
