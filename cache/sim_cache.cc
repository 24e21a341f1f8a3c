#include "rocksdb/utilities/sim_cache.h"

#include <atomic>
#include <utility>

#include "cache/activity_log.h"
#include "monitoring/statistics_impl.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class SimCacheImpl final : public SimCache {
 public:
  SimCacheImpl(std::shared_ptr<Cache> simulated, std::shared_ptr<Cache> cache)
      : SimCache(std::move(cache)), simulated_(std::move(simulated)) {}

  const char* Name() const override { return "SimCache"; }

  Status Insert(const Slice& key, ObjectPtr value,
                const CacheItemHelper* helper, size_t charge, Handle** handle,
                Priority priority, const Slice& compressed,
                CompressionType type) override {
    Handle* const known = simulated_->Lookup(key);
    if (known != nullptr) {
      simulated_->Release(known);
    } else {
      // Without a handle it is OK, or there is no room for it: a miss to come.
      simulated_->Insert(key, nullptr, &kNoopCacheItemHelper, charge)
          .PermitUncheckedError();
    }
    log_.NoteInsertion(key, charge);
    return target_->Insert(key, value, helper, charge, handle, priority,
                           compressed, type);
  }

  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override {
    Handle* const known = simulated_->Lookup(key);
    if (known != nullptr) {
      simulated_->Release(known);
      hits_.fetch_add(1, std::memory_order_relaxed);
      RecordTick(stats, SIM_BLOCK_CACHE_HIT);
    } else {
      misses_.fetch_add(1, std::memory_order_relaxed);
      RecordTick(stats, SIM_BLOCK_CACHE_MISS);
    }
    log_.NoteLookup(key);
    return target_->Lookup(key, helper, create_context, priority, stats);
  }

  void Erase(const Slice& key) override {
    simulated_->Erase(key);
    target_->Erase(key);
  }
  void EraseUnRefEntries() override {
    simulated_->EraseUnRefEntries();
    target_->EraseUnRefEntries();
  }

  size_t GetSimCapacity() const override { return simulated_->GetCapacity(); }
  size_t GetSimUsage() const override { return simulated_->GetUsage(); }
  void SetSimCapacity(size_t capacity) override {
    simulated_->SetCapacity(capacity);
  }

  uint64_t get_miss_counter() const override {
    return misses_.load(std::memory_order_relaxed);
  }
  uint64_t get_hit_counter() const override {
    return hits_.load(std::memory_order_relaxed);
  }
  void reset_counter() override {
    misses_.store(0, std::memory_order_relaxed);
    hits_.store(0, std::memory_order_relaxed);
  }
  std::string ToString() const override {
    const uint64_t misses = get_miss_counter();
    const uint64_t hits = get_hit_counter();
    const uint64_t lookups = misses + hits;
    const double rate = lookups == 0 ? 0
                                     : static_cast<double>(hits) * 100 /
                                           static_cast<double>(lookups);
    return "SimCache MISSes:  " + std::to_string(misses) +
           "\nSimCache HITs:    " + std::to_string(hits) +
           StringPrintf("\nSimCache HITRATE: %.2f\n", rate);
  }
  std::string GetPrintableOptions() const override {
    return "    sim_capacity : " + std::to_string(GetSimCapacity()) + "\n" +
           target_->GetPrintableOptions();
  }

  Status StartActivityLogging(const std::string& activity_log_file, Env* env,
                              uint64_t max_logging_size) override {
    return log_.Start(activity_log_file, env, max_logging_size);
  }
  void StopActivityLogging() override { log_.Stop(); }
  Status GetActivityLoggingStatus() override { return log_.status(); }

 private:
  const std::shared_ptr<Cache> simulated_;
  // Relaxed: figures that order nothing.
  std::atomic<uint64_t> misses_{0};
  std::atomic<uint64_t> hits_{0};
  ActivityLog log_;
};

}  // namespace

std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> cache,
                                      size_t sim_capacity, int num_shard_bits) {
  LRUCacheOptions options;
  options.capacity = sim_capacity;
  options.num_shard_bits = num_shard_bits;
  options.metadata_charge_policy = kDontChargeCacheMetadata;
  return NewSimCache(NewLRUCache(options), std::move(cache), num_shard_bits);
}

std::shared_ptr<SimCache> NewSimCache(std::shared_ptr<Cache> sim_cache,
                                      std::shared_ptr<Cache> cache,
                                      int num_shard_bits) {
  if (num_shard_bits >= 20 || sim_cache == nullptr || cache == nullptr) {
    return nullptr;
  }
  return std::make_shared<SimCacheImpl>(std::move(sim_cache), std::move(cache));
}

}  // namespace ROCKSDB_NAMESPACE
