// The MemTableReps that the factories of rocksdb/memtablerep.h make, for
// factories of applications that pass on to them. (A database that names such a
// factory has structures of its own instead: memtable/entry_store.h.)
//
// Threads  As MemTableRep. The skip list and the buckets take concurrent
//          inserts, the vector has a lock.
#pragma once

#include <cstddef>
#include <memory>

#include "rocksdb/memtablerep.h"

namespace ROCKSDB_NAMESPACE {

std::unique_ptr<MemTableRep> NewSkipListRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator);

// Sorted when it is read. `reserved_count` entries have room at first.
std::unique_ptr<MemTableRep> NewVectorRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator,
    size_t reserved_count);

// A skip list for each of `bucket_count` hashes of a prefix.
std::unique_ptr<MemTableRep> NewBucketsRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator,
    const SliceTransform* prefix_extractor, size_t bucket_count);

}  // namespace ROCKSDB_NAMESPACE
