#include "db/semantics/compaction_steps.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

// Where a value loses its sequence it takes the one that it would have had at
// its time of writing: every reader sees it, nothing older is below, and the
// tombstones between the two go by the same rule.
bool ShowTimedValue(CompactionState* state) {
  const CompactionInput& input = state->input;
  const Slice stored = input.value();
  if (stored.size() < sizeof(uint64_t)) {
    return state->Fail(Status::Corruption(
        "a value without its preferred sequence", input.TextOfKey()));
  }
  const Slice plain(stored.data(), stored.size() - sizeof(uint64_t));
  const SequenceNumber own = input.sequence();
  const SequenceNumber preferred = state->timed_values.PreferredBy(
      DecodeFixed64(plain.data() + plain.size()));
  if (preferred >= own) {  // Written now, or in time to come.
    state->SetFinal(own, kTypeValue);
    return state->ShowOfInput(plain);
  }
  if (state->rules.IsLast(own) && !state->IsReadAsOf()) {
    state->SetFinal(preferred, kTypeValue);
    return state->ShowOfInput(plain);
  }
  state->entry.SetTrailer(PackSequenceAndType(own, kTypeValuePreferredSeqno));
  state->timed_value.assign(plain.data(), plain.size());
  PutFixed64(&state->timed_value, preferred);
  return state->ShowOfInput(state->timed_value);
}

}  // namespace ROCKSDB_NAMESPACE
