// Positions in an EntryTree.
#include <cassert>

#include "memtable/entry_tree.h"
#include "memtable/entry_tree_nodes.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void EntryTree::Cursor::Set(Leaf* leaf, uint64_t version, size_t index,
                            const char* entry) {
  leaf_ = leaf;
  version_ = version;
  index_ = index;
  entry_ = entry;
}

// To the first entry of `leaf`, or of the leaves behind it.
void EntryTree::Cursor::SetFirstOf(Leaf* leaf) {
  while (leaf != nullptr) {
    const uint64_t version = ReadVersion(*leaf);
    const char* entry = Get(leaf->count) > 0 ? Get(leaf->entries[0]) : nullptr;
    Leaf* const next = Get(leaf->next);
    if (!IsUnchanged(*leaf, version)) continue;
    if (entry != nullptr) return Set(leaf, version, 0, entry);
    leaf = next;
  }
  entry_ = nullptr;
}

// To the first entry of `next`, which is behind `leaf`. False: the leaf has
// changed, so it may have given entries to that one.
bool EntryTree::Cursor::SetFirstBehind(const Leaf& leaf, uint64_t version,
                                       Leaf* next) {
  SetFirstOf(next);
  return IsUnchanged(leaf, version);
}

void EntryTree::Cursor::Seek(const Slice& internal_key) {
  SeekFor<Wanted::kAnyKey>(internal_key);
}

void EntryTree::Cursor::SeekVersion(const Slice& internal_key) {
  SeekFor<Wanted::kSameKey>(internal_key);
}

template <EntryTree::Cursor::Wanted kWanted>
void EntryTree::Cursor::SeekFor(const Slice& internal_key) {
  const Target target(internal_key, observer_);
  for (;;) {
    uint64_t version = 0;
    Leaf* const leaf = tree_->FindLeaf(target, Side::kUpper, &version);
    const Candidates among =
        CandidatesIn(*leaf, tree_->PrefixFor(*leaf, target.user_key));
    const size_t index = tree_->Decide(*leaf, among, target, Side::kLower);
    const bool is_here = index < Get(leaf->count);
    const bool is_wanted =
        is_here && (kWanted == Wanted::kAnyKey || index < among.high);
    const char* entry = is_wanted ? Get(leaf->entries[index]) : nullptr;
    Leaf* const next = Get(leaf->next);
    if (!IsUnchanged(*leaf, version)) continue;
    if (is_here) return Set(leaf, version, index, entry);
    if (SetFirstBehind(*leaf, version, next)) return;
  }
}

void EntryTree::Cursor::SeekForPrev(const Slice& internal_key) {
  SeekBefore(Target(internal_key, observer_), Side::kUpper);
}

// To the last entry before the target, or, for kUpper, before or at it. A leaf
// begins with its separator, so the entry is in the leaf that is found.
void EntryTree::Cursor::SeekBefore(const Target& target, Side side) {
  for (;;) {
    uint64_t version = 0;
    Leaf* const leaf = tree_->FindLeaf(target, side, &version);
    const size_t index = tree_->Search(*leaf, target, side);
    const char* entry = index > 0 ? Get(leaf->entries[index - 1]) : nullptr;
    if (!IsUnchanged(*leaf, version)) continue;
    assert(index > 0 || leaf == tree_->first_leaf_);
    return Set(leaf, version, index > 0 ? index - 1 : 0, entry);
  }
}

void EntryTree::Cursor::SeekToFirst() { SetFirstOf(tree_->first_leaf_); }

void EntryTree::Cursor::SeekToLast() {
  Leaf* leaf = Get(tree_->last_leaf_);
  for (;;) {
    const uint64_t version = ReadVersion(*leaf);
    const size_t count = Get(leaf->count);
    const char* entry = count > 0 ? Get(leaf->entries[count - 1]) : nullptr;
    Leaf* const next = Get(leaf->next);
    if (!IsUnchanged(*leaf, version)) continue;
    if (next == nullptr) {
      return Set(leaf, version, count > 0 ? count - 1 : 0, entry);
    }
    leaf = next;
  }
}

// Finds the entry again after its leaf has changed: there, or to the right.
void EntryTree::Cursor::Relocate() {
  const Target target(KeyOf(entry_));
  for (;;) {
    const uint64_t version = ReadVersion(*leaf_);
    const size_t count = Get(leaf_->count);
    const char* last = Get(leaf_->entries[count - 1]);
    // A target behind the leaf's range may not be searched for in it.
    const bool is_right = tree_->Compare(last, target) < 0;
    const size_t index =
        is_right ? 0 : tree_->Search(*leaf_, target, Side::kLower);
    Leaf* const next = Get(leaf_->next);
    if (!IsUnchanged(*leaf_, version)) continue;
    if (is_right) {
      INVARIANT(next != nullptr);
      leaf_ = next;
      continue;
    }
    version_ = version;
    index_ = index;
    return;
  }
}

void EntryTree::Cursor::Next() {
  assert(Valid());
  for (;;) {
    const size_t count = Get(leaf_->count);
    const size_t index = index_ + 1;
    const char* entry = index < count ? Get(leaf_->entries[index]) : nullptr;
    Leaf* const next = entry == nullptr ? Get(leaf_->next) : nullptr;
    if (IsUnchanged(*leaf_, version_)) {
      if (entry == nullptr) {
        const Cursor here = *this;
        if (SetFirstBehind(*here.leaf_, here.version_, next)) return;
        *this = here;
        Relocate();
        continue;
      }
      if (index + 2 < count) {
        __builtin_prefetch(Get(leaf_->entries[index + 2]));
      }
      index_ = index;
      entry_ = entry;
      return;
    }
    Relocate();
  }
}

void EntryTree::Cursor::Prev() {
  assert(Valid());
  for (;;) {
    const char* entry = index_ > 0 ? Get(leaf_->entries[index_ - 1]) : nullptr;
    if (IsUnchanged(*leaf_, version_)) {
      if (entry == nullptr) {
        return SeekBefore(Target(KeyOf(entry_)), Side::kLower);
      }
      --index_;
      entry_ = entry;
      return;
    }
    Relocate();
  }
}

}  // namespace ROCKSDB_NAMESPACE
