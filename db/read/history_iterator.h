// The Iterator of ReadOptions::iter_start_ts: every version of every key whose
// timestamp is in [iter_start_ts, timestamp], deletions too.
//
// Keys ascend; of one key, timestamps descend. key() is the stored internal
// key (user key, timestamp, sequence and type), so that a deletion can be told
// from a value. Of several writes with one key and timestamp the newest that
// the snapshot sees is shown. What a range deletion covers as of `timestamp`
// is left out. A merge operand is shown as it was written.
//
// Lifetime   Holds its SuperVersion (and so every file) until destroyed.
// Threads    One thread at a time.
// Errors     NotSupported with ReadOptions::tailing.
#pragma once

#include <memory>

#include "db/read/scan_request.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE {

// Never null; an iterator that cannot be made carries the status.
std::unique_ptr<Iterator> NewHistoryIterator(UserIteratorRequest request);

}  // namespace ROCKSDB_NAMESPACE
