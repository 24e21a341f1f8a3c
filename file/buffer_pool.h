// Aligned memory for bulk I/O, in chunks of 256 KiB.
//
// Chunks lie in slabs of 2 MiB that are aligned to their size, and the kernel
// is asked to back each by one huge page: a device takes a buffer that lies in
// one piece as one segment. On a virtio disk compaction moved 1.5 times as much
// by that, in 0.62 of the processor time for each GB (docs/status.md). A lease
// is a run of neighbouring chunks of one slab. Beyond the pool's limit, leases
// get smaller, down to one of 128 KiB outside the slabs, rather than fail.
//
// Threads    Safe for concurrent use.
// Ownership  A lease returns its memory when destroyed; the pool must outlive
//            all leases, and stops the process if it does not.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "file/aligned_buffer.h"
#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class BufferPool;

// A run of chunks. Empty when default-constructed, moved from or reset.
class BufferLease {
 public:
  BufferLease() = default;
  BufferLease(BufferLease&& other) noexcept { *this = std::move(other); }
  BufferLease& operator=(BufferLease&& other) noexcept;
  ~BufferLease() { Reset(); }

  // Returns the memory. In debug builds it is overwritten first.
  void Reset();

  char* data() const { return data_; }
  size_t size() const { return size_; }
  explicit operator bool() const { return data_ != nullptr; }
  const void* owner() const { return owner_; }

 private:
  struct Place {
    BufferPool* pool = nullptr;
    size_t slab = 0;  // kOutside: memory of its own
    size_t first_chunk = 0;
    size_t chunk_count = 0;
  };
  static constexpr size_t kOutside = SIZE_MAX;
  friend class BufferPool;

  char* data_ = nullptr;
  size_t size_ = 0;
  // The holder of the chunks, by which checks tell a rightful use from a reuse.
  const void* owner_ = nullptr;
  Place place_;
  AlignedBuffer outside_;
};

class BufferPool {
 public:
  static constexpr size_t kSlabBytes = 2 << 20;
  static constexpr size_t kChunkBytes = 256 << 10;
  static constexpr size_t kSmallBytes = 128 << 10;
  static constexpr size_t kChunksPerSlab = kSlabBytes / kChunkBytes;

  explicit BufferPool(size_t limit_bytes = 64 << 20);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // The pool of the process.
  static BufferPool* Default();

  // About `wanted` bytes: at least kSmallBytes, at most a slab. `owner` is
  // noted as their holder.
  BufferLease Acquire(size_t wanted, const void* owner);

  // Leases one chunk, aligned to its size, to a caller that keeps only its
  // address. Null if all slabs are leased.
  char* TakeChunk();
  // Takes back what TakeChunk() returned; anything else stops the process.
  void GiveChunk(char* chunk);

  // Bytes leased now, inside and outside slabs; for leak tests.
  size_t LeasedBytes() const { return leased_bytes_.load(); }
  // What the pool has of the system: slabs, leased or not, and memory outside.
  size_t HeldBytes() const;
  // Slabs that have memory.
  size_t SlabCount() const;

 private:
  struct Slab {
    // Empty slabs give their memory back, except for one.
    AlignedBuffer memory;
    // Bit i: chunk i is leased.
    uint32_t used = 0;
    const void* owners[kChunksPerSlab] = {};
  };
  friend class BufferLease;

  bool TakeRun(size_t chunk_count, BufferLease* lease) REQUIRES(mutex_);
  void Fill(size_t slab, size_t first, size_t count, BufferLease* lease)
      REQUIRES(mutex_);
  // Gives the slab its memory.
  static void Provide(Slab* slab);
  BufferLease::Place PlaceOf(const char* chunk) EXCLUDES(mutex_);
  void Return(BufferLease* lease);
  void ReturnChunks(const BufferLease& lease) REQUIRES(mutex_);

  const size_t max_slabs_;
  std::atomic<size_t> leased_bytes_{0};
  std::atomic<size_t> outside_bytes_{0};
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Slab>> slabs_ GUARDED_BY(mutex_);
  // Slabs that have memory and no leased chunk.
  size_t idle_slabs_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
