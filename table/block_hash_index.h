#pragma once

// The hash index of a data block: for a user key the restart interval that may
// hold it, so that Get() need not search for it.
//
//   uint8 bucket[n]  fixed16 n, n odd; a bucket is the number of a restart
//   interval, 254 if several fall into it, 255 if none does
//
// Threads  A builder is used by one thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr uint8_t kBucketCollision = 254;
inline constexpr uint8_t kBucketEmpty = 255;
// Blocks beyond that have no hash index.
inline constexpr size_t kMaxHashIndexedBytes = 65536;

inline uint32_t BlockHashOf(const Slice& user_key) {
  constexpr uint32_t kSeed = 397;
  return Hash32(user_key.data(), user_key.size(), kSeed);
}

class BlockHashIndexBuilder {
 public:
  // `util_ratio`: entries for each bucket, above 0.
  explicit BlockHashIndexBuilder(double util_ratio);

  void Add(const Slice& user_key, size_t restart);
  // Appends the index to `*block` where it is possible: false, with nothing
  // done, if there are too many restart points or the block grows too large.
  bool AppendTo(size_t block_bytes, std::string* out) const;
  size_t SizeEstimate() const;
  void Reset();

 private:
  struct Entry {
    uint32_t hash;
    uint8_t restart;
  };
  uint16_t BucketCount() const;

  const double buckets_per_entry_;
  double buckets_ = 0;
  bool is_possible_ = true;
  std::vector<Entry> entries_;
};

}  // namespace ROCKSDB_NAMESPACE
