#pragma once

// Copies of a database, or of one family, that share its table files.

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/io_status.h"
#include "rocksdb/port_defs.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class Logger;
class RateLimiter;
struct ExportImportFilesMetaData;

// What engines that copy databases have in common, fixed while one is open.
struct CheckpointOrBackupEngineOptions {
  // Borrowed. Null: nothing is logged.
  Logger* info_log = nullptr;
  // Bytes to read ahead of what is written. 0: one burst of the rate limiter,
  // or 5 MiB.
  uint64_t io_buffer_size = 0;
  // Bytes per second that copying may write. 0: any.
  uint64_t backup_rate_limit = 0;
  // Instead of the number; may be shared, and counts reads too if it is one
  // for all I/O.
  std::shared_ptr<RateLimiter> backup_rate_limiter{nullptr};
  // Threads that copy and verify.
  int max_background_operations = 1;
};

struct CreateCheckpointOrBackupOptions {
  // The engine's threads get `background_thread_cpu_priority`, if that is lower
  // than what they have, and keep it.
  bool decrease_background_thread_cpu_priority = false;
  CpuPriority background_thread_cpu_priority = CpuPriority::kNormal;
};

// Threads    Any, while the DB is open.
// Lifetime   The DB must outlive it.
class Checkpoint {
 public:
  // The caller owns *checkpoint_ptr.
  static Status Create(DB* db, Checkpoint** checkpoint_ptr);
  virtual ~Checkpoint() {}

  // A database like this one, now, in a new directory: tables are hard links
  // where the file system has them, the rest are copies. While logs hold at
  // most `log_size_for_flush` bytes they are copied, else memtables are flushed
  // (0: always). *sequence_number_ptr is one up to which all is in it.
  //
  // Errors  InvalidArgument if the directory exists. On failure nothing stays.
  virtual Status CreateCheckpoint(const std::string& checkpoint_dir,
                                  uint64_t log_size_for_flush = 0,
                                  uint64_t* sequence_number_ptr = nullptr);

  // The tables of one family in a new directory, flushed before. *metadata,
  // which the caller owns, is what DB::CreateColumnFamilyWithImport() takes.
  //
  // Blob files  What is exported needs none: a table with values in blob files
  //             is written anew, level and sequences as they are, with the
  //             values inside. An imported family with enable_blob_files has
  //             its compactions take them out again.
  // Cost        Tables without blobs are hard links where the file system has
  //             them, else copies; the others are read and written as a whole,
  //             and need room in the database's first path meanwhile.
  // Errors      InvalidArgument if the directory exists. On failure nothing
  //             stays.
  virtual Status ExportColumnFamily(ColumnFamilyHandle* handle,
                                    const std::string& export_dir,
                                    ExportImportFilesMetaData** metadata);
};

}  // namespace ROCKSDB_NAMESPACE
