// Makes a directory what a backup says.
//
// All that can be found wrong beforehand is, before anything is deleted. From
// then on the directory has no CURRENT, until all files are there and synced:
// after a crash it does not open as a database.
//
// Threads  One; copies and reads are made on the pool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "utilities/backup/backup_catalog.h"
#include "utilities/backup/backup_context.h"
#include "utilities/backup/backup_finder.h"
#include "utilities/backup/file_transfer.h"

namespace ROCKSDB_NAMESPACE {

struct RestoreTarget {
  FileSystem* fs = nullptr;
  std::string db_dir;
  std::string wal_dir;
};

class BackupRestore {
 public:
  BackupRestore(const BackupContext& context, const RestoreOptions& options,
                const RestoreTarget& target);
  ~BackupRestore();
  BackupRestore(const BackupRestore&) = delete;
  BackupRestore& operator=(const BackupRestore&) = delete;

  IOStatus Run(const Backup& backup);

 private:
  struct Item {
    FoundBackupFile from;
    std::string db_name;
    std::string to;
    bool is_log = false;
    // What is there already will do.
    bool is_kept = false;
  };

  IOStatus LockTarget();
  IOStatus FindItems(const Backup& backup);
  IOStatus FindExcluded(const std::string& path);
  Item MakeItem(FoundBackupFile from) const;
  IOStatus FindKept();
  IOStatus KeepIfSame(Item* item);
  IOStatus CompareLog(Item* item);
  IOStatus Purge();
  IOStatus PurgeDirectory(const std::string& directory);
  IOStatus BringBackArchive();
  IOStatus DeletePlainFile(const std::string& path, bool is_ours);
  IOStatus CopyItem(const Item& item);
  IOStatus CopyOptions(const Item& item, const TransferSource& source,
                       const TransferTarget& target);
  bool WantsLink(const Item& item) const;
  // False: it has to be copied.
  IOStatus LinkItem(const Item& item, const TransferSource& source,
                    bool* is_linked);
  IOStatus CheckRestored(const Item& item, uint32_t crc32c) const;
  IOStatus Finish();
  bool SyncsAll() const { return context_.options->sync; }
  IOStatus SyncTarget();
  TransferSource ExistingAt(const std::string& path, uint64_t size) const;
  // False if it is not there.
  IOStatus SizeOfExisting(const std::string& path, bool* is_there,
                          uint64_t* size) const;

  const BackupContext& context_;
  const RestoreOptions& options_;
  const RestoreTarget& target_;
  TransferRules rules_;
  FileLock* lock_ = nullptr;
  std::vector<Item> items_;
};

}  // namespace ROCKSDB_NAMESPACE
