// What undoes uncommitted updates that somebody may have applied: for each key
// the value that is committed, or a deletion.
//
// This engine applies nothing before it is committed. RocksDB does, with the
// policies write-prepared and write-unprepared, and when it reads a log of ours
// it needs these updates where a transaction was rolled back.
//
// Threads    One.
// Ownership  Borrows the databases.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

class TransactionPort;

// The database as it was at a sequence, as long as nothing is compacted.
class MomentInPast final : public Snapshot {
 public:
  explicit MomentInPast(SequenceNumber sequence) : sequence_(sequence) {}
  SequenceNumber GetSequenceNumber() const override { return sequence_; }
  int64_t GetUnixTime() const override { return 0; }
  uint64_t GetTimestamp() const override { return UINT64_MAX; }

 private:
  const SequenceNumber sequence_;
};

class UndoBatch {
 public:
  // `txn_db` stands on `db`.
  UndoBatch(TransactionDB* txn_db, DB* db, TransactionPort* port,
            const TransactionDBOptions& options);

  // The key is to be again what `as_of` sees. Each key once: later calls for it
  // do nothing. Nor does one for a family that is gone.
  Status Add(uint32_t family_id, const Slice& key, const Snapshot* as_of);
  // All keys of these updates.
  Status AddAll(const WriteBatch& updates, const Snapshot* as_of);

  using FamilyKey = std::pair<uint32_t, std::string>;
  const std::set<FamilyKey>& keys() const { return keys_; }
  WriteBatch* batch() { return &batch_; }

 private:
  ColumnFamilyHandle* HandleOf(uint32_t family_id);

  TransactionDB* const txn_db_;
  DB* const db_;
  TransactionPort* const port_;
  const TransactionDBOptions& options_;
  std::map<uint32_t, std::unique_ptr<ColumnFamilyHandle>> handles_;
  std::set<FamilyKey> keys_;
  WriteBatch batch_;
};

}  // namespace ROCKSDB_NAMESPACE
