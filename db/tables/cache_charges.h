// What a family charges to the block cache of its tables beside what the tables
// themselves do (cache_usage_options): what is known of its files, and what its
// blob cache holds.
//
// Threads    Any.
// Ownership  A charge lives as long as what it is for, and shares the cache.
// Errors     None: where a cache with a strict limit has no room, what needs it
//            is there all the same, and is not charged.
#pragma once

#include <memory>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Cache;
class CacheReservation;
class ChargedMemory;
struct FileMeta;
struct MutableCFOptions;

// Both go by the options that a family is opened with.
//
// Null: files are not charged.
std::shared_ptr<ChargedMemory> FileMetadataCharge(
    const MutableCFOptions& options);

// Charges `file` to `memory` for as long as it lives; once a file.
void ChargeFile(const std::shared_ptr<ChargedMemory>& memory, FileMeta* file);

// One for all families with the same two caches, `blobs` being that of blobs.
// Null: it is not charged, is null, or is the block cache.
std::shared_ptr<CacheReservation> BlobCacheCharge(
    const MutableCFOptions& options, const Cache* blobs);

}  // namespace ROCKSDB_NAMESPACE
