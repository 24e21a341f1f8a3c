// persist_user_defined_timestamps = false: timestamps live in memtables and
// logs, and files do without.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/ingest_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimestampsInMemory : public IngestFixture {
 protected:
  TimestampsInMemory() {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.persist_user_defined_timestamps = false;
    options_.allow_concurrent_memtable_write = false;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
    options_.paranoid_file_checks = true;
  }

  ColumnFamilyHandle* family() { return db_->DefaultColumnFamily(); }
  void PutAt(const std::string& key, uint64_t ts, const std::string& value) {
    ASSERT_OK(db_->Put(WriteOptions(), key, Ts(ts), value));
  }
  static std::string ReadFrom(DB* db, const std::string& key, uint64_t ts,
                              const Snapshot* snapshot = nullptr) {
    const std::string text = GetText(db, AsOf(ts, snapshot).options, key);
    return text.starts_with("Invalid argument") ? "too old" : text;
  }
  std::string GetAt(const std::string& key, uint64_t ts,
                    const Snapshot* snapshot = nullptr) {
    return ReadFrom(db_.get(), key, ts, snapshot);
  }
  std::string ScanAt(uint64_t ts, const Snapshot* snapshot = nullptr) {
    return ScanText(db_.get(), AsOf(ts, snapshot).options);
  }
  std::string Low() {
    std::string low;
    EXPECT_OK(db_->GetFullHistoryTsLow(family(), &low));
    return low.empty() ? "none" : std::to_string(TsOf(low));
  }
  Status Raise(uint64_t ts) {
    return db_->IncreaseFullHistoryTsLow(family(), Ts(ts));
  }
  uint64_t SealedCount() {
    uint64_t count = UINT64_MAX;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.num-immutable-mem-table", &count));
    return count;
  }
  // Writes until one more memtable is sealed.
  void FillMemTable(uint64_t ts) {
    const uint64_t before = SealedCount();
    for (int i = 0; i < 1000 && SealedCount() == before; ++i) {
      PutAt("fill" + std::to_string(i), ts, std::string(4000, 'f'));
    }
    ASSERT_EQ(SealedCount(), before + 1);
  }
  void Retain() {
    options_.write_buffer_size = 64 << 10;
    options_.max_write_buffer_number = 5;
  }
  // Exports the default family into the directory `name`.
  std::unique_ptr<ExportImportFilesMetaData> Export(const std::string& name) {
    Checkpoint* checkpoint = nullptr;
    EXPECT_OK(Checkpoint::Create(db_.get(), &checkpoint));
    const std::unique_ptr<Checkpoint> owned(checkpoint);
    ExportImportFilesMetaData* metadata = nullptr;
    EXPECT_OK(checkpoint->ExportColumnFamily(
        family(), directory_.path() + "/" + name, &metadata));
    return std::unique_ptr<ExportImportFilesMetaData>(metadata);
  }
  Status Import(const ColumnFamilyOptions& options,
                const ExportImportFilesMetaData& exported,
                ColumnFamilyHandle** handle) {
    return db_->CreateColumnFamilyWithImport(
        options, "imported", ImportColumnFamilyOptions(), exported, handle);
  }
  std::string ScanOf(ColumnFamilyHandle* handle, uint64_t ts) {
    return ScanText(db_.get(), AsOf(ts).options, handle);
  }
  Status OpenWith(const Comparator* order, bool persists) {
    options_.comparator = order;
    options_.persist_user_defined_timestamps = persists;
    return TryOpen();
  }
};

// Tables do not say it: the history that they ended does.
TEST_F(TimestampsInMemory, TheNewestTimestampIsKnownAfterAFlush) {
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto newest = [this] {
    std::string timestamp;
    EXPECT_OK(db_->GetNewestUserDefinedTimestamp(family(), &timestamp));
    return timestamp.empty() ? "none" : std::to_string(TsOf(timestamp));
  };
  EXPECT_EQ(newest(), "none");
  PutAt("a", 5, "1");
  PutAt("b", 300, "1");
  EXPECT_EQ(newest(), "300");
  ASSERT_OK(Flush());
  EXPECT_EQ(newest(), "300");
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(newest(), "300");
  PutAt("a", 400, "2");
  EXPECT_EQ(newest(), "400");
}

