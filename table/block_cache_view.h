#pragma once

// One table file's part of the block cache: keys from offsets, hits and misses
// counted by kind of block.
//
// Threads    Any number.
// Ownership  Borrows the cache, which the table's options share.

#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>

#include "cache/cache_key.h"
#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"
#include "table/block.h"
#include "table/block_ref.h"
#include "table/filter/filter_block.h"
#include "table/index_block.h"
#include "table/saved_block.h"

namespace ROCKSDB_NAMESPACE {

class FilterPolicy;
class Statistics;

// What of a table file may lie in the block cache.
enum class BlockKind : uint8_t { kData, kIndex, kFilter };

template <class T>
inline constexpr BlockKind kBlockKindOf = BlockKind::kData;
template <>
inline constexpr BlockKind kBlockKindOf<IndexBlock> = BlockKind::kIndex;
template <>
inline constexpr BlockKind kBlockKindOf<FilterBlock> = BlockKind::kFilter;

class BlockCacheView {
 public:
  // Without a cache nothing is found and nothing kept.
  BlockCacheView() = default;
  // `level` of the tree that the file is in; only counters know it.
  BlockCacheView(Cache* cache, const FileCacheKey& file, Statistics* statistics,
                 int level = 0)
      : cache_(cache),
        statistics_(statistics),
        file_(file),
        level_(level < 0 ? 0 : static_cast<uint32_t>(level)) {
    assert(cache != nullptr);
  }

  bool is_enabled() const { return cache_ != nullptr; }

  // Kinds are kept apart: the handles of a damaged file may lead from one kind
  // of block to another, and what is found must be of the type that is sought.
  CacheKey KeyOf(BlockKind kind, uint64_t offset) const {
    return file_.WithOffset(offset, static_cast<uint64_t>(kind));
  }

  // What is evicted may go to a secondary cache, and come back from there:
  // filters by `policy`, which may be null, indexes and filters with
  // `priority`.
  void UseSecondary(const FilterPolicy* policy, Cache::Priority priority) {
    uses_secondary_ = true;
    filter_policy_ = policy;
    metadata_priority_ = priority;
  }

  // Of data blocks, wherever they come from. The order is borrowed.
  void ProtectEntries(const EntryProtection& protection) {
    protection_ = protection;
  }
  // A data block as the cache is to hold it. nullptr, with what is wrong in
  // *problem, if the bytes are no block.
  std::unique_ptr<Block> MakeDataBlock(BlockBytes bytes,
                                       const char** problem) const {
    return Block::ParseProtected(std::move(bytes), protection_, problem);
  }

  // An empty reference if it is not there.
  template <class T>
  BlockRef<T> Lookup(uint64_t offset) const {
    Cache::Handle* handle =
        LookupHandle(kBlockKindOf<T>, offset, HelperOf<T>(uses_secondary_));
    if (handle == nullptr) return BlockRef<T>();
    BlockRef<T> found = BlockRef<T>::Cached(cache_, handle);
    CountHit(kBlockKindOf<T>, found->memory_bytes());
    return found;
  }

  // Puts `object` in and holds it there; if there is no room, the result owns
  // it.
  template <class T>
  BlockRef<T> Insert(uint64_t offset, std::unique_ptr<T> object,
                     Cache::Priority priority) const {
    assert(object != nullptr);
    const Cache::CacheItemHelper* const helper =
        HelperOf<T>(uses_secondary_ && CanBeSaved(*object));
    Cache::Handle* handle =
        InsertObject({kBlockKindOf<T>, helper, object->memory_bytes()}, offset,
                     object.get(), priority);
    if (handle == nullptr) return BlockRef<T>::Owned(std::move(object));
    assert(cache_->Value(handle) == object.get());
    object.release();  // The cache has it now.
    return BlockRef<T>::Cached(cache_, handle);
  }

  // For those who are no users: no counter moves, and nothing comes back from a
  // secondary cache.
  bool Contains(uint64_t offset) const;  // the data block
  void Erase(uint64_t offset) const;
  // An empty reference if it is not there.
  template <class T>
  BlockRef<T> Peek(uint64_t offset) const {
    Cache::Handle* const handle = PeekHandle(kBlockKindOf<T>, offset);
    return handle == nullptr ? BlockRef<T>()
                             : BlockRef<T>::Cached(cache_, handle);
  }
  // False: it is not there.
  bool EraseFound(BlockKind kind, uint64_t offset) const;

 private:
  struct Item {
    BlockKind kind;
    const Cache::CacheItemHelper* helper;
    size_t charge;
  };

  template <class T>
  static const Cache::CacheItemHelper* HelperOf(bool can_be_saved) {
    static const Cache::CacheItemHelper* const kFull =
        SavedBlockCallbacks<T>::Helper(RoleOf(kBlockKindOf<T>));
    return can_be_saved ? kFull : kFull->without_secondary_compat;
  }
  static CacheEntryRole RoleOf(BlockKind kind);

  Cache::Handle* LookupHandle(BlockKind kind, uint64_t offset,
                              const Cache::CacheItemHelper* helper) const;
  Cache::Handle* PeekHandle(BlockKind kind, uint64_t offset) const;
  void CountHit(BlockKind kind, size_t bytes) const;
  Cache::Handle* InsertObject(const Item& item, uint64_t offset, void* object,
                              Cache::Priority priority) const;

  Cache* cache_ = nullptr;
  Statistics* statistics_ = nullptr;
  FileCacheKey file_;
  EntryProtection protection_;
  const FilterPolicy* filter_policy_ = nullptr;
  Cache::Priority metadata_priority_ = Cache::Priority::LOW;
  bool uses_secondary_ = false;
  uint32_t level_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
