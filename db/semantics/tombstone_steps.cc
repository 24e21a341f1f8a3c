#include "db/semantics/compaction_steps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The entry is the single deletion, the input is on the version it deletes.
// Values that are older in this stripe, which the contract of SingleDelete
// forbids, stay hidden.
bool PairSingleDelete(CompactionState* state, size_t stripe) {
  CompactionInput& input = state->input;
  const SurvivingEntry& entry = state->entry;
  assert(state->pending.empty());
  assert(state->IsAtCurrentKey());
  assert(state->rules.StripeOf(input.sequence()) == stripe);
  assert(ExtractType(entry.key()) == kTypeSingleDeletion);
  if (state->seen.has_shown() || SnapshotStripes::IsSeenByAll(stripe)) {
    ++state->stats.dropped_obsolete;
    ++state->stats.dropped_hidden;
    input.Next();
    return false;
  }
  // A transaction with an older snapshot may look here for a write conflict:
  // the versions stay, the value is not needed.
  PendingEntries::Entry* const deletion = state->pending.Add();
  deletion->trailer = ExtractTrailer(entry.key());
  deletion->value.clear();
  deletion->timestamp =
      TimestampOf(entry.user_key(), state->rules.timestamp_size()).ToString();
  PendingEntries::Entry* const deleted = state->pending.Add();
  deleted->trailer = PackSequenceAndType(input.sequence(), kTypeValue);
  deleted->value.clear();
  deleted->timestamp = input.timestamp().ToString();
  input.Next();
  return !state->HasFailed() && state->ShowPending();
}

// The single deletion has met none of its versions.
bool KeepSingleDelete(CompactionState* state, size_t stripe) {
  if (state->CanDropTombstone(stripe) ||
      (state->rules.is_bottommost() && !state->IsReadAsOf())) {
    ++state->stats.dropped_obsolete;
    ++state->stats.single_delete_fallthrough;
    return false;
  }
  return state->Show(Slice());
}

}  // namespace

bool TakeTombstone(CompactionState* state, size_t stripe) {
  CompactionInput& input = state->input;
  assert(input.Valid());
  if (state->CanDropTombstone(stripe)) {
    ++state->stats.dropped_obsolete;
    input.Next();
    return false;
  }
  if (!state->rules.is_bottommost() || state->IsReadAsOf()) {
    return state->ShowOfInput(Slice());
  }
  // At the bottom only older stripes of this input can need it.
  input.Next();
  while (input.Valid() && state->IsAtCurrentKey() &&
         state->rules.StripeOf(input.sequence()) >= stripe) {
    ++state->stats.dropped_hidden;
    input.Next();
  }
  if (state->HasFailed()) return false;
  if (input.Valid() && state->IsAtCurrentKey()) return state->Show(Slice());
  ++state->stats.dropped_obsolete;
  return false;
}

bool TakeSingleDelete(CompactionState* state, size_t stripe) {
  CompactionInput& input = state->input;
  assert(input.Valid());
  assert(input.type() == kTypeSingleDeletion);
  while (true) {
    input.Next();
    if (state->HasFailed()) return false;
    if (!input.Valid() || !state->IsAtCurrentKey()) {
      return KeepSingleDelete(state, stripe);
    }
    if (state->rules.StripeOf(input.sequence()) != stripe) {
      return state->Show(Slice());
    }
    const ValueType type = input.type();
    if (!IsPointDeletion(type)) return PairSingleDelete(state, stripe);
    ++state->stats.single_delete_mismatch;
    ++state->stats.dropped_hidden;
    // The older tombstone does all that the newer one did.
    if (type == kTypeSingleDeletion) {
      state->entry.SetKey(input.key());
      ++state->stats.deletions_in;
      continue;
    }
    if (state->enforces_single_deletes) {
      return state->Fail(Status::Corruption(
          "a SingleDelete meets a Delete of the same key", input.TextOfKey()));
    }
    if (state->seen.is_hidden()) {
      state->seen.Hide(stripe);
    } else {
      state->seen.Reopen();
    }
    return false;
  }
}

}  // namespace ROCKSDB_NAMESPACE
