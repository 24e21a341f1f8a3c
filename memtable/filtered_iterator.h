// A cursor over a memtable whose SeekInPrefix() asks the memtable's filter
// first.
//
// Threads    One thread.
// Lifetime   Filter and options outlive it. Each such seek looks at the
//            options: their bounds may change in between.
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
