// Entities whose large columns are read when they are asked for: what is read
// when, what stays on disk for it, and what is refused.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/utilities/stackable_db.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/blob_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LazyColumnsTest : public BlobFixture {
 protected:
  LazyColumnsTest() { options_.merge_operator = NewStringAppendOperator(","); }

  ColumnFamilyHandle* family() { return db_->DefaultColumnFamily(); }
  uint64_t BytesRead() { return Ticker(BLOB_DB_BLOB_FILE_BYTES_READ); }
  // "" is small, a and c are large.
  Status PutColumns(int i, int version = 1) {
    const std::string a = Value(i, version), c = Value(i + 7, version);
    return db_->PutEntity(WriteOptions(), family(), Key(i),
                          {{"", "small"}, {"a", a}, {"b", ""}, {"c", c}});
  }
  void PutAll(int version = 1) {
    for (int i = 0; i < kCount; ++i) ASSERT_OK(PutColumns(i, version));
    ASSERT_OK(Flush());
  }
  Status Find(int i, LazyWideColumns* columns,
              const ReadOptions& read = ReadOptions()) {
    return db_->GetEntityLazy(read, family(), Key(i), columns);
  }
  static std::string Resolved(LazyWideColumns* columns, size_t i,
                              uint64_t offset = 0,
                              size_t length = kLazyWholeColumn) {
    PinnableSlice value;
    const Status s =
        columns->ResolveColumnRange((*columns)[i], offset, length, &value);
    return s.ok() ? value.ToString() : s.ToString();
  }
  // name:value of what is there, name@size of what is not.
  static std::string Shown(const LazyWideColumns& columns) {
    std::string text;
    for (const LazyWideColumn& column : columns) {
      text += column.name().ToString();
      if (column.is_reference()) {
        EXPECT_FALSE(column.inline_value().has_value());
        text += "@" + (column.logical_size()
                           ? std::to_string(*column.logical_size())
                           : "?");
      } else {
        EXPECT_EQ(*column.logical_size(), column.inline_value()->size());
        text += ":" + column.inline_value()->ToString();
      }
      text += " ";
    }
    return text;
  }
  static std::string SizeOf(int i) { return std::to_string(Value(i).size()); }

  static constexpr int kCount = 10;
};

TEST_F(LazyColumnsTest, LargeColumnsAreReadWhenTheyAreAskedFor) {
  for (const bool is_direct : {false, true}) {
    options_.use_direct_reads = is_direct;
    options_.create_if_missing = true;
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(PutAll());
    uint64_t before = BytesRead();
    LazyWideColumns columns;
    EXPECT_TRUE(columns.empty());
    ASSERT_OK(Find(3, &columns));
    ASSERT_EQ(columns.size(), 4u);
    EXPECT_EQ(Shown(columns),
              ":small a@" + SizeOf(3) + " b: c@" + SizeOf(10) + " ");
    for (size_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ(columns[i].index(), i);
    }
    EXPECT_EQ(BytesRead(), before) << "the lookup read a blob";
    EXPECT_EQ(Resolved(&columns, 0), "small");
    EXPECT_EQ(Resolved(&columns, 2), "");
    EXPECT_EQ(BytesRead(), before);
    EXPECT_EQ(Resolved(&columns, 3), Value(10));
    const uint64_t one = BytesRead() - before;
    EXPECT_GT(one, Value(10).size());
    EXPECT_LT(one, 2 * Value(10).size()) << "column a was read too";
    EXPECT_EQ(Resolved(&columns, 1), Value(3));
    // Parts: nothing else is read.
    before = BytesRead();
    EXPECT_EQ(Resolved(&columns, 1, 100, 50), Value(3).substr(100, 50));
    EXPECT_EQ(BytesRead() - before, 50u);
    EXPECT_EQ(Resolved(&columns, 1, 290), Value(3).substr(290));
    EXPECT_EQ(Resolved(&columns, 1, Value(3).size() - 1, 50),
              Value(3).substr(Value(3).size() - 1));
    EXPECT_EQ(Resolved(&columns, 0, 1, 3), "mal");
    before = BytesRead();
    EXPECT_EQ(Resolved(&columns, 1, Value(3).size()), "");
    EXPECT_EQ(Resolved(&columns, 1, 5, 0), "");
    EXPECT_EQ(Resolved(&columns, 0, 5), "");
    EXPECT_EQ(BytesRead(), before);
    columns.Reset();
    EXPECT_TRUE(columns.empty());
  }
}

