// Databases that share one Statistics and one clock, for a test that asks which
// counters any of them moves.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/composite_env.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

// The time of the operating system, and a microsecond more at each look, so
// that nothing takes no time at all; and the years that a test adds.
class TickingClock : public SystemClockWrapper {
 public:
  TickingClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "TickingClock"; }

  uint64_t NowMicros() override { return target_->NowMicros() + Tick(); }
  uint64_t NowNanos() override { return target_->NowNanos() + Tick() * 1000; }
  uint64_t CPUMicros() override { return target_->CPUMicros() + Tick(); }
  uint64_t CPUNanos() override { return target_->CPUNanos() + Tick() * 1000; }
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(NowMicros() / 1'000'000);
    return Status::OK();
  }
  void Age(uint64_t seconds) { added_ += seconds * 1'000'000; }

 private:
  uint64_t Tick() { return ++added_; }

  std::atomic<uint64_t> added_{0};
};

class CounterWorld {
 public:
  CounterWorld()
      : directory_("counters"),
        statistics_(CreateDBStatistics()),
        clock_(std::make_shared<TickingClock>()),
        env_(EnvOver(FileSystem::Default())) {
    statistics_->set_stats_level(StatsLevel::kAll);
  }

  const std::shared_ptr<Statistics>& statistics() const { return statistics_; }
  TickingClock* clock() { return clock_.get(); }
  Env* env() const { return env_.get(); }
  std::string Path(const std::string& name) const {
    return directory_.path() + "/" + name;
  }
  // The clock of this world over other files.
  std::unique_ptr<Env> EnvOver(const std::shared_ptr<FileSystem>& fs) const {
    return std::make_unique<CompositeEnvWrapper>(Env::Default(), fs, clock_);
  }
  Options Base() const {
    Options options;
    options.create_if_missing = true;
    options.env = env_.get();
    options.statistics = statistics_;
    options.compression = kNoCompression;
    options.disable_auto_compactions = true;
    options.level_compaction_dynamic_level_bytes = false;
    options.ttl = 0;
    options.periodic_compaction_seconds = 0;
    return options;
  }
  std::unique_ptr<DB> Open(const std::string& name,
                           const Options& options) const {
    std::unique_ptr<DB> db;
    EXPECT_OK(DB::Open(options, Path(name), &db));
    return db;
  }

 private:
  const TempDir directory_;
  const std::shared_ptr<Statistics> statistics_;
  const std::shared_ptr<TickingClock> clock_;
  const std::unique_ptr<Env> env_;
};

inline std::string NumberKey(int i) {
  return "key" + std::to_string(100000 + i);
}
// Bytes that no codec makes smaller.
inline std::string NoiseOf(size_t bytes) {
  Random64 random(bytes + 1);
  std::string noise;
  while (noise.size() < bytes) {
    noise += static_cast<char>(random.Uniform(256));
  }
  return noise;
}
inline void PutAll(DB* db, int from, int to, const std::string& value) {
  for (int i = from; i < to; ++i) {
    EXPECT_OK(db->Put(WriteOptions(), NumberKey(i), value));
  }
}
inline void FlushNow(DB* db) { EXPECT_OK(db->Flush(FlushOptions())); }
inline void PutAndFlush(DB* db, int from, int to, const std::string& value) {
  PutAll(db, from, to, value);
  FlushNow(db);
}
inline void AwaitCompactions(DB* db) {
  EXPECT_OK(db->WaitForCompact(WaitForCompactOptions()));
}
inline Status GetInto(DB* db, const std::string& key,
                      const ReadOptions& options = ReadOptions()) {
  std::string value;
  return db->Get(options, key, &value);
}
inline int ScanAll(DB* db, const ReadOptions& options = ReadOptions()) {
  const std::unique_ptr<Iterator> it(db->NewIterator(options));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_OK(it->status());
  return count;
}
inline void CompactWhole(DB* db) {
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  EXPECT_OK(db->CompactRange(options, nullptr, nullptr));
}
// All that there is to `level`, where nothing is deeper.
inline void MoveTo(DB* db, int level) {
  CompactRangeOptions options;
  options.change_level = true;
  options.target_level = level;
  EXPECT_OK(db->CompactRange(options, nullptr, nullptr));
}
inline std::vector<std::string> TablesAt(DB* db, int level) {
  std::vector<LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const LiveFileMetaData& file : files) {
    if (file.level == level) names.push_back(file.name);
  }
  return names;
}
inline void CompactFilesTo(DB* db, int from, int to) {
  EXPECT_OK(db->CompactFiles(CompactionOptions(), db->DefaultColumnFamily(),
                             TablesAt(db, from), to));
}

}  // namespace ROCKSDB_NAMESPACE
