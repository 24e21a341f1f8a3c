// Secondary indices, which a TransactionDB keeps up with what it writes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "rocksdb/iterator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;

// What an index is made of. A TransactionDB that has it in its
// TransactionDBOptions::secondary_indices calls it with every write to the
// primary family, in a transaction and outside of one, but for Write() of a
// batch, and writes the entries of the index in the same transaction.
//
// The index is on one column, the primary one; the value of an entry without
// columns is its default column (kDefaultWideColumnName). Entries without that
// column are not in the index.
//
// An entry of the index is in the secondary family. Its key is a prefix that
// the index chooses (GetSecondaryKeyPrefix(), then
// FinalizeSecondaryKeyPrefix()), followed by the primary key; its value that of
// GetSecondaryValue(), or empty.
//
// Threads   The families are set before the first write. The other calls: any,
//           at once.
// Errors    That of any call ends the write, which leaves nothing behind.
class SecondaryIndex {
 public:
  virtual ~SecondaryIndex() = default;

  // Which families the index is of and in. With none it is of nothing.
  virtual void SetPrimaryColumnFamily(ColumnFamilyHandle* column_family) = 0;
  virtual void SetSecondaryColumnFamily(ColumnFamilyHandle* column_family) = 0;
  virtual ColumnFamilyHandle* GetPrimaryColumnFamily() const = 0;
  virtual ColumnFamilyHandle* GetSecondaryColumnFamily() const = 0;
  // The column that is indexed.
  virtual Slice GetPrimaryColumnName() const = 0;

  // May have another value written to the column: *updated_column_value, which
  // is not touched where the value stays.
  virtual Status UpdatePrimaryColumnValue(
      const Slice& primary_key, const Slice& primary_column_value,
      std::optional<std::variant<Slice, std::string>>* updated_column_value)
      const = 0;

  // What the keys of the index's entries of this column value begin with,
  // before FinalizeSecondaryKeyPrefix(). The value is as it is written. A Slice
  // points into the arguments or the index.
  virtual Status GetSecondaryKeyPrefix(
      const Slice& primary_key, const Slice& primary_column_value,
      std::variant<Slice, std::string>* secondary_key_prefix) const = 0;
  // Makes such a prefix one that no other prefix begins with. It is also what
  // turns a value that is looked for into a prefix.
  virtual Status FinalizeSecondaryKeyPrefix(
      std::variant<Slice, std::string>* secondary_key_prefix) const = 0;
  // The value of the index's entry; not touched: none. `previous_column_value`
  // is the one before UpdatePrimaryColumnValue().
  virtual Status GetSecondaryValue(
      const Slice& primary_key, const Slice& primary_column_value,
      const Slice& previous_column_value,
      std::optional<std::variant<Slice, std::string>>* secondary_value)
      const = 0;
};

// Walks over the primary keys that an index has for one value.
//
// Threads    One at a time.
// Ownership  Owns the iterator below, which is one of the secondary family;
//            borrows the index.
class SecondaryIndexIterator {
 public:
  SecondaryIndexIterator(const SecondaryIndex* index,
                         std::unique_ptr<Iterator>&& underlying_it);

  // True at an entry of the value that was sought.
  bool Valid() const;
  // What went wrong, here or below.
  Status status() const;
  // The first entry of this value.
  void Seek(const Slice& target);
  // Beyond the entries of the value it is not valid any more.
  void Next();
  void Prev();
  bool PrepareValue();
  // The primary key.
  Slice key() const;
  // The value, columns and timestamp of the index's entry.
  Slice value() const;
  const WideColumns& columns() const;
  Slice timestamp() const;
  // Gives a property of the iterator below.
  Status GetProperty(std::string prop_name, std::string* prop) const;

 private:
  const SecondaryIndex* index_;
  std::unique_ptr<Iterator> underlying_it_;
  Status status_;
  std::string prefix_;
};

}  // namespace ROCKSDB_NAMESPACE
