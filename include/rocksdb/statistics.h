#pragma once

// Counters (tickers) and distributions (histograms) of what the engine does.
//
// Set DBOptions::statistics to CreateDBStatistics() to collect them. The
// numbers of the constants are part of the C interface; the texts in the
// comments are the names under which Statistics::ToString() prints them.
//
// Threads  All calls from any thread.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

enum Tickers : uint32_t {
  BLOCK_CACHE_MISS = 0,                // rocksdb.block.cache.miss
  BLOCK_CACHE_HIT = 1,                 // rocksdb.block.cache.hit
  BLOCK_CACHE_ADD = 2,                 // rocksdb.block.cache.add
  BLOCK_CACHE_ADD_FAILURES = 3,        // rocksdb.block.cache.add.failures
  BLOCK_CACHE_INDEX_MISS = 4,          // rocksdb.block.cache.index.miss
  BLOCK_CACHE_INDEX_HIT = 5,           // rocksdb.block.cache.index.hit
  BLOCK_CACHE_INDEX_ADD = 6,           // rocksdb.block.cache.index.add
  BLOCK_CACHE_INDEX_BYTES_INSERT = 7,  // rocksdb.block.cache.index.bytes.insert
  BLOCK_CACHE_FILTER_MISS = 8,         // rocksdb.block.cache.filter.miss
  BLOCK_CACHE_FILTER_HIT = 9,          // rocksdb.block.cache.filter.hit
  BLOCK_CACHE_FILTER_ADD = 10,         // rocksdb.block.cache.filter.add
  // rocksdb.block.cache.filter.bytes.insert
  BLOCK_CACHE_FILTER_BYTES_INSERT = 11,
  BLOCK_CACHE_DATA_MISS = 12,          // rocksdb.block.cache.data.miss
  BLOCK_CACHE_DATA_HIT = 13,           // rocksdb.block.cache.data.hit
  BLOCK_CACHE_DATA_ADD = 14,           // rocksdb.block.cache.data.add
  BLOCK_CACHE_DATA_BYTES_INSERT = 15,  // rocksdb.block.cache.data.bytes.insert
  BLOCK_CACHE_BYTES_READ = 16,         // rocksdb.block.cache.bytes.read
  BLOCK_CACHE_BYTES_WRITE = 17,        // rocksdb.block.cache.bytes.write
  // rocksdb.block.cache.compression.dict.miss
  BLOCK_CACHE_COMPRESSION_DICT_MISS = 18,
  // rocksdb.block.cache.compression.dict.hit
  BLOCK_CACHE_COMPRESSION_DICT_HIT = 19,
  // rocksdb.block.cache.compression.dict.add
  BLOCK_CACHE_COMPRESSION_DICT_ADD = 20,
  // rocksdb.block.cache.compression.dict.bytes.insert
  BLOCK_CACHE_COMPRESSION_DICT_BYTES_INSERT = 21,
  BLOCK_CACHE_ADD_REDUNDANT = 22,  // rocksdb.block.cache.add.redundant
  // rocksdb.block.cache.index.add.redundant
  BLOCK_CACHE_INDEX_ADD_REDUNDANT = 23,
  // rocksdb.block.cache.filter.add.redundant
  BLOCK_CACHE_FILTER_ADD_REDUNDANT = 24,
  // rocksdb.block.cache.data.add.redundant
  BLOCK_CACHE_DATA_ADD_REDUNDANT = 25,
  // rocksdb.block.cache.compression.dict.add.redundant
  BLOCK_CACHE_COMPRESSION_DICT_ADD_REDUNDANT = 26,
  SECONDARY_CACHE_HITS = 27,         // rocksdb.secondary.cache.hits
  SECONDARY_CACHE_FILTER_HITS = 28,  // rocksdb.secondary.cache.filter.hits
  SECONDARY_CACHE_INDEX_HITS = 29,   // rocksdb.secondary.cache.index.hits
  SECONDARY_CACHE_DATA_HITS = 30,    // rocksdb.secondary.cache.data.hits
  // rocksdb.compressed.secondary.cache.dummy.hits
  COMPRESSED_SECONDARY_CACHE_DUMMY_HITS = 31,
  // rocksdb.compressed.secondary.cache.hits
  COMPRESSED_SECONDARY_CACHE_HITS = 32,
  // rocksdb.compressed.secondary.cache.promotions
  COMPRESSED_SECONDARY_CACHE_PROMOTIONS = 33,
  // rocksdb.compressed.secondary.cache.promotion.skips
  COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS = 34,
  BLOOM_FILTER_USEFUL = 35,         // rocksdb.bloom.filter.useful
  BLOOM_FILTER_FULL_POSITIVE = 36,  // rocksdb.bloom.filter.full.positive
  // rocksdb.bloom.filter.full.true.positive
  BLOOM_FILTER_FULL_TRUE_POSITIVE = 37,
  BLOOM_FILTER_PREFIX_CHECKED = 38,  // rocksdb.bloom.filter.prefix.checked
  BLOOM_FILTER_PREFIX_USEFUL = 39,   // rocksdb.bloom.filter.prefix.useful
  // rocksdb.bloom.filter.prefix.true.positive
  BLOOM_FILTER_PREFIX_TRUE_POSITIVE = 40,
  PERSISTENT_CACHE_HIT = 41,             // rocksdb.persistent.cache.hit
  PERSISTENT_CACHE_MISS = 42,            // rocksdb.persistent.cache.miss
  SIM_BLOCK_CACHE_HIT = 43,              // rocksdb.sim.block.cache.hit
  SIM_BLOCK_CACHE_MISS = 44,             // rocksdb.sim.block.cache.miss
  MEMTABLE_HIT = 45,                     // rocksdb.memtable.hit
  MEMTABLE_MISS = 46,                    // rocksdb.memtable.miss
  GET_HIT_L0 = 47,                       // rocksdb.l0.hit
  GET_HIT_L1 = 48,                       // rocksdb.l1.hit
  GET_HIT_L2_AND_UP = 49,                // rocksdb.l2andup.hit
  COMPACTION_KEY_DROP_NEWER_ENTRY = 50,  // rocksdb.compaction.key.drop.new
  COMPACTION_KEY_DROP_OBSOLETE = 51,     // rocksdb.compaction.key.drop.obsolete
  COMPACTION_KEY_DROP_RANGE_DEL = 52,  // rocksdb.compaction.key.drop.range_del
  COMPACTION_KEY_DROP_USER = 53,       // rocksdb.compaction.key.drop.user
  // rocksdb.compaction.range_del.drop.obsolete
  COMPACTION_RANGE_DEL_DROP_OBSOLETE = 54,
  // rocksdb.compaction.optimized.del.drop.obsolete
  COMPACTION_OPTIMIZED_DEL_DROP_OBSOLETE = 55,
  COMPACTION_CANCELLED = 56,            // rocksdb.compaction.cancelled
  COMPACTION_ABORTED = 57,              // rocksdb.compaction.aborted
  NUMBER_KEYS_WRITTEN = 58,             // rocksdb.number.keys.written
  NUMBER_KEYS_READ = 59,                // rocksdb.number.keys.read
  NUMBER_KEYS_UPDATED = 60,             // rocksdb.number.keys.updated
  BYTES_WRITTEN = 61,                   // rocksdb.bytes.written
  BYTES_READ = 62,                      // rocksdb.bytes.read
  NUMBER_DB_SEEK = 63,                  // rocksdb.number.db.seek
  NUMBER_DB_NEXT = 64,                  // rocksdb.number.db.next
  NUMBER_DB_PREV = 65,                  // rocksdb.number.db.prev
  NUMBER_DB_SEEK_FOUND = 66,            // rocksdb.number.db.seek.found
  NUMBER_DB_NEXT_FOUND = 67,            // rocksdb.number.db.next.found
  NUMBER_DB_PREV_FOUND = 68,            // rocksdb.number.db.prev.found
  ITER_BYTES_READ = 69,                 // rocksdb.db.iter.bytes.read
  NUMBER_ITER_SKIP = 70,                // rocksdb.number.iter.skip
  NUMBER_OF_RESEEKS_IN_ITERATION = 71,  // rocksdb.number.reseeks.iteration
  NO_ITERATOR_CREATED = 72,             // rocksdb.num.iterator.created
  NO_ITERATOR_DELETED = 73,             // rocksdb.num.iterator.deleted
  NO_FILE_OPENS = 74,                   // rocksdb.no.file.opens
  NO_FILE_ERRORS = 75,                  // rocksdb.no.file.errors
  STALL_MICROS = 76,                    // rocksdb.stall.micros
  DB_MUTEX_WAIT_MICROS = 77,            // rocksdb.db.mutex.wait.micros
  NUMBER_MULTIGET_CALLS = 78,           // rocksdb.number.multiget.get
  NUMBER_MULTIGET_KEYS_READ = 79,       // rocksdb.number.multiget.keys.read
  NUMBER_MULTIGET_BYTES_READ = 80,      // rocksdb.number.multiget.bytes.read
  NUMBER_MULTIGET_KEYS_FOUND = 81,      // rocksdb.number.multiget.keys.found
  NUMBER_MERGE_FAILURES = 82,           // rocksdb.number.merge.failures
  GET_UPDATES_SINCE_CALLS = 83,         // rocksdb.getupdatessince.calls
  WAL_FILE_SYNCED = 84,                 // rocksdb.wal.synced
  WAL_FILE_BYTES = 85,                  // rocksdb.wal.bytes
  WAL_PRECREATE_HIT = 86,               // rocksdb.wal.precreate.hit
  WAL_PRECREATE_MISS = 87,              // rocksdb.wal.precreate.miss
  WAL_PRECREATE_WAITED = 88,            // rocksdb.wal.precreate.waited
  WAL_PRECREATE_WAIT_MICROS = 89,       // rocksdb.wal.precreate.wait.micros
  WAL_PRECREATE_FAILED = 90,            // rocksdb.wal.precreate.failed
  WRITE_DONE_BY_SELF = 91,              // rocksdb.write.self
  WRITE_DONE_BY_OTHER = 92,             // rocksdb.write.other
  WRITE_WITH_WAL = 93,                  // rocksdb.write.wal
  COMPACT_READ_BYTES = 94,              // rocksdb.compact.read.bytes
  COMPACT_WRITE_BYTES = 95,             // rocksdb.compact.write.bytes
  FLUSH_WRITE_BYTES = 96,               // rocksdb.flush.write.bytes
  COMPACT_READ_BYTES_MARKED = 97,       // rocksdb.compact.read.marked.bytes
  COMPACT_READ_BYTES_PERIODIC = 98,     // rocksdb.compact.read.periodic.bytes
  COMPACT_READ_BYTES_TTL = 99,          // rocksdb.compact.read.ttl.bytes
  COMPACT_WRITE_BYTES_MARKED = 100,     // rocksdb.compact.write.marked.bytes
  COMPACT_WRITE_BYTES_PERIODIC = 101,   // rocksdb.compact.write.periodic.bytes
  COMPACT_WRITE_BYTES_TTL = 102,        // rocksdb.compact.write.ttl.bytes
  // rocksdb.number.direct.load.table.properties
  NUMBER_DIRECT_LOAD_TABLE_PROPERTIES = 103,
  NUMBER_SUPERVERSION_ACQUIRES = 104,  // rocksdb.number.superversion_acquires
  NUMBER_SUPERVERSION_RELEASES = 105,  // rocksdb.number.superversion_releases
  NUMBER_SUPERVERSION_CLEANUPS = 106,  // rocksdb.number.superversion_cleanups
  NUMBER_BLOCK_COMPRESSED = 107,       // rocksdb.number.block.compressed
  NUMBER_BLOCK_DECOMPRESSED = 108,     // rocksdb.number.block.decompressed
  BYTES_COMPRESSED_FROM = 109,         // rocksdb.bytes.compressed.from
  BYTES_COMPRESSED_TO = 110,           // rocksdb.bytes.compressed.to
  BYTES_COMPRESSION_BYPASSED = 111,    // rocksdb.bytes.compression_bypassed
  BYTES_COMPRESSION_REJECTED = 112,    // rocksdb.bytes.compression.rejected
  // rocksdb.number.block_compression_bypassed
  NUMBER_BLOCK_COMPRESSION_BYPASSED = 113,
  // rocksdb.number.block_compression_rejected
  NUMBER_BLOCK_COMPRESSION_REJECTED = 114,
  BYTES_DECOMPRESSED_FROM = 115,      // rocksdb.bytes.decompressed.from
  BYTES_DECOMPRESSED_TO = 116,        // rocksdb.bytes.decompressed.to
  MERGE_OPERATION_TOTAL_TIME = 117,   // rocksdb.merge.operation.time.nanos
  FILTER_OPERATION_TOTAL_TIME = 118,  // rocksdb.filter.operation.time.nanos
  COMPACTION_CPU_TOTAL_TIME = 119,  // rocksdb.compaction.total.time.cpu_micros
  ROW_CACHE_HIT = 120,              // rocksdb.row.cache.hit
  ROW_CACHE_MISS = 121,             // rocksdb.row.cache.miss
  // rocksdb.read.amp.estimate.useful.bytes
  READ_AMP_ESTIMATE_USEFUL_BYTES = 122,
  READ_AMP_TOTAL_READ_BYTES = 123,    // rocksdb.read.amp.total.read.bytes
  NUMBER_RATE_LIMITER_DRAINS = 124,   // rocksdb.number.rate_limiter.drains
  RATE_LIMITER_BYTES_READ = 125,      // rocksdb.rate.limiter.bytes.read
  RATE_LIMITER_BYTES_WRITE = 126,     // rocksdb.rate.limiter.bytes.write
  RATE_LIMITER_REQUESTS_READ = 127,   // rocksdb.rate.limiter.requests.read
  RATE_LIMITER_REQUESTS_WRITE = 128,  // rocksdb.rate.limiter.requests.write
  // rocksdb.rate.limiter.delayed.requests.read
  RATE_LIMITER_DELAYED_REQUESTS_READ = 129,
  // rocksdb.rate.limiter.delayed.requests.write
  RATE_LIMITER_DELAYED_REQUESTS_WRITE = 130,
  // rocksdb.rate.limiter.total.wait.micros.read
  RATE_LIMITER_TOTAL_WAIT_MICROS_READ = 131,
  // rocksdb.rate.limiter.total.wait.micros.write
  RATE_LIMITER_TOTAL_WAIT_MICROS_WRITE = 132,
  BLOB_DB_NUM_PUT = 133,                   // rocksdb.blobdb.num.put
  BLOB_DB_NUM_WRITE = 134,                 // rocksdb.blobdb.num.write
  BLOB_DB_NUM_GET = 135,                   // rocksdb.blobdb.num.get
  BLOB_DB_NUM_MULTIGET = 136,              // rocksdb.blobdb.num.multiget
  BLOB_DB_NUM_SEEK = 137,                  // rocksdb.blobdb.num.seek
  BLOB_DB_NUM_NEXT = 138,                  // rocksdb.blobdb.num.next
  BLOB_DB_NUM_PREV = 139,                  // rocksdb.blobdb.num.prev
  BLOB_DB_NUM_KEYS_WRITTEN = 140,          // rocksdb.blobdb.num.keys.written
  BLOB_DB_NUM_KEYS_READ = 141,             // rocksdb.blobdb.num.keys.read
  BLOB_DB_BYTES_WRITTEN = 142,             // rocksdb.blobdb.bytes.written
  BLOB_DB_BYTES_READ = 143,                // rocksdb.blobdb.bytes.read
  BLOB_DB_WRITE_INLINED_DEPRECATED = 144,  // rocksdb.blobdb.write.inlined
  // rocksdb.blobdb.write.inlined.ttl
  BLOB_DB_WRITE_INLINED_TTL_DEPRECATED = 145,
  BLOB_DB_WRITE_BLOB = 146,      // rocksdb.blobdb.write.blob
  BLOB_DB_WRITE_BLOB_TTL = 147,  // rocksdb.blobdb.write.blob.ttl
  // rocksdb.blobdb.blob.file.bytes.written
  BLOB_DB_BLOB_FILE_BYTES_WRITTEN = 148,
  BLOB_DB_BLOB_FILE_BYTES_READ = 149,  // rocksdb.blobdb.blob.file.bytes.read
  BLOB_DB_BLOB_FILE_SYNCED = 150,      // rocksdb.blobdb.blob.file.synced
  // rocksdb.blobdb.blob.index.expired.count
  BLOB_DB_BLOB_INDEX_EXPIRED_COUNT = 151,
  // rocksdb.blobdb.blob.index.expired.size
  BLOB_DB_BLOB_INDEX_EXPIRED_SIZE = 152,
  // rocksdb.blobdb.blob.index.evicted.count
  BLOB_DB_BLOB_INDEX_EVICTED_COUNT = 153,
  // rocksdb.blobdb.blob.index.evicted.size
  BLOB_DB_BLOB_INDEX_EVICTED_SIZE = 154,
  BLOB_DB_GC_NUM_FILES = 155,           // rocksdb.blobdb.gc.num.files
  BLOB_DB_GC_NUM_NEW_FILES = 156,       // rocksdb.blobdb.gc.num.new.files
  BLOB_DB_GC_FAILURES = 157,            // rocksdb.blobdb.gc.failures
  BLOB_DB_GC_NUM_KEYS_RELOCATED = 158,  // rocksdb.blobdb.gc.num.keys.relocated
  BLOB_DB_GC_BYTES_RELOCATED = 159,     // rocksdb.blobdb.gc.bytes.relocated
  // rocksdb.blobdb.fifo.num.files.evicted
  BLOB_DB_FIFO_NUM_FILES_EVICTED = 160,
  BLOB_DB_FIFO_NUM_KEYS_EVICTED = 161,  // rocksdb.blobdb.fifo.num.keys.evicted
  BLOB_DB_FIFO_BYTES_EVICTED = 162,     // rocksdb.blobdb.fifo.bytes.evicted
  BLOB_DB_CACHE_MISS = 163,             // rocksdb.blobdb.cache.miss
  BLOB_DB_CACHE_HIT = 164,              // rocksdb.blobdb.cache.hit
  BLOB_DB_CACHE_ADD = 165,              // rocksdb.blobdb.cache.add
  BLOB_DB_CACHE_ADD_FAILURES = 166,     // rocksdb.blobdb.cache.add.failures
  BLOB_DB_CACHE_BYTES_READ = 167,       // rocksdb.blobdb.cache.bytes.read
  BLOB_DB_CACHE_BYTES_WRITE = 168,      // rocksdb.blobdb.cache.bytes.write
  TXN_PREPARE_MUTEX_OVERHEAD = 169,     // rocksdb.txn.overhead.mutex.prepare
  // rocksdb.txn.overhead.mutex.old.commit.map
  TXN_OLD_COMMIT_MAP_MUTEX_OVERHEAD = 170,
  TXN_DUPLICATE_KEY_OVERHEAD = 171,      // rocksdb.txn.overhead.duplicate.key
  TXN_SNAPSHOT_MUTEX_OVERHEAD = 172,     // rocksdb.txn.overhead.mutex.snapshot
  TXN_GET_TRY_AGAIN = 173,               // rocksdb.txn.get.tryagain
  FILES_MARKED_TRASH = 174,              // rocksdb.files.marked.trash
  FILES_DELETED_FROM_TRASH_QUEUE = 175,  // rocksdb.files.marked.trash.deleted
  FILES_DELETED_IMMEDIATELY = 176,       // rocksdb.files.deleted.immediately
  ERROR_HANDLER_BG_ERROR_COUNT = 177,    // rocksdb.error.handler.bg.error.count
  // rocksdb.error.handler.bg.io.error.count
  ERROR_HANDLER_BG_IO_ERROR_COUNT = 178,
  // rocksdb.error.handler.bg.retryable.io.error.count
  ERROR_HANDLER_BG_RETRYABLE_IO_ERROR_COUNT = 179,
  // rocksdb.error.handler.autoresume.count
  ERROR_HANDLER_AUTORESUME_COUNT = 180,
  // rocksdb.error.handler.autoresume.retry.total.count
  ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT = 181,
  // rocksdb.error.handler.autoresume.success.count
  ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT = 182,
  // rocksdb.memtable.payload.bytes.at.flush
  MEMTABLE_PAYLOAD_BYTES_AT_FLUSH = 183,
  // rocksdb.memtable.garbage.bytes.at.flush
  MEMTABLE_GARBAGE_BYTES_AT_FLUSH = 184,
  VERIFY_CHECKSUM_READ_BYTES = 185,    // rocksdb.verify_checksum.read.bytes
  BACKUP_READ_BYTES = 186,             // rocksdb.backup.read.bytes
  BACKUP_WRITE_BYTES = 187,            // rocksdb.backup.write.bytes
  REMOTE_COMPACT_READ_BYTES = 188,     // rocksdb.remote.compact.read.bytes
  REMOTE_COMPACT_WRITE_BYTES = 189,    // rocksdb.remote.compact.write.bytes
  REMOTE_COMPACT_RESUMED_BYTES = 190,  // rocksdb.remote.compact.resumed.bytes
  HOT_FILE_READ_BYTES = 191,           // rocksdb.hot.file.read.bytes
  WARM_FILE_READ_BYTES = 192,          // rocksdb.warm.file.read.bytes
  COOL_FILE_READ_BYTES = 193,          // rocksdb.cool.file.read.bytes
  COLD_FILE_READ_BYTES = 194,          // rocksdb.cold.file.read.bytes
  ICE_FILE_READ_BYTES = 195,           // rocksdb.ice.file.read.bytes
  HOT_FILE_READ_COUNT = 196,           // rocksdb.hot.file.read.count
  WARM_FILE_READ_COUNT = 197,          // rocksdb.warm.file.read.count
  COOL_FILE_READ_COUNT = 198,          // rocksdb.cool.file.read.count
  COLD_FILE_READ_COUNT = 199,          // rocksdb.cold.file.read.count
  ICE_FILE_READ_COUNT = 200,           // rocksdb.ice.file.read.count
  LAST_LEVEL_READ_BYTES = 201,         // rocksdb.last.level.read.bytes
  LAST_LEVEL_READ_COUNT = 202,         // rocksdb.last.level.read.count
  NON_LAST_LEVEL_READ_BYTES = 203,     // rocksdb.non.last.level.read.bytes
  NON_LAST_LEVEL_READ_COUNT = 204,     // rocksdb.non.last.level.read.count
  LAST_LEVEL_SEEK_FILTERED = 205,      // rocksdb.last.level.seek.filtered
  LAST_LEVEL_SEEK_FILTER_MATCH = 206,  // rocksdb.last.level.seek.filter.match
  LAST_LEVEL_SEEK_DATA = 207,          // rocksdb.last.level.seek.data
  // rocksdb.last.level.seek.data.useful.no.filter
  LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER = 208,
  // rocksdb.last.level.seek.data.useful.filter.match
  LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH = 209,
  NON_LAST_LEVEL_SEEK_FILTERED = 210,  // rocksdb.non.last.level.seek.filtered
  // rocksdb.non.last.level.seek.filter.match
  NON_LAST_LEVEL_SEEK_FILTER_MATCH = 211,
  NON_LAST_LEVEL_SEEK_DATA = 212,  // rocksdb.non.last.level.seek.data
  // rocksdb.non.last.level.seek.data.useful.no.filter
  NON_LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER = 213,
  // rocksdb.non.last.level.seek.data.useful.filter.match
  NON_LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH = 214,
  BLOCK_CHECKSUM_COMPUTE_COUNT = 215,   // rocksdb.block.checksum.compute.count
  BLOCK_CHECKSUM_MISMATCH_COUNT = 216,  // rocksdb.block.checksum.mismatch.count
  MULTIGET_COROUTINE_COUNT = 217,       // rocksdb.multiget.coroutine.count
  READ_ASYNC_MICROS = 218,              // rocksdb.read.async.micros
  ASYNC_READ_ERROR_COUNT = 219,         // rocksdb.async.read.error.count
  TABLE_OPEN_PREFETCH_TAIL_MISS = 220,  // rocksdb.table.open.prefetch.tail.miss
  TABLE_OPEN_PREFETCH_TAIL_HIT = 221,   // rocksdb.table.open.prefetch.tail.hit
  // rocksdb.timestamp.filter.table.checked
  TIMESTAMP_FILTER_TABLE_CHECKED = 222,
  // rocksdb.timestamp.filter.table.filtered
  TIMESTAMP_FILTER_TABLE_FILTERED = 223,
  READAHEAD_TRIMMED = 224,          // rocksdb.readahead.trimmed
  FIFO_MAX_SIZE_COMPACTIONS = 225,  // rocksdb.fifo.max.size.compactions
  FIFO_TTL_COMPACTIONS = 226,       // rocksdb.fifo.ttl.compactions
  // rocksdb.fifo.change_temperature.compactions
  FIFO_CHANGE_TEMPERATURE_COMPACTIONS = 227,
  PREFETCH_BYTES = 228,               // rocksdb.prefetch.bytes
  PREFETCH_BYTES_USEFUL = 229,        // rocksdb.prefetch.bytes.useful
  PREFETCH_HITS = 230,                // rocksdb.prefetch.hits
  SST_FOOTER_CORRUPTION_COUNT = 231,  // rocksdb.footer.corruption.count
  // rocksdb.file.read.corruption.retry.count
  FILE_READ_CORRUPTION_RETRY_COUNT = 232,
  // rocksdb.file.read.corruption.retry.success.count
  FILE_READ_CORRUPTION_RETRY_SUCCESS_COUNT = 233,
  NUMBER_WBWI_INGEST = 234,  // rocksdb.number.wbwi.ingest
  // rocksdb.sst.user.defined.index.load.fail.count
  SST_USER_DEFINED_INDEX_LOAD_FAIL_COUNT = 235,
  MULTISCAN_PREPARE_CALLS = 236,      // rocksdb.multiscan.prepare.calls
  MULTISCAN_PREPARE_ERRORS = 237,     // rocksdb.multiscan.prepare.errors
  MULTISCAN_BLOCKS_PREFETCHED = 238,  // rocksdb.multiscan.blocks.prefetched
  MULTISCAN_BLOCKS_FROM_CACHE = 239,  // rocksdb.multiscan.blocks.from.cache
  MULTISCAN_PREFETCH_BYTES = 240,     // rocksdb.multiscan.prefetch.bytes
  // rocksdb.multiscan.prefetch.blocks.wasted
  MULTISCAN_PREFETCH_BLOCKS_WASTED = 241,
  MULTISCAN_IO_REQUESTS = 242,  // rocksdb.multiscan.io.requests
  // rocksdb.multiscan.io.coalesced.nonadjacent
  MULTISCAN_IO_COALESCED_NONADJACENT = 243,
  MULTISCAN_SEEK_ERRORS = 244,          // rocksdb.multiscan.seek.errors
  PREFETCH_MEMORY_BYTES_GRANTED = 245,  // rocksdb.prefetch.memory.bytes.granted
  // rocksdb.prefetch.memory.bytes.released
  PREFETCH_MEMORY_BYTES_RELEASED = 246,
  // rocksdb.prefetch.memory.requests.blocked
  PREFETCH_MEMORY_REQUESTS_BLOCKED = 247,
  // rocksdb.read.path.range.tombstones.inserted
  READ_PATH_RANGE_TOMBSTONES_INSERTED = 248,
  // rocksdb.read.path.range.tombstones.discarded
  READ_PATH_RANGE_TOMBSTONES_DISCARDED = 249,
  FILE_OPEN_METADATA_RETRIEVED = 250,  // rocksdb.file.open.metadata.retrieved
  FILE_OPEN_METADATA_PASSED = 251,     // rocksdb.file.open.metadata.passed
  // rocksdb.manifest.validation.failure.count
  MANIFEST_VALIDATION_FAILURE_COUNT = 252,
  // rocksdb.flush.reason.write_buffer_full
  FLUSH_REASON_WRITE_BUFFER_FULL = 253,
  // rocksdb.flush.reason.write_buffer_manager
  FLUSH_REASON_WRITE_BUFFER_MANAGER = 254,
  // rocksdb.flush.reason.memtable_max_range_deletions
  FLUSH_REASON_MEMTABLE_MAX_RANGE_DELETIONS = 255,
  // rocksdb.atomic_flush.request.reason.write_buffer_full
  ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_FULL = 256,
  // rocksdb.atomic_flush.request.reason.write_buffer_manager
  ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_MANAGER = 257,
  // rocksdb.atomic_flush.request.reason.memtable_max_range_deletions
  ATOMIC_FLUSH_REQUEST_REASON_MEMTABLE_MAX_RANGE_DELETIONS = 258,
  // rocksdb.atomic_flush.request.reason.other
  ATOMIC_FLUSH_REQUEST_REASON_OTHER = 259,
  CHECKPOINT_READ_BYTES = 260,   // rocksdb.checkpoint.read.bytes
  CHECKPOINT_WRITE_BYTES = 261,  // rocksdb.checkpoint.write.bytes
  // rocksdb.file.submit.async.read.fallback
  FILE_SUBMIT_ASYNC_READ_FALLBACK = 262,
  BLOB_DB_LAZY_READ_COUNT = 263,  // rocksdb.blobdb.lazy.read.count
  BLOB_DB_LAZY_READ_BYTES = 264,  // rocksdb.blobdb.lazy.read.bytes
  // rocksdb.blobdb.lazy.partial.read.count
  BLOB_DB_LAZY_PARTIAL_READ_COUNT = 265,
  // rocksdb.blobdb.lazy.partial.bytes.saved
  BLOB_DB_LAZY_PARTIAL_BYTES_SAVED = 266,

