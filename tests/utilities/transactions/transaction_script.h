// The language of the scripts about transactions: several of them on a
// database, in one thread, so that whoever would wait times out at once.
//
//   KIND OPTION..          a fresh database
//   WHO: STEP; STEP..      one line of answers each; "OK" if all are
//
// KIND is locking; optimistic (run with both ways to look for conflicts); or
// two_phase (by every write policy, and past the memtables). A case that is run
// several times has one answer, or one for each kind that answers otherwise.
// OPTIONs: stamped (keys have timestamps), prefix (of one byte), max_locks:N,
// stripes:N.
//
// WHO is db, base (the database below, which knows no locks), or a transaction,
// which begins with its first step. A KEY lies in the family "default" unless
// it is FAMILY/KEY: other, or merges, the one with a merge operator. An UPDATE
// is KIND,KEY,VALUE: put, merge, delete, single_delete, or range.
//
// Steps of a transaction:
//   begin OPTION.., begin_anew (in the same object), drop
//     OPTION: snapshot, expires:MILLIS, most:BYTES, unlocked, must_prepare,
//     tracks_stamps
//   put KEY VALUE, merge KEY VALUE, delete KEY, single_delete KEY, entity KEY
//     NAME=VALUE..; behind them: untracked, tracked (it is said to be so)
//   get KEY [then] (as of the snapshot), scan OPTION..
//     OPTION: lower:KEY, upper:KEY, to:KEY, back:KEY, families:NAME,NAME,
//     prefix
//   lock KEY OPTION.. (a read for update), lock_all KEY.., undo KEY
//     OPTION: shared, only (without its value), unchecked, then, at:TIMESTAMP
//   snapshot, snapshot_next, clear_snapshot, has_snapshot
//   savepoint, back, pop
//   name NAME, adopt NAME (what recovery has found), prepare, commit, rollback
//   state, counts, logged (whether a log has its section)
//   data TEXT, batch KEY VALUE (past all tracking), batch_size, rebuild
//   UPDATE.. at_commit KEY VALUE, nothing_at_commit, collapse KEY, index,
//   no_index skips_dropped, unlogged (of its write options) read_at TIMESTAMP,
//   commit_at TIMESTAMP, commit_with_snapshot TIMESTAMP
// Steps of db and base: put, merge, delete, get, scan, entity, get_entity as
// above; get_at KEY TIMESTAMP; and
//   write UPDATE.. [unlocked], delete_range KEY KEY, ingest KEY=VALUE..
//   flush [FAMILY|all], compact, drop FAMILY, reopen, kill
//   locks (KEY:S or :X and the count of holders), prepared, named NAME
//   mark, taken (sequences since), log (the updates since then)
//   snapshot_at TIMESTAMP, snapshots FROM TO, release_older TIMESTAMP,
//   get_of TIMESTAMP KEY (as of such a snapshot)
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Runs tests/testdata/FILE; returns how many cases it has.
size_t RunTransactionScript(const std::string& file);

}  // namespace ROCKSDB_NAMESPACE