TEST_F(TimestampsInMemory, AFlushKeepsWhatIsNewest) {
  Open();
  PutAt("a", 2, "a2");
  PutAt("a", 4, "a4");
  PutAt("b", 3, "b3");
  PutAt("c", 5, "c5");
  ASSERT_OK(db_->Delete(WriteOptions(), "c", Ts(6)));
  EXPECT_EQ(GetAt("a", 3), "a2@2");
  EXPECT_EQ(Low(), "none");
  ASSERT_OK(Flush());
  EXPECT_EQ(Low(), "7");
  for (const char* place : {"file", "reopened", "last level"}) {
    SCOPED_TRACE(place);
    EXPECT_EQ(GetAt("a", 6), "too old");
    EXPECT_EQ(ScanAt(7), "a=a4@0 b=b3@0 ");
    EXPECT_EQ(GetAt("a", 7), "a4@0");
    EXPECT_EQ(GetAt("c", UINT64_MAX), "none");
    if (place == std::string("file")) Reopen();
    if (place == std::string("reopened")) ASSERT_OK(CompactAll(true));
  }
  TablePropertiesCollection tables;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&tables));
  ASSERT_EQ(tables.size(), 1u);
  const TableProperties& p = *tables.begin()->second;
  EXPECT_EQ(p.user_defined_timestamps_persisted, 0u);
  EXPECT_EQ(p.num_entries, 2u);
  EXPECT_EQ(p.raw_key_size, 2u * (1 + 8));
  EXPECT_EQ(p.user_collected_properties.count("rocksdb.timestamp_min"), 0u);
  PutAt("a", 9, "a9");
  EXPECT_EQ(ScanAt(8), "a=a4@0 b=b3@0 ");
  EXPECT_EQ(ScanAt(9), "a=a9@9 b=b3@0 ");
}

TEST_F(TimestampsInMemory, SnapshotsKeepTheirVersions) {
  Open();
  PutAt("a", 2, "a2");
  const Snapshot* snapshot = db_->GetSnapshot();
  PutAt("a", 3, "a3");
  PutAt("a", 4, "a4");
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("a", 5, snapshot), "a2@0");
  EXPECT_EQ(GetAt("a", 5), "a4@0");
  db_->ReleaseSnapshot(snapshot);
  ASSERT_OK(CompactAll(true));
  TablePropertiesCollection tables;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&tables));
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables.begin()->second->num_entries, 1u);
}

TEST_F(TimestampsInMemory, RangeDeletionsGoToFilesWithoutTheirs) {
  Open();
  for (const char* key : {"a", "b", "c", "d"}) PutAt(key, 1, "v");
  ASSERT_OK(Flush());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), "b", "d", Ts(4)));
  EXPECT_EQ(ScanAt(3), "a=v@0 b=v@0 c=v@0 d=v@0 ");
  EXPECT_EQ(ScanAt(4), "a=v@0 d=v@0 ");
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Flush());
  EXPECT_EQ(Low(), "5");
  for (const bool is_reopened : {false, true}) {
    EXPECT_EQ(ScanAt(9), "a=v@0 d=v@0 ");
    EXPECT_EQ(GetAt("b", 9), "none");
    EXPECT_EQ(GetAt("d", 9), "v@0");
    PutAt("c", is_reopened ? 7u : 6u, "new");
    EXPECT_EQ(GetAt("c", 9).substr(0, 3), "new");
    ASSERT_OK(Flush());
    EXPECT_EQ(GetAt("c", 9), "new@0");
    ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), "c", "cc", Ts(8)));
    if (is_reopened) break;
    EXPECT_EQ(ScanAt(9, snapshot), "a=v@0 d=v@0 ");
    db_->ReleaseSnapshot(snapshot);
    Reopen();
  }
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(ScanAt(9), "a=v@0 d=v@0 ");
}

