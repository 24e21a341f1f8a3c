// What a database tells of itself: properties, sizes, metadata, live files.

#include <string>
#include <vector>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

char* PropertyOf(DB* db, ColumnFamilyHandle* family, const char* name) {
  std::string value;
  return db->GetProperty(family, TextOf(name), &value) ? CopyText(value)
                                                       : nullptr;
}

int IntPropertyOf(DB* db, ColumnFamilyHandle* family, const char* name,
                  uint64_t* value) {
  return db->GetIntProperty(family, TextOf(name), value) ? 0 : -1;
}

// The ranges of a call, and where their sizes go.
struct Ranges {
  int count;
  const char* const* starts;
  const size_t* start_sizes;
  const char* const* limits;
  const size_t* limit_sizes;
  uint64_t* sizes;
};

void Approximate(DB* db, ColumnFamilyHandle* family,
                 const SizeApproximationOptions& options, const Ranges& ranges,
                 char** errptr) {
  std::vector<Range> list;
  for (int i = 0; i < ranges.count; ++i) {
    list.emplace_back(BytesOf(ranges.starts[i], ranges.start_sizes[i]),
                      BytesOf(ranges.limits[i], ranges.limit_sizes[i]));
  }
  (void)Fails(db->GetApproximateSizes(options, family, list.data(),
                                      ranges.count, ranges.sizes),
              errptr);
}

rocksdb_column_family_metadata_t* MetadataOf(
    DB* db, ColumnFamilyHandle* family,
    const rocksdb_column_family_metadata_options_t* options) {
  auto* result = Own<rocksdb_column_family_metadata_t>();
  if (options == nullptr) {
    db->GetColumnFamilyMetaData(family, &result->rep);
    return result;
  }
  const OptSlice start =
      options->has_start_key ? OptSlice(options->start_key) : OptSlice();
  const OptSlice end =
      options->has_end_key ? OptSlice(options->end_key) : OptSlice();
  db->GetColumnFamilyMetaData(family, {start, end, options->level},
                              &result->rep);
  return result;
}

}  // namespace

