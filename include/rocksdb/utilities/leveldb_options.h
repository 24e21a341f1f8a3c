// The options of LevelDB, for programs that come from there.
#pragma once

#include <cstddef>

#include "rocksdb/compression_type.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Cache;
class Comparator;
class Env;
class FilterPolicy;
class Logger;

// Each field means what the field of that name of Options, or of
// BlockBasedTableOptions, does; the defaults are LevelDB's.
struct LevelDBOptions {
  LevelDBOptions();

  // Default: BytewiseComparator().
  const Comparator* comparator;
  // Defaults: false.
  bool create_if_missing;
  bool error_if_exists;
  bool paranoid_checks;
  // Default: Env::Default().
  Env* env;
  // Default: null, a file LOG in the directory of the database.
  Logger* info_log;
  // Bytes. Default: 4 MiB.
  size_t write_buffer_size;
  // Default: 1000.
  int max_open_files;
  // Default: null, the engine's own.
  Cache* block_cache;
  // Bytes before compression. Default: 4 KiB.
  size_t block_size;
  // Default: 16.
  int block_restart_interval;
  // Default: kSnappyCompression.
  CompressionType compression;
  // Default: null, no filters.
  const FilterPolicy* filter_policy;
};

// Options that do what `leveldb_options` ask for. info_log, block_cache and
// filter_policy, where they are not null, belong to the result from then on:
// use a LevelDBOptions with them once.
Options ConvertOptions(const LevelDBOptions& leveldb_options);

}  // namespace ROCKSDB_NAMESPACE
