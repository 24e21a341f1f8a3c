// A bucket of HashedRep that is a sorted list while it is short, and a tree
// from then on.
//
// The list stays for readers that are in it; it gets nothing more.
//
// Threads    Reads take no lock. Inserts into the list take turns.
// Invariant  list_ is sorted. Once tree_ is there, it has all of list_.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memtable/entry_store.h"
#include "memtable/tree_bucket.h"

namespace ROCKSDB_NAMESPACE {

class ListBucket {
 public:
  struct Limits {
    uint32_t longest_list = 256;
  };

  ListBucket(const InternalKeyComparator* order, ConcurrentArena* arena,
             const Limits& limits)
      : order_(order), arena_(arena), limits_(limits) {}
  ListBucket(const ListBucket&) = delete;
  ListBucket& operator=(const ListBucket&) = delete;

  [[nodiscard]] bool Insert(const char* entry);
  void Visit(const Slice& internal_key, const EntryStore::Visitor& visit) const;
  void AppendTo(std::vector<const char*>* entries) const;

 private:
  struct Link {
    const char* entry = nullptr;
    std::atomic<Link*> next{nullptr};
  };
  class Turn;

  bool InsertIntoList(const char* entry);
  void GrowIntoTree();

  const InternalKeyComparator* const order_;
  ConcurrentArena* const arena_;
  const Limits limits_;
  std::atomic_flag is_inserting_;
  std::atomic<Link*> list_{nullptr};
  uint32_t list_length_ = 0;  // only the thread that has the turn uses it
  std::atomic<TreeBucket*> tree_{nullptr};
};

}  // namespace ROCKSDB_NAMESPACE
