// A block cache with a second one behind it: what the first evicts goes to the
// second, what a lookup misses in the first is looked for in the second and
// comes back.
//
// Only entries whose helper can save them take part. An entry that comes back
// stays in the second cache or leaves it as that one likes.
//
// Threads    Any.
// Ownership  As Cache. Shares both caches.
// Errors     What the second cache fails to keep is read from the file again.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "cache/eviction_listener.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// What the first cache evicts goes to the second, as the policy says.
class SecondaryFeeder final : public EvictionListener {
 public:
  SecondaryFeeder(std::shared_ptr<SecondaryCache> secondary,
                  TieredAdmissionPolicy policy)
      : secondary_(std::move(secondary)), policy_(policy) {}

  void OnEvicted(const EvictedEntry& entry) override;
  void SetPolicy(TieredAdmissionPolicy policy) { policy_.store(policy); }

  const std::shared_ptr<SecondaryCache>& secondary() const {
    return secondary_;
  }

 private:
  const std::shared_ptr<SecondaryCache> secondary_;
  std::atomic<TieredAdmissionPolicy> policy_;
};

class CacheWithSecondary : public CacheWrapper {
 public:
  // `feeder` listens to `primary`.
  CacheWithSecondary(std::shared_ptr<Cache> primary,
                     std::shared_ptr<SecondaryFeeder> feeder);

  const char* Name() const override { return target_->Name(); }

  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override;
  void Erase(const Slice& key) override;
  std::string GetPrintableOptions() const override;
  Status GetSecondaryCacheCapacity(size_t& size) const override {
    return secondary().GetCapacity(size);
  }
  SecondaryCache& secondary() const { return *feeder_->secondary(); }

 protected:
  struct Wanted {
    Slice key;
    const CacheItemHelper* helper;
    CreateContext* create_context;
    Priority priority;
    Statistics* stats;
  };
  struct Found {
    ObjectPtr object = nullptr;
    size_t charge = 0;
    bool stays_below = false;
  };
  SecondaryFeeder& feeder() { return *feeder_; }

  // False: it is not there. `advise_erase`: TakeUp() will be called.
  bool FindBelow(const Wanted& wanted, bool advise_erase, Found* found);
  // Into the first cache, if there is room.
  Handle* TakeUp(const Wanted& wanted, const Found& found);
  // To the caller alone.
  Handle* HandOut(const Wanted& wanted, const Found& found);

 private:
  static const CacheItemHelper* HelperOf(const Wanted& wanted,
                                         const Found& found);

  const std::shared_ptr<SecondaryFeeder> feeder_;
  const bool is_compressed_;
};

// One budget for both: so much of the whole is the second cache's.
class TieredCache : public CacheWithSecondary {
 public:
  struct Budget {
    size_t total = 0;
    double secondary_ratio = 0;

    size_t SecondaryBytes() const {
      return static_cast<size_t>(static_cast<double>(total) * secondary_ratio);
    }
    size_t PrimaryBytes() const { return total - SecondaryBytes(); }
  };
  TieredCache(std::shared_ptr<Cache> primary,
              std::shared_ptr<SecondaryFeeder> feeder, const Budget& budget);

  const char* Name() const override { return "TieredCache"; }

  // The capacity is that of both caches together.
  void SetCapacity(size_t capacity) override;
  size_t GetCapacity() const override;

  // InvalidArgument for a policy that is none of IsForTiers().
  Status Update(int64_t total_capacity, double secondary_ratio,
                TieredAdmissionPolicy policy);

  // Can a cache of two tiers, or of three, have that policy?
  static bool IsForTiers(TieredAdmissionPolicy policy, bool has_device);

 private:
  virtual bool has_device() const { return false; }
  void Divide(const Budget& budget);

  mutable Mutex mutex_;
  Budget budget_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
