/* Traces of operations, of the block cache and of I/O, and replaying them. */

#include "tests/c/check.h"

static void PutKey(rocksdb_t* db, const char* key, const char* value) {
  char* err = NULL;
  rocksdb_writeoptions_t* options = rocksdb_writeoptions_create();
  rocksdb_put(db, options, key, strlen(key), value, strlen(value), &err);
  CHECK_OK(err);
  rocksdb_writeoptions_destroy(options);
}

static void CheckKey(rocksdb_t* db, const char* key, const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_readoptions_t* options = rocksdb_readoptions_create();
  char* value = rocksdb_get(db, options, key, strlen(key), &size, &err);
  CHECK_OK(err);
  if (wanted == NULL) {
    CHECK(value == NULL);
    rocksdb_free(value);
  } else {
    CHECK_VALUE(value, size, wanted);
  }
  rocksdb_readoptions_destroy(options);
}

/* Records of a trace, the first one included. */
static int CountRecords(rocksdb_env_t* env, const rocksdb_envoptions_t* options,
                        const char* path) {
  char* err = NULL;
  int count = 0;
  rocksdb_trace_reader_t* reader =
      rocksdb_trace_reader_create(env, options, path, &err);
  CHECK_OK(err);
  for (; count < 1000; ++count) {
    size_t size = 0;
    char* record = rocksdb_trace_reader_read(reader, &size, &err);
    if (record == NULL) break;
    CHECK_OK(err);
    CHECK(size >= 13);
    rocksdb_free(record);
  }
  CHECK_ERROR(err, "incomplete");
  rocksdb_trace_reader_reset(reader, &err);
  CHECK_OK(err);
  size_t size = 0;
  char* first = rocksdb_trace_reader_read(reader, &size, &err);
  CHECK_OK(err);
  CHECK(first != NULL && size > 13);
  rocksdb_free(first);
  rocksdb_trace_reader_close(reader, &err);
  CHECK_OK(err);
  rocksdb_trace_reader_reset(reader, &err);
  CHECK_ERROR(err, "closed");
  rocksdb_trace_reader_destroy(reader);
  return count;
}

static void Replay(rocksdb_env_t* env, const rocksdb_envoptions_t* options,
                   const char* path) {
  char* err = NULL;
  rocksdb_options_t* new_options = NewOptions();
  rocksdb_t* db = OpenNew("replayed", new_options);
  rocksdb_replayer_t* replayer =
      rocksdb_new_default_replayer(db, NULL, 0, env, options, path, &err);
  CHECK_OK(err);
  CHECK(rocksdb_new_default_replayer(db, NULL, 1, env, options, path, &err) ==
        NULL);
  CHECK_ERROR(err, "column_family");
  CHECK(rocksdb_replayer_get_header_timestamp(replayer) == 0);
  rocksdb_replay_options_t* replay = rocksdb_replay_options_create();
  rocksdb_replayer_replay(replayer, replay, &err);
  CHECK_ERROR(err, "Not prepared");
  rocksdb_replayer_prepare(replayer, &err);
  CHECK_OK(err);
  CHECK(rocksdb_replayer_get_header_timestamp(replayer) > 0);
  rocksdb_replay_options_set_fast_forward(replay, 0);
  rocksdb_replayer_replay(replayer, replay, &err);
  CHECK_ERROR(err, "fast forward");
  rocksdb_replay_options_set_fast_forward(replay, 1000);
  rocksdb_replayer_replay(replayer, replay, &err);
  CHECK_OK(err);
  rocksdb_replay_options_destroy(replay);
  rocksdb_replayer_destroy(replayer);
  CheckKey(db, "a", "1");
  CheckKey(db, "b", "2");
  CheckKey(db, "untraced", NULL);
  rocksdb_close(db);
  rocksdb_options_destroy(new_options);
}

