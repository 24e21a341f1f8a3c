// Data kept out of the last level, and their sequence numbers kept, by their
// age (preclude_last_level_data_seconds, preserve_internal_time_seconds).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/ignore_error.h"
#include "util/key/sequence_times.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The time of the system, and what the test has let pass.
class AheadClock final : public SystemClockWrapper {
 public:
  AheadClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "AheadClock"; }
  uint64_t NowMicros() override {
    return SystemClockWrapper::NowMicros() + ahead_seconds.load() * 1'000'000;
  }
  Status GetCurrentTime(int64_t* seconds) override {
    Status s = SystemClockWrapper::GetCurrentTime(seconds);
    *seconds += static_cast<int64_t>(ahead_seconds.load());
    return s;
  }

  std::atomic<uint64_t> ahead_seconds{0};
};

class AgeEnv final : public EnvWrapper {
 public:
  AgeEnv(std::shared_ptr<FileSystem> fs, std::shared_ptr<SystemClock> clock)
      : EnvWrapper(Env::Default()) {
    file_system_ = std::move(fs);
    system_clock_ = std::move(clock);
  }
  const std::shared_ptr<FileSystem>& GetFileSystem() const override {
    return file_system_;
  }
  const std::shared_ptr<SystemClock>& GetSystemClock() const override {
    return system_clock_;
  }
};

class DataAgeTest : public DbFixture {
 protected:
  static constexpr int kLast = 4;

  DataAgeTest() {
    options_.compaction_style = kCompactionStyleUniversal;
    options_.num_levels = kLast + 1;
    options_.preclude_last_level_data_seconds = 1000;
    options_.merge_operator = NewStringAppendOperator(",");
    NewWorld();
  }
  ~DataAgeTest() override { db_.reset(); }

  // An empty device.
  void NewWorld() {
    db_.reset();
    clock_ = std::make_shared<AheadClock>();
    fs_ = std::make_shared<FaultInjectionFileSystem>(
        std::make_shared<MemFileSystem>());
    env_ = std::make_unique<AgeEnv>(fs_, clock_);
    options_.env = env_.get();
    path_ = "/db";
  }
  void Pass(uint64_t seconds) { clock_->ahead_seconds += seconds; }
  static std::string Key(uint64_t n) { return std::to_string(10000 + n); }
  // A flush of keys [from, to).
  void WriteKeys(uint64_t from, uint64_t to, const std::string& value) {
    for (uint64_t n = from; n < to; ++n) {
      ASSERT_OK(Put(Key(n), value));
      model_[Key(n)] = value;
    }
    ASSERT_OK(Flush());
  }
  void Wait() { ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions())); }
  // "files at level 0,1,...".
  std::string Levels() {
    std::string text;
    for (int level = 0; level <= kLast; ++level) {
      text += (level > 0 ? "," : "") + std::to_string(FilesAt(level));
    }
    return text;
  }
  static std::string TextOf(const std::map<std::string, std::string>& model) {
    std::string text;
    for (const auto& [key, value] : model) text += key + "=" + value + " ";
    return text;
  }
  SequenceNumber LargestSequenceAt(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    SequenceNumber largest = 0;
    for (const LiveFileMetaData& file : files) {
      if (file.level == level) largest = std::max(largest, file.largest_seqno);
    }
    return largest;
  }
  // The times that all tables store, merged.
  SequenceTimes StoredTimes() {
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    SequenceTimes times;
    for (const auto& [name, properties] : all) {
      SequenceTimes own;
      SCOPED_TRACE(name);
      EXPECT_OK(own.DecodeFrom(properties->seqno_to_time_mapping));
      times.Merge(own);
    }
    return times;
  }

  std::shared_ptr<AheadClock> clock_;
  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<AgeEnv> env_;
  std::map<std::string, std::string> model_;
};

TEST_F(DataAgeTest, YoungDataStayOneLevelUp) {
  Open();
  WriteKeys(0, 100, "old");
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,0");
  Pass(2000);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,0,1");
  WriteKeys(50, 150, "new");
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,1");
  EXPECT_EQ(Scan(), TextOf(model_));
  // Nothing of what waits is taken for waste.
  for (int i = 0; i < 3; ++i) {
    Wait();
    EXPECT_EQ(Levels(), "0,0,0,1,1");
  }
  Pass(2000);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,0,1");
  EXPECT_EQ(Scan(), TextOf(model_));
}

