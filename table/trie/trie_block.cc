#include "table/trie/trie_block.h"

#include <algorithm>

#include "table/trie/trie_format.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr const char* kTrieIsCut = "the block is cut off";

uint32_t NumberAt(const char* array, uint64_t index) {
  return DecodeFixed32(array + 4 * index);
}

}  // namespace

const char* TrieBlock::Parse(const Slice& block) {
  INVARIANT(key_count_ == 0 && offsets_ == nullptr);
  TrieInput input(block);
  if (const char* problem = TakeHeader(&input)) return problem;
  if (const char* problem = TakeDense(&input)) return problem;
  if (const char* problem = TakeSparse(&input)) return problem;
  if (const char* problem = CheckTree()) return problem;
  if (const char* problem = CheckSparseOrder()) return problem;
  if (const char* problem = TakeChildTables(&input)) return problem;
  if (const char* problem = PassChains(&input)) return problem;
  if (key_count_ == 0) return nullptr;
  if (const char* problem = TakeHandles(&input)) return problem;
  return (flags_ & kTrieHasTags) != 0 ? TakeTags(&input) : nullptr;
}

const char* TrieBlock::TakeHeader(TrieInput* input) {
  uint32_t magic = 0;
  uint32_t version = 0;
  uint32_t cutoff = 0;
  uint32_t depth = 0;
  uint64_t children = 0;
  uint32_t reserved = 0;
  if (!input->TakeFixed32(&magic) || !input->TakeFixed32(&version) ||
      !input->TakeFixed64(&key_count_) || !input->TakeFixed32(&cutoff) ||
      !input->TakeFixed32(&depth) || !input->TakeFixed64(&told_dense_leaves_) ||
      !input->TakeFixed64(&told_dense_nodes_) ||
      !input->TakeFixed64(&children) || !input->TakeFixed32(&flags_) ||
      !input->TakeFixed32(&reserved)) {
    return "the header is cut off";
  }
  if (magic != kTrieMagic) return "bad magic number";
  if (version != kTrieVersion) return "unknown version";
  if (key_count_ > kTrieMaxKeys) return "too many keys";
  if (depth > kTrieMaxDepth) return "too deep";
  if ((flags_ & ~kTrieHasTags) != 0) return "unknown flags";
  return nullptr;
}

const char* TrieBlock::TakeDense(TrieInput* input) {
  for (BitVector* vector : {&labels_, &dense_.has_child, &dense_.own_keys}) {
    if (const char* problem = vector->Take(input)) return problem;
  }
  if (dense_nodes() != told_dense_nodes_ ||
      labels_.size() / kLabelsOfNode != dense_nodes() ||
      labels_.size() % kLabelsOfNode != 0 ||
      dense_.has_child.size() != labels_.ones()) {
    return "the dense part does not fit together";
  }
  if (dense_.has_child.zeros() + dense_.own_keys.ones() != told_dense_leaves_) {
    return "the dense part has other leaves than it says";
  }
  return nullptr;
}

const char* TrieBlock::TakeSparse(TrieInput* input) {
  if (!input->TakeFixed64(&sparse_count_) ||
      !input->TakeArray(sparse_count_, 1, &sparse_labels_) ||
      !input->TakePadding()) {
    return "the labels are cut off";
  }
  for (BitVector* vector :
       {&sparse_.has_child, &starts_node_, &sparse_.own_keys}) {
    if (const char* problem = vector->Take(input)) return problem;
  }
  // A single empty key is a node without labels.
  const bool is_one_empty_key = dense_nodes() == 0 && sparse_count_ == 0 &&
                                sparse_.own_keys.size() == 1 && key_count_ == 1;
  if (sparse_.has_child.size() != sparse_count_ ||
      starts_node_.size() != sparse_count_ ||
      (starts_node_.ones() != sparse_.own_keys.size() && !is_one_empty_key) ||
      (sparse_count_ > 0 && !starts_node_[0])) {
    return "the sparse part does not fit together";
  }
  sparse_.first_leaf = told_dense_leaves_;
  const uint64_t leaves =
      told_dense_leaves_ + sparse_.has_child.zeros() + sparse_.own_keys.ones();
  return leaves == key_count_ ? nullptr : "other leaves than keys";
}

