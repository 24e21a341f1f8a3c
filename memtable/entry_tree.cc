#include "memtable/entry_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>
#include <type_traits>

#include "memtable/entry_tree_nodes.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

template <class N>
bool TryLock(N* node, uint64_t version) {
  // acquire: pairs with the release in Unlock(). Everything that is stored
  // under the lock is stored with release, so no reader sees it without
  // seeing the odd version.
  return node->version.compare_exchange_strong(version, version | N::kLockedBit,
                                               std::memory_order_acquire,
                                               std::memory_order_relaxed);
}

template <class N>
void Unlock(N* node) {
  const uint64_t version = node->version.load(std::memory_order_relaxed);
  assert((version & N::kLockedBit) != 0);
  node->version.store(version + 1, std::memory_order_release);
}

template <class T>
void Put(std::atomic<T>* slot, T value) {
  slot->store(value, std::memory_order_release);
}

}  // namespace

// A node that is full, and what a split of it needs to know.
struct EntryTree::Path {
  Inner* parent = nullptr;  // nullptr: the node is the root
  uint64_t parent_version = 0;
  Node* node = nullptr;
  uint64_t version = 0;
  // Entries between which all of the node's range lies; nullptr = no bound.
  const char* low = nullptr;
  const char* high = nullptr;
};

Slice EntryTree::LongKeyOf(const char* entry) {
  uint32_t size = 0;
  const char* key = GetVarint32Ptr(entry, entry + 5, &size);
  return Slice(key, size);
}

Slice EntryTree::ValueOf(const char* entry) {
  const Slice key = KeyOf(entry);
  uint32_t size = 0;
  const char* value = GetVarint32Ptr(key.end(), key.end() + 5, &size);
  return Slice(value, size);
}

template <class N>
N* EntryTree::NewNode() {
  static_assert(std::is_trivially_destructible_v<N>);
  constexpr size_t kBytes = (sizeof(N) + kCacheLine - 1) & ~(kCacheLine - 1);
  return ::new (arena_->AllocateAligned(kBytes, kCacheLine)) N();
}

EntryTree::EntryTree(const InternalKeyComparator* order, ConcurrentArena* arena)
    : order_(order),
      arena_(arena),
      first_leaf_(NewNode<Leaf>()),
      root_(first_leaf_),
      last_leaf_(first_leaf_) {
  static_assert(sizeof(Leaf) <= 6 * kCacheLine);
  static_assert(sizeof(Inner) <= 15 * kCacheLine);
}

// The leaf in whose range the target is; for kLower with a target that
// separates two leaves, the left one of them.
EntryTree::Leaf* EntryTree::FindLeaf(const Target& target, Side side,
                                     uint64_t* version) const {
  for (;;) {
    Node* node = Get(root_);
    uint64_t node_version = ReadVersion(*node);
    if (Get(root_) != node) continue;
    bool moved = false;
    while (!moved && !node->is_leaf) {
      const auto* inner = static_cast<const Inner*>(node);
      Node* child = Get(inner->children[Search(*inner, target, side)]);
      if (!IsUnchanged(*node, node_version)) {
        moved = true;
        break;
      }
      Prefetch(child);
      const uint64_t child_version = ReadVersion(*child);
      // A child is split under its parent's lock: as the parent is unchanged,
      // the child still has the target's range.
      moved = !IsUnchanged(*node, node_version);
      node = child;
      node_version = child_version;
    }
    if (moved) continue;
    *version = node_version;
    return static_cast<Leaf*>(node);
  }
}