TEST_F(DataAgeTest, LeveledDataGoDownOnceTheyAreOld) {
  options_.compaction_style = kCompactionStyleLevel;
  Open();
  WriteKeys(0, 100, "old");
  ASSERT_OK(CompactAll());
  Wait();
  EXPECT_EQ(Levels(), "0,0,0,1,0");
  Pass(2000);
  WriteKeys(50, 150, "new");  // Has the scheduler look.
  Wait();
  EXPECT_EQ(Levels(), "1,0,0,0,1");
  ASSERT_OK(CompactAll());
  Wait();
  EXPECT_EQ(Levels(), "0,0,0,1,1");
  EXPECT_EQ(Scan(), TextOf(model_));
}

TEST_F(DataAgeTest, VersionsOfAKeyArePartedByAge) {
  Open();
  WriteKeys(0, 10, "old");
  const Snapshot* before = db_->GetSnapshot();
  Pass(2000);
  WriteKeys(0, 10, "new");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), Key(3), Key(5)));
  ASSERT_OK(Delete(Key(7)));
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,1");
  EXPECT_EQ(LargestSequenceAt(kLast), 0u);
  EXPECT_EQ(LargestSequenceAt(kLast - 1), 22u);
  for (uint64_t n = 0; n < 10; ++n) {
    const bool is_gone = n == 3 || n == 4 || n == 7;
    EXPECT_EQ(Get(Key(n)), is_gone ? "NOT_FOUND" : "new") << n;
    EXPECT_EQ(Get(Key(n), before), "old") << n;
  }
  db_->ReleaseSnapshot(before);
  Pass(2000);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,0,1");
  EXPECT_EQ(Get(Key(3)), "NOT_FOUND");
  EXPECT_EQ(Get(Key(6)), "new");
}

TEST_F(DataAgeTest, AgesSurviveAReopen) {
  Open();
  WriteKeys(0, 100, "v");
  ASSERT_OK(CompactAll());
  Pass(900);
  Reopen();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,0");
  Pass(600);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,0,1") << "1500 seconds old";
}

TEST_F(DataAgeTest, WhatHasNoAgeIsYoung) {
  options_.preclude_last_level_data_seconds = 0;
  Open();
  WriteKeys(0, 100, "v");
  EXPECT_TRUE(StoredTimes().empty());
  Pass(900);
  options_.preclude_last_level_data_seconds = 1000;
  Reopen();
  Pass(600);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,0");
  Pass(600);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,0,1") << "known for 1200 seconds";
}

TEST_F(DataAgeTest, TheOptionCanBeChanged) {
  Open();
  WriteKeys(0, 100, "v");
  ASSERT_OK(db_->SetOptions({{"preclude_last_level_data_seconds", "0"}}));
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,0,1");
  EXPECT_EQ(LargestSequenceAt(kLast), 0u);
  ASSERT_OK(db_->SetOptions({{"preclude_last_level_data_seconds", "500"}}));
  WriteKeys(0, 100, "w");
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,0");
  // What the last level has stays there.
  Pass(1000);
  ASSERT_OK(CompactAll());
  ASSERT_OK(db_->SetOptions({{"preclude_last_level_data_seconds", "9999"}}));
  WriteKeys(100, 200, "w");
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,1");
  EXPECT_EQ(Scan(), TextOf(model_));
}

TEST_F(DataAgeTest, SequencesAreKeptAsLongAsTheirTimes) {
  options_.preclude_last_level_data_seconds = 0;
  options_.preserve_internal_time_seconds = 1000;
  Open();
  WriteKeys(0, 100, "v");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Levels(), "0,0,0,0,1");
  EXPECT_EQ(LargestSequenceAt(kLast), 100u);
  const SequenceTimes times = StoredTimes();
  ASSERT_FALSE(times.empty());
  EXPECT_EQ(times.pairs().back().sequence, 100u);
  const uint64_t now = clock_->NowMicros() / 1'000'000;
  EXPECT_LE(times.pairs().back().seconds, now);
  EXPECT_GE(times.pairs().back().seconds + 1000, now);
  Pass(2000);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(LargestSequenceAt(kLast), 0u);
  EXPECT_TRUE(StoredTimes().empty());
  EXPECT_EQ(Scan(), TextOf(model_));
}

