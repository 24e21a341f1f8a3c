#include "table/trie/trie_builder.h"

#include <algorithm>
#include <cassert>

#include "rocksdb/comparator.h"
#include "table/trie/bit_vector.h"
#include "table/trie/trie_format.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// The nodes that are as far from the first one, in the order of their keys.
struct TrieIndexBuilder::Level {
  std::vector<uint32_t> label_counts;  // one for each node
  std::vector<bool> own_keys;          // likewise
  std::string labels;                  // those of all nodes, in order
  std::vector<bool> has_child;         // one for each label

  size_t node_count() const { return label_counts.size(); }
  // Are bytes smaller than bits?
  bool WantsBytes() const {
    return labels.size() * 10 + node_count() <
           node_count() * (kLabelsOfNode + 1) + labels.size();
  }
};

// What is written of the levels.
struct TrieIndexBuilder::Parts {
  uint32_t cutoff = 0;
  uint64_t crossing = 1;  // sparse nodes that hang below dense ones, or below
                          // nothing
  BitVectorBuilder dense_labels;
  BitVectorBuilder dense_has_child;
  BitVectorBuilder dense_own_keys;
  std::string labels;
  BitVectorBuilder has_child;
  BitVectorBuilder starts_node;
  BitVectorBuilder own_keys;
  std::vector<uint32_t> node_begins;  // one for each sparse node

  void AddDense(const Level& level);
  void AddSparse(const Level& level);
};

void TrieIndexBuilder::Parts::AddDense(const Level& level) {
  size_t at = 0;
  for (size_t node = 0; node < level.node_count(); ++node) {
    const uint64_t begin = dense_labels.size();
    dense_labels.AppendZeros(kLabelsOfNode);
    for (uint32_t i = 0; i < level.label_counts[node]; ++i, ++at) {
      dense_labels.Set(begin + static_cast<uint8_t>(level.labels[at]));
      dense_has_child.Append(level.has_child[at]);
    }
    dense_own_keys.Append(level.own_keys[node]);
  }
  assert(at == level.labels.size());
}

void TrieIndexBuilder::Parts::AddSparse(const Level& level) {
  size_t at = 0;
  for (size_t node = 0; node < level.node_count(); ++node) {
    node_begins.push_back(static_cast<uint32_t>(labels.size()));
    for (uint32_t i = 0; i < level.label_counts[node]; ++i, ++at) {
      labels.push_back(level.labels[at]);
      has_child.Append(level.has_child[at]);
      starts_node.Append(i == 0);
    }
    own_keys.Append(level.own_keys[node]);
  }
  assert(at == level.labels.size());
}

Slice TrieIndexBuilder::AddIndexEntry(const Slice& last_key,
                                      const Slice* next_key,
                                      const BlockHandle& block_handle,
                                      std::string* separator_scratch,
                                      const IndexEntryContext& context) {
  INVARIANT(!is_finished_);
  std::string& separator = *separator_scratch;
  separator.assign(last_key.data(), last_key.size());
  if (next_key != nullptr) {
    BytewiseComparator()->FindShortestSeparator(&separator, *next_key);
  }
  const bool repeats = !keys_.empty() && KeyAt(keys_.size() - 1) == separator;
  const bool is_amid = next_key == nullptr || *next_key == last_key;
  if (repeats) {
    ++keys_.back().target_count;
  } else {
    bytes_ += separator;
    keys_.push_back({bytes_.size(), targets_.size(), 1});
  }
  targets_.push_back(
      {block_handle, is_amid || repeats ? context.last_key_tag : 0});
  max_depth_ = std::max(max_depth_, separator.size());
  return separator;
}

uint64_t TrieIndexBuilder::EstimatedSize() const {
  // A byte costs its label, two bits and, with a child, eight bytes of tables;
  // half of what keys have in common is assumed to be stored once.
  constexpr uint64_t kBytesOfTarget = 20;
  return kTrieHeaderBytes + bytes_.size() * 5 +
         targets_.size() * kBytesOfTarget;
}

Status TrieIndexBuilder::CheckLimits(bool* is_too_large) const {
  *is_too_large = max_depth_ > kTrieMaxDepth || keys_.size() > kTrieMaxKeys ||
                  bytes_.size() > UINT32_MAX;
  for (size_t i = 0; i < targets_.size(); ++i) {
    const BlockHandle& handle = targets_[i].handle;
    *is_too_large |= handle.offset > UINT32_MAX || handle.size > UINT32_MAX;
  }
  for (size_t i = 1; i < keys_.size(); ++i) {
    if (KeyAt(i - 1).compare(KeyAt(i)) >= 0) {
      return Status::Corruption("Trie index: keys out of order");
    }
  }
  return Status::OK();
}

