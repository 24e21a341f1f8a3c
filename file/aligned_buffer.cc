#include "file/aligned_buffer.h"

#include "file/buffer_pool.h"
#include "file/kept_pages.h"

namespace ROCKSDB_NAMESPACE {

void FreeAligned::operator()(char* p) const {
  switch (home) {
    case Home::kHeap:
      free(p);
      return;
    case Home::kKeptPages:
      KeptPages::Give(p);
      return;
    case Home::kBufferPool:
      BufferPool::Default()->GiveChunk(p);
      return;
  }
}

void AlignedBuffer::ReserveShortly(size_t alignment, size_t capacity) {
  INVARIANT(IsPowerOfTwo(alignment));
  const bool suits = capacity >= KeptPages::kLeastBytes &&
                     capacity <= KeptPages::kBytes &&
                     alignment <= KeptPages::kAlignment;
  if (!suits) return Reserve(alignment, capacity);
  if (capacity <= capacity_ && alignment <= alignment_) return;
  Free();
  memory_ =
      Memory(KeptPages::Take(), FreeAligned{FreeAligned::Home::kKeptPages});
  if (memory_ == nullptr) throw std::bad_alloc();
  alignment_ = KeptPages::kAlignment;
  capacity_ = KeptPages::kBytes;
}

void AlignedBuffer::ReserveBulk(size_t alignment, size_t capacity) {
  INVARIANT(IsPowerOfTwo(alignment));
  if (capacity != BufferPool::kChunkBytes || alignment > capacity) {
    return Reserve(alignment, capacity);
  }
  if (capacity <= capacity_ && alignment <= alignment_) return;
  char* const chunk = BufferPool::Default()->TakeChunk();
  if (chunk == nullptr) return Reserve(alignment, capacity);
  memory_ = Memory(chunk, FreeAligned{FreeAligned::Home::kBufferPool});
  alignment_ = BufferPool::kChunkBytes;
  capacity_ = capacity;
}

}  // namespace ROCKSDB_NAMESPACE
