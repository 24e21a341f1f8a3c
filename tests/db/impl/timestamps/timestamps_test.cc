// Keys with user-defined timestamps: what each call does, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_reader.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimestampsTest : public DbFixture {
 protected:
  TimestampsTest() {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
  }

  void PutAt(const std::string& key, uint64_t ts, const std::string& value) {
    ASSERT_OK(db_->Put(WriteOptions(), key, Ts(ts), value));
  }
  void DeleteAt(const std::string& key, uint64_t ts) {
    ASSERT_OK(db_->Delete(WriteOptions(), key, Ts(ts)));
  }
  void DeleteRangeAt(const std::string& begin, const std::string& end,
                     uint64_t ts) {
    ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), begin, end, Ts(ts)));
  }
  ColumnFamilyHandle* family() { return db_->DefaultColumnFamily(); }

  std::string GetAt(const std::string& key, uint64_t ts,
                    const Snapshot* snapshot = nullptr) {
    return GetText(db_.get(), AsOf(ts, snapshot).options, key);
  }
  std::string ScanAt(const ReadOptions& read) {
    return ScanText(db_.get(), read);
  }
  std::string ScanAt(uint64_t ts) { return ScanAt(AsOf(ts).options); }
  // key@timestamp, with what it was: a value or a deletion.
  std::string VersionsOf(uint64_t oldest, uint64_t newest) {
    AsOf read(newest);
    const std::unique_ptr<Iterator> it(
        db_->NewIterator(read.From(oldest).options));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      const Slice stored = ExtractUserKey(it->key());
      text += Slice(stored.data(), stored.size() - 8).ToString() + "@" +
              std::to_string(TsOf(it->timestamp()));
      const bool is_gone = ExtractType(it->key()) == kTypeDeletionWithTimestamp;
      text += (is_gone ? "!" : "=" + it->value().ToString()) + " ";
    }
    if (!it->status().ok()) text += it->status().ToString();
    return text;
  }
  Status Raise(uint64_t ts) {
    return db_->IncreaseFullHistoryTsLow(family(), Ts(ts));
  }
  std::string Low() {
    std::string low;
    EXPECT_OK(db_->GetFullHistoryTsLow(family(), &low));
    return low.empty() ? "none" : std::to_string(TsOf(low));
  }
};

// The bucket of a key is that of all its timestamps, whatever is its prefix.
TEST_F(TimestampsTest, MemtablesInBuckets) {
  const std::shared_ptr<MemTableRepFactory> factories[] = {
      std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(1000)),
      std::shared_ptr<MemTableRepFactory>(NewHashLinkListRepFactory(1000))};
  const std::shared_ptr<const SliceTransform> extractors[] = {
      std::shared_ptr<const SliceTransform>(NewNoopTransform()),
      std::shared_ptr<const SliceTransform>(NewCappedPrefixTransform(8)),
      std::shared_ptr<const SliceTransform>(NewFixedPrefixTransform(4))};
  options_.allow_concurrent_memtable_write = false;
  for (const auto& factory : factories) {
    for (const auto& extractor : extractors) {
      SCOPED_TRACE(std::string(factory->Name()) + " " + extractor->Name());
      options_.memtable_factory = factory;
      options_.prefix_extractor = extractor;
      Open();
      for (int i = 0; i < 20; ++i) {
        const std::string key = "k" + std::to_string(i);
        PutAt(key, 5, "five");
        PutAt(key, 7, "seven");
      }
      for (int i = 0; i < 20; ++i) {
        const std::string key = "k" + std::to_string(i);
        EXPECT_EQ(GetAt(key, 4), "none");
        EXPECT_EQ(GetAt(key, 6), "five@5");
        EXPECT_EQ(GetAt(key, 9), "seven@7");
      }
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
    }
  }
}

