// The places of a clock cache, found by hash without a lock.
//
// An entry lies in one of two buckets of eight, in the emptier when it came. A
// bucket's eight states share a cache line, so a lookup reads two lines at most
// before it finds the entry. When no bucket has room, another part is added, of
// the size of all before, or eight times that while the table is small; nothing
// ever moves.
//
// Threads  Any; adding a part takes a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "cache/clock_slot.h"
#include "rocksdb/slice.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class ClockTable {
 public:
  static constexpr size_t kBucketSlots = 8;

  // Room for `first_slots` entries at first, soon for `usual_slots`, and for
  // `max_slots` in the end.
  ClockTable(size_t first_slots, size_t usual_slots, size_t max_slots);
  ClockTable(const ClockTable&) = delete;
  ClockTable& operator=(const ClockTable&) = delete;

  // The live entry with that key, with a reference; null if there is none. A
  // reference that was taken in vain is given back through `release`.
  template <class Release>
  ClockEntry* Find(uint64_t hash, const Slice& key, const ClockEntry* except,
                   const Release& release) const;

  // A place for an entry of that hash, busy; null if there is no room.
  ClockEntry* Claim(uint64_t hash);
  // Adds a part. False if the table has its final size.
  bool Grow();
  void SetMaxSlots(size_t max_slots) {
    max_slots_.store(max_slots, std::memory_order_relaxed);
  }

  size_t slot_count() const {
    return slot_count_.load(std::memory_order_acquire);
  }
  // The place with that number, below slot_count().
  ClockEntry* At(size_t index) const;
  // Calls `visit` for the places where an entry of that hash may lie.
  template <class Visit>
  void ForCandidates(uint64_t hash, const Visit& visit) const;

 private:
  struct alignas(64) Bucket {
    std::array<ClockState::Word, kBucketSlots> states{};
  };
  struct Part {
    explicit Part(size_t bucket_count);
    size_t first_slot = 0;
    uint64_t bucket_mask = 0;
    std::unique_ptr<Bucket[]> buckets;
    std::unique_ptr<ClockEntry[]> entries;

    // The two buckets of a hash.
    size_t First(uint64_t hash) const { return hash & bucket_mask; }
    size_t Second(uint64_t hash) const {
      return ((hash >> 20) * 0x9E3779B97F4A7C15u >> 32) & bucket_mask;
    }
  };
  static constexpr size_t kMaxParts = 28;

  static size_t EmptyIn(const Bucket& bucket);
  static ClockEntry* ClaimIn(const Part& part, size_t bucket);
  void AddPart(size_t bucket_count);
  size_t part_count() const {
    // acquire: pairs with the release in AddPart().
    return part_count_.load(std::memory_order_acquire);
  }

  const size_t usual_slots_;
  std::atomic<size_t> max_slots_;
  std::array<std::unique_ptr<Part>, kMaxParts> parts_;
  std::atomic<size_t> part_count_{0};
  std::atomic<size_t> slot_count_{0};
  Mutex grow_mutex_;  // one part at a time
};

template <class Visit>
void ClockTable::ForCandidates(uint64_t hash, const Visit& visit) const {
  for (size_t p = part_count(); p-- > 0;) {
    const Part& part = *parts_[p];
    const size_t buckets[] = {part.First(hash), part.Second(hash)};
    for (size_t b = 0; b < (buckets[0] == buckets[1] ? 1u : 2u); ++b) {
      for (size_t i = 0; i < kBucketSlots; ++i) {
        visit(&part.entries[buckets[b] * kBucketSlots + i]);
      }
    }
  }
}

template <class Release>
ClockEntry* ClockTable::Find(uint64_t hash, const Slice& key,
                             const ClockEntry* except,
                             const Release& release) const {
  const uint64_t tag = ClockState::TagOf(hash);
  for (size_t p = part_count(); p-- > 0;) {
    const Part& part = *parts_[p];
    const size_t buckets[] = {part.First(hash), part.Second(hash)};
    for (const size_t bucket : buckets) {
      Bucket& states = part.buckets[bucket];
      for (size_t i = 0; i < kBucketSlots; ++i) {
        ClockState::Word& state = states.states[i];
        uint64_t word = state.load(std::memory_order_relaxed);
        if (ClockState::Tag(word) != tag ||
            ClockState::PhaseOf(word) != ClockState::kLive) {
          continue;
        }
        ClockEntry* entry = &part.entries[bucket * kBucketSlots + i];
        if (entry == except) continue;
        // acquire: pairs with the release that made the entry live.
        word = state.fetch_add(1, std::memory_order_acquire);
        if (ClockState::PhaseOf(word) == ClockState::kLive &&
            entry->key() == key) {
          return entry;
        }
        release(entry);
      }
    }
  }
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
