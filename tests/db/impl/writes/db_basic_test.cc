// What a database does with data: writes, lookups, iterators, snapshots and
// column families, in memory and in files alike.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/write_batch.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/testing/shell.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Where the data lie when they are read.
enum class Place { kMemory, kLevel0, kBottom, kReopened };

class DbBasicTest : public FamiliesFixture {
 protected:
  // Drops the families that have handles, and frees these.
  void ForgetFamilies() {
    ASSERT_OK(db_->DropColumnFamilies(handles_));
    for (ColumnFamilyHandle* handle : handles_) {
      ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
    }
    handles_.clear();
  }
  static std::string PairsOf(Iterator* it) {
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
};

class DbPlacesTest : public FamiliesFixture,
                     public ::testing::WithParamInterface<Place> {
 protected:
  DbPlacesTest() { options_.merge_operator = NewStringAppendOperator(","); }

  void Settle() {
    switch (GetParam()) {
      case Place::kMemory:
        return;
      case Place::kLevel0:
        ASSERT_OK(Flush());
        return;
      case Place::kBottom:
        ASSERT_OK(CompactAll(/*force=*/true));
        return;
      case Place::kReopened:
        Reopen();
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Places, DbPlacesTest,
                         ::testing::Values(Place::kMemory, Place::kLevel0,
                                           Place::kBottom, Place::kReopened));

TEST_P(DbPlacesTest, EveryKindOfWriteIsReadBack) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Put("c", "3"));
  ASSERT_OK(Put("d", "4"));
  ASSERT_OK(Put("e", "5"));
  Settle();
  ASSERT_OK(Put("a", "1b"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(db_->SingleDelete(WriteOptions(), "c"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "d", "e"));
  ASSERT_OK(db_->Merge(WriteOptions(), "e", "x"));
  ASSERT_OK(db_->Merge(WriteOptions(), "f", "y"));
  ASSERT_OK(db_->Merge(WriteOptions(), "f", "z"));
  ASSERT_OK(Delete("never written"));
  Settle();
  EXPECT_EQ(Get("a"), "1b");
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  EXPECT_EQ(Get("c"), "NOT_FOUND");
  EXPECT_EQ(Get("d"), "NOT_FOUND");
  EXPECT_EQ(Get("e"), "5,x");
  EXPECT_EQ(Get("f"), "y,z");
  EXPECT_EQ(Scan(), "a=1b e=5,x f=y,z ");
  EXPECT_EQ(ScanBackward(), "f=y,z e=5,x a=1b ");
}

TEST_P(DbPlacesTest, KeysAndValuesMayHoldAnyBytes) {
  Open();
  const std::string zeros(3, '\0');
  const std::string large(200000, 'v');
  ASSERT_OK(Put("", "of the empty key"));
  ASSERT_OK(Put(zeros, "of zeros"));
  ASSERT_OK(Put("\xff\xff", ""));
  ASSERT_OK(Put("large", large));
  Settle();
  EXPECT_EQ(Get(""), "of the empty key");
  EXPECT_EQ(Get(zeros), "of zeros");
  EXPECT_EQ(Get("\xff\xff"), "");
  EXPECT_EQ(Get("large"), large);
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), Slice());
  it->SeekToLast();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), Slice("\xff\xff"));
}

TEST_P(DbPlacesTest, MultiGetAnswersEachKeyByItself) {
  Open();
  for (int i = 0; i < 100; i += 2) {
    ASSERT_OK(Put("k" + std::to_string(100 + i), std::to_string(i)));
  }
  ASSERT_OK(Delete("k104"));
  Settle();
  const std::vector<std::string> names{"k198", "k104", "none", "k100",
                                       "k100", "k101", ""};
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      db_->MultiGet(ReadOptions(), keys, &values);
  ASSERT_EQ(statuses.size(), keys.size());
  EXPECT_EQ(values, (std::vector<std::string>{"98", "", "", "0", "0", "", ""}));
  for (const size_t found : {0, 3, 4}) EXPECT_OK(statuses[found]);
  for (const size_t lost : {1, 2, 5, 6}) {
    EXPECT_TRUE(statuses[lost].IsNotFound()) << statuses[lost].ToString();
  }
  db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), 0, nullptr, nullptr,
                nullptr);
}

