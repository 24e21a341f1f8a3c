// What a place has fed to a lookup, as bytes that can be fed again.
//
//   entry   uint8 type  varint64 sequence  length-prefixed value
//
// The user key is that of the lookup. Where the order takes another key for
// equal, its bytes would be lost: such a record is not whole.
//
// Threads  A plain value.
// Errors   None: the bytes never leave the process.
#pragma once

#include <cassert>
#include <string>

#include "rocksdb/cleanable.h"
#include "rocksdb/slice.h"
#include "util/coding.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class LookupRecord {
 public:
  void Note(const Slice& user_key, const ParsedInternalKey& key,
            const Slice& value) {
    if (key.user_key != user_key) is_exact_ = false;
    last_type_ = key.type;
    bytes_.push_back(static_cast<char>(key.type));
    PutVarint64(&bytes_, key.sequence);
    PutLengthPrefixedSlice(&bytes_, value);
  }

  bool empty() const { return bytes_.empty(); }
  bool is_exact() const { return is_exact_; }
  // What comes behind the last entry cannot matter to any lookup.
  bool EndsInBase() const { return !empty() && last_type_ != kTypeMerge; }
  size_t memory_bytes() const { return sizeof(*this) + bytes_.capacity(); }

  // Feeds the entries, as versions of `user_key`, until `lookup` has enough.
  // `pin` keeps this record.
  template <class Lookup>
  void FeedTo(const Slice& user_key, Lookup* lookup, Cleanable* pin) const {
    Slice rest(bytes_);
    while (!rest.empty()) {
      ParsedInternalKey key;
      key.user_key = user_key;
      key.type = static_cast<ValueType>(static_cast<uint8_t>(rest[0]));
      rest.remove_prefix(1);
      Slice value;
      const bool is_whole = GetVarint64(&rest, &key.sequence) &&
                            GetLengthPrefixedSlice(&rest, &value);
      assert(is_whole);
      if (!is_whole || !lookup->Add(key, value, pin)) return;
    }
  }

 private:
  std::string bytes_;
  ValueType last_type_ = kTypeMerge;
  bool is_exact_ = true;
};

}  // namespace ROCKSDB_NAMESPACE
