// Caches, memory allocators and managers of memory and space, which options
// share: a handle may be destroyed as soon as options have the object.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/memory_allocator.h"

struct rocksdb_memory_consumers_t {
  std::vector<ROCKSDB_NAMESPACE::DB*> databases;
  std::set<std::shared_ptr<ROCKSDB_NAMESPACE::Cache>> caches;
};

struct rocksdb_memory_usage_t {
  uint64_t mem_table_total = 0;
  uint64_t mem_table_unflushed = 0;
  uint64_t mem_table_readers_total = 0;
  uint64_t cache_total = 0;
};

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_cache_t* OwnCache(std::shared_ptr<Cache> cache) {
  auto* result = Own<rocksdb_cache_t>();
  result->rep = std::move(cache);
  return result;
}

Status AddProperty(DB* db, const std::string& name, uint64_t* sum) {
  uint64_t value = 0;
  if (!db->GetAggregatedIntProperty(name, &value)) {
    return Status::NotSupported(name);
  }
  *sum += value;
  return Status::OK();
}

Status AddDatabase(DB* db, rocksdb_memory_usage_t* usage) {
  using Properties = DB::Properties;
  Status s =
      AddProperty(db, Properties::kSizeAllMemTables, &usage->mem_table_total);
  if (s.ok()) {
    s = AddProperty(db, Properties::kCurSizeAllMemTables,
                    &usage->mem_table_unflushed);
  }
  if (s.ok()) {
    s = AddProperty(db, Properties::kEstimateTableReadersMem,
                    &usage->mem_table_readers_total);
  }
  return s;
}

}  // namespace

