#include "table/trie/trie_cursor.h"

#include <cassert>

#include "rocksdb/advanced_iterator.h"
#include "rocksdb/scan_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void TrieCursor::Prepare(const ScanOptions scan_opts[], size_t num_opts) {
  Clear();
  limit_ = nullptr;
  ranges_.clear();
  for (size_t i = 0; i < num_opts; ++i) {
    const RangeOpt& range = scan_opts[i].range;
    Range& own = ranges_.emplace_back();
    if (range.start.has_value()) own.start = range.start->ToString();
    if (range.limit.has_value()) own.limit = range.limit->ToString();
  }
}

void TrieCursor::SetLimit(const Slice& target) {
  limit_ = nullptr;
  for (const Range& range : ranges_) {
    if (target.compare(range.start) < 0) continue;
    if (!range.limit.has_value()) return;
    if (target.compare(*range.limit) >= 0) continue;
    limit_ = &*range.limit;
    return;
  }
}

void TrieCursor::Clear() {
  steps_.clear();
  key_.clear();
  is_out_ = false;
}

void TrieCursor::Push(const TrieBlock::Node& node, uint64_t label) {
  steps_.push_back({node, label});
  if (label != kOwnKey) {
    key_.push_back(static_cast<char>(trie_.ByteOf(node, label)));
  }
}

void TrieCursor::Pop() {
  assert(IsValid());
  if (steps_.back().label != kOwnKey) key_.pop_back();
  steps_.pop_back();
}

void TrieCursor::GoToFirst(TrieBlock::Node node) {
  for (;;) {
    if (trie_.HasOwnKey(node)) return Push(node, kOwnKey);
    const uint64_t label = trie_.FirstLabel(node);
    INVARIANT(label != TrieBlock::kNone);
    Push(node, label);
    if (!trie_.HasChild(node, label)) return;
    node = trie_.Child(node, label);
  }
}

void TrieCursor::GoToLast(TrieBlock::Node node) {
  for (;;) {
    const uint64_t label = trie_.LastLabel(node);
    Push(node, label == TrieBlock::kNone ? kOwnKey : label);
    if (label == TrieBlock::kNone || !trie_.HasChild(node, label)) return;
    node = trie_.Child(node, label);
  }
}

void TrieCursor::GoOn() {
  while (IsValid()) {
    const Step step = steps_.back();
    Pop();
    const uint64_t next = step.label == kOwnKey
                              ? trie_.FirstLabel(step.node)
                              : trie_.NextLabel(step.node, step.label);
    if (next == TrieBlock::kNone) continue;
    Push(step.node, next);
    if (trie_.HasChild(step.node, next)) {
      GoToFirst(trie_.Child(step.node, next));
    }
    return;
  }
}

void TrieCursor::GoBack() {
  while (IsValid()) {
    const Step step = steps_.back();
    Pop();
    if (step.label == kOwnKey) continue;
    const uint64_t before = trie_.LabelBefore(step.node, step.label);
    if (before != TrieBlock::kNone) {
      Push(step.node, before);
      if (trie_.HasChild(step.node, before)) {
        GoToLast(trie_.Child(step.node, before));
      }
      return;
    }
    if (trie_.HasOwnKey(step.node)) return Push(step.node, kOwnKey);
  }
}

void TrieCursor::SeekKey(const Slice& target) {
  Clear();
  if (trie_.key_count() == 0) return;
  TrieBlock::Node node = trie_.Root();
  for (size_t depth = 0; depth < target.size(); ++depth) {
    const auto byte = static_cast<uint8_t>(target[depth]);
    const uint64_t label = trie_.LabelFrom(node, byte);
    if (label == TrieBlock::kNone) return GoOn();
    Push(node, label);
    if (trie_.ByteOf(node, label) > byte) {
      if (trie_.HasChild(node, label)) GoToFirst(trie_.Child(node, label));
      return;
    }
    if (!trie_.HasChild(node, label)) {
      // The key is the target, or a beginning of it.
      return depth + 1 == target.size() ? void() : GoOn();
    }
    node = trie_.Child(node, label);
  }
  GoToFirst(node);
}

uint64_t TrieCursor::Leaf() const {
  const Step& step = steps_.back();
  return step.label == kOwnKey ? trie_.OwnLeaf(step.node)
                               : trie_.LeafOf(step.node, step.label);
}

void TrieCursor::Tell(IterateResult* result) const {
  result->key = key_;
  result->value_prepared = true;
  if (!IsValid()) {
    result->bound_check_result = IterBoundCheck::kUnknown;
  } else {
    result->bound_check_result =
        is_out_ ? IterBoundCheck::kOutOfBound : IterBoundCheck::kInbound;
  }
}

Status TrieCursor::SeekToFirstAndGetResult(IterateResult* result) {
  Clear();
  limit_ = nullptr;
  if (trie_.key_count() > 0) GoToFirst(trie_.Root());
  EnterKey();
  Tell(result);
  return Status::OK();
}

Status TrieCursor::SeekToLastAndGetResult(IterateResult* result) {
  Clear();
  limit_ = nullptr;
  if (trie_.key_count() > 0) GoToLast(trie_.Root());
  EnterKey();
  if (IsValid()) target_number_ = target_count_ - 1;
  Tell(result);
  return Status::OK();
}

Status TrieCursor::SeekAndGetResult(const Slice& target, IterateResult* result,
                                    const SeekContext& context) {
  SeekKey(target);
  SetLimit(target);
  EnterKey();
  // A key with tags has its older versions, which have smaller ones, in the
  // blocks that follow.
  if (IsValid() && target == key_) {
    for (;; ++target_number_) {
      if (target_number_ == target_count_) {
        GoOn();
        EnterKey();
        break;
      }
      const uint64_t tag = trie_.TargetOf(leaf_, target_number_).tag;
      if (tag == 0 || context.target_tag >= tag) break;
    }
  }
  Tell(result);
  return Status::OK();
}

Status TrieCursor::NextAndGetResult(IterateResult* result) {
  if (!IsValid()) return Status::InvalidArgument("Trie index: no position");
  is_out_ = limit_ != nullptr && Slice(key_).compare(*limit_) >= 0;
  if (++target_number_ == target_count_) {
    GoOn();
    EnterKey();
  }
  Tell(result);
  return Status::OK();
}

Status TrieCursor::PrevAndGetResult(IterateResult* result) {
  if (!IsValid()) return Status::InvalidArgument("Trie index: no position");
  is_out_ = false;
  if (target_number_ > 0) {
    --target_number_;
  } else {
    GoBack();
    EnterKey();
    if (IsValid()) target_number_ = target_count_ - 1;
  }
  Tell(result);
  return Status::OK();
}

void TrieCursor::EnterKey() {
  target_number_ = 0;
  target_count_ = 0;
  if (!IsValid()) return;
  leaf_ = Leaf();
  target_count_ = trie_.TargetCount(leaf_);
  assert(target_count_ > 0);
}

UserDefinedIndexBuilder::BlockHandle TrieCursor::value() {
  INVARIANT(IsValid());
  return trie_.TargetOf(leaf_, target_number_).handle;
}

}  // namespace ROCKSDB_NAMESPACE
