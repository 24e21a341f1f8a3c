#include "cache/lru_cache.h"

#include <cassert>
#include <utility>

#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMinShardBytes = 512 << 10;
constexpr int kMaxAutomaticShardBits = 6;

int ShardBits(const LRUCacheOptions& options) {
  if (options.num_shard_bits >= 0) return options.num_shard_bits;
  int bits = 0;
  while (bits < kMaxAutomaticShardBits &&
         (options.capacity >> (bits + 1)) >= kMinShardBytes) {
    ++bits;
  }
  return bits;
}

size_t PartOf(size_t capacity, size_t shards) {
  return capacity / shards + (capacity % shards != 0);
}

}  // namespace

Status ValidateLruOptions(const LRUCacheOptions& options) {
  const double high = options.high_pri_pool_ratio;
  const double low = options.low_pri_pool_ratio;
  if (Status s = ValidateSharding(options); !s.ok()) return s;
  // Negated, so that a NaN is out of range too.
  if (!(high >= 0.0 && high <= 1.0)) {
    return Status::InvalidArgument("high_pri_pool_ratio",
                                   std::to_string(high) + " is not in [0, 1]");
  }
  if (!(low >= 0.0 && low + high <= 1.0)) {
    return Status::InvalidArgument(
        "low_pri_pool_ratio",
        std::to_string(low) + " is negative, or exceeds 1 with the high one");
  }
  return Status::OK();
}

LruCache::LruCache(const LRUCacheOptions& options,
                   std::shared_ptr<EvictionListener> listener)
    : EntryCache(options.memory_allocator, options.hash_seed,
                 std::move(listener)),
      options_(options),
      shard_mask_((size_t{1} << ShardBits(options)) - 1),
      capacity_(options.capacity),
      is_strict_(options.strict_capacity_limit) {
  INVARIANT(ValidateLruOptions(options).ok());
}

LruCache::~LruCache() {
  std::unique_ptr<LruShard[]> last(shards_.load(std::memory_order_relaxed));
}

LruShard& LruCache::MakeShard(uint64_t hash) {
  LruShard* const shard = FindShard(hash);
  return shard != nullptr ? *shard : MakeShards()[hash & shard_mask_];
}

LruShard* LruCache::MakeShards() {
  MutexLock lock(&settings_mutex_);
  LruShard* const others = shards_.load(std::memory_order_relaxed);
  if (others != nullptr) return others;
  LruShardOptions shard;
  shard.capacity = PartOf(capacity_, shard_count());
  shard.is_strict = is_strict_;
  shard.high_pool_ratio = options_.high_pri_pool_ratio;
  shard.low_pool_ratio = options_.low_pri_pool_ratio;
  shard.spins = options_.use_adaptive_mutex;
  shard.charge_policy = options_.metadata_charge_policy;
  shard.allocator = memory_allocator();
  shard.listener = listener_.get();
  shard.eviction_callback = &eviction_callback_;
  auto made = std::make_unique<LruShard[]>(shard_count());
  for (size_t i = 0; i < shard_count(); ++i) made[i].Start(shard);
  shards_.store(made.get(), std::memory_order_release);
  return made.release();
}

template <class Action>
void LruCache::ForEachShard(const Action& action) const {
  LruShard* const first = FindShard(0);
  if (first == nullptr) return;
  for (size_t i = 0; i < shard_count(); ++i) action(&first[i]);
}

Status LruCache::Insert(const Slice& key, ObjectPtr obj,
                        const CacheItemHelper* helper, size_t charge,
                        Handle** handle, Priority priority, const Slice&,
                        CompressionType) {
  assert(helper != nullptr);
  const LruInsertion item{key, hash_(key), obj, helper, charge, priority};
  LruShard& shard = MakeShard(item.hash);
  if (handle == nullptr) return shard.Insert(item, nullptr);
  LruEntry* entry = nullptr;
  Status s = shard.Insert(item, &entry);
  *handle = entry;
  return s;
}

