// What the engine counts for its own reports: work by level, stalls, and the
// tables of text made of them.
//
// Threads  Under the DB mutex.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/outputs/level_work.h"
#include "db/version/version_storage.h"
#include "rocksdb/env.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// Tables that were made elsewhere.
struct IngestedWork {
  uint64_t bytes = 0;
  uint64_t files = 0;
  uint64_t level0_files = 0;
  uint64_t keys = 0;

  IngestedWork Plus(const IngestedWork& more) const {
    return {bytes + more.bytes, files + more.files,
            level0_files + more.level0_files, keys + more.keys};
  }
  IngestedWork Minus(const IngestedWork& less) const {
    return {bytes - less.bytes, files - less.files,
            level0_files - less.level0_files, keys - less.keys};
  }
};

class FamilyStats {
 public:
  explicit FamilyStats(int level_count) : levels_(level_count) {}

  // `pool` is that of the thread that has done it; USER: a caller's own.
  void AddCompaction(int output_level, Env::Priority pool,
                     const LevelWork& work);
  void AddFlush(Env::Priority pool, const LevelWork& work);
  void AddIngested(const IngestedWork& work);
  void AddStall(WriteStallCause cause, WriteStallCondition condition,
                bool compacts_level0);
  void Reset();

  // The tables of levels and of pools that users know as "Compaction Stats",
  // and what jobs have done in all and since the call before.
  std::string LevelTable(const std::string& family,
                         const VersionStorage& storage) const;
  std::string StallText() const;
  std::map<std::string, std::string> Map(const VersionStorage& storage) const;
  std::map<std::string, std::string> StallMap() const;

 private:
  using Clock = std::chrono::steady_clock;
  // What had been done in all at some moment.
  struct Totals {
    Clock::time_point at = Clock::now();
    LevelWork work;
    uint64_t flushed_bytes = 0;
    IngestedWork ingested;
  };

  LevelWork AllWork() const;
  std::string PoolTable(const std::string& family) const;
  std::string JobText(const Totals& now) const;

  std::vector<LevelWork> levels_;
  // Only of pools that have done some.
  std::map<Env::Priority, LevelWork> pools_;
  uint64_t flushed_bytes_ = 0;
  IngestedWork ingested_;
  uint64_t stopped_count_ = 0;
  uint64_t delayed_count_ = 0;
  std::map<WriteStallCause, std::array<uint64_t, 2>> by_cause_;
  std::array<uint64_t, 2> level0_while_compacting_{};  // delays, stops
  // When this began, and what LevelTable() has told last.
  Clock::time_point start_ = Clock::now();
  mutable Totals told_;
};

// "Level Files Size(MB)" lines.
std::string LevelStatsText(const VersionStorage& storage);
// Number, size and garbage of the blob files.
std::string BlobStatsText(const VersionStorage& storage);
// The live tables of every level, of a version by its number; in brackets how
// often reads were sampled.
std::string TablesText(const VersionStorage& storage, uint64_t version);

}  // namespace ROCKSDB_NAMESPACE
