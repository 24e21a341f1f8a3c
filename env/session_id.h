// The id of one opening of a database (db-format.md 1.4): 20 characters of
// base 36, unique over processes and machines.
//
// Threads  Any.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

std::string NewSessionId();

}  // namespace ROCKSDB_NAMESPACE
