// The Iterator that users see: one entry per live user key, at one snapshot,
// both directions, bounds, prefixes, merges and range tombstones applied.
//
// Its parts, each by itself in a header: what an entry means (entry_rules.h),
// the sorted stream of entries (entry_cursor.h), the versions of one key that
// make its value (version_stack.h), the value as users get it (shown_entry.h),
// the state that is read (scan_view.h), and the two walks (scan_walks.h) over
// all of these (scan_state.h).
//
// Lifetime   Holds its SuperVersion (and so every file) until destroyed.
// Threads    One thread at a time.
#pragma once

#include <memory>

#include "db/read/scan_request.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE {

// Never null; an iterator that cannot be made carries the status.
std::unique_ptr<Iterator> NewUserIterator(UserIteratorRequest request);

}  // namespace ROCKSDB_NAMESPACE
