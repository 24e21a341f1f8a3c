#include "utilities/transactions/undo_batch.h"

#include "db/wal/write_batch_format.h"
#include "db/write/transaction_port.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

UndoBatch::UndoBatch(TransactionDB* txn_db, DB* db, TransactionPort* port,
                     const TransactionDBOptions& options)
    : txn_db_(txn_db), db_(db), port_(port), options_(options) {}

ColumnFamilyHandle* UndoBatch::HandleOf(uint32_t family_id) {
  std::unique_ptr<ColumnFamilyHandle>& handle = handles_[family_id];
  if (handle == nullptr) handle = port_->HandleOf(family_id);
  return handle.get();
}

Status UndoBatch::Add(uint32_t family_id, const Slice& key,
                      const Snapshot* as_of) {
  if (!keys_.emplace(family_id, key.ToString()).second) return Status::OK();
  ColumnFamilyHandle* const family = HandleOf(family_id);
  if (family == nullptr) return Status::OK();
  ReadOptions read;
  read.snapshot = as_of;
  PinnableWideColumns found;
  Status s = db_->GetEntity(read, family, key, &found);
  if (s.IsNotFound()) {
    const auto& is_single = options_.rollback_deletion_type_callback;
    return is_single && is_single(txn_db_, family, key)
               ? batch_.SingleDelete(family, key)
               : batch_.Delete(family, key);
  }
  if (!s.ok()) return s;
  const WideColumns& columns = found.columns();
  const bool is_plain =
      columns.size() == 1 && columns.front().name() == kDefaultWideColumnName;
  return is_plain ? batch_.Put(family, key, columns.front().value())
                  : batch_.PutEntity(family, key, columns);
}

Status UndoBatch::AddAll(const WriteBatch& updates, const Snapshot* as_of) {
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    Status s = reader.Next(&entry);
    if (s.ok() && IsDataEntry(entry.type)) {
      s = Add(entry.column_family_id, entry.key, as_of);
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
