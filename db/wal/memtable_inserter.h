// Applies write batches to memtables: for a write, after it is logged, and for
// each batch of a log that is replayed.
//
// Threads    Several threads may apply batches of one group to the same
//            memtables at the same time.
// Errors     Corruption for a malformed batch, InvalidArgument for a column
//            family that is not there or takes no writes, or a range that ends
//            before it begins, NotSupported for prepared transactions. Entries
//            before the bad one are in the memtables then.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class MemTable;

// Where the entries of a column family go. Implemented above this folder.
class ColumnFamilyMemTables {
 public:
  struct Target {
    MemTable* memtable = nullptr;
    // The family's data of smaller log numbers is in table files already.
    uint64_t log_number = 0;
  };

  virtual ~ColumnFamilyMemTables() = default;

  // False if there is no such family.
  virtual bool Find(uint32_t column_family_id, Target* target) = 0;
  // An operand whose key has as many of them as max_successive_merges allows.
  struct PendingMerge {
    SequenceNumber sequence = 0;
    Slice key;
    Slice operand;
  };
  // False: it is to be stored as it is. Else what is to be stored instead.
  virtual bool Resolve(uint32_t /*column_family_id*/,
                       const PendingMerge& /*merge*/, ValueType* /*type*/,
                       std::string* /*value*/) {
    return false;
  }
  // The plain value that a key has beneath an entry that is not stored yet and
  // would have `sequence`, for inplace_callback. NotFound: it has none.
  virtual Status ReadOlder(uint32_t column_family_id, SequenceNumber sequence,
                           const Slice& key, std::string* value);
  // The family's memtable is full; called once for each memtable, which must
  // stay in place until InsertBatch() has returned.
  virtual void OnFull(uint32_t column_family_id, MemTable* memtable) = 0;
};

struct InsertOptions {
  // Entries of families that are not there are left out.
  bool ignore_missing_column_families = false;
  // Entries begin to look for their place where the one before them went:
  // spares most of the way where neighbours in the batch are neighbours.
  bool keeps_hint = false;
  // No log has the batch.
  bool is_unlogged = false;
  // All entries have the sequence of the header (db/wal/sub_batches.h).
  bool shares_sequence = false;
  // In a replay: the number of the log that the batch is from. Entries that
  // are in table files already are left out. 0 = not a replay.
  uint64_t replayed_log_number = 0;
};

struct InsertResult {
  // The first sequence after the batch.
  SequenceNumber next_sequence = 0;
  // Entries that were added to a memtable.
  uint64_t inserted_count = 0;
  // Values that took the place of older ones instead.
  uint64_t overwritten_count = 0;
};

// Applies `batch` from its header sequence on: one sequence for each entry
// that is counted, also for those that are left out, except that an empty
// range deletion takes none.
Status InsertBatch(const WriteBatch& batch, const InsertOptions& options,
                   ColumnFamilyMemTables* families, InsertResult* result);

}  // namespace ROCKSDB_NAMESPACE