TEST_F(TimestampsTest, AReadSeesTheNewestVersionAsOfItsTimestamp) {
  Open();
  PutAt("a", 2, "a2");
  PutAt("a", 4, "a4");
  PutAt("b", 3, "b3");
  DeleteAt("a", 6);
  for (const char* place : {"memtable", "file", "reopened", "last level"}) {
    SCOPED_TRACE(place);
    EXPECT_EQ(GetAt("a", 1), "none");
    EXPECT_EQ(GetAt("a", 2), "a2@2");
    EXPECT_EQ(GetAt("a", 3), "a2@2");
    EXPECT_EQ(GetAt("a", 5), "a4@4");
    EXPECT_EQ(GetAt("a", 6), "none");
    EXPECT_EQ(ScanAt(2), "a=a2@2 ");
    EXPECT_EQ(ScanAt(5), "a=a4@4 b=b3@3 ");
    EXPECT_EQ(ScanAt(UINT64_MAX), "b=b3@3 ");
    EXPECT_EQ(VersionsOf(0, 9), "a@6! a@4=a4 a@2=a2 b@3=b3 ");
    EXPECT_EQ(VersionsOf(3, 4), "a@4=a4 b@3=b3 ");
    std::string value, timestamp;
    EXPECT_TRUE(
        db_->Get(AsOf(7).options, "a", &value, &timestamp).IsNotFound());
    EXPECT_EQ(TsOf(timestamp), 6u);  // of the deletion
    if (place == std::string("memtable")) ASSERT_OK(Flush());
    if (place == std::string("file")) Reopen();
    if (place == std::string("reopened")) ASSERT_OK(CompactAll(true));
  }
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(TimestampsTest, OneTimestampWrittenTwiceShowsTheLaterValue) {
  Open();
  PutAt("a", 2, "one");
  const Snapshot* before = db_->GetSnapshot();
  PutAt("a", 2, "two");
  EXPECT_EQ(GetAt("a", 2), "two@2");
  EXPECT_EQ(GetAt("a", 2, before), "one@2");
  EXPECT_EQ(VersionsOf(0, 9), "a@2=two ");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("a", 2, before), "one@2");
  db_->ReleaseSnapshot(before);
  EXPECT_EQ(VersionsOf(0, 9), "a@2=two ");
}

TEST_F(TimestampsTest, ASnapshotAndATimestampLimitTogether) {
  Open();
  PutAt("a", 2, "a2");
  const Snapshot* snapshot = db_->GetSnapshot();
  PutAt("a", 4, "a4");
  PutAt("b", 1, "b1");
  DeleteRangeAt("a", "c", 5);
  for (const bool is_flushed : {false, true}) {
    EXPECT_EQ(GetAt("a", 9, snapshot), "a2@2");
    EXPECT_EQ(GetAt("a", 4), "a4@4");
    EXPECT_EQ(GetAt("a", 9), "none");
    EXPECT_EQ(GetAt("b", 4), "b1@1");
    EXPECT_EQ(ScanAt(AsOf(9, snapshot).options), "a=a2@2 ");
    EXPECT_EQ(ScanAt(9), "");
    EXPECT_EQ(ScanAt(4), "a=a4@4 b=b1@1 ");
    if (!is_flushed) ASSERT_OK(CompactAll(true));
  }
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(TimestampsTest, RangeDeletionsOfSeveralTimestamps) {
  Open();
  for (char c = 'a'; c <= 'f'; ++c) PutAt(std::string(1, c), 1, "v1");
  DeleteRangeAt("b", "d", 3);
  DeleteRangeAt("c", "f", 5);
  for (const char* place : {"memtable", "file", "compacted"}) {
    SCOPED_TRACE(place);
    EXPECT_EQ(ScanAt(2), "a=v1@1 b=v1@1 c=v1@1 d=v1@1 e=v1@1 f=v1@1 ");
    EXPECT_EQ(ScanAt(4), "a=v1@1 d=v1@1 e=v1@1 f=v1@1 ");
    EXPECT_EQ(ScanAt(5), "a=v1@1 f=v1@1 ");
    EXPECT_EQ(GetAt("c", 2), "v1@1");
    EXPECT_EQ(GetAt("c", 3), "none");
    EXPECT_EQ(GetAt("d", 4), "v1@1");
    EXPECT_EQ(GetAt("d", 5), "none");
    EXPECT_EQ(GetAt("f", 9), "v1@1");
    if (place == std::string("memtable")) ASSERT_OK(Flush());
    if (place == std::string("file")) ASSERT_OK(CompactAll(true));
  }
  // A later version of a deleted key, above it in another file.
  PutAt("c", 7, "v7");
  ASSERT_OK(Flush());
  EXPECT_EQ(ScanAt(9), "a=v1@1 c=v7@7 f=v1@1 ");
  EXPECT_EQ(ScanAt(6), "a=v1@1 f=v1@1 ");
  ASSERT_OK(Raise(8));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(ScanAt(9), "a=v1@0 c=v7@0 f=v1@0 ");
  TablePropertiesCollection tables;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&tables));
  for (const auto& [name, table] : tables) {
    EXPECT_EQ(table->num_range_deletions, 0u) << name;
    EXPECT_EQ(table->num_entries, 3u);
  }
}

