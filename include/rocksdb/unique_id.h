#pragma once

// Identifiers of table files that are unique across databases and hosts.

#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

// The 128-bit identifier of a table file, as 16 bytes. NotSupported if the
// file's properties do not give one.
Status GetUniqueIdFromTableProperties(const TableProperties& props,
                                      std::string* out_id);
// The 192-bit form, of which the one above is the beginning.
Status GetExtendedUniqueIdFromTableProperties(const TableProperties& props,
                                              std::string* out_id);

// Hexadecimal digits in groups of eight bytes, joined by hyphens.
std::string UniqueIdToHumanString(const std::string& id);

}  // namespace ROCKSDB_NAMESPACE
