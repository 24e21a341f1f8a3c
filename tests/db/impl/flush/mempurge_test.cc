// experimental_mempurge_threshold through the whole engine: flushes that write
// no file, and the flushes that do all the same.
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/listener.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MemFileSystemOptions PurgedInMemory() {
  MemFileSystemOptions options;
  options.implicit_directories = true;
  return options;
}

class FlushCount final : public EventListener {
 public:
  void OnFlushBegin(DB*, const FlushJobInfo&) override { ++begun; }
  void OnFlushCompleted(DB*, const FlushJobInfo&) override { ++completed; }
  std::atomic<int> begun{0};
  std::atomic<int> completed{0};
};

class MempurgeTest : public FamiliesFixture {
 protected:
  MempurgeTest() : flushes_(std::make_shared<FlushCount>()) {
    options_.experimental_mempurge_threshold = 1;
    options_.write_buffer_size = 64 << 10;
    options_.arena_block_size = 4 << 10;
    options_.disable_auto_compactions = true;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.listeners.push_back(flushes_);
  }
  // Writes keys that nobody writes again: once their memtable is purged, only
  // the memtable that replaces it and the oldest logs have them.
  void WriteOnce() {
    for (int i = 0; i < 20; ++i) {
      const std::string key = "early" + std::to_string(10 + i);
      ASSERT_OK(Put(key, "once"));
      model_[key] = "once";
    }
  }
  // Writes 50 keys in turn.
  void Overwrite(int writes) {
    for (int i = 0; i < writes; ++i) {
      const std::string key = "k" + std::to_string(10 + i % 50);
      const std::string value = "value " + std::to_string(i);
      ASSERT_OK(Put(key, value));
      model_[key] = value;
    }
  }
  std::string Model() const {
    std::string all;
    for (const auto& [key, value] : model_) all += key + "=" + value + " ";
    return all;
  }
  uint64_t Property(const std::string& name) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(name, &value)) << name;
    return value;
  }
  // What was sealed has gone through its flush.
  void AwaitFlushes() {
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  }

  std::shared_ptr<FlushCount> flushes_;
  std::map<std::string, std::string> model_;
};

TEST_F(MempurgeTest, OverwrittenKeysReachNoTable) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(WriteOnce());
  ASSERT_NO_FATAL_FAILURE(Overwrite(20000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_EQ(Tables().size(), 0u);
  EXPECT_EQ(flushes_->begun.load(), 0);
  EXPECT_EQ(flushes_->completed.load(), 0);
  EXPECT_EQ(Property(DB::Properties::kNumImmutableMemTable), 1u);
  EXPECT_EQ(Scan(), Model());
  EXPECT_EQ(Get("k17"), model_["k17"]);
  // All that is needed is in the logs.
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), Model());
}

TEST_F(MempurgeTest, SnapshotsKeepTheirValues) {
  ASSERT_NO_FATAL_FAILURE(Open());
  std::vector<std::pair<const Snapshot*, std::string>> snapshots;
  for (int i = 0; i < 10; ++i) {
    ASSERT_NO_FATAL_FAILURE(Overwrite(1000 + i));
    snapshots.emplace_back(db_->GetSnapshot(), Model());
  }
  ASSERT_NO_FATAL_FAILURE(Overwrite(3000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  for (const auto& [snapshot, expected] : snapshots) {
    ReadOptions read;
    read.snapshot = snapshot;
    EXPECT_EQ(Scan(read), expected);
    db_->ReleaseSnapshot(snapshot);
  }
  EXPECT_EQ(Scan(), Model());
  EXPECT_EQ(Tables().size(), 0u);
}

// An iterator goes on with the memtables that it has begun with.
TEST_F(MempurgeTest, IteratorsKeepWhatTheyHave) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Overwrite(100));
  const std::string before = Model();
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_NO_FATAL_FAILURE(Overwrite(5000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  std::string found;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    found += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  EXPECT_OK(it->status());
  EXPECT_EQ(found, before);
}

TEST_F(MempurgeTest, UsefulDataGoToTables) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 3000; ++i) {
    const std::string key = "k" + std::to_string(10000 + i);
    ASSERT_OK(Put(key, std::string(100, 'v')));
    model_[key] = std::string(100, 'v');
  }
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_GT(Tables().size(), 1u);
  EXPECT_EQ(Scan(), Model());
}

