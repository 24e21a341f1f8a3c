// One family to write to, with or without a user-defined timestamp, or by
// transactions of one write each.
//
// Threads    Confined to one.
// Ownership  Borrows the database, the transactions and the handle.
// Errors     Those of the engine.

#pragma once

#include <string>

#include "db_stress_tool/transactions.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

struct WriteTarget {
  DB* db;
  ColumnFamilyHandle* family;
  WriteOptions options;
  // Empty: without timestamps.
  std::string stamp = {};
  // Null: without transactions. Otherwise there are no timestamps, and no range
  // deletions.
  Transactions* transactions = nullptr;

  Status Put(const Slice& key, const Slice& value) const {
    if (transactions != nullptr) {
      return InTransaction(
          [&](Transaction* txn) { return txn->Put(family, key, value); });
    }
    return stamp.empty() ? db->Put(options, family, key, value)
                         : db->Put(options, family, key, stamp, value);
  }
  Status Merge(const Slice& key, const Slice& value) const {
    if (transactions != nullptr) {
      return InTransaction(
          [&](Transaction* txn) { return txn->Merge(family, key, value); });
    }
    return stamp.empty() ? db->Merge(options, family, key, value)
                         : db->Merge(options, family, key, stamp, value);
  }
  Status Delete(const Slice& key) const {
    if (transactions != nullptr) {
      return InTransaction(
          [&](Transaction* txn) { return txn->Delete(family, key); });
    }
    return stamp.empty() ? db->Delete(options, family, key)
                         : db->Delete(options, family, key, stamp);
  }
  Status SingleDelete(const Slice& key) const {
    if (transactions != nullptr) {
      return InTransaction(
          [&](Transaction* txn) { return txn->SingleDelete(family, key); });
    }
    return stamp.empty() ? db->SingleDelete(options, family, key)
                         : db->SingleDelete(options, family, key, stamp);
  }
  Status DeleteRange(const Slice& from, const Slice& to) const {
    return stamp.empty() ? db->DeleteRange(options, family, from, to)
                         : db->DeleteRange(options, family, from, to, stamp);
  }
  template <typename Call>
  Status InTransaction(const Call& call) const {
    return transactions->Write(options, call);
  }
};

}  // namespace ROCKSDB_NAMESPACE::stress
