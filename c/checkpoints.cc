// Copies of a database, or of one family, that share its table files.

#include <memory>
#include <utility>

#include "c/handles.h"
#include "rocksdb/metadata.h"
#include "rocksdb/utilities/checkpoint.h"

namespace ROCKSDB_NAMESPACE::c_api {

extern "C" {

// The database must outlive it.
rocksdb_checkpoint_t* rocksdb_checkpoint_object_create(rocksdb_t* db,
                                                       char** errptr) {
  if (IsNull(db, "db", errptr)) return nullptr;
  Checkpoint* checkpoint = nullptr;
  if (Fails(Checkpoint::Create(db->rep, &checkpoint), errptr)) return nullptr;
  auto* result = Own<rocksdb_checkpoint_t>();
  result->rep.reset(checkpoint);
  return result;
}

void rocksdb_checkpoint_object_destroy(rocksdb_checkpoint_t* checkpoint) {
  End(checkpoint);
}

// Logs of fewer than `log_size_for_flush` bytes are copied; memtables of others
// are flushed (0: always). Those of a transaction database always are.
void rocksdb_checkpoint_create(rocksdb_checkpoint_t* checkpoint,
                               const char* checkpoint_dir,
                               uint64_t log_size_for_flush, char** errptr) {
  if (IsNull(checkpoint, "checkpoint", errptr) ||
      IsNull(checkpoint_dir, "checkpoint_dir", errptr)) {
    return;
  }
  const Status s =
      checkpoint->rep->CreateCheckpoint(checkpoint_dir, log_size_for_flush);
  (void)Fails(s, errptr);
}

// What rocksdb_create_column_family_with_import() takes, for
// rocksdb_export_import_files_metadata_destroy(). NULL: `*errptr` says why.
rocksdb_export_import_files_metadata_t* rocksdb_checkpoint_export_column_family(
    rocksdb_checkpoint_t* checkpoint, rocksdb_column_family_handle_t* handle,
    const char* export_dir, char** errptr) {
  if (IsNull(checkpoint, "checkpoint", errptr) ||
      IsNull(handle, "handle", errptr) ||
      IsNull(export_dir, "export_dir", errptr)) {
    return nullptr;
  }
  ExportImportFilesMetaData* exported = nullptr;
  const Status s =
      checkpoint->rep->ExportColumnFamily(handle->rep, export_dir, &exported);
  if (Fails(s, errptr)) return nullptr;
  const std::unique_ptr<ExportImportFilesMetaData> owned(exported);
  auto* result = Own<rocksdb_export_import_files_metadata_t>();
  result->rep = std::move(*owned);
  return result;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
