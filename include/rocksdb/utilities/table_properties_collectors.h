// Collectors of table properties that come with the engine.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// Asks for the compaction of files with many deletions, which cost every scan
// that meets them; for ColumnFamilyOptions::
// table_properties_collector_factories.
//
// Threads  The numbers may be changed at any time; they hold for files that
//          are begun afterwards.
class CompactOnDeletionCollectorFactory
    : public TablePropertiesCollectorFactory {
 public:
  // `deletion_trigger` deletions among `sliding_window_size` entries in a row
  // (0: never), or `deletion_ratio` of the whole file (not in (0, 1]: never),
  // mark a file of at least `min_file_size` bytes.
  CompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                    size_t deletion_trigger,
                                    double deletion_ratio,
                                    uint64_t min_file_size = 0);
  ~CompactOnDeletionCollectorFactory() override;

  static const char* kClassName() { return "CompactOnDeletionCollector"; }
  const char* Name() const override { return kClassName(); }
  std::string ToString() const override;
  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context context) override;

  void SetWindowSize(size_t sliding_window_size);
  size_t GetWindowSize() const;
  void SetDeletionTrigger(size_t deletion_trigger);
  size_t GetDeletionTrigger() const;
  void SetDeletionRatio(double deletion_ratio);
  double GetDeletionRatio() const;
  void SetMinFileSize(uint64_t min_file_size);
  uint64_t GetMinFileSize() const;

  // In text: window_size, deletion_trigger, deletion_ratio, min_file_size. By
  // its name alone it marks nothing.
  Status ConfigureOption(const ConfigOptions& config_options,
                         const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config_options,
                         std::string* result) const override;

 private:
  struct Numbers;
  const std::unique_ptr<Numbers> numbers_;
};

std::shared_ptr<CompactOnDeletionCollectorFactory>
NewCompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                     size_t deletion_trigger,
                                     double deletion_ratio = 0,
                                     uint64_t min_file_size = 0);

// Asks for the compaction of files with many entries that are old enough for
// the last level, by preclude_last_level_data_seconds, and are not in it. How
// many they are is such a file's user property
// rocksdb.eligible.last.level.entries, in decimal.
//
// Threads  As above.
class CompactForTieringCollectorFactory
    : public TablePropertiesCollectorFactory {
 public:
  // A file is marked where so many of its entries, of all, are that old. 0 or
  // less: neither marks nor property; above 1: the property alone.
  explicit CompactForTieringCollectorFactory(double compaction_trigger_ratio);
  ~CompactForTieringCollectorFactory() override;

  static const char* kClassName() { return "CompactForTieringCollector"; }
  const char* Name() const override { return kClassName(); }
  std::string ToString() const override;
  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context context) override;

  void SetCompactionTriggerRatio(double new_ratio);
  double GetCompactionTriggerRatio() const;

  // In text: compaction_trigger_ratio. By its name alone it does nothing.
  Status ConfigureOption(const ConfigOptions& config_options,
                         const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config_options,
                         std::string* result) const override;

 private:
  std::atomic<double> compaction_trigger_ratio_;
};

std::shared_ptr<CompactForTieringCollectorFactory>
NewCompactForTieringCollectorFactory(double compaction_trigger_ratio);

// When the entries of some files were written. Seconds since 1970.
struct DataCollectionUnixWriteTimeInfo {
  // The oldest, newest and average time of the entries whose time is known.
  uint64_t min_write_time = 0;
  uint64_t max_write_time = 0;
  uint64_t average_write_time = 0;
  // Entries from before anything was noted, those whose time is known, and
  // those of files that say nothing.
  uint64_t num_entries_infinitely_old = 0;
  uint64_t num_entries_write_time_aggregated = 0;
  uint64_t num_entries_write_time_untracked = 0;

  DataCollectionUnixWriteTimeInfo() = default;
  DataCollectionUnixWriteTimeInfo(uint64_t _min_write_time,
                                  uint64_t _max_write_time,
                                  uint64_t _average_write_time,
                                  uint64_t _num_entries_infinitely_old,
                                  uint64_t _num_entries_write_time_aggregated,
                                  uint64_t _num_entries_write_time_untracked)
      : min_write_time(_min_write_time),
        max_write_time(_max_write_time),
        average_write_time(_average_write_time),
        num_entries_infinitely_old(_num_entries_infinitely_old),
        num_entries_write_time_aggregated(_num_entries_write_time_aggregated),
        num_entries_write_time_untracked(_num_entries_write_time_untracked) {}

  bool DataCollectionIsEmpty() const {
    return num_entries_infinitely_old == 0 &&
           num_entries_write_time_aggregated == 0 &&
           num_entries_write_time_untracked == 0;
  }
  // The share of entries that files say something of; 0 if there are none.
  double TrackedDataRatio() const;
  bool HasInfinitelyOldData() const { return num_entries_infinitely_old > 0; }
};

// Both are NotSupported, as in RocksDB: no file says when all of its entries
// were written.
Status GetDataCollectionUnixWriteTimeInfoForFile(
    const std::shared_ptr<const TableProperties>& table_properties,
    std::unique_ptr<DataCollectionUnixWriteTimeInfo>* file_info);
Status GetDataCollectionUnixWriteTimeInfoForLevels(
    const std::vector<std::unique_ptr<TablePropertiesCollection>>&
        levels_table_properties,
    std::vector<std::unique_ptr<DataCollectionUnixWriteTimeInfo>>* levels_info);

}  // namespace ROCKSDB_NAMESPACE
