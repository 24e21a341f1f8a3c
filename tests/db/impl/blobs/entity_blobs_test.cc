// Entities whose large columns are in blob files: what every read shows, what
// compactions do with them, and what happens to those that are lost.
#include <filesystem>
#include <string>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/blob_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string Text(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += column.name().ToString() + ":" + column.value().ToString() + " ";
  }
  return text;
}

class EntityBlobsTest : public BlobFixture {
 protected:
  EntityBlobsTest() { options_.merge_operator = NewStringAppendOperator(","); }

  ColumnFamilyHandle* family() { return db_->DefaultColumnFamily(); }
  // The default column, which is large if `i` is even.
  static std::string First(int i) { return i % 2 == 0 ? Value(i) : "small"; }
  static WideColumns Columns(const std::string& first, const std::string& b) {
    return {{"", first}, {"a", "inline"}, {"b", b}};
  }
  static std::string Shown(int i, int version = 1) {
    const std::string first = First(i), b = Value(i, version);
    return Text(Columns(first, b));
  }
  Status PutColumns(int i, int version = 1) {
    const std::string first = First(i), b = Value(i, version);
    return db_->PutEntity(WriteOptions(), family(), Key(i), Columns(first, b));
  }
  void PutAll(int version = 1) {
    for (int i = 0; i < kCount; ++i) ASSERT_OK(PutColumns(i, version));
    ASSERT_OK(Flush());
  }
  std::string ColumnsOf(int i, const ReadOptions& read = ReadOptions()) {
    PinnableWideColumns columns;
    const Status s = db_->GetEntity(read, family(), Key(i), &columns);
    return s.ok() ? Text(columns.columns()) : s.ToString();
  }
  void ExpectAll(int version = 1) {
    for (int i = 0; i < kCount; ++i) {
      ASSERT_EQ(ColumnsOf(i), Shown(i, version)) << i;
      ASSERT_EQ(Get(Key(i)), First(i)) << i;
    }
  }

  static constexpr int kCount = 10;
  class ResolvingFilter;
  // What PutAll() takes to blob files.
  static constexpr uint64_t kBlobs = kCount + kCount / 2;
};

TEST_F(EntityBlobsTest, EveryReadShowsTheColumns) {
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_GT(IntProperty("live-blob-file-size"), kBlobs * 300);
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  ASSERT_EQ(live.size(), 1u);
  EXPECT_EQ(live[0].oldest_blob_file_number, BlobNumbers().at(0));
  EXPECT_LT(live[0].size, kBlobs * 300);
  ASSERT_NO_FATAL_FAILURE(ExpectAll());

  std::vector<std::string> names;
  std::vector<Slice> keys;
  for (int i = 0; i < kCount; ++i) names.push_back(Key(i));
  keys.assign(names.begin(), names.end());
  std::vector<PinnableWideColumns> many(kCount);
  std::vector<Status> statuses(kCount);
  db_->MultiGetEntity(ReadOptions(), family(), kCount, keys.data(), many.data(),
                      statuses.data());
  for (int i = 0; i < kCount; ++i) {
    ASSERT_OK(statuses[i]);
    EXPECT_EQ(Text(many[i].columns()), Shown(i));
  }
  for (const bool pins : {false, true}) {
    ReadOptions read;
    read.pin_data = pins;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    int i = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++i) {
      EXPECT_EQ(Text(it->columns()), Shown(i));
      EXPECT_EQ(it->value(), it->columns()[0].value());
    }
    EXPECT_EQ(i, kCount);
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      EXPECT_EQ(Text(it->columns()), Shown(--i));
    }
    EXPECT_EQ(i, 0);
  }
}

TEST_F(EntityBlobsTest, WhatIsNotWantedIsNotRead) {
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  const auto bytes_read = [this] {
    return Ticker(BLOB_DB_BLOB_FILE_BYTES_READ);
  };
  EXPECT_EQ(Get(Key(1)), "small");
  EXPECT_EQ(bytes_read(), 0u) << "the default column is in the table";
  EXPECT_EQ(Get(Key(2)), First(2));
  const uint64_t one = bytes_read();
  EXPECT_GT(one, 300u);
  EXPECT_LT(one, 600u) << "column b was read too";
  ReadOptions read;
  read.allow_unprepared_value = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_TRUE(it->columns().empty());
  it->Next();
  EXPECT_EQ(bytes_read(), one);
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_EQ(Text(it->columns()), Shown(1));
  EXPECT_EQ(it->value(), "small");
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_GT(bytes_read(), one);
}

TEST_F(EntityBlobsTest, NothingIsSeparatedThatIsSmallOrNotAsked) {
  options_.min_blob_size = 1000;
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  EXPECT_EQ(BlobCount(), 0u) << "an entity is not large by its columns' sum";
  ASSERT_NO_FATAL_FAILURE(ExpectAll());
  ASSERT_OK(db_->SetOptions({{"min_blob_size", "100"}}));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 1u);
  ASSERT_NO_FATAL_FAILURE(ExpectAll());
  Reopen();
  ASSERT_NO_FATAL_FAILURE(ExpectAll());
}

