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

class KeyFormat {
 public:
  // `max_words`: longest key, in units of eight bytes. `value_bytes`: the unit
  // of a value's size.
  KeyFormat(size_t max_words, size_t value_bytes)
      : max_words_(max_words), value_bytes_(value_bytes) {}

  std::string Key(uint64_t number) const;
  // Nothing if no number has this key.
  std::optional<uint64_t> Number(const Slice& key) const;

  std::string Value(const KeyRef& key, uint32_t version) const;
  // Nothing if the key never has this value.
  std::optional<uint32_t> Version(const KeyRef& key, const Slice& value) const;

 private:
  const size_t max_words_;
  const size_t value_bytes_;
};

// The start of `text` in hexadecimal, for messages.
std::string Hex(const Slice& text);

}  // namespace ROCKSDB_NAMESPACE::stress
