#pragma once

// Entities: values made of named columns.

#include <cstddef>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// One column. Both slices borrow.
class WideColumn {
 public:
  WideColumn() = default;

  template <typename N, typename V>
  WideColumn(N&& name, V&& value)
      : name_(std::forward<N>(name)), value_(std::forward<V>(value)) {}

  template <typename NTuple, typename VTuple>
  WideColumn(std::piecewise_construct_t, NTuple&& name_tuple,
             VTuple&& value_tuple)
      : name_(std::make_from_tuple<Slice>(std::forward<NTuple>(name_tuple))),
        value_(std::make_from_tuple<Slice>(std::forward<VTuple>(value_tuple))) {
  }

  const Slice& name() const { return name_; }
  const Slice& value() const { return value_; }
  Slice& name() { return name_; }
  Slice& value() { return value_; }

 private:
  Slice name_;
  Slice value_;
};

inline bool operator==(const WideColumn& lhs, const WideColumn& rhs) {
  return lhs.name() == rhs.name() && lhs.value() == rhs.value();
}
inline bool operator!=(const WideColumn& lhs, const WideColumn& rhs) {
  return !(lhs == rhs);
}
std::ostream& operator<<(std::ostream& os, const WideColumn& column);

using WideColumns = std::vector<WideColumn>;

// The anonymous column: a plain value is an entity with this column only.
extern const Slice kDefaultWideColumnName;
extern const WideColumns kNoWideColumns;

// The columns of an entity, with the memory that they point to.
//
// Threads   One thread at a time.
// Lifetime  Must be reset before the DB from which it pins is closed.
class PinnableWideColumns {
 public:
  PinnableWideColumns() = default;
  PinnableWideColumns(const PinnableWideColumns& other);
  PinnableWideColumns& operator=(const PinnableWideColumns& other);
  PinnableWideColumns(PinnableWideColumns&& other) noexcept;
  PinnableWideColumns& operator=(PinnableWideColumns&& other) noexcept;

  const WideColumns& columns() const { return columns_; }
  // Bytes of the stored form.
  size_t serialized_size() const { return value_.size(); }
  // Bytes of the names and values of its columns.
  size_t payload_size() const {
    size_t size = 0;
    for (const WideColumn& column : columns_) {
      size += column.name().size() + column.value().size();
    }
    return size;
  }

  // One default column with that value.
  void SetPlainValue(const Slice& value);
  void SetPlainValue(const Slice& value, Cleanable* cleanable);
  void SetPlainValue(PinnableSlice&& value);
  void SetPlainValue(std::string&& value);
  // The columns of a stored entity; Corruption if the bytes are none.
  Status SetWideColumnValue(const Slice& value);
  Status SetWideColumnValue(const Slice& value, Cleanable* cleanable);
  Status SetWideColumnValue(PinnableSlice&& value);
  Status SetWideColumnValue(std::string&& value);

  void Reset();

 private:
  void MoveValue(PinnableSlice&& value);
  void IndexPlainValue();
  Status IndexEntity();
  void RebaseColumns(const char* old_base);

  PinnableSlice value_;
  WideColumns columns_;
};

inline bool operator==(const PinnableWideColumns& lhs,
                       const PinnableWideColumns& rhs) {
  return lhs.columns() == rhs.columns();
}
inline bool operator!=(const PinnableWideColumns& lhs,
                       const PinnableWideColumns& rhs) {
  return !(lhs == rhs);
}

}  // namespace ROCKSDB_NAMESPACE
