// Seeks of an EntryTree that take turns: each goes one node down and asks for
// the next one, which is on its way to the processor while the others are
// looked at. Neighbours that stay together share what a node takes.
#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "memtable/entry_tree.h"
#include "memtable/entry_tree_nodes.h"

namespace ROCKSDB_NAMESPACE {

class EntryTree::Descent {
 public:
  Descent(const EntryTree* tree, Cursor* cursors, const Slice* internal_keys,
          size_t count)
      : tree_(tree), cursors_(cursors), keys_(internal_keys), count_(count) {
    assert(count_ > 0 && count_ <= kSeeksTogether);
    for (size_t i = 0; i < count_; ++i) {
      cursors_[i] = Cursor(tree_);
      targets_[i] = Target(keys_[i]);
    }
  }

  void Run() {
    Routes* here = &routes_[0];
    Routes* next = &routes_[1];
    here->Add({.node = Get(tree_->root_),
               .parent = nullptr,
               .parent_version = 0,
               .version = 0,
               .begin = 0,
               .end = count_});
    while (here->count > 0) {
      for (size_t i = 0; i < here->count; ++i) Step(&here->all[i], next);
      here->count = 0;
      std::swap(here, next);
    }
    for (size_t i = 0; i < at_leaves_.count; ++i) Finish(at_leaves_.all[i]);
  }

 private:
  // Targets [begin, end) are in the range of a node, if its parent is still as
  // it was when the node's version is read: children are split under their
  // parent's lock.
  struct Route {
    Node* node;
    const Node* parent;  // nullptr: the node was the root
    uint64_t parent_version;
    uint64_t version;
    size_t begin;
    size_t end;
  };
  struct Routes {
    void Add(const Route& route) { all[count++] = route; }

    std::array<Route, kSeeksTogether> all;
    size_t count = 0;
  };

  void Step(Route* at, Routes* next) {
    Route& route = *at;
    route.version = ReadVersion(*route.node);
    const bool is_good = route.parent != nullptr
                             ? IsUnchanged(*route.parent, route.parent_version)
                             : Get(tree_->root_) == route.node;
    if (!is_good) return SeekAlone(route);
    if (route.node->is_leaf) return Gather(route);
    Divide(route, next);
  }

  // To the children: those targets go on together that have the same one.
  void Divide(const Route& route, Routes* next) const {
    const auto& inner = static_cast<const Inner&>(*route.node);
    const size_t count = Get(inner.count);
    size_t index = 0;
    for (size_t i = route.begin; i < route.end; ++i) {
      const uint64_t prefix = tree_->PrefixFor(inner, targets_[i].user_key);
      const bool is_there =
          i > route.begin &&
          (index == 0 || Get(inner.prefixes[index - 1]) < prefix) &&
          (index >= count || prefix < Get(inner.prefixes[index]));
      if (!is_there) {
        index = tree_->Decide(inner, CandidatesIn(inner, prefix), targets_[i],
                              Side::kUpper);
        Node* const child = Get(inner.children[index]);
        Prefetch(child);
        next->Add({.node = child,
                   .parent = &inner,
                   .parent_version = route.version,
                   .version = 0,
                   .begin = i,
                   .end = i + 1});
      }
      next->all[next->count - 1].end = i + 1;
    }
  }

  // Asks for the first entry of each that is compared.
  void Gather(const Route& route) {
    const auto& leaf = static_cast<const Leaf&>(*route.node);
    for (size_t i = route.begin; i < route.end; ++i) {
      const Candidates among =
          CandidatesIn(leaf, tree_->PrefixFor(leaf, targets_[i].user_key));
      if (among.low < among.high) {
        const size_t first = among.low + (among.high - among.low) / 2;
        __builtin_prefetch(Get(leaf.entries[first]));
      }
      candidates_[i] = among;
    }
    at_leaves_.Add(route);
  }

  void Finish(const Route& route) {
    auto* leaf = static_cast<Leaf*>(route.node);
    for (size_t i = route.begin; i < route.end; ++i) {
      const size_t index =
          tree_->Decide(*leaf, candidates_[i], targets_[i], Side::kLower);
      const bool is_here = index < Get(leaf->count);
      const bool is_wanted = is_here && index < candidates_[i].high;
      const char* entry = is_wanted ? Get(leaf->entries[index]) : nullptr;
      Leaf* const right = Get(leaf->next);
      if (!IsUnchanged(*leaf, route.version)) {
        cursors_[i].SeekVersion(keys_[i]);
      } else if (is_here) {
        cursors_[i].Set(leaf, route.version, index, entry);
      } else if (!cursors_[i].SetFirstBehind(*leaf, route.version, right)) {
        cursors_[i].SeekVersion(keys_[i]);
      }
    }
  }

  // A writer was quicker.
  void SeekAlone(const Route& route) {
    for (size_t i = route.begin; i < route.end; ++i)
      cursors_[i].SeekVersion(keys_[i]);
  }

  const EntryTree* const tree_;
  Cursor* const cursors_;
  const Slice* const keys_;
  const size_t count_;
  std::array<Target, kSeeksTogether> targets_;
  std::array<Candidates, kSeeksTogether> candidates_;
  Routes routes_[2];
  Routes at_leaves_;
};

void EntryTree::SeekTogether(const Slice* internal_keys, size_t count,
                             Cursor* cursors) const {
  for (size_t i = 0; i < count; i += kSeeksTogether) {
    Descent(this, cursors + i, internal_keys + i,
            std::min(kSeeksTogether, count - i))
        .Run();
  }
}

}  // namespace ROCKSDB_NAMESPACE
