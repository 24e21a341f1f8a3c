#include <cassert>

#include "rocksdb/utilities/secondary_index.h"
#include "util/invariant.h"
#include "utilities/secondary_index/index_parts.h"

namespace ROCKSDB_NAMESPACE {

SecondaryIndexIterator::SecondaryIndexIterator(
    const SecondaryIndex* index, std::unique_ptr<Iterator>&& underlying_it)
    : index_(index), underlying_it_(std::move(underlying_it)) {
  INVARIANT(index_ != nullptr);
  INVARIANT(underlying_it_ != nullptr);
}

bool SecondaryIndexIterator::Valid() const {
  return status_.ok() && underlying_it_->Valid() &&
         underlying_it_->key().starts_with(prefix_);
}

Status SecondaryIndexIterator::status() const {
  return status_.ok() ? underlying_it_->status() : status_;
}

void SecondaryIndexIterator::Seek(const Slice& target) {
  std::variant<Slice, std::string> prefix = target;
  status_ = index_->FinalizeSecondaryKeyPrefix(&prefix);
  if (!status_.ok()) return;
  prefix_ = SliceOf(prefix).ToString();
  underlying_it_->Seek(prefix_);
}

void SecondaryIndexIterator::Next() {
  assert(Valid());
  underlying_it_->Next();
}

void SecondaryIndexIterator::Prev() {
  assert(Valid());
  underlying_it_->Prev();
}

bool SecondaryIndexIterator::PrepareValue() {
  assert(Valid());
  return underlying_it_->PrepareValue();
}

Slice SecondaryIndexIterator::key() const {
  assert(Valid());
  Slice key = underlying_it_->key();
  key.remove_prefix(prefix_.size());
  return key;
}

Slice SecondaryIndexIterator::value() const {
  assert(Valid());
  return underlying_it_->value();
}

const WideColumns& SecondaryIndexIterator::columns() const {
  assert(Valid());
  return underlying_it_->columns();
}

Slice SecondaryIndexIterator::timestamp() const {
  assert(Valid());
  return underlying_it_->timestamp();
}

Status SecondaryIndexIterator::GetProperty(std::string prop_name,
                                           std::string* prop) const {
  return underlying_it_->GetProperty(std::move(prop_name), prop);
}

}  // namespace ROCKSDB_NAMESPACE
