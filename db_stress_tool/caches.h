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

// Makes the caches that the flags ask for, and chooses which other memory is
// charged to the block cache.
Status SetCaches(const Flags& flags, BlockBasedTableOptions* table,
                 ColumnFamilyOptions* cf);

// The options of the compressed secondary cache. A tiered cache does not take
// its capacity from them: it divides one budget.
CompressedSecondaryCacheOptions CompressedOptions(const Flags& flags);

// Whether a plain and a compressed cache of blocks share one budget.
bool IsTiered(const Flags& flags);

// Draws the size of that budget, the compressed cache's share, and the policy
// of admission.
Status ChangeTieredCache(const Flags& flags, StressRandom* random,
                         const std::shared_ptr<Cache>& cache);

}  // namespace ROCKSDB_NAMESPACE::stress
