// Indexed batches: what they list, what they read over a database, and how they
// change.
#include "rocksdb/utilities/write_batch_with_index.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class AppendOperator : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    *result = (existing != nullptr ? existing->ToString() : "") + "+" +
              value.ToString();
    return true;
  }
  const char* Name() const override { return "AppendOperator"; }
};

class WriteBatchWithIndexTest : public DbFixture {
 protected:
  WriteBatchWithIndexTest() {
    options_.merge_operator = std::make_shared<AppendOperator>();
  }

  // The entries, as letter of the kind, key, "=", value.
  static std::string List(WriteBatchWithIndex* batch) {
    const std::unique_ptr<WBWIIterator> it(batch->NewIterator());
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) text += Entry(*it) + " ";
    EXPECT_TRUE(it->status().ok());
    return text;
  }
  static std::string Entry(const WBWIIterator& it) {
    const WriteEntry entry = it.Entry();
    return std::string(1, "PMDSRLXE?"[entry.type]) + entry.key.ToString() +
           "=" + entry.value.ToString();
  }
  std::string FromBatch(WriteBatchWithIndex* batch, const std::string& key) {
    std::string value;
    const Status s = batch->GetFromBatch(db_->DefaultColumnFamily(),
                                         DBOptions(), key, &value);
    return s.ok() ? value : s.ToString();
  }
  std::string FromBoth(WriteBatchWithIndex* batch, const std::string& key) {
    std::string value;
    const Status s =
        batch->GetFromBatchAndDB(db_.get(), ReadOptions(), key, &value);
    return s.ok() ? value : s.ToString();
  }
  std::string ScanBoth(WriteBatchWithIndex* batch,
                       const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it(batch->NewIteratorWithBase(
        db_->DefaultColumnFamily(), db_->NewIterator(read), &read));
    std::string forward, backward;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      forward += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      backward.insert(
          0, it->key().ToString() + "=" + it->value().ToString() + " ");
    }
    EXPECT_EQ(forward, backward);
    return it->status().ok() ? forward : it->status().ToString();
  }
};

TEST_F(WriteBatchWithIndexTest, ListsUpdatesNewestFirst) {
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("b", "1"));
  ASSERT_OK(batch.Put("a", "2"));
  ASSERT_OK(batch.Delete("b"));
  ASSERT_OK(batch.Merge("b", "3"));
  ASSERT_OK(batch.SingleDelete("c"));
  ASSERT_OK(batch.PutLogData("nowhere"));
  ASSERT_OK(batch.PutEntity(nullptr, "d", {{"x", "y"}}));
  EXPECT_FALSE(batch.GetOverwriteKey());
  EXPECT_EQ(List(&batch).substr(0, 24), "Pa=2 Mb=3 Db= Pb=1 Sc= E");
  const std::unique_ptr<WBWIIterator> it(batch.NewIterator());
  it->Seek("b");
  EXPECT_EQ(Entry(*it), "Mb=3");
  EXPECT_EQ(it->GetUpdateCount(), 3u);
  it->SeekForPrev("b");
  EXPECT_EQ(Entry(*it), "Pb=1");
  it->Prev();
  EXPECT_EQ(Entry(*it), "Db=");
  it->Seek("bb");
  EXPECT_EQ(Entry(*it), "Sc=");
  it->SeekForPrev("0");
  EXPECT_FALSE(it->Valid());
  it->SeekToLast();
  EXPECT_EQ(it->Entry().type, kPutEntityRecord);
  it->Next();
  EXPECT_FALSE(it->Valid());
}

