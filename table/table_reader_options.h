// What a table reader is told when it is opened.
#pragma once

#include <cstdint>
#include <string>

#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

struct TableReaderOptions {
  const ImmutableDBOptions* db = nullptr;
  const ImmutableCFOptions* cf = nullptr;
  const MutableCFOptions* mutable_cf = nullptr;
  // Those of users' reads, for a table whose reader opens the file itself.
  FileOptions file_options;
  uint64_t file_number = 0;
  int level = -1;  // -1 = unknown
  // The id of this process's opening of the database: part of the cache keys
  // where the file does not say where it is from.
  std::string db_session_id;
  // The unique id that the manifest records; both 0: not checked.
  uint64_t expected_unique_id[2] = {0, 0};
  // The filter is not loaded: no point lookup will come.
  bool skip_filters = false;
  // False: a reader of one scan, which puts nothing in the block cache and
  // takes nothing from it, metadata included.
  bool use_block_cache = true;
  // False: index and filter that live in the block cache come there when they
  // are first read, not now; what is to be pinned still comes now.
  bool prefetches_metadata = true;
  // False: what comes now is looked at, and is not kept in the block cache
  // unless it is to be pinned.
  bool fill_cache = true;
  // Counts what users read, for CollectHeat().
  bool keeps_heat = false;
  // Every sequence in the file is this one instead (ingested files); the
  // maximum: the file's own.
  uint64_t largest_sequence = UINT64_MAX;
};

}  // namespace ROCKSDB_NAMESPACE
