// Backups of databases: many in one directory, which share the table and blob
// files that they have in common, and restoring them.
//
// The directories are those of RocksDB, in both directions:
//
//   <backup_dir>/meta/<id>           what backup <id> consists of; a backup
//                                    exists if and only if this file does
//                private/<id>/       CURRENT, MANIFEST, OPTIONS and logs
//                shared_checksum/    tables and blob files
//
// Durability  With BackupEngineOptions::sync a backup that was answered OK
//             survives a loss of power, and one that was cut off leaves only
//             garbage, which is collected later. What a process that ended
//             in the middle has copied is used by the next backup.
// Threads     An engine may be used from any thread. Calls that ask, verify or
//             restore run beside each other; calls that change the directory
//             wait for all others. StopBackup() never waits.
// Two engines on one directory: any number may read, also beside one that
//             makes backups; a reader does not see later ones. Only one may
//             write.

#pragma once

#include <climits>
#include <cstdint>
#include <forward_list>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/io_status.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/checkpoint.h"

namespace ROCKSDB_NAMESPACE {

class BackupEngine;
class DB;
class Logger;
class RateLimiter;

// The function of whole-file checksums that a database may keep, and that a
// backup compares its copies with.
constexpr char kDbFileChecksumFuncName[] = "FileChecksumCrc32c";
// The checksum of each file of a backup.
constexpr char kBackupFileChecksumFuncName[] = "crc32c";

// Fixed while an engine is open.
struct BackupEngineOptions : public CheckpointOrBackupEngineOptions {
  // Where the backups are; absolute, if a database is to be opened from one.
  // Its parent must exist.
  std::string backup_dir;

  // The file system of the backups. Null: that of the database.
  Env* backup_env;

  // Backups share the table and blob files that they have in common. False:
  // each backup is complete in a directory of its own.
  // Default: true.
  bool share_table_files;

  // All that is written is synced. False: after a crash of the system, a backup
  // that is listed may be damaged.
  // Default: true.
  bool sync;

  // Opening deletes all backups that are there.
  // Default: false.
  bool destroy_old_data;

  // Logs are part of a backup. False: what is not flushed is not in it.
  // Default: true.
  bool backup_log_files;

  // Bytes per second that restoring may write. 0: any.
  // Default: 0.
  uint64_t restore_rate_limit;

  // Instead of the number; may be shared, and counts reads too if it is one
  // for all I/O.
  std::shared_ptr<RateLimiter> restore_rate_limiter{nullptr};

  // Names of shared files tell what is in them. False: they are those of the
  // database, which is wrong as soon as files of two databases, or of one that
  // was restored and went on, meet in the directory. Needs share_table_files.
  // Default: true.
  bool share_files_with_checksum;

  // Copied bytes from one call of a progress callback to the next.
  // Default: 4 MiB.
  uint64_t callback_trigger_interval_size;

  // A read-only engine loads so many of the newest valid backups; one that
  // writes needs to know all of them.
  // Default: INT_MAX.
  int max_valid_backups_to_open;

  // What is in the names of shared files, beside the number and the kind.
  enum ShareFilesNaming : uint32_t {
    // Checksum and size, which means reading a file to know its name.
    kLegacyCrc32cAndFileSize = 1U,
    // The session of the database that wrote the table. Blob files, and tables
    // that do not tell it, get checksum and size.
    kUseDbSessionId = 2U,
    kMaskNoNamingFlags = 0xffffU,
    // And the size.
    kFlagIncludeFileSize = 1U << 31,
    kMaskNamingFlags = ~kMaskNoNamingFlags,
  };
  // Default: kUseDbSessionId | kFlagIncludeFileSize.
  ShareFilesNaming share_files_with_checksum_naming;

  // The version of the descriptions that are written: 1, which all releases
  // read, or 2, which has temperatures and excluded files. Opening refuses
  // others.
  // Default: 1.
  int schema_version = 1;

  // The temperature of a file is what its file system says when it is copied;
  // else what the MANIFEST says.
  // Default: false.
  bool current_temperatures_override_manifest = false;

  void Dump(Logger* logger) const;

