// Whether memtables have anything between two keys.
//
// Threads  Any; beside writers.
#pragma once

#include "db/family/super_version.h"
#include "memtable/memtable.h"
#include "rocksdb/slice.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// May `memtable` have an entry, or a part of a range deletion, from user key
// `begin` to `end`, which belongs to it? Who cannot tell says yes.
bool MayOverlap(const MemTable& memtable, const InternalKeyComparator& order,
                const Slice& begin, const Slice& end);

// May any memtable of the state that is not flushed yet?
bool MayOverlap(const SuperVersion& state, const Slice& begin,
                const Slice& end);

}  // namespace ROCKSDB_NAMESPACE
