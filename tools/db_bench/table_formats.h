// The format of tables: which of the three, and the index, the filter, the
// codecs by level, and the compaction filter.
//
// Threads    Call from the main thread, before the database is opened.
// Errors     InvalidArgument, with the flag that does not fit the others.

#pragma once

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/engine_options.h"

namespace ROCKSDB_NAMESPACE::bench {

// Last of all: what is in set->table then is what the tables are made with.
Status SetTableFormat(OptionSet* set);

}  // namespace ROCKSDB_NAMESPACE::bench
