#pragma once

// Bits with how many are set before each position: what a trie is stored as.
//
//   fixed64 bits, fixed64 ones
//   fixed64 words[ceil(bits / 64)]        bit i is bit i % 64 of word i / 64
//   fixed32 rank[bits / 256 + 1]          ones before bit 256 * i
//   fixed32 hint[ceil(ones / 256)]        number of the rank before which, or
//   fixed32 hint[ceil(zeros / 256)]       behind, the 256 * i-th one (zero) is
//
// Each of the three arrays of 4-byte numbers is padded to a multiple of 8 from
// the start of the trie's block.
//
// Threads    A view: any number. A builder: one.
// Ownership  A view borrows the bytes.
// Errors     Take() says what is wrong; then the view is of no use.

#include <bit>
#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

// The bytes of a trie's block that are not read yet.
class TrieInput {
 public:
  explicit TrieInput(const Slice& block) : block_(block) {}

  // The next `count` numbers of `width` bytes; false: they are not there.
  bool TakeArray(uint64_t count, size_t width, const char** first);
  bool TakeFixed32(uint32_t* value);
  bool TakeFixed64(uint64_t* value);
  // Passes over bytes up to a multiple of 8.
  bool TakePadding();
  size_t left() const { return block_.size() - at_; }

 private:
  const Slice block_;
  size_t at_ = 0;
};

// Appends zeros up to a multiple of 8.
void PadTrie(std::string* block);

class BitVector {
 public:
  static constexpr uint64_t kBitsOfRank = 256;
  static constexpr uint64_t kNone = UINT64_MAX;

  // The vector that comes next; nullptr, or what is wrong.
  const char* Take(TrieInput* input);

  uint64_t size() const { return size_; }
  uint64_t ones() const { return ones_; }
  uint64_t zeros() const { return size_ - ones_; }

  bool operator[](uint64_t at) const {
    assert(at < size_);
    return ((Word(at / 64) >> (at % 64)) & 1) != 0;
  }
  // Ones in front of `at`, which may be size().
  uint64_t OnesBefore(uint64_t at) const {
    assert(at <= size_);
    uint64_t word = at / kBitsOfRank * (kBitsOfRank / 64);
    uint64_t ones = Rank(at / kBitsOfRank);
    for (; word < at / 64; ++word) ones += Count(Word(word));
    const uint64_t rest = at % 64;
    if (rest != 0) ones += Count(Word(word) & ((uint64_t{1} << rest) - 1));
    return ones;
  }
  uint64_t ZerosBefore(uint64_t at) const { return at - OnesBefore(at); }
  // Where the one is that has `number` others before it.
  uint64_t PlaceOfOne(uint64_t number) const;
  // The first one in [from, to), the last one there; or kNone.
  uint64_t FirstOne(uint64_t from, uint64_t to) const;
  uint64_t LastOne(uint64_t from, uint64_t to) const;

 private:
  static uint64_t Count(uint64_t word) {
    return static_cast<uint64_t>(std::popcount(word));
  }
  uint64_t Word(uint64_t index) const {
    return DecodeFixed64(words_ + 8 * index);
  }
  uint64_t Rank(uint64_t index) const {
    return DecodeFixed32(ranks_ + 4 * index);
  }
  const char* CheckCounts() const;

  uint64_t size_ = 0;
  uint64_t ones_ = 0;
  const char* words_ = nullptr;
  const char* ranks_ = nullptr;
};

class BitVectorBuilder {
 public:
  void Append(bool bit) {
    if (size_ % 64 == 0) words_.push_back(0);
    if (bit) words_.back() |= uint64_t{1} << (size_ % 64);
    if (bit) ++ones_;
    ++size_;
  }
  void AppendZeros(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) Append(false);
  }
  void Set(uint64_t at);
  uint64_t size() const { return size_; }
  uint64_t ones() const { return ones_; }
  void AppendTo(std::string* block) const;

 private:
  std::vector<uint64_t> words_;
  uint64_t size_ = 0;
  uint64_t ones_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
