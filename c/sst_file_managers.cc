// Managers of the space and the deletion of table and blob files.

#include <memory>

#include "c/handles.h"
#include "rocksdb/env.h"
#include "rocksdb/sst_file_manager.h"

namespace ROCKSDB_NAMESPACE::c_api {

extern "C" {

// NULL as `env` is the default one.
rocksdb_sst_file_manager_t* rocksdb_sst_file_manager_create(
    rocksdb_env_t* env) {
  auto* result = Own<rocksdb_sst_file_manager_t>();
  result->rep.reset(
      NewSstFileManager(env != nullptr ? env->rep : Env::Default()));
  return result;
}

void rocksdb_sst_file_manager_destroy(rocksdb_sst_file_manager_t* manager) {
  End(manager);
}

void rocksdb_sst_file_manager_set_max_allowed_space_usage(
    rocksdb_sst_file_manager_t* manager, uint64_t max_allowed_space) {
  manager->rep->SetMaxAllowedSpaceUsage(max_allowed_space);
}

void rocksdb_sst_file_manager_set_compaction_buffer_size(
    rocksdb_sst_file_manager_t* manager, uint64_t compaction_buffer_size) {
  manager->rep->SetCompactionBufferSize(compaction_buffer_size);
}

bool rocksdb_sst_file_manager_is_max_allowed_space_reached(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->IsMaxAllowedSpaceReached();
}

bool rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->IsMaxAllowedSpaceReachedIncludingCompactions();
}

uint64_t rocksdb_sst_file_manager_get_total_size(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetTotalSize();
}

int64_t rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetDeleteRateBytesPerSecond();
}

void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(
    rocksdb_sst_file_manager_t* manager, int64_t delete_rate) {
  manager->rep->SetDeleteRateBytesPerSecond(delete_rate);
}

double rocksdb_sst_file_manager_get_max_trash_db_ratio(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetMaxTrashDBRatio();
}

void rocksdb_sst_file_manager_set_max_trash_db_ratio(
    rocksdb_sst_file_manager_t* manager, double ratio) {
  manager->rep->SetMaxTrashDBRatio(ratio);
}

uint64_t rocksdb_sst_file_manager_get_total_trash_size(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetTotalTrashSize();
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
