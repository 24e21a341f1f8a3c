// A transaction of a database with secondary indices: what it writes to their
// primary families changes the indices, too.
//
// Each such write is all or nothing: what fails in the middle is rolled back to
// where it began.
//
// Threads    One at a time.
// Ownership  Borrows the indices, which the database keeps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "utilities/transactions/pessimistic_transaction.h"

namespace ROCKSDB_NAMESPACE {

class SecondaryIndex;

class IndexedTransaction final : public PessimisticTransaction {
 public:
  using PessimisticTransaction::PessimisticTransaction;

  // The section has the entries of the indices already.
  Status BecomeRecovered(RecoveredSection* section) override;

  using PessimisticTransaction::Delete;
  using PessimisticTransaction::DeleteUntracked;
  using PessimisticTransaction::Merge;
  using PessimisticTransaction::MergeUntracked;
  using PessimisticTransaction::Put;
  using PessimisticTransaction::PutUntracked;
  using PessimisticTransaction::SingleDelete;
  using PessimisticTransaction::SingleDeleteUntracked;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value, const bool assume_tracked) override;
  Status PutUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& value) override;
  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns, bool assume_tracked) override;
  Status PutEntityUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                            const WideColumns& columns) override;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value, const bool assume_tracked) override;
  Status MergeUntracked(ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& value) override;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                const bool assume_tracked) override;
  Status DeleteUntracked(ColumnFamilyHandle* column_family,
                         const Slice& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      const bool assume_tracked) override;
  Status SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                               const Slice& key) override;

 private:
  using Indices = std::vector<const SecondaryIndex*>;
  enum class Look { kForConflicts, kForNone };
  // An entry of an index that is to be written.
  struct Entry;

  // Those of that primary family.
  Indices IndicesOf(ColumnFamilyHandle* family) const;
  // Calls `write`, inside a save point.
  template <class Call>
  Status AllOrNothing(const Call& write);
  template <class WritePrimary>  // (const WideColumns&) -> Status
  Status Replace(ColumnFamilyHandle* family, const Slice& key,
                 const WideColumns& columns, Look look,
                 const WritePrimary& write);
  template <class WritePrimary>  // () -> Status
  Status Remove(ColumnFamilyHandle* family, const Slice& key, Look look,
                const WritePrimary& write);
  // Locks the key, and takes what is there out of the indices. NotFound:
  // nothing is there.
  Status TakeOut(const Indices& indices, ColumnFamilyHandle* family,
                 const Slice& key, Look look);
  static Status MakeEntry(const SecondaryIndex& index, const Slice& key,
                          const Slice& value, const Slice& previous,
                          Entry* entry);

  bool takes_as_it_is_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
