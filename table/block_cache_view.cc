#include "table/block_cache_view.h"

#include <array>
#include <cassert>
#include <iterator>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The counters of one kind of block.
struct Counters {
  uint32_t hit;
  uint32_t miss;
  uint32_t add;
  uint32_t bytes_insert;
};

const Counters& CountersOf(BlockKind kind) {
  static constexpr Counters kAll[] = {
      {BLOCK_CACHE_DATA_HIT, BLOCK_CACHE_DATA_MISS, BLOCK_CACHE_DATA_ADD,
       BLOCK_CACHE_DATA_BYTES_INSERT},
      {BLOCK_CACHE_INDEX_HIT, BLOCK_CACHE_INDEX_MISS, BLOCK_CACHE_INDEX_ADD,
       BLOCK_CACHE_INDEX_BYTES_INSERT},
      {BLOCK_CACHE_FILTER_HIT, BLOCK_CACHE_FILTER_MISS, BLOCK_CACHE_FILTER_ADD,
       BLOCK_CACHE_FILTER_BYTES_INSERT},
  };
  static_assert(std::size(kAll) == static_cast<size_t>(BlockKind::kFilter) + 1);
  return kAll[static_cast<size_t>(kind)];
}

}  // namespace

CacheEntryRole BlockCacheView::RoleOf(BlockKind kind) {
  switch (kind) {
    case BlockKind::kData:
      return CacheEntryRole::kDataBlock;
    case BlockKind::kIndex:
      return CacheEntryRole::kIndexBlock;
    case BlockKind::kFilter:
      return CacheEntryRole::kFilterBlock;
  }
  return CacheEntryRole::kOtherBlock;
}

Cache::Handle* BlockCacheView::LookupHandle(
    BlockKind kind, uint64_t offset,
    const Cache::CacheItemHelper* helper) const {
  if (cache_ == nullptr) return nullptr;
  const CacheKey key = KeyOf(kind, offset);
  BlockCreateContext context;
  context.protection = protection_;
  context.filter_policy = filter_policy_;
  context.decompressor = decompressor_;
  const Cache::Priority priority =
      kind == BlockKind::kData ? Cache::Priority::LOW : metadata_priority_;
  Cache::Handle* handle =
      cache_->Lookup(key.AsSlice(), helper, &context, priority, statistics_);
  if (handle == nullptr) {
    RecordTick(statistics_, BLOCK_CACHE_MISS);
    RecordTick(statistics_, CountersOf(kind).miss);
    PERF_COUNTER_BY_LEVEL_ADD(block_cache_miss_count, 1, level_);
  }
  return handle;
}

void BlockCacheView::CountHit(BlockKind kind, size_t bytes) const {
  RecordAll(statistics_,
            std::array{TickerCount{BLOCK_CACHE_HIT, 1},
                       TickerCount{CountersOf(kind).hit, 1},
                       TickerCount{BLOCK_CACHE_BYTES_READ, bytes}},
            std::array<HistogramValue, 0>());
  PERF_COUNTER_ADD(block_cache_hit_count, 1);
  PERF_COUNTER_BY_LEVEL_ADD(block_cache_hit_count, 1, level_);
  PERF_COUNTER_ADD(block_cache_read_byte, bytes);
  if (kind == BlockKind::kIndex) {
    PERF_COUNTER_ADD(block_cache_index_hit_count, 1);
    PERF_COUNTER_ADD(block_cache_index_read_byte, bytes);
  } else if (kind == BlockKind::kFilter) {
    PERF_COUNTER_ADD(block_cache_filter_hit_count, 1);
    PERF_COUNTER_ADD(block_cache_filter_read_byte, bytes);
  }
}

Cache::Handle* BlockCacheView::InsertObject(const Item& item, uint64_t offset,
                                            void* object,
                                            Cache::Priority priority) const {
  assert(object != nullptr);
  if (cache_ == nullptr) return nullptr;
  const CacheKey key = KeyOf(item.kind, offset);
  Cache::Handle* handle = nullptr;
  const Status s =
      cache_->Insert(key.AsSlice(), object, item.helper, item.charge, &handle,
                     priority, item.saved, item.type);
  if (!s.ok()) {
    RecordTick(statistics_, BLOCK_CACHE_ADD_FAILURES);
    return nullptr;
  }
  INVARIANT(handle != nullptr);
  assert(item.charge > 0 && item.helper != nullptr);
  const Counters& counters = CountersOf(item.kind);
  RecordTick(statistics_, BLOCK_CACHE_ADD);
  RecordTick(statistics_, BLOCK_CACHE_BYTES_WRITE, item.charge);
  RecordTick(statistics_, counters.add);
  RecordTick(statistics_, counters.bytes_insert, item.charge);
  return handle;
}

Cache::Handle* BlockCacheView::PeekHandle(BlockKind kind,
                                          uint64_t offset) const {
  if (cache_ == nullptr) return nullptr;
  const CacheKey key = KeyOf(kind, offset);
  return cache_->Lookup(key.AsSlice());
}

bool BlockCacheView::Contains(uint64_t offset) const {
  Cache::Handle* const handle = PeekHandle(BlockKind::kData, offset);
  if (handle == nullptr) return false;
  cache_->Release(handle);
  return true;
}

bool BlockCacheView::EraseFound(BlockKind kind, uint64_t offset) const {
  Cache::Handle* const handle = PeekHandle(kind, offset);
  if (handle == nullptr) return false;
  assert(cache_ != nullptr);
  const CacheKey key = KeyOf(kind, offset);
  // Not by Release(), which would leave it where somebody else holds it.
  cache_->Erase(key.AsSlice());
  cache_->Release(handle);
  return true;
}

void BlockCacheView::Erase(uint64_t offset) const {
  if (cache_ == nullptr) return;
  const CacheKey key = KeyOf(BlockKind::kData, offset);
  cache_->Erase(key.AsSlice());
}

}  // namespace ROCKSDB_NAMESPACE