  // Behind RocksDB's last: programs count from 0 up to here, and have arrays of
  // this size.
  TICKER_ENUM_MAX = 267,

  // Basalt's own, which an application's Statistics gets if it asks for them:
  // Statistics::TakesOwnTickers().
  // Files opened with O_DIRECT for one compaction, on handles of their own.
  COMPACTION_DIRECT_READ_OPENS = 268,  // basalt.compaction.direct.read.opens
  // Bytes read through those handles.
  COMPACTION_DIRECT_READ_BYTES = 269,  // basalt.compaction.direct.read.bytes
  // Readers that live for one compaction input; equal when no job runs.
  // basalt.compaction.ephemeral.readers.opened
  COMPACTION_EPHEMERAL_READERS_OPENED = 270,
  // basalt.compaction.ephemeral.readers.closed
  COMPACTION_EPHEMERAL_READERS_CLOSED = 271,

  // Bytes of new table files read ahead because users read their keys.
  HEAT_WARMED_BYTES = 272,  // basalt.heat.warmed.bytes
  // Blocks put into the block cache likewise.
  HEAT_CACHED_BLOCKS = 273,  // basalt.heat.cached.blocks
  // Time that flushes and compactions took for both, in microseconds.
  HEAT_MICROS = 274,  // basalt.heat.micros
  // Times that a bound left hot data cold.
  HEAT_CUT_SHORT = 275,  // basalt.heat.cut.short
  // Level-0 files kept in memory (fresh_level0_bytes), and those, with their
  // bytes, that a compaction took from there.
  FRESH_FILES_KEPT = 276,  // basalt.fresh.files.kept
  FRESH_FILES_READ = 277,  // basalt.fresh.files.read
  FRESH_BYTES_READ = 278,  // basalt.fresh.bytes.read
  // Bytes that direct reads of compactions found in the page cache, and took
  // from there.
  // basalt.compaction.resident.read.bytes
  COMPACTION_RESIDENT_READ_BYTES = 279,
  // Data blocks that compactions took over in their compressed form, and their
  // bytes before compression.
  // basalt.block.compression.reused
  NUMBER_BLOCK_COMPRESSION_REUSED = 280,
  BYTES_COMPRESSION_REUSED = 281,  // basalt.bytes.compression.reused
  OWN_TICKER_ENUM_MAX
};

