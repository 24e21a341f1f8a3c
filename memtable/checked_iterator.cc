#include "memtable/checked_iterator.h"

#include <cassert>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class CheckedIterator final : public InternalIterator {
 public:
  explicit CheckedIterator(CheckedIteratorRequest request)
      : request_(std::move(request)), entries_(*request_.entries) {
    INVARIANT(request_.order != nullptr);
    INVARIANT(request_.checks.IsAny());
    INVARIANT(entries_.IsKeyPinned());
    // Values that change in place are copies, and have no checksums.
    INVARIANT(entries_.IsValuePinned() || request_.checks.checksum_bytes == 0);
  }

  bool Valid() const override { return status_.ok() && entries_.Valid(); }
  void SeekToFirst() override {
    status_ = Status::OK();
    entries_.SeekToFirst();
    CheckEntry();
  }
  void SeekToLast() override {
    status_ = Status::OK();
    entries_.SeekToLast();
    CheckEntry();
  }
  void Seek(const Slice& target) override {
    status_ = Status::OK();
    entries_.Seek(target);
    CheckEntry();
    if (Valid()) CheckOrder(target, entries_.key());
  }
  void SeekForPrev(const Slice& target) override {
    status_ = Status::OK();
    entries_.SeekForPrev(target);
    CheckEntry();
    if (Valid()) CheckOrder(entries_.key(), target);
  }
  void Next() override {
    assert(Valid());
    const Slice before = entries_.key();
    entries_.Next();
    CheckEntry();
    if (Valid()) CheckOrder(before, entries_.key());
  }
  void Prev() override {
    assert(Valid());
    const Slice behind = entries_.key();
    entries_.Prev();
    CheckEntry();
    if (Valid()) CheckOrder(entries_.key(), behind);
  }
  Slice key() const override {
    assert(Valid());
    return entries_.key();
  }
  Slice value() const override {
    assert(Valid());
    return entries_.value();
  }
  Status status() const override {
    return status_.ok() ? entries_.status() : status_;
  }
  bool IsKeyPinned() const override { return true; }
  bool IsValuePinned() const override { return entries_.IsValuePinned(); }

 private:
  // After a move: what was met on the way, and what is there.
  void CheckEntry() {
    if (request_.search != nullptr) status_ = request_.search->Take();
    if (request_.checks.checksum_bytes == 0 || !Valid()) return;
    status_ =
        VerifyEntry(entries_.key(), entries_.value(),
                    request_.checks.checksum_bytes, request_.checks.key_text);
  }
  void CheckOrder(const Slice& earlier, const Slice& later) {
    if (!request_.checks.order) return;
    status_ =
        VerifyOrder(*request_.order, earlier, later, request_.checks.key_text);
  }

  const CheckedIteratorRequest request_;
  InternalIterator& entries_;
  Status status_;
};

}  // namespace

std::unique_ptr<InternalIterator> NewCheckedIterator(
    CheckedIteratorRequest request) {
  return std::make_unique<CheckedIterator>(std::move(request));
}

}  // namespace ROCKSDB_NAMESPACE
