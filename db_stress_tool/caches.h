// The caches that db_stress gives to its database: of blocks, of blobs, and
// the compressed one behind that of blocks.
//
// Threads    Any.
// Ownership  The options share what is made.
// Errors     InvalidArgument and NotSupported name the flag that cannot be
//            had, or not together with others.

#pragma once

#include <memory>

#include "db_stress_tool/flags.h"
#include "db_stress_tool/stress_random.h"
#include "rocksdb/cache.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE::stress {

// Makes them, and says what else is charged to that of blocks.
Status SetCaches(const Flags& flags, BlockBasedTableOptions* table,
                 ColumnFamilyOptions* cf);

// Of the compressed one, but for the size that it has in a tiered one.
CompressedSecondaryCacheOptions CompressedOptions(const Flags& flags);

// Whether blocks have one budget for a plain and a compressed cache.
bool IsTiered(const Flags& flags);

// Draws how large that budget is, how it is shared, and what is taken.
Status ChangeTieredCache(const Flags& flags, StressRandom* random,
                         const std::shared_ptr<Cache>& cache);

}  // namespace ROCKSDB_NAMESPACE::stress
