// One directory of backups, and all that can be done there: what both kinds of
// engine hand their calls to.
//
// Threads  Any. Calls that change the directory have it for themselves, the
//          others share it; Stop() takes no lock.
// Locks    mutex_ is held while files are copied. It guards the catalog.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/backup_engine.h"
#include "util/mutex.h"
#include "utilities/backup/backup_catalog.h"
#include "utilities/backup/backup_context.h"
#include "utilities/backup/backup_finder.h"
#include "utilities/backup/copied_files.h"
#include "utilities/backup/transfer_pool.h"

namespace ROCKSDB_NAMESPACE {

enum class BackupAccess { kReadOnly, kWritable };

class BackupStore {
 public:
  static IOStatus Open(const BackupEngineOptions& options, Env* db_env,
                       BackupAccess access,
                       std::unique_ptr<BackupStore>* result);
  // Not loaded: see Open().
  BackupStore(const BackupEngineOptions& options, Env* db_env);
  BackupStore(const BackupStore&) = delete;
  BackupStore& operator=(const BackupStore&) = delete;

  Status LatestInfo(BackupInfo* info, bool with_files) const EXCLUDES(mutex_);
  Status Info(BackupID id, BackupInfo* info, bool with_files) const
      EXCLUDES(mutex_);
  void AllInfo(std::vector<BackupInfo>* infos, bool with_files) const
      EXCLUDES(mutex_);
  void Damaged(std::vector<BackupID>* ids) const EXCLUDES(mutex_);
  bool FindFile(const std::string& path, const BackupCatalog* asker,
                FoundBackupFile* result) const EXCLUDES(mutex_);
  IOStatus Verify(BackupID id, bool with_checksum) const EXCLUDES(mutex_);
  // Null: the newest valid one.
  IOStatus Restore(const RestoreOptions& options, const BackupID* id,
                   const std::string& db_dir, const std::string& wal_dir) const
      EXCLUDES(mutex_);

  IOStatus Create(const CreateBackupOptions& options, DB* db,
                  const std::string& app_metadata, BackupID* new_id)
      EXCLUDES(mutex_);
  IOStatus Delete(BackupID id) EXCLUDES(mutex_);
  IOStatus Purge(uint32_t keep_count) EXCLUDES(mutex_);
  IOStatus CollectGarbage() EXCLUDES(mutex_);

  void Stop() { is_stopped_.store(true); }

 private:
  IOStatus MakeDirectories() REQUIRES(mutex_);
  IOStatus Load(BackupAccess access) REQUIRES(mutex_);
  IOStatus DestroyAll() REQUIRES(mutex_);
  BackupContext Context() const REQUIRES_SHARED(mutex_);
  // OK and the backup, or why there is none.
  IOStatus FindValid(BackupID id, const Backup** backup) const
      REQUIRES_SHARED(mutex_);
  BackupInfo MakeInfo(const Backup& backup, bool with_files) const
      REQUIRES_SHARED(mutex_);
  IOStatus VerifyFile(const BackupFile& file, const std::string& path,
                      bool with_checksum) const;
  IOStatus CheckCreate(const CreateBackupOptions& options,
                       const std::string& app_metadata) const;
  IOStatus CreateLocked(const CreateBackupOptions& options, DB* db,
                        const std::string& app_metadata, BackupID* new_id)
      REQUIRES(mutex_);
  IOStatus ClearWayFor(BackupID id, const CopiedFileMap& found)
      REQUIRES(mutex_);

  // --- backup_garbage.cc
  IOStatus DeleteLocked(BackupID id) REQUIRES(mutex_);
  IOStatus DeleteFiles(const Backup& backup) REQUIRES(mutex_);
  IOStatus CollectIfDue() REQUIRES(mutex_);
  // Deletes what no backup needs and `spared` does not name.
  IOStatus Collect(const CopiedFileMap& spared) REQUIRES(mutex_);
  IOStatus CollectShared(const std::string& directory,
                         const CopiedFileMap& spared) REQUIRES(mutex_);
  IOStatus CollectPrivate() REQUIRES(mutex_);
  IOStatus CollectMeta() REQUIRES(mutex_);
  IOStatus DeletePrivate(const std::string& name) REQUIRES(mutex_);
  IOStatus SyncMeta() REQUIRES(mutex_);

  BackupEngineOptions options_;
  const std::shared_ptr<FileSystem> db_fs_;
  const std::shared_ptr<FileSystem> fs_;
  std::atomic<bool> is_stopped_{false};
  // Their own locks.
  mutable TransferPool pool_;
  mutable ReadChecksums checksums_;

  mutable RWMutex mutex_;
  mutable BackupCatalog catalog_ GUARDED_BY(mutex_);
  // Others may have left something behind: deleting collects it.
  bool may_have_garbage_ GUARDED_BY(mutex_) = true;
  // A call has failed: the next that changes anything collects what it left.
  bool has_failed_ GUARDED_BY(mutex_) = false;
  BackupStatistics statistics_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
