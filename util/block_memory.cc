#include "util/block_memory.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(address, size) static_cast<void>(size)
#define ASAN_UNPOISON_MEMORY_REGION(address, size) static_cast<void>(size)
#endif

namespace ROCKSDB_NAMESPACE {

namespace {

// Sizes are multiples, so that more of them are equal, with the word that a
// general allocator adds to each.
constexpr size_t kSizeStep = 64;
constexpr size_t kAllocatorBytes = sizeof(size_t);
// A buffer serves what is smaller by so small a part of it.
constexpr size_t kSlackShare = 16;
constexpr size_t kLargestKept = BlockMemory::kMostKeptBytes / 4;

size_t RoundUp(size_t size) {
  return (size + kSizeStep - 1) / kSizeStep * kSizeStep;
}

struct Kept {
  char* memory = nullptr;
  size_t capacity = 0;
};

// What a thread keeps, from the longest kept to the latest. Trivially made and
// destroyed: memory may be freed before and after all else of a thread.
struct Shelf {
  enum class State : char { kNew, kOpen, kClosed };

  std::array<Kept, BlockMemory::kMostKept> kept;
  size_t count = 0;
  size_t bytes = 0;
  State state = State::kNew;
};

thread_local constinit Shelf shelf __attribute__((tls_model("initial-exec")));

// Whoever reads beyond the first `size` bytes is found by AddressSanitizer, as
// if there were no more.
void Uncover(const Kept& one, size_t size) {
  assert(size <= one.capacity);
  ASAN_UNPOISON_MEMORY_REGION(one.memory, size);
  ASAN_POISON_MEMORY_REGION(one.memory + size, one.capacity - size);
}

void Delete(const Kept& one) {
  ASAN_UNPOISON_MEMORY_REGION(one.memory, one.capacity);
  const std::unique_ptr<char[]> last(one.memory);
}

Kept TakeOut(size_t index) {
  assert(index < shelf.count);
  const Kept one = shelf.kept[index];
  std::move(shelf.kept.begin() + index + 1, shelf.kept.begin() + shelf.count,
            shelf.kept.begin() + index);
  --shelf.count;
  shelf.bytes -= one.capacity;
  return one;
}

// Opens a thread's shelf, and empties it when the thread ends.
class Keeper {
 public:
  Keeper() { shelf.state = Shelf::State::kOpen; }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  ~Keeper() {
    shelf.state = Shelf::State::kClosed;
    while (shelf.count > 0) Delete(TakeOut(shelf.count - 1));
    assert(shelf.bytes == 0);
  }
  bool is_open() const { return shelf.state == Shelf::State::kOpen; }
};

bool OpenShelf() {
  if (shelf.state == Shelf::State::kClosed) return false;
  thread_local const Keeper keeper;
  return keeper.is_open();
}

}  // namespace

BlockMemory::BlockMemory(size_t size) {
  for (size_t i = shelf.count; i > 0; --i) {
    const size_t capacity = shelf.kept[i - 1].capacity;
    if (capacity < size || capacity - size > capacity / kSlackShare) continue;
    const Kept one = TakeOut(i - 1);
    memory_ = one.memory;
    capacity_ = one.capacity;
    Uncover(one, size);
    return;
  }
  capacity_ = std::max(size, size_t{1});
  if (size <= kLargestKept) {
    capacity_ = RoundUp(capacity_ + kAllocatorBytes) - kAllocatorBytes;
  }
  memory_ = std::make_unique_for_overwrite<char[]>(capacity_).release();
  Uncover({memory_, capacity_}, size);
}

void BlockMemory::Fit(size_t size) {
  if (memory_ == nullptr || size > capacity_) {
    *this = BlockMemory(size);
  } else {
    Uncover({memory_, capacity_}, size);
  }
  assert(memory_ != nullptr && capacity_ >= size);
}

void BlockMemory::Free() {
  assert(memory_ != nullptr && capacity_ > 0);
  const Kept one{memory_, capacity_};
  if (capacity_ > kLargestKept ||
      (shelf.state != Shelf::State::kOpen && !OpenShelf())) {
    Delete(one);
    return;
  }
  while (shelf.count == kMostKept || shelf.bytes + capacity_ > kMostKeptBytes) {
    Delete(TakeOut(0));
  }
  ASAN_POISON_MEMORY_REGION(one.memory, one.capacity);
  shelf.kept[shelf.count++] = one;
  shelf.bytes += capacity_;
  assert(shelf.count <= kMostKept && shelf.bytes <= kMostKeptBytes);
}

}  // namespace ROCKSDB_NAMESPACE
