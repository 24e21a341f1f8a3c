// Arenas hand out disjoint, aligned memory and count it, to one thread or to
// many, with or without huge pages.
#include "util/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "util/huge_pages.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Piece {
  char* data;
  size_t size;
  char mark;
};

// Allocates pieces of all sorts and fills each with a mark of its own.
template <class A>
std::vector<Piece> AllocateMany(A* allocator, uint64_t seed, int count) {
  Random64 random(seed);
  std::vector<Piece> pieces;
  for (int i = 0; i < count; ++i) {
    const size_t size =
        random.OneIn(200) ? 1 + random.Uniform(9000) : 1 + random.Uniform(90);
    const size_t alignments[] = {1, 1, 1, 16, 16, 64};
    const size_t alignment = alignments[random.Uniform(6)];
    char* data = alignment == 1    ? allocator->Allocate(size)
                 : alignment == 16 ? allocator->AllocateAligned(size)
                                   : allocator->AllocateAligned(size, 64);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(data) % alignment);
    const auto mark = static_cast<char>(random.Next());
    memset(data, mark, size);
    pieces.push_back({data, size, mark});
  }
  return pieces;
}

void ExpectIntact(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    for (size_t i = 0; i < piece.size; ++i) {
      ASSERT_EQ(piece.mark, piece.data[i]);
    }
  }
}

TEST(ArenaTest, PiecesDoNotOverlap) {
  for (const size_t block_size : {0u, 4096u, 100000u}) {
    Arena arena(block_size);
    const auto pieces = AllocateMany(&arena, block_size, 5000);
    ExpectIntact(pieces);
    size_t total = 0;
    for (const Piece& piece : pieces) total += piece.size;
    EXPECT_GE(arena.ApproximateMemoryUsage(), total);
    EXPECT_GE(arena.MemoryAllocatedBytes(), total);
    // The largest pieces pass a quarter of the small blocks.
    EXPECT_EQ(block_size<36000, arena.IrregularBlockNum()> 0);
  }
}

TEST(ArenaTest, SmallOnesNeedNoBlock) {
  Arena arena;
  for (int i = 0; i < 20; ++i) arena.Allocate(100);
  EXPECT_TRUE(arena.IsInInlineBlock());
  EXPECT_EQ(Arena::kInlineSize, arena.MemoryAllocatedBytes());
  arena.Allocate(100);
  EXPECT_FALSE(arena.IsInInlineBlock());
}

TEST(ArenaTest, UsageFollowsAllocations) {
  Arena arena(1 << 20);
  const size_t before = arena.ApproximateMemoryUsage();
  for (int i = 0; i < 1000; ++i) arena.Allocate(1000);
  const size_t used = arena.ApproximateMemoryUsage() - before;
  EXPECT_GE(used, 1000u * 1000);
  EXPECT_LE(used, 1000u * 1000 * 11 / 10);
}

// Nothing lies between them, whatever else is allocated meanwhile.
TEST(ArenaTest, CacheLinesLieSideBySide) {
  constexpr size_t kBlock = 1 << 20;
  Arena arena(kBlock);
  size_t total = 0;
  for (int i = 0; i < 1500; ++i) {
    arena.AllocateAligned(512, 64);
    arena.Allocate(13);
    total += 512 + 13;
  }
  EXPECT_EQ(kBlock + Arena::kInlineSize, arena.MemoryAllocatedBytes());
  EXPECT_LE(arena.ApproximateMemoryUsage(), total + Arena::kInlineSize);
}

TEST(ArenaTest, BlockSizeIsBroughtIntoRange) {
  EXPECT_EQ(Arena::kMinBlockSize, Arena(1).BlockSize());
  EXPECT_EQ(0u, Arena(5001).BlockSize() % alignof(std::max_align_t));
}

TEST(ConcurrentArenaTest, OneThreadUsesOnlyWhatItNeeds) {
  ConcurrentArena arena(1 << 20);
  ExpectIntact(AllocateMany(&arena, 1, 5000));
  EXPECT_LE(arena.ApproximateMemoryUsage(), size_t{1} << 20);
}

TEST(ConcurrentArenaTest, ThreadsDoNotDisturbEachOther) {
  for (const size_t block_size : {4096u, 1u << 20}) {
    ConcurrentArena arena(block_size);
    std::vector<std::vector<Piece>> pieces(8);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < pieces.size(); ++t) {
      threads.emplace_back([&arena, &pieces, t] {
        pieces[t] = AllocateMany(&arena, t, 3000);
        arena.ApproximateMemoryUsage();
      });
    }
    for (std::thread& thread : threads) thread.join();
    size_t total = 0;
    for (const auto& of_thread : pieces) {
      ExpectIntact(of_thread);
      for (const Piece& piece : of_thread) total += piece.size;
    }
    EXPECT_GE(arena.ApproximateMemoryUsage(), total);
    EXPECT_GE(arena.MemoryAllocatedBytes(), total);
  }
}

// Whether the system gives huge pages or not.
TEST(ArenaTest, BlocksOfHugePages) {
  constexpr size_t kPage = 2 << 20;
  Arena arena(1 << 20, kPage);
  EXPECT_EQ(arena.BlockSize(), kPage);
  char* const small = arena.Allocate(Arena::kInlineSize + 1);
  EXPECT_FALSE(arena.IsInInlineBlock());
  if (HugePages(kPage, kPage).source() != HugePages::Source::kHeap) {
    // Pieces without alignment come from the end of a block.
    const char* const end = small + Arena::kInlineSize + 1;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(end) % kPage, 0u);
  }
  EXPECT_GE(arena.MemoryAllocatedBytes(), kPage);
  // Larger than a page, and too large to share a block.
  for (const size_t bytes : {kPage + 1, kPage}) {
    char* const large = arena.AllocateAligned(bytes);
    std::fill(large, large + bytes, 'x');
  }
  EXPECT_EQ(arena.IrregularBlockNum(), 2u);
}

TEST(ArenaTest, WhatIsNoHugePage) {
  for (const size_t page :
       {size_t{0}, size_t{1}, size_t{4096}, size_t{3} << 20, size_t{1} << 62}) {
    Arena arena(1 << 20, page);
    EXPECT_EQ(arena.BlockSize(), size_t{1} << 20);
    EXPECT_NE(arena.Allocate(Arena::kInlineSize + 1), nullptr);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
