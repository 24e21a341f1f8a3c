#include "rocksdb/utilities/backup_engine.h"

#include <memory>
#include <utility>

#include "rocksdb/info_log.h"
#include "rocksdb/rate_limiter.h"
#include "utilities/backup/backup_finder.h"
#include "utilities/backup/backup_store.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What both kinds of engine answer alike.
template <class Interface>
class AskingEngine : public Interface, public BackupFinder {
 public:
  explicit AskingEngine(std::unique_ptr<BackupStore> store)
      : store_(std::move(store)) {}

  Status GetLatestBackupInfo(BackupInfo* info, bool with_files) const override {
    return store_->LatestInfo(info, with_files);
  }
  Status GetBackupInfo(BackupID id, BackupInfo* info,
                       bool with_files) const override {
    return store_->Info(id, info, with_files);
  }
  void GetBackupInfo(std::vector<BackupInfo>* infos,
                     bool with_files) const override {
    store_->AllInfo(infos, with_files);
  }
  void GetCorruptedBackups(std::vector<BackupID>* ids) const override {
    store_->Damaged(ids);
  }
  using Interface::RestoreDBFromBackup;
  IOStatus RestoreDBFromBackup(const RestoreOptions& options, BackupID id,
                               const std::string& db_dir,
                               const std::string& wal_dir) const override {
    return store_->Restore(options, &id, db_dir, wal_dir);
  }
  using Interface::RestoreDBFromLatestBackup;
  IOStatus RestoreDBFromLatestBackup(
      const RestoreOptions& options, const std::string& db_dir,
      const std::string& wal_dir) const override {
    return store_->Restore(options, nullptr, db_dir, wal_dir);
  }
  IOStatus VerifyBackup(BackupID id, bool with_checksum) const override {
    return store_->Verify(id, with_checksum);
  }
  bool FindFile(const std::string& path, const BackupCatalog* asker,
                FoundBackupFile* result) const override {
    return store_->FindFile(path, asker, result);
  }

 protected:
  const std::unique_ptr<BackupStore> store_;
};

class ReadOnlyEngine final : public AskingEngine<BackupEngineReadOnly> {
 public:
  using AskingEngine<BackupEngineReadOnly>::AskingEngine;
  BackupEngine* AsBackupEngine() override { return nullptr; }
};

class WritableEngine final : public AskingEngine<BackupEngine> {
 public:
  using AskingEngine<BackupEngine>::AskingEngine;
  BackupEngine* AsBackupEngine() override { return this; }

  using BackupEngine::CreateNewBackupWithMetadata;
  IOStatus CreateNewBackupWithMetadata(const CreateBackupOptions& options,
                                       DB* db, const std::string& app_metadata,
                                       BackupID* new_backup_id) override {
    return store_->Create(options, db, app_metadata, new_backup_id);
  }
  void StopBackup() override { store_->Stop(); }
  IOStatus GarbageCollect() override { return store_->CollectGarbage(); }
  IOStatus PurgeOldBackups(uint32_t num_backups_to_keep) override {
    return store_->Purge(num_backups_to_keep);
  }
  IOStatus DeleteBackup(BackupID id) override { return store_->Delete(id); }
};

template <class Engine, class Interface>
IOStatus OpenEngine(const BackupEngineOptions& options, Env* db_env,
                    BackupAccess access, Interface** result) {
  if (result == nullptr) {
    return IOStatus::InvalidArgument("backup_engine_ptr is null");
  }
  std::unique_ptr<BackupStore> store;
  IOStatus s = BackupStore::Open(options, db_env, access, &store);
  if (s.ok()) *result = std::make_unique<Engine>(std::move(store)).release();
  return s;
}

}  // namespace

IOStatus BackupEngine::Open(const BackupEngineOptions& options, Env* db_env,
                            BackupEngine** backup_engine_ptr) {
  return OpenEngine<WritableEngine>(options, db_env, BackupAccess::kWritable,
                                    backup_engine_ptr);
}

IOStatus BackupEngineReadOnly::Open(const BackupEngineOptions& options,
                                    Env* db_env,
                                    BackupEngineReadOnly** backup_engine_ptr) {
  return OpenEngine<ReadOnlyEngine>(options, db_env, BackupAccess::kReadOnly,
                                    backup_engine_ptr);
}

std::string BackupStatistics::ToString() const {
  return "# success backup: " + std::to_string(number_success_backup) +
         ", # fail backup: " + std::to_string(number_fail_backup);
}

void BackupEngineOptions::Dump(Logger* logger) const {
  const auto number = [logger](const char* name, uint64_t value) {
    Info(logger, "%44s: %llu", name, static_cast<unsigned long long>(value));
  };
  const auto object = [logger](const char* name, const void* value) {
    Info(logger, "%44s: %p", name, value);
  };
  Info(logger, "%44s: %s", "Options.backup_dir", backup_dir.c_str());
  object("Options.backup_env", backup_env);
  number("Options.share_table_files", share_table_files);
  number("Options.sync", sync);
  number("Options.destroy_old_data", destroy_old_data);
  number("Options.backup_log_files", backup_log_files);
  number("Options.io_buffer_size", io_buffer_size);
  number("Options.backup_rate_limit", backup_rate_limit);
  object("Options.backup_rate_limiter", backup_rate_limiter.get());
  number("Options.restore_rate_limit", restore_rate_limit);
  object("Options.restore_rate_limiter", restore_rate_limiter.get());
  Info(logger, "%44s: %d", "Options.max_background_operations",
       max_background_operations);
  number("Options.share_files_with_checksum", share_files_with_checksum);
  number("Options.share_files_with_checksum_naming",
         share_files_with_checksum_naming);
  number("Options.callback_trigger_interval_size",
         callback_trigger_interval_size);
  Info(logger, "%44s: %d", "Options.max_valid_backups_to_open",
       max_valid_backups_to_open);
  Info(logger, "%44s: %d", "Options.schema_version", schema_version);
  number("Options.current_temperatures_override_manifest",
         current_temperatures_override_manifest);
}

}  // namespace ROCKSDB_NAMESPACE
