// Iterators through the whole engine: range tombstones, tailing, pinning,
// views, prefixes.
#include <atomic>

#include "rocksdb/memtablerep.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/read_ways.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ScanTest : public DbFixture {
 protected:
  ScanTest() {
    options_.disable_auto_compactions = true;
    options_.merge_operator = NewStringAppendOperator(",");
  }
  void PutRange(int begin, int end, const std::string& value) {
    for (int i = begin; i < end; ++i) ASSERT_OK(Put(ScannedKey(i), value));
  }
  std::unique_ptr<Iterator> NewIterator(const ReadOptions& read = {}) {
    return std::unique_ptr<Iterator>(db_->NewIterator(read));
  }
  // All of level 0.
  void MergeInto(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<std::string> names;
    for (const LiveFileMetaData& file : files) {
      if (file.level == 0) names.push_back(file.relative_filename);
    }
    ASSERT_GT(names.size(), 1u) << "one would just be moved";
    ASSERT_OK(db_->CompactFiles(CompactionOptions(), names, level));
  }
};

TEST_F(ScanTest, ALargeTombstoneIsPassedAtOnce) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 20000, "v"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(
      db_->DeleteRange(WriteOptions(), ScannedKey(10), ScannedKey(19990)));
  for (const bool is_flushed : {false, true}) {
    SCOPED_TRACE(is_flushed);
    if (is_flushed) ASSERT_OK(Flush());
    SetPerfLevel(kEnableCount);
    get_perf_context()->Reset();
    const std::unique_ptr<Iterator> it = NewIterator();
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_OK(it->status());
    EXPECT_EQ(count, 20);
    for (it->SeekToLast(); it->Valid(); it->Prev()) --count;
    EXPECT_OK(it->status());
    EXPECT_EQ(count, 0);
    EXPECT_LT(get_perf_context()->internal_delete_skipped_count, 30u);
    EXPECT_GE(get_perf_context()->internal_range_del_reseek_count, 2u);
    it->Seek(ScannedKey(15000));
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key().ToString(), ScannedKey(19990));
    it->Prev();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key().ToString(), ScannedKey(9));
    it->SeekForPrev(ScannedKey(15000));
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key().ToString(), ScannedKey(9));
    SetPerfLevel(kDisable);
  }
}

// Fault class 14.
TEST_F(ScanTest, ATombstoneStaysWhileOlderDataAreBelow) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 100, "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(20), ScannedKey(40)));
  ASSERT_OK(Put(ScannedKey(30), "new"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(PutRange(30, 50, "new"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(MergeInto(4));
  ASSERT_EQ(FilesAt(4), 1);
  EXPECT_EQ(Get(ScannedKey(25)), "NOT_FOUND");
  EXPECT_EQ(Get(ScannedKey(35)), "new");
  const std::unique_ptr<Iterator> it = NewIterator();
  it->Seek(ScannedKey(20));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), ScannedKey(30));
}

// Fault class 14: files of one level, each with a part of one tombstone. The
// first one's ends before the key that the second begins with.
TEST_F(ScanTest, ATombstoneThatIsCutCoversTheKeyAtTheCut) {
  options_.sst_partitioner_factory =
      NewSstPartitionerFixedPrefixFactory(ScannedKey(0).size() - 1);
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 100, "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(15), ScannedKey(45)));
  ASSERT_OK(Flush());
  ReadOptions past;
  past.snapshot = db_->GetSnapshot();
  ASSERT_NO_FATAL_FAILURE(PutRange(10, 50, "new"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(MergeInto(4));
  ASSERT_EQ(FilesAt(4), 4);
  for (int i = 10; i < 50; ++i) {
    const bool is_deleted = i >= 15 && i < 45;
    EXPECT_EQ(Get(ScannedKey(i), past.snapshot),
              is_deleted ? "NOT_FOUND" : "old");
  }
  int count = 0;
  {
    const std::unique_ptr<Iterator> it = NewIterator(past);
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_EQ(count, 70);
    for (it->SeekToLast(); it->Valid(); it->Prev()) --count;
    EXPECT_EQ(count, 0);
  }
  db_->ReleaseSnapshot(past.snapshot);
}

TEST_F(ScanTest, WhatIsNewerThanATombstoneShows) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 1000, "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  const Snapshot* before = db_->GetSnapshot();
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(100), ScannedKey(900)));
  ASSERT_OK(Flush());
  ASSERT_OK(Put(ScannedKey(500), "new"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(300), ScannedKey(400)));
  const std::unique_ptr<Iterator> it = NewIterator();
  it->Seek(ScannedKey(100));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), ScannedKey(500));
  it->Next();
  EXPECT_EQ(it->key().ToString(), ScannedKey(900));
  it->Prev();
  EXPECT_EQ(it->key().ToString(), ScannedKey(500));
  it->Prev();
  EXPECT_EQ(it->key().ToString(), ScannedKey(99));
  ReadOptions read;
  read.snapshot = before;
  const std::unique_ptr<Iterator> past = NewIterator(read);
  int count = 0;
  for (past->SeekToFirst(); past->Valid(); past->Next()) ++count;
  EXPECT_EQ(count, 1000);
  read.snapshot = nullptr;
  read.ignore_range_deletions = true;
  const std::unique_ptr<Iterator> all = NewIterator(read);
  count = 0;
  for (all->SeekToFirst(); all->Valid(); all->Next()) ++count;
  EXPECT_EQ(count, 1000);
  db_->ReleaseSnapshot(before);
}