TEST_F(DataAgeTest, AValueMayBeSaidToBeOld) {
  Open();
  WriteKeys(0, 100, "v");
  Pass(2000);
  WriteKeys(100, 110, "v");
  const uint64_t now = clock_->NowMicros() / 1'000'000;
  const auto put = [&](const std::string& key, uint64_t time) {
    WriteBatch batch;
    ASSERT_OK(batch.TimedPut(db_->DefaultColumnFamily(), key, "timed", time));
    ASSERT_OK(db_->Write(WriteOptions(), &batch));
    model_[key] = "timed";
  };
  put("a.old", now - 1500);
  put("a.very old", 1);
  put("b.young", now - 10);
  put("b.to come", now + 100000);
  put(Key(3), now - 1500);
  ASSERT_OK(db_->Merge(WriteOptions(), "a.old", "merged"));
  EXPECT_EQ(Get("a.old"), "timed,merged");
  ASSERT_OK(db_->Merge(WriteOptions(), "a.very old", "merged"));
  put("a.old", now - 1500);
  put("a.very old", 1);
  EXPECT_EQ(Scan(), TextOf(model_));
  EXPECT_EQ(ScanBackward().size(), Scan().size());
  ASSERT_OK(Flush());
  EXPECT_EQ(Scan(), TextOf(model_));
  EXPECT_EQ(Get("b.young"), "timed");
  Reopen();
  EXPECT_EQ(Scan(), TextOf(model_));
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,0,0,1,1");
  EXPECT_EQ(Scan(), TextOf(model_));
  // Keys by level.
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  for (const LiveFileMetaData& file : files) {
    const bool is_last = file.level == kLast;
    EXPECT_EQ(file.smallestkey, is_last ? Key(0) : Key(100));
    EXPECT_EQ(file.largestkey, is_last ? "a.very old" : "b.young");
    EXPECT_EQ(file.num_entries, is_last ? 102u : 12u);
  }
}

// Values of memory that no flush of this life wrote.
TEST_F(DataAgeTest, TimedValuesAreReplayed) {
  Open();
  WriteBatch batch;
  ASSERT_OK(batch.TimedPut(db_->DefaultColumnFamily(), "k", "timed", 1));
  ASSERT_OK(batch.Put("p", "plain"));
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ(Scan(), "k=timed p=plain ");
  Reopen();
  EXPECT_EQ(Scan(), "k=timed p=plain ");
  options_.preclude_last_level_data_seconds = 0;
  Reopen();
  EXPECT_EQ(Scan(), "k=timed p=plain ");
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Scan(), "k=timed p=plain ");
}

TEST_F(DataAgeTest, AFamilyOfItsOwn) {
  options_.preclude_last_level_data_seconds = 0;
  Open();
  Options aging = options_;
  aging.preclude_last_level_data_seconds = 1000;
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(aging, "aging", &family));
  ASSERT_OK(db_->Put(WriteOptions(), family, "k", "v"));
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(db_->CompactRange({}, family, nullptr, nullptr));
  ASSERT_OK(CompactAll());
  std::string count;
  ASSERT_TRUE(db_->GetProperty(family, "rocksdb.num-files-at-level3", &count));
  EXPECT_EQ(count, "1");
  EXPECT_EQ(Levels(), "0,0,0,0,1");
  Pass(2000);
  ASSERT_OK(db_->CompactRange({}, family, nullptr, nullptr));
  ASSERT_TRUE(db_->GetProperty(family, "rocksdb.num-files-at-level4", &count));
  EXPECT_EQ(count, "1");
  ASSERT_OK(db_->DropColumnFamily(family));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
}

