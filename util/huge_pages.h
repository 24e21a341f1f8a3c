// A run of zeroed memory for a large table that is probed at random: in huge
// pages, where the system gives any, it costs fewer misses of the processor's
// table of pages.
//
// Threads    The memory is the caller's to share.
// Ownership  Gives the memory back at the end.
// Errors     Running out of memory throws std::bad_alloc, as `new` does.
#pragma once

#include <cstddef>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class HugePages {
 public:
  enum class Source { kHeap, kAdvisedPages, kReservedPages };

  // `page_size`: the size of the huge pages, a power of two and not larger than
  // `bytes`; with 0, or anything else, the memory is ordinary. Asks for
  // reserved huge pages first, then for pages that the kernel may join.
  HugePages(size_t bytes, size_t page_size);
  ~HugePages();
  HugePages(const HugePages&) = delete;
  HugePages& operator=(const HugePages&) = delete;

  // Aligned for a cache line, and for the page if it is not from the heap.
  void* data() const { return data_; }
  // The bytes that were asked for, or more, so that they fill whole pages.
  size_t bytes() const { return bytes_; }
  Source source() const { return source_; }

 private:
  bool MapReserved(size_t page_size);
  bool MapAdvised(size_t page_size);
  void AllocateFromHeap();

  size_t bytes_;
  Source source_ = Source::kHeap;
  void* data_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
