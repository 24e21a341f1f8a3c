// Caches from option text: "64M", or {capacity=64M;num_shard_bits=4}; secondary
// caches from "compressed_secondary_cache://capacity=64M".
//
// Threads  Any.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Lets options/ make caches. Called before main(); again, it does nothing.
void RegisterCacheFromText();

}  // namespace ROCKSDB_NAMESPACE