TEST_F(EntityBlobsTest, GarbageIsCountedByColumnsAndCollected) {
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  ASSERT_OK(PutColumns(0, 2));
  ASSERT_OK(Flush());
  const uint64_t oldest = BlobNumbers().at(0);
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Garbage(), 2 * (32 + Key(0).size() + Value(0).size()));
  EXPECT_EQ(BlobNumbers().at(0), oldest);
  const auto expect = [this] {
    EXPECT_EQ(ColumnsOf(0), Shown(0, 2));
    for (int i = 1; i < kCount; ++i) EXPECT_EQ(ColumnsOf(i), Shown(i)) << i;
  };
  expect();
  ASSERT_OK(db_->SetOptions({{"enable_blob_garbage_collection", "true"},
                             {"blob_garbage_collection_age_cutoff", "0.5"}}));
  ASSERT_OK(CompactAll(true));
  EXPECT_GT(BlobNumbers().at(0), oldest);
  EXPECT_EQ(Garbage(), 0u);
  EXPECT_EQ(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), kBlobs - 2);
  expect();
  // Back into the tables.
  ASSERT_OK(db_->SetOptions({{"enable_blob_files", "false"},
                             {"blob_garbage_collection_age_cutoff", "1"}}));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 0u);
  expect();
  Reopen();
  expect();
}

TEST_F(EntityBlobsTest, MergesApplyToWholeEntities) {
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  for (int i = 0; i < kCount; ++i) {
    ASSERT_OK(db_->Merge(WriteOptions(), Key(i), "more"));
  }
  const auto merged = [](int i) { return First(i) + ",more"; };
  const auto shown = [&merged](int i) {
    const std::string first = merged(i), b = Value(i);
    return Text(Columns(first, b));
  };
  for (const bool is_compacted : {false, true}) {
    if (is_compacted) ASSERT_OK(CompactAll(true));
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->SeekToFirst();
    for (int i = 0; i < kCount; ++i, it->Next()) {
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(Text(it->columns()), shown(i));
      EXPECT_EQ(ColumnsOf(i), shown(i));
      EXPECT_EQ(Get(Key(i)), merged(i));
    }
    it->SeekToLast();
    for (int i = kCount - 1; i >= 0; --i, it->Prev()) {
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(Text(it->columns()), shown(i));
    }
  }
  ASSERT_NO_FATAL_FAILURE(PutAll());
  std::vector<PinnableSlice> operands(2);
  GetMergeOperandsOptions limits;
  limits.expected_max_number_of_operands = 2;
  int count = 0;
  ASSERT_OK(db_->GetMergeOperands(ReadOptions(), family(), Key(2),
                                  operands.data(), &limits, &count));
  ASSERT_EQ(count, 1);
  EXPECT_EQ(operands[0], First(2));
}

TEST_F(EntityBlobsTest, AFilterSeesWholeEntities) {
  class Filter : public CompactionFilter {
   public:
    const char* Name() const override { return "Filter"; }
    Decision FilterV3(int, const Slice& key, ValueType type, const Slice*,
                      const WideColumns* columns, std::string*,
                      std::vector<std::pair<std::string, std::string>>* changed,
                      std::string*) const override {
      EXPECT_EQ(type, ValueType::kWideColumnEntity);
      int i = 0;
      while (Key(i) != key) ++i;
      // The last level is compacted again.
      if (i == 4 && columns->size() == 1) return Decision::kKeep;
      EXPECT_EQ(Text(*columns), Shown(i));
      if (i == 3) return Decision::kRemove;
      if (i != 4) return Decision::kKeep;
      *changed = {{"new", std::string(500, 'n')}};
      return Decision::kChangeWideColumnEntity;
    }
  };
  const Filter filter;
  options_.compaction_filter = &filter;
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 2u) << "what the filter wrote has a file of its own";
  EXPECT_EQ(Garbage(), 3 * (32 + Key(0).size() + Value(0).size()));
  for (int i = 0; i < kCount; ++i) {
    if (i == 3) {
      EXPECT_EQ(Get(Key(i)), "NOT_FOUND");
    } else {
      EXPECT_EQ(ColumnsOf(i),
                i == 4 ? "new:" + std::string(500, 'n') + " " : Shown(i));
    }
  }
  db_.reset();  // The filter goes.
}

