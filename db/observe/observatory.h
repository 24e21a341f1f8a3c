// What operators see of a database: its properties, where its memory is, the
// text for Prometheus, and statistics that go into LOG, into memory or into a
// family of their own every so often.
//
// Threads    Any, without the DB mutex; Apply() one at a time. Stop() comes
//            before Close(), and both before the database's parts go.
// Ownership  Borrows what it looks at.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class DatabaseStats;
class PeriodicTask;
class PersistentStats;
class StateProperties;
class StatsHistory;
class StatsHistoryIterator;
struct IntProperty;
struct Observed;
struct MemoryReport;
struct MutableDBOptions;

class Observatory {
 public:
  // `counts`: what the write path counts.
  Observatory(const Observed& observed, DatabaseStats* counts);
  ~Observatory();
  Observatory(const Observatory&) = delete;
  Observatory& operator=(const Observatory&) = delete;

  // Snapshots of the statistics are read there, and written there if so.
  // Before Start().
  enum class Snapshots { kWritten, kOnlyRead };
  void KeepIn(std::shared_ptr<PersistentStats> history, Snapshots snapshots);
  // The first snapshot of a database that opens is where its counts begin.
  void Start(const MutableDBOptions& now);
  // Takes over the options that SetDBOptions() has changed.
  void Apply(const MutableDBOptions& now);
  // Nothing is written any more.
  void Stop();
  // Nothing is looked at any more that takes a state of a family.
  void Close() { is_closed_ = true; }

  // --- of the family `cfd`; false: there is no such property, or it cannot be
  // found out, or the family is gone
  bool GetInt(ColumnFamilyData* cfd, const Slice& property, uint64_t* value);
  bool GetText(ColumnFamilyData* cfd, const Slice& property,
               std::string* value);
  bool GetMap(ColumnFamilyData* cfd, const Slice& property,
              std::map<std::string, std::string>* value);
  // Over all families. What they share counts once.
  bool GetAggregatedInt(const Slice& property, uint64_t* value);

  void WritePrometheus(std::string* text);
  MemoryReport Memory() const;
  void ResetCounts();
  Status NewHistoryIterator(
      uint64_t from, uint64_t to,
      std::unique_ptr<StatsHistoryIterator>* iterator) const;

 private:
  bool GetOfFamily(const IntProperty& property, ColumnFamilyData* cfd,
                   uint64_t* value) const;
  bool SumOfCaches(const IntProperty& property, uint64_t* value) const;
  void Dump();
  void TakeSnapshot();
  std::vector<std::shared_ptr<ColumnFamilyData>> HoldFamilies() const;

  const std::unique_ptr<const Observed> here_;
  const Observed& observed_;
  DatabaseStats* const counts_;
  const std::unique_ptr<StateProperties> state_properties_;
  bool is_closed_ = false;
  const std::shared_ptr<StatsHistory> history_;  // in memory
  std::shared_ptr<PersistentStats> persistent_;  // null: there is none
  Snapshots snapshots_kept_ = Snapshots::kOnlyRead;
  std::atomic<size_t> history_budget_bytes_{0};
  const std::unique_ptr<PeriodicTask> dumps_;
  const std::unique_ptr<PeriodicTask> snapshots_;
};

}  // namespace ROCKSDB_NAMESPACE