TEST_F(WriteBatchWithIndexTest, OverwritesKeys) {
  WriteBatchWithIndex batch(BytewiseComparator(), 0, /*overwrite_key=*/true);
  ASSERT_OK(batch.Put("a", "1"));
  ASSERT_OK(batch.Put("b", "1"));
  ASSERT_OK(batch.SingleDelete("a"));
  ASSERT_OK(batch.Put("a", "2"));
  EXPECT_EQ(List(&batch), "Pa=2 Pb=1 ");
  EXPECT_EQ(batch.GetWriteBatch()->Count(), 4u);
  const std::unique_ptr<WBWIIterator> it(batch.NewIterator());
  it->SeekToFirst();
  EXPECT_TRUE(it->HasOverWrittenSingleDel());
  EXPECT_EQ(it->GetUpdateCount(), 3u);
  it->Next();
  EXPECT_FALSE(it->HasOverWrittenSingleDel());
  EXPECT_EQ(it->GetUpdateCount(), 1u);
  // Operands are kept, newest first, until something replaces them all.
  ASSERT_OK(batch.Merge("b", "2"));
  ASSERT_OK(batch.Merge("b", "3"));
  EXPECT_EQ(List(&batch), "Pa=2 Mb=3 Mb=2 Pb=1 ");
  ASSERT_OK(batch.Delete("b"));
  EXPECT_EQ(List(&batch), "Pa=2 Db= ");
}

TEST_F(WriteBatchWithIndexTest, ReadsTheBatchAlone) {
  Open();
  WriteBatchWithIndex batch;
  EXPECT_EQ(FromBatch(&batch, "a"), "NotFound: ");
  ASSERT_OK(batch.Put("a", "1"));
  ASSERT_OK(batch.Merge("a", "2"));
  EXPECT_EQ(FromBatch(&batch, "a"), "1+2");
  ASSERT_OK(batch.Merge("b", "1"));
  std::string value;
  EXPECT_TRUE(batch.GetFromBatch(DBOptions(), "b", &value).IsMergeInProgress());
  // Whose merge operator?
  EXPECT_TRUE(batch.GetFromBatch(DBOptions(), "a", &value).IsInvalidArgument());
  ASSERT_OK(batch.Delete("b"));
  ASSERT_OK(batch.Merge("b", "2"));
  EXPECT_EQ(FromBatch(&batch, "b"), "+2");
  ASSERT_OK(batch.PutEntity(nullptr, "e", {{"", "0"}, {"x", "y"}}));
  EXPECT_EQ(FromBatch(&batch, "e"), "0");
  PinnableWideColumns columns;
  ASSERT_OK(batch.GetEntityFromBatch(nullptr, "e", &columns));
  EXPECT_EQ(columns.columns(), (WideColumns{{"", "0"}, {"x", "y"}}));
}

TEST_F(WriteBatchWithIndexTest, ReadsOverADatabase) {
  Open();
  for (const char* key : {"a", "b", "c", "d"}) ASSERT_OK(Put(key, key));
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Delete("a"));
  ASSERT_OK(batch.Merge("b", "1"));
  ASSERT_OK(batch.Put("bb", "2"));
  ASSERT_OK(batch.Put("c", "3"));
  ASSERT_OK(batch.Merge("e", "4"));
  ASSERT_OK(batch.Delete("f"));
  EXPECT_EQ(FromBoth(&batch, "a"), "NotFound: ");
  EXPECT_EQ(FromBoth(&batch, "b"), "b+1");
  EXPECT_EQ(FromBoth(&batch, "d"), "d");
  EXPECT_EQ(FromBoth(&batch, "e"), "+4");
  EXPECT_EQ(ScanBoth(&batch), "b=b+1 bb=2 c=3 d=d e=+4 ");
  const Slice lower("bb"), upper("e");
  ReadOptions read;
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  EXPECT_EQ(ScanBoth(&batch, read), "bb=2 c=3 d=d ");
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
  it->Seek("c");
  ASSERT_TRUE(it->Valid());
  it->Prev();
  EXPECT_EQ(it->key().ToString(), "bb");
  it->Next();
  EXPECT_EQ(it->key().ToString(), "c");
  it->SeekForPrev("bz");
  EXPECT_EQ(it->key().ToString(), "bb");
  ASSERT_OK(db_->Write(WriteOptions(), batch.GetWriteBatch()));
  EXPECT_EQ(Scan(), "b=b+1 bb=2 c=3 d=d e=+4 ");
}

