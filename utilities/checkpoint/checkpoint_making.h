// Makes checkpoints and exports families, in the caller's thread or by those
// of a pool.
//
// Threads  Any number at a time.
// Errors   Those of Checkpoint's calls. On failure nothing stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class RateLimiter;
class TransferPool;
struct ExportImportFilesMetaData;

struct CheckpointMeans {
  TransferPool* pool = nullptr;    // null: one file after the other
  RateLimiter* limiter = nullptr;  // for copies; null: none
  size_t chunk_bytes = 0;          // read at a time; 0: FileCopy's default
  bool may_link = true;            // else all files are copied
};

struct CheckpointRequest {
  std::string directory;
  uint64_t log_size_for_flush = 0;
  // The default family is always among them. Empty: all.
  std::vector<ColumnFamilyHandle*> families;
};

// `sequence_number`, which may be null, is one up to which all is in it.
Status MakeCheckpoint(DB* db, const CheckpointRequest& request,
                      const CheckpointMeans& means, uint64_t* sequence_number);

Status ExportFamily(DB* db, ColumnFamilyHandle* handle,
                    const std::string& directory, const CheckpointMeans& means,
                    ExportImportFilesMetaData** metadata);

}  // namespace ROCKSDB_NAMESPACE
