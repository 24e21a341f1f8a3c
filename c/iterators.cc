// Cursors and snapshots.
//
// An iterator goes before its database, and the read options that it was made
// with, their bounds among them, stay as they are until then.

#include <vector>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_iterator_t* OwnIterator(Iterator* iterator) {
  auto* result = Own<rocksdb_iterator_t>();
  result->rep.reset(iterator);
  return result;
}

rocksdb_slice_t SliceOf(const Slice& bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace

extern "C" {

rocksdb_iterator_t* rocksdb_create_iterator(
    rocksdb_t* db, const rocksdb_readoptions_t* options) {
  return OwnIterator(db->rep->NewIterator(options->rep));
}

rocksdb_iterator_t* rocksdb_create_iterator_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family) {
  return OwnIterator(db->rep->NewIterator(options->rep, column_family->rep));
}

// Iterators over `size` families at one point in time.
void rocksdb_create_iterators(rocksdb_t* db, rocksdb_readoptions_t* options,
                              rocksdb_column_family_handle_t** column_families,
                              rocksdb_iterator_t** iterators, size_t size,
                              char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_families, "column_families", errptr) ||
      IsNull(iterators, "iterators", errptr)) {
    return;
  }
  std::vector<ColumnFamilyHandle*> families;
  for (size_t i = 0; i < size; ++i) {
    if (IsNull(column_families[i], "column_families[i]", errptr)) return;
    families.push_back(column_families[i]->rep);
  }
  std::vector<Iterator*> made;
  if (Fails(db->rep->NewIterators(options->rep, families, &made), errptr)) {
    return;
  }
  for (size_t i = 0; i < made.size(); ++i) iterators[i] = OwnIterator(made[i]);
}

void rocksdb_iter_destroy(rocksdb_iterator_t* iterator) { End(iterator); }

// False at the end and after an error, which rocksdb_iter_get_error() tells.
unsigned char rocksdb_iter_valid(const rocksdb_iterator_t* iterator) {
  return iterator->rep->Valid() ? 1 : 0;
}

void rocksdb_iter_seek_to_first(rocksdb_iterator_t* iterator) {
  iterator->rep->SeekToFirst();
}

void rocksdb_iter_seek_to_last(rocksdb_iterator_t* iterator) {
  iterator->rep->SeekToLast();
}

// To the first key at or after `key`.
void rocksdb_iter_seek(rocksdb_iterator_t* iterator, const char* key,
                       size_t key_size) {
  iterator->rep->Seek(BytesOf(key, key_size));
}

// To the last key at or before `key`.
void rocksdb_iter_seek_for_prev(rocksdb_iterator_t* iterator, const char* key,
                                size_t key_size) {
  iterator->rep->SeekForPrev(BytesOf(key, key_size));
}

void rocksdb_iter_next(rocksdb_iterator_t* iterator) { iterator->rep->Next(); }

void rocksdb_iter_prev(rocksdb_iterator_t* iterator) { iterator->rep->Prev(); }

// Key and value stay until the iterator moves.
const char* rocksdb_iter_key(const rocksdb_iterator_t* iterator,
                             size_t* key_size) {
  return Lend(iterator->rep->key(), key_size);
}

const char* rocksdb_iter_value(const rocksdb_iterator_t* iterator,
                               size_t* value_size) {
  return Lend(iterator->rep->value(), value_size);
}

const char* rocksdb_iter_timestamp(const rocksdb_iterator_t* iterator,
                                   size_t* timestamp_size) {
  return Lend(iterator->rep->timestamp(), timestamp_size);
}

rocksdb_slice_t rocksdb_iter_key_slice(const rocksdb_iterator_t* iterator) {
  return SliceOf(iterator->rep->key());
}

rocksdb_slice_t rocksdb_iter_value_slice(const rocksdb_iterator_t* iterator) {
  return SliceOf(iterator->rep->value());
}

rocksdb_slice_t rocksdb_iter_timestamp_slice(
    const rocksdb_iterator_t* iterator) {
  return SliceOf(iterator->rep->timestamp());
}

void rocksdb_iter_get_error(const rocksdb_iterator_t* iterator, char** errptr) {
  if (IsNull(iterator, "iterator", errptr)) return;
  (void)Fails(iterator->rep->status(), errptr);
}

// Moves the iterator to the present state of the database; seek next.
void rocksdb_iter_refresh(const rocksdb_iterator_t* iterator, char** errptr) {
  if (IsNull(iterator, "iterator", errptr)) return;
  (void)Fails(iterator->rep->Refresh(), errptr);
}

// Fixes the present state for reads until released.
const rocksdb_snapshot_t* rocksdb_create_snapshot(rocksdb_t* db) {
  auto* result = Own<rocksdb_snapshot_t>();
  result->rep = db->rep->GetSnapshot();
  return result;
}

void rocksdb_release_snapshot(rocksdb_t* db,
                              const rocksdb_snapshot_t* snapshot) {
  if (snapshot == nullptr) return;
  db->rep->ReleaseSnapshot(snapshot->rep);
  End(snapshot);
}

// 0 for that of a transaction that has none.
uint64_t rocksdb_snapshot_get_sequence_number(
    const rocksdb_snapshot_t* snapshot) {
  return snapshot->rep == nullptr ? 0 : snapshot->rep->GetSequenceNumber();
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
