/* Managers of space, checkpoints, and families that move from one database to
   another. */

#include "tests/c/check.h"

typedef struct Source {
  rocksdb_options_t* options;
  rocksdb_writeoptions_t* wo;
  rocksdb_readoptions_t* ro;
  rocksdb_t* db;
} Source;

static const char* PathTo(char* room, size_t size, const char* name) {
  snprintf(room, size, "%s", PathOf(name));
  return room;
}

static void Put(Source* s, const char* key, const char* value) {
  char* err = NULL;
  rocksdb_put(s->db, s->wo, key, strlen(key), value, strlen(value), &err);
  CHECK_OK(err);
}

static void Flush(Source* s) {
  char* err = NULL;
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_flush(s->db, fo, &err);
  CHECK_OK(err);
  rocksdb_flushoptions_destroy(fo);
}

static void CheckGet(rocksdb_t* db, rocksdb_readoptions_t* ro, const char* key,
                     const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  char* value = rocksdb_get(db, ro, key, strlen(key), &size, &err);
  CHECK_OK(err);
  if (wanted == NULL) {
    CHECK(value == NULL);
  } else {
    CHECK_VALUE(value, size, wanted);
  }
}

static void Open(Source* s, const char* name) {
  s->wo = rocksdb_writeoptions_create();
  s->ro = rocksdb_readoptions_create();
  s->db = OpenNew(name, s->options);
}

static void Close(Source* s) {
  rocksdb_close(s->db);
  rocksdb_writeoptions_destroy(s->wo);
  rocksdb_readoptions_destroy(s->ro);
  rocksdb_options_destroy(s->options);
}

static void CheckFields(rocksdb_sst_file_manager_t* manager) {
  rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, 17);
  CHECK(rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(manager) ==
        17);
  rocksdb_sst_file_manager_set_max_trash_db_ratio(manager, 0.5);
  CHECK(rocksdb_sst_file_manager_get_max_trash_db_ratio(manager) == 0.5);
  CHECK(rocksdb_sst_file_manager_get_total_trash_size(manager) == 0);
  CHECK(rocksdb_sst_file_manager_get_total_size(manager) == 0);
  CHECK(!rocksdb_sst_file_manager_is_max_allowed_space_reached(manager));
}

static void OnlyFile(Source* s, char* room, size_t size) {
  const rocksdb_livefiles_t* files = rocksdb_livefiles(s->db);
  CHECK(rocksdb_livefiles_count(files) == 1);
  snprintf(room, size, "%s", rocksdb_livefiles_name(files, 0));
  rocksdb_livefiles_destroy(files);
}

static void TestManager(void) {
  char* err = NULL;
  Source s;
  s.options = NewOptions();
  rocksdb_sst_file_manager_t* manager = rocksdb_sst_file_manager_create(NULL);
  CheckFields(manager);
  rocksdb_options_set_sst_file_manager(s.options, manager);
  rocksdb_options_set_disable_auto_compactions(s.options, 1);
  Open(&s, "managed");
  Put(&s, "a", "1");
  Flush(&s);
  Put(&s, "a", "2");
  Flush(&s);
  const uint64_t two = rocksdb_sst_file_manager_get_total_size(manager);
  CHECK(two > 500);
  /* One file of the two goes at once, the other waits for its rate. */
  rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, 1);
  rocksdb_sst_file_manager_set_max_trash_db_ratio(manager, 1.0);
  rocksdb_compact_range(s.db, NULL, 0, NULL, 0);
  rocksdb_wait_for_compact_options_t* wait =
      rocksdb_wait_for_compact_options_create();
  rocksdb_wait_for_compact_options_set_wait_for_purge(wait, 1);
  rocksdb_wait_for_compact(s.db, wait, &err);
  CHECK_OK(err);
  rocksdb_wait_for_compact_options_destroy(wait);
  CHECK(rocksdb_sst_file_manager_get_total_trash_size(manager) > 0);
  /* No room for a compaction, then none for writes. */
  rocksdb_sst_file_manager_set_max_allowed_space_usage(manager, two * 100);
  CHECK(!rocksdb_sst_file_manager_is_max_allowed_space_reached(manager));
  CHECK(
      !rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
          manager));
  rocksdb_sst_file_manager_set_compaction_buffer_size(manager, two * 100);
  rocksdb_compactoptions_t* force = rocksdb_compactoptions_create();
  rocksdb_compactoptions_set_bottommost_level_compaction(force, 2);
  char name[100];
  OnlyFile(&s, name, sizeof(name));
  rocksdb_compact_range_opt(s.db, force, NULL, 0, NULL, 0);
  char same[100];
  OnlyFile(&s, same, sizeof(same));
  CHECK(strcmp(name, same) == 0);
  rocksdb_sst_file_manager_set_compaction_buffer_size(manager, 0);
  rocksdb_compact_range_opt(s.db, force, NULL, 0, NULL, 0);
  OnlyFile(&s, same, sizeof(same));
  CHECK(strcmp(name, same) != 0);
  rocksdb_compactoptions_destroy(force);
  rocksdb_sst_file_manager_set_max_allowed_space_usage(manager, 1);
  CHECK(rocksdb_sst_file_manager_is_max_allowed_space_reached(manager));
  CHECK(
      rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
          manager));
  Put(&s, "b", "1");
  Flush(&s);
  rocksdb_put(s.db, s.wo, "c", 1, "1", 1, &err);
  CHECK_ERROR(err, "Max allowed space");
  Close(&s);
  rocksdb_sst_file_manager_destroy(manager);
}