// What one memtable shows stays as it is when it becomes a file.
TEST_F(TimestampsInMemory, TimestampsThatWentBackDecideInOneMemTable) {
  Open();
  PutAt("a", 5, "a5");
  const Snapshot* snapshot = db_->GetSnapshot();
  PutAt("a", 3, "a3");
  PutAt("b", 4, "b4");
  ASSERT_OK(db_->Delete(WriteOptions(), "b", Ts(2)));
  EXPECT_EQ(ScanAt(9), "a=a5@5 b=b4@4 ");
  ASSERT_OK(Flush());
  EXPECT_EQ(ScanAt(9), "a=a5@0 b=b4@0 ");
  EXPECT_EQ(GetAt("a", 9, snapshot), "a5@0");
  db_->ReleaseSnapshot(snapshot);
  // Below an operand nothing may be missing.
  ASSERT_OK(db_->Merge(WriteOptions(), family(), "m", Ts(8), "m8"));
  PutAt("m", 7, "m7");
  ASSERT_OK(db_->Merge(WriteOptions(), family(), "m", Ts(9), "m9"));
  ASSERT_OK(Flush());
  EXPECT_EQ(GetAt("m", 10), "m7,m9@0");
}

TEST_F(TimestampsInMemory, OperandsOfManyTimestampsMerge) {
  Open();
  PutAt("m", 1, "1");
  ASSERT_OK(Flush());
  for (uint64_t ts = 2; ts < 6; ++ts) {
    ASSERT_OK(
        db_->Merge(WriteOptions(), family(), "m", Ts(ts), std::to_string(ts)));
  }
  EXPECT_EQ(GetAt("m", 4), "1,2,3,4@4");
  ASSERT_OK(Flush());
  EXPECT_EQ(GetAt("m", 6), "1,2,3,4,5@0");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(GetAt("m", 6), "1,2,3,4,5@0");
}

TEST_F(TimestampsInMemory, WhatIsNotYetHistoryWaitsInMemory) {
  Retain();
  Open();
  ASSERT_OK(Raise(10));
  PutAt("a", 10, "a10");
  PutAt("a", 11, "a11");
  FillMemTable(11);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(SealedCount(), 1u);
  EXPECT_EQ(GetAt("a", 10), "a10@10");
  ASSERT_OK(Raise(11));  // Not all of it is older.
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(SealedCount(), 1u);
  EXPECT_EQ(GetAt("a", 11), "a11@11");
  ASSERT_OK(Raise(12));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(SealedCount(), 0u);
  EXPECT_EQ(GetAt("a", 12), "a11@0");
  EXPECT_EQ(Low(), "12");
  EXPECT_EQ(FilesAt(0), 1);
}

TEST_F(TimestampsInMemory, WhoAsksForAFlushGetsIt) {
  Retain();
  Open();
  ASSERT_OK(Raise(10));
  FillMemTable(20);
  PutAt("a", 30, "a30");
  ASSERT_OK(Flush());
  EXPECT_EQ(SealedCount(), 0u);
  EXPECT_EQ(Low(), "31");
  EXPECT_EQ(GetAt("a", 31), "a30@0");
  // A flush of what is old leaves what is new where it is.
  PutAt("b", 40, "b40");
  ASSERT_OK(Raise(35));
  FillMemTable(41);
  EXPECT_EQ(SealedCount(), 1u);
  EXPECT_EQ(GetAt("b", 40), "b40@40");
  CompactRangeOptions compact;
  ASSERT_OK(db_->CompactRange(compact, nullptr, nullptr));
  EXPECT_EQ(SealedCount(), 0u);
  EXPECT_EQ(GetAt("b", 42), "b40@0");
}

TEST_F(TimestampsInMemory, WritersAreNotStoppedForTimestamps) {
  Retain();
  options_.max_write_buffer_number = 3;
  Open();
  ASSERT_OK(Raise(1));
  for (uint64_t ts = 1; ts < 400; ++ts) {
    PutAt("k" + std::to_string(ts % 50), ts, std::string(2000, 'v'));
  }
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GT(FilesAt(0), 3);
  EXPECT_LE(SealedCount(), 1u);
  EXPECT_GT(std::stoull(Low()), 1u);
  // One memtable may wait at most, so that one more has room.
  ASSERT_OK(db_->SetOptions({{"max_write_buffer_number", "2"}}));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(SealedCount(), 0u);
  PutAt("last", 1000, "v");
  EXPECT_EQ(GetAt("last", 1000), "v@1000");
}