// What is old when it is flushed could lie in the last level at once.
TEST_F(DataAgeTest, ACollectorAsksForWhatHasBecomeOld) {
  for (const double ratio : {0.0, 0.5, 1.5}) {
    SCOPED_TRACE(ratio);
    options_.disable_auto_compactions = true;
    options_.table_properties_collector_factories = {
        NewCompactForTieringCollectorFactory(ratio)};
    NewWorld();
    Open();
    for (uint64_t n = 0; n < 30; ++n) ASSERT_OK(Put(Key(n), "v"));
    // Setting it has the time noted.
    ASSERT_OK(db_->SetOptions({{"preserve_internal_time_seconds", "5000"}}));
    Pass(2000);
    for (uint64_t n = 30; n < 40; ++n) ASSERT_OK(Put(Key(n), "v"));
    ASSERT_OK(Flush());
    TablePropertiesCollection all;
    ASSERT_OK(db_->GetPropertiesOfAllTables(&all));
    ASSERT_EQ(1u, all.size());
    const auto& user = all.begin()->second->user_collected_properties;
    const auto old = user.find("rocksdb.eligible.last.level.entries");
    ASSERT_EQ(ratio > 0, old != user.end());
    if (ratio > 0) {
      // The 30th entry's sequence is the threshold, and is not below it.
      EXPECT_EQ("29", old->second);
    }
    ASSERT_OK(db_->SetOptions({{"disable_auto_compactions", "false"}}));
    Wait();
    EXPECT_EQ(ratio == 0.5 ? "0,0,0,1,1" : "1,0,0,0,0", Levels());
  }
}

TEST_F(DataAgeTest, TimestampsAreRefused) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("preclude_last_level_data_seconds=1000"),
            std::string::npos);
  options_.preclude_last_level_data_seconds = 0;
  options_.preserve_internal_time_seconds = 1000;
  EXPECT_OK(TryOpen());
}

// Every call of a compaction with outputs in two levels fails once: both are
// there afterwards, or none.
TEST_F(DataAgeTest, AFailureLeavesBothLevelsAsTheyWere) {
  for (const FaultKind kind : {FaultKind::kIOError, FaultKind::kSyncFailure}) {
    for (uint64_t k = 1;; ++k) {
      SCOPED_TRACE(k);
      ASSERT_LT(k, 1000u);
      NewWorld();
      model_.clear();
      Open();
      WriteKeys(0, 200, "old");
      Pass(2000);
      ASSERT_OK(CompactAll());
      ASSERT_EQ(Levels(), "0,0,0,0,1");
      WriteKeys(100, 300, "new");
      ASSERT_OK(Delete(Key(5)));
      model_.erase(Key(5));
      ASSERT_OK(Flush());
      fs_->FailCall({.call = k, .kind = kind, .path_contains = ".sst"});
      const Status s = CompactAll();
      const bool has_struck = fs_->failed();
      fs_->ClearFault();
      // What fails may also be the end of a file that nobody needs any more.
      EXPECT_TRUE(s.ok() || has_struck) << s.ToString();
      EXPECT_EQ(Scan(), TextOf(model_));
      Reopen();
      EXPECT_EQ(Scan(), TextOf(model_));
      ASSERT_OK(CompactAll());
      EXPECT_EQ(Levels(), "0,0,0,1,1");
      EXPECT_EQ(Scan(), TextOf(model_));
      if (!has_struck) break;
    }
  }
}

