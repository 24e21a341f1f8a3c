#pragma once

// The index `trie_index` of block-based tables: a trie of the keys that part
// data blocks, in as few bits as it can be read from. Ties of equal beginnings
// are stored once, where the built-in index holds every key whole in memory.
//
// Threads  Any number.

#include <memory>

#include "rocksdb/user_defined_index.h"

namespace ROCKSDB_NAMESPACE {

class TrieIndexFactory final : public UserDefinedIndexFactory {
 public:
  static const char* kClassName() { return "trie_index"; }
  const char* Name() const override { return kClassName(); }

  UserDefinedIndexBuilder* NewBuilder() const override;
  // Null if the block is not such an index.
  std::unique_ptr<UserDefinedIndexReader> NewReader(
      Slice& index_block) const override;
  // NotSupported for other orders than that of bytes.
  Status NewBuilder(
      const UserDefinedIndexOption& option,
      std::unique_ptr<UserDefinedIndexBuilder>& builder) const override;
  Status NewReader(
      const UserDefinedIndexOption& option, Slice& index_block,
      std::unique_ptr<UserDefinedIndexReader>& reader) const override;
};

}  // namespace ROCKSDB_NAMESPACE
