#include "table/heat/cache_warmer.h"

#include <cassert>

#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "table/block.h"
#include "table/filter/filter_bits.h"
#include "table/table_builder.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Prepopulate = BlockBasedTableOptions::PrepopulateBlockCache;

bool IsToBeWarm(Prepopulate setting, TableFileCreationReason reason) {
  switch (setting) {
    case Prepopulate::kDisable:
      return false;
    case Prepopulate::kFlushOnly:
      return reason == TableFileCreationReason::kFlush;
    case Prepopulate::kFlushAndCompaction:
      return reason == TableFileCreationReason::kFlush ||
             reason == TableFileCreationReason::kCompaction;
  }
  return false;
}

}  // namespace

CacheWarmer::CacheWarmer(const BlockBasedTableOptions& table,
                         const TableBuilderOptions& options)
    : order_(options.cf->user_comparator) {
  const bool has_identity =
      !options.db_session_id.empty() && options.file_number != 0;
  if (!IsToBeWarm(table.prepopulate_block_cache, options.reason) ||
      table.no_block_cache || table.block_cache == nullptr || !has_identity ||
      options.is_external) {
    return;
  }
  // The cache keys must be those that readers of the file will use.
  view_ =
      BlockCacheView(table.block_cache.get(),
                     FileCacheKey(options.db_session_id, options.file_number),
                     options.db != nullptr ? options.db->stats : nullptr);
  view_.ProtectEntries(
      {&order_, options.mutable_cf->block_protection_bytes_per_key});
  // Readers of files without timestamps rewrite indexes, and hold them.
  wants_partitions_ = table.cache_index_and_filter_blocks &&
                      options.cf->left_out_timestamp_bytes() == 0;
  policy_ = table.filter_policy.get();
  // What a compaction moves is on average older than what users write.
  data_priority_ = options.reason == TableFileCreationReason::kFlush
                       ? Cache::Priority::LOW
                       : Cache::Priority::BOTTOM;
  metadata_priority_ = table.cache_index_and_filter_blocks_with_high_priority
                           ? Cache::Priority::HIGH
                           : Cache::Priority::LOW;
  if (options.db != nullptr &&
      options.db->lowest_used_cache_tier != CacheTier::kVolatileTier) {
    view_.UseSecondary(policy_, metadata_priority_);
  }
}

void CacheWarmer::AddData(uint64_t offset, const Slice& raw) {
  assert(is_enabled());
  const char* problem = nullptr;
  std::unique_ptr<Block> block =
      view_.MakeDataBlock(BlockBytes::CopyOf(raw), &problem);
  INVARIANT(block != nullptr);
  view_.Insert(offset, std::move(block), data_priority_);
}

void CacheWarmer::AddIndexPart(uint64_t offset, const Slice& raw,
                               const IndexEncoding& encoding) {
  assert(is_enabled() && wants_partitions_);
  auto part = std::make_unique<IndexBlock>(encoding);
  // The top level comes last, has values of another kind, and may not parse:
  // it is left out anyway.
  if (part->Append(raw) != nullptr) part.reset();
  index_parts_.emplace_back(offset, std::move(part));
}

void CacheWarmer::EndIndex(const InternalKeyComparator& order) {
  if (index_parts_.empty()) return;
  index_parts_.pop_back();
  for (auto& [offset, part] : index_parts_) {
    INVARIANT(part != nullptr);
    part->Finish(order);
    view_.Insert(offset, std::move(part), metadata_priority_);
  }
  index_parts_.clear();
}

void CacheWarmer::AddFilterPart(uint64_t offset, const Slice& raw) {
  assert(is_enabled() && wants_partitions_);
  filter_parts_.emplace_back(offset, BlockBytes::CopyOf(raw));
}

void CacheWarmer::EndFilter() {
  if (filter_parts_.empty()) return;
  assert(policy_ != nullptr);
  filter_parts_.pop_back();
  for (auto& [offset, bytes] : filter_parts_) {
    std::unique_ptr<FilterBitsReader> reader(
        policy_->GetFilterBitsReader(bytes.data()));
    if (reader == nullptr) reader = NewBuiltinFilterBitsReader(bytes.data());
    view_.Insert(
        offset,
        std::make_unique<FilterBlock>(std::move(bytes), std::move(reader)),
        metadata_priority_);
  }
  filter_parts_.clear();
}

}  // namespace ROCKSDB_NAMESPACE
