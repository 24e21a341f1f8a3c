// What operators do with a database: open and close it, look into it, change
// its options, flush, compact and destroy it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/unique_id.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DbAdminTest : public FamiliesFixture {
 protected:
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
    return value;
  }
  // `count` keys of 1 KiB, in one level-0 file.
  void FillFile(int from, int count) {
    for (int i = from; i < from + count; ++i) {
      ASSERT_OK(Put("key" + std::to_string(1000 + i), std::string(1024, 'v')));
    }
    ASSERT_OK(Flush());
  }
};

void ExpectText(const Status& s, const std::string& part) {
  EXPECT_NE(s.ToString().find(part), std::string::npos) << s.ToString();
}

TEST_F(DbAdminTest, OpenSaysWhyItRefuses) {
  options_.create_if_missing = false;
  Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument());
  ExpectText(s, path_);
  ExpectText(s, "create_if_missing");
  EXPECT_EQ(db_, nullptr);
  EXPECT_TRUE(DB::OpenForReadOnly(options_, path_, &db_).IsIOError());
  options_.create_if_missing = true;
  Open();
  std::unique_ptr<DB> second;
  s = DB::Open(options_, path_, &second);
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  ExpectText(s, path_ + "/LOCK");
  options_.error_if_exists = true;
  s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument());
  ExpectText(s, "error_if_exists");
}

// RocksDB gives them, and programs know these names.
TEST_F(DbAdminTest, TheFilesOfANewDatabaseHaveTheUsualNumbers) {
  Open();
  for (const char* name : {"000004.log", "MANIFEST-000005", "OPTIONS-000007"}) {
    EXPECT_TRUE(std::filesystem::exists(path_ + "/" + name)) << name;
  }
}

TEST_F(DbAdminTest, PlainPointersOwnTheDatabaseToo) {
  DB* raw = nullptr;
  ASSERT_OK(DB::Open(options_, path_, &raw));
  ASSERT_OK(raw->Put(WriteOptions(), "a", "1"));
  ASSERT_OK(raw->Close());
  db_.reset(raw);
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_OK(
      DB::Open(options_, path_, {ColumnFamilyDescriptor()}, &handles, &raw));
  std::string value;
  EXPECT_OK(raw->Get(ReadOptions(), handles[0], "a", &value));
  ASSERT_OK(raw->DestroyColumnFamilyHandle(handles[0]));
  db_.reset(raw);
  db_.reset();
  raw = reinterpret_cast<DB*>(this);
  options_.error_if_exists = true;
  EXPECT_FALSE(DB::Open(options_, path_, &raw).ok());
  EXPECT_EQ(raw, nullptr);
}

TEST_F(DbAdminTest, BackgroundIoIsSeen) {
  options_.use_direct_io_for_flush_and_compaction = true;
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  options_.env = env.get();
  Open();
  FillFile(0, 100);
  FillFile(0, 100);
  ASSERT_OK(CompactAll());
  std::map<std::string, std::string> map;
  ASSERT_TRUE(db_->GetMapProperty(DB::Properties::kBackgroundIo, &map));
  EXPECT_EQ(map.size(), 5u + 4 * 6 + 2);
  EXPECT_GE(std::stoull(map["cap-bytes"]), 128u << 10);
  EXPECT_GE(std::stoull(map["flush.bytes"]), 200u << 10);
  EXPECT_GT(std::stoull(map["level-0.requests"]), 0u);
  EXPECT_EQ(map["level-0.bytes-in-flight"], "0");
  std::string text;
  ASSERT_TRUE(db_->GetProperty("basalt.background-io", &text));
  EXPECT_NE(text.find("flush: "), std::string::npos) << text;
  EXPECT_NE(text.find("Pace of deep compactions: "), std::string::npos) << text;
  db_.reset();
  options_.background_io_target_delay_micros = 0;
  Open();
  EXPECT_FALSE(db_->GetProperty("basalt.background-io", &text));
  EXPECT_FALSE(db_->GetMapProperty(DB::Properties::kBackgroundIo, &map));
  db_.reset();
}

TEST_F(DbAdminTest, DeepCompactionsKeepPaceUntilWritersAreHeldBack) {
  options_.disable_auto_compactions = true;
  Open();
  const auto pace = [this] {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db_->GetMapProperty(DB::Properties::kBackgroundIo, &map));
    return std::stoull(map["deep.pace-bytes-per-second"]);
  };
  EXPECT_EQ(pace(), 0u) << "how fast users write is not known yet";
  for (int i = 0; i < 4; ++i) FillFile(0, 100);
  EXPECT_GT(pace(), 0u);
  FillFile(0, 100);
  FillFile(0, 100);
  ASSERT_OK(db_->SetOptions({{"level0_file_num_compaction_trigger", "5"},
                             {"level0_slowdown_writes_trigger", "6"}}));
  // The compaction that is due cannot begin.
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(db_->EnableAutoCompaction({db_->DefaultColumnFamily()}));
  ASSERT_OK(db_->SetOptions({{"ttl", "5000"}}));
  EXPECT_EQ(pace(), 0u) << "nothing is spread while writers wait";
  ASSERT_OK(db_->ContinueBackgroundWork());
}

