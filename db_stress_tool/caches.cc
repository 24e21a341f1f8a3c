#include "db_stress_tool/caches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "db_stress_tool/faulty_secondary_cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/secondary_cache.h"

// Came after the caches of two tiers.
#if __has_include("rocksdb/attribute_groups.h")
#define STRESS_HAS_TIERED_CACHES
#endif

namespace ROCKSDB_NAMESPACE::stress {

namespace {

Status Refuse(const char* flag, const std::string& value, const char* why) {
  return Status::InvalidArgument("--" + std::string(flag) + "=" + value, why);
}

bool IsClock(const Flags& flags) {
  return flags.cache_type.find("hyper_clock") != std::string::npos;
}

template <typename Options>
void SetRolesOf(bool is_on, Options* options) {
  if constexpr (requires { options->do_not_compress_roles; }) {
    using Roles = decltype(options->do_not_compress_roles);
    options->do_not_compress_roles = Roles();
    if (!is_on) return;
    options->do_not_compress_roles.Add(CacheEntryRole::kFilterBlock);
    options->do_not_compress_roles.Add(CacheEntryRole::kIndexBlock);
  }
}

CacheMetadataChargePolicy ChargePolicy(const Flags& flags) {
  return static_cast<CacheMetadataChargePolicy>(flags.metadata_charge_policy);
}

LRUCacheOptions LruOptions(const Flags& flags) {
  LRUCacheOptions options;
  options.capacity = static_cast<size_t>(flags.cache_size);
  options.num_shard_bits = static_cast<int>(flags.cache_numshardbits);
  options.high_pri_pool_ratio = flags.high_pri_pool_ratio;
  options.low_pri_pool_ratio = flags.low_pri_pool_ratio;
  options.use_adaptive_mutex = flags.use_adaptive_mutex_lru;
  options.metadata_charge_policy = ChargePolicy(flags);
  return options;
}

HyperClockCacheOptions ClockOptions(const Flags& flags, size_t block_bytes) {
  // It finds the size of its table itself, or is made for whole blocks.
  const bool is_fixed = flags.cache_type.find("auto") == std::string::npos;
  HyperClockCacheOptions options(static_cast<size_t>(flags.cache_size),
                                 is_fixed ? block_bytes : 0,
                                 static_cast<int>(flags.cache_numshardbits));
  options.metadata_charge_policy = ChargePolicy(flags);
  return options;
}

// ---- Blocks ----

Status MakeSecondary(const Flags& flags,
                     std::shared_ptr<SecondaryCache>* secondary) {
  if (!flags.secondary_cache_uri.empty()) {
    const Status s = SecondaryCache::CreateFromString(
        ConfigOptions(), flags.secondary_cache_uri, secondary);
    if (!s.ok() || *secondary == nullptr) {
      return Status::InvalidArgument(
          "--secondary_cache_uri=" + flags.secondary_cache_uri,
          s.ok() ? "makes no cache" : s.ToString());
    }
  } else if (flags.compressed_secondary_cache_size > 0) {
    *secondary = NewCompressedSecondaryCache(CompressedOptions(flags));
  }
  const int64_t fault_one_in = flags.secondary_cache_fault_one_in;
  if (fault_one_in <= 0) return Status::OK();
  const std::string flag =
      "--secondary_cache_fault_one_in=" + std::to_string(fault_one_in);
  if (*secondary == nullptr) {
    return Status::InvalidArgument(flag, "there is no secondary cache");
  }
  *secondary =
      MakeFaultySecondaryCache(std::move(*secondary), fault_one_in, flags.seed);
  return *secondary != nullptr ? Status::OK() : Status::NotSupported(flag);
}

#ifdef STRESS_HAS_TIERED_CACHES
// The cache on a device, of --secondary_cache_uri.
Status MakeLowest(const Flags& flags, TieredCacheOptions* options) {
  if (flags.secondary_cache_uri.empty()) return Status::OK();
  return MakeSecondary(flags, &options->nvm_sec_cache);
}

// The share of the compressed cache is told as a size beside --cache_size, or
// as a part of it.
Status MakeTiered(const Flags& flags, size_t block_bytes,
                  std::shared_ptr<Cache>* cache) {
  LRUCacheOptions lru = LruOptions(flags);
  HyperClockCacheOptions clock = ClockOptions(flags, block_bytes);
  TieredCacheOptions options;
  if (Status s = MakeLowest(flags, &options); !s.ok()) return s;
  options.cache_opts = &lru;
  if (IsClock(flags)) {
    options.cache_opts = &clock;
    options.cache_type = PrimaryCacheType::kCacheTypeHCC;
  }
  options.adm_policy = static_cast<TieredAdmissionPolicy>(flags.adm_policy);
  options.comp_cache_opts = CompressedOptions(flags);
  const auto compressed =
      static_cast<size_t>(flags.compressed_secondary_cache_size);
  options.total_capacity = static_cast<size_t>(flags.cache_size) + compressed;
  options.compressed_secondary_ratio =
      flags.tiered_cache_percent_compressed > 0
          ? flags.tiered_cache_percent_compressed / 100
          : flags.compressed_secondary_cache_ratio;
  if (compressed > 0) {
    options.compressed_secondary_ratio =
        static_cast<double>(compressed) /
        static_cast<double>(options.total_capacity);
  }
  *cache = NewTieredCache(options);
  return *cache != nullptr
             ? Status::OK()
             : Refuse("cache_type", flags.cache_type, "cannot be made");
}
#else
Status MakeTiered(const Flags& flags, size_t /*block_bytes*/,
                  std::shared_ptr<Cache>* /*cache*/) {
  return Status::NotSupported("--cache_type=" + flags.cache_type);
}
#endif

// Engines' clock caches may have none.
template <typename Options>
Status SetSecondaryOf(const Flags& flags,
                      std::shared_ptr<SecondaryCache> secondary,
                      Options* options) {
  if constexpr (requires { options->secondary_cache; }) {
    options->secondary_cache = std::move(secondary);
  } else if (secondary != nullptr) {
    return Status::NotSupported("--cache_type=" + flags.cache_type,
                                "has no secondary cache");
  }
  return Status::OK();
}

Status MakeBlockCache(const Flags& flags, size_t block_bytes,
                      std::shared_ptr<Cache>* cache) {
  if (IsTiered(flags)) return MakeTiered(flags, block_bytes, cache);
  std::shared_ptr<SecondaryCache> secondary;
  Status s = MakeSecondary(flags, &secondary);
  if (!s.ok()) return s;
  if (IsClock(flags)) {
    HyperClockCacheOptions options = ClockOptions(flags, block_bytes);
    s = SetSecondaryOf(flags, std::move(secondary), &options);
    *cache = options.MakeSharedCache();
  } else {
    LRUCacheOptions options = LruOptions(flags);
    options.secondary_cache = std::move(secondary);
    *cache = NewLRUCache(options);
  }
  return s;
}

// ---- Blobs, and what is charged ----

Status MakeBlobCache(const Flags& flags, const std::shared_ptr<Cache>& blocks,
                     std::shared_ptr<Cache>* blobs) {
  if (!flags.use_blob_cache) return Status::OK();
  if (flags.use_shared_block_and_blob_cache) {
    if (blocks == nullptr) {
      return Refuse("use_shared_block_and_blob_cache", "1",
                    "needs --cache_size");
    }
    *blobs = blocks;
    return Status::OK();
  }
  LRUCacheOptions options;
  options.capacity = static_cast<size_t>(flags.blob_cache_size);
  options.num_shard_bits = static_cast<int>(flags.blob_cache_numshardbits);
  *blobs = NewLRUCache(options);
  return Status::OK();
}

Status SetCharges(const Flags& flags, BlockBasedTableOptions* table) {
  if (flags.charge_blob_cache &&
      (!flags.use_blob_cache || flags.use_shared_block_and_blob_cache)) {
    return Refuse("charge_blob_cache", "1",
                  "needs a cache that blobs have for themselves");
  }
  const struct {
    bool is_charged;
    CacheEntryRole role;
  } roles[] = {
      {flags.charge_compression_dictionary_building_buffer,
       CacheEntryRole::kCompressionDictionaryBuildingBuffer},
      {flags.charge_filter_construction, CacheEntryRole::kFilterConstruction},
      {flags.charge_table_reader, CacheEntryRole::kBlockBasedTableReader},
      {flags.charge_file_metadata, CacheEntryRole::kFileMetadata},
      {flags.charge_blob_cache, CacheEntryRole::kBlobCache},
  };
  for (const auto& [is_charged, role] : roles) {
    // What an OPTIONS file says of the others stays.
    if (!is_charged) continue;
    table->cache_usage_options.options_overrides[role].charged =
        CacheEntryRoleOptions::Decision::kEnabled;
  }
  return Status::OK();
}

}  // namespace

CompressedSecondaryCacheOptions CompressedOptions(const Flags& flags) {
  CompressedSecondaryCacheOptions options;
  options.capacity = static_cast<size_t>(flags.compressed_secondary_cache_size);
  options.num_shard_bits =
      static_cast<int>(flags.compressed_secondary_cache_numshardbits);
  options.enable_custom_split_merge = flags.enable_custom_split_merge;
  SetRolesOf(flags.enable_do_not_compress_roles, &options);
  return options;
}

bool IsTiered(const Flags& flags) {
  return flags.cache_type.rfind("tiered_", 0) == 0;
}

Status SetCaches(const Flags& flags, BlockBasedTableOptions* table,
                 ColumnFamilyOptions* cf) {
  table->no_block_cache = flags.cache_size == 0;
  table->block_cache = nullptr;
  Status s;
  if (flags.cache_size > 0) {
    s = MakeBlockCache(flags, table->block_size, &table->block_cache);
  }
  if (s.ok()) s = MakeBlobCache(flags, table->block_cache, &cf->blob_cache);
  return s.ok() ? SetCharges(flags, table) : s;
}

Status ChangeTieredCache(const Flags& flags, StressRandom* random,
                         const std::shared_ptr<Cache>& cache) {
#ifdef STRESS_HAS_TIERED_CACHES
  // Three queues stay three.
  const bool has_device = !flags.secondary_cache_uri.empty();
  constexpr TieredAdmissionPolicy kPolicies[] = {
      TieredAdmissionPolicy::kAdmPolicyPlaceholder,
      TieredAdmissionPolicy::kAdmPolicyAllowCacheHits,
      TieredAdmissionPolicy::kAdmPolicyAllowAll};
  const auto size = static_cast<uint64_t>(flags.cache_size);
  // What is charged to it must fit, or options cannot be set any more.
  const int64_t least = flags.charge_blob_cache ? flags.blob_cache_size : 0;
  const auto bytes =
      std::max(static_cast<int64_t>(size / 2 + random->Uniform(size)), least);
  const double ratio = static_cast<double>(random->Uniform(10)) / 10;
  const TieredAdmissionPolicy drawn = kPolicies[random->Uniform(3)];
  return UpdateTieredCache(
      cache, bytes, ratio,
      has_device ? TieredAdmissionPolicy::kAdmPolicyThreeQueue : drawn);
#else
  (void)flags;
  (void)random;
  (void)cache;
  return Status::NotSupported("caches of two tiers");
#endif
}

}  // namespace ROCKSDB_NAMESPACE::stress
