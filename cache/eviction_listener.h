// Told of what a cache evicts for want of room, right before the object goes.
//
// Threads    Any number of calls at once; no lock of the cache is held.
// Ownership  The object is only lent.
#pragma once

#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

struct EvictedEntry {
  Slice key;
  Cache::ObjectPtr object = nullptr;
  const Cache::CacheItemHelper* helper = nullptr;
  // It was looked up while it was in the cache.
  bool was_hit = false;
};

class EvictionListener {
 public:
  virtual ~EvictionListener() = default;
  virtual void OnEvicted(const EvictedEntry& entry) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
