// DBImpl: properties by name.
#include <algorithm>
#include <optional>
#include <set>

#include "db/impl/background_io_stats.h"
#include "db/impl/database_stats.h"
#include "db/impl/db_impl.h"
#include "db/impl/obsolete_files.h"
#include "db/impl/wal_manager.h"
#include "db/version/fresh_stage.h"
#include "file/io_governor.h"
#include "options/option_row.h"
#include "rocksdb/cache.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/periodic_task.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

using P = DB::Properties;

#define BASALT_PROPERTY(constant, text) \
  const std::string P::constant = "rocksdb." text

BASALT_PROPERTY(kNumFilesAtLevelPrefix, "num-files-at-level");
BASALT_PROPERTY(kCompressionRatioAtLevelPrefix, "compression-ratio-at-level");
BASALT_PROPERTY(kStats, "stats");
BASALT_PROPERTY(kSSTables, "sstables");
BASALT_PROPERTY(kCFStats, "cfstats");
BASALT_PROPERTY(kCFStatsNoFileHistogram, "cfstats-no-file-histogram");
BASALT_PROPERTY(kCFFileHistogram, "cf-file-histogram");
BASALT_PROPERTY(kCFWriteStallStats, "cf-write-stall-stats");
BASALT_PROPERTY(kDBWriteStallStats, "db-write-stall-stats");
BASALT_PROPERTY(kDBStats, "dbstats");
BASALT_PROPERTY(kLevelStats, "levelstats");
BASALT_PROPERTY(kBlockCacheEntryStats, "block-cache-entry-stats");
BASALT_PROPERTY(kFastBlockCacheEntryStats, "fast-block-cache-entry-stats");
BASALT_PROPERTY(kNumImmutableMemTable, "num-immutable-mem-table");
BASALT_PROPERTY(kNumImmutableMemTableFlushed,
                "num-immutable-mem-table-flushed");
BASALT_PROPERTY(kMemTableFlushPending, "mem-table-flush-pending");
BASALT_PROPERTY(kNumRunningFlushes, "num-running-flushes");
BASALT_PROPERTY(kCompactionPending, "compaction-pending");
BASALT_PROPERTY(kNumRunningCompactions, "num-running-compactions");
BASALT_PROPERTY(kNumRunningCompactionSortedRuns,
                "num-running-compaction-sorted-runs");
BASALT_PROPERTY(kBackgroundErrors, "background-errors");
BASALT_PROPERTY(kCurSizeActiveMemTable, "cur-size-active-mem-table");
BASALT_PROPERTY(kCurSizeAllMemTables, "cur-size-all-mem-tables");
BASALT_PROPERTY(kSizeAllMemTables, "size-all-mem-tables");
BASALT_PROPERTY(kNumEntriesActiveMemTable, "num-entries-active-mem-table");
BASALT_PROPERTY(kNumEntriesImmMemTables, "num-entries-imm-mem-tables");
BASALT_PROPERTY(kNumDeletesActiveMemTable, "num-deletes-active-mem-table");
BASALT_PROPERTY(kNumDeletesImmMemTables, "num-deletes-imm-mem-tables");
BASALT_PROPERTY(kEstimateNumKeys, "estimate-num-keys");
BASALT_PROPERTY(kEstimateTableReadersMem, "estimate-table-readers-mem");
BASALT_PROPERTY(kIsFileDeletionsEnabled, "is-file-deletions-enabled");
BASALT_PROPERTY(kNumSnapshots, "num-snapshots");
BASALT_PROPERTY(kOldestSnapshotTime, "oldest-snapshot-time");
BASALT_PROPERTY(kOldestSnapshotSequence, "oldest-snapshot-sequence");
BASALT_PROPERTY(kNumLiveVersions, "num-live-versions");
BASALT_PROPERTY(kCurrentSuperVersionNumber, "current-super-version-number");
BASALT_PROPERTY(kEstimateLiveDataSize, "estimate-live-data-size");
BASALT_PROPERTY(kMinLogNumberToKeep, "min-log-number-to-keep");
BASALT_PROPERTY(kMinObsoleteSstNumberToKeep, "min-obsolete-sst-number-to-keep");
BASALT_PROPERTY(kTotalSstFilesSize, "total-sst-files-size");
BASALT_PROPERTY(kLiveSstFilesSize, "live-sst-files-size");
BASALT_PROPERTY(kLiveSstFilesSizeAtTemperature,
                "live-sst-files-size-at-temperature");
BASALT_PROPERTY(kObsoleteSstFilesSize, "obsolete-sst-files-size");
BASALT_PROPERTY(kBaseLevel, "base-level");
BASALT_PROPERTY(kEstimatePendingCompactionBytes,
                "estimate-pending-compaction-bytes");
