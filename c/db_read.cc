// Looking up one key. A key that is not there is NULL and no error.

#include <string>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

bool IsAnyNull(const rocksdb_t* db, const rocksdb_readoptions_t* options,
               char** errptr) {
  return IsNull(db, "db", errptr) || IsNull(options, "options", errptr);
}

// One lookup; the database and the options are there.
struct Lookup {
  rocksdb_t* db;
  const rocksdb_readoptions_t* options;
  ColumnFamilyHandle* family;
  Slice key;

  // False if the key is not there, or on an error, which is told.
  bool Run(PinnableSlice* value, char** errptr) const {
    const Status s = db->rep->Get(options->rep, family, key, value);
    if (s.ok()) return true;
    if (!s.IsNotFound()) (void)Fails(s, errptr);
    return false;
  }

  char* Copy(size_t* size, char** errptr) const {
    PinnableSlice value;
    if (!Run(&value, errptr)) return nullptr;
    if (size != nullptr) *size = value.size();
    return CopyBytes(value);
  }

  template <class Handle>
  Handle* Pin(char** errptr) const {
    auto handle = std::make_unique<Handle>();
    return Run(&handle->rep, errptr) ? handle.release() : nullptr;
  }
};

// Where a value goes that the caller has room for.
struct Room {
  char* buffer;
  size_t buffer_size;
  size_t* value_size;
  unsigned char* found;
};

unsigned char CopyInto(const Lookup& lookup, const Room& room, char** errptr) {
  PinnableSlice value;
  if (!lookup.Run(&value, errptr)) return 0;
  if (room.found != nullptr) *room.found = 1;
  if (room.value_size != nullptr) *room.value_size = value.size();
  if (value.size() > room.buffer_size ||
      (room.buffer == nullptr && !value.empty())) {
    return 0;
  }
  if (!value.empty()) memcpy(room.buffer, value.data(), value.size());
  return 1;
}

void SetAbsent(const Room& room) {
  if (room.value_size != nullptr) *room.value_size = 0;
  if (room.found != nullptr) *room.found = 0;
}

// What a look at memory may tell.
struct Hint {
  char** value;
  size_t* value_size;
  unsigned char* value_found;
};

unsigned char MayExist(const Lookup& lookup, const Slice& timestamp,
                       const Hint& hint) {
  ReadOptions options = lookup.options->rep;
  if (!timestamp.empty()) options.timestamp = &timestamp;
  std::string text;
  bool found = false;
  const bool may = lookup.db->rep->KeyMayExist(options, lookup.family,
                                               lookup.key, &text, &found);
  // A caller who is not told of a copy would not give it back.
  found = found && hint.value_found != nullptr;
  if (hint.value_found != nullptr) *hint.value_found = found ? 1 : 0;
  if (hint.value != nullptr) *hint.value = found ? CopyBytes(text) : nullptr;
  if (hint.value_size != nullptr) *hint.value_size = found ? text.size() : 0;
  return may ? 1 : 0;
}

}  // namespace

extern "C" {

// A copy of the value, for rocksdb_free(); `*value_size` is its size.
char* rocksdb_get(rocksdb_t* db, const rocksdb_readoptions_t* options,
                  const char* key, size_t key_size, size_t* value_size,
                  char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsAnyNull(db, options, errptr)) return nullptr;
  return Lookup{db, options, db->rep->DefaultColumnFamily(),
                BytesOf(key, key_size)}
      .Copy(value_size, errptr);
}

char* rocksdb_get_cf(rocksdb_t* db, const rocksdb_readoptions_t* options,
                     rocksdb_column_family_handle_t* column_family,
                     const char* key, size_t key_size, size_t* value_size,
                     char** errptr) {
  if (value_size != nullptr) *value_size = 0;
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return nullptr;
  }
  return Lookup{db, options, column_family->rep, BytesOf(key, key_size)}.Copy(
      value_size, errptr);
}

// The value where it lies, without a copy; it goes before the database.
rocksdb_pinnableslice_t* rocksdb_get_pinned(
    rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return nullptr;
  return Lookup{db, options, db->rep->DefaultColumnFamily(),
                BytesOf(key, key_size)}
      .Pin<rocksdb_pinnableslice_t>(errptr);
}