TEST_F(DbAdminTest, CloseEndsEverything) {
  Open();
  ASSERT_OK(Put("a", "1"));
  const Snapshot* snapshot = db_->GetSnapshot();
  Status s = db_->Close();
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_EQ(Get("a"), "1");  // It is still open.
  db_->ReleaseSnapshot(snapshot);
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(db_->Close());
  ASSERT_OK(db_->Close());
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "1");
  it.reset();
  for (const Status& late :
       {Put("b", "2"), Flush(), CompactAll(), db_->SyncWAL(),
        db_->SetOptions({{"ttl", "5"}}), db_->SetDBOptions({})}) {
    EXPECT_TRUE(late.IsShutdownInProgress()) << late.ToString();
  }
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).IsShutdownInProgress());
  std::vector<std::string> values;
  EXPECT_FALSE(db_->MultiGet(ReadOptions(), {"a"}, &values)[0].ok());
  it.reset(db_->NewIterator(ReadOptions()));
  EXPECT_TRUE(it->status().IsShutdownInProgress());
  EXPECT_EQ(db_->GetSnapshot(), nullptr);
  it.reset();
  std::unique_ptr<DB> again;  // The lock is given back.
  ASSERT_OK(DB::Open(options_, path_, &again));
}

TEST_F(DbAdminTest, AReadOnlyDatabaseRefusesToWrite) {
  Open();
  CreateFamily("two");
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "1"));
  CloseFamilies();
  // Families that are not listed are left alone.
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_EQ(Scan(), "a=1 b=1 ");
  WriteBatch batch;
  ASSERT_OK(batch.Put("a", "2"));
  ColumnFamilyHandle* handle = nullptr;
  const Status refused[] = {
      Put("a", "2"),
      Delete("a"),
      db_->SingleDelete(WriteOptions(), "a"),
      db_->DeleteRange(WriteOptions(), "a", "b"),
      db_->Write(WriteOptions(), &batch),
      db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "a", {}),
      Flush(),
      CompactAll(),
      db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                        {"000009.sst"}, 1),
      db_->SyncWAL(),
      db_->FlushWAL(false),
      db_->SetOptions({{"write_buffer_size", "100000"}}),
      db_->SetDBOptions({{"max_open_files", "100"}}),
      db_->EnableAutoCompaction({db_->DefaultColumnFamily()}),
      db_->CreateColumnFamily(ColumnFamilyOptions(), "three", &handle),
      DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), nullptr,
                         nullptr),
  };
  for (size_t i = 0; i < std::size(refused); ++i) {
    EXPECT_TRUE(refused[i].IsNotSupported()) << i << refused[i].ToString();
  }
  EXPECT_EQ(Scan(), "a=1 b=1 ");
  EXPECT_OK(db_->VerifyChecksum());
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_OK(db_->Close());
}

TEST_F(DbAdminTest, AReadOnlyOpenLeavesAWritersFilesAlone) {
  Open();
  FillFile(0, 10);
  ASSERT_OK(Put("a", "1"));
  std::unique_ptr<DB> reader;
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &reader));
  const std::vector<std::string> tables = FilesOf(path_, kTableFile);
  FillFile(0, 10);
  ASSERT_OK(CompactAll(/*force=*/true));
  std::string value;
  EXPECT_OK(reader->Get(ReadOptions(), "a", &value));
  reader.reset();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_OK(db_->VerifyChecksum());
  Reopen();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_OK(db_->VerifyChecksum());
  ASSERT_EQ(tables.size(), 1u);
}