// Every ticker below TICKER_ENUM_MAX with its name, in order.
extern const std::vector<std::pair<Tickers, std::string>> TickersNameMap;
// Those behind it, likewise.
extern const std::vector<std::pair<Tickers, std::string>> OwnTickersNameMap;

enum Histograms : uint32_t {
  DB_GET = 0,                    // rocksdb.db.get.micros
  DB_WRITE = 1,                  // rocksdb.db.write.micros
  COMPACTION_TIME = 2,           // rocksdb.compaction.times.micros
  COMPACTION_CPU_TIME = 3,       // rocksdb.compaction.times.cpu_micros
  SUBCOMPACTION_SETUP_TIME = 4,  // rocksdb.subcompaction.setup.times.micros
  TABLE_SYNC_MICROS = 5,         // rocksdb.table.sync.micros
  COMPACTION_OUTFILE_SYNC_MICROS = 6,  // rocksdb.compaction.outfile.sync.micros
  WAL_FILE_SYNC_MICROS = 7,            // rocksdb.wal.file.sync.micros
  MANIFEST_FILE_SYNC_MICROS = 8,       // rocksdb.manifest.file.sync.micros
  TABLE_OPEN_IO_MICROS = 9,            // rocksdb.table.open.io.micros
  DB_MULTIGET = 10,                    // rocksdb.db.multiget.micros
  READ_BLOCK_COMPACTION_MICROS = 11,   // rocksdb.read.block.compaction.micros
  READ_BLOCK_GET_MICROS = 12,          // rocksdb.read.block.get.micros
  WRITE_RAW_BLOCK_MICROS = 13,         // rocksdb.write.raw.block.micros
  NUM_FILES_IN_SINGLE_COMPACTION = 14,  // rocksdb.numfiles.in.singlecompaction
  DB_SEEK = 15,                         // rocksdb.db.seek.micros
  WRITE_STALL = 16,                     // rocksdb.db.write.stall
  SST_READ_MICROS = 17,                 // rocksdb.sst.read.micros
  FILE_READ_FLUSH_MICROS = 18,          // rocksdb.file.read.flush.micros
  FILE_READ_COMPACTION_MICROS = 19,     // rocksdb.file.read.compaction.micros
  FILE_READ_DB_OPEN_MICROS = 20,        // rocksdb.file.read.db.open.micros
  FILE_READ_GET_MICROS = 21,            // rocksdb.file.read.get.micros
  FILE_READ_MULTIGET_MICROS = 22,       // rocksdb.file.read.multiget.micros
  FILE_READ_DB_ITERATOR_MICROS = 23,    // rocksdb.file.read.db.iterator.micros
  // rocksdb.file.read.verify.db.checksum.micros
  FILE_READ_VERIFY_DB_CHECKSUM_MICROS = 24,
  // rocksdb.file.read.verify.file.checksums.micros
  FILE_READ_VERIFY_FILE_CHECKSUMS_MICROS = 25,
  SST_WRITE_MICROS = 26,                // rocksdb.sst.write.micros
  FILE_WRITE_FLUSH_MICROS = 27,         // rocksdb.file.write.flush.micros
  FILE_WRITE_COMPACTION_MICROS = 28,    // rocksdb.file.write.compaction.micros
  FILE_WRITE_DB_OPEN_MICROS = 29,       // rocksdb.file.write.db.open.micros
  NUM_SUBCOMPACTIONS_SCHEDULED = 30,    // rocksdb.num.subcompactions.scheduled
  BYTES_PER_READ = 31,                  // rocksdb.bytes.per.read
  BYTES_PER_WRITE = 32,                 // rocksdb.bytes.per.write
  BYTES_PER_MULTIGET = 33,              // rocksdb.bytes.per.multiget
  COMPRESSION_TIMES_NANOS = 34,         // rocksdb.compression.times.nanos
  DECOMPRESSION_TIMES_NANOS = 35,       // rocksdb.decompression.times.nanos
  READ_NUM_MERGE_OPERANDS = 36,         // rocksdb.read.num.merge_operands
  BLOB_DB_KEY_SIZE = 37,                // rocksdb.blobdb.key.size
  BLOB_DB_VALUE_SIZE = 38,              // rocksdb.blobdb.value.size
  BLOB_DB_WRITE_MICROS = 39,            // rocksdb.blobdb.write.micros
  BLOB_DB_GET_MICROS = 40,              // rocksdb.blobdb.get.micros
  BLOB_DB_MULTIGET_MICROS = 41,         // rocksdb.blobdb.multiget.micros
  BLOB_DB_SEEK_MICROS = 42,             // rocksdb.blobdb.seek.micros
  BLOB_DB_NEXT_MICROS = 43,             // rocksdb.blobdb.next.micros
  BLOB_DB_PREV_MICROS = 44,             // rocksdb.blobdb.prev.micros
  BLOB_DB_BLOB_FILE_WRITE_MICROS = 45,  // rocksdb.blobdb.blob.file.write.micros
  BLOB_DB_BLOB_FILE_READ_MICROS = 46,   // rocksdb.blobdb.blob.file.read.micros
  BLOB_DB_BLOB_FILE_SYNC_MICROS = 47,   // rocksdb.blobdb.blob.file.sync.micros
  BLOB_DB_COMPRESSION_MICROS = 48,      // rocksdb.blobdb.compression.micros
  BLOB_DB_DECOMPRESSION_MICROS = 49,    // rocksdb.blobdb.decompression.micros
  FLUSH_TIME = 50,                      // rocksdb.db.flush.micros
  SST_BATCH_SIZE = 51,                  // rocksdb.sst.batch.size
  MULTIGET_IO_BATCH_SIZE = 52,          // rocksdb.multiget.io.batch.size
  // rocksdb.num.index.and.filter.blocks.read.per.level
  NUM_INDEX_AND_FILTER_BLOCKS_READ_PER_LEVEL = 53,
  NUM_SST_READ_PER_LEVEL = 54,       // rocksdb.num.sst.read.per.level
  NUM_LEVEL_READ_PER_MULTIGET = 55,  // rocksdb.num.level.read.per.multiget
  // rocksdb.error.handler.autoresume.retry.count
  ERROR_HANDLER_AUTORESUME_RETRY_COUNT = 56,
  ASYNC_READ_BYTES = 57,             // rocksdb.async.read.bytes
  POLL_WAIT_MICROS = 58,             // rocksdb.poll.wait.micros
  COMPACTION_PREFETCH_BYTES = 59,    // rocksdb.compaction.prefetch.bytes
  PREFETCHED_BYTES_DISCARDED = 60,   // rocksdb.prefetched.bytes.discarded
  ASYNC_PREFETCH_ABORT_MICROS = 61,  // rocksdb.async.prefetch.abort.micros
  // rocksdb.table.open.prefetch.tail.read.bytes
  TABLE_OPEN_PREFETCH_TAIL_READ_BYTES = 62,
  NUM_OP_PER_TRANSACTION = 63,  // rocksdb.num.op.per.transaction
  // rocksdb.multiscan.op.prepare.iterators.micros
  MULTISCAN_PREPARE_ITERATORS = 64,
  MULTISCAN_PREPARE_MICROS = 65,      // rocksdb.multiscan.prepare.micros
  MULTISCAN_BLOCKS_PER_PREPARE = 66,  // rocksdb.multiscan.blocks.per.prepare
  // rocksdb.iodispatcher.async.read.observed.completion.micros
  IO_DISPATCHER_ASYNC_READ_OBSERVED_COMPLETION_MICROS = 67,
  // rocksdb.iodispatcher.async.read.poll.wait.micros
  IO_DISPATCHER_ASYNC_READ_POLL_WAIT_MICROS = 68,
  // rocksdb.iodispatcher.async.read.prefetch.lead.micros
  IO_DISPATCHER_ASYNC_READ_PREFETCH_LEAD_MICROS = 69,
  BLOCK_KEY_DISTRIBUTION_CV = 70,  // rocksdb.block.key.distribution.cv
  // rocksdb.ingest.external.file.prepare.micros
  INGEST_EXTERNAL_FILE_PREPARE_TIME = 71,
  // rocksdb.ingest.external.file.run.micros
  INGEST_EXTERNAL_FILE_RUN_TIME = 72,
  RATE_LIMITER_WAIT_MICROS_READ = 73,  // rocksdb.rate.limiter.wait.micros.read
  // rocksdb.rate.limiter.wait.micros.write
  RATE_LIMITER_WAIT_MICROS_WRITE = 74,
  FLUSH_MEMTABLE_MEMORY_BYTES = 75,  // rocksdb.flush.memtable.memory.bytes
  // rocksdb.flush.memtable.total.data.size.bytes
  FLUSH_MEMTABLE_TOTAL_DATA_SIZE = 76,
  // rocksdb.flush.write_buffer_full.memtable.memory.bytes
  FLUSH_WRITE_BUFFER_FULL_MEMTABLE_MEMORY_BYTES = 77,
  // rocksdb.flush.write_buffer_manager.memtable.memory.bytes
  FLUSH_WRITE_BUFFER_MANAGER_MEMTABLE_MEMORY_BYTES = 78,
  // rocksdb.open.and.compact.db.open.micros
  OPEN_AND_COMPACT_DB_OPEN_MICROS = 79,

