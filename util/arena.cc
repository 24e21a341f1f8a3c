#include "util/arena.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "util/huge_pages.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

size_t RoundUp(size_t n, size_t unit) { return (n + unit - 1) & ~(unit - 1); }

// 0 for what is none that a block could be made of.
size_t PageSizeOf(size_t wanted) {
  const bool is_one = std::has_single_bit(wanted) &&
                      wanted > Arena::kMinBlockSize &&
                      wanted <= Arena::kMaxBlockSize;
  return is_one ? wanted : 0;
}

}  // namespace

Arena::Arena(size_t block_size, size_t huge_page_size)
    : huge_page_size_(PageSizeOf(huge_page_size)),
      block_size_(RoundUp(std::clamp(block_size, kMinBlockSize, kMaxBlockSize),
                          std::max(huge_page_size_, kAlignment))),
      aligned_(inline_block_),
      remaining_(kInlineSize),
      memory_allocated_(kInlineSize) {}

Arena::~Arena() = default;

char* Arena::NewBlock(size_t bytes) {
  if (huge_page_size_ != 0 && bytes >= huge_page_size_) {
    huge_blocks_.push_back(std::make_unique<HugePages>(bytes, huge_page_size_));
    memory_allocated_ += huge_blocks_.back()->bytes();
    return static_cast<char*>(huge_blocks_.back()->data());
  }
  blocks_.emplace_back(new (std::align_val_t{kMaxAlignment}) char[bytes]);
  memory_allocated_ += bytes;
  return blocks_.back().get();
}

char* Arena::AllocateSlow(size_t bytes, bool aligned) {
  if (bytes > block_size_ / 4) {
    // A block of its own leaves the rest of the current one usable.
    ++irregular_block_count_;
    return NewBlock(bytes);
  }
  char* const block = NewBlock(block_size_);
  remaining_ = block_size_ - bytes;
  if (aligned) {
    aligned_ = block + bytes;
    return block;
  }
  aligned_ = block;
  return block + remaining_;
}

ConcurrentArena::ConcurrentArena(size_t block_size, size_t huge_page_size)
    : shard_block_size_(std::min(kMaxShardBlockSize, block_size / 8)),
      arena_(block_size, huge_page_size) {
  arena_mutex_.Lock();
  PublishCounters();
  arena_mutex_.Unlock();
}

char* ConcurrentArena::AllocateImpl(size_t bytes, size_t alignment) {
  INVARIANT(bytes > 0);
  // A lone writer is served faster, and with less waste, by the arena itself.
  const bool is_large = bytes > shard_block_size_ / 4;
  if (is_large || !contended_.load(std::memory_order_relaxed)) {
    if (!arena_mutex_.TryLock()) {
      contended_.store(true, std::memory_order_relaxed);
      if (!is_large) return AllocateFromShard(bytes, alignment);
      arena_mutex_.Lock();
    }
    char* result = AllocateFromArena(bytes, alignment);
    arena_mutex_.Unlock();
    return result;
  }
  return AllocateFromShard(bytes, alignment);
}

char* ConcurrentArena::AllocateFromArena(size_t bytes, size_t alignment) {
  char* result = alignment == kUnaligned
                     ? arena_.Allocate(bytes)
                     : arena_.AllocateAligned(bytes, alignment);
  PublishCounters();
  return result;
}

char* ConcurrentArena::AllocateFromShard(size_t bytes, size_t alignment) {
  Shard* const shard = shards_.Access();
  const SpinMutexLock lock(&shard->mutex);
  size_t free_bytes = shard->free_bytes.load(std::memory_order_relaxed);
  size_t padding = Arena::PaddingBefore(shard->free_begin, alignment);
  if (free_bytes < padding + bytes) {
    Refill(shard);
    free_bytes = shard->free_bytes.load(std::memory_order_relaxed);
    padding = 0;  // It begins with the greatest alignment.
    assert(free_bytes >= bytes);
  }
  // Aligned pieces come from the front, others from the end, like in Arena.
  if (alignment == kUnaligned) {
    shard->free_bytes.store(free_bytes - bytes, std::memory_order_relaxed);
    return shard->free_begin + free_bytes - bytes;
  }
  shard->free_bytes.store(free_bytes - padding - bytes,
                          std::memory_order_relaxed);
  char* const piece = shard->free_begin + padding;
  shard->free_begin = piece + bytes;
  return piece;
}

void ConcurrentArena::Refill(Shard* shard) {
  const SpinMutexLock lock(&arena_mutex_);
  // The end of the arena's block, if it is of about the right size, rather
  // than a piece that leaves a useless end.
  const size_t left = arena_.AllocatedAndUnused() & ~(Arena::kMaxAlignment - 1);
  const bool fits =
      left >= shard_block_size_ / 2 && left < 2 * shard_block_size_;
  const size_t size = RoundUp(fits ? left : shard_block_size_, kAlignment);
  shard->free_begin = AllocateFromArena(size, Arena::kMaxAlignment);
  shard->free_bytes.store(size, std::memory_order_relaxed);
}

size_t ConcurrentArena::ShardAllocatedAndUnused() const {
  if (!contended_.load(std::memory_order_relaxed)) return 0;
  size_t total = 0;
  for (size_t i = 0; i < shards_.Size(); ++i) {
    total +=
        shards_.AccessAtCore(i)->free_bytes.load(std::memory_order_relaxed);
  }
  return total;
}

void ConcurrentArena::PublishCounters() {
  arena_usage_.store(arena_.ApproximateMemoryUsage(),
                     std::memory_order_relaxed);
  arena_unused_.store(arena_.AllocatedAndUnused(), std::memory_order_relaxed);
  memory_allocated_.store(arena_.MemoryAllocatedBytes(),
                          std::memory_order_relaxed);
  irregular_block_count_.store(arena_.IrregularBlockNum(),
                               std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE
