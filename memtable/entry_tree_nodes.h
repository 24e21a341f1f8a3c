// The nodes of an EntryTree, and how they are searched: for its own files.
//
// Threads  As EntryTree; what is read of a node counts only if the node did not
//          change meanwhile.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>

#include "memtable/entry_tree.h"
#include "rocksdb/slice.h"
#include "util/key/internal_key.h"
#include "util/key/key_prefix.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// All fields that change are atomic, because readers look at them while they
// change; what they see counts only if the version held still.
struct EntryTree::Node {
  static constexpr uint64_t kLockedBit = 1;
  explicit Node(bool leaf) : is_leaf(leaf) {}

  // Odd while a writer is in the node; grows with each change.
  std::atomic<uint64_t> version{0};
  // Leading bytes that all user keys of the node's range share, or, of an open
  // node, all that it has: prefixes are taken after them.
  std::atomic<uint32_t> skip{0};
  std::atomic<uint16_t> count{0};
  const bool is_leaf;
  // One of the two ends of its range is not known: it is the first or the last
  // of its kind, or was so once.
  std::atomic<bool> is_open{true};
};

// Leaves are most of what a tree takes, and the keys of one lie close together:
// four bytes after those that its range shares tell most of them apart.
struct EntryTree::Leaf : Node {
  using Prefix = uint32_t;
  static constexpr size_t kCapacity = 30;
  Leaf() : Node(true) {}

  std::atomic<Leaf*> next{nullptr};
  std::atomic<Prefix> prefixes[kCapacity] = {};
  std::atomic<const char*> entries[kCapacity] = {};
};

// Child i holds what is before entry i, child i + 1 what is at or after it.
struct EntryTree::Inner : Node {
  using Prefix = uint64_t;
  static constexpr size_t kCapacity = 39;
  Inner() : Node(false) {}

  std::atomic<Prefix> prefixes[kCapacity] = {};
  std::atomic<const char*> entries[kCapacity] = {};
  std::atomic<Node*> children[kCapacity + 1] = {};
};

// A key that is looked for.
struct EntryTree::Target {
  Target() = default;
  explicit Target(const Slice& internal_key, Observer* whose = nullptr)
      : user_key(ExtractUserKey(internal_key)),
        trailer(ExtractTrailer(internal_key)),
        observer(whose) {}

  Slice user_key;
  uint64_t trailer = 0;
  Observer* observer = nullptr;
};

// Entries of a node among which whole keys decide; `low` may be the node's end.
struct EntryTree::Candidates {
  size_t low = 0;
  size_t high = 0;
};

// The version of a node that nobody is changing.
inline uint64_t EntryTree::ReadVersion(const Node& node) {
  for (int spins = 0;; ++spins) {
    // acquire: pairs with the release in Unlock().
    const uint64_t version = node.version.load(std::memory_order_acquire);
    if ((version & Node::kLockedBit) == 0) return version;
    if (spins < 64) {
      CpuRelax();
    } else {
      std::this_thread::yield();
    }
  }
}

// True if the node did not change since ReadVersion(). What was read in
// between was read with acquire, so it was read before this load.
inline bool EntryTree::IsUnchanged(const Node& node, uint64_t version) {
  return node.version.load(std::memory_order_acquire) == version;
}

template <class T>
T EntryTree::Get(const std::atomic<T>& slot) {
  // acquire: what a slot points to was complete before it was stored.
  return slot.load(std::memory_order_acquire);
}

// What a search looks at: of an inner node, its prefixes.
inline void EntryTree::Prefetch(const Node* node) {
  for (size_t i = 0; i < sizeof(Leaf); i += kCacheLine) {
    __builtin_prefetch(reinterpret_cast<const char*>(node) + i);
  }
}

template <class N>
typename N::Prefix EntryTree::PrefixAfter(size_t skip, const Slice& user_key) {
  if (user_key.size() <= skip) return 0;
  return KeyPrefixAs<typename N::Prefix>(user_key.data() + skip,
                                         user_key.size() - skip);
}