TEST_F(TimestampsTest, OperandsApplyToWhatIsOlder) {
  Open();
  PutAt("a", 1, "base");
  const auto merge = [&](uint64_t ts, const std::string& operand) {
    ASSERT_OK(db_->Merge(WriteOptions(), family(), "a", Ts(ts), operand));
  };
  merge(2, "x");
  merge(2, "y");
  merge(4, "z");
  for (const char* place : {"memtable", "file", "compacted", "history"}) {
    SCOPED_TRACE(place);
    EXPECT_EQ(GetAt("a", 4), "base,x,y,z@4");
    EXPECT_EQ(ScanAt(4), "a=base,x,y,z@4 ");
    if (place != std::string("history")) {
      EXPECT_EQ(GetAt("a", 1), "base@1");
      EXPECT_EQ(GetAt("a", 2), "base,x,y@2");
      EXPECT_EQ(ScanAt(3), "a=base,x,y@2 ");
    }
    if (place == std::string("memtable")) ASSERT_OK(Flush());
    if (place == std::string("file")) ASSERT_OK(CompactAll(true));
    if (place == std::string("compacted")) {
      ASSERT_OK(Raise(4));
      ASSERT_OK(CompactAll(true));
    }
  }
}

TEST_F(TimestampsTest, ARangeDeletionBetweenWritesOfOneTimestamp) {
  Open();
  PutAt("a", 5, "gone");
  DeleteRangeAt("a", "b", 5);
  ASSERT_OK(db_->Merge(WriteOptions(), family(), "a", Ts(5), "x"));
  EXPECT_EQ(GetAt("a", 5), "x@5");
  ASSERT_OK(Flush());
  EXPECT_EQ(GetAt("a", 5), "x@5");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("a", 5), "x@5");
  EXPECT_EQ(ScanAt(9), "a=x@5 ");
}

