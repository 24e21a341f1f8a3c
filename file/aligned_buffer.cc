#include "file/aligned_buffer.h"

#include "file/kept_pages.h"

namespace ROCKSDB_NAMESPACE {

void FreeAligned::operator()(char* p) const {
  if (is_kept) {
    KeptPages::Give(p);
  } else {
    free(p);
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
  memory_ = Memory(KeptPages::Take(), FreeAligned{.is_kept = true});
  if (memory_ == nullptr) throw std::bad_alloc();
  alignment_ = KeptPages::kAlignment;
  capacity_ = KeptPages::kBytes;
}

}  // namespace ROCKSDB_NAMESPACE