  HISTOGRAM_ENUM_MAX
};

// Every histogram with its name, in order.
extern const std::vector<std::pair<Histograms, std::string>> HistogramsNameMap;

// A distribution in a few numbers.
struct HistogramData {
  double median = 0.0;
  double percentile95 = 0.0;
  double percentile99 = 0.0;
  double average = 0.0;
  double standard_deviation = 0.0;
  double max = 0.0;
  uint64_t count = 0;
  uint64_t sum = 0;
  double min = 0.0;
};

// How much is measured; each level includes those before it.
enum StatsLevel : uint8_t {
  kDisableAll,
  kExceptTickers = kDisableAll,
  // Tickers only.
  kExceptHistogramOrTimers,
  // No time measurement at all.
  kExceptTimers,
  // No time spent in mutexes, nor in compression.
  kExceptDetailedTimers,
  // No time inside the DB mutex.
  kExceptTimeForMutex,
  kAll,  // Below it one Get(), write or seek of 16 is timed, see observing.md.
};

class Statistics : public Customizable {
 public:
  ~Statistics() override = default;

  static const char* Type() { return "Statistics"; }
  static Status CreateFromString(const ConfigOptions& opts,
                                 const std::string& value,
                                 std::shared_ptr<Statistics>* result);
  const char* Name() const override { return kClassName(); }
  static const char* kClassName() { return "Statistics"; }

