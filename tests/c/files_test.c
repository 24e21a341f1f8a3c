/* Table files written apart and ingested, files that are dropped, compacted or
   copied, and their checksums. */

#include "tests/c/check.h"

/* PathOf() for several names at once. */
static const char* PathTo(char* room, size_t size, const char* name) {
  snprintf(room, size, "%s", PathOf(name));
  return room;
}

static void CheckValue(rocksdb_t* db, const char* key, const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  char* value = rocksdb_get(db, ro, key, strlen(key), &size, &err);
  CHECK_OK(err);
  if (wanted == NULL) {
    CHECK(value == NULL);
    rocksdb_free(value);
  } else {
    CHECK_VALUE(value, size, wanted);
  }
  rocksdb_readoptions_destroy(ro);
}

/* k1 = one, k2 = two, m = ab merged, gone deleted, [ra, rz) deleted. */
static void WriteFile(rocksdb_sstfilewriter_t* writer, const char* path) {
  char* err = NULL;
  uint64_t size = 0;
  rocksdb_sstfilewriter_put(writer, "k", 1, "v", 1, &err);
  CHECK_ERROR(err, "Invalid argument"); /* No file is open. */
  rocksdb_sstfilewriter_open(writer, path, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_delete(writer, "gone", 4, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put(writer, "k1", 2, "one", 3, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_add(writer, "k2", 2, "two", 3, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put(writer, "k0", 2, "early", 5, &err);
  CHECK_ERROR(err, "Invalid argument"); /* Not in order. */
  rocksdb_sstfilewriter_merge(writer, "m", 1, "\2\0\0\0\0\0\0\0", 8, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_delete_range(writer, "ra", 2, "rz", 2, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put_with_ts(writer, "t", 1, "12345678", 8, "v", 1,
                                    &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_sstfilewriter_delete_with_ts(writer, "t", 1, "12345678", 8, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_sstfilewriter_finish(writer, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_file_size(writer, &size);
  CHECK(size > 100);
}

typedef struct Ingested {
  int files;
  uint64_t entries;
} Ingested;

static void OnIngested(void* state, rocksdb_t* db,
                       const rocksdb_externalfileingestioninfo_t* info) {
  Ingested* heard = (Ingested*)state;
  size_t size = 0;
  CHECK(rocksdb_get_latest_sequence_number(db) > 0);
  heard->files++;
  heard->entries += rocksdb_table_properties_num_entries(
      rocksdb_externalfileingestioninfo_table_properties(info));
  const char* path =
      rocksdb_externalfileingestioninfo_external_file_path(info, &size);
  CHECK(path != NULL && size > 4 && memcmp(path + size - 4, ".sst", 4) == 0);
  path = rocksdb_externalfileingestioninfo_internal_file_path(info, &size);
  CHECK(path != NULL && size > 4);
}

static void Before(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_put(db, wo, "gone", 4, "g", 1, &err);
  rocksdb_put(db, wo, "m", 1, "\1\0\0\0\0\0\0\0", 8, &err);
  rocksdb_put(db, wo, "rk", 2, "r", 1, &err);
  CHECK_OK(err);
  rocksdb_writeoptions_destroy(wo);
}

static void BadIngestions(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_ingestexternalfileoptions_t* ingest =
      rocksdb_ingestexternalfileoptions_create();
  const char* files[1] = {PathOf("none.sst")};
  rocksdb_ingest_external_file(db, files, 1, ingest, &err);
  CHECK_ERROR(err, "none.sst");
  rocksdb_ingest_external_file(db, files, 1, NULL, &err);
  CHECK_ERROR(err, "options");
  rocksdb_ingest_external_file(db, NULL, 1, ingest, &err);
  CHECK_ERROR(err, "file_list");
  rocksdb_ingest_external_file(NULL, files, 1, ingest, &err);
  CHECK_ERROR(err, "db");
  rocksdb_ingest_external_file_cf(db, NULL, files, 1, ingest, &err);
  CHECK_ERROR(err, "column_family");
  files[0] = NULL;
  rocksdb_ingest_external_file(db, files, 1, ingest, &err);
  CHECK_ERROR(err, "NULL");
  rocksdb_ingestexternalfileoptions_destroy(ingest);
}

static void TestIngestion(void) {
  char* err = NULL;
  char room[4200];
  Ingested heard = {0, 0};
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_uint64add_merge_operator(options);
  rocksdb_envoptions_t* env_options = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* writer =
      rocksdb_sstfilewriter_create(env_options, options);
  WriteFile(writer, PathTo(room, sizeof(room), "one.sst"));
  rocksdb_options_add_eventlistener(
      options,
      rocksdb_eventlistener_create(&heard, NULL, NULL, NULL, NULL, NULL, NULL,
                                   NULL, OnIngested, NULL, NULL, NULL));
  rocksdb_t* db = OpenNew("ingestion", options);
  Before(db);
  const char* files[1] = {room};
  rocksdb_ingestexternalfileoptions_t* ingest =
      rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingest_external_file(db, files, 1, ingest, &err);
  CHECK_OK(err);
  CheckValue(db, "k1", "one");
  CheckValue(db, "k2", "two");
  CheckValue(db, "gone", NULL);
  CheckValue(db, "rk", NULL);
  CHECK(heard.files == 1 && heard.entries == 5);
  BadIngestions(db);

  rocksdb_column_family_handle_t* cf =
      rocksdb_create_column_family(db, options, "other", &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_open(writer, PathTo(room, sizeof(room), "two.sst"),
                             &err);
  rocksdb_sstfilewriter_put(writer, "x", 1, "y", 1, &err);
  rocksdb_sstfilewriter_finish(writer, &err);
  CHECK_OK(err);
  rocksdb_ingest_external_file_cf(db, cf, files, 1, ingest, &err);
  CHECK_OK(err);
  CheckValue(db, "x", NULL);
  rocksdb_column_family_metadata_t* all =
      rocksdb_get_column_family_metadata_cf(db, cf);
  CHECK(rocksdb_column_family_metadata_get_file_count(all) == 1);
  rocksdb_column_family_metadata_destroy(all);
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_ingestexternalfileoptions_destroy(ingest);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env_options);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

static int Backwards(void* state, const char* a, size_t na, const char* b,
                     size_t nb) {
  (void)state;
  const size_t n = na < nb ? na : nb;
  const int r = memcmp(b, a, n);
  return r != 0 ? r : (na < nb) - (na > nb);
}
static const char* BackwardsName(void* state) {
  (void)state;
  return "test.Backwards";
}

static void TestWriterWithComparator(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_envoptions_t* env_options = rocksdb_envoptions_create();
  rocksdb_comparator_t* order =
      rocksdb_comparator_create(NULL, NULL, Backwards, BackwardsName);
  rocksdb_sstfilewriter_t* writer =
      rocksdb_sstfilewriter_create_with_comparator(env_options, options, order);
  rocksdb_sstfilewriter_open(writer, PathOf("backwards.sst"), &err);
  rocksdb_sstfilewriter_put(writer, "b", 1, "1", 1, &err);
  rocksdb_sstfilewriter_put(writer, "a", 1, "2", 1, &err);
  CHECK_OK(err);
  rocksdb_sstfilewriter_put(writer, "c", 1, "3", 1, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_sstfilewriter_open(NULL, "x", &err);
  CHECK_ERROR(err, "writer");
  rocksdb_comparator_destroy(order);
  rocksdb_envoptions_destroy(env_options);
  rocksdb_options_destroy(options);
}

/* Two files: [a, c] and [x, z], deepest level. */
static void MakeTwoFiles(rocksdb_t* db) {
  char* err = NULL;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  for (const char* keys = "abcxyz"; *keys != '\0'; ++keys) {
    rocksdb_put(db, wo, keys, 1, "v", 1, &err);
    if (*keys == 'c' || *keys == 'z') rocksdb_flush(db, fo, &err);
  }
  CHECK_OK(err);
  rocksdb_flushoptions_destroy(fo);
  rocksdb_writeoptions_destroy(wo);
}

static int FilesOf(rocksdb_t* db) {
  const rocksdb_livefiles_t* files = rocksdb_livefiles(db);
  const int count = rocksdb_livefiles_count(files);
  rocksdb_livefiles_destroy(files);
  return count;
}

/* Moves both files down, one by one, and tells what came of the first. */
static void CompactByName(rocksdb_t* db, rocksdb_column_family_handle_t* cf) {
  char* err = NULL;
  char** outputs = NULL;
  size_t count = 0;
  rocksdb_compaction_options_t* co = rocksdb_compaction_options_create();
  rocksdb_compactionjobinfo_t* info = rocksdb_compactionjobinfo_create();
  const rocksdb_livefiles_t* files = rocksdb_livefiles(db);
  const char* first = rocksdb_livefiles_name(files, 0);
  const char* second = rocksdb_livefiles_name(files, 1);
  rocksdb_compact_files(db, co, &first, 1, 6, -1, &outputs, &count, info, &err);
  CHECK_OK(err);
  CHECK(count == 1 && strstr(outputs[0], ".sst") != NULL);
  CHECK(rocksdb_compactionjobinfo_output_level(info) == 6);
  CHECK(rocksdb_compactionjobinfo_output_files_count(info) == 1);
  rocksdb_compact_files_output_file_names_destroy(outputs, count);
  rocksdb_compact_files_cf(db, cf, co, &second, 1, 6, -1, NULL, NULL, NULL,
                           &err);
  CHECK_OK(err);
  char* text = rocksdb_property_value(db, "rocksdb.num-files-at-level6");
  CHECK_VALUE(text, 1, "2");
  rocksdb_column_family_metadata_t* all =
      rocksdb_get_column_family_metadata(db);
  CHECK(rocksdb_level_metadata_get_level(
            rocksdb_column_family_metadata_get_level_metadata(all, 6)) == 6);
  rocksdb_column_family_metadata_destroy(all);
  first = "none.sst";
  rocksdb_compact_files(db, co, &first, 1, 6, -1, &outputs, &count, NULL, &err);
  CHECK_ERROR(err, "none.sst");
  CHECK(outputs == NULL && count == 0);
  first = NULL;
  rocksdb_compact_files(db, co, &first, 1, 6, -1, NULL, NULL, NULL, &err);
  CHECK_ERROR(err, "Invalid argument");
  rocksdb_livefiles_destroy(files);
  rocksdb_compactionjobinfo_destroy(info);
  rocksdb_compaction_options_destroy(co);
}

static void TestFilesByName(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_disable_auto_compactions(options, 1);
  rocksdb_t* db = OpenNew("by_name", options);
  rocksdb_column_family_handle_t* cf =
      rocksdb_get_default_column_family_handle(db);
  MakeTwoFiles(db);
  CompactByName(db, cf);
  rocksdb_delete_file_in_range(db, "a", 1, "d", 1, &err);
  CHECK_OK(err);
  CHECK(FilesOf(db) == 1);
  CheckValue(db, "b", NULL);
  CheckValue(db, "y", "v");
  rocksdb_delete_file_in_range_cf(db, cf, "x", 1, "y", 1, &err);
  CHECK_OK(err);
  CHECK(FilesOf(db) == 1);
  rocksdb_delete_file_in_range_cf(db, cf, NULL, 0, NULL, 0, &err);
  CHECK_OK(err);
  CHECK(FilesOf(db) == 0);
  CheckValue(db, "y", NULL);
  rocksdb_delete_file_in_range_cf(db, NULL, "x", 1, "y", 1, &err);
  CHECK_ERROR(err, "column_family");
  rocksdb_column_family_handle_destroy(cf);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

/* A file for each first byte. */
static void TestPartitions(void) {
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_disable_auto_compactions(options, 1);
  rocksdb_sst_partitioner_factory_t* factory =
      rocksdb_sst_partitioner_fixed_prefix_factory_create(1);
  rocksdb_options_set_sst_partitioner_factory(options, factory);
  rocksdb_sst_partitioner_factory_destroy(factory);
  rocksdb_t* db = OpenNew("partitions", options);
  MakeTwoFiles(db);
  CHECK(FilesOf(db) == 2);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  CHECK(FilesOf(db) == 6);
  CheckValue(db, "b", "v");
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

/* One file of each kind that a copy needs. */
static void CheckStorage(const rocksdb_livefiles_storage_info_t* all,
                         const char* directory) {
  size_t size = 0;
  int tables = 0, logs = 0, currents = 0, manifests = 0;
  const size_t count = rocksdb_livefiles_storage_info_count(all);
  for (size_t i = 0; i < count; ++i) {
    const char* name = rocksdb_livefiles_storage_info_relative_filename(all, i);
    CHECK(strstr(rocksdb_livefiles_storage_info_directory(all, i), directory) !=
          NULL);
    const int type = rocksdb_livefiles_storage_info_file_type(all, i);
    const uint64_t bytes = rocksdb_livefiles_storage_info_size(all, i);
    const char* contents =
        rocksdb_livefiles_storage_info_replacement_contents(all, i, &size);
    CHECK(rocksdb_livefiles_storage_info_temperature(all, i) == 0);
    if (strcmp(name, "CURRENT") == 0) {
      ++currents;
      CHECK(size == bytes && memcmp(contents, "MANIFEST-", 9) == 0);
    } else if (strstr(name, ".sst") != NULL) {
      ++tables;
      CHECK(type == 2 && bytes > 0 && size == 0);
      CHECK(rocksdb_livefiles_storage_info_file_number(all, i) > 0);
      /* Four bytes, of which the first may well be 0. */
      CHECK(rocksdb_livefiles_storage_info_file_checksum(all, i) != NULL);
      CHECK(
          strcmp(rocksdb_livefiles_storage_info_file_checksum_func_name(all, i),
                 "FileChecksumCrc32c") == 0);
      CHECK(rocksdb_livefiles_storage_info_trim_to_size(all, i) == 0);
    } else if (strncmp(name, "MANIFEST-", 9) == 0) {
      ++manifests;
      CHECK(rocksdb_livefiles_storage_info_trim_to_size(all, i) == 1);
    } else if (strstr(name, ".log") != NULL) {
      ++logs;
    }
  }
  CHECK(tables == 2 && currents == 1 && manifests == 1 && logs >= 0);
  CHECK(rocksdb_livefiles_storage_info_size(all, count) == 0);
}

static void TestStorageInfo(void) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_disable_auto_compactions(options, 1);
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("storage", options);
  rocksdb_verify_file_checksums(db, &err);
  CHECK_ERROR(err, "Invalid argument"); /* Files have no checksums. */
  rocksdb_close(db);
  rocksdb_file_checksum_gen_factory_t* checksums =
      rocksdb_file_checksum_gen_crc32c_factory_create();
  rocksdb_options_set_file_checksum_gen_factory(options, checksums);
  rocksdb_file_checksum_gen_factory_destroy(checksums);
  db = OpenNew("storage", options);
  MakeTwoFiles(db);
  rocksdb_verify_file_checksums(db, &err);
  CHECK_OK(err);
  rocksdb_verify_file_checksums_with_options(db, ro, &err);
  CHECK_OK(err);
  rocksdb_verify_file_checksums_with_options(db, NULL, &err);
  CHECK_ERROR(err, "options");
  rocksdb_verify_file_checksums(NULL, &err);
  CHECK_ERROR(err, "db");
  rocksdb_verify_checksum_with_options(db, ro, &err);
  CHECK_OK(err);
  rocksdb_verify_checksum_with_options(db, NULL, &err);
  CHECK_ERROR(err, "options");
  rocksdb_livefiles_storage_info_options_t* storage =
      rocksdb_livefiles_storage_info_options_create();
  rocksdb_livefiles_storage_info_options_set_include_checksum_info(storage, 1);
  rocksdb_livefiles_storage_info_t* all =
      rocksdb_get_livefiles_storage_info(db, storage, &err);
  CHECK_OK(err);
  CheckStorage(all, "storage");
  rocksdb_livefiles_storage_info_destroy(all);
  CHECK(rocksdb_get_livefiles_storage_info(db, NULL, &err) == NULL);
  CHECK_ERROR(err, "options");
  rocksdb_livefiles_storage_info_options_destroy(storage);
  rocksdb_close(db);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}

static void TestLiveFileFields(void) {
  size_t size = 0;
  rocksdb_livefile_t* file = rocksdb_livefile_create();
  rocksdb_livefile_set_name(file, "/000009.sst");
  rocksdb_livefile_set_size(file, 1234);
  rocksdb_livefile_set_smallest_key(file, "aa", 2);
  rocksdb_livefile_set_largest_key(file, "zz", 2);
  rocksdb_livefile_set_smallest_seqno(file, 5);
  rocksdb_livefile_set_largest_seqno(file, 6);
  rocksdb_livefile_set_num_entries(file, 7);
  rocksdb_livefile_set_num_deletions(file, 8);
  rocksdb_livefile_set_column_family_name(file, "family");
  rocksdb_livefiles_t* files = rocksdb_livefiles_create();
  rocksdb_livefiles_add(files, file);
  rocksdb_livefile_destroy(file);
  CHECK(strcmp(rocksdb_livefiles_name(files, 0), "/000009.sst") == 0);
  CHECK(strcmp(rocksdb_livefiles_column_family_name(files, 0), "family") == 0);
  CHECK(rocksdb_livefiles_size(files, 0) == 1234);
  CHECK(Same(rocksdb_livefiles_smallestkey(files, 0, &size), 2, "aa"));
  CHECK(Same(rocksdb_livefiles_largestkey(files, 0, &size), 2, "zz"));
  CHECK(size == 2);
  CHECK(rocksdb_livefiles_smallest_seqno(files, 0) == 5);
  CHECK(rocksdb_livefiles_largest_seqno(files, 0) == 6);
  CHECK(rocksdb_livefiles_entries(files, 0) == 7);
  CHECK(rocksdb_livefiles_deletions(files, 0) == 8);
  rocksdb_livefiles_destroy(files);
}

void TestFiles(void) {
  TestIngestion();
  TestWriterWithComparator();
  TestFilesByName();
  TestPartitions();
  TestStorageInfo();
  TestLiveFileFields();
}
