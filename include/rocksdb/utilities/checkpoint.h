#pragma once

// Copies of a database, or of one family, that share its table files.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

struct CheckpointEngineOptions : public CheckpointOrBackupEngineOptions {
  // Tables and blob files are hard links where the file system has them. False:
  // all files are copied, so that nothing is shared with the database.
  bool use_link_file_when_available = true;
};

struct CreateCheckpointOptions : public CreateCheckpointOrBackupOptions {
  // While logs hold fewer bytes they are copied, else memtables are flushed. 0:
  // always; UINT64_MAX: never. A database with allow_2pc, which every
  // TransactionDB is, is flushed whatever the limit.
  uint64_t log_size_for_flush = 0;
  // The families that the checkpoint has; the default one always is among them.
  // Empty: all.
  std::vector<ColumnFamilyHandle*> column_families;
};

// Threads    Any.
class CheckpointEngineBase {
 public:
  CheckpointEngineBase() = default;
  virtual ~CheckpointEngineBase() = default;
  CheckpointEngineBase(const CheckpointEngineBase&) = delete;
  CheckpointEngineBase& operator=(const CheckpointEngineBase&) = delete;
  CheckpointEngineBase(CheckpointEngineBase&&) = delete;
  CheckpointEngineBase& operator=(CheckpointEngineBase&&) = delete;

  // Like the calls of Checkpoint. `source_db` must stay open meanwhile.
  virtual IOStatus CreateCheckpoint(
      DB* source_db, const std::string& destination_dir,
      uint64_t* sequence_number_ptr = nullptr,
      const CreateCheckpointOptions& options = {}) = 0;
  virtual IOStatus ExportColumnFamily(
      DB* source_db, ColumnFamilyHandle* handle,
      const std::string& destination_dir,
      ExportImportFilesMetaData** out_metadata,
      const CreateCheckpointOptions& options = {}) = 0;
};

// Makes checkpoints of any number of databases with threads of its own, which
// link and copy files side by side. (The files of an export go one by one.)
//
// Threads    Any; calls at the same time share the engine's threads.
class CheckpointEngine : public CheckpointEngineBase {
 public:
  // The options' logger outlives the engine.
  static Status Open(const CheckpointEngineOptions& options,
                     std::unique_ptr<CheckpointEngine>* out_checkpoint_engine);
};

// Threads    Any, while the DB is open.
// Lifetime   The DB must outlive it.
class Checkpoint {
 public:
  // The caller owns *checkpoint_ptr.
  static Status Create(DB* db, Checkpoint** checkpoint_ptr);
  virtual ~Checkpoint() {}

  // A database like this one, now, in a new directory: tables are hard links
  // where the file system has them, the rest are copies. While logs hold fewer
  // than `log_size_for_flush` bytes they are copied, else memtables are flushed
  // (0: always; UINT64_MAX: never; a database with allow_2pc, which every
  // TransactionDB is, is flushed whatever the limit). *sequence_number_ptr is
  // one up to which all is in it.
  //
  // Errors  InvalidArgument if the directory exists. On failure nothing stays.
  virtual Status CreateCheckpoint(const std::string& checkpoint_dir,
                                  uint64_t log_size_for_flush = 0,
                                  uint64_t* sequence_number_ptr = nullptr);
  // The same with some families alone, and always the default one: the others
  // are dropped in the checkpoint's manifest, and their tables are not there.
  // Logs are whole. Empty: all families.
  //
  // Errors  InvalidArgument: a handle is null, of another database, or of a
  //         family that is dropped.
  virtual Status CreateCheckpoint(
      const std::string& checkpoint_dir,
      const std::vector<ColumnFamilyHandle*>& column_families,
      uint64_t log_size_for_flush = 0, uint64_t* sequence_number_ptr = nullptr);

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
