// What depends on which engine db_bench is linked with.
//
// One source serves Basalt and RocksDB releases from 7.8 on. Calls that some
// of them lack are looked for when this is compiled, in engine.cc alone.
//
// Threads    Any.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

// The newest table format that the engine writes.
int NewestFormatVersion();

// The lines that say which engine this is, ended by line feeds.
std::string EngineVersion();

// Returns once no flush and no compaction runs or is due.
Status WaitForCompaction(DB* db);

// Ranges of keys, read one after the other by one scan that is told of all of
// them.
struct ScanOfRanges {
  std::vector<std::pair<std::string, std::string>> bounds;  // [from, to)
  uint64_t coalesce_bytes = 0;
  uint64_t max_prefetch_bytes = 0;
  uint64_t max_all_bytes = 0;  // prefetch limit of the whole process; 0: none
  bool is_async = false;
  bool is_reverse = false;
};
struct ScanCount {
  uint64_t entries = 0;
  uint64_t bytes = 0;
};
// NotSupported where the engine has no such scans.
Status ScanRanges(DB* db, ColumnFamilyHandle* family,
                  const ReadOptions& options, const ScanOfRanges& scan,
                  ScanCount* count);

// The engine's CRC32c.
uint32_t Crc32c(const char* data, size_t size);

}  // namespace ROCKSDB_NAMESPACE::bench