rocksdb_pinnableslice_t* rocksdb_get_pinned_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return nullptr;
  }
  return Lookup{db, options, column_family->rep, BytesOf(key, key_size)}
      .Pin<rocksdb_pinnableslice_t>(errptr);
}

void rocksdb_pinnableslice_destroy(rocksdb_pinnableslice_t* value) {
  End(value);
}

const char* rocksdb_pinnableslice_value(const rocksdb_pinnableslice_t* value,
                                        size_t* value_size) {
  if (value != nullptr) return Lend(value->rep, value_size);
  if (value_size != nullptr) *value_size = 0;
  return nullptr;
}

rocksdb_pinnable_handle_t* rocksdb_get_pinned_v2(
    rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr)) return nullptr;
  return Lookup{db, options, db->rep->DefaultColumnFamily(),
                BytesOf(key, key_size)}
      .Pin<rocksdb_pinnable_handle_t>(errptr);
}

rocksdb_pinnable_handle_t* rocksdb_get_pinned_cf_v2(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** errptr) {
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return nullptr;
  }
  return Lookup{db, options, column_family->rep, BytesOf(key, key_size)}
      .Pin<rocksdb_pinnable_handle_t>(errptr);
}

void rocksdb_pinnable_handle_destroy(rocksdb_pinnable_handle_t* value) {
  End(value);
}

const char* rocksdb_pinnable_handle_get_value(
    const rocksdb_pinnable_handle_t* value, size_t* value_size) {
  if (value != nullptr) return Lend(value->rep, value_size);
  if (value_size != nullptr) *value_size = 0;
  return nullptr;
}

// Copies the value into `buffer` and answers 1. Answers 0 with *found = 0 if
// the key is not there, and with *found = 1 and the size needed if the buffer
// is too small.
unsigned char rocksdb_get_into_buffer(rocksdb_t* db,
                                      const rocksdb_readoptions_t* options,
                                      const char* key, size_t key_size,
                                      char* buffer, size_t buffer_size,
                                      size_t* value_size, unsigned char* found,
                                      char** errptr) {
  const Room room{buffer, buffer_size, value_size, found};
  SetAbsent(room);
  if (IsAnyNull(db, options, errptr)) return 0;
  const Lookup lookup{db, options, db->rep->DefaultColumnFamily(),
                      BytesOf(key, key_size)};
  return CopyInto(lookup, room, errptr);
}

unsigned char rocksdb_get_into_buffer_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char* buffer, size_t buffer_size, size_t* value_size,
    unsigned char* found, char** errptr) {
  const Room room{buffer, buffer_size, value_size, found};
  SetAbsent(room);
  if (IsAnyNull(db, options, errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return 0;
  }
  const Lookup lookup{db, options, column_family->rep, BytesOf(key, key_size)};
  return CopyInto(lookup, room, errptr);
}

// 0 only if the key is certainly not there. With *value_found, `*value` is a
// copy of the value for rocksdb_free(); without `value_found` there is none.
unsigned char rocksdb_key_may_exist(
    rocksdb_t* db, const rocksdb_readoptions_t* options, const char* key,
    size_t key_size, char** value, size_t* value_size, const char* timestamp,
    size_t timestamp_size, unsigned char* value_found) {
  const Lookup lookup{db, options, db->rep->DefaultColumnFamily(),
                      BytesOf(key, key_size)};
  return MayExist(lookup, BytesOf(timestamp, timestamp_size),
                  {value, value_size, value_found});
}

unsigned char rocksdb_key_may_exist_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, const char* key,
    size_t key_size, char** value, size_t* value_size, const char* timestamp,
    size_t timestamp_size, unsigned char* value_found) {
  const Lookup lookup{db, options, column_family->rep, BytesOf(key, key_size)};
  return MayExist(lookup, BytesOf(timestamp, timestamp_size),
                  {value, value_size, value_found});
}

// For every result of type `char*`, and for the texts in errptr.
void rocksdb_free(void* memory) { free(memory); }

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
