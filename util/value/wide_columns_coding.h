#pragma once

// The stored form of an entity.
//
// Version 1, all columns inline:
//
//   varint32 1, varint32 column count
//   for each column: length-prefixed name, varint32 value size
//   the values, in the same order
//
// Version 2, columns may refer to blobs:
//
//   varint32 2, varint32 column count
//   varint32 bytes of name sizes, of value sizes, of names
//   one type byte for each column
//   name sizes, value sizes (varint32 each), names, values
//
// Names ascend strictly; the default column has the empty name.
//
// Errors  Decoding answers Corruption for anything that does not add up.

#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

// Appends version 1. Corruption if names do not ascend strictly,
// InvalidArgument if a size passes 32 bits; `*output` is then unspecified.
Status EncodeWideColumns(const WideColumns& columns, std::string* output);

// The columns point into `input`. NotSupported if one refers to a blob.
Status DecodeWideColumns(const Slice& input, WideColumns* columns);

// Does a column of it refer to a blob? False if the types of its columns cannot
// be read; nothing behind the types is looked at.
bool RefersToBlobs(const Slice& entity);

// Columns as they are stored: values, and references to blobs.
struct StoredColumns {
  WideColumns columns;
  std::vector<bool> is_reference;  // one for each column
};
Status DecodeStoredColumns(const Slice& input, StoredColumns* stored);
// Appends version 1 if no column is a reference, else version 2. Has the errors
// of EncodeWideColumns().
Status EncodeStoredColumns(const StoredColumns& stored, std::string* output);

// The value of the default column; empty if the entity has none.
Status DefaultColumnOf(const Slice& entity, Slice* value);

}  // namespace ROCKSDB_NAMESPACE