TEST_P(DbPlacesTest, IteratorsMoveBothWaysAndStayInBounds) {
  Open();
  for (const char* key : {"b", "d", "f", "h", "j"}) ASSERT_OK(Put(key, key));
  Settle();
  {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek("e");
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key(), "f");
    it->Prev();
    EXPECT_EQ(it->key(), "d");
    it->Next();
    EXPECT_EQ(it->key(), "f");
    it->SeekForPrev("g");
    EXPECT_EQ(it->key(), "f");
    it->SeekForPrev("f");
    EXPECT_EQ(it->key(), "f");
    it->SeekForPrev("a");
    EXPECT_FALSE(it->Valid());
    it->Seek("k");
    EXPECT_FALSE(it->Valid());
    EXPECT_OK(it->status());
  }
  const Slice lower("d"), upper("h");
  ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  EXPECT_EQ(Scan(options), "d=d f=f ");
  EXPECT_EQ(ScanBackward(options), "f=f d=d ");
  const std::unique_ptr<Iterator> it(db_->NewIterator(options));
  it->Seek("a");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "d");
  it->SeekForPrev("z");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "f");
  it->Next();
  EXPECT_FALSE(it->Valid());
}

TEST_P(DbPlacesTest, SnapshotsSeeTheirMomentOnly) {
  Open();
  ASSERT_OK(Put("a", "old"));
  ASSERT_OK(Put("b", "old"));
  if (GetParam() == Place::kReopened) return;  // Snapshots end with the DB.
  ManagedSnapshot before(db_.get());
  ASSERT_OK(Put("a", "new"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a0", "z"));
  ASSERT_OK(Put("c", "new"));
  const Snapshot* after = db_->GetSnapshot();
  EXPECT_LT(before.snapshot()->GetSequenceNumber(), after->GetSequenceNumber());
  {
    const ManagedSnapshot owned(db_.get(), after);
    EXPECT_EQ(Get("c", after), "new");
  }
  Settle();
  const Snapshot* snapshot = before.snapshot();
  EXPECT_EQ(Get("a", snapshot), "old");
  EXPECT_EQ(Get("b", snapshot), "old");
  EXPECT_EQ(Get("c", snapshot), "NOT_FOUND");
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  ReadOptions options;
  options.snapshot = snapshot;
  EXPECT_EQ(Scan(options), "a=old b=old ");
  EXPECT_EQ(ScanBackward(options), "b=old a=old ");
  EXPECT_EQ(Scan(), "a=new c=new ");
}

TEST_F(DbBasicTest, SnapshotsReleasedInAnyOrder) {
  Open();
  std::vector<const Snapshot*> snapshots;
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(Put("a", std::to_string(i)));
    snapshots.push_back(db_->GetSnapshot());
  }
  for (const size_t at : {2, 0, 4}) {
    db_->ReleaseSnapshot(snapshots[at]);
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(Get("a", snapshots[1]), "1");
    EXPECT_EQ(Get("a", snapshots[3]), "3");
  }
  uint64_t count = 0;
  EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kNumSnapshots, &count));
  EXPECT_EQ(count, 2u);
  db_->ReleaseSnapshot(snapshots[1]);
  db_->ReleaseSnapshot(snapshots[3]);
  db_->ReleaseSnapshot(nullptr);
  EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kNumSnapshots, &count));
  EXPECT_EQ(count, 0u);
}

TEST_F(DbBasicTest, IteratorsKeepTheirMomentUntilRefresh) {
  Open();
  ASSERT_OK(Put("a", "1"));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(Put("a", "2"));
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Flush());
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "1");
  it->Next();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(it->Refresh());
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "2");
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "b");
}

TEST_F(DbBasicTest, PrefixIterationFindsThePrefix) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.whole_key_filtering = false;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  for (const char* key : {"aa1", "aa2", "bb1", "cc1", "cc2"}) {
    ASSERT_OK(Put(key, "v"));
  }
  for (const bool is_flushed : {false, true}) {
    if (is_flushed) ASSERT_OK(Flush());
    ReadOptions options;
    options.prefix_same_as_start = true;
    const std::unique_ptr<Iterator> it(db_->NewIterator(options));
    std::string seen;
    for (it->Seek("aa"); it->Valid(); it->Next()) {
      seen += it->key().ToString() + " ";
    }
    EXPECT_EQ(seen, "aa1 aa2 ");
    it->Seek("bx");
    EXPECT_FALSE(it->Valid());
    EXPECT_OK(it->status());
    ReadOptions total;
    total.total_order_seek = true;
    EXPECT_EQ(Scan(total), "aa1=v aa2=v bb1=v cc1=v cc2=v ");
  }
}