extern "C" {

// A copy of the property for rocksdb_free(); NULL if there is no such.
char* rocksdb_property_value(rocksdb_t* db, const char* name) {
  return PropertyOf(db->rep, db->rep->DefaultColumnFamily(), name);
}

char* rocksdb_property_value_cf(rocksdb_t* db,
                                rocksdb_column_family_handle_t* column_family,
                                const char* name) {
  return PropertyOf(db->rep, column_family->rep, name);
}

// 0, or -1 if there is no such number.
int rocksdb_property_int(rocksdb_t* db, const char* name, uint64_t* value) {
  return IntPropertyOf(db->rep, db->rep->DefaultColumnFamily(), name, value);
}

int rocksdb_property_int_cf(rocksdb_t* db,
                            rocksdb_column_family_handle_t* column_family,
                            const char* name, uint64_t* value) {
  return IntPropertyOf(db->rep, column_family->rep, name, value);
}

uint64_t rocksdb_get_latest_sequence_number(rocksdb_t* db) {
  return db->rep->GetLatestSequenceNumber();
}

// A copy for rocksdb_free(); NULL if it cannot be read.
char* rocksdb_get_db_identity(rocksdb_t* db, size_t* size) {
  std::string identity;
  if (size != nullptr) *size = 0;
  if (!db->rep->GetDbIdentity(identity).ok()) return nullptr;
  if (size != nullptr) *size = identity.size();
  return CopyText(identity);
}

// Estimates of the bytes on disk of each range [start, limit).
void rocksdb_approximate_sizes(rocksdb_t* db, int num_ranges,
                               const char* const* start_keys,
                               const size_t* start_key_sizes,
                               const char* const* limit_keys,
                               const size_t* limit_key_sizes, uint64_t* sizes,
                               char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  Approximate(db->rep, db->rep->DefaultColumnFamily(),
              SizeApproximationOptions(),
              {num_ranges, start_keys, start_key_sizes, limit_keys,
               limit_key_sizes, sizes},
              errptr);
}

void rocksdb_approximate_sizes_cf(rocksdb_t* db,
                                  rocksdb_column_family_handle_t* column_family,
                                  int num_ranges, const char* const* start_keys,
                                  const size_t* start_key_sizes,
                                  const char* const* limit_keys,
                                  const size_t* limit_key_sizes,
                                  uint64_t* sizes, char** errptr) {
  if (IsNull(db, "db", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  Approximate(db->rep, column_family->rep, SizeApproximationOptions(),
              {num_ranges, start_keys, start_key_sizes, limit_keys,
               limit_key_sizes, sizes},
              errptr);
}

// `flags` joins rocksdb_size_approximation_flags_*.
void rocksdb_approximate_sizes_cf_with_flags(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    int num_ranges, const char* const* start_keys,
    const size_t* start_key_sizes, const char* const* limit_keys,
    const size_t* limit_key_sizes, uint8_t flags, uint64_t* sizes,
    char** errptr) {
  if (IsNull(db, "db", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  SizeApproximationOptions options;
  options.include_memtables =
      (flags & rocksdb_size_approximation_flags_include_memtable) != 0;
  options.include_files =
      (flags & rocksdb_size_approximation_flags_include_files) != 0;
  options.include_blob_files =
      (flags & rocksdb_size_approximation_flags_include_blob_files) != 0;
  Approximate(db->rep, column_family->rep, options,
              {num_ranges, start_keys, start_key_sizes, limit_keys,
               limit_key_sizes, sizes},
              errptr);
}

void rocksdb_approximate_sizes_with_options(
    rocksdb_t* db, const rocksdb_size_approximation_options_t* options,
    int num_ranges, const char* const* start_keys,
    const size_t* start_key_sizes, const char* const* limit_keys,
    const size_t* limit_key_sizes, uint64_t* sizes, char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) return;
  Approximate(db->rep, db->rep->DefaultColumnFamily(), options->rep,
              {num_ranges, start_keys, start_key_sizes, limit_keys,
               limit_key_sizes, sizes},
              errptr);
}

void rocksdb_approximate_sizes_cf_with_options(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const rocksdb_size_approximation_options_t* options, int num_ranges,
    const char* const* start_keys, const size_t* start_key_sizes,
    const char* const* limit_keys, const size_t* limit_key_sizes,
    uint64_t* sizes, char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  Approximate(db->rep, column_family->rep, options->rep,
              {num_ranges, start_keys, start_key_sizes, limit_keys,
               limit_key_sizes, sizes},
              errptr);
}

// A family's levels and files. Levels and files of it are parts: they stay as
// long as it does, and their destructors do nothing.
rocksdb_column_family_metadata_t* rocksdb_get_column_family_metadata(
    rocksdb_t* db) {
  return MetadataOf(db->rep, db->rep->DefaultColumnFamily(), nullptr);
}

rocksdb_column_family_metadata_t* rocksdb_get_column_family_metadata_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family) {
  return MetadataOf(db->rep, column_family->rep, nullptr);
}

rocksdb_column_family_metadata_t*
rocksdb_get_column_family_metadata_with_options(
    rocksdb_t* db, const rocksdb_column_family_metadata_options_t* options) {
  return MetadataOf(db->rep, db->rep->DefaultColumnFamily(), options);
}

rocksdb_column_family_metadata_t*
rocksdb_get_column_family_metadata_cf_with_options(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const rocksdb_column_family_metadata_options_t* options) {
  return MetadataOf(db->rep, column_family->rep, options);
}

void rocksdb_column_family_metadata_destroy(
    rocksdb_column_family_metadata_t* metadata) {
  End(metadata);
}

uint64_t rocksdb_column_family_metadata_get_size(
    rocksdb_column_family_metadata_t* metadata) {
  return metadata->rep.size;
}

size_t rocksdb_column_family_metadata_get_file_count(
    rocksdb_column_family_metadata_t* metadata) {
  return metadata->rep.file_count;
}

// A copy, as all names and keys of metadata, for rocksdb_free().
char* rocksdb_column_family_metadata_get_name(
    rocksdb_column_family_metadata_t* metadata) {
  return CopyText(metadata->rep.name);
}

size_t rocksdb_column_family_metadata_get_level_count(
    rocksdb_column_family_metadata_t* metadata) {
  return metadata->rep.levels.size();
}

// NULL if there is no such level.
rocksdb_level_metadata_t* rocksdb_column_family_metadata_get_level_metadata(
    rocksdb_column_family_metadata_t* metadata, size_t index) {
  if (index >= metadata->rep.levels.size()) return nullptr;
  return reinterpret_cast<rocksdb_level_metadata_t*>(
      &metadata->rep.levels[index]);
}

void rocksdb_level_metadata_destroy(rocksdb_level_metadata_t* /*level*/) {}

int rocksdb_level_metadata_get_level(rocksdb_level_metadata_t* level) {
  return Rep(level).level;
}

uint64_t rocksdb_level_metadata_get_size(rocksdb_level_metadata_t* level) {
  return Rep(level).size;
}

size_t rocksdb_level_metadata_get_file_count(rocksdb_level_metadata_t* level) {
  return Rep(level).files.size();
}

// NULL if there is no such file.
rocksdb_sst_file_metadata_t* rocksdb_level_metadata_get_sst_file_metadata(
    rocksdb_level_metadata_t* level, size_t index) {
  const std::vector<SstFileMetaData>& files = Rep(level).files;
  if (index >= files.size()) return nullptr;
  return const_cast<rocksdb_sst_file_metadata_t*>(
      AsHandle<rocksdb_sst_file_metadata_t>(&files[index]));
}

void rocksdb_sst_file_metadata_destroy(rocksdb_sst_file_metadata_t* /*file*/) {}

char* rocksdb_sst_file_metadata_get_relative_filename(
    rocksdb_sst_file_metadata_t* file) {
  return CopyText(Rep(file).relative_filename);
}

char* rocksdb_sst_file_metadata_get_directory(
    rocksdb_sst_file_metadata_t* file) {
  return CopyText(Rep(file).directory);
}

uint64_t rocksdb_sst_file_metadata_get_size(rocksdb_sst_file_metadata_t* file) {
  return Rep(file).size;
}

char* rocksdb_sst_file_metadata_get_smallestkey(
    rocksdb_sst_file_metadata_t* file, size_t* size) {
  const std::string& key = Rep(file).smallestkey;
  if (size != nullptr) *size = key.size();
  return CopyBytes(key);
}

char* rocksdb_sst_file_metadata_get_largestkey(
    rocksdb_sst_file_metadata_t* file, size_t* size) {
  const std::string& key = Rep(file).largestkey;
  if (size != nullptr) *size = key.size();
  return CopyBytes(key);
}

rocksdb_column_family_metadata_options_t*
rocksdb_column_family_metadata_options_create(void) {
  return Own<rocksdb_column_family_metadata_options_t>();
}

void rocksdb_column_family_metadata_options_destroy(
    rocksdb_column_family_metadata_options_t* options) {
  End(options);
}

// Only files of this level; -1 is all levels.
void rocksdb_column_family_metadata_options_set_level(
    rocksdb_column_family_metadata_options_t* options, int level) {
  options->level = level;
}

int rocksdb_column_family_metadata_options_get_level(
    rocksdb_column_family_metadata_options_t* options) {
  return options->level;
}

// Only files that reach into the range; NULL is an open end.
void rocksdb_column_family_metadata_options_set_start_key(
    rocksdb_column_family_metadata_options_t* options, const char* key,
    size_t key_size) {
  options->has_start_key = key != nullptr;
  options->start_key = BytesOf(key, key_size).ToString();
}

void rocksdb_column_family_metadata_options_set_end_key(
    rocksdb_column_family_metadata_options_t* options, const char* key,
    size_t key_size) {
  options->has_end_key = key != nullptr;
  options->end_key = BytesOf(key, key_size).ToString();
}

const char* rocksdb_column_family_metadata_options_get_start_key(
    const rocksdb_column_family_metadata_options_t* options, size_t* size) {
  const char* key = Lend(options->start_key, size);
  return options->has_start_key ? key : nullptr;
}

const char* rocksdb_column_family_metadata_options_get_end_key(
    const rocksdb_column_family_metadata_options_t* options, size_t* size) {
  const char* key = Lend(options->end_key, size);
  return options->has_end_key ? key : nullptr;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
