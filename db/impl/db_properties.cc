// DBImpl: properties by name.
#include <algorithm>
#include <optional>
#include <set>

#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/observe/background_io_stats.h"
#include "db/observe/database_stats.h"
#include "db/version/fresh_stage.h"
#include "db/version/size_estimate.h"
#include "db/wal/wal_manager.h"
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
BASALT_PROPERTY(kNumUnscheduledCompactions, "num-unscheduled-compactions");
BASALT_PROPERTY(kCompactionAbortCount, "compaction-abort-count");
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
                "aggregated-table-properties-at-level");
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

uint64_t LiveDataBytes(const SuperVersion& super_version) {
  const VersionStorage& storage = super_version.current->storage();
  return EstimateLiveTableBytes(storage) + storage.BlobBytes() -
         storage.BlobGarbageBytes();
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

// Null for a family that has none.
using CacheOf = const Cache* (*)(const ColumnFamilyData& cfd);

const Cache* BlockCacheOfFamily(const ColumnFamilyData& cfd) {
  return BlockCacheOf(*cfd.options());
}
const Cache* BlobCacheOfFamily(const ColumnFamilyData& cfd) {
  return cfd.ioptions().blob_cache.get();
}

size_t CapacityOf(const Cache& cache) { return cache.GetCapacity(); }
size_t UsageOf(const Cache& cache) { return cache.GetUsage(); }
size_t PinnedUsageOf(const Cache& cache) { return cache.GetPinnedUsage(); }

// Those of the cache that a family uses, which others may share. (mutex)
struct CacheProperty {
  CacheOf cache;
  CacheNumber number;
};
const std::map<std::string, CacheProperty>& CacheIntProperties() {
  static const std::map<std::string, CacheProperty> properties = {
      {P::kBlockCacheCapacity, {&BlockCacheOfFamily, &CapacityOf}},
      {P::kBlockCacheUsage, {&BlockCacheOfFamily, &UsageOf}},
      {P::kBlockCachePinnedUsage, {&BlockCacheOfFamily, &PinnedUsageOf}},
      {P::kBlobCacheCapacity, {&BlobCacheOfFamily, &CapacityOf}},
      {P::kBlobCacheUsage, {&BlobCacheOfFamily, &UsageOf}},
      {P::kBlobCachePinnedUsage, {&BlobCacheOfFamily, &PinnedUsageOf}},
  };
  return properties;
}

// Those that take too long for the mutex.
using UnlockedProperty = uint64_t (*)(const SuperVersion& super_version);
const std::map<std::string, UnlockedProperty>& UnlockedIntProperties() {
  static const std::map<std::string, UnlockedProperty> properties = {
      {P::kEstimateTableReadersMem, &ReadersMemory},
      {P::kEstimateLiveDataSize, &LiveDataBytes},
  };
  return properties;
}

}  // namespace

// The simple ones of a family, as a table: name and how to get the number.
// (mutex)
const DBImpl::FamilyNumbers& DBImpl::IntProperties() {
  static const FamilyNumbers properties = {
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
      {P::kCompactionPending,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->picker->NeedsCompaction(f->cfd->current()->storage());
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
      {P::kCurrentSuperVersionNumber,
       [](DBImpl*, Family* f) { return f->cfd->super_version_number(); }},
      {P::kTotalSstFilesSize,
       [](DBImpl* d, Family* f) {
         return d->versions_->TotalTableBytes(*f->cfd);
       }},
      {P::kLiveSstFilesSize,
       [](DBImpl*, Family* f) {
         return f->cfd->current()->storage().TotalBytes();
       }},
      {P::kBaseLevel,
       [](DBImpl*, Family* f) -> uint64_t {
         return f->cfd->current()->storage().base_level();
       }},
      {P::kEstimatePendingCompactionBytes,
       [](DBImpl*, Family* f) {
         return f->cfd->current()->storage().PendingCompactionBytes();
       }},
  };
  return properties;
}

// Those of the whole database, whichever family is asked. (mutex)
const DBImpl::DatabaseNumbers& DBImpl::DatabaseIntProperties() {
  static const DatabaseNumbers properties = {
      {P::kNumRunningFlushes,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->background_.running_flushes();
       }},
      {P::kNumRunningCompactions,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->background_.running_compactions();
       }},
      {P::kBackgroundErrors,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->errors_.count();
       }},
      {P::kIsFileDeletionsEnabled,
       [](DBImpl* d) -> uint64_t {
         return d->obsolete_->disabled_count() == 0 ? 1 : 0;
       }},
      {P::kNumSnapshots,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->snapshots_.size();
       }},
      {P::kOldestSnapshotTime,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         const SnapshotImpl* oldest = d->snapshots_.oldest();
         return oldest == nullptr ? 0 : oldest->GetUnixTime();
       }},
      {P::kOldestSnapshotSequence,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         const SnapshotImpl* oldest = d->snapshots_.oldest();
         return oldest == nullptr ? 0 : oldest->GetSequenceNumber();
       }},
      {P::kNumLiveVersions,
       [](DBImpl* d) -> uint64_t {
         return d->versions_->live_version_count();
       }},
      {P::kMinLogNumberToKeep,
       [](DBImpl* d) { return d->versions_->min_log_number_to_keep(); }},
      {P::kObsoleteSstFilesSize,
       [](DBImpl* d) { return d->obsolete_->waiting_bytes(); }},
      {P::kActualDelayedWriteRate,
       [](DBImpl* d) { return d->write_controller_.delayed_rate(); }},
      {P::kIsWriteStopped,
       [](DBImpl* d) -> uint64_t {
         return d->write_controller_.IsStopped() ? 1 : 0;
       }},
      {P::kFreshLevel0Bytes,
       [](DBImpl* d) -> uint64_t {
         return d->fresh_ != nullptr ? d->fresh_->bytes() : 0;
       }},
  };
  return properties;
}

