#include "tools/cache_bench/settings.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "rocksdb/convenience.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/version.h"
#include "tools/cache_bench/value.h"
#include "tools/common/flags.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

namespace {

void AddCacheFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("cache_size", &settings->cache_size, "bytes of the cache");
  flags->Add("num_shard_bits", &settings->num_shard_bits,
             "2 to this power shards; less than 0: by the size");
  flags->Add("eviction_effort_cap", &settings->eviction_effort_cap,
             "of hyper_clock_cache: see HyperClockCacheOptions");
  flags->Add("cache_type", &settings->cache_type,
             "lru_cache, hyper_clock_cache, auto_hyper_clock_cache or "
             "fixed_hyper_clock_cache");
  flags->Add("secondary_cache_uri", &settings->secondary_cache_uri,
             "the secondary cache behind it, as text");
  flags->Add("value_bytes", &settings->value_bytes, "bytes of each value");
  flags->Add("value_bytes_estimate", &settings->value_bytes_estimate,
             "bytes that the fixed cache is told of; 0: those of each value");
  flags->Add("compressible_to_ratio", &settings->compressible_to_ratio,
             "to which part of its size a value can be compressed");
}

void AddKeyFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("resident_ratio", &settings->resident_ratio,
             "part of the keys that the cache has room for");
  flags->Add("degenerate_hash_bits", &settings->degenerate_hash_bits,
             "so many bits of the keys' hashes are the same, at most 12");
  flags->Add("skew", &settings->skew,
             "how much some keys are preferred: 0 = not at all");
  flags->Add("populate_cache", &settings->populate_cache,
             "fills the cache before the measurement");
  flags->Add("pinned_ratio", &settings->pinned_ratio,
             "part of the cache that is pinned by the threads");
  flags->Add("vary_capacity_ratio", &settings->vary_capacity_ratio,
             "part of the capacity that is taken away and given back");
  flags->Add("lookup_insert_percent", &settings->lookup_insert_percent,
             "look-ups that insert what they do not find");
  flags->Add("insert_percent", &settings->insert_percent, "inserts");
  flags->Add("blind_insert_percent", &settings->blind_insert_percent,
             "inserts that keep no reference");
  flags->Add("lookup_percent", &settings->lookup_percent, "look-ups");
  flags->Add("erase_percent", &settings->erase_percent, "erasures");
}

void AddStressFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("stress_cache_instances", &settings->stress_cache_instances,
             "makes so many caches beside each other instead, and uses each");
  flags->Add("stress_cache_key", &settings->stress_cache_key,
             "simulates cache keys of files instead, and counts those that "
             "two files have");
  CacheKeyStress* const keys = &settings->keys;
  flags->Add("sck_files_per_day", &keys->files_per_day, "files made in a day");
  flags->Add("sck_days_per_run", &keys->days_per_run, "days of a run");
  flags->Add("sck_file_size_mb", &keys->file_size_mb,
             "size of a file, for the sums");
  flags->Add("sck_restarts_per_day", &keys->restarts_per_day,
             "restarts of the process in a day, on average");
  flags->Add("sck_db_count", &keys->db_count, "databases that share the cache");
  flags->Add("sck_reopen_nfiles", &keys->reopen_nfiles,
             "files of a database until it is opened again, on average");
  flags->Add("sck_newdb_nreopen", &keys->newdb_nreopen,
             "such times until it is a new database, on average");
  flags->Add("sck_table_bits", &keys->table_bits,
             "2 to this power files are there at a time");
  flags->Add("sck_keep_bits", &keys->keep_bits,
             "bits of the keys that are compared, at most 64");
  flags->Add("sck_min_collision", &keys->min_collision,
             "collisions that end the program");
  flags->Add("sck_footer_unique_id", &keys->footer_unique_id,
             "keys come from the unique ids of files");
  flags->Add("sck_randomize", &keys->randomize, "keys are random numbers");
}

void AddAllocatorFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("use_jemalloc_no_dump_allocator",
             &settings->use_jemalloc_no_dump_allocator,
             "takes jemalloc's memory that core dumps leave out");
  flags->Add("jemalloc_no_dump_allocator_num_arenas",
             &settings->jemalloc_num_arenas, "its arenas");
  flags->Add("jemalloc_no_dump_allocator_limit_tcache_size",
             &settings->jemalloc_limit_tcache_size,
             "limits what its threads keep");
}

