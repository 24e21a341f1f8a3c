#pragma once

// Gathers the index of a table file that is being written: one block, or
// partitions with a block over them.
//
// Whether index keys need the 8 bytes behind the user key is known only when
// the last block has ended, so entries are kept flat until then and encoded at
// once (encoding in table/index_block.h). Where a partition ends is decided on
// the way, since partitions of the filter may end there too.
//
// Threads  One thread.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "table/flush_by_size.h"
#include "table/format.h"
#include "table/index_encoder.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class IndexBuilder {
 public:
  struct Options {
    const InternalKeyComparator* order = nullptr;
    uint32_t format_version = kLatestFormatVersion;
    int restart_interval = 1;
    BlockBasedTableOptions::IndexShorteningMode shortening =
        BlockBasedTableOptions::IndexShorteningMode::kShortenSeparators;
    bool has_delta_values = true;
    bool has_first_keys = false;
    // Blocks whose keys are spread more evenly are marked; < 0: none.
    double uniform_cv_threshold = -1;
    // Bytes of a partition, and by how many percent it may stay below; 0 bytes:
    // the index is one block.
    uint64_t partition_bytes = 0;
    int partition_deviation = 0;
  };
  explicit IndexBuilder(const Options& options);

  // A key S with last <= S < next, as short as the options allow; `next` is
  // null after the last block. The result is good until the next call.
  Slice Separator(const Slice& last, const Slice* next);

  // The data block at `handle` ends at `separator`, from Separator().
  struct Block {
    Slice separator = {};
    BlockHandle handle = {};
    Slice first_key = {};  // used with has_first_keys only
    // What StartsPartition() has answered.
    bool starts_partition = false;
  };
  // Does the entry of a block begin a partition? It does where the one before
  // is full, or `is_due`. Asked once for each block but the last, in order; the
  // handle may be a guess. False without partitions.
  bool StartsPartition(const Block& block, bool is_due);
  void Add(const Block& block);

  // Stores one block of the index.
  using Writer = std::function<Status(const Slice& payload, BlockHandle*)>;
  // Hands the blocks to `write`; *index is the one to begin a search with.
  Status Finish(const Writer& write, BlockHandle* index);

  bool has_user_keys() const { return !needs_internal_keys_; }
  bool has_delta_values() const { return options_.has_delta_values; }
  bool has_first_keys() const { return options_.has_first_keys; }
  bool is_partitioned() const { return options_.partition_bytes != 0; }
  size_t entry_count() const { return entries_.size(); }
  size_t SizeEstimate() const { return keys_.size() + entries_.size() * 6; }
  // After Finish(): payloads as they are before compression.
  uint64_t raw_bytes() const { return raw_bytes_; }
  uint64_t top_level_bytes() const { return top_level_bytes_; }
  uint64_t partition_count() const { return partition_count_; }
  uint64_t uniform_count() const { return uniform_count_; }

 private:
  struct Entry {
    size_t separator_end;
    size_t first_key_end;
    BlockHandle handle;
    bool starts_partition;
  };

  void SetSeparator(const Slice& shortened);
  Slice StoredKey(const Slice& internal_key) const {
    return has_user_keys() ? ExtractUserKey(internal_key) : internal_key;
  }
  Status FinishPartitions(const Writer& write, BlockHandle* index);
  bool IsUniform(const IndexEncoder& block, const Slice& payload) const;
  Status WriteBlock(const Writer& write, IndexEncoder* block,
                    BlockHandle* handle);

  const Options options_;
  bool needs_internal_keys_;
  std::string separator_;  // what Separator() answered last
  std::string shortened_;
  // Separators as internal keys, each with its first key behind it.
  std::string keys_;
  std::vector<Entry> entries_;
  IndexEncoder sized_;  // the partition that is open, to know its size
  const FlushBySize partition_rule_;
  uint64_t raw_bytes_ = 0;
  uint64_t top_level_bytes_ = 0;
  uint64_t partition_count_ = 0;
  uint64_t uniform_count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
