// The keys and values of db_stress: both are made from numbers, so that what a
// read returns can be judged without keeping what was written.
//
// A key is its number, big-endian, padded to a length that the number chooses.
// A value holds its version, and bytes that follow from family, key number and
// version: a value that is damaged, of another key or older than it may be is
// known as such.
//
// Threads    Immutable; any thread.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::stress {

struct KeyRef {
  size_t family;
  uint64_t number;
};

// How long keys are, in units of eight bytes.
class KeyLengths {
 public:
  // From 1 to `max_words`, which follow each other.
  explicit KeyLengths(size_t max_words) : max_words_(max_words) {}

  // `percents` says, with commas, how many keys in a hundred have each length.
  // In a window of `scale` hundred keys they follow each other. Nothing if
  // these are not `max_words` numbers that add up to 100.
  static std::optional<KeyLengths> Parse(const std::string& percents,
                                         size_t max_words, uint64_t scale);

  size_t Words(uint64_t number) const {
    if (scale_ == 0) return 1 + number % max_words_;
    return words_[number / scale_ % words_.size()];
  }

 private:
  size_t max_words_;
  // 0: all lengths alike.
  uint64_t scale_ = 0;
  std::array<uint8_t, 100> words_ = {};
};

class KeyFormat {
 public:
  // `value_bytes`: the unit of a value's size.
  KeyFormat(size_t max_words, size_t value_bytes)
      : KeyFormat(KeyLengths(max_words), value_bytes) {}
  KeyFormat(const KeyLengths& lengths, size_t value_bytes)
      : lengths_(lengths), value_bytes_(value_bytes) {}

  std::string Key(uint64_t number) const;
  // Nothing if no number has this key.
  std::optional<uint64_t> Number(const Slice& key) const;

  std::string Value(const KeyRef& key, uint32_t version) const;
  // Nothing if the key never has this value.
  std::optional<uint32_t> Version(const KeyRef& key, const Slice& value) const;

 private:
  const KeyLengths lengths_;
  const size_t value_bytes_;
};

// The start of `text` in hexadecimal, for messages.
std::string Hex(const Slice& text);

}  // namespace ROCKSDB_NAMESPACE::stress
