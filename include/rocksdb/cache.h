// How to make a block cache: options and factories. The class itself is in
// cache_interface.h.
//
// Threads    Options are values; a Cache may be used from any thread.
// Ownership  Shared between all databases that it is given to.
// Errors     Impossible options give a null cache: num_shard_bits of 20 or
//            more, a pool ratio outside 0..1 or two that sum to more than 1,
//            a codec that this build lacks.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/cache_interface.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class SecondaryCache;

using BlockCache = Cache;
using RowCache = Cache;

// The names under which DB::GetMapProperty() tells what a block cache holds
// (DB::Properties::kBlockCacheEntryStats).
struct BlockCacheEntryStatsMapKeys {
  static const std::string& CacheId();
  static const std::string& CacheCapacityBytes();
  // The figures come from a walk over the cache: how long it took, and how long
  // ago it was, in seconds.
  static const std::string& LastCollectionDurationSeconds();
  static const std::string& LastCollectionAgeSeconds();
  // The number of entries with a role, their bytes, and their share of the
  // capacity in percent.
  static std::string EntryCount(CacheEntryRole);
  static std::string UsedBytes(CacheEntryRole);
  static std::string UsedPercent(CacheEntryRole);
};

// Default of use_adaptive_mutex.
extern const bool kDefaultToAdaptiveMutex;

// Whether the capacity also covers the cache's own memory for an entry.
enum CacheMetadataChargePolicy {
  kDontChargeCacheMetadata,
  kFullChargeCacheMetadata,
};
const CacheMetadataChargePolicy kDefaultCacheMetadataChargePolicy =
    kFullChargeCacheMetadata;

// What all caches have in common.
struct ShardedCacheOptions {
  // Bytes. Default: 0.
  size_t capacity = 0;

  // 2 to the power of this many shards, each with a lock and an equal part of
  // the capacity. Negative: chosen by capacity, at most 6. Below 20.
  int num_shard_bits = -1;

  // Refuse an entry that finds no room, where the caller asks for a handle;
  // else the capacity may be exceeded as long as entries are held.
  bool strict_capacity_limit = false;

  // Where the objects' memory comes from. Null: the process's allocator.
  std::shared_ptr<MemoryAllocator> memory_allocator;

  CacheMetadataChargePolicy metadata_charge_policy =
      kDefaultCacheMetadataChargePolicy;

  // Takes what is evicted, and is asked for what is missing. Serves block
  // caches: a row cache with one cannot be made. Default: null.
  std::shared_ptr<SecondaryCache> secondary_cache;

  // Seed of the hash function. A seed of -1 differs from cache to cache, -2 is
  // the same for every cache of this process.
  static constexpr int32_t kQuasiRandomHashSeed = -1;
  static constexpr int32_t kHostHashSeed = -2;
  int32_t hash_seed = kHostHashSeed;

  ShardedCacheOptions() = default;
  ShardedCacheOptions(
      size_t _capacity, int _num_shard_bits, bool _strict_capacity_limit,
      std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
      CacheMetadataChargePolicy _metadata_charge_policy =
          kDefaultCacheMetadataChargePolicy)
      : capacity(_capacity),
        num_shard_bits(_num_shard_bits),
        strict_capacity_limit(_strict_capacity_limit),
        memory_allocator(std::move(_memory_allocator)),
        metadata_charge_policy(_metadata_charge_policy) {}
  ShardedCacheOptions(const ShardedCacheOptions&) = default;
  ShardedCacheOptions& operator=(const ShardedCacheOptions&) = default;
  virtual ~ShardedCacheOptions() = default;

  virtual std::shared_ptr<Cache> MakeSharedCache() const = 0;
};

// A cache that drops what was used longest ago, to within one round of looking
// at its entries: a hit marks its entry, and a marked entry is spared once.
struct LRUCacheOptions : public ShardedCacheOptions {
  // Share of the capacity for entries of high priority, and for all that were
  // hit. Default: 0.5.
  double high_pri_pool_ratio = 0.5;

  // Share of the capacity for entries of low priority. With 0 they are as good
  // as those of bottom priority. Default: 0.
  double low_pri_pool_ratio = 0.0;

  // A thread that finds a shard locked spins a little before it sleeps.
  bool use_adaptive_mutex = kDefaultToAdaptiveMutex;

  LRUCacheOptions() = default;
  LRUCacheOptions(size_t _capacity, int _num_shard_bits,
                  bool _strict_capacity_limit, double _high_pri_pool_ratio,
                  std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
                  bool _use_adaptive_mutex = kDefaultToAdaptiveMutex,
                  CacheMetadataChargePolicy _metadata_charge_policy =
                      kDefaultCacheMetadataChargePolicy,
                  double _low_pri_pool_ratio = 0.0)
      : ShardedCacheOptions(_capacity, _num_shard_bits, _strict_capacity_limit,
                            std::move(_memory_allocator),
                            _metadata_charge_policy),
        high_pri_pool_ratio(_high_pri_pool_ratio),
        low_pri_pool_ratio(_low_pri_pool_ratio),
        use_adaptive_mutex(_use_adaptive_mutex) {}

