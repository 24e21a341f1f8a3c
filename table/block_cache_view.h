#pragma once

// One table file's part of the block cache: keys from offsets, hits and misses
// counted by kind of block.
//
// Threads    Any number.
// Ownership  Borrows the cache, which the table's options share.

#include <cassert>
#include <cstdint>
#include <memory>

#include "cache/cache_key.h"
#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"
#include "table/block.h"
#include "table/block_ref.h"
#include "table/filter/filter_block.h"
#include "table/index_block.h"

namespace ROCKSDB_NAMESPACE {

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

  // An empty reference if it is not there.
  template <class T>
  BlockRef<T> Lookup(uint64_t offset) const {
    Cache::Handle* handle = LookupHandle(kBlockKindOf<T>, offset);
    if (handle == nullptr) return BlockRef<T>();
    BlockRef<T> found = BlockRef<T>::Cached(cache_, handle);
    CountBytes(kBlockKindOf<T>, found->memory_bytes());
    return found;
  }

  // Puts `object` in and holds it there; if there is no room, the result owns
  // it.
  template <class T>
  BlockRef<T> Insert(uint64_t offset, std::unique_ptr<T> object,
                     Cache::Priority priority) const {
    assert(object != nullptr);
    static const Cache::CacheItemHelper kHelper(RoleOf(kBlockKindOf<T>),
                                                &Delete<T>);
    Cache::Handle* handle =
        InsertObject({kBlockKindOf<T>, &kHelper, object->memory_bytes()},
                     offset, object.get(), priority);
    if (handle == nullptr) return BlockRef<T>::Owned(std::move(object));
    assert(cache_->Value(handle) == object.get());
    object.release();  // The cache has it now.
    return BlockRef<T>::Cached(cache_, handle);
  }

  // Is the data block there? No counter moves.
  bool Contains(uint64_t offset) const;
  void Erase(uint64_t offset) const;

 private:
  struct Item {
    BlockKind kind;
    const Cache::CacheItemHelper* helper;
    size_t charge;
  };

  template <class T>
  static void Delete(Cache::ObjectPtr object, MemoryAllocator*) {
    const std::unique_ptr<T> last(static_cast<T*>(object));
  }
  static CacheEntryRole RoleOf(BlockKind kind);

  Cache::Handle* LookupHandle(BlockKind kind, uint64_t offset) const;
  void CountBytes(BlockKind kind, size_t bytes) const;
  Cache::Handle* InsertObject(const Item& item, uint64_t offset, void* object,
                              Cache::Priority priority) const;

  Cache* cache_ = nullptr;
  Statistics* statistics_ = nullptr;
  FileCacheKey file_;
  uint32_t level_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
