#include "tools/db_bench/caches.h"

#include <cstdio>
#include <map>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/persistent_cache.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/utilities/sim_cache.h"
#include "rocksdb/write_buffer_manager.h"
#include "tools/db_bench/codecs.h"
#include "tools/db_bench/engine_fields.h"
#include "tools/db_bench/engine_parts.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/option_flags.h"

DEFINE_string(cache_uri, "",
              "Make the block cache of this text, as Cache::CreateFromString() "
              "reads it, rather than of --cache_type and --cache_size.");
DEFINE_string(secondary_cache_uri, "",
              "Secondary cache behind the block cache, as such a text.");
DEFINE_bool(use_compressed_secondary_cache, false,
            "Keep compressed what the block cache gives up.");
DEFINE_int64(compressed_secondary_cache_size, 33554432,
             "Bytes of that secondary cache.");
DEFINE_int32(compressed_secondary_cache_numshardbits, 6,
             "log2 of its shards. Negative: automatic.");
DEFINE_double(compressed_secondary_cache_high_pri_pool_ratio, 0.0,
              "Part of it kept for high-priority blocks.");
DEFINE_double(compressed_secondary_cache_low_pri_pool_ratio, 0.0,
              "Part of it kept for low-priority blocks.");
DEFINE_string(compressed_secondary_cache_compression_type, "lz4",
              "Codec of what it keeps.");
DEFINE_int32(compressed_secondary_cache_compression_level, 32767,
             "Level of that codec. 32767: its default.");
DEFINE_bool(use_tiered_cache, false,
            "One budget for the block cache and the compressed secondary "
            "cache, with --use_compressed_secondary_cache.");
DEFINE_string(tiered_adm_policy, "auto",
              "What enters the compressed part of it: auto, placeholder, "
              "allow-cache-hits, three-queue or allow-all.");
DEFINE_int64(simcache_size, -1,
             "Report what a block cache of so many bytes would have hit. "
             "Negative: do not.");
DEFINE_string(read_cache_path, "",
              "Directory of a persistent cache of blocks. Empty: none.");
DEFINE_int64(read_cache_size, 4294967296, "Bytes of that cache.");
DEFINE_bool(read_cache_direct_read, true, "It reads with O_DIRECT.");
DEFINE_bool(read_cache_direct_write, true, "It writes with O_DIRECT.");
DEFINE_bool(use_cache_jemalloc_no_dump_allocator, false,
            "Block and blob caches allocate outside of core dumps.");
DEFINE_bool(use_cache_memkind_kmem_allocator, false,
            "Block and blob caches allocate from memkind's KMEM.");
DEFINE_bool(cost_write_buffer_to_cache, false,
            "Memtables are charged to the block cache.");
DEFINE_bool(charge_compression_dictionary_building_buffer, false,
            "So is what compression dictionaries are made of.");
