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

#include "db/compaction/level_work.h"
#include "db/version/version_storage.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class FamilyStats {
 public:
  explicit FamilyStats(int level_count) : levels_(level_count) {}

  void AddCompaction(int output_level, const LevelWork& work);
  void AddFlush(const LevelWork& work);
  void AddStall(WriteStallCause cause, WriteStallCondition condition,
                bool compacts_level0);
  void Reset();

  // The table of levels that users know as "Compaction Stats", and what jobs
  // have done in all and since the call before.
  std::string LevelTable(const std::string& family,
                         const VersionStorage& storage) const;
  std::string StallText() const;
  std::map<std::string, std::string> Map(const VersionStorage& storage) const;
  std::map<std::string, std::string> StallMap() const;

 private:
  using Clock = std::chrono::steady_clock;
  // As of some moment.
  struct Totals {
    Clock::time_point at = Clock::now();
    LevelWork work;
    uint64_t flushed_bytes = 0;
  };

  LevelWork AllWork() const;
  std::string JobText(const Totals& now) const;

  std::vector<LevelWork> levels_;
  uint64_t flushed_bytes_ = 0;
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
// The live tables of every level.
std::string TablesText(const VersionStorage& storage);

}  // namespace ROCKSDB_NAMESPACE
