#include "tools/block_cache_trace_analyzer/simulation.h"

#include <algorithm>

namespace tools {

namespace {

constexpr char kGhost[] = "ghost_";
constexpr char kHybrid[] = "lru_hybrid";
constexpr char kHybridWithoutBlocks[] = "lru_hybrid_no_insert_on_row_miss";

// Rows share the cache with blocks, whose numbers are small.
constexpr uint64_t kRowMark = uint64_t{1} << 63;

std::string WithoutGhost(const std::string& name) {
  return name.starts_with(kGhost) ? name.substr(sizeof kGhost - 1) : name;
}

// 0: no look-up of one key.
uint64_t RowOf(const BlockAccessText& access) {
  const bool is_lookup = access.caller == ROCKSDB_NAMESPACE::kUserGet ||
                         access.caller == ROCKSDB_NAMESPACE::kUserMultiGet;
  if (!is_lookup || access.lookup == 0 || access.key == 0) return 0;
  // Keys of families are numbered together.
  return kRowMark | (access.family << 40) | access.key;
}

// Neighbours in the order of their first access are apart.
uint64_t Spread(uint64_t block) { return block * 0x9E3779B97F4A7C15u >> 32; }

}  // namespace

SimulatedCache::SimulatedCache(const SimulatedCacheConfig& config,
                               uint64_t capacity)
    : has_priority_(config.name.ends_with("lru_priority")),
      has_ghost_(config.name.starts_with(kGhost)),
      rows_(RowsOf(config.name)),
      shard_mask_((uint64_t{1} << config.shard_bits) - 1),
      shard_capacity_(capacity >> config.shard_bits),
      ghost_capacity_(config.ghost_capacity >> config.shard_bits),
      shards_(shard_mask_ + 1),
      ghosts_(has_ghost_ ? shard_mask_ + 1 : 0) {}

SimulatedCache::Rows SimulatedCache::RowsOf(const std::string& name) {
  const std::string kind = WithoutGhost(name);
  if (kind == kHybrid) return Rows::kBesideBlocks;
  if (kind == kHybridWithoutBlocks) return Rows::kInsteadOfBlocks;
  return Rows::kNone;
}

bool SimulatedCache::IsKnown(const std::string& name) {
  const std::string kind = WithoutGhost(name);
  for (const char* known :
       {"lru", "lru_priority", kHybrid, kHybridWithoutBlocks}) {
    if (kind == known) return true;
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

void SimulatedCache::Admit(const Entry& entry, uint64_t key_bytes) {
  if (has_ghost_) {
    Shard* const ghost = ShardOf(entry.block, &ghosts_);
    if (!ghost->Use(entry.block)) {
      ghost->Add({.block = entry.block,
                  .bytes = std::max<uint64_t>(key_bytes, 1),
                  .is_high = false},
                 ghost_capacity_);
      return;
    }
  }
  ShardOf(entry.block, &shards_)->Add(entry, shard_capacity_);
}

bool SimulatedCache::AccessBlock(const BlockAccessText& access, bool inserts) {
  if (ShardOf(access.block, &shards_)->Use(access.block)) return true;
  if (!inserts || access.no_insert || access.block_bytes == 0) return false;
  const bool is_metadata =
      access.type != ROCKSDB_NAMESPACE::kBlockTraceDataBlock;
  Admit({.block = access.block,
         .bytes = access.block_bytes,
         .is_high = has_priority_ && is_metadata},
        access.block_key_bytes);
  return false;
}

bool SimulatedCache::FindsRow(const BlockAccessText& access, uint64_t row) {
  const auto [found, is_first] = has_row_.emplace(access.lookup, false);
  if (is_first) found->second = ShardOf(row, &shards_)->Use(row);
  return found->second;
}

bool SimulatedCache::Access(const BlockAccessText& access) {
  const uint64_t row = rows_ == Rows::kNone ? 0 : RowOf(access);
  if (row == 0) return AccessBlock(access, /*inserts=*/true);
  if (FindsRow(access, row)) return true;
  const bool is_hit = AccessBlock(access, rows_ == Rows::kBesideBlocks);
  const bool has_value =
      access.type == ROCKSDB_NAMESPACE::kBlockTraceDataBlock &&
      access.is_key_found;
  if (has_value && !ShardOf(row, &shards_)->Use(row)) {
    Admit({.block = row,
           .bytes = access.key_bytes + access.found_bytes,
           .is_high = false},
          access.key_bytes);
  }
  return is_hit;
}

std::vector<SimulatedMisses> Simulate(
    const std::vector<BlockAccessText>& accesses,
    const BlockCacheAnalyzerSettings& settings) {
  std::vector<SimulatedMisses> results;
  const uint64_t warm = SpanOf(accesses).first_micros +
                        settings.warmup_seconds * kMicrosPerSecond;
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