BASALT_PROPERTY(kAggregatedTableProperties, "aggregated-table-properties");
BASALT_PROPERTY(kAggregatedTablePropertiesAtLevel,
                "aggregated_table_properties_at_level");
BASALT_PROPERTY(kActualDelayedWriteRate, "actual-delayed-write-rate");
BASALT_PROPERTY(kIsWriteStopped, "is-write-stopped");
BASALT_PROPERTY(kEstimateOldestKeyTime, "estimate-oldest-key-time");
BASALT_PROPERTY(kBlockCacheCapacity, "block-cache-capacity");
BASALT_PROPERTY(kBlockCacheUsage, "block-cache-usage");
BASALT_PROPERTY(kBlockCachePinnedUsage, "block-cache-pinned-usage");
BASALT_PROPERTY(kOptionsStatistics, "options-statistics");
BASALT_PROPERTY(kNumBlobFiles, "num-blob-files");
BASALT_PROPERTY(kBlobStats, "blob-stats");
BASALT_PROPERTY(kTotalBlobFileSize, "total-blob-file-size");
BASALT_PROPERTY(kLiveBlobFileSize, "live-blob-file-size");
BASALT_PROPERTY(kLiveBlobFileGarbageSize, "live-blob-file-garbage-size");
BASALT_PROPERTY(kBlobCacheCapacity, "blob-cache-capacity");
BASALT_PROPERTY(kBlobCacheUsage, "blob-cache-usage");
BASALT_PROPERTY(kBlobCachePinnedUsage, "blob-cache-pinned-usage");
#undef BASALT_PROPERTY
const std::string P::kBackgroundIo = "basalt.background-io";
const std::string P::kFreshLevel0Bytes = "basalt.fresh-level0-bytes";

namespace {

const Cache* BlockCacheOf(const MutableCFOptions& options) {
  INVARIANT(options.table_factory != nullptr);
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  return table == nullptr ? nullptr : table->block_cache.get();
}

// Of the current version's files: their own readers, and those in the cache of
// the database.
uint64_t ReadersMemory(const SuperVersion& super_version) {
  uint64_t bytes = 0;
  std::set<uint64_t> others;
  const VersionStorage& storage = super_version.current->storage();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      // acquire: pairs with the release of the table cache.
      const TableReader* reader =
          file->pinned_reader.load(std::memory_order_acquire);
      if (reader != nullptr) {
        bytes += reader->ApproximateMemoryUsage();
      } else {
        others.insert(file->number);
      }
    }
  }
  return bytes + super_version.cfd->tables()->CachedReaderBytes(others);
}

// Only where no file's data is older than the file: FIFO that merges none. What
// memtables hold is younger than that of any file.
std::optional<uint64_t> OldestKeySeconds(const ColumnFamilyData& cfd) {
  if (cfd.ioptions().compaction_style != kCompactionStyleFIFO ||
      cfd.options()->compaction_options_fifo.allow_compaction) {
    return std::nullopt;
  }
  std::optional<uint64_t> oldest;
  const VersionStorage& storage = cfd.current()->storage();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      const uint64_t known = file->oldest_ancestor_time != kUnknownTime
                                 ? file->oldest_ancestor_time
                                 : file->file_creation_time;
      if (known == kUnknownTime) return std::nullopt;
      oldest = std::min(oldest.value_or(known), known);
    }
  }
  return oldest;
}

uint64_t EstimateKeys(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  uint64_t entries = cfd->mem()->entry_count() + cfd->imm()->EntryCount();
  uint64_t deletions =
      cfd->mem()->deletion_count() + cfd->imm()->DeletionCount();
  const VersionStorage& storage = cfd->current()->storage();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      entries += file->entry_count.load();
      deletions += file->deletion_count.load();
    }
  }
  // A deletion takes itself and what it deletes away.
  return entries > 2 * deletions ? entries - 2 * deletions : 0;
}

using CacheNumber = size_t (*)(const Cache& cache);

template <CacheNumber kNumber>
std::optional<uint64_t> OfBlockCache(const ColumnFamilyData& cfd) {
  const Cache* cache = BlockCacheOf(*cfd.options());
  if (cache == nullptr) return std::nullopt;
  return kNumber(*cache);
}

template <CacheNumber kNumber>
std::optional<uint64_t> OfBlobCache(const ColumnFamilyData& cfd) {
  const Cache* cache = cfd.ioptions().blob_cache.get();
  if (cache == nullptr) return std::nullopt;
  return kNumber(*cache);
}

