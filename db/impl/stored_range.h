// A range of keys as users give them, both of whose ends belong to it, as files
// have it: with the timestamps of stored keys, so that all versions of both
// ends are in it.
//
// Threads    One.
// Ownership  Copies the ends.
#pragma once

#include <string>

#include "rocksdb/column_family.h"
#include "rocksdb/slice.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

class StoredRange {
 public:
  StoredRange(const RangePtr& given, size_t timestamp_size)
      : has_begin_(given.start != nullptr), has_end_(given.limit != nullptr) {
    if (has_begin_) {
      begin_bytes_ = WithMaxTimestamp(*given.start, timestamp_size);
      begin_ = begin_bytes_;
    }
    if (has_end_) {
      end_bytes_ = WithMinTimestamp(*given.limit, timestamp_size);
      end_ = end_bytes_;
    }
  }
  StoredRange(const StoredRange&) = delete;
  StoredRange& operator=(const StoredRange&) = delete;

  // Null: the range is open there.
  const Slice* begin() const { return has_begin_ ? &begin_ : nullptr; }
  const Slice* end() const { return has_end_ ? &end_ : nullptr; }

 private:
  const bool has_begin_;
  const bool has_end_;
  std::string begin_bytes_;
  std::string end_bytes_;
  Slice begin_;
  Slice end_;
};

}  // namespace ROCKSDB_NAMESPACE
