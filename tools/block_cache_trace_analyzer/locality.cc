// How much of a data block the look-ups of keys ask for: where that is little,
// a cache of rows would do with less memory.
#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "tools/block_cache_trace_analyzer/result_tables.h"
#include "tools/block_cache_trace_analyzer/results.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

// What look-ups have asked one block for.
struct BlockUseByKeys {
  uint64_t key_count = 0;
  uint64_t bytes = 0;
  uint64_t accesses = 0;
  uint64_t accesses_that_found = 0;
  std::unordered_map<uint64_t, uint64_t> bytes_of_keys;  // that it has

  void Add(const BlockAccessText& access) {
    key_count = std::max(key_count, access.key_count);
    bytes = std::max(bytes, access.block_bytes);
    ++accesses;
    if (!access.is_key_found) return;
    ++accesses_that_found;
    bytes_of_keys[access.key] = access.found_bytes;
  }
  uint64_t bytes_found() const {
    uint64_t sum = 0;
    for (const auto& [key, size] : bytes_of_keys) sum += size;
    return sum;
  }
};

bool IsLookUpOfKey(const BlockAccessText& access) {
  return access.type == ROCKSDB_NAMESPACE::kBlockTraceDataBlock &&
         (access.caller == ROCKSDB_NAMESPACE::kUserGet ||
          access.caller == ROCKSDB_NAMESPACE::kUserMultiGet);
}

Status WriteLocalityBy(const Grouping& grouping, const Accesses& accesses,
                       const BlockCacheAnalyzerSettings& settings) {
  std::map<std::string, std::unordered_map<uint64_t, BlockUseByKeys>> groups;
  for (const BlockAccessText& access : accesses) {
    if (!IsLookUpOfKey(access)) continue;
    groups[grouping.GroupOf(access)][access.block].Add(access);
  }
  const Buckets buckets(settings.spatial_locality.buckets);
  const auto bucket = [&buckets](uint64_t part, uint64_t whole) {
    return buckets.Of(static_cast<uint64_t>(PercentOf(part, whole)));
  };
  Columns keys;
  Columns found;
  Columns bytes;
  for (const auto& [group, blocks] : groups) {
    for (const auto& [block, use] : blocks) {
      ++keys[group][bucket(use.bytes_of_keys.size(), use.key_count)];
      ++found[group][bucket(use.accesses_that_found, use.accesses)];
      ++bytes[group][bucket(use.bytes_found(), use.bytes)];
    }
  }
  const std::string path = settings.result_dir + "/" + grouping.label();
  Status s = WriteShares(path + "_percent_ref_keys", buckets, keys);
  if (s.ok()) {
    s = WriteShares(path + "_percent_accesses_on_ref_keys", buckets, found);
  }
  return s.ok() ? WriteShares(path + "_percent_data_size_on_ref_keys", buckets,
                              bytes)
                : s;
}

}  // namespace

Status WriteLocality(const Accesses& accesses,
                     const BlockCacheAnalyzerSettings& settings) {
  for (const std::string& label :
       SplitAtCommas(settings.spatial_locality.labels)) {
    const Status s = WriteLocalityBy(Grouping(label), accesses, settings);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace tools