size_t CapacityOf(const Cache& cache) { return cache.GetCapacity(); }
size_t UsageOf(const Cache& cache) { return cache.GetUsage(); }
size_t PinnedUsageOf(const Cache& cache) { return cache.GetPinnedUsage(); }

// Those that not every family has. (mutex)
using OptionalProperty = std::optional<uint64_t> (*)(const ColumnFamilyData&);
const std::map<std::string, OptionalProperty>& OptionalIntProperties() {
  static const std::map<std::string, OptionalProperty> properties = {
      {P::kEstimateOldestKeyTime, &OldestKeySeconds},
      {P::kBlockCacheCapacity, &OfBlockCache<&CapacityOf>},
      {P::kBlockCacheUsage, &OfBlockCache<&UsageOf>},
      {P::kBlockCachePinnedUsage, &OfBlockCache<&PinnedUsageOf>},
      {P::kBlobCacheCapacity, &OfBlobCache<&CapacityOf>},
      {P::kBlobCacheUsage, &OfBlobCache<&UsageOf>},
      {P::kBlobCachePinnedUsage, &OfBlobCache<&PinnedUsageOf>},
  };
  return properties;
}

}  // namespace

// The simple ones, as a table: name and how to get the number. (mutex)
const std::map<std::string, DBImpl::IntProperty>& DBImpl::IntProperties() {
  static const std::map<std::string, IntProperty> properties = {
      {P::kNumImmutableMemTable,
       [](DBImpl*, Family* f) -> uint64_t { return f->cfd->imm()->size(); }},
      {P::kNumImmutableMemTableFlushed,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->imm()->history()->size();
       }},
      {P::kMemTableFlushPending,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->queued_for_flush ? 1 : 0;
       }},
      {P::kNumRunningFlushes,
       [](DBImpl* d, Family*) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->running_flushes_;
       }},
      {P::kCompactionPending,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->picker->NeedsCompaction(f->cfd->current()->storage());
       }},
      {P::kNumRunningCompactions,
       [](DBImpl* d, Family*) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->running_compactions_;
       }},
      {P::kBackgroundErrors,
       [](DBImpl* d, Family*) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->errors_.count();
       }},
      {P::kCurSizeActiveMemTable,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->mem()->ApproximateMemoryUsage();
       }},
      {P::kCurSizeAllMemTables,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->mem()->ApproximateMemoryUsage() +
                f->cfd->imm()->ApproximateMemoryUsage();
       }},
      {P::kSizeAllMemTables,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->AllMemTableBytes();
       }},
      {P::kNumEntriesActiveMemTable,
       [](DBImpl*, Family* f) { return f->cfd->mem()->entry_count(); }},
      {P::kNumEntriesImmMemTables,
       [](DBImpl*, Family* f) { return f->cfd->imm()->EntryCount(); }},
      {P::kNumDeletesActiveMemTable,
       [](DBImpl*, Family* f) { return f->cfd->mem()->deletion_count(); }},
      {P::kNumDeletesImmMemTables,
       [](DBImpl*, Family* f) { return f->cfd->imm()->DeletionCount(); }},
      {P::kEstimateNumKeys,
       [](DBImpl*, Family* f) { return EstimateKeys(f->cfd.get()); }},
      {P::kIsFileDeletionsEnabled,
       [](DBImpl* d, Family*) -> uint64_t {
         return d->obsolete_->disabled_count();
       }},
  };
  return properties;
}

