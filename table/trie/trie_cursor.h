#pragma once

// A position among the keys of a trie, and among the blocks that end there.
//
// The bound of a scan that was prepared ends it: a block whose every key is at
// or behind the limit of the range that was sought is out of bounds.
//
// Threads    One thread.
// Ownership  Borrows the trie.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/user_defined_index.h"
#include "table/trie/trie_block.h"

namespace ROCKSDB_NAMESPACE {

class TrieCursor final : public UserDefinedIndexIterator {
 public:
  explicit TrieCursor(const TrieBlock& trie) : trie_(trie) {}

  void Prepare(const ScanOptions scan_opts[], size_t num_opts) override;
  Status SeekToFirstAndGetResult(IterateResult* result) override;
  Status SeekToLastAndGetResult(IterateResult* result) override;
  Status SeekAndGetResult(const Slice& target, IterateResult* result,
                          const SeekContext& context) override;
  Status NextAndGetResult(IterateResult* result) override;
  Status PrevAndGetResult(IterateResult* result) override;
  UserDefinedIndexBuilder::BlockHandle value() override;

 private:
  static constexpr uint64_t kOwnKey = TrieBlock::kNone;
  // A node on the way, and the label that was taken, or the node's own key.
  struct Step {
    TrieBlock::Node node;
    uint64_t label = kOwnKey;
  };
  struct Range {
    std::string start;
    std::optional<std::string> limit;
  };

  void Clear();
  void Push(const TrieBlock::Node& node, uint64_t label);
  void Pop();
  // To the smallest (largest) key at or below a node.
  void GoToFirst(TrieBlock::Node node);
  void GoToLast(TrieBlock::Node node);
  // To the key that follows, or comes before, all below the last step.
  void GoOn();
  void GoBack();
  // To the first key that is not before `target`.
  void SeekKey(const Slice& target);
  bool IsValid() const { return !steps_.empty(); }
  uint64_t Leaf() const;
  // After a move to another key: to the first of its blocks.
  void EnterKey();
  void Tell(IterateResult* result) const;
  void SetLimit(const Slice& target);

  const TrieBlock& trie_;
  std::vector<Range> ranges_;
  const std::string* limit_ = nullptr;
  std::vector<Step> steps_;  // empty: no position
  std::string key_;
  uint64_t leaf_ = 0;
  uint64_t target_number_ = 0;
  uint64_t target_count_ = 0;
  // The key of the block before is at or behind the limit.
  bool is_out_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
