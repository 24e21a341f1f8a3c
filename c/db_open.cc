// Opening, closing, listing, destroying and repairing databases.

#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"
#include "c/open_parts.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/db_ttl.h"
#include "rocksdb/utilities/options_util.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_t* OwnDB(std::unique_ptr<DB> db) {
  rocksdb_t* result = Own<rocksdb_t>();
  result->rep = db.get();
  result->owned = std::move(db);
  return result;
}

bool IsAnyNull(const rocksdb_options_t* options, const char* name,
               char** errptr) {
  return IsNull(options, "options", errptr) || IsNull(name, "name", errptr);
}

// `open` opens with descriptors and fills handles and database.
template <class Open>
rocksdb_t* OpenFamilies(const FamilyList& list, const Open& open,
                        char** errptr) {
  std::vector<ColumnFamilyDescriptor> descriptors;
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  Status s = Describe(list, &descriptors);
  if (s.ok()) s = open(descriptors, &handles, &db);
  if (Fails(s, errptr)) return nullptr;
  GiveHandles(handles, list);
  return OwnDB(std::move(db));
}

}  // namespace

extern "C" {

// Opens the database at `name` with its default family.
rocksdb_t* rocksdb_open(const rocksdb_options_t* options, const char* name,
                        char** errptr) {
  if (IsAnyNull(options, name, errptr)) return nullptr;
  std::unique_ptr<DB> db;
  Status s = DB::Open(options->rep, name, &db);
  if (Fails(s, errptr)) return nullptr;
  return OwnDB(std::move(db));
}

// Opens it with a list of families, of which all that exist must be named;
// handles[i] receives a handle of names[i].
rocksdb_t* rocksdb_open_column_families(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) {
  if (IsAnyNull(options, name, errptr)) return nullptr;
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  const auto open = [&](const auto& descriptors, auto* handles, auto* db) {
    return DB::Open(options->rep, name, descriptors, handles, db);
  };
  return OpenFamilies(list, open, errptr);
}

// Opens a database whose values go `ttl` seconds after they were written, when
// a compaction comes; 0 or less: never.
rocksdb_t* rocksdb_open_with_ttl(const rocksdb_options_t* options,
                                 const char* name, int ttl, char** errptr) {
  if (IsAnyNull(options, name, errptr)) return nullptr;
  DBWithTTL* db = nullptr;
  Status s = DBWithTTL::Open(options->rep, name, &db, ttl);
  if (Fails(s, errptr)) return nullptr;
  return OwnDB(std::unique_ptr<DB>(db));
}

// The same with a list of families, and a time for each.
rocksdb_t* rocksdb_open_column_families_with_ttl(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, const int* ttls,
    char** errptr) {
  if (IsAnyNull(options, name, errptr) || IsNull(ttls, "ttls", errptr)) {
    return nullptr;
  }
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  const auto open = [&](const auto& descriptors, auto* handles,
                        std::unique_ptr<DB>* db) {
    const std::vector<int32_t> times(ttls, ttls + descriptors.size());
    DBWithTTL* opened = nullptr;
    Status s = DBWithTTL::Open(options->rep, name, descriptors, handles,
                               &opened, times);
    db->reset(opened);
    return s;
  };
  return OpenFamilies(list, open, errptr);
}

// Opens without writing anything; writes to it fail.
rocksdb_t* rocksdb_open_for_read_only(const rocksdb_options_t* options,
                                      const char* name,
                                      unsigned char error_if_wal_file_exists,
                                      char** errptr) {
  if (IsAnyNull(options, name, errptr)) return nullptr;
  std::unique_ptr<DB> db;
  Status s = DB::OpenForReadOnly(options->rep, name, &db,
                                 error_if_wal_file_exists != 0);
  if (Fails(s, errptr)) return nullptr;
  return OwnDB(std::move(db));
}

rocksdb_t* rocksdb_open_for_read_only_column_families(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles,
    unsigned char error_if_wal_file_exists, char** errptr) {
  if (IsAnyNull(options, name, errptr)) return nullptr;
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  const auto open = [&](const auto& descriptors, auto* handles, auto* db) {
    return DB::OpenForReadOnly(options->rep, name, descriptors, handles, db,
                               error_if_wal_file_exists != 0);
  };
  return OpenFamilies(list, open, errptr);
}

// Leaves out for ever what has a newer timestamp than `trim_ts`, of families
// that have timestamps.
rocksdb_t* rocksdb_open_and_trim_history(
    const rocksdb_options_t* options, const char* name, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char* trim_ts,
    size_t trim_tslen, char** errptr) {
  if (IsAnyNull(options, name, errptr) || IsNull(trim_ts, "trim_ts", errptr)) {
    return nullptr;
  }
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  const auto open = [&](const auto& descriptors, auto* handles, auto* db) {
    return DB::OpenAndTrimHistory(options->rep, name, descriptors, handles, db,
                                  std::string(trim_ts, trim_tslen));
  };
  return OpenFamilies(list, open, errptr);
}

rocksdb_t* rocksdb_open_as_secondary(const rocksdb_options_t* options,
                                     const char* name,
                                     const char* secondary_path,
                                     char** errptr) {
  if (IsAnyNull(options, name, errptr) ||
      IsNull(secondary_path, "secondary_path", errptr)) {
    return nullptr;
  }
  std::unique_ptr<DB> db;
  Status s = DB::OpenAsSecondary(options->rep, name, secondary_path, &db);
  if (Fails(s, errptr)) return nullptr;
  return OwnDB(std::move(db));
}

rocksdb_t* rocksdb_open_as_secondary_column_families(
    const rocksdb_options_t* options, const char* name,
    const char* secondary_path, int num_column_families,
    const char* const* column_family_names,
    const rocksdb_options_t* const* column_family_options,
    rocksdb_column_family_handle_t** column_family_handles, char** errptr) {
  if (IsAnyNull(options, name, errptr) ||
      IsNull(secondary_path, "secondary_path", errptr)) {
    return nullptr;
  }
  const FamilyList list{num_column_families, column_family_names,
                        column_family_options, column_family_handles};
  const auto open = [&](const auto& descriptors, auto* handles, auto* db) {
    return DB::OpenAsSecondary(options->rep, name, secondary_path, descriptors,
                               handles, db);
  };
  return OpenFamilies(list, open, errptr);
}

// Closes the database. Its iterators, snapshots and handles go first.
void rocksdb_close(rocksdb_t* db) { End(db); }

// Removes every file of a closed database.
void rocksdb_destroy_db(const rocksdb_options_t* options, const char* name,
                        char** errptr) {
  if (IsAnyNull(options, name, errptr)) return;
  (void)Fails(DestroyDB(name, options->rep), errptr);
}

void rocksdb_repair_db(const rocksdb_options_t* options, const char* name,
                       char** errptr) {
  if (IsAnyNull(options, name, errptr)) return;
  Status s = RepairDB(name, options->rep);
  (void)Fails(s, errptr);
}

// The names of the families of the database at `name`: `*size` of them.
char** rocksdb_list_column_families(const rocksdb_options_t* options,
                                    const char* name, size_t* size,
                                    char** errptr) {
  if (size != nullptr) *size = 0;
  if (IsAnyNull(options, name, errptr) || IsNull(size, "size", errptr)) {
    return nullptr;
  }
  std::vector<std::string> names;
  const Status s = DB::ListColumnFamilies(options->rep, name, &names);
  if (Fails(s, errptr)) return nullptr;
  char** list = static_cast<char**>(calloc(names.size() + 1, sizeof(char*)));
  if (list == nullptr) abort();
  for (size_t i = 0; i < names.size(); ++i) list[i] = CopyText(names[i]);
  *size = names.size();
  return list;
}

void rocksdb_list_column_families_destroy(char** list, size_t size) {
  if (list == nullptr) return;
  for (size_t i = 0; i < size; ++i) free(list[i]);
  free(list);
}

// The options that the newest OPTIONS file of the database at `db_path` holds,
// with `cache` as the block cache where it is not NULL. Everything goes back to
// rocksdb_load_latest_options_destroy().
void rocksdb_load_latest_options(
    const char* db_path, rocksdb_env_t* env, bool ignore_unknown_options,
    rocksdb_cache_t* cache, rocksdb_options_t** db_options,
    size_t* num_column_families, char*** column_family_names,
    rocksdb_options_t*** column_family_options, char** errptr) {
  if (db_options != nullptr) *db_options = nullptr;
  if (num_column_families != nullptr) *num_column_families = 0;
  if (column_family_names != nullptr) *column_family_names = nullptr;
  if (column_family_options != nullptr) *column_family_options = nullptr;
  if (IsNull(db_path, "db_path", errptr) || IsNull(env, "env", errptr) ||
      IsNull(db_options, "db_options", errptr) ||
      IsNull(num_column_families, "num_column_families", errptr) ||
      IsNull(column_family_names, "column_family_names", errptr) ||
      IsNull(column_family_options, "column_family_options", errptr)) {
    return;
  }
  ConfigOptions config;
  config.env = env->rep;
  config.ignore_unknown_options = ignore_unknown_options;
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  std::shared_ptr<Cache> shared = cache == nullptr ? nullptr : cache->rep;
  const Status s = LoadLatestOptions(config, db_path, &loaded, &families,
                                     shared == nullptr ? nullptr : &shared);
  if (Fails(s, errptr)) return;
  const size_t count = families.size();
  *db_options = Own<rocksdb_options_t>();
  (*db_options)->rep = Options(loaded, ColumnFamilyOptions());
  *num_column_families = count;
  *column_family_names = static_cast<char**>(calloc(count, sizeof(char*)));
  *column_family_options = static_cast<rocksdb_options_t**>(
      calloc(count, sizeof(rocksdb_options_t*)));
  if (*column_family_names == nullptr || *column_family_options == nullptr) {
    abort();
  }
  for (size_t i = 0; i < count; ++i) {
    (*column_family_names)[i] = CopyText(families[i].name);
    (*column_family_options)[i] = Own<rocksdb_options_t>();
    (*column_family_options)[i]->rep =
        Options(DBOptions(), families[i].options);
  }
}

void rocksdb_load_latest_options_destroy(
    rocksdb_options_t* db_options, char** column_family_names,
    rocksdb_options_t** column_family_options, size_t num_column_families) {
  End(db_options);
  for (size_t i = 0; i < num_column_families; ++i) {
    if (column_family_names != nullptr) free(column_family_names[i]);
    if (column_family_options != nullptr) End(column_family_options[i]);
  }
  free(column_family_names);
  free(column_family_options);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