const std::map<std::string, DBImpl::IntProperty>& DBImpl::MoreIntProperties() {
  static const std::map<std::string, IntProperty> properties = {
      {P::kNumSnapshots,
       [](DBImpl* d, Family*) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->snapshots_.size();
       }},
      {P::kOldestSnapshotTime,
       [](DBImpl* d, Family*) -> uint64_t {
         d->mutex_.AssertHeld();
         const SnapshotImpl* oldest = d->snapshots_.oldest();
         return oldest == nullptr ? 0 : oldest->GetUnixTime();
       }},
      {P::kOldestSnapshotSequence,
       [](DBImpl* d, Family*) -> uint64_t {
         d->mutex_.AssertHeld();
         const SnapshotImpl* oldest = d->snapshots_.oldest();
         return oldest == nullptr ? 0 : oldest->GetSequenceNumber();
       }},
      {P::kNumLiveVersions,
       [](DBImpl* d, Family*) -> uint64_t {
         return d->versions_->live_version_count();
       }},
      {P::kCurrentSuperVersionNumber,
       [](DBImpl*, Family* f) { return f->cfd->super_version_number(); }},
      {P::kMinLogNumberToKeep,
       [](DBImpl* d, Family*) {
         return d->versions_->min_log_number_to_keep();
       }},
      {P::kTotalSstFilesSize,
       [](DBImpl* d, Family* f) {
         return d->versions_->TotalTableBytes(*f->cfd);
       }},
      {P::kLiveSstFilesSize,
       [](DBImpl*, Family* f) {
         return f->cfd->current()->storage().TotalBytes();
       }},
      {P::kEstimateLiveDataSize,
       [](DBImpl*, Family* f) {
         const VersionStorage& storage = f->cfd->current()->storage();
         return storage.TotalBytes() + storage.BlobBytes() -
                storage.BlobGarbageBytes();
       }},
      {P::kObsoleteSstFilesSize,
       [](DBImpl* d, Family*) { return d->obsolete_->waiting_bytes(); }},
      {P::kBaseLevel,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->current()->storage().base_level();
       }},
      {P::kEstimatePendingCompactionBytes,
       [](DBImpl*, Family* f) {
         return f->cfd->current()->storage().PendingCompactionBytes();
       }},
      {P::kActualDelayedWriteRate,
       [](DBImpl* d, Family*) { return d->write_controller_.delayed_rate(); }},
      {P::kIsWriteStopped,
       [](DBImpl* d, Family*) -> uint64_t {
         return d->write_controller_.IsStopped() ? 1 : 0;
       }},
      {P::kFreshLevel0Bytes,
       [](DBImpl* d, Family*) -> uint64_t {
         return d->fresh_ != nullptr ? d->fresh_->bytes() : 0;
       }},
  };
  return properties;
}

const std::map<std::string, DBImpl::IntProperty>& DBImpl::BlobIntProperties() {
  static const std::map<std::string, IntProperty> properties = {
      {P::kNumBlobFiles,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->current()->storage().blobs().size();
       }},
      {P::kTotalBlobFileSize,
       [](DBImpl* d, Family* f) {
         return d->versions_->TotalBlobBytes(*f->cfd);
       }},
      {P::kLiveBlobFileSize,
       [](DBImpl*, Family* f) {
         return f->cfd->current()->storage().BlobBytes();
       }},
      {P::kLiveBlobFileGarbageSize,
       [](DBImpl*, Family* f) {
         return f->cfd->current()->storage().BlobGarbageBytes();
       }},
  };
  return properties;
}

const std::map<std::string, DBImpl::IntProperty>& DBImpl::AllIntProperties() {
  static const std::map<std::string, IntProperty> properties = [] {
    std::map<std::string, IntProperty> all;
    for (const auto* part : {&IntProperties(), &MoreIntProperties(),
                             &BlobIntProperties(), &LateIntProperties()}) {
      for (const auto& entry : *part) {
        INVARIANT(all.count(entry.first) == 0);
        all.insert(entry);
      }
    }
    return all;
  }();
  return properties;
}

std::vector<std::string> DBImpl::IntPropertyNames() {
  std::vector<std::string> names{P::kEstimateTableReadersMem};
  for (const auto& entry : AllIntProperties()) names.push_back(entry.first);
  for (const auto& entry : OptionalIntProperties()) {
    names.push_back(entry.first);
  }
  return names;
}

bool DBImpl::GetIntProperty(ColumnFamilyHandle* handle, const Slice& property,
                            uint64_t* value) {
  INVARIANT(handle != nullptr);
  INVARIANT(value != nullptr);
  if (property == P::kEstimateTableReadersMem) {
    // Walks through a cache, which takes too long for the mutex.
    if (!CheckOpen().ok()) return false;
    SuperVersion* super_version = FamilyOf(handle)->AcquireReferenced();
    *value = ReadersMemory(*super_version);
    GiveBack(super_version);
    return true;
  }
  const std::string name = property.ToString();
  MutexLock lock(&mutex_);
  const FamilyRef family = FindFamily(FamilyOf(handle)->id());
  if (family == nullptr) return false;
  const auto found = AllIntProperties().find(name);
  if (found != AllIntProperties().end()) {
    INVARIANT(found->second != nullptr);
    *value = found->second(this, family.get());
    return true;
  }
  const auto optional = OptionalIntProperties().find(name);
  if (optional == OptionalIntProperties().end()) return false;
  const std::optional<uint64_t> number = optional->second(*family->cfd);
  if (number.has_value()) *value = *number;
  return number.has_value();
}

