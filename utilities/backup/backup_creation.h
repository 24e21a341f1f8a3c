// Makes one backup, step by step: list what the database consists of, name it,
// copy what is not there yet, sync that, and only then say that there is a
// backup.
//
// Threads  One; copies and reads are made on the pool.
// Errors   Undo() takes back what a failed one has left; a crash leaves
//          garbage.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/metadata.h"
#include "utilities/backup/backup_catalog.h"
#include "utilities/backup/backup_context.h"
#include "utilities/backup/copied_files.h"
#include "utilities/backup/file_transfer.h"

namespace ROCKSDB_NAMESPACE {

class BackupCreation {
 public:
  // `found` are files that an unfinished backup has copied.
  BackupCreation(const BackupContext& context,
                 const CreateBackupOptions& options, DB* db, BackupID id,
                 CopiedFileMap found);
  BackupCreation(const BackupCreation&) = delete;
  BackupCreation& operator=(const BackupCreation&) = delete;

  // OK: the backup is there, and `result` is what it is.
  IOStatus Run(const std::string& app_metadata, Backup* result);

  // After a failure, `why`. What has been copied stays for the next backup,
  // unless there is no space for it.
  void Undo(const IOStatus& why);

 private:
  enum class Fate { kCopy, kHave, kExcluded };
  // One file of the database.
  struct Item {
    LiveFileStorageInfo live;
    BackupFile file;
    Fate fate = Fate::kCopy;
    bool is_found = false;  // an unfinished backup has copied it

    // A blob file that is still written is another one in the next backup.
    bool is_shared_kind() const {
      return !live.trim_to_size &&
             (live.file_type == kTableFile || live.file_type == kBlobFile);
    }
  };
  using ItemStep = IOStatus (BackupCreation::*)(Item*);

  IOStatus ListItems();
  // Runs a step for each item, on the pool.
  IOStatus ForEachItem(ItemStep step);
  IOStatus NameItem(Item* item);
  IOStatus NameByContent(Item* item);
  IOStatus FindCrc(const Item& item, uint32_t* crc32c);
  IOStatus FindSession(const Item& item, std::string* session_id);
  IOStatus FindShared(Item* item);
  IOStatus Exclude();
  IOStatus TransferItem(Item* item);
  IOStatus CopyItem(Item* item);
  IOStatus CopyFile(const Item& item, const TransferTarget& target,
                    uint32_t* crc32c);
  IOStatus TakeCurrentTemperature(Item* item);
  IOStatus SyncDirectories();
  IOStatus WriteMeta(const BackupDescription& description);
  IOStatus SyncBelow(const std::string& directory);

  std::string MetaTempPath() const;
  TransferSource SourceOf(const Item& item, Temperature temperature) const;
  bool shares() const { return context_.options->share_table_files; }
  bool names_by_content() const {
    return context_.options->share_files_with_checksum;
  }

  const BackupContext& context_;
  const CreateBackupOptions& options_;
  DB* const db_;
  const BackupID id_;
  const CopiedFileMap found_;
  FileSystem* const db_fs_;
  FileSystem* const fs_;
  const std::shared_ptr<Statistics> statistics_;
  const std::shared_ptr<FileChecksumGenFactory> checksums_;
  FileOptions table_options_;
  const bool writes_directly_;  // tables and blobs
  std::string db_session_id_;
  TransferProgress progress_;
  TransferRules rules_;
  std::unique_ptr<CopiedFilesRecord> record_;
  std::vector<Item> items_;
};

}  // namespace ROCKSDB_NAMESPACE
