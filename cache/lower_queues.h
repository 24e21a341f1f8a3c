// The two secondary caches behind a block cache with three queues
// (kAdmPolicyThreeQueue): a compressed one in memory, and one on a device below
// it.
//
// What the block cache evicts comes into neither. A block that is read from a
// file goes to the device at once, as it lies in the file. A lookup asks the
// compressed cache, then the device; what is found there, and was not found a
// short time ago, goes to the compressed cache too, as it lies on the device.
//
// Threads    Any.
// Ownership  Shares both caches.
// Errors     What the device fails to keep, or to make a block of, is read from
//            the file again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

// Sizes and capacities are those of the compressed cache.
class LowerQueues final : public SecondaryCacheWrapper {
 public:
  LowerQueues(std::shared_ptr<SecondaryCache> compressed,
              std::shared_ptr<SecondaryCache> device);

  const char* Name() const override { return "TieredSecondaryCache"; }

  // Nothing is kept: the block is on the device, or was no block of a file.
  Status Insert(const Slice& key, Cache::ObjectPtr obj,
                const Cache::CacheItemHelper* helper,
                bool force_insert) override;
  // To the device.
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType type,
                     CacheTier source) override;
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* create_context, bool wait, bool advise_erase,
      Statistics* stats, bool& kept_in_sec_cache) override;
  void Erase(const Slice& key) override;
  // All are results of this cache.
  void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) override;

  std::string GetPrintableOptions() const override;
  const SecondaryCache& compressed() const { return *target(); }

 private:
  const std::shared_ptr<SecondaryCache> device_;
};

}  // namespace ROCKSDB_NAMESPACE
