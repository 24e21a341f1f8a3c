// Where in a write batch the updates of one column family are, by key.
//
// The index has no copy of the keys: an entry says where in the batch's bytes
// its update and key begin, and bytes are only ever added. Keys are as users
// give them, without timestamps.
//
// Updates of one key lie newest first.
//
// Invariant  With kNewest, a key has one entry, or merge operands before an
//            entry that they go onto.
// Threads    As the batch.
// Ownership  Borrows the batch and the comparator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "db/wal/write_batch_format.h"
#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

struct IndexEntry {
  size_t offset = 0;  // where the update begins in the batch
  size_t key_offset = 0;
  size_t key_size = 0;
  // The update is the n-th of its key, from 1.
  uint32_t update_count = 0;
  // One of those before it was a single deletion.
  bool had_single_delete = false;
};

// What a batch knows of one key. The slices point into the batch.
struct BatchAnswer {
  enum class Base { kUnknown, kDeleted, kPlain, kEntity };
  Base base = Base::kUnknown;
  Slice value;
  // The operands on top of the base, oldest first.
  std::vector<Slice> operands;

  bool IsUnknown() const { return base == Base::kUnknown && operands.empty(); }
  // Is there more to it than the batch says?
  bool NeedsMore() const { return base == Base::kUnknown; }
};

// Compares keys as users give them, without timestamps.
int CompareGiven(const Comparator& order, const Slice& a, const Slice& b);

class FamilyIndex {
 public:
  enum class Keeps {
    kAll,     // every update
    kNewest,  // the newest, and operands
  };

  struct Less {
    using is_transparent = void;
    const Comparator* order;
    const WriteBatch* batch;

    bool operator()(const IndexEntry& a, const IndexEntry& b) const;
    bool operator()(const IndexEntry& a, const Slice& key) const;
    bool operator()(const Slice& key, const IndexEntry& b) const;
  };
  using Entries = std::set<IndexEntry, Less>;

  FamilyIndex(const Comparator* order, const WriteBatch* batch, Keeps keeps);

  // Needs an index without entries.
  void SetOrder(const Comparator* order);
  // `entry` was read at `offset`.
  void Add(const BatchEntry& entry, size_t offset);
  void Clear() {
    entries_.clear();
    ++change_count_;
    ++clear_count_;
  }

  BatchAnswer Lookup(const Slice& key) const;
  // The update of an entry.
  BatchEntry Read(const IndexEntry& entry) const;
  Slice KeyOf(const IndexEntry& entry) const;
  // Whether an update has taken the place of a single deletion: operands lie
  // over what was there.
  bool HasReplacedSingleDelete(const IndexEntry& entry) const;

  const Entries& entries() const { return entries_; }
  // Grows with each change.
  uint64_t change_count() const { return change_count_; }
  // Grows when the bytes may be gone to which entries point that were read
  // before.
  uint64_t clear_count() const { return clear_count_; }
  const Comparator* order() const { return order_; }

 private:
  // Is there an update of the key at that place?
  bool IsAtKey(Entries::const_iterator place, const Slice& key) const;
  // False: older updates of the key do not matter any more.
  bool Gather(const IndexEntry& entry, BatchAnswer* answer) const;

  const Comparator* order_;
  const WriteBatch* const batch_;
  const Keeps keeps_;
  Entries entries_;
  uint64_t change_count_ = 0;
  uint64_t clear_count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
