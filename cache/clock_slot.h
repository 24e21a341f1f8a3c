// One place of the clock cache: what an entry is, and the word that says who
// may touch it.
//
//   state   bits 0..31 references, 32..33 clock, 34..35 phase, 36 ever hit,
//           40..63 tag
//
//   empty      nobody's; whoever turns it busy owns it
//   busy       one thread fills or clears it
//   live       can be found; evicted by who turns it busy while no reference is
//              held
//   unlinked   cannot be found any more; cleared by who drops the last
//   reference
//
// A lookup compares tags, which lie eight to a cache line, then takes a
// reference with one addition, and only then looks at the entry: if it was too
// late, it gives the reference back. So references may come and go at any time,
// and every change of phase leaves them alone.
//
// Threads  `state` is atomic; the rest belongs to the busy thread, and does not
//          change while a reference is held.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

struct ClockState {
  using Word = std::atomic<uint64_t>;
  enum Phase : uint64_t { kEmpty = 0, kBusy = 1, kLive = 2, kUnlinked = 3 };

  static constexpr uint64_t kClockOne = uint64_t{1} << 32;
  static constexpr uint64_t kClockHit = kClockOne << 1;
  static constexpr uint64_t kClockMask = 3 * kClockOne;
  static constexpr uint64_t kPhaseOne = uint64_t{1} << 34;
  // Stays from the first hit on, whatever becomes of the clock.
  static constexpr uint64_t kEverHit = uint64_t{1} << 36;
  static constexpr int kTagShift = 40;

  static uint32_t Refs(uint64_t word) { return static_cast<uint32_t>(word); }
  static uint64_t Clock(uint64_t word) { return (word >> 32) & 3; }
  static Phase PhaseOf(uint64_t word) {
    return static_cast<Phase>((word >> 34) & 3);
  }
  static uint64_t Tag(uint64_t word) { return word >> kTagShift; }
  // The tag of a hash is its high bits; the low bits choose the place.
  static uint64_t TagOf(uint64_t hash) { return hash >> kTagShift; }
};
static_assert(ClockState::kUnlinked == (ClockState::kLive | 1));

struct alignas(64) ClockEntry : Cache::Handle {
  static constexpr size_t kInlineKeyBytes = 16;  // keys of blocks fit

  Cache::ObjectPtr object = nullptr;
  const Cache::CacheItemHelper* helper = nullptr;
  // The charge that the caller gave, and the same with the entry's own memory,
  // where the policy counts it.
  size_t charge = 0;
  size_t total_charge = 0;
  ClockState::Word* state = nullptr;
  uint32_t key_size = 0;
  bool is_standalone = false;
  union {
    char inline_key[kInlineKeyBytes] = {};
    char* long_key;
  };

  Slice key() const {
    return Slice(key_size <= kInlineKeyBytes ? inline_key : long_key, key_size);
  }
  void SetKey(const Slice& key) {
    key_size = static_cast<uint32_t>(key.size());
    char* target = inline_key;
    if (key.size() > kInlineKeyBytes) {
      long_key = std::make_unique<char[]>(key.size()).release();
      target = long_key;
    }
    memcpy(target, key.data(), key.size());
  }
  // Deletes the object and forgets everything.
  void Clear(MemoryAllocator* allocator) {
    if (helper != nullptr && helper->del_cb != nullptr) {
      helper->del_cb(object, allocator);
    }
    Forget();
  }
  // The object stays.
  void Forget() {
    if (key_size > kInlineKeyBytes) {
      const std::unique_ptr<char[]> last(long_key);
    }
    object = nullptr;
    helper = nullptr;
    charge = 0;
    total_charge = 0;
    key_size = 0;
  }
};

// An entry that was never in the table.
struct StandaloneClockEntry {
  ClockEntry entry;
  ClockState::Word state{0};
};

}  // namespace ROCKSDB_NAMESPACE
