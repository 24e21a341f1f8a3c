/* Counting checks, and the parts of the program in order. */

#include "tests/c/check.h"

static int checks = 0;
static int failures = 0;
static const char* directory = ".";
static void (*on_failure)(void) = NULL;

void SetDirectory(const char* path) { directory = path; }
void CallAtFailure(void (*function)(void)) { on_failure = function; }

int Report(void) {
  printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}

void Count(int ok, const char* file, int line, const char* text) {
  /* Callbacks check, too, on threads of the engine. */
  __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
  if (ok) return;
  __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
  if (on_failure != NULL) on_failure();
  printf("%s:%d: %s\n", file, line, text);
  fflush(stdout);
}

void CountOk(char** err, const char* file, int line) {
  Count(*err == NULL, file, line, *err == NULL ? "" : *err);
  rocksdb_free(*err);
  *err = NULL;
}

void CountError(char** err, const char* part, const char* file, int line) {
  if (*err == NULL) {
    Count(0, file, line, part);
    return;
  }
  Count(strstr(*err, part) != NULL, file, line, *err);
  rocksdb_free(*err);
  *err = NULL;
}

int Same(const char* data, size_t size, const char* wanted) {
  return data != NULL && size == strlen(wanted) &&
         memcmp(data, wanted, size) == 0;
}

void CountValue(char* value, size_t size, const char* wanted, const char* file,
                int line) {
  Count(Same(value, size, wanted), file, line, wanted);
  rocksdb_free(value);
}

const char* PathOf(const char* name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/%s", directory, name);
  return path;
}

rocksdb_options_t* NewOptions(void) {
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  return options;
}

rocksdb_t* OpenNew(const char* name, const rocksdb_options_t* options) {
  char* err = NULL;
  rocksdb_t* db = rocksdb_open(options, PathOf(name), &err);
  CHECK_OK(err);
  if (db == NULL) exit(1);
  return db;
}

void RunParts(void) {
  TestRoundTrips();
  TestNullHandles();
  TestHandles();
  TestInfos();
  TestCalls();
  TestDatabase();
  TestReads();
  TestFamilies();
  TestBatches();
  TestIndexedBatches();
  TestIterators();
  TestCallbacks();
  TestListeners();
  TestObjects();
  TestMaintenance();
  TestFiles();
  TestCopies();
  TestBackups();
  TestTtl();
  TestLogs();
  TestTraces();
  TestEffects();
  TestRemoteCompaction();
  TestBadInput();
  TestPromises();
  TestTransactions();
  TestOptimisticTransactions();
  TestEnds();
}
