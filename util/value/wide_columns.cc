#include "rocksdb/wide_columns.h"

#include <utility>

#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

const Slice kDefaultWideColumnName;
const WideColumns kNoWideColumns;

std::ostream& operator<<(std::ostream& os, const WideColumn& column) {
  return os << column.name().ToString(true) << ':'
            << column.value().ToString(true);
}

PinnableWideColumns::PinnableWideColumns(const PinnableWideColumns& other) {
  *this = other;
}

PinnableWideColumns& PinnableWideColumns::operator=(
    const PinnableWideColumns& other) {
  if (this == &other) return *this;
  Reset();
  columns_ = other.columns_;
  value_.PinSelf(other.value_);
  RebaseColumns(other.value_.data());
  return *this;
}

PinnableWideColumns::PinnableWideColumns(PinnableWideColumns&& other) noexcept {
  *this = std::move(other);
}

PinnableWideColumns& PinnableWideColumns::operator=(
    PinnableWideColumns&& other) noexcept {
  if (this == &other) return *this;
  columns_ = std::move(other.columns_);
  const char* old_base = other.value_.data();
  MoveValue(std::move(other.value_));
  RebaseColumns(old_base);
  other.Reset();
  return *this;
}

void PinnableWideColumns::SetPlainValue(const Slice& value) {
  value_.Reset();
  value_.PinSelf(value);
  IndexPlainValue();
}

void PinnableWideColumns::SetPlainValue(const Slice& value,
                                        Cleanable* cleanable) {
  value_.Reset();
  value_.PinSlice(value, cleanable);
  IndexPlainValue();
}

void PinnableWideColumns::SetPlainValue(PinnableSlice&& value) {
  MoveValue(std::move(value));
  IndexPlainValue();
}

void PinnableWideColumns::SetPlainValue(std::string&& value) {
  value_.Reset();
  *value_.GetSelf() = std::move(value);
  value_.PinSelf();
  IndexPlainValue();
}

Status PinnableWideColumns::SetWideColumnValue(const Slice& value) {
  value_.Reset();
  value_.PinSelf(value);
  return IndexEntity();
}

Status PinnableWideColumns::SetWideColumnValue(const Slice& value,
                                               Cleanable* cleanable) {
  value_.Reset();
  value_.PinSlice(value, cleanable);
  return IndexEntity();
}

Status PinnableWideColumns::SetWideColumnValue(PinnableSlice&& value) {
  MoveValue(std::move(value));
  return IndexEntity();
}

Status PinnableWideColumns::SetWideColumnValue(std::string&& value) {
  value_.Reset();
  *value_.GetSelf() = std::move(value);
  value_.PinSelf();
  return IndexEntity();
}

void PinnableWideColumns::Reset() {
  value_.Reset();
  columns_.clear();
}

// A value in somebody else's string is copied, since that may go first.
void PinnableWideColumns::MoveValue(PinnableSlice&& value) {
  value_.Reset();
  if (value.IsPinned()) {
    value_ = std::move(value);
  } else {
    value_.PinSelf(value);
    value.Reset();
  }
}

void PinnableWideColumns::IndexPlainValue() {
  columns_.clear();
  columns_.emplace_back(kDefaultWideColumnName, value_);
}

Status PinnableWideColumns::IndexEntity() {
  columns_.clear();
  return DecodeWideColumns(value_, &columns_);
}

void PinnableWideColumns::RebaseColumns(const char* old_base) {
  for (WideColumn& column : columns_) {
    for (Slice* part : {&column.name(), &column.value()}) {
      if (part->empty()) {
        *part = Slice();
      } else {
        *part = Slice(value_.data() + (part->data() - old_base), part->size());
      }
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