TEST_F(TimestampsInMemory, MemoryThatRunsOutIsNotRetained) {
  Retain();
  options_.write_buffer_manager =
      std::make_shared<WriteBufferManager>(200 << 10, nullptr, true);
  Open();
  ASSERT_OK(Raise(1));
  for (uint64_t ts = 1; ts < 400; ++ts) {
    PutAt("k" + std::to_string(ts % 50), ts, std::string(2000, 'v'));
  }
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GT(FilesAt(0), 0);
}

// What a flush puts into the cache is what a reader would.
TEST_F(TimestampsInMemory, NewBlocksInTheCacheHaveTheirTimestamps) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(8 << 20);
  table.block_size = 128;
  table.metadata_block_size = 128;
  table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.partition_filters = true;
  table.cache_index_and_filter_blocks = true;
  table.prepopulate_block_cache =
      BlockBasedTableOptions::PrepopulateBlockCache::kFlushOnly;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  std::string expected;
  for (uint64_t i = 100; i < 400; ++i) {
    const std::string key = "key" + std::to_string(i);
    PutAt(key, i, "v" + std::to_string(i));
    expected += key + "=v" + std::to_string(i) + "@0 ";
  }
  ASSERT_OK(Flush());
  for (uint64_t i = 100; i < 400; ++i) {
    EXPECT_EQ(GetAt("key" + std::to_string(i), 400),
              "v" + std::to_string(i) + "@0");
  }
  EXPECT_EQ(ScanAt(400), expected);
  EXPECT_GT(options_.statistics->getTickerCount(BLOCK_CACHE_DATA_HIT), 0u);
  EXPECT_EQ(options_.statistics->getTickerCount(BLOCK_CACHE_DATA_MISS), 0u);
  EXPECT_EQ(options_.statistics->getTickerCount(BLOCK_CACHE_INDEX_ADD), 0u)
      << "nobody would look for it";
}

TEST_F(TimestampsInMemory, LogsBringTimestampsBack) {
  options_.avoid_flush_during_recovery = true;
  Open();
  PutAt("a", 2, "a2");
  ASSERT_OK(Flush());
  PutAt("a", 5, "a5");
  PutAt("a", 7, "a7");
  Reopen();
  EXPECT_EQ(Low(), "3");
  EXPECT_EQ(GetAt("a", 4), "a2@0");
  EXPECT_EQ(GetAt("a", 5), "a5@5");
  EXPECT_EQ(GetAt("a", 9), "a7@7");
  options_.avoid_flush_during_recovery = false;
  Reopen();
  EXPECT_EQ(Low(), "8");
  EXPECT_EQ(GetAt("a", 7), "too old");
  EXPECT_EQ(GetAt("a", 8), "a7@0");
  Reopen();
  EXPECT_EQ(Low(), "8");
  EXPECT_EQ(GetAt("a", 8), "a7@0");
}

TEST_F(TimestampsInMemory, OthersReadWithoutWriting) {
  Open();
  PutAt("a", 2, "a2");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), "x", "y", Ts(2)));
  ASSERT_OK(Flush());
  PutAt("a", 5, "a5");
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::OpenAsSecondary(options_, path_, directory_.path() + "/second",
                                &other));
  EXPECT_EQ(ReadFrom(other.get(), "a", 4), "a2@0");
  EXPECT_EQ(ReadFrom(other.get(), "a", 5), "a5@5");
  ASSERT_OK(Flush());
  PutAt("a", 9, "a9");
  ASSERT_OK(other->TryCatchUpWithPrimary());
  EXPECT_EQ(ReadFrom(other.get(), "a", 4), "too old");
  EXPECT_EQ(ReadFrom(other.get(), "a", 6), "a5@0");
  EXPECT_EQ(ReadFrom(other.get(), "a", 9), "a9@9");
  other.reset();
  db_.reset();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &other));
  EXPECT_EQ(ReadFrom(other.get(), "a", 4), "too old");
  EXPECT_EQ(ReadFrom(other.get(), "a", 6), "a5@0");
  EXPECT_EQ(ReadFrom(other.get(), "a", 9), "a9@9");
}