Cache::Handle* LruCache::CreateStandalone(const Slice& key, ObjectPtr obj,
                                          const CacheItemHelper* helper,
                                          size_t charge, bool allow_uncharged) {
  const LruInsertion item{key, hash_(key), obj, helper, charge, Priority::LOW};
  return MakeShard(item.hash).CreateStandalone(item, allow_uncharged);
}

Cache::Handle* LruCache::Lookup(const Slice& key, const CacheItemHelper*,
                                CreateContext*, Priority, Statistics*) {
  const uint64_t hash = hash_(key);
  LruShard* const shard = FindShard(hash);
  return shard == nullptr ? nullptr : shard->Lookup(hash, key);
}

bool LruCache::Ref(Handle* handle) {
  LruEntry* entry = EntryOf(handle);
  ShardOf(entry).Ref(entry);
  return true;
}

bool LruCache::Release(Handle* handle, bool erase_if_last_ref) {
  LruEntry* entry = EntryOf(handle);
  return ShardOf(entry).Release(entry, erase_if_last_ref);
}

void LruCache::Erase(const Slice& key) {
  const uint64_t hash = hash_(key);
  LruShard* const shard = FindShard(hash);
  if (shard != nullptr) shard->Erase(hash, key);
}

void LruCache::SetCapacity(size_t capacity) {
  MutexLock lock(&settings_mutex_);
  capacity_ = capacity;
  const size_t part = PartOf(capacity, shard_count());
  ForEachShard([part](LruShard* shard) { shard->SetCapacity(part); });
}

void LruCache::SetStrictCapacityLimit(bool strict_capacity_limit) {
  MutexLock lock(&settings_mutex_);
  is_strict_ = strict_capacity_limit;
  ForEachShard([strict_capacity_limit](LruShard* shard) {
    shard->SetStrict(strict_capacity_limit);
  });
}

bool LruCache::HasStrictCapacityLimit() const {
  MutexLock lock(&settings_mutex_);
  return is_strict_;
}

size_t LruCache::GetCapacity() const {
  MutexLock lock(&settings_mutex_);
  return capacity_;
}

size_t LruCache::Sum(size_t (LruShard::*figure)() const) const {
  size_t sum = 0;
  ForEachShard([&](LruShard* shard) { sum += (shard->*figure)(); });
  return sum;
}

size_t LruCache::GetOccupancyCount() const {
  return Sum(&LruShard::EntryCount);
}

size_t LruCache::GetTableAddressCount() const {
  if (FindShard(0) == nullptr) {
    return shard_count() * LruTable::kFirstSlotCount;
  }
  return Sum(&LruShard::SlotCount);
}

size_t LruCache::GetUsage() const { return Sum(&LruShard::usage); }

size_t LruCache::GetPinnedUsage() const { return Sum(&LruShard::PinnedUsage); }

void LruCache::ApplyToAllEntries(const EntryCallback& callback,
                                 const ApplyToAllEntriesOptions& opts) {
  const auto visit = [&callback](const LruEntry& entry) {
    Tell(entry, callback);
  };
  ForEachShard([&](LruShard* shard) {
    shard->ForEach(visit, opts.average_entries_per_lock);
  });
}

void LruCache::EraseUnRefEntries() {
  ForEachShard([](LruShard* shard) { shard->EraseUnreferenced(); });
}

void LruCache::DisownData() {
  ForEachShard([](LruShard* shard) { shard->Disown(); });
}

std::string LruCache::GetPrintableOptions() const {
  int bits = 0;
  while ((size_t{1} << bits) < shard_count()) ++bits;
  return StringPrintf(
      "    capacity : %zu\n"
      "    num_shard_bits : %d\n"
      "    strict_capacity_limit : %d\n"
      "    memory_allocator : %s\n"
      "    high_pri_pool_ratio: %.3f\n"
      "    low_pri_pool_ratio: %.3f\n",
      GetCapacity(), bits, HasStrictCapacityLimit() ? 1 : 0,
      memory_allocator() != nullptr ? memory_allocator()->Name() : "None",
      options_.high_pri_pool_ratio, options_.low_pri_pool_ratio);
}

}  // namespace ROCKSDB_NAMESPACE