template <class N>
typename N::Prefix EntryTree::PrefixFor(const N& node,
                                        const Slice& user_key) const {
  // Any other order knows nothing of bytes: all prefixes are equal, and whole
  // keys decide.
  if (!order_->is_bytewise()) return 0;
  const size_t skip = Get(node.skip);
  if (skip > 0 && Get(node.is_open)) [[unlikely]] {
    return PrefixForOpen(node, skip, user_key);
  }
  return PrefixAfter<N>(skip, user_key);
}

// Compares the first `size` bytes, as far as both have them.
inline int EntryTree::CompareStart(const Slice& a, const Slice& b,
                                   size_t size) {
  const size_t most = std::min({size, a.size(), b.size()});
  if (size > kKeyPrefixBytes ||
      std::min(a.size(), b.size()) < kKeyPrefixBytes) {
    return std::memcmp(a.data(), b.data(), most);
  }
  const size_t unused = (kKeyPrefixBytes - size) * 8;
  const uint64_t x = KeyPrefix(a.data(), a.size()) >> unused;
  const uint64_t y = KeyPrefix(b.data(), b.size()) >> unused;
  return x < y ? -1 : (x > y ? 1 : 0);
}

// A key that lacks what an open node's keys share gets the least or the
// greatest prefix: it is before or behind all of them.
template <class N>
[[gnu::noinline]] typename N::Prefix EntryTree::PrefixForOpen(
    const N& node, size_t skip, const Slice& user_key) {
  using Prefix = typename N::Prefix;
  // It has entries: they were there before it skipped anything. While it
  // changes, the first may be shorter than that.
  const Slice first = ExtractUserKey(KeyOf(Get(node.entries[0])));
  const int order = CompareStart(user_key, first, skip);
  if (order != 0) return order < 0 ? Prefix{0} : ~Prefix{0};
  return PrefixAfter<N>(skip, user_key);
}

inline int EntryTree::Compare(const char* entry, const Target& target) const {
  if (target.observer != nullptr) [[unlikely]]
    target.observer->OnCompared(entry);
  const Slice key = KeyOf(entry);
  const int order = order_->CompareStored(ExtractUserKey(key), target.user_key);
  if (order != 0) return order;
  const uint64_t trailer = ExtractTrailer(key);
  return trailer > target.trailer ? -1 : (trailer < target.trailer ? 1 : 0);
}

// The entries whose prefix is `prefix`, or an empty place among the others.
template <class N>
EntryTree::Candidates EntryTree::CandidatesIn(const N& node,
                                              typename N::Prefix prefix) {
  const size_t count = Get(node.count);
  size_t low = 0;
  for (size_t n = count; n > 0;) {
    const size_t half = n / 2;
    const bool before = Get(node.prefixes[low + half]) < prefix;
    low = before ? low + half + 1 : low;
    n = before ? n - half - 1 : half;
  }
  size_t high = low;
  while (high < count && Get(node.prefixes[high]) == prefix) ++high;
  // Else they compare equal, and whole keys decide.
  if (low != 0 || high != count) CountComparisons(std::bit_width(count));
  return {low, high};
}

// The number of the node's entries before the target, or, for kUpper, before
// or at it.
template <class N>
size_t EntryTree::Decide(const N& node, Candidates among, const Target& target,
                         Side side) const {
  auto [low, high] = among;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = Compare(Get(node.entries[middle]), target);
    if (order < 0 || (order == 0 && side == Side::kUpper)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The same of all entries. The target must be in the node's range.
template <class N>
size_t EntryTree::Search(const N& node, const Target& target, Side side) const {
  const auto prefix = PrefixFor(node, target.user_key);
  return Decide(node, CandidatesIn(node, prefix), target, side);
}

}  // namespace ROCKSDB_NAMESPACE
