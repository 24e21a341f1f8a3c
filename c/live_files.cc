// Lists of table files: those of a database, and those to be imported.

#include <string>
#include <vector>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

const LiveFileMetaData& FileAt(const rocksdb_livefiles_t* files, int index) {
  return files->rep[static_cast<size_t>(index)];
}

}  // namespace

extern "C" {

// The table files of all families.
const rocksdb_livefiles_t* rocksdb_livefiles(rocksdb_t* db) {
  auto* result = Own<rocksdb_livefiles_t>();
  db->rep->GetLiveFilesMetaData(&result->rep);
  return result;
}

rocksdb_livefiles_t* rocksdb_livefiles_create(void) {
  return Own<rocksdb_livefiles_t>();
}

void rocksdb_livefiles_destroy(const rocksdb_livefiles_t* files) { End(files); }

void rocksdb_livefiles_add(rocksdb_livefiles_t* files,
                           rocksdb_livefile_t* file) {
  files->rep.push_back(file->rep);
}

int rocksdb_livefiles_count(const rocksdb_livefiles_t* files) {
  return static_cast<int>(files->rep.size());
}

const char* rocksdb_livefiles_column_family_name(
    const rocksdb_livefiles_t* files, int index) {
  return FileAt(files, index).column_family_name.c_str();
}

const char* rocksdb_livefiles_name(const rocksdb_livefiles_t* files,
                                   int index) {
  return FileAt(files, index).name.c_str();
}

const char* rocksdb_livefiles_directory(const rocksdb_livefiles_t* files,
                                        int index) {
  return FileAt(files, index).directory.c_str();
}

int rocksdb_livefiles_level(const rocksdb_livefiles_t* files, int index) {
  return FileAt(files, index).level;
}

size_t rocksdb_livefiles_size(const rocksdb_livefiles_t* files, int index) {
  return FileAt(files, index).size;
}

const char* rocksdb_livefiles_smallestkey(const rocksdb_livefiles_t* files,
                                          int index, size_t* size) {
  return Lend(FileAt(files, index).smallestkey, size);
}

const char* rocksdb_livefiles_largestkey(const rocksdb_livefiles_t* files,
                                         int index, size_t* size) {
  return Lend(FileAt(files, index).largestkey, size);
}

uint64_t rocksdb_livefiles_smallest_seqno(const rocksdb_livefiles_t* files,
                                          int index) {
  return FileAt(files, index).smallest_seqno;
}

uint64_t rocksdb_livefiles_largest_seqno(const rocksdb_livefiles_t* files,
                                         int index) {
  return FileAt(files, index).largest_seqno;
}

uint64_t rocksdb_livefiles_entries(const rocksdb_livefiles_t* files,
                                   int index) {
  return FileAt(files, index).num_entries;
}

uint64_t rocksdb_livefiles_deletions(const rocksdb_livefiles_t* files,
                                     int index) {
  return FileAt(files, index).num_deletions;
}

rocksdb_livefile_t* rocksdb_livefile_create(void) {
  return Own<rocksdb_livefile_t>();
}

void rocksdb_livefile_destroy(rocksdb_livefile_t* file) { End(file); }

void rocksdb_livefile_set_column_family_name(rocksdb_livefile_t* file,
                                             const char* name) {
  file->rep.column_family_name = TextOf(name);
}

void rocksdb_livefile_set_level(rocksdb_livefile_t* file, int level) {
  file->rep.level = level;
}

void rocksdb_livefile_set_name(rocksdb_livefile_t* file, const char* name) {
  file->rep.name = TextOf(name);
  // A database gives both forms of the name: "/000007.sst", and the same
  // without the slash.
  const size_t at = file->rep.name.find_first_not_of('/');
  file->rep.relative_filename =
      at == std::string::npos ? "" : file->rep.name.substr(at);
}

void rocksdb_livefile_set_directory(rocksdb_livefile_t* file,
                                    const char* directory) {
  file->rep.directory = TextOf(directory);
  file->rep.db_path = file->rep.directory;
}

void rocksdb_livefile_set_size(rocksdb_livefile_t* file, size_t size) {
  file->rep.size = size;
}

void rocksdb_livefile_set_smallest_key(rocksdb_livefile_t* file,
                                       const char* key, size_t key_size) {
  file->rep.smallestkey = BytesOf(key, key_size).ToString();
}

void rocksdb_livefile_set_largest_key(rocksdb_livefile_t* file, const char* key,
                                      size_t key_size) {
  file->rep.largestkey = BytesOf(key, key_size).ToString();
}

void rocksdb_livefile_set_smallest_seqno(rocksdb_livefile_t* file,
                                         uint64_t seqno) {
  file->rep.smallest_seqno = seqno;
}

void rocksdb_livefile_set_largest_seqno(rocksdb_livefile_t* file,
                                        uint64_t seqno) {
  file->rep.largest_seqno = seqno;
}

void rocksdb_livefile_set_num_entries(rocksdb_livefile_t* file,
                                      uint64_t count) {
  file->rep.num_entries = count;
}

void rocksdb_livefile_set_num_deletions(rocksdb_livefile_t* file,
                                        uint64_t count) {
  file->rep.num_deletions = count;
}

rocksdb_export_import_files_metadata_t*
rocksdb_export_import_files_metadata_create(void) {
  return Own<rocksdb_export_import_files_metadata_t>();
}

void rocksdb_export_import_files_metadata_destroy(
    rocksdb_export_import_files_metadata_t* metadata) {
  End(metadata);
}

// A copy, for rocksdb_free().
char* rocksdb_export_import_files_metadata_get_db_comparator_name(
    rocksdb_export_import_files_metadata_t* metadata) {
  return CopyText(metadata->rep.db_comparator_name);
}

void rocksdb_export_import_files_metadata_set_db_comparator_name(
    rocksdb_export_import_files_metadata_t* metadata, const char* name) {
  metadata->rep.db_comparator_name = TextOf(name);
}

// A copy, for rocksdb_livefiles_destroy().
rocksdb_livefiles_t* rocksdb_export_import_files_metadata_get_files(
    rocksdb_export_import_files_metadata_t* metadata) {
  auto* files = Own<rocksdb_livefiles_t>();
  files->rep = metadata->rep.files;
  return files;
}

// Copies the list; the caller keeps it.
void rocksdb_export_import_files_metadata_set_files(
    rocksdb_export_import_files_metadata_t* metadata,
    rocksdb_livefiles_t* files) {
  metadata->rep.files = files->rep;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