TEST_F(DbAdminTest, DestroyRemovesWhatIsTheDatabases) {
  Open();
  FillFile(0, 10);
  EXPECT_FALSE(DestroyDB(path_, options_).ok()) << "it is open";
  EXPECT_EQ(Get("key1000").size(), 1024u);
  db_.reset();
  WriteBytes(path_ + "/mine.txt", "of another");
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_TRUE(std::filesystem::exists(path_ + "/mine.txt"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/CURRENT"));
  EXPECT_TRUE(FilesOf(path_, kTableFile).empty());
  std::filesystem::remove(path_ + "/mine.txt");
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_FALSE(std::filesystem::exists(path_));
  ASSERT_OK(DestroyDB(path_, options_));
}

TEST_F(DbAdminTest, DestroyGoesThroughEveryDirectory) {
  options_.db_paths = {{path_ + ".second", 1 << 30}};
  options_.wal_dir = path_ + ".wal";
  Open();
  FillFile(0, 10);
  ASSERT_EQ(FilesOf(path_ + ".second", kTableFile).size(), 1u);
  ASSERT_GE(FilesOf(path_ + ".wal", kWalFile).size(), 1u);
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  for (const char* suffix : {"", ".second", ".wal"}) {
    EXPECT_FALSE(std::filesystem::exists(path_ + suffix)) << suffix;
  }
}

TEST_F(DbAdminTest, PropertiesTellTheState) {
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 10);
  FillFile(5, 10);
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Delete("b"));
  using P = DB::Properties;
  EXPECT_EQ(FilesAt(0), 2);
  EXPECT_EQ(FilesAt(1), 0);
  EXPECT_EQ(Number(P::kNumEntriesActiveMemTable), 2u);
  EXPECT_EQ(Number(P::kNumDeletesActiveMemTable), 1u);
  EXPECT_EQ(Number(P::kNumImmutableMemTable), 0u);
  EXPECT_EQ(Number(P::kBackgroundErrors), 0u);
  EXPECT_EQ(Number(P::kIsWriteStopped), 0u);
  EXPECT_GE(Number(P::kTotalSstFilesSize), 20u * 1024);
  EXPECT_GE(Number(P::kEstimateNumKeys), 20u);
  std::string text;
  EXPECT_TRUE(db_->GetProperty(P::kStats, &text));
  EXPECT_NE(text.find("Compaction Stats"), std::string::npos);
  EXPECT_TRUE(db_->GetProperty(P::kSSTables, &text));
  std::map<std::string, std::string> map;
  EXPECT_TRUE(db_->GetMapProperty(P::kCFStats, &map));
  EXPECT_FALSE(map.empty());
  uint64_t total = 0;
  EXPECT_TRUE(
      db_->GetAggregatedIntProperty(P::kNumEntriesActiveMemTable, &total));
  EXPECT_EQ(total, 2u);
  EXPECT_FALSE(db_->GetProperty("rocksdb.no-such-thing", &text));
  EXPECT_FALSE(db_->GetIntProperty("rocksdb.no-such-thing", &total));
  EXPECT_FALSE(db_->GetMapProperty("rocksdb.no-such-thing", &map));
  EXPECT_FALSE(db_->GetProperty("rocksdb.num-files-at-level99", &text));
}

TEST_F(DbAdminTest, MetaDataOfAPartOfTheFiles) {
  const auto told = [this](const GetColumnFamilyMetaDataOptions& options) {
    ColumnFamilyMetaData metadata;
    db_->GetColumnFamilyMetaData(options, &metadata);
    std::string text = std::to_string(metadata.file_count);
    uint64_t size = 0;
    for (const LevelMetaData& level : metadata.levels) {
      text += " L" + std::to_string(level.level);
      EXPECT_FALSE(level.files.empty());
      for (const SstFileMetaData& file : level.files) {
        text += " " + file.smallestkey + "-" + file.largestkey;
        size += file.size;
      }
    }
    EXPECT_EQ(size, metadata.size);
    EXPECT_EQ(metadata.name, "default");
    return text;
  };
  options_.disable_auto_compactions = true;
  Open();
  EXPECT_EQ(told({}), "0");
  ColumnFamilyMetaData all;
  db_->GetColumnFamilyMetaData(&all);
  EXPECT_EQ(all.levels.size(), 7u) << "without options each level is told";
  ASSERT_OK(Put("b", "v"));
  ASSERT_OK(Put("d", "v"));
  ASSERT_OK(CompactAll());
  ASSERT_OK(Put("f", "v"));
  ASSERT_OK(Flush());
  const std::string deep = Tables().front().level == 0
                               ? std::to_string(Tables().back().level)
                               : std::to_string(Tables().front().level);
  const std::string both = "2 L0 f-f L" + deep + " b-d";
  EXPECT_EQ(told({}), both);
  EXPECT_EQ(told({OptSlice(), OptSlice(), 0}), "1 L0 f-f");
  EXPECT_EQ(told({OptSlice(), OptSlice(), 3}), "0");
  EXPECT_EQ(told({OptSlice("e"), OptSlice()}), "1 L0 f-f");
  EXPECT_EQ(told({OptSlice(), OptSlice("a")}), "0");
  EXPECT_EQ(told({OptSlice(), OptSlice("b")}), "1 L" + deep + " b-d");
  EXPECT_EQ(told({OptSlice("c"), OptSlice("c")}), "1 L" + deep + " b-d");
  EXPECT_EQ(told({OptSlice("d"), OptSlice("f")}), both);
  EXPECT_EQ(told({OptSlice("d"), OptSlice("f"), 0}), "1 L0 f-f");
  // What was told before is gone.
  db_->GetColumnFamilyMetaData({OptSlice("x"), OptSlice()}, &all);
  EXPECT_TRUE(all.levels.empty());
  EXPECT_EQ(all.size, 0u);
}

