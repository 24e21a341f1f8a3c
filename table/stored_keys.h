#pragma once

// Keys as a table file has them. Where a column family does not persist its
// timestamps, keys are added with the oldest timestamp and stored without it.
//
// Threads  One thread.

#include <cassert>
#include <cstddef>
#include <string>

#include "options/cf_options.h"
#include "util/key/given_order.h"
#include "util/key/internal_key.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

class StoredKeys {
 public:
  StoredKeys(const ImmutableCFOptions& family, KeyText text)
      : left_out_bytes_(family.left_out_timestamp_bytes()),
        timestamp_bytes_(family.user_comparator->timestamp_size() -
                         left_out_bytes_),
        given_order_(family.user_comparator),
        order_(left_out_bytes_ != 0 ? &given_order_ : family.user_comparator),
        text_(text) {}
  StoredKeys(const StoredKeys&) = delete;
  StoredKeys& operator=(const StoredKeys&) = delete;

  const InternalKeyComparator& order() const { return order_; }
  // Bytes of each key's timestamp that the file leaves out, and that it has.
  size_t left_out_bytes() const { return left_out_bytes_; }
  size_t timestamp_bytes() const { return timestamp_bytes_; }

  // The form of an internal key; good until the next call.
  Slice Of(const Slice& key) {
    if (left_out_bytes_ == 0) [[likely]]
      return key;
    return WithoutOldestTimestamp(key);
  }
  // The same of a user key that is the end of a range.
  Slice EndOf(const Slice& end) const {
    return WithoutTimestamp(end, left_out_bytes_);
  }
  // What filters and prefixes are made of, of a stored internal key.
  Slice PlainUserKey(const Slice& stored) const {
    assert(stored.size() >= kInternalKeyTrailerBytes + timestamp_bytes_);
    return {stored.data(),
            stored.size() - kInternalKeyTrailerBytes - timestamp_bytes_};
  }
  // For messages.
  std::string Text(const Slice& internal_key) const {
    return InternalKeyText(internal_key, text_);
  }

 private:
  Slice WithoutOldestTimestamp(const Slice& key);

  const size_t left_out_bytes_;
  const size_t timestamp_bytes_;
  const GivenOrder given_order_;
  const InternalKeyComparator order_;
  const KeyText text_;
  std::string buffer_;
};

}  // namespace ROCKSDB_NAMESPACE
