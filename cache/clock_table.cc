#include "cache/clock_table.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMinBuckets = 4;
// How much larger than all before a part is while the table is small. A lookup
// looks into each part, so there are to be few.
constexpr size_t kEarlyGrowth = 8;

}  // namespace

ClockTable::Part::Part(size_t bucket_count)
    : bucket_mask(bucket_count - 1),
      buckets(std::make_unique<Bucket[]>(bucket_count)),
      entries(std::make_unique<ClockEntry[]>(bucket_count * kBucketSlots)) {
  INVARIANT(std::has_single_bit(bucket_count));
  for (size_t i = 0; i < bucket_count * kBucketSlots; ++i) {
    entries[i].state = &buckets[i / kBucketSlots].states[i % kBucketSlots];
  }
}

ClockTable::ClockTable(size_t first_slots, size_t usual_slots, size_t max_slots)
    : usual_slots_(usual_slots), max_slots_(max_slots) {
  const size_t buckets = (first_slots + kBucketSlots - 1) / kBucketSlots;
  MutexLock lock(&grow_mutex_);
  AddPart(std::bit_ceil(std::max(buckets, kMinBuckets)));
}

void ClockTable::AddPart(size_t bucket_count) {
  const size_t count = part_count_.load(std::memory_order_relaxed);
  INVARIANT(count < kMaxParts);
  auto part = std::make_unique<Part>(bucket_count);
  part->first_slot = slot_count_.load(std::memory_order_relaxed);
  const size_t slots = part->first_slot + bucket_count * kBucketSlots;
  parts_[count] = std::move(part);
  // release: pairs with the acquire in part_count() and slot_count().
  part_count_.store(count + 1, std::memory_order_release);
  slot_count_.store(slots, std::memory_order_release);
}

bool ClockTable::Grow() {
  const size_t before = slot_count();
  MutexLock lock(&grow_mutex_);
  const size_t slots = slot_count();
  if (slots != before) return true;  // Another thread has just done it.
  if (slots >= max_slots_.load(std::memory_order_relaxed) ||
      part_count() == kMaxParts) {
    return false;
  }
  const size_t more = slots < usual_slots_
                          ? std::min(kEarlyGrowth * slots, usual_slots_)
                          : slots;
  AddPart(std::max(std::bit_floor(more / kBucketSlots), kMinBuckets));
  return true;
}

ClockEntry* ClockTable::At(size_t index) const {
  assert(index < slot_count());
  for (size_t p = part_count(); p-- > 0;) {
    if (index >= parts_[p]->first_slot) {
      return &parts_[p]->entries[index - parts_[p]->first_slot];
    }
  }
  return nullptr;
}

size_t ClockTable::EmptyIn(const Bucket& bucket) {
  size_t count = 0;
  for (const ClockState::Word& state : bucket.states) {
    count += ClockState::PhaseOf(state.load(std::memory_order_relaxed)) ==
             ClockState::kEmpty;
  }
  return count;
}

ClockEntry* ClockTable::ClaimIn(const Part& part, size_t bucket) {
  for (size_t i = 0; i < kBucketSlots; ++i) {
    ClockState::Word& state = part.buckets[bucket].states[i];
    uint64_t word = state.load(std::memory_order_relaxed);
    while (ClockState::PhaseOf(word) == ClockState::kEmpty) {
      // acquire: pairs with the release of who cleared the place.
      if (state.compare_exchange_weak(word, word + ClockState::kPhaseOne,
                                      std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        return &part.entries[bucket * kBucketSlots + i];
      }
    }
  }
  return nullptr;
}

ClockEntry* ClockTable::Claim(uint64_t hash) {
  for (size_t p = part_count(); p-- > 0;) {
    const Part& part = *parts_[p];
    size_t first = part.First(hash);
    size_t second = part.Second(hash);
    if (EmptyIn(part.buckets[first]) < EmptyIn(part.buckets[second])) {
      std::swap(first, second);
    }
    ClockEntry* entry = ClaimIn(part, first);
    if (entry == nullptr) entry = ClaimIn(part, second);
    if (entry != nullptr) return entry;
  }
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