TEST_F(WriteBatchWithIndexTest, ManyKeysAtOnce) {
  Open();
  ASSERT_OK(Put("db", "1"));
  ASSERT_OK(Put("both", "1"));
  ASSERT_OK(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "wide",
                           {{"x", "y"}}));
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("batch", "2"));
  ASSERT_OK(batch.Merge("both", "2"));
  ASSERT_OK(batch.Merge("wide", "2"));
  ASSERT_OK(batch.Delete("gone"));
  const std::vector<Slice> keys = {"batch", "both", "db",
                                   "gone",  "none", "wide"};
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  ColumnFamilyHandle* family = db_->DefaultColumnFamily();
  batch.MultiGetFromBatchAndDB(db_.get(), ReadOptions(), family, keys.size(),
                               keys.data(), values.data(), statuses.data(),
                               /*sorted_input=*/true);
  const std::vector<std::string> wanted = {"2", "1+2", "1", "", "", "+2"};
  std::vector<PinnableWideColumns> entities(keys.size());
  std::vector<Status> entity_statuses(keys.size());
  batch.MultiGetEntityFromBatchAndDB(
      db_.get(), ReadOptions(), family, keys.size(), keys.data(),
      entities.data(), entity_statuses.data(), /*sorted_input=*/true);
  for (size_t i = 0; i < keys.size(); ++i) {
    SCOPED_TRACE(keys[i].ToString());
    EXPECT_EQ(statuses[i].ok(), !wanted[i].empty());
    EXPECT_EQ(statuses[i].IsNotFound(), wanted[i].empty());
    EXPECT_EQ(entity_statuses[i].code(), statuses[i].code());
    if (!statuses[i].ok()) continue;
    EXPECT_EQ(values[i].ToString(), wanted[i]);
    EXPECT_EQ(entities[i].columns().front().value().ToString(), wanted[i]);
  }
  EXPECT_EQ(entities[5].columns(), (WideColumns{{"", "+2"}, {"x", "y"}}));
}

TEST_F(WriteBatchWithIndexTest, SavePointsBringBackWhatWasReplaced) {
  for (const bool overwrite : {false, true}) {
    WriteBatchWithIndex batch(BytewiseComparator(), 0, overwrite);
    EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
    ASSERT_OK(batch.Put("a", "1"));
    batch.SetSavePoint();
    ASSERT_OK(batch.Put("a", "2"));
    ASSERT_OK(batch.Put("b", "2"));
    batch.SetSavePoint();
    ASSERT_OK(batch.Delete("b"));
    ASSERT_OK(batch.PopSavePoint());
    EXPECT_EQ(List(&batch), overwrite ? "Pa=2 Db= " : "Pa=2 Pa=1 Db= Pb=2 ");
    ASSERT_OK(batch.RollbackToSavePoint());
    EXPECT_EQ(List(&batch), "Pa=1 ");
    EXPECT_TRUE(batch.PopSavePoint().IsNotFound());
    batch.Clear();
    EXPECT_EQ(List(&batch), "");
    ASSERT_OK(batch.Put("z", "1"));
    WriteBatchWithIndex moved = std::move(batch);
    EXPECT_EQ(List(&moved), "Pz=1 ");
  }
}

TEST_F(WriteBatchWithIndexTest, WhatItRefuses) {
  WriteBatchWithIndex batch(BytewiseComparator(), 0, true, /*max_bytes=*/40);
  ASSERT_OK(batch.Put("a", "1"));
  EXPECT_TRUE(batch.DeleteRange("a", "b").IsNotSupported());
  EXPECT_TRUE(batch.TimedPut(nullptr, "a", "b", 7).IsNotSupported());
  EXPECT_TRUE(batch.Put(nullptr, "a", "ts", "v").IsInvalidArgument());
  EXPECT_TRUE(batch.Put("b", std::string(100, 'x')).IsMemoryLimit());
  EXPECT_EQ(List(&batch), "Pa=1 ");
  batch.SetMaxBytes(0);
  ASSERT_OK(batch.Put("b", "2"));
  EXPECT_EQ(List(&batch), "Pa=1 Pb=2 ");
  EXPECT_EQ(batch.GetDataSize(), batch.GetWriteBatch()->GetDataSize());
}

