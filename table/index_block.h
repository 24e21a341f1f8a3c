#pragma once

// The index of a table file in memory: for each data block the separator key
// and the handle, as flat arrays.
//
// A stored index is prefix-compressed and has to be parsed entry by entry; a
// lookup pays for that each time. Here it is parsed once, when it is loaded:
// a search is a loop over 8-byte pieces of the keys, which lie side by side,
// and only a tie compares whole keys (readrandom, seekrandom). A partitioned
// index becomes one such array as well.
//
//   entry, values with sizes  varint32 shared, non_shared, value_size
//                             key_tail, varint64 offset, varint64 size
//   entry, delta values       varint32 shared, non_shared, key_tail, and
//                             shared == 0: varint64 offset, varint64 size
//                             shared > 0:  varsigned64 difference of sizes;
//                             the block begins where the one before ends
//   with first keys           the value ends with a length-prefixed key
//
// Invariant  Keys ascend. Block i holds the keys in (key(i - 1), key(i)].
// Threads    Immutable after Finish().
// Errors     Append() says what is wrong with the bytes.

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "table/block_cursor.h"
#include "table/format.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// How an index is searched: kAuto guesses where its blocks are marked as
// evenly spread.
enum class IndexSearch : uint8_t { kBinary, kInterpolation, kAuto };

// How the index blocks of one file are encoded, and searched.
struct IndexEncoding {
  bool has_user_keys = false;  // no 8 bytes of trailer
  bool has_delta_values = false;
  bool has_first_keys = false;
  KeyRewrite rewrite = {};
  IndexSearch search = IndexSearch::kBinary;
};

class IndexBlock {
 public:
  explicit IndexBlock(const IndexEncoding& encoding) : encoding_(encoding) {}

  // Takes the entries of one index block, or of one partition after another.
  // nullptr, or what is wrong.
  const char* Append(const Slice& payload);
  // After the last Append(). `order` is that of the file's keys; it is not
  // kept, since a cached index may outlive it.
  void Finish(const InternalKeyComparator& order);

  size_t size() const { return handles_.size(); }
  const BlockHandle& handle(size_t index) const {
    assert(index < handles_.size());
    return handles_[index];
  }
  // A user key or an internal key, as the encoding says.
  Slice key(size_t index) const {
    assert(index < key_ends_.size());
    const uint64_t begin = index == 0 ? 0 : key_ends_[index - 1];
    return Slice(keys_.data() + begin, key_ends_[index] - begin);
  }
  Slice user_key(size_t index) const {
    return encoding_.has_user_keys ? key(index) : ExtractUserKey(key(index));
  }
  // The first internal key of the block; empty if the index does not tell.
  Slice first_key(size_t index) const {
    if (first_key_ends_.empty()) return Slice();
    assert(index < first_key_ends_.size());
    const uint64_t begin = index == 0 ? 0 : first_key_ends_[index - 1];
    return Slice(first_keys_.data() + begin, first_key_ends_[index] - begin);
  }
  // An internal key that sorts like key(index) among the entries of the file.
  void InternalKeyOf(size_t index, std::string* out) const;

  // The first entry whose block may hold keys at or after `target`, an
  // internal key; size() if all keys are before it.
  size_t Seek(const InternalKeyComparator& order, const Slice& target) const;

  // What Seek() will touch for each of at most kMostTogether targets, into the
  // processor's cache: their ways are gone side by side, where one after the
  // other would wait for memory at each step.
  static constexpr size_t kMostTogether = 8;
  void Fetch(const Slice* targets, size_t count) const;

  bool has_user_keys() const { return encoding_.has_user_keys; }
  size_t memory_bytes() const;

  // The bytes that a secondary cache keeps of the index (table/saved_block.h).
  // Only after Finish().
  size_t SavedBytes() const;
  void SaveTo(std::string* out) const;
  // Null if the bytes make no index.
  static std::unique_ptr<IndexBlock> FromSaved(const Slice& saved);

 private:
  void Expect(size_t entries, size_t key_bytes, size_t payload_bytes);
  const char* AppendKey(const Slice& key);
  const char* AppendFirstKey(const Slice& key);
  bool IsSound() const;
  bool HasSoundFirstKeys() const;
  bool IsBefore(const InternalKeyComparator& order, size_t index,
                const Slice& target) const;
  void SearchPrefixes(const Slice& target, size_t* low, size_t* high) const;

  // Is a key's place guessed?
  bool Interpolates() const {
    return encoding_.search == IndexSearch::kInterpolation ||
           (encoding_.search == IndexSearch::kAuto && is_uniform_);
  }

  IndexEncoding encoding_;
  bool is_uniform_ = true;  // all blocks are marked so
  std::string keys_;
  std::vector<uint64_t> key_ends_;
  std::vector<BlockHandle> handles_;
  // With has_first_keys; else empty.
  std::string first_keys_;
  std::vector<uint64_t> first_key_ends_;
  // In bytewise order: the 8 bytes of each user key behind what all of them
  // have in common, as big-endian numbers. Else empty.
  std::vector<uint64_t> prefixes_;
  size_t common_size_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
