/* Compactions that a service runs through rocksdb_open_and_compact(). */

#include "tests/c/check.h"

typedef struct Service {
  char* input;
  size_t input_size;
  char db_path[4096];
  char directory[4096];
  int jobs;
  int installed;
  int canceled;
  int uses_options;
} Service;

static rocksdb_compactionservice_scheduleresponse_t* Schedule(
    void* state, const rocksdb_compactionservice_jobinfo_t* info,
    const char* input, size_t input_size) {
  Service* service = (Service*)state;
  char* err = NULL;
  CHECK(info != NULL);
  free(service->input);
  service->input = (char*)malloc(input_size);
  memcpy(service->input, input, input_size);
  service->input_size = input_size;
  ++service->jobs;
  rocksdb_compactionservice_scheduleresponse_t* response =
      rocksdb_compactionservice_scheduleresponse_create(
          "the job", rocksdb_compactionservice_jobstatus_success, &err);
  CHECK_OK(err);
  return response;
}

static int Wait(void* state, const char* id, char** result, size_t* size) {
  Service* service = (Service*)state;
  char* err = NULL;
  CHECK(strcmp(id, "the job") == 0);
  rocksdb_compaction_service_options_override_t* with =
      rocksdb_compaction_service_options_override_create();
  if (service->uses_options) {
    rocksdb_open_and_compact_options_t* options =
        rocksdb_open_and_compact_options_create();
    *result = rocksdb_open_and_compact_with_options(
        options, service->db_path, service->directory, service->input,
        service->input_size, size, with, &err);
    rocksdb_open_and_compact_options_destroy(options);
  } else {
    *result = rocksdb_open_and_compact(service->db_path, service->directory,
                                       service->input, service->input_size,
                                       size, with, &err);
  }
  CHECK_OK(err);
  CHECK(*result != NULL && *size > 0);
  rocksdb_compaction_service_options_override_destroy(with);
  return rocksdb_compactionservice_jobstatus_success;
}

static void Cancel(void* state) { ++((Service*)state)->canceled; }

static void OnInstallation(void* state, const char* id, int status) {
  CHECK(strcmp(id, "the job") == 0);
  if (status == rocksdb_compactionservice_jobstatus_success) {
    ++((Service*)state)->installed;
  }
}

void TestRemoteCompaction(void) {
  char* err = NULL;
  Service service;
  memset(&service, 0, sizeof(service));
  snprintf(service.db_path, sizeof(service.db_path), "%s", PathOf("remote"));
  snprintf(service.directory, sizeof(service.directory), "%s",
           PathOf("worker"));
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_disable_auto_compactions(options, 1);
  rocksdb_options_set_compaction_service(
      options, rocksdb_compactionservice_create(&service, NULL, Schedule,
                                                "service", Wait, Cancel,
                                                OnInstallation));
  rocksdb_t* db = OpenNew("remote", options);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  for (int i = 0; i < 2; ++i) {
    service.uses_options = i;
    /* Two files that overlap: they cannot simply move. */
    for (int file = 0; file < 2; ++file) {
      rocksdb_put(db, wo, "a", 1, i == 0 ? "1" : "2", 1, &err);
      CHECK_OK(err);
      rocksdb_put(db, wo, "b", 1, "3", 1, &err);
      CHECK_OK(err);
      rocksdb_flush(db, fo, &err);
      CHECK_OK(err);
    }
    rocksdb_compact_range(db, NULL, 0, NULL, 0);
    CHECK(service.jobs > i && service.installed == service.jobs);
  }
  size_t size = 0;
  char* value = rocksdb_get(db, ro, "a", 1, &size, &err);
  CHECK_OK(err);
  CHECK(size == 1 && value != NULL && value[0] == '2');
  rocksdb_free(value);
  rocksdb_close(db);
  CHECK(service.canceled > 0);

  rocksdb_compaction_service_options_override_t* with =
      rocksdb_compaction_service_options_override_create();
  CHECK(rocksdb_open_and_compact(service.db_path, service.directory, "nonsense",
                                 8, &size, with, &err) == NULL);
  CHECK_ERROR(err, "Corruption");
  CHECK(size == 0);
  CHECK(rocksdb_open_and_compact(NULL, service.directory, "", 0, &size, with,
                                 &err) == NULL);
  CHECK_ERROR(err, "db_path");
  CHECK(rocksdb_open_and_compact(service.db_path, service.directory, "", 0,
                                 &size, NULL, &err) == NULL);
  CHECK_ERROR(err, "override_options");
  CHECK(rocksdb_open_and_compact_with_options(NULL, service.db_path,
                                              service.directory, "", 0, &size,
                                              with, &err) == NULL);
  CHECK_ERROR(err, "options");
  rocksdb_compaction_service_options_override_destroy(with);
  rocksdb_flushoptions_destroy(fo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_options_destroy(options);
  free(service.input);
}