TEST_F(DbAdminTest, FilesAreDescribed) {
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 10);
  ASSERT_OK(CompactAll(/*force=*/true));
  FillFile(5, 10);
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  ASSERT_EQ(live.size(), 2u);
  std::map<std::string, LiveFileMetaData> by_key;
  for (const LiveFileMetaData& file : live) by_key[file.smallestkey] = file;
  const LiveFileMetaData& newer = by_key["key1005"];
  EXPECT_EQ(newer.level, 0);
  EXPECT_EQ(newer.largestkey, "key1014");
  EXPECT_EQ(newer.num_entries, 10u);
  EXPECT_EQ(newer.column_family_name, "default");
  EXPECT_EQ(std::filesystem::file_size(newer.directory + "/" +
                                       newer.relative_filename),
            newer.size);
  EXPECT_GT(by_key["key1000"].level, 0);

  ColumnFamilyMetaData family;
  db_->GetColumnFamilyMetaData(&family);
  EXPECT_EQ(family.file_count, 2u);
  EXPECT_EQ(family.size, live[0].size + live[1].size);
  TablePropertiesCollection properties;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&properties));
  ASSERT_EQ(properties.size(), 2u);
  std::map<std::string, int> ids;
  for (const auto& [path, one] : properties) {
    EXPECT_TRUE(std::filesystem::exists(path));
    std::string id;
    ASSERT_OK(GetUniqueIdFromTableProperties(*one, &id));
    ++ids[id];
    ASSERT_OK(VerifySstFileChecksum(options_, EnvOptions(), path));
  }
  EXPECT_EQ(ids.size(), 2u);

  std::vector<std::string> names;
  uint64_t manifest_bytes = 0;
  ASSERT_OK(db_->GetLiveFiles(names, &manifest_bytes));
  EXPECT_GE(names.size(), 5u);
  for (const std::string& name : names) {
    EXPECT_TRUE(std::filesystem::exists(path_ + name)) << name;
  }
  EXPECT_GT(manifest_bytes, 0u);
}

TEST_F(DbAdminTest, SizesOfRangesAreEstimated) {
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 100);
  const Range all("key", "kez"), half("key1000", "key1050"), none("x", "z");
  const Range ranges[] = {all, half, none};
  uint64_t sizes[3] = {1, 1, 1};
  ASSERT_OK(db_->GetApproximateSizes(ranges, 3, sizes));
  EXPECT_GT(sizes[0], 90u * 1024);
  EXPECT_GT(sizes[1], sizes[0] / 4);
  EXPECT_LT(sizes[1], sizes[0] * 3 / 4);
  EXPECT_EQ(sizes[2], 0u);
  SizeApproximationOptions nothing;
  nothing.include_files = nothing.include_memtables = false;
  EXPECT_TRUE(db_->GetApproximateSizes(nothing, db_->DefaultColumnFamily(),
                                       ranges, 3, sizes)
                  .IsInvalidArgument());
}

TEST_F(DbAdminTest, SizesMayBeEstimatedWithoutAskingTables) {
  options_.disable_auto_compactions = true;
  options_.target_file_size_base = 8 * 1024;
  Open();
  FillFile(0, 100);
  ASSERT_OK(CompactAll(/*force=*/true));
  FillFile(0, 100);
  const std::string begin = "key1013", end = "key1077";
  uint64_t whole = 0, cut = 0;
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  for (const LiveFileMetaData& file : live) {
    if (file.largestkey < begin || file.smallestkey >= end) continue;
    const bool is_whole = file.smallestkey >= begin && file.largestkey < end;
    (is_whole ? whole : cut) += file.size;
  }
  ASSERT_GT(whole, 0u);
  ASSERT_GT(cut, 0u);
  const Range range(begin, end);
  SizeApproximationOptions options;
  const auto estimate = [&](double margin) {
    uint64_t size = 0;
    options.files_size_error_margin = margin;
    EXPECT_OK(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(),
                                       &range, 1, &size));
    return size;
  };
  const uint64_t exact = estimate(-1);
  EXPECT_GT(exact, whole);
  EXPECT_LT(exact, whole + cut);
  EXPECT_EQ(estimate(0), exact);
  EXPECT_EQ(estimate(0.01), exact) << "half of what is cut is more than that";
  const double margin =
      static_cast<double>(cut) / static_cast<double>(whole) / 2;
  EXPECT_EQ(estimate(margin * 1.001), whole + cut / 2);
  EXPECT_EQ(estimate(margin * 0.999), exact);
  // Within one table there is nothing to go by.
  const Range inside("key1010", "key1011");
  uint64_t size = 0;
  options.files_size_error_margin = 1;
  ASSERT_OK(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(),
                                     &inside, 1, &size));
  EXPECT_LT(size, whole / 2);
}

