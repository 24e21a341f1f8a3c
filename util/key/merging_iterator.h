// One sorted stream over several: what a scan and a compaction read.
//
// Entries come in the order of internal keys; of equal internal keys the child
// that was given earlier comes first.
//
// Contract   An error of any child, at any call, makes the merge !Valid() with
//            that child's status: entries of the failed child might be missing
//            from here on, and a scan that went on would show old versions.
// Threads    One thread.
// Ownership  Owns the children.
#pragma once

#include <memory>
#include <vector>

#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// `order` must outlive the result. Without children it is empty, with one it
// is that child.
std::unique_ptr<InternalIterator> NewMergingIterator(
    const InternalKeyComparator* order,
    std::vector<std::unique_ptr<InternalIterator>> children);

}  // namespace ROCKSDB_NAMESPACE
