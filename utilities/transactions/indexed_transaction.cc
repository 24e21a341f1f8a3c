#include "utilities/transactions/indexed_transaction.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <variant>

#include "rocksdb/utilities/secondary_index.h"
#include "rocksdb/wide_columns.h"
#include "utilities/secondary_index/index_parts.h"
#include "utilities/transactions/pessimistic_transaction_db.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Where the column is; end: there is none.
WideColumns::const_iterator FindColumn(const WideColumns& columns,
                                       const Slice& name) {
  return std::find_if(
      columns.begin(), columns.end(),
      [&name](const WideColumn& column) { return column.name() == name; });
}

Status SecondaryKeyOf(const SecondaryIndex& index, const Slice& key,
                      const Slice& value, std::string* secondary_key) {
  std::variant<Slice, std::string> prefix;
  Status s = index.GetSecondaryKeyPrefix(key, value, &prefix);
  if (s.ok()) s = index.FinalizeSecondaryKeyPrefix(&prefix);
  if (!s.ok()) return s;
  const Slice front = SliceOf(prefix);
  secondary_key->assign(front.data(), front.size());
  secondary_key->append(key.data(), key.size());
  return s;
}

Status NoFamilyOfIndex() {
  return Status::InvalidArgument("a secondary index without its family");
}

Status MergeIntoIndexed() {
  return Status::NotSupported("Merge in a family with secondary indices");
}

}  // namespace

struct IndexedTransaction::Entry {
  ColumnFamilyHandle* family = nullptr;
  std::string key;
  std::string value;
};

Status IndexedTransaction::BecomeRecovered(RecoveredSection* section) {
  takes_as_it_is_ = true;
  Status s = PessimisticTransaction::BecomeRecovered(section);
  takes_as_it_is_ = false;
  return s;
}

IndexedTransaction::Indices IndexedTransaction::IndicesOf(
    ColumnFamilyHandle* family) const {
  Indices indices;
  if (takes_as_it_is_) return indices;
  for (const auto& index : txn_db()->txn_db_options().secondary_indices) {
    const ColumnFamilyHandle* const primary = index->GetPrimaryColumnFamily();
    if (primary != nullptr && primary->GetID() == Known(family)->GetID()) {
      indices.push_back(index.get());
    }
  }
  return indices;
}

template <class Call>
Status IndexedTransaction::AllOrNothing(const Call& write) {
  SetSavePoint();
  Status s = write();
  if (s.ok()) return PopSavePoint();
  Status undone = UndoToSavePoint();
  return undone.ok() ? s : undone;
}

Status IndexedTransaction::TakeOut(const Indices& indices,
                                   ColumnFamilyHandle* family, const Slice& key,
                                   Look look) {
  PinnableWideColumns columns;
  Status s =
      GetEntityForUpdate(ReadOptions(), Known(family), key, &columns,
                         /*exclusive=*/true, look == Look::kForConflicts);
  if (!s.ok()) return s;
  for (const SecondaryIndex* index : indices) {
    const auto column =
        FindColumn(columns.columns(), index->GetPrimaryColumnName());
    if (column == columns.columns().end()) continue;
    if (index->GetSecondaryColumnFamily() == nullptr) return NoFamilyOfIndex();
    std::string secondary_key;
    s = SecondaryKeyOf(*index, key, column->value(), &secondary_key);
    if (s.ok()) {
      s = PessimisticTransaction::SingleDeleteUntracked(
          index->GetSecondaryColumnFamily(), secondary_key);
    }
    if (!s.ok()) return s;
  }
  return s;
}

Status IndexedTransaction::MakeEntry(const SecondaryIndex& index,
                                     const Slice& key, const Slice& value,
                                     const Slice& previous, Entry* entry) {
  entry->family = index.GetSecondaryColumnFamily();
  if (entry->family == nullptr) return NoFamilyOfIndex();
  Status s = SecondaryKeyOf(index, key, value, &entry->key);
  if (!s.ok()) return s;
  std::optional<std::variant<Slice, std::string>> secondary_value;
  s = index.GetSecondaryValue(key, value, previous, &secondary_value);
  if (s.ok() && secondary_value.has_value()) {
    entry->value = SliceOf(*secondary_value).ToString();
  }
  return s;
}