TEST_F(DbAdminTest, FilesOfARangeAreDropped) {
  options_.disable_auto_compactions = true;
  options_.target_file_size_base = 8 * 1024;
  options_.num_levels = 3;
  Open();
  FillFile(0, 100);
  const Slice begin("key1020"), end("key1080");
  ASSERT_OK(
      DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), &begin, &end));
  EXPECT_EQ(Get("key1050").size(), 1024u) << "level 0 is left alone";
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  const size_t before = FilesOf(path_, kTableFile).size();
  ASSERT_GT(before, 5u);
  ASSERT_OK(
      DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), &begin, &end));
  EXPECT_EQ(Get("key1050"), "NOT_FOUND");
  EXPECT_EQ(Get("key1000").size(), 1024u);
  EXPECT_EQ(Get("key1099").size(), 1024u);
  EXPECT_LT(FilesOf(path_, kTableFile).size(), before);
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  for (const LiveFileMetaData& file : live) {
    EXPECT_TRUE(file.smallestkey < begin.ToString() ||
                file.largestkey > end.ToString());
  }
  Reopen();
  EXPECT_EQ(Get("key1050"), "NOT_FOUND");
  ASSERT_GE(live.size(), 2u);
  // The end itself stays out, or goes along.
  const LiveFileMetaData& last = *std::max_element(
      live.begin(), live.end(),
      [](auto& a, auto& b) { return a.smallestkey < b.smallestkey; });
  const Slice first_key(last.smallestkey), last_key(last.largestkey);
  const RangePtr range(&first_key, &last_key);
  ASSERT_OK(DeleteFilesInRanges(db_.get(), nullptr, &range, 1,
                                /*include_end=*/false));
  EXPECT_EQ(Get(last.largestkey).size(), 1024u);
  ASSERT_OK(DeleteFilesInRanges(db_.get(), nullptr, &range, 1));
  EXPECT_EQ(Get(last.largestkey), "NOT_FOUND");
}

TEST_F(DbAdminTest, OptionsChangeWhileItRuns) {
  Open();
  ASSERT_OK(db_->SetOptions(
      {{"write_buffer_size", "131072"}, {"level0_stop_writes_trigger", "77"}}));
  EXPECT_EQ(db_->GetOptions().write_buffer_size, 131072u);
  EXPECT_EQ(db_->Level0StopWriteTrigger(), 77);
  ASSERT_OK(db_->SetDBOptions({{"max_background_jobs", "3"}}));
  EXPECT_EQ(db_->GetDBOptions().max_background_jobs, 3);
  const struct {
    bool is_of_database;
    const char *name, *value;
    Status::Code code = Status::kInvalidArgument;
  } bad[] = {{false, "no_such_option", "1"},
             {false, "num_levels", "5"},
             {false, "write_buffer_size", "many"},
             {false, "max_background_jobs", "3"},
             {true, "no_such_option", "1", Status::kNotFound},
             {true, "create_if_missing", "true", Status::kNotFound},
             {true, "max_background_jobs", "few"},
             {true, "write_buffer_size", "131072", Status::kNotFound}};
  for (const auto& one : bad) {
    // One bad option among good ones changes nothing.
    const Status s = one.is_of_database
                         ? db_->SetDBOptions({{one.name, one.value},
                                              {"bytes_per_sync", "4096"}})
                         : db_->SetOptions({{one.name, one.value},
                                            {"max_write_buffer_number", "9"}});
    EXPECT_EQ(s.code(), one.code) << one.name << " " << s.ToString();
    ExpectText(s, one.name);
  }
  EXPECT_EQ(db_->GetOptions().max_write_buffer_number, 2);
  EXPECT_EQ(db_->GetDBOptions().bytes_per_sync, 0u);

  // They are in the newest options file.
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  db_.reset();
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), path_, &db_options, &families));
  EXPECT_EQ(db_options.max_background_jobs, 3);
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families[0].options.write_buffer_size, 131072u);
  EXPECT_EQ(families[0].options.level0_stop_writes_trigger, 77);
  for (int i = 0; i < 4; ++i) Reopen();
  EXPECT_LE(FilesOf(path_, kOptionsFile).size(), 2u);
  EXPECT_GE(FilesOf(path_, kOptionsFile).size(), 1u);
}

