// How many files this process may have open at a time.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The limit in force now (RLIMIT_NOFILE's soft one); UINT64_MAX: none, or the
// system does not tell.
uint64_t OpenFileLimitOfProcess();

}  // namespace ROCKSDB_NAMESPACE
