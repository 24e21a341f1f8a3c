#pragma once

// One table file's part of a PersistentCache, which is looked into between the
// block cache and the file, and holds data blocks.
//
// Threads    Any number.
// Ownership  The table's options share the cache.
// Errors     None: what cannot be had of it, or is damaged, is a miss.

#include <memory>
#include <utility>

#include "cache/cache_key.h"
#include "rocksdb/persistent_cache.h"
#include "table/block_fetcher.h"

namespace ROCKSDB_NAMESPACE {

class PersistentBlocks {
 public:
  PersistentBlocks(std::shared_ptr<PersistentCache> cache,
                   const FileCacheKey& file)
      : cache_(std::move(cache)), file_(file) {}

  // The block at `handle`, expanded. False: it is not there.
  bool Find(const TableFile& file, const BlockHandle& handle,
            const FetchOptions& options, BlockBytes* result) const;
  // A block that was read: payload and trailer, and the same expanded. Either
  // does nothing if the cache keeps the other.
  void KeepStored(const TableFile& file, const BlockHandle& handle,
                  const char* stored) const;
  void KeepExpanded(const BlockHandle& handle, const Slice& expanded) const;

 private:
  bool keeps_stored() const { return cache_->IsCompressed(); }
  void Keep(const BlockHandle& handle, const Slice& bytes) const;
  bool Take(const TableFile& file, const BlockHandle& handle,
            const FetchOptions& options, BlockBytes* result) const;

  const std::shared_ptr<PersistentCache> cache_;
  const FileCacheKey file_;
};

}  // namespace ROCKSDB_NAMESPACE