// Every node but the first is the child of the label whose number, among those
// with a child, is one less; that label must be in an earlier node.
const char* TrieBlock::CheckTree() const {
  const uint64_t nodes = dense_nodes() + sparse_.own_keys.size();
  const uint64_t with_child =
      dense_.has_child.ones() + sparse_.has_child.ones();
  if (nodes == 0) {
    return key_count_ == 0 ? nullptr : "keys without a node";
  }
  if (nodes != with_child + 1) return "nodes that hang below nothing";
  uint64_t children = 0;  // children of the nodes before this one
  for (uint64_t i = 0; i < dense_nodes(); ++i) {
    if (children < i) return "a node hangs below a later one";
    const Node node = DenseNode(i);
    if (FirstLabel(node) == kNone && !HasOwnKey(node)) {
      return "a node without anything";
    }
    children = dense_.has_child.OnesBefore(labels_.OnesBefore(node.end));
  }
  uint64_t number = dense_nodes();
  for (uint64_t at = 0; at < sparse_count_; ++at) {
    if (starts_node_[at] && children < number++) {
      return "a node hangs below a later one";
    }
    if (sparse_.has_child[at]) ++children;
  }
  return nullptr;
}

const char* TrieBlock::CheckSparseOrder() const {
  for (uint64_t at = 1; at < sparse_count_; ++at) {
    if (!starts_node_[at] && SparseByte(at - 1) >= SparseByte(at)) {
      return "labels out of order";
    }
  }
  return nullptr;
}

const char* TrieBlock::TakeChildTables(TrieInput* input) {
  uint64_t count = 0;
  if (!input->TakeFixed64(&count)) return kTrieIsCut;
  if (count != sparse_.has_child.ones()) return "other children than labels";
  if (!input->TakeArray(count, 4, &child_first_) || !input->TakePadding() ||
      !input->TakeArray(count, 4, &child_end_) || !input->TakePadding()) {
    return kTrieIsCut;
  }
  if (count == 0) return nullptr;
  // Their nodes are the last ones, in this order.
  const uint64_t nodes = sparse_.own_keys.size();
  INVARIANT(nodes >= count);
  for (uint64_t i = 0; i < count; ++i) {
    const Node node = SparseNode(nodes - count + i);
    if (NumberAt(child_first_, i) != node.begin ||
        NumberAt(child_end_, i) != node.end) {
      return "children elsewhere than their nodes";
    }
  }
  return nullptr;
}

const char* TrieBlock::PassChains(TrieInput* input) const {
  uint64_t count = 0;
  if (!input->TakeFixed64(&count)) return kTrieIsCut;
  if (count == 0) return nullptr;
  BitVector unused;
  if (const char* problem = unused.Take(input)) return problem;
  uint64_t bytes = 0;
  const char* array = nullptr;
  if (!input->TakeArray(count, 4, &array) || !input->TakePadding() ||
      !input->TakeArray(count, 2, &array) || !input->TakePadding() ||
      !input->TakeArray(count, 4, &array) || !input->TakePadding() ||
      !input->TakeFixed64(&bytes) || !input->TakeArray(bytes, 1, &array) ||
      !input->TakePadding()) {
    return kTrieIsCut;
  }
  return nullptr;
}

const char* TrieBlock::TakeHandles(TrieInput* input) {
  if (!input->TakeArray(key_count_, 4, &offsets_) || !input->TakePadding() ||
      !input->TakeArray(key_count_, 4, &sizes_) || !input->TakePadding()) {
    return kTrieIsCut;
  }
  return nullptr;
}

