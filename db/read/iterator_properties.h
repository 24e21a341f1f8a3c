// What Iterator::GetProperty() tells of a user's iterator.
//
// Threads  Any.
// Errors   InvalidArgument for a name that is not known, and for what only an
//          entry has where there is none. *value is then as it was.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

struct IteratorState {
  uint64_t super_version_number = 0;
  std::optional<Slice> key = {};  // the stored key; none: it is not valid
  bool pins_data = false;
};

inline Status IteratorProperty(const IteratorState& state,
                               const std::string& name, std::string* value) {
  if (name == "rocksdb.iterator.super-version-number") {
    *value = std::to_string(state.super_version_number);
    return Status::OK();
  }
  if (name == "rocksdb.iterator.write-time") {
    // No file says when it was written.
    value->clear();
    PutFixed64(value, std::numeric_limits<uint64_t>::max());
    return Status::OK();
  }
  const bool is_pinned = name == "rocksdb.iterator.is-key-pinned" ||
                         name == "rocksdb.iterator.is-value-pinned";
  if (is_pinned || name == "rocksdb.iterator.internal-key") {
    if (!state.key) return Status::InvalidArgument("Iterator is not valid.");
    *value = !is_pinned ? state.key->ToString() : state.pins_data ? "1" : "0";
    return Status::OK();
  }
  return Status::InvalidArgument("Unidentified property.", name);
}

}  // namespace ROCKSDB_NAMESPACE