TEST_F(DbBasicTest, ABatchShorterThanItsHeaderIsCorruption) {
  Open();
  WriteBatch batch(std::string("short"));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsCorruption());
  ASSERT_OK(Put("a", "1"));
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(DbBasicTest, ABatchIsAppliedWholeAndInOrder) {
  Open();
  CreateFamily("two");
  WriteBatch batch;
  ASSERT_OK(batch.Put("a", "1"));
  ASSERT_OK(batch.Delete("a"));
  ASSERT_OK(batch.Put("a", "2"));
  ASSERT_OK(batch.Put(handles_[0], "a", "of two"));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ(Get("a"), "2");
  EXPECT_EQ(GetFrom(0, "a"), "of two");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 4u);
  WriteBatch empty;
  ASSERT_OK(db_->Write(WriteOptions(), &empty));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 4u);
  EXPECT_FALSE(db_->Write(WriteOptions(), nullptr).ok());
}

TEST_F(DbBasicTest, AWriteThatCannotBeAsksForNothing) {
  Open();
  WriteOptions contradiction;
  contradiction.sync = true;
  contradiction.disableWAL = true;
  EXPECT_TRUE(db_->Put(contradiction, "a", "1").IsInvalidArgument());
  EXPECT_TRUE(db_->Merge(WriteOptions(), "a", "1").IsNotSupported());
  EXPECT_TRUE(db_->DeleteRange(WriteOptions(), "b", "a").IsInvalidArgument());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "a"));
  EXPECT_EQ(Scan(), "");
  // Nor is any of it in the log.
  ASSERT_OK(Put("b", "1"));
  Reopen();
  EXPECT_EQ(Scan(), "b=1 ");
}

TEST_F(DbBasicTest, FamiliesAreSeparateAndComeBack) {
  Open();
  CreateFamily("two");
  CreateFamily("three");
  ASSERT_OK(Put("k", "default"));
  ASSERT_OK(PutIn(0, "k", "of two"));
  ASSERT_OK(PutIn(1, "k", "of three"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  EXPECT_EQ(handles_[0]->GetName(), "two");
  EXPECT_NE(handles_[0]->GetID(), handles_[1]->GetID());
  OpenFamilies({"three", "default", "two"});
  EXPECT_EQ(GetFrom(0, "k"), "of three");
  EXPECT_EQ(GetFrom(1, "k"), "default");
  EXPECT_EQ(GetFrom(2, "k"), "of two");

  const std::vector<Slice> keys{"k", "k", "none", "k"};
  std::vector<std::string> values;
  const std::vector<Status> statuses = db_->MultiGet(
      ReadOptions(), {handles_[2], handles_[0], handles_[0], handles_[1]}, keys,
      &values);
  EXPECT_EQ(values,
            (std::vector<std::string>{"of two", "of three", "", "default"}));
  EXPECT_TRUE(statuses[2].IsNotFound());

  std::vector<Iterator*> iterators;
  ASSERT_OK(db_->NewIterators(ReadOptions(), handles_, &iterators));
  ASSERT_EQ(iterators.size(), 3u);
  ASSERT_OK(PutIn(0, "k", "later"));
  for (Iterator* raw : iterators) {
    const std::unique_ptr<Iterator> it(raw);
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    EXPECT_NE(it->value(), "later");
  }
}

TEST_F(DbBasicTest, ADroppedFamilyStaysReadableThroughItsHandle) {
  Open();
  CreateFamily("gone");
  ASSERT_OK(PutIn(0, "k", "v"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  const std::unique_ptr<Iterator> it(
      db_->NewIterator(ReadOptions(), handles_[0]));
  ASSERT_OK(db_->DropColumnFamily(handles_[0]));
  EXPECT_EQ(GetFrom(0, "k"), "v");
  EXPECT_FALSE(PutIn(0, "k", "w").ok());
  EXPECT_TRUE(db_->DropColumnFamily(handles_[0]).IsInvalidArgument());
  ColumnFamilyDescriptor descriptor;
  EXPECT_FALSE(handles_[0]->GetDescriptor(&descriptor).ok());
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handles_[0]));
  handles_.clear();
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "v");
  ASSERT_OK(it->Refresh());
  EXPECT_FALSE(it->Valid());
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "v");
  // The name is free again, for a family that is empty.
  CreateFamily("gone");
  EXPECT_EQ(GetFrom(0, "k"), "NOT_FOUND");
  ASSERT_OK(PutIn(0, "x", "y"));
}