// Column 2 is always in a blob file, column 1 never, column 0 every other time.
class EntityBlobsTest::ResolvingFilter final : public CompactionFilter {
 public:
  const char* Name() const override { return "ResolvingFilter"; }
  bool SupportsFilterV4() const override { return true; }
  Decision FilterV4(int, const Slice& key, ValueType type, const Slice* value,
                    const WideColumns* columns, std::string*,
                    std::vector<std::pair<std::string, std::string>>* changed,
                    std::string*,
                    WideColumnBlobResolver* resolver) const override {
    if (type != ValueType::kWideColumnEntity) {
      EXPECT_EQ(nullptr, resolver);
      EXPECT_NE(nullptr, value);
      return Decision::kKeep;
    }
    EXPECT_EQ(nullptr, value);
    if (columns->size() != 3) return Decision::kKeep;  // what this one made
    int i = 0;
    while (Key(i) != key) ++i;
    EXPECT_EQ(3u, resolver->NumColumns());
    EXPECT_EQ(i % 2 == 0, resolver->IsBlobColumn(0));
    EXPECT_FALSE(resolver->IsBlobColumn(1));
    EXPECT_TRUE(resolver->IsBlobColumn(2));
    EXPECT_FALSE(resolver->IsBlobColumn(3));
    EXPECT_EQ("inline", (*columns)[1].value());
    EXPECT_NE(Value(i), (*columns)[2].value());
    if (i == 3) return Decision::kRemove;
    if (i != 4 && !resolves_all) return Decision::kKeep;
    std::vector<Slice> values;
    if (!resolver->ResolveColumns({2, 1}, &values).ok()) {
      return Decision::kIOError;
    }
    EXPECT_EQ(Value(i), values.at(0));
    EXPECT_EQ("inline", values.at(1));
    Slice again;
    EXPECT_TRUE(resolver->ResolveColumn(2, &again).ok());
    EXPECT_EQ(values[0].data(), again.data()) << "it is read once";
    EXPECT_TRUE(resolver->ResolveColumn(3, &again).IsInvalidArgument());
    EXPECT_TRUE(resolver->ResolveColumns({0, 9}, &values).IsInvalidArgument());
    EXPECT_EQ(2u, values.size());
    if (i != 4) return Decision::kKeep;
    *changed = {{"new", std::string(500, 'n')}};
    return Decision::kChangeWideColumnEntity;
  }
  bool resolves_all = false;
};

TEST_F(EntityBlobsTest, AFilterReadsTheBlobsThatItWants) {
  const ResolvingFilter filter;
  options_.compaction_filter = &filter;
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  const uint64_t before = Ticker(BLOB_DB_BLOB_FILE_BYTES_READ);
  ASSERT_OK(CompactAll(true));
  const uint64_t bytes_read = Ticker(BLOB_DB_BLOB_FILE_BYTES_READ) - before;
  EXPECT_GT(bytes_read, Value(4).size());
  EXPECT_LT(bytes_read, 3 * Value(4).size()) << "with the file's header";
  EXPECT_EQ(Garbage(), 3 * (32 + Key(0).size() + Value(0).size()));
  for (int i = 0; i < kCount; ++i) {
    if (i == 3) {
      EXPECT_EQ(Get(Key(i)), "NOT_FOUND");
    } else {
      EXPECT_EQ(ColumnsOf(i),
                i == 4 ? "new:" + std::string(500, 'n') + " " : Shown(i));
    }
  }
  db_.reset();  // The filter goes.
}

TEST_F(EntityBlobsTest, AFilterThatCannotReadABlobSaysSo) {
  ResolvingFilter filter;
  filter.resolves_all = true;
  options_.compaction_filter = &filter;
  options_.paranoid_checks = false;
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  db_.reset();
  ASSERT_EQ(BlobPaths().size(), 1u);
  std::filesystem::remove(BlobPaths()[0]);
  Open();
  EXPECT_TRUE(CompactAll(true).IsIOError());
  EXPECT_EQ(Get(Key(1)), "small");
  db_.reset();
}

TEST_F(EntityBlobsTest, ALostBlobFileIsTold) {
  options_.paranoid_checks = false;
  options_.merge_operator = nullptr;
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  db_.reset();
  ASSERT_EQ(BlobPaths().size(), 1u);
  std::filesystem::remove(BlobPaths()[0]);
  Open();
  EXPECT_EQ(Get(Key(1)), "small") << "which is in the table";
  std::string value;
  EXPECT_FALSE(db_->Get(ReadOptions(), Key(2), &value).ok());
  PinnableWideColumns columns;
  EXPECT_FALSE(db_->GetEntity(ReadOptions(), family(), Key(1), &columns).ok());
  EXPECT_TRUE(columns.columns().empty());
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_FALSE(it->status().ok());
  ReadOptions in_memory;
  in_memory.read_tier = kBlockCacheTier;
  EXPECT_FALSE(db_->GetEntity(in_memory, family(), Key(1), &columns).ok());
  // What moves nothing needs no blobs.
  ASSERT_OK(CompactAll(true));
  ASSERT_OK(db_->SetOptions({{"enable_blob_garbage_collection", "true"},
                             {"blob_garbage_collection_age_cutoff", "1"}}));
  EXPECT_FALSE(CompactAll(true).ok());
  EXPECT_EQ(Get(Key(1)), "small");
}

TEST_F(EntityBlobsTest, RepairFindsWhatTheyReferTo) {
  Open();
  ASSERT_NO_FATAL_FAILURE(PutAll());
  db_.reset();
  for (const std::string& manifest : FilesOf(path_, kDescriptorFile)) {
    std::filesystem::remove(manifest);
  }
  ASSERT_OK(RepairDB(path_, options_));
  Open();
  ASSERT_NO_FATAL_FAILURE(ExpectAll());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
