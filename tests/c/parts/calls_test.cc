// Calls that only pass something on: to the object behind the handle, which
// here takes note.

#include <memory>
#include <string>
#include <unordered_map>

#include "c/compaction_filters.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/sst_file_manager.h"
#include "tests/c/info_fields.h"

using namespace ROCKSDB_NAMESPACE;         // NOLINT
using namespace ROCKSDB_NAMESPACE::c_api;  // NOLINT

namespace {

class NotingCache : public CacheWrapper {
 public:
  NotingCache() : CacheWrapper(NewLRUCache(1 << 20)) {}
  const char* Name() const override { return "NotingCache"; }
  void DisownData() override { ++disowned; }
  int disowned = 0;
};

void TestCacheCalls() {
  auto cache = std::make_shared<NotingCache>();
  auto* handle = Own<rocksdb_cache_t>();
  handle->rep = cache;
  rocksdb_cache_disown_data(handle);
  CHECK(cache->disowned == 1);
  rocksdb_cache_destroy(handle);
  CHECK(cache.use_count() == 1);
}

class PlainAllocator : public MemoryAllocator {
 public:
  const char* Name() const override { return "PlainAllocator"; }
  void* Allocate(size_t size) override { return malloc(size); }
  void Deallocate(void* p) override { free(p); }
};

void TestAllocators() {
  auto* handle = Own<rocksdb_memory_allocator_t>();
  handle->rep = std::make_shared<PlainAllocator>();
  const std::weak_ptr<MemoryAllocator> last = handle->rep;
  auto* lru = rocksdb_lru_cache_options_create();
  rocksdb_lru_cache_options_set_memory_allocator(lru, handle);
  CHECK(lru->rep.memory_allocator == handle->rep);
  auto* clock = rocksdb_hyper_clock_cache_options_create(1 << 20, 0);
  rocksdb_hyper_clock_cache_options_set_memory_allocator(clock, handle);
  CHECK(clock->rep.memory_allocator == handle->rep);
  rocksdb_lru_cache_options_set_num_shard_bits(lru, 3);
  CHECK(lru->rep.num_shard_bits == 3);
  rocksdb_hyper_clock_cache_options_set_num_shard_bits(clock, 4);
  CHECK(clock->rep.num_shard_bits == 4);
  rocksdb_hyper_clock_cache_options_set_estimated_entry_charge(clock, 55);
  CHECK(clock->rep.estimated_entry_charge == 55);
  rocksdb_memory_allocator_destroy(handle);
  rocksdb_lru_cache_options_destroy(lru);
  rocksdb_hyper_clock_cache_options_destroy(clock);
  CHECK(last.expired());
}

void TestStalls() {
  auto* manager = rocksdb_write_buffer_manager_create(1000, false);
  manager->rep->ReserveMem(2000);
  CHECK(!manager->rep->ShouldStall());
  rocksdb_write_buffer_manager_set_allow_stall(manager, true);
  CHECK(manager->rep->ShouldStall());
  manager->rep->FreeMem(2000);
  rocksdb_write_buffer_manager_destroy(manager);
}

class NotingEnv : public EnvWrapper {
 public:
  NotingEnv() : EnvWrapper(Env::Default()) {}
  void WaitForJoin() override { notes += "join "; }
  void LowerThreadPoolIOPriority(Priority pool) override {
    notes += pool == HIGH ? "high-io " : "low-io ";
  }
  void LowerThreadPoolCPUPriority(Priority pool) override {
    notes += pool == HIGH ? "high-cpu " : "low-cpu ";
  }
  std::string notes;
};

void TestEnvCalls() {
  NotingEnv env;
  rocksdb_env_t handle;
  handle.rep = &env;
  rocksdb_env_join_all_threads(&handle);
  CHECK(env.notes == "join ");
  rocksdb_env_lower_thread_pool_io_priority(&handle);
  CHECK(env.notes == "join low-io ");
  rocksdb_env_lower_high_priority_thread_pool_io_priority(&handle);
  CHECK(env.notes == "join low-io high-io ");
  rocksdb_env_lower_thread_pool_cpu_priority(&handle);
  CHECK(env.notes == "join low-io high-io low-cpu ");
  rocksdb_env_lower_high_priority_thread_pool_cpu_priority(&handle);
  CHECK(env.notes == "join low-io high-io low-cpu high-cpu ");
}

const char* Name(void*) { return "test.Keep"; }

void TestFilterCalls() {
  auto* filter =
      rocksdb_compactionfilter_create(nullptr, nullptr, nullptr, Name);
  rocksdb_compactionfilter_set_ignore_snapshots(filter, 0);
  CHECK(!filter->rep->IgnoreSnapshots());
  rocksdb_compactionfilter_set_ignore_snapshots(filter, 1);
  CHECK(filter->rep->IgnoreSnapshots());
  rocksdb_compactionfilter_destroy(filter);
  for (auto* create : {rocksdb_filterpolicy_create_bloom,
                       rocksdb_filterpolicy_create_bloom_full}) {
    auto* policy = create(10);
    CHECK(policy->rep->GetId() == "bloomfilter:10:false");
    rocksdb_filterpolicy_destroy(policy);
  }
  auto* ribbon = rocksdb_filterpolicy_create_ribbon(10);
  CHECK(ribbon->rep->GetId() == "ribbonfilter:10:-1");
  rocksdb_filterpolicy_destroy(ribbon);
  auto* hybrid = rocksdb_filterpolicy_create_ribbon_hybrid(10, 2);
  CHECK(hybrid->rep->GetId() == "ribbonfilter:10:2");
  rocksdb_filterpolicy_destroy(hybrid);
}

int filter_calls = 0;
int filter_ends = 0;
unsigned char KeepTable(void* state, const rocksdb_table_properties_t* p) {
  ++filter_calls;
  CHECK(state == &filter_calls);
  return rocksdb_table_properties_num_entries(p) > 3 ? 1 : 0;
}
void EndFilter(void* state) {
  CHECK(state == &filter_calls);
  ++filter_ends;
}

void TestTableFilter() {
  auto* options = rocksdb_readoptions_create();
  rocksdb_readoptions_set_table_filter(options, &filter_calls, EndFilter,
                                       KeepTable);
  CHECK(rocksdb_readoptions_has_table_filter(options) == 1);
  TableProperties properties;
  CHECK(!options->table_filter(properties));
  properties.num_entries = 4;
  CHECK(options->table_filter(properties));
  CHECK(filter_calls == 2 && filter_ends == 0);
  rocksdb_readoptions_clear_table_filter(options);
  CHECK(filter_ends == 1);
  CHECK(rocksdb_readoptions_has_table_filter(options) == 0);
  rocksdb_readoptions_set_table_filter(options, &filter_calls, EndFilter,
                                       nullptr);
  CHECK(filter_ends == 2);
  CHECK(rocksdb_readoptions_has_table_filter(options) == 0);
  rocksdb_readoptions_destroy(options);
  CHECK(filter_ends == 2);
}

void OnTimedPut(void* state, const char* key, size_t key_size,
                const char* value, size_t value_size) {
  ++*static_cast<int*>(state);
  CHECK(Same(key, key_size, "timed") && Same(value, value_size, "v"));
}

// C has no call that makes one, but a log may hold it.
void TestTimedPuts() {
  int puts = 0;
  auto* batch = rocksdb_writebatch_create();
  CHECK(batch->rep.TimedPut(nullptr, "timed", "v", 1234).ok());
  rocksdb_writebatch_iterate(batch, &puts, OnTimedPut, nullptr);
  CHECK(puts == 1);
  rocksdb_writebatch_destroy(batch);
}

class NotingManager : public SstFileManager {
 public:
  void SetMaxAllowedSpaceUsage(uint64_t size) override { allowed = size; }
  void SetCompactionBufferSize(uint64_t size) override { buffer = size; }
  bool IsMaxAllowedSpaceReached() override { return true; }
  bool IsMaxAllowedSpaceReachedIncludingCompactions() override { return true; }
  uint64_t GetTotalSize() override { return 11; }
  std::unordered_map<std::string, uint64_t> GetTrackedFiles() override {
    return {};
  }
  int64_t GetDeleteRateBytesPerSecond() override { return rate; }
  void SetDeleteRateBytesPerSecond(int64_t r) override { rate = r; }
  double GetMaxTrashDBRatio() override { return ratio; }
  void SetMaxTrashDBRatio(double r) override { ratio = r; }
  uint64_t GetTotalTrashSize() override { return 22; }
  void SetStatisticsPtr(const std::shared_ptr<Statistics>&) override {}

