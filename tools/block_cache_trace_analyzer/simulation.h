// Simulated block caches: how often they would have missed.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/block_cache_trace_analyzer/access.h"
#include "tools/block_cache_trace_analyzer/settings.h"

namespace tools {

// Evicts what was not used for longest. With priority, index and filter blocks
// stay as long as there are data blocks. With a ghost cache, a block is let in
// at its second access within what a cache of keys remembers.
//
// A hybrid cache keeps rows, too, which are what a look-up found: one whose row
// is there asks for no block. Blocks of other look-ups go in as in any cache,
// or (no_insert_on_row_miss) their row alone.
//
// Threads  Confined to one thread.
class SimulatedCache {
 public:
  SimulatedCache(const SimulatedCacheConfig& config, uint64_t capacity);

  static bool IsKnown(const std::string& name);

  // True: it was there, or a row made it needless.
  bool Access(const BlockAccessText& access);

 private:
  enum class Rows : uint8_t { kNone, kBesideBlocks, kInsteadOfBlocks };

  struct Entry {
    uint64_t block = 0;
    uint64_t bytes = 0;
    bool is_high = false;
  };
  struct Place {
    std::list<Entry>* list = nullptr;
    std::list<Entry>::iterator entry;
  };
  // Blocks by their last use, the last one first.
  struct Shard {
    std::list<Entry> low;
    std::list<Entry> high;
    std::unordered_map<uint64_t, Place> places;
    uint64_t bytes = 0;

    bool Use(uint64_t block);
    void Add(const Entry& entry, uint64_t capacity);
  };

  static Rows RowsOf(const std::string& name);
  Shard* ShardOf(uint64_t block, std::vector<Shard>* shards) const;
  // Does the look-up of this access find its row?
  bool FindsRow(const BlockAccessText& access, uint64_t row);
  bool AccessBlock(const BlockAccessText& access, bool inserts);
  // A block or a row that was missed: it goes in, unless a ghost is asked first
  // and has not met it.
  void Admit(const Entry& entry, uint64_t key_bytes);

  const bool has_priority_;
  const bool has_ghost_;
  const Rows rows_;
  const uint64_t shard_mask_;
  const uint64_t shard_capacity_;
  const uint64_t ghost_capacity_;
  std::vector<Shard> shards_;
  std::vector<Shard> ghosts_;
  // What look-ups found at their first access: one may go on, as there are
  // several files, while others begin.
  std::unordered_map<uint64_t, bool> has_row_;
};

// What one cache of one capacity has missed.
struct SimulatedMisses {
  const SimulatedCacheConfig* config = nullptr;
  uint64_t capacity = 0;
  uint64_t accesses = 0;  // behind the warm-up
  uint64_t misses = 0;
  // All by the second.
  std::map<uint64_t, uint64_t> accesses_by_second;
  std::map<uint64_t, uint64_t> misses_by_second;

  double ratio() const {
    return accesses == 0 ? 0
                         : 100.0 * static_cast<double>(misses) /
                               static_cast<double>(accesses);
  }
};

std::vector<SimulatedMisses> Simulate(
    const std::vector<BlockAccessText>& accesses,
    const BlockCacheAnalyzerSettings& settings);

}  // namespace tools