TEST_F(TimestampsTest, HistoryGoesBelowTheLowTimestampOnly) {
  Open();
  EXPECT_EQ(Low(), "none");
  for (uint64_t ts = 1; ts <= 5; ++ts) {
    PutAt("a", ts, "a" + std::to_string(ts));
  }
  PutAt("b", 1, "b1");
  DeleteAt("b", 2);
  DeleteAt("c", 4);
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(VersionsOf(0, 9),
            "a@5=a5 a@4=a4 a@3=a3 a@2=a2 a@1=a1 b@2! b@1=b1 c@4! ");
  ASSERT_OK(Raise(3));
  EXPECT_EQ(Low(), "3");
  // Nothing is gone yet, but nobody may count on it.
  EXPECT_NE(GetAt("a", 2).find("Invalid argument"), std::string::npos);
  EXPECT_NE(ScanAt(2).find("Invalid argument"), std::string::npos);
  ASSERT_OK(CompactAll(true));
  // Of what is older the newest stays, without its timestamp; what was deleted
  // before is gone.
  EXPECT_EQ(VersionsOf(0, 9), "a@5=a5 a@4=a4 a@3=a3 a@0=a2 c@4! ");
  EXPECT_EQ(GetAt("a", 3), "a3@3");
  Reopen();
  EXPECT_EQ(Low(), "3");
  EXPECT_NE(GetAt("a", 2).find("Invalid argument"), std::string::npos);
  CompactRangeOptions all;
  const std::string nine = Ts(9);
  const Slice low(nine);
  all.full_history_ts_low = &low;
  all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_OK(db_->CompactRange(all, nullptr, nullptr));
  EXPECT_EQ(Low(), "9");
  EXPECT_EQ(VersionsOf(0, 9), "a@0=a5 ");
  EXPECT_EQ(GetAt("a", 9), "a5@0");
}

TEST_F(TimestampsTest, TheNewestTimestampIsFoundWhereverItIs) {
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto newest = [this] {
    std::string timestamp;
    const Status s = db_->GetNewestUserDefinedTimestamp(family(), &timestamp);
    if (!s.ok()) return s.ToString();
    return timestamp.empty() ? "none" : std::to_string(TsOf(timestamp));
  };
  EXPECT_EQ(newest(), "none");
  PutAt("a", 5, "1");
  PutAt("b", 300, "1");
  PutAt("a", 7, "2");
  EXPECT_EQ(newest(), "300");
  ASSERT_OK(Flush());
  EXPECT_EQ(newest(), "300");
  PutAt("c", 20, "1");
  EXPECT_EQ(newest(), "300") << "of a table";
  DeleteAt("c", 301);
  EXPECT_EQ(newest(), "301");
  DeleteRangeAt("x", "y", 302);
  EXPECT_EQ(newest(), "302");
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(newest(), "302");
  EXPECT_TRUE(db_->GetNewestUserDefinedTimestamp(family(), nullptr)
                  .IsInvalidArgument());
  ColumnFamilyHandle* plain = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(ColumnFamilyOptions(), "plain", &plain));
  std::string timestamp = "as it was";
  EXPECT_TRUE(db_->GetNewestUserDefinedTimestamp(plain, &timestamp)
                  .IsInvalidArgument());
  EXPECT_EQ(timestamp, "as it was");
  EXPECT_OK(db_->DestroyColumnFamilyHandle(plain));
}

TEST_F(TimestampsTest, AFlushDropsHistoryToo) {
  Open();
  ASSERT_OK(Raise(4));
  for (uint64_t ts = 1; ts <= 5; ++ts) PutAt("a", ts, "v");
  ASSERT_OK(Flush());
  EXPECT_EQ(VersionsOf(0, 9), "a@5=v a@4=v a@3=v ");
}

TEST_F(TimestampsTest, SnapshotsKeepHistoryOfTheirTime) {
  Open();
  PutAt("a", 1, "a1");
  const Snapshot* snapshot = db_->GetSnapshot();
  PutAt("a", 2, "a2");
  ASSERT_OK(Raise(5));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("a", 5, snapshot), "a1@0");
  EXPECT_EQ(GetAt("a", 5), "a2@2");
  db_->ReleaseSnapshot(snapshot);
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("a", 5), "a2@0");
  EXPECT_EQ(VersionsOf(0, 9), "a@0=a2 ");
}

TEST_F(TimestampsTest, IteratorsKeepTheirView) {
  Open();
  PutAt("a", 1, "a1");
  AsOf read(5);
  const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
  PutAt("b", 2, "b2");
  ASSERT_OK(Raise(4));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  it->Next();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(it->Refresh());
  it->Seek("b");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(TsOf(it->timestamp()), 2u);
  ASSERT_OK(Raise(6));
  EXPECT_TRUE(it->Refresh().IsInvalidArgument());
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsInvalidArgument());
}