TEST_F(LazyColumnsTest, EveryKindOfEntryHasColumns) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put(Key(0), Value(0)));
  ASSERT_OK(Put(Key(1), "plain"));
  ASSERT_OK(PutColumns(2));
  ASSERT_OK(PutColumns(3));
  ASSERT_OK(Put(Key(4), Value(4)));
  ASSERT_OK(Put(Key(5), Value(5)));
  ASSERT_OK(Put(Key(6), ""));
  const auto shown = [this](int i) {
    LazyWideColumns columns;
    const Status s = Find(i, &columns);
    EXPECT_TRUE(s.ok() || columns.empty());
    return s.ok() ? Shown(columns) : s.ToString();
  };
  // In memory everything is there at once.
  EXPECT_EQ(shown(0), ":" + Value(0) + " ");
  EXPECT_EQ(shown(2), ":small a:" + Value(2) + " b: c:" + Value(9) + " ");
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Merge(WriteOptions(), Key(3), "more"));
  ASSERT_OK(db_->Merge(WriteOptions(), Key(4), "more"));
  ASSERT_OK(Delete(Key(5)));
  EXPECT_EQ(shown(0), "@" + SizeOf(0) + " ");
  LazyWideColumns columns;
  ASSERT_OK(Find(0, &columns));
  EXPECT_EQ(columns[0].name(), kDefaultWideColumnName);
  EXPECT_EQ(Resolved(&columns, 0), Value(0));
  EXPECT_EQ(shown(1), ":plain ");
  EXPECT_EQ(shown(2), ":small a@" + SizeOf(2) + " b: c@" + SizeOf(9) + " ");
  EXPECT_EQ(shown(3), ":small,more a:" + Value(3) + " b: c:" + Value(10) + " ");
  EXPECT_EQ(shown(4), ":" + Value(4) + ",more ");
  EXPECT_EQ(shown(5), Status::NotFound().ToString());
  EXPECT_EQ(shown(6), ": ");
  EXPECT_EQ(shown(7), Status::NotFound().ToString());
}

// What the columns refer to stays until they are let go of.
TEST_F(LazyColumnsTest, BlobFilesStayForThem) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  LazyWideColumns old;
  LazyWideColumnsBatch batch;
  ASSERT_OK(Find(3, &old));
  const std::string name = Key(4);
  const Slice key(name);
  Status status;
  db_->MultiGetEntityLazy(ReadOptions(), family(), 1, &key, &batch, &status);
  ASSERT_OK(status);
  ASSERT_EQ(BlobPaths().size(), 1u);
  const std::string path = BlobPaths().front();
  ASSERT_NO_FATAL_FAILURE(PutAll(2));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 1u);
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(BlobPaths().size(), 2u);
  EXPECT_EQ(Resolved(&old, 1), Value(3));
  old.Reset();
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(BlobPaths().size(), 2u) << "the batch needs it still";
  PinnableSlice result;
  ASSERT_OK(batch[0].ResolveColumn(batch[0][3], &result));
  EXPECT_EQ(result, Value(11));
  batch.Reset();
  EXPECT_EQ(result, Value(11));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  ASSERT_EQ(BlobPaths().size(), 1u);
  EXPECT_NE(BlobPaths().front(), path);
  ASSERT_OK(Find(3, &old));
  EXPECT_EQ(Resolved(&old, 1), Value(3, 2));
  // What has nothing in blob files keeps nothing.
  LazyWideColumns fresh;
  ASSERT_OK(Put(Key(20), "small"));
  ASSERT_OK(Find(20, &fresh));
  old.Reset();
  ASSERT_NO_FATAL_FAILURE(PutAll(3));
  ASSERT_OK(CompactAll(true));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(BlobPaths().size(), 1u);
  EXPECT_EQ(Shown(fresh), ":small ");
}

