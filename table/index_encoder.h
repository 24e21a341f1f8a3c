#pragma once

// Puts together one index block: of data blocks, of index partitions, or of
// filter partitions (encoding in table/index_block.h).
//
// Threads    One thread.
// Ownership  Finish() returns a slice of the encoder, good until Reset().

#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block_builder.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

struct IndexEntry {
  Slice key;  // a user key or an internal key
  BlockHandle handle;
  // The first internal key of a data block, in indexes that have it.
  const Slice* first_key = nullptr;
};

class IndexEncoder {
 public:
  IndexEncoder(int restart_interval, bool has_delta_values)
      : block_(restart_interval), has_delta_values_(has_delta_values) {}

  void Add(const IndexEntry& entry);
  Slice Finish() { return block_.Finish(); }
  // The keys at the restart points, after Finish(); stored keys.
  std::vector<Slice> RestartKeys(const Slice& finished) const;
  void MarkUniform() { block_.MarkUniform(); }
  void Reset() {
    block_.Reset();
    is_first_ = true;
  }

  const BlockBuilder& block() const { return block_; }

 private:
  BlockBuilder block_;
  const bool has_delta_values_;
  bool is_first_ = true;
  BlockHandle previous_;
  std::string value_;
  std::string delta_;
};

}  // namespace ROCKSDB_NAMESPACE