template <class WritePrimary>
Status IndexedTransaction::Replace(ColumnFamilyHandle* family, const Slice& key,
                                   const WideColumns& columns, Look look,
                                   const WritePrimary& write) {
  const Indices indices = IndicesOf(family);
  if (indices.empty()) return write(columns);
  return AllOrNothing([&] {
    Status s = TakeOut(indices, family, key, look);
    if (!s.ok() && !s.IsNotFound()) return s;
    s = Status::OK();
    WideColumns written = columns;
    std::deque<std::string> values;  // that indices have made
    std::vector<Entry> entries;
    for (const SecondaryIndex* index : indices) {
      const auto column = FindColumn(written, index->GetPrimaryColumnName());
      if (column == written.end()) continue;
      const Slice previous = column->value();
      std::optional<std::variant<Slice, std::string>> updated;
      s = index->UpdatePrimaryColumnValue(key, previous, &updated);
      if (!s.ok()) return s;
      if (updated.has_value()) {
        values.push_back(SliceOf(*updated).ToString());
        written[static_cast<size_t>(column - written.cbegin())].value() =
            values.back();
      }
      s = MakeEntry(*index, key, column->value(), previous,
                    &entries.emplace_back());
      if (!s.ok()) return s;
    }
    s = write(written);
    for (const Entry& entry : entries) {
      if (!s.ok()) return s;
      s = PessimisticTransaction::PutUntracked(entry.family, entry.key,
                                               entry.value);
    }
    return s;
  });
}

template <class WritePrimary>
Status IndexedTransaction::Remove(ColumnFamilyHandle* family, const Slice& key,
                                  Look look, const WritePrimary& write) {
  const Indices indices = IndicesOf(family);
  if (indices.empty()) return write();
  return AllOrNothing([&] {
    Status s = TakeOut(indices, family, key, look);
    if (s.IsNotFound()) return Status::OK();
    return s.ok() ? write() : s;
  });
}

// --- Writes

Status IndexedTransaction::Put(ColumnFamilyHandle* column_family,
                               const Slice& key, const Slice& value,
                               const bool assume_tracked) {
  return Replace(column_family, key, {{kDefaultWideColumnName, value}},
                 Look::kForConflicts, [&](const WideColumns& columns) {
                   return PessimisticTransaction::Put(column_family, key,
                                                      columns.front().value(),
                                                      assume_tracked);
                 });
}

Status IndexedTransaction::PutUntracked(ColumnFamilyHandle* column_family,
                                        const Slice& key, const Slice& value) {
  return Replace(column_family, key, {{kDefaultWideColumnName, value}},
                 Look::kForNone, [&](const WideColumns& columns) {
                   return PessimisticTransaction::PutUntracked(
                       column_family, key, columns.front().value());
                 });
}

Status IndexedTransaction::PutEntity(ColumnFamilyHandle* column_family,
                                     const Slice& key,
                                     const WideColumns& columns,
                                     bool assume_tracked) {
  return Replace(column_family, key, columns, Look::kForConflicts,
                 [&](const WideColumns& written) {
                   return PessimisticTransaction::PutEntity(
                       column_family, key, written, assume_tracked);
                 });
}

Status IndexedTransaction::PutEntityUntracked(ColumnFamilyHandle* column_family,
                                              const Slice& key,
                                              const WideColumns& columns) {
  return Replace(column_family, key, columns, Look::kForNone,
                 [&](const WideColumns& written) {
                   return PessimisticTransaction::PutEntityUntracked(
                       column_family, key, written);
                 });
}

Status IndexedTransaction::Merge(ColumnFamilyHandle* column_family,
                                 const Slice& key, const Slice& value,
                                 const bool assume_tracked) {
  if (!IndicesOf(column_family).empty()) return MergeIntoIndexed();
  return PessimisticTransaction::Merge(column_family, key, value,
                                       assume_tracked);
}

Status IndexedTransaction::MergeUntracked(ColumnFamilyHandle* column_family,
                                          const Slice& key,
                                          const Slice& value) {
  if (!IndicesOf(column_family).empty()) return MergeIntoIndexed();
  return PessimisticTransaction::MergeUntracked(column_family, key, value);
}

Status IndexedTransaction::Delete(ColumnFamilyHandle* column_family,
                                  const Slice& key, const bool assume_tracked) {
  return Remove(column_family, key, Look::kForConflicts, [&] {
    return PessimisticTransaction::Delete(column_family, key, assume_tracked);
  });
}

Status IndexedTransaction::DeleteUntracked(ColumnFamilyHandle* column_family,
                                           const Slice& key) {
  return Remove(column_family, key, Look::kForNone, [&] {
    return PessimisticTransaction::DeleteUntracked(column_family, key);
  });
}

Status IndexedTransaction::SingleDelete(ColumnFamilyHandle* column_family,
                                        const Slice& key,
                                        const bool assume_tracked) {
  return Remove(column_family, key, Look::kForConflicts, [&] {
    return PessimisticTransaction::SingleDelete(column_family, key,
                                                assume_tracked);
  });
}

Status IndexedTransaction::SingleDeleteUntracked(
    ColumnFamilyHandle* column_family, const Slice& key) {
  return Remove(column_family, key, Look::kForNone, [&] {
    return PessimisticTransaction::SingleDeleteUntracked(column_family, key);
  });
}

}  // namespace ROCKSDB_NAMESPACE