  explicit BackupEngineOptions(
      const std::string& _backup_dir, Env* _backup_env = nullptr,
      bool _share_table_files = true, Logger* _info_log = nullptr,
      bool _sync = true, bool _destroy_old_data = false,
      bool _backup_log_files = true, uint64_t _io_buffer_size = 0,
      uint64_t _backup_rate_limit = 0, uint64_t _restore_rate_limit = 0,
      int _max_background_operations = 1,
      uint64_t _callback_trigger_interval_size = 4 * 1024 * 1024,
      int _max_valid_backups_to_open = INT_MAX,
      ShareFilesNaming _share_files_with_checksum_naming =
          static_cast<ShareFilesNaming>(kUseDbSessionId | kFlagIncludeFileSize))
      : backup_dir(_backup_dir),
        backup_env(_backup_env),
        share_table_files(_share_table_files),
        sync(_sync),
        destroy_old_data(_destroy_old_data),
        backup_log_files(_backup_log_files),
        restore_rate_limit(_restore_rate_limit),
        share_files_with_checksum(true),
        callback_trigger_interval_size(_callback_trigger_interval_size),
        max_valid_backups_to_open(_max_valid_backups_to_open),
        share_files_with_checksum_naming(_share_files_with_checksum_naming) {
    info_log = _info_log;
    io_buffer_size = _io_buffer_size;
    backup_rate_limit = _backup_rate_limit;
    max_background_operations = _max_background_operations;
  }
};

inline BackupEngineOptions::ShareFilesNaming operator&(
    BackupEngineOptions::ShareFilesNaming lhs,
    BackupEngineOptions::ShareFilesNaming rhs) {
  return static_cast<BackupEngineOptions::ShareFilesNaming>(
      static_cast<uint32_t>(lhs) & static_cast<uint32_t>(rhs));
}

inline BackupEngineOptions::ShareFilesNaming operator|(
    BackupEngineOptions::ShareFilesNaming lhs,
    BackupEngineOptions::ShareFilesNaming rhs) {
  return static_cast<BackupEngineOptions::ShareFilesNaming>(
      static_cast<uint32_t>(lhs) | static_cast<uint32_t>(rhs));
}

// A file that is part of a backup, but not in its directory.
struct BackupExcludedFileInfo {
  explicit BackupExcludedFileInfo(const std::string& _relative_file)
      : relative_file(_relative_file) {}

  // Below the backup directory, as the file would be there.
  std::string relative_file;
};

// A file that may be left out.
struct MaybeExcludeBackupFile {
  explicit MaybeExcludeBackupFile(BackupExcludedFileInfo&& _info)
      : info(std::move(_info)) {}

  const BackupExcludedFileInfo info;
  // The answer.
  bool exclude_decision = false;
};

struct CreateBackupOptions : public CreateCheckpointOrBackupOptions {
  // Memtables are flushed first. Without it, and with backup_log_files, what
  // they hold is in the backup's logs, but for writes that went to no log.
  // A database with allow_2pc is always flushed.
  bool flush_before_backup = false;

  // Called on the threads that copy, one call at a time, each time that so many
  // bytes as callback_trigger_interval_size are copied. It may call
  // StopBackup(), and nothing else of the engine. If it throws, the backup is
  // Aborted.
  std::function<void()> progress_callback = {};

  // Called once, for the shared files that would be copied, from the first to
  // the one before the second argument: those with `exclude_decision` set are
  // not, and must be found in another directory when the backup is restored.
  // Needs schema version 2. If it throws, the backup is Aborted.
  std::function<void(MaybeExcludeBackupFile* files_begin,
                     MaybeExcludeBackupFile* files_end)>
      exclude_files_callback = {};

  // With flush_before_backup: all families are flushed as one.
  bool atomic_flush = false;
};

class BackupEngineReadOnlyBase;

struct RestoreOptions {
  enum Mode : uint32_t {
    // Tables whose name in the backup tells session and size stay, if they are
    // the same in the database.
    kKeepLatestDbSessionIdFiles = 1U,
    // Table and blob files stay, if their checksum is the same; so they are
    // read.
    kVerifyChecksum = 2U,
    // All are replaced.
    kPurgeAllFiles = 0xffffU,
  };

  // Logs that are there stay, and archived ones come back: for backups without
  // logs, so that the database goes on to its newest state.
  bool keep_log_files;

  // Engines whose directories may have files that the backup excludes, in the
  // order in which they are asked. Borrowed.
  std::forward_list<BackupEngineReadOnlyBase*> alternate_dirs;

  Mode mode;

