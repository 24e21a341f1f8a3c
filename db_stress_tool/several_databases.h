// --num_dbs: databases beside each other in one process, each with keys,
// threads and an expected state of its own.
//
// Threads  One call at a time.

#pragma once

#include "db_stress_tool/flags.h"
#include "db_stress_tool/stress_run.h"

namespace ROCKSDB_NAMESPACE::stress {

// Those of database `index`: it lives in a directory below the flags' one.
Flags FlagsOfDatabase(const Flags& flags, int64_t index);

// Runs all of them, at once; the worst of their outcomes.
Outcome RunDatabases(const Flags& flags);

}  // namespace ROCKSDB_NAMESPACE::stress
