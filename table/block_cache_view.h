#pragma once

// One table file's part of the block cache: keys from offsets, hits and misses
// counted by kind of block.
//
// Threads    Any number.
// Ownership  Borrows the cache, which the table's options share.

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
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

class Decompressor;
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

  // What is read from the file goes, as it lies there, to a cache on a device
  // too; data blocks that come back expand by `decompressor`, which the table
  // keeps. May be null.
  void KeepStoredForms(Decompressor* decompressor) {
    keeps_stored_forms_ = true;
    decompressor_ = decompressor;
  }
  bool keeps_stored_forms() const { return keeps_stored_forms_; }

  // The entries of data blocks get checksums, wherever the blocks come from.
  // The order in `protection` is borrowed.
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
  [[gnu::always_inline]] BlockRef<T> Lookup(uint64_t offset) const {
    Cache::Handle* handle =
        LookupHandle(kBlockKindOf<T>, offset, HelperOf<T>(uses_secondary_));
    if (handle == nullptr) return BlockRef<T>();
    BlockRef<T> found = BlockRef<T>::Cached(cache_, handle);
    CountHit(kBlockKindOf<T>, found->memory_bytes());
    return found;
  }

  // Puts `object` in and holds it there; if there is no room, the result owns
  // it. `stored`: it was read from the file, in that form.
  template <class T>
  BlockRef<T> Insert(uint64_t offset, std::unique_ptr<T> object,
                     Cache::Priority priority,
                     const StoredForm* stored = nullptr) const {
    assert(object != nullptr);
    const bool can_be_saved = uses_secondary_ && CanBeSaved(*object);
    Item item{.kind = kBlockKindOf<T>,
              .helper = HelperOf<T>(can_be_saved),
              .charge = object->memory_bytes()};
    std::string scratch;
    if (keeps_stored_forms_ && can_be_saved && stored != nullptr) [[unlikely]] {
      item.type = stored->type;
      item.saved =
          stored->bytes.empty() ? SavedForm(*object, &scratch) : stored->bytes;
    }
    Cache::Handle* handle = InsertObject(item, offset, object.get(), priority);
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
    Slice saved = {};  // for a cache on a device; empty: nothing
    CompressionType type = kNoCompression;
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
  bool keeps_stored_forms_ = false;
  Decompressor* decompressor_ = nullptr;
  uint32_t level_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