TEST_F(DbAdminTest, InfoLogsAreKeptAsAskedFor) {
  options_.keep_log_file_num = 3;
  for (int i = 0; i < 6; ++i) Reopen();
  db_.reset();
  EXPECT_EQ(FilesOf(path_, kInfoLogFile).size(), 3u);
  EXPECT_NE(ReadBytes(path_ + "/LOG").find("opened " + path_),
            std::string::npos);
}

// Counts events; a compaction waits at its beginning while it is held.
class EventCounter : public EventListener {
 public:
  void OnFlushBegin(DB*, const FlushJobInfo&) override { ++flushes_begun; }
  void OnFlushCompleted(DB* db, const FlushJobInfo& info) override {
    ++flushes_done;
    EXPECT_EQ(info.cf_name, "default");
    EXPECT_EQ(info.flush_reason, FlushReason::kManualFlush);
    std::string value;  // A listener may read.
    EXPECT_TRUE(db->GetProperty("rocksdb.num-files-at-level0", &value));
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    EXPECT_FALSE(info.input_files.empty());
    std::unique_lock<std::mutex> lock(mutex);
    ++compactions_begun;
    changed.notify_all();
    changed.wait(lock, [this] { return !is_held; });
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    EXPECT_TRUE(info.status.ok()) << info.status.ToString();
    ++compactions_done;
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    EXPECT_TRUE(info.status.ok());
    ++tables_made;
  }
  void OnTableFileDeleted(const TableFileDeletionInfo& info) override {
    EXPECT_TRUE(info.status.ok());
    ++tables_deleted;
  }
  void OnMemTableSealed(const MemTableInfo& info) override {
    EXPECT_GT(info.num_entries, 0u);
    ++sealed;
  }
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    const std::lock_guard<std::mutex> lock(mutex);
    conditions.push_back(info.condition.cur);
  }
  void Hold() {
    const std::lock_guard<std::mutex> lock(mutex);
    is_held = true;
  }
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex);
    is_held = false;
    changed.notify_all();
  }
  void AwaitCompaction() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return compactions_begun > 0; });
  }
  bool Saw(WriteStallCondition condition) {
    const std::lock_guard<std::mutex> lock(mutex);
    return std::find(conditions.begin(), conditions.end(), condition) !=
           conditions.end();
  }

  std::atomic<int> flushes_begun{0}, flushes_done{0}, compactions_done{0},
      tables_made{0}, tables_deleted{0}, sealed{0};
  std::mutex mutex;
  std::condition_variable changed;
  int compactions_begun = 0;
  bool is_held = false;
  std::vector<WriteStallCondition> conditions;
};

TEST_F(DbAdminTest, ListenersHearOfEveryJob) {
  const auto events = std::make_shared<EventCounter>();
  options_.listeners = {events};
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 10);
  FillFile(5, 10);
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(events->flushes_begun, 2);
  EXPECT_EQ(events->flushes_done, 2);
  EXPECT_EQ(events->sealed, 2);
  EXPECT_EQ(events->compactions_done, events->compactions_begun);
  EXPECT_GE(events->compactions_done, 1);
  EXPECT_GE(events->tables_made, 3);
  db_.reset();
  EXPECT_GE(events->tables_deleted, 2);
}

TEST_F(DbAdminTest, Level0FilesDelayAndStopWrites) {
  const auto events = std::make_shared<EventCounter>();
  events->Hold();
  options_.listeners = {events};
  options_.level0_file_num_compaction_trigger = 2;
  options_.level0_slowdown_writes_trigger = 3;
  options_.level0_stop_writes_trigger = 5;
  Open();
  FlushOptions flush;
  flush.allow_write_stall = true;
  WriteOptions impatient;
  impatient.no_slowdown = true;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(Put("k", std::to_string(i)));
    ASSERT_OK(db_->Flush(flush));
  }
  events->AwaitCompaction();
  EXPECT_GT(Number(DB::Properties::kActualDelayedWriteRate), 0u);
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 0u);
  for (int i = 3; i < 5; ++i) {
    ASSERT_OK(Put("k", std::to_string(i)));
    ASSERT_OK(db_->Flush(flush));
  }
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 1u);
  const Status s = db_->Put(impatient, "k", "now");
  EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
  EXPECT_EQ(Get("k"), "4");
  events->Release();
  ASSERT_OK(Put("k", "later"));  // Waits for the compaction.
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 0u);
  ASSERT_OK(db_->Put(impatient, "k", "last"));
  EXPECT_EQ(Get("k"), "last");
  db_.reset();  // The last event has been told.
  EXPECT_TRUE(events->Saw(WriteStallCondition::kDelayed));
  EXPECT_TRUE(events->Saw(WriteStallCondition::kStopped));
  EXPECT_TRUE(events->Saw(WriteStallCondition::kNormal));
  Reopen();
  EXPECT_EQ(Get("k"), "last");
}

