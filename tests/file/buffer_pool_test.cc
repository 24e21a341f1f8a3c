// Leases of bulk buffers are aligned and disjoint, shrink at the limit instead
// of failing, and are poisoned when they are returned.
#include "file/buffer_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kChunk = BufferPool::kChunkBytes;
constexpr size_t kSlab = BufferPool::kSlabBytes;

TEST(BufferPoolTest, LeasesAreAlignedAndDisjoint) {
  BufferPool pool;
  int owner = 0;
  std::vector<BufferLease> leases;
  std::set<char*> starts;
  for (int i = 0; i < 20; ++i) {
    leases.push_back(pool.Acquire(kChunk, &owner));
    EXPECT_EQ(leases.back().size(), kChunk);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(leases.back().data()) % kChunk, 0u);
    EXPECT_TRUE(starts.insert(leases.back().data()).second);
    memset(leases.back().data(), i, kChunk);
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(leases[i].data()[0], i);
    EXPECT_EQ(leases[i].data()[kChunk - 1], i);
  }
  EXPECT_EQ(pool.LeasedBytes(), 20 * kChunk);
  EXPECT_EQ(pool.SlabCount(), 3u);
  leases.clear();
  EXPECT_EQ(pool.LeasedBytes(), 0u);
  EXPECT_EQ(pool.SlabCount(), 1u);
}

TEST(BufferPoolTest, ShrinksInsteadOfFailing) {
  BufferPool pool(kSlab);
  int owner = 0;
  BufferLease first = pool.Acquire(5 * kChunk, &owner);
  EXPECT_EQ(first.size(), 5 * kChunk);
  BufferLease second = pool.Acquire(kSlab, &owner);
  EXPECT_EQ(second.size(), 2 * kChunk);
  BufferLease third = pool.Acquire(kSlab, &owner);
  EXPECT_EQ(third.size(), kChunk);
  BufferLease fourth = pool.Acquire(kSlab, &owner);
  EXPECT_EQ(fourth.size(), BufferPool::kSmallBytes);
  memset(fourth.data(), 1, fourth.size());
  first.Reset();
  EXPECT_FALSE(first);
  BufferLease again = pool.Acquire(4 * kChunk, &owner);
  EXPECT_EQ(again.size(), 4 * kChunk);
}

TEST(BufferPoolTest, MovingALeaseKeepsOneOwner) {
  BufferPool pool;
  int owner = 0;
  BufferLease lease = pool.Acquire(kChunk, &owner);
  char* const data = lease.data();
  BufferLease moved = std::move(lease);
  EXPECT_EQ(moved.data(), data);
  EXPECT_EQ(moved.owner(), &owner);
  EXPECT_EQ(pool.LeasedBytes(), kChunk);
  moved = pool.Acquire(kChunk, &owner);
  EXPECT_EQ(pool.LeasedBytes(), kChunk);
}

TEST(BufferPoolTest, ThreadsShareIt) {
  BufferPool pool(4 * kSlab);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      Random64 random(t + 1);
      std::vector<BufferLease> held;
      for (int i = 0; i < 300; ++i) {
        if (held.size() > 6) held.erase(held.begin());
        held.push_back(pool.Acquire(1 + random.Uniform(kSlab), &held));
        held.back().data()[0] = static_cast<char>(t);
        for (const BufferLease& lease : held) {
          ASSERT_EQ(lease.data()[0], static_cast<char>(t));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.LeasedBytes(), 0u);
}

#ifndef NDEBUG
TEST(BufferPoolTest, PoisonsWhatIsReturned) {
  BufferPool pool;
  int owner = 0;
  BufferLease lease = pool.Acquire(kChunk, &owner);
  char* const data = lease.data();
  memset(data, 7, kChunk);
  BufferLease keeps_slab = pool.Acquire(kChunk, &owner);
  lease.Reset();
  EXPECT_NE(data[0], 7);
  EXPECT_NE(data[kChunk - 1], 7);
}
#endif

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