  // Basalt's own. Table and blob files become hard links of those of the
  // backup, once their checksum has been found right, where the file system has
  // links; else they are copied. Nobody changes such a file, and it goes when
  // neither needs it any more; but damage to it is damage to both.
  // Default: false.
  bool use_link_file_when_available = false;

  explicit RestoreOptions(bool _keep_log_files = false,
                          Mode _mode = Mode::kPurgeAllFiles)
      : keep_log_files(_keep_log_files), mode(_mode) {}
};

using BackupID = uint32_t;

using BackupFileInfo = FileStorageInfo;

struct BackupInfo {
  BackupID backup_id = 0U;
  // Seconds since 1970, when it was begun.
  int64_t timestamp = 0;
  // Bytes of all its files, shared ones included, excluded ones not.
  uint64_t size = 0U;
  uint32_t number_files = 0U;
  std::string app_metadata;

  // These four with include_file_details only. Names are those below the backup
  // directory.
  std::vector<BackupFileInfo> file_details;
  std::vector<BackupExcludedFileInfo> excluded_files;
  // What DB::OpenForReadOnly() takes, with `env_for_open` as its env, to read
  // the backup where it is. The env must live as long as the database is open.
  std::string name_for_open;
  std::shared_ptr<Env> env_for_open;

  BackupInfo() {}
  BackupInfo(BackupID _backup_id, int64_t _timestamp, uint64_t _size,
             uint32_t _number_files, const std::string& _app_metadata)
      : backup_id(_backup_id),
        timestamp(_timestamp),
        size(_size),
        number_files(_number_files),
        app_metadata(_app_metadata) {}
};

// Threads  One at a time.
class BackupStatistics {
 public:
  BackupStatistics() {}
  BackupStatistics(uint32_t _number_success_backup,
                   uint32_t _number_fail_backup)
      : number_success_backup(_number_success_backup),
        number_fail_backup(_number_fail_backup) {}
  ~BackupStatistics() {}

  void IncrementNumberSuccessBackup() { ++number_success_backup; }
  void IncrementNumberFailBackup() { ++number_fail_backup; }
  uint32_t GetNumberSuccessBackup() const { return number_success_backup; }
  uint32_t GetNumberFailBackup() const { return number_fail_backup; }

  std::string ToString() const;

 private:
  uint32_t number_success_backup = 0;
  uint32_t number_fail_backup = 0;
};

// What asks, verifies and restores.
class BackupEngineReadOnlyBase {
 public:
  virtual ~BackupEngineReadOnlyBase() {}

  // The newest valid backup. NotFound if there is none.
  virtual Status GetLatestBackupInfo(
      BackupInfo* backup_info, bool include_file_details = false) const = 0;

  // NotFound for an id that there is not; for a damaged backup, what is wrong.
  virtual Status GetBackupInfo(BackupID backup_id, BackupInfo* backup_info,
                               bool include_file_details = false) const = 0;

  // All valid backups, by ascending id.
  virtual void GetBackupInfo(std::vector<BackupInfo>* backup_infos,
                             bool include_file_details = false) const = 0;

  // Those whose description cannot be read, or whose files are missing or have
  // another size.
  virtual void GetCorruptedBackups(
      std::vector<BackupID>* corrupt_backup_ids) const = 0;

  // Makes the database at `db_dir`, with its logs at `wal_dir`, what the backup
  // is. All plain files that are there are deleted, but for what `options` says
  // stays; nobody may have the database open (IOError: it is locked). The
  // OPTIONS file does not name the source's wal_dir, but `wal_dir`, or none if
  // that is `db_dir`.
  //
  // Errors  NotFound for an id that there is not, Corruption for a file that is
  //         not as it was. The directory then does not open as a database,
  //         until a restore of it is OK.
  virtual IOStatus RestoreDBFromBackup(const RestoreOptions& options,
                                       BackupID backup_id,
                                       const std::string& db_dir,
                                       const std::string& wal_dir) const = 0;
  virtual IOStatus RestoreDBFromBackup(
      BackupID backup_id, const std::string& db_dir, const std::string& wal_dir,
      const RestoreOptions& options = RestoreOptions()) const {
    return RestoreDBFromBackup(options, backup_id, db_dir, wal_dir);
  }

