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

namespace ROCKSDB_NAMESPACE::bench {

// Also sets the sizes of the default Env's thread pools.
Status MakeEngineOptions(Options* result);

}  // namespace ROCKSDB_NAMESPACE::bench
