"""What the generator cannot read from names: which C++ struct stands behind
which Java class, and where Java's words differ from the engine's."""

import collections

Source = collections.namedtuple("Source", "struct header cpp")

OPTIONS_H = "rocksdb/options.h"


def source(struct, header=OPTIONS_H, cpp=None):
    return Source(struct, header, cpp or struct)


DB = [source("DBOptions")]
FAMILY = [Source("AdvancedColumnFamilyOptions", "rocksdb/advanced_options.h",
                 "ColumnFamilyOptions"),
          source("ColumnFamilyOptions")]
BACKUP = "rocksdb/utilities/backup_engine.h"
TRANSACTION_DB = "rocksdb/utilities/transaction_db.h"
OPTIMISTIC = "rocksdb/utilities/optimistic_transaction_db.h"

# Java class: the structs whose fields it shows.
STRUCTS = collections.OrderedDict([
    ("DBOptions", DB),
    ("ColumnFamilyOptions", FAMILY),
    ("Options", DB + FAMILY),
    ("ReadOptions", [source("ReadOptions")]),
    ("WriteOptions", [source("WriteOptions")]),
    ("FlushOptions", [source("FlushOptions")]),
    ("CompactRangeOptions", [source("CompactRangeOptions")]),
    ("CompactionOptions", [source("CompactionOptions")]),
    ("IngestExternalFileOptions", [source("IngestExternalFileOptions")]),
    ("ImportColumnFamilyOptions", [source("ImportColumnFamilyOptions")]),
    ("CompactionOptionsUniversal", [
        source("CompactionOptionsUniversal",
               "rocksdb/universal_compaction.h")]),
    ("CompactionOptionsFIFO", [
        source("CompactionOptionsFIFO", "rocksdb/advanced_options.h")]),
    ("CompressionOptions", [
        source("CompressionOptions", "rocksdb/compression_type.h")]),
    ("EnvOptions", [source("EnvOptions", "rocksdb/env_interface.h")]),
    ("ConfigOptions", [source("ConfigOptions", "rocksdb/convenience.h")]),
    ("BackupEngineOptions", [
        Source("CheckpointOrBackupEngineOptions",
               "rocksdb/utilities/checkpoint.h", "BackupEngineOptions"),
        source("BackupEngineOptions", BACKUP)]),
    ("TransactionDBOptions", [source("TransactionDBOptions", TRANSACTION_DB)]),
    ("TransactionOptions", [source("TransactionOptions", TRANSACTION_DB)]),
    ("OptimisticTransactionOptions", [
        source("OptimisticTransactionOptions", OPTIMISTIC)]),
    ("CompactionJobStats", [
        source("CompactionJobStats", "rocksdb/compaction_job_stats.h")]),
    ("PerfContext", [
        Source("PerfContextBase", "rocksdb/perf_context.h", "PerfContext")]),
])

# Java classes that are values in Java, made into a table factory when used.
TABLE_CONFIGS = collections.OrderedDict([
    ("BlockBasedTableConfig", [
        source("BlockBasedTableOptions", "rocksdb/table.h")]),
    ("PlainTableConfig", [source("PlainTableOptions", "rocksdb/table.h")]),
])

# Java's words for a field, where they are not the field's own.
ALIASES = {
    "walTtlSeconds": "WAL_ttl_seconds",
    "walSizeLimitMB": "WAL_size_limit_MB",
    "allowFAllocate": "allow_fallocate",
    "dailyOffpeakTimeUTC": "daily_offpeak_time_utc",
    "avoidUnnecessaryBlockingIO": "avoid_unnecessary_blocking_io",
    "maxBgErrorResumeCount": "max_bgerror_resume_count",
    "compressionType": "compression",
    "bottommostCompressionType": "bottommost_compression",
    "compactionPriority": "compaction_pri",
    "levelZeroFileNumCompactionTrigger": "level0_file_num_compaction_trigger",
    "levelZeroSlowdownWritesTrigger": "level0_slowdown_writes_trigger",
    "levelZeroStopWritesTrigger": "level0_stop_writes_trigger",
    "waitForFlush": "wait",
    "disableWAL": "disableWAL",
    "allowGlobalSeqNo": "allow_global_seqno",
    "checksumType": "checksum",
    "indexSearchType": "index_block_search_type",
    "keySize": "user_key_len",
    "zStdMaxTrainBytes": "zstd_max_train_bytes",
    "snapshotConsistency": "snapshot_consistency",
    "allow2pc": "allow_2pc",
    "maxTableFilesSizeFIFO": None,
    "memtableHugePageSize": "memtable_huge_page_size",
}

# The Java types of plain fields whose C++ type has another name. Flags that
# are joined are an int.
TYPES = {
    "Env::IOPriority": "IOPriority",
    "Env::IOActivity": "IOActivity",
    "Depth": "Depth",
    "VerifyOutputFlags": "int",
    "ShareFilesNaming": "int",
}

# Java classes whose getters begin with `get` or `is`.
PREFIXED = {"TransactionDBOptions", "TransactionOptions"}

# Fields that Java sees as another type than a plain one, or not at all: the
# hand-written parts have their accessors, or the engine alone sets them.
NOT_PLAIN = {
    "use_uncached_io", "use_mapped_appends", "backup_dir", "checksum_level",
    "sanity_level", "index_sparseness", "huge_page_tlb_size",
}

# The kind of an option that is text without an accessor.
MUTABLE_KINDS = {
    "memtable_prefix_bloom_bits": "INT",
    "memtable_prefix_bloom_probes": "INT",
    "filter_deletes": "BOOLEAN",
}
