#pragma once

// Gathers the filter of a table file that is being written: in one piece, or in
// partitions with an index over them.
//
// A partition ends where it has as many entries as fit its size: before any key
// (decoupled), or where a partition of the index ends (coupled). A prefix whose
// keys lie in two partitions is in both.
//
// Threads    One thread.
// Ownership  Borrows the table options.
// Errors     Corruption if a filter does not match what it was made of.

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "table/filter/filter_bits.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

class TableFilterBuilder {
 public:
  struct Options {
    FilterBuildingContext context;
    std::shared_ptr<const SliceTransform> prefix_extractor;  // may be null
    size_t timestamp_bytes = 0;
  };
  // nullptr if the policy wants no filter for this file.
  static std::unique_ptr<TableFilterBuilder> Create(Options options);
  // `bits` is the policy's answer to the context.
  TableFilterBuilder(Options options, std::unique_ptr<FilterBitsBuilder> bits);

  // `user_key` without timestamp. Keys come in the order of the file.
  void Add(const Slice& user_key) {
    if (partition_capacity_ != 0) [[unlikely]]
      BeforeKeyOfPartition(user_key);
    AddEntry(user_key);
  }

  // Coupled: the partition is to end with the next data block.
  bool WantsCut() const {
    return partition_capacity_ != 0 && !is_decoupled_ &&
           bits_->EntryCount() >= partition_capacity_;
  }
  // Coupled: the partition ends at `separator`, an internal key that no key
  // added so far is behind, nor any to come at or before. `next` is the user
  // key that follows.
  void CutAt(const Slice& separator, const Slice& next);
  bool is_coupled() const { return partition_capacity_ != 0 && !is_decoupled_; }

  // How the index over partitions is encoded.
  struct IndexForm {
    int restart_interval;
    bool has_user_keys;
    bool has_delta_values;
  };
  using Writer = std::function<Status(const Slice& payload, BlockHandle*)>;
  // Hands the blocks to `write`; *filter is the filter, or the index over its
  // partitions. Null if nothing was added.
  Status Finish(const IndexForm& form, const Writer& write,
                BlockHandle* filter);

  bool is_partitioned() const { return partition_capacity_ != 0; }
  // Bytes of the hashes gathered, and of the partitions that are done.
  size_t memory_bytes() const {
    return static_cast<size_t>(payload_bytes_) +
           (bits_ != nullptr ? bits_->EntryCount() * sizeof(uint64_t) : 0);
  }
  // About how many bytes Finish() would write now.
  uint64_t EstimatedBytes() const;
  // After Finish().
  uint64_t entry_count() const { return entry_count_; }
  uint64_t payload_bytes() const { return payload_bytes_; }

 private:
  struct Partition {
    std::string key;  // internal key; no key of the partition is behind it
    std::unique_ptr<char[]> buffer;
    Slice payload;
  };

  bool HasPrefix(const Slice& user_key) const {
    return options_.prefix_extractor != nullptr &&
           options_.prefix_extractor->InDomain(user_key);
  }
  void AddEntry(const Slice& user_key) {
    if (!HasPrefix(user_key)) {
      if (has_whole_keys_) bits_->AddKey(user_key);
      return;
    }
    const Slice prefix = options_.prefix_extractor->Transform(user_key);
    assert(prefix.size() <= user_key.size());
    if (has_whole_keys_) {
      bits_->AddKeyAndAlternate(user_key, prefix);
    } else {
      bits_->AddKey(prefix);
    }
  }
  void AddPrefixOf(const Slice& user_key);
  void BeforeKeyOfPartition(const Slice& user_key);
  void Cut(std::string key, const Slice& next);
  void EndPartition(std::string key);
  std::string LastKey() const;
  Status WriteIndex(const IndexForm& form, const Writer& write,
                    const std::vector<BlockHandle>& handles,
                    BlockHandle* filter);

  const Options options_;
  const bool has_whole_keys_;
  const bool is_decoupled_;
  const bool verifies_;
  std::unique_ptr<FilterBitsBuilder> bits_;
  size_t partition_capacity_ = 0;  // entries; 0: one piece
  bool has_last_key_ = false;
  std::string last_key_;  // with partitions only
  std::vector<Partition> partitions_;
  uint64_t entry_count_ = 0;
  uint64_t payload_bytes_ = 0;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