uint64_t EntryTree::EstimateCount(const Slice& begin, const Slice& end,
                                  uint64_t entry_count) const {
  constexpr size_t kMostLeaves = 256;
  if (order_->Compare(begin, end) >= 0) return 0;
  const Target low(begin);
  const Target high(end);
  uint64_t version = 0;
  const Leaf* const last = FindLeaf(high, Side::kUpper, &version);
  const Leaf* leaf = FindLeaf(low, Side::kUpper, &version);
  const uint64_t before = Search(*leaf, low, Side::kLower);
  uint64_t counted = 0;
  for (size_t i = 0; i < kMostLeaves && leaf != nullptr; ++i) {
    const bool is_last = leaf == last;
    counted += is_last ? Search(*leaf, high, Side::kLower) : Get(leaf->count);
    if (is_last) return counted - std::min(before, counted);
    leaf = Get(leaf->next);
  }
  const uint64_t end_rank = EstimateRank(high, entry_count);
  const uint64_t begin_rank = EstimateRank(low, entry_count);
  return std::max(counted - std::min(before, counted),
                  end_rank - std::min(begin_rank, end_rank));
}

// About how many of `entry_count` entries are before the target: each level
// narrows the fraction of them.
uint64_t EntryTree::EstimateRank(const Target& target,
                                 uint64_t entry_count) const {
  double low = 0;
  double width = static_cast<double>(entry_count);
  const Node* node = Get(root_);
  while (!node->is_leaf) {
    const auto* inner = static_cast<const Inner*>(node);
    const size_t index = Search(*inner, target, Side::kUpper);
    const size_t parts = Get(inner->count) + 1;
    width /= static_cast<double>(parts);
    low += width * static_cast<double>(index);
    node = Get(inner->children[index]);
  }
  const auto* leaf = static_cast<const Leaf*>(node);
  const size_t count = std::max<size_t>(Get(leaf->count), 1);
  const size_t index = Search(*leaf, target, Side::kLower);
  low += width * static_cast<double>(index) / static_cast<double>(count);
  return std::min(entry_count, static_cast<uint64_t>(low));
}

// --- Inserting

bool EntryTree::IsEmpty() const { return Get(first_leaf_->count) == 0; }

bool EntryTree::Insert(const char* entry, Hint* hint) {
  const Target target(KeyOf(entry));
  Leaf* const hinted = hint != nullptr ? Get(hint->leaf) : nullptr;
  Outcome outcome = hinted != nullptr ? TryHint(hinted, entry, target)
                                      : TryAppend(entry, target);
  while (outcome == Outcome::kRetry) outcome = TryInsert(entry, target, hint);
  return outcome == Outcome::kInserted;
}

// A leaf's first entry, its separator, never changes: so what begins the leaf
// on the right is where this one's range ends, as long as it is unchanged.
EntryTree::Outcome EntryTree::TryHint(Leaf* leaf, const char* entry,
                                      const Target& target) {
  const uint64_t version = ReadVersion(*leaf);
  const size_t count = Get(leaf->count);
  if (count == 0 || count == Leaf::kCapacity) return Outcome::kRetry;
  if (leaf != first_leaf_ && Compare(Get(leaf->entries[0]), target) > 0) {
    return Outcome::kRetry;
  }
  if (Compare(Get(leaf->entries[count - 1]), target) < 0) {
    const Leaf* const next = Get(leaf->next);
    if (next != nullptr && Compare(Get(next->entries[0]), target) <= 0) {
      return Outcome::kRetry;
    }
  }
  return InsertIntoLeaf(leaf, version, entry, target);
}

// The fast path of ascending keys: behind the last entry of the last leaf.
EntryTree::Outcome EntryTree::TryAppend(const char* entry,
                                        const Target& target) {
  Leaf* leaf = Get(last_leaf_);
  const uint64_t version = ReadVersion(*leaf);
  const size_t count = Get(leaf->count);
  if (count == 0 || count == Leaf::kCapacity || Get(leaf->next) != nullptr) {
    return Outcome::kRetry;
  }
  size_t shared = 0;
  if (!IsBehind(target, Get(leaf->entries[count - 1]), &shared)) {
    return Outcome::kRetry;
  }
  if (!TryLock(leaf, version)) return Outcome::kRetry;
  if (Get(leaf->skip) > shared) Admit(leaf, target.user_key);
  SetSlot(leaf, count, entry, target.user_key);
  Put(&leaf->count, static_cast<uint16_t>(count + 1));
  NarrowOpen(leaf);
  Unlock(leaf);
  return Outcome::kInserted;
}

