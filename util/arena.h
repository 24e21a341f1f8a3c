#pragma once

// Memory that is handed out in pieces and given back all at once.
//
// Arena serves one thread. ConcurrentArena serves many: small pieces come from
// a shard that few threads share; shards refill from one Arena under a lock.
//
// Ownership  Pieces live until the arena is destroyed. Destructors of what was
//            built in them do not run.
// Errors     Running out of memory throws std::bad_alloc, as `new` does.

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "util/core_local.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class HugePages;

// What memtables allocate from.
class Allocator {
 public:
  virtual ~Allocator() = default;

  virtual char* Allocate(size_t bytes) = 0;
  // Aligned for any scalar type.
  virtual char* AllocateAligned(size_t bytes) = 0;
  virtual size_t BlockSize() const = 0;
};

class Arena final : public Allocator {
 public:
  static constexpr size_t kInlineSize = 2048;
  static constexpr size_t kMinBlockSize = 4096;
  static constexpr size_t kMaxBlockSize = size_t{2} << 30;
  static constexpr size_t kMaxAlignment = 64;  // that of a cache line

  // The bytes between `at` and the next address of that alignment.
  static size_t PaddingBefore(const char* at, size_t alignment) {
    return (0 - reinterpret_cast<uintptr_t>(at)) & (alignment - 1);
  }

  // The block size is brought into the range above and rounded up to the
  // alignment. `huge_page_size`: blocks are to lie in such pages, and so get at
  // least as large; 0, or where the system gives none: in ordinary ones.
  explicit Arena(size_t block_size = kMinBlockSize, size_t huge_page_size = 0);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() override;

  char* Allocate(size_t bytes) override {
    assert(bytes > 0);
    if (bytes <= remaining_) {
      // Unaligned pieces come from the end, aligned ones from the front, so
      // that they do not waste bytes between each other.
      remaining_ -= bytes;
      return aligned_ + remaining_;
    }
    return AllocateSlow(bytes, /*aligned=*/false);
  }

  char* AllocateAligned(size_t bytes) override {
    return AllocateAligned(bytes, kAlignment);
  }
  // `alignment`: a power of two up to kMaxAlignment. Pieces of one alignment,
  // whose sizes are multiples of it, lie side by side.
  char* AllocateAligned(size_t bytes, size_t alignment) {
    assert(bytes > 0);
    const size_t rounded = (bytes + kAlignment - 1) & ~(kAlignment - 1);
    const size_t padding = PaddingBefore(aligned_, alignment);
    if (padding + rounded <= remaining_) {
      char* result = aligned_ + padding;
      aligned_ = result + rounded;
      remaining_ -= padding + rounded;
      return result;
    }
    return AllocateSlow(rounded, /*aligned=*/true);
  }

  // Bytes of all blocks, less what the current one has left.
  size_t ApproximateMemoryUsage() const {
    return memory_allocated_ + blocks_.capacity() * sizeof(blocks_[0]) -
           remaining_;
  }
  // Bytes of all blocks.
  size_t MemoryAllocatedBytes() const { return memory_allocated_; }
  size_t AllocatedAndUnused() const { return remaining_; }
  // Pieces too large to share a block.
  size_t IrregularBlockNum() const { return irregular_block_count_; }
  size_t BlockSize() const override { return block_size_; }
  bool IsInInlineBlock() const {
    return blocks_.empty() && huge_blocks_.empty();
  }

 private:
  static constexpr size_t kAlignment = alignof(std::max_align_t);

  struct FreeBlock {
    void operator()(char* block) const {
      ::operator delete[](block, std::align_val_t{kMaxAlignment});
    }
  };

  char* AllocateSlow(size_t bytes, bool aligned);
  char* NewBlock(size_t bytes);

  const size_t huge_page_size_;  // 0 = ordinary pages
  const size_t block_size_;
  // The free part of the current block: [aligned_, aligned_ + remaining_), its
  // start aligned.
  char* aligned_;
  size_t remaining_;
  size_t memory_allocated_;
  size_t irregular_block_count_ = 0;
  std::vector<std::unique_ptr<char[], FreeBlock>> blocks_;
  std::vector<std::unique_ptr<HugePages>> huge_blocks_;
  alignas(kMaxAlignment) char inline_block_[kInlineSize];
};

class ConcurrentArena final : public Allocator {
 public:
  explicit ConcurrentArena(size_t block_size = Arena::kMinBlockSize,
                           size_t huge_page_size = 0);
  ConcurrentArena(const ConcurrentArena&) = delete;
  ConcurrentArena& operator=(const ConcurrentArena&) = delete;

  char* Allocate(size_t bytes) override {
    return AllocateImpl(bytes, kUnaligned);
  }
  char* AllocateAligned(size_t bytes) override {
    return AllocateAligned(bytes, kAlignment);
  }
  // Like Arena::AllocateAligned().
  char* AllocateAligned(size_t bytes, size_t alignment) {
    return AllocateImpl((bytes + kAlignment - 1) & ~(kAlignment - 1),
                        alignment);
  }

  // May lag behind allocations that are under way.
  size_t ApproximateMemoryUsage() const {
    const size_t used = arena_usage_.load(std::memory_order_relaxed);
    const size_t unused = ShardAllocatedAndUnused();
    return used > unused ? used - unused : 0;
  }
  size_t MemoryAllocatedBytes() const {
    return memory_allocated_.load(std::memory_order_relaxed);
  }
  size_t AllocatedAndUnused() const {
    return arena_unused_.load(std::memory_order_relaxed) +
           ShardAllocatedAndUnused();
  }
  size_t IrregularBlockNum() const {
    return irregular_block_count_.load(std::memory_order_relaxed);
  }
  size_t BlockSize() const override { return arena_.BlockSize(); }

 private:
  static constexpr size_t kAlignment = alignof(std::max_align_t);
  static constexpr size_t kUnaligned = 1;
  static constexpr size_t kMaxShardBlockSize = size_t{128} << 10;

  // A piece of the arena from which a few threads carve.
  struct Shard {
    SpinMutex mutex;
    char* free_begin = nullptr;
    std::atomic<size_t> free_bytes{0};
  };

  char* AllocateImpl(size_t bytes, size_t alignment);
  char* AllocateFromArena(size_t bytes, size_t alignment)
      REQUIRES(arena_mutex_);
  char* AllocateFromShard(size_t bytes, size_t alignment);
  // Gives the shard, whose lock is held, a fresh piece of the arena.
  void Refill(Shard* shard);
  size_t ShardAllocatedAndUnused() const;
  void PublishCounters() REQUIRES(arena_mutex_);

  const size_t shard_block_size_;
  CoreLocalArray<Shard> shards_;
  mutable SpinMutex arena_mutex_;
  Arena arena_;  // Written under arena_mutex_; BlockSize() is constant.
  // True once two threads have met at arena_mutex_.
  std::atomic<bool> contended_{false};
  // Copies of the arena's counters, for readers without the lock. Relaxed:
  // they are estimates.
  std::atomic<size_t> arena_usage_{0};
  std::atomic<size_t> arena_unused_{0};
  std::atomic<size_t> memory_allocated_{0};
  std::atomic<size_t> irregular_block_count_{0};
};

}  // namespace ROCKSDB_NAMESPACE
