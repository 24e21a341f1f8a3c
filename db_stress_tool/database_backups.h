// Backups of the database under stress: made, verified and restored.
//
// The directories of backups stay from one process to the next, so that what a
// killed one has left is met.
//
// Threads    Any, inside the database's gate; each worker has a directory.
// Errors     Those of the engine. Backups that are damaged: to the Report.

#pragma once

#include <memory>

#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

// A backup, restored and opened as a database of its own.
Status MakeRestoredCopy(const Context& context, Worker* worker,
                        std::unique_ptr<DatabaseCopy>* copy);

}  // namespace ROCKSDB_NAMESPACE::stress