// Word by word: it is asked of each entry. (The prefix that the leaf keeps
// tells nothing of a target that is not in its range.) `shared`, if it is: so
// many leading bytes are equal, if not more.
bool EntryTree::IsBehind(const Target& target, const char* entry,
                         size_t* shared) const {
  constexpr size_t kMostBytes = 4 * kKeyPrefixBytes;
  const Slice key = ExtractUserKey(KeyOf(entry));
  const Slice& wanted = target.user_key;
  const size_t size = std::min({key.size(), wanted.size(), kMostBytes});
  const size_t end = order_->is_bytewise() ? size : 0;
  for (*shared = 0; *shared + kKeyPrefixBytes <= end;) {
    const uint64_t x = KeyPrefix(key.data() + *shared, kKeyPrefixBytes);
    const uint64_t y = KeyPrefix(wanted.data() + *shared, kKeyPrefixBytes);
    if (x > y) return false;
    *shared += std::countl_zero(x ^ y) / 8;
    if (x < y) {
      CountComparisons(1);
      return true;
    }
  }
  return Compare(entry, target) < 0;
}

EntryTree::Outcome EntryTree::TryInsert(const char* entry, const Target& target,
                                        Hint* hint) {
  Path path;
  path.node = Get(root_);
  path.version = ReadVersion(*path.node);
  if (Get(root_) != path.node) return Outcome::kRetry;
  // Full nodes are split on the way down, so that a parent always has room.
  while (!path.node->is_leaf) {
    auto* inner = static_cast<Inner*>(path.node);
    if (Get(inner->count) == Inner::kCapacity) {
      Split(path, target);
      return Outcome::kRetry;
    }
    const size_t index = Search(*inner, target, Side::kUpper);
    const size_t count = Get(inner->count);
    Node* child = Get(inner->children[index]);
    if (index > 0) path.low = Get(inner->entries[index - 1]);
    if (index < count) path.high = Get(inner->entries[index]);
    if (!IsUnchanged(*inner, path.version)) return Outcome::kRetry;
    for (size_t i = 0; i < sizeof(Leaf); i += kCacheLine) {
      __builtin_prefetch(reinterpret_cast<const char*>(child) + i, 1);
    }
    const uint64_t child_version = ReadVersion(*child);
    if (!IsUnchanged(*inner, path.version)) return Outcome::kRetry;
    path.parent = inner;
    path.parent_version = path.version;
    path.node = child;
    path.version = child_version;
  }
  auto* leaf = static_cast<Leaf*>(path.node);
  if (Get(leaf->count) == Leaf::kCapacity) {
    Split(path, target);
    return Outcome::kRetry;
  }
  if (hint != nullptr) Put(&hint->leaf, leaf);
  return InsertIntoLeaf(leaf, path.version, entry, target);
}

EntryTree::Outcome EntryTree::InsertIntoLeaf(Leaf* leaf, uint64_t version,
                                             const char* entry,
                                             const Target& target) {
  if (!TryLock(leaf, version)) return Outcome::kRetry;
  const size_t count = Get(leaf->count);
  assert(count < Leaf::kCapacity);
  Leaf::Prefix prefix = PrefixFor(*leaf, target.user_key);
  const Candidates among = CandidatesIn(*leaf, prefix);
  const size_t index = Decide(*leaf, among, target, Side::kLower);
  // An equal key has an equal prefix; any other entry stays out of the cache.
  if (index < among.high && Compare(Get(leaf->entries[index]), target) == 0) {
    Unlock(leaf);
    return Outcome::kDuplicate;
  }
  if (prefix == 0 || prefix == ~Leaf::Prefix{0}) {
    // Perhaps it lacks what the leaf's keys share.
    Admit(leaf, target.user_key);
    prefix = PrefixFor(*leaf, target.user_key);
  }
  for (size_t i = count; i > index; --i) {
    Put(&leaf->prefixes[i], Get(leaf->prefixes[i - 1]));
    Put(&leaf->entries[i], Get(leaf->entries[i - 1]));
  }
  Put(&leaf->prefixes[index], prefix);
  Put(&leaf->entries[index], entry);
  Put(&leaf->count, static_cast<uint16_t>(count + 1));
  NarrowOpen(leaf);
  Unlock(leaf);
  return Outcome::kInserted;
}