extern "C" {

rocksdb_cache_t* rocksdb_cache_create_lru(size_t capacity) {
  return OwnCache(NewLRUCache(capacity));
}

// Inserting into a full cache fails, instead of growing it.
rocksdb_cache_t* rocksdb_cache_create_lru_with_strict_capacity_limit(
    size_t capacity) {
  LRUCacheOptions options;
  options.capacity = capacity;
  options.strict_capacity_limit = true;
  return OwnCache(NewLRUCache(options));
}

rocksdb_cache_t* rocksdb_cache_create_lru_opts(
    const rocksdb_lru_cache_options_t* options) {
  return OwnCache(options->rep.MakeSharedCache());
}

rocksdb_cache_t* rocksdb_cache_create_hyper_clock(
    size_t capacity, size_t estimated_entry_charge) {
  return OwnCache(HyperClockCacheOptions(capacity, estimated_entry_charge)
                      .MakeSharedCache());
}

rocksdb_cache_t* rocksdb_cache_create_hyper_clock_opts(
    const rocksdb_hyper_clock_cache_options_t* options) {
  return OwnCache(options->rep.MakeSharedCache());
}

rocksdb_hyper_clock_cache_options_t* rocksdb_hyper_clock_cache_options_create(
    size_t capacity, size_t estimated_entry_charge) {
  return Own<rocksdb_hyper_clock_cache_options_t>(
      rocksdb_hyper_clock_cache_options_t{
          HyperClockCacheOptions(capacity, estimated_entry_charge)});
}

void rocksdb_lru_cache_options_set_memory_allocator(
    rocksdb_lru_cache_options_t* options,
    rocksdb_memory_allocator_t* allocator) {
  options->rep.memory_allocator =
      allocator == nullptr ? nullptr : allocator->rep;
}

void rocksdb_hyper_clock_cache_options_set_memory_allocator(
    rocksdb_hyper_clock_cache_options_t* options,
    rocksdb_memory_allocator_t* allocator) {
  options->rep.memory_allocator =
      allocator == nullptr ? nullptr : allocator->rep;
}

void rocksdb_cache_destroy(rocksdb_cache_t* cache) { End(cache); }

// Memory is not given back when the cache goes, as when the process ends.
void rocksdb_cache_disown_data(rocksdb_cache_t* cache) {
  cache->rep->DisownData();
}

void rocksdb_cache_set_capacity(rocksdb_cache_t* cache, size_t capacity) {
  cache->rep->SetCapacity(capacity);
}

size_t rocksdb_cache_get_capacity(const rocksdb_cache_t* cache) {
  return cache->rep->GetCapacity();
}

size_t rocksdb_cache_get_usage(const rocksdb_cache_t* cache) {
  return cache->rep->GetUsage();
}

size_t rocksdb_cache_get_pinned_usage(const rocksdb_cache_t* cache) {
  return cache->rep->GetPinnedUsage();
}

size_t rocksdb_cache_get_table_address_count(const rocksdb_cache_t* cache) {
  return cache->rep->GetTableAddressCount();
}

size_t rocksdb_cache_get_occupancy_count(const rocksdb_cache_t* cache) {
  return cache->rep->GetOccupancyCount();
}

// Shares it.
void rocksdb_block_based_options_set_block_cache(
    rocksdb_block_based_table_options_t* options, rocksdb_cache_t* cache) {
  options->rep.block_cache = cache == nullptr ? nullptr : cache->rep;
}

// Takes it over.
void rocksdb_block_based_options_set_filter_policy(
    rocksdb_block_based_table_options_t* options,
    rocksdb_filterpolicy_t* policy) {
  options->rep.filter_policy = policy == nullptr ? nullptr : TakeOver(policy);
}

rocksdb_memory_allocator_t* rocksdb_jemalloc_nodump_allocator_create(
    char** errptr) {
  std::shared_ptr<MemoryAllocator> allocator;
  const Status s =
      NewJemallocNodumpAllocator(JemallocAllocatorOptions(), &allocator);
  if (Fails(s, errptr)) return nullptr;
  auto* result = Own<rocksdb_memory_allocator_t>();
  result->rep = std::move(allocator);
  return result;
}

void rocksdb_memory_allocator_destroy(rocksdb_memory_allocator_t* allocator) {
  End(allocator);
}

// A limit for the memtables of all databases that share it; 0 is none.
rocksdb_write_buffer_manager_t* rocksdb_write_buffer_manager_create(
    size_t buffer_size, bool allow_stall) {
  auto* result = Own<rocksdb_write_buffer_manager_t>();
  result->rep =
      std::make_shared<WriteBufferManager>(buffer_size, nullptr, allow_stall);
  return result;
}

rocksdb_write_buffer_manager_t* rocksdb_write_buffer_manager_create_with_cache(
    size_t buffer_size, const rocksdb_cache_t* cache, bool allow_stall) {
  auto* result = Own<rocksdb_write_buffer_manager_t>();
  result->rep = std::make_shared<WriteBufferManager>(
      buffer_size, cache == nullptr ? nullptr : cache->rep, allow_stall);
  return result;
}

void rocksdb_write_buffer_manager_destroy(
    rocksdb_write_buffer_manager_t* manager) {
  End(manager);
}

bool rocksdb_write_buffer_manager_enabled(
    rocksdb_write_buffer_manager_t* manager) {
  return manager->rep->enabled();
}

bool rocksdb_write_buffer_manager_cost_to_cache(
    rocksdb_write_buffer_manager_t* manager) {
  return manager->rep->cost_to_cache();
}

size_t rocksdb_write_buffer_manager_memory_usage(
    rocksdb_write_buffer_manager_t* manager) {
  return manager->rep->memory_usage();
}

size_t rocksdb_write_buffer_manager_mutable_memtable_memory_usage(
    rocksdb_write_buffer_manager_t* manager) {
  return manager->rep->mutable_memtable_memory_usage();
}

size_t rocksdb_write_buffer_manager_dummy_entries_in_cache_usage(
    rocksdb_write_buffer_manager_t* manager) {
  return manager->rep->dummy_entries_in_cache_usage();
}

size_t rocksdb_write_buffer_manager_buffer_size(
    rocksdb_write_buffer_manager_t* manager) {
  return manager->rep->buffer_size();
}

void rocksdb_write_buffer_manager_set_buffer_size(
    rocksdb_write_buffer_manager_t* manager, size_t new_size) {
  manager->rep->SetBufferSize(new_size);
}

void rocksdb_write_buffer_manager_set_allow_stall(
    rocksdb_write_buffer_manager_t* manager, bool new_allow_stall) {
  manager->rep->SetAllowStall(new_allow_stall);
}

// Bytes a second for flushes and compactions, handed out each refill period.
rocksdb_ratelimiter_t* rocksdb_ratelimiter_create(int64_t rate_bytes_per_sec,
                                                  int64_t refill_period_us,
                                                  int32_t fairness) {
  auto* result = Own<rocksdb_ratelimiter_t>();
  result->rep.reset(
      NewGenericRateLimiter(rate_bytes_per_sec, refill_period_us, fairness));
  return result;
}

rocksdb_ratelimiter_t* rocksdb_ratelimiter_create_auto_tuned(
    int64_t rate_bytes_per_sec, int64_t refill_period_us, int32_t fairness) {
  auto* result = Own<rocksdb_ratelimiter_t>();
  result->rep.reset(NewGenericRateLimiter(rate_bytes_per_sec, refill_period_us,
                                          fairness,
                                          RateLimiter::Mode::kWritesOnly,
                                          /*auto_tuned=*/true));
  return result;
}

// `mode`: 0 limits reads, 1 writes, 2 both.
rocksdb_ratelimiter_t* rocksdb_ratelimiter_create_with_mode(
    int64_t rate_bytes_per_sec, int64_t refill_period_us, int32_t fairness,
    int mode, bool auto_tuned) {
  auto* result = Own<rocksdb_ratelimiter_t>();
  result->rep.reset(
      NewGenericRateLimiter(rate_bytes_per_sec, refill_period_us, fairness,
                            static_cast<RateLimiter::Mode>(mode), auto_tuned));
  return result;
}

void rocksdb_ratelimiter_destroy(rocksdb_ratelimiter_t* limiter) {
  End(limiter);
}

// The databases and caches whose memory
// rocksdb_approximate_memory_usage_create() adds up.
rocksdb_memory_consumers_t* rocksdb_memory_consumers_create(void) {
  return Own<rocksdb_memory_consumers_t>();
}

void rocksdb_memory_consumers_add_db(rocksdb_memory_consumers_t* consumers,
                                     rocksdb_t* db) {
  consumers->databases.push_back(db->rep);
}

void rocksdb_memory_consumers_add_cache(rocksdb_memory_consumers_t* consumers,
                                        rocksdb_cache_t* cache) {
  consumers->caches.insert(cache->rep);
}

void rocksdb_memory_consumers_destroy(rocksdb_memory_consumers_t* consumers) {
  End(consumers);
}

rocksdb_memory_usage_t* rocksdb_approximate_memory_usage_create(
    rocksdb_memory_consumers_t* consumers, char** errptr) {
  if (IsNull(consumers, "consumers", errptr)) return nullptr;
  auto usage = std::make_unique<rocksdb_memory_usage_t>();
  for (DB* db : consumers->databases) {
    if (Fails(AddDatabase(db, usage.get()), errptr)) return nullptr;
  }
  for (const auto& cache : consumers->caches) {
    usage->cache_total += cache->GetUsage();
  }
  return usage.release();
}

void rocksdb_approximate_memory_usage_destroy(rocksdb_memory_usage_t* usage) {
  End(usage);
}

uint64_t rocksdb_approximate_memory_usage_get_mem_table_total(
    rocksdb_memory_usage_t* usage) {
  return usage->mem_table_total;
}

uint64_t rocksdb_approximate_memory_usage_get_mem_table_unflushed(
    rocksdb_memory_usage_t* usage) {
  return usage->mem_table_unflushed;
}

// The memory of open tables.
uint64_t rocksdb_approximate_memory_usage_get_mem_table_readers_total(
    rocksdb_memory_usage_t* usage) {
  return usage->mem_table_readers_total;
}

uint64_t rocksdb_approximate_memory_usage_get_cache_total(
    rocksdb_memory_usage_t* usage) {
  return usage->cache_total;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
