#include "memtable/entry_store.h"

#include <algorithm>
#include <cassert>

#include "memtable/entry_tree.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class StoreIterator final : public InternalIterator {
 public:
  StoreIterator(const EntryStore* rep, const InternalKeyComparator* order)
      : rep_(rep), order_(order) {}

  bool Valid() const override {
    return entries_ != nullptr && index_ < entries_->size();
  }
  void SeekToFirst() override {
    Load();
    index_ = 0;
  }
  void SeekToLast() override {
    Load();
    StandBefore(entries_->size());
  }
  void Seek(const Slice& target) override {
    Load();
    index_ = RankOf(*entries_, *order_, target);
  }
  void SeekForPrev(const Slice& target) override {
    Seek(target);
    if (!Valid() || order_->Compare(key(), target) != 0) StandBefore(index_);
  }
  void Next() override {
    assert(Valid());
    ++index_;
  }
  void Prev() override {
    assert(Valid());
    StandBefore(index_);
  }
  Slice key() const override { return EntryTree::KeyOf((*entries_)[index_]); }
  Slice value() const override {
    return EntryTree::ValueOf((*entries_)[index_]);
  }
  Status status() const override { return Status::OK(); }
  bool IsKeyPinned() const override { return true; }
  bool IsValuePinned() const override { return true; }

 private:
  // Not before: whoever reads at a sequence has it by the first positioning.
  void Load() {
    if (entries_ == nullptr) entries_ = rep_->Sorted();
  }
  void StandBefore(size_t index) {
    index_ = index > 0 ? index - 1 : entries_->size();
  }

  const EntryStore* const rep_;
  const InternalKeyComparator* const order_;
  SortedEntries entries_;
  size_t index_ = 0;
};

}  // namespace

std::unique_ptr<InternalIterator> NewStoreIterator(
    const EntryStore* rep, const InternalKeyComparator* order) {
  assert(rep != nullptr && order != nullptr);
  return std::make_unique<StoreIterator>(rep, order);
}

size_t RankOf(const std::vector<const char*>& entries,
              const InternalKeyComparator& order, const Slice& internal_key) {
  const auto place =
      std::lower_bound(entries.begin(), entries.end(), internal_key,
                       [&order](const char* entry, const Slice& key) {
                         return order.Compare(EntryTree::KeyOf(entry), key) < 0;
                       });
  return static_cast<size_t>(place - entries.begin());
}

void SortEntries(const InternalKeyComparator& order,
                 std::vector<const char*>* entries) {
  std::sort(
      entries->begin(), entries->end(), [&order](const char* a, const char* b) {
        return order.Compare(EntryTree::KeyOf(a), EntryTree::KeyOf(b)) < 0;
      });
}

}  // namespace ROCKSDB_NAMESPACE
