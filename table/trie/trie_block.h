#pragma once

// The trie of one table file, read where it lies in its block.
//
// Everything that a walk relies on is checked once, when the block is parsed:
// counts of bits, the order of labels, and that each node but the first hangs
// below an earlier one, so that every walk ends.
//
// Threads    Immutable once parsed; any thread may read.
// Ownership  Borrows the block, which must outlive it.
// Errors     Parse() says what is wrong.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/user_defined_index.h"
#include "table/trie/bit_vector.h"

namespace ROCKSDB_NAMESPACE {

class TrieBlock {
 public:
  static constexpr uint64_t kNone = BitVector::kNone;

  // The labels [begin, end) of a node: bits of the dense part, or bytes of the
  // sparse one.
  struct Node {
    bool is_dense = false;
    uint64_t number = 0;  // in its part
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  // A data block that ends at a key, and the tag of its last entry: sequence
  // times 256, and the type; 0 if the key parts two user keys.
  struct Target {
    UserDefinedIndexBuilder::BlockHandle handle;
    uint64_t tag = 0;
  };

  // Once; nullptr, or what is wrong. Not OK for another version.
  const char* Parse(const Slice& block);

  uint64_t key_count() const { return key_count_; }
  size_t memory_bytes() const {
    return sizeof(*this) + shared_keys_.capacity() * sizeof(shared_keys_[0]);
  }

  Node Root() const;
  // Does a key end at the node? Then its leaf.
  bool HasOwnKey(const Node& node) const {
    return Part(node).own_keys[node.number];
  }
  uint64_t OwnLeaf(const Node& node) const;

  // The label that is `byte` or the first, last, next or previous; or kNone.
  uint64_t LabelFrom(const Node& node, uint8_t byte) const;
  uint64_t FirstLabel(const Node& node) const {
    return node.is_dense ? labels_.FirstOne(node.begin, node.end)
                         : (node.begin < node.end ? node.begin : kNone);
  }
  uint64_t LastLabel(const Node& node) const {
    return node.is_dense ? labels_.LastOne(node.begin, node.end)
                         : (node.begin < node.end ? node.end - 1 : kNone);
  }
  uint64_t NextLabel(const Node& node, uint64_t label) const {
    assert(label < node.end);
    if (node.is_dense) return labels_.FirstOne(label + 1, node.end);
    return label + 1 < node.end ? label + 1 : kNone;
  }
  uint64_t LabelBefore(const Node& node, uint64_t label) const {
    assert(label >= node.begin && label < node.end);
    if (node.is_dense) return labels_.LastOne(node.begin, label);
    return label > node.begin ? label - 1 : kNone;
  }
  uint8_t ByteOf(const Node& node, uint64_t label) const {
    return node.is_dense ? static_cast<uint8_t>(label - node.begin)
                         : SparseByte(label);
  }
  bool HasChild(const Node& node, uint64_t label) const {
    return Part(node).has_child[Ordinal(node, label)];
  }
  Node Child(const Node& node, uint64_t label) const;
  uint64_t LeafOf(const Node& node, uint64_t label) const;

  // How many data blocks end at the key with this leaf, at least one, and
  // which. The first is the one of the smallest entries.
  uint64_t TargetCount(uint64_t leaf) const { return SharedBy(leaf).second; }
  Target TargetOf(uint64_t leaf, uint64_t number) const;

 private:
  struct Nodes {
    BitVector has_child;  // a bit for each label
    BitVector own_keys;   // a bit for each node
    uint64_t first_leaf = 0;
  };
  // Keys at which several blocks end.
  struct SharedKey {
    uint64_t leaf;
    uint64_t first;  // where its second block is in other_offsets_
    uint64_t count;  // all its blocks, the first included
  };

  const char* TakeHeader(TrieInput* input);
  const char* TakeDense(TrieInput* input);
  const char* TakeSparse(TrieInput* input);
  const char* TakeChildTables(TrieInput* input);
  const char* PassChains(TrieInput* input) const;
  const char* TakeHandles(TrieInput* input);
  const char* TakeTags(TrieInput* input);
  const char* CheckTree() const;
  const char* CheckSparseOrder() const;

  const Nodes& Part(const Node& node) const {
    return node.is_dense ? dense_ : sparse_;
  }
  // The number of a label among those that are there.
  uint64_t Ordinal(const Node& node, uint64_t label) const {
    return node.is_dense ? labels_.OnesBefore(label) : label;
  }
  uint8_t SparseByte(uint64_t label) const {
    return static_cast<uint8_t>(sparse_labels_[label]);
  }
  Node DenseNode(uint64_t number) const {
    return {true, number, number * 256, (number + 1) * 256};
  }
  Node SparseNode(uint64_t number) const;
  uint64_t dense_nodes() const { return dense_.own_keys.size(); }
  // The first and the count of the leaf's SharedKey; {0, 1} if it has none.
  std::pair<uint64_t, uint64_t> SharedBy(uint64_t leaf) const;

  uint64_t key_count_ = 0;
  uint32_t flags_ = 0;
  uint64_t told_dense_nodes_ = 0;
  uint64_t told_dense_leaves_ = 0;
  BitVector labels_;  // those of dense nodes
  Nodes dense_;
  Nodes sparse_;
  uint64_t sparse_count_ = 0;  // labels of sparse nodes
  const char* sparse_labels_ = nullptr;
  BitVector starts_node_;
  const char* child_first_ = nullptr;
  const char* child_end_ = nullptr;
  const char* offsets_ = nullptr;
  const char* sizes_ = nullptr;
  const char* tags_ = nullptr;  // null: none has one
  const char* other_offsets_ = nullptr;
  const char* other_sizes_ = nullptr;
  const char* other_tags_ = nullptr;
  std::vector<SharedKey> shared_keys_;  // ascending
};

}  // namespace ROCKSDB_NAMESPACE
