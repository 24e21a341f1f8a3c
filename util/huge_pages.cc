#include "util/huge_pages.h"

#include <sys/mman.h>

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <new>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::align_val_t kCacheLine{64};
constexpr size_t kSmallestPage = 4096;

void* Map(size_t bytes, int flags) {
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

void Unmap(void* begin, size_t bytes) {
  if (bytes == 0) return;
  const int result = munmap(begin, bytes);
  INVARIANT(result == 0);
}

}  // namespace

HugePages::HugePages(size_t bytes, size_t page_size) : bytes_(bytes) {
  INVARIANT(bytes > 0);
  // Less than a page would take a whole one.
  const bool is_page = std::has_single_bit(page_size) &&
                       page_size > kSmallestPage && page_size <= bytes;
  if (!is_page || bytes > SIZE_MAX / 4) {
    AllocateFromHeap();
    return;
  }
  bytes_ = (bytes + page_size - 1) & ~(page_size - 1);
  if (MapReserved(page_size) || MapAdvised(page_size)) return;
  bytes_ = bytes;
  AllocateFromHeap();
}

HugePages::~HugePages() {
  if (source_ == Source::kHeap) {
    ::operator delete(data_, kCacheLine);
  } else {
    Unmap(data_, bytes_);
  }
}

void HugePages::AllocateFromHeap() {
  assert(source_ == Source::kHeap);
  data_ = ::operator new(bytes_, kCacheLine);
  std::memset(data_, 0, bytes_);
}

bool HugePages::MapReserved(size_t page_size) {
  const int size_flag = std::countr_zero(page_size) << MAP_HUGE_SHIFT;
  data_ = Map(bytes_, MAP_HUGETLB | size_flag);
  if (data_ == nullptr) return false;
  source_ = Source::kReservedPages;
  return true;
}

// The kernel joins pages that begin where a huge page could.
bool HugePages::MapAdvised(size_t page_size) {
  const size_t mapped_bytes = bytes_ + page_size;
  char* const begin = static_cast<char*>(Map(mapped_bytes, 0));
  if (begin == nullptr) return false;
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const size_t front = (page_size - address % page_size) % page_size;
  Unmap(begin, front);
  data_ = begin + front;
  Unmap(begin + front + bytes_, mapped_bytes - front - bytes_);
  if (madvise(data_, bytes_, MADV_HUGEPAGE) != 0) {
    Unmap(data_, bytes_);
    return false;
  }
  source_ = Source::kAdvisedPages;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
