#pragma once

// Puts together one block of keys and values (layout in table/block.h).
//
// Every entry of a table passes through Add(), so it writes straight into one
// buffer that is kept from block to block (fillseq, compact).
//
// Threads    One thread.
// Ownership  Finish() returns a slice of the builder's buffer, good until
//            Reset().

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block_hash_index.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

class BlockBuilder {
 public:
  struct Options {
    // A full key every so many entries, or with every entry.
    int restart_interval = 16;
    bool use_delta_encoding = true;
    // Values behind all keys. Data blocks only.
    bool separates_values = false;
    // A hash index with so many entries for each bucket; 0 = none. Data blocks
    // only.
    double hash_util_ratio = 0;
  };
  explicit BlockBuilder(const Options& options);
  explicit BlockBuilder(int restart_interval)
      : BlockBuilder(Options{.restart_interval = restart_interval}) {}
  BlockBuilder(const BlockBuilder&) = delete;
  BlockBuilder& operator=(const BlockBuilder&) = delete;

  // Keys come in ascending order of the block.
  void Add(const Slice& key, const Slice& value);

  // An entry without value size, as in indexes: `value` if the key shares
  // nothing with the one before, else `delta`. An entry that
  // `must_be_full` shares nothing.
  struct IndexValue {
    Slice value;
    Slice delta;
    bool must_be_full = false;
  };
  void AddIndexEntry(const Slice& key, const IndexValue& value);

  Slice Finish();
  // Marks the finished block as one whose keys are evenly spread.
  void MarkUniform();
  void Reset();

  bool empty() const { return size_ == 0; }
  // The last key, good until the next Add(), also after Finish() and Reset().
  Slice last_key() const { return Slice(last_key_.get(), last_key_size_); }
  // Bytes of the block if it were finished now.
  size_t SizeEstimate() const {
    return size_ + sizeof(uint32_t) * (restarts_.size() + 1) + extra_bytes_;
  }
  // The same after one more entry, or somewhat more.
  size_t SizeEstimateAfter(size_t key_size, size_t value_size) const {
    return SizeEstimate() + key_size + value_size + sizeof(uint32_t) +
           static_cast<size_t>(VarintLength(key_size)) +
           static_cast<size_t>(VarintLength(value_size)) +
           (in_interval_ >= restart_interval_ ? sizeof(uint32_t) : 0);
  }

 private:
  // How much of `key` to share; begins a new restart interval if one is due.
  size_t NextShared(const Slice& key, bool must_be_full);
  char* Room(size_t bytes) {
    if (capacity_ - size_ < bytes) [[unlikely]]
      Grow(bytes);
    return buffer_.get() + size_;
  }
  void Grow(size_t bytes);
  void RememberKey(const Slice& key, size_t shared);
  void AddSeparated(const Slice& key, const Slice& value);
  void NoteExtras(const Slice& key);
  void Append(const Slice& bytes);

  const uint32_t restart_interval_;
  const bool use_delta_encoding_;
  const bool separates_values_;
  const bool has_extras_;  // separated values or a hash index
  std::optional<BlockHashIndexBuilder> hash_index_;
  std::string values_;
  size_t extra_bytes_ = 0;  // what hash_index_ and values_ will add
  bool is_finished_ = false;
  uint32_t in_interval_ = 0;  // entries since the last restart point
  std::unique_ptr<char[]> buffer_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  std::vector<uint32_t> restarts_;
  std::unique_ptr<char[]> last_key_;
  size_t last_key_size_ = 0;
  size_t last_key_capacity_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
