#include "rocksdb/memory_allocator.h"

namespace ROCKSDB_NAMESPACE {

Status NewJemallocNodumpAllocator(
    const JemallocAllocatorOptions& /*options*/,
    std::shared_ptr<MemoryAllocator>* /*memory_allocator*/) {
  return Status::NotSupported("JemallocNodumpAllocator");
}

}  // namespace ROCKSDB_NAMESPACE
