// For each dynamic option of a column family: what SetOptions() sets is what
// the engine goes by from then on.
//
// Each row has a case of its name, in one of the dynamic_*_rows_test.cc:
// without one the tests do not link. A case opens the database itself, with the
// fixed options that it wants.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/composite_env.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "tests/db/impl/direct_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class DynamicFamilyRows : public DirectFixture,
                          public ::testing::WithParamInterface<size_t> {
 public:
  // The jobs that ended well.
  class Jobs final : public EventListener {
   public:
    void OnCompactionCompleted(DB* /*db*/,
                               const CompactionJobInfo& info) override {
      if (!info.status.ok()) return;
      MutexLock lock(&mutex_);
      compactions_.push_back(info);
    }
    // Since this was asked last.
    std::vector<CompactionJobInfo> Take() {
      MutexLock lock(&mutex_);
      return std::move(compactions_);
    }

   private:
    Mutex mutex_;
    std::vector<CompactionJobInfo> compactions_ GUARDED_BY(mutex_);
  };

  // Runs ahead of the system's by what the test lets pass.
  class Clock final : public SystemClockWrapper {
   public:
    Clock() : SystemClockWrapper(SystemClock::Default()) {}
    const char* Name() const override { return "DynamicFamilyRows::Clock"; }
    uint64_t NowMicros() override {
      return SystemClockWrapper::NowMicros() + ahead_seconds * 1'000'000;
    }
    Status GetCurrentTime(int64_t* seconds) override {
      Status s = SystemClockWrapper::GetCurrentTime(seconds);
      *seconds += static_cast<int64_t>(ahead_seconds);
      return s;
    }
    std::atomic<uint64_t> ahead_seconds{0};
  };

#define FIXED(member, ...)
#define DYNAMIC(member, ...) void member();
#include "options/column_family_rows.def"

 protected:
  DynamicFamilyRows()
      : clocked_(std::make_unique<CompositeEnvWrapper>(Env::Default(), fs_,
                                                       clock_)) {
    options_.env = clocked_.get();
    options_.use_direct_io_for_compaction_reads = false;
    options_.compaction_keeps_hot_data = false;
    options_.arena_block_size = 16 << 10;
    options_.listeners = {jobs_};
  }
  ~DynamicFamilyRows() override { db_.reset(); }

  void Set(const std::string& name, const std::string& value) {
    ASSERT_OK(db_->SetOptions({{name, value}}));
  }
  void Await() { ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions())); }
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
    return value;
  }
  uint64_t PendingBytes() {
    return Number(DB::Properties::kEstimatePendingCompactionBytes);
  }
  bool IsStopped() { return Number(DB::Properties::kIsWriteStopped) != 0; }
  bool IsSlowed() {
    return Number(DB::Properties::kActualDelayedWriteRate) != 0;
  }
  uint64_t Sealed() { return Number(DB::Properties::kNumImmutableMemTable); }
  // What is written now is flushed: the next memtable has the options in force.
  void BeginMemtable() {
    ASSERT_OK(Put("flushed", "1"));
    ASSERT_OK(Flush());
  }
  void FillMemtable() {
    BeginMemtable();
    for (int i = 0; i < 100; ++i) ASSERT_OK(Put(Key(i), Value(i, 1)));
  }
  // The properties of the table file that was made last.
  std::shared_ptr<const TableProperties> NewestTable() {
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    std::map<std::string, std::shared_ptr<const TableProperties>> by_name(
        all.begin(), all.end());
    if (by_name.empty()) {
      ADD_FAILURE() << "no table";
      return std::make_shared<TableProperties>();
    }
    return by_name.rbegin()->second;
  }
  std::shared_ptr<const TableProperties> Flushed() {
    WriteFile(1, 1, 100);
    return NewestTable();
  }
  std::shared_ptr<const TableProperties> Compacted() {
    WriteFile(1, 1, 100);
    EXPECT_OK(CompactAll(/*force=*/true));
    return NewestTable();
  }
  Temperature NewestTemperature() {
    const std::vector<LiveFileMetaData> tables = Tables();
    EXPECT_FALSE(tables.empty());
    const auto newest = std::max_element(
        tables.begin(), tables.end(),
        [](const auto& a, const auto& b) { return a.name < b.name; });
    return newest == tables.end() ? Temperature::kUnknown : newest->temperature;
  }
  // Bytes of files that were read by `work`.
  template <class Work>
  uint64_t BytesReadBy(const Work& work) {
    Forget();
    work();
    uint64_t bytes = 0;
    for (const ReadRecord& read : recorder_->reads()) bytes += read.length;
    return bytes;
  }
  // Damages the value that a read of the key would show, where it lies.
  void Damage(const std::string& key) {
    ReadOptions read;
    read.pin_data = true;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Seek(key);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key(), key);
    *const_cast<char*>(it->value().data()) ^= 1;
  }
  bool IsCorrupt(const std::string& key) {
    std::string value;
    return db_->Get(ReadOptions(), key, &value).IsCorruption();
  }

  const std::shared_ptr<Jobs> jobs_ = std::make_shared<Jobs>();
  const std::shared_ptr<Clock> clock_ = std::make_shared<Clock>();
  std::unique_ptr<Env> clocked_;
};

}  // namespace ROCKSDB_NAMESPACE
