#include "file/buffer_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

static_assert(BufferPool::kSlabBytes % BufferPool::kChunkBytes == 0);
static_assert(BufferPool::kChunksPerSlab < 32, "a slab's bits fit a word");

constexpr size_t kSmallAlignment = 64 << 10;

constexpr uint32_t RunMask(size_t first, size_t count) {
  return ((uint32_t{1} << count) - 1) << first;
}

}  // namespace

BufferLease& BufferLease::operator=(BufferLease&& other) noexcept {
  if (this != &other) {
    Reset();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    owner_ = std::exchange(other.owner_, nullptr);
    place_ = std::exchange(other.place_, Place());
    outside_ = std::move(other.outside_);
  }
  return *this;
}

void BufferLease::Reset() {
  if (data_ == nullptr) return;
  INVARIANT(place_.pool != nullptr);
  place_.pool->Return(this);
  data_ = nullptr;
  size_ = 0;
  owner_ = nullptr;
  place_ = Place();
}

BufferPool::BufferPool(size_t limit_bytes)
    : max_slabs_(limit_bytes / kSlabBytes) {}

BufferPool::~BufferPool() { INVARIANT(leased_bytes_.load() == 0); }

BufferPool* BufferPool::Default() {
  // Never destroyed: a stream may live until the process ends.
  static BufferPool* const pool = std::make_unique<BufferPool>().release();
  return pool;
}

size_t BufferPool::SlabCount() const {
  MutexLock lock(&mutex_);
  size_t count = 0;
  for (const auto& slab : slabs_) count += slab->memory.capacity() > 0;
  return count;
}

size_t BufferPool::HeldBytes() const {
  return SlabCount() * kSlabBytes + outside_bytes_.load();
}

void BufferPool::Provide(Slab* slab) {
  slab->memory.Reserve(kSlabBytes, kSlabBytes);
  // Refused: small pages do, too.
  (void)madvise(slab->memory.data(), kSlabBytes, MADV_HUGEPAGE);
}

void BufferPool::Fill(size_t slab, size_t first, size_t count,
                      BufferLease* lease) {
  Slab& place = *slabs_[slab];
  const uint32_t mask = RunMask(first, count);
  INVARIANT((place.used & mask) == 0);
  if (place.memory.capacity() == 0) {
    Provide(&place);
  } else if (place.used == 0) {
    INVARIANT(idle_slabs_ > 0);
    --idle_slabs_;
  }
  place.used |= mask;
  for (size_t i = first; i < first + count; ++i) {
    INVARIANT(place.owners[i] == nullptr);
    place.owners[i] = lease->owner_;
  }
  lease->data_ = place.memory.data() + first * kChunkBytes;
  lease->size_ = count * kChunkBytes;
  lease->place_ = {this, slab, first, count};
}

bool BufferPool::TakeRun(size_t chunk_count, BufferLease* lease) {
  assert(chunk_count >= 1 && chunk_count <= kChunksPerSlab);
  for (size_t slab = 0; slab < slabs_.size(); ++slab) {
    for (size_t first = 0; first + chunk_count <= kChunksPerSlab; ++first) {
      if ((slabs_[slab]->used & RunMask(first, chunk_count)) != 0) continue;
      Fill(slab, first, chunk_count, lease);
      return true;
    }
  }
  if (slabs_.size() >= max_slabs_) return false;
  slabs_.push_back(std::make_unique<Slab>());
  Fill(slabs_.size() - 1, 0, chunk_count, lease);
  return true;
}

BufferLease BufferPool::Acquire(size_t wanted, const void* owner) {
  INVARIANT(owner != nullptr);
  BufferLease lease;
  lease.owner_ = owner;
  wanted = std::clamp(wanted, kChunkBytes, kSlabBytes);
  size_t chunk_count = (wanted + kChunkBytes - 1) / kChunkBytes;
  {
    MutexLock lock(&mutex_);
    while (chunk_count > 0 && !TakeRun(chunk_count, &lease)) chunk_count /= 2;
  }
  if (chunk_count == 0) {
    lease.outside_.Reserve(kSmallAlignment, kSmallBytes);
    lease.data_ = lease.outside_.data();
    lease.size_ = kSmallBytes;
    lease.place_ = {this, BufferLease::kOutside, 0, 0};
    outside_bytes_.fetch_add(kSmallBytes);
  }
  assert(lease && lease.size_ >= kSmallBytes);
  leased_bytes_.fetch_add(lease.size_);
  return lease;
}

char* BufferPool::TakeChunk() {
  BufferLease lease;
  lease.owner_ = this;
  MutexLock lock(&mutex_);
  if (!TakeRun(1, &lease)) return nullptr;
  leased_bytes_.fetch_add(kChunkBytes);
  // Nobody returns it but GiveChunk().
  return std::exchange(lease.data_, nullptr);
}

void BufferPool::GiveChunk(char* chunk) {
  BufferLease lease;
  lease.data_ = chunk;
  lease.size_ = kChunkBytes;
  lease.owner_ = this;
  lease.place_ = PlaceOf(chunk);
}

BufferLease::Place BufferPool::PlaceOf(const char* chunk) {
  MutexLock lock(&mutex_);
  for (size_t slab = 0; slab < slabs_.size(); ++slab) {
    const char* const begin = slabs_[slab]->memory.data();
    if (begin == nullptr || chunk < begin || chunk >= begin + kSlabBytes) {
      continue;
    }
    const auto offset = static_cast<size_t>(chunk - begin);
    INVARIANT(offset % kChunkBytes == 0);
    return {this, slab, offset / kChunkBytes, 1};
  }
  INVARIANT(false);
}

void BufferPool::Return(BufferLease* lease) {
#ifndef NDEBUG
  memset(lease->data_, 0xDB, lease->size_);
#endif
  INVARIANT(leased_bytes_.load() >= lease->size_);
  leased_bytes_.fetch_sub(lease->size_);
  if (lease->place_.slab == BufferLease::kOutside) {
    lease->outside_.Free();
    outside_bytes_.fetch_sub(kSmallBytes);
    return;
  }
  MutexLock lock(&mutex_);
  ReturnChunks(*lease);
}

void BufferPool::ReturnChunks(const BufferLease& lease) {
  const BufferLease::Place& place = lease.place_;
  Slab& slab = *slabs_[place.slab];
  const uint32_t mask = RunMask(place.first_chunk, place.chunk_count);
  INVARIANT((slab.used & mask) == mask);
  for (size_t i = 0; i < place.chunk_count; ++i) {
    INVARIANT(slab.owners[place.first_chunk + i] == lease.owner_);
    slab.owners[place.first_chunk + i] = nullptr;
  }
  slab.used &= ~mask;
  if (slab.used != 0) return;
  if (idle_slabs_ > 0) {
    slab.memory.Free();
  } else {
    ++idle_slabs_;
  }
}

}  // namespace ROCKSDB_NAMESPACE