// Only the iterators hold the family then.
TEST_F(DbBasicTest, RefreshAfterTheLastHandle) {
  Open();
  CreateFamily("gone");
  ASSERT_OK(PutIn(0, "a", "1"));
  const std::unique_ptr<Iterator> older(
      db_->NewIterator(ReadOptions(), handles_[0]));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  const std::unique_ptr<Iterator> last(
      db_->NewIterator(ReadOptions(), handles_[0]));
  ManagedSnapshot before(db_.get());
  ASSERT_OK(PutIn(0, "b", "2"));
  ForgetFamilies();
  // The last state has every moment.
  EXPECT_EQ(PairsOf(last.get()), "a=1 ");
  ASSERT_OK(last->Refresh());
  EXPECT_EQ(PairsOf(last.get()), "a=1 b=2 ");
  ASSERT_OK(last->Refresh(before.snapshot()));
  EXPECT_EQ(PairsOf(last.get()), "a=1 ");
  // An older one stays at its own.
  ASSERT_OK(older->Refresh());
  EXPECT_EQ(PairsOf(older.get()), "a=1 ");
  ASSERT_OK(older->Refresh(before.snapshot()));
  ASSERT_OK(Put("k", "of another family"));
  ManagedSnapshot after(db_.get());
  EXPECT_TRUE(older->Refresh(after.snapshot()).IsColumnFamilyDropped());
  EXPECT_FALSE(older->Valid());
  EXPECT_EQ(PairsOf(older.get()), "a=1 ");
}

TEST_F(DbBasicTest, IteratorsThatFollowAGoneFamilyStayWhereTheyAre) {
  Open();
  CreateFamily("gone");
  ASSERT_OK(PutIn(0, "a", "1"));
  ASSERT_OK(PutIn(0, "b", "2"));
  ManagedSnapshot snapshot(db_.get());
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> tailing(db_->NewIterator(read, handles_[0]));
  read.tailing = false;
  read.snapshot = snapshot.snapshot();
  read.auto_refresh_iterator_with_snapshot = true;
  const std::unique_ptr<Iterator> renewed(db_->NewIterator(read, handles_[0]));
  renewed->SeekToFirst();
  ASSERT_TRUE(renewed->Valid());
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ForgetFamilies();
  renewed->Next();
  ASSERT_TRUE(renewed->Valid());
  EXPECT_EQ(renewed->value(), "2");
  renewed->Prev();
  ASSERT_TRUE(renewed->Valid());
  EXPECT_EQ(renewed->value(), "1");
  tailing->Seek("b");
  ASSERT_TRUE(tailing->Valid());
  EXPECT_EQ(tailing->value(), "2");
  EXPECT_EQ(PairsOf(tailing.get()), "a=1 b=2 ");
}

TEST_F(DbBasicTest, RefreshOfACursorOverFamiliesThatAreGone) {
  Open();
  CreateFamily("gone");
  ASSERT_OK(PutIn(0, "a", "1"));
  const std::vector<ColumnFamilyHandle*> families{db_->DefaultColumnFamily(),
                                                  handles_[0]};
  const std::unique_ptr<Iterator> both(
      db_->NewCoalescingIterator(ReadOptions(), families));
  const std::unique_ptr<AttributeGroupIterator> groups(
      db_->NewAttributeGroupIterator(ReadOptions(), families));
  ASSERT_OK(PutIn(0, "b", "2"));
  ForgetFamilies();
  ASSERT_OK(Put("c", "3"));
  EXPECT_EQ(PairsOf(both.get()), "a=1 ");
  ASSERT_OK(both->Refresh());
  EXPECT_FALSE(both->Valid());
  EXPECT_EQ(PairsOf(both.get()), "a=1 b=2 c=3 ");
  ASSERT_OK(groups->Refresh());
  std::string keys;
  for (groups->SeekToFirst(); groups->Valid(); groups->Next()) {
    keys += groups->key().ToString() + " ";
  }
  ASSERT_OK(groups->status());
  EXPECT_EQ(keys, "a b c ");
}

TEST_F(DbBasicTest, TheDefaultFamilyCannotBeDroppedNorItsHandleFreed) {
  Open();
  EXPECT_TRUE(
      db_->DropColumnFamily(db_->DefaultColumnFamily()).IsInvalidArgument());
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(db_->DefaultColumnFamily())
                  .IsInvalidArgument());
}

