/* The write-ahead log: its files, the updates in it, filters of its replay. */

#include "tests/c/check.h"

static void CheckFiles(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_wal_files_t* files = rocksdb_get_sorted_wal_files(db, &err);
  CHECK_OK(err);
  CHECK(rocksdb_wal_files_count(files) == 1);
  const rocksdb_wal_file_t* first = rocksdb_wal_files_get_wal_file(files, 0);
  CHECK(strstr(rocksdb_wal_file_path_name(first), ".log") != NULL);
  CHECK(rocksdb_wal_file_type(first) == rocksdb_wal_file_type_alive_log);
  CHECK(rocksdb_wal_file_start_sequence(first) == 1);
  CHECK(rocksdb_wal_file_size_file_bytes(first) > 0);
  CHECK(rocksdb_wal_files_get_wal_file(files, 1) == NULL);
  rocksdb_wal_file_t* current = rocksdb_get_current_wal_file(db, &err);
  CHECK_OK(err);
  CHECK(current != NULL && rocksdb_wal_file_log_number(current) > 0 &&
        rocksdb_wal_file_log_number(current) ==
            rocksdb_wal_file_log_number(first));
  rocksdb_wal_file_destroy(current);
  rocksdb_wal_files_destroy(files);
  CHECK(rocksdb_get_sorted_wal_files(NULL, &err) == NULL);
  CHECK_ERROR(err, "db");
  CHECK(rocksdb_get_current_wal_file(NULL, &err) == NULL);
  CHECK_ERROR(err, "db");
}

static void CheckUpdates(rocksdb_t* db) {
  char* err = NULL;
  uint64_t sequence = 0;
  rocksdb_wal_readoptions_t* options = rocksdb_wal_readoptions_create();
  rocksdb_wal_iterator_t* it = rocksdb_get_updates_since(db, 2, options, &err);
  CHECK_OK(err);
  int batches = 0;
  for (; rocksdb_wal_iter_valid(it); rocksdb_wal_iter_next(it)) {
    rocksdb_wal_iter_status(it, &err);
    CHECK_OK(err);
    rocksdb_writebatch_t* batch = rocksdb_wal_iter_get_batch(it, &sequence);
    CHECK(rocksdb_writebatch_count(batch) == 1);
    CHECK(sequence == (uint64_t)(2 + batches));
    rocksdb_writebatch_destroy(batch);
    if (++batches > 9) break;
  }
  CHECK(batches == 2);
  rocksdb_wal_iter_destroy(it);
  it = rocksdb_get_updates_since(db, 99, NULL, &err);
  CHECK(it == NULL || !rocksdb_wal_iter_valid(it));
  rocksdb_free(err);
  err = NULL;
  rocksdb_wal_iter_destroy(it);
  rocksdb_wal_iter_status(NULL, &err);
  CHECK_ERROR(err, "iterator");
  rocksdb_wal_readoptions_destroy(options);
}

typedef struct Replay {
  int maps, records, ended;
} Replay;

static void OnMap(void* state, const uint32_t* ids, const uint64_t* logs,
                  size_t count, const char* const* names, const size_t* sizes,
                  const uint32_t* name_ids, size_t name_count) {
  ((Replay*)state)->maps++;
  CHECK(count == 1 && ids[0] == 0 && logs != NULL);
  CHECK(name_count == 1 && Same(names[0], sizes[0], "default"));
  CHECK(name_ids[0] == 0);
}
/* Leaves out the second record, changes the third. */
static int OnRecord(void* state, unsigned long long log, const char* file,
                    size_t file_size, const rocksdb_writebatch_t* batch,
                    rocksdb_writebatch_t* changed, unsigned char* is_changed) {
  Replay* replay = (Replay*)state;
  CHECK(log > 0 && file != NULL && file_size > 0 && batch != NULL);
  replay->records++;
  if (replay->records == 2) return 1; /* Left out. */
  if (replay->records == 3) {
    rocksdb_writebatch_put(changed, "c", 1, "changed", 7);
    *is_changed = 1;
  }
  return 0;
}
static const char* Name(void* state) {
  (void)state;
  return "test.WalFilter";
}
static void OnEnd(void* state) { ((Replay*)state)->ended++; }

static void CheckFilter(rocksdb_options_t* options) {
  char* err = NULL;
  size_t size = 0;
  Replay replay = {0, 0, 0};
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_walfilter_t* filter =
      rocksdb_walfilter_create(&replay, OnEnd, OnMap, OnRecord, Name);
  rocksdb_options_set_wal_filter(options, filter);
  rocksdb_t* db = OpenNew("logs", options);
  CHECK(replay.maps == 1 && replay.records == 3);
  char* value = rocksdb_get(db, ro, "a", 1, &size, &err);
  CHECK_VALUE(value, size, "1");
  CHECK(rocksdb_get(db, ro, "b", 1, &size, &err) == NULL);
  value = rocksdb_get(db, ro, "c", 1, &size, &err);
  CHECK_VALUE(value, size, "changed");
  CHECK_OK(err);
  rocksdb_close(db);
  rocksdb_options_clear_wal_filter(options);
  rocksdb_close(OpenNew("logs", options));
  CHECK(replay.maps == 1);
  CHECK(replay.ended == 0);
  rocksdb_walfilter_destroy(filter);
  CHECK(replay.ended == 1);
  rocksdb_readoptions_destroy(ro);
}

void TestLogs(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_avoid_flush_during_shutdown(options, 1);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_t* db = OpenNew("logs", options);
  rocksdb_put(db, wo, "a", 1, "1", 1, &err);
  rocksdb_put(db, wo, "b", 1, "2", 1, &err);
  rocksdb_put(db, wo, "c", 1, "3", 1, &err);
  CHECK_OK(err);
  CheckFiles(db);
  CheckUpdates(db);
  rocksdb_close(db);
  CheckFilter(options);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_options_destroy(options);
}
