#include "db_stress_tool/database_backups.h"

#include <string>
#include <vector>

#include "db_stress_tool/opened_copy.h"
#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// All forms of directories that restore alike; what is drawn may differ from
// one backup of a directory to the next.
BackupEngineOptions DrawOptions(const std::string& directory, Env* env,
                                StressRandom* random) {
  BackupEngineOptions options(directory, env);
  options.schema_version = random->OneIn(2) ? 1 : 2;
  options.max_background_operations = random->OneIn(2) ? 1 : 4;
  using Naming = BackupEngineOptions;
  options.share_files_with_checksum_naming =
      random->OneIn(4) ? Naming::kLegacyCrc32cAndFileSize
      : random->OneIn(4)
          ? Naming::kUseDbSessionId
          : Naming::kUseDbSessionId | Naming::kFlagIncludeFileSize;
  if (random->OneIn(8)) {
    options.share_table_files = false;
    options.share_files_with_checksum = false;
  }
  if (random->OneIn(8)) options.backup_rate_limit = 64 << 20;
  return options;
}

Status CheckNoneIsDamaged(BackupEngine* engine) {
  std::vector<BackupID> damaged;
  engine->GetCorruptedBackups(&damaged);
  if (damaged.empty()) return Status::OK();
  BackupInfo info;
  const Status why = engine->GetBackupInfo(damaged[0], &info);
  return Status::Corruption(
      "backup " + std::to_string(damaged[0]) + " is damaged", why.ToString());
}

Status MakeOneMore(const Context& c, StressRandom* random,
                   BackupEngine* engine) {
  CreateBackupOptions options;
  // What is in no log must be flushed.
  options.flush_before_backup = c.flags.disable_wal || random->OneIn(2);
  Status s = engine->CreateNewBackup(options, c.database->db());
  if (s.IsNotSupported()) {
    // Blob files are being written (enable_blob_direct_write).
    options.flush_before_backup = true;
    s = engine->CreateNewBackup(options, c.database->db());
  }
  if (s.ok() && random->OneIn(2)) s = engine->PurgeOldBackups(2);
  if (s.ok() && random->OneIn(8)) s = engine->GarbageCollect();
  return s;
}

Status VerifyAll(BackupEngine* engine) {
  std::vector<BackupInfo> infos;
  engine->GetBackupInfo(&infos);
  for (const BackupInfo& info : infos) {
    Status s = engine->VerifyBackup(info.backup_id, true);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace

Status MakeRestoredCopy(const Context& context, Worker* worker,
                        std::unique_ptr<DatabaseCopy>* copy) {
  StressRandom* random = &worker->random;
  const std::string suffix = std::to_string(worker->index);
  Env* env = context.database->options().env;
  BackupEngine* opened = nullptr;
  Status s = BackupEngine::Open(
      DrawOptions(context.flags.db + "/.backup" + suffix, env, random), env,
      &opened);
  const std::unique_ptr<BackupEngine> engine(opened);
  if (s.ok()) s = CheckNoneIsDamaged(engine.get());
  if (s.ok()) s = MakeOneMore(context, random, engine.get());
  if (s.ok() && random->OneIn(4)) s = VerifyAll(engine.get());
  if (!s.ok()) return s;
  auto made = std::make_unique<OpenedCopy>(
      context, context.flags.db + "/.restore" + suffix,
      "removing a restored database");
  if (s = made->Clear(); !s.ok()) return s;
  s = engine->RestoreDBFromLatestBackup(made->path(), made->path());
  if (s.ok()) s = made->Open(/*is_read_only=*/!random->OneIn(4));
  if (s.ok()) *copy = std::move(made);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::stress
