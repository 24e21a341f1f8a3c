// Orders of keys that flags choose.
//
// Threads    Any.

#pragma once

#include "rocksdb/comparator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/engine_options.h"

namespace ROCKSDB_NAMESPACE::bench {

// Leaves the order as it is unless a flag asks for another.
Status SetComparator(ColumnFamilyOptions* cf);

}  // namespace ROCKSDB_NAMESPACE::bench