  std::shared_ptr<Cache> MakeSharedCache() const override;
  std::shared_ptr<RowCache> MakeSharedRowCache() const;
  std::shared_ptr<Cache> MakeSharedGeneralCache() const;
};

inline std::shared_ptr<Cache> NewLRUCache(
    size_t capacity, int num_shard_bits = -1,
    bool strict_capacity_limit = false, double high_pri_pool_ratio = 0.5,
    std::shared_ptr<MemoryAllocator> memory_allocator = nullptr,
    bool use_adaptive_mutex = kDefaultToAdaptiveMutex,
    CacheMetadataChargePolicy metadata_charge_policy =
        kDefaultCacheMetadataChargePolicy,
    double low_pri_pool_ratio = 0.0) {
  return LRUCacheOptions(capacity, num_shard_bits, strict_capacity_limit,
                         high_pri_pool_ratio, std::move(memory_allocator),
                         use_adaptive_mutex, metadata_charge_policy,
                         low_pri_pool_ratio)
      .MakeSharedCache();
}
inline std::shared_ptr<Cache> NewLRUCache(const LRUCacheOptions& cache_opts) {
  return cache_opts.MakeSharedCache();
}

// A cache whose lookups take no lock. A hit marks its entry; a hand that goes
// round evicts what was not hit for some rounds. Its Name() is
// "FixedHyperClockCache", or "AutoHyperClockCache" without an estimated charge.
// It has one table for all threads, so num_shard_bits has no effect.
struct HyperClockCacheOptions : public ShardedCacheOptions {
  // Usual charge of an entry; 0 if not known. The table is made for it, and
  // grows if entries turn out to be smaller.
  size_t estimated_entry_charge;

  // The table does not grow beyond what entries of this charge need.
  // Default: 450.
  size_t min_avg_entry_charge = 450;

  // How far eviction looks past entries that are held, before the capacity is
  // exceeded instead: 64 of them for each unit. Default: 30.
  int eviction_effort_cap = 30;

  explicit HyperClockCacheOptions(
      size_t _capacity, size_t _estimated_entry_charge = 0,
      int _num_shard_bits = -1, bool _strict_capacity_limit = false,
      std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
      CacheMetadataChargePolicy _metadata_charge_policy =
          kDefaultCacheMetadataChargePolicy)
      : ShardedCacheOptions(_capacity, _num_shard_bits, _strict_capacity_limit,
                            std::move(_memory_allocator),
                            _metadata_charge_policy),
        estimated_entry_charge(_estimated_entry_charge) {}

  std::shared_ptr<Cache> MakeSharedCache() const override;
};

// A cache of compressed blocks behind the block cache. It keeps a block that
// is evicted for the second time while it remembers the first; an entry leaves
// it when it is looked up.
struct CompressedSecondaryCacheOptions : LRUCacheOptions {
  // Null caches come of codecs that this build lacks. Default: LZ4.
  CompressionType compression_type = CompressionType::kLZ4Compression;
  CompressionOptions compression_opts;
  // Entries lie in pieces of sizes that allocators have. Default: false.
  bool enable_custom_split_merge = false;
  // Entries of these roles are kept as they are. Default: filters.
  CacheEntryRoleSet do_not_compress_roles =
      CacheEntryRoleSet(CacheEntryRole::kFilterBlock);

  CompressedSecondaryCacheOptions() = default;
  CompressedSecondaryCacheOptions(
      size_t _capacity, int _num_shard_bits, bool _strict_capacity_limit,
      double _high_pri_pool_ratio, double _low_pri_pool_ratio = 0.0,
      std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
      bool _use_adaptive_mutex = kDefaultToAdaptiveMutex,
      CacheMetadataChargePolicy _metadata_charge_policy =
          kDefaultCacheMetadataChargePolicy,
      CompressionType _compression_type = CompressionType::kLZ4Compression,
      bool _enable_custom_split_merge = false,
      const CacheEntryRoleSet& _do_not_compress_roles =
          CacheEntryRoleSet(CacheEntryRole::kFilterBlock))
      : LRUCacheOptions(_capacity, _num_shard_bits, _strict_capacity_limit,
                        _high_pri_pool_ratio, std::move(_memory_allocator),
                        _use_adaptive_mutex, _metadata_charge_policy,
                        _low_pri_pool_ratio),
        compression_type(_compression_type),
        enable_custom_split_merge(_enable_custom_split_merge),
        do_not_compress_roles(_do_not_compress_roles) {}

