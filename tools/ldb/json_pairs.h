// Keys, values and columns as JSON, for --json: each as text and, exactly, as
// hex digits.
//
//   {"key": "a", "key_hex": "61", "value": "1", "value_hex": "31"}
//
// Threads  Pure functions.
#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/wide_columns.h"
#include "tools/ldb/json.h"

namespace ROCKSDB_NAMESPACE {

// Adds `name` and `name`_hex.
inline void AddBytes(JsonObject* object, const std::string& name,
                     const Slice& bytes) {
  object->Add(name.c_str(), bytes);
  object->Add((name + "_hex").c_str(), bytes.ToString(true));
}

inline std::string JsonColumns(const WideColumns& columns) {
  JsonArray array;
  for (const WideColumn& column : columns) {
    JsonObject object;
    AddBytes(&object, "name", column.name());
    AddBytes(&object, "value", column.value());
    array.Add(object.Text());
  }
  return array.Text();
}

// The columns, if there are any but the default one; else the value.
inline void AddValue(JsonObject* object, const Slice& value,
                     const WideColumns& columns) {
  if (columns.empty() || (columns.size() == 1 && columns[0].name().empty())) {
    AddBytes(object, "value", value);
  } else {
    object->AddRaw("columns", JsonColumns(columns));
  }
}

}  // namespace ROCKSDB_NAMESPACE