// FIFO compaction, which brings files to another temperature as they age; the
// parameter: by copying them.
class AgingFilesTest : public DataAgeTest,
                       public ::testing::WithParamInterface<bool> {
 protected:
  AgingFilesTest() {
    options_ = Options();
    options_.create_if_missing = true;
    options_.compaction_style = kCompactionStyleFIFO;
    options_.ttl = 0;
    CompactionOptionsFIFO& fifo = options_.compaction_options_fifo;
    fifo.file_temperature_age_thresholds = {{kWarm, 100}, {kCold, 1000}};
    fifo.allow_trivial_copy_when_change_temperature = GetParam();
    NewWorld();
  }
  void WriteFile(const std::string& key) {
    ASSERT_OK(Put(key, Value(key)));
    ASSERT_OK(Flush());
  }
  static std::string Value(const std::string& key) {
    return key + std::string(10000, 'v');
  }
  // In order of age, the oldest first.
  std::vector<LiveFileMetaData> Files() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
      return a.smallestkey < b.smallestkey;
    });
    return files;
  }
  std::vector<Temperature> Temperatures() {
    std::vector<Temperature> temperatures;
    for (const LiveFileMetaData& file : Files()) {
      temperatures.push_back(file.temperature);
    }
    return temperatures;
  }
  std::string BytesOf(const LiveFileMetaData& file) {
    std::string bytes;
    EXPECT_OK(ReadFileToString(
        env_.get(), file.directory + "/" + file.relative_filename, &bytes));
    return bytes;
  }
  void ExpectSameFileButForItsPlace(const LiveFileMetaData& now,
                                    const LiveFileMetaData& before) {
    EXPECT_NE(now.file_number, before.file_number);
    EXPECT_EQ(now.file_creation_time, before.file_creation_time);
    EXPECT_EQ(now.oldest_ancester_time, before.oldest_ancester_time);
    EXPECT_EQ(now.epoch_number, before.epoch_number);
    EXPECT_EQ(now.num_entries, before.num_entries);
    // What is written anew says by which job, and may do without numbers.
    EXPECT_EQ(now.file_checksum == before.file_checksum, GetParam());
    EXPECT_TRUE(!GetParam() || now.largest_seqno == before.largest_seqno);
  }

  static constexpr Temperature kNone = Temperature::kUnknown;
  static constexpr Temperature kWarm = Temperature::kWarm;
  static constexpr Temperature kCold = Temperature::kCold;
  using Seen = std::vector<Temperature>;
};

TEST_P(AgingFilesTest, FilesKeepTheirAgeWhenTheirTemperatureChanges) {
  options_.statistics = CreateDBStatistics();
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  options_.paranoid_file_checks = true;
  options_.verify_output_flags = VerifyOutputFlags::kVerifyAll;
  Open();
  WriteFile("a");
  Pass(50);
  WriteFile("b");
  EXPECT_EQ(Temperatures(), (Seen{kNone, kNone}));
  const std::vector<LiveFileMetaData> young = Files();
  const std::string bytes = BytesOf(young[0]);
  Pass(200);
  WriteFile("c");
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Temperatures(), (Seen{kWarm, kWarm, kNone}));
  const std::vector<LiveFileMetaData> warm = Files();
  for (size_t i = 0; i < young.size(); ++i) {
    ExpectSameFileButForItsPlace(warm[i], young[i]);
  }
  EXPECT_EQ(BytesOf(warm[0]) == bytes, GetParam());
  EXPECT_EQ(Ticker(FIFO_CHANGE_TEMPERATURE_COMPACTIONS), 2u);
  Pass(850);
  Reopen();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Temperatures(), (Seen{kCold, kCold, kWarm}));
  ExpectSameFileButForItsPlace(Files()[1], young[1]);
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(Get(key), Value(key));
  ASSERT_OK(db_->VerifyChecksum());
  ASSERT_OK(db_->VerifyFileChecksums(ReadOptions()));
}

TEST_P(AgingFilesTest, AFileWithReferencesToBlobsKeepsThem) {
  options_.enable_blob_files = true;
  Open();
  WriteFile("a");
  const uint64_t blob = Files()[0].oldest_blob_file_number;
  ASSERT_NE(blob, 0u);
  Pass(200);
  WriteFile("b");
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Temperatures(), (Seen{kWarm, kNone}));
  EXPECT_EQ(Files()[0].oldest_blob_file_number, blob);
  Reopen();
  EXPECT_EQ(Get("a"), Value("a"));
}

