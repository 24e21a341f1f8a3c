// What operators read off a running database, beside its properties: its
// numbers in the text format of Prometheus, and where its memory is.
//
// Threads  Any, beside any other call on an open database.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class DB;

// Properties of ours, beside DB::Properties.
struct ObservedProperties {
  // "basalt.page-cache": how much of each level's table files the page cache
  // of the operating system holds, as text, and as a map with
  // "level<N>.files", ".bytes" and ".resident-bytes". Not there for a file
  // system other than the operating system's.
  static const std::string kPageCache;
  // "basalt.ephemeral-readers" and "basalt.ephemeral-readers-peak": private
  // handles of table files that compactions and other bulk readers have open
  // now, and had at most since the database was opened. Numbers.
  static const std::string kEphemeralReaders;
  static const std::string kEphemeralReadersPeak;
  // "basalt.memory": a MemoryReport, as text and as a map.
  static const std::string kMemory;
};

// Every ticker as a counter, every histogram that has values with its buckets,
// and the properties that are numbers as gauges, of each column family; in the
// exposition format 0.0.4. Without DBOptions::statistics, the properties
// alone. Each sample carries the label db, the gauges also cf.
Status GetPrometheusText(DB* db, std::string* text);

// Memory in bytes, by what it is for. Caches and pools that databases share
// are counted whole for each of them.
struct MemoryReport {
  // Active, sealed, and those that only iterators and snapshots still hold.
  uint64_t memtables = 0;
  // What is in the block caches of all column families. Room that is reserved
  // there for memory elsewhere is not.
  uint64_t block_cache = 0;
  // Open table files: index and filter outside the block cache, properties.
  uint64_t table_readers = 0;
  // What the manifest says of each live table file.
  uint64_t file_metadata = 0;
  // Images of level-0 files (DBOptions::fresh_level0_bytes).
  uint64_t fresh_level0 = 0;
  // Buffers of bulk reads and writes, and of read-ahead: one pool of each for
  // the process.
  uint64_t buffer_pool = 0;
  // What is in caches that are none of the block caches: of blobs and of rows.
  uint64_t blob_cache = 0;
  uint64_t row_cache = 0;
  // Compressed secondary caches behind any of the caches above.
  uint64_t secondary_cache = 0;

  uint64_t Total() const {
    return memtables + block_cache + table_readers + file_metadata +
           fresh_level0 + buffer_pool + blob_cache + row_cache +
           secondary_cache;
  }
  // A line for each part, and one for the total.
  std::string ToString() const;
};

Status GetMemoryReport(DB* db, MemoryReport* report);

}  // namespace ROCKSDB_NAMESPACE
