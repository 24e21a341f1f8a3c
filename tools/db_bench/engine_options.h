// The engine's options, made from the flags.
//
// Threads    Call from the main thread, before the database is opened.
// Errors     InvalidArgument that names the flag and its value. A flag whose
//            option the linked engine does not know is left out; if it was
//            given on the command line, stderr says so.

#pragma once

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE::bench {

// The structs that flags change, before they become one Options.
struct OptionSet {
  DBOptions db;
  ColumnFamilyOptions cf;
  BlockBasedTableOptions table;
};

// Whether a flag decides: not if an options file does and the flag is absent.
bool Decides(const char* flag);

// Also sets the sizes of the Env's thread pools.
Status MakeEngineOptions(Options* result);

}  // namespace ROCKSDB_NAMESPACE::bench