TEST_F(TimestampsInMemory, ARepairKeepsWhatTablesLeaveOut) {
  for (const bool has_manifest : {true, false}) {
    SCOPED_TRACE(has_manifest);
    path_ = directory_.path() + (has_manifest ? "/with" : "/without");
    Open();
    PutAt("a", 2, "a2");
    ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), "x", "y", Ts(2)));
    ASSERT_OK(Flush());
    PutAt("b", 5, "b5");
    db_.reset();
    if (!has_manifest) {
      std::vector<std::string> names;
      ASSERT_OK(options_.env->GetChildren(path_, &names));
      for (const std::string& name : names) {
        if (name.starts_with("MANIFEST")) {
          ASSERT_OK(options_.env->DeleteFile(path_ + "/" + name));
        }
      }
    }
    ASSERT_OK(RepairDB(path_, options_));
    Open();
    EXPECT_EQ(ScanAt(9), "a=a2@0 b=b5@0 ");
    ASSERT_OK(CompactAll(true));
    Reopen();
    EXPECT_EQ(ScanAt(9), "a=a2@0 b=b5@0 ");
  }
}

TEST_F(TimestampsInMemory, AFamilyGetsTimestampsAndLosesThem) {
  const Comparator* with = BytewiseComparatorWithU64Ts();
  ASSERT_OK(OpenWith(BytewiseComparator(), true));
  ASSERT_OK(Put("a", "old"));
  ASSERT_OK(Put("c", "old"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), "x", "y"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "logged"));
  EXPECT_TRUE(OpenWith(with, true).IsInvalidArgument());
  EXPECT_TRUE(OpenWith(ReverseBytewiseComparatorWithU64Ts(), false)
                  .IsInvalidArgument());
  ASSERT_OK(OpenWith(with, false));
  EXPECT_EQ(ScanAt(1), "a=old@0 b=logged@0 c=old@0 ");
  PutAt("a", 5, "a5");
  EXPECT_EQ(ScanAt(1), "a=old@0 b=logged@0 c=old@0 ");
  EXPECT_EQ(GetAt("a", 5), "a5@5");
  EXPECT_TRUE(OpenWith(with, true).IsInvalidArgument());
  ASSERT_OK(OpenWith(with, false));
  ASSERT_OK(CompactAll(true));
  PutAt("c", 7, "c7");
  PutAt("c", 8, "c8");
  ASSERT_OK(Flush());
  PutAt("d", 9, "d9");
  PutAt("d", 10, "d10");
  ASSERT_OK(OpenWith(BytewiseComparator(), true));
  EXPECT_EQ(Scan(), "a=a5 b=logged c=c8 d=d10 ");
  ASSERT_OK(Put("b", "new"));
  ASSERT_OK(CompactAll(true));
  Reopen();
  EXPECT_EQ(Scan(), "a=a5 b=new c=c8 d=d10 ");
  // And again.
  ASSERT_OK(OpenWith(with, false));
  EXPECT_EQ(ScanAt(1), "a=a5@0 b=new@0 c=c8@0 d=d10@0 ");
}

TEST_F(TimestampsInMemory, PersistedTimestampsCannotBeTakenAway) {
  const Comparator* with = BytewiseComparatorWithU64Ts();
  ASSERT_OK(OpenWith(with, true));
  PutAt("a", 5, "a5");
  ASSERT_OK(Flush());
  EXPECT_TRUE(OpenWith(with, false).IsInvalidArgument());
  EXPECT_TRUE(OpenWith(BytewiseComparator(), true).IsInvalidArgument());
  EXPECT_TRUE(OpenWith(BytewiseComparator(), false).IsInvalidArgument());
  ASSERT_OK(OpenWith(with, true));
  EXPECT_EQ(GetAt("a", 5), "a5@5");
}

