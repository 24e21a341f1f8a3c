// Leases of bulk buffers are aligned and disjoint, shrink at the limit instead
// of failing, and are poisoned when they are returned; chunks without a lease
// come from the same slabs, for which huge pages are asked.
#include "file/buffer_pool.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "file/aligned_buffer.h"
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

TEST(BufferPoolTest, ChunksOfWhoKeepsNoLease) {
  BufferPool pool(kSlab);
  int owner = 0;
  BufferLease lease = pool.Acquire(3 * kChunk, &owner);
  std::vector<char*> chunks;
  std::set<char*> starts;
  while (char* const chunk = pool.TakeChunk()) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(chunk) % kChunk, 0u);
    EXPECT_TRUE(chunk < lease.data() || chunk >= lease.data() + lease.size());
    EXPECT_TRUE(starts.insert(chunk).second);
    memset(chunk, static_cast<int>(chunks.size()), kChunk);
    chunks.push_back(chunk);
  }
  EXPECT_EQ(chunks.size(), BufferPool::kChunksPerSlab - 3);
  EXPECT_EQ(pool.LeasedBytes(), kSlab);
  for (size_t i = 0; i < chunks.size(); ++i) {
    EXPECT_EQ(chunks[i][kChunk - 1], static_cast<char>(i));
  }
  pool.GiveChunk(chunks[2]);
  EXPECT_EQ(pool.LeasedBytes(), kSlab - kChunk);
  EXPECT_EQ(pool.TakeChunk(), chunks[2]);
  for (char* const chunk : chunks) pool.GiveChunk(chunk);
  EXPECT_EQ(pool.LeasedBytes(), 3 * kChunk);
}

TEST(BufferPoolDeathTest, AChunkOfNoSlab) {
  EXPECT_DEATH(
      {
        BufferPool pool;
        char* const chunk = pool.TakeChunk();
        pool.GiveChunk(chunk + kSlab);
      },
      "buffer_pool.cc");
}

// "hg" among the flags of the mapping that has the address; empty where the
// kernel says nothing of mappings.
std::string FlagsOfMapping(const char* address) {
  std::ifstream maps("/proc/self/smaps");
  bool is_it = false;
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0, end = 0;
    if (sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " ", &begin, &end) == 2) {
      const auto at = reinterpret_cast<uintptr_t>(address);
      is_it = begin <= at && at < end;
    } else if (is_it && line.starts_with("VmFlags:")) {
      return line;
    }
  }
  return "";
}

TEST(BufferPoolTest, AsksForHugePages) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "the kernel has no huge pages to give";
  }
  BufferPool pool;
  int owner = 0;
  const BufferLease lease = pool.Acquire(kChunk, &owner);
  const std::string flags = FlagsOfMapping(lease.data());
  if (flags.empty()) GTEST_SKIP() << "the kernel says nothing of mappings";
  EXPECT_NE(flags.find(" hg"), std::string::npos) << flags;
}

TEST(AlignedBufferTest, BulkMemoryIsAChunkOfThePool) {
  BufferPool* const pool = BufferPool::Default();
  const size_t before = pool->LeasedBytes();
  AlignedBuffer buffer;
  buffer.ReserveBulk(4096, kChunk - 4096);
  EXPECT_EQ(buffer.capacity(), kChunk - 4096);
  EXPECT_EQ(pool->LeasedBytes(), before);
  memset(buffer.data(), 7, 5000);
  buffer.GrowBulk(kChunk, 5000);
  EXPECT_EQ(buffer.capacity(), kChunk);
  EXPECT_EQ(pool->LeasedBytes(), before + kChunk);
  EXPECT_EQ(buffer.data()[4999], 7);
  // Good enough: kept.
  const char* const chunk = buffer.data();
  buffer.ReserveBulk(65536, kChunk);
  EXPECT_EQ(buffer.data(), chunk);
  AlignedBuffer moved = std::move(buffer);
  EXPECT_EQ(moved.data(), chunk);
  EXPECT_EQ(pool->LeasedBytes(), before + kChunk);
  moved.GrowBulk(2 * kChunk, 100);
  EXPECT_EQ(moved.capacity(), 2 * kChunk);
  EXPECT_EQ(moved.data()[99], 7);
  EXPECT_EQ(pool->LeasedBytes(), before);
}

// What the pool lacks, the heap has.
TEST(AlignedBufferTest, BulkMemoryWhenThePoolIsEmpty) {
  BufferPool* const pool = BufferPool::Default();
  std::vector<char*> all;
  while (char* const chunk = pool->TakeChunk()) all.push_back(chunk);
  const size_t before = pool->LeasedBytes();
  AlignedBuffer buffer;
  buffer.ReserveBulk(4096, kChunk);
  EXPECT_EQ(buffer.capacity(), kChunk);
  EXPECT_EQ(pool->LeasedBytes(), before);
  memset(buffer.data(), 1, kChunk);
  for (char* const chunk : all) pool->GiveChunk(chunk);
  buffer.Free();
  EXPECT_EQ(pool->LeasedBytes(), before - all.size() * kChunk);
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
