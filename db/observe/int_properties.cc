#include "db/observe/int_properties.h"

#include <algorithm>
#include <set>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/files/obsolete_files.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/observe/observed.h"
#include "db/registry/family_entry.h"
#include "db/registry/family_registry.h"
#include "db/semantics/snapshot_list.h"
#include "db/tables/fresh_stage.h"
#include "db/version/size_estimate.h"
#include "db/write/write_controller.h"
#include "memtable/memtable.h"
#include "options/compaction_styles.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/observation.h"
#include "table/table_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using P = DB::Properties;
using Own = ObservedProperties;
using Table = std::map<std::string, IntProperty>;

// The memory of the readers of the current version's files: those pinned in the
// files, and those in the database's table cache.
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

// Only where no file's data is older than the file: where files go as wholes,
// and none are merged. What memtables hold is younger than that of any file.
std::optional<uint64_t> OldestKeySeconds(const ColumnFamilyData& cfd) {
  if (!TraitsOf(cfd.ioptions().compaction_style).drops_old_files ||
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
      cfd->mem()->counts().deletes() + cfd->imm()->DeletionCount();
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

const Cache* BlockCacheOfFamily(const ColumnFamilyData& cfd) {
  return BlockCacheOf(*cfd.options()).get();
}
const Cache* BlobCacheOfFamily(const ColumnFamilyData& cfd) {
  return cfd.ioptions().blob_cache.get();
}

size_t CapacityOf(const Cache& cache) { return cache.GetCapacity(); }
size_t UsageOf(const Cache& cache) { return cache.GetUsage(); }
size_t PinnedUsageOf(const Cache& cache) { return cache.GetPinnedUsage(); }

IntProperty OfDatabase(uint64_t (*get)(const Observed& observed)) {
  return {.of_database = get};
}
IntProperty OfFamily(std::optional<uint64_t> (*get)(const Observed& observed,
                                                    const FamilyEntry& f)) {
  return {.of_family = get};
}
IntProperty OfState(uint64_t (*get)(const SuperVersion& state)) {
  return {.of_state = get};
}
IntProperty OfCache(const Cache* (*cache)(const ColumnFamilyData& cfd),
                    size_t (*get)(const Cache& cache)) {
  return {.cache = cache, .of_cache = get};
}

using Number = std::optional<uint64_t>;

Table MemtableNumbers() {
  using F = const FamilyEntry&;
  using O = const Observed&;
  return {
      {P::kNumImmutableMemTable,
       OfFamily([](O, F f) -> Number { return f.cfd->imm()->size(); })},
      {P::kNumImmutableMemTableFlushed, OfFamily([](O, F f) -> Number {
         return f.cfd->imm()->history()->size();
       })},
      {P::kMemTableFlushPending, OfFamily([](O, F f) -> Number {
         return f.cfd->schedule.queued_for_flush ? 1 : 0;
       })},
      {P::kCurSizeActiveMemTable, OfFamily([](O, F f) -> Number {
         return f.cfd->mem()->ApproximateMemoryUsage();
       })},
      {P::kCurSizeAllMemTables, OfFamily([](O, F f) -> Number {
         return f.cfd->mem()->ApproximateMemoryUsage() +
                f.cfd->imm()->ApproximateMemoryUsage();
       })},
      {P::kSizeAllMemTables,
       OfFamily([](O, F f) -> Number { return f.cfd->AllMemTableBytes(); })},
      {P::kNumEntriesActiveMemTable,
       OfFamily([](O, F f) -> Number { return f.cfd->mem()->entry_count(); })},
      {P::kNumEntriesImmMemTables,
       OfFamily([](O, F f) -> Number { return f.cfd->imm()->EntryCount(); })},
      {P::kNumDeletesActiveMemTable, OfFamily([](O, F f) -> Number {
         return f.cfd->mem()->counts().deletes();
       })},
      {P::kNumDeletesImmMemTables, OfFamily([](O, F f) -> Number {
         return f.cfd->imm()->DeletionCount();
       })},
  };
}

Table FileNumbers() {
  using F = const FamilyEntry&;
  using O = const Observed&;
  return {
      {P::kCompactionPending, OfFamily([](O, F f) -> Number {
         return f.picker->NeedsCompaction(f.cfd->current()->storage());
       })},
      {P::kEstimateNumKeys,
       OfFamily([](O, F f) -> Number { return EstimateKeys(f.cfd.get()); })},
      {P::kEstimateOldestKeyTime,
       OfFamily([](O, F f) -> Number { return OldestKeySeconds(*f.cfd); })},
      {P::kCurrentSuperVersionNumber, OfFamily([](O, F f) -> Number {
         return f.cfd->super_version_number();
       })},
      {P::kTotalSstFilesSize, OfFamily([](O o, F f) -> Number {
         return o.versions->published().TotalTableBytes(*f.cfd);
       })},
      {P::kLiveSstFilesSize, OfFamily([](O, F f) -> Number {
         return f.cfd->current()->storage().TotalBytes();
       })},
      {P::kBaseLevel, OfFamily([](O, F f) -> Number {
         return f.cfd->current()->storage().base_level();
       })},
      {P::kEstimatePendingCompactionBytes, OfFamily([](O, F f) -> Number {
         return f.cfd->current()->storage().PendingCompactionBytes();
       })},
      {P::kNumBlobFiles, OfFamily([](O, F f) -> Number {
         return f.cfd->current()->storage().blobs().size();
       })},
      {P::kTotalBlobFileSize, OfFamily([](O o, F f) -> Number {
         return o.versions->published().TotalBlobBytes(*f.cfd);
       })},
      {P::kLiveBlobFileSize, OfFamily([](O, F f) -> Number {
         return f.cfd->current()->storage().BlobBytes();
       })},
      {P::kLiveBlobFileGarbageSize, OfFamily([](O, F f) -> Number {
         return f.cfd->current()->storage().BlobGarbageBytes();
       })},
      {P::kEstimateTableReadersMem, OfState(&ReadersMemory)},
      {P::kEstimateLiveDataSize, OfState(&LiveDataBytes)},
  };
}

Table CacheNumbers() {
  return {
      {P::kBlockCacheCapacity, OfCache(&BlockCacheOfFamily, &CapacityOf)},
      {P::kBlockCacheUsage, OfCache(&BlockCacheOfFamily, &UsageOf)},
      {P::kBlockCachePinnedUsage, OfCache(&BlockCacheOfFamily, &PinnedUsageOf)},
      {P::kBlobCacheCapacity, OfCache(&BlobCacheOfFamily, &CapacityOf)},
      {P::kBlobCacheUsage, OfCache(&BlobCacheOfFamily, &UsageOf)},
      {P::kBlobCachePinnedUsage, OfCache(&BlobCacheOfFamily, &PinnedUsageOf)},
  };
}

uint64_t CountOf(int count) { return static_cast<uint64_t>(count); }

Table JobNumbers() {
  using O = const Observed&;
  return {
      {P::kNumRunningFlushes, OfDatabase([](O o) {
         o.mutex->AssertHeld();
         return CountOf(o.background->running_flushes());
       })},
      {P::kNumRunningCompactions, OfDatabase([](O o) {
         o.mutex->AssertHeld();
         return CountOf(o.background->running_compactions());
       })},
      {P::kNumRunningCompactionSortedRuns, OfDatabase([](O o) {
         o.mutex->AssertHeld();
         return CountOf(o.background->running_sorted_runs());
       })},
      {P::kNumUnscheduledCompactions, OfDatabase([](O o) -> uint64_t {
         o.mutex->AssertHeld();
         return o.background->queued_compactions();
       })},
      {P::kCompactionAbortCount,
       OfDatabase([](O o) { return CountOf(o.stop->abort_count()); })},
      {P::kBackgroundErrors, OfDatabase([](O o) {
         o.mutex->AssertHeld();
         return o.errors->count();
       })},
  };
}

Table DatabaseNumbers() {
  using O = const Observed&;
  using F = const FamilyEntry&;
  return {
      {P::kIsFileDeletionsEnabled, OfDatabase([](O o) -> uint64_t {
         return o.obsolete->disabled_count() == 0 ? 1 : 0;
       })},
      {P::kObsoleteSstFilesSize,
       OfDatabase([](O o) { return o.obsolete->waiting_bytes(); })},
      {P::kMinObsoleteSstNumberToKeep,
       OfDatabase([](O o) { return o.obsolete->MinKeptTable(); })},
      {P::kNumSnapshots, OfDatabase([](O o) -> uint64_t {
         o.mutex->AssertHeld();
         return o.snapshots->size();
       })},
      {P::kOldestSnapshotTime, OfDatabase([](O o) -> uint64_t {
         o.mutex->AssertHeld();
         const SnapshotImpl* oldest = o.snapshots->oldest();
         return oldest == nullptr ? 0 : oldest->GetUnixTime();
       })},
      {P::kOldestSnapshotSequence, OfDatabase([](O o) -> uint64_t {
         o.mutex->AssertHeld();
         const SnapshotImpl* oldest = o.snapshots->oldest();
         return oldest == nullptr ? 0 : oldest->GetSequenceNumber();
       })},
      {P::kNumLiveVersions, OfFamily([](O o, F f) -> Number {
         return o.versions->published().CountOf(*f.cfd);
       })},
      {P::kMinLogNumberToKeep,
       OfDatabase([](O o) { return o.versions->logs().min_to_keep(); })},
      {P::kActualDelayedWriteRate, OfDatabase([](O o) -> uint64_t {
         return o.writes != nullptr ? o.writes->delayed_rate() : 0;
       })},
      {P::kIsWriteStopped, OfDatabase([](O o) -> uint64_t {
         return o.writes != nullptr && o.writes->IsStopped() ? 1 : 0;
       })},
      {P::kFreshLevel0Bytes, OfDatabase([](O o) -> uint64_t {
         return o.fresh != nullptr ? o.fresh->bytes() : 0;
       })},
      {Own::kEphemeralReaders,
       OfDatabase([](O o) -> uint64_t { return o.ephemeral->open(); })},
      {Own::kEphemeralReadersPeak,
       OfDatabase([](O o) -> uint64_t { return o.ephemeral->peak(); })},
  };
}

}  // namespace

const Table& IntProperties() {
  static const Table properties = [] {
    Table all;
    for (Table part : {MemtableNumbers(), FileNumbers(), CacheNumbers(),
                       JobNumbers(), DatabaseNumbers()}) {
      all.merge(part);
      INVARIANT(part.empty());  // Each name is there once.
    }
    return all;
  }();
  return properties;
}

const IntProperty* FindIntProperty(const std::string& name) {
  const auto found = IntProperties().find(name);
  return found == IntProperties().end() ? nullptr : &found->second;
}

}  // namespace ROCKSDB_NAMESPACE
