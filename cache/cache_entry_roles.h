// Names of the roles of cache entries, as properties write them.
//
// Threads  Any; the names live as long as the process.
#pragma once

#include <string>

#include "rocksdb/cache_interface.h"

namespace ROCKSDB_NAMESPACE {

// "data-block", "filter-block", ...
const std::string& HyphenatedRoleName(CacheEntryRole role);

}  // namespace ROCKSDB_NAMESPACE
