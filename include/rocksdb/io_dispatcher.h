// A limit of what scans of several ranges hold in memory, fetched ahead, over
// all scans that are given the same one (MultiScanArgs::io_dispatcher).
//
// Each scan still decides what it fetches and by which calls; a dispatcher
// answers whether there is room for it. An application may derive its own, for
// example one that charges a cache.
//
// Threads    Any, at once.
// Ownership  Shared: it lives until the last scan that was given it is gone.
// Errors     None. A scan that gets no room reads what it needs when it needs
//            it.
#pragma once

#include <cstddef>
#include <sstream>

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct IODispatcherOptions {
  // Bytes that all scans together may hold, fetched ahead. What a scan needs at
  // once it has beside. Default: 0, no limit but each scan's own.
  size_t max_prefetch_memory_bytes = 0;
};

class IODispatcher {
 public:
  virtual ~IODispatcher() = default;

  // Room for `bytes` that would be fetched ahead. False: there is none now,
  // which PREFETCH_MEMORY_REQUESTS_BLOCKED counts.
  virtual bool TryAcquire(size_t bytes) = 0;
  // For `bytes` that are needed at once.
  virtual void Acquire(size_t bytes) = 0;
  // `bytes` of one earlier call are let go of.
  virtual void Release(size_t bytes) = 0;
  // Bytes that are held now.
  virtual size_t GetPrefetchMemoryUsage() const = 0;
};

// The caller owns it.
IODispatcher* NewIODispatcher(
    const IODispatcherOptions& options = IODispatcherOptions());

}  // namespace ROCKSDB_NAMESPACE
