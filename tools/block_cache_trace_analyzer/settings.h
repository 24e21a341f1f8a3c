// What block_cache_trace_analyzer was asked for on its command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/common/flags.h"

namespace tools {

// A cache to be simulated, at several capacities.
struct SimulatedCacheConfig {
  std::string name;
  uint64_t shard_bits = 0;
  uint64_t ghost_capacity = 0;
  std::vector<uint64_t> capacities;
};

// A result by groups of accesses: "" is one that was not asked for.
struct GroupedResult {
  std::string labels;   // such as "block,cf_level"
  std::string buckets;  // such as "1,10,100"
};

struct BlockCacheAnalyzerSettings {
  std::string trace_path;
  bool is_text = false;
  std::string text_path;
  std::string sim_config_path;
  std::string result_dir;
  uint64_t downsample_ratio = 1;
  uint64_t warmup_seconds = 0;
  bool mrc_only = false;
  bool print_block_sizes = false;
  bool print_access_counts = false;
  bool print_data_access_counts = false;
  uint64_t bottom_blocks = 0;
  uint64_t top_blocks = 0;
  std::string timeline_labels;
  GroupedResult reuse_distance;
  GroupedResult reuse_interval;
  GroupedResult reuse_lifetime;
  GroupedResult skew;
  std::string callers;
  std::string access_count_buckets;
  uint64_t reuse_window = 0;  // seconds; 0: not asked for
  GroupedResult spatial_locality;
  std::string correlation_labels;
  uint64_t correlation_values = 1'000'000;

  void AddTo(Flags* flags);
  // "" or what is wrong; reads the caches to be simulated.
  std::string Check();
  // Is a file of results asked for?
  bool Writes() const;

  std::vector<SimulatedCacheConfig> caches;
};

// The parts of `text` between commas, without those that are empty.
std::vector<std::string> SplitAtCommas(const std::string& text);
// Parses numbers between commas and sorts them. False: there is none, or one of
// them is no number.
bool ParseBuckets(const std::string& text, std::vector<uint64_t>* buckets);
// Parses a line such as "ghost_lru,1,8M,1G,10G": cache, shard bits, ghost
// capacity, capacities. Returns "" or what is wrong.
std::string ParseSimulatedCache(const std::string& line,
                                SimulatedCacheConfig* config);

}  // namespace tools