const DBImpl::FamilyNumbers& DBImpl::BlobIntProperties() {
  static const FamilyNumbers properties = {
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

const DBImpl::DatabaseNumbers& DBImpl::AllDatabaseIntProperties() {
  static const DatabaseNumbers properties = [] {
    DatabaseNumbers all = DatabaseIntProperties();
    for (const auto& entry : LateIntProperties()) {
      INVARIANT(all.count(entry.first) == 0);
      all.insert(entry);
    }
    return all;
  }();
  return properties;
}

const DBImpl::FamilyNumbers& DBImpl::AllIntProperties() {
  static const FamilyNumbers properties = [] {
    FamilyNumbers all;
    for (const auto* part : {&IntProperties(), &BlobIntProperties()}) {
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
  std::vector<std::string> names{P::kEstimateOldestKeyTime};
  const auto add = [&names](const auto& properties) {
    for (const auto& entry : properties) names.push_back(entry.first);
  };
  add(UnlockedIntProperties());
  add(AllDatabaseIntProperties());
  add(AllIntProperties());
  add(CacheIntProperties());
  return names;
}

bool DBImpl::GetIntProperty(ColumnFamilyHandle* handle, const Slice& property,
                            uint64_t* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  const std::string name = property.ToString();
  const auto unlocked = UnlockedIntProperties().find(name);
  if (unlocked != UnlockedIntProperties().end()) {
    if (!CheckOpen().ok()) return false;
    SuperVersion* super_version = FamilyOf(handle)->AcquireReferenced();
    *value = unlocked->second(*super_version);
    GiveBack(super_version);
    return true;
  }
  MutexLock lock(&mutex_);
  const FamilyRef family = families_.Find(FamilyOf(handle)->id());
  if (family == nullptr) return false;
  std::optional<uint64_t> number;
  if (name == P::kEstimateOldestKeyTime) {
    number = OldestKeySeconds(*family->cfd);
  } else if (const auto own = AllIntProperties().find(name);
             own != AllIntProperties().end()) {
    number = own->second(this, family.get());
  } else if (const auto whole = AllDatabaseIntProperties().find(name);
             whole != AllDatabaseIntProperties().end()) {
    number = whole->second(this);
  } else if (const auto cached = CacheIntProperties().find(name);
             cached != CacheIntProperties().end()) {
    const Cache* cache = cached->second.cache(*family->cfd);
    if (cache != nullptr) number = cached->second.number(*cache);
  }
  if (number.has_value()) *value = *number;
  return number.has_value();
}

// What families share counts once: the database's own numbers, and those of a
// cache that several of them use.
bool DBImpl::GetAggregatedIntProperty(const Slice& property, uint64_t* value) {
  if (value == nullptr) return false;
  const std::string name = property.ToString();
  if (AllDatabaseIntProperties().contains(name)) {
    return GetIntProperty(DefaultColumnFamily(), property, value);
  }
  const auto cached = CacheIntProperties().find(name);
  std::vector<ColumnFamilyRef> cfds;
  std::set<const Cache*> caches;
  uint64_t sum = 0;
  {
    MutexLock lock(&mutex_);
    for (const auto& entry : families_) {
      cfds.push_back(entry.second->cfd);
      if (cached == CacheIntProperties().end()) continue;
      const Cache* cache = cached->second.cache(*cfds.back());
      if (cache == nullptr || !caches.insert(cache).second) continue;
      sum += cached->second.number(*cache);
    }
  }
  if (cached != CacheIntProperties().end()) {
    if (!caches.empty()) *value = sum;
    return !caches.empty();
  }
  for (const ColumnFamilyRef& cfd : cfds) {
    ColumnFamilyHandleImpl handle(this, cfd, nullptr);
    uint64_t one = 0;
    if (!GetIntProperty(&handle, property, &one)) return false;
    sum += one;
  }
  *value = sum;
  return true;
}

bool DBImpl::GetProperty(ColumnFamilyHandle* handle, const Slice& property,
                         std::string* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
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
  const FamilyRef family = families_.Find(FamilyOf(handle)->id());
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
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
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
  const FamilyRef family = families_.Find(FamilyOf(handle)->id());
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
