#include "memtable/vector_rep.h"

#include <algorithm>
#include <cassert>

#include "memtable/entry_tree.h"

namespace ROCKSDB_NAMESPACE {

VectorRep::VectorRep(const InternalKeyComparator* order, size_t reserved_count)
    : order_(order) {
  assert(order_ != nullptr);
  MutexLock lock(&mutex_);
  entries_.reserve(reserved_count);
}

bool VectorRep::Insert(const char* entry) {
  MutexLock lock(&mutex_);
  entries_.push_back(entry);
  return true;
}

SortedEntries VectorRep::Sorted() const {
  MutexLock lock(&mutex_);
  const size_t old_count = sorted_ != nullptr ? sorted_->size() : 0;
  if (sorted_ != nullptr && old_count == entries_.size()) return sorted_;
  assert(old_count <= entries_.size());
  std::vector<const char*> newer(
      entries_.begin() + static_cast<ptrdiff_t>(old_count), entries_.end());
  SortEntries(*order_, &newer);
  auto all = std::make_shared<std::vector<const char*>>();
  all->resize(entries_.size());
  const std::vector<const char*> none;
  const std::vector<const char*>& older = sorted_ != nullptr ? *sorted_ : none;
  std::merge(older.begin(), older.end(), newer.begin(), newer.end(),
             all->begin(), [this](const char* a, const char* b) {
               return order_->Compare(EntryTree::KeyOf(a),
                                      EntryTree::KeyOf(b)) < 0;
             });
  sorted_ = std::move(all);
  return sorted_;
}

void VectorRep::Visit(const Slice& internal_key, const Visitor& visit) const {
  const SortedEntries entries = Sorted();
  for (size_t i = RankOf(*entries, *order_, internal_key); i < entries->size();
       ++i) {
    if (!visit((*entries)[i])) return;
  }
}

size_t VectorRep::memory_bytes() const {
  MutexLock lock(&mutex_);
  const size_t sorted_count = sorted_ != nullptr ? sorted_->capacity() : 0;
  return (entries_.capacity() + sorted_count) * sizeof(const char*);
}

}  // namespace ROCKSDB_NAMESPACE
