#include "table/cuckoo/cuckoo_layout.h"

#include <cassert>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kNoStep = SIZE_MAX;

}  // namespace

CuckooLayout::CuckooLayout(CuckooShape* shape, uint32_t max_search_depth,
                           std::function<Slice(uint32_t)> user_key)
    : shape_(*shape),
      max_search_depth_(max_search_depth),
      user_key_(std::move(user_key)),
      buckets_(shape->bucket_count(), kEmpty),
      seen_by_(buckets_.size(), 0) {
  INVARIANT(shape_.home_count > 0 && shape_.block_buckets > 0);
  INVARIANT(shape_.hash_count <= CuckooShape::kMaxHashes);
}

template <class Visit>
bool CuckooLayout::VisitBuckets(const Slice& user_key, uint32_t from_hash,
                                const Visit& visit) const {
  for (uint32_t hash = from_hash; hash < shape_.hash_count; ++hash) {
    const uint64_t home = shape_.HomeOf(user_key, hash);
    for (uint64_t i = 0; i < shape_.block_buckets; ++i) {
      assert(home + i < buckets_.size());
      if (visit(home + i)) return true;
    }
  }
  return false;
}

bool CuckooLayout::PutInto(uint64_t bucket, uint32_t entry) {
  if (buckets_[bucket] != kEmpty) return false;
  buckets_[bucket] = entry;
  return true;
}

Status CuckooLayout::Insert(uint32_t entry) {
  INVARIANT(entry != kEmpty);
  const Slice user_key = user_key_(entry);
  const auto put = [&](uint64_t bucket) { return PutInto(bucket, entry); };
  for (uint32_t from_hash = 0;; from_hash = shape_.hash_count++) {
    if (VisitBuckets(user_key, from_hash, put)) return Status::OK();
    uint64_t room = 0;
    if (MakeRoom(user_key, &room)) {
      const bool is_put = PutInto(room, entry);
      INVARIANT(is_put);
      return Status::OK();
    }
    if (shape_.hash_count == CuckooShape::kMaxHashes) break;
  }
  return Status::NotSupported("Too many collisions. Unable to hash.");
}

// Breadth first from the first bucket of each of the key's hashes; all of its
// buckets are taken. A bucket is reached once: whoever comes first comes by the
// shortest chain. (From the others, too, there would be more ways; so it is
// that files have the bytes of RocksDB's.)
bool CuckooLayout::MakeRoom(const Slice& user_key, uint64_t* room) {
  ++search_;
  std::vector<Step> steps;
  const auto reach = [&](uint64_t bucket, size_t parent, uint32_t depth) {
    if (seen_by_[bucket] == search_) return;
    seen_by_[bucket] = search_;
    steps.push_back({.bucket = bucket, .parent = parent, .depth = depth});
  };
  for (uint32_t hash = 0; hash < shape_.hash_count; ++hash) {
    reach(shape_.HomeOf(user_key, hash), kNoStep, 0);
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].depth >= max_search_depth_) break;
    const Slice moved = user_key_(buckets_[steps[i].bucket]);
    const uint32_t depth = steps[i].depth + 1;
    const bool found = VisitBuckets(moved, 0, [&](uint64_t bucket) {
      reach(bucket, i, depth);
      return buckets_[bucket] == kEmpty;
    });
    if (!found) continue;
    // It was reached for the first time just now: a search ends at the first.
    INVARIANT(buckets_[steps.back().bucket] == kEmpty);
    *room = MoveAlong(steps, steps.size() - 1);
    return true;
  }
  return false;
}

// Every entry of the chain moves to the bucket behind its own. Returns the
// bucket that is empty then.
uint64_t CuckooLayout::MoveAlong(const std::vector<Step>& steps, size_t last) {
  size_t to = last;
  while (steps[to].parent != kNoStep) {
    const size_t from = steps[to].parent;
    std::swap(buckets_[steps[to].bucket], buckets_[steps[from].bucket]);
    to = from;
  }
  return steps[to].bucket;
}

}  // namespace ROCKSDB_NAMESPACE
