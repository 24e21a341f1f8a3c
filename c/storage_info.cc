// The files that make up a database, as a copy of it needs them.

#include <vector>

#include "c/handles.h"
#include "rocksdb/metadata.h"

struct rocksdb_livefiles_storage_info_t {
  std::vector<ROCKSDB_NAMESPACE::LiveFileStorageInfo> files;
};

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

const LiveFileStorageInfo& FileAt(const rocksdb_livefiles_storage_info_t* info,
                                  size_t index) {
  static const LiveFileStorageInfo kNone{};
  return index < info->files.size() ? info->files[index] : kNone;
}

}  // namespace

extern "C" {

// Memtables are flushed as the options say. Deletions of files should be
// disabled before. An index behind the last file is answered as an empty one.
rocksdb_livefiles_storage_info_t* rocksdb_get_livefiles_storage_info(
    rocksdb_t* db, const rocksdb_livefiles_storage_info_options_t* options,
    char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) {
    return nullptr;
  }
  auto result = std::make_unique<rocksdb_livefiles_storage_info_t>();
  const Status s =
      db->rep->GetLiveFilesStorageInfo(options->rep, &result->files);
  return Fails(s, errptr) ? nullptr : result.release();
}

void rocksdb_livefiles_storage_info_destroy(
    rocksdb_livefiles_storage_info_t* info) {
  End(info);
}

size_t rocksdb_livefiles_storage_info_count(
    const rocksdb_livefiles_storage_info_t* info) {
  return info->files.size();
}

const char* rocksdb_livefiles_storage_info_relative_filename(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).relative_filename.c_str();
}

const char* rocksdb_livefiles_storage_info_directory(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).directory.c_str();
}

uint64_t rocksdb_livefiles_storage_info_file_number(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).file_number;
}

// The number of the kind, as FileType in rocksdb/types.h.
int rocksdb_livefiles_storage_info_file_type(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return static_cast<int>(FileAt(info, index).file_type);
}

// Bytes; how many of them to copy where it is trimmed.
uint64_t rocksdb_livefiles_storage_info_size(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).size;
}

int rocksdb_livefiles_storage_info_temperature(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return static_cast<int>(FileAt(info, index).temperature);
}

// The bytes of the checksum, which may hold zeros for a function of the
// caller's; empty if it is not known.
const char* rocksdb_livefiles_storage_info_file_checksum(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).file_checksum.c_str();
}

const char* rocksdb_livefiles_storage_info_file_checksum_func_name(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).file_checksum_func_name.c_str();
}

// What the file is to hold, instead of what it holds; empty for most.
const char* rocksdb_livefiles_storage_info_replacement_contents(
    const rocksdb_livefiles_storage_info_t* info, size_t index, size_t* size) {
  return Lend(FileAt(info, index).replacement_contents, size);
}

// Whether the file may have grown beyond the size.
unsigned char rocksdb_livefiles_storage_info_trim_to_size(
    const rocksdb_livefiles_storage_info_t* info, size_t index) {
  return FileAt(info, index).trim_to_size ? 1 : 0;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