TEST_F(TimestampsTest, PrefixesAndFiltersKnowNoTimestamps) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  options_.statistics = CreateDBStatistics();
  Open();
  PutAt("aa1", 3, "v");
  PutAt("ab1", 3, "v");
  ASSERT_OK(Flush());
  EXPECT_EQ(GetAt("aa1", 9), "v@3");
  EXPECT_EQ(GetAt("aa1", 2), "none");
  EXPECT_EQ(options_.statistics->getTickerCount(BLOOM_FILTER_USEFUL), 0u);
  EXPECT_EQ(GetAt("aa2", 9), "none");
  EXPECT_EQ(options_.statistics->getTickerCount(BLOOM_FILTER_USEFUL), 1u);
  AsOf read(9);
  read.options.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
  it->Seek("aa");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "aa1");
  it->Next();
  EXPECT_FALSE(it->Valid());
  it->Seek("ac");
  EXPECT_FALSE(it->Valid());
  EXPECT_GT(options_.statistics->getTickerCount(BLOOM_FILTER_PREFIX_USEFUL),
            0u);
}

TEST_F(TimestampsTest, ThePrefixIsThatOfTheKeyThatWasSought) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  Open();
  for (const char* key : {"aa1", "bb1", "bb5", "cc1", "cc5", "dd1"}) {
    PutAt(key, 3, "v");
  }
  const Slice lower("bb3"), upper("cc3");
  for (const bool has_history : {false, true}) {
    SCOPED_TRACE(has_history);
    AsOf read(9);
    if (has_history) read.From(0);
    read.options.prefix_same_as_start = true;
    read.options.iterate_lower_bound = &lower;
    read.options.iterate_upper_bound = &upper;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
    const auto key = [&] {
      EXPECT_OK(it->status());
      return it->Valid() ? Slice(it->key().data(), 3).ToString() : "none";
    };
    it->Seek("aa");
    EXPECT_EQ(key(), "none");
    it->Seek("bb");
    EXPECT_EQ(key(), "bb5");
    it->SeekForPrev("dd");
    EXPECT_EQ(key(), "none");
    it->SeekForPrev("cc9");
    EXPECT_EQ(key(), "cc1");
  }
}