TEST_F(TimestampsInMemory, WhatItCannotBeCombinedWithIsRefused) {
  const auto refused = [this](const char* word) {
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    EXPECT_NE(s.ToString().find(word), std::string::npos) << s.ToString();
  };
  options_.allow_concurrent_memtable_write = true;
  refused("allow_concurrent_memtable_write=true");
  options_.allow_concurrent_memtable_write = false;
  options_.atomic_flush = true;
  refused("atomic_flush=true");
  options_.atomic_flush = false;
  const auto blocks = options_.table_factory;
  options_.table_factory.reset(NewPlainTableFactory());
  refused("block-based");
  options_.table_factory = blocks;
  Open();
  ColumnFamilyOptions family_options(options_);
  family_options.table_factory.reset(NewPlainTableFactory());
  ColumnFamilyHandle* handle = nullptr;
  EXPECT_TRUE(
      db_->CreateColumnFamily(family_options, "f", &handle).IsNotSupported());
  EXPECT_EQ(handle, nullptr);
}

TEST_F(TimestampsInMemory, FilesForIngestionHaveTheOldestTimestampOnly) {
  Open();
  const std::string good = Make([](SstFileWriter* writer) {
    EXPECT_TRUE(writer->Put("a", Ts(1), "v").IsInvalidArgument());
    EXPECT_TRUE(writer->Delete("a", Ts(1)).IsInvalidArgument());
    EXPECT_TRUE(writer->DeleteRange("a", "b", Ts(1)).IsInvalidArgument());
    EXPECT_OK(writer->Put("a", Ts(0), "a"));
    EXPECT_OK(writer->Put("b", Ts(0), "b"));
    EXPECT_OK(writer->DeleteRange("x", "z", Ts(0)));
  });
  ASSERT_OK(Ingest({good}));
  EXPECT_EQ(ScanAt(1), "a=a@0 b=b@0 ");
  Reopen();
  EXPECT_EQ(ScanAt(1), "a=a@0 b=b@0 ");
  PutAt("a", 3, "a3");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(ScanAt(4), "a=a3@0 b=b@0 ");

  options_.persist_user_defined_timestamps = true;
  const std::string stamped = Make(
      [](SstFileWriter* writer) { EXPECT_OK(writer->Put("k", Ts(1), "v")); });
  EXPECT_TRUE(Ingest({stamped}).IsInvalidArgument());
  options_.comparator = BytewiseComparator();
  const std::string without =
      Make([](SstFileWriter* writer) { EXPECT_OK(writer->Put("m", "v")); });
  ASSERT_OK(Ingest({without}));
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.persist_user_defined_timestamps = false;
  Reopen();
  EXPECT_EQ(ScanAt(4), "a=a3@0 b=b@0 m=v@0 ");
  const std::string left_out = Make(
      [](SstFileWriter* writer) { EXPECT_OK(writer->Put("k", Ts(0), "v")); });
  options_.persist_user_defined_timestamps = true;
  path_ = directory_.path() + "/persists";
  Open();
  EXPECT_TRUE(Ingest({left_out}).IsInvalidArgument());
}

