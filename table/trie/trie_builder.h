#pragma once

// Makes the block of a trie index from the keys that part data blocks.
//
// Between blocks of different user keys that is the shortest key that parts
// them, which has no tag: the block has every version of what is before it. A
// block that ends amid the versions of a key ends at that key, with the tag of
// its last entry; so does the last one. Blocks that follow each other with one
// key share a leaf.
//
// A file in which a block begins, or is, beyond 4 GiB gets an empty index,
// which readers take for none.
//
// Threads  One.

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/user_defined_index.h"
#include "table/trie/trie_block.h"

namespace ROCKSDB_NAMESPACE {

class TrieIndexBuilder final : public UserDefinedIndexBuilder {
 public:
  Slice AddIndexEntry(const Slice& last_key_in_current_block,
                      const Slice* first_key_in_next_block,
                      const BlockHandle& block_handle,
                      std::string* separator_scratch,
                      const IndexEntryContext& context) override;
  Status Finish(Slice* index_contents) override;
  uint64_t EstimatedSize() const override;

 private:
  struct Key {
    uint64_t end = 0;  // in bytes_
    uint64_t first_target = 0;
    uint64_t target_count = 0;
  };
  struct Level;
  struct Parts;

  Slice KeyAt(size_t index) const {
    const uint64_t begin = index == 0 ? 0 : keys_[index - 1].end;
    return Slice(bytes_.data() + begin, keys_[index].end - begin);
  }
  Status CheckLimits(bool* is_too_large) const;
  std::vector<Level> MakeLevels(std::vector<size_t>* leaves) const;
  void AppendHeader(const Parts& parts);
  void AppendTree(const Parts& parts);
  void AppendTargets(const std::vector<size_t>& leaves);

  std::string bytes_;  // all keys, one behind the other
  std::vector<Key> keys_;
  std::vector<TrieBlock::Target> targets_;
  size_t max_depth_ = 0;
  std::string block_;
  bool is_finished_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
