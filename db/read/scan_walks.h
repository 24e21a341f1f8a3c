// The two walks of a user's iterator: from where the stream stands to the next
// user key that has a value to show, or to the end.
//
// Forward, versions of a key come newest first: the first visible one decides,
// and the rest of them are passed over. Backward they come oldest first: the
// last visible one decides, so all must be seen.
//
// Both set scan->valid and scan->status, and show what they find. Each hidden
// entry counts for the limit of one call; after many versions of one key a seek
// takes the place of steps.
//
// Hot path   seekrandom and readseq of db_bench: a Next() over plain values
//            costs one virtual call, two comparisons and a copy of the key.
// Threads    One thread at a time.
#pragma once

#include <cstdint>

namespace ROCKSDB_NAMESPACE {

struct ScanState;

// While scan->forward.is_skipping, versions of saved_key are passed over. The
// stream is left on the entry shown, or, after a merge, on what the operands
// went onto, or behind them.
void WalkForward(ScanState* scan);
// Off the entry shown: the stream goes behind it, whichever way the walk went.
// How many entries were shown and are behind it now: one or, merged, none.
uint64_t LeaveForward(ScanState* scan);

// The stream is left before all versions of the key shown.
void WalkBackward(ScanState* scan);
void LeaveBackward(ScanState* scan);

// From the newest visible version of saved_key on, at or behind which the
// stream stands: puts operands and what they apply to on the stack, oldest
// first, and saved_key's own timestamp to it. False: an error.
bool GatherVersions(ScanState* scan);

}  // namespace ROCKSDB_NAMESPACE