TEST_F(LazyColumnsTest, ABatchResolvesColumnsOfAllItsKeys) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  for (int i = 100; i < 105; ++i) ASSERT_OK(PutColumns(i));
  ASSERT_OK(Flush());
  ASSERT_EQ(BlobCount(), 2u);
  const std::vector<int> numbers = {104, 2, 50, 9, 100, 2};
  std::vector<std::string> names;
  for (const int i : numbers) names.push_back(Key(i));
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<Status> statuses(keys.size());
  LazyWideColumnsBatch batch;
  db_->MultiGetEntityLazy(ReadOptions(), family(), keys.size(), keys.data(),
                          &batch, statuses.data());
  ASSERT_EQ(batch.size(), keys.size());
  EXPECT_EQ(BytesRead(), 0u);
  std::vector<LazyColumnReadRequest> reads;
  std::vector<std::string> expected;
  std::vector<PinnableSlice> results(2 * keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (numbers[i] == 50) {
      EXPECT_TRUE(statuses[i].IsNotFound());
      EXPECT_TRUE(batch[i].empty());
      continue;
    }
    ASSERT_OK(statuses[i]);
    for (const size_t column : {3u, 1u}) {
      LazyColumnReadRequest read;
      read.column = &batch[i][column];
      read.offset = i;
      read.length = column == 1 ? 200 : kLazyWholeColumn;
      read.result = &results[reads.size()];
      reads.push_back(read);
      expected.push_back(
          Value(numbers[i] + (column == 3 ? 7 : 0)).substr(i, read.length));
    }
  }
  ASSERT_OK(batch.MultiResolve(reads));
  for (size_t i = 0; i < reads.size(); ++i) {
    EXPECT_EQ(results[i].ToString(), expected[i]) << i;
  }
  // All of it again, from the same state, after the memory has gone elsewhere.
  LazyWideColumnsBatch moved = std::move(batch);
  ASSERT_OK(moved.MultiResolve(reads.size(), reads.data()));
  size_t shown = 0;
  for (const LazyWideColumns& columns : moved) shown += columns.size();
  EXPECT_EQ(shown, 5 * 4u);
  moved.Reset();
  EXPECT_TRUE(moved.empty());
}

