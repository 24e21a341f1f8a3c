// Column families of an open database.

#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/utilities/db_ttl.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_column_family_handle_t* OwnHandle(ColumnFamilyHandle* handle) {
  auto* result = Own<rocksdb_column_family_handle_t>();
  result->rep = handle;
  return result;
}

bool IsAnyNull(rocksdb_t* db, const rocksdb_options_t* options, char** errptr) {
  return IsNull(db, "db", errptr) || IsNull(options, "options", errptr);
}

}  // namespace

extern "C" {

rocksdb_column_family_handle_t* rocksdb_create_column_family(
    rocksdb_t* db, const rocksdb_options_t* options, const char* name,
    char** errptr) {
  if (IsAnyNull(db, options, errptr) || IsNull(name, "name", errptr)) {
    return nullptr;
  }
  ColumnFamilyHandle* handle = nullptr;
  const Status s = db->rep->CreateColumnFamily(options->rep, name, &handle);
  // The family may be there although the OPTIONS file could not be written.
  (void)Fails(s, errptr);
  return handle == nullptr ? nullptr : OwnHandle(handle);
}

// A new family of a database that was opened with a time to live.
rocksdb_column_family_handle_t* rocksdb_create_column_family_with_ttl(
    rocksdb_t* db, const rocksdb_options_t* options, const char* name, int ttl,
    char** errptr) {
  if (IsAnyNull(db, options, errptr) || IsNull(name, "name", errptr)) {
    return nullptr;
  }
  auto* with_ttl = dynamic_cast<DBWithTTL*>(db->rep);
  if (with_ttl == nullptr) {
    (void)Fails(Status::InvalidArgument("the database was opened without TTL"),
                errptr);
    return nullptr;
  }
  ColumnFamilyHandle* handle = nullptr;
  const Status s =
      with_ttl->CreateColumnFamilyWithTtl(options->rep, name, &handle, ttl);
  (void)Fails(s, errptr);
  return handle == nullptr ? nullptr : OwnHandle(handle);
}

// A new family with the tables of an export; options NULL: moves nothing.
rocksdb_column_family_handle_t* rocksdb_create_column_family_with_import(
    rocksdb_t* db, rocksdb_options_t* options, const char* name,
    rocksdb_import_column_family_options_t* import_options,
    rocksdb_export_import_files_metadata_t* metadata, char** errptr) {
  if (IsAnyNull(db, options, errptr) || IsNull(name, "name", errptr) ||
      IsNull(metadata, "metadata", errptr)) {
    return nullptr;
  }
  ColumnFamilyHandle* handle = nullptr;
  const Status s = db->rep->CreateColumnFamilyWithImport(
      options->rep, name,
      import_options != nullptr ? import_options->rep
                                : ImportColumnFamilyOptions(),
      metadata->rep, &handle);
  (void)Fails(s, errptr);
  return handle == nullptr ? nullptr : OwnHandle(handle);
}

// Creates several families; `*created` says how many there are in the result,
// also where an error ended it. The list goes back to
// rocksdb_create_column_families_destroy(), each handle to its own destructor.
rocksdb_column_family_handle_t** rocksdb_create_column_families(
    rocksdb_t* db, const rocksdb_options_t* options, int num_column_families,
    const char* const* names, size_t* created, char** errptr) {
  if (created != nullptr) *created = 0;
  if (IsAnyNull(db, options, errptr) || IsNull(names, "names", errptr) ||
      IsNull(created, "created", errptr)) {
    return nullptr;
  }
  std::vector<std::string> list;
  for (int i = 0; i < num_column_families; ++i) {
    if (IsNull(names[i], "names[i]", errptr)) return nullptr;
    list.emplace_back(names[i]);
  }
  std::vector<ColumnFamilyHandle*> handles;
  const Status s = db->rep->CreateColumnFamilies(options->rep, list, &handles);
  (void)Fails(s, errptr);
  auto** result = static_cast<rocksdb_column_family_handle_t**>(
      calloc(handles.size() + 1, sizeof(rocksdb_column_family_handle_t*)));
  if (result == nullptr) abort();
  for (size_t i = 0; i < handles.size(); ++i) result[i] = OwnHandle(handles[i]);
  *created = handles.size();
  return result;
}

void rocksdb_create_column_families_destroy(
    rocksdb_column_family_handle_t** list) {
  free(list);
}

// The family's data goes when its last handle and iterator go.
void rocksdb_drop_column_family(rocksdb_t* db,
                                rocksdb_column_family_handle_t* handle,
                                char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(handle, "handle", errptr)) return;
  (void)Fails(db->rep->DropColumnFamily(handle->rep), errptr);
}

// A new handle of the default family, to be destroyed like any other.
rocksdb_column_family_handle_t* rocksdb_get_default_column_family_handle(
    rocksdb_t* db) {
  rocksdb_column_family_handle_t* handle =
      OwnHandle(db->rep->DefaultColumnFamily());
  handle->is_owned = false;
  return handle;
}

void rocksdb_column_family_handle_destroy(
    rocksdb_column_family_handle_t* handle) {
  if (handle != nullptr && handle->is_owned) End(handle->rep);
  End(handle);
}

uint32_t rocksdb_column_family_handle_get_id(
    rocksdb_column_family_handle_t* handle) {
  return handle->rep->GetID();
}

// A copy of the name, for rocksdb_free().
char* rocksdb_column_family_handle_get_name(
    rocksdb_column_family_handle_t* handle, size_t* size) {
  const std::string& name = handle->rep->GetName();
  if (size != nullptr) *size = name.size();
  return CopyText(name);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
