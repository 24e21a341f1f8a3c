#include "tools/block_cache_trace_analyzer/simulation.h"

#include <algorithm>

namespace tools {

namespace {

// Neighbours in the order of their first access are apart.
uint64_t Spread(uint64_t block) { return block * 0x9E3779B97F4A7C15u >> 32; }

}  // namespace

SimulatedCache::SimulatedCache(const SimulatedCacheConfig& config,
                               uint64_t capacity)
    : has_priority_(config.name.ends_with("lru_priority")),
      has_ghost_(config.name.starts_with("ghost_")),
      shard_mask_((uint64_t{1} << config.shard_bits) - 1),
      shard_capacity_(capacity >> config.shard_bits),
      ghost_capacity_(config.ghost_capacity >> config.shard_bits),
      shards_(shard_mask_ + 1),
      ghosts_(has_ghost_ ? shard_mask_ + 1 : 0) {}

bool SimulatedCache::IsKnown(const std::string& name) {
  for (const char* known :
       {"lru", "lru_priority", "ghost_lru", "ghost_lru_priority"}) {
    if (name == known) return true;
  }
  return false;
}

SimulatedCache::Shard* SimulatedCache::ShardOf(
    uint64_t block, std::vector<Shard>* shards) const {
  return &(*shards)[Spread(block) & shard_mask_];
}

bool SimulatedCache::Shard::Use(uint64_t block) {
  const auto found = places.find(block);
  if (found == places.end()) return false;
  std::list<Entry>& list = *found->second.list;
  list.splice(list.begin(), list, found->second.entry);
  return true;
}

void SimulatedCache::Shard::Add(const Entry& entry, uint64_t capacity) {
  if (entry.bytes > capacity) return;
  while (bytes + entry.bytes > capacity) {
    std::list<Entry>& victims = low.empty() ? high : low;
    bytes -= victims.back().bytes;
    places.erase(victims.back().block);
    victims.pop_back();
  }
  std::list<Entry>& list = entry.is_high ? high : low;
  list.push_front(entry);
  places[entry.block] = {&list, list.begin()};
  bytes += entry.bytes;
}

bool SimulatedCache::Access(const BlockAccessText& access) {
  Shard* const shard = ShardOf(access.block, &shards_);
  if (shard->Use(access.block)) return true;
  if (access.no_insert || access.block_bytes == 0) return false;
  if (has_ghost_) {
    Shard* const ghost = ShardOf(access.block, &ghosts_);
    if (!ghost->Use(access.block)) {
      ghost->Add({.block = access.block,
                  .bytes = std::max<uint64_t>(access.block_key_bytes, 1),
                  .is_high = false},
                 ghost_capacity_);
      return false;
    }
  }
  const bool is_metadata =
      access.type != ROCKSDB_NAMESPACE::kBlockTraceDataBlock;
  shard->Add({.block = access.block,
              .bytes = access.block_bytes,
              .is_high = has_priority_ && is_metadata},
             shard_capacity_);
  return false;
}

std::vector<SimulatedMisses> Simulate(
    const std::vector<BlockAccessText>& accesses,
    const BlockCacheAnalyzerSettings& settings) {
  std::vector<SimulatedMisses> results;
  const uint64_t begin = accesses.empty() ? 0 : accesses.front().time_micros;
  const uint64_t warm = begin + settings.warmup_seconds * kMicrosPerSecond;
  for (const SimulatedCacheConfig& config : settings.caches) {
    for (const uint64_t capacity : config.capacities) {
      // What was sampled has that part of the cache.
      SimulatedCache cache(config, capacity / settings.downsample_ratio);
      SimulatedMisses result;
      result.config = &config;
      result.capacity = capacity;
      for (const BlockAccessText& access : accesses) {
        const bool is_hit = cache.Access(access);
        const uint64_t second = access.time_micros / kMicrosPerSecond;
        ++result.accesses_by_second[second];
        if (!is_hit) ++result.misses_by_second[second];
        if (access.time_micros < warm) continue;
        ++result.accesses;
        if (!is_hit) ++result.misses;
      }
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace tools