TEST_F(DbAdminTest, SealedMemTablesStopWrites) {
  options_.write_buffer_size = 64 * 1024;
  options_.max_write_buffer_number = 2;
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  WriteOptions impatient;
  impatient.no_slowdown = true;
  Status s;
  int written = 0;
  for (; s.ok() && written < 10000; ++written) {
    s = db_->Put(impatient, "k" + std::to_string(written),
                 std::string(1000, 'v'));
  }
  EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 1u);
  WaitForCompactOptions wait;
  wait.abort_on_pause = true;
  EXPECT_TRUE(db_->WaitForCompact(wait).IsAborted());
  ASSERT_OK(db_->ContinueBackgroundWork());
  EXPECT_TRUE(db_->ContinueBackgroundWork().IsInvalidArgument());
  ASSERT_OK(Put("last", "1"));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 0u);
  EXPECT_EQ(Get("k" + std::to_string(written - 2)).size(), 1000u);
}

TEST_F(DbAdminTest, WaitForCompactClosesIfAsked) {
  Open();
  ASSERT_OK(Put("a", "1"));
  WaitForCompactOptions wait;
  wait.flush = true;
  wait.close_db = true;
  ASSERT_OK(db_->WaitForCompact(wait));
  EXPECT_TRUE(Put("b", "1").IsShutdownInProgress());
  db_.reset();
  EXPECT_EQ(FilesOf(path_, kTableFile).size(), 1u);
}

// Also what a job's own thread is still about to delete.
TEST_F(DbAdminTest, WaitForCompactWaitsForDeletions) {
  options_.disable_auto_compactions = true;
  Open();
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(Put("k", std::to_string(round)));
    ASSERT_OK(Flush());
    ASSERT_OK(db_->DisableFileDeletions());
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_OK(db_->EnableFileDeletions());
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    EXPECT_EQ(FilesOf(path_, kTableFile).size(), 1u) << round;
  }
}

TEST_F(DbAdminTest, CompactRangeGoesToThePathThatIsAskedFor) {
  options_.db_paths = {{path_, 1 << 30}, {path_ + ".second", 1 << 30}};
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 10);
  FillFile(5, 10);
  const std::string expected = Scan();
  CompactRangeOptions options;
  options.target_path_id = 2;
  EXPECT_TRUE(db_->CompactRange(options, nullptr, nullptr).IsInvalidArgument());
  options.target_path_id = 1;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_OK(db_->CompactRange(options, nullptr, nullptr));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_TRUE(FilesOf(path_, kTableFile).empty());
  EXPECT_EQ(FilesOf(path_ + ".second", kTableFile).size(), 1u);
  EXPECT_EQ(Scan(), expected);
  Reopen();
  EXPECT_EQ(Scan(), expected);
}

TEST_F(DbAdminTest, ManualCompactionsCanBeForbiddenAndCanceled) {
  Open();
  FillFile(0, 10);
  db_->DisableManualCompaction();
  Status s = CompactAll(/*force=*/true);
  EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
  db_->EnableManualCompaction();
  std::atomic<bool> canceled{true};
  CompactRangeOptions options;
  options.canceled = &canceled;
  s = db_->CompactRange(options, nullptr, nullptr);
  EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
  canceled = false;
  ASSERT_OK(db_->CompactRange(options, nullptr, nullptr));
  options.change_level = true;
  options.target_level = 99;
  EXPECT_TRUE(db_->CompactRange(options, nullptr, nullptr).IsInvalidArgument());
}

// Disables manual compactions as soon as one runs, and lets it go on only once
// that has begun.
class ManualDisabler : public EventListener {
 public:
  ~ManualDisabler() override {
    if (disabler_.joinable()) disabler_.join();
  }
  void OnCompactionBegin(DB* db, const CompactionJobInfo&) override {
    if (has_run_.exchange(true)) return;
    disabler_ = std::thread([db] { db->DisableManualCompaction(); });
    while (!db->CompactFiles(CompactionOptions(), {"999999.sst"}, 1)
                .IsManualCompactionPaused()) {
      std::this_thread::yield();
    }
  }
  void WaitUntilDisabled() { disabler_.join(); }

 private:
  std::atomic<bool> has_run_{false};
  std::thread disabler_;
};

