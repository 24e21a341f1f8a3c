// The row cache: what a Get() finds is what it finds without, and the second
// time it comes from the cache.

#include <array>

#include "rocksdb/comparator.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/statistics.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RowCacheTest : public DbFixture {
 protected:
  RowCacheTest() {
    options_.row_cache = NewLRUCache(1 << 20);
    options_.statistics = CreateDBStatistics();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
    Open();
  }
  uint64_t Hits() const {
    return options_.statistics->getTickerCount(ROW_CACHE_HIT);
  }
  uint64_t Misses() const {
    return options_.statistics->getTickerCount(ROW_CACHE_MISS);
  }
  // Gets twice, the second time by the cache alone.
  std::string GetTwice(const std::string& key) {
    const std::string first = Get(key);
    const uint64_t misses = Misses();
    const uint64_t hits = Hits();
    EXPECT_EQ(Get(key), first);
    EXPECT_EQ(Misses(), misses) << key;
    EXPECT_GT(Hits(), hits) << key;
    return first;
  }
};

TEST_F(RowCacheTest, ServesEveryKindOfEntry) {
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(Put("m", "base"));
  ASSERT_OK(Flush());
  ASSERT_OK(Delete("b"));
  ASSERT_OK(db_->Merge(WriteOptions(), "m", "x"));
  ASSERT_OK(db_->Merge(WriteOptions(), "n", "alone"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Hits(), 0u);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Hits(), 0u);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_GT(Hits(), 0u);
  EXPECT_EQ(GetTwice("b"), "NOT_FOUND");
  EXPECT_EQ(GetTwice("m"), "base,x");
  EXPECT_EQ(Get("n"), "alone");
  EXPECT_EQ(Get("n"), "alone");
  // New data are in new files.
  ASSERT_OK(Put("a", "2"));
  EXPECT_EQ(Get("a"), "2");
  ASSERT_OK(Flush());
  EXPECT_EQ(GetTwice("a"), "2");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetTwice("a"), "2");
  EXPECT_EQ(GetTwice("m"), "base,x");
  EXPECT_EQ(Get("b"), "NOT_FOUND");
}

TEST_F(RowCacheTest, SnapshotsSeeWhatTheySaw) {
  ASSERT_OK(Put("a", "old"));
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("a", "new"));
  ASSERT_OK(Flush());
  EXPECT_EQ(GetTwice("a"), "new");
  EXPECT_EQ(Get("a", snapshot), "old");
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(Get("a", snapshot), "old");
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(RowCacheTest, RangeTombstonesAboveARowCount) {
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(Flush());
  EXPECT_EQ(GetTwice("a"), "1");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "b"));
  EXPECT_EQ(Get("a"), "NOT_FOUND");
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), "NOT_FOUND");
  EXPECT_EQ(Get("a"), "NOT_FOUND");
  // The newer file ends where b is, and has nothing of it: no row tells that.
  const uint64_t hits = Hits();
  EXPECT_EQ(Get("b"), "1");
  EXPECT_EQ(Get("b"), "1");
  EXPECT_EQ(Hits(), hits + 1);
  ReadOptions read;
  read.ignore_range_deletions = true;
  std::string value;
  ASSERT_OK(db_->Get(read, "a", &value));
  EXPECT_EQ(value, "1");
}

// A look-up that only asks whether the key exists stops at the first operand.
// The cache must not keep that as the key's row.
TEST_F(RowCacheTest, ALookupThatStopsEarlyKeepsNothing) {
  ASSERT_OK(Put("m", "base"));
  const Snapshot* snapshot = db_->GetSnapshot();  // Keeps both versions.
  ASSERT_OK(db_->Merge(WriteOptions(), "m", "x"));
  ASSERT_OK(Flush());
  PinnableSlice operands[2];
  GetMergeOperandsOptions limit;
  limit.expected_max_number_of_operands = 2;
  int count = 0;
  ASSERT_OK(db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(),
                                  "m", operands, &limit, &count));
  EXPECT_EQ(count, 2);
  std::string value;
  bool is_found = false;
  EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), "m", &value, &is_found));
  EXPECT_EQ(Get("m"), "base,x");
  EXPECT_EQ(GetTwice("m"), "base,x");
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(RowCacheTest, NotFilledWhereToldSoAndWithoutRoom) {
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ReadOptions read;
  read.fill_cache = false;
  std::string value;
  ASSERT_OK(db_->Get(read, "a", &value));
  EXPECT_EQ(options_.row_cache->GetUsage(), 0u);
  options_.row_cache->SetCapacity(1);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Hits(), 0u);
}

