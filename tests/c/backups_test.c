/* Backups, and restoring them. */

#include "tests/c/check.h"

/* What a test has: a database, its backups, and where they are restored. */
typedef struct {
  rocksdb_options_t* options;
  rocksdb_t* db;
  rocksdb_backup_engine_t* engine;
  char restored[4000];
} Backups;

static void PutText(Backups* b, const char* key, const char* value) {
  char* err = NULL;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_put(b->db, wo, key, strlen(key), value, strlen(value), &err);
  CHECK_OK(err);
  rocksdb_writeoptions_destroy(wo);
}

static void Begin(Backups* b, const char* name) {
  char* err = NULL;
  char path[100];
  b->options = NewOptions();
  b->db = OpenNew(name, b->options);
  snprintf(path, sizeof(path), "%s-backups", name);
  b->engine = rocksdb_backup_engine_open(b->options, PathOf(path), &err);
  CHECK_OK(err);
  snprintf(path, sizeof(path), "%s-restored", name);
  snprintf(b->restored, sizeof(b->restored), "%s", PathOf(path));
}

static void Finish(Backups* b) {
  rocksdb_backup_engine_close(b->engine);
  rocksdb_close(b->db);
  rocksdb_options_destroy(b->options);
}

/* The restored database has that value; NULL: none. */
static void CheckRestored(Backups* b, const char* key, const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_t* db = rocksdb_open(b->options, b->restored, &err);
  CHECK_OK(err);
  if (db == NULL) return;
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  char* value = rocksdb_get(db, ro, key, strlen(key), &size, &err);
  CHECK_OK(err);
  CHECK((value == NULL) == (wanted == NULL));
  if (value != NULL) CHECK_VALUE(value, size, wanted);
  rocksdb_readoptions_destroy(ro);
  rocksdb_close(db);
}

static void RestoreLatest(Backups* b) {
  char* err = NULL;
  rocksdb_restore_options_t* restore = rocksdb_restore_options_create();
  rocksdb_backup_engine_restore_db_from_latest_backup(
      b->engine, b->restored, b->restored, restore, &err);
  CHECK_OK(err);
  rocksdb_restore_options_destroy(restore);
}

static void TestMakeAndRestore(void) {
  char* err = NULL;
  Backups b;
  Begin(&b, "backed-up");
  PutText(&b, "a", "1");
  rocksdb_backup_engine_create_new_backup(b.engine, b.db, &err);
  CHECK_OK(err);
  PutText(&b, "a", "2");
  rocksdb_backup_engine_create_new_backup_flush(b.engine, b.db, 1, &err);
  CHECK_OK(err);
  RestoreLatest(&b);
  CheckRestored(&b, "a", "2");
  rocksdb_restore_options_t* restore = rocksdb_restore_options_create();
  rocksdb_backup_engine_restore_db_from_backup(b.engine, b.restored, b.restored,
                                               restore, 1, &err);
  CHECK_OK(err);
  CheckRestored(&b, "a", "1");
  rocksdb_backup_engine_restore_db_from_backup(b.engine, b.restored, b.restored,
                                               restore, 9, &err);
  CHECK_ERROR(err, "Backup not found");
  rocksdb_restore_options_destroy(restore);
  rocksdb_backup_engine_verify_backup(b.engine, 2, &err);
  CHECK_OK(err);
  rocksdb_backup_engine_purge_old_backups(b.engine, 1, &err);
  CHECK_OK(err);
  rocksdb_backup_engine_verify_backup(b.engine, 1, &err);
  CHECK_ERROR(err, "Backup not found");
  rocksdb_backup_engine_stop_backup(b.engine);
  rocksdb_backup_engine_create_new_backup(b.engine, b.db, &err);
  CHECK_ERROR(err, "Backup stopped");
  Finish(&b);
}

