// The options of single reads and writes, from the flags.
//
// Threads    Call from the main thread.
// Errors     NotSupported, with the flag, where the engine lacks a field that
//            the flag asks for.

#pragma once

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

Status MakeReadOptions(ReadOptions* result);
Status MakeWriteOptions(WriteOptions* result);

}  // namespace ROCKSDB_NAMESPACE::bench
