// Which process has a database open for writing, found without touching its
// lock: the kernel's list of locks is read.
//
// (To open LOCK and close it again would give the lock up, if this very process
// had it.)
//
// Threads  Any.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Its number; 0: nobody has it, or the system does not say.
int OwnerOfLock(const std::string& db_path);

}  // namespace ROCKSDB_NAMESPACE
