// The names of properties, as users give them.
#include "rocksdb/db.h"
#include "rocksdb/observation.h"

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

using Own = ObservedProperties;

const std::string Own::kPageCache = "basalt.page-cache";
const std::string Own::kEphemeralReaders = "basalt.ephemeral-readers";
const std::string Own::kEphemeralReadersPeak = "basalt.ephemeral-readers-peak";
const std::string Own::kMemory = "basalt.memory";

}  // namespace ROCKSDB_NAMESPACE