// An export says the bounds of files with the oldest timestamp in them, and not
// from when on their data are whole: that is for the new family to know.
TEST_F(TimestampsInMemory, AFamilyIsExportedAndImported) {
  Open();
  PutAt("a", 2, "a2");
  PutAt("a", 4, "a4");
  PutAt("b", 3, "b3");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), family(), "x", "z", Ts(5)));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  PutAt("b", 6, "b6");
  PutAt("c", 7, "c7");  // in memory: an export flushes
  const auto exported = Export("exported");
  ASSERT_NE(exported, nullptr);
  ASSERT_EQ(exported->files.size(), 2u);
  for (const LiveFileMetaData& file : exported->files) {
    EXPECT_EQ(file.smallest.size(), 1u + 8 + 8) << "key, timestamp, trailer";
  }
  const std::string content = "a=a4@0 b=b6@0 c=c7@0 ";
  EXPECT_EQ(ScanAt(8), content);

  ColumnFamilyHandle* imported = nullptr;
  ASSERT_OK(Import(ColumnFamilyOptions(options_), *exported, &imported));
  EXPECT_EQ(ScanOf(imported, 1), content);
  ASSERT_OK(db_->Put(WriteOptions(), imported, "c", Ts(9), "c9"));
  EXPECT_EQ(ScanOf(imported, 8), content);
  EXPECT_EQ(ScanOf(imported, 9), "a=a4@0 b=b6@0 c=c9@9 ");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), imported, "a", "b", Ts(10)));
  ASSERT_OK(db_->Flush(FlushOptions(), imported));
  const std::string changed = "b=b6@0 c=c9@0 ";
  EXPECT_EQ(ScanOf(imported, 11), changed);
  CompactRangeOptions force;
  force.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_OK(db_->CompactRange(force, imported, nullptr, nullptr));
  EXPECT_EQ(ScanOf(imported, 11), changed);
  // The family that was exported is as it was.
  EXPECT_EQ(ScanAt(8), content);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(imported));
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  const std::vector<ColumnFamilyDescriptor> families = {
      {kDefaultColumnFamilyName, options_}, {"imported", options_}};
  ASSERT_OK(DB::Open(options_, path_, families, &handles, &db_));
  EXPECT_EQ(ScanOf(handles[0], 8), content);
  EXPECT_EQ(ScanOf(handles[1], 11), changed);
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  }
}

TEST_F(TimestampsInMemory, WhatDoesNotFitIsNotImported) {
  Open();
  PutAt("a", 2, "a2");
  const auto left_out = Export("left_out");
  ASSERT_NE(left_out, nullptr);
  ColumnFamilyHandle* handle = nullptr;
  ColumnFamilyOptions persists(options_);
  persists.persist_user_defined_timestamps = true;
  EXPECT_TRUE(Import(persists, *left_out, &handle).IsInvalidArgument());
  EXPECT_EQ(handle, nullptr);
  // A file that is cut short, between an export and the import.
  const LiveFileMetaData& file = left_out->files.front();
  const std::string path = file.db_path + file.name;
  std::filesystem::resize_file(path, file.size - 1);
  EXPECT_FALSE(Import(ColumnFamilyOptions(options_), *left_out, &handle).ok());
  EXPECT_EQ(handle, nullptr);
  std::vector<std::string> names;
  ASSERT_OK(DB::ListColumnFamilies(options_, path_, &names));
  EXPECT_EQ(names.size(), 1u);
  EXPECT_EQ(ScanAt(3), "a=a2@0 ");

  options_.persist_user_defined_timestamps = true;
  path_ = directory_.path() + "/persists";
  Open();
  PutAt("a", 2, "a2");
  const auto stamped = Export("stamped");
  ASSERT_NE(stamped, nullptr);
  ColumnFamilyOptions leaves_out(options_);
  leaves_out.persist_user_defined_timestamps = false;
  EXPECT_TRUE(Import(leaves_out, *stamped, &handle).IsInvalidArgument());
  EXPECT_EQ(handle, nullptr);
  ASSERT_OK(Import(ColumnFamilyOptions(options_), *stamped, &handle));
  EXPECT_EQ(ScanOf(handle, 3), "a=a2@2 ");
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
}

TEST_F(TimestampsInMemory, ListenersHearOfTheNewest) {
  struct Listener : EventListener {
    void OnMemTableSealed(const MemTableInfo& info) override {
      newest = info.newest_udt;
    }
    std::string newest;
  };
  const auto listener = std::make_shared<Listener>();
  options_.listeners.push_back(listener);
  Open();
  PutAt("a", 7, "v");
  PutAt("b", 3, "v");
  ASSERT_OK(Flush());
  EXPECT_EQ(listener->newest, Ts(7));
}

TEST_F(TimestampsInMemory, TheNewestTimestampThereCanBe) {
  Open();
  PutAt("a", UINT64_MAX, "v");
  ASSERT_OK(Flush());
  EXPECT_EQ(GetAt("a", UINT64_MAX), "v@0");
  ASSERT_OK(CompactAll(true));
  Reopen();
  EXPECT_EQ(GetAt("a", UINT64_MAX), "v@0");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
