// The standard output of block_cache_trace_analyzer.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tools/block_cache_trace_analyzer/results.h"

namespace tools {

namespace {

using Counts = std::map<std::string, uint64_t>;

void PrintRule() {
  std::printf(
      "*****************************************************************"
      "\n");
}

void PrintShares(const char* what, const Counts& counts, uint64_t all) {
  std::printf("%s:", what);
  for (const auto& [name, count] : counts) {
    std::printf(" %s %" PRIu64 " (%.2f%%)", name.c_str(), count,
                PercentOf(count, all));
  }
  std::printf("\n");
}

// What the accesses of one family, or of all of them, come to.
struct Summary {
  std::set<uint64_t> files;
  std::map<std::string, std::set<uint64_t>> blocks_by_type;
  Counts by_type;
  Counts by_caller;
  std::map<std::string, Counts> levels;  // by the caller
  std::map<std::string, Counts> types;
  std::map<std::string, std::set<uint64_t>> caller_files;
  uint64_t accesses = 0;
  uint64_t misses = 0;

  void Add(const BlockAccessText& access) {
    const std::string type = NameOfBlockType(access.type);
    const std::string caller = NameOfCaller(access.caller);
    files.insert(access.file);
    blocks_by_type[type].insert(access.block);
    ++by_type[type];
    ++by_caller[caller];
    ++levels[caller]["level " + std::to_string(access.level)];
    ++types[caller][type];
    caller_files[caller].insert(access.file);
    ++accesses;
    if (!access.is_hit) ++misses;
  }

  void Print() const {
    Counts blocks;
    uint64_t block_count = 0;
    for (const auto& [type, ids] : blocks_by_type) {
      blocks[type] = ids.size();
      block_count += ids.size();
    }
    std::printf("Number of files: %zu Number of blocks: %" PRIu64
                " Number of accesses: %" PRIu64 " Misses: %" PRIu64
                " (%.2f%%)\n",
                files.size(), block_count, accesses, misses,
                PercentOf(misses, accesses));
    PrintShares("Blocks by type", blocks, block_count);
    PrintShares("Accesses by type", by_type, accesses);
    for (const auto& [caller, count] : by_caller) {
      std::printf("Caller %s: Number of accesses: %" PRIu64
                  " (%.2f%%) Number of files: %zu\n",
                  caller.c_str(), count, PercentOf(count, accesses),
                  caller_files.at(caller).size());
      PrintShares("  by level", levels.at(caller), count);
      PrintShares("  by block type", types.at(caller), count);
    }
  }
};

struct BlockUse {
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  TraceType type = ROCKSDB_NAMESPACE::kBlockTraceDataBlock;
  uint64_t file = 0;
};

std::map<uint64_t, BlockUse> BlockUses(const Accesses& accesses) {
  std::map<uint64_t, BlockUse> uses;
  for (const BlockAccessText& access : accesses) {
    BlockUse& use = uses[access.block];
    ++use.accesses;
    use.bytes = std::max(use.bytes, access.block_bytes);
    use.type = access.type;
    use.file = access.file;
  }
  return uses;
}

// Minimum, mean, percentiles and maximum.
void PrintDistribution(const char* what, std::vector<uint64_t> values) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  uint64_t sum = 0;
  for (const uint64_t value : values) sum += value;
  const auto at = [&values](size_t percent) {
    return values[std::min(values.size() - 1, values.size() * percent / 100)];
  };
  std::printf("%s: Count: %zu Average: %.2f Min: %" PRIu64 " Median: %" PRIu64
              " P95: %" PRIu64 " P99: %" PRIu64 " Max: %" PRIu64 "\n",
              what, values.size(),
              static_cast<double>(sum) / static_cast<double>(values.size()),
              values.front(), at(50), at(95), at(99), values.back());
}

void PrintOrdered(const char* what, const std::map<uint64_t, BlockUse>& uses,
                  uint64_t most, bool is_descending) {
  if (most == 0) return;
  std::vector<std::pair<uint64_t, BlockUse>> ordered(uses.begin(), uses.end());
  std::stable_sort(
      ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) {
        return is_descending ? a.second.accesses > b.second.accesses
                             : a.second.accesses < b.second.accesses;
      });
  std::printf("%s\n", what);
  for (size_t i = 0; i < std::min<uint64_t>(most, ordered.size()); ++i) {
    const auto& [block, use] = ordered[i];
    std::printf("Block: %" PRIu64 " File: %" PRIu64 " Type: %s Size: %" PRIu64
                " Access_count: %" PRIu64 "\n",
                block, use.file, NameOfBlockType(use.type), use.bytes,
                use.accesses);
  }
}

}  // namespace

void PrintSummary(const Accesses& accesses) {
  std::map<std::pair<uint64_t, std::string>, Summary> families;
  Summary all;
  for (const BlockAccessText& access : accesses) {
    families[{access.family, access.family_name}].Add(access);
    all.Add(access);
  }
  for (const auto& [family, summary] : families) {
    PrintRule();
    std::printf("Column family: %s id: %" PRIu64 "\n", family.second.c_str(),
                family.first);
    summary.Print();
  }
  PrintRule();
  std::printf("Overall: Number of column families: %zu\n", families.size());
  all.Print();
}

void PrintBlocks(const Accesses& accesses,
                 const BlockCacheAnalyzerSettings& settings) {
  const std::map<uint64_t, BlockUse> uses = BlockUses(accesses);
  std::map<TraceType, std::vector<uint64_t>> sizes;
  std::map<TraceType, std::vector<uint64_t>> counts;
  for (const auto& [block, use] : uses) {
    sizes[use.type].push_back(use.bytes);
    counts[use.type].push_back(use.accesses);
  }
  for (const auto& [type, values] : sizes) {
    if (!settings.print_block_sizes) break;
    PrintDistribution(
        (std::string("Block size of ") + NameOfBlockType(type) + " blocks")
            .c_str(),
        values);
  }
  for (const auto& [type, values] : counts) {
    const bool is_data = type == ROCKSDB_NAMESPACE::kBlockTraceDataBlock;
    if (!settings.print_access_counts &&
        !(is_data && settings.print_data_access_counts)) {
      continue;
    }
    PrintDistribution(
        (std::string("Accesses of ") + NameOfBlockType(type) + " blocks")
            .c_str(),
        values);
  }
  PrintOrdered("Blocks that are asked for least:", uses, settings.bottom_blocks,
               /*is_descending=*/false);
  PrintOrdered("Blocks that are asked for most:", uses, settings.top_blocks,
               /*is_descending=*/true);
}

}  // namespace tools
