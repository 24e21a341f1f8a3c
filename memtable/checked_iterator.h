// A cursor over a memtable that verifies each entry it stands on, and ends
// with Corruption at one that memory has changed.
//
// Threads    One thread.
// Lifetime   Keys must be pinned, and values whose checksums are verified;
//            entries outlive it.
#pragma once

#include <memory>

#include "memtable/entry_check.h"
#include "memtable/memtable.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

struct CheckedIteratorRequest {
  std::unique_ptr<InternalIterator> entries;
  MemTableChecks checks;
  const InternalKeyComparator* order = nullptr;
  // What the cursor's searches are shown to; null: nobody looks at them.
  std::unique_ptr<SearchCheck> search;
};
std::unique_ptr<InternalIterator> NewCheckedIterator(
    CheckedIteratorRequest request);

}  // namespace ROCKSDB_NAMESPACE
