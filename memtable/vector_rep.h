// The entries of a memtable in the order of writing, sorted when they are read:
// for loads that nobody reads before the flush.
//
// A read sorts what came since the last one, and merges it into what is sorted.
//
// Threads  As EntryStore: a lock, held while sorting.
#pragma once

#include <vector>

#include "memtable/entry_store.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class VectorRep final : public EntryStore {
 public:
  VectorRep(const InternalKeyComparator* order, size_t reserved_count);

  bool Insert(const char* entry) override;
  void Visit(const Slice& internal_key, const Visitor& visit) const override;
  SortedEntries Sorted() const override;
  size_t memory_bytes() const override;

 private:
  const InternalKeyComparator* const order_;
  mutable Mutex mutex_;
  std::vector<const char*> entries_ GUARDED_BY(mutex_);
  // The first of them; null: none.
  mutable SortedEntries sorted_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
