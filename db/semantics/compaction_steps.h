// What becomes of one version, the newest of its stripe, that no range
// tombstone covers (db-format.md 9.1 to 9.5).
//
// The input and the entry's key are on it; `stripe` is its own. True: an entry
// is shown. False: nothing of it is left, or the run has failed; the walk goes
// on where the input stands then.
//
// Hot path   ShowInputValue() for a plain value.
// Threads    One thread.
#pragma once

#include <cstddef>

#include "db/semantics/compaction_state.h"

namespace ROCKSDB_NAMESPACE {

// A value, the first version of its key, that the application's filter may
// change.
bool TakeFiltered(CompactionState* state, size_t stripe);
// A deletion, by the entry's type.
bool TakeTombstone(CompactionState* state, size_t stripe);
// A single deletion and the one version that it deletes annihilate each other
// (9.3).
bool TakeSingleDelete(CompactionState* state, size_t stripe);
// The operands of the stripe are combined, with what they apply to if that can
// be seen (9.4).
bool TakeMerge(CompactionState* state, size_t stripe);
// The filter's verdict on an operand; kKeep where the run has failed.
CompactionFilter::Decision AskOfOperand(CompactionState* state,
                                        const Slice& operand);
// To the key that the filter has just named.
void SkipAsFiltered(CompactionState* state);
// A value with a time of writing.
bool ShowTimedValue(CompactionState* state);

// A value as it is.
[[gnu::always_inline]] inline bool ShowInputValue(CompactionState* state) {
  const CompactionInput& input = state->input;
  assert(input.Valid());
  assert(state->entry.key().size() == input.key().size());
  const ValueType type = input.type();
  if (type == kTypeValuePreferredSeqno) [[unlikely]] {
    return ShowTimedValue(state);
  }
  const Slice value = input.value();
  state->SetFinal(input.sequence(), type, RefersToBlobs(type, value));
  return state->ShowOfInput(value);
}

}  // namespace ROCKSDB_NAMESPACE