// Level by level, which is the order of nodes and leaves as well.
std::vector<TrieIndexBuilder::Level> TrieIndexBuilder::MakeLevels(
    std::vector<size_t>* leaves) const {
  struct Range {
    size_t begin;
    size_t end;
  };
  std::vector<Level> levels;
  std::vector<Range> nodes{{0, keys_.size()}};
  for (size_t depth = 0; !nodes.empty(); ++depth) {
    Level& level = levels.emplace_back();
    std::vector<Range> below;
    for (const Range& node : nodes) {
      size_t begin = node.begin;
      const bool has_own_key = KeyAt(begin).size() == depth;
      level.own_keys.push_back(has_own_key);
      if (has_own_key) leaves->push_back(begin++);
      uint32_t labels = 0;
      for (size_t end = begin; begin < node.end; begin = end, ++labels) {
        const char label = KeyAt(begin)[depth];
        while (end < node.end && KeyAt(end)[depth] == label) ++end;
        const bool is_leaf =
            end == begin + 1 && KeyAt(begin).size() == depth + 1;
        level.labels.push_back(label);
        level.has_child.push_back(!is_leaf);
        if (is_leaf) {
          leaves->push_back(begin);
        } else {
          below.push_back({begin, end});
        }
      }
      level.label_counts.push_back(labels);
    }
    nodes = std::move(below);
  }
  assert(leaves->size() == keys_.size());
  return levels;
}

void TrieIndexBuilder::AppendHeader(const Parts& parts) {
  const uint64_t dense_leaves = parts.dense_has_child.size() -
                                parts.dense_has_child.ones() +
                                parts.dense_own_keys.ones();
  PutFixed32(&block_, kTrieMagic);
  PutFixed32(&block_, kTrieVersion);
  PutFixed64(&block_, keys_.size());
  PutFixed32(&block_, parts.cutoff);
  PutFixed32(&block_, static_cast<uint32_t>(max_depth_));
  PutFixed64(&block_, dense_leaves);
  PutFixed64(&block_, parts.dense_own_keys.size());
  PutFixed64(&block_, parts.crossing);
  PutFixed32(&block_, kTrieHasTags);
  PutFixed32(&block_, 0);
  assert(block_.size() == kTrieHeaderBytes);
}

void TrieIndexBuilder::AppendTree(const Parts& parts) {
  parts.dense_labels.AppendTo(&block_);
  parts.dense_has_child.AppendTo(&block_);
  parts.dense_own_keys.AppendTo(&block_);
  PutFixed64(&block_, parts.labels.size());
  block_ += parts.labels;
  PadTrie(&block_);
  parts.has_child.AppendTo(&block_);
  parts.starts_node.AppendTo(&block_);
  parts.own_keys.AppendTo(&block_);
  // The last nodes are the children of sparse labels, in their order.
  const size_t children = parts.has_child.ones();
  const size_t nodes = parts.node_begins.size();
  assert(children <= nodes);
  const auto end_of = [&](size_t node) {
    return node + 1 < nodes ? parts.node_begins[node + 1]
                            : static_cast<uint32_t>(parts.labels.size());
  };
  PutFixed64(&block_, children);
  for (size_t i = nodes - children; i < nodes; ++i) {
    PutFixed32(&block_, parts.node_begins[i]);
  }
  PadTrie(&block_);
  for (size_t i = nodes - children; i < nodes; ++i) {
    PutFixed32(&block_, end_of(i));
  }
  PadTrie(&block_);
  PutFixed64(&block_, 0);  // No chains: they would say the same again.
}

void TrieIndexBuilder::AppendTargets(const std::vector<size_t>& leaves) {
  const auto append = [this](const std::vector<uint32_t>& numbers) {
    for (const uint32_t number : numbers) PutFixed32(&block_, number);
    PadTrie(&block_);
  };
  std::vector<uint32_t> offsets;
  std::vector<uint32_t> sizes;
  std::vector<uint32_t> counts;
  std::string tags;
  std::vector<uint32_t> other_offsets;
  std::vector<uint32_t> other_sizes;
  std::string other_tags;
  for (const size_t leaf : leaves) {
    const Key& key = keys_[leaf];
    counts.push_back(static_cast<uint32_t>(key.target_count));
    for (uint64_t i = 0; i < key.target_count; ++i) {
      const TrieBlock::Target& target = targets_[key.first_target + i];
      const bool is_first = i == 0;
      (is_first ? offsets : other_offsets)
          .push_back(static_cast<uint32_t>(target.handle.offset));
      (is_first ? sizes : other_sizes)
          .push_back(static_cast<uint32_t>(target.handle.size));
      PutFixed64(is_first ? &tags : &other_tags, target.tag);
    }
  }
  append(offsets);
  append(sizes);
  PutFixed32(&block_, static_cast<uint32_t>(other_offsets.size()));
  PutFixed32(&block_, 0);
  block_ += tags;
  append(counts);
  append(other_offsets);
  append(other_sizes);
  block_ += other_tags;
}

Status TrieIndexBuilder::Finish(Slice* index_contents) {
  INVARIANT(!is_finished_);
  is_finished_ = true;
  *index_contents = Slice();
  bool is_too_large = false;
  Status s = CheckLimits(&is_too_large);
  if (!s.ok() || is_too_large || keys_.empty()) return s;
  std::vector<size_t> leaves;
  const std::vector<Level> levels = MakeLevels(&leaves);
  Parts parts;
  while (parts.cutoff < levels.size() && !levels[parts.cutoff].WantsBytes()) {
    parts.AddDense(levels[parts.cutoff++]);
  }
  if (parts.cutoff > 0) {
    parts.crossing =
        parts.cutoff < levels.size() ? levels[parts.cutoff].node_count() : 0;
  }
  for (size_t i = parts.cutoff; i < levels.size(); ++i) {
    parts.AddSparse(levels[i]);
  }
  AppendHeader(parts);
  AppendTree(parts);
  AppendTargets(leaves);
  *index_contents = block_;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
