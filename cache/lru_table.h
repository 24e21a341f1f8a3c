// A hash table of cache entries: open addressing, linear probing, three fifths
// to three quarters full, since a cache of blocks has many.
//
// The home of an entry is where its hash lies in the range of all hashes, so
// that slots are about in the order of hashes, at every size; a walk can stop
// and go on after the table has grown.
//
// Threads  One at a time; the shard's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cache/lru_entry.h"
#include "rocksdb/slice.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

class LruTable {
 public:
  static constexpr size_t kFirstSlotCount = 64;

  LruTable();

  LruEntry* Find(uint64_t hash, const Slice& key) const {
    for (size_t i = Home(hash); slots_[i].entry != nullptr; i = Next(i)) {
      if (slots_[i].hash == hash && slots_[i].entry->Matches(hash, key)) {
        return slots_[i].entry;
      }
    }
    return nullptr;
  }

  // Into the processor's cache: where an entry of that hash is.
  void Fetch(uint64_t hash) const {
    __builtin_prefetch(&slots_[Home(hash)], 1);
  }

  // Answers the entry of an equal key that it replaced, or null.
  LruEntry* Insert(LruEntry* entry);
  // The entry must be in the table.
  void Remove(LruEntry* entry);

  size_t size() const { return size_; }
  size_t slot_count() const { return slots_.size(); }

  // Appends the entries of about `count` slots, from the place of `*cursor`
  // on, and moves it. False when the end is reached. A walk starts at 0.
  bool Walk(uint64_t* cursor, size_t count, std::vector<LruEntry*>* entries);

 private:
  struct Slot {
    uint64_t hash = 0;
    LruEntry* entry = nullptr;
  };

  size_t Home(uint64_t hash) const {
    return static_cast<size_t>(FastRange64(hash, slots_.size()));
  }
  size_t Next(size_t i) const { return i + 1 == slots_.size() ? 0 : i + 1; }
  // How many slots `to` is behind `from`.
  size_t Distance(size_t from, size_t to) const {
    return to >= from ? to - from : to + slots_.size() - from;
  }
  void Grow();
  // Puts an entry whose key is not there into a free slot.
  void Place(uint64_t hash, LruEntry* entry);

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
