#pragma once

// Where a cache takes the memory of its blocks from.
//
// Threads  All calls must be safe from many threads at once.

#include <cstddef>
#include <memory>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class MemoryAllocator : public Customizable {
 public:
  static const char* Type() { return "MemoryAllocator"; }

  // "DefaultMemoryAllocator", which all who ask for it share, and
  // "CountedMemoryAllocator", or what is registered by the name; an empty one
  // gives null. Unknown names are NotSupported, or, where the options say so,
  // passed over.
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& value,
                                 std::shared_ptr<MemoryAllocator>* result);

  virtual void* Allocate(size_t size) = 0;
  virtual void Deallocate(void* p) = 0;
  // The bytes that an allocation of `allocation_size` bytes really gave.
  virtual size_t UsableSize(void* /*p*/, size_t allocation_size) const {
    return allocation_size;
  }
};

struct JemallocAllocatorOptions {
  static const char* kName() { return "JemallocAllocatorOptions"; }

  // Limit the sizes that jemalloc's thread cache serves to the range below.
  // Default: false.
  bool limit_tcache_size = false;
  size_t tcache_size_lower_bound = 1024;
  size_t tcache_size_upper_bound = 16 * 1024;
  // Arenas to spread threads over. Default: 1.
  size_t num_arenas = 1;
};

// An allocator that keeps its memory out of core dumps. InvalidArgument for
// null, bounds that are no range, and no arena; NotSupported in builds without
// jemalloc, as all are.
Status NewJemallocNodumpAllocator(
    const JemallocAllocatorOptions& options,
    std::shared_ptr<MemoryAllocator>* memory_allocator);

}  // namespace ROCKSDB_NAMESPACE
