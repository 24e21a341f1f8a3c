#pragma once

// What block-based tables charge to the block cache beside blocks
// (cache_usage_options): open readers, and what builders gather for filters and
// dictionaries.
//
// Threads    Immutable; what it points to serves any thread.
// Ownership  Shared by the factory and all that it makes.

#include <memory>

#include "cache/memory_charge.h"
#include "rocksdb/cache_interface.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

// Null: not charged.
struct TableCharges {
  std::shared_ptr<ChargedMemory> readers;
  std::shared_ptr<ChargedMemory> filters;
  std::shared_ptr<ChargedMemory> dictionaries;
};

inline bool IsCharged(const CacheUsageOptions& options, CacheEntryRole role) {
  using Decision = CacheEntryRoleOptions::Decision;
  const auto own = options.options_overrides.find(role);
  const Decision decision = own != options.options_overrides.end()
                                ? own->second.charged
                                : options.options.charged;
  return decision == Decision::kEnabled;
}

inline TableCharges ChargesOf(const BlockBasedTableOptions& options) {
  const auto of =
      [&options](CacheEntryRole role) -> std::shared_ptr<ChargedMemory> {
    if (options.block_cache == nullptr ||
        !IsCharged(options.cache_usage_options, role)) {
      return nullptr;
    }
    return std::make_shared<ChargedMemory>(options.block_cache, role);
  };
  return {
      .readers = of(CacheEntryRole::kBlockBasedTableReader),
      .filters = of(CacheEntryRole::kFilterConstruction),
      .dictionaries = of(CacheEntryRole::kCompressionDictionaryBuildingBuffer)};
}

}  // namespace ROCKSDB_NAMESPACE