// Backwards, the newest visible version of a key comes last.
TEST_F(TimestampsTest, ManyVersionsOfAKeyArePassedAtOnceBackwards) {
  options_.statistics = CreateDBStatistics();
  Open();
  PutAt("a", 1, "a");
  for (uint64_t ts = 1; ts <= 500; ++ts) PutAt("b", ts, std::to_string(ts));
  PutAt("c", 1, "c");
  const Snapshot* const snapshot = db_->GetSnapshot();
  // Written later, as of an older timestamp.
  for (uint64_t ts = 1; ts <= 500; ++ts) PutAt("b", ts, "again");
  const auto scan_backward = [&](uint64_t ts) {
    const std::unique_ptr<Iterator> it(
        db_->NewIterator(AsOf(ts, snapshot).options));
    std::string text;
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      text += it->key().ToString() + "=" + it->value().ToString() + "@" +
              std::to_string(TsOf(it->timestamp())) + " ";
    }
    EXPECT_OK(it->status());
    return text;
  };
  EXPECT_EQ(scan_backward(600), "c=c@1 b=500@500 a=a@1 ");
  EXPECT_EQ(scan_backward(300), "c=c@1 b=300@300 a=a@1 ");
  EXPECT_EQ(scan_backward(1), "c=c@1 b=1@1 a=a@1 ");
  EXPECT_EQ(Ticker(NUMBER_OF_RESEEKS_IN_ITERATION), 3u);
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(TimestampsTest, CallsOfTheWrongKindAreRefused) {
  Open();
  ColumnFamilyHandle* plain = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(ColumnFamilyOptions(), "plain", &plain));
  const WriteOptions write;
  std::string value, ts = Ts(1);
  const Slice short_ts("1234");
  ReadOptions short_read;
  short_read.timestamp = &short_ts;
  WriteBatch for_plain;
  ASSERT_OK(for_plain.Put("k", "v"));
  WriteBatch bytes(for_plain.Data());  // Nobody knows whose they are.
  WriteBatch short_update(0, 0, 0, 8);
  ASSERT_OK(short_update.Put("k", "v"));
  const std::vector<Status> all = {
      db_->Put(write, "k", "v"),
      db_->Delete(write, "k"),
      db_->SingleDelete(write, "k"),
      db_->Merge(write, "k", "v"),
      db_->DeleteRange(write, "k", "l"),
      db_->PutEntity(write, family(), "k", {{"", "v"}}),
      db_->Put(write, "k", "1234", "v"),
      db_->Put(write, plain, "k", ts, "v"),
      db_->Delete(write, plain, "k", ts),
      db_->SingleDelete(write, plain, "k", ts),
      db_->DeleteRange(write, plain, "k", "l", ts),
      db_->DeleteRange(write, family(), "l", "k", ts),
      db_->Write(write, &for_plain),
      db_->Write(write, &bytes),
      db_->Write(write, &short_update),
      db_->Get(ReadOptions(), "k", &value),
      db_->Get(short_read, "k", &value),
      db_->Get(AsOf(1).options, plain, "k", &value),
      std::unique_ptr<Iterator>(db_->NewIterator(ReadOptions()))->status(),
      std::unique_ptr<Iterator>(db_->NewIterator(AsOf(1).options, plain))
          ->status(),
      Raise(1).ok() ? db_->IncreaseFullHistoryTsLow(family(), "1234")
                    : Status::OK(),
      Raise(0),
      db_->IncreaseFullHistoryTsLow(plain, ts),
      db_->GetFullHistoryTsLow(plain, &value),
  };
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(all[i].IsInvalidArgument()) << i << " " << all[i].ToString();
  }
  std::vector<std::string> values;
  for (const Status& s : db_->MultiGet(ReadOptions(), {"a", "b"}, &values)) {
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  }
  AsOf tailing(1);
  tailing.From(0).options.tailing = true;
  EXPECT_TRUE(std::unique_ptr<Iterator>(db_->NewIterator(tailing.options))
                  ->status()
                  .IsNotSupported());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 0u);  // Nothing was written.
  ASSERT_OK(db_->DestroyColumnFamilyHandle(plain));
}

TEST_F(TimestampsTest, ABatchGetsItsTimestampsAtTheEnd) {
  Open();
  WriteBatch batch(0, 0, 0, 8);
  ASSERT_OK(batch.Put("a", "v"));
  ASSERT_OK(batch.Put(family(), "b", Ts(1), "v"));
  ASSERT_OK(batch.DeleteRange(family(), "x", "z"));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsInvalidArgument());
  const auto eight = [](uint32_t) { return size_t{8}; };
  EXPECT_TRUE(batch.UpdateTimestamps("1234", eight).IsInvalidArgument());
  EXPECT_TRUE(batch.UpdateTimestamps(Ts(3), [](uint32_t) { return SIZE_MAX; })
                  .IsNotFound());
  ASSERT_OK(batch.UpdateTimestamps(Ts(3), eight));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ(ScanAt(9), "a=v@3 b=v@3 ");
  EXPECT_EQ(ScanAt(2), "");
}