const char* TrieBlock::TakeTags(TrieInput* input) {
  uint32_t others = 0;
  uint32_t reserved = 0;
  const char* counts = nullptr;
  if (!input->TakeFixed32(&others) || !input->TakeFixed32(&reserved) ||
      !input->TakeArray(key_count_, 8, &tags_) ||
      !input->TakeArray(key_count_, 4, &counts) || !input->TakePadding() ||
      !input->TakeArray(others, 4, &other_offsets_) || !input->TakePadding() ||
      !input->TakeArray(others, 4, &other_sizes_) || !input->TakePadding() ||
      !input->TakeArray(others, 8, &other_tags_)) {
    return kTrieIsCut;
  }
  uint64_t seen = 0;
  for (uint64_t leaf = 0; leaf < key_count_; ++leaf) {
    const uint64_t count = NumberAt(counts, leaf);
    if (count == 0 || count - 1 > others - seen) return "bad count of blocks";
    if (count == 1) continue;
    shared_keys_.push_back({leaf, seen, count});
    seen += count - 1;
  }
  return seen == others ? nullptr : "bad count of blocks";
}

TrieBlock::Node TrieBlock::Root() const {
  assert(key_count_ > 0);
  return dense_nodes() > 0 ? DenseNode(0) : SparseNode(0);
}

TrieBlock::Node TrieBlock::SparseNode(uint64_t number) const {
  if (sparse_count_ == 0) return {false, number, 0, 0};
  Node node{false, number, starts_node_.PlaceOfOne(number), sparse_count_};
  if (number + 1 < starts_node_.ones()) {
    const uint64_t next = starts_node_.FirstOne(node.begin + 1, sparse_count_);
    node.end = next;
  }
  return node;
}

uint64_t TrieBlock::OwnLeaf(const Node& node) const {
  assert(HasOwnKey(node));
  const Nodes& part = Part(node);
  const uint64_t first = Ordinal(node, node.begin);
  return part.first_leaf + part.has_child.ZerosBefore(first) +
         part.own_keys.OnesBefore(node.number);
}

uint64_t TrieBlock::LeafOf(const Node& node, uint64_t label) const {
  assert(!HasChild(node, label));
  const Nodes& part = Part(node);
  return part.first_leaf + part.has_child.ZerosBefore(Ordinal(node, label)) +
         part.own_keys.OnesBefore(node.number + 1);
}

uint64_t TrieBlock::LabelFrom(const Node& node, uint8_t byte) const {
  if (node.is_dense) return labels_.FirstOne(node.begin + byte, node.end);
  uint64_t low = node.begin;
  uint64_t high = node.end;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (SparseByte(middle) < byte) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < node.end ? low : kNone;
}

TrieBlock::Node TrieBlock::Child(const Node& node, uint64_t label) const {
  assert(HasChild(node, label));
  if (!node.is_dense) {
    const uint64_t number = sparse_.has_child.OnesBefore(label);
    const uint64_t first_number =
        sparse_.own_keys.size() - sparse_.has_child.ones();
    return {false, first_number + number, NumberAt(child_first_, number),
            NumberAt(child_end_, number)};
  }
  const uint64_t number =
      1 + dense_.has_child.OnesBefore(labels_.OnesBefore(label));
  return number < dense_nodes() ? DenseNode(number)
                                : SparseNode(number - dense_nodes());
}

std::pair<uint64_t, uint64_t> TrieBlock::SharedBy(uint64_t leaf) const {
  if (shared_keys_.empty()) return {0, 1};
  const auto found = std::lower_bound(
      shared_keys_.begin(), shared_keys_.end(), leaf,
      [](const SharedKey& key, uint64_t wanted) { return key.leaf < wanted; });
  if (found == shared_keys_.end() || found->leaf != leaf) return {0, 1};
  return {found->first, found->count};
}

TrieBlock::Target TrieBlock::TargetOf(uint64_t leaf, uint64_t number) const {
  assert(leaf < key_count_);
  if (number == 0) {
    const uint64_t tag = tags_ != nullptr ? DecodeFixed64(tags_ + 8 * leaf) : 0;
    return {{NumberAt(offsets_, leaf), NumberAt(sizes_, leaf)}, tag};
  }
  const auto [first, count] = SharedBy(leaf);
  INVARIANT(number < count);
  const uint64_t at = first + number - 1;
  return {{NumberAt(other_offsets_, at), NumberAt(other_sizes_, at)},
          DecodeFixed64(other_tags_ + 8 * at)};
}

}  // namespace ROCKSDB_NAMESPACE