// A cursor goes on through changes of the batch under it. What comes before the
// place where it stands in the batch is not seen: stock 7.8.3 has the same
// walks.
TEST_F(WriteBatchWithIndexTest, ChangesUnderACursor) {
  Open();
  for (const char* key : {"a", "c", "e"}) ASSERT_OK(Put(key, key));
  struct Case {
    std::vector<const char*> before;
    const char* forwards;
    const char* backwards;
  };
  for (const Case& c : std::vector<Case>{{{}, "ace", "eca"},
                                         {{"0"}, "0ace", "eca0"},
                                         {{"f"}, "acef", "feca"},
                                         {{"0", "f"}, "0acef", "feca0"}}) {
    WriteBatchWithIndex ahead(BytewiseComparator(), 0, /*overwrite_key=*/true);
    WriteBatchWithIndex back(BytewiseComparator(), 0, /*overwrite_key=*/true);
    for (const char* key : c.before) {
      ASSERT_OK(ahead.Put(key, "1"));
      ASSERT_OK(back.Put(key, "1"));
    }
    std::unique_ptr<Iterator> it(ahead.NewIteratorWithBase(
        db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
    std::string seen;
    for (it->SeekToFirst(); it->Valid() && seen.size() < 9; it->Next()) {
      const std::string key = it->key().ToString();
      seen += key;
      if (key == "a") {
        ASSERT_OK(ahead.Put("b", "1"));
      }
      ASSERT_OK(ahead.Delete(key));
      if (key == "c") {
        ASSERT_OK(ahead.Delete("e"));
      }
    }
    EXPECT_EQ(seen, c.forwards);
    it.reset(back.NewIteratorWithBase(db_->DefaultColumnFamily(),
                                      db_->NewIterator(ReadOptions())));
    seen.clear();
    for (it->SeekToLast(); it->Valid() && seen.size() < 9; it->Prev()) {
      seen += it->key().ToString();
      if (it->key() == "e") {
        ASSERT_OK(back.Put("d", "1"));
      }
    }
    EXPECT_EQ(seen, c.backwards);
  }
}

// A key that is taken back is not there any more for who stands at it.
TEST_F(WriteBatchWithIndexTest, KeysTakenBackUnderACursor) {
  Open();
  for (const char* key : {"a", "c"}) ASSERT_OK(Put(key, key));
  WriteBatchWithIndex batch(BytewiseComparator(), 0, /*overwrite_key=*/true);
  ASSERT_OK(batch.Put("f", "1"));
  batch.SetSavePoint();
  ASSERT_OK(batch.Put("b", "1"));
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
  it->SeekToFirst();
  EXPECT_EQ(it->key(), "a");
  ASSERT_OK(batch.RollbackToSavePoint());
  std::string seen;
  for (it->Next(); it->Valid(); it->Next()) seen += it->key().ToString();
  EXPECT_EQ(seen, "cf");
  const std::unique_ptr<WBWIIterator> entries(batch.NewIterator());
  entries->Seek("a");
  ASSERT_OK(batch.Put("a", "again"));
  ASSERT_OK(batch.Put("g", "new"));
  EXPECT_EQ(Entry(*entries), "Pf=1");
  entries->Next();
  EXPECT_EQ(Entry(*entries), "Pg=new");
}

// What a cursor is at is gone: it stands nowhere, and does not look at bytes
// that the batch has no longer, or other ones at their place.
TEST_F(WriteBatchWithIndexTest, ClearedUnderACursor) {
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("a", std::string(1000, 'x')));
  batch.SetSavePoint();
  ASSERT_OK(batch.Put("b", "1"));
  const std::unique_ptr<WBWIIterator> it(batch.NewIterator());
  it->SeekToLast();
  EXPECT_EQ(Entry(*it), "Pb=1");
  ASSERT_OK(batch.RollbackToSavePoint());
  EXPECT_FALSE(it->Valid());
  EXPECT_EQ(Entry(*it), "?=");
  it->Prev();
  EXPECT_FALSE(it->Valid());
  it->SeekToFirst();
  EXPECT_TRUE(it->Valid());
  batch.Clear();
  EXPECT_FALSE(it->Valid());
  it->Next();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(batch.Put("c", "2"));
  EXPECT_FALSE(it->Valid());
  it->Seek("a");
  EXPECT_EQ(Entry(*it), "Pc=2");
}

// The value that a walk is at stays as it is while the batch changes.
TEST_F(WriteBatchWithIndexTest, ValuesStayUnderACursor) {
  Open();
  ASSERT_OK(Put("b", "below"));
  WriteBatchWithIndex batch(BytewiseComparator(), 0, /*overwrite_key=*/true);
  ASSERT_OK(batch.Put("a", "first"));
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
  it->SeekToFirst();
  EXPECT_EQ(it->columns().front().value(), "first");
  batch.Clear();
  ASSERT_OK(batch.Put("a", "other"));
  EXPECT_EQ(it->key(), "a");
  EXPECT_EQ(it->value(), "first");
  it->Next();
  EXPECT_EQ(it->value(), "below");
}

// An error of the database's cursor is the cursor's.
TEST_F(WriteBatchWithIndexTest, ErrorsOfTheBase) {
  Open();
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("a", "1"));
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(),
      NewErrorIterator(Status::Corruption("broken"))));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsCorruption());
  // An operator that is missing is told, too.
  options_.merge_operator.reset();
  Reopen();
  ASSERT_OK(batch.Merge("a", "1"));
  const std::unique_ptr<Iterator> merges(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
  merges->SeekToFirst();
  EXPECT_FALSE(merges->Valid());
  EXPECT_TRUE(merges->status().IsInvalidArgument());
}