bool DBImpl::GetAggregatedIntProperty(const Slice& property, uint64_t* value) {
  INVARIANT(value != nullptr);
  std::vector<ColumnFamilyRef> cfds;
  {
    MutexLock lock(&mutex_);
    for (const auto& entry : families_) cfds.push_back(entry.second->cfd);
  }
  *value = 0;
  for (const ColumnFamilyRef& cfd : cfds) {
    ColumnFamilyHandleImpl handle(cfd, nullptr);
    uint64_t one = 0;
    if (!GetIntProperty(&handle, property, &one)) return false;
    *value += one;
  }
  return true;
}

bool DBImpl::GetProperty(ColumnFamilyHandle* handle, const Slice& property,
                         std::string* value) {
  INVARIANT(handle != nullptr);
  INVARIANT(value != nullptr);
  value->clear();
  uint64_t number = 0;
  if (GetIntProperty(handle, property, &number)) {
    *value = std::to_string(number);
    return true;
  }
  if (property == P::kOptionsStatistics) {
    if (options_.stats == nullptr) return false;
    *value = options_.stats->ToString();
    return true;
  }
  if (property == P::kBackgroundIo) {
    if (io_governor_->governor() == nullptr) return false;
    *value = BackgroundIoText(*io_governor_);
    return true;
  }
  if (ObservedProperty(handle, property, {.text = value})) return true;
  MutexLock lock(&mutex_);
  const FamilyRef family = FindFamily(FamilyOf(handle)->id());
  if (family == nullptr) return false;
  return TextProperty(*family, property, value);
}

bool DBImpl::TextProperty(const Family& family, const Slice& property,
                          std::string* value) {
  INVARIANT(value != nullptr);
  INVARIANT(family.cfd != nullptr);
  const VersionStorage& storage = family.cfd->current()->storage();
  if (property.starts_with(P::kNumFilesAtLevelPrefix)) {
    Slice digits = property;
    digits.remove_prefix(P::kNumFilesAtLevelPrefix.size());
    uint64_t level = 0;
    if (!ConsumeDecimalNumber(&digits, &level) || !digits.empty() ||
        level >= static_cast<uint64_t>(storage.level_count())) {
      return false;
    }
    *value = std::to_string(storage.FileCount(static_cast<int>(level)));
  } else if (property == P::kLevelStats) {
    *value = LevelStatsText(storage);
  } else if (property == P::kSSTables) {
    *value = TablesText(storage);
  } else if (property == P::kBlobStats) {
    *value = BlobStatsText(storage);
  } else if (property == P::kCFStats || property == P::kStats ||
             property == P::kCFStatsNoFileHistogram) {
    *value = family.stats.LevelTable(family.cfd->name(), storage) +
             family.stats.StallText();
    if (property != P::kCFStatsNoFileHistogram) {
      *value += family.cfd->tables()->ReadTimesText(family.cfd->name());
    }
    if (property == P::kStats) *value += DatabaseStatsText();
  } else if (property == P::kCFFileHistogram) {
    *value = family.cfd->tables()->ReadTimesText(family.cfd->name());
  } else if (property == P::kDBStats) {
    *value = DatabaseStatsText();
  } else if (property == P::kCFWriteStallStats) {
    *value = family.stats.StallText();
  } else {
    return LateTextProperty(family, property, value);
  }
  return true;
}

std::string DBImpl::DatabaseStatsText() {
  INVARIANT(versions_ != nullptr);
  std::string text = database_stats_->TakeText(options_.clock->NowMicros());
  text += "Last sequence: " + std::to_string(versions_->LastSequence()) + "\n";
  text += "WAL bytes live: " +
          std::to_string(wal_ != nullptr ? wal_->TotalBytes() : 0) + "\n";
  text += "Background errors: " + std::to_string(errors_.count()) + "\n";
  return text;
}

bool DBImpl::GetMapProperty(ColumnFamilyHandle* handle, const Slice& property,
                            std::map<std::string, std::string>* value) {
  INVARIANT(handle != nullptr);
  INVARIANT(value != nullptr);
  value->clear();
  if (property == P::kBackgroundIo) {
    if (io_governor_->governor() == nullptr) return false;
    *value = BackgroundIoMap(*io_governor_);
    return true;
  }
  if (property == P::kDBStats) {
    *value = database_stats_->Map(options_.clock->NowMicros());
    return true;
  }
  if (property == P::kDBWriteStallStats) {
    *value = database_stats_->StallMap();
    return true;
  }
  if (ObservedProperty(handle, property, {.map = value})) return true;
  MutexLock lock(&mutex_);
  const FamilyRef family = FindFamily(FamilyOf(handle)->id());
  if (family == nullptr) return false;
  if (property == P::kCFStats) {
    *value = family->stats.Map(family->cfd->current()->storage());
    return true;
  }
  if (property == P::kCFWriteStallStats) {
    *value = family->stats.StallMap();
    return true;
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE
