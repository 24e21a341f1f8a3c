#include "util/key/internal_iterator.h"

#include <cassert>
#include <utility>

namespace ROCKSDB_NAMESPACE {

namespace {

class EmptyInternalIterator final : public InternalIterator {
 public:
  explicit EmptyInternalIterator(Status status) : status_(std::move(status)) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const Slice& /*target*/) override {}
  void SeekForPrev(const Slice& /*target*/) override {}
  void Next() override { assert(false); }
  void Prev() override { assert(false); }
  Slice key() const override {
    assert(false);
    return Slice();
  }
  Slice value() const override {
    assert(false);
    return Slice();
  }
  Status status() const override { return status_; }

 private:
  const Status status_;
};

}  // namespace

std::unique_ptr<InternalIterator> NewEmptyInternalIterator(Status status) {
  return std::make_unique<EmptyInternalIterator>(std::move(status));
}

}  // namespace ROCKSDB_NAMESPACE