TEST_F(ScanTest, AReseekPastATombstoneKeepsTheError) {
  BlockBasedTableOptions table;
  table.block_size = 512;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 1000, "v"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  TablePropertiesCollection properties;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&properties));
  const size_t key_bytes = properties.begin()->second->data_size / 1000;
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(200), ScannedKey(600)));
  ASSERT_OK(Flush());
  db_.reset();
  const std::string path = FilesOf(path_, kTableFile).front();
  const std::string sound = ReadBytes(path);
  for (const bool is_up : {true, false}) {
    SCOPED_TRACE(is_up);
    // The block of the tombstone's end or begin, and those around it.
    std::string bytes = sound;
    for (size_t key = is_up ? 580 : 180; key < (is_up ? 620u : 220u); ++key) {
      bytes[key * key_bytes] ^= 0x55;
    }
    WriteBytes(path, bytes);
    ASSERT_NO_FATAL_FAILURE(Open());
    const std::unique_ptr<Iterator> it = NewIterator();
    int count = 0;
    if (is_up) {
      it->Seek(ScannedKey(250));
      EXPECT_FALSE(it->Valid());
    } else {
      it->SeekForPrev(ScannedKey(550));
      EXPECT_FALSE(it->Valid());
    }
    EXPECT_TRUE(it->status().IsCorruption()) << it->status().ToString();
    if (is_up) {
      for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    } else {
      for (it->SeekToLast(); it->Valid(); it->Prev()) ++count;
    }
    EXPECT_TRUE(it->status().IsCorruption()) << it->status().ToString();
    // Backward, a key shows once what is before it is known.
    EXPECT_EQ(count, is_up ? 200 : 399);
    // A seek elsewhere is as good as new.
    it->Seek(ScannedKey(900));
    ASSERT_TRUE(it->Valid());
    EXPECT_OK(it->status());
  }
}

// Without the older ones the value would be another.
TEST_F(ScanTest, OperandsThatCannotBeReadFailTheMerge) {
  BlockBasedTableOptions table;
  table.block_size = 512;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  std::vector<const Snapshot*> snapshots;
  for (const char c : {'1', '2', '3', '4'}) {
    ASSERT_OK(db_->Merge(WriteOptions(), "k", std::string(600, c)));
    snapshots.push_back(db_->GetSnapshot());
  }
  ASSERT_OK(Flush());
  for (const Snapshot* snapshot : snapshots) db_->ReleaseSnapshot(snapshot);
  const std::string whole = Get("k");
  db_.reset();
  const std::string path = FilesOf(path_, kTableFile).front();
  const std::string sound = ReadBytes(path);
  // Newest first, each in a block of its own.
  for (const char c : {'1', '2', '3'}) {
    SCOPED_TRACE(c);
    std::string bytes = sound;
    const size_t at = bytes.find(std::string(100, c));
    ASSERT_NE(at, std::string::npos);
    bytes[at] ^= 1;
    WriteBytes(path, bytes);
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_NE(Scan().find("Corruption"), std::string::npos);
    EXPECT_NE(ScanBackward().find("Corruption"), std::string::npos);
    const std::unique_ptr<Iterator> it = NewIterator();
    it->SeekToFirst();
    EXPECT_FALSE(it->Valid());
    it->SeekToLast();
    EXPECT_FALSE(it->Valid());
  }
  WriteBytes(path, sound);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), "k=" + whole + " ");
}

