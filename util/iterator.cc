#include "rocksdb/iterator.h"

#include <cassert>

namespace ROCKSDB_NAMESPACE {

namespace {

class EmptyIterator final : public Iterator {
 public:
  explicit EmptyIterator(const Status& s) : status_(s) {}

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

Status Iterator::GetProperty(std::string prop_name, std::string* prop) {
  if (prop_name == "rocksdb.iterator.is-key-pinned" ||
      prop_name == "rocksdb.iterator.is-value-pinned") {
    *prop = "0";
    return Status::OK();
  }
  return Status::InvalidArgument("Unidentified property.", prop_name);
}

Iterator* NewEmptyIterator() { return NewErrorIterator(Status::OK()); }

// The caller owns the result, as the public interface says.
Iterator* NewErrorIterator(const Status& status) {
  return std::make_unique<EmptyIterator>(status).release();
}

}  // namespace ROCKSDB_NAMESPACE
