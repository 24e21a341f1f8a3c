#pragma once

// Has the application's index of a table file made beside the built-in one
// (rocksdb/user_defined_index.h): of the keys as readers will see them, block
// by block.
//
// Threads  One thread.
// Errors   Those of the application, as they are.

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "rocksdb/user_defined_index.h"
#include "table/format.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class OwnIndexBuilder {
 private:
  // Only Create() can make a Key, and with it a builder.
  struct Key {
    explicit Key() = default;
  };

 public:
  OwnIndexBuilder(Key, std::unique_ptr<UserDefinedIndexBuilder> builder,
                  std::string block_name, const InternalKeyComparator& order,
                  size_t left_out_bytes);
  // *result stays null without a factory. Keys are added without the
  // `left_out_bytes` of the oldest timestamp, which the index is given.
  static Status Create(const BlockBasedTableOptions& table,
                       const InternalKeyComparator& order,
                       size_t left_out_bytes,
                       std::unique_ptr<OwnIndexBuilder>* result);

  // An entry of the block that is open.
  void AddKey(const Slice& internal_key, const Slice& value);
  // Adds each entry of a data block, which is not compressed.
  Status AddKeysOf(const Slice& block);
  // Finds the first and the last internal key of such a block.
  Status FindBorders(const Slice& block, std::string* first,
                     std::string* last) const;
  // The block that was open is at `handle`. Internal keys; the second is null
  // for the last block.
  void EndBlock(const Slice& last_key, const Slice* next_key,
                const BlockHandle& handle);
  Status Finish(Slice* contents);

  const std::string& block_name() const { return block_name_; }
  uint64_t EstimatedSize() const { return builder_->EstimatedSize(); }

 private:
  Slice Given(const Slice& internal_key, std::string* buffer) const;

  const std::unique_ptr<UserDefinedIndexBuilder> builder_;
  const std::string block_name_;
  const InternalKeyComparator order_;
  const size_t left_out_bytes_;
  std::string key_buffer_;
  std::string next_buffer_;
  std::string separator_;
};

}  // namespace ROCKSDB_NAMESPACE