// However high it is: no memtable is larger than write_buffer_size.
TEST_F(MempurgeTest, ThresholdsAboveTheMemtablesTryEachTime) {
  options_.experimental_mempurge_threshold = 100;
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 3000; ++i) {
    ASSERT_OK(Put("k" + std::to_string(10000 + i), std::string(100, 'v')));
  }
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_GT(Tables().size(), 1u);
  ASSERT_NO_FATAL_FAILURE(Overwrite(2000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  for (const auto& [key, value] : model_) EXPECT_EQ(Get(key), value);
}

TEST_F(MempurgeTest, FlushesThatAreAskedForWriteTables) {
  for (const bool allows_stall : {false, true}) {
    SCOPED_TRACE(allows_stall);
    options_.max_write_buffer_number = 2;
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(Overwrite(5000));
    ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
    EXPECT_EQ(Tables().size(), 0u);
    FlushOptions flush;
    flush.allow_write_stall = allows_stall;
    ASSERT_OK(db_->Flush(flush));
    EXPECT_GT(Tables().size(), 0u);
    EXPECT_EQ(Property(DB::Properties::kNumImmutableMemTable), 0u);
    EXPECT_EQ(Scan(), Model());
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// A flush that is to hold up no writer waits for room, which what is purged
// makes only if it is asked to: compactions that are under way make none.
TEST_F(MempurgeTest, FlushesThatWaitForRoomMakeIt) {
  CompactionGate gate;
  options_.compaction_filter = &gate;
  options_.max_write_buffer_number = 2;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k10", "1"));
  ASSERT_OK(Flush());
  std::thread compaction([this] { EXPECT_OK(CompactAll(/*force=*/true)); });
  gate.Await();
  ASSERT_NO_FATAL_FAILURE(Overwrite(5000));
  ASSERT_OK(Flush());
  EXPECT_EQ(Property(DB::Properties::kNumImmutableMemTable), 0u);
  gate.Open();
  compaction.join();
  EXPECT_EQ(Scan(), Model());
}

TEST_F(MempurgeTest, IsSwitchedOnAndOff) {
  options_.experimental_mempurge_threshold = 0;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Overwrite(3000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  const size_t tables = Tables().size();
  EXPECT_GT(tables, 0u);
  ASSERT_OK(db_->SetOptions({{"experimental_mempurge_threshold", "1.0"}}));
  ASSERT_NO_FATAL_FAILURE(Overwrite(5000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_EQ(Tables().size(), tables);
  ASSERT_OK(db_->SetOptions({{"experimental_mempurge_threshold", "0"}}));
  ASSERT_NO_FATAL_FAILURE(Overwrite(3000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_GT(Tables().size(), tables);
  EXPECT_EQ(Property(DB::Properties::kNumImmutableMemTable), 0u);
  EXPECT_EQ(Scan(), Model());
}

TEST_F(MempurgeTest, NotWhereFamiliesFlushTogetherOrLogsAreBounded) {
  options_.atomic_flush = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Overwrite(3000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_GT(Tables().size(), 0u);
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  options_.atomic_flush = false;
  options_.max_total_wal_size = 1 << 20;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Overwrite(5000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_EQ(Tables().size(), 0u);
  ASSERT_NO_FATAL_FAILURE(Overwrite(60000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_GT(Tables().size(), 0u);
  EXPECT_EQ(Scan(), Model());
}

// The logs of one family are held by what it has purged, and go when another
// family wants them to.
TEST_F(MempurgeTest, OtherFamiliesFlushesKeepTheLogs) {
  ASSERT_NO_FATAL_FAILURE(Open());
  db_.reset();
  options_.create_missing_column_families = true;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({kDefaultColumnFamilyName, "other"}));
  ASSERT_NO_FATAL_FAILURE(WriteOnce());
  ASSERT_NO_FATAL_FAILURE(Overwrite(5000));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  ASSERT_OK(PutIn(1, "o", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
  ASSERT_OK(PutIn(1, "o", "2"));
  EXPECT_EQ(Property(DB::Properties::kNumImmutableMemTable), 1u);
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({kDefaultColumnFamilyName, "other"}));
  EXPECT_EQ(ScanOf(0), Model());
  EXPECT_EQ(ScanOf(1), "o=2 ");
}

// What no log has goes to tables when the database is closed.
TEST_F(MempurgeTest, UnloggedDataSurviveAClose) {
  ASSERT_NO_FATAL_FAILURE(Open());
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  WriteBatch batch;  // It fills the memtable.
  for (int i = 0; i < 5000; ++i) {
    ASSERT_OK(batch.Put("k" + std::to_string(i % 10), "v"));
  }
  ASSERT_OK(db_->Write(unlogged, &batch));
  // What is active after this has nothing but this, which a log has.
  ASSERT_OK(Put("k3", "last"));
  ASSERT_NO_FATAL_FAILURE(AwaitFlushes());
  EXPECT_EQ(Tables().size(), 0u);
  EXPECT_EQ(Property(DB::Properties::kNumImmutableMemTable), 1u);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), "k0=v k1=v k2=v k3=last k4=v k5=v k6=v k7=v k8=v k9=v ");
}

TEST_F(MempurgeTest, RandomOperationsAgreeWithAMap) {
  Random64 random(2828);
  for (const char* threshold : {"0.2", "1", "3", "50"}) {
    SCOPED_TRACE(threshold);
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(
        db_->SetOptions({{"experimental_mempurge_threshold", threshold}}));
    std::vector<std::pair<const Snapshot*, std::string>> snapshots;
    for (int i = 0; i < 12000; ++i) {
      const std::string key = "k" + std::to_string(10 + random.Uniform(60));
      const std::string value(random.Uniform(60),
                              static_cast<char>('a' + i % 26));
      switch (random.Uniform(20)) {
        case 0:
          ASSERT_OK(Delete(key));
          model_.erase(key);
          break;
        case 1: {
          const std::string once = "s" + std::to_string(i);
          ASSERT_OK(Put(once, value));
          ASSERT_OK(db_->SingleDelete(WriteOptions(), once));
          break;
        }
        case 2:
          if (model_[key].size() > 500) {
            ASSERT_OK(Put(key, value));
            model_[key] = value;
          } else if (model_.contains(key) && !model_[key].empty()) {
            ASSERT_OK(db_->Merge(WriteOptions(), key, value));
            model_[key] += "," + value;
          } else {
            ASSERT_OK(Put(key, value));
            model_[key] = value;
          }
          break;
        case 3:
          if (random.Uniform(10) == 0) {
            ASSERT_OK(db_->DeleteRange(WriteOptions(), key, key + "~"));
            ASSERT_OK(db_->DeleteRange(WriteOptions(), "k2", "k3"));
            model_.erase(key);
            model_.erase(model_.lower_bound("k2"), model_.lower_bound("k3"));
          }
          break;
        case 4:
          if (random.Uniform(300) == 0) {
            ASSERT_OK(Flush());
          }
          if (random.Uniform(100) == 0) {
            snapshots.emplace_back(db_->GetSnapshot(), Model());
          }
          break;
        default:
          ASSERT_OK(Put(key, value));
          model_[key] = value;
      }
    }
    EXPECT_EQ(Scan(), Model());
    for (const auto& [snapshot, expected] : snapshots) {
      ReadOptions read;
      read.snapshot = snapshot;
      EXPECT_EQ(Scan(read), expected);
      db_->ReleaseSnapshot(snapshot);
    }
    ASSERT_NO_FATAL_FAILURE(Reopen());
    EXPECT_EQ(Scan(), Model());
  }
}

// Each call fails once, and a crash follows: what was acknowledged is there.
TEST(MempurgeFaultTest, NothingIsLostWhateverFails) {
  constexpr const char* kPath = "/db";
  const auto fs = std::make_shared<FaultInjectionFileSystem>(
      std::make_shared<MemFileSystem>(SystemClock::Default(), PurgedInMemory()),
      28);
  const std::unique_ptr<Env> env(NewCompositeEnv(fs));
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.experimental_mempurge_threshold = 1;
  options.write_buffer_size = 64 << 10;
  options.arena_block_size = 4 << 10;
  options.info_log_level = InfoLogLevel::FATAL_LEVEL;
  for (uint64_t k = 1;; k += 3) {
    SCOPED_TRACE("call " + std::to_string(k));
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::Open(options, kPath, &db));
    fs->FailCall({.call = k});
    WriteOptions synced;
    synced.sync = true;
    int last = -1;
    const bool has_first = db->Put(synced, "first", "1").ok();
    for (int i = 0; has_first && i < 200; ++i) {
      if (!db->Put(synced, "k" + std::to_string(i % 4),
                   std::to_string(i) + std::string(1000, 'v'))
               .ok()) {
        break;
      }
      last = i;
      if (i == 150 && !db->Flush(FlushOptions()).ok()) break;
    }
    const bool has_failed = fs->failed();
    ASSERT_OK(fs->CrashAndHeal());
    fs->ClearFault();
    db.reset();
    ASSERT_OK(DB::Open(options, kPath, &db));
    std::string first;
    if (has_first) {
      EXPECT_OK(db->Get(ReadOptions(), "first", &first));
    }
    for (int i = std::max(last - 3, 0); i <= last; ++i) {
      std::string value;
      ASSERT_OK(db->Get(ReadOptions(), "k" + std::to_string(i % 4), &value));
      // The write that failed may be there, or not.
      const int found = std::stoi(value);
      EXPECT_TRUE(found == i || (found == last + 1 && found % 4 == i % 4))
          << found << " " << i;
    }
    db.reset();
    ASSERT_OK(DestroyDB(kPath, options));
    if (!has_failed) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