  uint64_t allowed = 0;
  uint64_t buffer = 0;
  int64_t rate = 0;
  double ratio = 0;
};

void TestFileManager() {
  auto noting = std::make_shared<NotingManager>();
  rocksdb_sst_file_manager_t handle;
  handle.rep = noting;
  rocksdb_sst_file_manager_set_max_allowed_space_usage(&handle, 33);
  CHECK(noting->allowed == 33);
  rocksdb_sst_file_manager_set_compaction_buffer_size(&handle, 44);
  CHECK(noting->buffer == 44);
  CHECK(rocksdb_sst_file_manager_is_max_allowed_space_reached(&handle));
  CHECK(
      rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
          &handle));
  CHECK(rocksdb_sst_file_manager_get_total_size(&handle) == 11);
  CHECK(rocksdb_sst_file_manager_get_total_trash_size(&handle) == 22);
  rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(&handle, 55);
  CHECK(rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(&handle) ==
        55);
  rocksdb_sst_file_manager_set_max_trash_db_ratio(&handle, 0.75);
  CHECK(rocksdb_sst_file_manager_get_max_trash_db_ratio(&handle) == 0.75);
}

}  // namespace

void TestCalls() {
  TestCacheCalls();
  TestAllocators();
  TestStalls();
  TestEnvCalls();
  TestFilterCalls();
  TestTableFilter();
  TestTimedPuts();
  TestFileManager();
}