// --- Splitting. The caller starts over after it, whether it was done or not.

void EntryTree::Split(const Path& path, const Target& target) {
  Inner* parent = path.parent;
  if (parent != nullptr && !TryLock(parent, path.parent_version)) return;
  if (!TryLock(path.node, path.version)) {
    if (parent != nullptr) Unlock(parent);
    return;
  }
  // Without a parent the node was the root when its version was read, and it
  // could not be replaced without a change of that version.
  Inner* const target_parent = parent != nullptr ? parent : NewRoot(path.node);
  assert(Get(target_parent->count) < Inner::kCapacity);
  if (path.node->is_leaf) {
    SplitLeaf(target_parent, path, target);
  } else {
    SplitInner(target_parent, path, target);
  }
  if (parent == nullptr) Put<Node*>(&root_, target_parent);
  Unlock(path.node);
  if (parent != nullptr) Unlock(parent);
}

EntryTree::Inner* EntryTree::NewRoot(Node* old_root) {
  assert(Get(root_) == old_root);
  Inner* root = NewNode<Inner>();
  Put(&root->children[0], old_root);
  return root;
}

void EntryTree::SplitLeaf(Inner* parent, const Path& path,
                          const Target& target) {
  auto* leaf = static_cast<Leaf*>(path.node);
  const size_t count = Get(leaf->count);
  INVARIANT(count == Leaf::kCapacity);
  // Keys that arrive in ascending order leave full leaves behind them.
  const bool at_end = Search(*leaf, target, Side::kLower) == count;
  if (!at_end && SplitWithRight(parent, path)) return;
  const size_t kept = at_end ? count - 1 : count / 2;
  const Leaf* const right = GiveToNewLeaf(parent, leaf, kept, path.high);
  Narrow(leaf, path.low, Get(right->entries[0]));
}

// In place of a split: the leaf on the right takes half of what the full one
// has more than it, if that spares a split for a while; else both become three.
// So leaves are four fifths full instead of two thirds. False: there is none,
// or somebody is in it.
bool EntryTree::SplitWithRight(Inner* parent, const Path& path) {
  constexpr size_t kLeastShare = Leaf::kCapacity / 8;
  auto* const leaf = static_cast<Leaf*>(path.node);
  const size_t index = IndexOfChild(*parent, leaf);
  if (index == Get(parent->count)) return false;
  // Nobody splits the right leaf while its parent is locked here, so its lock
  // is never held for long.
  auto* const right = static_cast<Leaf*>(Get(parent->children[index + 1]));
  if (!TryLock(right, ReadVersion(*right))) return false;
  const size_t count = Get(leaf->count);
  const size_t had = Get(right->count);
  const auto end_of_right = [parent, index] {
    return index + 1 < Get(parent->count) ? Get(parent->entries[index + 1])
                                          : nullptr;
  };
  size_t share = (count - had) / 2;
  if (share < kLeastShare) {
    const size_t third = (count + had) / 3;
    GiveToNewLeaf(parent, right, had - third, end_of_right());
    share = count - third;
  }
  const char* const begin = Get(leaf->entries[count - share]);
  Prepend(right, *leaf, share);
  Put(&leaf->count, static_cast<uint16_t>(count - share));
  const Slice begin_key = ExtractUserKey(KeyOf(begin));
  Admit(parent, begin_key);
  SetSlot(parent, index, begin, begin_key);
  Narrow(leaf, path.low, begin);
  Narrow(right, begin, end_of_right());
  Unlock(right);
  return true;
}