TEST_F(DbBasicTest, FamilyNamesAreChecked) {
  Open();
  ColumnFamilyHandle* handle = nullptr;
  EXPECT_TRUE(db_->CreateColumnFamily(ColumnFamilyOptions(), "", &handle)
                  .IsInvalidArgument());
  CreateFamily("two");
  const Status twice =
      db_->CreateColumnFamily(ColumnFamilyOptions(), "two", &handle);
  EXPECT_TRUE(twice.IsInvalidArgument()) << twice.ToString();
  EXPECT_EQ(twice.ToString(), "Invalid argument: Column family already exists");
  EXPECT_EQ(handle, nullptr);

  const Status unlisted = TryOpenFamilies({"default"});
  EXPECT_TRUE(unlisted.IsInvalidArgument()) << unlisted.ToString();
  EXPECT_NE(unlisted.ToString().find("two"), std::string::npos);
  const Status unknown = TryOpenFamilies({"default", "two", "three"});
  EXPECT_TRUE(unknown.IsInvalidArgument()) << unknown.ToString();
  EXPECT_NE(unknown.ToString().find("three"), std::string::npos);
  EXPECT_TRUE(TryOpenFamilies({"two"}).IsInvalidArgument());
  EXPECT_TRUE(TryOpenFamilies({"default", "two", ""}).IsInvalidArgument());
  const Status repeated = TryOpenFamilies({"default", "two", "two"});
  EXPECT_TRUE(repeated.IsInvalidArgument());
  EXPECT_NE(repeated.ToString().find("two"), std::string::npos);
  EXPECT_EQ(db_, nullptr);
  EXPECT_TRUE(handles_.empty());

  options_.create_missing_column_families = true;
  EXPECT_TRUE(TryOpenFamilies({"default", "two", ""}).IsInvalidArgument());
  OpenFamilies({"default", "two", "three"});
  ASSERT_OK(PutIn(2, "k", "v"));
  options_.create_missing_column_families = false;
  OpenFamilies({"default", "two", "three"});
  EXPECT_EQ(GetFrom(2, "k"), "v");
  std::vector<std::string> names;
  ASSERT_OK(DB::ListColumnFamilies(DBOptions(), path_, &names));
  EXPECT_EQ(names, (std::vector<std::string>{"default", "two", "three"}));
}

TEST_F(DbBasicTest, ManyFamiliesMadeAndDroppedAtOnce) {
  Open();
  ASSERT_OK(db_->CreateColumnFamilies(ColumnFamilyOptions(options_),
                                      {"a", "b", "c"}, &handles_));
  ASSERT_EQ(handles_.size(), 3u);
  ASSERT_OK(PutIn(1, "k", "v"));
  ASSERT_OK(db_->DropColumnFamilies({handles_[0], handles_[2]}));
  OpenFamilies({"default", "b"});
  EXPECT_EQ(GetFrom(1, "k"), "v");
}

TEST_F(DbBasicTest, KeyMayExistIsNeverWrongAboutAbsence) {
  Open();
  ASSERT_OK(Put("a", "1"));
  std::string value;
  bool found = false;
  EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), "a", &value, &found));
  EXPECT_TRUE(found);
  EXPECT_EQ(value, "1");
  EXPECT_FALSE(db_->KeyMayExist(ReadOptions(), "b", &value));
  ASSERT_OK(Flush());
  EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), "a", nullptr));
}

// What the other process does: it opens what the variable names.
constexpr const char* kPathForOther = "BASALT_TEST_OTHER_PROCESS";

TEST_F(DbBasicTest, OtherProcess) {
  const char* const path = getenv(kPathForOther);
  if (path == nullptr) GTEST_SKIP() << "this is no other process";
  const Status s = DB::Open(options_, path, &db_);
  printf("opened: %s\n", s.ToString().c_str());
}

TEST_F(DbBasicTest, AnotherProcessIsRefused) {
  Open();
  ASSERT_OK(Put("k", "1"));
  const std::string itself = std::filesystem::read_symlink("/proc/self/exe");
  // That runs the one test, whatever part this process is to run.
  const std::string command =
      std::string("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX ") +
      "-u GTEST_OUTPUT " + kPathForOther + "=" + path_ + " " + itself +
      " --gtest_filter=DbBasicTest.OtherProcess";
  int status = 0;
  std::string text = RunShell(command, &status);
  EXPECT_EQ(status, 0) << text;
  EXPECT_NE(text.find("opened: IO error: While lock file: " + path_ +
                      "/LOCK: Resource temporarily unavailable"),
            std::string::npos)
      << text;
  // It has changed nothing, and is let in later.
  EXPECT_EQ(Get("k"), "1");
  ASSERT_OK(Put("k", "2"));
  Reopen();
  EXPECT_EQ(Get("k"), "2");
  db_.reset();
  text = RunShell(command, &status);
  EXPECT_NE(text.find("opened: OK"), std::string::npos) << text;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