// Two databases and their families share one cache and mix nothing up.
TEST_F(RowCacheTest, SharedBetweenDatabases) {
  ASSERT_OK(Put("a", "one"));
  ASSERT_OK(Flush());
  EXPECT_EQ(GetTwice("a"), "one");
  Options options = options_;
  options.create_if_missing = true;
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options, path_ + "2", &other));
  ASSERT_OK(other->Put(WriteOptions(), "a", "two"));
  ASSERT_OK(other->Flush(FlushOptions()));
  std::string value;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(other->Get(ReadOptions(), "a", &value));
    EXPECT_EQ(value, "two");
    EXPECT_EQ(Get("a"), "one");
  }
}

// a, b, c and d as one MultiGet() answers.
std::string MultiGetText(DB* db, const ReadOptions& read = ReadOptions()) {
  const std::array<Slice, 4> keys = {"a", "b", "c", "d"};
  std::array<PinnableSlice, 4> values;
  std::array<Status, 4> statuses;
  db->MultiGet(read, db->DefaultColumnFamily(), keys.size(), keys.data(),
               values.data(), statuses.data());
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    text += keys[i].ToString() + "=" +
            (statuses[i].ok() ? values[i].ToString() : statuses[i].ToString()) +
            " ";
  }
  return text;
}

TEST_F(RowCacheTest, BatchesFillAndReadIt) {
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, key));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "x"));
  ASSERT_OK(Delete("c"));
  ASSERT_OK(Put("e", "e"));
  ASSERT_OK(Flush());
  const std::string expected = "a=a b=b,x c=NotFound:  d=NotFound:  ";
  EXPECT_EQ(MultiGetText(db_.get()), expected);
  EXPECT_EQ(Hits(), 0u);
  SetPerfLevel(PerfLevel::kEnableCount);
  get_perf_context()->Reset();
  EXPECT_EQ(MultiGetText(db_.get()), expected);
  // b has rows in both files, c one in the newer, a one in the older.
  EXPECT_EQ(Hits(), 4u);
  EXPECT_EQ(Get("a"), "a");
  EXPECT_EQ(Get("b"), "b,x");
  EXPECT_GE(Hits(), 7u);
  ReadOptions cached_only;
  cached_only.read_tier = kBlockCacheTier;
  EXPECT_EQ(MultiGetText(db_.get(), cached_only), expected);
  SetPerfLevel(PerfLevel::kDisable);
  // Newer versions, by batch too.
  ASSERT_OK(Put("a", "2"));
  EXPECT_EQ(MultiGetText(db_.get()), "a=2 b=b,x c=NotFound:  d=NotFound:  ");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "c"));
  ASSERT_OK(Flush());
  EXPECT_EQ(MultiGetText(db_.get()),
            "a=NotFound:  b=NotFound:  c=NotFound:  d=NotFound:  ");
}

// A plain table, too, passes over what the cache has answered.
TEST_F(RowCacheTest, BatchesOfPlainTablesReadIt) {
  options_.allow_mmap_reads = true;
  options_.table_factory.reset(NewPlainTableFactory());
  path_ += "-plain";
  Open();
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, key));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "x"));
  ASSERT_OK(Flush());
  const std::string expected = "a=a b=b,x c=c d=NotFound:  ";
  EXPECT_EQ(MultiGetText(db_.get()), expected);
  EXPECT_EQ(Hits(), 0u);
  EXPECT_EQ(MultiGetText(db_.get()), expected);
  EXPECT_EQ(Hits(), 4u);
}

