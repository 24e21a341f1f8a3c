// What limits the size of a database in FIFO style.
#pragma once

#include <cstdint>

#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

class VersionStorage;

// Bytes above which the oldest files are dropped; 0 = no limit.
uint64_t FifoLimitBytes(const MutableCFOptions& options);

// Does that limit count blob files too?
bool FifoCountsBlobs(const MutableCFOptions& options);

// What the limit counts.
uint64_t FifoBytes(const VersionStorage& storage,
                   const MutableCFOptions& options);

}  // namespace ROCKSDB_NAMESPACE