  virtual uint64_t getTickerCount(uint32_t ticker_type) const = 0;
  virtual void histogramData(uint32_t type, HistogramData* data) const = 0;
  // One histogram with its buckets, as text.
  virtual std::string getHistogramString(uint32_t /*type*/) const { return ""; }
  virtual void recordTick(uint32_t ticker_type, uint64_t count = 1) = 0;
  virtual void setTickerCount(uint32_t ticker_type, uint64_t count) = 0;
  virtual uint64_t getAndResetTickerCount(uint32_t ticker_type) = 0;

  // Adds a time to a histogram, unless the level leaves times out.
  virtual void reportTimeToHistogram(uint32_t histogram_type, uint64_t time) {
    if (get_stats_level() > StatsLevel::kExceptTimers) {
      recordInHistogram(histogram_type, time);
    }
  }
  // Adds a value to a histogram.
  virtual void recordInHistogram(uint32_t /*histogram_type*/,
                                 uint64_t /*value*/) {}
  virtual void measureTime(uint32_t histogram_type, uint64_t time) {
    recordInHistogram(histogram_type, time);
  }

  // All counters to zero, all histograms empty.
  virtual Status Reset();

  // A line for each ticker, then one for each histogram.
  virtual std::string ToString() const;
  using Configurable::ToString;
  // Every ticker by its name.
  virtual bool getTickerMap(std::map<std::string, uint64_t>* /*map*/) const {
    return false;
  }
  virtual bool HistEnabledForType(uint32_t type) const {
    return type < HISTOGRAM_ENUM_MAX;
  }
  // Does it count tickers behind TICKER_ENUM_MAX, too? One that does not is
  // never told of them: its arrays may end there. Default: false. That of
  // CreateDBStatistics() does.
  virtual bool TakesOwnTickers() const { return false; }

  void set_stats_level(StatsLevel level) {
    stats_level_.store(level, std::memory_order_relaxed);
  }
  StatsLevel get_stats_level() const {
    return stats_level_.load(std::memory_order_relaxed);
  }

 private:
  // Relaxed: the level is a wish, and no other memory depends on it.
  std::atomic<StatsLevel> stats_level_{kExceptDetailedTimers};
};

// A Statistics that counts; cheap from many threads.
std::shared_ptr<Statistics> CreateDBStatistics();

}  // namespace ROCKSDB_NAMESPACE
