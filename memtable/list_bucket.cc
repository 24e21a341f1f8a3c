#include "memtable/list_bucket.h"

#include <cassert>
#include <memory>

#include "memtable/entry_tree.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// A lock as small as a bucket wants it.
class ListBucket::Turn {
 public:
  explicit Turn(std::atomic_flag* flag) : flag_(flag) {
    while (flag_->test_and_set(std::memory_order_acquire)) {
      flag_->wait(true, std::memory_order_relaxed);
    }
  }
  ~Turn() {
    flag_->clear(std::memory_order_release);
    flag_->notify_one();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic_flag* const flag_;
};

bool ListBucket::Insert(const char* entry) {
  // acquire: pairs with the release in GrowIntoTree().
  TreeBucket* tree = tree_.load(std::memory_order_acquire);
  if (tree != nullptr) return tree->Insert(entry);
  const Turn turn(&is_inserting_);
  if (list_length_ == limits_.longest_list) GrowIntoTree();
  tree = tree_.load(std::memory_order_relaxed);
  return tree != nullptr ? tree->Insert(entry) : InsertIntoList(entry);
}

bool ListBucket::InsertIntoList(const char* entry) {
  INVARIANT(list_length_ < limits_.longest_list);
  const Slice key = EntryTree::KeyOf(entry);
  std::atomic<Link*>* place = &list_;
  Link* next = place->load(std::memory_order_relaxed);
  while (next != nullptr) {
    const int order = order_->Compare(EntryTree::KeyOf(next->entry), key);
    if (order == 0) return false;
    if (order > 0) break;
    place = &next->next;
    next = place->load(std::memory_order_relaxed);
  }
  char* const memory = arena_->AllocateAligned(sizeof(Link));
  Link* const link = std::construct_at(reinterpret_cast<Link*>(memory));
  link->entry = entry;
  link->next.store(next, std::memory_order_relaxed);
  // release: pairs with the acquire of readers; the link is whole.
  place->store(link, std::memory_order_release);
  ++list_length_;
  return true;
}

void ListBucket::GrowIntoTree() {
  if (tree_.load(std::memory_order_relaxed) != nullptr) return;
  char* const memory = arena_->AllocateAligned(sizeof(TreeBucket));
  TreeBucket* const tree =
      std::construct_at(reinterpret_cast<TreeBucket*>(memory), order_, arena_,
                        TreeBucket::Limits());
  for (const Link* link = list_.load(std::memory_order_relaxed);
       link != nullptr; link = link->next.load(std::memory_order_relaxed)) {
    const bool is_new = tree->Insert(link->entry);
    INVARIANT(is_new);
  }
  // release: pairs with the acquire of readers; the tree has all of the list.
  tree_.store(tree, std::memory_order_release);
}

void ListBucket::Visit(const Slice& internal_key,
                       const EntryStore::Visitor& visit) const {
  const TreeBucket* tree = tree_.load(std::memory_order_acquire);
  if (tree != nullptr) return tree->Visit(internal_key, visit);
  const Link* link = list_.load(std::memory_order_acquire);
  while (link != nullptr &&
         order_->Compare(EntryTree::KeyOf(link->entry), internal_key) < 0) {
    link = link->next.load(std::memory_order_acquire);
  }
  while (link != nullptr && visit(link->entry)) {
    link = link->next.load(std::memory_order_acquire);
  }
}

void ListBucket::AppendTo(std::vector<const char*>* entries) const {
  assert(entries != nullptr);
  const TreeBucket* tree = tree_.load(std::memory_order_acquire);
  if (tree != nullptr) return tree->AppendTo(entries);
  for (const Link* link = list_.load(std::memory_order_acquire);
       link != nullptr; link = link->next.load(std::memory_order_acquire)) {
    entries->push_back(link->entry);
  }
}

}  // namespace ROCKSDB_NAMESPACE
