// Which options the engine refuses: single values out of range, values that ask
// for something that is not built, and pairs that contradict each other.
//
// Called by DB::Open() and CreateColumnFamily() with the options as the
// application gave them, and by SetOptions() with the changed ones.
//
// Threads  Pure functions.
// Errors   InvalidArgument or NotSupported, with names and values of all
//          options that are involved.
#pragma once

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct BlockBasedTableOptions;
struct OptionStruct;

Status ValidateDBOptions(const DBOptions& options);

// A family's options, those of its block-based tables, and both against the
// database's.
Status ValidateColumnFamilyOptions(const DBOptions& db,
                                   const ColumnFamilyOptions& options);

// For TableFactory::ValidateOptions(), and part of the call above.
Status ValidateBlockBasedTableOptions(const BlockBasedTableOptions& options,
                                      const ColumnFamilyOptions& cf);

// Limits and OptionTraits::built of each row alone.
Status ValidateRows(const OptionStruct& options, const void* object);

}  // namespace ROCKSDB_NAMESPACE