// What `leaf`, which is locked, has more than `kept` goes to a new one on its
// right, whose range ends at `high` (nullptr = no bound, or none known).
EntryTree::Leaf* EntryTree::GiveToNewLeaf(Inner* parent, Leaf* leaf,
                                          size_t kept, const char* high) {
  const size_t count = Get(leaf->count);
  Leaf* const right = NewNode<Leaf>();
  for (size_t i = kept; i < count; ++i) {
    Put(&right->prefixes[i - kept], Get(leaf->prefixes[i]));
    Put(&right->entries[i - kept], Get(leaf->entries[i]));
  }
  Put(&right->count, static_cast<uint16_t>(count - kept));
  Put(&right->skip, Get(leaf->skip));
  Put(&right->is_open, Get(leaf->is_open));
  Leaf* const next = Get(leaf->next);
  Put(&right->next, next);
  const char* const separator = Get(right->entries[0]);
  Narrow(right, separator, high);

  Put(&leaf->next, right);
  Put(&leaf->count, static_cast<uint16_t>(kept));
  InsertChild(parent, leaf, separator, right);
  if (next == nullptr) Put(&last_leaf_, right);
  return right;
}

// Gives `right` the last entries of `left`. The bytes that all its keys share
// may become fewer: what its range is longer by shares those that the first of
// them shares with the first that it had.
void EntryTree::Prepend(Leaf* right, const Leaf& left, size_t share) const {
  const size_t had = Get(right->count);
  const size_t first = Get(left.count) - share;
  const size_t skip = Get(right->skip);
  size_t common = 0;
  if (skip > 0) {
    const Slice begin = ExtractUserKey(KeyOf(Get(left.entries[first])));
    common =
        begin.difference_offset(ExtractUserKey(KeyOf(Get(right->entries[0]))));
  }
  for (size_t i = had; i > 0; --i) {
    Put(&right->entries[i - 1 + share], Get(right->entries[i - 1]));
    Put(&right->prefixes[i - 1 + share], Get(right->prefixes[i - 1]));
  }
  for (size_t i = 0; i < share; ++i) {
    Put(&right->entries[i], Get(left.entries[first + i]));
    Put(&right->prefixes[i], Get(left.prefixes[first + i]));
  }
  Put(&right->count, static_cast<uint16_t>(had + share));
  const size_t new_skip = std::min(skip, common);
  Put(&right->skip, static_cast<uint32_t>(new_skip));
  if (new_skip != skip) {
    TakePrefixes(right, had + share);
  } else if (Get(left.skip) != skip) {
    TakePrefixes(right, share);
  }
}

// Anew, of the node's first `count` entries.
template <class N>
void EntryTree::TakePrefixes(N* node, size_t count) const {
  for (size_t i = 0; i < count; ++i) {
    const char* const entry = Get(node->entries[i]);
    SetSlot(node, i, entry, ExtractUserKey(KeyOf(entry)));
  }
}

// The entry's key shares what the node skips.
template <class N>
void EntryTree::SetSlot(N* node, size_t index, const char* entry,
                        const Slice& user_key) const {
  if (order_->is_bytewise()) {
    Put(&node->prefixes[index], PrefixAfter<N>(Get(node->skip), user_key));
  }
  Put(&node->entries[index], entry);
}

size_t EntryTree::IndexOfChild(const Inner& parent, const Node* child) {
  size_t index = 0;
  while (Get(parent.children[index]) != child) {
    ++index;
    INVARIANT(index <= Get(parent.count));
  }
  return index;
}