TEST_F(ScanTest, ATailingIteratorSeesWhatIsNew) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(Put("a", "1"));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "1");
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  it->Seek("b");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "2");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "b"));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "b");
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(Put("c", "3"));
  it->Seek("bb");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "c");
  // Its own key, out of a file that is gone.
  ASSERT_OK(CompactAll(/*force=*/true));
  it->Seek(it->key());
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "c");
  ASSERT_OK(Put("d", "4"));
  ASSERT_OK(CompactAll(/*force=*/true));
  it->SeekForPrev(it->key());
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "c");
}

// Cursors of other memtables show what was there when they were positioned.
TEST_F(ScanTest, ATailingIteratorSeesWhatIsNewInEveryMemtable) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  options_.allow_concurrent_memtable_write = false;
  const std::shared_ptr<MemTableRepFactory> factories[] = {
      std::make_shared<VectorRepFactory>(),
      std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(1000)),
      std::shared_ptr<MemTableRepFactory>(NewHashLinkListRepFactory(1000))};
  for (const auto& factory : factories) {
    SCOPED_TRACE(factory->Name());
    options_.memtable_factory = factory;
    ASSERT_NO_FATAL_FAILURE(Reopen());
    ASSERT_OK(Put("b", "1"));
    ReadOptions read;
    read.tailing = true;
    std::unique_ptr<Iterator> it = NewIterator(read);
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key(), "b");
    ASSERT_OK(Put("a", "2"));
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key(), "a");
    ASSERT_OK(Put("c", "3"));
    it->Seek("c");
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->value(), "3");
    ASSERT_OK(Put("c", "4"));
    it->SeekToLast();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->value(), "4");
    it.reset();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(ScanTest, PinnedDataStays) {
  BlockBasedTableOptions table;
  table.block_size = 256;
  for (const bool has_delta : {false, true}) {
    SCOPED_TRACE(has_delta);
    table.use_delta_encoding = has_delta;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    ASSERT_NO_FATAL_FAILURE(Reopen());
    ASSERT_NO_FATAL_FAILURE(PutRange(0, 300, std::string(50, 'v')));
    ASSERT_OK(Flush());
    ASSERT_NO_FATAL_FAILURE(PutRange(300, 350, "memtable"));
    ASSERT_OK(db_->Merge(WriteOptions(), ScannedKey(7), "m"));
    ReadOptions read;
    read.pin_data = true;
    const std::unique_ptr<Iterator> it = NewIterator(read);
    std::vector<std::pair<Slice, Slice>> pinned;
    std::vector<std::pair<std::string, std::string>> copies;
    const auto keep = [&] {
      pinned.emplace_back(it->key(), it->value());
      copies.emplace_back(it->key().ToString(), it->value().ToString());
      std::string property;
      EXPECT_OK(it->GetProperty("rocksdb.iterator.is-key-pinned", &property));
      EXPECT_EQ(property, "1");
      EXPECT_OK(it->GetProperty("rocksdb.iterator.is-value-pinned", &property));
      EXPECT_EQ(property, "1");
    };
    for (it->SeekToFirst(); it->Valid(); it->Next()) keep();
    for (it->SeekToLast(); it->Valid(); it->Prev()) keep();
    ASSERT_EQ(pinned.size(), 700u);
    for (size_t i = 0; i < pinned.size(); ++i) {
      ASSERT_EQ(pinned[i].first.ToString(), copies[i].first);
      ASSERT_EQ(pinned[i].second.ToString(), copies[i].second);
    }
  }
}

