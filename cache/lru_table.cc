#include "cache/lru_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The first hash whose home is `slot`, of so many.
uint64_t FirstHashAt(size_t slot, size_t slots) {
  using Wide = unsigned __int128;
  assert(slot < slots);
  return static_cast<uint64_t>(((Wide{slot} << 64) + slots - 1) / slots);
}

}  // namespace

LruTable::LruTable() : slots_(kFirstSlotCount) {}

void LruTable::Place(uint64_t hash, LruEntry* entry) {
  size_t i = Home(hash);
  while (slots_[i].entry != nullptr) i = Next(i);
  slots_[i] = {hash, entry};
}

void LruTable::Grow() {
  std::vector<Slot> old(slots_.size() + slots_.size() / 4);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.entry != nullptr) Place(slot.hash, slot.entry);
  }
}

LruEntry* LruTable::Insert(LruEntry* entry) {
  const uint64_t hash = entry->hash;
  size_t i = Home(hash);
  for (; slots_[i].entry != nullptr; i = Next(i)) {
    if (slots_[i].entry->Matches(hash, entry->key())) {
      return std::exchange(slots_[i].entry, entry);
    }
  }
  slots_[i] = {hash, entry};
  ++size_;
  if (size_ * 4 > slots_.size() * 3) Grow();
  return nullptr;
}

void LruTable::Remove(LruEntry* entry) {
  size_t hole = Home(entry->hash);
  while (slots_[hole].entry != entry) {
    INVARIANT(slots_[hole].entry != nullptr);
    hole = Next(hole);
  }
  // Entries behind move up, if that brings them no further than their home.
  for (size_t i = Next(hole); slots_[i].entry != nullptr; i = Next(i)) {
    if (Distance(Home(slots_[i].hash), i) < Distance(hole, i)) continue;
    slots_[hole] = slots_[i];
    hole = i;
  }
  slots_[hole] = Slot();
  assert(size_ > 0);
  --size_;
}

bool LruTable::Walk(uint64_t* cursor, size_t count,
                    std::vector<LruEntry*>* entries) {
  const size_t begin = Home(*cursor);
  const size_t end =
      std::min(begin + std::max<size_t>(count, 1), slots_.size());
  for (size_t i = begin; i < end; ++i) {
    if (slots_[i].entry != nullptr) entries->push_back(slots_[i].entry);
  }
  if (end == slots_.size()) return false;
  *cursor = FirstHashAt(end, slots_.size());
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