TEST_F(TimestampsTest, LogsSayWhatTheirKeysEndWith) {
  options_.avoid_flush_during_shutdown = true;
  for (const size_t recycled : {0, 2}) {
    SCOPED_TRACE(recycled);
    options_.recycle_log_file_num = recycled;
    Open();
    ColumnFamilyHandle* later = nullptr;
    ColumnFamilyOptions family_options;
    family_options.comparator = ReverseBytewiseComparatorWithU64Ts();
    PutAt("a", 1, "v");
    if (recycled == 0) {
      ASSERT_OK(db_->CreateColumnFamily(family_options, "later", &later));
      ASSERT_OK(db_->Put(WriteOptions(), later, "x", Ts(1), "v"));
      ASSERT_OK(db_->Delete(WriteOptions(), later, "y", Ts(2)));
      ASSERT_OK(db_->DestroyColumnFamilyHandle(later));
      db_.reset();
      std::vector<ColumnFamilyHandle*> handles;
      ASSERT_OK(DB::Open(
          options_, path_,
          {{kDefaultColumnFamilyName, options_}, {"later", family_options}},
          &handles, &db_));
      std::string value;
      EXPECT_OK(db_->Get(AsOf(1).options, handles[1], "x", &value));
      ASSERT_OK(db_->DropColumnFamily(handles[1]));
      for (ColumnFamilyHandle* handle : handles) {
        ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
      }
    }
    Reopen();
    EXPECT_EQ(GetAt("a", 1), "v@1");
  }
}

TEST_F(TimestampsTest, ManyFilesAndSubcompactionsKeepVersionsTogether) {
  options_.target_file_size_base = 4 << 10;
  options_.max_subcompactions = 4;
  BlockBasedTableOptions table;
  table.block_size = 256;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  for (uint64_t ts = 1; ts <= 60; ++ts) {
    for (int i = 0; i < 20; ++i) {
      PutAt("k" + std::to_string(100 + i), ts, std::string(30, 'v'));
    }
    if (ts % 20 == 0) ASSERT_OK(Flush());
  }
  ASSERT_OK(CompactAll(true));
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  EXPECT_GT(files.size(), 5u);
  for (uint64_t ts : {1, 30, 60}) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(GetAt("k" + std::to_string(100 + i), ts),
                std::string(30, 'v') + "@" + std::to_string(ts));
    }
  }
  ASSERT_OK(Raise(61));
  CompactRangeOptions part;
  part.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  const Slice begin("k105"), end("k114");
  ASSERT_OK(db_->CompactRange(part, &begin, &end));
  ASSERT_OK(CompactAll(true));
  const std::string all = VersionsOf(0, 99);
  EXPECT_EQ(std::count(all.begin(), all.end(), '@'), 20);
}

TEST_F(TimestampsTest, OthersThatOpenTheDatabaseSeeTheSame) {
  Open();
  PutAt("a", 1, "a1");
  ASSERT_OK(Flush());
  PutAt("a", 3, "a3");
  std::unique_ptr<DB> reader;
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &reader));
  std::string value;
  ASSERT_OK(reader->Get(AsOf(2).options, "a", &value));
  EXPECT_EQ(value, "a1");
  Options secondary_options = options_;
  secondary_options.max_open_files = -1;
  std::unique_ptr<DB> secondary;
  ASSERT_OK(DB::OpenAsSecondary(secondary_options, path_, path_ + ".second",
                                &secondary));
  ASSERT_OK(secondary->TryCatchUpWithPrimary());
  ASSERT_OK(secondary->Get(AsOf(3).options, "a", &value));
  EXPECT_EQ(value, "a3");
  ASSERT_OK(Raise(3));
  PutAt("b", 4, "b4");
  ASSERT_OK(secondary->TryCatchUpWithPrimary());
  EXPECT_TRUE(secondary->Get(AsOf(2).options, "a", &value).IsInvalidArgument());
  ASSERT_OK(secondary->Get(AsOf(4).options, "b", &value));
}

TEST_F(TimestampsTest, SizesAndDeletedFilesGoByKeys) {
  Open();
  for (int i = 0; i < 100; ++i) {
    PutAt("k" + std::to_string(100 + i), 1 + i, std::string(1000, 'v'));
  }
  ASSERT_OK(CompactAll(true));
  const Range range("k120", "k140");
  uint64_t size = 0;
  ASSERT_OK(db_->GetApproximateSizes(family(), &range, 1, &size));
  EXPECT_GT(size, 10000u);
  EXPECT_LT(size, 40000u);
  ASSERT_EQ(FilesAt(6), 1);
  const Slice a("a"), k199("k199"), z("z");
  ASSERT_OK(DeleteFilesInRange(db_.get(), family(), &a, &k199, false));
  EXPECT_EQ(FilesAt(6), 1);  // Its last key is not in the range.
  ASSERT_OK(DeleteFilesInRange(db_.get(), family(), &a, &z, true));
  EXPECT_EQ(FilesAt(6), 0);
}

