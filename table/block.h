#pragma once

// A key/value block in memory, and the layout that data, index, tombstone,
// properties and metaindex blocks share.
//
//   block    entry*  fixed32 restart[count]  [hash index]  packed
//   entry    varint32 shared, non_shared, value_size
//            byte key_tail[non_shared], value[value_size]
//   packed   fixed32: bits 27..0 count of restarts, 28 separated values,
//            29 uniform keys (a hint), 31 hash index
//
//   separated: kentry*  values  restart[]  [hash index]  fixed32 values_offset
//              packed; an entry at a restart point has varint32 value_start
//              after its sizes, and no entry holds its value
//
//   hash index: uint8 bucket[n]  fixed16 n
//
// Threads    Immutable once parsed (and protected).
// Ownership  Owns its bytes, or borrows them from a mapped file or by a lease
//            that it holds.
// Errors     Parse() answers what is wrong; it trusts no byte.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/cleanable.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "util/block_memory.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

class EntryChecksums;
class InternalKeyComparator;
class ReadBits;

// The uncompressed bytes of a block.
class BlockBytes {
 public:
  BlockBytes() = default;
  // Owns `buffer`, of which `data` is the part that counts.
  BlockBytes(BlockMemory buffer, Slice data)
      : data_(data), buffer_(std::move(buffer)) {
    assert(data_.data() >= buffer_.get());
    assert(data_.data() + data_.size() <= buffer_.get() + memory_bytes());
  }
  // Borrows `data`, which a file keeps mapped as long as it is open.
  static BlockBytes Mapped(Slice data) {
    BlockBytes result;
    result.data_ = data;
    return result;
  }

  // Borrows `data`, whose lease the block is to hold.
  static BlockBytes Lent(Slice data) { return Mapped(data); }

  static BlockBytes CopyOf(const Slice& data) {
    BlockMemory buffer(data.size());
    std::copy_n(data.data(), data.size(), buffer.get());
    const Slice copy(buffer.get(), data.size());
    return BlockBytes(std::move(buffer), copy);
  }

  // Leaves the first `size` bytes, without the trailer.
  void CutTo(size_t size) {
    assert(size <= data_.size());
    data_ = Slice(data_.data(), size);
  }

  const Slice& data() const { return data_; }
  bool is_owned() const { return buffer_.get() != nullptr; }
  size_t memory_bytes() const { return buffer_.capacity(); }

 private:
  Slice data_;
  BlockMemory buffer_;
};

// A block as it lies in the file, beside what it expanded to, for caches that
// keep that.
struct StoredForm {
  Slice bytes;        // without the trailer; empty: it is not compressed
  BlockBytes memory;  // which holds the bytes, or is empty
  CompressionType type = kNoCompression;
};

// The parts of a block, as offsets from `data`.
struct BlockLayout {
  static constexpr uint32_t kRestartCountMask = (1u << 28) - 1;
  static constexpr uint32_t kSeparatedBit = 1u << 28;
  static constexpr uint32_t kUniformBit = 1u << 29;
  static constexpr uint32_t kReservedBit = 1u << 30;
  static constexpr uint32_t kHashIndexBit = 1u << 31;
  static_assert((kRestartCountMask | kSeparatedBit | kUniformBit |
                 kReservedBit | kHashIndexBit) == UINT32_MAX);
  static_assert((kRestartCountMask & kSeparatedBit) == 0);

  const char* data = "";
  // Checksums of the entries; null: they have none.
  const EntryChecksums* checksums = nullptr;
  uint32_t entries_end = 0;
  uint32_t restarts_offset = 0;
  uint32_t restart_count = 0;
  uint32_t values_offset = 0;  // separated layout only
  uint32_t values_end = 0;
  uint32_t buckets_offset = 0;
  uint16_t bucket_count = 0;  // 0 without hash index
  bool is_separated = false;
  bool is_uniform = false;
  // Is there more to an entry than its bytes in a row?
  bool is_special = false;