TEST_F(ScanTest, PinnedDataStaysThoughTheViewMovesOn) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 30;
  for (const bool is_tailing : {false, true}) {
    SCOPED_TRACE(is_tailing);
    ASSERT_NO_FATAL_FAILURE(Reopen());
    ASSERT_NO_FATAL_FAILURE(PutRange(0, 50, "in the table"));
    ASSERT_NO_FATAL_FAILURE(PutRange(50, 60, std::string(50, 'b')));
    ASSERT_OK(Flush());
    const Snapshot* const snapshot = db_->GetSnapshot();
    ReadOptions read;
    read.pin_data = true;
    read.tailing = is_tailing;
    read.auto_refresh_iterator_with_snapshot = !is_tailing;
    if (!is_tailing) read.snapshot = snapshot;
    const std::unique_ptr<Iterator> it = NewIterator(read);
    std::vector<std::pair<Slice, Slice>> pinned;
    std::vector<std::pair<std::string, std::string>> copies;
    for (it->Seek(ScannedKey(0)); it->Valid() && copies.size() < 60;
         it->Next()) {
      pinned.emplace_back(it->key(), it->value());
      copies.emplace_back(it->key().ToString(), it->value().ToString());
      if (copies.size() % 20 != 19) continue;
      ASSERT_NO_FATAL_FAILURE(PutRange(0, 60, "newer"));
      ASSERT_OK(CompactAll(/*force=*/true));
      if (is_tailing) it->Seek(it->key());
    }
    ASSERT_EQ(copies.size(), 60u);
    for (size_t i = 0; i < pinned.size(); ++i) {
      ASSERT_EQ(pinned[i].first.ToString(), copies[i].first);
      ASSERT_EQ(pinned[i].second.ToString(), copies[i].second);
    }
    db_->ReleaseSnapshot(snapshot);
  }
}

TEST_F(ScanTest, PropertiesTellOfTheView) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  const std::unique_ptr<Iterator> it = NewIterator();
  std::string first, value;
  ASSERT_OK(it->GetProperty("rocksdb.iterator.super-version-number", &first));
  EXPECT_TRUE(it->GetProperty("rocksdb.iterator.is-key-pinned", &value)
                  .IsInvalidArgument());
  it->SeekToFirst();
  ASSERT_OK(it->GetProperty("rocksdb.iterator.is-key-pinned", &value));
  EXPECT_EQ(value, "0");
  ASSERT_OK(it->GetProperty("rocksdb.iterator.internal-key", &value));
  EXPECT_EQ(value, "a");
  ASSERT_OK(it->GetProperty("rocksdb.iterator.write-time", &value));
  EXPECT_EQ(value.size(), 8u);
  EXPECT_TRUE(it->GetProperty("no.such", &value).IsInvalidArgument());
  ASSERT_OK(Flush());
  ASSERT_OK(it->Refresh());
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(it->GetProperty("rocksdb.iterator.super-version-number", &value));
  EXPECT_NE(value, first);
}

TEST_F(ScanTest, RefreshGoesToNowOrToASnapshot) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  const Snapshot* snapshot = db_->GetSnapshot();
  const std::unique_ptr<Iterator> it = NewIterator();
  ASSERT_OK(Put("a", "2"));
  ASSERT_OK(Flush());
  it->SeekToFirst();
  EXPECT_EQ(it->value().ToString(), "1");
  ASSERT_OK(it->Refresh());
  it->SeekToFirst();
  EXPECT_EQ(it->value().ToString(), "2");
  ASSERT_OK(it->Refresh(snapshot));
  it->SeekToFirst();
  EXPECT_EQ(it->value().ToString(), "1");
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(ScanTest, AnIteratorOfASnapshotLetsOldFilesGo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 100, "v"));
  ASSERT_OK(Flush());
  const Snapshot* snapshot = db_->GetSnapshot();
  ReadOptions read;
  read.snapshot = snapshot;
  read.auto_refresh_iterator_with_snapshot = true;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  std::string before, after;
  ASSERT_OK(it->GetProperty("rocksdb.iterator.super-version-number", &before));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ASSERT_EQ(it->key().ToString(), ScannedKey(count++));
    if (count == 50) {
      ASSERT_NO_FATAL_FAILURE(PutRange(0, 200, "newer"));
      ASSERT_OK(Flush());
      ASSERT_OK(CompactAll());
    }
  }
  EXPECT_OK(it->status());
  EXPECT_EQ(count, 100);
  ASSERT_OK(it->GetProperty("rocksdb.iterator.super-version-number", &after));
  EXPECT_NE(before, after);
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(ScanTest, TooManyHiddenEntriesEndACall) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 20, "v"));
  for (int i = 5; i < 10; ++i) ASSERT_OK(Delete(ScannedKey(i)));
  ReadOptions read;
  for (const uint64_t limit : {10u, 4u}) {
    SCOPED_TRACE(limit);
    read.max_skippable_internal_keys = limit;
    const std::unique_ptr<Iterator> it = NewIterator(read);
    it->Seek(ScannedKey(4));
    ASSERT_TRUE(it->Valid());
    it->Next();
    EXPECT_EQ(it->Valid(), limit == 10);
    EXPECT_EQ(it->status().IsIncomplete(), limit == 4);
    it->SeekForPrev(ScannedKey(9));
    EXPECT_EQ(it->Valid(), limit == 10);
    EXPECT_EQ(it->status().IsIncomplete(), limit == 4);
    it->Seek(ScannedKey(15));
    EXPECT_TRUE(it->Valid());
    EXPECT_OK(it->status());
  }
}