TEST_F(LazyColumnsTest, RequestsThatMeanNothingAreRefused) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  EXPECT_TRUE(db_->GetEntityLazy(ReadOptions(), family(), Key(1), nullptr)
                  .IsInvalidArgument());
  LazyWideColumns columns, other;
  EXPECT_TRUE(db_->GetEntityLazy(ReadOptions(), nullptr, Key(1), &columns)
                  .IsInvalidArgument());
  ASSERT_OK(Find(1, &columns));
  ASSERT_OK(Find(2, &other));
  const uint64_t before = BytesRead();
  PinnableSlice good, bad;
  EXPECT_TRUE(columns.ResolveColumn(other[1], &bad).IsInvalidArgument());
  EXPECT_TRUE(columns.ResolveColumn(columns[1], nullptr).IsInvalidArgument());
  for (const size_t i : {0u, 1u}) {
    EXPECT_TRUE(columns.ResolveColumnRange(columns[i], 10000, 1, &bad)
                    .IsInvalidArgument());
  }
  EXPECT_EQ(BytesRead(), before);
  EXPECT_TRUE(columns.MultiResolve(1, nullptr).IsInvalidArgument());
  EXPECT_OK(columns.MultiResolve(0, nullptr));
  // One bad request spoils no other.
  Status statuses[3];
  std::vector<LazyColumnReadRequest> reads(3);
  reads[0] = {.column = nullptr, .result = &bad, .status = &statuses[0]};
  reads[1] = {.column = &columns[1], .result = &good, .status = &statuses[1]};
  reads[2] = {.column = &other[1], .result = &bad, .status = &statuses[2]};
  EXPECT_TRUE(columns.MultiResolve(reads).IsInvalidArgument());
  EXPECT_TRUE(statuses[0].IsInvalidArgument());
  EXPECT_OK(statuses[1]);
  EXPECT_TRUE(statuses[2].IsInvalidArgument());
  EXPECT_EQ(good, Value(1));
  LazyWideColumns taken = std::move(columns);
  EXPECT_EQ(Resolved(&taken, 3), Value(8));
  EXPECT_TRUE(LazyWideColumns().MultiResolve(1, &reads[1]).IsInvalidArgument());
  const std::string name = Key(1);
  const Slice key(name);
  Status status;
  db_->MultiGetEntityLazy(ReadOptions(), family(), 1, &key, nullptr, &status);
  EXPECT_TRUE(status.IsInvalidArgument());
}

TEST_F(LazyColumnsTest, TheCacheIsAskedFirst) {
  options_.blob_cache = NewLRUCache(1 << 20);
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  LazyWideColumns columns, warm;
  ASSERT_OK(Find(3, &columns));
  ASSERT_OK(Find(3, &warm, cached));
  PinnableSlice value;
  EXPECT_TRUE(warm.ResolveColumn(warm[1], &value).IsIncomplete());
  // A part is not kept.
  EXPECT_EQ(Resolved(&columns, 1, 0, 10), Value(3).substr(0, 10));
  EXPECT_TRUE(warm.ResolveColumn(warm[1], &value).IsIncomplete());
  EXPECT_EQ(Resolved(&columns, 1), Value(3));
  const uint64_t before = BytesRead();
  EXPECT_EQ(Resolved(&warm, 1), Value(3));
  EXPECT_EQ(Resolved(&warm, 1, 17, 5), Value(3).substr(17, 5));
  EXPECT_EQ(BytesRead(), before);
}

TEST_F(LazyColumnsTest, CompressedColumnsTellNoSize) {
  if (!CompressionTypeSupported(kLZ4Compression)) GTEST_SKIP() << "no LZ4";
  options_.blob_compression_type = kLZ4Compression;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  LazyWideColumns columns;
  ASSERT_OK(Find(3, &columns));
  EXPECT_EQ(Shown(columns), ":small a@? b: c@? ");
  EXPECT_EQ(Resolved(&columns, 1), Value(3));
  EXPECT_EQ(Resolved(&columns, 1, 40, 20), Value(3).substr(40, 20));
  EXPECT_EQ(Resolved(&columns, 1, Value(3).size()), "");
  PinnableSlice value;
  EXPECT_TRUE(
      columns.ResolveColumnRange(columns[1], Value(3).size() + 1, 1, &value)
          .IsInvalidArgument());
}