TEST_F(DbAdminTest, DisablingEndsTheManualCompactionsThatRun) {
  const auto disabler = std::make_shared<ManualDisabler>();
  options_.listeners = {disabler};
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 3000);
  FillFile(1000, 3000);
  Status s = CompactAll(/*force=*/true);
  EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
  disabler->WaitUntilDisabled();
  EXPECT_EQ(FilesAt(0), 2);
  EXPECT_EQ(Get("key4999").size(), 1024u);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_FALSE(files.empty());
  s = db_->CompactFiles(CompactionOptions(), {files[0].name}, 1);
  EXPECT_TRUE(s.IsManualCompactionPaused()) << s.ToString();
  db_->EnableManualCompaction();
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(FilesAt(0), 0);
}

// An output would reach over the files between those that are named.
TEST_F(DbAdminTest, CompactFilesTakesTheFilesInBetween) {
  options_.disable_auto_compactions = true;
  Open();
  const auto move_newest = [&](int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    for (const LiveFileMetaData& file : files) {
      if (file.level != 0) continue;
      ASSERT_OK(db_->CompactFiles(CompactionOptions(), {file.name}, level));
    }
  };
  FillFile(30, 10);
  move_newest(6);
  FillFile(60, 10);
  move_newest(6);
  FillFile(0, 10);
  move_newest(4);
  ASSERT_EQ(FilesAt(6), 2);
  ASSERT_EQ(FilesAt(4), 1);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const LiveFileMetaData& file : files) {
    if (file.smallestkey != "key1030") names.push_back(file.name);
  }
  ASSERT_EQ(names.size(), 2u);
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), names, 6));
  EXPECT_EQ(FilesAt(6), 1);
  for (int i : {0, 9, 30, 39, 60, 69}) {
    EXPECT_EQ(Get("key" + std::to_string(1000 + i)).size(), 1024u) << i;
  }
  ASSERT_OK(Put("later", "1"));
  ASSERT_OK(Flush());
}

TEST_F(DbAdminTest, FilesStayWhileDeletionsAreOff) {
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 10);
  FillFile(0, 10);
  ASSERT_OK(db_->DisableFileDeletions());
  ASSERT_OK(db_->DisableFileDeletions());
  const std::vector<std::string> before = FilesOf(path_, kTableFile);
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_OK(db_->EnableFileDeletions());
  for (const std::string& path : before) {
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  ASSERT_OK(db_->EnableFileDeletions());
  // The compaction's own thread may be at it already.
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  for (const std::string& path : before) {
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST_F(DbAdminTest, IdentityStays) {
  Open();
  std::string id, again, session;
  ASSERT_OK(db_->GetDbIdentity(id));
  ASSERT_OK(db_->GetDbSessionId(session));
  EXPECT_FALSE(id.empty());
  Reopen();
  ASSERT_OK(db_->GetDbIdentity(again));
  EXPECT_EQ(again, id);
  ASSERT_OK(db_->GetDbSessionId(again));
  EXPECT_NE(again, session);
  EXPECT_EQ(db_->GetName(), path_);
  EXPECT_NE(db_->GetFileSystem(), nullptr);
}

TEST_F(DbAdminTest, CompactFilesWithoutAFamilyIsOfTheDefaultOne) {
  options_.disable_auto_compactions = true;
  Open();
  FillFile(0, 10);
  FillFile(5, 15);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  std::vector<std::string> made;
  CompactionJobInfo info;
  ASSERT_OK(db_->CompactFiles(CompactionOptions(),
                              {files[0].name, files[1].name}, 1, -1, &made,
                              &info));
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(FilesAt(1), 1);
  EXPECT_EQ(made.size(), 1u);
  EXPECT_EQ(info.cf_name, "default");
  EXPECT_TRUE(db_->CompactFiles(CompactionOptions(), {"999999.sst"}, 1)
                  .IsInvalidArgument());
}

TEST_F(DbAdminTest, WhatIsNotBuiltNamesItself) {
  Open();
  FillFile(0, 1);
  const auto iterate = [&](const ReadOptions& options) {
    return std::unique_ptr<Iterator>(db_->NewIterator(options))->status();
  };

  ReadOptions tier;
  tier.read_tier = kPersistedTier;
  const struct {
    const char* name;
    Status status;
  } cases[] = {
      {"TryCatchUpWithPrimary", db_->TryCatchUpWithPrimary()},
      {"kPersistedTier", iterate(tier)},
  };
  for (const auto& one : cases) {
    EXPECT_TRUE(one.status.IsNotSupported())
        << one.name << ": " << one.status.ToString();
    ExpectText(one.status, one.name);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