static void TestCheckpoint(void) {
  char* err = NULL;
  char path[4000];
  Source s;
  s.options = NewOptions();
  Open(&s, "source");
  Put(&s, "a", "table");
  Flush(&s);
  Put(&s, "b", "log");
  rocksdb_checkpoint_t* checkpoint =
      rocksdb_checkpoint_object_create(s.db, &err);
  CHECK_OK(err);
  CHECK(checkpoint != NULL);
  PathTo(path, sizeof(path), "copy");
  rocksdb_checkpoint_create(checkpoint, path, 1 << 20, &err);
  CHECK_OK(err);
  rocksdb_checkpoint_create(checkpoint, path, 0, &err);
  CHECK_ERROR(err, "Invalid argument"); /* It is there. */
  rocksdb_checkpoint_create(checkpoint, NULL, 0, &err);
  CHECK_ERROR(err, "checkpoint_dir");
  rocksdb_checkpoint_object_destroy(checkpoint);
  Put(&s, "c", "later");
  rocksdb_t* copy = rocksdb_open(s.options, path, &err);
  CHECK_OK(err);
  if (copy != NULL) {
    CheckGet(copy, s.ro, "a", "table");
    CheckGet(copy, s.ro, "b", "log");
    CheckGet(copy, s.ro, "c", NULL);
    rocksdb_close(copy);
  }
  CHECK(rocksdb_checkpoint_object_create(NULL, &err) == NULL);
  CHECK_ERROR(err, "db");
  Close(&s);
}

static void ImportInto(Source* s,
                       rocksdb_export_import_files_metadata_t* exported) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_import_column_family_options_t* io =
      rocksdb_import_column_family_options_create();
  rocksdb_import_column_family_options_set_move_files(io, 1);
  rocksdb_column_family_handle_t* cf = rocksdb_create_column_family_with_import(
      s->db, s->options, "imported", io, exported, &err);
  CHECK_OK(err);
  CHECK(cf != NULL);
  if (cf != NULL) {
    char* value = rocksdb_get_cf(s->db, s->ro, cf, "a", 1, &size, &err);
    CHECK_OK(err);
    CHECK_VALUE(value, size, "1");
    rocksdb_column_family_handle_destroy(cf);
  }
  /* They were moved. */
  cf = rocksdb_create_column_family_with_import(s->db, s->options, "again",
                                                NULL, exported, &err);
  CHECK(cf == NULL);
  CHECK(err != NULL);
  rocksdb_free(err);
  err = NULL;
  CHECK(rocksdb_create_column_family_with_import(s->db, s->options, "none", io,
                                                 NULL, &err) == NULL);
  CHECK_ERROR(err, "metadata");
  rocksdb_import_column_family_options_destroy(io);
}

static void TestExport(void) {
  char* err = NULL;
  char path[4000];
  Source s;
  s.options = NewOptions();
  Open(&s, "exporting");
  Put(&s, "a", "1");
  rocksdb_checkpoint_t* checkpoint =
      rocksdb_checkpoint_object_create(s.db, &err);
  CHECK_OK(err);
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(s.db);
  PathTo(path, sizeof(path), "export");
  rocksdb_export_import_files_metadata_t* exported =
      rocksdb_checkpoint_export_column_family(checkpoint, cf, path, &err);
  CHECK_OK(err);
  CHECK(exported != NULL);
  CHECK(rocksdb_checkpoint_export_column_family(checkpoint, cf, path, &err) ==
        NULL);
  CHECK_ERROR(err, "Invalid argument");
  if (exported != NULL) {
    char* name =
        rocksdb_export_import_files_metadata_get_db_comparator_name(exported);
    CHECK_VALUE(name, strlen(name), "leveldb.BytewiseComparator");
    rocksdb_livefiles_t* files =
        rocksdb_export_import_files_metadata_get_files(exported);
    CHECK(rocksdb_livefiles_count(files) == 1);
    CHECK(strcmp(rocksdb_livefiles_directory(files, 0), path) == 0);
    rocksdb_livefiles_destroy(files);
    ImportInto(&s, exported);
    rocksdb_export_import_files_metadata_destroy(exported);
  }
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_checkpoint_object_destroy(checkpoint);
  Close(&s);
}

void TestCopies(void) {
  TestManager();
  TestCheckpoint();
  TestExport();
}
