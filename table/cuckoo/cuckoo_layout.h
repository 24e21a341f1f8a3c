// Which entry goes into which bucket of a cuckoo table.
//
// An entry takes the first empty one of its buckets, in the order in which a
// lookup passes them. Where none is empty, the nearest chain of entries that
// can each move on by one ends at an empty bucket; where there is none within
// the depth, all keys get one more hash function.
//
// Invariant  In front of an entry, none of its buckets is empty: buckets only
//            fill, and an entry moves to the first empty one of its buckets.
// Threads    One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/cuckoo/cuckoo_format.h"

namespace ROCKSDB_NAMESPACE {

class CuckooLayout {
 public:
  static constexpr uint32_t kEmpty = UINT32_MAX;

  // `user_key` tells the key of an entry. Both must outlive the layout.
  CuckooLayout(CuckooShape* shape, uint32_t max_search_depth,
               std::function<Slice(uint32_t entry)> user_key);

  // NotSupported: no number of hash functions makes room.
  Status Insert(uint32_t entry);
  // The entry in each bucket, or kEmpty.
  const std::vector<uint32_t>& buckets() const { return buckets_; }

 private:
  struct Step {
    uint64_t bucket = 0;
    size_t parent = 0;  // in the list of steps
    uint32_t depth = 0;
  };

  // Calls visit(bucket) for the buckets of a key in the order of a lookup, from
  // a hash function on, until it answers true.
  template <class Visit>
  bool VisitBuckets(const Slice& user_key, uint32_t from_hash,
                    const Visit& visit) const;
  bool PutInto(uint64_t bucket, uint32_t entry);
  bool MakeRoom(const Slice& user_key, uint64_t* room);
  uint64_t MoveAlong(const std::vector<Step>& steps, size_t last);

  CuckooShape& shape_;
  const uint32_t max_search_depth_;
  const std::function<Slice(uint32_t)> user_key_;
  std::vector<uint32_t> buckets_;
  // The search that came by a bucket last.
  std::vector<uint32_t> seen_by_;
  uint32_t search_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
