// The caches of the database: of blocks, with what stands behind or around
// that one; of rows; of blobs.
//
// Threads    Call from the main thread, before the database is opened.
// Errors     InvalidArgument or NotSupported, with the flag that asks for what
//            cannot be.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/engine_options.h"

namespace ROCKSDB_NAMESPACE::bench {

Status SetCaches(OptionSet* set);

// With --simcache_size, what a cache of that size would have hit; else empty.
std::string SimulatedCacheReport();

// The block cache that SetCaches() made; null if there is none.
std::shared_ptr<Cache> BlockCache();

}  // namespace ROCKSDB_NAMESPACE::bench