TEST_F(WriteBatchWithIndexTest, CountsWhatTheIndexHas) {
  for (const bool overwrites : {false, true}) {
    WriteBatchWithIndex batch(BytewiseComparator(), 0, overwrites);
    EXPECT_TRUE(batch.GetCFStats().empty());
    EXPECT_EQ(batch.GetWBWIOpCount(), 0u);
    ASSERT_TRUE(batch.Put("a", "1").ok());
    ASSERT_TRUE(batch.SingleDelete("b").ok());
    batch.SetSavePoint();
    ASSERT_TRUE(batch.Put("b", "2").ok());
    ASSERT_TRUE(batch.Put("b", "3").ok());
    // Not by way of the index.
    ASSERT_TRUE(batch.GetWriteBatch()->Put("c", "4").ok());
    EXPECT_EQ(batch.GetWBWIOpCount(), 4u);
    EXPECT_EQ(batch.GetWriteBatch()->Count(), 5u);
    const auto& stats = batch.GetCFStats();
    ASSERT_EQ(stats.size(), 1u);
    EXPECT_EQ(stats.at(0).entry_count, overwrites ? 2u : 4u);
    EXPECT_EQ(stats.at(0).overwritten_sd_count, overwrites ? 1u : 0u);
    ASSERT_TRUE(batch.RollbackToSavePoint().ok());
    EXPECT_EQ(batch.GetWBWIOpCount(), 2u);
    EXPECT_EQ(batch.GetCFStats().at(0).entry_count, 2u);
    EXPECT_EQ(batch.GetCFStats().at(0).overwritten_sd_count, 0u);
    batch.Clear();
    EXPECT_EQ(batch.GetWBWIOpCount(), 0u);
    EXPECT_TRUE(batch.GetCFStats().empty());
  }
}

TEST_F(WriteBatchWithIndexTest, BoundsHoldForTheDefaultFamily) {
  Open();
  WriteBatchWithIndex batch;
  for (const char* key : {"a", "b", "c"}) ASSERT_TRUE(batch.Put(key, "1").ok());
  const Slice upper("c");
  ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> cursor(
      batch.NewIteratorWithBase(db_->NewIterator(options), &options));
  cursor->SeekToLast();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "b");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
