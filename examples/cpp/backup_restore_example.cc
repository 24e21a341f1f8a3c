// Backs a database up twice, spoils it, and restores the first backup.
// Usage: backup_restore_example DIRECTORY

#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/backup_engine.h"

namespace {

using rocksdb::Status;

Status PrintValue(rocksdb::DB* db, const char* when) {
  std::string value;
  Status s = db->Get(rocksdb::ReadOptions(), "stone", &value);
  if (s.ok()) printf("%s: stone = %s\n", when, value.c_str());
  return s;
}

Status WriteAndBackUp(rocksdb::DB* db, rocksdb::BackupEngine* backups,
                      const char* value) {
  Status s = db->Put(rocksdb::WriteOptions(), "stone", value);
  // Only what no backup has yet is copied; the rest is shared.
  return s.ok() ? backups->CreateNewBackup(db) : s;
}

Status Run(const std::string& directory) {
  const std::string path = directory + "/db";
  rocksdb::Options options;
  options.create_if_missing = true;
  std::unique_ptr<rocksdb::DB> db;
  Status s = rocksdb::DB::Open(options, path, &db);
  if (!s.ok()) return s;

  rocksdb::BackupEngine* opened = nullptr;
  s = rocksdb::BackupEngine::Open(
      rocksdb::BackupEngineOptions(directory + "/backups"),
      rocksdb::Env::Default(), &opened);
  if (!s.ok()) return s;
  const std::unique_ptr<rocksdb::BackupEngine> backups(opened);

  s = WriteAndBackUp(db.get(), backups.get(), "basalt");
  if (s.ok()) s = WriteAndBackUp(db.get(), backups.get(), "granite");
  if (s.ok()) s = db->Delete(rocksdb::WriteOptions(), "stone");
  if (!s.ok()) return s;

  rocksdb::BackupInfo newest;
  s = backups->GetLatestBackupInfo(&newest, /*include_file_details=*/true);
  if (!s.ok()) return s;
  printf("newest backup: %u\n", newest.backup_id);
  s = backups->VerifyBackup(newest.backup_id, /*verify_with_checksum=*/true);
  if (!s.ok()) return s;

  // A backup can be read where it is.
  rocksdb::Options at_backup = options;
  at_backup.env = newest.env_for_open.get();
  std::unique_ptr<rocksdb::DB> backup;
  s = rocksdb::DB::OpenForReadOnly(at_backup, newest.name_for_open, &backup);
  if (s.ok()) s = PrintValue(backup.get(), "in the backup");
  if (!s.ok()) return s;
  backup.reset();

  // Nobody may have the database open while it is restored.
  db.reset();
  s = backups->RestoreDBFromBackup(1, path, path);
  if (s.ok()) s = rocksdb::DB::Open(options, path, &db);
  return s.ok() ? PrintValue(db.get(), "restored") : s;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Status s = Run(argv[1]);
  if (!s.ok()) fprintf(stderr, "%s\n", s.ToString().c_str());
  return s.ok() ? 0 : 1;
}
