// What ingestion has to know of a table file before it takes it, learned ahead:
// an ingestion that is given it does not open the file to learn it again.
//
// Threads    Immutable.
// Ownership  The caller of the ingestion keeps it until that has prepared.
#pragma once

#include <cstdint>
#include <memory>

#include "db/tables/file_meta.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

struct PreparedFileInfo {
  FileMeta meta;  // size, bounds and sequences
  std::shared_ptr<const TableProperties> properties;
};

}  // namespace ROCKSDB_NAMESPACE
