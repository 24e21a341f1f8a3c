// Copies of the database under stress, made in the ways that the engine has.
//
// Threads    Any, inside the database's gate; the copies of different workers
//            do not meet.
// Ownership  A copy removes what it put on the disk. What a killed process
//            left is removed by the next one, before it makes the same copy.
// Errors     Those of the engine. A copy that cannot be removed: to the Report.

#pragma once

#include <memory>

#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

// A checkpoint, opened as a database of its own.
Status MakeCheckpointCopy(const Context& context, Worker* worker, size_t family,
                          std::unique_ptr<DatabaseCopy>* copy);

// The family exported, and imported as another one of the same database.
Status MakeImportedCopy(const Context& context, Worker* worker, size_t family,
                        std::unique_ptr<DatabaseCopy>* copy);

// Has secondary instances and followers, where the flags ask for them, catch up
// with the database, and compares them with what is expected.
void CheckInstances(const Context& context, Workload* workload, Worker* worker);

}  // namespace ROCKSDB_NAMESPACE::stress
