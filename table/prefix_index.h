#pragma once

// The prefixes that occur in a table file with an index of type kHashSearch: a
// key or a seek with another prefix needs no data block of the file.
//
// The two blocks it is made of are those of prefix_index_builder.h.
//
// Threads    Immutable.
// Ownership  Owns its bytes; keeps the extractor that made the prefixes.
// Errors     Parse() says what is wrong with the bytes.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"

namespace ROCKSDB_NAMESPACE {

class PrefixIndex {
  struct PassKey {};  // Only Parse() makes one.

 public:
  explicit PrefixIndex(PassKey) {}
  // Null, with what is wrong in *problem, if the blocks make no sense.
  static std::unique_ptr<const PrefixIndex> Parse(
      const Slice& prefixes, const Slice& metadata,
      std::shared_ptr<const SliceTransform> extractor, const char** problem);

  // No key of the file has the prefix that `extractor`, that of the reader,
  // makes of `user_key`, which has no timestamp. False also where the file
  // cannot tell.
  bool Lacks(const SliceTransform* extractor, const Slice& user_key) const;

  size_t memory_bytes() const;

  PrefixIndex(const PrefixIndex&) = delete;
  PrefixIndex& operator=(const PrefixIndex&) = delete;

 private:
  std::string bytes_;
  std::unordered_set<std::string_view> prefixes_;  // in bytes_
  std::shared_ptr<const SliceTransform> extractor_;
  std::string extractor_text_;
};

}  // namespace ROCKSDB_NAMESPACE