void AddRunFlags(Settings* settings, tools::Flags* flags) {
  flags->Add("threads", &settings->threads, "threads at a time");
  flags->Add("ops_per_thread", &settings->ops_per_thread,
             "operations of each thread");
  flags->Add("gather_stats", &settings->gather_stats,
             "one more thread looks at all entries again and again");
  flags->Add("gather_stats_sleep_ms", &settings->gather_stats_sleep_ms,
             "milliseconds that it rests in between");
  flags->Add("gather_stats_entries_per_lock",
             &settings->gather_stats_entries_per_lock,
             "entries that it looks at under one lock");
  flags->Add("usleep", &settings->usleep,
             "up to so many microseconds of rest behind each operation");
  flags->Add("lean", &settings->lean, "values are not looked at");
  flags->Add("early_exit", &settings->early_exit,
             "the cache's memory is left to the end of the process");
  flags->Add("histograms", &settings->histograms, "prints latencies");
  flags->Add("report_problems", &settings->report_problems,
             "has the cache tell what went wrong with it");
  flags->Add("seed", &settings->seed, "of the random numbers; 0: draws one");
}

const char* ProblemOfKeys(const CacheKeyStress& keys) {
  if (keys.keep_bits == 0 || keys.keep_bits > 64) {
    return "--sck_keep_bits must be from 1 to 64.";
  }
  if (keys.table_bits == 0 || keys.table_bits > 30) {
    return "--sck_table_bits must be from 1 to 30.";
  }
  for (const uint32_t number :
       {keys.files_per_day, keys.days_per_run, keys.db_count,
        keys.reopen_nfiles, keys.newdb_nreopen, keys.min_collision}) {
    if (number == 0) {
      return "--sck_... numbers but of restarts must be at least 1.";
    }
  }
  return nullptr;
}

// Null: nothing is wrong.
const char* ProblemOf(const Settings& settings) {
  const uint64_t sum = uint64_t{settings.lookup_insert_percent} +
                       settings.insert_percent + settings.blind_insert_percent +
                       settings.lookup_percent + settings.erase_percent;
  if (sum != 100) return "Percentages must add to 100.";
  if (settings.threads == 0) return "--threads must be at least 1.";
  if (settings.value_bytes < sizeof(uint64_t)) {
    return "--value_bytes must be at least 8.";
  }
  if (settings.degenerate_hash_bits > KeySet::kMostDegenerateBits) {
    return "--degenerate_hash_bits must be at most 12.";
  }
  if (!(settings.resident_ratio > 0.0)) {
    return "--resident_ratio must be greater than 0.";
  }
  for (const double part : {settings.pinned_ratio, settings.vary_capacity_ratio,
                            settings.compressible_to_ratio}) {
    if (!(part >= 0.0 && part <= 1.0)) return "Ratios must be from 0 to 1.";
  }
  return ProblemOfKeys(settings.keys);
}

std::string BytesText(uint64_t bytes) {
  const char* const units[] = {"B", "KB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < std::size(units)) {
    value /= 1024.0;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %s", value, units[unit]);
  return text;
}

void PrintPercent(const char* name, uint32_t percent) {
  std::printf("%-20s: %" PRIu32 "%%\n", name, percent);
}

}  // namespace

uint64_t Settings::KeyCount() const {
  const double keys =
      static_cast<double>(cache_size) / resident_ratio / value_bytes;
  return std::max<uint64_t>(1, static_cast<uint64_t>(keys));
}

uint64_t Settings::PinnedBytesOfThread() const {
  return static_cast<uint64_t>(static_cast<double>(cache_size) * pinned_ratio /
                               threads);
}

std::optional<int> ParseSettings(int argc, char** argv, Settings* settings) {
  tools::Flags flags;
  AddCacheFlags(settings, &flags);
  AddKeyFlags(settings, &flags);
  AddRunFlags(settings, &flags);
  AddStressFlags(settings, &flags);
  AddAllocatorFlags(settings, &flags);
  if (!flags.Parse("measures a block cache", argc, argv))
    return flags.exit_status();
  const char* const problem = ProblemOf(*settings);
  if (problem == nullptr) return std::nullopt;
  std::fprintf(stderr, "%s\n", problem);
  return 1;
}

