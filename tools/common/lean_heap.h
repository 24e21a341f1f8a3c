// Keeps the heap of a program small that reads much: what it holds displaces
// what its control group has in the page cache.
//
// Threads  Before there are others.
#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace tools {

// Buffers that are let go of leave no holes: each has pages of its own, and
// threads share one heap.
inline void KeepHeapLean() {
#ifdef M_MMAP_THRESHOLD
  constexpr int kOwnPagesBytes = 128 << 10;
  mallopt(M_MMAP_THRESHOLD, kOwnPagesBytes);
  mallopt(M_TRIM_THRESHOLD, kOwnPagesBytes);
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace tools