// Backwards, the newest visible version of a key comes last.
TEST_F(ScanTest, ManyVersionsOfAKeyArePassedAtOnceBackwards) {
  options_.statistics = CreateDBStatistics();
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  const WriteOptions write;
  const auto put_many = [this] {
    for (int i = 0; i < 1000; ++i) ASSERT_OK(Put("b", std::to_string(i)));
  };
  ASSERT_NO_FATAL_FAILURE(put_many());
  ASSERT_OK(Put("c", "3"));
  std::vector<std::pair<const Snapshot*, std::string>> views;
  const auto keep_view = [&](const std::string& expected) {
    views.emplace_back(db_->GetSnapshot(), expected);
  };
  keep_view("c=3 b=999 a=1 ");
  ASSERT_OK(db_->Merge(write, "b", "x"));
  ASSERT_OK(db_->Merge(write, "b", "y"));
  keep_view("c=3 b=999,x,y a=1 ");
  ASSERT_OK(Delete("b"));
  keep_view("c=3 a=1 ");
  ASSERT_OK(db_->Merge(write, "b", "z"));
  keep_view("c=3 b=z a=1 ");
  ASSERT_OK(db_->DeleteRange(write, "b", "c"));
  keep_view("c=3 a=1 ");
  ASSERT_NO_FATAL_FAILURE(put_many());
  keep_view("c=3 b=999 a=1 ");
  for (const bool is_flushed : {false, true}) {
    SCOPED_TRACE(is_flushed);
    if (is_flushed) ASSERT_OK(Flush());
    for (const auto& [snapshot, expected] : views) {
      ReadOptions read;
      read.snapshot = snapshot;
      SetPerfLevel(kEnableCount);
      get_perf_context()->Reset();
      const uint64_t before = Ticker(NUMBER_OF_RESEEKS_IN_ITERATION);
      EXPECT_EQ(ScanBackward(read), expected);
      // A flush leaves the few versions that a snapshot shows.
      EXPECT_EQ(Ticker(NUMBER_OF_RESEEKS_IN_ITERATION) > before, !is_flushed);
      EXPECT_LT(get_perf_context()->prev_on_memtable_count, 100u);
      SetPerfLevel(kDisable);
      // From there on, either way.
      const std::unique_ptr<Iterator> it = NewIterator(read);
      it->SeekForPrev("bb");
      ASSERT_TRUE(it->Valid());
      const std::string found = it->key().ToString();
      it->Next();
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(it->key(), "c");
      it->Prev();
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(it->key(), found);
    }
  }
  for (const auto& [snapshot, expected] : views) {
    db_->ReleaseSnapshot(snapshot);
  }
}

TEST_F(ScanTest, TableFilterLeavesFilesOut) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 10, "v"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(PutRange(10, 13, "v"));
  ASSERT_OK(Flush());
  const std::function<bool(const TableProperties&)> filter =
      [](const TableProperties& p) { return p.num_entries < 5; };
  ReadOptions read;
  read.table_filter = &filter;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), ScannedKey(10));
}

class PrefixScanTest : public ScanTest {
 protected:
  PrefixScanTest() {
    options_.prefix_extractor.reset(NewFixedPrefixTransform(3));
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(20));
    table.whole_key_filtering = false;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (const char* file : {"aaa bbb", "ccc eee"}) {
      for (const std::string& prefix :
           {std::string(file, 3), std::string(file + 4, 3)}) {
        for (int i = 0; i < 10; ++i) {
          ASSERT_OK(Put(prefix + std::to_string(i), prefix));
        }
      }
      ASSERT_OK(Flush());
    }
  }
  uint64_t Useful() {
    return options_.statistics->getTickerCount(BLOOM_FILTER_PREFIX_USEFUL);
  }
};

TEST_F(PrefixScanTest, AFilterSparesFilesOnASeek) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  read.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  it->Seek("aaa5");
  int count = 0;
  for (; it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 5);
  EXPECT_EQ(Useful(), 1u);
  it->Seek("ddd");
  EXPECT_FALSE(it->Valid());
  EXPECT_OK(it->status());
  it->SeekForPrev("bbb3");
  for (count = 0; it->Valid(); it->Prev()) ++count;
  EXPECT_EQ(count, 4);
}

