// Logs of the policies write-prepared and write-unprepared, in which the
// entries of a sub-batch share one sequence number (db-format.md 3.3).
//
// RocksDB ends each sub-batch with a marker: the end of a prepared section, a
// commit, a rollback, or else a Noop. A key that comes twice begins a sub-batch
// of its own. Memtables of this engine give each entry a sequence of its own,
// under every policy. Its batches end with a Noop, too, for RocksDB to find the
// end of each, and with two more, by which a replay knows that the entries were
// counted one by one. RocksDB passes over a Noop that ends nothing.
//
// Threads  Any.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

// The end of a batch that this engine logs.
void EndCountedBatch(WriteBatch* batch);

// How a record of a log counts.
enum class Numbering {
  kByEntry,
  kBySubBatch,
};
// `in_doubt`: of a record that ends in a marker of transactions, which both
// have. Corruption: the record cannot be read.
Status NumberingOf(const WriteBatch& record, Numbering in_doubt,
                   Numbering* numbering);

// One sub-batch, or what a marker is on its own.
struct SubBatch {
  enum class Kind {
    kPlain,       // takes effect where it stands
    kSection,     // is part of a section that prepares its transaction
    kUnprepared,  // is part of one that does not prepare it yet
    kEnd,         // ends the section before: `name` is its name
    kCommit,
    kRollback,
  };
  Kind kind = Kind::kPlain;
  Slice name;                // into the record
  bool is_prepared = false;  // kEnd: the section prepares its transaction
  WriteBatch updates;        // these share the sequence of the batch
};

// The order of two keys of a family.
using CompareKeys =
    std::function<int(uint32_t family, const Slice&, const Slice&)>;

// What the record consists of, in order. *next: the sequence behind it.
// Corruption: it cannot be read, or its markers do not pair up.
Status CutIntoSubBatches(const WriteBatch& record, const CompareKeys& compare,
                         std::vector<SubBatch>* parts, SequenceNumber* next);

// Keeps those updates of a transaction that count once all are there, in their
// order: the newest of each key, and the merges on top of it. All updates of a
// key with a SingleDelete(), which takes away one value, stay; so do all range
// deletions.
Status FoldUpdates(const WriteBatch& updates, WriteBatch* folded);

}  // namespace ROCKSDB_NAMESPACE
