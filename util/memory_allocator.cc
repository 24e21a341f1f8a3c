#include "rocksdb/memory_allocator.h"

#include <new>

#include "util/builtin_allocators.h"

namespace ROCKSDB_NAMESPACE {

void* DefaultMemoryAllocator::Allocate(size_t size) {
  return ::operator new(size);
}

void DefaultMemoryAllocator::Deallocate(void* p) { ::operator delete(p); }

void* CountedMemoryAllocator::Allocate(size_t size) {
  ++allocations_;
  return target_->Allocate(size);
}

void CountedMemoryAllocator::Deallocate(void* p) {
  ++deallocations_;
  target_->Deallocate(p);
}

Status NewJemallocNodumpAllocator(
    const JemallocAllocatorOptions& options,
    std::shared_ptr<MemoryAllocator>* memory_allocator) {
  if (memory_allocator == nullptr) {
    return Status::InvalidArgument("memory_allocator must be non-null.");
  }
  if (options.limit_tcache_size &&
      options.tcache_size_lower_bound >= options.tcache_size_upper_bound) {
    return Status::InvalidArgument(
        "tcache_size_lower_bound is not below tcache_size_upper_bound");
  }
  if (options.num_arenas < 1) {
    return Status::InvalidArgument("num_arenas is 0");
  }
  return Status::NotSupported("Not compiled with JEMALLOC");
}

}  // namespace ROCKSDB_NAMESPACE