TEST_F(PrefixScanTest, TotalOrderAsksNoFilter) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  read.total_order_seek = true;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  it->Seek("bzz");
  int count = 0;
  for (; it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 20);
  it->Seek("ddd");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "eee0");
  EXPECT_EQ(Useful(), 0u);
}

TEST_F(PrefixScanTest, AutoModeAsksItWhereTheBoundAllows) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  read.auto_prefix_mode = true;
  const Slice near("ddd9"), far("eee5");
  read.iterate_upper_bound = &near;
  const std::unique_ptr<Iterator> same = NewIterator(read);
  same->Seek("ddd0");
  EXPECT_FALSE(same->Valid());
  EXPECT_GT(Useful(), 0u);
  const uint64_t before = Useful();
  read.iterate_upper_bound = &far;
  const std::unique_ptr<Iterator> other = NewIterator(read);
  other->Seek("ddd0");
  ASSERT_TRUE(other->Valid());
  EXPECT_EQ(other->key().ToString(), "eee0");
  EXPECT_EQ(Useful(), before);
}

TEST_F(PrefixScanTest, BackwardAndFirstAreInTotalOrder) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::unique_ptr<Iterator> it = NewIterator();
  it->SeekForPrev("ddd");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "ccc9");
  ReadOptions read;
  const Slice lower("abc");
  read.iterate_lower_bound = &lower;
  const std::unique_ptr<Iterator> bounded = NewIterator(read);
  int count = 0;
  for (bounded->SeekToFirst(); bounded->Valid(); bounded->Next()) ++count;
  EXPECT_EQ(count, 30);
}

// A seek below the lower bound must not use the bound's prefix filter: the
// caller asked for a smaller key.
TEST_F(PrefixScanTest, TheBoundsPrefixIsNotSought) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  const Slice lower("ddd");
  read.iterate_lower_bound = &lower;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  it->Seek("ccc5");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "eee0");
  EXPECT_EQ(Useful(), 0u);
}

// A filter knows the prefixes of the extractor that it was made with.
TEST_F(PrefixScanTest, AFilterOfAnotherExtractorIsNotAsked) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(db_->SetOptions({{"prefix_extractor", "fixed:2"}}));
  const std::unique_ptr<Iterator> it = NewIterator();
  it->Seek("cc");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "ccc0");
  EXPECT_EQ(Get("eee5"), "eee");
  EXPECT_EQ(Useful(), 0u);
}

// It stays what it was, though the view moves on to other options.
TEST_F(PrefixScanTest, AnotherExtractorComesWithTheNextSeek) {
  for (const char* extractor : {"fixed:1", "nullptr"}) {
    SCOPED_TRACE(extractor);
    ASSERT_NO_FATAL_FAILURE(Fill());
    const Snapshot* const snapshot = db_->GetSnapshot();
    ReadOptions read;
    read.snapshot = snapshot;
    read.prefix_same_as_start = true;
    read.auto_refresh_iterator_with_snapshot = true;
    const std::unique_ptr<Iterator> it = NewIterator(read);
    it->Seek("aaa5");
    ASSERT_OK(db_->SetOptions({{"prefix_extractor", extractor}}));
    int count = 0;
    for (; it->Valid(); it->Next()) ++count;
    EXPECT_OK(it->status());
    EXPECT_EQ(count, 5);
    db_->ReleaseSnapshot(snapshot);
  }
}

TEST_F(PrefixScanTest, ThePrefixIsThatOfTheKeyThatWasSought) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  read.prefix_same_as_start = true;
  const Slice lower("bbb5"), upper("ccc5");
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> it = NewIterator(read);
  const auto key = [&] {
    EXPECT_OK(it->status());
    return it->Valid() ? it->key().ToString() : "none";
  };
  it->Seek("aaa5");
  EXPECT_EQ(key(), "none");
  it->Seek("bbb0");
  EXPECT_EQ(key(), "bbb5");
  it->SeekForPrev("eee5");
  EXPECT_EQ(key(), "none");
  it->SeekForPrev("ccc5");
  EXPECT_EQ(key(), "ccc4");
  it->SeekForPrev("ccc9");
  EXPECT_EQ(key(), "ccc4");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
