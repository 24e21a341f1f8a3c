#pragma once

// The identity of a table file, from its properties (sst-format.md 9): what
// the manifest records, what applications see, and what cache keys are made
// of.
//
// Threads  Pure functions.

#include <array>
#include <cstdint>

#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

// The manifest records words 0 and 1; the third completes 192 bits.
using TableUniqueId = std::array<uint64_t, 3>;

// NotSupported if the properties do not say where the file is from.
Status InternalUniqueIdOf(const TableProperties& properties,
                          TableUniqueId* result);
// The same from its parts.
Status InternalUniqueIdOf(const std::string& db_id,
                          const std::string& db_session_id,
                          uint64_t file_number, TableUniqueId* result);

// The form for applications: a bijection of the internal one.
TableUniqueId PublicUniqueIdOf(const TableUniqueId& internal);

}  // namespace ROCKSDB_NAMESPACE