// Neither its index nor its blocks are looked for, whatever form the read has.
TEST_F(TimestampsTest, ATableThatIsNewerIsNotRead) {
  options_.statistics = CreateDBStatistics();
  Open();
  PutAt("a", 2, "a2");
  PutAt("b", 2, "b2");
  ASSERT_OK(Flush());
  DeleteRangeAt("a", "c", 5);
  DeleteAt("b", 6);
  PutAt("a", 7, "a7");
  ASSERT_OK(Flush());
  const auto read_all = [this](uint64_t ts) {
    AsOf as_of(ts);
    std::string text = GetAt("a", ts) + " " + ScanAt(ts);
    std::vector<std::string> values, stamps;
    const std::vector<Slice> keys{"a", "b"};
    const std::vector<Status> all =
        db_->MultiGet(as_of.options, {family(), family()}, keys, &values);
    for (size_t i = 0; i < keys.size(); ++i) {
      text += all[i].ok() ? values[i] + " " : "none ";
    }
    return text + VersionsOf(1, ts);
  };
  const auto count_of = [this](uint32_t ticker, auto read) {
    const uint64_t before = Ticker(ticker);
    read();
    return Ticker(ticker) - before;
  };
  const std::string old_state = "a2@2 a=a2@2 b=b2@2 a2 b2 a@2=a2 b@2=b2 ";
  EXPECT_EQ(read_all(4), old_state);
  EXPECT_EQ(read_all(2), old_state);
  EXPECT_EQ(read_all(1), "none none none ");
  EXPECT_EQ(read_all(5), "none none none ");
  EXPECT_EQ(read_all(7), "a7@7 a=a7@7 a7 none a@7=a7 b@6! ");
  // Of two tables, for each of four forms (two keys of MultiGet).
  EXPECT_EQ(count_of(TIMESTAMP_FILTER_TABLE_FILTERED, [&] { read_all(4); }),
            5u);
  EXPECT_EQ(count_of(TIMESTAMP_FILTER_TABLE_FILTERED, [&] { read_all(7); }),
            0u);
  EXPECT_EQ(count_of(BLOCK_CACHE_DATA_HIT, [&] { GetAt("a", 1); }), 0u);
  EXPECT_EQ(count_of(BLOCK_CACHE_DATA_HIT, [&] { GetAt("a", 4); }), 1u);
  EXPECT_EQ(count_of(BLOCK_CACHE_DATA_HIT, [&] { ScanAt(4); }), 1u);
}

// What is counted is what is stored, not what is seen.
TEST_F(TimestampsTest, EntriesAreCountedWhateverTheirTimestamps) {
  Open();
  PutAt("a", 3, "v");
  ASSERT_OK(Flush());
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path_ + TableNames().at(0)));
  EXPECT_OK(reader.VerifyNumEntries(AsOf(1).options));
}

TEST_F(TimestampsTest, TablesTellTheirTimestamps) {
  Open();
  PutAt("a", 3, "v");
  DeleteRangeAt("b", "c", 7);
  PutAt("d", 5, "v");
  ASSERT_OK(Flush());
  TablePropertiesCollection tables;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&tables));
  ASSERT_EQ(tables.size(), 1u);
  const auto& collected = tables.begin()->second->user_collected_properties;
  EXPECT_EQ(collected.at("rocksdb.timestamp_min"), Ts(3));
  EXPECT_EQ(collected.at("rocksdb.timestamp_max"), Ts(7));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
