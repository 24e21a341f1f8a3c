// What keeps the entries of a memtable in order, where it is not the tree.
//
// An entry is as in entry_tree.h: it lies in the arena, and is never changed.
//
// Threads    All calls from any thread at the same time.
// Ownership  What it makes beside the arena is its own; the arena outlives it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"
#include "util/arena.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// Entries in order, as they were at some moment.
using SortedEntries = std::shared_ptr<const std::vector<const char*>>;

class EntryStore {
 public:
  virtual ~EntryStore() = default;

  // False, with nothing changed, if its internal key is there already; a
  // structure that does not look for it stores it twice.
  [[nodiscard]] virtual bool Insert(const char* entry) = 0;

  // Shows the entries of a user key, from `internal_key` on, in order, and
  // perhaps some behind them, until `visit` answers false.
  using Visitor = std::function<bool(const char* entry)>;
  virtual void Visit(const Slice& internal_key, const Visitor& visit) const = 0;

  // At least the entries that are there now.
  virtual SortedEntries Sorted() const = 0;

  // Bytes beside the arena.
  virtual size_t memory_bytes() const = 0;
};

struct EntryStoreContext {
  const InternalKeyComparator* order = nullptr;
  ConcurrentArena* arena = nullptr;
  std::shared_ptr<const SliceTransform> prefix_extractor;  // may be null
};

// What `factory` stands for; null: the tree. Buckets by prefix need a prefix
// extractor, and are the tree without.
std::unique_ptr<EntryStore> MakeEntryStore(const MemTableRepFactory* factory,
                                           const EntryStoreContext& context);
// Is it none of ours? Then it is asked for a MemTableRep.
bool IsOfApplication(const MemTableRepFactory* factory);
// Does MakeEntryStore() give up what `factory` stands for?
bool LacksPrefixes(const MemTableRepFactory* factory,
                   const SliceTransform* prefix_extractor);

// A cursor over what is there when it is first positioned.
std::unique_ptr<InternalIterator> NewStoreIterator(
    const EntryStore* rep, const InternalKeyComparator* order);

// How many of `entries` are before `internal_key`.
size_t RankOf(const std::vector<const char*>& entries,
              const InternalKeyComparator& order, const Slice& internal_key);

void SortEntries(const InternalKeyComparator& order,
                 std::vector<const char*>* entries);

}  // namespace ROCKSDB_NAMESPACE
