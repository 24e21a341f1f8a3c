// Many caches beside each other, each made, used a little, and let go.
//
// Threads  Confined to one thread.

#pragma once

#include "rocksdb/status.h"
#include "tools/cache_bench/settings.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

// Prints how long that takes. Corruption: a cache has lost its value, or has
// that of another.
Status StressInstances(const Settings& settings);

}  // namespace ROCKSDB_NAMESPACE::cache_bench
