// Keys with user-defined timestamps: what each call does, and what it refuses.
// Most cases are tests/testdata/databases/timestamps/versions.txt, in the
// language of database_script.h, without compactions that nobody asks for; and
//
//   time_of KEY AS_OF    the timestamp that Get() tells, of a deletion too
//   low, newest          the low timestamp, and the newest that was written
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/sst_file_reader.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TimeOf(ScriptDatabase& database, const ScriptLine& line) {
  const std::vector<std::string>& words = line.words.words();
  std::string value, timestamp;
  const AsOf read(std::stoull(words.at(1)));
  const Status s =
      database.db()->Get(read.options, words.at(0), &value, &timestamp);
  return s.ToString() + std::to_string(TsOf(timestamp));
}

std::string TimeText(const Status& s, const std::string& timestamp) {
  if (!s.ok()) return s.ToString();
  return timestamp.empty() ? "none" : std::to_string(TsOf(timestamp));
}

std::string LowTime(ScriptDatabase& database, const ScriptLine& /*line*/) {
  std::string low;
  const Status s = database.db()->GetFullHistoryTsLow(nullptr, &low);
  return "low " + TimeText(s, low);
}

std::string NewestTime(ScriptDatabase& database, const ScriptLine& /*line*/) {
  std::string newest;
  const Status s = database.db()->GetNewestUserDefinedTimestamp(
      database.db()->DefaultColumnFamily(), &newest);
  return "newest " + TimeText(s, newest);
}

TEST(TimestampsScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.comparator = BytewiseComparatorWithU64Ts();
  options.merge_operator = NewStringAppendOperator(",");
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  EXPECT_GE(
      RunDatabases(
          "databases/timestamps/versions.txt", options,
          {{"time_of", TimeOf}, {"low", LowTime}, {"newest", NewestTime}}),
      18u);
}

// What has no timestamps, and no place for the answer.
TEST(TimestampsScript, TheNewestIsNotForEveryone) {
  ScriptDatabase database(ScriptDatabase::Defaults());
  EXPECT_OK(database.Open(ScriptLine("open")));
  DB* const db = database.db();
  std::string timestamp = "as it was";
  EXPECT_TRUE(
      db->GetNewestUserDefinedTimestamp(db->DefaultColumnFamily(), &timestamp)
          .IsInvalidArgument());
  EXPECT_EQ(timestamp, "as it was");
  EXPECT_TRUE(
      db->GetNewestUserDefinedTimestamp(db->DefaultColumnFamily(), nullptr)
          .IsInvalidArgument());
}

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
};

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

TEST_F(TimestampsTest, SuggestedFilesAreThoseThatHoldTheKeys) {
  options_.disable_auto_compactions = false;
  options_.num_levels = 3;
  options_.level_compaction_dynamic_level_bytes = false;
  Open();
  PutAt("a longer key", 1, "v");
  ASSERT_OK(Flush());
  ASSERT_OK(db_->PromoteL0(family(), 2));
  PutAt("a longer key", 2, "v");
  ASSERT_OK(Flush());
  const auto suggest = [this](const Slice& begin, const Slice& end) {
    ASSERT_OK(db_->SuggestCompactRange(family(), &begin, &end));
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  };
  ASSERT_NO_FATAL_FAILURE(suggest("a longer kez", "b longer key"));
  EXPECT_EQ(FilesAt(0), 1);
  ASSERT_NO_FATAL_FAILURE(suggest("a longer key", "a longer key"));
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(VersionsOf(1, 2), "a longer key@2=v a longer key@1=v ");
}

// What is shown is none of the entries that a step passes over.
TEST_F(TimestampsTest, AStepOverVersionsCountsWhatIsHidden) {
  Open();
  for (const char* key : {"a", "b", "c"}) PutAt(key, 1, "v");
  DeleteRangeAt("b", "c", 2);
  AsOf read(3);
  read.From(1).options.max_skippable_internal_keys = 1;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid()) << it->status().ToString();
  it->Next();
  ASSERT_TRUE(it->Valid()) << it->status().ToString();
  EXPECT_EQ(ExtractUserKey(it->key()).ToString(), "c" + Ts(1));
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
  // Each form of read skips the newer table once; MultiGet does for each of its
  // two keys.
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