static void CheckOperations(rocksdb_t* db, rocksdb_env_t* env,
                            const rocksdb_envoptions_t* envoptions,
                            const rocksdb_trace_options_t* options) {
  char* err = NULL;
  char path[1024];
  snprintf(path, sizeof(path), "%s", PathOf("operations.trace"));
  rocksdb_end_trace(db, &err);
  CHECK_ERROR(err, "No trace file to close");
  rocksdb_start_trace(db, env, envoptions, options, path, &err);
  CHECK_OK(err);
  PutKey(db, "a", "1");
  PutKey(db, "b", "2");
  rocksdb_end_trace(db, &err);
  CHECK_OK(err);
  PutKey(db, "untraced", "3");
  CHECK(CountRecords(env, envoptions, path) == 4);
  Replay(env, envoptions, path);
}

static void CheckIo(rocksdb_t* db, rocksdb_env_t* env,
                    const rocksdb_envoptions_t* envoptions,
                    const rocksdb_trace_options_t* options) {
  char* err = NULL;
  char path[1024];
  snprintf(path, sizeof(path), "%s", PathOf("io.trace"));
  rocksdb_start_io_trace(db, env, envoptions, options, path, &err);
  CHECK_OK(err);
  rocksdb_start_io_trace(db, env, envoptions, options, PathOf("other"), &err);
  CHECK_ERROR(err, "busy");
  PutKey(db, "c", "3");
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_end_io_trace(db, &err);
  CHECK_OK(err);
  const int count = CountRecords(env, envoptions, path);
  CHECK(count > 5);
  PutKey(db, "d", "4");
  CHECK(CountRecords(env, envoptions, path) == count);
}

/* A block that is read twice, by each of the two ways to begin. */
static void CheckBlocks(rocksdb_t* db, rocksdb_env_t* env,
                        const rocksdb_envoptions_t* envoptions,
                        const rocksdb_trace_options_t* options) {
  char* err = NULL;
  char path[1024];
  snprintf(path, sizeof(path), "%s", PathOf("blocks.trace"));
  rocksdb_start_block_cache_trace(db, env, envoptions, options, path, &err);
  CHECK_OK(err);
  CheckKey(db, "c", "3");
  CheckKey(db, "c", "3");
  rocksdb_end_block_cache_trace(db, &err);
  CHECK_OK(err);
  CheckKey(db, "c", "3");
  CHECK(CountRecords(env, envoptions, path) == 3);
  rocksdb_block_cache_trace_options_t* sampling =
      rocksdb_block_cache_trace_options_create();
  rocksdb_block_cache_trace_writer_options_t* writer =
      rocksdb_block_cache_trace_writer_options_create();
  rocksdb_block_cache_trace_writer_options_set_max_trace_file_size(writer, 1);
  rocksdb_start_block_cache_trace_with_options(db, env, envoptions, sampling,
                                               writer, path, &err);
  CHECK_OK(err);
  CheckKey(db, "c", "3");
  rocksdb_end_block_cache_trace(db, &err);
  CHECK_OK(err);
  /* It was larger than that with its header alone. */
  CHECK(CountRecords(env, envoptions, path) == 1);
  rocksdb_start_block_cache_trace_with_options(db, env, envoptions, sampling,
                                               NULL, path, &err);
  CHECK_ERROR(err, "options");
  rocksdb_start_block_cache_trace(db, env, envoptions, options,
                                  PathOf("no/such/directory"), &err);
  CHECK_ERROR(err, "directory");
  rocksdb_block_cache_trace_writer_options_destroy(writer);
  rocksdb_block_cache_trace_options_destroy(sampling);
}

void TestTraces(void) {
  rocksdb_options_t* options = NewOptions();
  rocksdb_t* db = OpenNew("traced", options);
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_envoptions_t* envoptions = rocksdb_envoptions_create();
  rocksdb_trace_options_t* trace = rocksdb_trace_options_create();
  CheckOperations(db, env, envoptions, trace);
  CheckIo(db, env, envoptions, trace);
  CheckBlocks(db, env, envoptions, trace);
  rocksdb_trace_options_destroy(trace);
  rocksdb_envoptions_destroy(envoptions);
  rocksdb_env_destroy(env);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}
