// What the counters of a database counted in each period of the past.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Goes over the snapshots that DBOptions::stats_persist_period_sec takes, the
// oldest first. From DB::GetStatsHistory().
//
// Threads  One at a time. Snapshots may be taken meanwhile.
class StatsHistoryIterator {
 public:
  StatsHistoryIterator() = default;
  virtual ~StatsHistoryIterator() = default;
  StatsHistoryIterator(const StatsHistoryIterator&) = delete;
  StatsHistoryIterator& operator=(const StatsHistoryIterator&) = delete;

  // False behind the last snapshot.
  virtual bool Valid() const = 0;
  virtual Status status() const = 0;
  // The next one that is still kept.
  virtual void Next() = 0;

  // The calls below need Valid().
  // When the snapshot was taken, in seconds since 1970.
  virtual uint64_t GetStatsTime() const = 0;
  // The version of the format on disk; -1: the snapshot is kept in memory.
  virtual int GetFormatVersion() const { return -1; }
  // What each ticker counted since the snapshot before. Valid until Next().
  virtual const std::map<std::string, uint64_t>& GetStatsMap() const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