// Damage is found where a whole value is read, and where it is asked for.
TEST_F(LazyColumnsTest, APartIsCheckedIfThatIsAskedFor) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  LazyWideColumns columns;
  ASSERT_OK(Find(3, &columns));
  const std::string path = BlobPaths().front();
  std::string bytes = ReadBytes(path);
  const size_t place = bytes.find(Value(3));
  ASSERT_NE(place, std::string::npos);
  bytes[place + 150] ^= 1;
  {
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  PinnableSlice value;
  EXPECT_TRUE(columns.ResolveColumn(columns[1], &value).IsCorruption());
  EXPECT_EQ(Resolved(&columns, 1, 0, 100), Value(3).substr(0, 100));
  LazyColumnReadRequest read;
  read.column = &columns[1];
  read.length = 100;
  read.result = &value;
  EXPECT_OK(columns.MultiResolve(1, &read));
  read.force_verify = true;
  EXPECT_TRUE(columns.MultiResolve(1, &read).IsCorruption());
  // Also where reads are not checked.
  ReadOptions unchecked;
  unchecked.verify_checksums = false;
  LazyWideColumns careless;
  ASSERT_OK(Find(3, &careless, unchecked));
  EXPECT_OK(careless.ResolveColumn(careless[1], &value));
  read.column = &careless[1];
  EXPECT_TRUE(careless.MultiResolve(1, &read).IsCorruption());
  // The other column of it is whole.
  read.column = &careless[3];
  EXPECT_OK(careless.MultiResolve(1, &read));
  EXPECT_EQ(value, Value(10).substr(0, 100));
}

TEST_F(LazyColumnsTest, TimestampsBelongToTheRecords) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator = nullptr;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(db_->Put(WriteOptions(), Key(1), Ts(5), Value(1, 5)));
  ASSERT_OK(db_->Put(WriteOptions(), Key(1), Ts(8), Value(1, 8)));
  ASSERT_OK(Flush());
  for (const uint64_t now : {5u, 7u, 8u, 90u}) {
    const AsOf as_of(now);
    LazyWideColumns columns;
    ASSERT_OK(Find(1, &columns, as_of.options));
    ASSERT_EQ(columns.size(), 1u);
    EXPECT_TRUE(columns[0].is_reference());
    EXPECT_EQ(Resolved(&columns, 0), Value(1, now >= 8 ? 8 : 5));
  }
  const AsOf before(4);
  LazyWideColumns columns;
  EXPECT_TRUE(Find(1, &columns, before.options).IsNotFound());
}

TEST_F(LazyColumnsTest, TheEmptyKeyHasColumnsToo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("", Value(1)));
  ASSERT_OK(Put("a", Value(2)));
  ASSERT_OK(Flush());
  LazyWideColumns columns;
  ASSERT_OK(db_->GetEntityLazy(ReadOptions(), family(), "", &columns));
  EXPECT_EQ(Shown(columns), "@" + SizeOf(1) + " ");
  EXPECT_EQ(Resolved(&columns, 0), Value(1));
  const std::array<Slice, 2> keys{"", "a"};
  std::array<Status, 2> statuses;
  LazyWideColumnsBatch batch;
  db_->MultiGetEntityLazy(ReadOptions(), family(), keys.size(), keys.data(),
                          &batch, statuses.data());
  ASSERT_OK(statuses[0]);
  ASSERT_OK(statuses[1]);
  std::array<PinnableSlice, 2> results;
  std::vector<LazyColumnReadRequest> reads(2);
  for (const size_t i : {0u, 1u}) {
    reads[i].column = &batch[1 - i][0];
    reads[i].result = &results[i];
  }
  ASSERT_OK(batch.MultiResolve(reads));
  EXPECT_EQ(results[0], Value(2));
  EXPECT_EQ(results[1], Value(1));
}

TEST_F(LazyColumnsTest, WrappersPassTheCallsOn) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutAll());
  StackableDB wrapper(std::shared_ptr<DB>(db_.get(), [](DB*) {}));
  LazyWideColumns columns;
  ASSERT_OK(wrapper.GetEntityLazy(ReadOptions(), family(), Key(1), &columns));
  EXPECT_EQ(Resolved(&columns, 1), Value(1));
  const std::string name = Key(2);
  const Slice key(name);
  LazyWideColumnsBatch batch;
  Status status;
  wrapper.MultiGetEntityLazy(ReadOptions(), family(), 1, &key, &batch, &status,
                             true);
  ASSERT_OK(status);
  EXPECT_EQ(batch[0].size(), 4u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
