// A block cache with two caches behind it, of which the lower one is on a
// device: see LowerQueues.
//
// A block that is found below enters the block cache when it is found there for
// the second time. The first time its key alone is noted, and the block is
// handed out without being in the table. So what a scan brings up from the
// device pushes out keys, not blocks.
//
//   note    an entry without an object and charge, of kKeyNote
//
// Threads    Any.
// Ownership  As Cache. Shares both caches below.
// Errors     What the caches below fail to keep is read from the file again.
#pragma once

#include <memory>

#include "cache/cache_with_secondary.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

class ThreeQueueCache final : public TieredCache {
 public:
  using TieredCache::TieredCache;

  // What has a form as in the file goes to the device in that.
  Status Insert(const Slice& key, ObjectPtr value,
                const CacheItemHelper* helper, size_t charge, Handle** handle,
                Priority priority, const Slice& compressed,
                CompressionType type) override;
  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override;

 private:
  bool has_device() const override { return true; }
  void NoteKey(const Slice& key);
};

// Does something behind `cache`, or behind what it wraps, keep blocks as they
// lie in files?
bool KeepsStoredForms(const Cache* cache);

}  // namespace ROCKSDB_NAMESPACE
