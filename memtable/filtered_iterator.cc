#include "memtable/filtered_iterator.h"

#include <cassert>
#include <utility>

#include "memtable/memtable_filter.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FilteredIterator final : public InternalIterator {
 public:
  FilteredIterator(std::unique_ptr<InternalIterator> entries,
                   const MemTableFilter* filter, const ReadOptions* read)
      : entries_(std::move(entries)), filter_(filter), read_(read) {
    INVARIANT(entries_ != nullptr);
    INVARIANT(filter_ != nullptr && read_ != nullptr);
  }

  bool Valid() const override { return !is_empty_ && entries_->Valid(); }
  void SeekToFirst() override {
    is_empty_ = false;
    entries_->SeekToFirst();
  }
  void SeekToLast() override {
    is_empty_ = false;
    entries_->SeekToLast();
  }
  void Seek(const Slice& target) override {
    is_empty_ = false;
    entries_->Seek(target);
  }
  void SeekInPrefix(const Slice& target) override {
    is_empty_ = !filter_->MayHoldPrefix(*read_, ExtractUserKey(target));
    if (!is_empty_) entries_->Seek(target);
  }
  void SeekForPrev(const Slice& target) override {
    is_empty_ = false;
    entries_->SeekForPrev(target);
  }
  void Next() override {
    assert(Valid());
    entries_->Next();
  }
  void Prev() override {
    assert(Valid());
    entries_->Prev();
  }
  bool NextAndGetKey(Slice* new_key) override {
    assert(Valid());
    return entries_->NextAndGetKey(new_key);
  }
  Slice key() const override { return entries_->key(); }
  Slice value() const override { return entries_->value(); }
  Status status() const override {
    return is_empty_ ? Status::OK() : entries_->status();
  }
  bool IsKeyPinned() const override { return entries_->IsKeyPinned(); }
  bool IsValuePinned() const override { return entries_->IsValuePinned(); }

 private:
  const std::unique_ptr<InternalIterator> entries_;
  const MemTableFilter* const filter_;
  const ReadOptions* const read_;
  bool is_empty_ = false;
};

}  // namespace

std::unique_ptr<InternalIterator> NewFilteredIterator(
    std::unique_ptr<InternalIterator> entries, const MemTableFilter* filter,
    const ReadOptions* read) {
  return std::make_unique<FilteredIterator>(std::move(entries), filter, read);
}

}  // namespace ROCKSDB_NAMESPACE
