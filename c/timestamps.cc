// Reading values with their user-defined timestamps, and how far back history
// goes. Reads need rocksdb_readoptions_set_timestamp().

#include <string>
#include <vector>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// Where a value and its timestamp go, as copies for rocksdb_free().
struct Found {
  size_t* value_size;
  char** ts;
  size_t* ts_size;
};

struct Wanted {
  ColumnFamilyHandle* family;
  Slice key;
};

char* GetWithTimestamp(rocksdb_t* db, const rocksdb_readoptions_t* options,
                       const Wanted& wanted, const Found& found,
                       char** errptr) {
  std::string timestamp;
  PinnableSlice value;
  const Status s =
      db->rep->Get(options->rep, wanted.family, wanted.key, &value, &timestamp);
  if (!s.ok()) {
    if (!s.IsNotFound()) (void)Fails(s, errptr);
    return nullptr;
  }
  if (found.value_size != nullptr) *found.value_size = value.size();
  if (found.ts != nullptr) *found.ts = CopyBytes(timestamp);
  if (found.ts_size != nullptr) *found.ts_size = timestamp.size();
  return CopyBytes(value);
}

void SetAbsent(const Found& found) {
  if (found.value_size != nullptr) *found.value_size = 0;
  if (found.ts != nullptr) *found.ts = nullptr;
  if (found.ts_size != nullptr) *found.ts_size = 0;
}

// What a lookup of many keys fills in, key by key.
struct ManyFound {
  char** values;
  size_t* value_sizes;
  char** ts;
  size_t* ts_sizes;
  char** errors;
};

void FailAll(size_t count, const ManyFound& found) {
  const Status s = Status::InvalidArgument("a required handle is NULL");
  for (size_t i = 0; i < count; ++i) {
    found.values[i] = found.ts[i] = found.errors[i] = nullptr;
    found.value_sizes[i] = found.ts_sizes[i] = 0;
    (void)Fails(s, &found.errors[i]);
  }
}

void MultiGetWithTimestamps(DB* db, const ReadOptions& options,
                            std::vector<ColumnFamilyHandle*>* families,
                            const std::vector<Slice>& keys,
                            const ManyFound& found) {
  const size_t count = keys.size();
  std::vector<PinnableSlice> values(count);
  std::vector<std::string> timestamps(count);
  std::vector<Status> statuses(count);
  db->MultiGet(options, count, families->data(), keys.data(), values.data(),
               timestamps.data(), statuses.data());
  for (size_t i = 0; i < count; ++i) {
    const bool is_there = statuses[i].ok();
    found.errors[i] = nullptr;
    found.values[i] = is_there ? CopyBytes(values[i]) : nullptr;
    found.value_sizes[i] = is_there ? values[i].size() : 0;
    found.ts[i] = is_there ? CopyBytes(timestamps[i]) : nullptr;
    found.ts_sizes[i] = is_there ? timestamps[i].size() : 0;
    if (!statuses[i].IsNotFound()) {
      (void)Fails(statuses[i], &found.errors[i]);
    }
  }
}

}  // namespace

extern "C" {

// A copy of the value and of its timestamp, both for rocksdb_free(); NULL if
// the key is not there as of the timestamp in the options.
char* rocksdb_get_with_ts(rocksdb_t* db, const rocksdb_readoptions_t* options,
                          const char* key, size_t key_size, size_t* value_size,
                          char** ts, size_t* ts_size, char** errptr) {
  const Found found{value_size, ts, ts_size};
  SetAbsent(found);
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) {
    return nullptr;
  }
  return GetWithTimestamp(
      db, options, {db->rep->DefaultColumnFamily(), BytesOf(key, key_size)},
      found, errptr);
}

char* rocksdb_get_cf_with_ts(rocksdb_t* db,
                             const rocksdb_readoptions_t* options,
                             rocksdb_column_family_handle_t* column_family,
                             const char* key, size_t key_size,
                             size_t* value_size, char** ts, size_t* ts_size,
                             char** errptr) {
  const Found found{value_size, ts, ts_size};
  SetAbsent(found);
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return nullptr;
  }
  return GetWithTimestamp(
      db, options, {column_family->rep, BytesOf(key, key_size)}, found, errptr);
}

// For each key: copies of its value and timestamp for rocksdb_free(), their
// sizes, and the text of an error; NULL where there is none.
void rocksdb_multi_get_with_ts(rocksdb_t* db,
                               const rocksdb_readoptions_t* options,
                               size_t num_keys, const char* const* keys,
                               const size_t* key_sizes, char** values,
                               size_t* value_sizes, char** ts, size_t* ts_sizes,
                               char** errors) {
  const ManyFound found{values, value_sizes, ts, ts_sizes, errors};
  if (db == nullptr || options == nullptr) return FailAll(num_keys, found);
  std::vector<ColumnFamilyHandle*> families(num_keys,
                                            db->rep->DefaultColumnFamily());
  MultiGetWithTimestamps(db->rep, options->rep, &families,
                         KeysOf(num_keys, keys, key_sizes), found);
}

// The same, where column_families[i] is the family of keys[i].
void rocksdb_multi_get_cf_with_ts(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys, const size_t* key_sizes,
    char** values, size_t* value_sizes, char** ts, size_t* ts_sizes,
    char** errors) {
  const ManyFound found{values, value_sizes, ts, ts_sizes, errors};
  std::vector<ColumnFamilyHandle*> families;
  bool is_any_null =
      db == nullptr || options == nullptr || column_families == nullptr;
  for (size_t i = 0; i < num_keys && !is_any_null; ++i) {
    is_any_null = column_families[i] == nullptr;
    if (!is_any_null) families.push_back(column_families[i]->rep);
  }
  if (is_any_null) return FailAll(num_keys, found);
  MultiGetWithTimestamps(db->rep, options->rep, &families,
                         KeysOf(num_keys, keys, key_sizes), found);
}

// From now on, versions that a newer one hides from all who read as of `ts_low`
// or later may go. It cannot go back.
void rocksdb_increase_full_history_ts_low(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* ts_low, size_t ts_low_size, char** errptr) {
  if (IsNull(db, "db", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(db->rep->IncreaseFullHistoryTsLow(
                  column_family->rep, BytesOf(ts_low, ts_low_size).ToString()),
              errptr);
}

// A copy for rocksdb_free(); of size 0 if all versions are kept.
char* rocksdb_get_full_history_ts_low(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    size_t* ts_low_size, char** errptr) {
  if (ts_low_size != nullptr) *ts_low_size = 0;
  if (IsNull(db, "db", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return nullptr;
  }
  std::string ts_low;
  if (Fails(db->rep->GetFullHistoryTsLow(column_family->rep, &ts_low),
            errptr)) {
    return nullptr;
  }
  if (ts_low_size != nullptr) *ts_low_size = ts_low.size();
  return CopyBytes(ts_low);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
