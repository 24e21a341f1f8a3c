// A bucket of HashedRep that is an ordered tree.
//
// Threads  As EntryTree.
#pragma once

#include <vector>

#include "memtable/entry_store.h"
#include "memtable/entry_tree.h"

namespace ROCKSDB_NAMESPACE {

class TreeBucket {
 public:
  struct Limits {};

  TreeBucket(const InternalKeyComparator* order, ConcurrentArena* arena,
             const Limits& /*limits*/)
      : tree_(order, arena) {}

  [[nodiscard]] bool Insert(const char* entry) { return tree_.Insert(entry); }

  void Visit(const Slice& internal_key,
             const EntryStore::Visitor& visit) const {
    EntryTree::Cursor cursor(&tree_);
    cursor.Seek(internal_key);
    while (cursor.Valid() && visit(cursor.entry())) cursor.Next();
  }

  void AppendTo(std::vector<const char*>* entries) const {
    EntryTree::Cursor cursor(&tree_);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      entries->push_back(cursor.entry());
    }
  }

 private:
  EntryTree tree_;
};

}  // namespace ROCKSDB_NAMESPACE
