// The entry that a flush or compaction shows: its internal key, which may be
// another one than was read, and its value.
//
// Hot path   One copy of the key; the value is a slice into memory of others.
// Lifetime   The value is good as long as whoever owns it says.
// Threads    One thread.
#pragma once

#include <cassert>
#include <string>

#include "util/coding.h"
#include "util/key/copy_key.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SurvivingEntry {
 public:
  bool Valid() const { return is_shown_; }
  // Before the first SetKey() there is none.
  bool has_key() const { return !key_.empty(); }
  Slice key() const { return Slice(key_.data(), key_.size()); }
  // Stored: with its timestamp.
  Slice user_key() const {
    assert(key_.size() >= kInternalKeyTrailerBytes);
    return Slice(key_.data(), key_.size() - kInternalKeyTrailerBytes);
  }
  const Slice& value() const { return value_; }

  // Takes the key of the version that is looked at, to be shown or not.
  void SetKey(const Slice& internal_key) { CopyKey(internal_key, &key_); }
  void SetTrailer(uint64_t trailer) {
    assert(key_.size() >= kInternalKeyTrailerBytes);
    EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                  trailer);
  }
  // `timestamp` must have the size of the one that the key has.
  void SetTimestamp(const Slice& timestamp) {
    assert(key_.size() >= kInternalKeyTrailerBytes + timestamp.size());
    key_.replace(key_.size() - kInternalKeyTrailerBytes - timestamp.size(),
                 timestamp.size(), timestamp.data(), timestamp.size());
  }

  void Show(const Slice& value) {
    assert(has_key());
    value_ = value;
    is_shown_ = true;
  }
  void Hide() { is_shown_ = false; }

 private:
  bool is_shown_ = false;
  std::string key_;
  Slice value_;
};

}  // namespace ROCKSDB_NAMESPACE