  std::shared_ptr<SecondaryCache> MakeSharedSecondaryCache() const;
};
std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& opts);
// The same from the options one by one.
inline std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    size_t capacity, int num_shard_bits = -1,
    bool strict_capacity_limit = false, double high_pri_pool_ratio = 0.5,
    double low_pri_pool_ratio = 0.0,
    std::shared_ptr<MemoryAllocator> memory_allocator = nullptr,
    bool use_adaptive_mutex = kDefaultToAdaptiveMutex,
    CacheMetadataChargePolicy metadata_charge_policy =
        kDefaultCacheMetadataChargePolicy,
    CompressionType compression_type = CompressionType::kLZ4Compression,
    bool enable_custom_split_merge = false,
    const CacheEntryRoleSet& do_not_compress_roles =
        CacheEntryRoleSet(CacheEntryRole::kFilterBlock)) {
  return NewCompressedSecondaryCache(CompressedSecondaryCacheOptions(
      capacity, num_shard_bits, strict_capacity_limit, high_pri_pool_ratio,
      low_pri_pool_ratio, std::move(memory_allocator), use_adaptive_mutex,
      metadata_charge_policy, compression_type, enable_custom_split_merge,
      do_not_compress_roles));
}

// An LRU cache, under the name of a cache that was replaced by those of
// HyperClockCacheOptions.
inline std::shared_ptr<Cache> NewClockCache(
    size_t capacity, int num_shard_bits = -1,
    bool strict_capacity_limit = false,
    CacheMetadataChargePolicy metadata_charge_policy =
        kDefaultCacheMetadataChargePolicy) {
  return NewLRUCache(capacity, num_shard_bits, strict_capacity_limit,
                     /*high_pri_pool_ratio=*/0.5, nullptr,
                     kDefaultToAdaptiveMutex, metadata_charge_policy);
}

enum PrimaryCacheType {
  kCacheTypeLRU,
  kCacheTypeHCC,
  kCacheTypeMax,
};
// What the compressed cache takes of what the first one evicts.
enum TieredAdmissionPolicy {
  kAdmPolicyAuto,            // kAdmPolicyThreeQueue if there is a device, else
                             // kAdmPolicyPlaceholder
  kAdmPolicyPlaceholder,     // what is evicted for the second time
  kAdmPolicyAllowCacheHits,  // that, and at once what had been hit
  kAdmPolicyThreeQueue,      // nothing; see TieredCacheOptions::nvm_sec_cache
  kAdmPolicyAllowAll,        // all, at once
  kAdmPolicyMax,
};

// A block cache and a compressed one with one capacity for both, which
// SetCapacity() and GetCapacity() are about. NewTieredCache() gives null if
// there are no cache_opts, the ratio is outside [0, 1), kAdmPolicyThreeQueue is
// asked for without nvm_sec_cache, or another policy than that or Auto with it.
struct TieredCacheOptions {
  // LRUCacheOptions or HyperClockCacheOptions, as cache_type says; their
  // capacity and secondary_cache do not count.
  ShardedCacheOptions* cache_opts = nullptr;
  PrimaryCacheType cache_type = PrimaryCacheType::kCacheTypeLRU;
  TieredAdmissionPolicy adm_policy = TieredAdmissionPolicy::kAdmPolicyAuto;
  CompressedSecondaryCacheOptions comp_cache_opts;
  // Bytes of both, and the part of them that the compressed one has.
  size_t total_capacity = 0;
  double compressed_secondary_ratio = 0.0;
  // A third cache, on a device, below both; null: there is none. Blocks go to
  // its InsertSaved() when they are read from a file, as they lie there: data
  // blocks compressed, where the file has them so. A block that is found there
  // goes to the compressed cache, and when it is found again soon to the first
  // one; what these evict goes nowhere. With DBOptions::lowest_used_cache_tier
  // of kVolatileCompressedTier nothing comes to the device.
  std::shared_ptr<SecondaryCache> nvm_sec_cache;
};
std::shared_ptr<Cache> NewTieredCache(const TieredCacheOptions& cache_options);
// Changes what differs from the defaults here, but for a capacity of 0.
// InvalidArgument for another cache, and for a policy that NewTieredCache()
// would not make the cache with.
Status UpdateTieredCache(
    const std::shared_ptr<Cache>& cache, int64_t total_capacity = -1,
    double compressed_secondary_ratio = 1.0,
    TieredAdmissionPolicy adm_policy = TieredAdmissionPolicy::kAdmPolicyMax);

}  // namespace ROCKSDB_NAMESPACE
