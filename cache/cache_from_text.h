// A block cache from option text: "64M", or {capacity=64M;num_shard_bits=4};
// a secondary cache from "compressed_secondary_cache://capacity=64M".
//
// Threads  Pure function.
// Errors   InvalidArgument names what is wrong; NotSupported for a kind of
//          cache that cannot be made from text.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

Status CacheFromText(const std::string& text, std::shared_ptr<Cache>* result);
Status SecondaryCacheFromText(const std::string& text,
                              std::shared_ptr<SecondaryCache>* result);

// Lets options/ make caches. Called before main(); again, it does nothing new.
void RegisterCacheFromText();

}  // namespace ROCKSDB_NAMESPACE
