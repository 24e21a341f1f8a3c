// Backups of databases, and restoring them.

#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_backup_engine_t* OpenBackups(const BackupEngineOptions& options,
                                     Env* env, char** errptr) {
  BackupEngine* engine = nullptr;
  if (Fails(BackupEngine::Open(options, env, &engine), errptr)) return nullptr;
  auto* result = Own<rocksdb_backup_engine_t>();
  result->rep.reset(engine);
  return result;
}

Status MakeBackup(rocksdb_backup_engine_t* engine, rocksdb_t* db,
                  const CreateBackupOptions& options,
                  const std::string& metadata, uint32_t* new_backup_id) {
  return engine->rep->CreateNewBackupWithMetadata(options, db->rep, metadata,
                                                  new_backup_id);
}

// Null if there is none of that number.
const BackupInfo* BackupAt(const rocksdb_backup_engine_info_t* info,
                           int index) {
  if (info == nullptr || index < 0 ||
      static_cast<size_t>(index) >= info->rep.size()) {
    return nullptr;
  }
  return &info->rep[static_cast<size_t>(index)];
}

}  // namespace

extern "C" {

void rocksdb_backup_engine_options_set_backup_rate_limiter(
    rocksdb_backup_engine_options_t* options, rocksdb_ratelimiter_t* limiter) {
  options->rep.backup_rate_limiter =
      limiter == nullptr ? nullptr : limiter->rep;
}

void rocksdb_backup_engine_options_set_restore_rate_limiter(
    rocksdb_backup_engine_options_t* options, rocksdb_ratelimiter_t* limiter) {
  options->rep.restore_rate_limiter =
      limiter == nullptr ? nullptr : limiter->rep;
}

void rocksdb_backup_engine_options_set_env(
    rocksdb_backup_engine_options_t* options, rocksdb_env_t* env) {
  options->rep.backup_env = env == nullptr ? nullptr : env->rep;
}

rocksdb_backup_engine_options_t* rocksdb_backup_engine_options_create(
    const char* backup_dir) {
  auto* result = Own<rocksdb_backup_engine_options_t>();
  result->rep.backup_dir = TextOf(backup_dir);
  return result;
}

// Called after each callback_trigger_interval_size bytes that were copied.
void rocksdb_create_backup_options_set_progress_callback(
    rocksdb_create_backup_options_t* options, void* state,
    rocksdb_create_backup_options_progress_cb progress) {
  options->rep.progress_callback = nullptr;
  if (progress == nullptr) return;
  options->rep.progress_callback = [state, progress] { progress(state); };
}

// Files for which it answers non-zero are left out of the backup. Their names
// are those below the directory of the backups.
void rocksdb_create_backup_options_set_exclude_files_callback(
    rocksdb_create_backup_options_t* options, void* state,
    rocksdb_create_backup_options_exclude_files_cb exclude) {
  options->rep.exclude_files_callback = nullptr;
  if (exclude == nullptr) return;
  options->rep.exclude_files_callback = [state, exclude](
                                            MaybeExcludeBackupFile* file,
                                            MaybeExcludeBackupFile* end) {
    for (; file != end; ++file) {
      const std::string& path = file->info.relative_file;
      file->exclude_decision = exclude(state, path.data(), path.size()) != 0;
    }
  };
}

// The backups at `path`, which is made if it is not there; files are those of
// the options' env.
rocksdb_backup_engine_t* rocksdb_backup_engine_open(
    const rocksdb_options_t* options, const char* path, char** errptr) {
  if (IsNull(options, "options", errptr) || IsNull(path, "path", errptr)) {
    return nullptr;
  }
  return OpenBackups(BackupEngineOptions(path), Rep(options).env, errptr);
}

// `env` is that of the databases.
rocksdb_backup_engine_t* rocksdb_backup_engine_open_opts(
    const rocksdb_backup_engine_options_t* options, rocksdb_env_t* env,
    char** errptr) {
  if (IsNull(options, "options", errptr) || IsNull(env, "env", errptr)) {
    return nullptr;
  }
  return OpenBackups(options->rep, env->rep, errptr);
}

void rocksdb_backup_engine_close(rocksdb_backup_engine_t* engine) {
  End(engine);
}

void rocksdb_backup_engine_create_new_backup(rocksdb_backup_engine_t* engine,
                                             rocksdb_t* db, char** errptr) {
  if (IsNull(engine, "engine", errptr) || IsNull(db, "db", errptr)) return;
  (void)Fails(MakeBackup(engine, db, CreateBackupOptions(), "", nullptr),
              errptr);
}

void rocksdb_backup_engine_create_new_backup_flush(
    rocksdb_backup_engine_t* engine, rocksdb_t* db,
    unsigned char flush_before_backup, char** errptr) {
  if (IsNull(engine, "engine", errptr) || IsNull(db, "db", errptr)) return;
  CreateBackupOptions options;
  options.flush_before_backup = flush_before_backup != 0;
  (void)Fails(MakeBackup(engine, db, options, "", nullptr), errptr);
}

// `*new_backup_id`, unless NULL, is what the backup is called.
void rocksdb_backup_engine_create_new_backup_with_options(
    rocksdb_backup_engine_t* engine, rocksdb_t* db,
    const rocksdb_create_backup_options_t* options, uint32_t* new_backup_id,
    char** errptr) {
  if (IsNull(engine, "engine", errptr) || IsNull(db, "db", errptr) ||
      IsNull(options, "options", errptr)) {
    return;
  }
  (void)Fails(MakeBackup(engine, db, options->rep, "", new_backup_id), errptr);
}

// The same with bytes that rocksdb_backup_engine_info_app_metadata() tells.
void rocksdb_backup_engine_create_new_backup_with_metadata(
    rocksdb_backup_engine_t* engine, rocksdb_t* db,
    const rocksdb_create_backup_options_t* options, const char* metadata,
    size_t metadata_size, uint32_t* new_backup_id, char** errptr) {
  if (IsNull(engine, "engine", errptr) || IsNull(db, "db", errptr) ||
      IsNull(options, "options", errptr)) {
    return;
  }
  (void)Fails(
      MakeBackup(engine, db, options->rep,
                 BytesOf(metadata, metadata_size).ToString(), new_backup_id),
      errptr);
}

// Deletes the oldest backups, until so many are left.
void rocksdb_backup_engine_purge_old_backups(rocksdb_backup_engine_t* engine,
                                             uint32_t num_backups_to_keep,
                                             char** errptr) {
  if (IsNull(engine, "engine", errptr)) return;
  (void)Fails(engine->rep->PurgeOldBackups(num_backups_to_keep), errptr);
}

// Sizes of files; their contents are not read.
void rocksdb_backup_engine_verify_backup(rocksdb_backup_engine_t* engine,
                                         uint32_t backup_id, char** errptr) {
  if (IsNull(engine, "engine", errptr)) return;
  (void)Fails(engine->rep->VerifyBackup(backup_id), errptr);
}

// From any thread: what the engine does and will do fails from now on.
void rocksdb_backup_engine_stop_backup(rocksdb_backup_engine_t* engine) {
  if (engine != nullptr) engine->rep->StopBackup();
}

// Replaces what is in the directories of the database and of its logs.
void rocksdb_backup_engine_restore_db_from_backup(
    rocksdb_backup_engine_t* engine, const char* db_dir, const char* wal_dir,
    const rocksdb_restore_options_t* options, const uint32_t backup_id,
    char** errptr) {
  if (IsNull(engine, "engine", errptr) || IsNull(db_dir, "db_dir", errptr) ||
      IsNull(wal_dir, "wal_dir", errptr) ||
      IsNull(options, "options", errptr)) {
    return;
  }
  const Status s = engine->rep->RestoreDBFromBackup(options->rep, backup_id,
                                                    db_dir, wal_dir);
  (void)Fails(s, errptr);
}

void rocksdb_backup_engine_restore_db_from_latest_backup(
    rocksdb_backup_engine_t* engine, const char* db_dir, const char* wal_dir,
    const rocksdb_restore_options_t* options, char** errptr) {
  if (IsNull(engine, "engine", errptr) || IsNull(db_dir, "db_dir", errptr) ||
      IsNull(wal_dir, "wal_dir", errptr) ||
      IsNull(options, "options", errptr)) {
    return;
  }
  const Status s =
      engine->rep->RestoreDBFromLatestBackup(options->rep, db_dir, wal_dir);
  (void)Fails(s, errptr);
}

// All backups, by ascending id; for rocksdb_backup_engine_info_destroy().
const rocksdb_backup_engine_info_t* rocksdb_backup_engine_get_backup_info(
    rocksdb_backup_engine_t* engine) {
  if (engine == nullptr) return nullptr;
  auto* result = Own<rocksdb_backup_engine_info_t>();
  engine->rep->GetBackupInfo(&result->rep);
  return result;
}

int rocksdb_backup_engine_info_count(const rocksdb_backup_engine_info_t* info) {
  return info == nullptr ? 0 : static_cast<int>(info->rep.size());
}

// Seconds since 1970. Of the backup at `index`, as below; 0 if there is none.
int64_t rocksdb_backup_engine_info_timestamp(
    const rocksdb_backup_engine_info_t* info, int index) {
  const BackupInfo* backup = BackupAt(info, index);
  return backup == nullptr ? 0 : backup->timestamp;
}

uint32_t rocksdb_backup_engine_info_backup_id(
    const rocksdb_backup_engine_info_t* info, int index) {
  const BackupInfo* backup = BackupAt(info, index);
  return backup == nullptr ? 0 : backup->backup_id;
}

// Bytes of its files.
uint64_t rocksdb_backup_engine_info_size(
    const rocksdb_backup_engine_info_t* info, int index) {
  const BackupInfo* backup = BackupAt(info, index);
  return backup == nullptr ? 0 : backup->size;
}

uint32_t rocksdb_backup_engine_info_number_files(
    const rocksdb_backup_engine_info_t* info, int index) {
  const BackupInfo* backup = BackupAt(info, index);
  return backup == nullptr ? 0 : backup->number_files;
}

// Lent as long as `info` lives. NULL if there is no such backup.
const char* rocksdb_backup_engine_info_app_metadata(
    const rocksdb_backup_engine_info_t* info, int index, size_t* size) {
  const BackupInfo* backup = BackupAt(info, index);
  if (backup == nullptr) {
    if (size != nullptr) *size = 0;
    return nullptr;
  }
  return Lend(backup->app_metadata, size);
}

void rocksdb_backup_engine_info_destroy(
    const rocksdb_backup_engine_info_t* info) {
  End(const_cast<rocksdb_backup_engine_info_t*>(info));
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
