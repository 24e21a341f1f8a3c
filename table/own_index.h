#pragma once

// The index that an application has made of a table file, beside the one that
// every file has (rocksdb/user_defined_index.h).
//
// Threads    OwnIndex: immutable, any number. OwnIndexCursor: one.
// Ownership  A cursor borrows the open table and the read options.
// Errors     Those of the application, as they are. A call that fails leaves
//            the cursor not valid.

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rocksdb/advanced_iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/user_defined_index.h"
#include "table/block.h"
#include "table/format.h"
#include "table/index_cursor.h"
#include "table/table_parts.h"

namespace ROCKSDB_NAMESPACE {

struct ScanPart;

struct OwnIndex {
  std::string name;
  bool is_primary = false;
  BlockBytes block;
  std::unique_ptr<UserDefinedIndexReader> reader;  // reads `block`

  size_t memory_bytes() const {
    return sizeof(*this) + block.memory_bytes() +
           reader->ApproximateMemoryUsage();
  }
};

// Where the metaindex says that the index of this factory is.
inline std::string OwnIndexBlockName(const UserDefinedIndexFactory& factory) {
  return kUserDefinedIndexPrefix + std::string(factory.Name());
}

// Does this read go by the application's index, or want one that is not there?
inline bool WantsOwnIndex(const TableParts& parts, const ReadOptions& read) {
  return parts.own_index != nullptr &&
         (parts.own_index->is_primary || read.table_index_factory != nullptr);
}

// Finds data blocks by the application's index; used in place of IndexCursor.
class OwnIndexCursor {
 public:
  // Tells positions of one cursor apart.
  using Position = uint64_t;

  OwnIndexCursor(const TableParts& parts, const ReadOptions& read)
      : parts_(parts), read_(read) {}

  // InvalidArgument where `read` names another index. Before all else, once.
  Status Open();

  bool Valid() const { return is_valid_; }
  const BlockHandle& handle() const {
    assert(Valid());
    return handle_;
  }
  Slice user_key() const {
    assert(Valid());
    return key_;
  }
  Slice first_key() const { return Slice(); }
  bool BeginsBehind(const Slice& /*user_key*/) const { return false; }
  Position position() const { return handle_.offset; }

  Status Seek(const Slice& target);
  Status SeekToFirst();
  Status SeekToLast();
  Status Next();
  Status Prev();

  // All of the file: which blocks a range has is not asked.
  IndexCursor::Range DataRange(const Slice* lower, const Slice* upper) const;
  // Tells the index of the ranges. What comes back finds their blocks without
  // it; null if it cannot.
  IndexCursor* ForScan(const ScanPart& part);

 private:
  Status Take(Status status, const IterateResult& result);

  const TableParts& parts_;
  const ReadOptions& read_;
  std::unique_ptr<UserDefinedIndexIterator> iterator_;
  std::optional<IndexCursor> built_in_;
  bool is_valid_ = false;
  BlockHandle handle_;
  std::string key_;
};

}  // namespace ROCKSDB_NAMESPACE
