// A secondary cache that now and then takes nothing and finds nothing: what the
// engine then does without must come from the files.
//
// Threads    As SecondaryCache: any.
// Ownership  Shares the one that it stands before.
// Errors     Insertions fail with an error for which IsInjected() holds.

#pragma once

#include <cstdint>
#include <memory>

#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE::stress {

// Null where the engine's secondary caches are of another kind.
std::shared_ptr<SecondaryCache> MakeFaultySecondaryCache(
    std::shared_ptr<SecondaryCache> target, int64_t one_in, uint64_t seed);

}  // namespace ROCKSDB_NAMESPACE::stress