TEST_P(AgingFilesTest, EveryCallOfAChangeFailsOnce) {
  options_.disable_auto_compactions = true;
  for (const FaultKind kind :
       {FaultKind::kIOError, FaultKind::kShort, FaultKind::kSyncFailure}) {
    bool has_struck = true;
    for (uint64_t k = 1; has_struck; ++k) {
      SCOPED_TRACE("call " + std::to_string(k));
      ASSERT_LT(k, 1000u);
      NewWorld();
      Open();
      WriteFile("a");
      Pass(200);
      WriteFile("b");
      fs_->FailCall({.call = k, .kind = kind});
      const Status s = CompactAll();
      has_struck = fs_->failed();
      const std::string failed = fs_->failed_call();
      fs_->ClearFault();
      SCOPED_TRACE(failed);
      EXPECT_TRUE(s.ok() || has_struck) << s.ToString();
      for (const char* key : {"a", "b"}) ASSERT_EQ(Get(key), Value(key));
      const Temperature now = Temperatures()[0];
      EXPECT_TRUE(now == kWarm || (now == kNone && !s.ok()));
      db_.reset();
      EXPECT_EQ(fs_->open_handles(), 0u);
      ASSERT_OK(fs_->CrashAndHeal());
      Open();
      for (const char* key : {"a", "b"}) ASSERT_EQ(Get(key), Value(key));
      ASSERT_OK(CompactAll());
      ASSERT_EQ(Temperatures(), (Seen{kWarm, kNone}));
      ASSERT_EQ(Get("a"), Value("a"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ByCopy, AgingFilesTest, ::testing::Bool());

// Against an ordered map: what is parted by age must read as one.
class DataAgeModelTest : public DataAgeTest,
                         public ::testing::WithParamInterface<CompactionStyle> {
 protected:
  using Model = std::map<std::string, std::string>;
  struct Moment {
    const Snapshot* snapshot;
    Model model;
  };

  void Write() {
    const std::string key = Key(random_.Uniform(300));
    const uint64_t dice = random_.Uniform(20);
    if (dice < 12) {
      model_[key] = "v" + std::to_string(++writes_);
      ASSERT_OK(Put(key, model_[key]));
    } else if (dice < 15) {
      std::string& value = model_[key];
      value += (value.empty() ? "m" : ",m") + std::to_string(++writes_);
      ASSERT_OK(db_->Merge(WriteOptions(), key, "m" + std::to_string(writes_)));
    } else if (dice < 19) {
      model_.erase(key);
      ASSERT_OK(Delete(key));
    } else {
      const std::string end = Key(random_.Uniform(300));
      if (key >= end) return;
      model_.erase(model_.lower_bound(key), model_.lower_bound(end));
      ASSERT_OK(db_->DeleteRange(WriteOptions(), key, end));
    }
  }
  void ReleaseAll() {
    for (const Moment& m : moments_) db_->ReleaseSnapshot(m.snapshot);
    moments_.clear();
  }
  void Disturb() {
    switch (random_.Uniform(12)) {
      case 0:
        ReleaseAll();
        Reopen();
        break;
      case 1:
        ASSERT_OK(CompactAll());
        break;
      case 2:
        if (moments_.size() == 4) ReleaseAll();
        moments_.push_back({db_->GetSnapshot(), model_});
        break;
      case 3: {
        static const char* const kSeconds[] = {"0", "300", "1000", "5000"};
        ASSERT_OK(db_->SetOptions({{"preclude_last_level_data_seconds",
                                    kSeconds[random_.Uniform(4)]}}));
        break;
      }
      case 4:
      case 5:
      case 6:
        Pass(random_.Uniform(600));
        break;
      default:
        ASSERT_OK(Flush());
        break;
    }
  }
  void Check() {
    EXPECT_EQ(Scan(), TextOf(model_));
    for (const Moment& m : moments_) {
      ReadOptions read;
      read.snapshot = m.snapshot;
      EXPECT_EQ(Scan(read), TextOf(m.model));
    }
    for (uint64_t n = 0; n < 300; n += 11) {
      const auto found = model_.find(Key(n));
      EXPECT_EQ(Get(Key(n)),
                found == model_.end() ? "NOT_FOUND" : found->second);
    }
    if (FilesAt(kLast) > 0 && FilesAt(kLast - 1) > 0) ++times_parted_;
  }

  Random64 random_{17};
  std::vector<Moment> moments_;
  uint64_t writes_ = 0;
  int times_parted_ = 0;
};

TEST_P(DataAgeModelTest, AgreesWithAnOrderedMap) {
  options_.compaction_style = GetParam();
  options_.level0_file_num_compaction_trigger = 3;
  options_.target_file_size_base = 1024;
  options_.max_bytes_for_level_base = 4096;
  options_.max_subcompactions = 2;
  Open();
  for (int i = 0; i < 600; ++i) {
    for (int n = 0; n < 20; ++n) ASSERT_NO_FATAL_FAILURE(Write());
    ASSERT_NO_FATAL_FAILURE(Disturb());
    if (i % 10 == 0) Check();
    if (HasFailure()) {
      FAIL() << "after step " << i;
    }
  }
  Wait();
  Check();
  EXPECT_GT(times_parted_, 5);
  ReleaseAll();
}

INSTANTIATE_TEST_SUITE_P(Styles, DataAgeModelTest,
                         ::testing::Values(kCompactionStyleUniversal,
                                           kCompactionStyleLevel));

// Where files are dropped whole, the time of the oldest that is left.
TEST_F(DataAgeTest, FifoEstimatesTheTimeOfItsOldestKey) {
  const auto time_of_oldest = [this]() -> int64_t {
    uint64_t seconds = 0;
    const bool is_known =
        db_->GetIntProperty(DB::Properties::kEstimateOldestKeyTime, &seconds);
    std::string text;
    EXPECT_EQ(db_->GetProperty(DB::Properties::kEstimateOldestKeyTime, &text),
              is_known);
    EXPECT_EQ(text, is_known ? std::to_string(seconds) : "");
    return is_known ? static_cast<int64_t>(seconds) : -1;
  };
  const auto flush_one = [this](uint64_t n) {
    int64_t now = 0;
    EXPECT_OK(clock_->GetCurrentTime(&now));
    EXPECT_OK(Put(Key(n), std::string(20000, 'v')));
    EXPECT_OK(Flush());
    EXPECT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    return now;
  };
  options_.preclude_last_level_data_seconds = 0;
  options_.compaction_style = kCompactionStyleFIFO;
  options_.num_levels = 1;
  options_.ttl = 0;
  options_.compaction_options_fifo.max_table_files_size = 50000;
  Open();
  EXPECT_EQ(time_of_oldest(), -1) << "there is no file";
  const int64_t first = flush_one(1);
  EXPECT_GE(time_of_oldest(), first);
  EXPECT_LT(time_of_oldest(), first + 500);
  Pass(1000);
  const int64_t second = flush_one(2);
  EXPECT_LT(time_of_oldest(), first + 500) << "of the older one";
  Pass(1000);
  flush_one(3);
  EXPECT_GE(time_of_oldest(), second) << "the first file is gone";
  EXPECT_LT(time_of_oldest(), second + 500);
  Reopen();
  EXPECT_GE(time_of_oldest(), second);
  EXPECT_LT(time_of_oldest(), second + 500);
  ASSERT_OK(db_->SetOptions(
      {{"compaction_options_fifo", "{allow_compaction=true;}"}}));
  EXPECT_EQ(time_of_oldest(), -1) << "keys may be older than their file";
  db_.reset();
  options_.compaction_style = kCompactionStyleUniversal;
  NewWorld();
  Open();
  flush_one(1);
  EXPECT_EQ(time_of_oldest(), -1) << "for FIFO alone";
}

// What waits in memory ages: its age counts from its first key, not from the
// flush.
class KeyAgeTest : public DataAgeTest {
 protected:
  KeyAgeTest() {
    options_.compaction_style = kCompactionStyleLevel;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.preclude_last_level_data_seconds = 0;
    options_.ttl = 0;
  }
  uint64_t Now() {
    int64_t now = 0;
    EXPECT_OK(clock_->GetCurrentTime(&now));
    return static_cast<uint64_t>(now);
  }
  TableProperties PropertiesOfNewest() {
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    TableProperties newest;
    for (const auto& [name, properties] : all) {
      if (properties->orig_file_number > newest.orig_file_number) {
        newest = *properties;
      }
    }
    return newest;
  }
  static void ExpectNear(uint64_t time, uint64_t expected) {
    EXPECT_GE(time, expected);
    EXPECT_LT(time, expected + 500) << "steps of the test are 1000 s";
  }
};

TEST_F(KeyAgeTest, CountsFromTheFirstKey) {
  options_.disable_auto_compactions = true;
  Open();
  Pass(1000);
  const uint64_t first = Now();
  ASSERT_OK(Put("a", "1"));
  Pass(1000);
  ASSERT_OK(Put("b", "2"));
  Pass(1000);
  const uint64_t flushed = Now();
  ASSERT_OK(Flush());
  const TableProperties properties = PropertiesOfNewest();
  ExpectNear(properties.oldest_key_time, first);
  ExpectNear(properties.creation_time, first);
  ExpectNear(properties.file_creation_time, flushed);
  ASSERT_EQ(Tables().size(), 1u);
  ExpectNear(Tables().front().oldest_ancester_time, first);
  ExpectNear(Tables().front().file_creation_time, flushed);
  // The next memtable has a time of its own.
  Pass(1000);
  const uint64_t second = Now();
  ASSERT_OK(Put("c", "3"));
  Pass(1000);
  ASSERT_OK(Flush());
  ExpectNear(PropertiesOfNewest().oldest_key_time, second);
  // A compaction passes on the time of its oldest input, and does not look at
  // keys.
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(PropertiesOfNewest().oldest_key_time, 0u);
  ExpectNear(PropertiesOfNewest().creation_time, first);
  Reopen();
  ExpectNear(Tables().front().oldest_ancester_time, first);
}

TEST_F(KeyAgeTest, OfSeveralMemtablesTheOldestCounts) {
  options_.disable_auto_compactions = true;
  options_.min_write_buffer_number_to_merge = 3;
  options_.max_write_buffer_number = 6;
  Open();
  const uint64_t first = Now();
  ASSERT_OK(Put("a", "1"));
  Pass(1000);
  auto batch = std::make_shared<WriteBatchWithIndex>(BytewiseComparator(), 0,
                                                     /*overwrite_key=*/true);
  ASSERT_OK(batch->Put("b", "2"));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  // It seals what there is, and is a memtable of its own.
  ASSERT_OK(db_->IngestWriteBatchWithIndex(unlogged, batch));
  Pass(1000);
  ASSERT_OK(Put("c", "3"));
  ASSERT_OK(Flush());
  ASSERT_EQ(Tables().size(), 1u);
  ExpectNear(PropertiesOfNewest().oldest_key_time, first);
}

TEST_F(KeyAgeTest, RecoveryKnowsNone) {
  options_.avoid_flush_during_shutdown = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  Pass(1000);
  const uint64_t reopened = Now();
  Reopen();
  EXPECT_EQ(PropertiesOfNewest().oldest_key_time, 0u);
  ExpectNear(PropertiesOfNewest().creation_time, reopened);
}

// A file goes as a whole: not before its newest keys are old enough.
TEST_F(KeyAgeTest, FilesOfFifoStyleAreAsOldAsTheirFlush) {
  options_.compaction_style = kCompactionStyleFIFO;
  options_.num_levels = 1;
  options_.disable_auto_compactions = true;
  Open();
  const uint64_t first = Now();
  ASSERT_OK(Put("a", "1"));
  Pass(1000);
  const uint64_t flushed = Now();
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Flush());
  ExpectNear(PropertiesOfNewest().oldest_key_time, first);
  ExpectNear(PropertiesOfNewest().creation_time, flushed);
}

TEST_F(KeyAgeTest, TtlBeginsWithTheFirstKey) {
  options_.ttl = 5000;
  Open();
  // So that the level of the next file is not the last one.
  ASSERT_OK(Put("a", "0"));
  ASSERT_OK(Put("c", "0"));
  CompactRangeOptions deep;
  deep.change_level = true;
  deep.target_level = kLast;
  ASSERT_OK(db_->CompactRange(deep, nullptr, nullptr));
  ASSERT_OK(Put("b", "1"));
  Pass(6000);
  ASSERT_OK(Flush());
  Wait();
  EXPECT_EQ(Levels(), "0,0,0,0,1");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