  uint32_t RestartOffset(uint32_t index) const {
    assert(index < restart_count);
    return DecodeFixed32(data + restarts_offset + index * sizeof(uint32_t));
  }

  // nullptr, or what is wrong with `payload`.
  const char* Parse(const Slice& payload);
};

// What the entries of a data block get checksums with.
struct EntryProtection {
  const InternalKeyComparator* order = nullptr;
  size_t bytes_per_key = 0;  // 0 = they get none
};

// A block and its layout: what the block cache holds for a data block. Small,
// since the cache holds many.
class Block {
 public:
  // `layout` is that of the bytes; see Parse().
  Block(BlockBytes bytes, const BlockLayout& layout);
  ~Block();

  // nullptr, with what is wrong in *problem, if the bytes are no block.
  static std::unique_ptr<Block> Parse(BlockBytes bytes, const char** problem);

  // The same, and Protect().
  static std::unique_ptr<Block> ParseProtected(
      BlockBytes bytes, const EntryProtection& protection,
      const char** problem);

  // Before it is shared: gives each entry a checksum of so many bytes, which
  // cursors verify from then on. nullptr, or what is wrong with the block.
  const char* Protect(const InternalKeyComparator& order, size_t bytes);

  const BlockLayout& layout() const { return layout_; }
  const Slice& bytes() const { return bytes_.data(); }
  size_t size() const { return bytes_.data().size(); }
  bool is_owned() const { return bytes_.is_owned(); }
  size_t memory_bytes() const;

  // Before others see the block, whose bytes are lent: keeps them good.
  void HoldLease(SharedCleanablePtr lease);

  // Before others see the block: counts from now on which parts are read.
  void TrackReads(uint32_t bytes_per_bit);
  // Null: not counted.
  ReadBits* read_bits() const {
    return extras_ == nullptr ? nullptr : extras_->read_bits.get();
  }

 private:
  // What few databases ask for.
  struct Extras {
    ~Extras();
    std::unique_ptr<const EntryChecksums> checksums;
    std::unique_ptr<ReadBits> read_bits;
    SharedCleanablePtr lease;
  };
  Extras* MakeExtras();

  const BlockBytes bytes_;
  BlockLayout layout_;
  std::unique_ptr<Extras> extras_;
};

// Like DecodeEntrySizes(), for lengths that may have several bytes.
const char* DecodeLongEntrySizes(const char* p, const char* limit,
                                 uint32_t* shared, uint32_t* non_shared,
                                 uint32_t* value_size);

// The three lengths in front of an entry; the byte behind them, or nullptr.
// Inline, since a scan asks it of each entry.
[[gnu::always_inline]] inline const char* DecodeEntrySizes(
    const char* p, const char* limit, uint32_t* shared, uint32_t* non_shared,
    uint32_t* value_size) {
  assert(p <= limit);
  if (limit - p < 3) return nullptr;
  *shared = static_cast<uint8_t>(p[0]);
  *non_shared = static_cast<uint8_t>(p[1]);
  *value_size = static_cast<uint8_t>(p[2]);
  if ((*shared | *non_shared | *value_size) < 128) return p + 3;
  return DecodeLongEntrySizes(p, limit, shared, non_shared, value_size);
}

// One pass over the entries of a metaindex, properties or tombstone block.
class BlockWalker {
 public:
  // `payload` must outlive the walker.
  explicit BlockWalker(const Slice& payload);

  // False at the end, or where problem() is set.
  bool Next();
  Slice key() const { return key_; }
  Slice value() const { return value_; }
  // Where the value begins in the payload.
  size_t value_offset() const { return value_.data() - layout_.data; }
  const char* problem() const { return problem_; }

 private:
  BlockLayout layout_;
  const char* position_ = nullptr;
  const char* limit_ = nullptr;
  std::string key_;
  Slice value_;
  const char* problem_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
