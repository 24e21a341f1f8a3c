// The language of the scripts about indexed batches over a database, each run
// with a batch that keeps all updates of a key and one that overwrites them.
//
//   KIND OPTION..         a fresh batch, and a database with a merge operator
//   WHO: STEP; STEP..     one line of answers each; "OK" if all are
//
// KIND is batch, or one of its kinds alone: keeping, overwriting. OPTIONs:
// stamped (keys have timestamps), prefix:BYTES, most:BYTES (in the batch),
// no_operator.
//
// WHO is batch, db, walk (a cursor of the batch over the database) or entries
// (one of the batch's own updates). Steps of batch and db:
//   put KEY VALUE, merge KEY VALUE, delete KEY, single_delete KEY,
//   entity KEY NAME=VALUE..; behind them: at:TIMESTAMP
// Steps of the batch:
//   data TEXT, delete_range KEY KEY, timed KEY VALUE, past_index KEY VALUE
//   get KEY [no_family] (of the batch alone), get_entity KEY
//   read KEY, read_all KEY.., scan OPTION.. (over the database);
//   as_of:TIMESTAMP list (P put, M merge, D delete, S single_delete, E entity),
//   counts savepoint, back, pop, clear, most BYTES, set_stamps TIMESTAMP, write
// Steps of the database: get KEY [as_of:TIMESTAMP], scan, flush
// Steps of cursors:
//   new OPTION.., first, last, to KEY, back KEY, next, prev, stay
//   OPTIONs, also of scan: lower:KEY, upper:KEY, prefix, as_of:TIMESTAMP
//   updates (of the key), single_deleted (whether one was overwritten)
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Runs tests/testdata/FILE; returns how many cases it has.
size_t RunBatchScript(const std::string& file);

}  // namespace ROCKSDB_NAMESPACE
