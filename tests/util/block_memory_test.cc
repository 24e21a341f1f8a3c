// Threads keep a little of the memory of freed blocks and hand it out again,
// whoever frees it and when threads end.
#include "util/block_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kBlock = 4100;

// In a thread of its own, which keeps nothing at first.
template <class Work>
void InThread(const Work& work) {
  std::thread thread(work);
  thread.join();
}

TEST(BlockMemoryTest, WhatWasFreedLastServesTheNextOfItsSize) {
  InThread([] {
    BlockMemory first(kBlock);
    ASSERT_NE(first.get(), nullptr);
    EXPECT_GE(first.capacity(), kBlock);
    memset(first.get(), 'a', kBlock);
    const char* const place = first.get();
    const size_t capacity = first.capacity();
    first = BlockMemory();
    EXPECT_EQ(BlockMemory(capacity).get(), place);
    EXPECT_EQ(BlockMemory(capacity - capacity / 16).get(), place);
    const BlockMemory small(capacity - capacity / 16 - 1);
    EXPECT_NE(small.get(), place);
    const BlockMemory large(capacity + 1);
    EXPECT_NE(large.get(), place);
    EXPECT_LE(large.capacity(), capacity + 64);
  });
}

TEST(BlockMemoryTest, OwnersHaveMemoryOfTheirOwn) {
  InThread([] {
    for (int round = 0; round < 3; ++round) {
      std::vector<BlockMemory> all;
      std::set<const char*> places;
      for (int i = 0; i < 40; ++i) {
        const size_t size = kBlock + static_cast<size_t>(i % 5) * 10;
        all.emplace_back(size);
        places.insert(all.back().get());
        memset(all.back().get(), 'a' + i, size);
      }
      EXPECT_EQ(places.size(), all.size());
      for (int i = 0; i < 40; ++i) {
        const BlockMemory moved(std::move(all[static_cast<size_t>(i)]));
        const std::string expected(kBlock, static_cast<char>('a' + i));
        EXPECT_EQ(memcmp(moved.get(), expected.data(), expected.size()), 0);
      }
    }
  });
}

TEST(BlockMemoryTest, FitsWhatComes) {
  BlockMemory memory;
  memory.Fit(kBlock);
  const char* const place = memory.get();
  memory.Fit(10);
  memory.Fit(kBlock);
  EXPECT_EQ(memory.get(), place);
  memory.Fit(2 * kBlock);
  EXPECT_GE(memory.capacity(), 2 * kBlock);
  memset(memory.get(), 'a', 2 * kBlock);
}

TEST(BlockMemoryTest, NoneIsNothing) {
  BlockMemory none;
  EXPECT_EQ(none.get(), nullptr);
  EXPECT_EQ(none.capacity(), 0u);
  const BlockMemory empty(0);
  EXPECT_NE(empty.get(), nullptr);
  none = BlockMemory(3);
  EXPECT_GE(none.capacity(), 3u);
}

// The latest are kept, as many as there is room for.
TEST(BlockMemoryTest, FewAreKept) {
  InThread([] {
    std::vector<BlockMemory> all;
    std::vector<const char*> places;
    for (size_t i = 0; i <= BlockMemory::kMostKept; ++i) {
      all.emplace_back(kBlock);
      places.push_back(all.back().get());
    }
    for (BlockMemory& one : all) one = BlockMemory();
    for (size_t i = BlockMemory::kMostKept; i > 0; --i) {
      all[i] = BlockMemory(kBlock);
      EXPECT_EQ(all[i].get(), places[i]);
    }
  });
}

// What is large is not kept: it could stay for long.
TEST(BlockMemoryTest, WhatIsLargeIsAsLargeAsAskedFor) {
  const size_t size = BlockMemory::kMostKeptBytes + 1;
  EXPECT_EQ(BlockMemory(size).capacity(), size);
}

TEST(BlockMemoryTest, OtherThreadsFree) {
  BlockMemory here(kBlock);
  const char* const place = here.get();
  InThread([&] {
    here = BlockMemory();
    EXPECT_EQ(BlockMemory(kBlock).get(), place);
  });
}

// Freed by what ends after the thread's own memory.
TEST(BlockMemoryTest, FreedAtTheEndOfAThread) {
  InThread([] {
    struct Late {
      BlockMemory memory;
    };
    thread_local Late late;
    late.memory = BlockMemory(kBlock);
    BlockMemory other(kBlock);  // makes the thread keep some, freed sooner
    other = BlockMemory();
    EXPECT_NE(late.memory.get(), nullptr);
  });
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
