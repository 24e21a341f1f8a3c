// The objects that options name by text: table factories, filter policies,
// caches. Each registers itself when its object file is loaded; a static
// library drops object files that nothing refers to, so the database does.
//
// Threads  Any.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// After this every built-in object can be made by name.
void EnsureBuiltinObjects();

}  // namespace ROCKSDB_NAMESPACE