DEFINE_bool(charge_filter_construction, false, "So are filters being made.");
DEFINE_bool(charge_table_reader, false, "So are open tables.");
DEFINE_bool(charge_file_metadata, false, "So is the list of files.");
DEFINE_bool(charge_blob_cache, false, "So is a blob cache of its own.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Made once, and asked for their reports when all is over.
struct MadeCaches {
  std::shared_ptr<Cache> blocks;
  std::shared_ptr<SimCache> simulated;
};
MadeCaches& Made() {
  static MadeCaches made;
  return made;
}

Status MakeAllocator(std::shared_ptr<MemoryAllocator>* result) {
  if (FLAGS_use_cache_jemalloc_no_dump_allocator &&
      FLAGS_use_cache_memkind_kmem_allocator) {
    return Status::InvalidArgument(
        "--use_cache_jemalloc_no_dump_allocator",
        "excludes --use_cache_memkind_kmem_allocator");
  }
  if (FLAGS_use_cache_jemalloc_no_dump_allocator) {
    JemallocAllocatorOptions options;
    return NewJemallocNodumpAllocator(options, result);
  }
  if (FLAGS_use_cache_memkind_kmem_allocator) {
    return MemoryAllocator::CreateFromString(ConfigOptions(),
                                             "MemkindKmemAllocator", result);
  }
  return Status::OK();
}

Status CompressedCacheOptions(CompressedSecondaryCacheOptions* options) {
  options->capacity =
      static_cast<size_t>(FLAGS_compressed_secondary_cache_size);
  options->num_shard_bits = FLAGS_compressed_secondary_cache_numshardbits;
  options->high_pri_pool_ratio =
      FLAGS_compressed_secondary_cache_high_pri_pool_ratio;
  options->low_pri_pool_ratio =
      FLAGS_compressed_secondary_cache_low_pri_pool_ratio;
  const int level = FLAGS_compressed_secondary_cache_compression_level;
  if (!DB_BENCH_SET_IF_THERE(options, compression_opts.level, level) &&
      WasSet("compressed_secondary_cache_compression_level")) {
    return LacksPart("compressed_secondary_cache_compression_level");
  }
  return CompressionTypeOf(FLAGS_compressed_secondary_cache_compression_type,
                           &options->compression_type);
}

// What stands behind the block cache; null if nothing does.
Status MakeSecondary(std::shared_ptr<SecondaryCache>* result) {
  if (!FLAGS_secondary_cache_uri.empty()) {
    const Status s = SecondaryCache::CreateFromString(
        ConfigOptions(), FLAGS_secondary_cache_uri, result);
    return s.ok() && *result == nullptr
               ? Status::InvalidArgument(
                     "--secondary_cache_uri=" + FLAGS_secondary_cache_uri,
                     "makes no cache")
               : s;
  }
  if (!FLAGS_use_compressed_secondary_cache || FLAGS_use_tiered_cache) {
    return Status::OK();
  }
  CompressedSecondaryCacheOptions options;
  Status s = CompressedCacheOptions(&options);
  if (s.ok()) *result = NewCompressedSecondaryCache(options);
  return s;
}

LRUCacheOptions LruOptions() {
  LRUCacheOptions options;
  options.capacity = static_cast<size_t>(FLAGS_cache_size);
  options.num_shard_bits = FLAGS_cache_numshardbits;
  options.high_pri_pool_ratio = FLAGS_cache_high_pri_pool_ratio;
  options.low_pri_pool_ratio = FLAGS_cache_low_pri_pool_ratio;
  return options;
}

HyperClockCacheOptions HyperClockOptions() {
  return HyperClockCacheOptions(static_cast<size_t>(FLAGS_cache_size),
                                static_cast<size_t>(FLAGS_block_size),
                                FLAGS_cache_numshardbits);
}

// What every kind of cache is told beside its own settings.
struct CommonParts {
  std::shared_ptr<MemoryAllocator> allocator;
  std::shared_ptr<SecondaryCache> secondary;
};

std::shared_ptr<Cache> MakeLruCache(const CommonParts& parts) {
  LRUCacheOptions options = LruOptions();
  options.memory_allocator = parts.allocator;
  options.secondary_cache = parts.secondary;
  return NewLRUCache(options);
}

Status MakeCacheByType(const CommonParts& parts,
                       std::shared_ptr<Cache>* result) {
  if (FLAGS_cache_type == "lru_cache") {
    *result = MakeLruCache(parts);
    return Status::OK();
  }
  HyperClockCacheOptions options = HyperClockOptions();
  options.memory_allocator = parts.allocator;
  if (!DB_BENCH_SET_IF_THERE(&options, secondary_cache, parts.secondary) &&
      parts.secondary != nullptr) {
    return LacksPart("cache_type=hyper_clock_cache with a secondary cache");
  }
  // An engine without this kind gives none, or one of another kind.
  *result = options.MakeSharedCache();
  if (*result != nullptr && std::string((*result)->Name()) != "LRUCache") {
    return Status::OK();
  }
  fprintf(stderr, "--cache_type=%s: not in this engine: an LRU cache is used\n",
          FLAGS_cache_type.c_str());
  *result = MakeLruCache(parts);
  return Status::OK();
}

Status MakeTiered(const CommonParts& parts, std::shared_ptr<Cache>* result) {
  if (!FLAGS_use_compressed_secondary_cache) {
    return Status::InvalidArgument("--use_tiered_cache",
                                   "needs --use_compressed_secondary_cache");
  }
  CompressedSecondaryCacheOptions compressed;
  if (Status s = CompressedCacheOptions(&compressed); !s.ok()) return s;
  LRUCacheOptions lru = LruOptions();
  lru.memory_allocator = parts.allocator;
  HyperClockCacheOptions clock = HyperClockOptions();
  clock.memory_allocator = parts.allocator;
  TieredParts tiers;
  tiers.is_hyper_clock = FLAGS_cache_type != "lru_cache";
  tiers.upper = &lru;
  if (tiers.is_hyper_clock) tiers.upper = &clock;
  tiers.compressed = &compressed;
  tiers.policy = FLAGS_tiered_adm_policy;
  tiers.below = parts.secondary;
  return NewCacheOfTiers(tiers, result);
}

Status MakeBlockCache(std::shared_ptr<Cache>* result) {
  CommonParts parts;
  Status s;
  if (!FLAGS_cache_uri.empty()) {
    s = Cache::CreateFromString(ConfigOptions(), FLAGS_cache_uri, result);
    if (s.ok() && *result == nullptr) {
      s = Status::InvalidArgument("--cache_uri=" + FLAGS_cache_uri,
                                  "makes no cache");
    }
    return s;
  }
  s = MakeAllocator(&parts.allocator);
  if (s.ok()) s = MakeSecondary(&parts.secondary);
  if (!s.ok()) return s;
  return FLAGS_use_tiered_cache ? MakeTiered(parts, result)
                                : MakeCacheByType(parts, result);
}

Status SetBlockCache(OptionSet* set) {
  BlockBasedTableOptions& table = set->table;
  if (Decides("cache_size") || WasSet("cache_type") || WasSet("cache_uri")) {
    table.no_block_cache = FLAGS_cache_size == 0 && FLAGS_cache_uri.empty();
    table.block_cache = nullptr;
    if (!table.no_block_cache) {
      Status s = MakeBlockCache(&table.block_cache);
      if (!s.ok()) return s;
    }
  }
  if (FLAGS_simcache_size < 0) {
    Made().blocks = table.block_cache;
    return Status::OK();
  }
  if (table.block_cache == nullptr) {
    return Status::InvalidArgument("--simcache_size", "needs a block cache");
  }
  Made().simulated =
      NewSimCache(table.block_cache, static_cast<size_t>(FLAGS_simcache_size),
                  FLAGS_cache_numshardbits);
  table.block_cache = Made().blocks = Made().simulated;
  return Status::OK();
}

void SetCharges(BlockBasedTableOptions* table) {
  const struct {
    CacheEntryRole role;
    const char* flag;
    bool is_charged;
  } charges[] = {
      {CacheEntryRole::kCompressionDictionaryBuildingBuffer,
       "charge_compression_dictionary_building_buffer",
       FLAGS_charge_compression_dictionary_building_buffer},
      {CacheEntryRole::kFilterConstruction, "charge_filter_construction",
       FLAGS_charge_filter_construction},
      {CacheEntryRole::kBlockBasedTableReader, "charge_table_reader",
       FLAGS_charge_table_reader},
      {CacheEntryRole::kFileMetadata, "charge_file_metadata",
       FLAGS_charge_file_metadata},
      {CacheEntryRole::kBlobCache, "charge_blob_cache",
       FLAGS_charge_blob_cache},
  };
  for (const auto& charge : charges) {
    if (!Decides(charge.flag)) continue;
    table->cache_usage_options.options_overrides[charge.role].charged =
        charge.is_charged ? CacheEntryRoleOptions::Decision::kEnabled
                          : CacheEntryRoleOptions::Decision::kDisabled;
  }
}

Status SetBlobCache(OptionSet* set) {
  if (!FLAGS_use_blob_cache) return Status::OK();
  if (FLAGS_use_shared_block_and_blob_cache) {
    set->cf.blob_cache = set->table.block_cache;
    return Status::OK();
  }
  LRUCacheOptions options;
  options.capacity = static_cast<size_t>(FLAGS_blob_cache_size);
  options.num_shard_bits = FLAGS_blob_cache_numshardbits;
  Status s = MakeAllocator(&options.memory_allocator);
  if (s.ok()) set->cf.blob_cache = NewLRUCache(options);
  return s;
}

Status SetReadCache(OptionSet* set) {
  if (FLAGS_read_cache_path.empty()) {
    for (const char* flag : {"read_cache_size", "read_cache_direct_read",
                             "read_cache_direct_write"}) {
      if (WasSet(flag)) {
        return Status::InvalidArgument("--" + std::string(flag),
                                       "needs --read_cache_path");
      }
    }
    return Status::OK();
  }
  // The call that every engine has chooses the kind of I/O itself.
  if (!FLAGS_read_cache_direct_read || !FLAGS_read_cache_direct_write) {
    return Status::NotSupported("--read_cache_direct_read=false",
                                "the engine has no call that takes it");
  }
  return NewPersistentCache(set->db.env, FLAGS_read_cache_path,
                            static_cast<uint64_t>(FLAGS_read_cache_size),
                            set->db.info_log, /*optimized_for_nvm=*/true,
                            &set->table.persistent_cache);
}

}  // namespace

Status SetCaches(OptionSet* set) {
  Status s = SetBlockCache(set);
  if (s.ok()) s = SetBlobCache(set);
  if (s.ok()) s = SetReadCache(set);
  if (!s.ok()) return s;
  SetCharges(&set->table);
  if (FLAGS_row_cache_size != 0) {
    set->db.row_cache = NewLRUCache(static_cast<size_t>(FLAGS_row_cache_size));
  }
  if (FLAGS_cost_write_buffer_to_cache) {
    if (set->table.block_cache == nullptr) {
      return Status::InvalidArgument("--cost_write_buffer_to_cache",
                                     "needs a block cache");
    }
    set->db.write_buffer_manager = std::make_shared<WriteBufferManager>(
        set->db.db_write_buffer_size, set->table.block_cache);
  }
  return Status::OK();
}

std::string SimulatedCacheReport() {
  if (Made().simulated == nullptr) return "";
  return "SIMULATOR CACHE STATISTICS:\n" + Made().simulated->ToString() + "\n";
}

std::shared_ptr<Cache> BlockCache() { return Made().blocks; }

}  // namespace ROCKSDB_NAMESPACE::bench