Status MakeCache(const Settings& settings, std::shared_ptr<Cache>* cache) {
  std::shared_ptr<SecondaryCache> secondary;
  if (!settings.secondary_cache_uri.empty()) {
    const Status s = SecondaryCache::CreateFromString(
        ConfigOptions(), settings.secondary_cache_uri, &secondary);
    if (!s.ok()) return s;
    if (secondary == nullptr) {
      return Status::InvalidArgument("No secondary cache registered matching",
                                     settings.secondary_cache_uri);
    }
  }
  std::shared_ptr<MemoryAllocator> allocator;
  if (settings.use_jemalloc_no_dump_allocator) {
    JemallocAllocatorOptions jemalloc;
    jemalloc.num_arenas = settings.jemalloc_num_arenas;
    jemalloc.limit_tcache_size = settings.jemalloc_limit_tcache_size;
    const Status s = NewJemallocNodumpAllocator(jemalloc, &allocator);
    if (!s.ok()) return s;
  }
  const std::string& type = settings.cache_type;
  if (type == "lru_cache") {
    LRUCacheOptions options(settings.cache_size, settings.num_shard_bits,
                            false /* strict_capacity_limit */,
                            0.5 /* high_pri_pool_ratio */);
    options.secondary_cache = secondary;
    options.memory_allocator = allocator;
    if (settings.degenerate_hash_bits > 0) {
      options.hash_seed = KeySet::kFixedHashSeed;
    }
    *cache = options.MakeSharedCache();
  } else if (type == "hyper_clock_cache" || type == "auto_hyper_clock_cache" ||
             type == "fixed_hyper_clock_cache") {
    // No estimate: the cache finds out by itself.
    size_t estimate = settings.value_bytes_estimate;
    if (type == "fixed_hyper_clock_cache" && estimate == 0) {
      estimate = settings.value_bytes;
    }
    if (type == "auto_hyper_clock_cache") estimate = 0;
    HyperClockCacheOptions options(settings.cache_size, estimate,
                                   settings.num_shard_bits);
    options.eviction_effort_cap = settings.eviction_effort_cap;
    options.secondary_cache = secondary;
    options.memory_allocator = allocator;
    if (settings.degenerate_hash_bits > 0) {
      options.hash_seed = KeySet::kFixedHashSeed;
    }
    *cache = options.MakeSharedCache();
  } else {
    return Status::NotSupported("Cache type not supported.");
  }
  return *cache != nullptr
             ? Status::OK()
             : Status::InvalidArgument("the cache refuses its options");
}

void PrintSettings(const Settings& settings, const Cache& cache) {
  std::printf("----------------------------\n");
#ifndef NDEBUG
  std::printf(
      "WARNING: Assertions are enabled; benchmarks unnecessarily slow\n");
#endif
  std::printf("%-20s: %d.%d\n", "RocksDB version", ROCKSDB_MAJOR,
              ROCKSDB_MINOR);
  std::printf("%-20s: %s\n", "Cache impl name", cache.Name());
  std::printf("%-20s: %" PRIu32 "\n", "Number of threads", settings.threads);
  std::printf("%-20s: %" PRIu64 "\n", "Ops per thread",
              settings.ops_per_thread);
  std::printf("%-20s: %s\n", "Cache size",
              BytesText(settings.cache_size).c_str());
  std::printf("%-20s: %d\n", "Num shard bits", settings.num_shard_bits);
  std::printf("%-20s: %" PRIu64 "\n", "Max key", settings.KeyCount());
  std::printf("%-20s: %g\n", "Resident ratio", settings.resident_ratio);
  std::printf("%-20s: %" PRIu32 "\n", "Skew degree", settings.skew);
  std::printf("%-20s: %d\n", "Populate cache", settings.populate_cache ? 1 : 0);
  if (settings.degenerate_hash_bits > 0) {
    std::printf("%-20s: %" PRIu32 "\n", "Degenerate hash bits",
                settings.degenerate_hash_bits);
  }
  PrintPercent("Lookup+Insert pct", settings.lookup_insert_percent);
  PrintPercent("Insert percentage", settings.insert_percent);
  PrintPercent("Blind insert pct", settings.blind_insert_percent);
  PrintPercent("Lookup percentage", settings.lookup_percent);
  PrintPercent("Erase percentage", settings.erase_percent);
  if (settings.gather_stats) {
    std::printf("%-20s: every %" PRIu32 " ms\n", "Gather stats",
                settings.gather_stats_sleep_ms);
  } else {
    std::printf("%-20s: disabled\n", "Gather stats");
  }
  std::printf("----------------------------\n");
}

}  // namespace ROCKSDB_NAMESPACE::cache_bench
