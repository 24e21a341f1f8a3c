#pragma once

// The two blocks that accompany the index of type kHashSearch: which data
// blocks hold the keys of each prefix.
//
//   prefixes   the distinct prefixes, one after another, in key order
//   metadata   for each: varint32 size, first block, number of blocks
//
// Threads  One thread.

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class PrefixIndexBuilder {
 public:
  // A key of data block number `block` has this prefix. Keys come in order.
  void Add(const Slice& prefix, uint32_t block) {
    if (count_ != 0 && Slice(prefix_) == prefix) [[likely]] {
      last_block_ = block;
    } else {
      Begin(prefix, block);
    }
  }
  // After the last key.
  void Finish();

  const std::string& prefixes() const { return prefixes_; }
  const std::string& metadata() const { return metadata_; }

 private:
  void Begin(const Slice& prefix, uint32_t block);

  std::string prefix_;
  uint32_t first_block_ = 0;
  uint32_t last_block_ = 0;
  uint64_t count_ = 0;
  std::string prefixes_;
  std::string metadata_;
};

}  // namespace ROCKSDB_NAMESPACE
