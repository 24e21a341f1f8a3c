// Tables whose large values lie beside their data blocks, in records that the
// entries refer to (sst-format.md 8.9): external files of RocksDB 11 may be.
// Whoever reads one through this sees the values in the entries.
//
// A record is read when an iterator arrives at its entry, or a lookup at its
// key: from the file, beside the block cache. Bulk reads go through the table's
// own handle, outside the governor.
//
// Errors   Corruption names the file, and the reference that leads astray.
#pragma once

#include <memory>

#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

class BlockBasedTableReader;
class TableReader;

bool HasEmbeddedBlobs(const TableProperties& properties);

std::unique_ptr<TableReader> NewEmbeddedBlobsReader(
    std::unique_ptr<BlockBasedTableReader> base);

}  // namespace ROCKSDB_NAMESPACE
