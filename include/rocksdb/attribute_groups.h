#pragma once

// Entities that are spread over column families: each family has its own
// columns of one key, an attribute group.

#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/iterator_base.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;

// Columns for one family, to write. Borrows the handle and the columns' bytes.
class AttributeGroup {
 public:
  explicit AttributeGroup(ColumnFamilyHandle* family,
                          const WideColumns& group_columns)
      : column_family_(family), columns_(group_columns) {}

  ColumnFamilyHandle* column_family() const { return column_family_; }
  const WideColumns& columns() const { return columns_; }
  WideColumns& columns() { return columns_; }

 private:
  ColumnFamilyHandle* column_family_;
  WideColumns columns_;
};

inline bool operator==(const AttributeGroup& lhs, const AttributeGroup& rhs) {
  return lhs.column_family() == rhs.column_family() &&
         lhs.columns() == rhs.columns();
}
inline bool operator!=(const AttributeGroup& lhs, const AttributeGroup& rhs) {
  return !(lhs == rhs);
}

using AttributeGroups = std::vector<AttributeGroup>;
extern const AttributeGroups kNoAttributeGroups;

// One family's columns of a key, as read. Each has a status of its own; its
// columns must be reset before the DB is closed.
class PinnableAttributeGroup {
 public:
  explicit PinnableAttributeGroup(ColumnFamilyHandle* family)
      : column_family_(family), status_(Status::OK()) {}

  ColumnFamilyHandle* column_family() const { return column_family_; }
  const Status& status() const { return status_; }
  const WideColumns& columns() const { return columns_.columns(); }

  void SetStatus(const Status& status) { status_ = status; }
  void SetColumns(PinnableWideColumns&& columns) {
    columns_ = std::move(columns);
  }
  void Reset() {
    status_ = Status::OK();
    columns_.Reset();
  }

 private:
  ColumnFamilyHandle* column_family_;
  Status status_;
  PinnableWideColumns columns_;
};

using PinnableAttributeGroups = std::vector<PinnableAttributeGroup>;

// One family's columns at an iterator's position. Borrows both.
class IteratorAttributeGroup {
 public:
  explicit IteratorAttributeGroup(ColumnFamilyHandle* family,
                                  const WideColumns* group_columns)
      : column_family_(family), columns_(group_columns) {}
  explicit IteratorAttributeGroup(const AttributeGroup& group)
      : IteratorAttributeGroup(group.column_family(), &group.columns()) {}

  ColumnFamilyHandle* column_family() const { return column_family_; }
  const WideColumns& columns() const { return *columns_; }

 private:
  ColumnFamilyHandle* column_family_;
  const WideColumns* columns_;
};

inline bool operator==(const IteratorAttributeGroup& lhs,
                       const IteratorAttributeGroup& rhs) {
  return lhs.column_family() == rhs.column_family() &&
         lhs.columns() == rhs.columns();
}
inline bool operator!=(const IteratorAttributeGroup& lhs,
                       const IteratorAttributeGroup& rhs) {
  return !(lhs == rhs);
}

using IteratorAttributeGroups = std::vector<IteratorAttributeGroup>;
extern const IteratorAttributeGroups kNoIteratorAttributeGroups;

// A cursor over the keys of several families: at each key, the groups of those
// families that have it, in the order in which the families were named.
class AttributeGroupIterator : public IteratorBase {
 public:
  AttributeGroupIterator() = default;
  ~AttributeGroupIterator() override = default;

  // Until the cursor moves. REQUIRES: Valid().
  virtual const IteratorAttributeGroups& attribute_groups() const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