void EntryTree::SplitInner(Inner* parent, const Path& path,
                           const Target& target) {
  auto* inner = static_cast<Inner*>(path.node);
  const size_t count = Get(inner->count);
  INVARIANT(count == Inner::kCapacity);
  const bool at_end = Search(*inner, target, Side::kUpper) == count;
  // Entry `kept` moves up; what is behind it goes to the right.
  const size_t kept = at_end ? count - 1 : count / 2;

  Inner* right = NewNode<Inner>();
  const size_t first = kept + 1;
  for (size_t i = first; i < count; ++i) {
    Put(&right->prefixes[i - first], Get(inner->prefixes[i]));
    Put(&right->entries[i - first], Get(inner->entries[i]));
  }
  for (size_t i = first; i <= count; ++i) {
    Put(&right->children[i - first], Get(inner->children[i]));
  }
  Put(&right->count, static_cast<uint16_t>(count - first));
  Put(&right->is_open, Get(inner->is_open));
  // One without entries, which is for those that are to come, shares nothing.
  Put(&right->skip, at_end ? 0 : Get(inner->skip));
  const char* const separator = Get(inner->entries[kept]);
  Narrow(right, separator, path.high);

  Put(&inner->count, static_cast<uint16_t>(kept));
  Narrow(inner, path.low, separator);
  InsertChild(parent, inner, separator, right);
}

// Adds `right`, which begins at `separator`, behind `left`, from which it was
// split.
void EntryTree::InsertChild(Inner* parent, const Node* left,
                            const char* separator, Node* right) const {
  const size_t count = Get(parent->count);
  INVARIANT(count < Inner::kCapacity);
  const size_t index = IndexOfChild(*parent, left);
  const Slice separator_key = ExtractUserKey(KeyOf(separator));
  Admit(parent, separator_key);
  for (size_t i = count; i > index; --i) {
    Put(&parent->prefixes[i], Get(parent->prefixes[i - 1]));
    Put(&parent->entries[i], Get(parent->entries[i - 1]));
    Put(&parent->children[i + 1], Get(parent->children[i]));
  }
  SetSlot(parent, index, separator, separator_key);
  Put(&parent->children[index + 1], right);
  Put(&parent->count, static_cast<uint16_t>(count + 1));
  NarrowOpen(parent);
}

// One more key may share less of what an open node's keys share.
template <class N>
void EntryTree::Admit(N* node, const Slice& user_key) const {
  const size_t skip = Get(node->skip);
  if (skip == 0 || !Get(node->is_open)) return;
  const Slice first = ExtractUserKey(KeyOf(Get(node->entries[0])));
  if (user_key.size() >= skip && CompareStart(user_key, first, skip) == 0) {
    return;
  }
  Put(&node->skip, static_cast<uint32_t>(first.difference_offset(user_key)));
  TakePrefixes(node, Get(node->count));
}

// After an insertion: the only leaf of a small tree is not split, and the last
// one only when it is no longer the last.
template <class N>
void EntryTree::NarrowOpen(N* node) const {
  constexpr size_t kFew = 4;
  constexpr size_t kMany = 16;
  const size_t count = Get(node->count);
  if ((count == kFew || count == kMany) && Get(node->is_open)) {
    Narrow(node, nullptr, nullptr);
  }
}

// Where some prefixes of a node are equal they tell little: they are taken
// anew, after all bytes that the node's range has in common. It is closed if
// both bounds are known.
template <class N>
void EntryTree::Narrow(N* node, const char* low, const char* high) const {
  if (!order_->is_bytewise()) return;
  const size_t count = Get(node->count);
  const bool was_open = Get(node->is_open);
  if (low != nullptr && high != nullptr) {
    Put(&node->is_open, false);
  } else {
    if (!was_open || count == 0) return;
    low = Get(node->entries[0]);
    high = Get(node->entries[count - 1]);
  }
  size_t equal = 0;
  for (size_t i = 1; i < count; ++i) {
    equal += Get(node->prefixes[i]) == Get(node->prefixes[i - 1]) ? 1 : 0;
  }
  const bool tells = equal * 8 < count;
  const size_t skip = Get(node->skip);
  // An open node may have skipped more than its range shares.
  if (tells && (skip == 0 || !was_open)) return;
  const size_t common =
      ExtractUserKey(KeyOf(low)).difference_offset(ExtractUserKey(KeyOf(high)));
  if (common == skip || (common > skip && tells)) return;
  Put(&node->skip, static_cast<uint32_t>(common));
  TakePrefixes(node, count);
}

}  // namespace ROCKSDB_NAMESPACE