TEST_F(RowCacheTest, BatchesThatMustNotFillDoNot) {
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ReadOptions read;
  read.fill_cache = false;
  EXPECT_EQ(MultiGetText(db_.get(), read).substr(0, 4), "a=1 ");
  EXPECT_EQ(options_.row_cache->GetUsage(), 0u);
  EXPECT_EQ(MultiGetText(db_.get()).substr(0, 4), "a=1 ");
  EXPECT_GT(options_.row_cache->GetUsage(), 0u);
  EXPECT_EQ(MultiGetText(db_.get(), read).substr(0, 4), "a=1 ");
  EXPECT_EQ(Hits(), 1u);
}

TEST_F(RowCacheTest, AnswersWithoutTheFileOnceItIsWarm) {
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  EXPECT_EQ(GetTwice("a"), "1");
  SetPerfLevel(PerfLevel::kEnableCount);
  get_perf_context()->Reset();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(get_perf_context()->block_read_count, 0u);
  EXPECT_EQ(get_perf_context()->block_cache_hit_count, 0u);
  SetPerfLevel(PerfLevel::kDisable);
}

TEST_F(RowCacheTest, EntitiesComeOutWhole) {
  const WideColumns columns{{kDefaultWideColumnName, "base"}, {"one", "1"}};
  ASSERT_OK(
      db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "a", columns));
  ASSERT_OK(Flush());
  for (int i = 0; i < 2; ++i) {
    PinnableWideColumns entity;
    ASSERT_OK(db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), "a",
                             &entity));
    EXPECT_EQ(entity.columns(), columns);
    EXPECT_EQ(Get("a"), "base");
  }
  EXPECT_EQ(Hits(), 3u);
}

TEST_F(RowCacheTest, ReferencesToBlobsLeadToThem) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  Reopen();
  const std::string value(100, 'v');
  ASSERT_OK(Put("a", value));
  ASSERT_OK(Flush());
  EXPECT_EQ(GetTwice("a"), value);
  EXPECT_LT(options_.row_cache->GetUsage(), 2000u);
  CompactRangeOptions move;
  move.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kForce;
  move.blob_garbage_collection_age_cutoff = 1.0;
  move.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_OK(db_->CompactRange(move, nullptr, nullptr));
  EXPECT_EQ(GetTwice("a"), value);
}

TEST_F(RowCacheTest, TimestampsGoPastIt) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator = nullptr;
  path_ += "-ts";
  Open();
  std::array<std::string, 3> times;
  for (size_t i = 0; i < times.size(); ++i) {
    times[i] = EncodeU64Ts(i + 1, &times[i]).ToString();
  }
  ASSERT_OK(db_->Put(WriteOptions(), "a", times[0], "one"));
  ASSERT_OK(db_->Put(WriteOptions(), "a", times[2], "three"));
  ASSERT_OK(Flush());
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < times.size(); ++i) {
      const Slice time(times[i]);
      ReadOptions read;
      read.timestamp = &time;
      std::string value;
      ASSERT_OK(db_->Get(read, "a", &value));
      EXPECT_EQ(value, i < 2 ? "one" : "three");
    }
  }
  EXPECT_EQ(Hits() + Misses(), 0u);
}

// Takes keys for equal that differ in case.
class CaselessComparator : public Comparator {
 public:
  const char* Name() const override { return "caseless"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return Slice(Lower(a)).compare(Slice(Lower(b)));
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  static std::string Lower(const Slice& key) {
    std::string text = key.ToString();
    for (char& c : text) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
  }
};

TEST_F(RowCacheTest, AnEqualKeyOfOtherBytesIsFoundAsStored) {
  const CaselessComparator order;
  options_.comparator = &order;
  options_.enable_blob_files = true;
  path_ += "-caseless";
  Open();
  ASSERT_OK(Put("a", "blob"));
  ASSERT_OK(Flush());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Get("A"), "blob");
    EXPECT_EQ(Get("a"), "blob");
  }
  EXPECT_EQ(Hits(), 1u);
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
