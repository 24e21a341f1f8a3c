// A database made of another one: what goes through, and what comes back to
// the one on top.
#include "rocksdb/utilities/stackable_db.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class StackableDBTest : public ::testing::Test {
 protected:
  // A new database in a directory of its own.
  DB* OpenBase(const std::string& name) {
    Options options;
    options.create_if_missing = true;
    std::unique_ptr<DB> db;
    const Status s = DB::Open(options, dir_.path() + "/" + name, &db);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return db.release();
  }

  TempDir dir_{"stackable"};
};

// Marks what is written and shows what is read without the mark; overrides
// only the calls that the header names for it.
class MarkingDB : public StackableDB {
 public:
  using StackableDB::StackableDB;

  using StackableDB::Put;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* family,
             const Slice& key, const Slice& value) override {
    return db_->Put(options, family, key, "!" + value.ToString());
  }
  using StackableDB::Get;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value,
             std::string* timestamp) override {
    const Status s = db_->Get(options, family, key, value, timestamp);
    if (s.ok()) value->remove_prefix(1);
    return s;
  }
  using StackableDB::MultiGet;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** families, const Slice* keys,
                PinnableSlice* values, std::string* timestamps,
                Status* statuses, bool sorted_input) override {
    db_->MultiGet(options, num_keys, families, keys, values, timestamps,
                  statuses, sorted_input);
    for (size_t i = 0; i < num_keys; ++i) {
      if (statuses[i].ok()) values[i].remove_prefix(1);
    }
  }
  Status Write(const WriteOptions&, WriteBatch* batch) override {
    return Status::Aborted("Write of " + std::to_string(batch->Count()));
  }
};

TEST_F(StackableDBTest, ReadsAndWritesReachTheDatabaseBelow) {
  StackableDB top(OpenBase("db"));
  const WriteOptions wo;
  const ReadOptions ro;
  ASSERT_TRUE(top.Put(wo, "a", "1").ok());
  ASSERT_TRUE(top.Put(wo, "b", "2").ok());
  ASSERT_TRUE(
      top.PutEntity(wo, top.DefaultColumnFamily(), "w", WideColumns{{"c", "3"}})
          .ok());
  const Snapshot* before = top.GetSnapshot();
  ASSERT_TRUE(top.Delete(wo, "a").ok());
  ASSERT_TRUE(top.SingleDelete(wo, "b").ok());
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("d", "4").ok());
  ASSERT_TRUE(top.Write(wo, &batch).ok());
  ASSERT_TRUE(top.Put(wo, "x", "5").ok());
  ASSERT_TRUE(top.DeleteRange(wo, "x", "y").ok());

  std::string value;
  EXPECT_TRUE(top.Get(ro, "a", &value).IsNotFound());
  EXPECT_TRUE(top.Get(ro, "b", &value).IsNotFound());
  EXPECT_TRUE(top.Get(ro, "x", &value).IsNotFound());
  ASSERT_TRUE(top.GetBaseDB()->Get(ro, "d", &value).ok());
  EXPECT_EQ(value, "4");
  ReadOptions then;
  then.snapshot = before;
  ASSERT_TRUE(top.Get(then, "a", &value).ok());
  EXPECT_EQ(value, "1");
  top.ReleaseSnapshot(before);

  PinnableWideColumns columns;
  ASSERT_TRUE(top.GetEntity(ro, top.DefaultColumnFamily(), "w", &columns).ok());
  EXPECT_EQ(columns.columns(), (WideColumns{{"c", "3"}}));
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      top.MultiGet(ro, {Slice("d"), Slice("a")}, &values);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_TRUE(top.KeyMayExist(ro, "d", &value));

  std::string seen;
  const std::unique_ptr<Iterator> it(top.NewIterator(ro));
  for (it->SeekToFirst(); it->Valid(); it->Next()) seen += it->key().ToString();
  EXPECT_EQ(seen, "dw");
  EXPECT_TRUE(top.Merge(wo, "m", "1").IsNotSupported() ||
              top.Merge(wo, "m", "1").IsInvalidArgument());
}

TEST_F(StackableDBTest, TellsOfTheDatabaseBelow) {
  DB* const base = OpenBase("db");
  StackableDB top(base);
  EXPECT_EQ(top.GetBaseDB(), base);
  EXPECT_EQ(top.GetRootDB(), base->GetRootDB());
  EXPECT_EQ(top.GetName(), base->GetName());
  EXPECT_EQ(top.GetEnv(), base->GetEnv());
  EXPECT_EQ(top.GetFileSystem(), base->GetFileSystem());
  EXPECT_EQ(top.DefaultColumnFamily(), base->DefaultColumnFamily());
  EXPECT_EQ(top.NumberLevels(), base->NumberLevels());
  EXPECT_EQ(top.Level0StopWriteTrigger(), base->Level0StopWriteTrigger());
  ASSERT_TRUE(top.Put(WriteOptions(), "k", "v").ok());
  EXPECT_EQ(top.GetLatestSequenceNumber(), 1u);
  ASSERT_TRUE(top.Flush(FlushOptions()).ok());
  std::vector<LiveFileMetaData> files;
  base->GetLiveFilesMetaData(&files);
  EXPECT_EQ(files.size(), 1u);
  std::string text;
  EXPECT_TRUE(top.GetProperty("rocksdb.num-files-at-level0", &text));
  EXPECT_EQ(text, "1");
  ASSERT_TRUE(top.SetOptions({{"write_buffer_size", "131072"}}).ok());
  EXPECT_EQ(base->GetOptions().write_buffer_size, 131072u);
  ASSERT_TRUE(top.SetDBOptions({{"max_background_jobs", "3"}}).ok());
  EXPECT_EQ(base->GetDBOptions().max_background_jobs, 3);
  std::string mine, below;
  ASSERT_TRUE(top.GetDbIdentity(mine).ok());
  ASSERT_TRUE(base->GetDbIdentity(below).ok());
  EXPECT_EQ(mine, below);
}