static void TestBackupInfo(void) {
  char* err = NULL;
  Backups b;
  Begin(&b, "told-of");
  PutText(&b, "a", "1");
  rocksdb_create_backup_options_t* create =
      rocksdb_create_backup_options_create();
  rocksdb_create_backup_options_set_flush_before_backup(create, 1);
  uint32_t id = 0;
  rocksdb_backup_engine_create_new_backup_with_options(b.engine, b.db, create,
                                                       &id, &err);
  CHECK_OK(err);
  CHECK(id == 1);
  rocksdb_backup_engine_create_new_backup_with_metadata(
      b.engine, b.db, create, "my\0bytes", 8, &id, &err);
  CHECK_OK(err);
  CHECK(id == 2);
  rocksdb_create_backup_options_destroy(create);
  const rocksdb_backup_engine_info_t* info =
      rocksdb_backup_engine_get_backup_info(b.engine);
  CHECK(rocksdb_backup_engine_info_count(info) == 2);
  CHECK(rocksdb_backup_engine_info_backup_id(info, 1) == 2);
  CHECK(rocksdb_backup_engine_info_timestamp(info, 1) > 1700000000);
  CHECK(rocksdb_backup_engine_info_size(info, 1) > 1000);
  CHECK(rocksdb_backup_engine_info_number_files(info, 1) >= 4);
  size_t size = 0;
  const char* text = rocksdb_backup_engine_info_app_metadata(info, 1, &size);
  CHECK(size == 8 && memcmp(text, "my\0bytes", 8) == 0);
  rocksdb_backup_engine_info_app_metadata(info, 0, &size);
  CHECK(size == 0);
  size = 7;
  CHECK(rocksdb_backup_engine_info_app_metadata(info, 2, &size) == NULL);
  CHECK(size == 0);
  CHECK(rocksdb_backup_engine_info_backup_id(info, -1) == 0);
  rocksdb_backup_engine_info_destroy(info);
  CHECK(rocksdb_backup_engine_get_backup_info(NULL) == NULL);
  Finish(&b);
}

static void Progressed(void* state) { ++*(int*)state; }
static unsigned char ExcludeTables(void* state, const char* path, size_t size) {
  ++*(int*)state;
  return size > 4 && memcmp(path + size - 4, ".sst", 4) == 0;
}

static void TestBackupOptions(void) {
  char* err = NULL;
  char path[4000];
  Backups b;
  int calls = 0;
  int excluded = 0;
  Begin(&b, "with-options");
  PutText(&b, "a", "1");
  snprintf(path, sizeof(path), "%s", PathOf("with-options-2"));
  rocksdb_backup_engine_options_t* options =
      rocksdb_backup_engine_options_create(path);
  rocksdb_backup_engine_options_set_schema_version(options, 2);
  rocksdb_backup_engine_options_set_callback_trigger_interval_size(options, 1);
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_backup_engine_t* engine =
      rocksdb_backup_engine_open_opts(options, env, &err);
  CHECK_OK(err);
  rocksdb_create_backup_options_t* create =
      rocksdb_create_backup_options_create();
  rocksdb_create_backup_options_set_flush_before_backup(create, 1);
  rocksdb_create_backup_options_set_progress_callback(create, &calls,
                                                      Progressed);
  rocksdb_create_backup_options_set_exclude_files_callback(create, &excluded,
                                                           ExcludeTables);
  rocksdb_backup_engine_create_new_backup_with_options(engine, b.db, create,
                                                       NULL, &err);
  CHECK_OK(err);
  CHECK(calls > 0);
  CHECK(excluded == 1);
  rocksdb_restore_options_t* restore = rocksdb_restore_options_create();
  rocksdb_backup_engine_restore_db_from_latest_backup(
      engine, b.restored, b.restored, restore, &err);
  CHECK_ERROR(err, "Excluded file");
  rocksdb_restore_options_destroy(restore);
  rocksdb_create_backup_options_destroy(create);
  rocksdb_backup_engine_close(engine);
  rocksdb_backup_engine_options_set_schema_version(options, 3);
  CHECK(rocksdb_backup_engine_open_opts(options, env, &err) == NULL);
  CHECK_ERROR(err, "schema_version");
  rocksdb_backup_engine_options_destroy(options);
  rocksdb_env_destroy(env);
  Finish(&b);
}

void TestBackups(void) {
  TestMakeAndRestore();
  TestBackupInfo();
  TestBackupOptions();
}