  // The newest valid backup.
  virtual IOStatus RestoreDBFromLatestBackup(
      const RestoreOptions& options, const std::string& db_dir,
      const std::string& wal_dir) const = 0;
  virtual IOStatus RestoreDBFromLatestBackup(
      const std::string& db_dir, const std::string& wal_dir,
      const RestoreOptions& options = RestoreOptions()) const {
    return RestoreDBFromLatestBackup(options, db_dir, wal_dir);
  }

  // Are all files there, with the right size; with `verify_with_checksum`, and
  // with the right content? Reads them then. NotFound or Corruption tells
  // which is not.
  virtual IOStatus VerifyBackup(BackupID backup_id,
                                bool verify_with_checksum = false) const = 0;

  // This engine, if it makes backups; else null.
  virtual BackupEngine* AsBackupEngine() = 0;
};

// What makes backups, without a way to lose one.
class BackupEngineAppendOnlyBase {
 public:
  virtual ~BackupEngineAppendOnlyBase() {}

  // Makes a backup of the database as it is now; `app_metadata` is any text of
  // at most 1 MiB. *new_backup_id is untouched on failure.
  //
  // Cost    Only files that no backup has yet are copied. They are read as
  //         compactions read theirs (DBOptions::compaction_read_access), and
  //         give way to reads of users.
  // Errors  Incomplete after StopBackup(), Corruption for a file that is not
  //         what the MANIFEST says. Nothing of the backup remains.
  virtual IOStatus CreateNewBackupWithMetadata(
      const CreateBackupOptions& options, DB* db,
      const std::string& app_metadata, BackupID* new_backup_id = nullptr) = 0;
  virtual IOStatus CreateNewBackupWithMetadata(
      DB* db, const std::string& app_metadata, bool flush_before_backup = false,
      std::function<void()> progress_callback = []() {}) {
    CreateBackupOptions options;
    options.flush_before_backup = flush_before_backup;
    options.progress_callback = progress_callback;
    return CreateNewBackupWithMetadata(options, db, app_metadata);
  }
  virtual IOStatus CreateNewBackup(const CreateBackupOptions& options, DB* db,
                                   BackupID* new_backup_id = nullptr) {
    return CreateNewBackupWithMetadata(options, db, "", new_backup_id);
  }
  virtual IOStatus CreateNewBackup(
      DB* db, bool flush_before_backup = false,
      std::function<void()> progress_callback = []() {}) {
    CreateBackupOptions options;
    options.flush_before_backup = flush_before_backup;
    options.progress_callback = progress_callback;
    return CreateNewBackup(options, db);
  }

  // Ends what this engine copies or reads, now and later: all of it answers
  // Incomplete. Only a new engine can go on.
  virtual void StopBackup() = 0;

  // Deletes what no backup needs. What a damaged backup names stays, until that
  // is deleted: it may be good again when a missing file is back.
  virtual IOStatus GarbageCollect() = 0;
};

class BackupEngine : public BackupEngineReadOnlyBase,
                     public BackupEngineAppendOnlyBase {
 public:
  ~BackupEngine() override {}

  // Opens a directory of backups, or makes it. The caller owns the result.
  //
  // Cost    Reads the descriptions of all backups, several at a time.
  // Errors  A damaged backup is none: see GetCorruptedBackups().
  static IOStatus Open(const BackupEngineOptions& options, Env* db_env,
                       BackupEngine** backup_engine_ptr);
  static IOStatus Open(Env* db_env, const BackupEngineOptions& options,
                       BackupEngine** backup_engine_ptr) {
    return BackupEngine::Open(options, db_env, backup_engine_ptr);
  }

  // Deletes the oldest valid backups, until so many are left.
  virtual IOStatus PurgeOldBackups(uint32_t num_backups_to_keep) = 0;

  // Deletes a backup, valid or damaged. NotFound for an id that there is not.
  virtual IOStatus DeleteBackup(BackupID backup_id) = 0;
};

// Changes nothing in the directory.
class BackupEngineReadOnly : public BackupEngineReadOnlyBase {
 public:
  ~BackupEngineReadOnly() override {}

  // NotFound if it is no directory of backups. The caller owns the result.
  static IOStatus Open(const BackupEngineOptions& options, Env* db_env,
                       BackupEngineReadOnly** backup_engine_ptr);
  static IOStatus Open(Env* db_env, const BackupEngineOptions& options,
                       BackupEngineReadOnly** backup_engine_ptr) {
    return BackupEngineReadOnly::Open(options, db_env, backup_engine_ptr);
  }
};

}  // namespace ROCKSDB_NAMESPACE
