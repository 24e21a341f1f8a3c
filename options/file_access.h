// How the options of a database say that bulk work gets at table files.
//
// Threads  Pure functions.
#pragma once

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

// What the options of both kinds come to: never kDefault. kAuto: the file
// system is to be asked.
FileAccess CompactionReadAccess(const DBOptions& options);
FileAccess CompactionWriteAccess(const DBOptions& options);

}  // namespace ROCKSDB_NAMESPACE
