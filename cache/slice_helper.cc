// The helper of entries that are plain bytes on their way to a secondary cache:
// their object is a Slice, which belongs to whoever inserts it.
#include <cassert>
#include <cstring>

#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void KeepSlice(Cache::ObjectPtr /*object*/, MemoryAllocator* /*allocator*/) {}

size_t SliceSize(Cache::ObjectPtr object) {
  return static_cast<const Slice*>(object)->size();
}

Status CopySlice(Cache::ObjectPtr object, size_t offset, size_t size,
                 char* out) {
  const Slice& bytes = *static_cast<const Slice*>(object);
  assert(offset + size <= bytes.size());
  memcpy(out, bytes.data() + offset, size);
  return Status::OK();
}

Status NoSlice(const Slice& /*data*/, CompressionType /*type*/,
               CacheTier /*source*/, Cache::CreateContext* /*context*/,
               MemoryAllocator* /*allocator*/, Cache::ObjectPtr* /*object*/,
               size_t* /*charge*/) {
  return Status::NotSupported("an object of bytes that belong to nobody");
}

const Cache::CacheItemHelper kSliceWithoutSecondary(CacheEntryRole::kMisc,
                                                    &KeepSlice);

}  // namespace

const Cache::CacheItemHelper kSliceCacheItemHelper(CacheEntryRole::kMisc,
                                                   &KeepSlice, &SliceSize,
                                                   &CopySlice, &NoSlice,
                                                   &kSliceWithoutSecondary);

}  // namespace ROCKSDB_NAMESPACE