TEST_F(StackableDBTest, FamiliesAreThoseOfTheDatabaseBelow) {
  StackableDB top(OpenBase("db"));
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(top.CreateColumnFamily({}, "f", &family).ok());
  ASSERT_TRUE(top.Put(WriteOptions(), family, "k", "v").ok());
  std::string value;
  ASSERT_TRUE(top.GetBaseDB()->Get(ReadOptions(), family, "k", &value).ok());
  ASSERT_TRUE(top.DropColumnFamily(family).ok());
  EXPECT_FALSE(top.GetBaseDB()->Put(WriteOptions(), family, "k", "v").ok());
  ASSERT_TRUE(top.DestroyColumnFamilyHandle(family).ok());
  EXPECT_TRUE(top.DestroyColumnFamilyHandle(top.DefaultColumnFamily())
                  .IsInvalidArgument());
}

TEST_F(StackableDBTest, WhatASubclassOverridesHoldsForEveryForm) {
  MarkingDB top(OpenBase("db"));
  ASSERT_TRUE(top.Put(WriteOptions(), "k", "v").ok());
  const ReadOptions ro;
  std::string value;
  ASSERT_TRUE(top.GetBaseDB()->Get(ro, "k", &value).ok());
  EXPECT_EQ(value, "!v");
  ASSERT_TRUE(top.Get(ro, "k", &value).ok());
  EXPECT_EQ(value, "v");
  PinnableSlice pinned;
  ASSERT_TRUE(top.Get(ro, top.DefaultColumnFamily(), "k", &pinned).ok());
  EXPECT_EQ(pinned, "v");
  pinned.Reset();

  std::vector<std::string> values;
  ASSERT_TRUE(top.MultiGet(ro, {Slice("k")}, &values)[0].ok());
  EXPECT_EQ(values[0], "v");
  const Slice key("k");
  Status status;
  top.MultiGet(ro, top.DefaultColumnFamily(), 1, &key, &pinned, &status);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(pinned, "v");
  pinned.Reset();
  ColumnFamilyHandle* family = top.DefaultColumnFamily();
  top.MultiGet(ro, 1, &family, &key, &pinned, &status);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(pinned, "v");
  pinned.Reset();

  // A write of several families is a batch.
  const AttributeGroups groups{AttributeGroup(family, WideColumns{{"c", "1"}})};
  EXPECT_TRUE(top.PutEntity(WriteOptions(), "k", groups).IsAborted());
}

TEST_F(StackableDBTest, WritesOfOtherKindsReachTheDatabaseBelow) {
  StackableDB top(OpenBase("db"));
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "b").ok());
  ASSERT_TRUE(top.WriteWithCallback(WriteOptions(), &batch, nullptr).ok());
  auto indexed = std::make_shared<WriteBatchWithIndex>(BytewiseComparator(), 0,
                                                       /*overwrite_key=*/true);
  ASSERT_TRUE(indexed->Put("c", "d").ok());
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  const Status s = top.IngestWriteBatchWithIndex(unlogged, indexed);
  ASSERT_TRUE(s.ok()) << s.ToString();
  std::string value;
  EXPECT_TRUE(top.Get(ReadOptions(), "a", &value).ok());
  EXPECT_EQ("b", value);
  EXPECT_TRUE(top.Get(ReadOptions(), "c", &value).ok());
  EXPECT_EQ("d", value);
}

// Tells when it is gone.
class MortalDB : public StackableDB {
 public:
  MortalDB(DB* db, bool* gone) : StackableDB(db), gone_(gone) {}
  ~MortalDB() override { *gone_ = true; }

 private:
  bool* const gone_;
};

TEST_F(StackableDBTest, OwnsOrSharesTheDatabaseBelow) {
  bool gone = false;
  {
    StackableDB top(
        std::make_unique<MortalDB>(OpenBase("owned"), &gone).release());
    EXPECT_TRUE(top.Close().ok());
    EXPECT_FALSE(gone);
  }
  EXPECT_TRUE(gone);

  gone = false;
  {
    StackableDB top(
        std::unique_ptr<DB>(std::make_unique<MortalDB>(OpenBase("u"), &gone)));
    EXPECT_FALSE(gone);
  }
  EXPECT_TRUE(gone);

  gone = false;
  std::shared_ptr<DB> shared =
      std::make_shared<MortalDB>(OpenBase("shared"), &gone);
  { StackableDB top(shared); }
  EXPECT_FALSE(gone);
  EXPECT_TRUE(shared->Put(WriteOptions(), "k", "v").ok());
  shared.reset();
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
