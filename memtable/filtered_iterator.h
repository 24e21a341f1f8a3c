// A cursor over a memtable whose seeks ask the memtable's filter first, where
// the read wants no more than the target's prefix.
//
// Threads    One thread.
// Lifetime   Filter and options outlive it. The options are looked at by each
//            seek: they may change in between.
#pragma once

#include <memory>

#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

class MemTableFilter;
struct ReadOptions;

std::unique_ptr<InternalIterator> NewFilteredIterator(
    std::unique_ptr<InternalIterator> entries, const MemTableFilter* filter,
    const ReadOptions* read);

}  // namespace ROCKSDB_NAMESPACE
